#include "wick/type.h"

#include "core/check.h"

namespace wick {
namespace {

const char* basic_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::kAny:
      return "Any";
    case TypeKind::kTensor:
      return "Tensor";
    case TypeKind::kInt:
      return "int";
    case TypeKind::kFloat:
      return "float";
    case TypeKind::kBool:
      return "bool";
    case TypeKind::kComplex:
      return "complex";
    case TypeKind::kNumber:
      return "number";
    case TypeKind::kString:
      return "str";
    case TypeKind::kDevice:
      return "Device";
    case TypeKind::kNone:
      return "NoneType";
    case TypeKind::kGenerator:
      return "Generator";
    case TypeKind::kStream:
      return "Stream";
    case TypeKind::kStorage:
      return "Storage";
    case TypeKind::kCapsule:
      return "Capsule";
    case TypeKind::kAnyList:
      return "list";
    case TypeKind::kAnyTuple:
      return "tuple";
    case TypeKind::kAnyClass:
      return "AnyClassType";
    default:
      return nullptr;
  }
}

std::string join(const std::vector<TypePtr>& types) {
  std::string out;
  for (size_t i = 0; i < types.size(); ++i) {
    if (i) out += ", ";
    out += types[i]->str();
  }
  return out;
}

}  // namespace

std::string Type::str() const {
  switch (kind_) {
    case TypeKind::kList:
      return cat("List[", join(elements_), "]");
    case TypeKind::kOptional:
      return cat("Optional[", join(elements_), "]");
    case TypeKind::kDict:
      return cat("Dict[", join(elements_), "]");
    case TypeKind::kFuture:
      return cat("Future[", join(elements_), "]");
    case TypeKind::kUnion:
      return cat("Union[", join(elements_), "]");
    case TypeKind::kTuple:
      if (!name_.empty()) return name_;
      return elements_.empty() ? "Tuple[()]" : cat("Tuple[", join(elements_), "]");
    case TypeKind::kClass:
    case TypeKind::kInterface:
    case TypeKind::kEnum:
    case TypeKind::kFunction:
    case TypeKind::kVar:
      return name_;
    default:
      return basic_name(kind_);
  }
}

namespace types {

const TypePtr& basic(TypeKind kind) {
  static const std::vector<TypePtr>* const all = [] {
    auto* list = new std::vector<TypePtr>;
    for (int k = 0; k <= static_cast<int>(TypeKind::kAnyClass); ++k) {
      list->push_back(std::make_shared<Type>(static_cast<TypeKind>(k)));
    }
    return list;
  }();
  return (*all)[static_cast<size_t>(kind)];
}

const TypePtr& any() { return basic(TypeKind::kAny); }
const TypePtr& tensor() { return basic(TypeKind::kTensor); }
const TypePtr& integer() { return basic(TypeKind::kInt); }
const TypePtr& floating() { return basic(TypeKind::kFloat); }
const TypePtr& boolean() { return basic(TypeKind::kBool); }
const TypePtr& complex() { return basic(TypeKind::kComplex); }
const TypePtr& number() { return basic(TypeKind::kNumber); }
const TypePtr& string() { return basic(TypeKind::kString); }
const TypePtr& device() { return basic(TypeKind::kDevice); }
const TypePtr& none() { return basic(TypeKind::kNone); }

TypePtr list(TypePtr element) { return std::make_shared<Type>(TypeKind::kList, std::vector{std::move(element)}); }
TypePtr optional(TypePtr element) {
  if (element->is(TypeKind::kOptional) || element->is(TypeKind::kNone) || element->is(TypeKind::kAny)) return element;
  return std::make_shared<Type>(TypeKind::kOptional, std::vector{std::move(element)});
}
TypePtr dict(TypePtr key, TypePtr value) {
  return std::make_shared<Type>(TypeKind::kDict, std::vector{std::move(key), std::move(value)});
}
TypePtr tuple(std::vector<TypePtr> elements) { return std::make_shared<Type>(TypeKind::kTuple, std::move(elements)); }
TypePtr named_tuple(std::string name, std::vector<std::string> fields, std::vector<TypePtr> elements) {
  return std::make_shared<Type>(TypeKind::kTuple, std::move(elements), std::move(name), std::move(fields));
}
TypePtr future(TypePtr element) { return std::make_shared<Type>(TypeKind::kFuture, std::vector{std::move(element)}); }
TypePtr union_of(std::vector<TypePtr> elements) {
  return std::make_shared<Type>(TypeKind::kUnion, std::move(elements));
}
TypePtr class_type(std::string name) {
  return std::make_shared<Type>(TypeKind::kClass, std::vector<TypePtr>{}, std::move(name));
}
TypePtr enum_type(std::string name, TypePtr value) {
  return std::make_shared<Type>(TypeKind::kEnum, std::vector{std::move(value)}, std::move(name));
}

}  // namespace types

bool same_type(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind() != b.kind() || a.name() != b.name() || a.elements().size() != b.elements().size()) return false;
  for (size_t i = 0; i < a.elements().size(); ++i) {
    if (!same_type(*a.element(i), *b.element(i))) return false;
  }
  return true;
}

bool is_subtype(const Type& a, const Type& b) {
  if (b.is(TypeKind::kAny) || same_type(a, b)) return true;
  if (a.is(TypeKind::kUnion) || (a.is(TypeKind::kOptional) && b.is(TypeKind::kUnion))) {
    for (const TypePtr& e : a.elements()) {
      if (!is_subtype(*e, b)) return false;
    }
    return !a.is(TypeKind::kOptional) || is_subtype(*types::none(), b);
  }
  switch (b.kind()) {
    case TypeKind::kOptional:
      if (a.is(TypeKind::kNone)) return true;
      return is_subtype(a.is(TypeKind::kOptional) ? *a.element(0) : a, *b.element(0));
    case TypeKind::kUnion:
      for (const TypePtr& e : b.elements()) {
        if (is_subtype(a, *e)) return true;
      }
      return false;
    case TypeKind::kNumber:
      return a.is(TypeKind::kInt) || a.is(TypeKind::kFloat) || a.is(TypeKind::kComplex);
    case TypeKind::kAnyList:
      return a.is(TypeKind::kList);
    case TypeKind::kAnyTuple:
      return a.is(TypeKind::kTuple);
    case TypeKind::kAnyClass:
      return a.is(TypeKind::kClass);
    case TypeKind::kTuple:
      // Tuples are covariant; a named tuple may be used as a plain one.
      if (!a.is(TypeKind::kTuple) || (!b.name().empty() && a.name() != b.name())) return false;
      if (a.elements().size() != b.elements().size()) return false;
      for (size_t i = 0; i < a.elements().size(); ++i) {
        if (!is_subtype(*a.element(i), *b.element(i))) return false;
      }
      return true;
    case TypeKind::kEnum:
      return a.is(TypeKind::kEnum) && b.name() == "AnyEnumType";
    case TypeKind::kFuture:
      return a.is(TypeKind::kFuture) && is_subtype(*a.element(0), *b.element(0));
    default:
      return false;
  }
}

}  // namespace wick
