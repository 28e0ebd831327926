// Arithmetic and comparisons of tensors, element by element with broadcasting, as Python's operators do them.
#pragma once

#include "wick/functions.h"

#ifndef WICK_WITHOUT_FUNCTIONS  // a library built without Python 3 has none
namespace wick {

#define WICK_TENSOR_OPERATOR(op, function)                                                          \
  inline Tensor operator op(const Tensor& a, const Tensor& b) { return functions::function(a, b); } \
  inline Tensor operator op(const Tensor& a, const Scalar& b) { return functions::function(a, b); }
WICK_TENSOR_OPERATOR(+, add)
WICK_TENSOR_OPERATOR(-, sub)
WICK_TENSOR_OPERATOR(*, mul)
WICK_TENSOR_OPERATOR(/, div)
WICK_TENSOR_OPERATOR(%, remainder)
WICK_TENSOR_OPERATOR(&, bitwise_and)
WICK_TENSOR_OPERATOR(|, bitwise_or)
WICK_TENSOR_OPERATOR(^, bitwise_xor)
WICK_TENSOR_OPERATOR(==, eq)
WICK_TENSOR_OPERATOR(!=, ne)
WICK_TENSOR_OPERATOR(<, lt)
WICK_TENSOR_OPERATOR(<=, le)
WICK_TENSOR_OPERATOR(>, gt)
WICK_TENSOR_OPERATOR(>=, ge)
#undef WICK_TENSOR_OPERATOR

inline Tensor operator+(const Scalar& a, const Tensor& b) { return functions::add(b, a); }
inline Tensor operator-(const Scalar& a, const Tensor& b) { return functions::rsub(b, a); }
inline Tensor operator*(const Scalar& a, const Tensor& b) { return functions::mul(b, a); }
inline Tensor operator/(const Scalar& a, const Tensor& b) { return functions::mul(functions::reciprocal(b), a); }
inline Tensor operator-(const Tensor& a) { return functions::neg(a); }
inline Tensor operator~(const Tensor& a) { return functions::bitwise_not(a); }

// The tensor itself is written to, and with it all that share its elements.
#define WICK_TENSOR_ASSIGNMENT(op, function)                           \
  inline const Tensor& operator op(const Tensor& a, const Tensor& b) { \
    functions::function(a, b);                                         \
    return a;                                                          \
  }                                                                    \
  inline const Tensor& operator op(const Tensor& a, const Scalar& b) { \
    functions::function(a, b);                                         \
    return a;                                                          \
  }
WICK_TENSOR_ASSIGNMENT(+=, add_)
WICK_TENSOR_ASSIGNMENT(-=, sub_)
WICK_TENSOR_ASSIGNMENT(*=, mul_)
WICK_TENSOR_ASSIGNMENT(/=, div_)
#undef WICK_TENSOR_ASSIGNMENT

}  // namespace wick
#endif
