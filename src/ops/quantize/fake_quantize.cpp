// Simulated quantization: values are rounded to what a quantized tensor could hold, and stay floating point.
#include <cmath>

#include "ops/nn/common.h"
#include "ops/quantize/quantize.h"

namespace wick::ops {

namespace {

void check_range(int64_t quant_min, int64_t quant_max) {
  WICK_CHECK(quant_min <= quant_max, kInvalidArgument,
             "`quant_min` should be less than or         equal to `quant_max`.");
}

// One run of elements with the same parameters.
template <class T>
void fake_quantize_run(const T* x, T* y, bool* mask, int64_t n, float scale, float zero, bool float_zero, int64_t low,
                       int64_t high) {
  const float inverse = 1.0f / scale;
  const T bottom = static_cast<T>(low), top = static_cast<T>(high);
  for (int64_t i = 0; i < n; ++i) {
    const T q = float_zero ? std::nearbyint(x[i] * inverse + zero) : zero + std::nearbyint(x[i] * inverse);
    mask[i] = q >= bottom && q <= top;
    const T clamped = !(q > bottom) ? bottom : q > top ? top : q;
    y[i] = (clamped - zero) * scale;
  }
}

std::tuple<Tensor, Tensor> fake_quantize(const Tensor& self, const std::vector<float>& scales,
                                         const std::vector<float>& zeros, int64_t inner, bool float_zero,
                                         int64_t quant_min, int64_t quant_max, const char* op) {
  check_dtype(is_floating(self.dtype()), op, self.dtype());
  const MemoryFormat format = scales.size() == 1 ? self.suggest_memory_format() : MemoryFormat::kContiguous;
  const Tensor x = contiguous(widened(self), format);
  Tensor y = Tensor::empty(x.sizes(), x.dtype(), format);
  Tensor mask = Tensor::empty(x.sizes(), DType::kBool, format);
  for_float(x.dtype(), op, self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (int64_t i = 0; i * inner < x.numel(); ++i) {
      const size_t k = static_cast<size_t>(i) % scales.size();
      fake_quantize_run(x.data_ptr<T>() + i * inner, y.data_ptr<T>() + i * inner, mask.data_ptr<bool>() + i * inner,
                        inner, scales[k], zeros[k], float_zero, quant_min, quant_max);
    }
  });
  if (scales.size() > 1 && !self.is_contiguous()) {
    const Tensor result = empty_like(self), inside = empty_like(self, DType::kBool);
    copy_into(result, y);
    copy_into(inside, mask);
    return {result, inside};
  }
  return {to_dtype(y, self.dtype()), mask};
}

}  // namespace

std::tuple<Tensor, Tensor> fake_quantize_per_tensor_affine_cachemask(const Tensor& self, double scale,
                                                                     int64_t zero_point, int64_t quant_min,
                                                                     int64_t quant_max) {
  check_range(quant_min, quant_max);
  WICK_CHECK(zero_point >= quant_min && zero_point <= quant_max, kInvalidArgument,
             "`zero_point` must be between `quant_min` and `quant_max`.");
  return fake_quantize(self, {static_cast<float>(scale)}, {static_cast<float>(zero_point)},
                       std::max<int64_t>(1, self.numel()), false, quant_min, quant_max,
                       "fake_quantize_tensor_cachemask_kernel_type_handling");
}

Tensor fake_quantize_per_tensor_affine(const Tensor& self, double scale, int64_t zero_point, int64_t quant_min,
                                       int64_t quant_max) {
  return std::get<0>(fake_quantize_per_tensor_affine_cachemask(self, scale, zero_point, quant_min, quant_max));
}

std::tuple<Tensor, Tensor> fake_quantize_cachemask_qparams(const Tensor& self, const Tensor& scale,
                                                           const Tensor& zero_point, const Tensor& fake_quant_enabled,
                                                           int64_t quant_min, int64_t quant_max) {
  check_range(quant_min, quant_max);
  if (!fake_quant_enabled.item().to_bool()) {
    Tensor all = Tensor::empty(self.sizes(), DType::kBool);
    fill(all, true);
    return {clone(self), all};
  }
  return fake_quantize(self, {static_cast<float>(scale.item().to_double())},
                       {static_cast<float>(zero_point.item().to_int())}, std::max<int64_t>(1, self.numel()), false,
                       quant_min, quant_max, "fake_quantize_tensor_cachemask_kernel_type_handling");
}

Tensor fake_quantize_per_tensor_affine_qparams(const Tensor& self, const Tensor& scale, const Tensor& zero_point,
                                               int64_t quant_min, int64_t quant_max) {
  return std::get<0>(fake_quantize_cachemask_qparams(self, scale, zero_point, Tensor::scalar(true, DType::kBool),
                                                     quant_min, quant_max));
}

std::tuple<Tensor, Tensor> fake_quantize_per_channel_affine_cachemask(const Tensor& self, const Tensor& scale,
                                                                      const Tensor& zero_point, int64_t axis,
                                                                      int64_t quant_min, int64_t quant_max) {
  WICK_CHECK(scale.dtype() == DType::kFloat, kTypeMismatch, "Scale must be Float, found ", name_of(scale.dtype()));
  WICK_CHECK(
      zero_point.dtype() == DType::kInt || zero_point.dtype() == DType::kFloat || zero_point.dtype() == DType::kHalf,
      kTypeMismatch, "Zero-point must be Int32, Float or Half, found ", name_of(zero_point.dtype()));
  WICK_CHECK(scale.dim() == 1, kShapeMismatch, "scale should be a 1-D tensor");
  WICK_CHECK(zero_point.dim() == 1, kShapeMismatch, "zero point should be a 1-D tensor");
  WICK_CHECK(scale.numel() == zero_point.numel(), kShapeMismatch,
             "scale and zero-point need to have the same dimensions");
  WICK_CHECK(axis >= 0 && axis < self.dim(), kIndexOutOfRange,
             "`axis` must be between 0 and number of dimensions of input");
  WICK_CHECK(scale.numel() == self.size(axis), kShapeMismatch,
             "dimensions of scale and zero-point are not consistent with input tensor");
  check_range(quant_min, quant_max);
  const bool float_zero = is_floating(zero_point.dtype());
  const int64_t channels = scale.numel();
  const std::vector<float> zeros = param_values<float>(zero_point, channels, 0);
  for (float z : zeros) {
    WICK_CHECK(float_zero || (z >= static_cast<float>(quant_min) && z <= static_cast<float>(quant_max)),
               kInvalidArgument, "`zero_point` must be between `quant_min` and `quant_max`.");
  }
  return fake_quantize(self, param_values<float>(scale, channels, 1), zeros,
                       std::max<int64_t>(1, split_at(self.sizes(), axis).inner), float_zero, quant_min, quant_max,
                       "fake_quantize_channel_cachemask_cpu_type_handling");
}

Tensor fake_quantize_per_channel_affine(const Tensor& self, const Tensor& scale, const Tensor& zero_point, int64_t axis,
                                        int64_t quant_min, int64_t quant_max) {
  return std::get<0>(fake_quantize_per_channel_affine_cachemask(self, scale, zero_point, axis, quant_min, quant_max));
}

}  // namespace wick::ops
