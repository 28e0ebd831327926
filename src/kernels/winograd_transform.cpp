#include <algorithm>
#include <cstring>

#include "kernels/targets.h"
#include "kernels/winograd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/winograd_transform.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/epilogue-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr int64_t kLanes = HWY_LANES(float);

HWY_INLINE V load_part(const float* from, int64_t count) {
  const D d;
  if (count >= kLanes) return hn::LoadU(d, from);
  HWY_ALIGN float edge[kLanes] = {};
  std::memcpy(edge, from, static_cast<size_t>(count) * sizeof(float));
  return hn::Load(d, edge);
}
HWY_INLINE void store_part(V v, float* to, int64_t count) {
  const D d;
  if (count >= kLanes) return hn::StoreU(v, d, to);
  HWY_ALIGN float edge[kLanes];
  hn::Store(v, d, edge);
  std::memcpy(to, edge, static_cast<size_t>(count) * sizeof(float));
}

// One dimension of the transforms, in place of their first values.
template <int kTile>
HWY_INLINE void input_line(V* v) {
  const D d;
  if constexpr (kTile == 2) {
    const V a = hn::Sub(v[0], v[2]), b = hn::Add(v[1], v[2]), c = hn::Sub(v[2], v[1]), e = hn::Sub(v[1], v[3]);
    v[0] = a, v[1] = b, v[2] = c, v[3] = e;
  } else {
    const V four = hn::Set(d, 4.0f), five = hn::Set(d, 5.0f), two = hn::Set(d, 2.0f);
    const V a = hn::NegMulAdd(four, v[2], v[4]), b = hn::NegMulAdd(four, v[1], v[3]);
    const V c = hn::Sub(v[4], v[2]), e = hn::Mul(two, hn::Sub(v[3], v[1]));
    const V first = hn::NegMulAdd(five, v[2], hn::MulAdd(four, v[0], v[4]));
    const V last = hn::NegMulAdd(five, v[3], hn::MulAdd(four, v[1], v[5]));
    v[0] = first;
    v[1] = hn::Add(a, b);
    v[2] = hn::Sub(a, b);
    v[3] = hn::Add(c, e);
    v[4] = hn::Sub(c, e);
    v[5] = last;
  }
}
template <int kTile>
HWY_INLINE void output_line(V* v) {
  const D d;
  const V sum = hn::Add(v[1], v[2]), difference = hn::Sub(v[1], v[2]);
  if constexpr (kTile == 2) {
    v[0] = hn::Add(v[0], sum);
    v[1] = hn::Sub(difference, v[3]);
  } else {
    const V far_sum = hn::Add(v[3], v[4]), far_difference = hn::Sub(v[3], v[4]);
    v[0] = hn::Add(hn::Add(v[0], sum), far_sum);
    v[1] = hn::MulAdd(hn::Set(d, 2.0f), far_difference, difference);
    v[2] = hn::MulAdd(hn::Set(d, 4.0f), far_sum, sum);
    v[3] = hn::Add(hn::MulAdd(hn::Set(d, 8.0f), far_difference, difference), v[5]);
  }
}

// Where a tile is. Rows i of its input are at start_h + i * step_h of the image.
struct Place {
  int64_t image, start_h, start_w;  // of the input, before padding is taken off: the first output position
};
Place place_of(const WinogradStrip& s, int64_t tile) {
  const ConvShape& c = s.conv->shape;
  const int64_t phases_w = std::min(c.dilation[2], c.out[2]), phases_h = std::min(c.dilation[1], c.out[1]);
  const int64_t w = tile % s.tiles_w, row = tile / s.tiles_w, h = row % s.tiles_h, rest = row / s.tiles_h;
  const int64_t phase_w = rest % phases_w, phase_h = rest / phases_w % phases_h;
  return {rest / phases_w / phases_h, h * s.tile * c.dilation[1] + phase_h, w * s.tile * c.dilation[2] + phase_w};
}
struct Inside {
  int64_t first, last;
};
// Positions i in [0, count) with 0 <= start + i * step < size.
Inside inside(int64_t start, int64_t step, int64_t size, int64_t count) {
  const int64_t first = std::min(count, start >= 0 ? 0 : (-start + step - 1) / step);
  const int64_t room = size - start;
  return {first, std::clamp<int64_t>(room <= 0 ? 0 : (room - 1) / step + 1, first, count)};
}

