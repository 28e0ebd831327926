// Functions of quantized tensors that PyTorch computes in floats: read back, computed, quantized again.
#include <algorithm>
#include <cmath>

#include "ops/conv/pool.h"
#include "ops/index/sort.h"
#include "ops/matmul/matmul.h"
#include "ops/nn/common.h"
#include "ops/nn/norm.h"
#include "ops/nn/softmax.h"
#include "ops/pointwise/activation.h"
#include "ops/quantize/integers.h"
#include "ops/quantize/layers.h"
#include "ops/quantize/products.h"
#include "ops/quantize/sub_byte.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/copy_ops.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

// A result with the parameters of the input.
Tensor like(const Tensor& self, const Tensor& values) {
  const Quantizer& q = self.quantizer();
  return quantize_per_tensor(values, q.scale, q.zero_point, self.dtype());
}

}  // namespace

Tensor quantized_layer_norm(const Tensor& input, IntSpan normalized_shape, const OptTensor& weight,
                            const OptTensor& bias, double eps, double scale, int64_t zero_point) {
  check_per_tensor(input, "quantized_layer_norm");
  return quantize_per_tensor(layer_norm(contiguous(dequantize(input)), normalized_shape, weight, bias, eps, false),
                             scale, zero_point, input.dtype());
}

Tensor quantized_group_norm(const Tensor& input, int64_t num_groups, const OptTensor& weight, const OptTensor& bias,
                            double eps, double scale, int64_t zero_point) {
  check_per_tensor(input, "quantized_group_norm");
  WICK_CHECK(input.dim() >= 3, kShapeMismatch, "Expected normalized_shape to be at least 3-dimensional");
  WICK_CHECK(num_groups > 0, kInvalidArgument, "Expected num_groups to be positive");
  WICK_CHECK(input.size(1) % num_groups == 0, kShapeMismatch, "Expected channels to be divisible by groups");
  const MemoryFormat format = input.suggest_memory_format();
  const Tensor y = group_norm(dequantize(input), num_groups, weight, bias, eps, false);
  return quantize_per_tensor(contiguous(y, format), scale, zero_point, input.dtype());
}

Tensor quantized_instance_norm(const Tensor& input, const OptTensor& weight, const OptTensor& bias, double eps,
                               double scale, int64_t zero_point) {
  check_per_tensor(input, "quantized_instance_norm");
  WICK_CHECK(input.dim() >= 3, kShapeMismatch, "Expected normalized_shape to be at least 3-dimensional");
  WICK_CHECK(input.size(1) > 0, kShapeMismatch, "Expected 2nd dimension to be positive");
  return quantized_group_norm(input, input.size(1), weight, bias, eps, scale, zero_point);
}

Tensor quantized_softmax(const Tensor& self, int64_t dim, double scale, int64_t zero_point) {
  check_8bit(self, "qsoftmax");
  const int64_t d = wrap_dim(dim, self.dim());
  const bool mobile = self.dtype() == DType::kQUInt8 && scale == 1.0 / 256 && zero_point == 0;
  if (mobile && d + 1 < self.dim()) {  // the mobile engine works along the last dimension and gives a view of that
    return transpose(quantized_softmax(contiguous(transpose(self, d, -1)), -1, scale, zero_point), d, -1);
  }
  return quantize_per_tensor(softmax(dequantize(self), dim, std::nullopt), scale, zero_point, self.dtype());
}

Tensor quantized_prelu(const Tensor& self, const Tensor& weight, double scale, int64_t zero_point) {
  const Quantizer& q = check_per_tensor(self, "qprelu");
  constexpr int64_t kMostDims = 5;
  if (self.dim() < 1 || self.dim() > kMostDims) {
    return quantize_per_tensor(prelu(dequantize(self), weight), scale, zero_point, DType::kQUInt8);
  }
  const Quantizer& wq = check_per_tensor(weight, "qprelu");
  const int64_t channels = self.dim() >= 2 ? self.size(1) : 1;
  WICK_CHECK(self.dtype() == weight.dtype(), kTypeMismatch, "qprelu: input and weight should have the same type");
  WICK_CHECK(weight.numel() == 1 || weight.numel() == channels, kShapeMismatch,
             "Mismatch of parameter numbers and input channel size. Found parameter numbers = ", weight.numel(),
             " and channel size = ", channels, ".");
  if (self.numel() == 0) return empty_quantized(self.sizes(), self.dtype(), scale, zero_point);
  const DType dtype = self.dtype();
  const QuantRange range = quant_range(dtype);
  const Tensor x = to_dtype(contiguous(ints_of(self)), DType::kInt),
               w = to_dtype(contiguous(ints_of(weight)), DType::kInt);
  const auto low = static_cast<double>(range.low), high = static_cast<double>(range.high);
  auto bounded = [&](int64_t zero) { return std::clamp(zero, range.low, range.high); };
  const int64_t x_zero = bounded(q.zero_point), w_zero = bounded(wq.zero_point), zero = bounded(zero_point);
  // What stands for one among the weights.
  const double steps = std::nearbyint(1.0f / static_cast<float>(wq.scale)) + static_cast<double>(w_zero);
  const int64_t one = static_cast<int64_t>(std::clamp(steps, low, high)) - w_zero;
  const float multiplier =
      static_cast<float>(q.scale) * static_cast<float>(wq.scale) * (1.0f / static_cast<float>(scale));
  const int64_t inner = self.dim() >= 2 ? self.numel() / (self.size(0) * channels) : self.numel();
  Tensor ints = Tensor::empty(self.sizes(), DType::kInt);
  for (int64_t i = 0, count = self.numel(); i < count; ++i) {
    const int64_t value = x.data_ptr<int32_t>()[i] - x_zero;
    const int64_t slope = w.data_ptr<int32_t>()[weight.numel() == 1 ? 0 : i / inner % channels] - w_zero;
    // PyTorch's products of 32-bit integers wrap.
    const auto sum =
        static_cast<int32_t>(static_cast<uint64_t>(value) * static_cast<uint64_t>(value > 0 ? one : slope));
    const double y = rounded(static_cast<float>(sum) * multiplier, zero, dtype);
    ints.data_ptr<int32_t>()[i] = static_cast<int32_t>(std::max(low, std::min(y, high)));
  }
  Tensor out = empty_quantized(self.sizes(), dtype, scale, zero_point, self.suggest_memory_format());
  copy_into(ints_of(out), ints);
  return out;
}

