// Depthwise convolution of bytes: words are made of four rows of the image, so that one product serves four taps, and
// serve all the output columns that need them.
#include <algorithm>

#include "kernels/bounds.h"
#include "kernels/int8.h"
#include "kernels/selected.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/int8_depthwise.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/int8-inl.h"
#include "kernels/int8_depthwise_runs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

constexpr int64_t kMaxRows = 16;  // of a kernel
constexpr int64_t kLeastChannels = 16;
constexpr int kVectors = 4;  // of words, that a vector of bytes becomes
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3
constexpr int kTileColumns = 2;
#else
constexpr int kTileColumns = 4;
#endif

// Some output columns of a row.
struct Strip {
  const uint8_t* rows[kMaxRows];  // at the position of the first output's first tap; outside of the image: the border
  int64_t row_step[kMaxRows];     // bytes from column to column; 0 for the border
  int64_t row_count;              // of the kernel
  const uint8_t* border;
  int64_t low, high;  // positions inside the image
  int64_t kernel, stride, dilation;
  int64_t columns;
  uint8_t* y;
  int64_t y_pixel;
  const int32_t* weights;  // of the block of channels
  const int32_t* start;
  const float* scale;
  const Int8Result* result;
};

template <class D8>
HWY_INLINE hn::Vec<D8> row_at(D8 d8, const Strip& s, int64_t c, int64_t row, int64_t position, bool inside) {
  return hn::LoadU(d8, (inside ? s.rows[row] + position * s.row_step[row] : s.border) + c);
}

// Words [row q*4 .. q*4+3] at a position, as four vectors.
template <class D>
HWY_INLINE void words_at(const Strip& s, int64_t c, int64_t q, int64_t position, int64_t rows, hn::Vec<D> (&w)[4]) {
  const D d;
  const hn::Repartition<uint8_t, D> d8;
  const hn::Repartition<uint16_t, D> d16;
  const bool inside = position >= s.low && position < s.high;
  const auto none = hn::Zero(d8);
  const auto r0 = row_at(d8, s, c, q * 4, position, inside);
  const auto r1 = rows > 1 ? row_at(d8, s, c, q * 4 + 1, position, inside) : none;
  const auto r2 = rows > 2 ? row_at(d8, s, c, q * 4 + 2, position, inside) : none;
  const auto r3 = rows > 3 ? row_at(d8, s, c, q * 4 + 3, position, inside) : none;
  const auto a = hn::BitCast(d16, hn::InterleaveLower(d8, r0, r1)),
             b = hn::BitCast(d16, hn::InterleaveUpper(d8, r0, r1));
  const auto e = hn::BitCast(d16, hn::InterleaveLower(d8, r2, r3)),
             f = hn::BitCast(d16, hn::InterleaveUpper(d8, r2, r3));
  w[0] = hn::BitCast(d, hn::InterleaveLower(d16, a, e));
  w[1] = hn::BitCast(d, hn::InterleaveUpper(d16, a, e));
  w[2] = hn::BitCast(d, hn::InterleaveLower(d16, b, f));
  w[3] = hn::BitCast(d, hn::InterleaveUpper(d16, b, f));
}

template <class D>
HWY_INLINE void store_column(hn::Vec<D> (&sum)[4], const Strip& s, int64_t c, int64_t t) {
  const hn::Rebind<float, D> df;
  const int64_t lanes = hn::Lanes(D());
  const auto bytes = narrowed(scaled(sum[0], hn::LoadU(df, s.scale)), scaled(sum[1], hn::LoadU(df, s.scale + lanes)),
                              scaled(sum[2], hn::LoadU(df, s.scale + 2 * lanes)),
                              scaled(sum[3], hn::LoadU(df, s.scale + 3 * lanes)), *s.result);
  hn::StoreU(bytes, hn::Repartition<uint8_t, D>(), s.y + t * s.y_pixel + c);
}

