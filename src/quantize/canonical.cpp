// Normalizes equivalent forms of layers before quantization.
#include "quantize/canonical.h"

#include <algorithm>
#include <array>

#include "core/check.h"
#include "core/stopped.h"
#include "core/tensor_impl.h"
#include "quantize/edit.h"

namespace wick::quantize {

namespace {

using ir::Block;
using ir::Function;
using ir::Graph;
using ir::Node;
using ir::NodeKind;
using ir::Value;

class Canonical {
 public:
  Canonical(Function& function, Frozen& model) : graph_(function.graph), model_(model) {}

  void run() {
    avoid_fused(*graph_.body());
    each_node(*graph_.body(), [&](Node& node) {
      if (node.kind != NodeKind::kOp || !node.op) return;
      const std::string_view name = base_name(node);
      if (name == "aten::dropout" || name == "aten::feature_dropout" || name == "aten::dropout_" ||
          name == "aten::feature_dropout_" || name == "aten::alpha_dropout") {
        dropout(node);
      } else if (name == "aten::_convolution") {
        convolution(node);
      } else if (name == "aten::addmm") {
        addmm(node);
      } else if (name == "aten::matmul") {
        matmul(node);
      } else {
        compute_weight(node);
      }
    });
    remove_unused(graph_);
  }

 private:
  static bool holds_fused(const Block& block) {
    for (const Node* node : block.nodes) {
      if (node->op_name == "aten::_transformer_encoder_layer_fwd" ||
          node->op_name == "aten::_native_multi_head_attention") {
        return true;
      }
      for (const Block* inner : node->blocks) {
        if (holds_fused(*inner)) return true;
      }
    }
    return false;
  }

  // Attention is written twice in PyTorch's modules: as one fused operator, and as layers. The layers can be quantized.
  void avoid_fused(Block& block) {
    const std::vector<Node*> nodes(block.nodes.begin(), block.nodes.end());
    for (Node* node : nodes) {
      for (Block* inner : node->blocks) avoid_fused(*inner);
      if (node->kind != NodeKind::kIf || holds_fused(*node->blocks[0]) == holds_fused(*node->blocks[1])) continue;
      Block& other = *node->blocks[holds_fused(*node->blocks[0]) ? 1 : 0];
      const std::vector<Value*> results = other.results;
      splice_before(node, other);
      for (size_t i = 0; i < node->outputs.size(); ++i) graph_.replace_uses(node->outputs[i], results[i]);
      for (Block* inner : node->blocks) graph_.set_results(inner, {});
      graph_.erase(node);
    }
  }

  void replace(Node& node, Value* by) {
    graph_.replace_uses(node.outputs[0], by);
    graph_.erase(&node);
  }

  Node* put(Node& node, std::string_view op, std::vector<Value*> inputs) {
    Node* made = add_op(graph_, node.block, &node, op, std::move(inputs));
    made->source = node.source;
    if (const auto it = model_.paths.find(&node); it != model_.paths.end()) model_.paths[made] = it->second;
    return made;
  }

  void dropout(Node& node) {
    const std::optional<IValue> train = argument(node, "train");
    if (train && train->is_bool() && !train->to_bool()) replace(node, node.inputs[0]);
  }

  void convolution(Node& node) {
    const std::optional<IValue> transposed = argument(node, "transposed");
    const std::optional<IValue> stride = argument(node, "stride");
    if (!transposed || !transposed->is_bool() || !stride || !stride->is_list()) return;
    const size_t dims = stride->to_list().items.size();
    if (dims < 1 || dims > 3) return;
    constexpr std::array kPlain{"aten::conv1d", "aten::conv2d", "aten::conv3d"};
    constexpr std::array kTransposed{"aten::conv_transpose1d", "aten::conv_transpose2d.input",
                                     "aten::conv_transpose3d.input"};
    const std::vector<Value*>& in = node.inputs;
    Node* conv = transposed->to_bool()
                     ? put(node, kTransposed[dims - 1], {in[0], in[1], in[2], in[3], in[4], in[7], in[8], in[5]})
                     : put(node, kPlain[dims - 1], {in[0], in[1], in[2], in[3], in[4], in[5], in[8]});
    replace(node, conv->outputs[0]);
  }

