// c10::complex: a complex number with the layout of std::complex.
#pragma once

#include <complex>
#include <functional>
#include <ostream>

namespace c10 {

template <class T>
struct alignas(sizeof(T) * 2) complex {
  using value_type = T;
  T real_ = T(0);
  T imag_ = T(0);

  constexpr complex() = default;
  constexpr complex(const T& re, const T& im = T()) : real_(re), imag_(im) {}
  template <class U>
  constexpr complex(const std::complex<U>& o) : real_(static_cast<T>(o.real())), imag_(static_cast<T>(o.imag())) {}
  template <class U, typename std::enable_if<(sizeof(U) < sizeof(T)), int>::type = 0>
  constexpr complex(const complex<U>& o) : real_(static_cast<T>(o.real())), imag_(static_cast<T>(o.imag())) {}
  template <class U, typename std::enable_if<(sizeof(U) > sizeof(T)), int>::type = 0>
  constexpr explicit complex(const complex<U>& o) : real_(static_cast<T>(o.real())), imag_(static_cast<T>(o.imag())) {}
  operator std::complex<T>() const { return std::complex<T>(real_, imag_); }

  constexpr T real() const { return real_; }
  constexpr T imag() const { return imag_; }
  void real(T v) { real_ = v; }
  void imag(T v) { imag_ = v; }
  explicit operator bool() const { return real_ || imag_; }

  complex& operator+=(const complex& o) { return real_ += o.real_, imag_ += o.imag_, *this; }
  complex& operator-=(const complex& o) { return real_ -= o.real_, imag_ -= o.imag_, *this; }
  complex& operator*=(const complex& o) { return *this = complex(std::complex<T>(*this) * std::complex<T>(o)); }
  complex& operator/=(const complex& o) { return *this = complex(std::complex<T>(*this) / std::complex<T>(o)); }

  friend complex operator+(complex a, const complex& b) { return a += b; }
  friend complex operator-(complex a, const complex& b) { return a -= b; }
  friend complex operator*(complex a, const complex& b) { return a *= b; }
  friend complex operator/(complex a, const complex& b) { return a /= b; }
  friend complex operator-(const complex& a) { return complex(-a.real_, -a.imag_); }
  friend bool operator==(const complex& a, const complex& b) { return a.real_ == b.real_ && a.imag_ == b.imag_; }
  friend bool operator!=(const complex& a, const complex& b) { return !(a == b); }
};

template <class T>
std::ostream& operator<<(std::ostream& out, const complex<T>& v) {
  return out << static_cast<std::complex<T>>(v);
}
template <class T>
complex<T> polar(const T& r, const T& theta = T()) {
  return complex<T>(std::polar(r, theta));
}

}  // namespace c10

// Elementary functions, in namespace std too.
namespace c10_complex_math {
#define WICK_COMPLEX_FUNCTION(name)                                     \
  template <class T>                                                    \
  c10::complex<T> name(const c10::complex<T>& v) {                      \
    return c10::complex<T>(std::name(static_cast<std::complex<T>>(v))); \
  }
WICK_COMPLEX_FUNCTION(exp)
WICK_COMPLEX_FUNCTION(log)
WICK_COMPLEX_FUNCTION(log10)
WICK_COMPLEX_FUNCTION(sqrt)
WICK_COMPLEX_FUNCTION(sin)
WICK_COMPLEX_FUNCTION(cos)
WICK_COMPLEX_FUNCTION(tan)
WICK_COMPLEX_FUNCTION(asin)
WICK_COMPLEX_FUNCTION(acos)
WICK_COMPLEX_FUNCTION(atan)
WICK_COMPLEX_FUNCTION(sinh)
WICK_COMPLEX_FUNCTION(cosh)
WICK_COMPLEX_FUNCTION(tanh)
WICK_COMPLEX_FUNCTION(asinh)
WICK_COMPLEX_FUNCTION(acosh)
WICK_COMPLEX_FUNCTION(atanh)
#undef WICK_COMPLEX_FUNCTION
template <class T>
c10::complex<T> log2(const c10::complex<T>& v) {
  return log(v) / c10::complex<T>(std::log(T(2)));
}
template <class T>
c10::complex<T> pow(const c10::complex<T>& a, const c10::complex<T>& b) {
  return c10::complex<T>(std::pow(static_cast<std::complex<T>>(a), static_cast<std::complex<T>>(b)));
}
template <class T>
c10::complex<T> pow(const c10::complex<T>& a, const T& b) {
  return c10::complex<T>(std::pow(static_cast<std::complex<T>>(a), b));
}
template <class T>
c10::complex<T> pow(const T& a, const c10::complex<T>& b) {
  return c10::complex<T>(std::pow(a, static_cast<std::complex<T>>(b)));
}
}  // namespace c10_complex_math

namespace c10 {
template <class T>
struct is_complex : std::false_type {};
template <class T>
struct is_complex<std::complex<T>> : std::true_type {};
template <class T>
struct is_complex<c10::complex<T>> : std::true_type {};
// The type of a number's parts.
template <class T>
struct scalar_value_type {
  using type = T;
};
template <class T>
struct scalar_value_type<std::complex<T>> {
  using type = T;
};
template <class T>
struct scalar_value_type<c10::complex<T>> {
  using type = T;
};
}  // namespace c10

namespace std {
using c10_complex_math::acos;
using c10_complex_math::acosh;
using c10_complex_math::asin;
using c10_complex_math::asinh;
using c10_complex_math::atan;
using c10_complex_math::atanh;
using c10_complex_math::cos;
using c10_complex_math::cosh;
using c10_complex_math::exp;
using c10_complex_math::log;
using c10_complex_math::log10;
using c10_complex_math::log2;
using c10_complex_math::pow;
using c10_complex_math::sin;
using c10_complex_math::sinh;
using c10_complex_math::sqrt;
using c10_complex_math::tan;
using c10_complex_math::tanh;
template <class T>
T arg(const c10::complex<T>& v) {
  return std::arg(static_cast<std::complex<T>>(v));
}
template <class T>
T norm(const c10::complex<T>& v) {
  return v.real() * v.real() + v.imag() * v.imag();
}
template <class T>
T real(const c10::complex<T>& v) {
  return v.real();
}
template <class T>
T imag(const c10::complex<T>& v) {
  return v.imag();
}
template <class T>
T abs(const c10::complex<T>& v) {
  return std::abs(static_cast<std::complex<T>>(v));
}
template <class T>
c10::complex<T> conj(const c10::complex<T>& v) {
  return c10::complex<T>(v.real(), -v.imag());
}
template <class T>
struct hash<c10::complex<T>> {
  size_t operator()(const c10::complex<T>& v) const { return std::hash<T>()(v.real()) * 31 + std::hash<T>()(v.imag()); }
};
}  // namespace std
