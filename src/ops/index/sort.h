// Operators that order elements. NaN counts as larger than every number, as in PyTorch.
#pragma once

#include "ops/boxing.h"
#include "wick/tensor.h"

namespace wick::ops {

using Pair = std::tuple<Tensor, Tensor>;  // values, indices

Pair sort(const Tensor& self, int64_t dim, bool descending);
Pair sort_stable(const Tensor& self, std::optional<bool> stable, int64_t dim, bool descending);
Tensor argsort(const Tensor& self, int64_t dim, bool descending);
Tensor argsort_stable(const Tensor& self, bool stable, int64_t dim, bool descending);
Tensor msort(const Tensor& self);
Pair topk(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted);
Pair kthvalue(const Tensor& self, int64_t k, int64_t dim, bool keepdim);
Tensor median(const Tensor& self);
Pair median_dim(const Tensor& self, int64_t dim, bool keepdim);
Tensor nanmedian(const Tensor& self);
Pair nanmedian_dim(const Tensor& self, int64_t dim, bool keepdim);
Pair mode(const Tensor& self, int64_t dim, bool keepdim);

}  // namespace wick::ops
