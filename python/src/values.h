// Python objects as values of a model, and back. Included by every file, as the casters of nanobind must be the same in
// all.
//
// Ownership. A tensor made of a Python object uses the object's memory and holds the object (its buffer, or its DLPack
// capsule) until the last tensor that shares the memory is gone, on whichever thread that is. A `wick.Tensor` holds the
// C++ tensor; buffers and capsules that it hands out hold the `wick.Tensor`. Memory that may not be written to is
// copied, since a model may write to what it is given.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "wick/ivalue.h"

namespace wick_python {

namespace nb = nanobind;

// The value of any object that a model takes; throws nb::type_error, naming the type and the place, for others.
wick::IValue to_value(nb::handle object);
// A new Python object.
nb::object to_python(const wick::IValue& value);

// Tensors alone: arrays, DLPack, buffers, numbers and nested lists of numbers. `force_copy`: never the object's memory.
wick::Tensor to_tensor(nb::handle object, bool force_copy = false);

// Of an int, or what has __index__; OverflowError beyond 64 bits.
int64_t to_int64(nb::handle object);

// Whether the object is an array of NumPy.
bool is_numpy_array(nb::handle object);
// Whether the object is a number of NumPy (numpy.float32(1)), and the number of such an object or of a Python number.
bool is_numpy_scalar(nb::handle object);
wick::Scalar to_scalar(nb::handle object);

// Arguments of one call: an iterable gives one each.
std::vector<wick::IValue> to_values(nb::handle sequence);
// Lists of arguments: each item is a tuple or list of arguments, or one argument that is neither.
std::vector<std::vector<wick::IValue>> to_inputs(nb::handle inputs);

// What a value is that Python has no type for: objects of a model's classes, enums, generators.
struct Value {
  wick::IValue value;
};

// "float32 [1, 3, 224, 224]"
std::string describe(const wick::Tensor& tensor);
// The dtype of a name ("float32", "torch.float32") or of an object with such a name (numpy.float32).
wick::DType dtype_of(nb::handle object);

// A class whose objects are made otherwise: calling it raises TypeError with the advice.
template <class C>
void refuse_construction(C& cls, const char* advice) {
  cls.def("__init__", [advice](nb::handle, const nb::args&, const nb::kwargs&) { throw nb::type_error(advice); });
}

void bind_tensor(nb::module_& m);
void bind_tensor_methods(nb::class_<wick::Tensor>& tensor);
void bind_values(nb::module_& m);
void bind_errors(nb::module_& m);
void bind_module(nb::module_& m);
void bind_compile(nb::module_& m);
void bind_inspect(nb::module_& m);
void bind_operators(nb::module_& m);
void bind_image(nb::module_& m);
void bind_command(nb::module_& m);

}  // namespace wick_python
