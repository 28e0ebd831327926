// Folds batch norms in evaluation into the weights of the layers before them.
#include <cmath>

#include "core/copy.h"
#include "passes/passes.h"
#include "passes/ranks.h"
#include "passes/rewriter.h"

namespace wick::passes {

namespace {

using ir::Node;
using ir::Value;

// A channel scaled by less cannot be brought back exactly enough.
constexpr double kLeastScale = 1e-4;

struct Layer {
  int64_t rank = 0;  // of its result; 0 when it is that of its input
  bool transposed = false;
  int64_t groups = 1;
  bool is_extension = false;  // PyTorch does not fold these
};

std::optional<Layer> layer_of(const Node* node) {
  Layer layer;
  if (is_op(node, "aten::linear")) {
    layer.is_extension = true;
    return layer;
  }
  constexpr std::string_view kPlain[] = {"aten::conv1d", "aten::conv2d", "aten::conv3d"};
  constexpr std::string_view kTransposed[] = {"aten::conv_transpose1d", "aten::conv_transpose2d",
                                              "aten::conv_transpose3d"};
  for (int64_t dims = 1; dims <= 3; ++dims) {
    layer.transposed = is_op(node, kTransposed[dims - 1]);
    if (!layer.transposed && !is_op(node, kPlain[dims - 1])) continue;
    const Value* given = input_of(node, "groups");
    const std::optional<int64_t> groups = given ? known_int(given) : std::nullopt;
    if (!groups || *groups <= 0) return std::nullopt;
    layer.groups = *groups;
    layer.rank = dims + 2;
    layer.is_extension = layer.transposed || dims == 1;
    return layer;
  }
  return std::nullopt;
}

// A constant tensor of one dimension as doubles; `fallback` for None.
std::optional<std::vector<double>> numbers(const Value* value, int64_t count, double fallback) {
  if (is_none(value)) return std::vector<double>(static_cast<size_t>(count), fallback);
  const Tensor* tensor = known_tensor(value);
  if (!tensor || tensor->dim() != 1 || tensor->size(0) != count || tensor->is_quantized()) return std::nullopt;
  if (tensor->dtype() != DType::kFloat && tensor->dtype() != DType::kDouble) return std::nullopt;
  const Tensor wide = contiguous(to_dtype(*tensor, DType::kDouble));
  return std::vector<double>(wide.data_ptr<double>(), wide.data_ptr<double>() + count);
}

struct Folded {
  Tensor weight, bias;
  Tensor scale, shift;  // what the norm does to a channel: x * scale + shift
};

// The weights of each output channel, multiplied by its factor.
Tensor scaled_weight(const Tensor& weight, const Layer& layer, const std::vector<double>& scale) {
  const Tensor scaled = clone(to_dtype(weight, DType::kDouble), MemoryFormat::kContiguous);
  const int64_t outer = weight.size(0), inner = layer.transposed ? weight.size(1) : 1;
  const int64_t area = scaled.numel() / (outer * inner);
  double* at = scaled.data_ptr<double>();
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      const int64_t channel = layer.transposed ? o / (outer / layer.groups) * inner + i : o;
      for (int64_t k = 0; k < area; ++k) *at++ *= scale[static_cast<size_t>(channel)];
    }
  }
  return to_dtype(scaled, weight.dtype());
}

