// c10::Half, c10::BFloat16 and the element types of quantized tensors: storage types with conversions.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <ostream>
#include <type_traits>

namespace c10 {

namespace detail {
uint16_t half_from_float(float v);  // rounds to nearest even
float half_to_float(uint16_t bits);
inline uint16_t bfloat16_from_float(float v) {
  uint32_t u;
  std::memcpy(&u, &v, sizeof u);
  return (u & 0x7fffffffu) > 0x7f800000u ? uint16_t(0x7fc0)
                                         : static_cast<uint16_t>((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}
inline float bfloat16_to_float(uint16_t bits) {
  const uint32_t u = static_cast<uint32_t>(bits) << 16;
  float v;
  std::memcpy(&v, &u, sizeof v);
  return v;
}
}  // namespace detail

#define WICK_SMALL_FLOAT(Name, from, to)                                        \
  struct alignas(2) Name {                                                      \
    uint16_t x;                                                                 \
    struct from_bits_t {};                                                      \
    static constexpr from_bits_t from_bits() { return from_bits_t(); }          \
    Name() = default;                                                           \
    constexpr Name(uint16_t bits, from_bits_t) : x(bits) {}                     \
    Name(float v) : x(detail::from(v)) {}                                       \
    operator float() const { return detail::to(x); }                            \
    friend Name operator+(Name a, Name b) { return Name(float(a) + float(b)); } \
    friend Name operator-(Name a, Name b) { return Name(float(a) - float(b)); } \
    friend Name operator*(Name a, Name b) { return Name(float(a) * float(b)); } \
    friend Name operator/(Name a, Name b) { return Name(float(a) / float(b)); } \
    friend Name operator-(Name a) { return Name(-float(a)); }                   \
    Name& operator+=(Name o) { return *this = *this + o; }                      \
    Name& operator-=(Name o) { return *this = *this - o; }                      \
    Name& operator*=(Name o) { return *this = *this * o; }                      \
    Name& operator/=(Name o) { return *this = *this / o; }                      \
  };                                                                            \
  inline std::ostream& operator<<(std::ostream& out, const Name& v) { return out << float(v); }
WICK_SMALL_FLOAT(Half, half_from_float, half_to_float)
WICK_SMALL_FLOAT(BFloat16, bfloat16_from_float, bfloat16_to_float)
#undef WICK_SMALL_FLOAT

#define WICK_QUANTIZED(Name, Type)     \
  struct alignas(alignof(Type)) Name { \
    using underlying = Type;           \
    Type val_;                         \
    Name() = default;                  \
    explicit Name(Type v) : val_(v) {} \
  };
WICK_QUANTIZED(qint8, int8_t)
WICK_QUANTIZED(quint8, uint8_t)
WICK_QUANTIZED(qint32, int32_t)
WICK_QUANTIZED(quint4x2, uint8_t)
WICK_QUANTIZED(quint2x4, uint8_t)
#undef WICK_QUANTIZED

}  // namespace c10

namespace std {
template <>
class numeric_limits<c10::Half> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, has_infinity = true;
  static c10::Half lowest() { return c10::Half(0xFBFF, c10::Half::from_bits()); }
  static c10::Half max() { return c10::Half(0x7BFF, c10::Half::from_bits()); }
  static c10::Half min() { return c10::Half(0x0400, c10::Half::from_bits()); }
  static c10::Half epsilon() { return c10::Half(0x1400, c10::Half::from_bits()); }
  static c10::Half infinity() { return c10::Half(0x7C00, c10::Half::from_bits()); }
  static c10::Half quiet_NaN() { return c10::Half(0x7E00, c10::Half::from_bits()); }
};
template <>
class numeric_limits<c10::BFloat16> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, has_infinity = true;
  static c10::BFloat16 lowest() { return c10::BFloat16(0xFF7F, c10::BFloat16::from_bits()); }
  static c10::BFloat16 max() { return c10::BFloat16(0x7F7F, c10::BFloat16::from_bits()); }
  static c10::BFloat16 min() { return c10::BFloat16(0x0080, c10::BFloat16::from_bits()); }
  static c10::BFloat16 epsilon() { return c10::BFloat16(0x3C00, c10::BFloat16::from_bits()); }
  static c10::BFloat16 infinity() { return c10::BFloat16(0x7F80, c10::BFloat16::from_bits()); }
  static c10::BFloat16 quiet_NaN() { return c10::BFloat16(0x7FC0, c10::BFloat16::from_bits()); }
};
}  // namespace std
