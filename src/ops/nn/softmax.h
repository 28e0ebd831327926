// Softmax and its logarithm along one dimension.
#pragma once

#include "ops/boxing.h"

namespace wick::ops {

Tensor softmax(const Tensor& self, int64_t dim, std::optional<DType> dtype);
Tensor log_softmax(const Tensor& self, int64_t dim, std::optional<DType> dtype);
// aten::_softmax: half_to_float is a CUDA matter and refused on CPU.
Tensor softmax_half_to_float(const Tensor& self, int64_t dim, bool half_to_float);
Tensor log_softmax_half_to_float(const Tensor& self, int64_t dim, bool half_to_float);
// Softmax that gives zeros, not NaN, where all of a row is -inf.
Tensor safe_softmax(const Tensor& self, int64_t dim, std::optional<DType> dtype);

}  // namespace wick::ops
