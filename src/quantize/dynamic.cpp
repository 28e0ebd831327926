// Dynamic quantization: layers that quantize their inputs at run time.
#include "api/module_access.h"
#include "core/check.h"
#include "core/copy.h"
#include "core/out_of_memory.h"
#include "core/tensor_impl.h"
#include "quantize/canonical.h"
#include "quantize/edit.h"
#include "quantize/pool.h"
#include "quantize/weights.h"
#include "wick/quantize.h"

namespace wick::quantize {

namespace {

using ir::Graph;
using ir::Node;
using ir::NodeKind;
using ir::Value;

constexpr bool kReduceRange = true;  // what PyTorch writes; the mobile engine does not look at it

class Dynamic {
 public:
  Dynamic(Frozen& model, const QuantizeOptions& options, QuantizeReport& report)
      : model_(model), options_(options), report_(report), names_(model), skip_(options.skip) {}

  void run() {
    for (const auto& function : model_.program->functions) {
      canonicalize(*function, model_);
      graph_ = &function->graph;
      each_node(*graph_->body(), [&](Node& node) { visit(node); });
    }
    std::vector<std::string> layers;
    for (const LayerReport& layer : report_.layers) layers.push_back(layer.name);
    skip_.check_all_met(layers);
    WICK_CHECK(
        quantized_ > 0 || !options_.skip.empty(), kInvalidArgument,
        "the model has no linear, LSTM or GRU layer with known weights: there is nothing to quantize dynamically");
  }

 private:
  bool half() const { return options_.weights == WeightType::kFloat16; }

  void visit(Node& node) {
    if (node.kind != NodeKind::kOp || !node.op) return;
    const std::string_view name = base_name(node);
    if (half()) return halve(node, name);
    if (name == "aten::linear") return linear(node);
    if (name == "aten::lstm" || name == "aten::gru") return recurrent(node, name == "aten::lstm");
    if (name == "aten::lstm_cell" || name == "aten::gru_cell" || name == "aten::rnn_tanh_cell" ||
        name == "aten::rnn_relu_cell") {
      return cell(node);
    }
    if (name == "aten::rnn_tanh" || name == "aten::rnn_relu")
      leave(node, "there is no quantized form of plain RNN layers");
  }

  // A layer of the report; false when it is to stay float.
  bool begin(const Node& node, const Tensor* weight) {
    LayerReport layer;
    layer.name = names_.next(node, weight);
    layer.op = node.op_name;
    if (skip_.contains(layer.name)) layer.reason = "skipped as asked";
    report_.layers.push_back(std::move(layer));
    return report_.layers.back().reason.empty();
  }
  void leave(const Node& node, std::string reason, const Tensor* weight = nullptr) {
    if (begin(node, weight)) report_.layers.back().reason = std::move(reason);
  }

  static const Tensor* float_matrix(const Value* value) {
    if (!value || !value->def || value->def->kind != NodeKind::kConstant || !value->def->constant.is_tensor()) {
      return nullptr;
    }
    const Tensor& t = value->def->constant.to_tensor();
    return t.dim() == 2 && t.dtype() == DType::kFloat && t.numel() > 0 ? &t : nullptr;
  }

  IValue pack(const Tensor& weight, const IValue& bias) {
    const std::string& layer = report_.layers.back().name;
    check_finite(weight, layer);
    std::vector<std::pair<IValue, IValue>>& known = packed_[weight.impl()];
    for (const auto& [with, result] : known) {
      if (with.is_same(bias)) return result;
    }
    IValue result =
        call_operator("quantized::linear_prepack", {quantize_weight(weight, options_.per_channel ? 0 : -1), bias})[0];
    known.emplace_back(bias, result);
    return result;
  }

  Node* put(Node& node, std::string_view op, std::vector<Value*> inputs) {
    Node* made = add_op(*graph_, node.block, &node, op, std::move(inputs));
    made->source = node.source;
    report_.layers.back().op = made->op_name;
    report_.layers.back().quantized = true;
    ++quantized_;
    return made;
  }
  Value* constant(Node& before, IValue value) { return add_constant(*graph_, before.block, &before, std::move(value)); }
  void replace(Node& node, Node* by) {
    for (size_t i = 0; i < node.outputs.size(); ++i) graph_->replace_uses(node.outputs[i], by->outputs[i]);
    graph_->erase(&node);
  }

