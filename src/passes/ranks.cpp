// The number of dimensions of a tensor, where it is known statically.
#include "passes/ranks.h"

#include <algorithm>

#include "passes/rewriter.h"

namespace wick::passes {

namespace {

std::optional<int64_t> find_rank(const ir::Value* value, int depth) {
  constexpr int kMaxDepth = 200;
  if (depth > kMaxDepth) return std::nullopt;
  if (const Tensor* tensor = known_tensor(value)) return tensor->dim();
  const ir::Node* node = value->def;
  if (!node) return std::nullopt;
  if (keeps_rank(*node)) return find_rank(node->inputs[0], depth + 1);
  if (is_op(node, {"aten::flatten"}) && node->inputs.size() == 3) {
    if (known_int(node->inputs[1]) == 1 && known_int(node->inputs[2]) == -1) return 2;
    return std::nullopt;
  }
  if (is_op(node, {"aten::view", "aten::reshape"}) && node->inputs.size() == 2) {
    if (const std::optional<IntVec> sizes = known_ints(node->inputs[1])) return static_cast<int64_t>(sizes->size());
    const ir::Node* made = node->inputs[1]->def;
    if (made && made->kind == ir::NodeKind::kListConstruct && node->inputs[1]->users.size() == 1) {
      return static_cast<int64_t>(made->inputs.size());
    }
  }
  return std::nullopt;
}

}  // namespace

bool keeps_rank(const ir::Node& node) {
  if (node.kind != ir::NodeKind::kOp || !node.op || node.inputs.empty()) return false;
  if (node.op->has(traits::keeps_rank)) return true;
  // Elements of one tensor, taken by themselves.
  const std::vector<Argument>& arguments = node.op->schema.arguments;
  const auto tensors = std::count_if(arguments.begin(), arguments.end(), [](const Argument& a) {
    return a.type->is(TypeKind::kTensor) ||
           (a.type->is(TypeKind::kOptional) && a.type->element(0)->is(TypeKind::kTensor));
  });
  return node.op->has(traits::pointwise) && tensors == 1 && arguments[0].type->is(TypeKind::kTensor);
}

std::optional<int64_t> rank_of(const ir::Value* value) { return find_rank(value, 0); }

}  // namespace wick::passes
