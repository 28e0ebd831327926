// Per-target code of the depthwise convolutions of conv.h; included once per target and type (WICK_DEPTHWISE_TYPE).
#if defined(WICK_DEPTHWISE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_DEPTHWISE_INL_H
#undef WICK_DEPTHWISE_INL_H
#else
#define WICK_DEPTHWISE_INL_H
#endif

#include <algorithm>
#include <cstring>
#include <vector>

#include "config/build.h"
#include "hwy/highway.h"
#include "kernels/bounds.h"
#include "kernels/divide.h"
#include "kernels/doubles-inl.h"
#include "kernels/epilogue-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

using T = WICK_DEPTHWISE_TYPE;
using D = hn::ScalableTag<T>;
using V = hn::Vec<D>;
constexpr int64_t kLanes = HWY_LANES(T);

HWY_INLINE V clamp(const Conv<T>& conv, V v) {
  const D d;
  return conv.clamp ? clamp_to(hn::Set(d, conv.low), hn::Set(d, conv.high), v) : v;
}

// Planes: [channel][h][w].
//
// Rows of the image are copied, zero padded, into a buffer. With a stride s a row is stored as s phases (columns 0, s,
// 2s, ... then 1, s + 1, ...), so that every tap reads consecutive elements whatever the stride.
struct PaddedRows {
  int64_t phase;  // elements of one phase
  int64_t pitch;  // elements of one row: stride * phase
  int64_t rows;   // output rows that the buffer serves
};

PaddedRows padded_rows_of(const ConvShape& s) {
  constexpr int64_t kBufferElements = 1 << 14;
  PaddedRows padded;
  const int64_t reach = (s.kernel[2] - 1) * s.dilation[2] / s.stride[2] + 1;
  padded.phase = (s.out[2] + reach + 2 * kLanes) / kLanes * kLanes;
  padded.pitch = padded.phase * s.stride[2];
  const int64_t halo = (s.kernel[1] - 1) * s.dilation[1] + 1;
  const int64_t fitting = (kBufferElements / padded.pitch - halo) / s.stride[1] + 1;
  padded.rows = std::clamp<int64_t>(fitting, 1, s.out[1]);
  return padded;
}

void fill_row(const ConvShape& s, const PaddedRows& padded, const T* row, T* dst) {
  const int64_t width = s.in[2], stride = s.stride[2], pad = s.pad[2];
  if (stride == 1) {
    const int64_t left = std::min(pad, padded.phase), n = std::min(width, padded.phase - left);
    std::fill(dst, dst + left, T(0));
    std::memcpy(dst + left, row, static_cast<size_t>(n) * sizeof(T));
    std::fill(dst + left + n, dst + padded.phase, T(0));
    return;
  }
  for (int64_t f = 0; f < stride; ++f, dst += padded.phase) {
    // Element i of the phase is column i * stride + f - pad.
    const int64_t shift = f - pad;
    const int64_t first = std::min(padded.phase, shift >= 0 ? 0 : ceil_div(-shift, stride));
    const int64_t space = width - shift;
    const int64_t last = std::clamp(space <= 0 ? 0 : (space - 1) / stride + 1, first, padded.phase);
    std::fill(dst, dst + first, T(0));
    const T* from = row + shift;
    int64_t i = first;
    if (stride == 2) {
      const D d;
      for (; i + kLanes < last; i += kLanes) {
        V even, odd;
        hn::LoadInterleaved2(d, from + 2 * i, even, odd);
        hn::StoreU(even, d, dst + i);
      }
    }
    for (; i < last; ++i) dst[i] = from[i * stride];
    std::fill(dst + last, dst + padded.phase, T(0));
  }
}

// Adds all taps to kVectors vectors of an output row.
template <int kVectors>
HWY_INLINE void row_block(int64_t taps, const T* weight, const int64_t* offset, const T* src, V* sum) {
  const D d;
  for (int64_t t = 0; t < taps; ++t) {
    const V w = hn::Set(d, weight[t]);
    const T* from = src + offset[t];
    WICK_UNROLL
    for (int u = 0; u < kVectors; ++u) sum[u] = hn::MulAdd(w, hn::LoadU(d, from + u * kLanes), sum[u]);
  }
}

