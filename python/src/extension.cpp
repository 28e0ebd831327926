// The extension module wick._wick: the public C++ API of Wick for the package wick.
#include <nanobind/nanobind.h>

#include "running.h"
#include "values.h"

// The contents of wick._wick, whose entry is below.
NB_MODULE(_wick_contents, m) {
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

// nanobind's state, types and exceptions are there once in the process: a second interpreter would take them over from
// the first before it is asked whether it may.
extern "C" NB_EXPORT PyObject* PyInit__wick();
extern "C" PyObject* PyInit__wick() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
    PyErr_SetString(PyExc_ImportError,
                    "wick runs in the main interpreter only: use threads, which run models side by side, or processes");
    return nullptr;
  }
  return PyInit__wick_contents();
}
