// Exponentials and logarithms near zero, also of complex numbers.
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

namespace wick::ops {

template <class T>
T exp_two(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return std::exp2(a);
  else
    return std::exp(a * static_cast<typename T::value_type>(0.69314718055994530942));
}

template <class T>
T exp_minus_one(T a) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::expm1(a);
  } else {
    const auto half_sine = std::sin(a.imag() / 2);
    return T(std::expm1(a.real()) * std::cos(a.imag()) - 2 * half_sine * half_sine,
             std::exp(a.real()) * std::sin(a.imag()));
  }
}

template <class T>
T log_one_plus(T a) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::log1p(a);
  } else {
    using R = typename T::value_type;
    const R x = a.real(), y = a.imag(), angle = std::atan2(y, x + R(1));
    if (std::abs(a) >= R(0.5)) return T(std::log(std::hypot(x + R(1), y)), angle);
    const R square = x * (R(2) + x) + y * y;  // |1 + a|^2 - 1
    return T(square == R(0) ? x : R(0.5) * std::log1p(square), angle);
  }
}

// log(exp(a) + exp(b)) of complex numbers, without overflow.
template <class R>
std::complex<R> log_add_exp(std::complex<R> a, std::complex<R> b) {
  constexpr R kNan = std::numeric_limits<R>::quiet_NaN();
  const auto is_nan = [](std::complex<R> z) { return std::isnan(z.real()) || std::isnan(z.imag()); };
  if (is_nan(a) || is_nan(b)) return {kNan, kNan};
  const std::complex<R> low = a.real() < b.real() ? a : b, high = a.real() < b.real() ? b : a;
  if (std::isinf(low.real()) && low.real() == high.real()) {
    return low.real() < 0 ? low : std::log(std::exp(low) + std::exp(high));
  }
  return log_one_plus(std::exp(low - high)) + high;
}

}  // namespace wick::ops
