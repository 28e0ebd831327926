// Side effects of operators, and aliasing of values.
#include "ir/effects.h"

#include <algorithm>

#include "ir/walk.h"

namespace wick::ir {

namespace {

bool has_variable(const Type& type) {
  return type.is(TypeKind::kVar) || type.is(TypeKind::kAny) || type.is(TypeKind::kAnyList) ||
         type.is(TypeKind::kAnyTuple) ||
         std::any_of(type.elements().begin(), type.elements().end(), [](const TypePtr& e) { return has_variable(*e); });
}

// "t[]" and "Dict(str, t)": what is put in or taken out stays as it is.
bool is_generic_container(const Type& type) {
  if (!type.is(TypeKind::kList) && !type.is(TypeKind::kDict)) return false;
  const Type& held = *type.elements().back();
  return held.is(TypeKind::kVar) || held.is(TypeKind::kAny) || !holds_others(held);
}

bool is_generic(const FunctionSchema& schema) {
  auto generic = [](const Argument& a) { return has_variable(*a.type); };
  return schema.is_vararg || schema.is_varret ||
         std::any_of(schema.arguments.begin(), schema.arguments.end(), generic) ||
         std::any_of(schema.returns.begin(), schema.returns.end(), generic);
}

// Whether results may share memory with arguments without the schema saying so.
bool may_hide_aliases(const Operator& op) { return op.is_unknown() || op.has(traits::may_alias); }

KnownArgument arguments_of(const Node& node) {
  return [&node](size_t i) -> const IValue* { return i < node.inputs.size() ? known(node.inputs[i]) : nullptr; };
}

}  // namespace

bool holds_others(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kInt:
    case TypeKind::kFloat:
    case TypeKind::kBool:
    case TypeKind::kComplex:
    case TypeKind::kNumber:
    case TypeKind::kString:
    case TypeKind::kDevice:
    case TypeKind::kNone:
      return false;
    default:
      return true;
  }
}

namespace {

bool holds_others(const IValue& value) { return value.ref_or_null() && !value.is_string() && !value.is_complex(); }

bool holds_tensors(const Type& type) {
  return type.is(TypeKind::kTensor) || std::any_of(type.elements().begin(), type.elements().end(),
                                                   [](const TypePtr& element) { return holds_tensors(*element); });
}

}  // namespace

bool changes_input(const Node& node, size_t i) {
  if (node.kind != NodeKind::kOp) return false;
  if (!node.op) return true;
  const std::vector<Argument>& arguments = node.op->schema.arguments;
  if (i < arguments.size() && arguments[i].is_mutated) return true;
  if (node.op->is_unknown()) return i < arguments.size() && holds_tensors(*arguments[i].type);
  // In training a normalization writes its running statistics, which the schema does not tell.
  return i < arguments.size() && arguments[i].name.starts_with("running_") &&
         may_update_statistics(*node.op, arguments_of(node));
}

namespace {

bool changes_any_input(const Node& node) {
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (changes_input(node, i)) return true;
  }
  return false;
}

