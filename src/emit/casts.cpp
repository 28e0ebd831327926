// Finds values whose static type the emitted code must restore.
#include "emit/casts.h"

#include "ir/infer.h"

namespace wick::emit {

namespace {

constexpr int kMaxSteps = 8;  // through ifs and loops

// Of these the reader refuses no use.
bool is_open(const Type& type) {
  return type.is(TypeKind::kAny) || type.is(TypeKind::kVar) || type.is(TypeKind::kOptional) || type.is(TypeKind::kNone);
}

}  // namespace

Casts::Casts(const ir::Function& function) : function_(function) { number(*function.graph.body()); }

void Casts::number(const ir::Block& block) {
  auto note = [&](const std::vector<ir::Value*>& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i]->type->is(TypeKind::kAny)) places_[values[i]] = i;
    }
  };
  note(block.params);
  for (const ir::Node* node : block.nodes) {
    note(node->outputs);
    for (const ir::Block* inner : node->blocks) number(*inner);
  }
}

TypePtr Casts::defined_type(const ir::Value& value, int steps) const {
  const auto place = places_.find(&value);
  if (place == places_.end()) return value.type;
  const size_t at = place->second;
  const TypePtr& any = types::any();
  const ir::Node* def = value.def;
  if (!def) {
    const ir::Node* owner = value.block->owner;
    if (!owner) return at < function_.schema.arguments.size() ? function_.schema.arguments[at].type : any;
    // A parameter of a loop, after the trip count, has the type of the loop's input.
    if (at == 0 || at + 1 >= owner->inputs.size() || steps == 0) return any;
    return defined_type(*owner->inputs[at + 1], steps - 1);
  }
  switch (def->kind) {
    case ir::NodeKind::kListConstruct:
    case ir::NodeKind::kDictConstruct:
      return def->types.at(0);
    case ir::NodeKind::kTupleConstruct:
    case ir::NodeKind::kTupleSlice:
      return types::basic(TypeKind::kAnyTuple);
    case ir::NodeKind::kTupleUnpack:
    case ir::NodeKind::kListUnpack: {
      const Type& whole = *def->inputs[0]->type;
      if (whole.is(TypeKind::kList)) return whole.element(0);
      return whole.is(TypeKind::kTuple) && at < whole.elements().size() ? whole.element(at) : any;
    }
    case ir::NodeKind::kIsInstance:
      return types::boolean();
    case ir::NodeKind::kCreateObject:
      return def->types.at(0);
    case ir::NodeKind::kConstant:
      return ir::type_of(def->constant);
    case ir::NodeKind::kOp: {
      if (!def->op) return any;
      std::vector<TypePtr> results;
      ir::result_types(def->op->schema, def->inputs, results);
      return at < results.size() ? results[at] : any;
    }
    case ir::NodeKind::kIf:
      if (steps == 0 || def->blocks.size() != 2 || at >= def->blocks[0]->results.size()) return any;
      return defined_type(*def->blocks[0]->results[at], steps - 1);
    case ir::NodeKind::kLoop:
      if (steps == 0 || at + 2 >= def->inputs.size()) return any;
      return defined_type(*def->inputs[at + 2], steps - 1);
    default:
      return any;
  }
}

bool Casts::needed(const ir::Value& value) {
  if (!value.type->is(TypeKind::kAny)) return false;
  const auto [it, fresh] = known_.try_emplace(&value, false);
  if (fresh) it->second = !is_open(*defined_type(value, kMaxSteps));
  return it->second;
}

}  // namespace wick::emit
