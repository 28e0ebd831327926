// The table of custom classes; adding one is one line.
#include "core/custom_classes.h"

#include <algorithm>
#include <array>

#include "core/check.h"
#include "core/selection.h"
#include "ops/conv/gpu_contexts.h"
#include "ops/conv/prepacked.h"
#include "ops/quantize/embedding.h"
#include "ops/quantize/packed.h"
#include "ops/quantize/rnn.h"
#include "ops/quantize/sparse_linear.h"

namespace wick {

namespace {

// Classes of other processors have the names of those above in namespaces of their own, as their operators do.
consteval bool selects_metal(std::string_view name) {
  return selects_namespace("metal_prepack::") && selects_class(name);
}
consteval bool selects_vulkan(std::string_view name) {
  return selects_namespace("vulkan_prepack::") && selects_class(name);
}

// A sparse layer's class has the name of the dense one.
consteval bool selects_sparse(std::string_view name) {
  return (selects_namespace("sparse::") || !selects_namespace("quantized::")) && selects_class(name);
}

constexpr CustomClass kAllClasses[] = {
    {ops::LinearContext::kClass, selects_class(ops::LinearContext::kClass) ? &ops::linear_context_from_state : nullptr},
    {ops::Conv2dContext::kClass, selects_class(ops::Conv2dContext::kClass) ? &ops::conv2d_context_from_state : nullptr},
    {ops::Conv2dContext::kTransposedClass,
     selects_class(ops::Conv2dContext::kTransposedClass) ? &ops::transpose_conv2d_context_from_state : nullptr},
    {ops::GpuContext::kMetalConv, selects_metal(ops::GpuContext::kMetalConv) ? &ops::metal_conv_from_state : nullptr},
    {ops::GpuContext::kMetalLinear,
     selects_metal(ops::GpuContext::kMetalLinear) ? &ops::metal_linear_from_state : nullptr},
    {ops::GpuContext::kVulkanOldConv,
     selects_vulkan(ops::GpuContext::kVulkanOldConv) ? &ops::vulkan_old_conv_from_state : nullptr},
    {ops::GpuContext::kVulkanConv,
     selects_vulkan(ops::GpuContext::kVulkanConv) ? &ops::vulkan_conv_from_state : nullptr},
    {ops::GpuContext::kVulkanLinear,
     selects_vulkan(ops::GpuContext::kVulkanLinear) ? &ops::vulkan_linear_from_state : nullptr},
    {ops::VulkanRnnContext::kGru, selects_vulkan(ops::VulkanRnnContext::kGru) ? &ops::vulkan_gru_from_state : nullptr},
    {ops::VulkanRnnContext::kLstm,
     selects_vulkan(ops::VulkanRnnContext::kLstm) ? &ops::vulkan_lstm_from_state : nullptr},
    {ops::LinearPacked::kClass, selects_class(ops::LinearPacked::kClass) ? &ops::linear_packed_from_state : nullptr},
    {ops::ConvPacked::kClass2d, selects_class(ops::ConvPacked::kClass2d) ? &ops::conv2d_packed_from_state : nullptr},
    {ops::ConvPacked::kClass3d, selects_class(ops::ConvPacked::kClass3d) ? &ops::conv3d_packed_from_state : nullptr},
    {ops::EmbeddingPacked::kClass,
     selects_class(ops::EmbeddingPacked::kClass) ? &ops::embedding_packed_from_state : nullptr},
    {ops::SparseLinearPacked::kClass,
     selects_sparse(ops::SparseLinearPacked::kClass) ? &ops::sparse_linear_from_state : nullptr},
    {ops::CellPacked::kClass, selects_class(ops::CellPacked::kClass) ? &ops::cell_packed_from_state : nullptr},
};

constexpr auto kClasses = [] {
  constexpr auto is_here = [](const CustomClass& entry) { return entry.make != nullptr; };
  std::array<CustomClass, std::ranges::count_if(kAllClasses, is_here)> out{};
  std::ranges::copy_if(kAllClasses, out.begin(), is_here);
  return out;
}();

}  // namespace

Ref<CustomObject> make_custom_object(std::string_view class_name, IValue state) {
  for (const CustomClass& entry : kClasses) {
    if (entry.name == class_name) return entry.make(std::move(state));
  }
  fail_with<ErrorCode::kUnsupported>("the model holds an object of class ", class_name,
                                     ", which this build does not have", advice_on_missing());
}

}  // namespace wick
