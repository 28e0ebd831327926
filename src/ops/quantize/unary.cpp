// Functions of one quantized tensor: all are tables of 256 integers.
#include <algorithm>
#include <cmath>

#include "core/tensor_impl.h"
#include "kernels/int8_pointwise.h"
#include "ops/nn/common.h"
#include "ops/quantize/layers.h"
#include "ops/quantize/products.h"

namespace wick::ops {

namespace {

struct Table {
  uint8_t values[256] = {};
};

// out[i] = table[in[i]] for a dense result.
Tensor looked_up(const Tensor& self, const Table& table, double scale, int64_t zero_point, MemoryFormat format) {
  const Tensor x = contiguous(self, format);
  Tensor out = empty_quantized(self.sizes(), self.dtype(), scale, zero_point, format);
  const auto* from = static_cast<const uint8_t*>(x.raw_data());
  auto* to = static_cast<uint8_t*>(out.raw_data());
  parallel_for(0, x.numel(), 65536, [&](int64_t begin, int64_t end) {
    kernels::look_up_bytes(table.values, from + begin, end - begin, to + begin);
  });
  return out;
}

struct Limits {
  int32_t low, high;
};
Limits limits_of(DType dtype) {
  const QuantRange range = quant_range(dtype);
  return {static_cast<int32_t>(range.low), static_cast<int32_t>(range.high)};
}

// Calls f with each integer of the dtype; what it gives becomes the entry.
template <class F>
Table make_table(DType dtype, F&& f) {
  Table table;
  const Limits limits = limits_of(dtype);
  for (int32_t q = limits.low; q <= limits.high; ++q) {
    table.values[static_cast<uint8_t>(q)] = static_cast<uint8_t>(std::clamp<int32_t>(f(q), limits.low, limits.high));
  }
  return table;
}

float real(int32_t q, const Quantizer& quantizer) {
  return static_cast<float>(quantizer.scale) *
         static_cast<float>(q - static_cast<int32_t>(std::clamp<int64_t>(quantizer.zero_point, -128, 255)));
}

int32_t bounded_zero(int64_t zero_point, DType dtype) {
  const QuantRange range = quant_range(dtype);
  return static_cast<int32_t>(std::clamp(zero_point, range.low, range.high));
}

// zero + round(value / scale): how tensors are quantized.
int32_t quantized(float value, double scale, int32_t zero) {
  return round_to_int16(value * (1.0f / static_cast<float>(scale))) + zero;
}

// round(value / scale + zero): how the mobile engine fills its tables for quint8.
int32_t rounded_last(float value, double scale, int32_t zero) {
  return round_to_int16((1.0f / static_cast<float>(scale)) * value + static_cast<float>(zero));
}

// The result for an integer is the real number that value_of gives for it.
template <class F>
Tensor by_table(const Tensor& self, double scale, int64_t zero_point, bool last, F&& value_of,
                std::optional<MemoryFormat> format = {}) {
  const int32_t zero = bounded_zero(zero_point, self.dtype());
  const Table table = make_table(self.dtype(), [&](int32_t i) {
    const float y = value_of(i);
    return last && self.dtype() == DType::kQUInt8 ? rounded_last(y, scale, zero) : quantized(y, scale, zero);
  });
  return looked_up(self, table, scale, zero_point, format.value_or(self.suggest_memory_format()));
}

template <class F>
Tensor table_function(const Tensor& self, const char* op, double scale, int64_t zero_point, bool last, F&& f,
                      std::optional<MemoryFormat> format = {}) {
  const Quantizer& q = check_8bit(self, op);
  return by_table(
      self, scale, zero_point, last, [&](int32_t i) { return f(real(i, q)); }, format);
}

constexpr double kUnitScale = 1.0 / 256;
int64_t unit_zero(const Tensor& self) { return self.dtype() == DType::kQInt8 ? -128 : 0; }

float hard_gate(float x) { return std::min(std::max(x + 3.0f, 0.0f), 6.0f); }
float logistic(float x) { return 1.0f / (1.0f + std::exp(-x)); }

}  // namespace

const Quantizer& check_8bit(const Tensor& t, const char* op) {
  check_dtype(t.dtype() == DType::kQUInt8 || t.dtype() == DType::kQInt8, op, t.dtype());
  const Quantizer& q = t.quantizer();
  WICK_CHECK(q.scheme == QScheme::kPerTensorAffine || q.scheme == QScheme::kPerTensorSymmetric, kUnsupported, op,
             " takes tensors quantized per tensor only");
  return q;
}

Tensor ints_of(const Tensor& t) {
  Tensor ints = t.alias();
  ints.impl()->dtype = t.dtype() == DType::kQUInt8  ? DType::kByte
                       : t.dtype() == DType::kQInt8 ? DType::kChar
                                                    : DType::kInt;
  ints.impl()->quantizer = nullptr;
  return ints;
}

Tensor with_quantizer(const Tensor& ints, const Tensor& like) {
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
  const Quantizer& q = check_8bit(self, "qclamp");
  const Limits limits = limits_of(self.dtype());
  const int32_t zero = bounded_zero(q.zero_point, self.dtype());
  auto bound = [&](const std::optional<Scalar>& value, int32_t fallback) {
    if (!value) return fallback;
    return std::clamp(quantized(static_cast<float>(value->to_double()), q.scale, zero), limits.low, limits.high);
  };
  const int32_t low = bound(min, limits.low), high = bound(max, limits.high);
  const Table table = make_table(self.dtype(), [&](int32_t i) { return std::min(std::max(i, low), high); });
  return looked_up(self, table, q.scale, q.zero_point, self.suggest_memory_format());
}

Tensor quantized_relu(const Tensor& self) {
  const Quantizer& q = check_8bit(self, "qrelu");
  const int32_t zero = bounded_zero(q.zero_point, self.dtype());
  return looked_up(self, make_table(self.dtype(), [&](int32_t i) { return std::max(i, zero); }), q.scale, q.zero_point,
                   self.suggest_memory_format());
}

Tensor quantized_relu6(const Tensor& self, bool inplace) {
  const Tensor y = quantized_clamp(self, 0, 6);
  return inplace ? placed(y, Out{&self}) : y;
}

Tensor quantized_by_kernel(const char* name, FloatKernel kernel, const Tensor& self, double scale, int64_t zero_point) {
  const Quantizer& q = check_8bit(self, name);
  const int32_t low = limits_of(self.dtype()).low;
  float values[256];
  for (int32_t i = 0; i < 256; ++i) values[i] = real(low + i, q);
  void* const operands[] = {values, values};
  kernel(operands, 256, nullptr);
  return by_table(self, scale, zero_point, true, [&](int32_t i) { return values[i - low]; });
}

Tensor quantized_hardsigmoid_fixed(const Tensor& self) {
  return table_function(self, "qhardsigmoid", kUnitScale, unit_zero(self), true,
                        [](float x) { return hard_gate(x) / 6.0f; });
}

Tensor quantized_sigmoid(const Tensor& self, double scale, int64_t zero_point) {
  return table_function(self, "qsigmoid", scale, zero_point, false, logistic);
}

Tensor quantized_sigmoid_fixed(const Tensor& self) {
  return table_function(self, "qsigmoid", kUnitScale, unit_zero(self), true, logistic);
}

Tensor quantized_tanh_fixed(const Tensor& self) {
  return table_function(self, "qtanh", 2.0 / 256, self.dtype() == DType::kQUInt8 ? 128 : 0, true,
                        [](float x) { return static_cast<float>(std::tanh(static_cast<double>(x))); });
}

Tensor quantized_leaky_relu(const Tensor& self, const Scalar& slope, bool, double scale, int64_t zero_point) {
  const float factor = static_cast<float>(slope.to_double());
  return table_function(self, "leaky_qrelu", scale, zero_point, false, [&](float x) { return x > 0 ? x : x * factor; });
}

Tensor quantized_elu(const Tensor& self, double scale, int64_t zero_point, const Scalar& alpha, const Scalar& factor,
                     const Scalar& input_factor) {
  const float a = static_cast<float>(alpha.to_double()) * static_cast<float>(factor.to_double());
  const float b = static_cast<float>(factor.to_double()), c = static_cast<float>(input_factor.to_double());
  return table_function(
      self, "qelu_kernel", scale, zero_point, false,
      [&](float x) { return x >= 0 ? x * b : (std::exp(x * c) - 1.0f) * a; }, MemoryFormat::kContiguous);
}

}  // namespace wick::ops
