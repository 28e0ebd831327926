// Group normalization of a float image with channels last. Contract: all addresses are inside the caller's buffers;
// channels is a multiple of groups; y may be x.
#pragma once

#include "kernels/workers.h"

namespace wick::kernels {

struct GroupNorm {
  int64_t pixels = 1, channels = 1, groups = 1;
  const float* weight = nullptr;  // by channel; null: 1
  const float* bias = nullptr;    // by channel; null: 0
  float epsilon = 0;
};
size_t group_norm_scratch_size(const GroupNorm& norm);  // elements, 64-byte aligned
// y[p][c] = (x[p][c] - mean) / sqrt(variance + epsilon) * weight[c] + bias[c], with the mean and variance of the
// channel's group over all pixels.
void group_norm(const GroupNorm& norm, const float* x, float* y, float* scratch, const Workers& workers);

}  // namespace wick::kernels
