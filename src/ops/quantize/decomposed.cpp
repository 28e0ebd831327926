// The quantized_decomposed operators of exported models.
#include "ops/quantize/decomposed.h"

#include <cmath>
#include <limits>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/nn/common.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

struct Bounds {
  int64_t low, high;
};

std::optional<Bounds> bounds_of(DType dtype) {
  switch (dtype) {
    case DType::kByte:
      return Bounds{0, 255};
    case DType::kChar:
      return Bounds{-128, 127};
    case DType::kUInt16:
      return Bounds{0, 65535};
    case DType::kShort:
      return Bounds{-32768, 32767};
    case DType::kInt:
      return Bounds{std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
    case DType::kFloat8_e5m2:
      return Bounds{-57344, 57344};
    case DType::kFloat8_e4m3fn:
      return Bounds{-448, 448};
    default:
      return std::nullopt;
  }
}

void check_bounds(int64_t quant_min, int64_t quant_max, DType dtype) {
  const std::optional<Bounds> bounds = bounds_of(dtype);
  WICK_CHECK(bounds, kUnsupported, "Unsupported dtype: torch.", torch_name_of(dtype));
  WICK_CHECK(quant_min >= bounds->low, kInvalidArgument,
             "quant_min out of bounds for dtype, quant_min_lower_bound: ", bounds->low, " quant_min: ", quant_min);
  WICK_CHECK(quant_max <= bounds->high, kInvalidArgument,
             "quant_max out of bounds for dtype, quant_max_upper_bound: ", bounds->high, " quant_max: ", quant_max);
}

void check_one(const Tensor& t, const char* name) {
  WICK_CHECK(t.numel() == 1, kShapeMismatch, "Expecting ", name,
             " tensor to be one element, but received : ", t.numel());
}

Tensor as_float(const Tensor& input) {
  const bool narrow = input.dtype() == DType::kHalf || input.dtype() == DType::kBFloat16;
  WICK_CHECK(narrow || input.dtype() == DType::kFloat, kTypeMismatch,
             "Expecting input to have dtype torch.float32, but got dtype: torch.", torch_name_of(input.dtype()));
  return to_dtype(input, DType::kFloat);
}

void check_axis(const Tensor& input, int64_t axis) {
  WICK_CHECK(axis < input.dim(), kIndexOutOfRange, "Expecting axis to be < ", input.dim());
}

// A parameter of each channel, to broadcast along the first of `dims` dims.
Tensor along_first(const Tensor& parameter, int64_t channels, int64_t dims) {
  IntVec shape(static_cast<size_t>(dims), 1);
  shape[0] = channels;
  return reshape(parameter, shape);
}

int64_t channels_of(const Tensor& scales) {
  WICK_CHECK(scales.dim() > 0, kShapeMismatch, "Expecting scales to have a dimension");
  return scales.size(0);
}

void check_matches(const Tensor& input, DType dtype) {
  WICK_CHECK(input.dtype() == dtype, kTypeMismatch, "Expecting input to have dtype: torch.", torch_name_of(dtype),
             ", but got torch.", torch_name_of(input.dtype()));
}

std::tuple<Tensor, Tensor> choose(const Tensor& input, int64_t quant_min, int64_t quant_max, double eps, DType dtype,
                                  bool symmetric) {
  const DType from = input.dtype();
  WICK_CHECK(from == DType::kFloat || from == DType::kHalf || from == DType::kBFloat16, kTypeMismatch,
             "Expecting input to have dtype torch.float32/16/b16, but got dtype: torch.", torch_name_of(from));
  WICK_CHECK(bounds_of(dtype), kUnsupported, "Unsupported dtype: torch.", torch_name_of(dtype));
  WICK_CHECK(quant_min <= 0 && 0 <= quant_max, kInvalidArgument, "Used-specified quantization range must include 0.");
  WICK_CHECK(quant_min < quant_max, kInvalidArgument,
             "qmin must be less than qmax for user-specified quantization range.");
  const auto [least, most] = aminmax(input);
  const double low = least.item().to_double(), high = most.item().to_double();
  WICK_CHECK(low <= high, kInvalidArgument, "min ", low, " should be less than max ", high);
  const Tensor bottom = clamp_max(least, Scalar(0)), top = clamp_min(most, Scalar(0));
  const Tensor smallest = Tensor::scalar(Scalar(eps), DType::kFloat).as_strided({1}, {1}, 0);
  const double steps = static_cast<double>(quant_max) - static_cast<double>(quant_min);
  if (symmetric) {
    const Tensor reach = maximum(neg(bottom), top);
    const Tensor scale = maximum(div_scalar(reach, Scalar(steps / 2)), smallest);
    const int64_t zero = dtype == DType::kByte ? 128 : 0;
    return {to_dtype(scale, DType::kDouble), Tensor::scalar(Scalar(zero), DType::kLong).as_strided({1}, {1}, 0)};
  }
  const Tensor scale = maximum(div_scalar(sub(top, bottom), Scalar(steps)), smallest);
  const Tensor offset = to_dtype(round(div(bottom, scale)), DType::kInt);
  const Tensor zero_point = clamp(rsub_scalar(offset, Scalar(quant_min)), Scalar(quant_min), Scalar(quant_max));
  return {to_dtype(scale, DType::kDouble), to_dtype(zero_point, DType::kLong)};
}

// The group size that holds for a matrix.
int64_t checked_group(const Tensor& input, const Tensor& scales, int64_t group_size, const char* name) {
  WICK_CHECK(group_size > 1, kInvalidArgument, "group_size must be > 1");
  WICK_CHECK(input.dim() == 2, kShapeMismatch, name, " must be 2-dimensional");
  if (group_size > input.size(1) && scales.dim() > 0 && scales.size(-1) == 1) group_size = input.size(1);
  WICK_CHECK(group_size > 0 && input.size(1) % group_size == 0, kShapeMismatch, name,
             ".shape[-1] must be divisible by group_size");
  return group_size;
}

Tensor rounded(const Tensor& scaled, int64_t quant_min, int64_t quant_max, DType dtype) {
  return to_dtype(clamp(round(scaled), Scalar(quant_min), Scalar(quant_max)), dtype);
}

}  // namespace

