// Matrix products with constant weights as linear layers.
#include "core/copy.h"
#include "passes/passes.h"
#include "passes/rewriter.h"

namespace wick::passes {

namespace {

using ir::Node;
using ir::Value;

// The matrix with rows and columns changed, as aten::linear wants it.
std::optional<Tensor> transposed(const Value* value) {
  const Tensor* t = known_tensor(value);
  if (!t || t->dim() != 2 || t->dtype() != DType::kFloat) return std::nullopt;
  return t->as_strided(IntVec{t->size(1), t->size(0)}, IntVec{t->stride(1), t->stride(0)}, t->storage_offset());
}

bool is_bias(const Value* value, int64_t count) {
  const Tensor* t = known_tensor(value);
  return t && t->dim() == 1 && t->size(0) == count && t->dtype() == DType::kFloat;
}

bool is_one(const Value* value) { return known_number(value) == 1.0; }

class LinearNamer {
 public:
  explicit LinearNamer(ir::Graph& graph) : rewriter_(graph) {}

  size_t run() {
    for (Node* node : all_nodes(rewriter_.graph().body())) {
      if (rewriter_.erased(node)) continue;
      if (node->op && node->op_name == "aten::addmm") addmm(node);
      if (node->op && node->op_name == "aten::matmul") matmul(node);
    }
    return count_;
  }

 private:
  void addmm(Node* node) {
    const std::optional<Tensor> weight = transposed(node->inputs[2]);
    if (!weight || !is_bias(node->inputs[0], weight->size(0)) || !is_one(node->inputs[3]) || !is_one(node->inputs[4]))
      return;
    become_linear(node, node, node->inputs[1], *weight, node->inputs[0]);
  }

  void matmul(Node* node) {
    const std::optional<Tensor> weight = transposed(node->inputs[1]);
    if (!weight || known(node->inputs[0])) return;
    Node* add = rewriter_.only_user(node->outputs[0]);
    // The sum of the product and the bias, either way round; in place only onto the product.
    if (add && add->op && (add->op_name == "aten::add.Tensor" || add->op_name == "aten::add_.Tensor") &&
        is_one(add->inputs[2])) {
      const size_t product = add->inputs[0] == node->outputs[0] ? 0 : 1;
      Value* bias = add->inputs[1 - product];
      if (is_bias(bias, weight->size(0)) && (product == 0 || add->op_name == "aten::add.Tensor")) {
        return become_linear(node, add, node->inputs[0], *weight, bias);
      }
    }
    become_linear(node, node, node->inputs[0], *weight, rewriter_.constant_before(node, IValue()));
  }

  void become_linear(Node* first, Node* last, Value* input, const Tensor& weight, Value* bias) {
    const IValue* known_bias = known(bias);
    Value* bias_here = known_bias ? rewriter_.constant_before(first, *known_bias) : bias;
    Value* matrix = rewriter_.constant_before(first, weight);
    Node* linear = rewriter_.op_before(first, "aten::linear", {input, matrix, bias_here}, first);
    rewriter_.replace(last->outputs[0], linear->outputs[0]);
    rewriter_.erase(last);
    if (first != last) rewriter_.erase(first);
    ++count_;
  }

  Rewriter rewriter_;
  size_t count_ = 0;
};

}  // namespace

size_t name_linear(ir::Graph& graph) { return LinearNamer(graph).run(); }

}  // namespace wick::passes
