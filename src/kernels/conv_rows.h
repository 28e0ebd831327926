// Parts of a convolution: some images, some rows of one.
#pragma once

#include <algorithm>

#include "config/build.h"
#include "kernels/conv2d.h"

namespace wick::kernels {

// Whether the build has kDirectNchw: a selective one whose first layers are read as planes has no other method for
// NCHW images.
inline constexpr bool kHasDirectNchw = !build::kIsSelective || !build::kPlanes;

// The part of a convolution that computes one image of a batch; without its sums.
Conv2d image_of(const Conv2d& conv, int64_t image);
// That computes output rows [first, last) of every image.
Conv2d rows_of(const Conv2d& conv, int64_t first, int64_t last);

// Computes these rows of one image; the method is kDirect, kDirectNchw or kPlanes. `buffer` has conv_rows_scratch_size
// elements.
void conv_rows(const Conv2d& conv, int64_t first, int64_t last, float* buffer);
size_t conv_rows_scratch_size(const ConvShape& shape, ConvMethod method);  // 64-byte aligned

// Calls body(worker, image, first row, last row) for each worker's share of `height` output rows of `batch` images.
template <class F>
void share_rows(int64_t batch, int64_t height, const Workers& workers, F&& body) {
  const int64_t rows = batch * height, parts = std::min<int64_t>(rows, std::max(1, workers.count));
  workers.each(parts, [&](int64_t first, int64_t last) {
    for (int64_t row = rows * first / parts, end = rows * last / parts; row < end;) {
      const int64_t from = row % height, to = std::min(height, from + end - row);
      body(first, row / height, from, to);
      row += to - from;
    }
  });
}

}  // namespace wick::kernels
