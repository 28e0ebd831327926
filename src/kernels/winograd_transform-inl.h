// Per-target code of the input and output transforms of Winograd convolution; included once per target and element type
// (WICK_CONV_TYPE).
#if defined(WICK_WINOGRAD_TRANSFORM_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WICK_WINOGRAD_TRANSFORM_INL_H
#undef WICK_WINOGRAD_TRANSFORM_INL_H
#else
#define WICK_WINOGRAD_TRANSFORM_INL_H
#endif

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "kernels/divide.h"
#include "kernels/epilogue-inl.h"
#include "kernels/selected.h"
#include "kernels/tag-inl.h"
#include "kernels/winograd.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

using T = WICK_CONV_TYPE;
using D = TagOf<T>;
using V = hn::Vec<D>;
constexpr int64_t kLanes = HWY_LANES(T);

HWY_INLINE V load_part(const T* from, int64_t count) {
  const D d;
  if (count >= kLanes) return hn::LoadU(d, from);
  HWY_ALIGN T edge[kLanes] = {};
  std::memcpy(edge, from, static_cast<size_t>(count) * sizeof(T));
  return hn::Load(d, edge);
}
HWY_INLINE void store_part(V v, T* to, int64_t count) {
  const D d;
  if (count >= kLanes) return hn::StoreU(v, d, to);
  HWY_ALIGN T edge[kLanes];
  hn::Store(v, d, edge);
  std::memcpy(to, edge, static_cast<size_t>(count) * sizeof(T));
}

// One dimension of the transforms, part by part: what a part gives depends on few of the values, so that a whole tile
// fits the registers part by part. Input: of kTile + 2 values, kInputRows results a part.
template <int kTile>
constexpr int kInputRows = kTile == 4 ? 3 : 4;
template <int kTile, int kPart>
HWY_INLINE void input_part(const V* v, V* out) {
  const D d;
  if constexpr (kTile == 2) {
    out[0] = hn::Sub(v[0], v[2]);
    out[1] = hn::Add(v[1], v[2]);
    out[2] = hn::Sub(v[2], v[1]);
    out[3] = hn::Sub(v[1], v[3]);
  } else if constexpr (kPart == 0) {
    const V four = hn::Set(d, 4.0f);
    const V a = hn::NegMulAdd(four, v[2], v[4]), b = hn::NegMulAdd(four, v[1], v[3]);
    out[0] = hn::NegMulAdd(hn::Set(d, 5.0f), v[2], hn::MulAdd(four, v[0], v[4]));
    out[1] = hn::Add(a, b);
    out[2] = hn::Sub(a, b);
  } else {
    const V c = hn::Sub(v[4], v[2]), e = hn::Sub(v[3], v[1]), two = hn::Set(d, 2.0f);
    out[0] = hn::MulAdd(two, e, c);
    out[1] = hn::NegMulAdd(two, e, c);
    out[2] = hn::NegMulAdd(hn::Set(d, 5.0f), v[3], hn::MulAdd(hn::Set(d, 4.0f), v[1], v[5]));
  }
}
// Output: results kPart and kPart + 2 for a tile of 4, both for a tile of 2.
template <int kTile, int kPart>
HWY_INLINE void output_part(const V* v, V* out) {
  const D d;
  if constexpr (kTile == 2) {
    out[0] = hn::Add(v[0], hn::Add(v[1], v[2]));
    out[1] = hn::Sub(hn::Sub(v[1], v[2]), v[3]);
  } else if constexpr (kPart == 0) {
    const V sum = hn::Add(v[1], v[2]), far_sum = hn::Add(v[3], v[4]);
    out[0] = hn::Add(hn::Add(v[0], sum), far_sum);
    out[1] = hn::MulAdd(hn::Set(d, 4.0f), far_sum, sum);
  } else {
    const V difference = hn::Sub(v[1], v[2]), far_difference = hn::Sub(v[3], v[4]);
    out[0] = hn::MulAdd(hn::Set(d, 2.0f), far_difference, difference);
    out[1] = hn::Add(hn::MulAdd(hn::Set(d, 8.0f), far_difference, difference), v[5]);
  }
}

