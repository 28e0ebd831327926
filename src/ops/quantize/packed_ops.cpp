// quantized:: operators that make, take apart and use packed weights.
#include "ops/nn/common.h"
#include "ops/quantize/layers.h"
#include "ops/quantize/packed.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

IValue boxed(Ref<CustomObject> object) { return IValue(std::move(object)); }

IValue make_conv(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding, IntSpan output_padding,
                 IntSpan dilation, int64_t groups, bool transposed, int64_t dims) {
  WICK_CHECK(weight.dim() == dims + 2, kShapeMismatch, "Weights are expected to have ", dims + 2, " dimensions");
  auto check = [&](IntSpan list, const char* what) {
    WICK_CHECK(list.size() == static_cast<size_t>(dims), kInvalidArgument, what, " should contain ", dims,
               " elements for ", dims, "D convolution.");
  };
  check(stride, "stride");
  check(padding, "padding");
  check(output_padding, "output_padding");
  check(dilation, "dilation");
  ConvParams params;
  params.stride = stride;
  params.padding = padding;
  params.output_padding = output_padding;
  params.dilation = dilation;
  params.groups = groups;
  params.transposed = transposed;
  return boxed(make_ref<ConvPacked>(weight, bias, std::move(params)));
}

// One-dimensional convolutions are two-dimensional ones of height 1.
IValue make_conv1d(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding, IntSpan output_padding,
                   IntSpan dilation, int64_t groups, bool transposed) {
  WICK_CHECK(weight.dim() == 3, kShapeMismatch, "Weights are expected to have 3 dimensions");
  auto after = [](int64_t first, IntSpan list) {
    // Early releases wrote pairs, as for two dimensions.
    WICK_CHECK(list.size() == 1 || list.size() == 2, kInvalidArgument,
               "a 1D convolution takes one number for each parameter");
    return IntVec{first, list[list.size() - 1]};
  };
  return make_conv(unsqueeze(weight, 2), bias, after(1, stride), after(0, padding), after(0, output_padding),
                   after(1, dilation), groups, transposed, 2);
}

IntVec zeros(IntSpan like) { return IntVec(like.size(), 0); }

Tensor with_height(const Tensor& x) {
  WICK_CHECK(x.dim() == 3, kShapeMismatch, "quantized::conv1d expects a tensor of 3 dimensions, got ", x.dim());
  return unsqueeze(x, 2);
}

std::tuple<Tensor, OptTensor> parts(const ConvPacked& packed) { return {packed.weight(), packed.bias()}; }

}  // namespace

IValue quantized_linear_prepack(const Tensor& weight, const OptTensor& bias) {
  WICK_CHECK(weight.is_quantized(), kTypeMismatch, "quantized::linear_prepack needs a quantized weight, got ",
             name_of(weight.dtype()));
  return boxed(make_ref<LinearPacked>(weight, bias));
}
IValue quantized_linear_prepack_fp16(const Tensor& weight, const OptTensor& bias) {
  WICK_CHECK(weight.dtype() == DType::kFloat, kTypeMismatch,
             "quantized::linear_prepack_fp16 needs a float weight, got ", name_of(weight.dtype()));
  return boxed(make_ref<LinearPacked>(weight, bias));
}
std::tuple<Tensor, OptTensor> quantized_linear_unpack(CustomObject& packed) {
  const IValue both = linear_packed(packed).unpack();
  const std::vector<IValue>& items = both.to_tuple().items;
  return {items[0].to_tensor(), items[1].is_none() ? OptTensor() : OptTensor(items[1].to_tensor())};
}
Tensor quantized_linear(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point) {
  return linear_packed(packed).run(x, scale, zero_point, false);
}
Tensor quantized_linear_relu(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point) {
  return linear_packed(packed).run(x, scale, zero_point, true);
}
Tensor quantized_linear_dynamic(const Tensor& x, CustomObject& packed, bool) {
  return linear_packed(packed).run_dynamic(x, false);
}
Tensor quantized_linear_relu_dynamic(const Tensor& x, CustomObject& packed, bool) {
  return linear_packed(packed).run_dynamic(x, true);
}
Tensor quantized_linear_dynamic_fp16(const Tensor& x, CustomObject& packed) {
  return linear_packed(packed).run_half(x, false);
}
Tensor quantized_linear_relu_dynamic_fp16(const Tensor& x, CustomObject& packed) {
  return linear_packed(packed).run_half(x, true);
}

IValue quantized_conv1d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                IntSpan dilation, int64_t groups) {
  return make_conv1d(weight, bias, stride, padding, zeros(padding), dilation, groups, false);
}
IValue quantized_conv2d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                IntSpan dilation, int64_t groups) {
  return make_conv(weight, bias, stride, padding, zeros(padding), dilation, groups, false, 2);
}
IValue quantized_conv3d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                IntSpan dilation, int64_t groups) {
  return make_conv(weight, bias, stride, padding, zeros(padding), dilation, groups, false, 3);
}
IValue quantized_conv_transpose1d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                          IntSpan output_padding, IntSpan dilation, int64_t groups) {
  return make_conv1d(weight, bias, stride, padding, output_padding, dilation, groups, true);
}
IValue quantized_conv_transpose2d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                          IntSpan output_padding, IntSpan dilation, int64_t groups) {
  return make_conv(weight, bias, stride, padding, output_padding, dilation, groups, true, 2);
}
IValue quantized_conv_transpose3d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                          IntSpan output_padding, IntSpan dilation, int64_t groups) {
  return make_conv(weight, bias, stride, padding, output_padding, dilation, groups, true, 3);
}

