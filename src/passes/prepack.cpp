// INSERT_FOLD_PREPACK_OPS: layers with packed weights and fused clamps.
#include <limits>

#include "core/copy.h"
#include "core/stopped.h"
#include "passes/passes.h"
#include "passes/rewriter.h"

namespace wick::passes {

namespace {

using ir::Node;
using ir::Value;

enum class LayerKind : uint8_t { kLinear, kConv, kTransposed };

// What a backend calls its layers; empty names: it has none.
struct Names {
  std::string_view pack, run;
};
Names names_of(Backend backend, LayerKind kind) {
  switch (backend) {
    case Backend::kCpu:
      if (kind == LayerKind::kLinear) return {"prepacked::linear_clamp_prepack", "prepacked::linear_clamp_run"};
      if (kind == LayerKind::kConv) return {"prepacked::conv2d_clamp_prepack", "prepacked::conv2d_clamp_run"};
      return {"prepacked::conv2d_transpose_clamp_prepack", "prepacked::conv2d_transpose_clamp_run"};
    case Backend::kVulkan:
      if (kind == LayerKind::kLinear)
        return {"vulkan_prepack::create_linear_context", "vulkan_prepack::run_linear_context"};
      if (kind == LayerKind::kConv)
        return {"vulkan_prepack::create_conv2d_context", "vulkan_prepack::run_conv2d_context"};
      return {"vulkan_prepack::create_tconv2d_context", "vulkan_prepack::run_tconv2d_context"};
    case Backend::kMetal:
      if (kind == LayerKind::kLinear) return {"metal_prepack::linear_prepack", "metal_prepack::linear_run"};
      if (kind == LayerKind::kConv) return {"metal_prepack::conv2d_prepack", "metal_prepack::conv2d_run"};
      return {};
  }
  return {};
}

// Bounds of a result, and the factor and summand it is changed by before they are applied.
struct Clamp {
  IValue low, high;
  double factor = 1, summand = 0;
};

// What the operator does when it is a clamp with known bounds. `extended`: also what PyTorch does not look for.
std::optional<Clamp> clamp_of(const Node* node, bool extended) {
  if (is_op(node, {"aten::relu", "aten::relu_"})) return Clamp{IValue(0.0), IValue()};
  if (is_op(node, {"aten::hardtanh", "aten::hardtanh_"})) {
    const std::optional<double> low = known_number(node->inputs[1]), high = known_number(node->inputs[2]);
    if (!low || !high || !(*low < *high)) return std::nullopt;
    return Clamp{*known(node->inputs[1]), *known(node->inputs[2])};
  }
  if (!extended) return std::nullopt;
  if (is_op(node, {"aten::relu6", "aten::relu6_"})) return Clamp{IValue(0.0), IValue(6.0)};
  if (is_op(node, {"aten::hardsigmoid", "aten::hardsigmoid_"})) return Clamp{IValue(0.0), IValue(1.0), 1.0 / 6, 0.5};
  if (is_op(node, {"aten::threshold", "aten::threshold_"})) {
    const bool is_relu = known_number(node->inputs[1]) == 0.0 && known_number(node->inputs[2]) == 0.0;
    return is_relu ? std::optional(Clamp{IValue(0.0), IValue()}) : std::nullopt;
  }
  if (!node || !node->op || !node->op->schema.overload.empty()) return std::nullopt;
  if (is_op(node, {"aten::clamp_min", "aten::clamp_min_", "aten::clamp_max", "aten::clamp_max_"})) {
    if (!known_number(node->inputs[1])) return std::nullopt;
    const bool is_low = node->op->schema.name.starts_with("aten::clamp_min");
    return Clamp{is_low ? *known(node->inputs[1]) : IValue(), is_low ? IValue() : *known(node->inputs[1])};
  }
  if (is_op(node, {"aten::clamp", "aten::clamp_", "aten::clip", "aten::clip_"})) {
    const Value *low = node->inputs[1], *high = node->inputs[2];
    if ((!is_none(low) && !known_number(low)) || (!is_none(high) && !known_number(high))) return std::nullopt;
    const double least = known_number(low).value_or(-std::numeric_limits<double>::infinity());
    if (!(least < known_number(high).value_or(std::numeric_limits<double>::infinity()))) return std::nullopt;
    return Clamp{*known(low), *known(high)};
  }
  return std::nullopt;
}

// A copy with every element times `factor` plus `summand`.
Tensor changed(const Tensor& tensor, double factor, double summand) {
  const Tensor out = clone(tensor);
  const Tensor dense = contiguous(out);
  float* at = dense.data_ptr<float>();
  for (int64_t i = 0, count = dense.numel(); i < count; ++i) at[i] = static_cast<float>(at[i] * factor + summand);
  copy_into(out, dense);
  return out;
}

class Prepacker {
 public:
  Prepacker(ir::Graph& graph, const PrepackOptions& options) : rewriter_(graph), options_(options) {}

