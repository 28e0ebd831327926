// Vectorized activations, trigonometric functions and reductions of floats.
#include "kernels/math.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/math.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/doubles-inl.h"
#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

template <class Op>
HWY_INLINE void map_one(void* const* p, int64_t n, const Op& op) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const float* x = static_cast<const float*>(p[1]);
  float* out = static_cast<float*>(p[0]);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(op(hn::LoadU(d, x + i)), d, out + i);
  if (i == n) return;
  HWY_ALIGN float rest[hn::MaxLanes(d)] = {};
  std::memcpy(rest, x + i, static_cast<size_t>(n - i) * sizeof(float));
  hn::Store(op(hn::Load(d, rest)), d, rest);
  std::memcpy(out + i, rest, static_cast<size_t>(n - i) * sizeof(float));
}

template <class Op>
HWY_INLINE void map_two(void* const* p, int64_t n, const Op& op) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const float* x = static_cast<const float*>(p[1]);
  const float* y = static_cast<const float*>(p[2]);
  float* out = static_cast<float*>(p[0]);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(op(hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, out + i);
  if (i == n) return;
  HWY_ALIGN float a[hn::MaxLanes(d)] = {};
  HWY_ALIGN float b[hn::MaxLanes(d)] = {};
  const size_t bytes = static_cast<size_t>(n - i) * sizeof(float);
  std::memcpy(a, x + i, bytes);
  std::memcpy(b, y + i, bytes);
  hn::Store(op(hn::Load(d, a), hn::Load(d, b)), d, a);
  std::memcpy(out + i, a, bytes);
}

#define WICK_UNARY(name, expression)                         \
  void name(void* const* p, int64_t n, const void*) {        \
    const D d;                                               \
    map_one(p, n, [d](V x) HWY_ATTR { return expression; }); \
  }
#define WICK_BINARY(name, expression)                            \
  void name(void* const* p, int64_t n, const void*) {            \
    map_two(p, n, [](V x, V y) HWY_ATTR { return expression; }); \
  }
// The parameters are the vectors a, b and c.
#define WICK_PARAMETERS(count)                        \
  const D d;                                          \
  const float* q = static_cast<const float*>(params); \
  const V a = hn::Set(d, q[0]);                       \
  const V b = hn::Set(d, (count) > 1 ? q[1] : 0.0f);  \
  const V c = hn::Set(d, (count) > 2 ? q[2] : 0.0f);  \
  (void)a, (void)b, (void)c;
#define WICK_UNARY_WITH(name, count, expression)             \
  void name(void* const* p, int64_t n, const void* params) { \
    WICK_PARAMETERS(count)                                   \
    map_one(p, n, [=](V x) HWY_ATTR { return expression; }); \
  }
#define WICK_BINARY_WITH(name, expression)                        \
  void name(void* const* p, int64_t n, const void* params) {      \
    WICK_PARAMETERS(1)                                            \
    map_two(p, n, [=](V x, V y) HWY_ATTR { return expression; }); \
  }

WICK_BINARY(add, hn::Add(x, y))
WICK_BINARY(sub, hn::Sub(x, y))
WICK_BINARY(mul, hn::Mul(x, y))
WICK_BINARY(div, hn::Div(x, y))
WICK_BINARY(maximum, hn::IfThenElse(hn::Or(hn::Gt(x, y), hn::IsNaN(x)), x, y))
WICK_BINARY(minimum, hn::IfThenElse(hn::Or(hn::Lt(x, y), hn::IsNaN(x)), x, y))
WICK_BINARY_WITH(add_scaled, hn::Add(x, hn::Mul(a, y)))
WICK_BINARY_WITH(sub_scaled, hn::Sub(x, hn::Mul(a, y)))

