// Depthwise convolution with channels last: one vector of channels at a time, several output columns side by side, so
// that an input vector is loaded once for all the columns that need it. Groups of a few channels are done alike: a
// vector holds several groups, and each of its lanes takes one channel of its group after the other; and so is a
// network's first layer, whose input is a number for all lanes.
#include <algorithm>

#include "kernels/conv2d.h"
#include "kernels/divide.h"
#include "kernels/float_mode.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv_depthwise.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/epilogue-inl.h"

// As WICK_UNROLL, for as many pixels as a row of the longest tile has.
#ifndef WICK_UNROLL_ROW
// Compilers would gather the loads of a row in front and run out of registers. With neighboring columns a pointer goes
// from pixel to pixel, which takes fewer of them; with others the distance of each is kept.
#define WICK_STEP(pointer) __asm__ volatile("" : "+r"(pointer))
#define WICK_KEEP_ORDER __asm__ volatile("" ::: "memory")
#if defined(__clang__)
#define WICK_UNROLL_ROW WICK_UNROLL
#else
#define WICK_UNROLL_ROW _Pragma("GCC unroll 32")
#endif
#endif

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr int64_t kLanes = HWY_LANES(float);

// Columns of a tile; the narrow one ends rows that are no multiple. Long ones, where there are registers for their
// sums, wait less for one sum after the other; with few taps a row they would read too many pixels at a time.
constexpr int kWide = 7;
constexpr bool kHasRegisters = HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON;
// A selective build that has pairs of rows has no narrow ones.
constexpr int kNarrow = kHasRegisters && !selected::kAllTiles ? kWide : 4;
constexpr int kLongest = kHasRegisters ? 14 : kWide;
// A selective build has shorter ones for planes, which all look for the edge.
constexpr int kPlaneColumns = kHasRegisters && selected::kAllTiles ? 14 : 8;

// Bytes of the input rows under a kernel that the first-level cache keeps for the next row, of an image that the second
// keeps, and vectors that a pixel gives at least, so that what is read is not scattered.
constexpr int64_t kRowsBytes = 24 << 10;
constexpr int64_t kImageBytes = 640 << 10;
constexpr int64_t kLeastVectors = 3;

// Some output columns of a row. Positions j of the input are tile-local: x + j * x_pixel, inside the image for
// low <= j < high.
struct Strip {
  const float* x;
  int64_t x_row, x_pixel;
  const float* weights;                    // first tap row inside the image
  int64_t channels;                        // to do
  int64_t tap;                             // from one tap's weights to the next
  int64_t group = 1;                       // channels of one
  int64_t planes, x_plane, plane_weights;  // of the input; from one to the next
  int64_t tap_rows;
  int64_t row_low, row_high, y_row;  // of pairs of rows: rows under both kernels that are inside the image
  int kernel_w;
  int64_t stride_w;
  int64_t low, high;
  float* y;
  int64_t y_pixel;
  int64_t columns;
  const float* bias;
  float floor, ceiling;
  Activation activation;  // in registers, instead of a range, and all that is left to do
};

// Where the vector of channels that comes after `done` of them begins; the last may overlap the one before.
HWY_INLINE int64_t vector_at(int64_t done, int64_t channels) { return std::min(done, channels - kLanes); }

// Positions of a row that are inside the image, tile-local, and from one tap's weights to the next.
struct Row {
  int64_t low, high, tap;
};
// Where the columns of a tile go.
struct Store {
  V low, high;
  int64_t pixel, columns;
  Activation activation;
  explicit Store(const Strip& s)
      : low(hn::Set(D(), s.floor)),
        high(hn::Set(D(), s.ceiling)),
        pixel(s.y_pixel),
        columns(s.columns),
        activation(s.activation) {}
};

// Adds a row of taps, whose weights are at w, to the sums of the columns; load(x) is a pixel. The tests for the edge
// cost nothing: without them compilers gather the loads in front and run out of registers.
template <int kKernel, int kStride, bool kSteps, bool kTests, int kColumns, class Load>
HWY_INLINE void add_row(Row s, const float* w, const float* x, int64_t pixel, const Load& load, V (&sum)[kColumns]) {
  constexpr int kReach = (kColumns - 1) * kStride + kKernel;
  const D d;
  V taps[kKernel];
  WICK_UNROLL
  for (int k = 0; k < kKernel; ++k, w += s.tap) taps[k] = hn::LoadU(d, w);
  WICK_UNROLL_ROW
  for (int j = 0; j < kReach; ++j, x += pixel) {
    if constexpr (kSteps) WICK_STEP(x);
    if (kTests && (j < s.low || j >= s.high)) continue;
    const V v = load(x);
    WICK_UNROLL
    for (int k = 0; k < kKernel; ++k) {
      const int t = (j - k) / kStride;
      if ((j - k) % kStride == 0 && j >= k && t < kColumns) sum[t] = hn::MulAdd(v, taps[k], sum[t]);
    }
  }
}