// Where a tile is: its first output position.
struct Place {
  int64_t image, h, w;
};
Place place_of(const WinogradStrip<T>& s, int64_t tile) {
  const int64_t row = tile / s.columns.tiles;
  return {row / s.rows.tiles, s.rows.start(row % s.rows.tiles), s.columns.start(tile % s.columns.tiles)};
}
struct Inside {
  int64_t first, last;
};
// Positions i in [0, count) with 0 <= start + i * step < size.
Inside inside(int64_t start, int64_t step, int64_t size, int64_t count) {
  const int64_t first = std::min(count, start >= 0 ? 0 : ceil_div(-start, step));
  const int64_t buffer = size - start;
  return {first, std::clamp<int64_t>(buffer <= 0 ? 0 : (buffer - 1) / step + 1, first, count)};
}

// Places (i, j) that are `row` and `column` apart. On ARM an address may be the sum of two registers: one for each row,
// and the distances of the columns. Elsewhere it is computed from what is given.
constexpr bool kKeepsPlaces = HWY_TARGET == HWY_NEON;
template <class P, int kRows, int kColumns>
class Places {
 public:
  HWY_INLINE Places(P* first, int64_t row, int64_t column) {
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) row_[i] = first + i * row;
    WICK_UNROLL
    for (int j = 1; j < kColumns; ++j) {
      column_[j] = j * column * static_cast<int64_t>(sizeof(P));
      __asm__("" : "+r"(column_[j]));
    }
  }
  HWY_INLINE P* at(int i, int j) const {
    if (j == 0) return row_[i];
    return reinterpret_cast<P*>(reinterpret_cast<uintptr_t>(row_[i]) + static_cast<uintptr_t>(column_[j]));
  }

 private:
  P* row_[kRows];
  int64_t column_[kColumns];  // bytes
};
struct NoPlaces {
  template <class P>
  HWY_INLINE NoPlaces(P*, int64_t, int64_t) {}
};
template <class P, int kRows, int kColumns>
using PlacesIfKept = std::conditional_t<kKeepsPlaces, Places<P, kRows, kColumns>, NoPlaces>;
template <class P, int kRows, int kColumns>
HWY_INLINE P* place(const Places<P, kRows, kColumns>& places, int i, int j, P*) {
  return places.at(i, j);
}
template <class P>
HWY_INLINE P* place(const NoPlaces&, int, int, P* computed) {
  return computed;
}

// A vector of channels of a tile at x, rows and pixels so far apart, to positions of v.
template <int kTile, int kPart>
HWY_INLINE void transform_input(const T* x, int64_t row, int64_t pixel, T* out, int64_t position) {
  constexpr int kSide = kTile + 2, kRows = kInputRows<kTile>;
  const D d;
  V middle[kRows][kSide];
  const PlacesIfKept<const T, kSide, kSide> from(x, row, pixel);
  WICK_UNROLL
  for (int j = 0; j < kSide; ++j) {
    V v[kSide], part[kRows];
    WICK_UNROLL
    for (int i = 0; i < kSide; ++i) v[i] = hn::LoadU(d, place(from, i, j, x + i * row + j * pixel));
    input_part<kTile, kPart>(v, part);
    WICK_UNROLL
    for (int i = 0; i < kRows; ++i) middle[i][j] = part[i];
  }
  out += kPart * kRows * kSide * position;
  const PlacesIfKept<T, kRows, kSide> to(out, kSide * position, position);
  WICK_UNROLL
  for (int i = 0; i < kRows; ++i) {
    V part[kRows];
    input_part<kTile, 0>(middle[i], part);
    WICK_UNROLL
    for (int j = 0; j < kRows; ++j) hn::StoreU(part[j], d, place(to, i, j, out + (i * kSide + j) * position));
    if constexpr (kRows < kSide) {
      input_part<kTile, 1>(middle[i], part);
      WICK_UNROLL
      for (int j = 0; j < kRows; ++j)
        hn::StoreU(part[j], d, place(to, i, kRows + j, out + (i * kSide + kRows + j) * position));
    }
  }
}

