// Rewrites the chosen layers of a method to 8-bit integers.
#include "quantize/convert.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/copy.h"
#include "quantize/edit.h"
#include "quantize/pack.h"

namespace wick::quantize {

namespace {

using ir::Block;
using ir::Function;
using ir::Graph;
using ir::Node;
using ir::NodeKind;
using ir::Value;

// Concatenations copy what has their own scale already, without rounding it again. So their inputs take it over, where
// nothing else wants them or it is not much coarser than their own.
std::unordered_map<const Value*, QParams> shared_params(const std::vector<Layer>& layers,
                                                        const std::vector<bool>& selected,
                                                        const Calibration& calibration) {
  constexpr double kMuchCoarser = 2;
  std::unordered_map<const Value*, size_t> makers, wants;
  for (size_t i = 0; i < layers.size(); ++i) {
    if (!selected[i]) continue;
    for (const Value* v : layers[i].outputs) makers[v] = i;
    for (const Value* v : layers[i].inputs) ++wants[v];
  }
  std::unordered_map<const Value*, QParams> out;
  for (size_t i = layers.size(); i-- > 0;) {
    const Layer& layer = layers[i];
    if (!selected[i] || layer.kind != LayerKind::kCat || layer.activation) continue;
    const auto own = out.find(layer.outputs[0]);
    const QParams params = own != out.end() ? own->second : calibration.params(layer.outputs[0]);
    for (const Value* v : layer.inputs) {
      bool only_here = wants[v] == 1;
      auto maker = makers.find(v);
      while (maker != makers.end() && layers[maker->second].kind == LayerKind::kSame) {
        v = layers[maker->second].inputs[0];
        only_here = only_here && wants[v] == 1;
        maker = makers.find(v);
      }
      if (v->type->is(TypeKind::kList) || (maker != makers.end() && layers[maker->second].kind == LayerKind::kFixed)) {
        continue;
      }
      if (only_here || params.scale <= kMuchCoarser * calibration.params(v).scale) out.try_emplace(v, params);
    }
  }
  return out;
}

struct Quantized {
  Value* value = nullptr;
  QParams params;
};

class Converter {
 public:
  Converter(const Function& function, const std::vector<Layer>& layers, const Calibration& calibration,
            const QuantizeOptions& options, PackedWeights& weights)
      : copy_(ir::copy_function(function)),
        graph_(copy_.function->graph),
        layers_(layers),
        calibration_(calibration),
        options_(options),
        weights_(weights) {}

  Converted run(const std::vector<bool>& selected, bool keep_results) {
    shared_ = shared_params(layers_, selected, calibration_);
    for (size_t i = 0; i < layers_.size(); ++i) {
      if (selected[i]) layer(i);
    }
    if (!keep_results) {
      remove_unused(graph_);
      out_.results.clear();
    }
    out_.function = std::move(copy_.function);
    return std::move(out_);
  }

 private:
  Value* constant(IValue value) { return add_constant(graph_, at_->block, at_, std::move(value)); }
  Value* op(std::string_view name, std::vector<Value*> inputs) {
    return add_op(graph_, at_->block, at_, name, std::move(inputs))->outputs[0];
  }

  const QParams& params_of(const Value* value) const {
    const auto it = shared_.find(value);
    return it != shared_.end() ? it->second : calibration_.params(value);
  }

  // The value in integers; made right behind the float one when no layer gives it.
  const Quantized& quantized(const Value* value) {
    const auto [it, fresh] = quantized_.try_emplace(value);
    if (!fresh) return it->second;
    Value* source = copy_.values.at(value);
    Block* block = source->block;
    Node* before = after_definition(source);
    it->second.params = params_of(value);
    auto put = [&](IValue v) { return add_constant(graph_, block, before, std::move(v)); };
    it->second.value = add_op(graph_, block, before, "aten::quantize_per_tensor",
                              {source, put(it->second.params.scale), put(it->second.params.zero_point),
                               put(static_cast<int64_t>(DType::kQUInt8))})
                           ->outputs[0];
    return it->second;
  }