template <int kColumns>
HWY_INLINE void store_columns(const Store& s, float* y, V (&sum)[kColumns]) {
  if (s.activation != Activation::kNone) {
    activate_in_registers(D(), s.activation, sum);
  } else {
    WICK_UNROLL
    for (int t = 0; t < kColumns; ++t) sum[t] = clamp_to(s.low, s.high, sum[t]);
  }
  WICK_UNROLL
  for (int t = 0; t < kColumns; ++t) {
    if (t >= s.columns) break;
    hn::StoreU(sum[t], D(), y + t * s.pixel);
  }
}

template <int kKernel, int kStride, int kColumns>
HWY_NOINLINE void columns_tile(const Strip& s) {
  const D d;
  const Store store(s);
  const Row row{s.low, s.high, s.tap};
  const int64_t channels = s.channels, x_pixel = s.x_pixel, x_row = s.x_row, tap_rows = s.tap_rows;
  const float *const xs = s.x, *const weights = s.weights, *const biases = s.bias;
  float* const y = s.y;
  for (int64_t done = 0; done < channels; done += kLanes) {
    const int64_t c = vector_at(done, channels);
    V sum[kColumns];
    const V bias = biases ? hn::LoadU(d, biases + c) : hn::Zero(d);
    WICK_UNROLL
    for (int t = 0; t < kColumns; ++t) sum[t] = bias;
    const float* x = xs + c;
    const float* w = weights + c;
    for (int64_t r = 0; r < tap_rows; ++r, x += x_row, w += kKernel * row.tap) {
      add_row<kKernel, kStride, kStride == 1, true>(
          row, w, x, x_pixel, [&](const float* at) HWY_ATTR { return hn::LoadU(d, at); }, sum);
    }
    store_columns(store, y + c, sum);
  }
}

// Two output rows at once: an input row that both need is read once. Rows of the input are counted from the first under
// the upper kernel; only the outermost columns of the tile may lie outside the image (pairs_for).
template <int kKernel, int kStride, int kColumns>
constexpr int kReachOf = (kColumns - 1) * kStride + kKernel;
template <int kKernel, int kStride, bool kUpper, bool kLower, int kColumns>
HWY_INLINE void add_shared_row(Row s, const float* x, int64_t x_pixel, const float* w, V (&upper)[kColumns],
                               V (&lower)[kColumns]) {
  constexpr int kReach = kReachOf<kKernel, kStride, kColumns>;
  const D d;
  V above[kKernel], below[kKernel];
  const float* w_below = w - kStride * kKernel * s.tap;
  WICK_UNROLL
  for (int k = 0; k < kKernel; ++k, w += s.tap, w_below += s.tap) {
    if constexpr (kUpper) above[k] = hn::LoadU(d, w);
    if constexpr (kLower) below[k] = hn::LoadU(d, w_below);
  }
  WICK_UNROLL_ROW
  for (int j = 0; j < kReach; ++j, x += x_pixel) {
    if constexpr (kStride == 1) WICK_STEP(x);
    if (j < kKernel - 1 && j < s.low) continue;
    if (j > kReach - kKernel && j >= s.high) continue;
    const V v = hn::LoadU(d, x);
    if constexpr (kStride != 1) WICK_KEEP_ORDER;
    WICK_UNROLL
    for (int k = 0; k < kKernel; ++k) {
      const int t = (j - k) / kStride;
      if ((j - k) % kStride != 0 || j < k || t >= kColumns) continue;
      if constexpr (kUpper) upper[t] = hn::MulAdd(v, above[k], upper[t]);
      if constexpr (kLower) lower[t] = hn::MulAdd(v, below[k], lower[t]);
    }
  }
}
template <int kKernel, int kStride, int kColumns>
HWY_NOINLINE void pair_tile(const Strip& s) {
  const D d;
  const Store store(s);
  const Row row{s.low, s.high, s.tap};
  const int64_t channels = s.channels, x_pixel = s.x_pixel, x_row = s.x_row, w_row = kKernel * s.tap;
  const int64_t begin = s.row_low, end = s.row_high, y_row = s.y_row;
  const int64_t upper_end = std::min<int64_t>(kStride, end), both_end = std::min<int64_t>(kKernel, end);
  const float *const xs = s.x, *const weights = s.weights + begin * w_row, *const biases = s.bias;
  float* const y = s.y;
  for (int64_t done = 0; done < channels; done += kLanes) {
    const int64_t c = vector_at(done, channels);
    V upper[kColumns], lower[kColumns];
    const V bias = biases ? hn::LoadU(d, biases + c) : hn::Zero(d);
    WICK_UNROLL
    for (int t = 0; t < kColumns; ++t) upper[t] = lower[t] = bias;
    const float* x = xs + c;
    const float* w = weights + c;
    int64_t r = begin;
    for (; r < upper_end; ++r, x += x_row, w += w_row)
      add_shared_row<kKernel, kStride, true, false>(row, x, x_pixel, w, upper, lower);
    for (; r < both_end; ++r, x += x_row, w += w_row)
      add_shared_row<kKernel, kStride, true, true>(row, x, x_pixel, w, upper, lower);
    for (; r < end; ++r, x += x_row, w += w_row)
      add_shared_row<kKernel, kStride, false, true>(row, x, x_pixel, w, upper, lower);
    store_columns(store, y + c, upper);
    store_columns(store, y + y_row + c, lower);
  }
}

