// Layers prepared for a GPU, as the Vulkan and Metal optimizers store them. Without that GPU they are computed here:
// the objects hold plain weights.
#pragma once

#include "ops/conv/prepacked.h"

namespace wick::ops {

// An object of a GPU's class: the state its file has, and the CPU's layer that does the work.
class GpuContext final : public CustomObject {
 public:
  static constexpr std::string_view kMetalConv = "__torch__.torch.classes.metal.Conv2dOpContext";
  static constexpr std::string_view kMetalLinear = "__torch__.torch.classes.metal.LinearOpContext";
  static constexpr std::string_view kVulkanOldConv = "__torch__.torch.classes.vulkan.Conv2dOpContext";
  static constexpr std::string_view kVulkanConv = "__torch__.torch.classes.vulkan.Conv2dPackedContext";
  static constexpr std::string_view kVulkanLinear = "__torch__.torch.classes.vulkan.LinearPackedContext";

  GpuContext(std::string_view class_name, IValue state, Ref<CustomObject> layer)
      : class_name_(class_name), state_(std::move(state)), layer_(std::move(layer)) {}

  std::string_view class_name() const override { return class_name_; }
  const void* type_mark() const noexcept override { return &kTypeMark<GpuContext>; }
  IValue get_state() const override { return state_; }
  CustomObject& layer() const { return *layer_; }

 private:
  std::string_view class_name_;
  IValue state_;
  Ref<CustomObject> layer_;
};

// Recurrent layers for Vulkan: what the operator is called with besides input and state.
class VulkanRnnContext final : public CustomObject {
 public:
  static constexpr std::string_view kGru = "__torch__.torch.classes.vulkan.GruPackedContext";
  static constexpr std::string_view kLstm = "__torch__.torch.classes.vulkan.LstmPackedContext";

  // `state`: [params, has_biases, num_layers, dropout, train, bidirectional, batch_first]; throws when it is not.
  VulkanRnnContext(std::string_view class_name, IValue state);

  std::string_view class_name() const override { return class_name_; }
  const void* type_mark() const noexcept override { return &kTypeMark<VulkanRnnContext>; }
  IValue get_state() const override { return state_; }
  const std::vector<IValue>& arguments() const { return state_.to_list().items; }

 private:
  std::string_view class_name_;
  IValue state_;
};

// Instances from the state a file stores.
Ref<CustomObject> metal_conv_from_state(IValue state);
Ref<CustomObject> metal_linear_from_state(IValue state);
Ref<CustomObject> vulkan_old_conv_from_state(IValue state);
Ref<CustomObject> vulkan_conv_from_state(IValue state);
Ref<CustomObject> vulkan_linear_from_state(IValue state);
Ref<CustomObject> vulkan_gru_from_state(IValue state);
Ref<CustomObject> vulkan_lstm_from_state(IValue state);

IValue metal_conv2d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                            IntSpan dilation, int64_t groups, const IValue& output_min, const IValue& output_max);
Tensor metal_conv2d_run(const Tensor& input, CustomObject& context);
IValue metal_linear_prepack(const Tensor& weight, const OptTensor& bias, const IValue& output_min,
                            const IValue& output_max);
Tensor metal_linear_run(const Tensor& input, CustomObject& context);
Tensor metal_copy_to_host(const Tensor& input);

IValue vulkan_old_conv2d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                 IntSpan dilation, int64_t groups, const IValue& output_min, const IValue& output_max);
Tensor vulkan_old_conv2d_run(const Tensor& input, CustomObject& context);
IValue create_conv2d_context(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                             IntSpan dilation, int64_t groups, const IValue& output_min, const IValue& output_max);
Tensor run_conv2d_context(const Tensor& input, CustomObject& context);
IValue create_tconv2d_context(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                              IntSpan output_padding, IntSpan dilation, int64_t groups, const IValue& output_min,
                              const IValue& output_max);
Tensor run_tconv2d_context(const Tensor& input, CustomObject& context);
IValue create_linear_context(const Tensor& weight, const OptTensor& bias);
Tensor run_linear_context(const Tensor& input, CustomObject& context);
IValue create_gru_context(const std::vector<Tensor>& params, bool has_biases, int64_t num_layers, double dropout,
                          bool train, bool bidirectional, bool batch_first);
std::tuple<Tensor, Tensor> run_gru_context(const Tensor& input, const Tensor& hx, CustomObject& context);
IValue create_lstm_context(const std::vector<Tensor>& params, bool has_biases, int64_t num_layers, double dropout,
                           bool train, bool bidirectional, bool batch_first);
std::tuple<Tensor, Tensor, Tensor> run_lstm_context(const Tensor& input, const Tensor& hx, const Tensor& cx,
                                                    CustomObject& context);

}  // namespace wick::ops
