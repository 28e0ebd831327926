// Dtype names and sizes; conversions of half and bfloat16.
#include "wick/dtype.h"

#include <charconv>
#include <iterator>

#include "core/check.h"
#include "core/dtype_names.h"

namespace wick {
namespace {

struct DTypeRow {
  DType dtype;
  uint8_t size;
  const char* name;
  const char* torch_name;
};

constexpr DTypeRow unused(int code) { return {static_cast<DType>(code), 0, "", ""}; }

// By code.
constexpr DTypeRow kRows[] = {
    {DType::kByte, 1, "Byte", "uint8"},
    {DType::kChar, 1, "Char", "int8"},
    {DType::kShort, 2, "Short", "int16"},
    {DType::kInt, 4, "Int", "int32"},
    {DType::kLong, 8, "Long", "int64"},
    {DType::kHalf, 2, "Half", "float16"},
    {DType::kFloat, 4, "Float", "float32"},
    {DType::kDouble, 8, "Double", "float64"},
    {DType::kComplexHalf, 4, "ComplexHalf", "complex32"},
    {DType::kComplexFloat, 8, "ComplexFloat", "complex64"},
    {DType::kComplexDouble, 16, "ComplexDouble", "complex128"},
    {DType::kBool, 1, "Bool", "bool"},
    {DType::kQInt8, 1, "QInt8", "qint8"},
    {DType::kQUInt8, 1, "QUInt8", "quint8"},
    {DType::kQInt32, 4, "QInt32", "qint32"},
    {DType::kBFloat16, 2, "BFloat16", "bfloat16"},
    {DType::kQUInt4x2, 1, "QUInt4x2", "quint4x2"},
    {DType::kQUInt2x4, 1, "QUInt2x4", "quint2x4"},
    unused(18),
    unused(19),
    unused(20),
    unused(21),
    unused(22),
    {DType::kFloat8_e5m2, 1, "Float8_e5m2", "float8_e5m2"},
    {DType::kFloat8_e4m3fn, 1, "Float8_e4m3fn", "float8_e4m3fn"},
    {DType::kFloat8_e5m2fnuz, 1, "Float8_e5m2fnuz", "float8_e5m2fnuz"},
    {DType::kFloat8_e4m3fnuz, 1, "Float8_e4m3fnuz", "float8_e4m3fnuz"},
    {DType::kUInt16, 2, "UInt16", "uint16"},
    {DType::kUInt32, 4, "UInt32", "uint32"},
    {DType::kUInt64, 8, "UInt64", "uint64"},
};
static_assert([] {
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if (static_cast<size_t>(kRows[i].dtype) != i) return false;
  }
  return true;
}());

// By code.
constexpr const char* kDeviceNames[] = {"cpu",  "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",
                                        "fpga", "ort",  "xla",    "vulkan", "metal",  "xpu",   "mps",
                                        "meta", "hpu",  "ve",     "lazy",   "ipu"};

}  // namespace

size_t itemsize(DType dtype) {
  switch (dtype) {
    case DType::kFloat:
      return 4;
    case DType::kLong:
      return 8;
    default:
      WICK_CHECK(is_valid_dtype(static_cast<int64_t>(dtype)), kUnsupported, "unknown dtype code ",
                 static_cast<int>(dtype));
      return kRows[static_cast<size_t>(dtype)].size;
  }
}

bool is_valid_dtype(int64_t code) {
  return code >= 0 && code < static_cast<int64_t>(std::size(kRows)) && kRows[static_cast<size_t>(code)].size != 0;
}

const char* name_of(DType dtype) {
  return is_valid_dtype(static_cast<int64_t>(dtype)) ? kRows[static_cast<size_t>(dtype)].name : "Undefined";
}

const char* torch_name_of(DType dtype) {
  return is_valid_dtype(static_cast<int64_t>(dtype)) ? kRows[static_cast<size_t>(dtype)].torch_name : "undefined";
}

const char* cpp_name(DType t) {
  switch (t) {
    case DType::kByte:
      return "unsigned char";
    case DType::kChar:
      return "signed char";
    case DType::kShort:
      return "short int";
    case DType::kInt:
      return "int";
    case DType::kLong:
      return "long int";
    case DType::kHalf:
      return "c10::Half";
    case DType::kFloat:
      return "float";
    case DType::kDouble:
      return "double";
    case DType::kComplexFloat:
      return "c10::complex<float>";
    case DType::kComplexDouble:
      return "c10::complex<double>";
    case DType::kBool:
      return "bool";
    case DType::kBFloat16:
      return "c10::BFloat16";
    default:
      return name_of(t);
  }
}