std::optional<Folded> fold(const Node& conv, const Layer& layer, const Node& norm) {
  const Tensor* weight = known_tensor(conv.inputs[1]);
  const std::optional<double> eps = known_number(input_of(&norm, "eps"));
  if (!weight || !eps || is_none(norm.inputs[3]) || is_none(norm.inputs[4])) return std::nullopt;
  if (weight->dtype() != DType::kFloat && weight->dtype() != DType::kDouble) return std::nullopt;
  if (weight->dim() != (layer.rank == 0 ? 2 : layer.rank) || weight->numel() == 0) return std::nullopt;
  if (layer.transposed && weight->size(0) % layer.groups != 0) return std::nullopt;
  const int64_t channels = layer.transposed ? weight->size(1) * layer.groups : weight->size(0);
  const auto bias = numbers(conv.inputs[2], channels, 0);
  const auto gamma = numbers(norm.inputs[1], channels, 1), beta = numbers(norm.inputs[2], channels, 0);
  const auto mean = numbers(norm.inputs[3], channels, 0), variance = numbers(norm.inputs[4], channels, 1);
  if (!bias || !gamma || !beta || !mean || !variance) return std::nullopt;

  Tensor wide = Tensor::empty({channels}, DType::kDouble);
  std::vector<double> scale(static_cast<size_t>(channels));
  for (size_t c = 0; c < scale.size(); ++c) {
    scale[c] = (*gamma)[c] / std::sqrt((*variance)[c] + *eps);
    wide.data_ptr<double>()[c] = ((*bias)[c] - (*mean)[c]) * scale[c] + (*beta)[c];
    if (!std::isfinite(scale[c])) return std::nullopt;
  }
  Folded out;
  out.bias = to_dtype(wide, weight->dtype());
  out.scale = Tensor::empty({channels}, DType::kDouble);
  out.shift = Tensor::empty({channels}, DType::kDouble);
  for (size_t c = 0; c < scale.size(); ++c) {
    out.scale.data_ptr<double>()[c] = scale[c];
    out.shift.data_ptr<double>()[c] = (*beta)[c] - (*mean)[c] * scale[c];
  }
  out.scale = to_dtype(out.scale, weight->dtype());
  out.shift = to_dtype(out.shift, weight->dtype());
  out.weight = scaled_weight(*weight, layer, scale);
  return out;
}

class BatchNormFolder {
 public:
  BatchNormFolder(ir::Graph& graph, const FoldBatchNormOptions& options) : rewriter_(graph), options_(options) {}

  size_t run() {
    size_t count = 0;
    for (Node* node : all_nodes(rewriter_.graph().body())) {
      if (!rewriter_.erased(node) && is_op(node, "aten::batch_norm") && visit(node)) ++count;
    }
    return count;
  }

 private:
  // The layer before a norm that may be folded into it.
  struct Candidate {
    Node* conv;
    Node* flat;  // the squeeze after a 1-d convolution that became one of height one; null: none
    Layer layer;
    bool guarded;  // the folded form holds only for matrices, which the program tests
    Value* result() const { return (flat ? flat : conv)->outputs[0]; }
  };

  std::optional<Candidate> candidate_for(const Node* norm) {
    Node* conv = norm->inputs[0]->def;
    const std::optional<bool> training = known_bool(norm->inputs[5]);
    if (!conv || !training || *training || conv->block != norm->block) return std::nullopt;
    Node* flat =
        is_op(conv, "aten::squeeze") && conv->inputs.size() == 2 && known_int(conv->inputs[1]) == 2 ? conv : nullptr;
    if (flat) {
      conv = flat->inputs[0]->def;
      if (!is_op(conv, "aten::conv2d") || rewriter_.only_user(conv->outputs[0]) != flat) return std::nullopt;
      if (!options_.extended || !used_by_norm_only(flat->outputs[0], norm)) return std::nullopt;
    }
    const std::optional<Layer> layer = layer_of(conv);
    if (!layer || (layer->is_extension && !options_.extended)) return std::nullopt;
    // With more dimensions batch norm counts channels along another one than the layer.
    if (layer->rank == 0 && options_.is_matrix && !options_.is_matrix(conv->outputs[0])) return std::nullopt;
    const bool guarded = layer->rank == 0 && !options_.is_matrix && rank_of(conv->inputs[0]) != 2;
    if (conv->op->schema.overload == "padding" || !used_by_norm_only(conv->outputs[0], flat ? flat : norm)) {
      return std::nullopt;
    }
    return Candidate{conv, flat, *layer, guarded};
  }