  void layer(size_t index) {
    const Layer& layer = layers_[index];
    at_ = copy_.nodes.at(layer.node);
    std::vector<Quantized> inputs;
    for (const Value* v : layer.inputs) inputs.push_back(quantized(v));
    Node* made = nullptr;
    QParams params;
    if (layer.kind == LayerKind::kSame || layer.kind == LayerKind::kFixed) {
      made = repeat(layer, inputs[0]);
      params = layer.kind == LayerKind::kSame ? inputs[0].params : fixed_params(*layer.node);
    } else {
      params = params_of(layer.outputs[0]);
      made = operation(index, inputs, params)->def;
    }
    made->source = copy_.nodes.at(layer.node)->source;
    out_.ops[index] = made->kind == NodeKind::kOp ? made->op_name : "unpack";
    out_.params[index] = params;
    for (size_t i = 0; i < layer.outputs.size(); ++i) {
      quantized_[layer.outputs[i]] = {made->outputs[i], params};
      if (layer.outputs[i]->type->is(TypeKind::kList)) continue;
      keep_shapes(copy_.values.at(layer.outputs[i]), made->outputs[i]);
      if (layer.activation) keep_shapes(copy_.values.at(layer.node->outputs[i]), made->outputs[i]);
      Value* in_float = op("aten::dequantize.self", {made->outputs[i]});
      if (i == 0) out_.results[index] = in_float;
      graph_.replace_uses(copy_.values.at(layer.outputs[i]), in_float);
    }
    remove(layer);
  }

  // Who asks for the shape only asks the integers.
  void keep_shapes(Value* from, Value* to) {
    const std::vector<Node*> users = from->users;
    for (Node* user : users) {
      if (asks_shape(*user)) graph_.set_input(user, 0, to);
    }
  }

  void remove(const Layer& layer) {
    // A list of tensors goes with the node that unpacks it, which comes later.
    for (Node* node : {layer.activation, layer.node}) {
      if (!node) continue;
      Node* copy = copy_.nodes.at(node);
      for (const Value* out : copy->outputs) {
        if (!out->users.empty()) return;
      }
      graph_.erase(copy);
    }
  }

  // The same node on integers.
  Node* repeat(const Layer& layer, const Quantized& input) {
    const Node* node = copy_.nodes.at(layer.node);
    std::vector<Value*> inputs = node->inputs;
    inputs[0] = input.value;
    Node* made = graph_.insert_before(at_, node->kind, std::move(inputs));
    copy_attributes(*node, *made);
    for (const Value* out : node->outputs) graph_.add_output(made, out->type);
    return made;
  }

  static QParams fixed_params(const Node& node) {
    return node.op_name == "aten::tanh" ? QParams{1.0 / 128, 128} : QParams{1.0 / 256, 0};
  }

  Value* operation(size_t index, const std::vector<Quantized>& inputs, const QParams& params) {
    const Layer& layer = layers_[index];
    const std::string relu = layer.relu ? "_relu" : "";
    Value *scale = constant(params.scale), *zero_point = constant(params.zero_point);
    switch (layer.kind) {
      case LayerKind::kConv: {
        const int64_t dims = layer.spatial_dims();
        return op(cat("quantized::conv", dims, "d", relu, dims > 1 ? ".new" : ""),
                  {inputs[0].value, packed(index, inputs[0].params), scale, zero_point});
      }
      case LayerKind::kTransposed:
        return op(cat("quantized::conv_transpose", layer.spatial_dims(), "d"),
                  {inputs[0].value, packed(index, inputs[0].params), scale, zero_point});
      case LayerKind::kLinear:
        return op("quantized::linear" + relu, {inputs[0].value, packed(index, inputs[0].params), scale, zero_point});
      case LayerKind::kAdd:
        return op("quantized::add" + relu, {inputs[0].value, inputs[1].value, scale, zero_point});
      case LayerKind::kMul: {
        const bool swapped =
            calibration_.of(layer.inputs[0]).last_sizes() != calibration_.of(layer.outputs[0]).last_sizes();
        return op("quantized::mul" + relu,
                  {inputs[swapped ? 1 : 0].value, inputs[swapped ? 0 : 1].value, scale, zero_point});
      }
      case LayerKind::kCat: {
        std::vector<Value*> items;
        items.reserve(inputs.size());
        for (const Quantized& q : inputs) items.push_back(q.value);
        Node* list = graph_.insert_before(at_, NodeKind::kListConstruct, std::move(items));
        list->types = {types::list(types::tensor())};
        Value* all = graph_.add_output(list, types::list(types::tensor()));
        return op("quantized::cat" + relu, {all, copy_.nodes.at(layer.node)->inputs[1], scale, zero_point});
      }
      case LayerKind::kUnary: {
        const std::string name = cat("quantized::", base_name(*layer.node).substr(6));
        const Operator* form = find_operator(name);
        WICK_CHECK(form, kMissingOperator, "this build has no operator ", name);
        return op(name, unary_inputs(*form, *copy_.nodes.at(layer.node), inputs[0].value, scale, zero_point));
      }
      case LayerKind::kNorm: {
        const Node* node = copy_.nodes.at(layer.node);
        auto given = [&](const char* name) { return argument_value(*node, name); };
        return op(cat("quantized::batch_norm", calibration_.of(layer.inputs[0]).rank() - 2, "d", relu),
                  {inputs[0].value, given("weight"), given("bias"), given("running_mean"), given("running_var"),
                   given("eps"), scale, zero_point});
      }
      default:
        fail_with<ErrorCode::kInternal>("a layer of this kind has no operator of its own");
    }
  }

