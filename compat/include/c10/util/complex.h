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
  template <class U, class = typename std::enable_if<!std::is_same<T, U>::value>::type>
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

}  // namespace c10

namespace std {
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