// Whether it runs other code of the model, or waits for it.
bool runs_code(NodeKind kind) {
  switch (kind) {
    case NodeKind::kEnter:
    case NodeKind::kExit:
    case NodeKind::kFork:
    case NodeKind::kWait:
    case NodeKind::kCallFunction:
    case NodeKind::kCallMethod:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool has_effect(const Node& node) {
  if (runs_code(node.kind) || node.kind == NodeKind::kSetAttr) return true;
  if (node.kind != NodeKind::kOp) return false;
  if (!node.op || node.op->is_unknown()) return true;
  return node.outputs.empty() && !changes_any_input(node);
}

bool is_pure(const Node& node) {
  switch (node.kind) {
    case NodeKind::kConstant:
    case NodeKind::kTupleConstruct:
    case NodeKind::kTupleUnpack:
    case NodeKind::kTupleSlice:
    case NodeKind::kListConstruct:
    case NodeKind::kListUnpack:
    case NodeKind::kDictConstruct:
    case NodeKind::kIsInstance:
      return true;
    case NodeKind::kOp:
      break;
    default:
      return false;
  }
  return !has_effect(node) && !node.op->has(traits::by_context) && wick::is_function_call(*node.op, arguments_of(node));
}

namespace {

// An operator on tensors, perhaps in lists, whose results share nothing with its arguments.
bool gives_new_tensors(const Node& node) {
  if (node.kind != NodeKind::kOp || !node.op || is_generic(node.op->schema) || may_hide_aliases(*node.op)) {
    return false;
  }
  const FunctionSchema& schema = node.op->schema;
  return !schema.returns.empty() &&
         std::none_of(schema.arguments.begin(), schema.arguments.end(),
                      [](const Argument& a) { return a.is_alias || a.is_mutated; }) &&
         std::all_of(schema.returns.begin(), schema.returns.end(),
                     [](const Argument& r) { return r.type->is(TypeKind::kTensor) && !r.is_alias; });
}

}  // namespace

Aliases::Aliases(const Graph& graph, const Calls* calls)
    : calls_(calls),
      parent_(graph.value_count()),
      changed_(graph.value_count()),
      written_(graph.value_count()),
      escapes_(graph.value_count()),
      foreign_(graph.value_count()) {
  const Block& body = calls ? *graph.peek() : *graph.body();
  for (uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = i;
  for (const Value* param : body.params) foreign_[param->id] = !calls;
  results_.insert(body.results.begin(), body.results.end());
  for (const Node* node : all_nodes(&body)) {
    for (const Block* block : node->blocks) results_.insert(block->results.begin(), block->results.end());
  }
  visit(body);
  for (const Value* result : body.results) escapes_[find(result->id)] = true;
}

uint32_t Aliases::find(uint32_t id) const {
  while (parent_[id] != id) id = parent_[id] = parent_[parent_[id]];
  return id;
}

void Aliases::join(uint32_t a, uint32_t b) {
  a = find(a), b = find(b);
  if (a == b) return;
  parent_[b] = a;
  changed_[a] = changed_[a] || changed_[b];
  written_[a] = written_[a] || written_[b];
  escapes_[a] = escapes_[a] || escapes_[b];
  foreign_[a] = foreign_[a] || foreign_[b];
}

void Aliases::visit(const Block& block) {
  for (const Node* node : block.nodes) visit(*node);
}

void Aliases::join_all(const Node& node) {
  const Value* first = nullptr;
  auto add = [&](const Value* value) {
    if (!holds_others(*value->type)) return;
    if (first) join(first, value);
    first = value;
  };
  for (const Value* value : node.inputs) add(value);
  for (const Value* value : node.outputs) add(value);
}

// A list that operators such as cat read, and nothing else, with nothing written until then.
bool Aliases::only_read(const Node& list) const {
  const Value* value = list.outputs[0];
  if (results_.contains(value)) return false;
  std::unordered_set<const Node*> users(value->users.begin(), value->users.end());
  for (const Node* user : users) {
    if (user->block != list.block || !gives_new_tensors(*user)) return false;
  }
  for (auto at = list.place; !users.empty() && ++at != list.block->nodes.end();) {
    if (users.erase(*at) == 0 && (!(*at)->blocks.empty() || has_effect(**at) || changes_any_input(**at))) return false;
  }
  return true;
}

void Aliases::visit(const Node& node) {
  for (const Block* block : node.blocks) visit(*block);
  if (runs_code(node.kind)) {
    if (calls_) return visit_call(node);
    join_all(node);
    return mark_all(node, /*changed=*/true);
  }
  switch (node.kind) {
    case NodeKind::kIf:
      for (const Block* block : node.blocks) {
        for (size_t i = 0; i < node.outputs.size(); ++i) join(node.outputs[i], block->results[i]);
      }
      return;
    case NodeKind::kLoop: {
      const Block& body = *node.blocks[0];
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        join(node.outputs[i], node.inputs[i + 2]);
        join(node.outputs[i], body.params[i + 1]);
        join(node.outputs[i], body.results[i + 1]);
      }
      return;
    }
    case NodeKind::kConstant:
      if (calls_ && !holds_others(node.constant)) return;
      [[fallthrough]];
    case NodeKind::kGetAttr:
      foreign_[find(node.outputs[0]->id)] = true;
      return;
    case NodeKind::kSetAttr:
      escapes_[find(node.inputs[1]->id)] = true;
      foreign_[find(node.inputs[1]->id)] = true;
      return;
    case NodeKind::kOp:
      return visit_op(node);
    case NodeKind::kListConstruct:
      // To other threads it matters what is read, too.
      if (calls_ || !only_read(node)) join_all(node);
      return;
    default:
      return join_all(node);
  }
}

// A call hands its arguments on; what it gives may be anything.
void Aliases::mark_all(const Node& node, bool changed) {
  for (const Value* value : node.inputs) {
    const uint32_t set = find(value->id);
    escapes_[set] = foreign_[set] = true;
    if (changed) changed_[set] = written_[set] = true;
  }
  for (const Value* value : node.outputs) foreign_[find(value->id)] = true;
}

void Aliases::visit_call(const Node& node) {
  const auto visitor = [this, &node](const CallEffects& effects) { apply(node, effects); };
  const bool is_known = node.kind != NodeKind::kWait && calls_->visit(node, visitor);
  // What a task was given and gives is known to it and to all who wait for it.
  if (is_known && node.kind != NodeKind::kFork) return;
  join_all(node);
  mark_all(node, /*changed=*/false);
}

void Aliases::apply(const Node& node, const CallEffects& effects) {
  if (effects.may_be_any) {
    join_all(node);
    return mark_all(node, /*changed=*/true);
  }
  if (effects.params.size() != node.inputs.size()) {  // fails when it runs
    join_all(node);
    return mark_all(node, /*changed=*/true);
  }
  std::vector<const Value*> members(effects.sets.size());
  const auto add = [&](const Value* value, uint32_t set) {
    if (!holds_others(*value->type)) return;
    if (members[set]) join(members[set], value);
    members[set] = value;
    const uint32_t own = find(value->id);
    if (effects.sets[set].is_changed) changed_[own] = written_[own] = true;
    if (effects.sets[set].is_foreign) escapes_[own] = foreign_[own] = true;
  };
  for (size_t i = 0; i < node.inputs.size() && i < effects.params.size(); ++i) {
    add(node.inputs[i], effects.params[i]);
  }
  for (size_t i = 0; i < effects.results.size() && !node.outputs.empty(); ++i) {
    const size_t output = node.kind == NodeKind::kFork ? 0 : i;
    if (output < node.outputs.size()) add(node.outputs[output], effects.results[i]);
  }
}

void Aliases::visit_op(const Node& node) {
  // set_ gives its tensor the storage of another.
  const bool may_join = calls_ && node.op && node.op->has(traits::inplace_view);
  if (!node.op || may_join || is_generic(node.op->schema) || may_hide_aliases(*node.op)) {
    join_all(node);
  } else {
    const FunctionSchema& schema = node.op->schema;
    const Value* first = nullptr;
    auto add = [&](const Value* value, const Argument& argument) {
      if (!argument.is_alias) return;
      if (first) join(first, value);
      first = value;
    };
    for (size_t i = 0; i < node.inputs.size() && i < schema.arguments.size(); ++i) {
      add(node.inputs[i], schema.arguments[i]);
    }
    for (size_t i = 0; i < node.outputs.size() && i < schema.returns.size(); ++i) {
      add(node.outputs[i], schema.returns[i]);
    }
  }
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (!changes_input(node, i)) continue;
    const uint32_t set = find(node.inputs[i]->id);
    changed_[set] = true;
    const bool declared = node.op && i < node.op->schema.arguments.size();
    if (!declared || !is_generic_container(*node.op->schema.arguments[i].type)) written_[set] = true;
  }
}

}  // namespace wick::ir
