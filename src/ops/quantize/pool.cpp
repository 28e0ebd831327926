// Pools and means of quantised tensors. The integers pass through the float kernels, which hold them exactly.
#include <algorithm>

#include "ops/conv/pool.h"
#include "ops/nn/common.h"
#include "ops/quantize/layers.h"
#include "ops/quantize/products.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

// Whole numbers as integers of a tensor like `self`; they must fit.
Tensor from_floats(const Tensor& values, const Tensor& self) {
  return with_quantizer(to_dtype(values, ints_of(self).dtype()), self);
}

Tensor floats_less_zero(const Tensor& self, MemoryFormat format) {
  Tensor x = contiguous(to_dtype(ints_of(self), DType::kFloat), format);
  if (x.is_same(self)) x = clone(x);
  const QuantRange range = quant_range(self.dtype());
  const auto zero = static_cast<float>(std::clamp(self.quantizer().zero_point, range.low, range.high));
  float* values = x.data<float>();
  for (int64_t i = 0; i < x.numel(); ++i) values[i] -= zero;
  return x;
}

// round(sum * factor) + zero for each sum.
Tensor from_sums(const Tensor& sums, const Tensor& self, float factor) {
  const QuantRange range = quant_range(self.dtype());
  const auto zero = static_cast<int32_t>(std::clamp(self.quantizer().zero_point, range.low, range.high));
  float* values = sums.data<float>();
  for (int64_t i = 0; i < sums.numel(); ++i) {
    const int64_t q = round_to_int16(values[i] * factor) + zero;
    values[i] = static_cast<float>(std::clamp(q, range.low, range.high));
  }
  return from_floats(sums, self);
}

float average_factor(const Tensor& self, int64_t count) {
  const auto scale = static_cast<float>(self.quantizer().scale);
  return scale / (scale * static_cast<float>(count));
}

}  // namespace

Tensor quantized_max_pool2d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                            bool ceil_mode) {
  check_8bit(self, "max_pool2d");
  const Tensor x = contiguous(to_dtype(ints_of(self), DType::kFloat), self.suggest_memory_format());
  return from_floats(max_pool2d(x, kernel_size, stride, padding, dilation, ceil_mode), self);
}

Tensor quantized_avg_pool2d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, bool ceil_mode,
                            bool count_include_pad, std::optional<int64_t> divisor_override) {
  check_8bit(self, "avg_pool2d");
  const bool mobile = self.dtype() == DType::kQUInt8 && !ceil_mode && self.dim() == 4;
  const Tensor x = floats_less_zero(self, self.suggest_memory_format());
  if (!mobile) {
    return from_sums(avg_pool2d(x, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override), self,
                     1);
  }
  const Tensor sums = avg_pool2d(x, kernel_size, stride, padding, ceil_mode, true, 1);
  const int64_t height = kernel_size[0], width = kernel_size[kernel_size.size() - 1];
  return from_sums(sums, self, average_factor(self, height * width));
}

Tensor quantized_adaptive_avg_pool2d(const Tensor& self, IntSpan output_size) {
  check_8bit(self, "adaptive_avg_pool2d_quantized_cpu");
  WICK_CHECK(output_size.size() == 2 && (self.dim() == 3 || self.dim() == 4), kShapeMismatch,
             "adaptive_avg_pool2d: expected a tensor of 3 or 4 dimensions and two output sizes");
  WICK_CHECK(output_size[0] >= 0 && output_size[1] >= 0, kInvalidArgument,
             "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0");
  const int64_t height = self.size(-2), width = self.size(-1);
  const bool whole = output_size[0] > 0 && output_size[1] > 0 && height % output_size[0] == 0 &&
                     width % output_size[1] == 0 && self.numel() > 0;
  const bool same = height == output_size[0] && width == output_size[1];
  if (whole && !same && self.dtype() == DType::kQUInt8 && self.dim() == 4) {
    const IntVec kernel{height / output_size[0], width / output_size[1]};
    return quantized_avg_pool2d(self, kernel, kernel, {0, 0}, false, true, std::nullopt);
  }
  const Tensor x = floats_less_zero(self, self.suggest_memory_format());
  return from_sums(adaptive_avg_pool2d(x, output_size), self, 1);
}

Tensor quantized_mean(const Tensor& self, const std::optional<IntVec>& dims, bool keepdim) {
  const Quantizer& q = check_8bit(self, "mean");
  if (self.dtype() == DType::kQUInt8 && self.dim() == 4 && dims && *dims == IntVec{2, 3} && self.numel() > 0) {
    const IntVec kernel{self.size(2), self.size(3)};
    const Tensor y = quantized_avg_pool2d(self, kernel, kernel, {0, 0}, false, true, std::nullopt);
    const Tensor flat = contiguous(y);
    return keepdim ? flat : squeeze_dim(squeeze_dim(flat, 3), 2);
  }
  return quantize_per_tensor(mean_dims(dequantize(self), dims, keepdim, std::nullopt), q.scale, q.zero_point,
                             self.dtype());
}

}  // namespace wick::ops