#if HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64 && !defined(WICK_SELECTION)
#define WICK_HAS_WHOLE_TRANSFORMS
// Tiles of 4x4 column by column and then row by row, with the columns' results in memory between them: a whole column
// has its common parts once, which is less than what memory costs. Points are 0, p, -p, 2p, -2p and infinity. float16
// takes a p of 3/4, for which the results' factors go up to 27/8 and not to 8, and what is rounded with them.
constexpr float kPoint = sizeof(T) == 2 ? 0.75f : 1.0f, kSquare = kPoint * kPoint;
HWY_INLINE void input_line(const V (&v)[6], V (&out)[6]) {
  const D d;
  const V near = hn::Set(d, kSquare), far = hn::Set(d, 4 * kSquare), sum = hn::Set(d, 5 * kSquare);
  const V product = hn::Set(d, 4 * kSquare * kSquare);
  const V p = hn::NegMulAdd(far, v[2], v[4]), q = hn::NegMulAdd(far, v[1], v[3]);
  if constexpr (sizeof(T) == 2) {
    const V point = hn::Set(d, kPoint), twice = hn::Set(d, 2 * kPoint);
    const V r = hn::NegMulAdd(near, v[2], v[4]), s = hn::NegMulAdd(near, v[1], v[3]);
    out[1] = hn::MulAdd(point, q, p);
    out[2] = hn::NegMulAdd(point, q, p);
    out[3] = hn::MulAdd(twice, s, r);
    out[4] = hn::NegMulAdd(twice, s, r);
  } else {
    const V r = hn::Sub(v[4], v[2]), s = hn::Sub(v[3], v[1]), t = hn::Add(s, s);
    out[1] = hn::Add(p, q);
    out[2] = hn::Sub(p, q);
    out[3] = hn::Add(r, t);
    out[4] = hn::Sub(r, t);
  }
  out[0] = hn::NegMulAdd(sum, v[2], hn::MulAdd(product, v[0], v[4]));
  out[5] = hn::NegMulAdd(sum, v[3], hn::MulAdd(product, v[1], v[5]));
}
HWY_INLINE void output_line(const V (&v)[6], V (&out)[4]) {
  const D d;
  const V s = hn::Add(v[1], v[2]), e = hn::Sub(v[1], v[2]), far_s = hn::Add(v[3], v[4]), far_e = hn::Sub(v[3], v[4]);
  out[0] = hn::Add(hn::Add(v[0], s), far_s);
  if constexpr (sizeof(T) == 2) {
    const auto weighed = [&](float a, V x, float b, V y)
                             HWY_ATTR { return hn::MulAdd(hn::Set(d, b), y, hn::Mul(hn::Set(d, a), x)); };
    out[1] = weighed(kPoint, e, 2 * kPoint, far_e);
    out[2] = weighed(kSquare, s, 4 * kSquare, far_s);
    out[3] = hn::Add(weighed(kPoint * kSquare, e, 8 * kPoint * kSquare, far_e), v[5]);
  } else {
    out[1] = hn::MulAdd(hn::Set(d, 2.0f), far_e, e);
    out[2] = hn::MulAdd(hn::Set(d, 4.0f), far_s, s);
    out[3] = hn::MulAdd(hn::Set(d, 8.0f), far_e, hn::Add(e, v[5]));
  }
}
// Or loads of further columns and rows are gathered in front, and there are not so many registers.
#define WICK_KEEP_LINE(lines) __asm__ volatile("" ::"r"(lines) : "memory")
// A vector of channels of a tile at x: rows and pixels so far apart, those in [first, last) inside the image.
HWY_INLINE void input_of_four(const T* x, int64_t row, int64_t pixel, Inside rows, Inside columns, T* out,
                              int64_t position) {
  const D d;
  static constexpr T kZeros[kLanes] = {};
  HWY_ALIGN T middle[36 * kLanes];
  const auto line_of = [&](const T* const(&from)[6], int64_t j) HWY_ATTR {
    V v[6], lines[6];
    WICK_UNROLL
    for (int i = 0; i < 6; ++i) v[i] = hn::LoadU(d, from[i]);
    input_line(v, lines);
    WICK_UNROLL
    for (int i = 0; i < 6; ++i) hn::Store(lines[i], d, middle + (j * 6 + i) * kLanes);
  };
  if (rows.first == 0 && rows.last == 6 && columns.first == 0 && columns.last == 6) {
    const Places<const T, 6, 6> places(x, row, pixel);
    WICK_UNROLL
    for (int j = 0; j < 6; ++j) {
      line_of({places.at(0, j), places.at(1, j), places.at(2, j), places.at(3, j), places.at(4, j), places.at(5, j)},
              j);
      WICK_KEEP_LINE(middle);
    }
  } else {
    std::fill(std::begin(middle), std::end(middle), T(0));
    const T* from[6];
    int64_t step[6];
    WICK_UNROLL
    for (int i = 0; i < 6; ++i) {
      const bool is_inside = i >= rows.first && i < rows.last;
      from[i] = is_inside ? x + i * row + columns.first * pixel : kZeros;
      step[i] = is_inside ? pixel : 0;
    }
#pragma GCC unroll 1
    for (int64_t j = columns.first; j < columns.last; ++j) {
      line_of(from, j);
      WICK_UNROLL
      for (int i = 0; i < 6; ++i) from[i] += step[i];
      WICK_KEEP_LINE(middle);
    }
  }
  const Places<T, 1, 6> places(out, 0, position);
#pragma GCC unroll 1
  for (int64_t i = 0; i < 6; ++i) {
    V v[6], lines[6];
    WICK_UNROLL
    for (int j = 0; j < 6; ++j) v[j] = hn::Load(d, middle + (j * 6 + i) * kLanes);
    input_line(v, lines);
    WICK_UNROLL
    for (int j = 0; j < 6; ++j) hn::StoreU(lines[j], d, places.at(0, j) + i * 6 * position);
  }
}
// finish(i, results) gets the first `rows` rows of results.
template <class F>
HWY_INLINE void output_of_four(const T* m, int64_t position, int64_t rows, const F& finish) {
  const D d;
  HWY_ALIGN T middle[24 * kLanes];
  const Places<const T, 6, 6> from(m, 6 * position, position);
  WICK_UNROLL
  for (int j = 0; j < 6; ++j) {
    V v[6], lines[4];
    WICK_UNROLL
    for (int i = 0; i < 6; ++i) v[i] = hn::LoadU(d, from.at(i, j));
    output_line(v, lines);
    WICK_UNROLL
    for (int i = 0; i < 4; ++i) hn::Store(lines[i], d, middle + (j * 4 + i) * kLanes);
    WICK_KEEP_LINE(middle);
  }
  // One place that finishes rows, so that it is inlined.
#pragma GCC unroll 1
  for (int i = 0; i < rows; ++i) {
    V v[6], lines[4];
    WICK_UNROLL
    for (int j = 0; j < 6; ++j) v[j] = hn::Load(d, middle + (j * 4 + i) * kLanes);
    output_line(v, lines);
    finish(i, lines);
  }
}
#endif

