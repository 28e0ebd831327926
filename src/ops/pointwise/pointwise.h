// Pointwise operators as C++ functions. `out`: where to write (in-place and out variants); default: a new tensor.
#pragma once

#include <string_view>
#include <tuple>

#include "ops/boxing.h"
#include "wick/tensor.h"

namespace wick::ops {

// Arithmetic
Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha = 1, Out out = {});
Tensor add_scalar(const Tensor& self, const Scalar& other, const Scalar& alpha = 1, Out out = {});
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha = 1, Out out = {});
Tensor sub_scalar(const Tensor& self, const Scalar& other, const Scalar& alpha = 1, Out out = {});
Tensor rsub(const Tensor& self, const Tensor& other, const Scalar& alpha = 1, Out out = {});
Tensor rsub_scalar(const Tensor& self, const Scalar& other, const Scalar& alpha = 1, Out out = {});
Tensor add_relu(const Tensor& self, const Tensor& other, const Scalar& alpha = 1, Out out = {});
Tensor add_relu_scalar(const Tensor& self, const Scalar& other, const Scalar& alpha = 1, Out out = {});
Tensor mul(const Tensor& self, const Tensor& other, Out out = {});
Tensor mul_scalar(const Tensor& self, const Scalar& other, Out out = {});
Tensor div(const Tensor& self, const Tensor& other, Out out = {});
Tensor div_scalar(const Tensor& self, const Scalar& other, Out out = {});
// rounding_mode: none, "trunc" or "floor"
Tensor div_mode(const Tensor& self, const Tensor& other, std::optional<std::string_view> mode, Out out = {});
Tensor div_scalar_mode(const Tensor& self, const Scalar& other, std::optional<std::string_view> mode, Out out = {});
Tensor floor_divide(const Tensor& self, const Tensor& other, Out out = {});
Tensor floor_divide_scalar(const Tensor& self, const Scalar& other, Out out = {});
Tensor remainder(const Tensor& self, const Tensor& other, Out out = {});
Tensor remainder_scalar(const Tensor& self, const Scalar& other, Out out = {});
Tensor remainder_scalar_tensor(const Scalar& self, const Tensor& other, Out out = {});
Tensor fmod(const Tensor& self, const Tensor& other, Out out = {});
Tensor fmod_scalar(const Tensor& self, const Scalar& other, Out out = {});
Tensor maximum(const Tensor& self, const Tensor& other, Out out = {});
Tensor minimum(const Tensor& self, const Tensor& other, Out out = {});
Tensor fmax(const Tensor& self, const Tensor& other, Out out = {});
Tensor fmin(const Tensor& self, const Tensor& other, Out out = {});
Tensor addcmul(const Tensor& self, const Tensor& t1, const Tensor& t2, const Scalar& value = 1, Out out = {});
Tensor addcdiv(const Tensor& self, const Tensor& t1, const Tensor& t2, const Scalar& value = 1, Out out = {});
Tensor lerp(const Tensor& self, const Tensor& end, const Tensor& weight, Out out = {});
Tensor lerp_scalar(const Tensor& self, const Tensor& end, const Scalar& weight, Out out = {});
Tensor gcd(const Tensor& self, const Tensor& other, Out out = {});
Tensor lcm(const Tensor& self, const Tensor& other, Out out = {});
Tensor heaviside(const Tensor& self, const Tensor& values, Out out = {});

// Powers
Tensor pow(const Tensor& self, const Tensor& exponent, Out out = {});
Tensor pow_scalar(const Tensor& self, const Scalar& exponent, Out out = {});
Tensor pow_scalar_tensor(const Scalar& self, const Tensor& exponent, Out out = {});
Tensor float_power(const Tensor& self, const Tensor& exponent);
// In place: self must have the result's dtype already.
Tensor float_power_self(const Tensor& self, const Tensor& exponent);
Tensor float_power_self_scalar(const Tensor& self, const Scalar& exponent);
Tensor float_power_scalar(const Tensor& self, const Scalar& exponent);
Tensor float_power_scalar_tensor(const Scalar& self, const Tensor& exponent);

// Binary functions of floating-point numbers
Tensor atan2(const Tensor& self, const Tensor& other, Out out = {});
Tensor hypot(const Tensor& self, const Tensor& other, Out out = {});
Tensor copysign(const Tensor& self, const Tensor& other, Out out = {});
Tensor copysign_scalar(const Tensor& self, const Scalar& other, Out out = {});
Tensor nextafter(const Tensor& self, const Tensor& other, Out out = {});
Tensor igamma(const Tensor& self, const Tensor& other, Out out = {});
Tensor igammac(const Tensor& self, const Tensor& other, Out out = {});
Tensor ldexp(const Tensor& self, const Tensor& other, Out out = {});
Tensor logaddexp(const Tensor& self, const Tensor& other, Out out = {});
Tensor logaddexp2(const Tensor& self, const Tensor& other, Out out = {});
Tensor xlogy(const Tensor& self, const Tensor& other, Out out = {});
Tensor xlogy_scalar(const Tensor& self, const Scalar& other, Out out = {});
Tensor xlogy_scalar_tensor(const Scalar& self, const Tensor& other, Out out = {});
Tensor xlog1py(const Tensor& self, const Tensor& other, Out out = {});
Tensor xlog1py_scalar(const Tensor& self, const Scalar& other, Out out = {});
Tensor xlog1py_scalar_tensor(const Scalar& self, const Tensor& other, Out out = {});
Tensor zeta(const Tensor& self, const Tensor& other, Out out = {});
Tensor zeta_scalar(const Tensor& self, const Scalar& other, Out out = {});
Tensor zeta_scalar_tensor(const Scalar& self, const Tensor& other, Out out = {});

