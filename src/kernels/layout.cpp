// Transposes between NCHW and NHWC, and per-channel scaling.
#include "kernels/layout.h"

#include <algorithm>

#include "kernels/divide.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layout.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Three rows become triples: the first layer of an image network.
HWY_INLINE int64_t interleave3(const float* src, int64_t src_row, int64_t columns, float* dst) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t j = 0;
  for (; j + lanes <= columns; j += lanes)
    hn::StoreInterleaved3(hn::LoadU(d, src + j), hn::LoadU(d, src + src_row + j), hn::LoadU(d, src + 2 * src_row + j),
                          d, dst + 3 * j);
  return j;
}

void transpose_all(const float* src, int64_t src_row, int64_t rows, int64_t columns, float* dst, int64_t dst_row) {
  if (rows == 3 && dst_row == 3) {
    const int64_t done = interleave3(src, src_row, columns, dst);
    src += done;
    dst += done * dst_row;
    columns -= done;
  }
  // Columns in groups whose lines of the result stay in the first-level cache while the rows pass.
  constexpr int64_t kGroup = 16;
  for (int64_t first = 0; first < columns; first += kGroup) {
    const int64_t last = std::min(columns, first + kGroup);
    int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
      int64_t j = first;
      for (; j + 4 <= last; j += 4) transpose_block(src + i * src_row + j, src_row, dst + j * dst_row + i, dst_row);
      for (; j < last; ++j)
        for (int64_t r = i; r < i + 4; ++r) dst[j * dst_row + r] = src[r * src_row + j];
    }
    for (; i < rows; ++i)
      for (int64_t j = first; j < last; ++j) dst[j * dst_row + i] = src[i * src_row + j];
  }
}

void scale(const float* x, int64_t x_pixel, const float* factor, int64_t pixels, int64_t channels, float* y,
           int64_t y_pixel) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t p = 0; p < pixels; ++p, x += x_pixel, y += y_pixel) {
    int64_t c = 0;
    for (; c + lanes <= channels; c += lanes)
      hn::StoreU(hn::Mul(hn::LoadU(d, x + c), hn::LoadU(d, factor + c)), d, y + c);
    for (; c < channels; ++c) y[c] = x[c] * factor[c];
  }
}

void rows_times(const float* x, int64_t width, const float* factor, int64_t rows, float* y) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t r = 0; r < rows; ++r, x += width, y += width) {
    const auto f = hn::Set(d, factor[r]);
    int64_t c = 0;
    for (; c + lanes <= width; c += lanes) hn::StoreU(hn::Mul(hn::LoadU(d, x + c), f), d, y + c);
    for (; c < width; ++c) y[c] = x[c] * factor[r];
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(transpose_all);
HWY_EXPORT(scale);
HWY_EXPORT(rows_times);

void transpose(const float* src, int64_t src_row, int64_t rows, int64_t columns, float* dst, int64_t dst_row) {
  HWY_DYNAMIC_DISPATCH(transpose_all)(src, src_row, rows, columns, dst, dst_row);
}

namespace {
// Pieces of the pixels of every image.
template <class F>
void for_pixels(int64_t batch, int64_t pixels, const Workers& workers, F&& body) {
  constexpr int64_t kPiece = 512;
  const int64_t pieces = ceil_div(pixels, kPiece);
  workers.each(batch * pieces, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t from = i % pieces * kPiece;
      body(i / pieces, from, std::min(pixels - from, kPiece));
    }
  });
}
}  // namespace

void planes_to_channels_last(const float* src, int64_t batch, int64_t channels, int64_t pixels, float* dst,
                             int64_t pixel, const Workers& workers) {
  for_pixels(batch, pixels, workers, [&](int64_t image, int64_t first, int64_t count) {
    transpose(src + image * channels * pixels + first, pixels, channels, count, dst + (image * pixels + first) * pixel,
              pixel);
  });
}
void channels_last_to_planes(const float* src, int64_t pixel, int64_t batch, int64_t channels, int64_t pixels,
                             float* dst, const Workers& workers) {
  for_pixels(batch, pixels, workers, [&](int64_t image, int64_t first, int64_t count) {
    transpose(src + (image * pixels + first) * pixel, pixel, count, channels, dst + image * channels * pixels + first,
              pixels);
  });
}

void scale_channels(const float* x, int64_t x_pixel, const float* factor, int64_t pixels, int64_t channels, float* y,
                    int64_t y_pixel) {
  HWY_DYNAMIC_DISPATCH(scale)(x, x_pixel, factor, pixels, channels, y, y_pixel);
}
void scale_rows(const float* x, int64_t width, const float* factor, int64_t rows, float* y) {
  HWY_DYNAMIC_DISPATCH(rows_times)(x, width, factor, rows, y);
}

}  // namespace wick::kernels
#endif