// Images that lie channel by channel: three taps a row, all channels in for each out; weights [channel][tap][channel
// out].
template <int kStride, int kColumns>
HWY_NOINLINE void plane_tile(const Strip& s) {
  const D d;
  const Store store(s);
  const Row row{s.low, s.high, s.tap};
  const int64_t channels = s.channels, planes = s.planes, tap_rows = s.tap_rows, x_row = s.x_row;
  const int64_t x_plane = s.x_plane, w_plane = s.plane_weights;
  const float *const xs = s.x, *const weights = s.weights, *const biases = s.bias;
  float* const y = s.y;
  const bool inside = selected::kAllTiles && s.low <= 0 && s.high >= (kColumns - 1) * kStride + 3;
  for (int64_t done = 0; done < channels; done += kLanes) {
    const int64_t c = vector_at(done, channels);
    V sum[kColumns];
    const V bias = biases ? hn::LoadU(d, biases + c) : hn::Zero(d);
    WICK_UNROLL
    for (int t = 0; t < kColumns; ++t) sum[t] = bias;
    for (int64_t p = 0; p < planes; ++p) {
      const float* x = xs + p * x_plane;
      const float* w = weights + p * w_plane + c;
      for (int64_t r = 0; r < tap_rows; ++r, x += x_row, w += 3 * row.tap) {
        const auto load = [&](const float* at) HWY_ATTR { return hn::Set(d, *at); };
        if (inside) {
          add_row<3, kStride, false, false>(row, w, x, 1, load, sum);
        } else {
          add_row<3, kStride, false, true>(row, w, x, 1, load, sum);
        }
      }
    }
    store_columns(store, y + c, sum);
  }
}

// The same with groups of a power of two of channels, 3x3; weights [tap row][channel of the group][tap
// column][channel].
template <int kStride>
HWY_NOINLINE void group_tile(const Strip& s) {
  const D d;
  const hn::RebindToSigned<D> di;
  constexpr int kKernel = 3, kColumns = kWide;
  const Store store(s);
  const Row row{s.low, s.high, s.tap};
  const int64_t channels = s.channels, x_pixel = s.x_pixel;
  const auto group_start = hn::And(hn::Iota(di, 0), hn::Set(di, static_cast<int32_t>(-s.group)));
  for (int64_t done = 0; done < channels; done += kLanes) {
    const int64_t c = vector_at(done, channels);
    V sum[kColumns];
    const V bias = s.bias ? hn::LoadU(d, s.bias + c) : hn::Zero(d);
    WICK_UNROLL
    for (int t = 0; t < kColumns; ++t) sum[t] = bias;
    const float* x = s.x + c;
    const float* w = s.weights + c;
    for (int64_t r = 0; r < s.tap_rows; ++r, x += s.x_row)
      for (int64_t g = 0; g < s.group; ++g, w += kKernel * s.tap) {
        const auto of_group = hn::IndicesFromVec(d, hn::Add(group_start, hn::Set(di, static_cast<int32_t>(g))));
        add_row<kKernel, kStride, kStride == 1, true>(
            row, w, x, x_pixel,
            [&](const float* at) HWY_ATTR { return hn::TableLookupLanes(hn::LoadU(d, at), of_group); }, sum);
      }
    store_columns(store, s.y + c, sum);
  }
}

