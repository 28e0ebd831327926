// Per-target tiles of depthwise convolutions with channels last: one vector of channels at a time, several adjacent
// output columns, so that an input vector is loaded once for all the columns that need it. Groups of a few channels are
// done alike: a vector holds several groups, and each of its lanes takes one channel of its group after the other; and
// so is a network's first layer, whose input is a number for all lanes. Included once per target and element type
// (WICK_CONV_TYPE).
#if defined(WICK_DEPTHWISE_TILES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_DEPTHWISE_TILES_INL_H
#undef WICK_DEPTHWISE_TILES_INL_H
#else
#define WICK_DEPTHWISE_TILES_INL_H
#endif

#include <algorithm>
#include <type_traits>

#include "config/build.h"
#include "hwy/highway.h"
#include "kernels/conv2d.h"
#include "kernels/epilogue-inl.h"
#include "kernels/tag-inl.h"

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

using T = WICK_CONV_TYPE;
using D = TagOf<T>;
using V = hn::Vec<D>;
constexpr int64_t kLanes = HWY_LANES(T);
constexpr auto kBytes = static_cast<int64_t>(sizeof(T));  // of an element

// Columns of a tile; the narrow one ends rows that are no multiple. Long ones, where there are registers for their
// sums, wait less for one sum after the other; with few taps a row they would read too many pixels at a time.
constexpr int kWide = 7;
constexpr bool kHasRegisters = HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON;
// A selective build that has pairs of rows has no narrow ones.
constexpr int kNarrow = kHasRegisters && !kAllTiles ? kWide : 4;
constexpr int kLongest = kHasRegisters ? 14 : kWide;
// A selective build has shorter ones for planes, which all look for the edge.
constexpr int kPlaneColumns = kHasRegisters && kAllTiles ? 14 : 8;

// With NEON the distances of all pixels from the first are kept, as an address may be the sum of two registers.
constexpr bool kStepsByPixel = HWY_TARGET != HWY_NEON;

// The pixels of a row, from one to the next: a pointer moves by four of them, and the others' distances from it are
// kept.
class Pixels {
 public:
  HWY_INLINE explicit Pixels(int64_t pixel)
      : step_{0, pixel * kBytes, 2 * pixel * kBytes, 3 * pixel * kBytes, 4 * pixel * kBytes} {
    WICK_UNROLL
    for (int i = 1; i < 5; ++i) WICK_STEP(step_[i]);
  }
  // Pixel j, where x is as it was left for the one before, or the first.
  HWY_INLINE const T* at(int j, const T*& x) const {
    if (j > 0 && j % 4 == 0) {
      x = moved(x, 4);
      WICK_STEP(x);
    }
    return moved(x, j % 4);
  }

 private:
  HWY_INLINE const T* moved(const T* x, int by) const {
    return by == 0 ? x : reinterpret_cast<const T*>(reinterpret_cast<const char*>(x) + step_[by]);
  }
  int64_t step_[5];  // bytes
};
using PixelSteps = std::conditional_t<kStepsByPixel, int64_t, Pixels>;
[[maybe_unused]] HWY_INLINE int64_t by_pixel(int64_t pixel) { return pixel; }
[[maybe_unused]] HWY_INLINE int64_t by_pixel(const Pixels&) { return 0; }
[[maybe_unused]] HWY_INLINE const T* pixel_at(int64_t, int, const T* x) { return x; }
[[maybe_unused]] HWY_INLINE const T* pixel_at(const Pixels& pixels, int j, const T*& x) { return pixels.at(j, x); }

// Some output columns of a row. Positions j of the input are tile-local: x + j * x_pixel, inside the image for
// low <= j < high.
struct Strip {
  const T* x;
  int64_t x_row, x_pixel;
  const T* weights;                        // first tap row inside the image
  int64_t channels;                        // to do
  int64_t tap;                             // from one tap's weights to the next
  int64_t group = 1;                       // channels of one
  int64_t planes, x_plane, plane_weights;  // of the input; from one to the next
  int64_t tap_rows;
  int64_t row_low, row_high, y_row;  // of pairs of rows: rows under both kernels that are inside the image
  int kernel_w;
  int64_t stride_w;
  int64_t low, high;
  T* y;
  int64_t y_pixel;
  int64_t columns;
  const T* bias;
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
HWY_INLINE void add_row(Row s, const T* w, const T* x, int64_t pixel, const Load& load, V (&sum)[kColumns]) {
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
    if constexpr (!kStepsByPixel) WICK_KEEP_ORDER;
    WICK_UNROLL
    for (int k = 0; k < kKernel; ++k) {
      const int t = (j - k) / kStride;
      if ((j - k) % kStride == 0 && j >= k && t < kColumns) sum[t] = hn::MulAdd(v, taps[k], sum[t]);
    }
  }
}

