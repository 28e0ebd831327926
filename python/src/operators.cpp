// Operators written in Python: called by every thread that runs a model, each time with the GIL.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "errors.h"
#include "values.h"
#include "wick/registry.h"

namespace wick_python {

using wick::IValue;

namespace {

// Of what a schema says behind its arrow: none "()", one, or several "(Tensor, int)".
size_t count_results(const std::string& schema) {
  const size_t arrow = schema.rfind("->");
  if (arrow == std::string::npos) throw nb::value_error("a schema ends with '-> Type'");
  size_t at = schema.find_first_not_of(" \t", arrow + 2);
  if (at == std::string::npos || schema[at] != '(') return 1;
  size_t count = 0;
  int depth = 0;
  for (; at < schema.size(); ++at) {
    const char c = schema[at];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth == 1 && c == ',') ++count;
    if (depth >= 1 && count == 0 && c != '(' && c != ' ') count = 1;
    if (depth == 0) break;
  }
  return count;
}

// The Python function; let go of with the GIL, or never once the interpreter is gone.
using Function = std::shared_ptr<nb::object>;

Function hold(nb::handle function) {
  return {new nb::object(nb::borrow(function)), [](nb::object* held) {
            if (!nb::is_alive()) return;
            nb::gil_scoped_acquire gil;
            delete held;
          }};
}

std::vector<IValue> call(const Function& function, const std::vector<IValue>& args, size_t results) {
  nb::gil_scoped_acquire gil;
  try {
    nb::object words = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(args.size())));
    if (!words.is_valid()) throw nb::python_error();
    for (size_t i = 0; i < args.size(); ++i)
      PyTuple_SetItem(words.ptr(), static_cast<Py_ssize_t>(i), to_python(args[i]).release().ptr());
    nb::object result = nb::steal(PyObject_CallObject(function->ptr(), words.ptr()));
    if (!result.is_valid()) throw nb::python_error();
    if (results == 0) return {};
    if (results == 1) return {to_value(result)};
    if (!PyTuple_Check(result.ptr()) && !PyList_Check(result.ptr())) {  // the rows of a tensor are not its results
      throw nb::value_error(("the operator returned a " +
                             nb::cast<std::string>(nb::str(nb::object(result.type().attr("__name__")))) +
                             ", its schema has " + std::to_string(results) + " results: return a tuple")
                                .c_str());
    }
    std::vector<IValue> out = to_values(result);
    if (out.size() != results) {
      throw nb::value_error(
          ("the operator returned " + std::to_string(out.size()) + " values, its schema has " + std::to_string(results))
              .c_str());
    }
    return out;
  } catch (nb::python_error& e) {
    throw PythonError(e);
  } catch (const nb::builtin_exception& e) {
    throw wick::Error(wick::ErrorCode::kTypeMismatch, std::string("a Python operator: ") + e.what());
  }
}

}  // namespace

void bind_operators(nb::module_& m) {
  m.def("register_operator", [](const std::string& schema, nb::handle function) {
    const size_t results = count_results(schema);
    wick::Registry::Function boxed = [held = hold(function), results](std::vector<IValue> args) {
      return call(held, args, results);
    };
    wick::Registry::add_operator(schema, std::move(boxed));
  });
  m.def(
      "remove_operator", [](const std::string& name) { return wick::Registry::remove_operator(name); }, nb::arg("name"),
      "Hides an operator of yours from later loads; False when there is none.");
  m.def("registered_operators", &wick::Registry::operators, "Schemas of the operators of your own.");
}

}  // namespace wick_python
