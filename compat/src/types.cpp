// c10::Type over Wick's types.
#include "bridge.h"
#include "module_state.h"
#include "wick/type.h"

namespace c10 {
namespace {

const wick::Type& type_of(const Type& t) { return reinterpret_cast<const wick::Type&>(t); }
TypePtr type_ptr(const wick::TypePtr& t) { return TypePtr::borrowed(reinterpret_cast<const Type*>(t.get())); }
wick::TypePtr wick_ptr(const TypePtr& t) { return wick::TypePtr(reinterpret_cast<const wick::Type*>(t.get())); }

struct Kinds {
  wick::TypeKind own;
  TypeKind torch;
};
constexpr Kinds kKinds[] = {
    {wick::TypeKind::kAny, TypeKind::AnyType},
    {wick::TypeKind::kTensor, TypeKind::TensorType},
    {wick::TypeKind::kInt, TypeKind::IntType},
    {wick::TypeKind::kFloat, TypeKind::FloatType},
    {wick::TypeKind::kBool, TypeKind::BoolType},
    {wick::TypeKind::kComplex, TypeKind::ComplexType},
    {wick::TypeKind::kNumber, TypeKind::NumberType},
    {wick::TypeKind::kString, TypeKind::StringType},
    {wick::TypeKind::kDevice, TypeKind::DeviceObjType},
    {wick::TypeKind::kNone, TypeKind::NoneType},
    {wick::TypeKind::kGenerator, TypeKind::GeneratorType},
    {wick::TypeKind::kStream, TypeKind::StreamObjType},
    {wick::TypeKind::kStorage, TypeKind::StorageType},
    {wick::TypeKind::kCapsule, TypeKind::CapsuleType},
    {wick::TypeKind::kAnyList, TypeKind::AnyListType},
    {wick::TypeKind::kAnyTuple, TypeKind::AnyTupleType},
    {wick::TypeKind::kAnyClass, TypeKind::AnyClassType},
    {wick::TypeKind::kList, TypeKind::ListType},
    {wick::TypeKind::kOptional, TypeKind::OptionalType},
    {wick::TypeKind::kDict, TypeKind::DictType},
    {wick::TypeKind::kTuple, TypeKind::TupleType},
    {wick::TypeKind::kFuture, TypeKind::FutureType},
    {wick::TypeKind::kUnion, TypeKind::UnionType},
    {wick::TypeKind::kClass, TypeKind::ClassType},
    {wick::TypeKind::kInterface, TypeKind::InterfaceType},
    {wick::TypeKind::kEnum, TypeKind::EnumType},
    {wick::TypeKind::kFunction, TypeKind::FunctionType},
    {wick::TypeKind::kVar, TypeKind::VarType},
};

wick::TypeKind own_kind(TypeKind kind) {
  for (const Kinds& k : kKinds) {
    if (k.torch == kind) return k.own;
  }
  return wick::TypeKind::kAny;
}

// A class is its name, whether its attributes are known or not.
bool same_class(const Type& a, const Type& b) {
  return type_of(a).is(wick::TypeKind::kClass) && type_of(b).is(wick::TypeKind::kClass) &&
         type_of(a).name() == type_of(b).name();
}

// An object's class with its attributes, which objects in them have, too, down to some depth.
wick::TypePtr class_of(const wick::ObjectImpl& object, int depth) {
  constexpr int kDeepest = 64;
  const wick::ClassInfo& info = *object.cls;
  if (depth == kDeepest) return wick::types::class_type(info.name);
  std::vector<wick::TypePtr> types;
  for (size_t i = 0; i < info.attributes.size(); ++i) {
    wick::TypePtr type = i < info.attribute_types.size() ? info.attribute_types[i] : wick::types::any();
    if (i < object.slot_count()) {
      const wick::IValue value = object.get(i);
      const bool is_class = type->is(wick::TypeKind::kAny) || type->is(wick::TypeKind::kClass);
      if (is_class && value.is_object()) type = class_of(value.to_object(), depth + 1);
    }
    types.push_back(std::move(type));
  }
  return wick::types::make(wick::TypeKind::kClass, std::move(types), info.name, info.attributes);
}

// As schemas write it: "int[]", "Tensor?".
std::string schema_text(const wick::Type& t) {
  switch (t.kind()) {
    case wick::TypeKind::kList:
      return schema_text(*t.element(0)) + "[]";
    case wick::TypeKind::kOptional:
      return schema_text(*t.element(0)) + "?";
    case wick::TypeKind::kDict:
      return "Dict(" + schema_text(*t.element(0)) + ", " + schema_text(*t.element(1)) + ")";
    case wick::TypeKind::kNone:
      return "NoneType";
    case wick::TypeKind::kFuture:
      return "Future(" + schema_text(*t.element(0)) + ")";
    case wick::TypeKind::kTuple: {
      if (!t.name().empty()) return t.name();
      std::string out = "(";
      for (size_t i = 0; i < t.elements().size(); ++i) out += (i ? ", " : "") + schema_text(*t.element(i));
      return out + ")";
    }
    default:
      return t.str();
  }
}

}  // namespace

const char* typeKindToString(TypeKind kind) {
  switch (kind) {
#define CASE_TYPE(T) \
  case TypeKind::T:  \
    return #T;
    C10_FORALL_TYPES(CASE_TYPE)
#undef CASE_TYPE
  }
  return "";
}

TypeKind Type::kind() const {
  for (const Kinds& k : kKinds) {
    if (k.own == type_of(*this).kind()) return k.torch;
  }
  return TypeKind::AnyType;
}
std::string Type::str() const { return schema_text(type_of(*this)); }
std::string Type::annotation_str() const { return type_of(*this).str(); }
std::vector<std::string> Type::field_names() const { return type_of(*this).fields(); }
bool Type::is_module() const {
  return kind() == TypeKind::ClassType && wick_compat::is_module_class(type_of(*this).name());
}
bool Type::isSubtypeOf(const Type& o) const {
  return same_class(*this, o) || wick::is_subtype(type_of(*this), type_of(o));
}
bool Type::equals(const Type& o) const { return *this == o; }
std::vector<TypePtr> Type::containedTypes() const {
  std::vector<TypePtr> out;
  for (const wick::TypePtr& t : type_of(*this).elements()) out.push_back(type_ptr(t));
  return out;
}
TypePtr Type::containedType(size_t i) const { return containedTypes().at(i); }
size_t Type::containedTypeSize() const { return type_of(*this).elements().size(); }
std::string Type::type_name() const { return type_of(*this).name(); }
bool operator==(const Type& a, const Type& b) { return same_class(a, b) || wick::same_type(type_of(a), type_of(b)); }
std::ostream& operator<<(std::ostream& out, const Type& t) { return out << t.str(); }

namespace detail {

void retain_type(const void* type) noexcept {
  if (!type) return;
  const wick::TypePtr held(static_cast<const wick::Type*>(type));
  alignas(wick::TypePtr) unsigned char kept[sizeof(wick::TypePtr)];
  new (kept) wick::TypePtr(held);  // never destroyed: its reference is the caller's now
}
void release_type(const void* type) noexcept {
  if (!type) return;
  static_assert(sizeof(wick::TypePtr) == sizeof(void*));
  reinterpret_cast<wick::TypePtr*>(&type)->~TypePtr();
}
TypePtr basic_type(TypeKind kind) { return type_ptr(wick::types::basic(own_kind(kind))); }
TypePtr make_type(TypeKind kind, const TypePtr* elements, size_t count, const std::string& name,
                  const std::vector<std::string>* fields) {
  std::vector<wick::TypePtr> parts;
  for (size_t i = 0; i < count; ++i) parts.push_back(wick_ptr(elements[i]));
  if (kind == TypeKind::OptionalType) return type_ptr(wick::types::optional(parts[0]));
  return type_ptr(
      wick::types::make(own_kind(kind), std::move(parts), name, fields ? *fields : std::vector<std::string>()));
}

}  // namespace detail

TypePtr IValue::type() const {
  if (isObject()) return type_ptr(class_of(wick_compat::w(*this).to_object(), 0));
  return type_ptr(wick_compat::w(*this).type());
}

}  // namespace c10
