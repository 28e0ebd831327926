// Errors that cross from Python to C++ and back.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "wick/error.h"

namespace wick_python {

namespace nb = nanobind;

// An exception of a Python operator on its way through a model. The Python exception is let go of with the GIL held.
struct PythonError : wick::Error {
  explicit PythonError(nb::python_error& error)
      : Error(wick::ErrorCode::kModelException, summary_of(error)),
        inner(new nb::python_error(error), [](nb::python_error* e) {
          if (!nb::is_alive()) return;
          nb::gil_scoped_acquire gil;
          delete e;
        }) {}
  static std::string summary_of(nb::python_error& error);  // with the GIL held

  std::shared_ptr<nb::python_error> inner;
};

// Throws the error as the exception that is a FileNotFoundError as well.
[[noreturn]] void raise_missing_file(const wick::Error& error);

}  // namespace wick_python
