// Operators on Python numbers. Integers wrap, floor division and remainder follow the divisor's sign.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <tuple>

#include "ops/boxing.h"

namespace wick::ops::lang {

using Complex = std::complex<double>;

// Truncation; out of range and NaN give INT64_MIN, as x86-64 does.
int64_t int_of(double v);
// Truncation of a result that has to fit; throws "Cannot convert float inf to integer".
int64_t checked_int_of(double v);

inline int64_t add_int(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
inline int64_t sub_int(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
inline int64_t mul_int(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
inline int64_t neg_int(int64_t a) { return sub_int(0, a); }
inline int64_t abs_int(int64_t a) { return a < 0 ? neg_int(a) : a; }
int64_t floordiv_int(int64_t a, int64_t b);
int64_t truncdiv_int(int64_t a, int64_t b);
int64_t remainder_int(int64_t a, int64_t b);
int64_t lshift_int(int64_t a, int64_t b);
int64_t rshift_int(int64_t a, int64_t b);
inline int64_t and_int(int64_t a, int64_t b) { return a & b; }
inline int64_t or_int(int64_t a, int64_t b) { return a | b; }
inline int64_t xor_int(int64_t a, int64_t b) { return a ^ b; }
inline bool and_bool(bool a, bool b) { return a && b; }
inline bool or_bool(bool a, bool b) { return a || b; }
inline bool xor_bool(bool a, bool b) { return a != b; }
int64_t gcd_int(int64_t a, int64_t b);
int64_t factorial(int64_t n);

inline double add_float(double a, double b) { return a + b; }
inline double sub_float(double a, double b) { return a - b; }
inline double mul_float(double a, double b) { return a * b; }
inline double div_float(double a, double b) { return a / b; }
inline double neg_float(double a) { return -a; }
inline double abs_float(double a) { return std::fabs(a); }
double floordiv_float(double a, double b);
double remainder_float(double a, double b);
double pow_float(double a, double b);
double log_base(double a, double b);
double round_float(double a);
double degrees(double a);
double radians(double a);
double angle_float(double a);

inline Complex add_complex(Complex a, Complex b) { return a + b; }
inline Complex sub_complex(Complex a, Complex b) { return a - b; }
inline Complex mul_complex(Complex a, Complex b) { return a * b; }
Complex div_complex(Complex a, Complex b);
inline Complex neg_complex(Complex a) { return -a; }
inline Complex pow_complex(Complex a, Complex b) { return std::pow(a, b); }
inline Complex log_base_complex(Complex a, Complex b) { return std::log(a) / std::log(b); }
// The logarithm of a real number is real: NaN below zero.
inline Complex log_of_complex(Complex a, double base) { return std::log(a) / std::log(base); }
inline Complex log_complex_base(double a, Complex base) { return std::log(a) / std::log(base); }
inline double abs_complex(Complex a) { return std::abs(a); }
inline double angle_complex(Complex a) { return std::arg(a); }
inline bool eq_complex(Complex a, Complex b) { return a == b; }
inline bool ne_complex(Complex a, Complex b) { return a != b; }
bool isnan_complex(Complex a);
bool isinf_complex(Complex a);
bool isfinite_complex(Complex a);
Complex polar_float(double a, double b);

std::tuple<int64_t, int64_t> divmod_int(int64_t a, int64_t b);
std::tuple<double, double> divmod_float(double a, double b);
std::tuple<double, double> divmod_int_float(int64_t a, double b);
std::tuple<double, double> divmod_float_int(double a, int64_t b);
std::tuple<double, double> modf_float(double a);
std::tuple<double, int64_t> frexp_float(double a);
double ldexp_float(double a, int64_t exponent);

int64_t range_length(int64_t low, int64_t high, int64_t step);
int64_t derive_index(int64_t index, int64_t start, int64_t step);

// Conversions.
int64_t int_of_str(std::string_view text);
double float_of_str(std::string_view text);
double float_of_scalar(const Scalar& v);
bool bool_of_tensor(const Tensor& t);
int64_t int_of_tensor(const Tensor& t);
double float_of_tensor(const Tensor& t);
Scalar item(const Tensor& t);
int64_t int_implicit(const Tensor& t);
double float_implicit(const Tensor& t);
Complex complex_implicit(const Tensor& t);
Scalar scalar_implicit(const Tensor& t);
// complex(real, imag) where each is a number or a tensor.
Complex complex_of(const IValue& real, const IValue& imag);
Complex complex_of_scalar(const Scalar& v);

}  // namespace wick::ops::lang
