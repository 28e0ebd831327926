// Per-target code of depthwise convolutions with channels last: rows and channels are walked, and rows finished; the
// tiles are those of depthwise_tiles-inl.h. Included once per target and element type (WICK_CONV_TYPE).
#if defined(WICK_DEPTHWISE_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_DEPTHWISE_ROWS_INL_H
#undef WICK_DEPTHWISE_ROWS_INL_H
#else
#define WICK_DEPTHWISE_ROWS_INL_H
#endif

#include <algorithm>
#include <limits>

#include "config/build.h"
#include "kernels/bounds.h"
#include "kernels/conv2d.h"
#include "kernels/depthwise_runs-inl.h"
#include "kernels/depthwise_tiles-inl.h"
#include "kernels/divide.h"
#include "kernels/epilogue-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

// Bytes of the input rows under a kernel that the first-level cache keeps for the next row, of an image that the second
// keeps, and vectors that a pixel gives at least, so that what is read is not scattered.
constexpr int64_t kRowsBytes = 24 << 10;
constexpr int64_t kImageBytes = 640 << 10;
constexpr int64_t kLeastVectors = 3;

void add_to(T* y, const T* r, int64_t n) {
  const D d;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) hn::StoreU(hn::Add(hn::LoadU(d, y + i), hn::LoadU(d, r + i)), d, y + i);
  for (; i < n; ++i) y[i] = static_cast<T>(y[i] + r[i]);
}

#ifdef WICK_HALF_TYPE
void apply_to(const Epilogue& e, T* y, int64_t n) {
  const D d;
  const V low = hn::Set(d, e.low), high = hn::Set(d, e.high);
  with_activation(e.activation, [&](auto constant) HWY_ATTR {
    const auto of = [&](V v) HWY_ATTR { return clamp_to(low, high, activate(d, decltype(constant)::value, v)); };
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) hn::StoreU(of(hn::LoadU(d, y + i)), d, y + i);
    if (i == n) return;
    const auto rest = hn::FirstN(d, static_cast<size_t>(n - i));
    hn::BlendedStore(of(hn::MaskedLoad(rest, d, y + i)), rest, d, y + i);
  });
}
#else
void apply_to(const Epilogue& e, T* y, int64_t n) { apply_epilogue(e, y, y, n); }
#endif

// What is left to do with some channels of an output row once their sums are stored.
void finish_row(const Conv2dOf<T>& conv, int64_t channels, T* y, const T* residual) {
  const ConvShape& s = conv.shape;
  const Epilogue& e = conv.epilogue;
  const bool dense = conv.y.pixel == channels && (residual == nullptr || conv.residual.pixel == channels);
  const int64_t runs = dense ? 1 : s.out[2], length = dense ? s.out[2] * channels : channels;
  const bool adds_first = residual != nullptr && !e.residual_last;
  for (int64_t i = 0; i < runs; ++i, y += conv.y.pixel) {
    if (adds_first) add_to(y, residual + i * conv.residual.pixel, length);
    if (adds_first || e.activation != Activation::kNone) apply_to(e, y, length);
    if (residual != nullptr && e.residual_last) add_to(y, residual + i * conv.residual.pixel, length);
  }
}

#ifndef WICK_HALF_TYPE
// Adds pixels of a row, `step` apart, to the sums of their channels.
void add_pixels(const T* y, int64_t pixels, int64_t step, int64_t channels, float* sums) {
  const D d;
  const auto vector_of = [&](int64_t c, const auto& load) HWY_ATTR {
    V even = hn::Zero(d), odd = hn::Zero(d);
    const T* at = y + c;
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
    const V sum = vector_of(c, [&](const T* at) HWY_ATTR { return hn::LoadU(d, at); });
    hn::StoreU(hn::Add(hn::LoadU(d, sums + c), sum), d, sums + c);
  }
  if (c == channels) return;
  if constexpr (HWY_TARGET <= HWY_AVX2) {
    const auto mask = hn::FirstN(d, static_cast<size_t>(channels - c));
    const auto load = [&](const T* at) HWY_ATTR { return hn::MaskedLoad(mask, d, at); };
    hn::BlendedStore(hn::Add(load(sums + c), vector_of(c, load)), mask, d, sums + c);
    return;
  }
  for (; c < channels; ++c) {
    float sum = 0;
    for (int64_t i = 0; i < pixels; ++i) sum += y[i * step + c];
    sums[c] += sum;
  }
}
#endif

