// Plain structs of the C++ API as Python objects that can be pickled and copied: reports go from process to process.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>

namespace wick_python {

namespace nb = nanobind;

// Every member of the struct, each of a type that nanobind converts.
template <class T, class... Members>
void make_picklable(nb::class_<T>& record, Members T::*... members) {
  record.def("__getstate__", [=](const T& self) { return nb::make_tuple(nb::cast(self.*members)...); });
  record.def("__setstate__", [=](T& self, const nb::tuple& state) {
    if (state.size() != sizeof...(members)) throw nb::value_error("the state of another class, or of another version");
    new (&self) T();
    size_t i = 0;
    ((self.*members = nb::cast<Members>(nb::object(state[i++]))), ...);
  });
}

}  // namespace wick_python