#if HWY_ARCH_ARM_A64
// Output columns of a tile that lies inside of the image: no position is asked for, and rows stay in registers.
template <Int8Form kForm, class D, int kKernel, int kRows, int kStride>
HWY_INLINE void columns_inside(const Strip& s, int64_t c) {
  const D d;
  using V = hn::Vec<D>;
  constexpr int64_t kLanes = hn::MaxLanes(D());
  constexpr int kReach = (kTileColumns - 1) * kStride + kKernel;
  const int32_t* const weights = s.weights;
  const float* const scales = s.scale;
  const Narrowing narrowing(*s.result);
  uint8_t* const y = s.y + c;
  const int64_t y_pixel = s.y_pixel;
  V sum[kTileColumns][kVectors];
  WICK_UNROLL
  for (int v = 0; v < kVectors; ++v) {
    const V start = hn::LoadU(d, s.start + v * kLanes);
    WICK_UNROLL
    for (int t = 0; t < kTileColumns; ++t) {
      sum[t][v] = start;
      __asm__("" : "+w"(sum[t][v].raw));  // a register from here on, not a copy where it is used first
    }
  }
  WICK_UNROLL
  for (int q = 0; q < (kRows + 3) / 4; ++q) {
    constexpr int kMost = kRows < 4 ? kRows : 4;
    const int rows = std::min(4, kRows - q * 4);
    const uint8_t* row[kMost];
    int64_t step[kMost];
    WICK_UNROLL
    for (int r = 0; r < kMost; ++r) {
      if (r >= rows) break;
      row[r] = s.rows[q * 4 + r] + c;
      step[r] = s.row_step[q * 4 + r];
    }
    WICK_UNROLL
    for (int j = 0; j < kReach; ++j) {
      uint8x16_t byte[4];
      WICK_UNROLL
      for (int r = 0; r < 4; ++r) {
        byte[r] = vdupq_n_u8(0);
        if (r >= rows) continue;
        byte[r] = vreinterpretq_u8_s32(centered<kForm>(V(vreinterpretq_s32_u8(vld1q_u8(row[r])))).raw);
        row[r] += step[r];
      }
      const uint16x8_t a = vreinterpretq_u16_u8(vzip1q_u8(byte[0], byte[1]));
      const uint16x8_t b = vreinterpretq_u16_u8(vzip2q_u8(byte[0], byte[1]));
      const uint16x8_t e = vreinterpretq_u16_u8(vzip1q_u8(byte[2], byte[3]));
      const uint16x8_t f = vreinterpretq_u16_u8(vzip2q_u8(byte[2], byte[3]));
      const V words[4] = {V(vreinterpretq_s32_u16(vzip1q_u16(a, e))), V(vreinterpretq_s32_u16(vzip2q_u16(a, e))),
                          V(vreinterpretq_s32_u16(vzip1q_u16(b, f))), V(vreinterpretq_s32_u16(vzip2q_u16(b, f)))};
      WICK_UNROLL
      for (int v = 0; v < kVectors; ++v) {
        WICK_UNROLL
        for (int k = 0; k < kKernel; ++k) {
          const int t = (j - k) / kStride;
          if ((j - k) % kStride != 0 || j < k || t >= kTileColumns) continue;
          sum[t][v] = multiply_centered<kForm>(sum[t][v], words[v],
                                               hn::LoadU(d, weights + ((q * kKernel + k) * kVectors + v) * kLanes));
        }
      }
      // Or the loads of all positions are gathered, and there are not so many registers.
      __asm__ volatile("" ::: "memory");
    }
  }
  hn::Vec<hn::Rebind<float, D>> scale[kVectors];
  WICK_UNROLL
  for (int v = 0; v < kVectors; ++v) scale[v] = hn::LoadU(hn::Rebind<float, D>(), scales + v * kLanes);
  WICK_UNROLL
  for (int t = 0; t < kTileColumns; ++t) {
    vst1q_u8(y + t * y_pixel, narrowing.bytes(scaled(sum[t][0], scale[0]), scaled(sum[t][1], scale[1]),
                                              scaled(sum[t][2], scale[2]), scaled(sum[t][3], scale[3])));
  }
}
#endif