  bool visit(Node* norm) {
    const std::optional<Candidate> found = candidate_for(norm);
    if (!found) return false;
    Node* const conv = found->conv;
    const std::optional<Folded> folded = fold(*conv, found->layer, *norm);
    if (!folded || (found->guarded && !has_inverse(folded->scale))) return false;
    if (options_.on_fold) options_.on_fold(*known_tensor(conv->inputs[1]), folded->weight);
    ir::Graph& graph = rewriter_.graph();
    graph.set_input(conv, 1, rewriter_.constant_before(conv, folded->weight));
    graph.set_input(conv, 2, rewriter_.constant_before(conv, folded->bias));
    Value* normalized = found->result();
    const std::vector<Node*> users = normalized->users;
    const int64_t rank = found->flat ? 3 : found->layer.rank == 0 && !found->guarded ? 2 : found->layer.rank;
    for (Node* user : users) answer_question(user, rank);
    rewriter_.replace(norm->outputs[0], found->guarded ? guard(norm, normalized, *folded) : normalized);
    rewriter_.erase(norm);
    return true;
  }

  static bool has_inverse(const Tensor& scale) {
    const Tensor wide = to_dtype(scale, DType::kDouble);
    for (int64_t i = 0, numel = wide.numel(); i < numel; ++i) {
      if (std::abs(wide.data_ptr<double>()[i]) < kLeastScale) return false;
    }
    return true;
  }

  // Of more than two dimensions the second one is normalized, not the last: what was folded is taken back there.
  Value* guard(Node* norm, Value* made, const Folded& folded) {
    ir::Graph& graph = rewriter_.graph();
    Value* dims = rewriter_.op_before(norm, "aten::dim", {made}, norm)->outputs[0];
    Value* two = rewriter_.constant_before(norm, 2);
    Node* test = graph.insert_before(norm, ir::NodeKind::kIf,
                                     {rewriter_.op_before(norm, "aten::eq.int", {dims, two}, norm)->outputs[0]});
    Value* result = graph.add_output(test, types::tensor());
    graph.set_results(graph.add_block(test), {made});
    ir::Block* otherwise = graph.add_block(test);
    auto call = [&](std::string_view name, std::vector<Value*> inputs) {
      const Operator* op = find_operator(name);
      while (inputs.size() < op->schema.arguments.size()) {
        inputs.push_back(graph.constant(otherwise, op->schema.arguments[inputs.size()].default_value));
      }
      return graph.call_op(otherwise, op, std::move(inputs))->outputs[0];
    };
    auto column = [&](const Tensor& t) {
      return graph.constant(otherwise, t.as_strided(IntVec{t.size(0), 1}, IntVec{1, 1}, t.storage_offset()));
    };
    Value* plain = call("aten::div.Tensor", {call("aten::sub.Tensor", {made, graph.constant(otherwise, folded.shift)}),
                                             graph.constant(otherwise, folded.scale)});
    Value* scaled = call("aten::mul.Tensor", {plain, column(folded.scale)});
    graph.set_results(otherwise, {call("aten::add.Tensor", {scaled, column(folded.shift)})});
    return result;
  }

  // The modules of batch norm ask for the dimensions before they normalize.
  bool used_by_norm_only(const Value* value, const Node* norm) const {
    if (rewriter_.is_result(value)) return false;
    for (const Node* user : value->users) {
      if (user != norm && !is_op(user, {"aten::dim", "aten::size"})) return false;
    }
    return true;
  }

  void answer_question(Node* node, int64_t rank) {
    if (!is_op(node, "aten::dim") || rank == 0) return;
    rewriter_.replace(node->outputs[0], rewriter_.constant_before(node, rank));
  }

  Rewriter rewriter_;
  const FoldBatchNormOptions& options_;
};

}  // namespace

size_t fold_batch_norm(ir::Graph& graph, const FoldBatchNormOptions& options) {
  return BatchNormFolder(graph, options).run();
}

}  // namespace wick::passes
