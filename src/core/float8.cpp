// Conversions between float and the 8-bit float formats.
#include "core/float8.h"

#include <algorithm>
#include <cmath>

namespace wick {

float float8_to_float(uint8_t bits, DType dtype) {
  const bool e5 = dtype == DType::kFloat8_e5m2 || dtype == DType::kFloat8_e5m2fnuz;
  const bool fnuz = dtype == DType::kFloat8_e5m2fnuz || dtype == DType::kFloat8_e4m3fnuz;
  const int mantissa_bits = e5 ? 2 : 3;
  const int bias = (e5 ? 15 : 7) + fnuz;
  const int exponent = (bits & 0x7f) >> mantissa_bits;
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  const float sign = bits & 0x80 ? -1.f : 1.f;
  if (fnuz && bits == 0x80) return NAN;
  if (dtype == DType::kFloat8_e4m3fn && (bits & 0x7f) == 0x7f) return NAN;
  if (dtype == DType::kFloat8_e5m2 && exponent == 31) return mantissa ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), 1 - bias - mantissa_bits);
  return sign * std::ldexp(static_cast<float>(mantissa + (1 << mantissa_bits)), exponent - bias - mantissa_bits);
}

uint8_t float_to_float8(float value, DType dtype) {
  const bool e5 = dtype == DType::kFloat8_e5m2 || dtype == DType::kFloat8_e5m2fnuz;
  const bool fnuz = dtype == DType::kFloat8_e5m2fnuz || dtype == DType::kFloat8_e4m3fnuz;
  const int mantissa_bits = e5 ? 2 : 3;
  const int bias = (e5 ? 15 : 7) + fnuz;
  const int sign = std::signbit(value) ? 0x80 : 0;
  const int nan = fnuz ? 0x80 : sign | 0x7f;
  if (std::isnan(value)) return static_cast<uint8_t>(nan);
  const int largest = fnuz ? 0x7f : e5 ? 0x7b : 0x7e;
  const int beyond = fnuz ? nan : sign | (e5 ? 0x7c : largest);
  if (std::isinf(value)) return static_cast<uint8_t>(beyond);
  int exponent = 0;
  std::frexp(value, &exponent);
  exponent = value == 0 ? 1 - bias : std::max(exponent - 1, 1 - bias);
  const float units = std::nearbyint(std::ldexp(std::abs(value), mantissa_bits - exponent));
  const int64_t code = (static_cast<int64_t>(exponent + bias - 1) << mantissa_bits) + static_cast<int64_t>(units);
  if (code > largest) return static_cast<uint8_t>(beyond);
  return static_cast<uint8_t>(fnuz && code == 0 ? 0 : code | sign);
}

}  // namespace wick