// kKernel columns of kRows rows.
template <Int8Form kForm, class D, int kKernel, int kRows, int kStride>
HWY_NOINLINE void columns_tile(const Strip& s, int64_t c) {
  const D d;
  constexpr int64_t kLanes = hn::MaxLanes(D());
  constexpr int kStep = vectors_per_word(kForm), kQuads = (kRows + 3) / 4;
  constexpr int kReach = (kTileColumns - 1) * kStride + kKernel;
#if HWY_ARCH_ARM_A64
  if constexpr (kForm != Int8Form::kPairs && kAllTiles) {
    if (s.low <= 0 && s.high >= kReach && s.columns == kTileColumns)
      return columns_inside<kForm, D, kKernel, kRows, kStride>(s, c);
  }
#endif
  hn::Vec<D> sum[kTileColumns][kVectors];
  WICK_UNROLL
  for (int v = 0; v < kVectors; ++v) {
    const auto start = hn::LoadU(d, s.start + v * kLanes);
    WICK_UNROLL
    for (int t = 0; t < kTileColumns; ++t) sum[t][v] = start;
  }
  for (int q = 0; q < kQuads; ++q) {
    WICK_UNROLL
    for (int j = 0; j < kReach; ++j) {
      hn::Vec<D> w[kVectors];
      words_at<D>(s, c, q, j, std::min(4, kRows - q * 4), w);
      WICK_UNROLL
      for (int v = 0; v < kVectors; ++v) {
        const Words<kForm, D> words(w[v]);
        WICK_UNROLL
        for (int k = 0; k < kKernel; ++k) {
          const int t = (j - k) / kStride;
          if ((j - k) % kStride == 0 && j >= k && t < kTileColumns) {
            sum[t][v] = words.add_products(sum[t][v], s.weights + ((q * kKernel + k) * kVectors + v) * kStep * kLanes);
          }
        }
      }
    }
  }
  WICK_UNROLL
  for (int t = 0; t < kTileColumns; ++t) {
    if (t >= s.columns) break;
    store_column<D>(sum[t], s, c, t);
  }
}

// Any kernel, column by column.
template <Int8Form kForm, class D>
HWY_NOINLINE void columns_any(const Strip& s, int64_t c) {
  const D d;
  constexpr int64_t kLanes = hn::MaxLanes(D());
  constexpr int kStep = vectors_per_word(kForm);
  for (int64_t t = 0; t < s.columns; ++t) {
    hn::Vec<D> sum[kVectors];
    WICK_UNROLL
    for (int v = 0; v < kVectors; ++v) sum[v] = hn::LoadU(d, s.start + v * kLanes);
    const int32_t* b = s.weights;
    for (int64_t q = 0; q * 4 < s.row_count; ++q) {
      for (int64_t k = 0; k < s.kernel; ++k) {
        hn::Vec<D> w[kVectors];
        words_at<D>(s, c, q, t * s.stride + k * s.dilation, s.row_count - q * 4, w);
        WICK_UNROLL
        for (int v = 0; v < kVectors; ++v, b += kStep * kLanes) sum[v] = Words<kForm, D>(w[v]).add_products(sum[v], b);
      }
    }
    store_column<D>(sum, s, c, t);
  }
}

using StripFn = void (*)(const Strip&, int64_t c);
template <Int8Form kForm, class D>
StripFn tile_for(const ConvShape& s) {
  if (s.kernel[1] != s.kernel[2] || s.dilation[2] != 1) return nullptr;
  const int64_t kernel = s.kernel[2], stride = s.stride[2];
  if (build::kInt8Depthwise3 && kernel == 3) {
    return stride == 1 ? &columns_tile<kForm, D, 3, 3, 1> : stride == 2 ? &columns_tile<kForm, D, 3, 3, 2> : nullptr;
  }
  if (build::kInt8Depthwise5 && kernel == 5) {
    return stride == 1 ? &columns_tile<kForm, D, 5, 5, 1> : stride == 2 ? &columns_tile<kForm, D, 5, 5, 2> : nullptr;
  }
  return nullptr;
}