std::optional<DType> dtype_from_torch_name(std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  for (const DTypeRow& row : kRows) {
    if (row.size != 0 && name == row.torch_name) return row.dtype;
  }
  constexpr std::pair<const char*, DType> kAliases[] = {
      {"half", DType::kHalf},
      {"float", DType::kFloat},
      {"double", DType::kDouble},
      {"short", DType::kShort},
      {"int", DType::kInt},
      {"long", DType::kLong},
      {"cfloat", DType::kComplexFloat},
      {"cdouble", DType::kComplexDouble},
      {"chalf", DType::kComplexHalf},
  };
  for (const auto& [alias, dtype] : kAliases) {
    if (name == alias) return dtype;
  }
  return std::nullopt;
}

DType to_real(DType dtype) {
  switch (dtype) {
    case DType::kComplexHalf:
      return DType::kHalf;
    case DType::kComplexFloat:
      return DType::kFloat;
    case DType::kComplexDouble:
      return DType::kDouble;
    default:
      return dtype;
  }
}

DType to_complex(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return DType::kComplexHalf;
    case DType::kDouble:
      return DType::kComplexDouble;
    case DType::kComplexHalf:
    case DType::kComplexDouble:
      return dtype;
    default:
      return DType::kComplexFloat;
  }
}

Half::Half(float f) {
  uint32_t u;
  std::memcpy(&u, &f, 4);
  const uint32_t sign = (u >> 16) & 0x8000;
  u &= 0x7fffffff;
  if (u > 0x7f800000) {
    bits = static_cast<uint16_t>(sign | 0x7e00);
  } else if (u >= 0x47800000) {  // too large: infinity (65520 and up round to it below)
    bits = static_cast<uint16_t>(sign | 0x7c00);
  } else if (u < 0x38800000) {  // subnormal or zero: let float addition do the rounding
    float magic;
    const uint32_t magic_bits = 126u << 23;
    std::memcpy(&magic, &magic_bits, 4);
    float a;
    std::memcpy(&a, &u, 4);
    a += magic;
    std::memcpy(&u, &a, 4);
    bits = static_cast<uint16_t>(sign | (u - magic_bits));
  } else {
    const uint32_t odd = (u >> 13) & 1;
    u += 0xc8000fff + odd;  // rebias the exponent and round to nearest even
    bits = static_cast<uint16_t>(sign | (u >> 13));
  }
}

Half::operator float() const {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  uint32_t u = static_cast<uint32_t>(bits & 0x7fff) << 13;
  const uint32_t exponent = u & 0x0f800000;
  float f;
  if (exponent == 0x0f800000) {
    u += (255u - 31u) << 23;
    u |= sign;
    std::memcpy(&f, &u, 4);
  } else if (exponent == 0) {
    f = static_cast<float>(bits & 0x7fff) * 0x1p-24f;
    std::memcpy(&u, &f, 4);
    u |= sign;
    std::memcpy(&f, &u, 4);
  } else {
    u += (127u - 15u) << 23;
    u |= sign;
    std::memcpy(&f, &u, 4);
  }
  return f;
}

std::string Device::str() const {
  std::string out = type >= 0 && static_cast<size_t>(type) < std::size(kDeviceNames) ? kDeviceNames[type] : "unknown";
  if (index >= 0) out += cat(":", static_cast<int>(index));
  return out;
}

Device Device::parse(std::string_view text) {
  WICK_CHECK(!text.empty(), kInvalidArgument, "Device string must not be empty");
  const size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  for (size_t code = 0; code < std::size(kDeviceNames); ++code) {
    if (kind != kDeviceNames[code]) continue;
    Device device{static_cast<int8_t>(code), -1};
    if (colon == std::string_view::npos) return device;
    const std::string_view digits = text.substr(colon + 1);
    int64_t index = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (error == std::errc() && end == digits.data() + digits.size() && index >= 0 && index <= 127) {
      device.index = static_cast<int8_t>(index);
      return device;
    }
    fail_with<ErrorCode::kInvalidArgument>("Invalid device string: '", text, "'");
  }
  fail_with<ErrorCode::kInvalidArgument>(
      "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, "
      "fpga, ort, xla, lazy, vulkan, mps, "
      "meta, hpu, privateuseone device type at start of device string: ",
      text);
}

}  // namespace wick
