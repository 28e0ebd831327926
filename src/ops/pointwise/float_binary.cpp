// Functions of two floating-point numbers; integers become float where PyTorch makes them so.
#include <cmath>
#include <cstring>

#include "core/copy.h"
#include "kernels/functions.h"
#include "ops/pointwise/complex_math.h"
#include "ops/pointwise/kernels.h"
#include "ops/pointwise/pointwise.h"
#include "ops/pointwise/special_math.h"

namespace wick::ops {

namespace {

Tensor float_args(const char* name, const Kernels& k, const Arg& a, const Arg& b, Out out) {
  const DType common = to_float_type(result_type(a, b));
  return map(out, common, common, k.of(common, name), nullptr, a, b);
}

Tensor same_args(const char* name, const Kernels& k, const Tensor& a, const Tensor& b, Out out) {
  const DType common = result_type(a, b);
  return map(out, common, common, k.of(common, name), nullptr, a, b);
}

constexpr Kernels kCopysign = kernels<kFloats, 2>([]<class T>(T a, T b) -> T { return std::copysign(a, b); });
constexpr Kernels kXlogy = kernels<kFloats, 2>([]<class T>(T x, T y) -> T {
  if (y != y) return y;
  return x == 0 ? T(0) : x * std::log(y);
});
constexpr Kernels kXlog1py = kernels<kFloats, 2>([]<class T>(T x, T y) -> T {
  if (y != y) return y;
  return x == 0 ? T(0) : x * std::log1p(y);
});
constexpr Kernels kZeta = kernels<kFloats, 2>([]<class T>(T x, T q) -> T {
  return static_cast<T>(special::zeta(static_cast<double>(x), static_cast<double>(q)));
});
constexpr Kernels kGammaP = kernels<kFloats, 2>([]<class T>(T a, T x) -> T {
  return static_cast<T>(special::gamma_p(static_cast<double>(a), static_cast<double>(x)));
});
constexpr Kernels kGammaQ = kernels<kFloats, 2>([]<class T>(T a, T x) -> T {
  return static_cast<T>(special::gamma_q(static_cast<double>(a), static_cast<double>(x)));
});

// log(b^x + b^y) without overflow.
template <class T, class Exp, class Log1p>
T log_add(T a, T b, Exp exp, Log1p log1p) {
  if (std::isinf(a) && a == b) return a;
  const T m = a < b ? b : a;
  if (a != a || b != b) return a + b;
  return m + log1p(exp(-std::fabs(a - b)));
}

// The neighbor of a 16-bit float is found among the 16-bit floats: its bits as an integer, one up or down.
template <class H, class T>
T neighbor(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  if (a == b) return b;
  H h(a == 0 ? std::copysign(0.0f, static_cast<float>(b)) : static_cast<float>(a));
  h.bits = static_cast<uint16_t>(h.bits + (a != 0 && (a < b) != (a > 0) ? -1 : 1));
  return static_cast<T>(static_cast<float>(h));
}

}  // namespace

Tensor atan2(const Tensor& self, const Tensor& other, Out out) {
  static constexpr Kernels k =
      with_f32(kernels<kFloats, 2>([]<class T>(T a, T b) -> T { return std::atan2(a, b); }), kernels::atan2_f32);
  return float_args("atan2", k, self, other, out);
}
Tensor hypot(const Tensor& self, const Tensor& other, Out out) {
  static constexpr Kernels k = kernels<kFloats, 2>([]<class T>(T a, T b) -> T { return std::hypot(a, b); });
  return same_args("hypot", k, self, other, out);
}
Tensor copysign(const Tensor& self, const Tensor& other, Out out) {
  return float_args("copysign_cpu", kCopysign, self, other, out);
}
Tensor copysign_scalar(const Tensor& self, const Scalar& other, Out out) {
  return float_args("copysign_cpu", kCopysign, self, other, out);
}
Tensor nextafter(const Tensor& self, const Tensor& other, Out out) {
  static constexpr Kernels k = kernels<kFloats, 2>([]<class T>(T a, T b) -> T { return std::nextafter(a, b); });
  const DType common = result_type(self, other);
  if (common == DType::kBFloat16) {
    static constexpr Kernels bits =
        kernels<kFloats, 2>([]<class T>(T a, T b) -> T { return neighbor<BFloat16>(a, b); });
    return same_args("nextafter", bits, self, other, out);
  }
  if (common == DType::kHalf) {
    static constexpr Kernels bits = kernels<kFloats, 2>([]<class T>(T a, T b) -> T { return neighbor<Half>(a, b); });
    return same_args("nextafter", bits, self, other, out);
  }
  check_dtype(common == DType::kFloat || common == DType::kDouble, "nextafter", common);
  return same_args("nextafter", k, self, other, out);
}
Tensor igamma(const Tensor& self, const Tensor& other, Out out) {
  const DType common = result_type(self, other);
  check_dtype(is_floating(common), "igamma_cpu", common);
  return float_args("igamma", kGammaP, self, other, out);
}
Tensor igammac(const Tensor& self, const Tensor& other, Out out) {
  const DType common = result_type(self, other);
  check_dtype(is_floating(common), "igammac_cpu", common);
  return float_args("igammac", kGammaQ, self, other, out);
}
Tensor ldexp(const Tensor& self, const Tensor& other, Out out) { return mul(self, pow_scalar_tensor(2.0, other), out); }
Tensor logaddexp(const Tensor& self, const Tensor& other, Out out) {
  static constexpr Kernels k = kernels<kFloats | kComplexes, 2>([]<class T>(T a, T b) -> T {
    if constexpr (std::is_floating_point_v<T>) {
      return log_add(
          a, b, [](T v) { return std::exp(v); }, [](T v) { return std::log1p(v); });
    } else {
      return log_add_exp(a, b);
    }
  });
  return same_args("logaddexp_cpu", k, self, other, out);
}
Tensor logaddexp2(const Tensor& self, const Tensor& other, Out out) {
  static constexpr Kernels k = kernels<kFloats, 2>([]<class T>(T a, T b) -> T {
    constexpr T kInverseLog2 = static_cast<T>(1.4426950408889634);
    return log_add(
        a, b, [](T v) { return std::exp2(v); }, [](T v) { return std::log1p(v) * kInverseLog2; });
  });
  return same_args("logaddexp2_cpu", k, self, other, out);
}

#define WICK_FLOAT_BINARY(name, table)                                            \
  Tensor name(const Tensor& self, const Tensor& other, Out out) {                 \
    return float_args(#name "_cpu", table, self, other, out);                     \
  }                                                                               \
  Tensor name##_scalar(const Tensor& self, const Scalar& other, Out out) {        \
    return float_args(#name "_cpu", table, self, other, out);                     \
  }                                                                               \
  Tensor name##_scalar_tensor(const Scalar& self, const Tensor& other, Out out) { \
    return float_args(#name "_cpu", table, self, other, out);                     \
  }
WICK_FLOAT_BINARY(xlogy, kXlogy)
WICK_FLOAT_BINARY(xlog1py, kXlog1py)
WICK_FLOAT_BINARY(zeta, kZeta)
#undef WICK_FLOAT_BINARY

}  // namespace wick::ops