// Blocks of channels: as wide as vectors are, then narrower ones; the last may overlap the one before.
constexpr int64_t kWidest = HWY_LANES(uint8_t);
template <class F>
void each_block(int64_t channels, F&& f) {
  int64_t c = 0, packed = 0;
  for (int64_t width = kWidest; width >= kLeastChannels; width /= 2) {
    for (; c + width <= channels; c += width, packed += width) f(c, width, packed);
  }
  if (c < channels) f(channels - kLeastChannels, kLeastChannels, packed);
}

template <Int8Form kForm>
struct Run {
  const Int8Conv& conv;
  const uint8_t* border;

  // Output rows [first, last) of all images.
  void rows(int64_t first, int64_t last) const {
    const ConvShape& s = conv.shape;
    Strip strip;
    strip.row_count = s.kernel[1];
    strip.border = border;
    strip.kernel = s.kernel[2];
    strip.stride = s.stride[2];
    strip.dilation = s.dilation[2];
    strip.y_pixel = s.in_channels;
    strip.result = &conv.result;
    const int64_t line = s.in[2] * s.in_channels;
    for (int64_t row = first; row < last; ++row) {
      check_bounds();
      const int64_t image = row / s.out[1], oh = row % s.out[1];
      const uint8_t* x = conv.x + image * s.in[1] * line;
#ifdef WICK_HAS_BYTE_RUNS
      if constexpr (kForm != Int8Form::kPairs) {
        if (takes_runs(s) && (s.stride[1] == 2 || (row + 1 < last && oh + 1 < s.out[1]))) {
          runs_of_rows(x, row, oh);
          row += s.stride[1] == 1;
          continue;
        }
      }
#endif
      for (int64_t k = 0; k < s.kernel[1]; ++k) {
        const int64_t ih = oh * s.stride[1] - s.pad[1] + k * s.dilation[1];
        const bool inside = ih >= 0 && ih < s.in[1];
        strip.rows[k] = inside ? x + ih * line : border;
        strip.row_step[k] = inside ? s.in_channels : 0;
      }
      uint8_t* y = conv.y + row * s.out[2] * s.in_channels;
      each_block(s.in_channels, [&](int64_t c, int64_t width, int64_t packed) {
        strip.start = conv.result.start + packed;
        strip.scale = conv.result.scale + packed;
        strip.weights = static_cast<const int32_t*>(conv.weights) +
                        packed * ((s.kernel[1] + 3) / 4) * s.kernel[2] * vectors_per_word(kForm);
        if (width == 16) {
          columns<hn::CappedTag<int32_t, 4>>(strip, y, c);
        } else if (width == 32) {
          columns<hn::CappedTag<int32_t, 8>>(strip, y, c);
        } else {
          columns<hn::CappedTag<int32_t, 16>>(strip, y, c);
        }
      });
    }
  }

#ifdef WICK_HAS_BYTE_RUNS
  // 3x3, at most one pixel outside the image at any side.
  static bool takes_runs(const ConvShape& s) {
    if (!build::kInt8Depthwise3 || s.out[2] < kTileColumns) return false;
    for (int d = 1; d < 3; ++d) {
      const int64_t end = (s.out[d] - 1) * s.stride[d] - s.pad[d] + 3;
      if (s.kernel[d] != 3 || s.dilation[d] != 1 || s.stride[d] != s.stride[2] || s.stride[d] > 2) return false;
      if (s.pad[d] > 1 || end > s.in[d] + 1 || s.in[d] < 2) return false;
    }
    return true;
  }
  // Output row `oh` of the image at x, the `row`th of all, and with stride 1 the next.
  void runs_of_rows(const uint8_t* x, int64_t row, int64_t oh) const {
    const ConvShape& s = conv.shape;
    const int64_t channels = s.in_channels, line = s.in[2] * channels, stride = s.stride[2];
    const Int8Result& r = conv.result;
    const auto zero = static_cast<int16_t>(r.zero);
    const uint8_t bounds[3] = {static_cast<uint8_t>(r.high), static_cast<uint8_t>(r.low), r.flip};
    const int64_t reach = (kTileColumns - 1) * stride + 3;
    ByteRuns t;
    t.border = border;
    t.zero = &zero;
    t.bounds = r.low == 0 && r.high == 255 && r.flip == 0 ? nullptr : bounds;
    t.y_pixel = channels;
    uint8_t* const y = conv.y + row * s.out[2] * channels;
    for (int64_t done = 0; done < s.out[2]; done += kTileColumns) {
      // The last tile moves back over columns that are done, to be a whole one.
      const int64_t at = std::min(done, s.out[2] - kTileColumns), position = at * stride - s.pad[2];
      t.left = position < 0;
      t.right = position + reach > s.in[2];
      for (int64_t k = 0; k < 4; ++k) {
        const int64_t ih = oh * stride - s.pad[1] + k;
        const bool inside = ih >= 0 && ih < s.in[1];
        t.x[k] = inside ? x + ih * line + position * channels : border;
        t.step[k] = inside ? channels : 0;
      }
      t.upper = y + at * channels;
      t.lower = t.upper + s.out[2] * channels;
      t.weights = static_cast<const int32_t*>(conv.weights);
      t.start = r.start;
      t.scale = r.scale;
      const int64_t blocks = channels / 16;
      const auto run = stride == 1 ? &byte_runs<kForm, 1> : &byte_runs<kForm, 2>;
      run(t, blocks);
      if (channels % 16 == 0) continue;
      // The last block may overlap the one before, and is packed behind it.
      const int64_t c = channels - 16;
      for (auto& from : t.x) from += c;
      t.upper += c;
      t.lower += c;
      t.weights += blocks * kBlockWords;
      t.start += blocks * 16;
      t.scale += blocks * 16;
      run(t, 1);
    }
  }
#endif

