// A convolution and the pooling of its image, in row tiles: what the convolution computes stays in the second-level
// cache (the first layers of many networks, whose largest image it is).
#pragma once

#include "kernels/conv2d.h"
#include "kernels/pool.h"

namespace wick::kernels {

// conv is as run_conv takes it, of one group, kDirect, kDirectNchw or kPlanes; conv.y is not read. pool has channels
// last, dense pixels, and windows that are not empty and begin one after the other.
struct ConvPool {
  Conv2d conv;
  Pool pool;
  bool is_max = true;
  int64_t divisor = 0;  // of an average, as avg_pool takes it
};

size_t conv_pool_scratch_size(const ConvPool& layers, int workers);  // elements, 64-byte aligned
void run_conv_pool(const ConvPool& layers, float* y, float* scratch, const Workers& workers);

}  // namespace wick::kernels
