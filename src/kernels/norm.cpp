#include "kernels/norm.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/norm.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr int64_t kLanes = HWY_LANES(float);
constexpr float kInf = std::numeric_limits<float>::infinity();

// The first `count` elements (fewer than a vector), the rest `fill`.
HWY_INLINE V load_part(const float* from, int64_t count, float fill) {
  const D d;
  HWY_ALIGN float edge[kLanes];
  hn::Store(hn::Set(d, fill), d, edge);
  std::memcpy(edge, from, static_cast<size_t>(count) * sizeof(float));
  return hn::Load(d, edge);
}
HWY_INLINE void store_part(V v, float* to, int64_t count) {
  const D d;
  HWY_ALIGN float edge[kLanes];
  hn::Store(v, d, edge);
  std::memcpy(to, edge, static_cast<size_t>(count) * sizeof(float));
}

// y[i] = f(x[i]) with the tail filled; x may be y.
template <class F>
HWY_INLINE void map_row(const float* x, float* y, int64_t n, float fill, F&& f) {
  const D d;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) hn::StoreU(f(hn::LoadU(d, x + i), i), d, y + i);
  if (i < n) store_part(f(load_part(x + i, n - i, fill), i), y + i, n - i);
}

// exp(x) for x <= 0: no overflow to guard against, and what would be denormal is 0.
HWY_INLINE V exp_down(V x) {
  const D d;
  const hn::RebindToSigned<D> di;
  const V least = hn::Set(d, -87.0f);
  const auto vanishes = hn::Lt(x, least);
  const V bounded = hn::IfThenElse(vanishes, least, x);
  hn::Vec<decltype(di)> n;
  const V p = hn::Add(reduced_expm1(d, bounded, n), hn::Set(d, 1.0f));
  return hn::IfThenZeroElse(vanishes, hn::Mul(p, power_of_two(d, n)));
}

// As softmax_piece, from another row.
float piece_of(const float* from, float* x, const float* mask, float scale, int64_t n, float& peak, float& sum) {
  const D d;
  const V factor = hn::Set(d, scale);
  V most = hn::Set(d, -kInf);
  map_row(from, x, n, -kInf, [&](V v, int64_t i) HWY_ATTR {
    v = hn::Mul(v, factor);
    if (mask) v = hn::Add(v, i + kLanes <= n ? hn::LoadU(d, mask + i) : load_part(mask + i, n - i, -kInf));
    most = hn::Max(v, most);
    return v;
  });
  const float old = peak, now = std::fmax(peak, hn::GetLane(hn::MaxOfLanes(d, most)));
  peak = now;
  // A row without a finite value yet has nothing to shrink.
  const float level = now == -kInf ? 0.0f : now;
  const V top = hn::Set(d, level);
  V total = hn::Zero(d);
  map_row(x, x, n, -kInf, [&](V v, int64_t) HWY_ATTR {
    const V e = exp_down(hn::Sub(v, top));
    total = hn::Add(total, e);
    return e;
  });
  const float shrink = old == now ? 1.0f : std::exp(old - level);
  sum = sum * shrink + hn::GetLane(hn::SumOfLanes(d, total));
  return shrink;
}

float piece(float* x, const float* mask, float scale, int64_t n, float& peak, float& sum) {
  return piece_of(x, x, mask, scale, n, peak, sum);
}

void times(float* x, float factor, int64_t n) {
  const D d;
  const V f = hn::Set(d, factor);
  map_row(x, x, n, 0.0f, [&](V v, int64_t) HWY_ATTR { return hn::Mul(v, f); });
}

void softmax(const float* x, int64_t x_row, float scale, float* y, int64_t y_row, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += x_row, y += y_row) {
    float peak = -kInf, sum = 0;
    piece_of(x, y, nullptr, scale, n, peak, sum);
    times(y, 1.0f / sum, n);
  }
}

// Sum over a row of f(x[i]); two sums side by side hide the latency of an addition.
template <class F>
HWY_INLINE float sum_row(const float* x, int64_t n, float fill, F&& f) {
  const D d;
  V a = hn::Zero(d), b = hn::Zero(d);
  int64_t i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    a = hn::Add(a, f(hn::LoadU(d, x + i)));
    b = hn::Add(b, f(hn::LoadU(d, x + i + kLanes)));
  }
  if (i + kLanes <= n) {
    a = hn::Add(a, f(hn::LoadU(d, x + i)));
    i += kLanes;
  }
  if (i < n) b = hn::Add(b, f(load_part(x + i, n - i, fill)));
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(a, b)));
}

void layer_norm(const float* x, int64_t x_row, const float* weight, const float* bias, float epsilon, float* y,
                int64_t y_row, int64_t rows, int64_t n) {
  const D d;
  const float count = static_cast<float>(n);
  for (int64_t r = 0; r < rows; ++r, x += x_row, y += y_row) {
    const float mean = sum_row(x, n, 0.0f, [](V v) HWY_ATTR { return v; }) / count;
    const V middle = hn::Set(d, mean);
    const float squares = sum_row(x, n, mean, [&](V v) HWY_ATTR {
      const V off = hn::Sub(v, middle);
      return hn::Mul(off, off);
    });
    const V inverse = hn::Set(d, 1.0f / std::sqrt(squares / count + epsilon));
    map_row(x, y, n, 0.0f, [&](V v, int64_t i) HWY_ATTR {
      const bool whole = i + kLanes <= n;
      v = hn::Mul(hn::Sub(v, middle), inverse);
      if (weight) v = hn::Mul(v, whole ? hn::LoadU(d, weight + i) : load_part(weight + i, n - i, 0));
      if (bias) v = hn::Add(v, whole ? hn::LoadU(d, bias + i) : load_part(bias + i, n - i, 0));
      return v;
    });
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(piece);
HWY_EXPORT(times);
HWY_EXPORT(softmax);
HWY_EXPORT(layer_norm);

void softmax_rows(const float* x, int64_t x_row, float scale, float* y, int64_t y_row, int64_t rows, int64_t n) {
  HWY_DYNAMIC_DISPATCH(softmax)(x, x_row, scale, y, y_row, rows, n);
}
float softmax_piece(float* x, const float* mask, float scale, int64_t n, float& peak, float& sum) {
  return HWY_DYNAMIC_DISPATCH(piece)(x, mask, scale, n, peak, sum);
}
void scale_row(float* x, float factor, int64_t n) { HWY_DYNAMIC_DISPATCH(times)(x, factor, n); }
void layer_norm_rows(const float* x, int64_t x_row, const float* weight, const float* bias, float epsilon, float* y,
                     int64_t y_row, int64_t rows, int64_t n) {
  HWY_DYNAMIC_DISPATCH(layer_norm)(x, x_row, weight, bias, epsilon, y, y_row, rows, n);
}

}  // namespace wick::kernels
#endif