// Any kernel and stride, column by column.
HWY_NOINLINE void columns_any(const Strip& s) {
  const D d;
  const V low = hn::Set(d, s.floor), high = hn::Set(d, s.ceiling);
  for (int64_t t = 0; t < s.columns; ++t) {
    const int64_t at = t * s.stride_w;
    const int64_t first = std::max<int64_t>(0, s.low - at), last = std::min<int64_t>(s.kernel_w, s.high - at);
    const auto sum_at = [&](auto&& load, auto&& multiply_add, auto sum, int64_t c) HWY_ATTR {
      for (int64_t r = 0; r < s.tap_rows; ++r)
        for (int64_t k = first; k < last; ++k)
          sum = multiply_add(load(s.x + r * s.x_row + (at + k) * s.x_pixel + c),
                             load(s.weights + (r * s.kernel_w + k) * s.tap + c), sum);
      return sum;
    };
    float* y = s.y + t * s.y_pixel;
    if (s.channels >= kLanes) {
      for (int64_t done = 0; done < s.channels; done += kLanes) {
        const int64_t c = vector_at(done, s.channels);
        const V sum = sum_at([&](const float* p) HWY_ATTR { return hn::LoadU(d, p); },
                             [](V a, V b, V v) HWY_ATTR { return hn::MulAdd(a, b, v); },
                             s.bias ? hn::LoadU(d, s.bias + c) : hn::Zero(d), c);
        hn::StoreU(clamp_to(low, high, sum), d, y + c);
      }
    } else {
      for (int64_t c = 0; c < s.channels; ++c) {
        const float sum = sum_at([](const float* p) { return *p; }, [](float a, float b, float v) { return a * b + v; },
                                 s.bias ? s.bias[c] : 0.0f, c);
        y[c] = sum < s.floor ? s.floor : sum > s.ceiling ? s.ceiling : sum;
      }
    }
  }
}

// Tiles of one kind, the largest first; all are the same where there is one.
struct TileOf {
  void (*run)(const Strip&);
  int columns;
};
using Tiles = TileOf[3];
template <int kKernel, int kStride>
constexpr int kMostColumns = kKernel == 5 && kStride == 1 ? kLongest : kWide;
template <int kKernel, int kStride, int kColumns>
constexpr TileOf kTile = {&columns_tile<kKernel, kStride, kColumns>, kColumns};
template <int kKernel, int kStride>
constexpr Tiles kTilesOf = {kTile<kKernel, kStride, kMostColumns<kKernel, kStride>>, kTile<kKernel, kStride, kWide>,
                            kTile<kKernel, kStride, kNarrow>};
template <int kKernel, int kStride, int kColumns>
constexpr TileOf kPair = {&pair_tile<kKernel, kStride, kColumns>, kColumns};
template <int kKernel, int kStride>
constexpr TileOf kPairsOf[5] = {kPair<kKernel, kStride, kWide>, kPair<kKernel, kStride, kWide>,
                                kPair<kKernel, kStride, kNarrow>, kPair<kKernel, kStride, kNarrow>,
                                kPair<kKernel, kStride, kNarrow>};
template <int kStride>
constexpr TileOf kGroupTile = {&group_tile<kStride>, kWide};
template <int kStride>
constexpr Tiles kGroupTilesOf = {kGroupTile<kStride>, kGroupTile<kStride>, kGroupTile<kStride>};
template <int kStride>
constexpr TileOf kPlaneTile = {&plane_tile<kStride, kPlaneColumns>, kPlaneColumns};
template <int kStride>
constexpr Tiles kPlaneTilesOf = {kPlaneTile<kStride>, kPlaneTile<kStride>, kPlaneTile<kStride>};
const TileOf* tiles_for(int64_t kernel, int64_t stride) {
  if (selected::kDepthwise3 && kernel == 3)
    return stride == 1 ? kTilesOf<3, 1> : stride == 2 ? kTilesOf<3, 2> : nullptr;
  if (selected::kDepthwise5 && kernel == 5)
    return stride == 1 ? kTilesOf<5, 1> : stride == 2 ? kTilesOf<5, 2> : nullptr;
  return nullptr;
}

