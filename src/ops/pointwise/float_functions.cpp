// Functions of one floating-point number.
#include <cmath>

#include "core/budget.h"
#include "core/limits.h"
#include "kernels/functions.h"
#include "kernels/math.h"
#include "ops/pointwise/complex_math.h"
#include "ops/pointwise/kernels.h"
#include "ops/pointwise/pointwise.h"
#include "ops/pointwise/special_math.h"
#include "ops/quantize/layers.h"

namespace wick::ops {

namespace {

Tensor float_map(const char* name, const Kernels& k, const Tensor& self, Out out, const void* ctx = nullptr) {
  const DType common = to_float_type(self.dtype());
  return map(out, common, common, k.of(common, name), ctx, self);
}

constexpr double kPi = 3.14159265358979323846;

// std::lgamma writes a global; this form does not.
double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

template <class T>
T log_two(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return std::log2(a);
  else
    return std::log(a) / std::log(T(2));
}

template <class T>
T sinc_of(T a) {
  if (a == T(0)) return T(1);
  const T x = T(kPi) * a;
  return std::sin(x) / x;
}

template <class T>
struct Order {
  int64_t n;
};
template <class T>
struct Epsilon {
  T low, high;
};

}  // namespace

#define WICK_FLOAT_FUNCTION(name, text, types, expression)                                        \
  Tensor name(const Tensor& self, Out out) {                                                      \
    static constexpr Kernels k = kernels<types, 1>([]<class T>(T a) -> T { return expression; }); \
    return float_map(text, k, self, out);                                                         \
  }
// With a vectorized float kernel.
#define WICK_FAST_FUNCTION(name, text, types, expression)                                               \
  Tensor name(const Tensor& self, Out out) {                                                            \
    static constexpr Kernels k =                                                                        \
        with_f32(kernels<types, 1>([]<class T>(T a) -> T { return expression; }), kernels::name##_f32); \
    return float_map(text, k, self, out);                                                               \
  }
// With vectorized kernels of both widths.
#define WICK_FAST_FUNCTIONS(name, types, expression)                                                       \
  with_f64(with_f32(kernels<types, 1>([]<class T>(T a) -> T { return expression; }), kernels::name##_f32), \
           kernels::name##_f64)
#define WICK_FAST_BOTH(name, text, types, expression)                          \
  Tensor name(const Tensor& self, Out out) {                                   \
    static constexpr Kernels k = WICK_FAST_FUNCTIONS(name, types, expression); \
    return float_map(text, k, self, out);                                      \
  }
// With one for quantized tensors, too.
#define WICK_QUANTIZED_FUNCTION(name, text, types, expression)                  \
  Tensor name(const Tensor& self, Out out) {                                    \
    if (is_quantized(self)) return placed(quantized_##name##_fixed(self), out); \
    static constexpr Kernels k = WICK_FAST_FUNCTIONS(name, types, expression);  \
    return float_map(text, k, self, out);                                       \
  }
// Through double: rarely used, so one version serves both widths.
#define WICK_SPECIAL_FUNCTION(name, text, function) \
  WICK_FLOAT_FUNCTION(name, text, kFloats, static_cast<T>(special::function(static_cast<double>(a))))

constexpr unsigned kAny = kFloats | kComplexes;
WICK_FAST_BOTH(exp, "exp", kAny, std::exp(a))
WICK_FAST_FUNCTION(exp2, "exp2", kAny, exp_two(a))
WICK_FAST_BOTH(expm1, "expm1", kAny, exp_minus_one(a))
WICK_FAST_BOTH(log, "log", kAny, std::log(a))
WICK_FAST_BOTH(log2, "log2", kAny, log_two(a))
WICK_FAST_BOTH(log10, "log10", kAny, std::log10(a))
WICK_FAST_BOTH(log1p, "log1p", kAny, log_one_plus(a))
WICK_FAST_FUNCTION(sqrt, "sqrt", kAny, std::sqrt(a))
WICK_FAST_FUNCTION(rsqrt, "rsqrt", kAny, T(1) / std::sqrt(a))
WICK_FAST_FUNCTION(reciprocal, "reciprocal", kAny, T(1) / a)
WICK_FAST_BOTH(sin, "sin", kAny, std::sin(a))
WICK_FAST_BOTH(cos, "cos", kAny, std::cos(a))
WICK_FAST_FUNCTION(tan, "tan", kAny, std::tan(a))
WICK_FAST_BOTH(asin, "asin", kAny, std::asin(a))
WICK_FAST_BOTH(acos, "acos", kAny, std::acos(a))
WICK_FAST_BOTH(atan, "atan", kAny, std::atan(a))
WICK_FAST_BOTH(sinh, "sinh", kAny, std::sinh(a))
WICK_FAST_FUNCTION(cosh, "cosh", kAny, std::cosh(a))
WICK_QUANTIZED_FUNCTION(tanh, "tanh", kAny, std::tanh(a))
WICK_FLOAT_FUNCTION(asinh, "asinh", kAny, std::asinh(a))
WICK_FLOAT_FUNCTION(acosh, "acosh", kAny, std::acosh(a))
WICK_FLOAT_FUNCTION(atanh, "atanh", kAny, std::atanh(a))
WICK_FLOAT_FUNCTION(sinc, "sinc", kAny, sinc_of(a))
WICK_FAST_FUNCTION(erf, "erf", kFloats, std::erf(a))
WICK_FLOAT_FUNCTION(erfc, "erfc", kFloats, std::erfc(a))
WICK_FLOAT_FUNCTION(lgamma, "lgamma", kFloats, static_cast<T>(log_gamma(static_cast<double>(a))))
WICK_QUANTIZED_FUNCTION(sigmoid, "sigmoid", kAny, T(1) / (T(1) + std::exp(-a)))
WICK_FLOAT_FUNCTION(ndtr, "ndtr", kFloats,
                    static_cast<T>(0.5 * std::erfc(-static_cast<double>(a) * 0.70710678118654752440)))
WICK_FLOAT_FUNCTION(entr, "entr", kFloats,
                    a != a   ? a
                    : a > 0  ? -a * std::log(a)
                    : a == 0 ? T(0)
                             : -std::numeric_limits<T>::infinity())
WICK_SPECIAL_FUNCTION(erfinv, "erfinv", erfinv)
WICK_SPECIAL_FUNCTION(erfcx, "special_erfcx", erfcx)
WICK_SPECIAL_FUNCTION(digamma, "digamma", digamma)
WICK_SPECIAL_FUNCTION(i0, "i0", bessel_i0)
WICK_SPECIAL_FUNCTION(i0e, "i0e", bessel_i0e)
WICK_SPECIAL_FUNCTION(i1, "i1", bessel_i1)
WICK_SPECIAL_FUNCTION(i1e, "i1e", bessel_i1e)
WICK_SPECIAL_FUNCTION(ndtri, "ndtri", ndtri)
WICK_SPECIAL_FUNCTION(log_ndtr, "log_ndtr", log_ndtr)
#undef WICK_SPECIAL_FUNCTION
#undef WICK_QUANTIZED_FUNCTION
#undef WICK_FAST_BOTH
#undef WICK_FAST_FUNCTIONS
#undef WICK_FAST_FUNCTION
#undef WICK_FLOAT_FUNCTION

Tensor deg2rad(const Tensor& self, Out out) {
  static constexpr Kernels k = kernels<kFloats, 1>([]<class T>(T a) -> T { return a * static_cast<T>(kPi / 180); });
  WICK_CHECK(!is_complex(self.dtype()), kUnsupported, "deg2rad is not supported for complex tensors.");
  return float_map("deg2rad", k, self, out);
}

Tensor rad2deg(const Tensor& self, Out out) {
  static constexpr Kernels k = kernels<kFloats, 1>([]<class T>(T a) -> T { return a * static_cast<T>(180 / kPi); });
  WICK_CHECK(!is_complex(self.dtype()), kUnsupported, "rad2deg is not supported for complex tensors.");
  return float_map("rad2deg", k, self, out);
}

Tensor polygamma(int64_t n, const Tensor& self, Out out) {
  WICK_CHECK(n >= 0, kInvalidArgument, "polygamma(n, x) does not support negative n.");
  static constexpr Kernels k = kernels_with<kFloats, 1, Order>([]<class T>(Order<T> p, T a) -> T {
    if (p.n == 1 && a < T(0.5)) {
      // Reflection. At the poles the sine is what rounding leaves of zero: PyTorch's answer is that of the dtype.
      const T s = std::sin(static_cast<T>(kPi) * a);
      return static_cast<T>(kPi) * static_cast<T>(kPi) / (s * s) -
             static_cast<T>(special::polygamma(1, static_cast<double>(1 - a)));
    }
    return static_cast<T>(special::polygamma(p.n, static_cast<double>(a)));
  });
  const Order<double> p{n};
  static_assert(sizeof(Order<double>) == sizeof(Order<float>));
  return float_map("polygamma", k, self, out, &p);
}
Tensor polygamma_inplace(const Tensor& self, int64_t n) { return polygamma(n, self, Out{&self}); }

Tensor mvlgamma(const Tensor& self, int64_t p, Out out) {
  WICK_CHECK(p >= 1, kInvalidArgument, "p has to be greater than or equal to 1");
  WICK_CHECK(p <= static_cast<int64_t>(limits::kMaxListLength), kOutOfMemory, "mvlgamma: p is too large: ", p);
  static constexpr Kernels k = kernels_with<kFloats, 1, Order>([]<class T>(Order<T> order, T a) -> T {
    const auto count = static_cast<double>(order.n);
    double sum = count * (count - 1) / 4 * std::log(kPi);
    for (int64_t j = 0; j < order.n; ++j) {
      check_budget_at(j);
      sum += log_gamma(static_cast<double>(a) - static_cast<double>(j) / 2);
    }
    return static_cast<T>(sum);
  });
  const Order<double> order{p};
  return float_map("mvlgamma_cpu", k, self, out, &order);
}

// ctx: the bounds, an Epsilon<float>.
static void logit_f32(void* const* p, int64_t n, const void* ctx) {
  const Epsilon<float> bounds =
      ctx ? *static_cast<const Epsilon<float>*>(ctx)
          : Epsilon<float>{-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
  float* out = static_cast<float*>(p[0]);
  const float* in = static_cast<const float*>(p[1]);
  WICK_LOOP
  for (int64_t i = 0; i < n; ++i) {
    const float z = in[i] < bounds.low ? bounds.low : in[i] > bounds.high ? bounds.high : in[i];
    out[i] = z / (1.0F - z);
  }
  void* const odds[] = {out, out};
  kernels::log_f32(odds, n, nullptr);
}

Tensor logit(const Tensor& self, std::optional<double> eps, Out out) {
  static constexpr Kernels k =
      with_f32(kernels<kFloats, 1>([]<class T>(T a) -> T { return std::log(a / (T(1) - a)); }), logit_f32);
  static constexpr Kernels clamped = with_f32(kernels_with<kFloats, 1, Epsilon>([]<class T>(Epsilon<T> p, T a) -> T {
                                                const T z = a < p.low ? p.low : a > p.high ? p.high : a;
                                                return std::log(z / (T(1) - z));
                                              }),
                                              logit_f32);
  if (!eps || *eps < 0) return float_map("logit", k, self, out);
  if (self.dtype() == DType::kDouble) {
    const Epsilon<double> p{*eps, 1 - *eps};
    return float_map("logit", clamped, self, out, &p);
  }
  const auto low = static_cast<float>(*eps);
  const Epsilon<float> p{low, 1 - low};
  return float_map("logit", clamped, self, out, &p);
}

}  // namespace wick::ops