#if HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64
// The same for a row whose pixels are neighboring numbers, all of them inside: a vector of them is loaded at once, and
// each is a lane that multiplies the taps.
template <int kLane>
HWY_INLINE float32x4_t multiply_add_number(float32x4_t sum, float32x4_t taps, float32x4_t numbers) {
  return vfmaq_laneq_f32(sum, taps, numbers, kLane);
}
#ifdef WICK_HALF_TYPE
template <int kLane>
HWY_INLINE float16x8_t multiply_add_number(float16x8_t sum, float16x8_t taps, float16x8_t numbers) {
  return vfmaq_laneq_f16(sum, taps, numbers, kLane);
}
#endif
template <int kLane, int kKernel, int kStride, int kPosition, int kColumns>
HWY_INLINE void add_number(const V (&taps)[kKernel], V numbers, V (&sum)[kColumns]) {
  WICK_UNROLL
  for (int k = 0; k < kKernel; ++k) {
    const int t = (kPosition - k) / kStride;
    if ((kPosition - k) % kStride != 0 || kPosition < k || t >= kColumns) continue;
    sum[t] = V{multiply_add_number<kLane>(sum[t].raw, taps[k].raw, numbers.raw)};
  }
}
template <int kLane, int kKernel, int kStride, int kPosition, int kColumns>
HWY_INLINE void add_vector(const V (&taps)[kKernel], V numbers, V (&sum)[kColumns]) {
  add_number<kLane, kKernel, kStride, kPosition + kLane>(taps, numbers, sum);
  if constexpr (kLane + 1 < kLanes) add_vector<kLane + 1, kKernel, kStride, kPosition>(taps, numbers, sum);
}
template <int kKernel, int kStride, int kPosition, int kColumns>
HWY_INLINE void add_numbers(const V (&taps)[kKernel], const T* x, V (&sum)[kColumns]) {
  constexpr int kReach = (kColumns - 1) * kStride + kKernel;
  if constexpr (kPosition + kLanes <= kReach) {
    const V numbers = hn::LoadU(D(), x + kPosition);
    WICK_KEEP_ORDER;
    add_vector<0, kKernel, kStride, kPosition>(taps, numbers, sum);
    add_numbers<kKernel, kStride, kPosition + kLanes>(taps, x, sum);
  } else if constexpr (kPosition < kReach) {
    const V one = hn::Set(D(), x[kPosition]);
    add_number<0, kKernel, kStride, kPosition>(taps, one, sum);
    add_numbers<kKernel, kStride, kPosition + 1>(taps, x, sum);
  }
}
template <int kKernel, int kStride, int kColumns>
HWY_INLINE void add_row_inside(Row s, const T* w, const T* x, V (&sum)[kColumns]) {
  V taps[kKernel];
  WICK_UNROLL
  for (int k = 0; k < kKernel; ++k, w += s.tap) taps[k] = hn::LoadU(D(), w);
  add_numbers<kKernel, kStride, 0>(taps, x, sum);
}
#else
template <int kKernel, int kStride, int kColumns>
HWY_INLINE void add_row_inside(Row s, const T* w, const T* x, V (&sum)[kColumns]) {
  add_row<kKernel, kStride, false, false>(
      s, w, x, 1, [](const T* at) HWY_ATTR { return hn::Set(D(), *at); }, sum);
}
#endif

