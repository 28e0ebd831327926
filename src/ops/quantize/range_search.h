// Quantization ranges for few bits.
#pragma once

#include <tuple>

#include "ops/boxing.h"

namespace wick::ops {

struct ValueRange {
  float low, high;
};
// Of n > 0 values.
ValueRange range_of_values(const float* x, int64_t n);
// Narrows the range of n > 0 values, a bin at a time, to where rounding to `bits` bits loses the least; at most `ratio`
// of the bins are taken off.
ValueRange least_loss_range(const float* x, int64_t n, int64_t bins, double ratio, int64_t bits);

// The highest and the lowest value of that range.
std::tuple<Tensor, Tensor> choose_qparams_optimized(const Tensor& input, int64_t numel, int64_t n_bins, double ratio,
                                                    int64_t bit_width);

}  // namespace wick::ops