WICK_UNARY(neg, hn::Xor(x, hn::Set(d, -0.0f)))
WICK_UNARY(abs, hn::Abs(x))
WICK_UNARY(square, hn::Mul(x, x))
WICK_UNARY(sqrt, hn::Sqrt(x))
WICK_UNARY(rsqrt, hn::Div(hn::Set(d, 1.0f), hn::Sqrt(x)))
WICK_UNARY(reciprocal, hn::Div(hn::Set(d, 1.0f), x))
WICK_UNARY(floor, hn::Floor(x))
WICK_UNARY(ceil, hn::Ceil(x))
WICK_UNARY(trunc, hn::Trunc(x))
WICK_UNARY(exp, exp_of(d, x))
WICK_UNARY(log, log_of(d, x))
WICK_UNARY(tanh, tanh_of(d, x))
WICK_UNARY(sigmoid, sigmoid_of(d, x))
WICK_UNARY(erf, erf_of(d, x))
WICK_UNARY(relu, hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x))
WICK_UNARY(silu, hn::Div(x, hn::Add(hn::Set(d, 1.0f), exp_of(d, hn::Neg(x)))))
WICK_UNARY(gelu, hn::Mul(hn::Mul(x, hn::Set(d, 0.5f)),
                         hn::Add(hn::Set(d, 1.0f), erf_of(d, hn::Mul(x, hn::Set(d, 0.707106781f))))))

HWY_INLINE V gelu_tanh_of(D d, V x) {
  const V cube = hn::Mul(hn::Mul(x, x), x);
  const V inner = hn::Mul(hn::Set(d, 0.797884561f), hn::MulAdd(hn::Set(d, 0.044715f), cube, x));
  return hn::Mul(hn::Mul(hn::Set(d, 0.5f), x), hn::Add(hn::Set(d, 1.0f), tanh_of(d, inner)));
}
WICK_UNARY(gelu_tanh, gelu_tanh_of(d, x))

HWY_INLINE V hard_gate(D d, V x) {
  const V v = hn::Add(x, hn::Set(d, 3.0f)), six = hn::Set(d, 6.0f);
  const V low = hn::IfThenZeroElse(hn::Lt(v, hn::Zero(d)), v);
  return hn::IfThenElse(hn::Gt(low, six), six, low);
}
WICK_UNARY(hardsigmoid, hn::Div(hard_gate(d, x), hn::Set(d, 6.0f)))
WICK_UNARY(hardswish, hn::Div(hn::Mul(x, hard_gate(d, x)), hn::Set(d, 6.0f)))

HWY_INLINE V log_sigmoid_of(D d, V x) {
  const V low = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), x, hn::Zero(d));
  return hn::Sub(low, log1p_of(d, exp_of(d, hn::Neg(hn::Abs(x)))));
}
WICK_UNARY(log_sigmoid, hn::IfThenElse(hn::IsNaN(x), x, log_sigmoid_of(d, x)))
WICK_UNARY(mish, mish_of(d, x))

WICK_UNARY_WITH(clamp, 2,
                hn::IfThenElse(hn::Lt(b, hn::IfThenElse(hn::Lt(x, a), a, x)), b, hn::IfThenElse(hn::Lt(x, a), a, x)))
WICK_UNARY_WITH(clamp_min, 1, hn::IfThenElse(hn::Lt(x, a), a, x))
WICK_UNARY_WITH(clamp_max, 2, hn::IfThenElse(hn::Lt(b, x), b, x))
WICK_UNARY_WITH(leaky_relu, 1, hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(x, a)))
WICK_UNARY_WITH(elu, 3,
                hn::IfThenElse(hn::Lt(x, hn::Zero(d)),
                               hn::Mul(expm1_of(d, hn::Min(hn::Mul(x, c), hn::Set(d, 80.0f))), a), hn::Mul(x, b)))
WICK_UNARY_WITH(softplus, 2,
                hn::IfThenElse(hn::Gt(hn::Mul(x, a), b), x, hn::Div(log1p_of(d, exp_of(d, hn::Mul(x, a))), a)))

// Arguments past the reduction's range go through the C library, a vector's worth at a time.
template <int kQuadrant>
HWY_INLINE void trigonometric(void* const* p, int64_t n) {
  const D d;
  map_one(p, n, [d](V x) HWY_ATTR {
    const auto wide = hn::Not(hn::Le(hn::Abs(x), hn::Set(d, kTrigonometricLimit)));
    if (HWY_LIKELY(hn::AllFalse(d, wide))) return sin_of<kQuadrant>(d, x);
    HWY_ALIGN float v[hn::MaxLanes(d)];
    hn::Store(x, d, v);
    for (size_t i = 0; i < hn::Lanes(d); ++i) v[i] = kQuadrant == 0 ? std::sin(v[i]) : std::cos(v[i]);
    return hn::Load(d, v);
  });
}
void sin(void* const* p, int64_t n, const void*) { trigonometric<0>(p, n); }
void cos(void* const* p, int64_t n, const void*) { trigonometric<1>(p, n); }