  PrepackCounts run() {
    for (Node* node : all_nodes(rewriter_.graph().body())) {
      if (rewriter_.erased(node)) continue;
      if (is_op(node, "aten::linear")) {
        layer(node, LayerKind::kLinear);
      } else if (node->op && node->op_name == "aten::conv2d") {
        layer(node, LayerKind::kConv);
      } else if (is_op(node, "aten::conv_transpose2d")) {
        layer(node, LayerKind::kTransposed);
      } else if (options_.backend == Backend::kVulkan && node->op) {
        if (node->op_name == "aten::gru.input") recurrent(node, {node->inputs[1]}, "gru");
        if (node->op_name == "aten::lstm.input") recurrent(node, items_of(node->inputs[1]), "lstm");
      }
    }
    return counts_;
  }

 private:
  void layer(Node* node, LayerKind kind) {
    const Names names = names_of(options_.backend, kind);
    const Operator* pack = names.pack.empty() ? nullptr : find_operator(names.pack);
    const Operator* run = names.pack.empty() ? nullptr : find_operator(names.run);
    if (!pack || !run) return;
    std::vector<IValue> arguments;
    if (!constants_of(*node, kind, arguments)) return;
    Node* after = rewriter_.only_user(node->outputs[0]);
    // A 1-d convolution that became one of height one gives its result through a view.
    Node* flat = options_.extended && is_op(after, "aten::squeeze") ? after : nullptr;
    if (flat) after = rewriter_.only_user(flat->outputs[0]);
    std::optional<Clamp> clamp;
    if (after && can_clamp(kind)) clamp = clamp_of(after, options_.extended);
    if (clamp && clamp->factor != 1 && !options_.extended) clamp.reset();
    std::optional<IValue> context = packed(*pack, arguments, clamp);
    if (!context && clamp) {
      clamp.reset();
      context = packed(*pack, arguments, clamp);
    }
    if (!context) return;
    Value* weights = rewriter_.constant_before(node, *context);
    weights->type = pack->schema.returns[0].type;
    Value* made = rewriter_.op_before(node, names.run, {node->inputs[0], weights}, node)->outputs[0];
    if (clamp) {
      rewriter_.replace(after->outputs[0], flat ? flat->outputs[0] : made);
      rewriter_.erase(after);
      ++counts_.clamps;
    }
    rewriter_.replace(node->outputs[0], made);
    rewriter_.erase(node);
    if (kind == LayerKind::kConv) answer_dims(made);
    ++counts_.layers;
  }

  // Items of a list made for one use; empty when that is not known.
  static std::vector<Value*> items_of(const Value* list) {
    const Node* made = list->def;
    if (!made || made->kind != ir::NodeKind::kListConstruct || list->users.size() != 1) return {};
    return made->inputs;
  }

  // The tensors of a list of constants.
  static std::optional<IValue> tensors_of(const Value* list) {
    if (const IValue* value = known(list)) return *value;
    std::vector<Tensor> tensors;
    for (const Value* item : items_of(list)) {
      const Tensor* tensor = known_tensor(item);
      if (!tensor) return std::nullopt;
      tensors.push_back(*tensor);
    }
    return tensors.empty() ? std::nullopt : std::optional(IValue::tensor_list(std::move(tensors)));
  }

  void recurrent(Node* node, std::vector<Value*> state, const std::string& kind) {
    const Operator* pack = find_operator("vulkan_prepack::create_" + kind + "_context");
    const std::string run = "vulkan_prepack::run_" + kind + "_context";
    const std::optional<IValue> params = tensors_of(node->inputs[2]);
    if (!pack || !find_operator(run) || !params || state.size() != (kind == "lstm" ? 2 : 1)) return;
    std::vector<IValue> arguments{*params};
    for (size_t i = 3; i < node->inputs.size(); ++i) {
      if (!known(node->inputs[i])) return;
      arguments.push_back(*known(node->inputs[i]));
    }
    IValue context;
    try {
      pack->call(arguments.data(), arguments.size(), &context);
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      return;
    }
    Value* weights = rewriter_.constant_before(node, context);
    weights->type = pack->schema.returns[0].type;
    std::vector<Value*> inputs{node->inputs[0]};
    inputs.insert(inputs.end(), state.begin(), state.end());
    inputs.push_back(weights);
    const Node* made = rewriter_.op_before(node, run, inputs, node);
    for (size_t i = 0; i < node->outputs.size(); ++i) rewriter_.replace(node->outputs[i], made->outputs[i]);
    rewriter_.erase(node);
    ++counts_.layers;
  }

