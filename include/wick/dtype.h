// Element types, memory formats and devices, with PyTorch's numeric codes.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace wick {

enum class DType : int8_t {
  kByte = 0,  // uint8
  kChar = 1,  // int8
  kShort = 2,
  kInt = 3,
  kLong = 4,
  kHalf = 5,
  kFloat = 6,
  kDouble = 7,
  kComplexHalf = 8,
  kComplexFloat = 9,
  kComplexDouble = 10,
  kBool = 11,
  kQInt8 = 12,
  kQUInt8 = 13,
  kQInt32 = 14,
  kBFloat16 = 15,
  kQUInt4x2 = 16,
  kQUInt2x4 = 17,
  kFloat8_e5m2 = 23,
  kFloat8_e4m3fn = 24,
  kFloat8_e5m2fnuz = 25,
  kFloat8_e4m3fnuz = 26,
  kUInt16 = 27,
  kUInt32 = 28,
  kUInt64 = 29,
};

enum class MemoryFormat : int8_t { kContiguous = 0, kPreserve = 1, kChannelsLast = 2, kChannelsLast3d = 3 };
enum class Layout : int8_t { kStrided = 0, kSparse = 1, kSparseCsr = 2, kMkldnn = 3 };
enum class QScheme : int8_t {
  kPerTensorAffine = 0,
  kPerChannelAffine = 1,
  kPerTensorSymmetric = 2,
  kPerChannelSymmetric = 3,
  kPerChannelAffineFloatQParams = 4,
};

// Bytes of one element (4-bit and 2-bit quantized types: of one packed byte).
size_t itemsize(DType dtype);
// True when the code is one Wick can hold.
bool is_valid_dtype(int64_t code);
// "Float", "Long", ... as PyTorch prints a ScalarType.
const char* name_of(DType dtype);
// "float32", "int64", ... as torch.<name>.
const char* torch_name_of(DType dtype);
// Inverse of torch_name_of ("torch." prefix optional), aliases such as "half" and "long" included.
std::optional<DType> dtype_from_torch_name(std::string_view name);

constexpr bool is_complex(DType t) {
  return t == DType::kComplexHalf || t == DType::kComplexFloat || t == DType::kComplexDouble;
}
constexpr bool is_floating(DType t) {
  return t == DType::kHalf || t == DType::kFloat || t == DType::kDouble || t == DType::kBFloat16 ||
         (t >= DType::kFloat8_e5m2 && t <= DType::kFloat8_e4m3fnuz);
}
constexpr bool is_quantized(DType t) {
  return t == DType::kQInt8 || t == DType::kQUInt8 || t == DType::kQInt32 || t == DType::kQUInt4x2 ||
         t == DType::kQUInt2x4;
}
// With or without bool, as PyTorch's isIntegralType.
constexpr bool is_integral(DType t, bool include_bool) {
  return (t >= DType::kByte && t <= DType::kLong) || (t >= DType::kUInt16 && t <= DType::kUInt64) ||
         (include_bool && t == DType::kBool);
}
// ComplexFloat -> Float and so on; other types unchanged.
DType to_real(DType dtype);
// Float -> ComplexFloat and so on; complex types unchanged.
DType to_complex(DType dtype);

// IEEE's 16-bit float: a storage type with conversion to and from float (round to nearest even).
struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(float f);
  operator float() const;
};
// The upper half of a float (its exponent, 7 bits of its fraction): the same, for kBFloat16.
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(float f) {
    uint32_t u;
    std::memcpy(&u, &f, 4);
    bits = (u & 0x7fffffffu) > 0x7f800000u ? 0x7fc0 : static_cast<uint16_t>((u + 0x7fff + ((u >> 16) & 1)) >> 16);
  }
  operator float() const {
    uint32_t u = static_cast<uint32_t>(bits) << 16;
    float f;
    std::memcpy(&f, &u, 4);
    return f;
  }
};

// DTypeOf<T>::value: the dtype that stores T.
template <class T>
struct DTypeOf;
#define WICK_DTYPE_OF(type, dt)               \
  template <>                                 \
  struct DTypeOf<type> {                      \
    static constexpr DType value = DType::dt; \
  };
WICK_DTYPE_OF(uint8_t, kByte)
WICK_DTYPE_OF(int8_t, kChar)
WICK_DTYPE_OF(int16_t, kShort)
WICK_DTYPE_OF(int32_t, kInt)
WICK_DTYPE_OF(int64_t, kLong)
WICK_DTYPE_OF(Half, kHalf)
WICK_DTYPE_OF(float, kFloat)
WICK_DTYPE_OF(double, kDouble)
WICK_DTYPE_OF(std::complex<float>, kComplexFloat)
WICK_DTYPE_OF(std::complex<double>, kComplexDouble)
WICK_DTYPE_OF(bool, kBool)
WICK_DTYPE_OF(BFloat16, kBFloat16)
#undef WICK_DTYPE_OF

// Where a tensor lives, as the model sees it. Values are PyTorch's DeviceType codes.
struct Device {
  int8_t type = 0;    // 0 cpu, 1 cuda, 10 vulkan, 11 metal, 14 meta, ...
  int8_t index = -1;  // -1: none given
  friend bool operator==(Device a, Device b) { return a.type == b.type && a.index == b.index; }
  // "cpu", "cuda:0"
  std::string str() const;
  // Parses str()'s form; throws Error on anything else.
  static Device parse(std::string_view text);
};

}  // namespace wick
