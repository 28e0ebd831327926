// Quantized weights as models hold them: objects of the classes quantized.LinearPackedParamsBase,
// Conv2dPackedParamsBase and Conv3dPackedParamsBase.
#pragma once

#include "core/cast.h"
#include "core/custom_classes.h"
#include "core/once.h"
#include "ops/quantize/int8_layer.h"

namespace wick::ops {

class LinearPacked final : public CustomObject {
 public:
  static constexpr std::string_view kClass = kLinearPackedClass;
  // A qint8 weight, or a float one, which is rounded to half precision.
  LinearPacked(const Tensor& weight, const OptTensor& bias);

  std::string_view class_name() const override { return kClass; }
  const void* type_mark() const noexcept override { return &kTypeMark<LinearPacked>; }
  IValue get_state() const override { return unpack(); }
  IValue call(std::string_view method, std::vector<IValue> args) override;
  IValue unpack() const;
  bool is_int8() const { return weight_.is_quantized(); }

  // The weights in the kernels' form, for results of eight bits and for floats.
  const Int8Layer& layer() const;
  const Int8Layer& float_layer() const;
  const Tensor& weight() const { return weight_; }
  const OptTensor& bias() const { return bias_; }
  // Of a quint8 or qint8 tensor, to a tensor like it.
  Tensor run(const Tensor& input, double scale, int64_t zero_point, bool relu) const;
  // Of a float tensor: rounded to eight bits by its own range for the products, or (half weights) as it is.
  Tensor run_dynamic(const Tensor& input, bool relu) const;
  // The same of rows that lie one after the other; the scratch takes as many bytes as dynamic_scratch says.
  size_t dynamic_scratch(int64_t rows) const;
  void run_dynamic(const float* rows, int64_t count, bool relu, uint8_t* scratch, float* to) const;
  Tensor run_half(const Tensor& input, bool relu) const;

 private:
  Tensor weight_;
  OptTensor bias_;
  mutable Once once_, float_once_;
  mutable std::shared_ptr<const Int8Layer> layer_, float_layer_;
};

class ConvPacked final : public CustomObject {
 public:
  static constexpr std::string_view kClass2d = kConv2dPackedClass;
  static constexpr std::string_view kClass3d = "__torch__.torch.classes.quantized.Conv3dPackedParamsBase";
  // A qint8 weight of four or five dims; lists of `params` have an entry for each spatial dim.
  ConvPacked(const Tensor& weight, const OptTensor& bias, ConvParams params);

  std::string_view class_name() const override { return weight_.dim() == 5 ? kClass3d : kClass2d; }
  const void* type_mark() const noexcept override { return &kTypeMark<ConvPacked>; }
  IValue get_state() const override;
  IValue call(std::string_view method, std::vector<IValue> args) override;
  IValue unpack() const;
  const Tensor& weight() const { return weight_; }
  const OptTensor& bias() const { return bias_; }
  const ConvParams& params() const { return params_; }

  // The weights in the kernels' form.
  const Int8Layer& layer() const;
  // How the layer meets an image of these sizes, when it is one of two dims that is convolved as a whole.
  std::optional<kernels::ConvShape> image_shape(IntSpan in_sizes, IntSpan out_sizes) const;

  Tensor run(const Tensor& input, double scale, int64_t zero_point, bool relu) const;
  Tensor run_dynamic(const Tensor& input) const;

 private:
  int64_t out_channels() const;
  bool is_depthwise_volume() const;
  void run_volume(const Tensor& x, const LayerNumbers& numbers, const Tensor& out) const;
  Tensor weight_;
  OptTensor bias_;
  ConvParams params_;
  mutable Once once_;
  mutable std::shared_ptr<const Int8Layer> layer_;
};

// Instances from the state a file stores.
Ref<CustomObject> linear_packed_from_state(IValue state);
Ref<CustomObject> conv2d_packed_from_state(IValue state);
Ref<CustomObject> conv3d_packed_from_state(IValue state);

const LinearPacked& linear_packed(const CustomObject& object);
// dims: spatial ones, 2 or 3.
const ConvPacked& conv_packed(const CustomObject& object, int64_t dims);

}  // namespace wick::ops