// The same for pairs of rows; null where there are none, or where more than the outermost columns of a tile may lie
// outside the image.
const TileOf* pairs_for(const ConvShape& s) {
  if constexpr (kHasRegisters) {
    const int64_t kernel = s.kernel[2], stride = s.stride[2], width = s.out[2];
    if (s.kernel[1] != kernel || s.stride[1] != stride || s.dilation[1] != 1 || s.dilation[2] != 1) return nullptr;
    if (s.pad[2] >= kernel || s.in[2] + s.pad[2] <= (width - 1) * stride || width < kNarrow) return nullptr;
    const int first = width < kWide ? 2 : 0;
    if (selected::kDepthwise3 && kernel == 3)
      return stride == 1 ? kPairsOf<3, 1> + first : stride == 2 ? kPairsOf<3, 2> + first : nullptr;
    if (selected::kDepthwise5 && kernel == 5)
      return stride == 1 ? kPairsOf<5, 1> + first : stride == 2 ? kPairsOf<5, 2> + first : nullptr;
  }
  return nullptr;
}

void add_to(float* y, const float* r, int64_t n) {
  const D d;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::LoadU(d, r + i)), d, y + i);
  for (; i < n; ++i) y[i] += r[i];
}

// What is left to do with some channels of an output row once their sums are stored.
void finish_row(const Conv2d& conv, int64_t channels, float* y, const float* residual) {
  const ConvShape& s = conv.shape;
  const Epilogue& e = conv.epilogue;
  const bool dense = conv.y.pixel == channels && (residual == nullptr || conv.residual.pixel == channels);
  const int64_t runs = dense ? 1 : s.out[2], length = dense ? s.out[2] * channels : channels;
  const bool adds_first = residual != nullptr && !e.residual_last;
  for (int64_t i = 0; i < runs; ++i, y += conv.y.pixel) {
    if (adds_first) add_to(y, residual + i * conv.residual.pixel, length);
    if (adds_first || e.activation != Activation::kNone) apply_epilogue(e, y, y, length);
    if (residual != nullptr && e.residual_last) add_to(y, residual + i * conv.residual.pixel, length);
  }
}

// Adds pixels of a row, `step` apart, to the sums of their channels.
void add_pixels(const float* y, int64_t pixels, int64_t step, int64_t channels, float* sums) {
  const D d;
  const auto vector_of = [&](int64_t c, const auto& load) HWY_ATTR {
    V even = hn::Zero(d), odd = hn::Zero(d);
    const float* at = y + c;
    int64_t i = 0;
    for (; i + 2 <= pixels; i += 2, at += 2 * step) {
      even = hn::Add(even, load(at));
      odd = hn::Add(odd, load(at + step));
    }
    if (i < pixels) even = hn::Add(even, load(at));
    return hn::Add(even, odd);
  };
  int64_t c = 0;
  for (; c + kLanes <= channels; c += kLanes) {
    const V sum = vector_of(c, [&](const float* at) HWY_ATTR { return hn::LoadU(d, at); });
    hn::StoreU(hn::Add(hn::LoadU(d, sums + c), sum), d, sums + c);
  }
  if (c == channels) return;
  if constexpr (HWY_TARGET <= HWY_AVX2) {
    const auto mask = hn::FirstN(d, static_cast<size_t>(channels - c));
    const auto load = [&](const float* at) HWY_ATTR { return hn::MaskedLoad(mask, d, at); };
    hn::BlendedStore(hn::Add(load(sums + c), vector_of(c, load)), mask, d, sums + c);
    return;
  }
  for (; c < channels; ++c) {
    float sum = 0;
    for (int64_t i = 0; i < pixels; ++i) sum += y[i * step + c];
    sums[c] += sum;
  }
}

