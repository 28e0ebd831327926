// Depthwise convolution of doubles.
#include "kernels/conv.h"

#include "kernels/bounds.h"
#include "kernels/divide.h"
#include "kernels/targets.h"

#define WICK_DEPTHWISE_TYPE double
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/depthwise_double.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/depthwise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

// Channels last: [h][w][channel].

// One output pixel, channels [c, c + kVectors * kLanes): taps rows x columns, all inside the image.
template <int kVectors>
HWY_INLINE void pixel_block(const Conv<T>& conv, const T* x, int64_t x_row, int64_t x_column, const T* weight,
                            int64_t rows, int64_t columns, int64_t c, T* y) {
  const D d;
  const int64_t channels = conv.shape.in_channels;
  V sum[kVectors];
  WICK_UNROLL
  for (int u = 0; u < kVectors; ++u) sum[u] = conv.bias ? hn::LoadU(d, conv.bias + c + u * kLanes) : hn::Zero(d);
  for (int64_t r = 0; r < rows; ++r) {
    const T* from = x + r * x_row + c;
    const T* w = weight + r * conv.shape.kernel[2] * channels + c;
    for (int64_t k = 0; k < columns; ++k, from += x_column, w += channels) WICK_UNROLL
    for (int u = 0; u < kVectors; ++u)
      sum[u] = hn::MulAdd(hn::LoadU(d, from + u * kLanes), hn::LoadU(d, w + u * kLanes), sum[u]);
  }
  WICK_UNROLL
  for (int u = 0; u < kVectors; ++u) hn::StoreU(clamp(conv, sum[u]), d, y + c + u * kLanes);
}

struct Taps {
  int64_t first, count, start;  // first tap inside, how many, and the input position of the first
};
Taps taps_inside(const ConvShape& s, int dim, int64_t out) {
  const int64_t start = out * s.stride[dim] - s.pad[dim], step = s.dilation[dim];
  const int64_t first = std::min(s.kernel[dim], start >= 0 ? 0 : ceil_div(-start, step));
  const int64_t buffer = s.in[dim] - start;
  const int64_t last = std::clamp(buffer <= 0 ? 0 : (buffer - 1) / step + 1, first, s.kernel[dim]);
  return {first, last - first, start + first * step};
}

void pixel_rows(const Conv<T>& conv, int64_t first, int64_t last) {
  const ConvShape& s = conv.shape;
  const int64_t channels = s.in_channels;
  BoundedSteps steps;
  for (int64_t row = first; row < last; ++row) {
    const Taps h = taps_inside(s, 1, row % s.out[1]);
    const T* image = conv.x + row / s.out[1] * s.in_pixels() * channels;
    T* y = conv.y + row * s.out[2] * channels;
    for (int64_t ow = 0; ow < s.out[2]; ++ow, y += channels) {
      const Taps w = taps_inside(s, 2, ow);
      steps.count(h.count * w.count * channels);
      const T* x = image + (h.start * s.in[2] + w.start) * channels;
      const T* weight = conv.weight + (h.first * s.kernel[2] + w.first) * channels;
      const int64_t x_row = s.dilation[1] * s.in[2] * channels, x_column = s.dilation[2] * channels;
      if (h.count == 0 || w.count == 0) x = conv.x;  // outside the image, and not read
      int64_t c = 0;
      for (; c + 4 * kLanes <= channels; c += 4 * kLanes)
        pixel_block<4>(conv, x, x_row, x_column, weight, h.count, w.count, c, y);
      for (; c + kLanes <= channels; c += kLanes)
        pixel_block<1>(conv, x, x_row, x_column, weight, h.count, w.count, c, y);
      if (c < channels && channels >= kLanes) {
        // Overlaps channels already written, with the same values.
        pixel_block<1>(conv, x, x_row, x_column, weight, h.count, w.count, channels - kLanes, y);
        c = channels;
      }
      for (; c < channels; ++c) {
        T sum = conv.bias ? conv.bias[c] : T(0);
        for (int64_t r = 0; r < h.count; ++r)
          for (int64_t k = 0; k < w.count; ++k)
            sum += x[r * x_row + k * x_column + c] * weight[(r * s.kernel[2] + k) * channels + c];
        y[c] = conv.clamp ? std::min(std::max(sum, conv.low), conv.high) : sum;
      }
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(planes);
HWY_EXPORT(pixel_rows);

template <>
void depthwise_nchw<double>(const Conv<double>& conv, const Workers& workers) {
  if (conv.shape.out_pixels() == 0) return;
  workers.each(conv.shape.batch * conv.shape.in_channels, [&](int64_t first, int64_t last) {
    HWY_DYNAMIC_DISPATCH(planes)(conv, first, last);
  });
}
template <>
void depthwise_nhwc<double>(const Conv<double>& conv, const Workers& workers) {
  if (conv.shape.out_pixels() == 0) return;
  workers.each(conv.shape.batch * conv.shape.out[1], [&](int64_t first, int64_t last) {
    HWY_DYNAMIC_DISPATCH(pixel_rows)(conv, first, last);
  });
}

}  // namespace wick::kernels
#endif
