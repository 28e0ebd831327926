// Types of values, as TorchScript knows them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wick {

class Type;
using TypePtr = std::shared_ptr<const Type>;

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

class Type {
 public:
  explicit Type(TypeKind kind) : kind_(kind) {}
  Type(TypeKind kind, std::vector<TypePtr> elements, std::string name = {}, std::vector<std::string> fields = {})
      : kind_(kind), elements_(std::move(elements)), name_(std::move(name)), fields_(std::move(fields)) {}
  virtual ~Type() = default;

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
  TypeKind kind_;
  std::vector<TypePtr> elements_;
  std::string name_;
  std::vector<std::string> fields_;
};

namespace types {
const TypePtr& any();
const TypePtr& tensor();
const TypePtr& integer();
const TypePtr& floating();
const TypePtr& boolean();
const TypePtr& complex();
const TypePtr& number();
const TypePtr& string();
const TypePtr& device();
const TypePtr& none();
const TypePtr& basic(TypeKind kind);  // any kind without parameters
TypePtr list(TypePtr element);
TypePtr optional(TypePtr element);
TypePtr dict(TypePtr key, TypePtr value);
TypePtr tuple(std::vector<TypePtr> elements);
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
