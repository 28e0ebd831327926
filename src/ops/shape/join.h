// Operators that put several tensors together.
#pragma once

#include "ops/boxing.h"
#include "wick/tensor.h"

namespace wick::ops {

// aten::cat.
Tensor concat(const TensorList& tensors, int64_t dim);
Tensor stack(const TensorList& tensors, int64_t dim);
Tensor hstack(const TensorList& tensors);
Tensor vstack(const TensorList& tensors);
Tensor dstack(const TensorList& tensors);
Tensor column_stack(const TensorList& tensors);
Tensor pad_sequence(const TensorList& sequences, bool batch_first, double padding_value, std::string_view padding_side);
Tensor flatten_dense_tensors(const TensorList& tensors);
TensorList unflatten_dense_tensors(const Tensor& flat, const TensorList& tensors);

}  // namespace wick::ops
