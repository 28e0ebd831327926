// add, sub, mul, div and their variants.
#include <cmath>

#include "core/dtype_names.h"
#include "kernels/math.h"
#include "ops/pointwise/kernels.h"
#include "ops/pointwise/math.h"
#include "ops/pointwise/pointwise.h"

namespace wick::ops {

namespace {

template <class T>
struct Alpha {
  T alpha;
};

// Sums of bools are their disjunction, as numpy has it.
constexpr auto kAddFn = []<class T>(T a, T b) -> T {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else
    return wrap_add(a, b);
};
constexpr auto kSubFn = []<class T>(T a, T b) -> T { return wrap_sub(a, b); };
constexpr auto kMulFn = []<class T>(T a, T b) -> T {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else
    return wrap_mul(a, b);
};
constexpr auto kAddAlphaFn = []<class T>(Alpha<T> p, T a, T b) -> T {
  if constexpr (std::is_same_v<T, bool>)
    return a || (b && p.alpha);
  else
    return wrap_add(a, wrap_mul(p.alpha, b));
};
constexpr auto kSubAlphaFn = []<class T>(Alpha<T> p, T a, T b) -> T { return wrap_sub(a, wrap_mul(p.alpha, b)); };
constexpr auto kAddReluFn = []<class T>(Alpha<T> p, T a, T b) -> T {
  const T v = wrap_add(a, wrap_mul(p.alpha, b));
  return v < T(0) ? T(0) : v;
};

constexpr unsigned kNumbers = kReals | kComplexes;

void check_alpha(DType common, const Scalar& alpha) {
  WICK_CHECK(!alpha.is_bool() || common == DType::kBool, kTypeMismatch,
             "Boolean alpha only supported for Boolean results.");
  WICK_CHECK(is_floating(common) || is_complex(common) || alpha.is_integral(), kTypeMismatch,
             "For integral input tensors, argument alpha must not be a floating point number.");
  WICK_CHECK(is_complex(common) || !alpha.is_complex(), kTypeMismatch,
             "For non-complex input tensors, argument alpha must not be a complex number.");
}

bool is_one(const Scalar& s) { return !s.is_complex() && s.to_double() == 1.0; }

Tensor add_like(const char* name, const Arg& a, const Arg& b, const Scalar& alpha, const Kernels& plain,
                const Kernels& scaled, Out out) {
  const DType common = result_type(a, b);
  check_alpha(common, alpha);
  if (is_one(alpha) && plain.f32) return map_narrow(out, common, common, plain, name, nullptr, a, b);
  return with_compute_type(common, [&]<class T>(T) {
    const Alpha<T> p{alpha.to<T>()};
    return map(out, common, common, scaled.of(common, name), &p, a, b);
  });
}

Tensor add_args(const Arg& a, const Arg& b, const Scalar& alpha, Out out) {
  static constexpr Kernels plain = with_f32(kernels<kNumbers | kBools | kNarrow, 2>(kAddFn), kernels::add_f32);
  static constexpr Kernels scaled =
      with_f32(kernels_with<kNumbers | kBools, 2, Alpha>(kAddAlphaFn), kernels::add_scaled_f32);
  return add_like("add_stub", a, b, alpha, plain, scaled, out);
}

bool is_bool(const Arg& a) { return a.tensor ? a.tensor->dtype() == DType::kBool : a.number->is_bool(); }

Tensor sub_args(const Arg& a, const Arg& b, const Scalar& alpha, Out out) {
  WICK_CHECK(!is_bool(a) || !is_bool(b), kTypeMismatch,
             "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
             "operator instead.");
  WICK_CHECK(!is_bool(a) && !is_bool(b), kTypeMismatch,
             "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
             "use the `~` or `logical_not()` operator instead.");
  static constexpr Kernels plain = with_f32(kernels<kNumbers | kNarrow, 2>(kSubFn), kernels::sub_f32);
  static constexpr Kernels scaled = with_f32(kernels_with<kNumbers, 2, Alpha>(kSubAlphaFn), kernels::sub_scaled_f32);
  return add_like("sub", a, b, alpha, plain, scaled, out);
}

Tensor add_relu_args(const Arg& a, const Arg& b, const Scalar& alpha, Out out) {
  static constexpr Kernels scaled = kernels_with<kReals, 2, Alpha>(kAddReluFn);
  return add_like("add_relu", a, b, alpha, Kernels{}, scaled, out);
}

Tensor mul_args(const Arg& a, const Arg& b, Out out) {
  static constexpr Kernels k = with_f32(kernels<kNumbers | kBools | kNarrow, 2>(kMulFn), kernels::mul_f32);
  const DType common = result_type(a, b);
  return map_narrow(out, common, common, k, "mul", nullptr, a, b);
}

Tensor div_args(const Arg& a, const Arg& b, Out out) {
  static constexpr Kernels k = with_f32(kernels<kFloats | kComplexes, 2>([]<class T>(T x, T y) -> T {
                                          if constexpr (std::is_floating_point_v<T>)
                                            return x / y;
                                          else
                                            return complex_div(x, y);
                                        }),
                                        kernels::div_f32);
  const DType common = to_float_type(result_type(a, b));
  return map(out, common, common, k.of(common, "div"), nullptr, a, b);
}

Tensor div_trunc_args(const Arg& a, const Arg& b, Out out) {
  static constexpr Kernels k = kernels<kReals, 2>([]<class T>(T x, T y) -> T {
    if constexpr (std::is_integral_v<T>)
      return int_div_trunc(x, y);
    else
      return std::trunc(x / y);
  });
  const DType common = result_type(a, b);
  // The quotient of 16-bit floats is rounded to 16 bits before it is truncated.
  if (common == DType::kHalf || common == DType::kBFloat16) return trunc(div_args(a, b, {}), out);
  return map(out, common, common, k.of(common, "div_trunc"), nullptr, a, b);
}

// What exact_fmod gives for n <= kPart pairs: those whose quotients are small by vectors, then the others.
constexpr int64_t kPart = 128;
void fmod_part(const float* x, const float* y, float* out, int64_t n) {
  float quotients[kPart];
  WICK_LOOP
  for (int64_t i = 0; i < n; ++i) {
    const double a = std::fabs(static_cast<double>(x[i])), b = std::fabs(static_cast<double>(y[i])), quotient = a / b;
    const double whole = static_cast<double>(static_cast<int32_t>(quotient < 0x1p28 ? quotient : 0.0));
    const double rest = a - whole * b;  // below zero where the quotient was rounded up
    out[i] = std::copysign(static_cast<float>(rest < 0 ? rest + b : rest), x[i]);
    quotients[i] = static_cast<float>(quotient);
  }
  int far = 0;
  WICK_LOOP
  for (int64_t i = 0; i < n; ++i) {
    far |= !(quotients[i] < 0x1p27F) | !(std::fabs(y[i]) <= std::numeric_limits<float>::max());
  }
  if (far == 0) return;
  for (int64_t i = 0; i < n; ++i) out[i] = exact_fmod(x[i], y[i]);
}

// finish(x, y, fmod(x, y)) of floats, part by part: the result may overlap either operand.
template <class F>
void by_fmod(void* const* p, int64_t n, F finish) {
  const float *x = static_cast<const float*>(p[1]), *y = static_cast<const float*>(p[2]);
  float* out = static_cast<float*>(p[0]);
  float rest[kPart];
  for (int64_t i = 0; i < n; i += kPart) {
    const int64_t m = std::min(kPart, n - i);
    fmod_part(x + i, y + i, rest, m);
    WICK_LOOP
    for (int64_t k = 0; k < m; ++k) out[i + k] = finish(x[i + k], y[i + k], rest[k]);
  }
}
void fmod_f32(void* const* p, int64_t n, const void*) {
  by_fmod(p, n, [](float, float, float rest) { return rest; });
}
void remainder_f32(void* const* p, int64_t n, const void*) {
  by_fmod(p, n, [](float, float y, float rest) { return rest != 0 && (y < 0) != (rest < 0) ? rest + y : rest; });
}
void div_floor_f32(void* const* p, int64_t n, const void*) {
  by_fmod(p, n, [](float x, float y, float rest) { return float_div_floor(x, y, rest); });
}

Tensor div_floor_args(const Arg& a, const Arg& b, Out out) {
  static constexpr Kernels k = with_f32(kernels<kReals, 2>([]<class T>(T x, T y) -> T {
                                          if constexpr (std::is_integral_v<T>)
                                            return int_div_floor(x, y);
                                          else
                                            return float_div_floor(x, y, exact_fmod(x, y));
                                        }),
                                        div_floor_f32);
  const DType common = result_type(a, b);
  return map(out, common, common, k.of(common, "div_floor"), nullptr, a, b);
}

Tensor div_mode_args(const Arg& a, const Arg& b, std::optional<std::string_view> mode, Out out) {
  if (!mode) return div_args(a, b, out);
  if (*mode == "trunc") return div_trunc_args(a, b, out);
  WICK_CHECK(*mode == "floor", kInvalidArgument,
             "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '", *mode, "'");
  return div_floor_args(a, b, out);
}

Tensor remainder_args(const Arg& a, const Arg& b, Out out) {
  static constexpr Kernels k = with_f32(kernels<kReals, 2>([]<class T>(T x, T y) -> T {
                                          if constexpr (std::is_integral_v<T>) {
                                            return int_remainder(x, y);
                                          } else {
                                            T mod = exact_fmod(x, y);
                                            if (mod != 0 && (y < 0) != (mod < 0)) mod += y;
                                            return mod;
                                          }
                                        }),
                                        remainder_f32);
  const DType common = result_type(a, b);
  return map(out, common, common, k.of(common, "remainder_cpu"), nullptr, a, b);
}

Tensor fmod_args(const Arg& a, const Arg& b, Out out) {
  static constexpr Kernels k = with_f32(kernels<kReals, 2>([]<class T>(T x, T y) -> T {
                                          if constexpr (std::is_integral_v<T>)
                                            return int_fmod(x, y);
                                          else
                                            return exact_fmod(x, y);
                                        }),
                                        fmod_f32);
  const DType common = result_type(a, b);
  return map(out, common, common, k.of(common, "fmod_cpu"), nullptr, a, b);
}

template <class T>
struct Value {
  T value;
};

}  // namespace

Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha, Out out) {
  return add_args(self, other, alpha, out);
}
Tensor add_scalar(const Tensor& self, const Scalar& other, const Scalar& alpha, Out out) {
  return add_args(self, other, alpha, out);
}
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha, Out out) {
  return sub_args(self, other, alpha, out);
}
Tensor sub_scalar(const Tensor& self, const Scalar& other, const Scalar& alpha, Out out) {
  return sub_args(self, other, alpha, out);
}
Tensor rsub(const Tensor& self, const Tensor& other, const Scalar& alpha, Out out) {
  return sub_args(other, self, alpha, out);
}
Tensor rsub_scalar(const Tensor& self, const Scalar& other, const Scalar& alpha, Out out) {
  return sub_args(other, self, alpha, out);
}
Tensor add_relu(const Tensor& self, const Tensor& other, const Scalar& alpha, Out out) {
  return add_relu_args(self, other, alpha, out);
}
Tensor add_relu_scalar(const Tensor& self, const Scalar& other, const Scalar& alpha, Out out) {
  return add_relu_args(self, other, alpha, out);
}
Tensor mul(const Tensor& self, const Tensor& other, Out out) { return mul_args(self, other, out); }
Tensor mul_scalar(const Tensor& self, const Scalar& other, Out out) { return mul_args(self, other, out); }
Tensor div(const Tensor& self, const Tensor& other, Out out) { return div_args(self, other, out); }
Tensor div_scalar(const Tensor& self, const Scalar& other, Out out) { return div_args(self, other, out); }
Tensor div_mode(const Tensor& self, const Tensor& other, std::optional<std::string_view> mode, Out out) {
  return div_mode_args(self, other, mode, out);
}
Tensor div_scalar_mode(const Tensor& self, const Scalar& other, std::optional<std::string_view> mode, Out out) {
  return div_mode_args(self, other, mode, out);
}
Tensor floor_divide(const Tensor& self, const Tensor& other, Out out) { return div_floor_args(self, other, out); }
Tensor floor_divide_scalar(const Tensor& self, const Scalar& other, Out out) {
  return div_floor_args(self, other, out);
}
Tensor remainder(const Tensor& self, const Tensor& other, Out out) { return remainder_args(self, other, out); }
Tensor remainder_scalar(const Tensor& self, const Scalar& other, Out out) { return remainder_args(self, other, out); }
Tensor remainder_scalar_tensor(const Scalar& self, const Tensor& other, Out out) {
  return remainder_args(self, other, out);
}
Tensor fmod(const Tensor& self, const Tensor& other, Out out) { return fmod_args(self, other, out); }
Tensor fmod_scalar(const Tensor& self, const Scalar& other, Out out) { return fmod_args(self, other, out); }

