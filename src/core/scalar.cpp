#include "wick/scalar.h"

#include "core/check.h"

namespace wick {

DType Scalar::dtype() const {
  switch (kind_) {
    case Kind::kBool:
      return DType::kBool;
    case Kind::kInt:
      return DType::kLong;
    case Kind::kDouble:
      return DType::kDouble;
    case Kind::kComplex:
      return DType::kComplexDouble;
  }
  return DType::kDouble;
}

double Scalar::to_double() const {
  if (is_integral()) return static_cast<double>(i_);
  WICK_CHECK(kind_ != Kind::kComplex || c_.imag() == 0, kTypeMismatch,
             "value cannot be converted to type double without overflow");
  return c_.real();
}

int64_t Scalar::to_int() const {
  if (is_integral()) return i_;
  const double d = to_double();
  // Out of range or NaN: what the conversion instruction of x86-64 gives, without undefined behaviour.
  if (!(d >= -9223372036854775808.0 && d < 9223372036854775808.0)) return INT64_MIN;
  return static_cast<int64_t>(d);
}

bool Scalar::to_bool() const { return is_integral() ? i_ != 0 : c_ != std::complex<double>(0, 0); }

std::complex<double> Scalar::to_complex() const {
  return is_integral() ? std::complex<double>(static_cast<double>(i_), 0) : c_;
}

}  // namespace wick