template <int kTile>
void input_tiles(const WinogradStrip<T>& s, int64_t from, int64_t to) {
  constexpr int kSide = kTile + 2;
  const D d;
  const Conv2dOf<T>& conv = *s.conv;
  const ConvShape& c = conv.shape;
  const int64_t row = conv.x.row * c.dilation[1], pixel = conv.x.pixel * c.dilation[2];
  HWY_ALIGN T edge[kSide * kSide * kLanes];
  for (int64_t t = from; t < to; ++t) {
    const Place place = place_of(s, s.first + t);
    const int64_t h = place.h - c.pad[1], w = place.w - c.pad[2];
    const Inside rows = inside(h, c.dilation[1], c.in[1], kSide), columns = inside(w, c.dilation[2], c.in[2], kSide);
    const bool whole = rows.first == 0 && rows.last == kSide && columns.first == 0 && columns.last == kSide;
    const T* x = conv.x.data + place.image * conv.x.image + h * conv.x.row + w * conv.x.pixel;
#ifdef WICK_HAS_WHOLE_TRANSFORMS
    if (kTile == 4 && c.in_channels % kLanes == 0) {
      const int64_t step = std::max<int64_t>(1, s.block);
      T* const out = s.block == 0 ? s.v + t * s.v_tile : s.v + t / step * step * s.v_tile + t % step * kLanes;
      for (int64_t at = 0; at < c.in_channels; at += kLanes)
        input_of_four(x + at, row, pixel, rows, columns, out + at * step, s.v_position);
      continue;
    }
#endif
    if (!whole) std::fill(std::begin(edge), std::end(edge), T(0));
    for (int64_t at = 0; at < c.in_channels; at += kLanes) {
      const int64_t count = std::min(kLanes, c.in_channels - at);
      const T* tile = x + at;
      int64_t tile_row = row, tile_pixel = pixel;
      if (!whole || count < kLanes) {
        for (int64_t i = rows.first; i < rows.last; ++i)
          for (int64_t j = columns.first; j < columns.last; ++j)
            hn::Store(load_part(x + i * row + j * pixel + at, count), d, edge + (i * kSide + j) * kLanes);
        tile = edge;
        tile_row = kSide * kLanes;
        tile_pixel = kLanes;
      }
      T* out = s.block == 0 ? s.v + t * s.v_tile + at
                            : s.v + t / s.block * s.block * s.v_tile + t % s.block * kLanes + at * s.block;
      transform_input<kTile, 0>(tile, tile_row, tile_pixel, out, s.v_position);
      if constexpr (kTile == 4) transform_input<kTile, 1>(tile, tile_row, tile_pixel, out, s.v_position);
    }
  }
}

