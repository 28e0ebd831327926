// Weights prepared ahead of a run, as optimize_for_mobile stores them: xnnpack.LinearOpContext, Conv2dOpContext and
// TransposeConv2dOpContext.
#pragma once

#include "core/cast.h"
#include "core/once.h"
#include "kernels/workers.h"
#include "ops/conv/conv.h"

namespace wick::ops {

// Bounds on the result as a file stores them: None or a number.
struct OutputRange {
  IValue low, high;
  Clamp clamp() const;
};

class LinearContext final : public CustomObject {
 public:
  static constexpr std::string_view kClass = "__torch__.torch.classes.xnnpack.LinearOpContext";
  LinearContext(Tensor weight, OptTensor bias, OutputRange range);

  std::string_view class_name() const override { return kClass; }
  const void* type_mark() const noexcept override { return &kTypeMark<LinearContext>; }
  IValue get_state() const override;
  Tensor run(const Tensor& input) const;
  IValue sizes() const;
  const Tensor& weight() const { return weight_; }
  const OptTensor& bias() const { return bias_; }
  const OutputRange& range() const { return range_; }

 private:
  Tensor weight_;
  OptTensor bias_;
  OutputRange range_;
  mutable Once packed_once_;
  mutable kernels::Scratch<float> packed_;  // made when several rows first come
};

class Conv2dContext final : public CustomObject {
 public:
  static constexpr std::string_view kClass = "__torch__.torch.classes.xnnpack.Conv2dOpContext";
  static constexpr std::string_view kTransposedClass = "__torch__.torch.classes.xnnpack.TransposeConv2dOpContext";
  Conv2dContext(Tensor weight, OptTensor bias, ConvParams params, OutputRange range);

  std::string_view class_name() const override { return params_.transposed ? kTransposedClass : kClass; }
  const void* type_mark() const noexcept override { return &kTypeMark<Conv2dContext>; }
  IValue get_state() const override;
  Tensor run(const Tensor& input) const;
  IValue sizes() const;
  const Tensor& weight() const { return weight_; }
  const OptTensor& bias() const { return bias_; }
  const ConvParams& params() const { return params_; }
  const OutputRange& range() const { return range_; }

 private:
  Tensor weight_;
  OptTensor bias_;
  ConvParams params_;
  OutputRange range_;
  mutable Once packed_once_;
  mutable PackedConvWeight packed_;  // made when a channels-last input first comes
};

// Instances from the state a file stores.
Ref<CustomObject> linear_context_from_state(IValue state);
Ref<CustomObject> conv2d_context_from_state(IValue state);
Ref<CustomObject> transpose_conv2d_context_from_state(IValue state);

IValue linear_clamp_prepack(const Tensor& weight, const OptTensor& bias, const IValue& output_min,
                            const IValue& output_max);
Tensor linear_clamp_run(const Tensor& input, CustomObject& context);
IValue conv2d_clamp_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                            IntSpan dilation, int64_t groups, const IValue& output_min, const IValue& output_max);
Tensor conv2d_clamp_run(const Tensor& input, CustomObject& context);
IValue conv2d_transpose_clamp_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                      IntSpan output_padding, IntSpan dilation, int64_t groups,
                                      const IValue& output_min, const IValue& output_max);
Tensor conv2d_transpose_clamp_run(const Tensor& input, CustomObject& context);
IValue unpack_prepacked_sizes_conv2d(const IValue& context);
IValue unpack_prepacked_sizes_linear(const IValue& context);

}  // namespace wick::ops
