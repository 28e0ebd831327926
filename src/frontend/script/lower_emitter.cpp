// Appends typed nodes to the graph of the function that is being lowered.
#include "frontend/script/lower_emitter.h"

#include <algorithm>

#include "core/limits.h"

namespace wick::script {

namespace {

size_t count_parts(const Type& type, size_t limit) {
  size_t parts = 1;
  for (const TypePtr& element : type.elements()) {
    if (parts > limit) break;
    parts += count_parts(*element, limit - parts);
  }
  return parts;
}

}  // namespace

const TypePtr& unknown_type() {
  static const TypePtr* const type = new TypePtr(types::make(TypeKind::kAny, std::vector<TypePtr>{}, "unknown"));
  return *type;
}

bool is_unknown(const Type& type) { return type.is(TypeKind::kAny) && !type.name().empty(); }

Emitter::Emitter(Importer& importer, const SourceFile& file, ir::Function& function, size_t budget)
    : block(function.graph.body()), importer_(importer), file_(file), function_(function), budget_(budget) {}

void Emitter::charge(size_t count) {
  if (count > budget_ - spent_) {
    file_.fail_at(at, ErrorCode::kLimitExceeded, cat(function_.name, " lowers to more than ", budget_, " nodes"));
  }
  spent_ += count;
}

ir::Node* Emitter::node(ir::NodeKind kind, std::vector<ir::Value*> inputs) {
  charge();
  ir::Node* out = graph().append(block, kind, std::move(inputs));
  out->source = file_.handle(at);
  return out;
}

ir::Value* Emitter::output(ir::Node* node, TypePtr type) {
  charge();
  return graph().add_output(node, checked(std::move(type)));
}

ir::Value* Emitter::constant(IValue value) {
  TypePtr type = value.type();
  return constant(std::move(value), std::move(type));
}

ir::Value* Emitter::constant(IValue value, TypePtr type) {
  ir::Node* out = node(ir::NodeKind::kConstant);
  out->constant = std::move(value);
  return output(out, std::move(type));
}

ir::Node* Emitter::op_node(const Operator* op, std::vector<ir::Value*> inputs, std::vector<TypePtr> results) {
  ir::Node* out = node(ir::NodeKind::kOp, std::move(inputs));
  out->op = op;
  out->op_name = op->schema.full_name();
  for (TypePtr& type : results) output(out, std::move(type));
  return out;
}

ir::Value* Emitter::op(std::string_view full_name, std::vector<ir::Value*> inputs) {
  const Operator* found = find_operator(full_name);
  if (!found) return missing_op(full_name, std::move(inputs), 1)->outputs[0];
  std::vector<TypePtr> results;
  for (const Argument& ret : found->schema.returns) results.push_back(ret.type);
  ir::Node* out = op_node(found, std::move(inputs), std::move(results));
  return out->outputs.empty() ? none() : out->outputs[0];
}

ir::Node* Emitter::missing_op(std::string_view name, std::vector<ir::Value*> inputs, size_t outputs) {
  ir::Node* out = node(ir::NodeKind::kOp, std::move(inputs));
  out->op_name = name;
  for (size_t i = 0; i < outputs; ++i) output(out, unknown_type());
  return out;
}

ir::Value* Emitter::tuple(std::vector<ir::Value*> items, const TypePtr& named) {
  std::vector<TypePtr> elements;
  elements.reserve(items.size());
  for (const ir::Value* item : items) elements.push_back(item->type);
  ir::Node* out = node(ir::NodeKind::kTupleConstruct, std::move(items));
  TypePtr type = named ? named : types::tuple(std::move(elements));
  out->types = {type};
  return output(out, std::move(type));
}

std::vector<ir::Value*> Emitter::unpack_tuple(ir::Value* tuple) {
  ir::Node* out = node(ir::NodeKind::kTupleUnpack, {tuple});
  for (const TypePtr& element : tuple->type->elements()) output(out, element);
  return out->outputs;
}

ir::Value* Emitter::list(TypePtr element, std::vector<ir::Value*> items) {
  ir::Node* out = node(ir::NodeKind::kListConstruct, std::move(items));
  TypePtr type = types::list(std::move(element));
  out->types = {type};
  return output(out, std::move(type));
}

ir::Value* Emitter::empty_list() {
  ir::Value* out = list(types::tensor(), {});
  empty_lists_.insert(out->def);
  return out;
}

ir::Value* Emitter::uninitialized(TypePtr type) { return output(node(ir::NodeKind::kUninitialized), std::move(type)); }

ir::Value* Emitter::cast(ir::Value* value, TypePtr type) {
  static const Operator* const identity = find_operator("prim::unchecked_cast");
  return op_node(identity, {value}, {std::move(type)})->outputs[0];
}

TypePtr Emitter::checked(TypePtr type) const {
  if (type->elements().empty() || count_parts(*type, limits::kMaxBuiltTypeParts) <= limits::kMaxBuiltTypeParts)
    return type;
  file_.fail_at(at, ErrorCode::kLimitExceeded, cat("a type has more than ", limits::kMaxBuiltTypeParts, " parts"));
}

bool Emitter::fits(const Type& a, const Type& b) {
  if (is_unknown(a) || is_unknown(b) || is_subtype(a, b)) return true;
  if (a.is(TypeKind::kUnion)) {
    return std::all_of(a.elements().begin(), a.elements().end(), [&](const TypePtr& e) { return fits(*e, b); });
  }
  if (a.is(TypeKind::kOptional)) return fits(*types::none(), b) && fits(*a.element(0), b);
  switch (b.kind()) {
    case TypeKind::kOptional:
      return fits(a, *b.element(0));
    case TypeKind::kUnion:
      return std::any_of(b.elements().begin(), b.elements().end(), [&](const TypePtr& e) { return fits(a, *e); });
    case TypeKind::kInterface:
      return (a.is(TypeKind::kClass) || a.is(TypeKind::kInterface)) && importer_.implements(a, b);
    case TypeKind::kTuple:
      if (!a.is(TypeKind::kTuple) || (!b.name().empty() && a.name() != b.name())) return false;
      [[fallthrough]];
    case TypeKind::kList:
    case TypeKind::kDict:
    case TypeKind::kFuture:
      if (a.kind() != b.kind() || a.elements().size() != b.elements().size()) return false;
      // Lists and dicts must have the very type; only what is unknown is let through.
      for (size_t i = 0; i < a.elements().size(); ++i) {
        const bool exact = b.is(TypeKind::kList) || b.is(TypeKind::kDict);
        const Type& from = *a.element(i);
        const Type& to = *b.element(i);
        if (exact ? !(fits(from, to) && fits(to, from)) : !fits(from, to)) return false;
      }
      return true;
    default:
      return false;
  }
}

TypePtr Emitter::unify(const TypePtr& a, const TypePtr& b, bool any_union) {
  if (is_unknown(*a)) return b;
  if (is_unknown(*b)) return a;
  if (fits(*a, *b)) return b;
  if (fits(*b, *a)) return a;
  if (a->is(TypeKind::kNone)) return types::optional(b);
  if (b->is(TypeKind::kNone)) return types::optional(a);
  if (a->is(TypeKind::kOptional) || b->is(TypeKind::kOptional)) {
    const TypePtr& inner_a = a->is(TypeKind::kOptional) ? a->element(0) : a;
    const TypePtr& inner_b = b->is(TypeKind::kOptional) ? b->element(0) : b;
    if (TypePtr inner = unify(inner_a, inner_b)) return types::optional(inner);
  }
  if (a->is(TypeKind::kTuple) && b->is(TypeKind::kTuple) && a->elements().size() == b->elements().size()) {
    std::vector<TypePtr> elements;
    for (size_t i = 0; i < a->elements().size(); ++i) {
      TypePtr element = unify(a->element(i), b->element(i), any_union);
      if (!element) break;
      elements.push_back(std::move(element));
    }
    if (elements.size() == a->elements().size()) return types::tuple(std::move(elements));
  }
  if (!any_union) return nullptr;
  std::vector<TypePtr> options;
  for (const TypePtr& side : {a, b}) {
    std::vector<TypePtr> parts{side};
    if (side->is(TypeKind::kUnion)) parts = side->elements();
    if (side->is(TypeKind::kOptional)) parts = {side->element(0), types::none()};
    for (const TypePtr& part : parts) {
      const bool known =
          std::any_of(options.begin(), options.end(), [&](const TypePtr& o) { return same_type(*o, *part); });
      if (!known) options.push_back(part);
    }
  }
  return checked(types::union_of(std::move(options)));
}

}  // namespace wick::script