template <int kColumns>
HWY_INLINE void store_columns(const Store& s, T* y, V (&sum)[kColumns]) {
  if (s.activation != Activation::kNone) {
    activate_in_registers(D(), s.activation, sum);
  } else {
    WICK_UNROLL
    for (int t = 0; t < kColumns; ++t) sum[t] = clamp_to(s.low, s.high, sum[t]);
  }
  if (!kStepsByPixel && s.columns == kColumns) {
    WICK_UNROLL
    for (int t = 0; t < kColumns; ++t) hn::StoreU(sum[t], D(), y + t * s.pixel);
    return;
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
  const T *const xs = s.x, *const weights = s.weights, *const biases = s.bias;
  T* const y = s.y;
  for (int64_t done = 0; done < channels; done += kLanes) {
    const int64_t c = vector_at(done, channels);
    V sum[kColumns];
    const V bias = biases ? hn::LoadU(d, biases + c) : hn::Zero(d);
    WICK_UNROLL
    for (int t = 0; t < kColumns; ++t) sum[t] = bias;
    const T* x = xs + c;
    const T* w = weights + c;
    for (int64_t r = 0; r < tap_rows; ++r, x += x_row, w += kKernel * row.tap) {
      add_row<kKernel, kStride, kStride == 1 && kStepsByPixel, true>(
          row, w, x, x_pixel, [&](const T* at) HWY_ATTR { return hn::LoadU(d, at); }, sum);
    }
    store_columns(store, y + c, sum);
  }
}

// Two output rows together: an input row that both need is read once. Rows of the input are counted from the first
// under the upper kernel; only the outermost columns of the tile may lie outside the image (pairs_for): kLeft and
// kRight of them, or as many as `low` and `high` say.
constexpr int kAsked = -1;
template <int kKernel, int kStride, int kColumns>
constexpr int kReachOf = (kColumns - 1) * kStride + kKernel;
template <int kKernel, int kStride, bool kUpper, bool kLower, int kLeft, int kRight, int kColumns>
HWY_INLINE void add_shared_row(Row s, const T* x, const PixelSteps& pixels, const T* w, V (&upper)[kColumns],
                               V (&lower)[kColumns]) {
  constexpr int kReach = kReachOf<kKernel, kStride, kColumns>;
  constexpr bool kSteps = kStride == 1 && kStepsByPixel;
  const D d;
  V above[kKernel], below[kKernel];
  const T* w_below = w - kStride * kKernel * s.tap;
  WICK_UNROLL
  for (int k = 0; k < kKernel; ++k, w += s.tap, w_below += s.tap) {
    if constexpr (kUpper) above[k] = hn::LoadU(d, w);
    if constexpr (kLower) below[k] = hn::LoadU(d, w_below);
  }
  WICK_UNROLL_ROW
  for (int j = 0; j < kReach; ++j, x += kStepsByPixel ? by_pixel(pixels) : 0) {
    if constexpr (kSteps) WICK_STEP(x);
    const T* const at = pixel_at(pixels, j, x);
    if constexpr (kLeft != kAsked) {
      if (j < kLeft || j >= kReach - kRight) continue;
    } else {
      if (j < kKernel - 1 && j < s.low) continue;
      if (j > kReach - kKernel && j >= s.high) continue;
    }
    const V v = hn::LoadU(d, at);
    if constexpr (!kSteps) WICK_KEEP_ORDER;
    WICK_UNROLL
    for (int k = 0; k < kKernel; ++k) {
      const int t = (j - k) / kStride;
      if ((j - k) % kStride != 0 || j < k || t >= kColumns) continue;
      if constexpr (kUpper) upper[t] = hn::MulAdd(v, above[k], upper[t]);
      if constexpr (kLower) lower[t] = hn::MulAdd(v, below[k], lower[t]);
    }
  }
}
template <int kKernel, int kStride, int kColumns, int kLeft, int kRight>
HWY_INLINE void pair_of_rows(const Strip& s) {
  const D d;
  const Store store(s);
  const Row row{s.low, s.high, s.tap};
  const PixelSteps pixels(s.x_pixel);
  const int64_t channels = s.channels, x_row = s.x_row, w_row = kKernel * s.tap;
  const int64_t begin = s.row_low, end = s.row_high, y_row = s.y_row;
  const int64_t upper_end = std::min<int64_t>(kStride, end), both_end = std::min<int64_t>(kKernel, end);
  const T *const xs = s.x, *const weights = s.weights + begin * w_row, *const biases = s.bias;
  T* const y = s.y;
  for (int64_t done = 0; done < channels; done += kLanes) {
    const int64_t c = vector_at(done, channels);
    V upper[kColumns], lower[kColumns];
    const V bias = biases ? hn::LoadU(d, biases + c) : hn::Zero(d);
    WICK_UNROLL
    for (int t = 0; t < kColumns; ++t) upper[t] = lower[t] = bias;
    const T* x = xs + c;
    const T* w = weights + c;
    int64_t r = begin;
    for (; r < upper_end; ++r, x += x_row, w += w_row)
      add_shared_row<kKernel, kStride, true, false, kLeft, kRight>(row, x, pixels, w, upper, lower);
    for (; r < both_end; ++r, x += x_row, w += w_row)
      add_shared_row<kKernel, kStride, true, true, kLeft, kRight>(row, x, pixels, w, upper, lower);
    for (; r < end; ++r, x += x_row, w += w_row)
      add_shared_row<kKernel, kStride, false, true, kLeft, kRight>(row, x, pixels, w, upper, lower);
    store_columns(store, y + c, upper);
    store_columns(store, y + y_row + c, lower);
  }
}
template <int kKernel, int kStride, int kColumns>
HWY_NOINLINE void pair_tile(const Strip& s) {
  if constexpr (!kStepsByPixel && kAllTiles) {
    // What layers have that keep the size of the image, or halve it.
    constexpr int kReach = kReachOf<kKernel, kStride, kColumns>, kPad = kKernel / 2;
    const bool at_left = s.low == kPad, at_right = s.high == kReach - kPad;
    const bool inside_left = s.low <= 0, inside_right = s.high >= kReach;
    if (inside_left && inside_right) return pair_of_rows<kKernel, kStride, kColumns, 0, 0>(s);
    if (at_left && inside_right) return pair_of_rows<kKernel, kStride, kColumns, kPad, 0>(s);
    if (inside_left && at_right) return pair_of_rows<kKernel, kStride, kColumns, 0, kPad>(s);
    if (at_left && at_right) return pair_of_rows<kKernel, kStride, kColumns, kPad, kPad>(s);
  }
  pair_of_rows<kKernel, kStride, kColumns, kAsked, kAsked>(s);
}

// NCHW images: three taps a row, all channels in for each out; weights [channel][tap][channel
// out].
template <int kStride, int kColumns>
HWY_NOINLINE void plane_tile(const Strip& s) {
  const D d;
  const Store store(s);
  const Row row{s.low, s.high, s.tap};
  const int64_t channels = s.channels, planes = s.planes, tap_rows = s.tap_rows, x_row = s.x_row;
  const int64_t x_plane = s.x_plane, w_plane = s.plane_weights;
  const T *const xs = s.x, *const weights = s.weights, *const biases = s.bias;
  T* const y = s.y;
  const bool inside = kAllTiles && s.low <= 0 && s.high >= (kColumns - 1) * kStride + 3;
  for (int64_t done = 0; done < channels; done += kLanes) {
    const int64_t c = vector_at(done, channels);
    V sum[kColumns];
    const V bias = biases ? hn::LoadU(d, biases + c) : hn::Zero(d);
    WICK_UNROLL
    for (int t = 0; t < kColumns; ++t) sum[t] = bias;
    for (int64_t p = 0; p < planes; ++p) {
      const T* x = xs + p * x_plane;
      const T* w = weights + p * w_plane + c;
      for (int64_t r = 0; r < tap_rows; ++r, x += x_row, w += 3 * row.tap) {
        const auto load = [&](const T* at) HWY_ATTR { return hn::Set(d, *at); };
        if (inside) {
          add_row_inside<3, kStride>(row, w, x, sum);
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
#ifdef WICK_HALF_TYPE
template <int kStride>
void group_tile(const Strip&) {}  // no layer of float16 has this method
#else
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
    const T* x = s.x + c;
    const T* w = s.weights + c;
    for (int64_t r = 0; r < s.tap_rows; ++r, x += s.x_row)
      for (int64_t g = 0; g < s.group; ++g, w += kKernel * s.tap) {
        const auto of_group = hn::IndicesFromVec(d, hn::Add(group_start, hn::Set(di, static_cast<int32_t>(g))));
        add_row<kKernel, kStride, kStride == 1, true>(
            row, w, x, x_pixel, [&](const T* at) HWY_ATTR { return hn::TableLookupLanes(hn::LoadU(d, at), of_group); },
            sum);
      }
    store_columns(store, s.y + c, sum);
  }
}

#endif

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
    T* y = s.y + t * s.y_pixel;
    if (s.channels >= kLanes) {
      for (int64_t done = 0; done < s.channels; done += kLanes) {
        const int64_t c = vector_at(done, s.channels);
        const V sum = sum_at([&](const T* p) HWY_ATTR { return hn::LoadU(d, p); },
                             [](V a, V b, V v) HWY_ATTR { return hn::MulAdd(a, b, v); },
                             s.bias ? hn::LoadU(d, s.bias + c) : hn::Zero(d), c);
        hn::StoreU(clamp_to(low, high, sum), d, y + c);
      }
    } else {
      for (int64_t c = 0; c < s.channels; ++c) {
        const float sum = sum_at([](const T* p) { return static_cast<float>(*p); },
                                 [](float a, float b, float v) { return a * b + v; },
                                 s.bias ? static_cast<float>(s.bias[c]) : 0.0f, c);
        y[c] = static_cast<T>(sum < s.floor ? s.floor : sum > s.ceiling ? s.ceiling : sum);
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
  if (build::kDepthwise3 && kernel == 3) return stride == 1 ? kTilesOf<3, 1> : stride == 2 ? kTilesOf<3, 2> : nullptr;
  if (build::kDepthwise5 && kernel == 5) return stride == 1 ? kTilesOf<5, 1> : stride == 2 ? kTilesOf<5, 2> : nullptr;
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
    if (build::kDepthwise3 && kernel == 3)
      return stride == 1 ? kPairsOf<3, 1> + first : stride == 2 ? kPairsOf<3, 2> + first : nullptr;
    if (build::kDepthwise5 && kernel == 5)
      return stride == 1 ? kPairsOf<5, 1> + first : stride == 2 ? kPairsOf<5, 2> + first : nullptr;
  }
  return nullptr;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
