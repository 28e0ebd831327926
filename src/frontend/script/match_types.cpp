// Binds and substitutes the type variables of a schema.
#include "frontend/script/match_types.h"

namespace wick::script {

bool has_variables(const Type& type) {
  if (type.is(TypeKind::kVar)) return true;
  for (const TypePtr& element : type.elements()) {
    if (has_variables(*element)) return true;
  }
  return false;
}

TypePtr TypeBindings::bind(const TypePtr& formal, const TypePtr& actual) {
  if (!has_variables(*formal)) return formal;
  if (formal->is(TypeKind::kVar)) {
    for (auto& [name, type] : bound_) {
      if (name != formal->name()) continue;
      TypePtr both = emitter_.unify(type, actual);
      if (both) type = both;
      return both;
    }
    bound_.emplace_back(formal->name(), actual);
    return actual;
  }
  if (formal->is(TypeKind::kOptional)) {
    if (actual->is(TypeKind::kNone)) return nullptr;
    TypePtr inner = bind(formal->element(0), actual->is(TypeKind::kOptional) ? actual->element(0) : actual);
    return inner ? types::optional(inner) : nullptr;
  }
  if (is_unknown(*actual)) {
    std::vector<TypePtr> elements;
    for (const TypePtr& element : formal->elements()) elements.push_back(bind(element, actual));
    return types::make(formal->kind(), std::move(elements), formal->name(), formal->fields());
  }
  if (formal->is(TypeKind::kList) && actual->is(TypeKind::kTuple) && !actual->elements().empty()) {
    TypePtr common = actual->element(0);
    for (const TypePtr& element : actual->elements()) {
      common = emitter_.unify(common, element);
      if (!common) return nullptr;
    }
    TypePtr element = bind(formal->element(0), common);
    return element ? types::list(element) : nullptr;
  }
  if (formal->kind() != actual->kind() || formal->elements().size() != actual->elements().size()) return nullptr;
  std::vector<TypePtr> elements;
  for (size_t i = 0; i < formal->elements().size(); ++i) {
    TypePtr element = bind(formal->element(i), actual->element(i));
    if (!element) return nullptr;
    elements.push_back(std::move(element));
  }
  return types::make(formal->kind(), std::move(elements), formal->name(), formal->fields());
}

TypePtr TypeBindings::replace(const TypePtr& type) const {
  if (type->is(TypeKind::kVar)) {
    for (const auto& [name, bound] : bound_) {
      if (name == type->name()) return bound;
    }
    return types::any();
  }
  if (!has_variables(*type)) return type;
  std::vector<TypePtr> elements;
  for (const TypePtr& element : type->elements()) elements.push_back(replace(element));
  if (type->is(TypeKind::kOptional)) return types::optional(elements[0]);
  return types::make(type->kind(), std::move(elements), type->name(), type->fields());
}

}  // namespace wick::script
