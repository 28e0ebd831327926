// Conversions of Scalar.
#include "wick/scalar.h"

#include "core/check.h"

namespace wick {

double Scalar::to_double() const {
  if (is_integral()) return static_cast<double>(i_);
  WICK_CHECK(kind_ != Kind::kComplex || c_.imag() == 0, kTypeMismatch,
             "value cannot be converted to type double without overflow");
  return c_.real();
}

}  // namespace wick