// A row of `count` output columns of which the first is at the input position `start`, input positions `step` apart.
void columns_of(Strip s, const TileOf* tiles, int64_t start, int64_t step, int64_t in_width, int64_t count) {
  const float* x = s.x;
  float* y = s.y;
  const int64_t low = ceil_div(-start, step), high = ceil_div(in_width - start, step);
  for (int64_t done = 0; done < count;) {
    const int64_t left = count - done;
    // The smallest that does the rest, or the largest.
    const TileOf* tile = tiles;
    if (tiles != nullptr) {
      for (int i = 1; i < 3; ++i) tile = tiles[i].columns >= left ? &tiles[i] : tile;
    }
    const int64_t size = tile ? tile->columns : left;
    // The last tile moves back over columns that are done, to be a whole one.
    const int64_t at = std::max<int64_t>(0, std::min(done, count - size)), shift = at * s.stride_w;
    s.columns = std::min(size, count - at);
    s.x = x + shift * s.x_pixel;
    s.y = y + at * s.y_pixel;
    s.low = low - shift;
    s.high = high - shift;
    done = at + s.columns;
    tile ? tile->run(s) : columns_any(s);
  }
}

// Output rows [first, last) of all images, channels [from, to).
void some_channels(const Conv2d& conv, int64_t first, int64_t last, int64_t from, int64_t to) {
  const ConvShape& s = conv.shape;
  const int64_t channels = to - from, dilation = s.dilation[2];
  // A dilated row is `dilation` rows of every so many columns.
  const bool by_phase = dilation > 1 && s.stride[2] == 1;
  const int64_t phases = by_phase ? std::min(dilation, s.out[2]) : 1;
  const bool grouped = kHasGroupedConv && conv.method == ConvMethod::kGrouped;
  const bool planes = selected::kPlanes && conv.method == ConvMethod::kPlanes;
  const TileOf* tiles = nullptr;
  if (planes) {
    tiles = selected::kAllTiles && s.stride[2] == 1 ? kPlaneTilesOf<1> : kPlaneTilesOf<2>;
  } else if (grouped) {
    tiles = s.stride[2] == 1 ? kGroupTilesOf<1> : kGroupTilesOf<2>;
  } else if (channels >= kLanes && (dilation == 1 || by_phase) && dilation * s.kernel[2] <= (1 << 20)) {
    tiles = tiles_for(s.kernel[2], s.stride[2]);
  }
  const Epilogue& e = conv.epilogue;
  Strip strip{};
  strip.x_row = s.dilation[1] * conv.x.row;
  strip.channels = channels;
  strip.tap = s.out_channels;
  strip.planes = s.in_channels;
  strip.x_plane = conv.x_plane;
  strip.plane_weights = s.taps() * s.out_channels;
  strip.group = grouped ? s.group_in() : 1;
  strip.kernel_w = static_cast<int>(s.kernel[2]);
  strip.bias = conv.bias ? conv.bias + from : nullptr;
  const bool adds = conv.residual.data != nullptr;
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const bool in_registers =
      tiles != nullptr && is_applied_in_registers(e.activation) && !adds && e.low == -kInf && e.high == kInf;
  strip.activation = in_registers ? e.activation : Activation::kNone;
  const bool activates = e.activation != Activation::kNone && !in_registers;
  const bool ranges_later = activates || (adds && !e.residual_last);
  strip.floor = ranges_later ? -kInf : e.low;
  strip.ceiling = ranges_later ? kInf : e.high;
  const TileOf* pairs = tiles != nullptr && !planes && !grouped ? pairs_for(s) : nullptr;
  for (int64_t row = first, count; row < last; row += count) {
    const int64_t image = row / s.out[1], oh = row % s.out[1], ih = oh * s.stride[1] - s.pad[1];
    count = pairs != nullptr && row + 1 < last && oh + 1 < s.out[1] ? 2 : 1;
    const int64_t tap_first = std::clamp<int64_t>(ceil_div(-ih, s.dilation[1]), 0, s.kernel[1]);
    const int64_t tap_last = std::clamp<int64_t>(ceil_div(s.in[1] - ih, s.dilation[1]), tap_first, s.kernel[1]);
    strip.tap_rows = tap_last - tap_first;
    strip.weights = conv.weights + tap_first * strip.group * s.kernel[2] * strip.tap + from;
    const float* x =
        conv.x.data + image * conv.x.image + (ih + tap_first * s.dilation[1]) * conv.x.row + (planes ? 0 : from);
    float* y = conv.y.data + image * conv.y.image + oh * conv.y.row + from;
    if (count == 2) {
      const int64_t reach = s.kernel[1] + s.stride[1];
      strip.row_low = std::clamp<int64_t>(-ih, 0, reach);
      strip.row_high = std::clamp<int64_t>(s.in[1] - ih, strip.row_low, reach);
      strip.weights = conv.weights + from;
      strip.y_row = conv.y.row;
      x = conv.x.data + image * conv.x.image + (ih + strip.row_low) * conv.x.row + from;
    }
    if (dilation > 1 && !by_phase) {
      // Strided and dilated: each column is a strip of its own.
      strip.x_pixel = dilation * conv.x.pixel;
      strip.y_pixel = conv.y.pixel;
      strip.stride_w = 1;
      for (int64_t ow = 0; ow < s.out[2]; ++ow) {
        const int64_t start = ow * s.stride[2] - s.pad[2];
        strip.x = x + start * conv.x.pixel;
        strip.y = y + ow * conv.y.pixel;
        columns_of(strip, nullptr, start, dilation, s.in[2], 1);
      }
    } else {
      strip.x_pixel = dilation * conv.x.pixel;
      strip.y_pixel = dilation * conv.y.pixel;
      strip.stride_w = s.stride[2];
      for (int64_t f = 0; f < phases; ++f) {
        strip.x = x + (f - s.pad[2]) * conv.x.pixel;
        strip.y = y + f * conv.y.pixel;
        columns_of(strip, count == 2 ? pairs : tiles, f - s.pad[2], dilation, s.in[2],
                   (s.out[2] - f + dilation - 1) / dilation);
      }
    }
    for (int64_t i = 0; i < count && (adds || activates); ++i) {
      const float* residual = conv.residual.data + image * conv.residual.image + (oh + i) * conv.residual.row + from;
      finish_row(conv, channels, y + i * conv.y.row, adds ? residual : nullptr);
    }
    for (int64_t i = 0; selected::kMeans && i < count && conv.sums != nullptr; ++i)
      add_pixels(y + i * conv.y.row, s.out[2], conv.y.pixel, channels, conv.sums + image * s.out_channels + from);
  }
}