  // The mobile engine has no layers with half weights: they are stored so, and computed with in float.
  void halve(Node& node, std::string_view name) {
    constexpr std::string_view kLayers[] = {"aten::linear",   "aten::lstm",          "aten::gru",
                                            "aten::rnn_tanh", "aten::rnn_relu",      "aten::lstm_cell",
                                            "aten::gru_cell", "aten::rnn_tanh_cell", "aten::rnn_relu_cell"};
    if (std::find(std::begin(kLayers), std::end(kLayers), name) == std::end(kLayers)) return;
    std::vector<std::pair<Node*, size_t>> weights;
    auto collect = [&](Node& user) {
      for (size_t i = 0; i < user.inputs.size(); ++i) {
        if (float_matrix(user.inputs[i])) weights.emplace_back(&user, i);
      }
    };
    collect(node);
    for (Value* input : node.inputs) {
      if (input->def && input->def->kind == NodeKind::kListConstruct) collect(*input->def);
    }
    if (weights.empty()) return leave(node, "its weights are computed while the model runs, or are not of floats");
    const auto [first, at] = weights[0];
    if (!begin(node, float_matrix(first->inputs[at]))) return;
    for (const auto& [user, i] : weights) {
      Value* half = halves_.replacement(*graph_, *user->inputs[i]->def);
      if (!half) continue;
      graph_->set_input(user, i, half);
      report_.layers.back().quantized = true;
    }
    quantized_ += report_.layers.back().quantized;
    if (!report_.layers.back().quantized)
      report_.layers.back().reason = "it has values that half precision cannot hold";
  }

  void linear(Node& node) {
    const Tensor* weight = float_matrix(argument_value(node, "weight"));
    if (!weight) return leave(node, "its weight is computed while the model runs, or is not a matrix of floats");
    const std::optional<IValue> bias = argument(node, "bias");
    if (!bias) return leave(node, "its bias is computed while the model runs", weight);
    if (!bias->is_none() && (!bias->is_tensor() || bias->to_tensor().dtype() != DType::kFloat)) {
      return leave(node, "its bias is not of floats", weight);
    }
    if (!begin(node, weight)) return;
    Value* packed = constant(node, pack(*weight, *bias));
    replace(node,
            put(node, "quantized::linear_dynamic", {node.inputs[0], packed, constant(node, IValue(kReduceRange))}));
  }

  // Weights and biases of one direction of one layer.
  IValue cell_params(const Tensor& w_ih, const Tensor& w_hh, const IValue& b_ih, const IValue& b_hh) {
    return call_operator("quantized::make_quantized_cell_params_dynamic",
                         {pack(w_ih, b_ih), pack(w_hh, b_hh), b_ih, b_hh, IValue(kReduceRange)})[0];
  }

  static IValue zero_bias(const Tensor& weight) { return Tensor::zeros({weight.size(0)}); }

  // Matrices and biases of all layers and directions, when all are known and of floats; none otherwise.
  static std::vector<Tensor> recurrent_weights(const Node& node) {
    const std::optional<IValue> params = argument(node, "params");
    std::vector<Tensor> out;
    if (!params || !params->is_list()) return out;
    for (const IValue& item : params->to_list().items) {
      if (!item.is_tensor() || item.to_tensor().dtype() != DType::kFloat) return {};
      out.push_back(item.to_tensor());
    }
    return out;
  }

  // Whether each direction of each layer has `each` tensors, of the shapes of a cell without a projection of its state,
  // which is a third matrix.
  static bool are_plain_cells(const std::vector<Tensor>& weights, size_t each, bool lstm) {
    if (weights.size() % each != 0) return false;
    for (size_t i = 0; i < weights.size(); i += each) {
      if (weights[i].dim() != 2 || weights[i + 1].dim() != 2 ||
          weights[i + 1].size(0) != weights[i + 1].size(1) * (lstm ? 4 : 3)) {
        return false;
      }
      for (size_t k = 2; k < each; ++k) {
        if (weights[i + k].dim() != 1) return false;
      }
    }
    return true;
  }