  // The arguments of an operator's quantized form: those of the same name, and scale and zero point of the result.
  std::vector<Value*> unary_inputs(const Operator& form, const Node& node, Value* input, Value* scale,
                                   Value* zero_point) {
    std::vector<Value*> out{input};
    for (size_t i = 1; i < form.schema.arguments.size(); ++i) {
      const std::string& name = form.schema.arguments[i].name;
      if (name == "output_scale") {
        out.push_back(scale);
      } else if (name == "output_zero_point") {
        out.push_back(zero_point);
      } else {
        Value* given = argument_value(node, name);
        out.push_back(given ? given : constant(name == "inplace" ? IValue(false) : default_of(node, name)));
      }
    }
    return out;
  }
  static IValue default_of(const Node& node, std::string_view name) {
    for (const Argument& argument : node.op->schema.arguments) {
      if (argument.name == name) return argument.default_value;
    }
    fail_with<ErrorCode::kInternal>("the quantized form has an argument that the operator does not have");
  }

  Value* packed(size_t index, const QParams& input) {
    IValue& known = weights_[{index, input.scale}];
    if (known.is_none()) {
      known = pack_weight(layers_[index], input, calibration_.of(layers_[index].inputs[0]).channel_means(),
                          options_.per_channel);
    }
    return constant(known);
  }

  ir::FunctionCopy copy_;
  Graph& graph_;
  const std::vector<Layer>& layers_;
  const Calibration& calibration_;
  const QuantizeOptions& options_;
  PackedWeights& weights_;
  std::unordered_map<const Value*, QParams> shared_;
  std::unordered_map<const Value*, Quantized> quantized_;
  Node* at_ = nullptr;  // new nodes come before it
  Converted out_;
};

}  // namespace

Converted convert(const Function& function, const std::vector<Layer>& layers, const std::vector<bool>& selected,
                  const Calibration& calibration, const QuantizeOptions& options, PackedWeights& weights,
                  bool keep_results) {
  return Converter(function, layers, calibration, options, weights).run(selected, keep_results);
}

std::vector<bool> select_layers(const std::vector<Layer>& layers, const std::vector<bool>& excluded) {
  std::vector<bool> selected(layers.size(), false);
  std::unordered_set<const Value*> in_integers;
  for (size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    if (!layer.reason.empty() || excluded[i]) continue;
    auto has = [&](const Value* v) { return in_integers.contains(v); };
    const bool lists = std::any_of(layer.inputs.begin(), layer.inputs.end(),
                                   [](const Value* v) { return v->type->is(TypeKind::kList); });
    selected[i] = layer.is_anchor() || (lists ? std::all_of(layer.inputs.begin(), layer.inputs.end(), has)
                                              : std::any_of(layer.inputs.begin(), layer.inputs.end(), has));
    if (selected[i]) in_integers.insert(layer.outputs.begin(), layer.outputs.end());
  }
  // What only floats come after is done in floats.
  std::unordered_set<const Value*> wanted;
  for (size_t i = layers.size(); i-- > 0;) {
    if (!selected[i]) continue;
    const Layer& layer = layers[i];
    selected[i] = layer.is_anchor() || std::any_of(layer.outputs.begin(), layer.outputs.end(),
                                                   [&](const Value* v) { return wanted.contains(v); });
    if (selected[i]) wanted.insert(layer.inputs.begin(), layer.inputs.end());
  }
  return selected;
}

}  // namespace wick::quantize