// Output rows [first, last) of all images. Where the rows under a kernel are more than the first-level cache keeps,
// some channels of all rows come before the others.
void depthwise_rows(const Conv2d& conv, int64_t first, int64_t last) {
  const ConvShape& s = conv.shape;
  const int64_t vectors = s.in_channels / kLanes, fitting = kRowsBytes / (4 * kLanes * s.kernel[1] * s.in[2]);
  const bool in_parts = conv.method == ConvMethod::kDepthwise && fitting >= kLeastVectors &&
                        s.in_pixels() * s.in_channels * 4 <= kImageBytes;
  const int64_t parts = in_parts ? std::max<int64_t>(1, ceil_div(vectors, fitting)) : 1;
  if (parts == 1) return some_channels(conv, first, last, 0, s.out_channels);
  // The last part has the channels that make no whole vector.
  for (int64_t i = 0; i < parts; ++i)
    some_channels(conv, first, last, vectors * i / parts * kLanes,
                  i + 1 < parts ? vectors * (i + 1) / parts * kLanes : s.in_channels);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(depthwise_rows);

void conv_depthwise(const Conv2d& conv, const Workers& workers) {
  const int64_t rows = conv.shape.batch * conv.shape.out[1], parts = std::min<int64_t>(rows, workers.count);
  workers.each(parts, [&](int64_t first, int64_t last) {
    const FlushDenormals flush;
    Conv2d part = conv;
    if (selected::kMeans && part.sums != nullptr)
      part.sums += first * static_cast<int64_t>(conv_sums_size(conv.shape, 1));
    HWY_DYNAMIC_DISPATCH(depthwise_rows)(part, rows * first / parts, rows * last / parts);
  });
}

size_t conv_sums_size(const ConvShape& shape, int workers) {
  return static_cast<size_t>(std::max(1, workers) * shape.batch * shape.out_channels);
}

void means_of_sums(const ConvShape& shape, const float* sums, int workers, float* means) {
  const size_t size = conv_sums_size(shape, 1);
  const auto pixels = static_cast<float>(shape.out_pixels());
  for (size_t i = 0; i < size; ++i) {
    float sum = 0;
    for (int k = 0; k < std::max(1, workers); ++k) sum += sums[static_cast<size_t>(k) * size + i];
    means[i] = sum / pixels;
  }
}

}  // namespace wick::kernels
#endif