  static bool is_one(const Node& node, std::string_view name) {
    const std::optional<IValue> value = argument(node, name);
    return value && value->is_number() && !value->is_complex() && value->to_scalar().to_double() == 1;
  }

  // The tensor when the value is known and a matrix.
  static const Tensor* matrix(const Value* value) {
    if (!value->def || value->def->kind != NodeKind::kConstant || !value->def->constant.is_tensor()) return nullptr;
    const Tensor& t = value->def->constant.to_tensor();
    return t.dim() == 2 ? &t : nullptr;
  }

  // The weight of a linear layer whose transpose is `value`.
  Value* transposed(Node& node, Value* value) {
    const Tensor* t = matrix(value);
    if (!t) return nullptr;
    IValue weight = call_operator("aten::t", {*t})[0];
    if (const auto it = model_.names.find(t->impl()); it != model_.names.end()) {
      model_.names.try_emplace(weight.to_tensor().impl(), it->second);
    }
    return add_constant(graph_, node.block, &node, std::move(weight));
  }

  static bool is_vector(const Value* value, int64_t size) {
    if (!value->def || value->def->kind != NodeKind::kConstant || !value->def->constant.is_tensor()) return false;
    const Tensor& t = value->def->constant.to_tensor();
    return t.dim() == 1 && t.size(0) == size;
  }

  void addmm(Node& node) {
    const Tensor* w = matrix(node.inputs[2]);
    if (!w || !is_one(node, "alpha") || !is_one(node, "beta") || !is_vector(node.inputs[0], w->size(1))) return;
    Value* bias = node.inputs[0];
    replace(node, put(node, "aten::linear", {node.inputs[1], transposed(node, node.inputs[2]), bias})->outputs[0]);
  }

  void matmul(Node& node) {
    Value* weight = transposed(node, node.inputs[1]);
    if (!weight) return;
    const int64_t out = weight->def->constant.to_tensor().size(0);
    const auto results = block_results(graph_);
    Node* sum = node.outputs[0]->users.size() == 1 ? only_user(*node.outputs[0], results) : nullptr;
    if (sum && sum->block == node.block && sum->kind == NodeKind::kOp &&
        (is_op(*sum, "aten::add.Tensor") || is_op(*sum, "aten::add_.Tensor")) && is_one(*sum, "alpha")) {
      const size_t at = sum->inputs[0] == node.outputs[0] ? 1 : 0;
      const bool in_place_of_product = is_op(*sum, "aten::add.Tensor") || at == 1;
      if (in_place_of_product && is_vector(sum->inputs[at], out)) {
        Node* linear = put(*sum, "aten::linear", {node.inputs[0], weight, sum->inputs[at]});
        replace(*sum, linear->outputs[0]);
        return graph_.erase(&node);
      }
    }
    Value* none = add_constant(graph_, node.block, &node, IValue());
    replace(node, put(node, "aten::linear", {node.inputs[0], weight, none})->outputs[0]);
  }

  // Whether one of its users writes to it.
  static bool is_changed(const Value* value) {
    for (const Node* user : value->users) {
      for (size_t i = 0; user->op && i < user->inputs.size() && i < user->op->schema.arguments.size(); ++i) {
        if (user->inputs[i] == value && user->op->schema.arguments[i].is_mutated) return true;
      }
    }
    return false;
  }