template <int kVectors>
HWY_INLINE void row_blocks(const Conv<T>& conv, int64_t taps, const T* weight, const int64_t* offset, const T* src,
                           T bias, T* dst, int64_t& j, int64_t width) {
  const D d;
  for (; j + kVectors * kLanes <= width; j += kVectors * kLanes) {
    V sum[kVectors];
    WICK_UNROLL
    for (int u = 0; u < kVectors; ++u) sum[u] = hn::Set(d, bias);
    row_block<kVectors>(taps, weight, offset, src + j, sum);
    WICK_UNROLL
    for (int u = 0; u < kVectors; ++u) hn::StoreU(clamp(conv, sum[u]), d, dst + j + u * kLanes);
  }
}

// kTaps: the number of taps, 0 when it is not a usual one.
template <int64_t kTaps>
void plane_rows(const Conv<T>& conv, const T* weight, const int64_t* offset, const T* padded, int64_t row_step, T bias,
                int64_t rows, T* dst) {
  const D d;
  const ConvShape& s = conv.shape;
  const int64_t taps = kTaps > 0 ? kTaps : s.taps(), width = s.out[2];
  for (int64_t r = 0; r < rows; ++r, padded += row_step, dst += width) {
    int64_t j = 0;
    row_blocks<4>(conv, taps, weight, offset, padded, bias, dst, j, width);
    row_blocks<1>(conv, taps, weight, offset, padded, bias, dst, j, width);
    if (j < width) {
      HWY_ALIGN T edge[kLanes];
      V sum[1] = {hn::Set(d, bias)};
      row_block<1>(taps, weight, offset, padded + j, sum);
      hn::Store(clamp(conv, sum[0]), d, edge);
      std::memcpy(dst + j, edge, static_cast<size_t>(width - j) * sizeof(T));
    }
  }
}

void planes(const Conv<T>& conv, int64_t first, int64_t last) {
  const ConvShape& s = conv.shape;
  const PaddedRows padded = padded_rows_of(s);
  const int64_t halo = (s.kernel[1] - 1) * s.dilation[1] + 1;
  const int64_t multiplier = s.group_out(), taps = s.taps();
  const Scratch<T> space(static_cast<size_t>(((padded.rows - 1) * s.stride[1] + halo) * padded.pitch));
  std::vector<int64_t> offset(static_cast<size_t>(taps));
  for (int64_t t = 0; t < taps; ++t) {
    const int64_t row = t / s.kernel[2] * s.dilation[1], column = t % s.kernel[2] * s.dilation[2];
    offset[t] = row * padded.pitch + column % s.stride[2] * padded.phase + column / s.stride[2];
  }
  for (int64_t plane = first; plane < last; ++plane) {
    const int64_t channel = plane % s.in_channels;
    const T* x = conv.x + plane * s.in_pixels();
    for (int64_t oh = 0; oh < s.out[1]; oh += padded.rows) {
      check_bounds();
      const int64_t rows = std::min(padded.rows, s.out[1] - oh);
      const int64_t ih = oh * s.stride[1] - s.pad[1], needed = (rows - 1) * s.stride[1] + halo;
      for (int64_t r = 0; r < needed; ++r) {
        T* to = space.data() + r * padded.pitch;
        if (ih + r < 0 || ih + r >= s.in[1]) {
          std::fill(to, to + padded.pitch, T(0));
        } else {
          fill_row(s, padded, x + (ih + r) * s.in[2], to);
        }
      }
      for (int64_t m = 0; m < multiplier; ++m) {
        const int64_t out_channel = channel * multiplier + m;
        T* y = conv.y + ((plane * multiplier + m) * s.out[1] + oh) * s.out[2];
        const T* weight = conv.weight + out_channel * taps;
        const T bias = conv.bias ? conv.bias[out_channel] : T(0);
        const auto rows_of = build::kDepthwise3 && taps == 9    ? &plane_rows<9>
                             : build::kDepthwise5 && taps == 25 ? &plane_rows<25>
                                                                : &plane_rows<0>;
        rows_of(conv, weight, offset.data(), space.data(), padded.pitch * s.stride[1], bias, rows, y);
      }
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
