#include "quantize/fold_norm.h"

#include <cmath>

#include "core/copy.h"
#include "quantize/edit.h"

namespace wick::quantize {

namespace {

using ir::Graph;
using ir::Node;
using ir::NodeKind;
using ir::Value;

bool is_convolution(const Node& node) {
  return is_op(node, "aten::conv1d") || is_op(node, "aten::conv2d") || is_op(node, "aten::conv3d");
}
bool is_transposed(const Node& node) {
  return is_op(node, "aten::conv_transpose1d") || is_op(node, "aten::conv_transpose2d.input") ||
         is_op(node, "aten::conv_transpose3d.input");
}

std::optional<Tensor> floats(const Node& node, std::string_view name) {
  const std::optional<IValue> value = argument(node, name);
  if (!value || !value->is_tensor() || value->to_tensor().dtype() != DType::kFloat) return std::nullopt;
  return contiguous(value->to_tensor());
}

// What the norm does to channel c: x * factor + shift.
struct Affine {
  std::vector<double> factor, shift;
};

std::optional<Affine> affine_of(const Node& norm, int64_t channels) {
  const std::optional<IValue> training = argument(norm, "training"), eps = argument(norm, "eps");
  const std::optional<Tensor> mean = floats(norm, "running_mean"), var = floats(norm, "running_var");
  const std::optional<IValue> weight = argument(norm, "weight"), bias = argument(norm, "bias");
  if (!training || !training->is_bool() || training->to_bool() || !eps || !eps->is_number() || !mean || !var ||
      !weight || !bias) {
    return std::nullopt;
  }
  const std::optional<Tensor> gamma = floats(norm, "weight"), beta = floats(norm, "bias");
  if ((!gamma && !weight->is_none()) || (!beta && !bias->is_none())) return std::nullopt;
  for (const auto* t : {&mean, &var, &gamma, &beta}) {
    if (*t && (**t).numel() != channels) return std::nullopt;
  }
  Affine out;
  for (int64_t c = 0; c < channels; ++c) {
    const double factor = (gamma ? gamma->data<float>()[c] : 1) / std::sqrt(var->data<float>()[c] + eps->to_double());
    out.factor.push_back(factor);
    out.shift.push_back((beta ? beta->data<float>()[c] : 0) - mean->data<float>()[c] * factor);
  }
  return out;
}

class Fold {
 public:
  Fold(ir::Function& function, Frozen& model, const std::unordered_set<const Value*>& matrices)
      : graph_(function.graph), model_(model), matrices_(matrices) {}

  void run() {
    each_node(*graph_.body(), [&](Node& node) {
      if (is_op(node, "aten::batch_norm")) fold(node);
    });
    remove_unused(graph_);
  }

 private:
  void fold(Node& norm) {
    Node* layer = norm.inputs[0]->def;
    if (!layer || layer->block != norm.block || only_user(*norm.inputs[0], block_results(graph_)) != &norm) return;
    const bool linear = is_op(*layer, "aten::linear") && matrices_.contains(norm.inputs[0]);
    const bool transposed = is_transposed(*layer);
    if (!linear && !transposed && !is_convolution(*layer)) return;
    const std::optional<Tensor> weight = floats(*layer, "weight");
    const std::optional<IValue> given_bias = argument(*layer, "bias"), groups = argument(*layer, "groups");
    const std::optional<Tensor> bias = floats(*layer, "bias");
    if (!weight || !given_bias || !argument_value(*layer, "bias") || (!bias && !given_bias->is_none())) return;
    if (!linear && (!groups || !groups->is_int() || groups->to_int() < 1)) return;
    const int64_t group_count = linear ? 1 : groups->to_int();
    const int64_t channels = transposed ? weight->size(1) * group_count : weight->size(0);
    const std::optional<Affine> affine = affine_of(norm, channels);
    if (!affine || (bias && bias->numel() != channels) || weight->numel() == 0) return;

    const Tensor new_weight = clone(*weight, MemoryFormat::kContiguous);
    const Tensor new_bias = Tensor::empty({channels});
    float* w = new_weight.data<float>();
    const int64_t rows = weight->size(0), per_row = weight->numel() / rows;
    const int64_t columns = transposed ? weight->size(1) : 1, per_channel = per_row / columns;
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) {
        const int64_t channel = transposed ? r / (rows / group_count) * columns + c : r;
        const double factor = affine->factor[static_cast<size_t>(channel)];
        float* first = w + r * per_row + c * per_channel;
        for (int64_t i = 0; i < per_channel; ++i) first[i] = static_cast<float>(first[i] * factor);
      }
    }
    for (int64_t c = 0; c < channels; ++c) {
      const size_t at = static_cast<size_t>(c);
      new_bias.data<float>()[c] =
          static_cast<float>((bias ? bias->data<float>()[c] : 0) * affine->factor[at] + affine->shift[at]);
    }
    if (const auto it = model_.names.find(argument(*layer, "weight")->to_tensor().impl()); it != model_.names.end()) {
      const std::string name = it->second;
      model_.names[new_weight.impl()] = name;
    }
    set(*layer, "weight", new_weight);
    set(*layer, "bias", new_bias);
    graph_.replace_uses(norm.outputs[0], layer->outputs[0]);
    graph_.erase(&norm);
  }

  void set(Node& layer, std::string_view name, const Tensor& tensor) {
    Value* given = argument_value(layer, name);
    for (size_t i = 0; i < layer.inputs.size(); ++i) {
      if (layer.op->schema.arguments[i].name != name || layer.inputs[i] != given) continue;
      graph_.set_input(&layer, i, add_constant(graph_, layer.block, &layer, tensor));
    }
  }

  Graph& graph_;
  Frozen& model_;
  const std::unordered_set<const Value*>& matrices_;
};

}  // namespace

void fold_batch_norms(ir::Function& function, Frozen& model, const std::unordered_set<const Value*>& matrices) {
  Fold(function, model, matrices).run();
}

std::vector<Value*> linears_before_norms(ir::Function& function) {
  std::vector<Value*> out;
  const auto results = block_results(function.graph);
  each_node(*function.graph.body(), [&](Node& node) {
    if (!is_op(node, "aten::batch_norm")) return;
    Node* layer = node.inputs[0]->def;
    if (layer && is_op(*layer, "aten::linear") && only_user(*node.inputs[0], results) == &node)
      out.push_back(node.inputs[0]);
  });
  return out;
}

}  // namespace wick::quantize