template <int kTile>
void input_tiles(const WinogradStrip& s, int64_t from, int64_t to) {
  constexpr int kSide = kTile + 2;
  const D d;
  const Conv2d& conv = *s.conv;
  const ConvShape& c = conv.shape;
  const int64_t row = conv.x.row * c.dilation[1], pixel = conv.x.pixel * c.dilation[2];
  for (int64_t t = from; t < to; ++t) {
    const Place place = place_of(s, s.first + t);
    const int64_t h = place.start_h - c.pad[1], w = place.start_w - c.pad[2];
    const Inside rows = inside(h, c.dilation[1], c.in[1], kSide), columns = inside(w, c.dilation[2], c.in[2], kSide);
    const bool whole = rows.first == 0 && rows.last == kSide && columns.first == 0 && columns.last == kSide;
    const float* x = conv.x.data + place.image * conv.x.image + h * conv.x.row + w * conv.x.pixel;
    for (int64_t at = 0; at < c.in_channels; at += kLanes) {
      const int64_t count = std::min(kLanes, c.in_channels - at);
      HWY_ALIGN float middle[kSide * kSide * kLanes];
      for (int j = 0; j < kSide; ++j) {
        V v[kSide];
        const float* column = x + j * pixel + at;
        if (whole && count == kLanes) {
          WICK_UNROLL
          for (int i = 0; i < kSide; ++i) v[i] = hn::LoadU(d, column + i * row);
        } else {
          const bool valid = j >= columns.first && j < columns.last;
          WICK_UNROLL
          for (int i = 0; i < kSide; ++i)
            v[i] = valid && i >= rows.first && i < rows.last ? load_part(column + i * row, count) : hn::Zero(d);
        }
        input_line<kTile>(v);
        WICK_UNROLL
        for (int i = 0; i < kSide; ++i) hn::Store(v[i], d, middle + (i * kSide + j) * kLanes);
      }
      float* out = s.v + t * s.v_tile + at;
      for (int i = 0; i < kSide; ++i) {
        V v[kSide];
        WICK_UNROLL
        for (int j = 0; j < kSide; ++j) v[j] = hn::Load(d, middle + (i * kSide + j) * kLanes);
        input_line<kTile>(v);
        WICK_UNROLL
        for (int j = 0; j < kSide; ++j) hn::StoreU(v[j], d, out + (i * kSide + j) * s.v_position);
      }
    }
  }
}

template <int kTile>
void output_tiles(const WinogradStrip& s, int64_t from, int64_t to) {
  constexpr int kSide = kTile + 2;
  const D d;
  const Conv2d& conv = *s.conv;
  const ConvShape& c = conv.shape;
  const Epilogue& e = conv.epilogue;
  const V low = hn::Set(d, e.low), high = hn::Set(d, e.high);
  const bool adds = conv.residual.data != nullptr;
  for (int64_t t = from; t < to; ++t) {
    const Place place = place_of(s, s.first + t);
    const Inside rows = inside(place.start_h, c.dilation[1], c.out[1], kTile);
    const Inside columns = inside(place.start_w, c.dilation[2], c.out[2], kTile);
    float* y = conv.y.data + place.image * conv.y.image + place.start_h * conv.y.row + place.start_w * conv.y.pixel;
    const float* residual =
        conv.residual.data + (adds ? place.image * conv.residual.image + place.start_h * conv.residual.row +
                                         place.start_w * conv.residual.pixel
                                   : 0);
    for (int64_t at = 0; at < c.out_channels; at += kLanes) {
      const int64_t count = std::min(kLanes, c.out_channels - at);
      HWY_ALIGN float middle[kTile * kSide * kLanes];
      const float* in = s.m + t * s.m_tile + at;
      for (int j = 0; j < kSide; ++j) {
        V v[kSide];
        WICK_UNROLL
        for (int i = 0; i < kSide; ++i) v[i] = hn::LoadU(d, in + (i * kSide + j) * s.m_position);
        output_line<kTile>(v);
        WICK_UNROLL
        for (int i = 0; i < kTile; ++i) hn::Store(v[i], d, middle + (i * kSide + j) * kLanes);
      }
      const V bias = conv.bias ? load_part(conv.bias + at, count) : hn::Zero(d);
      for (int64_t i = 0; i < rows.last; ++i) {
        V v[kSide];
        WICK_UNROLL
        for (int j = 0; j < kSide; ++j) v[j] = hn::Load(d, middle + (i * kSide + j) * kLanes);
        output_line<kTile>(v);
        HWY_ALIGN float line[kTile * kLanes];
        WICK_UNROLL
        for (int j = 0; j < kTile; ++j) hn::Store(v[j], d, line + j * kLanes);
        const auto residual_at = [&](int64_t j) {
          return residual + i * c.dilation[1] * conv.residual.row + j * c.dilation[2] * conv.residual.pixel + at;
        };
        for (int j = 0; j < kTile; ++j) {
          V r = hn::Add(hn::Load(d, line + j * kLanes), bias);
          if (adds && !e.residual_last && j < columns.last) r = hn::Add(r, load_part(residual_at(j), count));
          hn::Store(r, d, line + j * kLanes);
        }
        if (e.activation != Activation::kNone) apply_epilogue(e, line, line, kTile * kLanes);
        float* to_row = y + i * c.dilation[1] * conv.y.row + at;
        for (int64_t j = 0; j < columns.last; ++j) {
          V r = clamp_to(low, high, hn::Load(d, line + j * kLanes));
          if (adds && e.residual_last) r = hn::Add(r, load_part(residual_at(j), count));
          store_part(r, to_row + j * c.dilation[2] * conv.y.pixel, count);
        }
      }
    }
  }
}

void input(const WinogradStrip& s, int64_t from, int64_t to) {
  (s.tile == 4 ? &input_tiles<4> : &input_tiles<2>)(s, from, to);
}
void output(const WinogradStrip& s, int64_t from, int64_t to) {
  (s.tile == 4 ? &output_tiles<4> : &output_tiles<2>)(s, from, to);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(input);
HWY_EXPORT(output);

void winograd_input(const WinogradStrip& strip, int64_t from, int64_t to) {
  HWY_DYNAMIC_DISPATCH(input)(strip, from, to);
}
void winograd_output(const WinogradStrip& strip, int64_t from, int64_t to) {
  HWY_DYNAMIC_DISPATCH(output)(strip, from, to);
}

}  // namespace wick::kernels
#endif