Tensor maximum(const Tensor& self, const Tensor& other, Out out) {
  static constexpr Kernels k =
      with_f32(kernels<kReals | kBools | kNarrow, 2>([]<class T>(T a, T b) -> T { return nan_max(a, b); }),
               kernels::maximum_f32);
  const DType common = result_type(self, other);
  WICK_CHECK(!is_complex(common), kUnsupported, "maximum not implemented for complex tensors.");
  return map_narrow(out, common, common, k, "maximum", nullptr, self, other);
}

Tensor minimum(const Tensor& self, const Tensor& other, Out out) {
  static constexpr Kernels k =
      with_f32(kernels<kReals | kBools | kNarrow, 2>([]<class T>(T a, T b) -> T { return nan_min(a, b); }),
               kernels::minimum_f32);
  const DType common = result_type(self, other);
  WICK_CHECK(!is_complex(common), kUnsupported, "minimum not implemented for complex tensors.");
  return map_narrow(out, common, common, k, "minimum", nullptr, self, other);
}

Tensor fmax(const Tensor& self, const Tensor& other, Out out) {
  static constexpr Kernels k = kernels<kFloats, 2>([]<class T>(T a, T b) -> T { return std::fmax(a, b); });
  const DType common = result_type(self, other);
  WICK_CHECK(!is_complex(common), kUnsupported, "fmax not implemented for complex tensors.");
  if (!is_floating(common)) return maximum(self, other, out);
  return map(out, common, common, k.of(common, "fmax"), nullptr, self, other);
}