  // What follows from weights alone is computed now.
  void compute_weight(Node& node) {
    if (!node.op->is_function() || !node.op->schema.name.starts_with("aten::") || node.outputs.size() != 1 ||
        node.inputs.empty() || !known(*node.inputs[0]) || !known(*node.inputs[0])->is_tensor()) {
      return;
    }
    std::vector<IValue> args;
    int64_t elements = 0;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      std::optional<IValue> value = known(*node.inputs[i]);
      if (!value || node.op->schema.arguments[i].is_mutated) return;
      if (value->is_tensor()) elements += value->to_tensor().numel();
      args.push_back(std::move(*value));
    }
    // A tensor that some operator changes in place is not known before.
    if (std::any_of(node.inputs.begin(), node.inputs.end(), is_changed) || is_changed(node.outputs[0])) return;
    const Tensor source = args[0].to_tensor();
    std::vector<IValue> results;
    try {
      results = call_operator(node.op_name, std::move(args));
    } catch (const Error& e) {
      rethrow_if_stopped(e);
      return;
    }
    if (results.size() != 1 || !results[0].is_tensor() || results[0].to_tensor().numel() > 2 * elements) return;
    if (const auto it = model_.names.find(source.impl()); it != model_.names.end()) {
      model_.names.try_emplace(results[0].to_tensor().impl(), it->second);
    }
    replace(node, add_constant(graph_, node.block, &node, std::move(results[0])));
  }

  Graph& graph_;
  Frozen& model_;
};

}  // namespace

void canonicalize(Function& function, Frozen& model) {
  Canonical(function, model).run();
  fold_branches(function);
}

std::string LayerNames::next(const Node& node, const Tensor* weight) {
  std::string name;
  if (weight) {
    if (const auto it = model_.names.find(weight->impl()); it != model_.names.end()) {
      const size_t dot = it->second.rfind('.');
      name = dot == std::string::npos ? it->second : it->second.substr(0, dot);
    }
  }
  if (name.empty()) {
    const std::string_view op = base_name(node);
    const size_t colons = op.rfind(':');
    name = std::string(colons == std::string_view::npos ? op : op.substr(colons + 1));
    while (!name.empty() && name.back() == '_') name.pop_back();
    if (name.empty()) name = "unpack";
    if (const auto it = model_.paths.find(&node); it != model_.paths.end()) name = it->second + "." + name;
  }
  const int count = ++used_[name];
  return count == 1 ? name : cat(name, "#", count);
}

bool SkipList::contains(const std::string& layer) {
  bool found = false;
  for (size_t i = 0; i < names_.size(); ++i) {
    const std::string& name = names_[i];
    const bool inside = layer.starts_with(name) && layer.size() > name.size() &&
                        (layer[name.size()] == '.' || layer[name.size()] == '#');
    if (layer != name && !inside) continue;
    met_[i] = true;
    found = true;
  }
  return found;
}

void SkipList::check_all_met(const std::vector<std::string>& layers) const {
  for (size_t i = 0; i < names_.size(); ++i) {
    if (met_[i]) continue;
    std::string text;
    constexpr size_t kShown = 12;
    for (size_t k = 0; k < layers.size() && k < kShown; ++k) text += (k ? ", " : "") + layers[k];
    if (layers.size() > kShown) text += ", ...";
    fail_with<ErrorCode::kInvalidArgument>("no layer or module '", names_[i], "' to skip; the layers are: ", text);
  }
}

void check_not_quantized(const ir::Program& program) {
  for (const auto& [name, use] : ir::operators_used(program)) {
    const bool quantized = name.starts_with("quantized::") || name.starts_with("aten::quantize_per") ||
                           name.starts_with("aten::dequantize") || name.starts_with("aten::quantized_");
    WICK_CHECK(!quantized, kInvalidArgument, "the model is quantized already: it uses ", name);
    WICK_CHECK(!name.starts_with("prepacked::") && !name.starts_with("metal_prepack::") &&
                   !name.starts_with("vulkan_prepack::"),
               kInvalidArgument, "the model is optimized for a device already (it uses ", name,
               "): quantize the model it was made from");
  }
}

}  // namespace wick::quantize
