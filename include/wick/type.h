// Types of values, as TorchScript knows them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wick/ref.h"

namespace wick {

class Type;

// A counted reference to a Type, or null. Types do not change, so they may be shared between threads. Equal references
// are one Type; different ones may be of the same kind and parts.
//
//   wick::TypePtr type = module.attr("names").type();
//   if (type->is(wick::TypeKind::kList)) type = type->element(0);
class TypePtr {
 public:
  TypePtr() = default;
  TypePtr(std::nullptr_t) noexcept {}
  explicit TypePtr(const Type* type) noexcept;
  TypePtr(const TypePtr& o) noexcept : TypePtr(o.type_) {}
  TypePtr(TypePtr&& o) noexcept : type_(std::exchange(o.type_, nullptr)) {}
  TypePtr& operator=(const TypePtr& o) noexcept {
    TypePtr copy(o);
    std::swap(type_, copy.type_);
    return *this;
  }
  TypePtr& operator=(TypePtr&& o) noexcept {
    TypePtr taken(std::move(o));
    std::swap(type_, taken.type_);
    return *this;
  }
  ~TypePtr() { release(type_); }

  const Type* get() const noexcept { return type_; }
  const Type* operator->() const noexcept { return type_; }
  const Type& operator*() const noexcept { return *type_; }
  explicit operator bool() const noexcept { return type_ != nullptr; }
  friend bool operator==(const TypePtr& a, const TypePtr& b) noexcept { return a.type_ == b.type_; }

 private:
  static void release(const Type* type) noexcept;
  static void destroy(const Type* type) noexcept;
  const Type* type_ = nullptr;
};

enum class TypeKind : uint8_t {
  kAny,
  kTensor,
  kInt,
  kFloat,
  kBool,
  kComplex,
  kNumber,  // int, float, bool or complex
  kString,
  kDevice,
  kNone,
  kGenerator,
  kStream,
  kStorage,
  kCapsule,
  kAnyList,
  kAnyTuple,
  kAnyClass,
  kList,       // element(0)
  kOptional,   // element(0)
  kDict,       // element(0) -> element(1)
  kTuple,      // elements; named when name() is not empty
  kFuture,     // element(0)
  kUnion,      // elements
  kClass,      // name(); attributes
  kInterface,  // name()
  kEnum,       // name(); element(0) is the value type
  kFunction,   // name()
  kVar,        // a type variable of a schema, name()
};

// What a type is made of; see Type.
struct TypeParts {
  TypeKind kind = TypeKind::kAny;
  std::vector<TypePtr> elements;
  std::string name;
  std::vector<std::string> fields;
};

// The static type of a value: a kind and, by kind, element types, a name and field names (see TypeKind). Types are held
// by TypePtr, made by the functions of wick::types, and do not change, so threads may share them.
//
//   wick::TypePtr type = wick::types::dict(wick::types::string(), wick::types::list(wick::types::integer()));
//   type->str();                                           // "Dict[str, List[int]]"
//   type->element(1)->kind();                              // TypeKind::kList
class Type {
 public:
  explicit Type(TypeKind kind) noexcept : kind_(kind) {}
  explicit Type(TypeParts&& parts) noexcept
      : kind_(parts.kind),
        elements_(std::move(parts.elements)),
        name_(std::move(parts.name)),
        fields_(std::move(parts.fields)) {}
  Type(TypeKind kind, std::vector<TypePtr> elements, std::string name = {}, std::vector<std::string> fields = {})
      : kind_(kind), elements_(std::move(elements)), name_(std::move(name)), fields_(std::move(fields)) {}
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;

  TypeKind kind() const { return kind_; }
  const std::vector<TypePtr>& elements() const { return elements_; }
  const TypePtr& element(size_t i) const { return elements_[i]; }
  // Qualified name of a class, named tuple, enum, interface; a variable's name.
  const std::string& name() const { return name_; }
  // Field names of a named tuple, attribute names of a class.
  const std::vector<std::string>& fields() const { return fields_; }
  // As TorchScript annotates it: "Dict[str, List[int]]".
  std::string str() const;
  bool is(TypeKind k) const { return kind_ == k; }

 private:
  friend class TypePtr;
  mutable std::atomic<uint32_t> refs_{0};
  TypeKind kind_;
  std::vector<TypePtr> elements_;
  std::string name_;
  std::vector<std::string> fields_;
};

inline TypePtr::TypePtr(const Type* type) noexcept : type_(type) {
  if (type) type->refs_.fetch_add(1, std::memory_order_relaxed);
}
inline void TypePtr::release(const Type* type) noexcept {
  if (type && type->refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(type);
}

namespace types {
const TypePtr& basic(TypeKind kind) noexcept;  // any kind without parameters
inline const TypePtr& any() noexcept { return basic(TypeKind::kAny); }
inline const TypePtr& tensor() noexcept { return basic(TypeKind::kTensor); }
inline const TypePtr& integer() noexcept { return basic(TypeKind::kInt); }
inline const TypePtr& floating() noexcept { return basic(TypeKind::kFloat); }
inline const TypePtr& boolean() noexcept { return basic(TypeKind::kBool); }
inline const TypePtr& complex() noexcept { return basic(TypeKind::kComplex); }
inline const TypePtr& number() noexcept { return basic(TypeKind::kNumber); }
inline const TypePtr& string() noexcept { return basic(TypeKind::kString); }
inline const TypePtr& device() noexcept { return basic(TypeKind::kDevice); }
inline const TypePtr& none() noexcept { return basic(TypeKind::kNone); }
// Any kind with its parts; see TypeKind.
TypePtr make(TypeKind kind, std::vector<TypePtr> elements, std::string name = {}, std::vector<std::string> fields = {});
TypePtr make(TypeParts&& parts);
inline TypePtr list(TypePtr element) {
  TypeParts parts{TypeKind::kList, {}, {}, {}};
  parts.elements.push_back(std::move(element));
  return make(std::move(parts));
}
inline TypePtr optional(TypePtr element) {
  if (element->is(TypeKind::kOptional) || element->is(TypeKind::kNone) || element->is(TypeKind::kAny)) return element;
  TypeParts parts{TypeKind::kOptional, {}, {}, {}};
  parts.elements.push_back(std::move(element));
  return make(std::move(parts));
}
inline TypePtr dict(TypePtr key, TypePtr value) {
  TypeParts parts{TypeKind::kDict, {}, {}, {}};
  parts.elements.push_back(std::move(key));
  parts.elements.push_back(std::move(value));
  return make(std::move(parts));
}
inline TypePtr tuple(std::vector<TypePtr> elements) { return make({TypeKind::kTuple, std::move(elements), {}, {}}); }
TypePtr named_tuple(std::string name, std::vector<std::string> fields, std::vector<TypePtr> elements);
TypePtr future(TypePtr element);
TypePtr union_of(std::vector<TypePtr> elements);
TypePtr class_type(std::string name);
TypePtr enum_type(std::string name, TypePtr value);
}  // namespace types

bool same_type(const Type& a, const Type& b);
// True when a value of type a may be used where b is wanted (no implicit conversions).
bool is_subtype(const Type& a, const Type& b);

}  // namespace wick
