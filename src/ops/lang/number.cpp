// Operators on Python numbers.
#include "ops/lang/number.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>

#include "core/check.h"

namespace wick::ops::lang {

namespace {

constexpr double kTwo63 = 9223372036854775808.0;

bool fits_int(double v) { return v >= -kTwo63 && v < kTwo63; }

}  // namespace

int64_t int_of(double v) { return fits_int(v) ? static_cast<int64_t>(v) : INT64_MIN; }

int64_t checked_int_of(double v) {
  if (fits_int(v)) return static_cast<int64_t>(v);
  char text[400];
  std::snprintf(text, sizeof text, "%f", v);
  fail_with<ErrorCode::kInvalidArgument>("Cannot convert float ", text, " to integer");
}

int64_t truncdiv_int(int64_t a, int64_t b) {
  WICK_CHECK(b != 0, kInvalidArgument, "division by 0");
  return b == -1 ? neg_int(a) : a / b;
}

int64_t floordiv_int(int64_t a, int64_t b) {
  const int64_t q = truncdiv_int(a, b);
  if (b == -1) return q;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

int64_t remainder_int(int64_t a, int64_t b) {
  WICK_CHECK(b != 0, kInvalidArgument, "ZeroDivisionError: integer division or modulo by zero");
  if (b == -1) return 0;
  return add_int(b, a % b) % b;  // wraps next to the largest integers, as PyTorch's does
}

// The count is taken modulo 64, as the machine instruction does.
int64_t lshift_int(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) << (static_cast<uint64_t>(b) & 63));
}
int64_t rshift_int(int64_t a, int64_t b) { return a >> (static_cast<uint64_t>(b) & 63); }

int64_t gcd_int(int64_t a, int64_t b) {
  uint64_t x = static_cast<uint64_t>(abs_int(a)), y = static_cast<uint64_t>(abs_int(b));
  while (y != 0) {
    const uint64_t r = x % y;
    x = y;
    y = r;
  }
  return static_cast<int64_t>(x);
}

int64_t factorial(int64_t n) {
  WICK_CHECK(n >= 0, kInvalidArgument, "factorial() not defined for negative values");
  if (n > 65) return 0;  // 66! is a multiple of 2^64
  int64_t product = 1;
  for (int64_t i = 2; i <= n; ++i) product = mul_int(product, i);
  return product;
}

double floordiv_float(double a, double b) { return std::floor(a / b); }
double remainder_float(double a, double b) { return std::fmod(b + std::fmod(a, b), b); }

double pow_float(double a, double b) {
  WICK_CHECK(!(a == 0 && b < 0), kInvalidArgument, "0.0 cannot be raised to a negative power");
  return std::pow(a, b);
}

double log_base(double a, double b) { return std::log(a) / std::log(b); }
double round_float(double a) { return std::nearbyint(a); }
double degrees(double a) { return a * (180.0 / std::numbers::pi); }
double radians(double a) { return a * (std::numbers::pi / 180.0); }
double angle_float(double a) { return std::signbit(a) ? std::numbers::pi : 0; }

// The plain formula, whose quotient by zero is NaN.
Complex div_complex(Complex a, Complex b) {
  const double n = b.real() * b.real() + b.imag() * b.imag();
  return {(a.real() * b.real() + a.imag() * b.imag()) / n, (a.imag() * b.real() - a.real() * b.imag()) / n};
}
bool isnan_complex(Complex a) { return std::isnan(a.real()) || std::isnan(a.imag()); }
bool isinf_complex(Complex a) { return std::isinf(a.real()) || std::isinf(a.imag()); }
bool isfinite_complex(Complex a) { return std::isfinite(a.real()) && std::isfinite(a.imag()); }
Complex polar_float(double a, double b) { return {a * std::cos(b), a * std::sin(b)}; }

std::tuple<int64_t, int64_t> divmod_int(int64_t a, int64_t b) {
  WICK_CHECK(b != 0, kInvalidArgument, "ZeroDivisionError: integer division or modulo by zero");
  const int64_t q = floordiv_int(a, b);
  return {q, sub_int(a, mul_int(q, b))};
}

std::tuple<double, double> divmod_float(double a, double b) {
  WICK_CHECK(b != 0, kInvalidArgument, "ZeroDivisionError: float divmod()");
  double r = std::fmod(a, b);
  if (r != 0 && (r < 0) != (b < 0)) r += b;
  return {(a - r) / b, r};
}

namespace {

// PyTorch divides an int by a float, or a float by an int, in single precision.
std::tuple<double, double> divmod_single(float quotient, double a, double b) {
  WICK_CHECK(b != 0, kInvalidArgument, "ZeroDivisionError: float divmod()");
  const double q = static_cast<double>(checked_int_of(std::floor(quotient)));
  return {q, a - q * b};
}

}  // namespace

