// Prepacked layers of the Vulkan and Metal optimizers, computed on the CPU.
#include "ops/conv/gpu_contexts.h"

#include "core/check.h"
#include "core/copy.h"
#include "ops/nn/rnn.h"

namespace wick::ops {

namespace {

void expect(bool ok, std::string_view class_name) {
  WICK_CHECK(ok, kCorruptFile, "the stored state of ", class_name, " is not as the class writes it");
}

IValue or_none(const OptTensor& t) { return t ? IValue(*t) : IValue(); }

Ref<CustomObject> context(std::string_view class_name, IValue state, Ref<CustomObject> layer) {
  return make_ref<GpuContext>(class_name, std::move(state), std::move(layer));
}

IValue made(Ref<CustomObject> object) { return IValue(std::move(object)); }

// The CPU's layer of an object of this class.
CustomObject& layer_of(CustomObject& object, std::string_view expected) {
  auto* gpu = cast_to<GpuContext>(&object);
  WICK_CHECK(gpu != nullptr && gpu->class_name() == expected, kTypeMismatch, "Tried to convert an IValue of type ",
             object.class_name(), " to custom class type ", expected);
  return gpu->layer();
}

const std::vector<IValue>& rnn_arguments(CustomObject& object, std::string_view expected) {
  auto* rnn = cast_to<VulkanRnnContext>(&object);
  WICK_CHECK(rnn != nullptr && rnn->class_name() == expected, kTypeMismatch, "Tried to convert an IValue of type ",
             object.class_name(), " to custom class type ", expected);
  return rnn->arguments();
}

// The state lists everything once, bounds last, whether the convolution is transposed or not.
constexpr size_t kVulkanConvItems = 11;

IValue vulkan_conv(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding, IntSpan dilation,
                   bool transposed, IntSpan output_padding, int64_t groups, const IValue& low, const IValue& high) {
  IValue state = IValue::list(types::any(), {weight, or_none(bias), IValue::int_list(stride), IValue::int_list(padding),
                                             IValue::int_list(dilation), transposed, false,
                                             IValue::int_list(output_padding), groups, low, high});
  return made(vulkan_conv_from_state(std::move(state)));
}

}  // namespace

Ref<CustomObject> metal_conv_from_state(IValue state) {
  Ref<CustomObject> layer = conv2d_context_from_state(state);
  return context(GpuContext::kMetalConv, std::move(state), std::move(layer));
}

Ref<CustomObject> metal_linear_from_state(IValue state) {
  Ref<CustomObject> layer = linear_context_from_state(state);
  return context(GpuContext::kMetalLinear, std::move(state), std::move(layer));
}

Ref<CustomObject> vulkan_old_conv_from_state(IValue state) {
  Ref<CustomObject> layer = conv2d_context_from_state(state);
  return context(GpuContext::kVulkanOldConv, std::move(state), std::move(layer));
}

Ref<CustomObject> vulkan_conv_from_state(IValue state) {
  constexpr std::string_view kClass = GpuContext::kVulkanConv;
  expect(state.is_list() && state.to_list().items.size() == kVulkanConvItems, kClass);
  const std::vector<IValue>& items = state.to_list().items;
  expect(items[5].is_bool() && items[6].is_bool(), kClass);
  WICK_CHECK(!items[6].to_bool(), kUnsupported, "quantized layers for Vulkan are not available without the GPU");
  const bool transposed = items[5].to_bool();
  std::vector<IValue> parts{items[0], items[1], items[2], items[3]};
  if (transposed) parts.push_back(items[7]);
  parts.insert(parts.end(), {items[4], items[8], items[9], items[10]});
  const IValue layer_state = IValue::tuple(std::move(parts));
  Ref<CustomObject> layer =
      transposed ? transpose_conv2d_context_from_state(layer_state) : conv2d_context_from_state(layer_state);
  return context(kClass, std::move(state), std::move(layer));
}

Ref<CustomObject> vulkan_linear_from_state(IValue state) {
  constexpr std::string_view kClass = GpuContext::kVulkanLinear;
  expect(state.is_list() && state.to_list().items.size() == 2, kClass);
  const std::vector<IValue>& items = state.to_list().items;
  expect(items[0].is_tensor() && items[0].to_tensor().dim() == 2, kClass);
  // Stored with the inputs along the first dimension.
  const Tensor& w = items[0].to_tensor();
  const Tensor weight =
      w.as_strided(IntVec{w.size(1), w.size(0)}, IntVec{w.stride(1), w.stride(0)}, w.storage_offset());
  Ref<CustomObject> layer = linear_context_from_state(IValue::tuple({weight, items[1], IValue(), IValue()}));
  return context(kClass, std::move(state), std::move(layer));
}

VulkanRnnContext::VulkanRnnContext(std::string_view class_name, IValue state)
    : class_name_(class_name), state_(std::move(state)) {
  expect(state_.is_list() && state_.to_list().items.size() == 7, class_name_);
  const std::vector<IValue>& items = arguments();
  expect(items[0].is_list() && items[1].is_bool() && items[2].is_int() && items[3].is_number() && items[4].is_bool() &&
             items[5].is_bool() && items[6].is_bool(),
         class_name_);
  for (const IValue& param : items[0].to_list().items) expect(param.is_tensor(), class_name_);
}

Ref<CustomObject> vulkan_gru_from_state(IValue state) {
  return make_ref<VulkanRnnContext>(VulkanRnnContext::kGru, std::move(state));
}
Ref<CustomObject> vulkan_lstm_from_state(IValue state) {
  return make_ref<VulkanRnnContext>(VulkanRnnContext::kLstm, std::move(state));
}

IValue metal_conv2d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                            IntSpan dilation, int64_t groups, const IValue& output_min, const IValue& output_max) {
  const IValue layer = conv2d_clamp_prepack(weight, bias, stride, padding, dilation, groups, output_min, output_max);
  return made(metal_conv_from_state(layer.to_custom().get_state()));
}
Tensor metal_conv2d_run(const Tensor& input, CustomObject& context) {
  return conv2d_clamp_run(input, layer_of(context, GpuContext::kMetalConv));
}
IValue metal_linear_prepack(const Tensor& weight, const OptTensor& bias, const IValue& output_min,
                            const IValue& output_max) {
  const IValue layer = linear_clamp_prepack(weight, bias, output_min, output_max);
  return made(metal_linear_from_state(layer.to_custom().get_state()));
}
Tensor metal_linear_run(const Tensor& input, CustomObject& context) {
  return linear_clamp_run(input, layer_of(context, GpuContext::kMetalLinear));
}
Tensor metal_copy_to_host(const Tensor& input) { return input; }

