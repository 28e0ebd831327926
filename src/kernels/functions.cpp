// Vectorized elementary functions of contiguous floats and doubles.
#include "kernels/functions.h"

#include <cmath>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/functions.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "hwy/contrib/math/math-inl.h"
#include "kernels/doubles-inl.h"
#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {

template <class T>
using Tag = hn::ScalableTag<T>;

// out[i] = fast(x[i]) where every element of a vector is within [low, high], else slow(x[i]): NaN is never within.
template <class T, class Fast, class Slow>
HWY_INLINE void map_within(void* const* p, int64_t n, double low, double high, const Fast& fast, const Slow& slow) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const T* x = static_cast<const T*>(p[1]);
  T* out = static_cast<T*>(p[0]);
  const V least = hn::Set(d, static_cast<T>(low)), most = hn::Set(d, static_cast<T>(high));
  int64_t i = 0;
  if constexpr (sizeof(T) == sizeof(float) || HWY_HAVE_FLOAT64) {
    for (; i + lanes <= n; i += lanes) {
      const V v = hn::LoadU(d, x + i);
      if (HWY_LIKELY(hn::AllTrue(d, hn::And(hn::Ge(v, least), hn::Le(v, most))))) {
        hn::StoreU(fast(d, v), d, out + i);
      } else {
        for (int64_t k = i; k < i + lanes; ++k) out[k] = slow(x[k]);
      }
    }
  }
  for (; i < n; ++i) out[i] = slow(x[i]);
}

#define WICK_FUNCTION(name, type, low, high, vector_expression, scalar_expression)  \
  void name(void* const* p, int64_t n, const void*) {                               \
    map_within<type>(                                                               \
        p, n, low, high, [](auto d, auto x) HWY_ATTR { return vector_expression; }, \
        [](type x) { return scalar_expression; });                                  \
  }
#define WICK_BOTH(name, low, high, vector_expression, scalar_expression)              \
  WICK_FUNCTION(name##_float, float, low, high, vector_expression, scalar_expression) \
  WICK_FUNCTION(name##_double, double, low, high, vector_expression, scalar_expression)

template <class D, class V>
HWY_INLINE V exp2_of(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V whole = hn::Round(x);
  const V r = hn::Mul(hn::Sub(x, whole), hn::Set(d, 0.693147181f));
  return hn::Mul(exp_of(d, r), power_of_two(d, hn::ConvertTo(di, whole)));
}
template <class D, class V>
HWY_INLINE V cosh_of(D d, V x) {
  const V e = hn::Mul(exp_of(d, x), hn::Set(d, 0.5f));
  return hn::Add(e, hn::Div(hn::Set(d, 0.25f), e));
}
template <class D, class V>
HWY_INLINE V sigmoid_wide(D d, V x) {
  const V one = hn::Set(d, 1.0);
  return hn::Div(one, hn::Add(one, hn::Exp(d, hn::Neg(x))));
}

constexpr double kHuge = 1e30, kTiny = 1e-30;
WICK_FUNCTION(exp2_float, float, -125, 125, exp2_of(d, x), std::exp2(x))
WICK_FUNCTION(tan_float, float, -8192, 8192, hn::Div(sin_of<0>(d, x), sin_of<1>(d, x)), std::tan(x))
WICK_FUNCTION(cosh_float, float, -80, 80, cosh_of(d, x), std::cosh(x))
WICK_FUNCTION(frac_float, float, -kHuge, kHuge, hn::Sub(x, hn::Trunc(x)), x - std::trunc(x))
WICK_FUNCTION(exp_double, double, -700, 700, hn::Exp(d, x), std::exp(x))
WICK_FUNCTION(log_double, double, kTiny, kHuge, hn::Log(d, x), std::log(x))
WICK_FUNCTION(sin_double, double, -30000, 30000, hn::Sin(d, x), std::sin(x))
WICK_FUNCTION(cos_double, double, -30000, 30000, hn::Cos(d, x), std::cos(x))
WICK_FUNCTION(tanh_double, double, -kHuge, kHuge, hn::Tanh(d, x), std::tanh(x))
WICK_FUNCTION(sigmoid_double, double, -700, 700, sigmoid_wide(d, x), 1 / (1 + std::exp(-x)))
// These two have the sign of their argument, zero's too, which Highway's lose.
WICK_BOTH(expm1, -80, 80, hn::CopySign(hn::Expm1(d, x), x), std::expm1(x))
WICK_BOTH(log1p, 0, kHuge, hn::CopySign(hn::Log1p(d, x), x), std::log1p(x))
WICK_BOTH(log2, kTiny, kHuge, hn::Log2(d, x), std::log2(x))
WICK_BOTH(log10, kTiny, kHuge, hn::Log10(d, x), std::log10(x))
WICK_BOTH(asin, -1, 1, hn::Asin(d, x), std::asin(x))
WICK_BOTH(acos, -1, 1, hn::Acos(d, x), std::acos(x))
WICK_BOTH(atan, -kHuge, kHuge, hn::Atan(d, x), std::atan(x))
WICK_BOTH(sinh, -80, 80, hn::Sinh(d, x), std::sinh(x))
WICK_BOTH(round, -kHuge, kHuge, hn::Round(x), std::nearbyint(x))

using D = Tag<float>;
using V = hn::Vec<D>;

// Numbers whose squares and quotients stay in range.
HWY_INLINE bool ordinary(V a) {
  const D d;
  const V size = hn::Abs(a);
  return hn::AllTrue(d, hn::And(hn::Ge(size, hn::Set(d, 1e-15f)), hn::Le(size, hn::Set(d, 1e15f))));
}
HWY_INLINE V atan2_of(V y, V x) {
  const D d;
  const V turn = hn::IfThenElseZero(hn::Lt(x, hn::Zero(d)), hn::CopySign(hn::Set(d, 3.14159265f), y));
  return hn::Add(hn::Atan(d, hn::Div(y, x)), turn);
}
void atan2_float(void* const* p, int64_t n, const void*) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const float *y = static_cast<const float*>(p[1]), *x = static_cast<const float*>(p[2]);
  float* out = static_cast<float*>(p[0]);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const V a = hn::LoadU(d, y + i), b = hn::LoadU(d, x + i);
    if (HWY_LIKELY(ordinary(a) && ordinary(b))) {
      hn::StoreU(atan2_of(a, b), d, out + i);
    } else {
      for (int64_t k = i; k < i + lanes; ++k) out[k] = std::atan2(y[k], x[k]);
    }
  }
  for (; i < n; ++i) out[i] = std::atan2(y[i], x[i]);
}