std::tuple<double, double> divmod_int_float(int64_t a, double b) {
  const float divisor = static_cast<float>(b);
  return divmod_single(static_cast<float>(a) / divisor, static_cast<double>(a), divisor);
}
std::tuple<double, double> divmod_float_int(double a, int64_t b) {
  const float dividend = static_cast<float>(a);
  return divmod_single(dividend / static_cast<float>(b), dividend, static_cast<double>(b));
}

std::tuple<double, double> modf_float(double a) {
  double whole = 0;
  const double fraction = std::modf(a, &whole);
  return {fraction, whole};
}

std::tuple<double, int64_t> frexp_float(double a) {
  int exponent = 0;
  const double mantissa = std::frexp(a, &exponent);
  return {mantissa, exponent};
}

double ldexp_float(double a, int64_t exponent) {
  return std::ldexp(a, static_cast<int>(std::clamp<int64_t>(exponent, -100000, 100000)));
}

int64_t range_length(int64_t low, int64_t high, int64_t step) {
  WICK_CHECK(step != 0, kInvalidArgument, "range() arg 3 must not be zero");
  const uint64_t a = static_cast<uint64_t>(low), b = static_cast<uint64_t>(high);
  if (step > 0 && low < high) return static_cast<int64_t>(1 + (b - 1 - a) / static_cast<uint64_t>(step));
  if (step < 0 && low > high) return static_cast<int64_t>(1 + (a - 1 - b) / (0 - static_cast<uint64_t>(step)));
  return 0;
}

int64_t derive_index(int64_t index, int64_t start, int64_t step) { return add_int(start, mul_int(index, step)); }

int64_t int_of_str(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(copy.c_str(), &end, 10);
  WICK_CHECK(end != copy.c_str(), kInvalidArgument, "stoll: invalid literal for int() with base 10: '", text, "'");
  WICK_CHECK(errno != ERANGE, kInvalidArgument, "stoll: '", text, "' does not fit a 64-bit integer");
  WICK_CHECK(end == copy.c_str() + copy.size(), kInvalidArgument, "invalid literal for int() with base 10: '", text,
             "'");
  return value;
}

double float_of_str(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(copy.c_str(), &end);
  WICK_CHECK(end != copy.c_str(), kInvalidArgument, "stod: could not convert string to float: '", text, "'");
  WICK_CHECK(errno != ERANGE, kInvalidArgument, "stod: '", text, "' does not fit a float");
  WICK_CHECK(end == copy.c_str() + copy.size(), kInvalidArgument, "could not convert string to float: '", text, "'");
  return value;
}

double float_of_scalar(const Scalar& v) { return v.is_complex() ? v.to_complex().real() : v.to_double(); }

Scalar item(const Tensor& t) {
  WICK_CHECK(t.numel() == 1, kInvalidArgument, "a Tensor with ", t.numel(), " elements cannot be converted to Scalar");
  return t.item();
}

bool bool_of_tensor(const Tensor& t) {
  WICK_CHECK(t.numel() != 0, kInvalidArgument, "Boolean value of Tensor with no values is ambiguous");
  WICK_CHECK(t.numel() == 1, kInvalidArgument, "Boolean value of Tensor with more than one value is ambiguous");
  return t.item().to_bool();
}
int64_t int_of_tensor(const Tensor& t) {
  const Scalar v = item(t);
  WICK_CHECK(v.is_integral() || (v.to_complex().imag() == 0 && fits_int(v.to_complex().real())), kInvalidArgument,
             "value cannot be converted to type int64_t without overflow");
  return v.to_int();
}
double float_of_tensor(const Tensor& t) { return item(t).to_double(); }

namespace {

void check_implicit(const Tensor& t) {
  WICK_CHECK(!t.requires_grad(), kInvalidArgument, "Cannot input a tensor that requires grad as a scalar argument");
  WICK_CHECK(t.dim() == 0, kInvalidArgument, "Cannot input a tensor of dimension other than 0 as a scalar argument");
}

}  // namespace

int64_t int_implicit(const Tensor& t) {
  check_implicit(t);
  WICK_CHECK(is_integral(t.dtype(), false), kTypeMismatch, "Cannot input a tensor of type ", name_of(t.dtype()),
             " as an integral argument");
  return t.item().to_int();
}
double float_implicit(const Tensor& t) {
  check_implicit(t);
  return t.item().to_double();
}
Complex complex_implicit(const Tensor& t) {
  check_implicit(t);
  return t.item().to_complex();
}
Scalar scalar_implicit(const Tensor& t) {
  check_implicit(t);
  return t.item();
}

Complex complex_of(const IValue& real, const IValue& imag) {
  const auto part = [](const IValue& v) {
    return v.is_tensor() ? float_of_tensor(v.to_tensor()) : v.to_scalar().to_double();
  };
  return {part(real), part(imag)};
}
Complex complex_of_scalar(const Scalar& v) { return v.to_complex(); }

}  // namespace wick::ops::lang