// A row of `count` output columns of which the first is at the input position `start`, input positions `step` apart.
void columns_of(Strip s, const TileOf* tiles, int64_t start, int64_t step, int64_t in_width, int64_t count) {
  const T* x = s.x;
  T* y = s.y;
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

// Some channels of output rows.
class SomeChannels {
 public:
  // Channels [from, to).
  SomeChannels(const Conv2dOf<T>& conv, int64_t from, int64_t to) : conv_(conv), s_(conv.shape), from_(from) {
    strip_.x_row = s_.dilation[1] * conv.x.row;
    strip_.channels = to - from;
    strip_.tap = s_.out_channels;
    strip_.planes = s_.in_channels;
    strip_.x_plane = conv.x_plane;
    strip_.plane_weights = s_.taps() * s_.out_channels;
    strip_.group = is_grouped() ? s_.group_in() : 1;
    strip_.kernel_w = static_cast<int>(s_.kernel[2]);
    strip_.bias = conv.bias ? conv.bias + from : nullptr;
    choose_tiles();
    choose_epilogue();
  }

  // Output rows [first, last) of all images.
  void run(int64_t first, int64_t last) {
    for (int64_t row = first, count; row < last; row += count) {
      check_bounds();
      const int64_t image = row / s_.out[1], oh = row % s_.out[1], ih = oh * s_.stride[1] - s_.pad[1];
#ifdef WICK_HAS_DEPTHWISE_RUNS
      if (runs_.run != nullptr) {
        T* const y = conv_.y.data + image * conv_.y.image + oh * conv_.y.row + from_;
        count = 1;
        row_of_runs(start_row(image, ih), y);
        finish(image, oh, count, y);
        continue;
      }
#endif
      count = pairs_ != nullptr && row + 1 < last && oh + 1 < s_.out[1] ? 2 : 1;
      const T* const x = count == 2 ? start_pair(image, ih) : start_row(image, ih);
      T* const y = conv_.y.data + image * conv_.y.image + oh * conv_.y.row + from_;
      if (s_.dilation[2] > 1 && !is_by_phase()) {
        column_by_column(x, y);
      } else {
#ifdef WICK_HAS_DEPTHWISE_RUNS
        if (row_of_planes(x, y)) {
          finish(image, oh, count, y);
          continue;
        }
#endif
        by_phase(x, y, count == 2 ? pairs_ : tiles_);
      }
      finish(image, oh, count, y);
    }
  }

 private:
  bool is_grouped() const { return build::kGroupedConv && conv_.method == ConvMethod::kGrouped; }
  bool is_planes() const { return build::kPlanes && conv_.method == ConvMethod::kPlanes; }
  bool has_residual() const { return conv_.residual.data != nullptr; }
  // A dilated row is `dilation` rows of every so many columns.
  bool is_by_phase() const { return s_.dilation[2] > 1 && s_.stride[2] == 1; }

  void choose_tiles() {
    const int64_t dilation = s_.dilation[2];
    if (is_planes()) {
      tiles_ = kAllTiles && s_.stride[2] == 1 ? kPlaneTilesOf<1> : kPlaneTilesOf<2>;
#ifdef WICK_HAS_DEPTHWISE_RUNS
      has_planes_ = conv_.bias != nullptr && s_.kernel[2] == 3 && s_.stride[2] == 2 &&
                    strip_.channels % (4 * kLanes) == 0 && s_.out[2] >= 2 * kPlaneColumns + 4;
#endif
    } else if (is_grouped()) {
      tiles_ = s_.stride[2] == 1 ? kGroupTilesOf<1> : kGroupTilesOf<2>;
    } else if (strip_.channels >= kLanes && (dilation == 1 || is_by_phase()) && dilation * s_.kernel[2] <= (1 << 20)) {
      tiles_ = tiles_for(s_.kernel[2], s_.stride[2]);
      if (tiles_ != nullptr) pairs_ = pairs_for(s_);
#ifdef WICK_HAS_DEPTHWISE_RUNS
      if (tiles_ != nullptr && takes_runs()) {
        runs_ = runs_for<T>(s_.kernel[2], s_.stride[2], s_.out[2], strip_.channels);
      }
#endif
    }
  }

  // What tiles do in registers: the activation where nothing comes before it, else the range unless it comes later.
  void choose_epilogue() {
    const Epilogue& e = conv_.epilogue;
    constexpr float kInf = std::numeric_limits<float>::infinity();
    const bool in_registers = tiles_ != nullptr && is_applied_in_registers(e.activation) && !has_residual() &&
                              e.low == -kInf && e.high == kInf;
    strip_.activation = in_registers ? e.activation : Activation::kNone;
    activates_later_ = e.activation != Activation::kNone && !in_registers;
    const bool ranges_later = activates_later_ || (has_residual() && !e.residual_last);
    strip_.floor = ranges_later ? -kInf : e.low;
    strip_.ceiling = ranges_later ? kInf : e.high;
  }

#ifdef WICK_HAS_DEPTHWISE_RUNS
  // Whether no more than half a kernel lies outside the image, at any side.
  bool takes_runs() const {
    if (conv_.bias == nullptr) return false;
    for (int d = 1; d < 3; ++d) {
      const int64_t half = s_.kernel[d] / 2, end = (s_.out[d] - 1) * s_.stride[d] - s_.pad[d] + s_.kernel[d];
      if (s_.kernel[d] != s_.kernel[2] || s_.stride[d] != s_.stride[2] || s_.dilation[d] != 1) return false;
      if (s_.pad[d] > half || end - s_.in[d] > half || s_.in[d] <= half) return false;
    }
    return true;
  }
  // What tiles of depthwise_runs-inl.h do with their sums.
  template <class Runs>
  void set_epilogue(Runs& t, const T (&bounds)[2]) const {
    static constexpr T kSwish[4] = {3, 0, 6, static_cast<T>(1.0 / 6)};
    constexpr float kInf = std::numeric_limits<float>::infinity();
    t.bias = strip_.bias;
    t.bounds = bounds;
    t.swish = strip_.activation == Activation::kHardSwish ? kSwish : nullptr;
    t.has_high = t.swish == nullptr && strip_.ceiling < kInf;
    t.has_low = t.has_high != 0 || (t.swish == nullptr && strip_.floor > -kInf);
    t.y_pixel = conv_.y.pixel * kBytes;
  }
  // A row of a network's first layer in the same way, but for the columns that see beyond the image, where others'
  // tiles take as many as they have; false where they take all.
  bool row_of_planes(const T* x, T* y) {
    if (!has_planes_ || strip_.tap_rows == 0) return false;
    const T bounds[2] = {static_cast<T>(strip_.floor), static_cast<T>(strip_.ceiling)};
    PlanesTile<T> t;
    set_epilogue(t, bounds);
    t.row = strip_.x_row * kBytes;
    t.plane_rest = strip_.x_plane * kBytes - strip_.tap_rows * t.row;
    t.w = strip_.weights;
    t.tap = strip_.tap * kBytes;
    t.w_rest = strip_.plane_weights * kBytes - strip_.tap_rows * 3 * t.tap;
    t.tap_rows = strip_.tap_rows;
    t.planes = strip_.planes;
    const int64_t width = s_.out[2], pad = s_.pad[2];
    strip_.x_pixel = conv_.x.pixel;
    strip_.y_pixel = conv_.y.pixel;
    strip_.stride_w = 2;
    const auto edge = [&](int64_t at) {
      strip_.x = x + (at * 2 - pad) * conv_.x.pixel;
      strip_.y = y + at * conv_.y.pixel;
      columns_of(strip_, tiles_, at * 2 - pad, 1, s_.in[2], kPlaneColumns);
    };
    const int64_t first = pad > 0 ? kPlaneColumns : 0;
    const bool ends_outside = (width - 1) * 2 - pad + 3 > s_.in[2];
    const int64_t last = ends_outside ? width - kPlaneColumns : width;
    if (first > 0) edge(0);
    if (ends_outside) edge(last);
    for (int64_t done = first; done < last; done += 4) {
      const int64_t at = std::min(done, last - 4);
      t.x = x + (at * 2 - pad) * conv_.x.pixel;
      t.y = y + at * conv_.y.pixel;
      planes_tile(t, strip_.channels);
    }
    return true;
  }
  // An output row, of which the strip has the taps; x is the first input row's beginning.
  void row_of_runs(const T* x, T* y) const {
    const T bounds[2] = {static_cast<T>(strip_.floor), static_cast<T>(strip_.ceiling)};
    RunsTile<T> t;
    set_epilogue(t, bounds);
    t.pixel = conv_.x.pixel * kBytes;
    t.row_rest = conv_.x.row * kBytes - runs_.reach * t.pixel;
    t.w = strip_.weights;
    t.tap = strip_.tap * kBytes;
    t.tap_rows = strip_.tap_rows;
    const int64_t width = s_.out[2];
    for (int64_t done = 0; done < width; done += runs_.columns) {
      // The last tile moves back over columns that are done, to be a whole one.
      const int64_t at = std::min(done, width - runs_.columns), position = at * s_.stride[2] - s_.pad[2];
      t.left = std::max<int64_t>(0, -position);
      t.right = std::max<int64_t>(0, position + runs_.reach - s_.in[2]);
      t.x = x + position * conv_.x.pixel;
      t.y = y + at * conv_.y.pixel;
      runs_.run(t, strip_.channels);
    }
  }
#endif

  // Sets the strip to the taps of an output row, whose kernel begins at the input row ih, that are inside the image;
  // gives the first input row under them.
  const T* start_row(int64_t image, int64_t ih) {
    const int64_t tap_first = std::clamp<int64_t>(ceil_div(-ih, s_.dilation[1]), 0, s_.kernel[1]);
    const int64_t tap_last = std::clamp<int64_t>(ceil_div(s_.in[1] - ih, s_.dilation[1]), tap_first, s_.kernel[1]);
    strip_.tap_rows = tap_last - tap_first;
    strip_.weights = conv_.weights + tap_first * strip_.group * s_.kernel[2] * strip_.tap + from_;
    return conv_.x.data + image * conv_.x.image + (ih + tap_first * s_.dilation[1]) * conv_.x.row +
           (is_planes() ? 0 : from_);
  }
  // The same of two output rows.
  const T* start_pair(int64_t image, int64_t ih) {
    const int64_t reach = s_.kernel[1] + s_.stride[1];
    strip_.row_low = std::clamp<int64_t>(-ih, 0, reach);
    strip_.row_high = std::clamp<int64_t>(s_.in[1] - ih, strip_.row_low, reach);
    strip_.weights = conv_.weights + from_;
    strip_.y_row = conv_.y.row;
    return conv_.x.data + image * conv_.x.image + (ih + strip_.row_low) * conv_.x.row + from_;
  }

  // Strided and dilated: each column is a strip of its own.
  void column_by_column(const T* x, T* y) {
    strip_.x_pixel = s_.dilation[2] * conv_.x.pixel;
    strip_.y_pixel = conv_.y.pixel;
    strip_.stride_w = 1;
    for (int64_t ow = 0; ow < s_.out[2]; ++ow) {
      const int64_t start = ow * s_.stride[2] - s_.pad[2];
      strip_.x = x + start * conv_.x.pixel;
      strip_.y = y + ow * conv_.y.pixel;
      columns_of(strip_, nullptr, start, s_.dilation[2], s_.in[2], 1);
    }
  }

  void by_phase(const T* x, T* y, const TileOf* tiles) {
    const int64_t dilation = s_.dilation[2], phases = is_by_phase() ? std::min(dilation, s_.out[2]) : 1;
    strip_.x_pixel = dilation * conv_.x.pixel;
    strip_.y_pixel = dilation * conv_.y.pixel;
    strip_.stride_w = s_.stride[2];
    for (int64_t f = 0; f < phases; ++f) {
      strip_.x = x + (f - s_.pad[2]) * conv_.x.pixel;
      strip_.y = y + f * conv_.y.pixel;
      columns_of(strip_, tiles, f - s_.pad[2], dilation, s_.in[2], ceil_div(s_.out[2] - f, dilation));
    }
  }

  // What comes after the sums of `count` rows: residual and activation, and the sums of channels.
  void finish(int64_t image, int64_t oh, int64_t count, T* y) const {
    for (int64_t i = 0; i < count && (has_residual() || activates_later_); ++i) {
      const T* residual = nullptr;
      if (has_residual()) {
        residual = conv_.residual.data + image * conv_.residual.image + (oh + i) * conv_.residual.row + from_;
      }
      finish_row(conv_, strip_.channels, y + i * conv_.y.row, residual);
    }
#ifndef WICK_HALF_TYPE
    if (!build::kMeans || conv_.sums == nullptr) return;
    for (int64_t i = 0; i < count; ++i) {
      add_pixels(y + i * conv_.y.row, s_.out[2], conv_.y.pixel, strip_.channels,
                 conv_.sums + image * s_.out_channels + from_);
    }
#endif
  }

  const Conv2dOf<T>& conv_;
  const ConvShape& s_;
  const int64_t from_;
  Strip strip_{};
  const TileOf* tiles_ = nullptr;  // null: columns_any
  const TileOf* pairs_ = nullptr;  // of two rows; null: none
#ifdef WICK_HAS_DEPTHWISE_RUNS
  RunsKind<T> runs_;
  bool has_planes_ = false;
#endif
  bool activates_later_ = false;
};

// Output rows [first, last) of all images. Where the rows under a kernel are more than the first-level cache keeps,
// some channels of all rows come before the others.
void depthwise_rows(const Conv2dOf<T>& conv, int64_t first, int64_t last) {
  const ConvShape& s = conv.shape;
  const int64_t vectors = s.in_channels / kLanes, fitting = kRowsBytes / (kBytes * kLanes * s.kernel[1] * s.in[2]);
  const bool in_parts = conv.method == ConvMethod::kDepthwise && fitting >= kLeastVectors &&
                        s.in_pixels() * s.in_channels * kBytes <= kImageBytes;
  const int64_t parts = in_parts ? std::max<int64_t>(1, ceil_div(vectors, fitting)) : 1;
  if (parts == 1) return SomeChannels(conv, 0, s.out_channels).run(first, last);
  // The last part has the channels that make no whole vector.
  for (int64_t i = 0; i < parts; ++i)
    SomeChannels(conv, vectors * i / parts * kLanes, i + 1 < parts ? vectors * (i + 1) / parts * kLanes : s.in_channels)
        .run(first, last);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
