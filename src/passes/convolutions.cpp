// Convolution operators in one form; CONV_1D_TO_2D.
#include "passes/passes.h"
#include "passes/rewriter.h"

namespace wick::passes {

namespace {

constexpr std::string_view kPlain[] = {"aten::conv1d", "aten::conv2d", "aten::conv3d"};
constexpr std::string_view kTransposed[] = {"aten::conv_transpose1d", "aten::conv_transpose2d.input",
                                            "aten::conv_transpose3d.input"};

using ir::Node;
using ir::Value;

// [1, s] for the conv2d that does what a conv1d with s did.
Value* with_height(Rewriter& rewriter, Node* node, int64_t first, int64_t second) {
  return rewriter.constant_before(node, IValue::int_list(IntVec{first, second}));
}

// Convolution with padding "same" or "valid": what is added on each side, when that is the same on both.
std::optional<IntVec> padding_by_name(const Node& node, const std::string& mode) {
  const Tensor* weight = known_tensor(node.inputs[1]);
  const std::optional<IntVec> stride = known_ints(node.inputs[3]), dilation = known_ints(node.inputs[5]);
  if (!weight || !stride || !dilation || weight->dim() < 3) return std::nullopt;
  const size_t dims = static_cast<size_t>(weight->dim()) - 2;
  IntVec out(dims, 0);
  if (mode == "valid") return out;
  if (mode != "same") return std::nullopt;
  for (size_t i = 0; i < dims; ++i) {
    const int64_t d = dilation->size() == 1 ? (*dilation)[0] : dilation->size() == dims ? (*dilation)[i] : 0;
    const int64_t total = d * (weight->sizes()[i + 2] - 1);
    if (d <= 0 || total % 2 != 0) return std::nullopt;
    out[i] = total / 2;
  }
  for (int64_t s : *stride) {
    if (s != 1) return std::nullopt;
  }
  return out;
}

bool resolve_padding(Rewriter& rewriter, Node* node) {
  const IValue* mode = known(node->inputs[4]);
  if (!mode || !mode->is_string()) return false;
  const std::optional<IntVec> padding = padding_by_name(*node, mode->to_string());
  if (!padding) return false;
  std::vector<Value*> inputs = node->inputs;
  inputs[4] = rewriter.constant_before(node, IValue::int_list(*padding));
  rewriter.replace(node->outputs[0], rewriter.op_before(node, node->op->schema.name, inputs, node)->outputs[0]);
  rewriter.erase(node);
  return true;
}

}  // namespace

size_t name_convolutions(ir::Graph& graph) {
  Rewriter rewriter(graph);
  size_t count = 0;
  for (Node* node : all_nodes(graph.body())) {
    if (is_op(node, {"aten::conv1d", "aten::conv2d", "aten::conv3d"}) && node->op->schema.overload == "padding") {
      count += resolve_padding(rewriter, node) ? 1 : 0;
      continue;
    }
    if (!is_op(node, "aten::_convolution")) continue;
    const std::vector<Value*>& in = node->inputs;
    const std::optional<IntVec> stride = known_ints(in[3]), padding = known_ints(in[4]), dilation = known_ints(in[5]);
    const std::optional<bool> transposed = known_bool(in[6]);
    const std::optional<IntVec> output_padding = known_ints(in[7]);
    if (!stride || !padding || !dilation || !transposed || !output_padding || !known_int(in[8])) continue;
    const size_t dims = stride->size();
    if (dims < 1 || dims > 3 || padding->size() != dims || dilation->size() != dims) continue;
    if (*transposed && output_padding->size() != dims) continue;
    std::vector<Value*> inputs{in[0], in[1], in[2], in[3], in[4]};
    if (*transposed) {
      inputs.insert(inputs.end(), {in[7], in[8], in[5]});
    } else {
      inputs.insert(inputs.end(), {in[5], in[8]});
    }
    const std::string_view name = *transposed ? kTransposed[dims - 1] : kPlain[dims - 1];
    rewriter.replace(node->outputs[0], rewriter.op_before(node, name, inputs, node)->outputs[0]);
    rewriter.erase(node);
    ++count;
  }
  return count;
}

size_t convert_conv1d(ir::Graph& graph) {
  Rewriter rewriter(graph);
  size_t count = 0;
  for (Node* node : all_nodes(graph.body())) {
    if (!is_op(node, "aten::conv1d") || node->op->schema.overload == "padding") continue;
    const std::optional<IntVec> stride = known_ints(node->inputs[3]), padding = known_ints(node->inputs[4]);
    const std::optional<IntVec> dilation = known_ints(node->inputs[5]);
    if (!stride || !padding || !dilation || stride->size() != 1 || padding->size() != 1 || dilation->size() != 1)
      continue;
    Value* height = rewriter.constant_before(node, 2);
    Value* input = rewriter.op_before(node, "aten::unsqueeze", {node->inputs[0], height}, node)->outputs[0];
    Value* weight = rewriter.op_before(node, "aten::unsqueeze", {node->inputs[1], height}, node)->outputs[0];
    Value* image = rewriter
                       .op_before(node, "aten::conv2d",
                                  {input, weight, node->inputs[2], with_height(rewriter, node, 1, (*stride)[0]),
                                   with_height(rewriter, node, 0, (*padding)[0]),
                                   with_height(rewriter, node, 1, (*dilation)[0]), node->inputs[6]},
                                  node)
                       ->outputs[0];
    rewriter.replace(node->outputs[0],
                     rewriter.op_before(node, "aten::squeeze.dim", {image, height}, node)->outputs[0]);
    rewriter.erase(node);
    ++count;
  }
  return count;
}

}  // namespace wick::passes