// Unary operators that keep the dtype
Tensor neg(const Tensor& self, Out out = {});
Tensor positive(const Tensor& self);
Tensor abs(const Tensor& self, Out out = {});
Tensor sign(const Tensor& self, Out out = {});
Tensor sgn(const Tensor& self, Out out = {});
Tensor signbit(const Tensor& self, Out out = {});
Tensor square(const Tensor& self, Out out = {});
Tensor ceil(const Tensor& self, Out out = {});
Tensor floor(const Tensor& self, Out out = {});
Tensor round(const Tensor& self, Out out = {});
Tensor round_decimals(const Tensor& self, int64_t decimals, Out out = {});
Tensor trunc(const Tensor& self, Out out = {});
Tensor frac(const Tensor& self, Out out = {});
Tensor conj_physical(const Tensor& self, Out out = {});
Tensor angle(const Tensor& self, Out out = {});
Tensor complex(const Tensor& real, const Tensor& imag, Out out = {});
Tensor polar(const Tensor& abs, const Tensor& angle, Out out = {});
Tensor nan_to_num(const Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                  std::optional<double> neginf, Out out = {});
std::tuple<Tensor, Tensor> frexp(const Tensor& self);

// Unary functions of floating-point numbers (integers become float)
// clang-format off
#define WICK_FLOAT_FUNCTIONS(X)                                                                              \
  X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sqrt) X(rsqrt) X(reciprocal) X(sin) X(cos)      \
  X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(sinc) X(erf) X(erfc)   \
  X(erfinv) X(erfcx) X(lgamma) X(digamma) X(i0) X(i0e) X(i1) X(i1e) X(ndtr) X(ndtri) X(log_ndtr) X(entr)     \
  X(sigmoid) X(deg2rad) X(rad2deg)
// clang-format on
#define X(name) Tensor name(const Tensor& self, Out out = {});
WICK_FLOAT_FUNCTIONS(X)
#undef X
Tensor polygamma(int64_t n, const Tensor& self, Out out = {});
Tensor polygamma_inplace(const Tensor& self, int64_t n);
Tensor mvlgamma(const Tensor& self, int64_t p, Out out = {});
Tensor logit(const Tensor& self, std::optional<double> eps, Out out = {});

// Bits and truth
Tensor bitwise_and(const Tensor& self, const Tensor& other, Out out = {});
Tensor bitwise_and_scalar(const Tensor& self, const Scalar& other, Out out = {});
Tensor bitwise_and_scalar_tensor(const Scalar& self, const Tensor& other, Out out = {});
Tensor bitwise_or(const Tensor& self, const Tensor& other, Out out = {});
Tensor bitwise_or_scalar(const Tensor& self, const Scalar& other, Out out = {});
Tensor bitwise_or_scalar_tensor(const Scalar& self, const Tensor& other, Out out = {});
Tensor bitwise_xor(const Tensor& self, const Tensor& other, Out out = {});
Tensor bitwise_xor_scalar(const Tensor& self, const Scalar& other, Out out = {});
Tensor bitwise_xor_scalar_tensor(const Scalar& self, const Tensor& other, Out out = {});
Tensor bitwise_not(const Tensor& self, Out out = {});
Tensor shift_left(const Tensor& self, const Tensor& other, Out out = {});
Tensor shift_left_scalar(const Tensor& self, const Scalar& other, Out out = {});
Tensor shift_left_scalar_tensor(const Scalar& self, const Tensor& other, Out out = {});
Tensor shift_right(const Tensor& self, const Tensor& other, Out out = {});
Tensor shift_right_scalar(const Tensor& self, const Scalar& other, Out out = {});
Tensor shift_right_scalar_tensor(const Scalar& self, const Tensor& other, Out out = {});
Tensor logical_and(const Tensor& self, const Tensor& other, Out out = {});
Tensor logical_or(const Tensor& self, const Tensor& other, Out out = {});
Tensor logical_xor(const Tensor& self, const Tensor& other, Out out = {});
Tensor logical_not(const Tensor& self, Out out = {});

// Choice
Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other, Out out = {});
Tensor where_scalar_self(const Tensor& condition, const Scalar& self, const Tensor& other);
Tensor where_scalar_other(const Tensor& condition, const Tensor& self, const Scalar& other);
Tensor where_scalars(const Tensor& condition, const Scalar& self, const Scalar& other);
Tensor clamp(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max, Out out = {});
Tensor clamp_tensor(const Tensor& self, const OptTensor& min, const OptTensor& max, Out out = {});
Tensor clamp_min(const Tensor& self, const Scalar& min, Out out = {});
Tensor clamp_max(const Tensor& self, const Scalar& max, Out out = {});
Tensor clamp_min_tensor(const Tensor& self, const Tensor& min, Out out = {});
Tensor clamp_max_tensor(const Tensor& self, const Tensor& max, Out out = {});

// Comparison
#define WICK_COMPARISONS(X) X(eq) X(ne) X(lt) X(le) X(gt) X(ge)
#define X(name)                                                       \
  Tensor name(const Tensor& self, const Tensor& other, Out out = {}); \
  Tensor name##_scalar(const Tensor& self, const Scalar& other, Out out = {});
WICK_COMPARISONS(X)
#undef X
Tensor isnan(const Tensor& self);
Tensor isinf(const Tensor& self);
Tensor isfinite(const Tensor& self);
Tensor isposinf(const Tensor& self, Out out = {});
Tensor isneginf(const Tensor& self, Out out = {});
Tensor isreal(const Tensor& self);
Tensor isclose(const Tensor& self, const Tensor& other, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);
bool allclose(const Tensor& self, const Tensor& other, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);
bool equal_tensors(const Tensor& self, const Tensor& other);

}  // namespace wick::ops
