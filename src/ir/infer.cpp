// Static types of values: results of operators, joins at control flow, certain mismatches.
#include "ir/infer.h"

#include <array>
#include <string>
#include <utility>

#include "config/build.h"
#include "core/value_type.h"

namespace wick::ir {

namespace {

constexpr int kMaxTypeParts = 64;

bool has_few_parts(const Type& type, int& parts) {
  if (++parts > kMaxTypeParts) return false;
  for (const TypePtr& element : type.elements()) {
    if (!has_few_parts(*element, parts)) return false;
  }
  return true;
}

// What of a value's nature can be told from its type; kUnknown matches everything.
enum class Group : uint8_t { kUnknown, kTensor, kNumber, kString, kDevice, kNone, kList, kDict, kTuple, kObject };

// By kind of type.
constexpr auto kGroups = [] {
  std::array<Group, static_cast<size_t>(TypeKind::kVar) + 1> out{};
  const auto set = [&](TypeKind kind, Group group) { out[static_cast<size_t>(kind)] = group; };
  set(TypeKind::kTensor, Group::kTensor);
  set(TypeKind::kInt, Group::kNumber);
  set(TypeKind::kFloat, Group::kNumber);
  set(TypeKind::kBool, Group::kNumber);
  set(TypeKind::kComplex, Group::kNumber);
  set(TypeKind::kNumber, Group::kNumber);
  set(TypeKind::kString, Group::kString);
  set(TypeKind::kDevice, Group::kDevice);
  set(TypeKind::kNone, Group::kNone);
  set(TypeKind::kList, Group::kList);
  set(TypeKind::kAnyList, Group::kList);
  set(TypeKind::kDict, Group::kDict);
  set(TypeKind::kTuple, Group::kTuple);
  set(TypeKind::kAnyTuple, Group::kTuple);
  set(TypeKind::kAnyClass, Group::kObject);
  return out;
}();

Group group_of(const Type& type) {
  // A file may name a named tuple or enum in a place that does not tell it from a class.
  if (type.is(TypeKind::kClass) && type.name().starts_with("__torch__.torch.classes.")) return Group::kObject;
  return kGroups[static_cast<size_t>(type.kind())];
}

using Bindings = std::vector<std::pair<std::string, TypePtr>>;

bool has_variables(const Type& type) {
  if (type.is(TypeKind::kVar)) return true;
  for (const TypePtr& element : type.elements()) {
    if (has_variables(*element)) return true;
  }
  return false;
}

void bind_variables(const Type& formal, const TypePtr& actual, Bindings& bindings) {
  if (formal.is(TypeKind::kVar)) {
    for (auto& [name, bound] : bindings) {
      if (name != formal.name()) continue;
      bound = join(bound, actual);
      return;
    }
    bindings.emplace_back(formal.name(), actual);
    return;
  }
  if (formal.is(TypeKind::kOptional) && !actual->is(TypeKind::kOptional)) {
    if (!actual->is(TypeKind::kNone)) bind_variables(*formal.element(0), actual, bindings);
    return;
  }
  if (formal.kind() != actual->kind() || formal.elements().size() != actual->elements().size()) return;
  for (size_t i = 0; i < formal.elements().size(); ++i)
    bind_variables(*formal.element(i), actual->element(i), bindings);
}

TypePtr substitute(const TypePtr& type, const Bindings& bindings) {
  if (type->is(TypeKind::kVar)) {
    for (const auto& [name, bound] : bindings) {
      if (name == type->name()) return bound;
    }
    return types::any();
  }
  if (!has_variables(*type)) return type;
  std::vector<TypePtr> elements;
  for (const TypePtr& element : type->elements()) elements.push_back(substitute(element, bindings));
  return types::make(type->kind(), std::move(elements), type->name(), type->fields());
}

// The element a constant index takes from a tuple of known type; null when it cannot be told.
TypePtr indexed_type(const std::vector<Value*>& inputs) {
  if (inputs.size() != 2 || !inputs[0]->type->is(TypeKind::kTuple)) return nullptr;
  const Node* index = inputs[1]->def;
  if (!index || index->kind != NodeKind::kConstant || !index->constant.is_int()) return nullptr;
  const auto count = static_cast<int64_t>(inputs[0]->type->elements().size());
  int64_t at = index->constant.to_int();
  if (at < 0) at += count;
  return at >= 0 && at < count ? inputs[0]->type->element(static_cast<size_t>(at)) : nullptr;
}

}  // namespace

const TypePtr& bounded(const TypePtr& type) {
  int parts = 0;
  if (has_few_parts(*type, parts)) return type;
  if (type->is(TypeKind::kTuple)) return types::basic(TypeKind::kAnyTuple);
  if (type->is(TypeKind::kList)) return types::basic(TypeKind::kAnyList);
  return types::any();
}

TypePtr type_of(const IValue& value) { return bounded(wick::type_of(value, kMaxTypeParts)); }

TypePtr join(const TypePtr& a, const TypePtr& b) {
  if (a == b || same_type(*a, *b)) return a;
  if (a->is(TypeKind::kNone)) return b->is(TypeKind::kOptional) ? b : bounded(types::optional(b));
  if (b->is(TypeKind::kNone)) return a->is(TypeKind::kOptional) ? a : bounded(types::optional(a));
  if (is_subtype(*a, *b)) return b;
  if (is_subtype(*b, *a)) return a;
  return types::any();
}

bool certainly_incompatible(const Type& actual, const Type& formal) {
  if (formal.is(TypeKind::kOptional)) return certainly_incompatible(actual, *formal.element(0));
  const Group have = group_of(actual);
  const Group want = group_of(formal);
  // None reaches operators only on paths that are never taken, or as an undefined tensor.
  if (have == want || have == Group::kUnknown || want == Group::kUnknown || have == Group::kNone) return false;
  auto either = [&](Group a, Group b) { return (have == a && want == b) || (have == b && want == a); };
  return !either(Group::kTensor, Group::kNumber) && !either(Group::kString, Group::kDevice);
}

void result_types(const FunctionSchema& schema, const std::vector<Value*>& inputs, std::vector<TypePtr>& out) {
  if (schema.is_varret) return out.push_back(TypePtr(types::any()));
  if (schema.name == "prim::TupleIndex") {
    if (TypePtr element = indexed_type(inputs)) return out.push_back(std::move(element));
  }
  bool any_variables = false;
  for (const Argument& ret : schema.returns) any_variables = any_variables || has_variables(*ret.type);
  Bindings bindings;
  if (build::kContainers && any_variables) {
    const size_t count = std::min(inputs.size(), schema.arguments.size());
    for (size_t i = 0; i < count; ++i) bind_variables(*schema.arguments[i].type, inputs[i]->type, bindings);
  }
  for (const Argument& ret : schema.returns) {
    if (build::kContainers && any_variables) {
      out.push_back(TypePtr(bounded(substitute(ret.type, bindings))));
    } else {
      out.push_back(TypePtr(any_variables ? types::any() : ret.type));
    }
  }
}

}  // namespace wick::ir
