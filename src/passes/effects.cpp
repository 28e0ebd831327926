#include "passes/effects.h"

#include <algorithm>

#include "passes/rewriter.h"
#include "plan/record/traits.h"

namespace wick::passes {

namespace {

using ir::NodeKind;

template <size_t N>
bool contains(const std::string_view (&list)[N], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

constexpr std::string_view kEffects[] = {
    "prim::RaiseException",    "prim::Print", "prim::TimePoint",    "prim::AddStatValue", "aten::warn",
    "aten::manual_seed",       "aten::seed",  "aten::initial_seed", "aten::save",         "aten::set_grad_enabled",
    "aten::_set_grad_enabled", "aten::wait",  "aten::set_data",     "aten::backward",     "aten::requires_grad_"};
// Answers that depend on more than the inputs' values.
constexpr std::string_view kByIdentity[] = {"prim::id",
                                            "aten::hash",
                                            "aten::__is__",
                                            "aten::__isnot__",
                                            "aten::is_grad_enabled",
                                            "aten::is_autocast_enabled",
                                            "aten::is_autocast_cpu_enabled",
                                            "aten::is_scripting",
                                            "prim::requires_grad",
                                            "aten::is_vulkan_available"};
// May give their argument back without the schema saying so.
constexpr std::string_view kMayReturnArgument[] = {"aten::dropout",
                                                   "aten::feature_dropout",
                                                   "aten::alpha_dropout",
                                                   "aten::feature_alpha_dropout",
                                                   "aten::type_as",
                                                   "aten::sum_to_size",
                                                   "aten::meshgrid",
                                                   "aten::broadcast_tensors",
                                                   "aten::atleast_1d",
                                                   "aten::atleast_2d",
                                                   "aten::atleast_3d",
                                                   "aten::expand_as",
                                                   "aten::_unsafe_view",
                                                   "prim::unchecked_cast",
                                                   "aten::_cast_Float",
                                                   "aten::_cast_Double",
                                                   "aten::_cast_Half",
                                                   "aten::_cast_Long",
                                                   "aten::_cast_Int",
                                                   "aten::_cast_Byte",
                                                   "aten::fill_diagonal",
                                                   "metal::copy_to_host",
                                                   "aten::cpu",
                                                   "aten::vulkan",
                                                   "aten::einsum",
                                                   "aten::_reshape_from_tensor",
                                                   "aten::quantize_per_tensor",
                                                   "aten::wait"};

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

// Batch norm and dropout are functions in evaluation mode.
bool is_evaluation(const ir::Node& node) {
  for (std::string_view argument : {"training", "train", "use_input_stats"}) {
    if (const ir::Value* flag = input_of(&node, argument)) {
      const std::optional<bool> on = known_bool(flag);
      return on && !*on;
    }
  }
  return false;
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

bool changes_input(const ir::Node& node, size_t i) {
  if (node.kind != NodeKind::kOp) return false;
  if (!node.op) return true;
  const std::vector<Argument>& arguments = node.op->schema.arguments;
  if (i < arguments.size() && arguments[i].is_mutated) return true;
  // In training these write their running statistics, which the schema does not tell.
  const std::string& name = node.op->schema.name;
  const bool norm = name.find("batch_norm") != std::string::npos || name.find("instance_norm") != std::string::npos;
  return norm && i < arguments.size() && arguments[i].name.starts_with("running_") && !is_evaluation(node);
}

namespace {

bool changes_any_input(const ir::Node& node) {
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (changes_input(node, i)) return true;
  }
  return false;
}

}  // namespace

bool has_effect(const ir::Node& node) {
  switch (node.kind) {
    case NodeKind::kSetAttr:
    case NodeKind::kEnter:
    case NodeKind::kExit:
    case NodeKind::kFork:
    case NodeKind::kWait:
    case NodeKind::kCallFunction:
    case NodeKind::kCallMethod:
      return true;
    case NodeKind::kOp:
      if (!node.op || contains(kEffects, node.op->schema.name)) return true;
      return node.outputs.empty() && !changes_any_input(node);
    default:
      return false;
  }
}

bool is_pure(const ir::Node& node) {
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
  if (has_effect(node) || contains(kByIdentity, node.op->schema.name) || changes_any_input(node)) return false;
  const ir::Value* dropped = input_of(&node, "dropout_p");
  if (dropped && known_number(dropped) != 0.0) return false;
  return plan::is_function(*node.op) || is_evaluation(node);
}

namespace {

// An operator on tensors, perhaps in lists, whose results share nothing with its arguments.
bool gives_new_tensors(const ir::Node& node) {
  if (node.kind != NodeKind::kOp || !node.op || is_generic(node.op->schema) ||
      contains(kMayReturnArgument, node.op->schema.name)) {
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

Aliases::Aliases(const ir::Graph& graph)
    : parent_(graph.value_count()),
      changed_(graph.value_count()),
      written_(graph.value_count()),
      escapes_(graph.value_count()),
      foreign_(graph.value_count()) {
  for (uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = i;
  for (const ir::Value* param : graph.body()->params) foreign_[param->id] = true;
  results_.insert(graph.body()->results.begin(), graph.body()->results.end());
  for (const ir::Node* node : all_nodes(graph.body())) {
    for (const ir::Block* block : node->blocks) results_.insert(block->results.begin(), block->results.end());
  }
  visit(*graph.body());
  for (const ir::Value* result : graph.body()->results) escapes_[find(result->id)] = true;
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

void Aliases::visit(const ir::Block& block) {
  for (const ir::Node* node : block.nodes) visit(*node);
}

void Aliases::join_all(const ir::Node& node) {
  const ir::Value* first = nullptr;
  auto add = [&](const ir::Value* value) {
    if (!holds_others(*value->type)) return;
    if (first) join(first, value);
    first = value;
  };
  for (const ir::Value* value : node.inputs) add(value);
  for (const ir::Value* value : node.outputs) add(value);
}

// A list that operators such as cat read, and nothing else, with nothing written until then.
bool Aliases::only_read(const ir::Node& list) const {
  const ir::Value* value = list.outputs[0];
  if (results_.contains(value)) return false;
  std::unordered_set<const ir::Node*> users(value->users.begin(), value->users.end());
  for (const ir::Node* user : users) {
    if (user->block != list.block || !gives_new_tensors(*user)) return false;
  }
  for (auto at = list.place; !users.empty() && ++at != list.block->nodes.end();) {
    if (users.erase(*at) == 0 && (!(*at)->blocks.empty() || has_effect(**at) || changes_any_input(**at))) return false;
  }
  return true;
}

void Aliases::visit(const ir::Node& node) {
  for (const ir::Block* block : node.blocks) visit(*block);
  switch (node.kind) {
    case NodeKind::kIf:
      for (const ir::Block* block : node.blocks) {
        for (size_t i = 0; i < node.outputs.size(); ++i) join(node.outputs[i], block->results[i]);
      }
      return;
    case NodeKind::kLoop: {
      const ir::Block& body = *node.blocks[0];
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        join(node.outputs[i], node.inputs[i + 2]);
        join(node.outputs[i], body.params[i + 1]);
        join(node.outputs[i], body.results[i + 1]);
      }
      return;
    }
    case NodeKind::kConstant:
    case NodeKind::kGetAttr:
      foreign_[find(node.outputs[0]->id)] = true;
      return;
    case NodeKind::kSetAttr:
      escapes_[find(node.inputs[1]->id)] = true;
      foreign_[find(node.inputs[1]->id)] = true;
      return;
    case NodeKind::kEnter:
    case NodeKind::kExit:
    case NodeKind::kFork:
    case NodeKind::kWait:
    case NodeKind::kCallFunction:
    case NodeKind::kCallMethod:
      join_all(node);
      for (const ir::Value* value : node.inputs) {
        const uint32_t set = find(value->id);
        changed_[set] = written_[set] = escapes_[set] = foreign_[set] = true;
      }
      for (const ir::Value* value : node.outputs) foreign_[find(value->id)] = true;
      return;
    case NodeKind::kOp:
      return visit_op(node);
    case NodeKind::kListConstruct:
      if (!only_read(node)) join_all(node);
      return;
    default:
      return join_all(node);
  }
}

void Aliases::visit_op(const ir::Node& node) {
  if (!node.op || is_generic(node.op->schema) || contains(kMayReturnArgument, node.op->schema.name)) {
    join_all(node);
  } else {
    const FunctionSchema& schema = node.op->schema;
    const ir::Value* first = nullptr;
    auto add = [&](const ir::Value* value, const Argument& argument) {
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

}  // namespace wick::passes