Tensor quantized_matmul(const Tensor& a, const Tensor& b, double scale, int64_t zero_point) {
  WICK_CHECK(a.is_quantized() && (a.dtype() == DType::kQInt8 || a.dtype() == DType::kQUInt8), kTypeMismatch,
             "MatMul operands should use QInt8 or QUInt8 data types.");
  WICK_CHECK(a.dtype() == b.dtype(), kTypeMismatch, "MatMul operands should have same data type.");
  check_8bit(a, "matmul");
  check_8bit(b, "matmul");
  return quantize_per_tensor(matmul(dequantize(a), dequantize(b)), scale, zero_point, a.dtype());
}

Tensor quantized_celu(const Tensor& self, double scale, int64_t zero_point, const Scalar& alpha) {
  WICK_CHECK(alpha.to_double() != 0, kInvalidArgument, "ZeroDivisionError: alpha cannot be 0 for CELU");
  return quantized_elu(self, scale, zero_point, alpha, 1.0, 1.0 / alpha.to_double());
}

Tensor quantized_dropout(const Tensor& self, double, int64_t, const Scalar&, bool) { return self; }

Tensor quantized_threshold(const Tensor& self, const Scalar& threshold, const Scalar& value) {
  check_per_tensor(self, "threshold");
  return like(self, ops::threshold(dequantize(self), threshold, value));
}

Tensor quantized_gelu(const Tensor& self, std::string_view approximate) {
  const Quantizer& q = check_per_tensor(self, "qgelu");
  // PyTorch keeps this scale in a float.
  return quantize_per_tensor(gelu(dequantize(self), approximate), static_cast<float>(q.scale), q.zero_point,
                             self.dtype());
}

Tensor quantized_max_pool1d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                            bool ceil_mode) {
  check_per_tensor(self, "max_pool1d");
  const Tensor ints = ints_of(self);
  const Tensor x = to_dtype(ints, ints.dtype() == DType::kInt ? DType::kDouble : DType::kFloat);
  return with_quantizer(to_dtype(max_pool1d(x, kernel_size, stride, padding, dilation, ceil_mode), ints.dtype()), self);
}

Tensor quantized_std(const Tensor& self, const std::optional<IntVec>& dims, const std::optional<Scalar>& correction,
                     bool keepdim) {
  check_8bit(self, "std");
  return like(self, stddev_correction(dequantize(self), dims, correction, keepdim));
}

// Order, and so the places of extremes, is that of the integers.
Tensor quantized_extreme(const Tensor& self, bool greatest) {
  const Tensor ints = ints_of(self);
  return with_quantizer(greatest ? max(ints) : min(ints), self);
}
std::tuple<Tensor, Tensor> quantized_extreme_dim(const Tensor& self, int64_t dim, bool keepdim, bool greatest) {
  const Tensor ints = ints_of(self);
  const auto [values, indices] = greatest ? max_dim(ints, dim, keepdim) : min_dim(ints, dim, keepdim);
  return {with_quantizer(values, self), indices};
}
std::tuple<Tensor, Tensor> quantized_sort(const Tensor& self, std::optional<bool> stable, int64_t dim,
                                          bool descending) {
  const auto [values, indices] = sort_stable(ints_of(self), stable, dim, descending);
  return {with_quantizer(values, self), indices};
}
std::tuple<Tensor, Tensor> quantized_topk(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted) {
  const auto [values, indices] = topk(ints_of(self), k, dim, largest, sorted);
  return {with_quantizer(values, self), indices};
}

bool quantized_equal(const Tensor& self, const Tensor& other) {
  if (self.dtype() != other.dtype() || self.sizes() != other.sizes()) return false;
  const Quantizer &a = self.quantizer(), &b = other.quantizer();
  if (a.scheme != b.scheme) return false;
  const bool per_tensor = a.scheme == QScheme::kPerTensorAffine || a.scheme == QScheme::kPerTensorSymmetric;
  if (per_tensor ? a.scale != b.scale || a.zero_point != b.zero_point : a.axis != b.axis) return false;
  const auto same = [](const Tensor& x, const Tensor& y) {
    if (x.dtype() != y.dtype() || x.numel() != y.numel()) return false;
    const Tensor u = contiguous(x), v = contiguous(y);
    return u.numel() == 0 || std::memcmp(u.raw_data(), v.raw_data(), u.nbytes()) == 0;
  };
  if (!per_tensor && !(same(a.scales, b.scales) && same(a.zero_points, b.zero_points))) return false;
  return is_sub_byte(self.dtype()) ? same(int_repr(self), int_repr(other)) : same(ints_of(self), ints_of(other));
}

Scalar quantized_number(const Tensor& self, const Scalar& value) {
  check_per_tensor(self, "masked_fill");
  const Tensor one = like(self, Tensor::scalar(value.to_double(), DType::kFloat));
  return ints_of(one).item();
}

}  // namespace wick::ops
