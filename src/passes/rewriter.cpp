// Queries and replacements that graph passes share.
#include "passes/rewriter.h"

#include <algorithm>

#include "core/check.h"

namespace wick::passes {

bool is_none(const ir::Value* value) {
  const IValue* v = known(value);
  return v && v->is_none();
}

std::optional<int64_t> known_int(const ir::Value* value) {
  const IValue* v = known(value);
  return v && v->is_int() ? std::optional(v->to_int()) : std::nullopt;
}

std::optional<double> known_number(const ir::Value* value) {
  const IValue* v = known(value);
  return v && (v->is_int() || v->is_double()) ? std::optional(v->to_double()) : std::nullopt;
}

std::optional<bool> known_bool(const ir::Value* value) {
  const IValue* v = known(value);
  return v && v->is_bool() ? std::optional(v->to_bool()) : std::nullopt;
}

std::optional<IntVec> known_ints(const ir::Value* value) {
  if (const IValue* v = known(value)) {
    if (!v->is_list()) return std::nullopt;
    IntVec out;
    for (const IValue& item : v->to_list().items) {
      if (!item.is_int()) return std::nullopt;
      out.push_back(item.to_int());
    }
    return out;
  }
  const ir::Node* def = value->def;
  // A list that others hold may be changed.
  if (!def || def->kind != ir::NodeKind::kListConstruct || value->users.size() != 1) return std::nullopt;
  IntVec out;
  for (const ir::Value* item : def->inputs) {
    const std::optional<int64_t> number = known_int(item);
    if (!number) return std::nullopt;
    out.push_back(*number);
  }
  return out;
}

const Tensor* known_tensor(const ir::Value* value) {
  const IValue* v = known(value);
  return v && v->is_tensor() ? &v->to_tensor() : nullptr;
}

bool is_op(const ir::Node* node, std::string_view base_name) {
  return node && node->kind == ir::NodeKind::kOp && node->op && node->op->schema.name == base_name;
}

bool is_op(const ir::Node* node, std::initializer_list<std::string_view> base_names) {
  return std::any_of(base_names.begin(), base_names.end(), [&](std::string_view name) { return is_op(node, name); });
}

ir::Node* def_of(const ir::Value* value, std::string_view base_name) {
  return is_op(value->def, base_name) ? value->def : nullptr;
}

ir::Value* input_of(const ir::Node* node, std::string_view argument) {
  const std::vector<Argument>& arguments = node->op->schema.arguments;
  for (size_t i = 0; i < arguments.size() && i < node->inputs.size(); ++i) {
    if (arguments[i].name == argument) return node->inputs[i];
  }
  return nullptr;
}

Rewriter::Rewriter(ir::Graph& graph) : graph_(graph) {
  results_.insert(graph.body()->results.begin(), graph.body()->results.end());
  for (const ir::Node* node : all_nodes(graph.body())) {
    for (const ir::Block* block : node->blocks) results_.insert(block->results.begin(), block->results.end());
  }
}

ir::Node* Rewriter::only_user(const ir::Value* value) const {
  if (value->users.size() != 1 || is_result(value)) return nullptr;
  ir::Node* user = value->users[0];
  return user->block == value->block ? user : nullptr;
}

ir::Node* Rewriter::op_before(ir::Node* before, std::string_view full_name, std::vector<ir::Value*> inputs,
                              const ir::Node* origin) {
  const Operator* op = find_operator(full_name);
  WICK_CHECK(op, kMissingOperator, "operator ", full_name, " is not in this build");
  const std::vector<Argument>& arguments = op->schema.arguments;
  for (size_t i = inputs.size(); i < arguments.size(); ++i) {
    WICK_CHECK(arguments[i].has_default, kInternal, "argument '", arguments[i].name, "' of ", full_name,
               " is not given");
    inputs.push_back(constant_before(before, arguments[i].default_value));
  }
  ir::Node* node = graph_.call_op_before(before, op, std::move(inputs));
  node->source = origin->source;
  return node;
}

void Rewriter::replace(ir::Value* from, ir::Value* to) {
  graph_.replace_uses(from, to);
  if (results_.erase(from) > 0) results_.insert(to);
}

void Rewriter::erase(ir::Node* node) {
  for (ir::Block* block : node->blocks) {
    for (const ir::Node* inner : all_nodes(block)) erased_.insert(inner);
  }
  erased_.insert(node);
  graph_.erase(node);
}

}  // namespace wick::passes
