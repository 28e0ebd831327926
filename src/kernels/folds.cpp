// Vectorized reductions of contiguous runs: sums, products, extremes, distances.
#include "kernels/folds.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/folds.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/doubles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using TagOf = hn::ScalableTag<T>;

struct Plus {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Add(a, b);
  }
};
struct Times {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Mul(a, b);
  }
};

// The vectors load(0), load(lanes), ... of n elements folded, four at a time; `last` loads the `count` elements at i
// and fills up with the neutral element.
template <class T, class Op, class Load, class Last>
HWY_INLINE T fold_vectors(int64_t n, T neutral, const Op& op, const Load& load, const Last& last) {
  const TagOf<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto s0 = hn::Set(d, neutral), s1 = s0, s2 = s0, s3 = s0;
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    s0 = op(s0, load(i));
    s1 = op(s1, load(i + lanes));
    s2 = op(s2, load(i + 2 * lanes));
    s3 = op(s3, load(i + 3 * lanes));
  }
  for (; i + lanes <= n; i += lanes) s0 = op(s0, load(i));
  if (i < n) s1 = op(s1, last(i, n - i));
  HWY_ALIGN T parts[hn::MaxLanes(d)];
  hn::Store(op(op(s0, s1), op(s2, s3)), d, parts);
  const hn::CappedTag<T, 1> one;
  auto total = hn::Set(one, parts[0]);
  for (int64_t k = 1; k < lanes; ++k) total = op(total, hn::Set(one, parts[k]));
  return hn::GetLane(total);
}

template <class T, class Op>
HWY_INLINE T fold_run(const T* x, int64_t n, T neutral, const Op& op) {
  const TagOf<T> d;
  const auto load = [=](int64_t i) HWY_ATTR { return hn::LoadU(d, x + i); };
  const auto last = [=](int64_t i, int64_t count) HWY_ATTR {
    HWY_ALIGN T rest[hn::MaxLanes(d)];
    std::fill_n(rest, hn::MaxLanes(d), neutral);
    std::memcpy(rest, x + i, static_cast<size_t>(count) * sizeof(T));
    return hn::Load(d, rest);
  };
  return fold_vectors(n, neutral, op, load, last);
}

double sum_doubles(const double* x, int64_t n) { return fold_run(x, n, 0.0, Plus()); }
int64_t sum_longs(const int64_t* x, int64_t n) { return fold_run(x, n, int64_t{0}, Plus()); }
float product_floats(const float* x, int64_t n) { return fold_run(x, n, 1.0F, Times()); }
double product_doubles(const double* x, int64_t n) { return fold_run(x, n, 1.0, Times()); }

double nansum(const float* x, int64_t n) {
  const TagOf<double> d;
  const hn::Rebind<float, TagOf<double>> h;
  const auto wide = [=](hn::Vec<decltype(h)> v)
                        HWY_ATTR { return hn::PromoteTo(d, hn::IfThenZeroElse(hn::IsNaN(v), v)); };
  const auto load = [=](int64_t i) HWY_ATTR { return wide(hn::LoadU(h, x + i)); };
  const auto last = [=](int64_t i, int64_t count) HWY_ATTR {
    HWY_ALIGN float rest[hn::MaxLanes(h)] = {};
    std::memcpy(rest, x + i, static_cast<size_t>(count) * sizeof(float));
    return wide(hn::Load(h, rest));
  };
  return fold_vectors(n, 0.0, Plus(), load, last);
}

template <bool kMax>
HWY_INLINE double extreme_of(const double* x, int64_t n) {
  const TagOf<double> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  auto b0 = hn::Set(d, x[0]), b1 = b0, nan = hn::Zero(d);
  const auto better = [](auto a, auto v) HWY_ATTR { return kMax ? hn::Max(a, v) : hn::Min(a, v); };
  int64_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto u = hn::LoadU(d, x + i), v = hn::LoadU(d, x + i + lanes);
    b0 = better(b0, u);
    b1 = better(b1, v);
    nan = hn::Or(nan, hn::VecFromMask(d, hn::Or(hn::IsNaN(u), hn::IsNaN(v))));
  }
  bool any_nan = !hn::AllFalse(d, hn::MaskFromVec(nan));
  b0 = better(b0, b1);
  double result = hn::GetLane(kMax ? hn::MaxOfLanes(d, b0) : hn::MinOfLanes(d, b0));
  for (; i < n; ++i) {
    any_nan = any_nan || std::isnan(x[i]);
    result = kMax ? std::max(result, x[i]) : std::min(result, x[i]);
  }
  return any_nan ? std::numeric_limits<double>::quiet_NaN() : result;
}
double max_of_doubles(const double* x, int64_t n) { return extreme_of<true>(x, n); }
double min_of_doubles(const double* x, int64_t n) { return extreme_of<false>(x, n); }