  template <class D>
  void columns(const Strip& row, uint8_t* y, int64_t c) const {
    const ConvShape& s = conv.shape;
    const StripFn tile = tile_for<kForm, D>(s);
    Strip strip = row;
    for (int64_t done = 0; done < s.out[2];) {
      const int64_t size = tile != nullptr ? kTileColumns : s.out[2];
      // The last tile moves back over columns that are done, to be a whole one.
      const int64_t at = std::max<int64_t>(0, std::min(done, s.out[2] - size));
      const int64_t position = at * s.stride[2] - s.pad[2];
      strip.columns = std::min(size, s.out[2] - at);
      strip.low = -position;
      strip.high = s.in[2] - position;
      for (int64_t k = 0; k < s.kernel[1]; ++k) strip.rows[k] = row.rows[k] + position * row.row_step[k];
      strip.y = y + at * s.in_channels;
      (tile != nullptr ? tile : &columns_any<kForm, D>)(strip, c);
      done = at + strip.columns;
    }
  }
};

void run_rows(const Int8Conv& conv, const uint8_t* border, int64_t first, int64_t last) {
  if constexpr (kHasQuads) {
    if (conv.form == Int8Form::kQuads) return Run<Int8Form::kQuads>{conv, border}.rows(first, last);
  }
  if constexpr (kHasMixedQuads) {
    if (conv.form == Int8Form::kMixedQuads) return Run<Int8Form::kMixedQuads>{conv, border}.rows(first, last);
  }
  Run<Int8Form::kPairs>{conv, border}.rows(first, last);
}

int64_t columns_of(int64_t channels) {
  int64_t total = 0;
  each_block(channels, [&](int64_t, int64_t width, int64_t) { total += width; });
  return total;
}

