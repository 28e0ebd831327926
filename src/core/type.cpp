// TorchScript types: construction, printing, equality and subtyping.
#include "wick/type.h"

#include <iterator>
#include <new>

#include "core/once.h"

namespace wick {
namespace {

// By kind; empty for those that have names of their own.
constexpr const char* kKindNames[] = {
    "Any",      "Tensor",  "int",    "float",    "bool",         "complex",
    "number",   "str",     "Device", "NoneType", "Generator",    "Stream",
    "Storage",  "Capsule", "list",   "tuple",    "AnyClassType", "List",
    "Optional", "Dict",    "Tuple",  "Future",   "Union",        "",
    "",         "",        "",       "",
};
static_assert(std::size(kKindNames) == static_cast<size_t>(TypeKind::kVar) + 1);

}  // namespace

void TypePtr::destroy(const Type* type) noexcept { delete type; }

std::string Type::str() const {
  if (!name_.empty() || kind_ > TypeKind::kUnion) return name_;
  std::string out = kKindNames[static_cast<size_t>(kind_)];
  if (kind_ < TypeKind::kList) return out;
  const char* separator = "[";
  for (const TypePtr& element : elements_) {
    out += separator;
    out += element->str();
    separator = ", ";
  }
  out += elements_.empty() ? "[()]" : "]";
  return out;
}

namespace types {

// In memory that is never given back: nothing is allocated, so this can't fail.
const TypePtr& basic(TypeKind kind) noexcept {
  constexpr size_t kCount = static_cast<size_t>(TypeKind::kAnyClass) + 1;
  alignas(Type) static unsigned char memory[kCount][sizeof(Type)];
  alignas(TypePtr) static unsigned char pointers[kCount][sizeof(TypePtr)];
  static constinit Once made;
  made.call([] {
    for (size_t k = 0; k < kCount; ++k) new (pointers[k]) TypePtr(new (memory[k]) Type(static_cast<TypeKind>(k)));
  });
  return *std::launder(reinterpret_cast<const TypePtr*>(pointers[static_cast<size_t>(kind)]));
}

TypePtr make(TypeKind kind, std::vector<TypePtr> elements, std::string name, std::vector<std::string> fields) {
  return TypePtr(new Type(kind, std::move(elements), std::move(name), std::move(fields)));
}
TypePtr make(TypeParts&& parts) { return TypePtr(new Type(std::move(parts))); }

TypePtr named_tuple(std::string name, std::vector<std::string> fields, std::vector<TypePtr> elements) {
  return make(TypeKind::kTuple, std::move(elements), std::move(name), std::move(fields));
}
TypePtr future(TypePtr element) {
  TypeParts parts{TypeKind::kFuture, {}, {}, {}};
  parts.elements.push_back(std::move(element));
  return make(std::move(parts));
}
TypePtr union_of(std::vector<TypePtr> elements) { return make(TypeKind::kUnion, std::move(elements)); }
TypePtr class_type(std::string name) { return make({TypeKind::kClass, {}, std::move(name), {}}); }
TypePtr enum_type(std::string name, TypePtr value) {
  TypeParts parts{TypeKind::kEnum, {}, std::move(name), {}};
  parts.elements.push_back(std::move(value));
  return make(std::move(parts));
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
