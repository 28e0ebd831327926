// Finds the layers of a method that have an 8-bit form.
#include "quantize/layers.h"

#include <algorithm>

#include "quantize/alias.h"
#include "quantize/edit.h"

namespace wick::quantize {

namespace {

using ir::Node;
using ir::NodeKind;
using ir::Value;

template <size_t n>
bool among(std::string_view name, const std::string_view (&names)[n]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Layers with weights that have no form on integers; named in the report because people look for them there.
constexpr std::string_view kFloatLayers[] = {"aten::lstm",
                                             "aten::gru",
                                             "aten::rnn_tanh",
                                             "aten::rnn_relu",
                                             "aten::lstm_cell",
                                             "aten::gru_cell",
                                             "aten::embedding",
                                             "aten::bilinear",
                                             "aten::embedding_bag",
                                             "aten::convolution",
                                             "aten::layer_norm",
                                             "aten::group_norm",
                                             "aten::instance_norm",
                                             "aten::_convolution",
                                             "aten::batch_norm",
                                             "aten::conv_tbc",
                                             "aten::addmm",
                                             "aten::prelu",
                                             "aten::matmul",
                                             "aten::bmm",
                                             "aten::scaled_dot_product_attention",
                                             "aten::_scaled_dot_product_attention",
                                             "aten::baddbmm",
                                             "aten::einsum",
                                             "aten::_transformer_encoder_layer_fwd",
                                             "aten::_native_multi_head_attention"};

class Finder {
 public:
  Finder(ir::Function& function, LayerNames& names)
      : function_(function),
        names_(names),
        aliases_(aliases_of(function.graph)),
        results_(block_results(function.graph)) {}

  std::vector<Layer> run() {
    each_node(*function_.graph.body(), [&](Node& node) {
      if (!taken_.contains(&node)) visit(node);
    });
    return std::move(layers_);
  }

 private:
  void visit(Node& node) {
    if (node.kind == NodeKind::kListUnpack) return unpack(node);
    if (node.kind != NodeKind::kOp || !node.op) return;
    const std::string_view full = node.op_name;
    if (full == "aten::conv1d" || full == "aten::conv2d" || full == "aten::conv3d" || full == "aten::conv1d.padding" ||
        full == "aten::conv2d.padding" || full == "aten::conv3d.padding") {
      conv(node);
    } else if (full == "aten::conv_transpose1d" || full == "aten::conv_transpose2d.input" ||
               full == "aten::conv_transpose3d.input") {
      transposed(node);
    } else if (full == "aten::linear") {
      linear(node);
    } else if (full == "aten::add.Tensor") {
      sum(node);
    } else if (full == "aten::mul.Tensor") {
      product(node);
    } else if (full == "aten::cat") {
      concatenation(node);
    } else if (node.op->has(traits::has_quantized_form)) {
      unary(node);
    } else if (full == "aten::batch_norm") {
      norm(node);
    } else if (node.op->has(traits::fixed_qparams)) {
      finish(begin(node, LayerKind::kFixed, {node.inputs[0]}), false);
    } else if (node.op->has(traits::keeps_qparams)) {
      same(node);
    } else if (among(base_name(node), kFloatLayers)) {
      Layer layer = begin(node, LayerKind::kSame, {});
      layer.name = names_.next(node, first_constant(node));
      layer.reason = "there is no 8-bit form of " + std::string(base_name(node)) + " here";
      layers_.push_back(std::move(layer));
    }
  }

  static const Tensor* first_constant(const Node& node) {
    for (const Value* input : node.inputs) {
      const Node* def = input->def;
      if (def && def->kind == NodeKind::kListConstruct && !def->inputs.empty()) def = def->inputs[0]->def;
      if (def && def->kind == NodeKind::kConstant && def->constant.is_tensor()) return &def->constant.to_tensor();
    }
    return nullptr;
  }

  Layer begin(Node& node, LayerKind kind, std::vector<Value*> inputs) {
    Layer layer{};
    layer.kind = kind;
    layer.node = &node;
    layer.inputs = std::move(inputs);
    layer.outputs = node.outputs;
    return layer;
  }

  void finish(Layer layer, bool fuse) {
    const Tensor* weight = layer.weight.defined() ? &layer.weight : nullptr;
    if (layer.name.empty()) layer.name = names_.next(*layer.node, weight);
    if (fuse) find_activation(layer);
    for (const std::vector<Value*>* values : {&layer.inputs, &layer.outputs}) {
      for (const Value* v : *values) {
        if (layer.reason.empty() && aliases_.is_written(v)) layer.reason = "code writes into its tensors";
      }
    }
    layers_.push_back(std::move(layer));
  }

  // A clamp around zero needs no work: values beyond the range of the integers saturate.
  void find_activation(Layer& layer) {
    Value* out = layer.outputs[0];
    Node* next = only_user(*out, results_);
    if (!next || next->block != layer.node->block || next->kind != NodeKind::kOp || !next->op || next->inputs[0] != out)
      return;
    if (is_op(*next, "aten::relu")) {
      layer.relu = true;
    } else {
      std::optional<IValue> low, high;
      if (is_op(*next, "aten::relu6")) {
        low = IValue(0), high = IValue(6);
      } else if (is_op(*next, "aten::hardtanh")) {
        low = argument(*next, "min_val"), high = argument(*next, "max_val");
      } else if (is_op(*next, "aten::clamp")) {
        low = argument(*next, "min"), high = argument(*next, "max");
      } else {
        return;
      }
      auto real = [](const std::optional<IValue>& v) { return v && (v->is_none() || v->is_int() || v->is_double()); };
      if (!real(low) || !real(high)) return;
      if ((!low->is_none() && low->to_double() > 0) || (!high->is_none() && high->to_double() < 0)) return;
      layer.relu = !low->is_none() && low->to_double() == 0;
    }
    layer.activation = next;
    layer.outputs = next->outputs;
    taken_.insert(next);
  }

  static std::optional<IntVec> int_list(const Node& node, std::string_view name, size_t dims) {
    const std::optional<IValue> value = argument(node, name);
    if (!value) return std::nullopt;
    if (value->is_int()) return IntVec(dims, value->to_int());
    if (!value->is_list()) return std::nullopt;
    IntVec out;
    for (const IValue& item : value->to_list().items) {
      if (!item.is_int()) return std::nullopt;
      out.push_back(item.to_int());
    }
    if (out.size() == 1) out = IntVec(dims, out[0]);
    return out.size() == dims ? std::optional<IntVec>(out) : std::nullopt;
  }

  // Reads weight and bias; a reason when they do not do.
  void read_weight(Layer& layer, int64_t weight_rank) {
    const std::optional<IValue> weight = argument(*layer.node, "weight"), bias = argument(*layer.node, "bias");
    const Value* given = argument_value(*layer.node, "weight");
    if (!weight || !weight->is_tensor()) {
      layer.reason = "its weight is computed while the model runs";
      return;
    }
    layer.weight = weight->to_tensor();
    if (aliases_.is_written(given)) {
      layer.reason = "code writes into its weight";
    } else if (layer.weight.dtype() != DType::kFloat) {
      layer.reason = std::string("its weight is of type ") + name_of(layer.weight.dtype());
    } else if (layer.weight.dim() != weight_rank || layer.weight.numel() == 0) {
      layer.reason = "its weight has another number of dimensions than usual";
    } else if (!bias || (!bias->is_none() && !bias->is_tensor())) {
      layer.reason = "its bias is computed while the model runs";
    } else if (bias->is_tensor() && (bias->to_tensor().dtype() != DType::kFloat || bias->to_tensor().dim() != 1)) {
      layer.reason = "its bias is not a vector of floats";
    } else {
      layer.bias = *bias;
    }
  }

  void conv(Node& node) {
    Layer layer = begin(node, LayerKind::kConv, {node.inputs[0]});
    const size_t dims =
        static_cast<size_t>(node.op->schema.name.back() == 'd' ? node.op->schema.name.end()[-2] - '0' : 0);
    read_weight(layer, static_cast<int64_t>(dims) + 2);
    if (layer.reason.empty()) read_shape(layer, dims);
    if (layer.reason.empty() && dims == 3) layer.reason = "PyTorch's mobile engine does not load 3-d convolutions";
    finish(std::move(layer), true);
  }

  void read_shape(Layer& layer, size_t dims) {
    const Node& node = *layer.node;
    const std::optional<IntVec> stride = int_list(node, "stride", dims), dilation = int_list(node, "dilation", dims);
    std::optional<IntVec> padding = int_list(node, "padding", dims);
    const std::optional<IValue> groups = argument(node, "groups"), text = argument(node, "padding");
    if (text && text->is_string() && stride && dilation) padding = padding_of(text->to_string(), layer, *dilation);
    if (!stride || !dilation || !padding || !groups || !groups->is_int()) {
      layer.reason = text && text->is_string() ? "its padding differs from side to side"
                                               : "its stride or padding is computed while the model runs";
      return;
    }
    layer.stride = *stride;
    layer.dilation = *dilation;
    layer.padding = *padding;
    layer.output_padding = IntVec(dims, 0);
    layer.groups = groups->to_int();
    // Packed weights hold these numbers in 16 bits.
    for (const IntVec* list : {&layer.stride, &layer.padding, &layer.dilation}) {
      for (int64_t n : *list) {
        if (n < 0 || n > 32767) layer.reason = "its stride, padding or dilation is out of range";
      }
    }
    if (layer.groups < 1 || layer.groups > 32767 || layer.weight.size(0) % layer.groups != 0) {
      layer.reason = "its number of groups is out of range";
    }
  }

  static std::optional<IntVec> padding_of(const std::string& text, const Layer& layer, const IntVec& dilation) {
    IntVec out(dilation.size(), 0);
    if (text == "valid") return out;
    for (size_t i = 0; i < dilation.size(); ++i) {
      const int64_t total = dilation[i] * (layer.weight.size(static_cast<int64_t>(i) + 2) - 1);
      if (text != "same" || total % 2 != 0) return std::nullopt;
      out[i] = total / 2;
    }
    return out;
  }

  void transposed(Node& node) {
    Layer layer = begin(node, LayerKind::kTransposed, {node.inputs[0]});
    const size_t dims = static_cast<size_t>(node.op->schema.name.end()[-2] - '0');
    read_weight(layer, static_cast<int64_t>(dims) + 2);
    if (layer.reason.empty()) read_shape(layer, dims);
    if (layer.reason.empty()) {
      const std::optional<IntVec> output_padding = int_list(node, "output_padding", dims);
      if (output_padding) layer.output_padding = *output_padding;
      if (!output_padding) layer.reason = "its output padding is computed while the model runs";
    }
    if (layer.reason.empty() && dims == 3) layer.reason = "PyTorch's mobile engine does not load 3-d convolutions";
    finish(std::move(layer), false);
  }

  void linear(Node& node) {
    Layer layer = begin(node, LayerKind::kLinear, {node.inputs[0]});
    read_weight(layer, 2);
    finish(std::move(layer), true);
  }

  static bool is_one(const std::optional<IValue>& value) {
    return value && (value->is_int() || value->is_double()) && value->to_double() == 1;
  }

  void sum(Node& node) {
    Layer layer = begin(node, LayerKind::kAdd, {node.inputs[0], node.inputs[1]});
    if (!is_one(argument(node, "alpha"))) layer.reason = "one operand is scaled";
    finish(std::move(layer), true);
  }

  void product(Node& node) { finish(begin(node, LayerKind::kMul, {node.inputs[0], node.inputs[1]}), true); }

  void concatenation(Node& node) {
    const Node* list = node.inputs[0]->def;
    Layer layer = begin(node, LayerKind::kCat, {});
    if (!list || list->kind != NodeKind::kListConstruct || list->inputs.empty() || results_.contains(node.inputs[0]) ||
        !is_only_read(*node.inputs[0])) {
      layer.reason = "its list of tensors is made while the model runs";
    } else {
      layer.inputs = list->inputs;
    }
    finish(std::move(layer), true);
  }

  void unary(Node& node) { finish(begin(node, LayerKind::kUnary, {node.inputs[0]}), false); }

  void norm(Node& node) {
    Layer layer = begin(node, LayerKind::kNorm, {node.inputs[0]});
    const std::optional<IValue> training = argument(node, "training");
    for (const char* name : {"weight", "bias", "running_mean", "running_var"}) {
      const std::optional<IValue> value = argument(node, name);
      const bool optional = name[0] != 'r' && value && value->is_none();
      if (!optional && (!value || !value->is_tensor() || value->to_tensor().dtype() != DType::kFloat)) {
        layer.reason = "its statistics are computed while the model runs";
      }
    }
    if (!training || !training->is_bool() || training->to_bool()) layer.reason = "it is in training mode";
    finish(std::move(layer), true);
  }

  // Averages of whole images are small numbers: in the scale of the image little is left of them.
  static constexpr const char* kFinePool = "averages in float are finer, and they are few";
  bool feeds_linear(const Node& node) const {
    const Node* user = only_user(*node.outputs[0], results_);
    while (user && (is_op(*user, "aten::flatten.using_ints") || is_op(*user, "aten::reshape") ||
                    is_op(*user, "aten::squeeze") || is_op(*user, "aten::squeeze.dim"))) {
      user = only_user(*user->outputs[0], results_);
    }
    return user && is_op(*user, "aten::linear");
  }

  void same(Node& node) {
    Layer layer = begin(node, LayerKind::kSame, {node.inputs[0]});
    layer.reason = why_not_same(node);
    finish(std::move(layer), false);
  }

  // Why the layer cannot keep the integers of its input; empty when it can.
  std::string why_not_same(const Node& node) const {
    const std::string_view full = node.op_name;
    if (full == "aten::avg_pool2d") return why_not_average(node);
    if (base_name(node) == "aten::mean") return why_not_mean(node);
    if (full == "aten::adaptive_avg_pool2d") return feeds_linear(node) ? kFinePool : "";
    if (full == "aten::dropout") return "it is in training mode";
    if (full == "aten::pad") {
      const std::optional<IValue> mode = argument(node, "mode");
      return mode && mode->is_string() && mode->to_string() == "constant" ? "" : "it does not pad with a constant";
    }
    if (full == "aten::clamp") {
      const std::optional<IValue> low = argument(node, "min"), high = argument(node, "max");
      return low && high && !low->is_none() && !high->is_none() ? "" : "one of its bounds is open";
    }
    if (gives_list(node)) {
      const Node* user = only_user(*node.outputs[0], results_);
      const bool is_unpacked = user && user->kind == NodeKind::kListUnpack && node.outputs[0]->users.size() == 1;
      return is_unpacked ? "" : "its list of tensors is used as a whole";
    }
    return {};
  }

  std::string why_not_mean(const Node& node) const {
    const std::optional<IValue> dtype = argument(node, "dtype"), dims = argument(node, "dim");
    const bool knows_dims = node.op->schema.overload.empty() || (dims && dims->is_list());
    if (!dtype || !dtype->is_none() || !knows_dims) return "it changes the type";
    return feeds_linear(node) ? kFinePool : "";
  }

  // The mobile engine always divides by the size of the window.
  static std::string why_not_average(const Node& node) {
    const std::optional<IValue> ceil = argument(node, "ceil_mode");
    if (!ceil || !ceil->is_bool() || ceil->to_bool()) return "its windows differ in size";
    const std::optional<IValue> divisor = argument(node, "divisor_override");
    if (!divisor || !divisor->is_none()) return "it divides by a given number";
    const std::optional<IntVec> padding = int_list(node, "padding", 2);
    const bool plain = padding && (*padding)[0] == 0 && (*padding)[1] == 0;
    const std::optional<IValue> counts = argument(node, "count_include_pad");
    return plain || (counts && counts->is_bool() && counts->to_bool()) ? "" : "its windows differ in size";
  }

  static bool gives_list(const Node& node) { return node.op->schema.returns[0].type->is(TypeKind::kList); }

  void unpack(Node& node) {
    const Node* source = node.inputs[0]->def;
    if (!source || source->kind != NodeKind::kOp || !source->op || !source->op->has(traits::keeps_qparams)) return;
    finish(begin(node, LayerKind::kSame, {node.inputs[0]}), false);
  }

  ir::Function& function_;
  LayerNames& names_;
  const ir::Aliases aliases_;
  const std::unordered_set<const Value*> results_;
  std::unordered_set<const Node*> taken_;
  std::vector<Layer> layers_;
};

}  // namespace

std::vector<Layer> find_layers(ir::Function& function, LayerNames& names) { return Finder(function, names).run(); }

}  // namespace wick::quantize