Tensor decomposed_quantize(const Tensor& input, double scale, int64_t zero_point, int64_t quant_min, int64_t quant_max,
                           DType dtype) {
  const Tensor x = as_float(input);
  check_bounds(quant_min, quant_max, dtype);
  WICK_CHECK(scale != 0, kInvalidArgument, "float division by zero");
  const Tensor steps = add_scalar(round(mul_scalar(x, Scalar(1.0 / scale))), Scalar(zero_point));
  return to_dtype(clamp(steps, Scalar(quant_min), Scalar(quant_max)), dtype);
}
Tensor decomposed_quantize_tensor(const Tensor& input, const Tensor& scale, const Tensor& zero_point, int64_t quant_min,
                                  int64_t quant_max, DType dtype) {
  check_one(zero_point, "zero_point");
  check_one(scale, "scale");
  return decomposed_quantize(input, scale.item().to_double(), zero_point.item().to_int(), quant_min, quant_max, dtype);
}
Tensor decomposed_quantize_tensor2(const Tensor& input, const Tensor& scale, const Tensor& zero_point,
                                   const Tensor& quant_min, const Tensor& quant_max, DType dtype) {
  check_one(quant_min, "quant_min");
  check_one(quant_max, "quant_max");
  return decomposed_quantize_tensor(input, scale, zero_point, quant_min.item().to_int(), quant_max.item().to_int(),
                                    dtype);
}

