// Softmax and layer normalization of float rows.
#include "kernels/norm.h"

#include <algorithm>
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
#if HWY_TARGET <= HWY_AVX2
  const auto mask = hn::FirstN(d, static_cast<size_t>(count));
  return hn::IfThenElse(mask, hn::MaskedLoad(mask, d, from), hn::Set(d, fill));
#else
  HWY_ALIGN float edge[kLanes];
  hn::Store(hn::Set(d, fill), d, edge);
  std::memcpy(edge, from, static_cast<size_t>(count) * sizeof(float));
  return hn::Load(d, edge);
#endif
}
HWY_INLINE void store_part(V v, float* to, int64_t count) {
  const D d;
#if HWY_TARGET <= HWY_AVX2
  hn::BlendedStore(v, hn::FirstN(d, static_cast<size_t>(count)), d, to);
#else
  HWY_ALIGN float edge[kLanes];
  hn::Store(v, d, edge);
  std::memcpy(to, edge, static_cast<size_t>(count) * sizeof(float));
#endif
}

// y[i] = f(x[i]) with the tail filled; x may be y.
template <class F>
HWY_INLINE void map_row(const float* x, float* y, int64_t n, float fill, F&& f) {
  const D d;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) hn::StoreU(f(hn::LoadU(d, x + i), i), d, y + i);
  if (i < n) store_part(f(load_part(x + i, n - i, fill), i), y + i, n - i);
}

// exp(x) for x <= 0: no overflow to guard against, and what would be denormal is 0. As the operator computes it.
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

// The same in fewer instructions, for attention, whose sums are added up in another order anyway.
HWY_INLINE V quick_exp_down(V x) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const V least = hn::Set(d, -87.0f);
  const auto vanishes = hn::Lt(x, least);
  const V bounded = hn::IfThenElse(vanishes, least, x);
  // exp(x) = 2^n exp(u): adding 1.5 * 2^23 rounds to an integer, whose low bits then are those of the sum.
  const V magic = hn::Set(d, 12582912.0f);
  const V shifted = hn::MulAdd(bounded, hn::Set(d, 1.44269504f), magic), n = hn::Sub(shifted, magic);
  const V u = hn::MulAdd(n, hn::Set(d, 2.12194440e-4f), hn::NegMulAdd(n, hn::Set(d, 0.693359375f), bounded));
  // Fitted to (exp(u) - 1 - u) / u^2 for |u| <= ln 2 / 2, within 4e-9.
  const V tail = horner(d, u, hn::Set(d, 1.381459823e-03f), 8.368717086e-03f, 4.166838807e-02f, 1.666652063e-01f,
                        4.999999345e-01f);
  const V p = hn::MulAdd(hn::Mul(u, u), tail, hn::Add(hn::Set(d, 1.0f), u));
  const auto power = hn::ShiftLeft<23>(hn::Add(hn::BitCast(du, shifted), hn::Set(du, 127)));
  return hn::IfThenZeroElse(vanishes, hn::Mul(p, hn::BitCast(d, power)));
}

// The largest of scale * x[i] + mask[i], which are written to y where there is a mask or a scale below 0: `written`.
float peak_of(const float* x, float* y, const float* mask, float scale, int64_t n, bool& written) {
  const D d;
  const V factor = hn::Set(d, scale);
  V most = hn::Set(d, -kInf);
  written = mask != nullptr || !(scale >= 0);
  if (written) {
    map_row(x, y, n, -kInf, [&](V v, int64_t i) HWY_ATTR {
      v = hn::Mul(v, factor);
      if (mask) v = hn::Add(v, i + kLanes <= n ? hn::LoadU(d, mask + i) : load_part(mask + i, n - i, -kInf));
      most = hn::Max(v, most);
      return v;
    });
    return hn::GetLane(hn::MaxOfLanes(d, most));
  }
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) most = hn::Max(hn::LoadU(d, x + i), most);
  if (i < n) most = hn::Max(load_part(x + i, n - i, -kInf), most);
  return hn::GetLane(hn::MaxOfLanes(d, hn::Mul(most, factor)));
}

