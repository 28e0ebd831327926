// Layers that only PyTorch's desktop engines have: a sum or a function behind a layer, rounded once. They are computed
// in floats, which hold the products of bytes.
#include "ops/conv/conv.h"
#include "ops/conv/pool.h"
#include "ops/matmul/matmul.h"
#include "ops/nn/common.h"
#include "ops/pointwise/activation.h"
#include "ops/pointwise/pointwise.h"
#include "ops/quantize/layers.h"
#include "ops/quantize/packed.h"

namespace wick::ops {

namespace {

Tensor conv_and_add(const Tensor& x, const Tensor& other, const ConvPacked& packed) {
  check_8bit(x, "quantized::conv2d_add");
  check_8bit(other, "quantized::conv2d_add");
  const ConvParams& p = packed.params();
  const Tensor y = convolution(dequantize(x), dequantize(packed.weight()), packed.bias(), p.stride, p.padding,
                               p.dilation, p.transposed, p.output_padding, p.groups);
  WICK_CHECK(y.sizes() == other.sizes(), kShapeMismatch, "quantized::conv2d_add: expected a tensor of sizes ",
             y.sizes(), " to add, got ", other.sizes());
  return contiguous(add(y, dequantize(other), 1), MemoryFormat::kChannelsLast);
}

Tensor float_linear(const Tensor& x, const LinearPacked& packed) {
  return linear(dequantize(x), packed.is_int8() ? dequantize(packed.weight()) : packed.weight(), packed.bias());
}

}  // namespace

Tensor quantized_conv2d_add(const Tensor& x, const Tensor& other, CustomObject& packed, double scale,
                            int64_t zero_point) {
  return quantize_per_tensor(conv_and_add(x, other, conv_packed(packed, 2)), scale, zero_point, x.dtype());
}
Tensor quantized_conv2d_add_relu(const Tensor& x, const Tensor& other, CustomObject& packed, double scale,
                                 int64_t zero_point) {
  return quantize_per_tensor(relu(conv_and_add(x, other, conv_packed(packed, 2))), scale, zero_point, x.dtype());
}

Tensor quantized_linear_leaky_relu(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point,
                                   double negative_slope) {
  check_8bit(x, "quantized::linear_leaky_relu");
  return quantize_per_tensor(leaky_relu(float_linear(x, linear_packed(packed)), negative_slope), scale, zero_point,
                             x.dtype());
}
Tensor quantized_linear_tanh(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point) {
  check_8bit(x, "quantized::linear_tanh");
  return quantize_per_tensor(ops::tanh(float_linear(x, linear_packed(packed))), scale, zero_point, x.dtype());
}

Tensor quantized_max_pool3d(const Tensor& self, IntSpan kernel_size, IntSpan stride, IntSpan padding, IntSpan dilation,
                            bool ceil_mode) {
  check_8bit(self, "quantized_max_pool3d");
  const Tensor ints = ints_of(self);
  const Tensor y = max_pool3d(to_dtype(ints, DType::kFloat), kernel_size, stride, padding, dilation, ceil_mode);
  return with_quantizer(contiguous(to_dtype(y, ints.dtype()), self.suggest_memory_format()), self);
}

IValue quantized_conv2d_unpack_sizes(const IValue& packed) {
  const ConvPacked& conv = conv_packed(packed.to_custom(), 2);
  const ConvParams& p = conv.params();
  const int64_t channels = p.transposed ? conv.weight().size(1) * p.groups : conv.weight().size(0);
  return IValue::tuple({IValue::int_list(conv.weight().sizes()), IValue::int_list({channels}),
                        IValue::int_list(p.stride), IValue::int_list(p.padding), IValue::int_list(p.dilation),
                        IValue(p.groups)});
}

}  // namespace wick::ops