Tensor decomposed_dequantize(const Tensor& input, double scale, int64_t zero_point, int64_t, int64_t, DType dtype,
                             OptDType out_dtype) {
  check_matches(input, dtype);
  WICK_CHECK(bounds_of(dtype), kUnsupported, "Unsupported dtype in dequantize_per_tensor: torch.",
             torch_name_of(dtype));
  const Tensor x = to_dtype(input, out_dtype.value_or(DType::kFloat));
  return mul_scalar(sub_scalar(x, Scalar(zero_point)), Scalar(scale));
}
Tensor decomposed_dequantize_tensor(const Tensor& input, const Tensor& scale, const Tensor& zero_point,
                                    int64_t quant_min, int64_t quant_max, DType dtype, OptDType out_dtype) {
  check_one(zero_point, "zero_point");
  check_one(scale, "scale");
  return decomposed_dequantize(input, scale.item().to_double(), zero_point.item().to_int(), quant_min, quant_max, dtype,
                               out_dtype);
}
Tensor decomposed_dequantize_tensor2(const Tensor& input, const Tensor& scale, const Tensor& zero_point,
                                     const Tensor& quant_min, const Tensor& quant_max, DType dtype,
                                     OptDType out_dtype) {
  check_one(quant_min, "quant_min");
  check_one(quant_max, "quant_max");
  return decomposed_dequantize_tensor(input, scale, zero_point, quant_min.item().to_int(), quant_max.item().to_int(),
                                      dtype, out_dtype);
}

Tensor decomposed_quantize_channels(const Tensor& input, const Tensor& scales, const Tensor& zero_points, int64_t axis,
                                    int64_t quant_min, int64_t quant_max, DType dtype) {
  const Tensor x = as_float(input);
  check_axis(x, axis);
  check_bounds(quant_min, quant_max, dtype);
  const Tensor first = transpose(x, 0, axis);
  const int64_t n = channels_of(scales), dims = x.dim();
  const Tensor steps =
      add(round(mul(first, reciprocal(along_first(scales, n, dims)))), along_first(zero_points, n, dims));
  return to_dtype(transpose(clamp(steps, Scalar(quant_min), Scalar(quant_max)), 0, axis), dtype);
}

Tensor decomposed_dequantize_channels(const Tensor& input, const Tensor& scales, const OptTensor& zero_points,
                                      int64_t axis, int64_t quant_min, int64_t quant_max, DType dtype,
                                      OptDType out_dtype) {
  check_matches(input, dtype);
  check_axis(input, axis);
  check_bounds(quant_min, quant_max, dtype);
  const int64_t n = channels_of(scales), dims = input.dim();
  Tensor x = transpose(input, 0, axis);
  if (has(zero_points)) x = sub(x, along_first(*zero_points, n, dims));
  return transpose(to_dtype(mul(x, along_first(scales, n, dims)), out_dtype.value_or(DType::kFloat)), 0, axis);
}

Tensor decomposed_fake_quantize_channels(const Tensor& input, const Tensor& scales, const Tensor& zero_points,
                                         int64_t axis, int64_t quant_min, int64_t quant_max) {
  WICK_CHECK(input.dtype() == DType::kFloat, kTypeMismatch,
             "Expecting input to have dtype torch.float32, but got dtype: torch.", torch_name_of(input.dtype()));
  WICK_CHECK(axis >= 0 && axis < input.dim(), kIndexOutOfRange, "Expecting axis to be < ", input.dim());
  IntVec shape(static_cast<size_t>(input.dim()), 1);
  shape[static_cast<size_t>(axis)] = scales.numel();
  const Tensor scale = reshape(to_dtype(scales, DType::kFloat), shape);
  const Tensor zero = reshape(to_dtype(zero_points, DType::kInt), shape);
  const Tensor steps = clamp(add(round(mul(input, reciprocal(scale))), zero), Scalar(quant_min), Scalar(quant_max));
  return mul(sub(steps, zero), scale);
}

std::tuple<Tensor, Tensor> decomposed_choose(const Tensor& input, int64_t quant_min, int64_t quant_max, double eps,
                                             DType dtype) {
  return choose(input, quant_min, quant_max, eps, dtype, false);
}
std::tuple<Tensor, Tensor> decomposed_choose_symmetric(const Tensor& input, int64_t quant_min, int64_t quant_max,
                                                       double eps, DType dtype) {
  return choose(input, quant_min, quant_max, eps, dtype, true);
}