// y[i] = exp(scale * x[i] - peak); returns their sum. A peak of -infinity counts as 0.
template <bool kQuick>
float exponentials(const float* x, float* y, float scale, int64_t n, float peak) {
  const D d;
  const V factor = hn::Set(d, scale), top = hn::Set(d, peak == -kInf ? 0.0f : peak);
  V total = hn::Zero(d);
  map_row(x, y, n, -kInf, [&](V v, int64_t) HWY_ATTR {
    const V z = hn::MulSub(v, factor, top), e = kQuick ? quick_exp_down(z) : exp_down(z);
    total = hn::Add(total, e);
    return e;
  });
  return hn::GetLane(hn::SumOfLanes(d, total));
}

// The rows' peaks come first: what a row's exponentials need is there when their turn comes.
void pieces(const SoftmaxPiece& p, float* shrink) {
  constexpr int64_t kAtOnce = 16;
  for (int64_t first = 0; first < p.rows; first += kAtOnce) {
    const int64_t last = std::min(p.rows, first + kAtOnce);
    bool written[kAtOnce];
    for (int64_t r = first; r < last; ++r) {
      const int64_t n = p.seen ? p.seen[r] : p.n;
      const float* mask = p.mask ? p.mask + r * p.mask_row : nullptr;
      const float old = p.peak[r];
      p.peak[r] = std::fmax(old, peak_of(p.x + r * p.row, p.x + r * p.row, mask, p.scale, n, written[r - first]));
      // A row without a finite value yet has nothing to shrink.
      shrink[r] = old == p.peak[r] ? 1.0f : old == -kInf ? 0.0f : std::exp(old - p.peak[r]);
    }
    for (int64_t r = first; r < last; ++r) {
      const int64_t n = p.seen ? p.seen[r] : p.n;
      float* x = p.x + r * p.row;
      p.sum[r] = p.sum[r] * shrink[r] + exponentials<true>(x, x, written[r - first] ? 1.0f : p.scale, n, p.peak[r]);
    }
  }
}

void times(float* x, float factor, int64_t n) {
  const D d;
  const V f = hn::Set(d, factor);
  map_row(x, x, n, 0.0f, [&](V v, int64_t) HWY_ATTR { return hn::Mul(v, f); });
}

void softmax(const float* x, int64_t x_row, float scale, float* y, int64_t y_row, int64_t rows, int64_t n) {
  for (int64_t r = 0; r < rows; ++r, x += x_row, y += y_row) {
    bool written;
    const float peak = peak_of(x, y, nullptr, scale, n, written);
    times(y, 1.0f / exponentials<false>(written ? y : x, y, written ? 1.0f : scale, n, peak), n);
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

HWY_EXPORT(pieces);
HWY_EXPORT(times);
HWY_EXPORT(softmax);
HWY_EXPORT(layer_norm);

void softmax_rows(const float* x, int64_t x_row, float scale, float* y, int64_t y_row, int64_t rows, int64_t n) {
  HWY_DYNAMIC_DISPATCH(softmax)(x, x_row, scale, y, y_row, rows, n);
}
void softmax_pieces(const SoftmaxPiece& p, float* shrink) { HWY_DYNAMIC_DISPATCH(pieces)(p, shrink); }
void scale_row(float* x, float factor, int64_t n) { HWY_DYNAMIC_DISPATCH(times)(x, factor, n); }
void layer_norm_rows(const float* x, int64_t x_row, const float* weight, const float* bias, float epsilon, float* y,
                     int64_t y_row, int64_t rows, int64_t n) {
  HWY_DYNAMIC_DISPATCH(layer_norm)(x, x_row, weight, bias, epsilon, y, y_row, rows, n);
}

}  // namespace wick::kernels
#endif