// fast(real, imaginary) of ordinary numbers, slow() of one.
template <class Fast, class Slow>
HWY_INLINE void map_complex(void* const* p, int64_t n, const Fast& fast, const Slow& slow) {
  const D d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const float* x = static_cast<const float*>(p[1]);
  float* out = static_cast<float*>(p[0]);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    V real, imaginary;
    hn::LoadInterleaved2(d, x + 2 * i, real, imaginary);
    if (HWY_LIKELY(ordinary(real) && ordinary(imaginary))) {
      hn::StoreU(fast(real, imaginary), d, out + i);
    } else {
      for (int64_t k = i; k < i + lanes; ++k) out[k] = slow(x[2 * k], x[2 * k + 1]);
    }
  }
  for (; i < n; ++i) out[i] = slow(x[2 * i], x[2 * i + 1]);
}
void abs_complex(void* const* p, int64_t n, const void*) {
  map_complex(
      p, n, [](V a, V b) HWY_ATTR { return hn::Sqrt(hn::MulAdd(a, a, hn::Mul(b, b))); },
      [](float a, float b) { return std::hypot(a, b); });
}
void angle_complex(void* const* p, int64_t n, const void*) {
  map_complex(
      p, n, [](V a, V b) HWY_ATTR { return atan2_of(b, a); }, [](float a, float b) { return std::atan2(b, a); });
}

}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

#define X(name)             \
  HWY_EXPORT(name##_float); \
  void name##_f32(void* const* p, int64_t n, const void*) { HWY_DYNAMIC_DISPATCH(name##_float)(p, n, nullptr); }
WICK_F32_FUNCTIONS(X)
#undef X
#define X(name)              \
  HWY_EXPORT(name##_double); \
  void name##_f64(void* const* p, int64_t n, const void*) { HWY_DYNAMIC_DISPATCH(name##_double)(p, n, nullptr); }
WICK_F64_FUNCTIONS(X)
#undef X

HWY_EXPORT(abs_complex);
HWY_EXPORT(angle_complex);
void abs_c64(void* const* p, int64_t n, const void*) { HWY_DYNAMIC_DISPATCH(abs_complex)(p, n, nullptr); }
void angle_c64(void* const* p, int64_t n, const void*) { HWY_DYNAMIC_DISPATCH(angle_complex)(p, n, nullptr); }

}  // namespace wick::kernels
#endif