Tensor fmin(const Tensor& self, const Tensor& other, Out out) {
  static constexpr Kernels k = kernels<kFloats, 2>([]<class T>(T a, T b) -> T { return std::fmin(a, b); });
  const DType common = result_type(self, other);
  WICK_CHECK(!is_complex(common), kUnsupported, "fmin not implemented for complex tensors.");
  if (!is_floating(common)) return minimum(self, other, out);
  return map(out, common, common, k.of(common, "fmin"), nullptr, self, other);
}

Tensor addcmul(const Tensor& self, const Tensor& t1, const Tensor& t2, const Scalar& value, Out out) {
  static constexpr Kernels k = kernels_with<kNumbers, 3, Value>(
      []<class T>(Value<T> p, T a, T b, T c) -> T { return wrap_add(a, wrap_mul(wrap_mul(p.value, b), c)); });
  const DType common = result_type(self, t1, t2);
  return with_compute_type(common, [&]<class T>(T) {
    const Value<T> p{value.to<T>()};
    return map(out, common, common, k.of(common, "addcmul_cpu_out"), &p, self, t1, t2);
  });
}

Tensor addcdiv(const Tensor& self, const Tensor& t1, const Tensor& t2, const Scalar& value, Out out) {
  static constexpr Kernels k = kernels_with<kFloats | kComplexes, 3, Value>(
      []<class T>(Value<T> p, T a, T b, T c) -> T { return a + p.value * b / c; });
  WICK_CHECK(!is_integral(t1.dtype(), true) || !is_integral(t2.dtype(), true), kTypeMismatch,
             "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a "
             "true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value "
             "* torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / "
             "tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value "
             "* tensor1 / tensor2), for all dtypes.");
  const DType common = result_type(self, t1, t2);
  return with_compute_type(common, [&]<class T>(T) {
    const Value<T> p{value.to<T>()};
    return map(out, common, common, k.of(common, "addcdiv_cpu_out"), &p, self, t1, t2);
  });
}