std::tuple<Tensor, OptTensor> quantized_conv1d_unpack(CustomObject& packed) {
  auto [weight, bias] = parts(conv_packed(packed, 2));
  return {contiguous(squeeze_dim(weight, 2)), bias};
}
std::tuple<Tensor, OptTensor> quantized_conv2d_unpack(CustomObject& packed) { return parts(conv_packed(packed, 2)); }
std::tuple<Tensor, OptTensor> quantized_conv3d_unpack(CustomObject& packed) { return parts(conv_packed(packed, 3)); }

IntVec quantized_conv2d_stride(CustomObject& packed) { return conv_packed(packed, 2).params().stride; }
IntVec quantized_conv2d_padding(CustomObject& packed) { return conv_packed(packed, 2).params().padding; }
IntVec quantized_conv2d_output_padding(CustomObject& packed) { return conv_packed(packed, 2).params().output_padding; }
IntVec quantized_conv2d_dilation(CustomObject& packed) { return conv_packed(packed, 2).params().dilation; }
int64_t quantized_conv2d_groups(CustomObject& packed) { return conv_packed(packed, 2).params().groups; }
int64_t quantized_conv2d_transpose(CustomObject& packed) { return conv_packed(packed, 2).params().transposed; }
IntVec quantized_conv3d_stride(CustomObject& packed) { return conv_packed(packed, 3).params().stride; }
IntVec quantized_conv3d_padding(CustomObject& packed) { return conv_packed(packed, 3).params().padding; }
IntVec quantized_conv3d_output_padding(CustomObject& packed) { return conv_packed(packed, 3).params().output_padding; }
IntVec quantized_conv3d_dilation(CustomObject& packed) { return conv_packed(packed, 3).params().dilation; }
int64_t quantized_conv3d_groups(CustomObject& packed) { return conv_packed(packed, 3).params().groups; }
int64_t quantized_conv3d_transpose(CustomObject& packed) { return conv_packed(packed, 3).params().transposed; }

Tensor quantized_conv1d(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point) {
  return squeeze_dim(conv_packed(packed, 2).run(with_height(x), scale, zero_point, false), 2);
}
Tensor quantized_conv1d_relu(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point) {
  return squeeze_dim(conv_packed(packed, 2).run(with_height(x), scale, zero_point, true), 2);
}
Tensor quantized_conv2d(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point) {
  return conv_packed(packed, 2).run(x, scale, zero_point, false);
}
Tensor quantized_conv2d_relu(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point) {
  return conv_packed(packed, 2).run(x, scale, zero_point, true);
}
Tensor quantized_conv3d(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point) {
  return conv_packed(packed, 3).run(x, scale, zero_point, false);
}
Tensor quantized_conv3d_relu(const Tensor& x, CustomObject& packed, double scale, int64_t zero_point) {
  return conv_packed(packed, 3).run(x, scale, zero_point, true);
}
Tensor quantized_conv1d_dynamic(const Tensor& x, CustomObject& packed, bool) {
  return squeeze_dim(conv_packed(packed, 2).run_dynamic(with_height(x)), 2);
}
Tensor quantized_conv2d_dynamic(const Tensor& x, CustomObject& packed, bool) {
  return conv_packed(packed, 2).run_dynamic(x);
}
Tensor quantized_conv3d_dynamic(const Tensor& x, CustomObject& packed, bool) {
  return conv_packed(packed, 3).run_dynamic(x);
}

Tensor quantized_conv2d_old(const Tensor& x, CustomObject& packed, IntSpan, IntSpan, IntSpan, int64_t, double scale,
                            int64_t zero_point) {
  return quantized_conv2d(x, packed, scale, zero_point);
}
Tensor quantized_conv2d_relu_old(const Tensor& x, CustomObject& packed, IntSpan, IntSpan, IntSpan, int64_t,
                                 double scale, int64_t zero_point) {
  return quantized_conv2d_relu(x, packed, scale, zero_point);
}
Tensor quantized_conv3d_old(const Tensor& x, CustomObject& packed, IntSpan, IntSpan, IntSpan, int64_t, double scale,
                            int64_t zero_point) {
  return quantized_conv3d(x, packed, scale, zero_point);
}
Tensor quantized_conv3d_relu_old(const Tensor& x, CustomObject& packed, IntSpan, IntSpan, IntSpan, int64_t,
                                 double scale, int64_t zero_point) {
  return quantized_conv3d_relu(x, packed, scale, zero_point);
}

}  // namespace wick::ops
