// Concatenation and stacking.
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
// Each tensor's chunks along `dim`, padded with zeros to equal size and flattened, side by side: [..., num_chunks, n].
Tensor chunk_cat(const TensorList& tensors, int64_t dim, int64_t num_chunks);
Tensor pad_sequence(const TensorList& sequences, bool batch_first, double padding_value, std::string_view padding_side);
Tensor flatten_dense_tensors(const TensorList& tensors);
TensorList unflatten_dense_tensors(const Tensor& flat, const TensorList& tensors);

}  // namespace wick::ops