// Calls f(channel, place among packed columns).
template <class F>
void each_channel(int64_t channels, F&& f) {
  each_block(channels, [&](int64_t c, int64_t width, int64_t packed) {
    for (int64_t i = 0; i < width; ++i) f(c + i, packed, width, narrowing_place(i, kVectors, width / 4));
  });
}

WICK_RARELY_RUN void pack_weights(const int16_t* w, const ConvShape& s, Int8Form form, void* dst) {
  const int64_t quads = (s.kernel[1] + 3) / 4, step = vectors_per_word(form);
  each_channel(s.in_channels, [&](int64_t channel, int64_t packed, int64_t width, int64_t place) {
    const int64_t lanes = width / 4;
    int32_t* block = static_cast<int32_t*>(dst) + packed * quads * s.kernel[2] * step;
    for (int64_t q = 0; q < quads; ++q) {
      for (int64_t k = 0; k < s.kernel[2]; ++k) {
        int16_t word[4] = {};
        for (int64_t r = 0; r < 4 && q * 4 + r < s.kernel[1]; ++r) {
          word[r] = w[(channel * s.kernel[1] + q * 4 + r) * s.kernel[2] + k];
        }
        put_word(word, form, lanes, place % lanes,
                 block + ((q * s.kernel[2] + k) * kVectors + place / lanes) * step * lanes);
      }
    }
  });
}

template <class T>
void pack_values(const T* values, int64_t channels, T* dst) {
  each_channel(channels,
               [&](int64_t channel, int64_t packed, int64_t, int64_t place) { dst[packed + place] = values[channel]; });
}
WICK_RARELY_RUN void pack_floats(const float* values, int64_t channels, float* dst) {
  pack_values(values, channels, dst);
}
WICK_RARELY_RUN void pack_ints(const int32_t* values, int64_t channels, int32_t* dst) {
  pack_values(values, channels, dst);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(run_rows);
HWY_EXPORT(columns_of);
HWY_EXPORT(pack_weights);
HWY_EXPORT(pack_floats);
HWY_EXPORT(pack_ints);

bool is_int8_depthwise(const ConvShape& s) {
  return s.in[0] == 1 && s.out[0] == 1 && s.kernel[0] == 1 && s.groups == s.in_channels &&
         s.out_channels == s.in_channels && s.in_channels >= 16 && s.kernel[1] <= 16;
}
size_t int8_depthwise_size(const ConvShape& s, Int8Form form) {
  const int64_t vectors = form == Int8Form::kPairs ? 2 : 1;
  return static_cast<size_t>(HWY_DYNAMIC_DISPATCH(columns_of)(s.in_channels) * ((s.kernel[1] + 3) / 4) * s.kernel[2] *
                             vectors) *
         sizeof(int32_t);
}
int64_t int8_depthwise_columns(int64_t channels) { return HWY_DYNAMIC_DISPATCH(columns_of)(channels); }
void pack_int8_depthwise(const int16_t* w, const ConvShape& s, Int8Form form, void* dst) {
  HWY_DYNAMIC_DISPATCH(pack_weights)(w, s, form, dst);
}
void pack_int8_depthwise_columns(const float* values, int64_t channels, float* dst) {
  HWY_DYNAMIC_DISPATCH(pack_floats)(values, channels, dst);
}
void pack_int8_depthwise_columns(const int32_t* values, int64_t channels, int32_t* dst) {
  HWY_DYNAMIC_DISPATCH(pack_ints)(values, channels, dst);
}

void int8_depthwise(const Int8Conv& conv, uint8_t* scratch, const Workers& workers) {
  std::memset(scratch, conv.x_zero, static_cast<size_t>(conv.shape.in_channels));
  const int64_t rows = conv.shape.batch * conv.shape.out[1], parts = std::min<int64_t>(rows, workers.count);
  workers.each(parts, [&](int64_t first, int64_t last) {
    HWY_DYNAMIC_DISPATCH(run_rows)(conv, scratch, rows * first / parts, rows * last / parts);
  });
}

}  // namespace wick::kernels
#endif