Tensor lerp(const Tensor& self, const Tensor& end, const Tensor& weight, Out out) {
  static constexpr Kernels k = kernels<kFloats | kComplexes, 3>(
      []<class T>(T a, T b, T w) -> T { return std::abs(w) < 0.5 ? a + w * (b - a) : b - (b - a) * (T(1) - w); });
  WICK_CHECK(self.dtype() == end.dtype(), kTypeMismatch, "expected dtype ", cpp_name(self.dtype()),
             " for `end` but got dtype ", cpp_name(end.dtype()));
  WICK_CHECK(self.dtype() == weight.dtype(), kTypeMismatch, "expected dtype ", cpp_name(self.dtype()),
             " for `weight` but got dtype ", cpp_name(weight.dtype()));
  const DType common = self.dtype();
  return map(out, common, common, k.of(common, "lerp_kernel_tensor"), nullptr, self, end, weight);
}

Tensor lerp_scalar(const Tensor& self, const Tensor& end, const Scalar& weight, Out out) {
  static constexpr Kernels k = kernels_with<kFloats | kComplexes, 2, Value>([]<class T>(Value<T> p, T a, T b) -> T {
    return std::abs(p.value) < 0.5 ? a + p.value * (b - a) : b - (b - a) * (T(1) - p.value);
  });
  WICK_CHECK(self.dtype() == end.dtype(), kTypeMismatch, "expected dtype ", cpp_name(self.dtype()),
             " for `end` but got dtype ", cpp_name(end.dtype()));
  const DType common = self.dtype();
  return with_compute_type(common, [&]<class T>(T) {
    const Value<T> p{weight.to<T>()};
    return map(out, common, common, k.of(common, "lerp_kernel_scalar"), &p, self, end);
  });
}

