// Element functions: wrapping integers, PyTorch's rules for division, NaN-keeping extremes.
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/check.h"

namespace wick::ops {

// Signed integers wrap around; other types as usual.
template <class T>
constexpr T wrap_add(T a, T b) {
  if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, int32_t>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  else
    return a + b;
}
template <class T>
constexpr T wrap_sub(T a, T b) {
  if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, int32_t>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) - static_cast<std::make_unsigned_t<T>>(b));
  else
    return a - b;
}
template <class T>
constexpr T wrap_mul(T a, T b) {
  if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, int32_t>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) * static_cast<std::make_unsigned_t<T>>(b));
  else
    return a * b;
}
// Infinities and NaN come out as the four products make them, as in PyTorch; C++'s own product repairs them.
template <class T>
constexpr std::complex<T> wrap_mul(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

inline void check_divisor(int64_t b) { WICK_CHECK(b != 0, kInvalidArgument, "ZeroDivisionError"); }

// -1 is taken apart: the smallest integer divided by it does not fit and would trap.
inline int64_t int_div_trunc(int64_t a, int64_t b) {
  check_divisor(b);
  return b == -1 ? wrap_sub(int64_t{0}, a) : a / b;
}
inline int64_t int_fmod(int64_t a, int64_t b) {
  check_divisor(b);
  return b == -1 ? 0 : a % b;
}
inline int64_t int_div_floor(int64_t a, int64_t b) {
  const int64_t q = int_div_trunc(a, b);
  return int_fmod(a, b) != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
inline int64_t int_remainder(int64_t a, int64_t b) {
  const int64_t r = int_fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

// std::fmod's result. Quotients of floats below 2^28 are had in doubles: what they leave is exact, but for a quotient
// that was rounded up to the next integer.
template <class T>
T exact_fmod(T x, T y) {
  if constexpr (std::is_same_v<T, float>) {
    const double a = static_cast<double>(x), b = static_cast<double>(y), quotient = a / b;
    if (std::fabs(quotient) < static_cast<double>(1 << 28) && std::isfinite(y)) {
      double rest = a - static_cast<double>(static_cast<int32_t>(quotient)) * b;
      if (a < 0 ? rest > 0 : rest < 0) rest += std::copysign(b, a);
      return std::copysign(static_cast<float>(rest), x);
    }
  } else if constexpr (std::is_same_v<T, double>) {
    // Below 2^26 the products of the quotient and either half of the divisor's digits are exact, and so is what they
    // leave of x.
    const double quotient = x / y;
    if (std::fabs(quotient) < static_cast<double>(1 << 26) && std::fabs(x) < 1e300 && std::isfinite(y)) {
      const double whole = static_cast<double>(static_cast<int32_t>(quotient));
      const double high = std::bit_cast<double>(std::bit_cast<uint64_t>(y) & ~((uint64_t{1} << 27) - 1));
      double rest = (x - whole * high) - whole * (y - high);
      if (x < 0 ? rest > 0 : rest < 0) rest += std::copysign(y, x);
      return std::copysign(rest, x);
    }
  }
  return std::fmod(x, y);
}

// std::floor that loops over floats can have without a call: larger floats are whole.
template <class T>
T plain_floor(T x) {
  if constexpr (std::is_same_v<T, float>) {
    const bool is_small = std::fabs(x) < 8388608.0F;
    const float whole = static_cast<float>(static_cast<int32_t>(is_small ? x : 0.0F));
    return is_small ? (whole > x ? whole - 1.0F : whole) : x;
  } else {
    return std::floor(x);
  }
}

// Python's floor division, given fmod(a, b): a == b * floor_div(a, b) + mod with mod of b's sign.
template <class T>
T float_div_floor(T a, T b, T mod) {
  if (b == 0) return a / b;
  T div = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0)) div -= T(1);
  if (div == 0) return std::copysign(T(0), a / b);
  T floored = plain_floor(div);
  if (div - floored > T(0.5)) floored += T(1);
  return floored;
}

// Smith's division: no overflow in between; a zero divisor gives NaN.
template <class T>
std::complex<T> complex_div(std::complex<T> x, std::complex<T> y) {
  const T a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
  if (std::fabs(c) >= std::fabs(d)) {
    const T ratio = d / c, scale = T(1) / (c + d * ratio);
    return {(a + b * ratio) * scale, (b - a * ratio) * scale};
  }
  const T ratio = c / d, scale = T(1) / (c * ratio + d);
  return {(a * ratio + b) * scale, (b * ratio - a) * scale};
}

template <class T>
T nan_max(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a > b || a != a ? a : b;
  else
    return a > b ? a : b;
}
template <class T>
T nan_min(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a < b || a != a ? a : b;
  else
    return a < b ? a : b;
}

inline int64_t int_gcd(int64_t a, int64_t b) {
  while (a != 0) {
    const int64_t t = a;
    a = int_fmod(b, a);
    b = t;
  }
  return b < 0 ? wrap_sub(int64_t{0}, b) : b;
}

// Integer power with wrap-around; negative exponents give 0 except for bases 1 and -1.
inline int64_t int_pow(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  int64_t result = 1;
  while (exponent != 0) {
    if (exponent & 1) result = wrap_mul(result, base);
    exponent >>= 1;
    base = wrap_mul(base, base);
  }
  return result;
}

}  // namespace wick::ops