  // Packed convolutions take four dimensions only.
  void answer_dims(Value* result) {
    const std::vector<Node*> users = result->users;
    for (Node* user : users) {
      if (is_op(user, "aten::dim")) rewriter_.replace(user->outputs[0], rewriter_.constant_before(user, 4));
    }
  }

  bool can_clamp(LayerKind kind) const {
    if (options_.backend == Backend::kVulkan) {
      return kind == LayerKind::kConv || (options_.extended && kind == LayerKind::kTransposed);
    }
    if (options_.backend == Backend::kMetal) return true;
    return kind == LayerKind::kConv || options_.extended;
  }

  // The packing operator's arguments up to the bounds; false when something is not known or not for it.
  bool constants_of(const Node& node, LayerKind kind, std::vector<IValue>& out) const {
    const Tensor* weight = known_tensor(node.inputs[1]);
    if (!weight || weight->dtype() != DType::kFloat || weight->dim() != (kind == LayerKind::kLinear ? 2 : 4))
      return false;
    if (weight->numel() == 0 || (!is_none(node.inputs[2]) && !known_tensor(node.inputs[2]))) return false;
    out = {*known(node.inputs[1]), *known(node.inputs[2])};
    if (kind == LayerKind::kLinear) return true;
    // conv_transpose2d: stride, padding, output padding, groups, dilation; packed: ... output padding, dilation,
    // groups.
    const bool transposed = kind == LayerKind::kTransposed;
    const std::vector<size_t> order = transposed ? std::vector<size_t>{3, 4, 5, 7} : std::vector<size_t>{3, 4, 5};
    for (size_t i : order) {
      const std::optional<IntVec> numbers = known_ints(node.inputs[i]);
      if (!numbers || (numbers->size() != 2 && numbers->size() != 1)) return false;
      out.push_back(IValue::int_list(numbers->size() == 2 ? *numbers : IntVec{(*numbers)[0], (*numbers)[0]}));
    }
    const std::optional<int64_t> groups = known_int(node.inputs[6]);
    if (!groups) return false;
    out.push_back(*groups);
    return true;
  }

  std::optional<IValue> packed(const Operator& pack, std::vector<IValue> arguments,
                               const std::optional<Clamp>& clamp) const {
    if (clamp && clamp->factor != 1) {
      const Tensor& weight = arguments[0].to_tensor();
      const bool transposed =
          pack.schema.name.find("trans") != std::string::npos || pack.schema.name.find("tconv") != std::string::npos;
      const int64_t channels = transposed ? weight.size(1) * arguments.back().to_int() : weight.size(0);
      const Tensor bias = arguments[1].is_none() ? Tensor::zeros({channels}) : arguments[1].to_tensor();
      arguments[0] = changed(weight, clamp->factor, 0);
      arguments[1] = changed(bias, clamp->factor, clamp->summand);
    }
    if (pack.schema.name == "vulkan_prepack::create_linear_context") {
      const Tensor& w = arguments[0].to_tensor();
      arguments[0] =
          contiguous(w.as_strided(IntVec{w.size(1), w.size(0)}, IntVec{w.stride(1), w.stride(0)}, w.storage_offset()));
    } else {
      arguments.push_back(clamp ? clamp->low : IValue());
      arguments.push_back(clamp ? clamp->high : IValue());
    }
    IValue context;
    try {
      pack.call(arguments.data(), arguments.size(), &context);
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      // Weights the kernels do not take stay as they are.
      return std::nullopt;
    }
    return context;
  }

  Rewriter rewriter_;
  const PrepackOptions& options_;
  PrepackCounts counts_;
};

}  // namespace

PrepackCounts prepack(ir::Graph& graph, const PrepackOptions& options) { return Prepacker(graph, options).run(); }

}  // namespace wick::passes