// A row of a tile's results and where it goes.
struct Line {
  T* y;
  const T* residual;  // null: none
  int64_t y_pixel, residual_pixel;
  int64_t columns, count;  // results that exist, and channels of the vector
};

#ifdef WICK_HALF_TYPE
void activate_line(const Epilogue& e, T* v, int64_t n) {
  const D d;
  const V low = hn::Set(d, e.low), high = hn::Set(d, e.high);
  for (int64_t i = 0; i < n; i += kLanes)
    hn::StoreU(clamp_to(low, high, activate(d, e.activation, hn::LoadU(d, v + i))), d, v + i);
}
#else
void activate_line(const Epilogue& e, T* v, int64_t n) { apply_epilogue(e, v, v, n); }
#endif

template <int kTile>
HWY_INLINE void finish_line(const V* sums, V bias, const Epilogue& e, V low, V high, const Line& line) {
  const D d;
  V v[kTile];
  WICK_UNROLL
  for (int j = 0; j < kTile; ++j) v[j] = hn::Add(sums[j], bias);
#if HWY_TARGET == HWY_NEON
  // Most lines are whole, and nothing is to be asked of each vector.
  if (line.columns == kTile && line.count == kLanes && e.activation == Activation::kNone && !e.residual_last) {
    if (line.residual != nullptr) {
      const Places<const T, 1, kTile> added(line.residual, 0, line.residual_pixel);
      WICK_UNROLL
      for (int j = 0; j < kTile; ++j) v[j] = hn::Add(v[j], hn::LoadU(d, added.at(0, j)));
    }
    const Places<T, 1, kTile> to(line.y, 0, line.y_pixel);
    WICK_UNROLL
    for (int j = 0; j < kTile; ++j) hn::StoreU(clamp_to(low, high, v[j]), d, to.at(0, j));
    return;
  }
#endif
  if (line.residual != nullptr && !e.residual_last) {
    WICK_UNROLL
    for (int j = 0; j < kTile; ++j)
      if (j < line.columns) v[j] = hn::Add(v[j], load_part(line.residual + j * line.residual_pixel, line.count));
  }
  if (e.activation != Activation::kNone) {
    HWY_ALIGN T all[kTile * kLanes];
    WICK_UNROLL
    for (int j = 0; j < kTile; ++j) hn::Store(v[j], d, all + j * kLanes);
    activate_line(e, all, kTile * kLanes);
    WICK_UNROLL
    for (int j = 0; j < kTile; ++j) v[j] = hn::Load(d, all + j * kLanes);
  }
  WICK_UNROLL
  for (int j = 0; j < kTile; ++j) {
    if (j >= line.columns) break;
    V r = clamp_to(low, high, v[j]);
    if (line.residual != nullptr && e.residual_last)
      r = hn::Add(r, load_part(line.residual + j * line.residual_pixel, line.count));
    store_part(r, line.y + j * line.y_pixel, line.count);
  }
}

