// pow in its forms.
#include <cmath>

#include "core/copy.h"
#include "kernels/math.h"
#include "ops/pointwise/kernels.h"
#include "ops/pointwise/math.h"
#include "ops/pointwise/pointwise.h"

namespace wick::ops {

namespace {

constexpr unsigned kNumbers = kReals | kComplexes;

constexpr Kernels kPow = kernels<kNumbers, 2>([]<class T>(T a, T b) -> T {
  if constexpr (std::is_integral_v<T>)
    return int_pow(a, b);
  else
    return std::pow(a, b);
});

template <class T>
struct Exponent {
  T exponent;
};
constexpr Kernels kPowBy = kernels_with<kFloats | kComplexes, 1, Exponent>(
    []<class T>(Exponent<T> p, T a) -> T { return std::pow(a, p.exponent); });
constexpr Kernels kPowByInt =
    kernels_with<kInts, 1, Exponent>([]<class T>(Exponent<T> p, T a) -> T { return int_pow(a, p.exponent); });
constexpr Kernels kSquare =
    with_f32(kernels<kNumbers, 1>([]<class T>(T a) -> T { return wrap_mul(a, a); }), kernels::square_f32);
constexpr Kernels kCube = kernels<kNumbers, 1>([]<class T>(T a) -> T { return wrap_mul(wrap_mul(a, a), a); });
constexpr Kernels kRoot =
    with_f32(kernels<kFloats, 1>([]<class T>(T a) -> T { return std::sqrt(a); }), kernels::sqrt_f32);
constexpr Kernels kInverseRoot =
    with_f32(kernels<kFloats, 1>([]<class T>(T a) -> T { return T(1) / std::sqrt(a); }), kernels::rsqrt_f32);
constexpr Kernels kInverse =
    with_f32(kernels<kFloats, 1>([]<class T>(T a) -> T { return T(1) / a; }), kernels::reciprocal_f32);
constexpr Kernels kInverseSquare = kernels<kFloats, 1>([]<class T>(T a) -> T { return T(1) / (a * a); });

// The cheaper form of a common exponent; null when there is none.
const Kernels* shortcut(const Scalar& exponent, DType common) {
  if (exponent.is_complex()) return nullptr;
  const double e = exponent.to_double();
  if (e == 2) return &kSquare;
  if (e == 3) return &kCube;
  if (!is_floating(common)) return nullptr;
  if (e == 0.5) return &kRoot;
  if (e == -0.5) return &kInverseRoot;
  if (e == -1) return &kInverse;
  if (e == -2) return &kInverseSquare;
  return nullptr;
}

bool equals(const Scalar& s, double v) { return s.to_complex() == std::complex<double>(v); }

Tensor filled(const Tensor& like, DType dtype, const Scalar& value, Out out) {
  Iterator it;
  it.output(out, dtype).input(like, dtype).parameter(value, dtype);
  it.run(kernels<kNumbers | kBools, 2>([]<class T>(T, T v) -> T { return v; }).of(dtype, "pow"));
  return it.result();
}

DType float_power_type(const Arg& a, const Arg& b) {
  return is_complex(result_type(a, b)) ? DType::kComplexDouble : DType::kDouble;
}

void check_base(const Tensor& self, DType t) {
  WICK_CHECK(self.dtype() == t, kTypeMismatch, "the base given to float_power_ has dtype ", name_of(self.dtype()),
             " but the operation's result requires dtype ", name_of(t));
}

Scalar widen(const Scalar& s, DType t) { return is_complex(t) ? Scalar(s.to_complex()) : Scalar(s.to_double()); }

}  // namespace

Tensor pow(const Tensor& self, const Tensor& exponent, Out out) {
  const DType common = result_type(self, exponent);
  return map(out, common, common, kPow.of(common, "pow"), nullptr, self, exponent);
}

Tensor pow_scalar(const Tensor& self, const Scalar& exponent, Out out) {
  WICK_CHECK(!(is_integral(self.dtype(), true) && exponent.is_integral() && exponent.to_int() < 0), kInvalidArgument,
             "Integers to negative integer powers are not allowed.");
  const DType common = result_type(self, exponent);
  if (equals(exponent, 0)) return filled(self, common, 1, out);
  if (equals(exponent, 1)) {
    static constexpr Kernels same = kernels<kNumbers | kBools, 1>([]<class T>(T a) -> T { return a; });
    return map(out, common, common, same.of(common, "pow"), nullptr, self);
  }
  if (const Kernels* k = shortcut(exponent, common))
    return map(out, common, common, k->of(common, "pow"), nullptr, self);
  return with_compute_type(common, [&]<class T>(T) {
    const Exponent<T> p{exponent.to<T>()};
    const Kernels& k = std::is_integral_v<T> ? kPowByInt : kPowBy;
    return map(out, common, common, k.of(common, "pow"), &p, self);
  });
}

Tensor pow_scalar_tensor(const Scalar& self, const Tensor& exponent, Out out) {
  const DType common = result_type(self, exponent);
  const TileFn fn = kPow.of(common, "pow");
  if (equals(self, 1)) return filled(exponent, common, 1, out);
  return map(out, common, common, fn, nullptr, self, exponent);
}

Tensor float_power(const Tensor& self, const Tensor& exponent) {
  const DType t = float_power_type(self, exponent);
  return pow(to_dtype(self, t), to_dtype(exponent, t));
}
Tensor float_power_scalar(const Tensor& self, const Scalar& exponent) {
  const DType t = float_power_type(self, exponent);
  return pow_scalar(to_dtype(self, t), widen(exponent, t));
}
Tensor float_power_self(const Tensor& self, const Tensor& exponent) {
  check_base(self, float_power_type(self, exponent));
  return float_power(self, exponent);
}
Tensor float_power_self_scalar(const Tensor& self, const Scalar& exponent) {
  check_base(self, float_power_type(self, exponent));
  return float_power_scalar(self, exponent);
}
Tensor float_power_scalar_tensor(const Scalar& self, const Tensor& exponent) {
  const DType t = float_power_type(self, exponent);
  return pow_scalar_tensor(widen(self, t), to_dtype(exponent, t));
}

}  // namespace wick::ops
