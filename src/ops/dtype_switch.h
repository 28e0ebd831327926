// Choosing a typed loop by dtype, and arithmetic in the type PyTorch computes in.
#pragma once

#include "core/shape.h"

namespace wick::ops {

// Calls fn with a value of the dtype's C++ type; other dtypes are refused as check_dtype does.
template <class Fn>
void for_float_dtype(DType dtype, const char* op, Fn&& fn) {
  switch (dtype) {
    case DType::kHalf:
      return fn(Half{});
    case DType::kFloat:
      return fn(float{});
    case DType::kDouble:
      return fn(double{});
    case DType::kBFloat16:
      return fn(BFloat16{});
    default:
      check_dtype(false, op, dtype);
  }
}
// The same, integers and bools too.
template <class Fn>
void for_real_dtype(DType dtype, const char* op, Fn&& fn) {
  switch (dtype) {
    case DType::kByte:
      return fn(uint8_t{});
    case DType::kChar:
      return fn(int8_t{});
    case DType::kShort:
      return fn(int16_t{});
    case DType::kInt:
      return fn(int32_t{});
    case DType::kLong:
      return fn(int64_t{});
    case DType::kBool:
      return fn(bool{});
    default:
      return for_float_dtype(dtype, op, static_cast<Fn&&>(fn));
  }
}
// The same, complex numbers too.
template <class Fn>
void for_dtype(DType dtype, const char* op, Fn&& fn) {
  if (dtype == DType::kComplexFloat) return fn(std::complex<float>{});
  if (dtype == DType::kComplexDouble) return fn(std::complex<double>{});
  for_real_dtype(dtype, op, static_cast<Fn&&>(fn));
}

// Calls fn with a value of the integer type that stores a quantized dtype; others are refused.
template <class Fn>
void for_quantized_dtype(DType dtype, const char* op, Fn&& fn) {
  switch (dtype) {
    case DType::kQInt8:
      return fn(int8_t{});
    case DType::kQUInt8:
      return fn(uint8_t{});
    case DType::kQInt32:
      return fn(int32_t{});
    default:
      check_dtype(false, op, dtype);
  }
}
// Gives what fn does with a value of the type that matrices of the dtype are decomposed in, real or complex.
template <class Fn>
auto in_double(DType dtype, Fn&& fn) {
  return is_complex(dtype) ? fn(std::complex<double>{}) : fn(double{});
}

// The type a dtype is computed in: 16-bit floats in float, integers in unsigned words so that they wrap.
template <class T>
struct ComputeType {
  using type = T;
};
template <>
struct ComputeType<Half> {
  using type = float;
};
template <>
struct ComputeType<BFloat16> {
  using type = float;
};
template <class T>
requires std::is_integral_v<T>
struct ComputeType<T> {
  using type = uint64_t;
};

// Elements may be unaligned, and a bool may hold any byte.
template <class T>
T load_item(const char* p) {
  if constexpr (std::is_same_v<T, bool>) {
    return *p != 0;
  } else {
    T v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
}
template <class T>
void store_item(char* p, T v) {
  std::memcpy(p, &v, sizeof v);
}

template <class T>
T add_items(T a, T b) {
  using C = typename ComputeType<T>::type;
  return static_cast<T>(static_cast<C>(a) + static_cast<C>(b));
}
template <class T>
T mul_items(T a, T b) {
  using C = typename ComputeType<T>::type;
  return static_cast<T>(static_cast<C>(a) * static_cast<C>(b));
}
template <class T>
bool is_nan_item(T v) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    return !(static_cast<typename ComputeType<T>::type>(v) == static_cast<typename ComputeType<T>::type>(v));
  }
}

}  // namespace wick::ops
