// c10::Half, c10::BFloat16 and the element types of quantized tensors: storage types with conversions.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
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

// With a wider number the result is wider, with an integer it stays.
#define WICK_MIXED(Name, Other, Result)                                                                \
  friend Result operator+(Name a, Other b) { return static_cast<Result>(a) + static_cast<Result>(b); } \
  friend Result operator-(Name a, Other b) { return static_cast<Result>(a) - static_cast<Result>(b); } \
  friend Result operator*(Name a, Other b) { return static_cast<Result>(a) * static_cast<Result>(b); } \
  friend Result operator/(Name a, Other b) { return static_cast<Result>(a) / static_cast<Result>(b); } \
  friend Result operator+(Other a, Name b) { return static_cast<Result>(a) + static_cast<Result>(b); } \
  friend Result operator-(Other a, Name b) { return static_cast<Result>(a) - static_cast<Result>(b); } \
  friend Result operator*(Other a, Name b) { return static_cast<Result>(a) * static_cast<Result>(b); } \
  friend Result operator/(Other a, Name b) { return static_cast<Result>(a) / static_cast<Result>(b); }
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
    WICK_MIXED(Name, float, float)                                              \
    WICK_MIXED(Name, double, double)                                            \
    WICK_MIXED(Name, int, Name)                                                 \
    WICK_MIXED(Name, int64_t, Name)                                             \
    friend float& operator+=(float& a, Name b) { return a += float(b); }        \
    friend float& operator-=(float& a, Name b) { return a -= float(b); }        \
    friend float& operator*=(float& a, Name b) { return a *= float(b); }        \
    friend float& operator/=(float& a, Name b) { return a /= float(b); }        \
    Name& operator+=(Name o) { return *this = *this + o; }                      \
    Name& operator-=(Name o) { return *this = *this - o; }                      \
    Name& operator*=(Name o) { return *this = *this * o; }                      \
    Name& operator/=(Name o) { return *this = *this / o; }                      \
  };                                                                            \
  inline std::ostream& operator<<(std::ostream& out, const Name& v) { return out << float(v); }
WICK_SMALL_FLOAT(Half, half_from_float, half_to_float)
WICK_SMALL_FLOAT(BFloat16, bfloat16_from_float, bfloat16_to_float)
#undef WICK_SMALL_FLOAT
#undef WICK_MIXED

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
#define WICK_LIMITS(Name, exact, bits, decimals, all_decimals, least, least10, most, most10)                           \
  template <>                                                                                                          \
  class numeric_limits<c10::Name> {                                                                                    \
   public:                                                                                                             \
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;               \
    static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;                         \
    static constexpr auto has_denorm = numeric_limits<float>::has_denorm;                                              \
    static constexpr auto has_denorm_loss = numeric_limits<float>::has_denorm_loss;                                    \
    static constexpr auto round_style = numeric_limits<float>::round_style;                                            \
    static constexpr bool is_iec559 = exact, is_bounded = true, is_modulo = false;                                     \
    static constexpr int digits = bits, digits10 = decimals, max_digits10 = all_decimals, radix = 2;                   \
    static constexpr int min_exponent = least, min_exponent10 = least10, max_exponent = most, max_exponent10 = most10; \
    static constexpr auto traps = numeric_limits<float>::traps;                                                        \
    static constexpr auto tinyness_before = numeric_limits<float>::tinyness_before;                                    \
    WICK_LIMIT_VALUES_##Name                                                                                           \
  };
#define WICK_LIMIT(Name, what, bits) \
  static constexpr c10::Name what() { return c10::Name(bits, c10::Name::from_bits()); }
#define WICK_LIMIT_VALUES_Half          \
  WICK_LIMIT(Half, lowest, 0xFBFF)      \
  WICK_LIMIT(Half, max, 0x7BFF)         \
  WICK_LIMIT(Half, min, 0x0400)         \
  WICK_LIMIT(Half, epsilon, 0x1400)     \
  WICK_LIMIT(Half, round_error, 0x3800) \
  WICK_LIMIT(Half, infinity, 0x7C00)    \
  WICK_LIMIT(Half, quiet_NaN, 0x7E00) WICK_LIMIT(Half, signaling_NaN, 0x7D00) WICK_LIMIT(Half, denorm_min, 0x0001)
#define WICK_LIMIT_VALUES_BFloat16          \
  WICK_LIMIT(BFloat16, lowest, 0xFF7F)      \
  WICK_LIMIT(BFloat16, max, 0x7F7F)         \
  WICK_LIMIT(BFloat16, min, 0x0080)         \
  WICK_LIMIT(BFloat16, epsilon, 0x3C00)     \
  WICK_LIMIT(BFloat16, round_error, 0x3F00) \
  WICK_LIMIT(BFloat16, infinity, 0x7F80)    \
  WICK_LIMIT(BFloat16, quiet_NaN, 0x7FC0)   \
  WICK_LIMIT(BFloat16, signaling_NaN, 0x7F80) WICK_LIMIT(BFloat16, denorm_min, 0x0001)
WICK_LIMITS(Half, true, 11, 3, 5, -13, -4, 16, 4)
WICK_LIMITS(BFloat16, false, 8, 2, 4, -125, -37, 128, 38)
#undef WICK_LIMITS
#undef WICK_LIMIT
#undef WICK_LIMIT_VALUES_Half
#undef WICK_LIMIT_VALUES_BFloat16

template <>
struct hash<c10::Half> {
  size_t operator()(c10::Half v) const { return hash<uint16_t>()(v.x); }
};
template <>
struct hash<c10::BFloat16> {
  size_t operator()(c10::BFloat16 v) const { return hash<uint16_t>()(v.x); }
};
}  // namespace std
