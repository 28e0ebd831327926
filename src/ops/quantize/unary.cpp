// Functions of one quantized tensor, integer by integer.
#include <algorithm>
#include <cmath>

#include "core/tensor_impl.h"
#include "ops/nn/common.h"
#include "ops/quantize/integers.h"
#include "ops/quantize/layers.h"
#include "ops/quantize/products.h"
#include "ops/shape/channels.h"

namespace wick::ops {

namespace {

int64_t bounded_zero(int64_t zero_point, DType dtype) {
  const QuantRange range = quant_range(dtype);
  return std::clamp(zero_point, range.low, range.high);
}

// zero + round(value / scale): how tensors are quantized.
double quantized(float value, double scale, int64_t zero, DType dtype) {
  return rounded(value * (1.0f / static_cast<float>(scale)), zero, dtype);
}

// round(value / scale + zero): how the mobile engine fills its tables for quint8.
double rounded_last(float value, double scale, int64_t zero) {
  return round_to_int16((1.0f / static_cast<float>(scale)) * value + static_cast<float>(zero));
}

// The result for an integer is the real number that value_of gives for it.
template <class F>
Tensor by_numbers(const Tensor& self, double scale, int64_t zero_point, bool last, F&& value_of,
                  std::optional<MemoryFormat> format = {}) {
  const DType dtype = self.dtype();
  const int64_t zero = bounded_zero(zero_point, dtype);
  const bool zero_first = !last || dtype != DType::kQUInt8;
  return map_integers(self, scale, zero_point, format.value_or(self.suggest_memory_format()), quant_range(dtype),
                      [&](int32_t i) {
                        const float y = value_of(i);
                        return zero_first ? quantized(y, scale, zero, dtype) : rounded_last(y, scale, zero);
                      });
}

template <class F>
Tensor function_of(const Tensor& self, const char* op, double scale, int64_t zero_point, bool last, F&& f,
                   std::optional<MemoryFormat> format = {}) {
  const Quantizer& q = check_per_tensor(self, op);
  return by_numbers(
      self, scale, zero_point, last, [&](int32_t i) { return f(number_of(i, q, self.dtype())); }, format);
}

// The scale that spreads a span of numbers over all integers.
double unit_scale(const Tensor& self, double span) {
  return self.dtype() == DType::kQInt32 ? span / 4294967296.0 : span / 256;
}
int64_t unit_zero(const Tensor& self) { return self.dtype() == DType::kQInt8 ? -128 : 0; }

float hard_gate(float x) { return std::min(std::max(x + 3.0f, 0.0f), 6.0f); }
float logistic(float x) { return 1.0f / (1.0f + std::exp(-x)); }

}  // namespace

const Quantizer& check_8bit(const Tensor& t, const char* op) {
  check_dtype(t.dtype() == DType::kQUInt8 || t.dtype() == DType::kQInt8, op, t.dtype());
  return check_per_tensor(t, op);
}

const Quantizer& check_per_tensor(const Tensor& t, const char* op) {
  quant_range(t.dtype());
  const Quantizer& q = t.quantizer();
  WICK_CHECK(q.scheme == QScheme::kPerTensorAffine || q.scheme == QScheme::kPerTensorSymmetric, kUnsupported, op,
             " takes tensors quantized per tensor only");
  return q;
}

Tensor ints_of(const Tensor& t) {
  quant_range(t.dtype());  // narrower dtypes have no integers of their own
  Tensor ints = t.alias();
  ints.impl()->dtype = t.dtype() == DType::kQUInt8  ? DType::kByte
                       : t.dtype() == DType::kQInt8 ? DType::kChar
                                                    : DType::kInt;
  ints.impl()->quantizer = nullptr;
  return ints;
}

Tensor with_quantizer(const Tensor& ints, const Tensor& like) {
  check_no_channels(like, "a function");
  Tensor out = ints.alias();
  out.impl()->dtype = like.dtype();
  out.impl()->quantizer = like.impl()->quantizer;
  return out;
}

Tensor placed(const Tensor& result, Out out) {
  if (!out) return result;
  copy_into(*out.tensor, result);
  return *out.tensor;
}

Tensor quantized_clamp(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  const Quantizer& q = check_per_tensor(self, "qclamp");
  const QuantRange range = quant_range(self.dtype());
  const int64_t zero = bounded_zero(q.zero_point, self.dtype());
  auto bound = [&](const std::optional<Scalar>& value, int64_t fallback) {
    const auto limit = static_cast<double>(fallback);
    if (!value) return limit;
    const double steps = quantized(static_cast<float>(value->to_double()), q.scale, zero, self.dtype());
    return std::max(static_cast<double>(range.low), std::min(steps, static_cast<double>(range.high)));
  };
  const double low = bound(min, range.low), high = bound(max, range.high);
  return map_integers(self, q.scale, q.zero_point, self.suggest_memory_format(), range,
                      [&](int32_t i) { return std::min(std::max<double>(i, low), high); });
}

Tensor quantized_relu(const Tensor& self) {
  const Quantizer& q = check_per_tensor(self, "qrelu");
  const int64_t zero = bounded_zero(q.zero_point, self.dtype());
  return map_integers(self, q.scale, q.zero_point, self.suggest_memory_format(), quant_range(self.dtype()),
                      [&](int32_t i) { return std::max<int64_t>(i, zero); });
}

Tensor quantized_relu6(const Tensor& self, bool inplace) {
  const Tensor y = quantized_clamp(self, 0, 6);
  return inplace ? placed(y, Out{&self}) : y;
}

Tensor quantized_by_kernel(const char* name, FloatKernel kernel, const Tensor& self, double scale, int64_t zero_point) {
  const Quantizer& q = check_per_tensor(self, name);
  if (self.dtype() == DType::kQInt32) {
    return function_of(self, name, scale, zero_point, true, [&](float x) {
      void* const operands[] = {&x, &x};
      kernel(operands, 1, nullptr);
      return x;
    });
  }
  const auto low = static_cast<int32_t>(quant_range(self.dtype()).low);
  float values[256];
  for (int32_t i = 0; i < 256; ++i) values[i] = number_of(low + i, q, self.dtype());
  void* const operands[] = {values, values};
  kernel(operands, 256, nullptr);
  return by_numbers(self, scale, zero_point, true, [&](int32_t i) { return values[i - low]; });
}

Tensor quantized_hardsigmoid_fixed(const Tensor& self) {
  return function_of(self, "qhardsigmoid", unit_scale(self, 1), unit_zero(self), true,
                     [](float x) { return hard_gate(x) / 6.0f; });
}

Tensor quantized_sigmoid(const Tensor& self, double scale, int64_t zero_point) {
  return function_of(self, "qsigmoid", scale, zero_point, false, logistic);
}

Tensor quantized_sigmoid_fixed(const Tensor& self) {
  return function_of(self, "qsigmoid", unit_scale(self, 1), unit_zero(self), true, logistic);
}

Tensor quantized_tanh_fixed(const Tensor& self) {
  return function_of(self, "qtanh", unit_scale(self, 2), self.dtype() == DType::kQUInt8 ? 128 : 0, true,
                     [](float x) { return static_cast<float>(std::tanh(static_cast<double>(x))); });
}

Tensor quantized_leaky_relu(const Tensor& self, const Scalar& slope, bool, double scale, int64_t zero_point) {
  const float factor = static_cast<float>(slope.to_double());
  return function_of(self, "leaky_qrelu", scale, zero_point, false, [&](float x) { return x > 0 ? x : x * factor; });
}

Tensor quantized_elu(const Tensor& self, double scale, int64_t zero_point, const Scalar& alpha, const Scalar& factor,
                     const Scalar& input_factor) {
  const float a = static_cast<float>(alpha.to_double()) * static_cast<float>(factor.to_double());
  const float b = static_cast<float>(factor.to_double()), c = static_cast<float>(input_factor.to_double());
  return function_of(
      self, "qelu_kernel", scale, zero_point, false,
      [&](float x) { return x >= 0 ? x * b : (std::exp(x * c) - 1.0f) * a; }, MemoryFormat::kContiguous);
}

}  // namespace wick::ops