  // A list of the cells, `each` tensors of weights for one.
  Value* list_of_cells(Node& node, const std::vector<Tensor>& weights, size_t each) {
    std::vector<Value*> items;
    TypePtr type;
    for (size_t i = 0; i < weights.size(); i += each) {
      const IValue b_ih = each == 4 ? IValue(weights[i + 2]) : zero_bias(weights[i]);
      const IValue b_hh = each == 4 ? IValue(weights[i + 3]) : zero_bias(weights[i + 1]);
      IValue params = cell_params(weights[i], weights[i + 1], b_ih, b_hh);
      if (!type) type = params.type();
      items.push_back(constant(node, std::move(params)));
    }
    Node* list = graph_->insert_before(&node, NodeKind::kListConstruct, std::move(items));
    list->types = {types::list(type)};
    return graph_->add_output(list, types::list(type));
  }

  void recurrent(Node& node, bool lstm) {
    const std::optional<IValue> biases = argument(node, "has_biases");
    const std::vector<Tensor> weights = recurrent_weights(node);
    if (weights.empty() || !biases || !biases->is_bool()) {
      return leave(node, "its weights are computed while the model runs, or are not of floats");
    }
    const size_t each = biases->to_bool() ? 4 : 2;
    if (!are_plain_cells(weights, each, lstm)) {
      return leave(node, "layers with a projection have no quantized form", &weights[0]);
    }
    if (!begin(node, &weights[0])) return;
    std::vector<Value*> inputs = node.inputs;
    const size_t at =
        static_cast<size_t>(std::find(inputs.begin(), inputs.end(), argument_value(node, "params")) - inputs.begin());
    inputs[at] = list_of_cells(node, weights, each);
    inputs[at + 1] = constant(node, IValue(true));  // biases are always there
    if (lstm) {
      inputs.push_back(constant(node, IValue(static_cast<int64_t>(DType::kQInt8))));
      inputs.push_back(constant(node, IValue(true)));  // use_dynamic
    }
    const std::string overload = node.op_name.substr(node.op_name.rfind('.'));
    replace(node, put(node, (lstm ? "aten::quantized_lstm" : "aten::quantized_gru") + overload, std::move(inputs)));
  }

  void cell(Node& node) {
    const Tensor* w_ih = float_matrix(argument_value(node, "w_ih"));
    const Tensor* w_hh = float_matrix(argument_value(node, "w_hh"));
    if (!w_ih || !w_hh) return leave(node, "its weights are computed while the model runs, or are not of floats");
    std::optional<IValue> b_ih = argument(node, "b_ih"), b_hh = argument(node, "b_hh");
    if (!b_ih || !b_hh) return leave(node, "its biases are computed while the model runs", w_ih);
    if (!begin(node, w_ih)) return;
    if (b_ih->is_none()) b_ih = zero_bias(*w_ih);
    if (b_hh->is_none()) b_hh = zero_bias(*w_hh);
    const std::string name = "quantized::quantized_" + std::string(base_name(node).substr(6)) + "_dynamic";
    replace(node, put(node, name,
                      {node.inputs[0], node.inputs[1], constant(node, pack(*w_ih, *b_ih)),
                       constant(node, pack(*w_hh, *b_hh)), constant(node, *b_ih), constant(node, *b_hh)}));
  }

  Frozen& model_;
  const QuantizeOptions& options_;
  QuantizeReport& report_;
  LayerNames names_;
  SkipList skip_;
  Graph* graph_ = nullptr;
  size_t quantized_ = 0;
  HalfWeights halves_;
  // Packed weights by weight, with the bias that is packed with it.
  std::unordered_map<const TensorImpl*, std::vector<std::pair<IValue, IValue>>> packed_;
};

}  // namespace

}  // namespace wick::quantize

namespace wick {

Quantized quantize_dynamic(const Module& module, const QuantizeOptions& options) {
  WICK_CHECK(program_of(module), kInvalidArgument, "the module is empty: there is nothing to quantize");
  return with_memory_errors([&] {
    quantize::check_not_quantized(*program_of(module));
    quantize::Frozen model = quantize::freeze(*program_of(module));
    Quantized out;
    quantize::Dynamic(model, options, out.report).run();
    quantize::prune(*model.program);
    quantize::pool_small_tensors(*model.program);
    out.module = make_module(model.program);
    return out;
  });
}

}  // namespace wick
