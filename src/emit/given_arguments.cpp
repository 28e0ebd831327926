// Counts the arguments that bytecode pushes for each operator.
#include "emit/given_arguments.h"

#include <algorithm>

#include "core/check.h"

namespace wick::emit {

namespace {

constexpr int64_t kFirstWithCounts = 6;       // operator entries count the arguments pushed
constexpr int64_t kFirstWithOutsCounted = 7;  // defaults before out arguments are left out too
constexpr int64_t kLastWithPlainGelu = 9;     // operator version: gelu takes one argument

// The same value of the same type, as a file tells them apart.
bool same_constant(const IValue& a, const IValue& b) {
  if (a.tag() != b.tag()) return false;
  if (!a.is_list()) return !a.is_tensor() && !a.is_object() && !a.is_custom() && equal(a, b);
  const auto& x = a.to_list().items;
  const auto& y = b.to_list().items;
  return x.size() == y.size() && std::equal(x.begin(), x.end(), y.begin(), same_constant);
}

bool is_default(const ir::Node& node, size_t i) {
  const Argument& argument = node.op->schema.arguments.at(i);
  const ir::Node* def = node.inputs[i]->def;
  return argument.has_default && def && def->kind == ir::NodeKind::kConstant &&
         same_constant(def->constant, argument.default_value);
}

}  // namespace

GivenArguments::GivenArguments(const ir::Function& function, const CodegenOptions& options)
    : function_(function), options_(options) {
  scan(*function.graph.body());
}

void GivenArguments::scan(const ir::Block& block) {
  for (const ir::Node* node : block.nodes) {
    for (const ir::Block* inner : node->blocks) scan(*inner);
    if (node->kind != ir::NodeKind::kOp) continue;
    WICK_CHECK(node->op, kMissingOperator, "operator ", node->op_name, ", used in ", function_.name,
               ", is not in this build: the model cannot be written");
    if (node->op->schema.is_vararg) continue;
    size_t& most = most_[node->op_name];
    most = std::max(most, needed(*node));
  }
}

size_t GivenArguments::outs(const ir::Node& node) const {
  return is_plain_gelu(node) || options_.bytecode_version >= kFirstWithOutsCounted ? node.op->schema.out_count() : 0;
}

// Arguments up to the last one that is not a constant equal to its default, and the out arguments.
size_t GivenArguments::needed(const ir::Node& node) const {
  const FunctionSchema& schema = node.op->schema;
  if (is_plain_gelu(node)) return 1 + schema.out_count();
  if (options_.bytecode_version < kFirstWithCounts) {
    const size_t fewer = lite::arguments_before_counts(node.op_name);
    for (size_t i = fewer; fewer > 0 && i < node.inputs.size(); ++i) {
      WICK_CHECK(is_default(node, i), kUnsupported, "argument '", schema.arguments.at(i).name, "' of ", node.op_name,
                 ", used in ", function_.name, ", is newer than bytecode version ", options_.bytecode_version,
                 "; write version ", kFirstWithCounts, " or later");
    }
    return fewer > 0 ? std::min(fewer, node.inputs.size()) : node.inputs.size();
  }
  if (node.inputs.size() != schema.arguments.size()) return node.inputs.size();
  size_t n = schema.arguments.size() - outs(node);
  while (n > 0 && is_default(node, n - 1)) --n;
  return n + outs(node);
}

// In files of this version the operator has no argument `approximate`.
bool GivenArguments::is_plain_gelu(const ir::Node& node) const {
  return options_.operator_version <= kLastWithPlainGelu &&
         (node.op_name == "aten::gelu" || node.op_name == "aten::gelu.out");
}

}  // namespace wick::emit
