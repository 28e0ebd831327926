// at::opmath_type: the type that arithmetic on elements is done in.
#pragma once

#include <c10/core/ScalarType.h>

namespace at {

template <class T>
struct OpMathType {
  using type = T;
};
template <>
struct OpMathType<c10::Half> {
  using type = float;
};
template <>
struct OpMathType<c10::BFloat16> {
  using type = float;
};
template <>
struct OpMathType<c10::complex<c10::Half>> {
  using type = c10::complex<float>;
};
template <class T>
using opmath_type = typename OpMathType<T>::type;

inline c10::ScalarType toOpMathType(c10::ScalarType type) {
  switch (type) {
    case c10::ScalarType::Half:
    case c10::ScalarType::BFloat16:
      return c10::ScalarType::Float;
    case c10::ScalarType::ComplexHalf:
      return c10::ScalarType::ComplexFloat;
    default:
      return type;
  }
}

}  // namespace at