void add_scaled_longs(int64_t* acc, const int64_t* x, int64_t factor, int64_t n) {
  const TagOf<int64_t> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto scale = hn::Set(d, factor);
  int64_t i = 0;
  if (factor == 1) {
    for (; i + lanes <= n; i += lanes) {
      hn::StoreU(hn::Add(hn::LoadU(d, acc + i), hn::LoadU(d, x + i)), d, acc + i);
    }
  }
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::Add(hn::LoadU(d, acc + i), hn::Mul(hn::LoadU(d, x + i), scale)), d, acc + i);
  }
  for (; i < n; ++i) {
    acc[i] = static_cast<int64_t>(static_cast<uint64_t>(acc[i]) +
                                  static_cast<uint64_t>(factor) * static_cast<uint64_t>(x[i]));
  }
}

template <bool kSquared>
HWY_INLINE float sum_diff_of(const float* x, const float* y, int64_t n) {
  const TagOf<float> d;
  const auto term = [](auto a, auto b) HWY_ATTR {
    const auto apart = hn::Sub(a, b);
    return kSquared ? hn::Mul(apart, apart) : hn::Abs(apart);
  };
  const auto load = [=](int64_t i) HWY_ATTR { return term(hn::LoadU(d, x + i), hn::LoadU(d, y + i)); };
  const auto last = [=](int64_t i, int64_t count) HWY_ATTR {
    HWY_ALIGN float rest[2 * hn::MaxLanes(d)] = {};
    std::memcpy(rest, x + i, static_cast<size_t>(count) * sizeof(float));
    std::memcpy(rest + hn::MaxLanes(d), y + i, static_cast<size_t>(count) * sizeof(float));
    return term(hn::Load(d, rest), hn::Load(d, rest + hn::MaxLanes(d)));
  };
  return fold_vectors(n, 0.0F, Plus(), load, last);
}
float sum_abs_diff(const float* x, const float* y, int64_t n) { return sum_diff_of<false>(x, y, n); }
float sum_squared_diff(const float* x, const float* y, int64_t n) { return sum_diff_of<true>(x, y, n); }

}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(sum_doubles);
HWY_EXPORT(sum_longs);
HWY_EXPORT(nansum);
HWY_EXPORT(product_floats);
HWY_EXPORT(product_doubles);
HWY_EXPORT(max_of_doubles);
HWY_EXPORT(min_of_doubles);
HWY_EXPORT(add_scaled_longs);
HWY_EXPORT(sum_abs_diff);
HWY_EXPORT(sum_squared_diff);

double sum_f64(const double* x, int64_t n) { return HWY_DYNAMIC_DISPATCH(sum_doubles)(x, n); }
int64_t sum_i64(const int64_t* x, int64_t n) { return HWY_DYNAMIC_DISPATCH(sum_longs)(x, n); }
double nansum_f32(const float* x, int64_t n) { return HWY_DYNAMIC_DISPATCH(nansum)(x, n); }
float product_f32(const float* x, int64_t n) { return HWY_DYNAMIC_DISPATCH(product_floats)(x, n); }
double product_f64(const double* x, int64_t n) { return HWY_DYNAMIC_DISPATCH(product_doubles)(x, n); }
double max_of_f64(const double* x, int64_t n) { return HWY_DYNAMIC_DISPATCH(max_of_doubles)(x, n); }
double min_of_f64(const double* x, int64_t n) { return HWY_DYNAMIC_DISPATCH(min_of_doubles)(x, n); }
void add_scaled_i64(int64_t* acc, const int64_t* x, int64_t factor, int64_t n) {
  HWY_DYNAMIC_DISPATCH(add_scaled_longs)(acc, x, factor, n);
}
float sum_abs_diff_f32(const float* x, const float* y, int64_t n) {
  return HWY_DYNAMIC_DISPATCH(sum_abs_diff)(x, y, n);
}
float sum_squared_diff_f32(const float* x, const float* y, int64_t n) {
  return HWY_DYNAMIC_DISPATCH(sum_squared_diff)(x, y, n);
}

}  // namespace wick::kernels
#endif
