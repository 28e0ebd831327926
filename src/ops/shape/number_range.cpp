// Checks that a Python number fits a dtype.
#include "ops/shape/number_range.h"

#include <cmath>
#include <limits>

#include "core/check.h"

namespace wick::ops {

namespace {

struct Range {
  const char* name;  // as PyTorch's message has it
  double low, high;
};

Range range_of(DType dtype) {
  switch (dtype) {
    case DType::kByte:
      return {"uint8_t", 0, 255};
    case DType::kChar:
      return {"int8_t", -128, 127};
    case DType::kShort:
      return {"int16_t", -32768, 32767};
    case DType::kInt:
      return {"int", -2147483648.0, 2147483647.0};
    case DType::kLong:
      return {"int64_t", -9223372036854775808.0, 9223372036854775808.0};
    case DType::kHalf:
      return {"at::Half", -65504, 65504};
    case DType::kBFloat16:
      return {"at::BFloat16", -3.3895313892515355e38, 3.3895313892515355e38};
    case DType::kFloat:
      return {"float", -std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};
    case DType::kComplexHalf:
      return {"c10::complex<at::Half>", -65504, 65504};
    case DType::kComplexFloat:
      return {"c10::complex<float>", -std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};
    default:
      return {"double", -std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  }
}

}  // namespace

void check_number_fits(const Scalar& value, DType dtype) {
  if (dtype == DType::kBool || is_quantized(dtype)) return;
  const Range range = range_of(dtype);
  const bool integral = is_integral(dtype, false);
  const auto fits = [&](double v) {
    if (std::isnan(v) || std::isinf(v)) return !integral;
    return v >= range.low && (dtype == DType::kLong ? v < range.high : v <= range.high);
  };
  bool ok;
  if (value.is_integral()) {
    const int64_t v = value.to_int();
    // Negative numbers wrap in an unsigned type, as far as their magnitude fits.
    const double magnitude = dtype == DType::kByte ? std::fabs(static_cast<double>(v)) : static_cast<double>(v);
    ok = dtype == DType::kLong || dtype > DType::kBFloat16 || fits(magnitude);
  } else if (value.is_complex()) {
    const std::complex<double> v = value.to_complex();
    ok = fits(v.real()) && (is_complex(dtype) ? fits(v.imag()) : v.imag() == 0);
  } else {
    ok = fits(value.to_double());
  }
  WICK_CHECK(ok, kInvalidArgument, "value cannot be converted to type ", range.name, " without overflow");
}

Tensor number_tensor(const Scalar& value, DType dtype) {
  check_number_fits(value, dtype);
  if (dtype == DType::kBool && value.is_complex()) return Tensor::scalar(Scalar(value.to_complex().real() != 0), dtype);
  return Tensor::scalar(value, dtype);
}

}  // namespace wick::ops