template <int kTile, int kPart, class F>
HWY_INLINE void transform_output(const T* m, int64_t position, F&& finish) {
  constexpr int kSide = kTile + 2, kStep = kTile / 2;
  const D d;
  V middle[2][kSide];
  const PlacesIfKept<const T, kSide, kSide> from(m, kSide * position, position);
  WICK_UNROLL
  for (int j = 0; j < kSide; ++j) {
    V v[kSide], part[2];
    WICK_UNROLL
    for (int i = 0; i < kSide; ++i) v[i] = hn::LoadU(d, place(from, i, j, m + (i * kSide + j) * position));
    output_part<kTile, kPart>(v, part);
    middle[0][j] = part[0];
    middle[1][j] = part[1];
  }
  WICK_UNROLL
  for (int i = 0; i < 2; ++i) {
    V row[kTile], part[2];
    output_part<kTile, 0>(middle[i], part);
    row[0] = part[0];
    row[kStep] = part[1];
    if constexpr (kTile == 4) {
      output_part<kTile, 1>(middle[i], part);
      row[1] = part[0];
      row[3] = part[1];
    }
    finish(kPart + i * kStep, row);
  }
}

template <int kTile>
void output_tiles(const WinogradStrip<T>& s, int64_t from, int64_t to) {
  const D d;
  const Conv2dOf<T>& conv = *s.conv;
  const ConvShape& c = conv.shape;
  const Epilogue& e = conv.epilogue;
  const V low = hn::Set(d, e.low), high = hn::Set(d, e.high);
  const ImageView<const T>& r = conv.residual;
  const int64_t y_row = conv.y.row * c.dilation[1], r_row = r.row * c.dilation[1];
  for (int64_t t = from; t < to; ++t) {
    const Place place = place_of(s, s.first + t);
    const int64_t rows = inside(place.h, c.dilation[1], c.out[1], kTile).last;
    Line line{};
    line.columns = inside(place.w, c.dilation[2], c.out[2], kTile).last;
    line.y_pixel = conv.y.pixel * c.dilation[2];
    line.residual_pixel = r.pixel * c.dilation[2];
    T* y = conv.y.data + place.image * conv.y.image + place.h * conv.y.row + place.w * conv.y.pixel;
    const T* residual =
        r.data == nullptr ? nullptr : r.data + place.image * r.image + place.h * r.row + place.w * r.pixel;
    for (int64_t at = 0; at < c.out_channels; at += kLanes) {
      line.count = std::min(kLanes, c.out_channels - at);
      const V bias = conv.bias ? load_part(conv.bias + at, line.count) : hn::Zero(d);
      const auto finish = [&](int i, const V* sums) HWY_ATTR {
        if (i >= rows) return;
        line.y = y + i * y_row + at;
        line.residual = residual == nullptr ? nullptr : residual + i * r_row + at;
        finish_line<kTile>(sums, bias, e, low, high, line);
      };
      const T* m = s.m + t * s.m_tile + at;
#ifdef WICK_HAS_WHOLE_TRANSFORMS
      if constexpr (kTile == 4) {
        output_of_four(m, s.m_position, rows, finish);
        continue;
      }
#endif
      transform_output<kTile, 0>(m, s.m_position, finish);
      if constexpr (kTile == 4) transform_output<kTile, 1>(m, s.m_position, finish);
    }
  }
}

// Calls f with the tile's side as a constant, one of those that are in the build.
template <class F>
HWY_INLINE void with_tile(int tile, const F& f) {
  if (build::kWinograd4 && (tile == 4 || !build::kWinograd2)) {
    if constexpr (build::kWinograd4) f(std::integral_constant<int, 4>());
  } else {
    if constexpr (build::kWinograd2) f(std::integral_constant<int, 2>());
  }
}

void input(const WinogradStrip<T>& s, int64_t from, int64_t to) {
  with_tile(s.tile, [&](auto side) { input_tiles<side()>(s, from, to); });
}
void output(const WinogradStrip<T>& s, int64_t from, int64_t to) {
  with_tile(s.tile, [&](auto side) { output_tiles<side()>(s, from, to); });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#endif
