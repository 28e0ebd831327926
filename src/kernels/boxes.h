// Overlaps of boxes. Contract: all addresses are inside the caller's buffers.
#pragma once

#include <cstdint>

namespace wick::kernels {

// Corners and areas of finite boxes, each in an array of its own.
struct Boxes {
  const float *x0, *y0, *x1, *y1, *area;
};

// Sets gone[j], for first <= j < n, where the part of boxes i and j that they share is more than `threshold`.
void mark_overlapping(const Boxes& boxes, int64_t i, int64_t first, int64_t n, float threshold, int32_t* gone);

}  // namespace wick::kernels
