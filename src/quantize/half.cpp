// Weights stored in half precision.
#include "api/module_access.h"
#include "core/check.h"
#include "core/out_of_memory.h"
#include "core/tensor_impl.h"
#include "quantize/canonical.h"
#include "quantize/edit.h"
#include "quantize/weights.h"
#include "wick/quantize.h"

namespace wick {
namespace {

Quantized with_halves(const Module& module) {
  constexpr int64_t kFewElements = 16;  // smaller tensors stay as they are
  WICK_CHECK(program_of(module), kInvalidArgument, "the module is empty: there is nothing to quantize");
  quantize::check_not_quantized(*program_of(module));
  quantize::Frozen model = quantize::freeze(*program_of(module));
  Quantized out;
  quantize::HalfWeights halves;
  std::unordered_map<const TensorImpl*, bool> reported;
  size_t count = 0;
  for (const auto& function : model.program->functions) {
    ir::Graph& graph = function->graph;
    quantize::each_node(*graph.body(), [&](ir::Node& node) {
      if (node.kind != ir::NodeKind::kConstant || !node.constant.is_tensor()) return;
      const Tensor weight = node.constant.to_tensor();
      // Only what the module holds: constants that the code itself has are few and may need their precision.
      const auto name = model.names.find(weight.impl());
      if (weight.dtype() != DType::kFloat || weight.numel() < kFewElements || name == model.names.end()) return;
      ir::Value* half = halves.replacement(graph, node);
      if (!reported[weight.impl()]) {
        reported[weight.impl()] = true;
        LayerReport layer;
        layer.name = name->second;
        layer.op = "float16";
        layer.quantized = half != nullptr;
        if (!half) layer.reason = "it has values that half precision cannot hold";
        out.report.layers.push_back(std::move(layer));
      }
      if (!half) return;
      ++count;
      graph.replace_uses(node.outputs[0], half);
      graph.erase(&node);
    });
  }
  WICK_CHECK(count > 0, kInvalidArgument, "the model has no float weights to store in half precision");
  quantize::prune(*model.program);
  out.module = make_module(model.program);
  return out;
}

}  // namespace

Quantized quantize_float16(const Module& module) {
  return with_memory_errors([&] { return with_halves(module); });
}

}  // namespace wick
