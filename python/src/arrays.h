// Tensors and the memory of Python objects: the buffer protocol and DLPack, both ways.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "wick/tensor.h"

namespace wick_python {

namespace nb = nanobind;

// Nothing when the object does not offer its memory this way. Both use it in place where they can: it may be written
// to, lies in the order of its strides, none of them negative, and is aligned. Otherwise, and with `force_copy`, they
// copy.
// `as`: the dtype of what the buffer calls integers of that size.
std::optional<wick::Tensor> tensor_of_buffer(PyObject* object, bool force_copy,
                                             std::optional<wick::DType> as = std::nullopt);
std::optional<wick::Tensor> tensor_of_dlpack(nb::handle object, bool force_copy);

// The slots of the buffer protocol, for the type of wick.Tensor.
extern PyType_Slot tensor_slots[];
// A capsule; `versioned`: of DLPack 1.0 and later, which says whether the tensor was copied for it. Throws
// nb::buffer_error for dtypes that DLPack has no name for.
nb::object dlpack_of(const wick::Tensor& tensor, bool versioned, bool is_copied);

}  // namespace wick_python