using DD = hn::ScalableTag<double>;
using VD = hn::Vec<DD>;
using Narrow = hn::Rebind<float, DD>;

// Folds all elements as doubles, four vectors at a time.
template <class Op>
HWY_INLINE double fold_wide(const float* x, int64_t n, const Op& op) {
  const DD d;
  const Narrow h;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  VD s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    s0 = op(s0, hn::PromoteTo(d, hn::LoadU(h, x + i)));
    s1 = op(s1, hn::PromoteTo(d, hn::LoadU(h, x + i + lanes)));
    s2 = op(s2, hn::PromoteTo(d, hn::LoadU(h, x + i + 2 * lanes)));
    s3 = op(s3, hn::PromoteTo(d, hn::LoadU(h, x + i + 3 * lanes)));
  }
  for (; i + lanes <= n; i += lanes) s0 = op(s0, hn::PromoteTo(d, hn::LoadU(h, x + i)));
  if (i < n) {
    HWY_ALIGN float rest[hn::MaxLanes(h)] = {};
    std::memcpy(rest, x + i, static_cast<size_t>(n - i) * sizeof(float));
    s1 = op(s1, hn::PromoteTo(d, hn::Load(h, rest)));
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

double sum(const float* x, int64_t n) {
  return fold_wide(x, n, [](VD s, VD v) HWY_ATTR { return hn::Add(s, v); });
}
double sum_squares(const float* x, int64_t n) {
  return fold_wide(x, n, [](VD s, VD v) HWY_ATTR { return hn::MulAdd(v, v, s); });
}

void add_into(double* acc, const float* x, int64_t n) {
  const DD d;
  const Narrow h;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::Add(hn::LoadU(d, acc + i), hn::PromoteTo(d, hn::LoadU(h, x + i))), d, acc + i);
  }
  for (; i < n; ++i) acc[i] += static_cast<double>(x[i]);
}

template <bool kMax>
HWY_INLINE float extreme(const float* x, int64_t n) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  V best = hn::Set(d, x[0]), nan = hn::Zero(d);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const V v = hn::LoadU(d, x + i);
    best = kMax ? hn::Max(best, v) : hn::Min(best, v);
    nan = hn::Or(nan, hn::VecFromMask(d, hn::IsNaN(v)));
  }
  bool any_nan = !hn::AllFalse(d, hn::MaskFromVec(nan));
  float result = hn::GetLane(kMax ? hn::MaxOfLanes(d, best) : hn::MinOfLanes(d, best));
  for (; i < n; ++i) {
    any_nan = any_nan || std::isnan(x[i]);
    result = kMax ? std::max(result, x[i]) : std::min(result, x[i]);
  }
  return any_nan ? std::numeric_limits<float>::quiet_NaN() : result;
}
float max_of(const float* x, int64_t n) { return extreme<true>(x, n); }
float min_of(const float* x, int64_t n) { return extreme<false>(x, n); }

}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

#define X(name)     \
  HWY_EXPORT(name); \
  void name##_f32(void* const* p, int64_t n, const void* params) { HWY_DYNAMIC_DISPATCH(name)(p, n, params); }
WICK_FLOAT_KERNELS(X)
#undef X

HWY_EXPORT(sum);
HWY_EXPORT(sum_squares);
HWY_EXPORT(add_into);
HWY_EXPORT(max_of);
HWY_EXPORT(min_of);
double sum_f32(const float* x, int64_t n) { return HWY_DYNAMIC_DISPATCH(sum)(x, n); }
double sum_squares_f32(const float* x, int64_t n) { return HWY_DYNAMIC_DISPATCH(sum_squares)(x, n); }
void add_into_f64(double* acc, const float* x, int64_t n) { HWY_DYNAMIC_DISPATCH(add_into)(acc, x, n); }
float max_of_f32(const float* x, int64_t n) { return HWY_DYNAMIC_DISPATCH(max_of)(x, n); }
float min_of_f32(const float* x, int64_t n) { return HWY_DYNAMIC_DISPATCH(min_of)(x, n); }

}  // namespace wick::kernels
#endif