IValue vulkan_old_conv2d_prepack(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                                 IntSpan dilation, int64_t groups, const IValue& output_min, const IValue& output_max) {
  const IValue layer = conv2d_clamp_prepack(weight, bias, stride, padding, dilation, groups, output_min, output_max);
  return made(vulkan_old_conv_from_state(layer.to_custom().get_state()));
}
Tensor vulkan_old_conv2d_run(const Tensor& input, CustomObject& context) {
  return conv2d_clamp_run(input, layer_of(context, GpuContext::kVulkanOldConv));
}
IValue create_conv2d_context(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                             IntSpan dilation, int64_t groups, const IValue& output_min, const IValue& output_max) {
  return vulkan_conv(weight, bias, stride, padding, dilation, false, IntVec{0, 0}, groups, output_min, output_max);
}
Tensor run_conv2d_context(const Tensor& input, CustomObject& context) {
  return conv2d_clamp_run(input, layer_of(context, GpuContext::kVulkanConv));
}
IValue create_tconv2d_context(const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                              IntSpan output_padding, IntSpan dilation, int64_t groups, const IValue& output_min,
                              const IValue& output_max) {
  return vulkan_conv(weight, bias, stride, padding, dilation, true, output_padding, groups, output_min, output_max);
}
Tensor run_tconv2d_context(const Tensor& input, CustomObject& context) {
  return conv2d_transpose_clamp_run(input, layer_of(context, GpuContext::kVulkanConv));
}
IValue create_linear_context(const Tensor& weight, const OptTensor& bias) {
  return made(vulkan_linear_from_state(IValue::list(types::any(), {weight, or_none(bias)})));
}
Tensor run_linear_context(const Tensor& input, CustomObject& context) {
  return linear_clamp_run(input, layer_of(context, GpuContext::kVulkanLinear));
}

namespace {

IValue rnn_state(const std::vector<Tensor>& params, bool has_biases, int64_t num_layers, double dropout, bool train,
                 bool bidirectional, bool batch_first) {
  return IValue::list(
      types::any(), {IValue::tensor_list(params), has_biases, num_layers, dropout, train, bidirectional, batch_first});
}

}  // namespace

IValue create_gru_context(const std::vector<Tensor>& params, bool has_biases, int64_t num_layers, double dropout,
                          bool train, bool bidirectional, bool batch_first) {
  return made(
      vulkan_gru_from_state(rnn_state(params, has_biases, num_layers, dropout, train, bidirectional, batch_first)));
}
std::tuple<Tensor, Tensor> run_gru_context(const Tensor& input, const Tensor& hx, CustomObject& context) {
  const std::vector<IValue>& a = rnn_arguments(context, VulkanRnnContext::kGru);
  return gru(input, hx, a[0].to_tensor_vec(), a[1].to_bool(), a[2].to_int(), a[3].to_double(), a[4].to_bool(),
             a[5].to_bool(), a[6].to_bool());
}
IValue create_lstm_context(const std::vector<Tensor>& params, bool has_biases, int64_t num_layers, double dropout,
                           bool train, bool bidirectional, bool batch_first) {
  return made(
      vulkan_lstm_from_state(rnn_state(params, has_biases, num_layers, dropout, train, bidirectional, batch_first)));
}
std::tuple<Tensor, Tensor, Tensor> run_lstm_context(const Tensor& input, const Tensor& hx, const Tensor& cx,
                                                    CustomObject& context) {
  const std::vector<IValue>& a = rnn_arguments(context, VulkanRnnContext::kLstm);
  return lstm(input, {hx, cx}, a[0].to_tensor_vec(), a[1].to_bool(), a[2].to_int(), a[3].to_double(), a[4].to_bool(),
              a[5].to_bool(), a[6].to_bool());
}

}  // namespace wick::ops
