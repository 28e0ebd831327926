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

// Classes for other processors, and the sparse layer's, have names of those for the CPU in namespaces of their own, as
// their operators do.
consteval bool is_selected(std::string_view name) {
  if (name.find(".metal.") != name.npos) return selects_namespace("metal_prepack::") && selects_class(name);
  if (name.find(".vulkan.") != name.npos) return selects_namespace("vulkan_prepack::") && selects_class(name);
  if (name.find(".sparse.") != name.npos) {
    return (selects_namespace("sparse::") || !selects_namespace("quantized::")) && selects_class(name);
  }
  return selects_class(name);
}

#define CLASS(name, make) \
  CustomClass { name, is_selected(name) ? &make : nullptr }
constexpr CustomClass kAllClasses[] = {
    CLASS(ops::LinearContext::kClass, ops::linear_context_from_state),
    CLASS(ops::Conv2dContext::kClass, ops::conv2d_context_from_state),
    CLASS(ops::Conv2dContext::kTransposedClass, ops::transpose_conv2d_context_from_state),
    CLASS(ops::GpuContext::kMetalConv, ops::metal_conv_from_state),
    CLASS(ops::GpuContext::kMetalLinear, ops::metal_linear_from_state),
    CLASS(ops::GpuContext::kVulkanOldConv, ops::vulkan_old_conv_from_state),
    CLASS(ops::GpuContext::kVulkanConv, ops::vulkan_conv_from_state),
    CLASS(ops::GpuContext::kVulkanLinear, ops::vulkan_linear_from_state),
    CLASS(ops::VulkanRnnContext::kGru, ops::vulkan_gru_from_state),
    CLASS(ops::VulkanRnnContext::kLstm, ops::vulkan_lstm_from_state),
    CLASS(ops::LinearPacked::kClass, ops::linear_packed_from_state),
    CLASS(ops::ConvPacked::kClass2d, ops::conv2d_packed_from_state),
    CLASS(ops::ConvPacked::kClass3d, ops::conv3d_packed_from_state),
    CLASS(ops::EmbeddingPacked::kClass, ops::embedding_packed_from_state),
    CLASS(ops::SparseLinearPacked::kClass, ops::sparse_linear_from_state),
    CLASS(ops::CellPacked::kClass, ops::cell_packed_from_state),
};
#undef CLASS

constexpr auto kClasses = [] {
  constexpr auto is_here = [](const CustomClass& entry) { return entry.make != nullptr; };
  std::array<CustomClass, std::ranges::count_if(kAllClasses, is_here)> out{};
  std::ranges::copy_if(kAllClasses, out.begin(), is_here);
  return out;
}();

}  // namespace

constinit std::atomic<CustomClassFinder> custom_class_finder{nullptr};

Ref<CustomObject> make_custom_object(std::string_view class_name, IValue state) {
  for (const CustomClass& entry : kClasses) {
    if (entry.name == class_name) return entry.make(std::move(state));
  }
  if (const CustomClassFinder find = custom_class_finder.load(std::memory_order_acquire)) {
    if (Ref<CustomObject> made = find(class_name, state)) return made;
  }
  fail_with<ErrorCode::kUnsupported>("the model holds an object of class ", class_name,
                                     ", which this build does not have", advice_on_missing());
}

}  // namespace wick
