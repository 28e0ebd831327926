// FUSE_ADD_RELU: a sum and the relu after it as aten::_add_relu.
#include "passes/passes.h"
#include "passes/rewriter.h"

namespace wick::passes {

namespace {

// The node after this one, constants aside.
const ir::Node* next_step(const ir::Node* node) {
  auto at = std::next(node->place);
  while (at != node->block->nodes.end() && (*at)->kind == ir::NodeKind::kConstant) ++at;
  return at == node->block->nodes.end() ? nullptr : *at;
}

// The fused operator for a sum and the relu after it; empty when there is none.
std::string fused_name(const ir::Node& add, const ir::Node& relu) {
  const bool in_place = is_op(&relu, "aten::relu_");
  if (add.op_name == "aten::add.Tensor") return "aten::_add_relu.Tensor";
  if (add.op_name == "aten::add.Scalar") return "aten::_add_relu.Scalar";
  // Between the two steps others may look at what is changed.
  if (!in_place || next_step(&add) != &relu) return {};
  if (add.op_name == "aten::add_.Tensor") return "aten::_add_relu_.Tensor";
  if (add.op_name == "aten::add_.Scalar") return "aten::_add_relu_.Scalar";
  if (add.op_name == "aten::add.out") return "aten::_add_relu.out";
  return {};
}

}  // namespace

size_t fuse_add_relu(ir::Graph& graph) {
  Rewriter rewriter(graph);
  size_t count = 0;
  for (ir::Node* relu : all_nodes(graph.body())) {
    if (!is_op(relu, {"aten::relu", "aten::relu_"})) continue;
    ir::Node* add = relu->inputs[0]->def;
    if (!is_op(add, {"aten::add", "aten::add_"}) || rewriter.only_user(add->outputs[0]) != relu) continue;
    const std::string name = fused_name(*add, *relu);
    if (name.empty() || !find_operator(name)) continue;
    ir::Node* fused = rewriter.op_before(add, name, add->inputs, add);
    rewriter.replace(relu->outputs[0], fused->outputs[0]);
    rewriter.erase(relu);
    rewriter.erase(add);
    ++count;
  }
  return count;
}

}  // namespace wick::passes
