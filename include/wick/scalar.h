// Scalar: a Python number (bool, int, float or complex) passed to an operator.
#pragma once

#include <complex>
#include <cstdint>

#include "wick/dtype.h"

namespace wick {

// Keeps the kind it was made from: an operator's result dtype depends on it. A value without allocations; threads may
// read one at the same time.
//
//   wick::Scalar half(0.5), two(2);
//   two.to_double();                                       // 2.0
//   wick::Tensor::scalar(half, wick::DType::kFloat);       // a zero-dim tensor
class Scalar {
 public:
  enum class Kind : uint8_t { kBool, kInt, kDouble, kComplex };

  Scalar() : Scalar(int64_t{0}) {}
  Scalar(bool v) : kind_(Kind::kBool), i_(v) {}
  Scalar(int v) : Scalar(static_cast<int64_t>(v)) {}
  Scalar(int64_t v) : kind_(Kind::kInt), i_(v) {}
  Scalar(float v) : Scalar(static_cast<double>(v)) {}
  Scalar(double v) : kind_(Kind::kDouble), c_(v, 0) {}
  Scalar(std::complex<double> v) : kind_(Kind::kComplex), c_(v) {}

  Kind kind() const { return kind_; }
  bool is_bool() const { return kind_ == Kind::kBool; }
  // True for int only; a bool is not an int here.
  bool is_int() const { return kind_ == Kind::kInt; }
  bool is_integral() const { return kind_ <= Kind::kInt; }
  bool is_double() const { return kind_ == Kind::kDouble; }
  bool is_complex() const { return kind_ == Kind::kComplex; }
  // The dtype this number has by itself: Bool, Long, Double or ComplexDouble.
  DType dtype() const;

  // Conversions as C++ would do them (a complex must have no imaginary part, else Error).
  double to_double() const;
  int64_t to_int() const;
  bool to_bool() const;
  std::complex<double> to_complex() const;
  template <class T>
  T to() const;

 private:
  Kind kind_;
  int64_t i_ = 0;
  std::complex<double> c_{};
};

inline DType Scalar::dtype() const {
  return is_bool() ? DType::kBool : is_int() ? DType::kLong : is_double() ? DType::kDouble : DType::kComplexDouble;
}

inline int64_t Scalar::to_int() const {
  if (is_integral()) return i_;
  const double d = to_double();
  // Out of range or NaN: what the conversion instruction of x86-64 gives, without undefined behavior.
  if (!(d >= -9223372036854775808.0 && d < 9223372036854775808.0)) return INT64_MIN;
  return static_cast<int64_t>(d);
}

inline bool Scalar::to_bool() const { return is_integral() ? i_ != 0 : c_ != std::complex<double>(0, 0); }

inline std::complex<double> Scalar::to_complex() const {
  return is_integral() ? std::complex<double>(static_cast<double>(i_), 0) : c_;
}

template <class T>
T Scalar::to() const {
  if constexpr (std::is_same_v<T, bool>) {
    return to_bool();
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(to_int());
  } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    return T(to_complex());
  } else {
    return static_cast<T>(to_double());
  }
}

}  // namespace wick
