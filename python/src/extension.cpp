// The extension module wick._wick: the public C++ API of Wick for the package wick.
#include <nanobind/nanobind.h>

#include "running.h"
#include "values.h"

NB_MODULE(_wick, m) {
  using namespace wick_python;
  m.doc() = "Wick: runs PyTorch model files without PyTorch.";
  m.attr("version") = WICK_VERSION;
  // Registered operators live as long as the process, and hold what they use.
  nb::set_leak_warnings(false);
  init_interrupts();
  bind_errors(m);
  bind_tensor(m);
  bind_values(m);
  bind_module(m);
  bind_compile(m);
  bind_inspect(m);
  bind_operators(m);
  bind_image(m);
  bind_command(m);
}
