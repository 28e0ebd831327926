// The types that variables get when TorchScript compiles the printed source.
#include "emit/script/script_types.h"

#include <algorithm>

#include "ir/infer.h"

namespace wick::emit {

namespace {

constexpr int kLoopRounds = 4;

TypePtr unified_with_never(const TypePtr& a, const TypePtr& b) {
  if (a == never()) return b;
  return b == never() ? a : unified(a, b);
}

// prim::tolist(tensor, dim, element type)
TypePtr list_of_tensor(const ir::Node& node) {
  auto constant = [&](size_t i) -> int64_t {
    const ir::Node* def = node.inputs.size() > i ? node.inputs[i]->def : nullptr;
    return def && def->kind == ir::NodeKind::kConstant && def->constant.is_int() ? def->constant.to_int() : -1;
  };
  const int64_t element = constant(2);
  TypePtr type = element == 0   ? types::integer()
                 : element == 1 ? types::floating()
                 : element == 2 ? types::boolean()
                                : types::complex();
  for (int64_t i = 0; i < std::min<int64_t>(constant(1), 32); ++i) type = types::list(std::move(type));
  return type;
}

TypePtr indexed(const ir::Node& node) {
  const Type& tuple = *node.inputs.at(0)->type;
  const ir::Node* def = node.inputs.at(1)->def;
  if (!tuple.is(TypeKind::kTuple) || tuple.elements().empty()) return types::any();
  if (!def || def->kind != ir::NodeKind::kConstant || !def->constant.is_int()) return tuple.element(0);
  const auto count = static_cast<int64_t>(tuple.elements().size());
  int64_t at = def->constant.to_int();
  if (at < 0) at += count;
  return at >= 0 && at < count ? tuple.element(static_cast<size_t>(at)) : types::any();
}

}  // namespace

const TypePtr& never() {
  static const TypePtr type = types::make(TypeKind::kVar, std::vector<TypePtr>{}, "never");
  return type;
}

bool has_type_variables(const Type& type) {
  return type.is(TypeKind::kVar) || std::any_of(type.elements().begin(), type.elements().end(),
                                                [](const TypePtr& e) { return has_type_variables(*e); });
}

void bind_variables(const Type& formal, const TypePtr& actual, TypeVariables& variables) {
  if (formal.is(TypeKind::kVar)) {
    variables.try_emplace(formal.name(), actual);
  } else if (formal.kind() == actual->kind() && formal.elements().size() == actual->elements().size()) {
    for (size_t i = 0; i < formal.elements().size(); ++i) {
      bind_variables(*formal.element(i), actual->element(i), variables);
    }
  }
}

TypePtr without_variables(const TypePtr& type, const TypeVariables& variables) {
  if (type->is(TypeKind::kVar)) {
    const auto it = variables.find(type->name());
    return it == variables.end() ? types::any() : it->second;
  }
  if (!has_type_variables(*type)) return type;
  std::vector<TypePtr> elements;
  for (const TypePtr& element : type->elements()) elements.push_back(without_variables(element, variables));
  return types::make(type->kind(), std::move(elements), type->name(), type->fields());
}

bool fits(const Type& actual, const Type& formal) {
  if (formal.is(TypeKind::kVar) || &actual == never().get()) return true;
  if (formal.is(TypeKind::kOptional) && !actual.is(TypeKind::kOptional)) {
    return actual.is(TypeKind::kNone) || fits(actual, *formal.element(0));
  }
  if (!has_type_variables(formal)) return is_subtype(actual, formal);
  if (formal.kind() != actual.kind() || formal.elements().size() != actual.elements().size()) return false;
  for (size_t i = 0; i < formal.elements().size(); ++i) {
    if (!fits(*actual.element(i), *formal.element(i))) return false;
  }
  return true;
}

void ScriptTypes::run() {
  ir::Block& body = *function_.graph.body();
  for (size_t i = 0; i < body.params.size() && i < function_.schema.arguments.size(); ++i) {
    set(*body.params[i], function_.schema.arguments[i].type);
  }
  block(body);
}

void ScriptTypes::block(ir::Block& block) {
  for (ir::Node* inner : block.nodes) node(*inner);
}

void ScriptTypes::node(ir::Node& node) {
  switch (node.kind) {
    case ir::NodeKind::kConstant:
      return set(*node.outputs[0], node.constant.type());
    case ir::NodeKind::kUninitialized:
      return set(*node.outputs[0], never());
    case ir::NodeKind::kIf:
      return branch(node);
    case ir::NodeKind::kLoop:
      return loop(node);
    case ir::NodeKind::kGetAttr:
      return set(*node.outputs[0], context_.attribute(*node.inputs[0]->type, node.index).type);
    case ir::NodeKind::kSetAttr:
      return context_.stored(*node.inputs[0]->type, node.index, node.inputs[1]->type);
    case ir::NodeKind::kTupleConstruct: {
      if (!node.types.empty() && !node.types[0]->name().empty()) return set(*node.outputs[0], node.types[0]);
      std::vector<TypePtr> elements;
      for (const ir::Value* input : node.inputs) elements.push_back(input->type);
      return set(*node.outputs[0], ir::bounded(types::tuple(std::move(elements))));
    }
    case ir::NodeKind::kCreateObject:
    case ir::NodeKind::kListConstruct:
    case ir::NodeKind::kDictConstruct:
      return set(*node.outputs[0], node.types.at(0));
    case ir::NodeKind::kTupleUnpack: {
      const TypePtr tuple = node.inputs[0]->type;
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        const bool known = tuple->is(TypeKind::kTuple) && i < tuple->elements().size();
        set(*node.outputs[i], known ? tuple->element(i) : types::any());
      }
      return;
    }
    case ir::NodeKind::kTupleSlice: {
      const Type& tuple = *node.inputs[0]->type;
      const auto end = static_cast<size_t>(node.index + node.count);
      if (tuple.is(TypeKind::kTuple) && end <= tuple.elements().size()) {
        set(*node.outputs[0], types::tuple({tuple.elements().begin() + node.index,
                                            tuple.elements().begin() + static_cast<std::ptrdiff_t>(end)}));
      }
      return;
    }
    case ir::NodeKind::kListUnpack:
      for (ir::Value* output : node.outputs) {
        const Type& list = *node.inputs[0]->type;
        set(*output, list.is(TypeKind::kList) ? list.element(0) : types::any());
      }
      return;
    case ir::NodeKind::kOp: {
      if (!node.op || node.op_name == "prim::unchecked_cast") return;
      if (node.op_name == "prim::tolist") return set(*node.outputs.at(0), list_of_tensor(node));
      if (node.op_name == "prim::TupleIndex") return set(*node.outputs.at(0), indexed(node));
      if (node.op->schema.is_varret) return;
      std::vector<TypePtr> results;
      ir::result_types(node.op->schema, node.inputs, results);
      for (size_t i = 0; i < std::min(results.size(), node.outputs.size()); ++i) set(*node.outputs[i], results[i]);
      return;
    }
    default:
      return;
  }
}

void ScriptTypes::branch(ir::Node& node) {
  for (ir::Block* inner : node.blocks) block(*inner);
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    set(*node.outputs[i], unified_with_never(node.blocks[0]->results[i]->type, node.blocks[1]->results[i]->type));
  }
}

void ScriptTypes::loop(ir::Node& node) {
  ir::Block& body = *node.blocks.at(0);
  set(*body.params[0], types::integer());
  for (size_t i = 1; i < body.params.size(); ++i) set(*body.params[i], node.inputs[i + 1]->type);
  for (int round = 0; round < kLoopRounds; ++round) {
    block(body);
    bool changed = false;
    for (size_t i = 1; i < body.params.size(); ++i) {
      const TypePtr type = unified_with_never(body.params[i]->type, body.results[i]->type);
      changed = changed || !same_type(*type, *body.params[i]->type);
      set(*body.params[i], type);
    }
    if (!changed) break;
  }
  for (size_t i = 0; i < node.outputs.size(); ++i) set(*node.outputs[i], body.params[i + 1]->type);
}

}  // namespace wick::emit
