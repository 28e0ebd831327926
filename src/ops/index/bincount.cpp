// Counting integers: bincount.
#include <algorithm>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/index/index.h"

namespace wick::ops {

namespace {

template <class T>
void add_weights(const int64_t* values, const T* weights, int64_t n, T* sums) {
  for (int64_t i = 0; i < n; ++i) sums[values[i]] += weights[i];
}

}  // namespace

Tensor bincount(const Tensor& self, const OptTensor& weights, int64_t minlength) {
  WICK_CHECK(minlength >= 0, kInvalidArgument, "minlength should be >= 0");
  check_dtype(is_integral(self.dtype(), false), "bincount_cpu", self.dtype());
  if (self.dim() == 1 && self.numel() == 0) return Tensor::zeros({minlength}, DType::kLong);
  WICK_CHECK(self.dim() == 1, kShapeMismatch, "bincount only supports 1-d non-negative integral inputs.");
  const Tensor values = wick::contiguous(to_dtype(self, DType::kLong));
  const int64_t* v = values.data_ptr<int64_t>();
  const int64_t n = values.numel();
  int64_t low = v[0], high = v[0];
  for (int64_t i = 1; i < n; ++i) {
    low = std::min(low, v[i]);
    high = std::max(high, v[i]);
  }
  WICK_CHECK(low >= 0, kInvalidArgument, "bincount only supports 1-d non-negative integral inputs.");
  WICK_CHECK(!weights || (weights->dim() == 1 && weights->numel() == n), kShapeMismatch,
             "weights should be 1-d and have the same length as input");
  WICK_CHECK(high < INT64_MAX, kOutOfMemory, "bincount: the number of bins overflows");
  const int64_t bins = std::max(high + 1, minlength);
  if (!weights) {
    const Tensor out = Tensor::zeros({bins}, DType::kLong);
    int64_t* count = out.data_ptr<int64_t>();
    for (int64_t i = 0; i < n; ++i) ++count[v[i]];
    return out;
  }
  if (weights->dtype() == DType::kFloat) {
    const Tensor out = Tensor::zeros({bins}, DType::kFloat), w = wick::contiguous(*weights);
    add_weights(v, w.data_ptr<float>(), n, out.data_ptr<float>());
    return out;
  }
  const Tensor out = Tensor::zeros({bins}, DType::kDouble);
  const Tensor w = wick::contiguous(to_dtype(*weights, DType::kDouble));
  add_weights(v, w.data_ptr<double>(), n, out.data_ptr<double>());
  return out;
}

}  // namespace wick::ops
