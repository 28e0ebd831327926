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

// What is done with a file, for its errors.
enum class FileUse : uint8_t { kRead, kWrite };

// The path that a str or an os.PathLike says, in the bytes of the file system.
std::string path_of(nb::handle object);

// Throws nb::python_error with errno and the file's name when the error is one of the operating system's (of a missing
// file: what is a FileNotFoundError as well). Returns for others.
void raise_file_error(const wick::Error& error, const std::string& path, FileUse use);

// Calls work(), whose errors about the file at `path` become Python's.
template <class F>
auto with_file(const std::string& path, FileUse use, F&& work) {
  try {
    return work();
  } catch (const wick::Error& e) {
    raise_file_error(e, path, use);
    throw;
  }
}

}  // namespace wick_python
