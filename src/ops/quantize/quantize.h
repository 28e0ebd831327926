// Quantized tensors: making them, reading them back, and simulated quantization.
#pragma once

#include <tuple>

#include "kernels/int8_pointwise.h"
#include "ops/boxing.h"

namespace wick::ops {

// The range of integers a quantized dtype holds.
struct QuantRange {
  int64_t low, high;
};
QuantRange quant_range(DType dtype);
// Scale and zero point that cover [min, max] with the integers of the range; as PyTorch chooses them.
struct QuantParams {
  double scale;
  int64_t zero_point;
};
// symmetric: both sides of zero get the range of the larger one.
QuantParams choose_quant_params(float min, float max, QuantRange range, bool reduce_range, bool symmetric = false);
QuantParams choose_quant_params_of(const Tensor& t, QuantRange range, bool reduce_range);

// How bytes are made with these parameters; the zero point must be one of the dtype's integers.
kernels::Quantize byte_quantizer(double scale, int64_t zero_point, DType dtype);

// An uninitialized quantized tensor. Throws unless dtype is quantized and the parameters fit it.
Tensor empty_quantized(IntSpan sizes, DType dtype, double scale, int64_t zero_point,
                       MemoryFormat format = MemoryFormat::kContiguous);
Tensor empty_quantized_per_channel(IntSpan sizes, DType dtype, const Tensor& scales, const Tensor& zero_points,
                                   int64_t axis, MemoryFormat format = MemoryFormat::kContiguous);

Tensor quantize_per_tensor(const Tensor& self, double scale, int64_t zero_point, DType dtype);
Tensor quantize_per_tensor_qparams(const Tensor& self, const Tensor& scale, const Tensor& zero_point, DType dtype);
TensorList quantize_per_tensor_list(const TensorList& tensors, const Tensor& scales, const Tensor& zero_points,
                                    DType dtype);
Tensor quantize_per_channel(const Tensor& self, const Tensor& scales, const Tensor& zero_points, int64_t axis,
                            DType dtype);
Tensor quantize_per_tensor_dynamic(const Tensor& self, DType dtype, bool reduce_range);
std::tuple<double, int64_t> choose_qparams_per_tensor(const Tensor& self, bool reduce_range);
Tensor dequantize(const Tensor& self);
TensorList dequantize_list(const TensorList& tensors);
IValue dequantize_any(const IValue& tensors);

// The integers, as a tensor of the plain dtype.
Tensor int_repr(const Tensor& self);
double q_scale(const Tensor& self);
int64_t q_zero_point(const Tensor& self);
Tensor q_per_channel_scales(const Tensor& self);
Tensor q_per_channel_zero_points(const Tensor& self);
int64_t q_per_channel_axis(const Tensor& self);
int64_t qscheme(const Tensor& self);
Tensor make_per_tensor_quantized_tensor(const Tensor& self, double scale, int64_t zero_point);
Tensor make_per_channel_quantized_tensor(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                         int64_t axis);
Tensor empty_affine_quantized(IntSpan size, TensorOptions options, double scale, int64_t zero_point,
                              std::optional<MemoryFormat> format);
Tensor empty_per_channel_affine_quantized(IntSpan size, const Tensor& scales, const Tensor& zero_points, int64_t axis,
                                          TensorOptions options, std::optional<MemoryFormat> format);

Tensor fake_quantize_per_tensor_affine(const Tensor& self, double scale, int64_t zero_point, int64_t quant_min,
                                       int64_t quant_max);
Tensor fake_quantize_per_tensor_affine_qparams(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                               int64_t quant_min, int64_t quant_max);
Tensor fake_quantize_per_channel_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point, int64_t axis,
                                        int64_t quant_min, int64_t quant_max);
// The _cachemask forms also tell which elements were inside the range.
std::tuple<Tensor, Tensor> fake_quantize_per_tensor_affine_cachemask(const Tensor& self, double scale,
                                                                     int64_t zero_point, int64_t quant_min,
                                                                     int64_t quant_max);
std::tuple<Tensor, Tensor> fake_quantize_per_channel_affine_cachemask(const Tensor& self, const Tensor& scale,
                                                                      const Tensor& zero_point, int64_t axis,
                                                                      int64_t quant_min, int64_t quant_max);
std::tuple<Tensor, Tensor> fake_quantize_cachemask_qparams(const Tensor& self, const Tensor& scale,
                                                           const Tensor& zero_point, const Tensor& fake_quant_enabled,
                                                           int64_t quant_min, int64_t quant_max);

// Follows the range of values, and simulates quantization by it.
std::tuple<Tensor, Tensor> fused_moving_avg_obs_fq_helper(const Tensor& self, const Tensor& observer_on,
                                                          const Tensor& fake_quant_on, const Tensor& running_min,
                                                          const Tensor& running_max, const Tensor& scale,
                                                          const Tensor& zero_point, double averaging_const,
                                                          int64_t quant_min, int64_t quant_max, int64_t ch_axis,
                                                          bool per_row_fake_quant, bool symmetric_quant);
Tensor fused_moving_avg_obs_fake_quant(const Tensor& self, const Tensor& observer_on, const Tensor& fake_quant_on,
                                       const Tensor& running_min, const Tensor& running_max, const Tensor& scale,
                                       const Tensor& zero_point, double averaging_const, int64_t quant_min,
                                       int64_t quant_max, int64_t ch_axis, bool per_row_fake_quant,
                                       bool symmetric_quant);
Tensor fake_quantize_learnable_per_tensor_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                                 int64_t quant_min, int64_t quant_max, double grad_factor);
Tensor fake_quantize_learnable_per_channel_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                                  int64_t axis, int64_t quant_min, int64_t quant_max,
                                                  double grad_factor);

}  // namespace wick::ops
