// Resampling of float images with channels last. Contract: all addresses are inside the caller's buffers.
#pragma once

#include <cstdint>

namespace wick::kernels {

// The taps of one dimension: result i is the sum of weight[i * count + k] times value index[i * count + k].
struct ResizeTaps {
  int64_t count = 1;
  const int64_t* index = nullptr;
  const float* weight = nullptr;
};

// y[j] = the sum of weights[k] * x[rows[k] * row + j], for j < n.
void blend_rows(const float* x, int64_t row, const int64_t* rows, const float* weights, int64_t count, int64_t n,
                float* y);
// One row of `width` pixels of `channels` from a row x.
void resize_row(const float* x, const ResizeTaps& taps, int64_t width, int64_t channels, float* y);

}  // namespace wick::kernels