Tensor gcd(const Tensor& self, const Tensor& other, Out out) {
  static constexpr Kernels k = kernels<kInts, 2>([](int64_t a, int64_t b) { return int_gcd(a, b); });
  const DType common = result_type(self, other);
  return map(out, common, common, k.of(common, "gcd_cpu"), nullptr, self, other);
}

Tensor lcm(const Tensor& self, const Tensor& other, Out out) {
  static constexpr Kernels k = kernels<kInts, 2>([](int64_t a, int64_t b) -> int64_t {
    const int64_t g = int_gcd(a, b);
    if (g == 0) return 0;
    const int64_t v = wrap_mul(int_div_trunc(a, g), b);
    return v < 0 ? wrap_sub(int64_t{0}, v) : v;
  });
  const DType common = result_type(self, other);
  return map(out, common, common, k.of(common, "lcm_cpu"), nullptr, self, other);
}

Tensor heaviside(const Tensor& self, const Tensor& values, Out out) {
  static constexpr Kernels k =
      kernels<kReals | kBools, 2>([]<class T>(T a, T b) -> T { return a == T(0) ? b : static_cast<T>(a > T(0)); });
  WICK_CHECK(!is_complex(self.dtype()) && !is_complex(values.dtype()), kUnsupported,
             "heaviside is not yet implemented for complex tensors.");
  WICK_CHECK(self.dtype() == values.dtype() && (!out || out.tensor->dtype() == self.dtype()), kTypeMismatch,
             "heaviside is not yet implemented for tensors with different dtypes.");
  const DType common = self.dtype();
  return map(out, common, common, k.of(common, "heaviside_cpu"), nullptr, self, values);
}

}  // namespace wick::ops