std::tuple<Tensor, Tensor> decomposed_choose_tokens(const Tensor& input, DType dtype) {
  Tensor scales = amax(abs(input), {-1}, true);
  if (scales.dtype() == DType::kHalf) scales = to_dtype(scales, DType::kFloat);
  WICK_CHECK(dtype == DType::kChar, kUnsupported, "unsupported dtype in choose_qparams_per_token: torch.",
             torch_name_of(dtype));
  scales = div_scalar(clamp_min(scales, Scalar(1e-5)), Scalar(127));
  return {scales, Tensor::zeros(scales.sizes(), scales.dtype())};
}

std::tuple<Tensor, Tensor> decomposed_choose_tokens_asymmetric(const Tensor& input, DType) {
  const Tensor bottom = clamp_max(amin(input, {-1}, true), Scalar(0));
  const Tensor top = clamp_min(amax(input, {-1}, true), Scalar(0));
  const double eps = std::numeric_limits<float>::epsilon();
  const Tensor scale = clamp_min(div_scalar(sub(top, bottom), Scalar(255.0)), Scalar(eps));
  const Tensor low = div(bottom, scale), high = div(top, scale);
  const Tensor balance = add(add_scalar(low, Scalar(-128)), add_scalar(high, Scalar(127)));
  const Tensor from_low = rsub_scalar(low, Scalar(-128)), from_high = rsub_scalar(high, Scalar(127));
  const Tensor zero_point =
      round(clamp(where(gt_scalar(balance, Scalar(0)), from_low, from_high), Scalar(-128), Scalar(127)));
  return {to_dtype(scale, DType::kDouble), to_dtype(zero_point, DType::kLong)};
}

Tensor decomposed_quantize_tokens(const Tensor& input, const Tensor& scales, const Tensor& zero_points,
                                  int64_t quant_min, int64_t quant_max, DType dtype) {
  check_bounds(quant_min, quant_max, dtype);
  int64_t tokens = 1;
  for (int64_t d = 0; d + 1 < input.dim(); ++d) tokens *= input.size(d);
  WICK_CHECK(scales.numel() == tokens, kShapeMismatch, "num_tokens: ", tokens, " scales: ", scales.sizes());
  WICK_CHECK(zero_points.numel() == tokens, kShapeMismatch, "num_tokens: ", tokens,
             " zero_points: ", zero_points.sizes());
  return rounded(add(mul(input, reciprocal(scales)), zero_points), quant_min, quant_max, dtype);
}
Tensor decomposed_dequantize_tokens(const Tensor& input, const Tensor& scales, const Tensor& zero_points, int64_t,
                                    int64_t, DType, DType output_dtype) {
  return to_dtype(mul(sub(input, zero_points), scales), output_dtype);
}

Tensor decomposed_quantize_groups(const Tensor& input, const Tensor& scales, const Tensor& zero_points,
                                  int64_t quant_min, int64_t quant_max, DType dtype, int64_t group_size) {
  const int64_t group = checked_group(input, scales, group_size, "input");
  const Tensor groups = reshape(input, {input.numel() / group, group});
  WICK_CHECK(!any(isnan(groups)).item().to_bool(), kInvalidArgument, "to_quant must not contain NaNs");
  const Tensor steps = add(mul(groups, reciprocal(reshape(scales, {-1, 1}))), reshape(zero_points, {-1, 1}));
  return reshape(rounded(steps, quant_min, quant_max, dtype), input.sizes());
}
Tensor decomposed_dequantize_groups(const Tensor& input, const Tensor& scales, const OptTensor& zero_points, int64_t,
                                    int64_t, DType, int64_t group_size, DType output_dtype) {
  const int64_t group = checked_group(input, scales, group_size, "w_int8");
  Tensor groups = reshape(input, {input.numel() / group, group});
  groups = has(zero_points) ? sub(groups, reshape(*zero_points, {-1, 1})) : to_dtype(groups, DType::kInt);
  return to_dtype(reshape(mul(groups, reshape(scales, {-1, 1})), input.sizes()), output_dtype);
}

Tensor decomposed_convert(const Tensor& input, DType dtype) {
  return input.dtype() == dtype ? wick::clone(input) : to_dtype(input, dtype);
}

}  // namespace wick::ops
