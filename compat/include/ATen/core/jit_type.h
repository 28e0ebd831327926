// c10::Type: static types of TorchScript values. A Type is the same object as Wick's: its address is what is passed.
#pragma once

#include <map>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <ATen/core/TensorBody.h>

namespace torch {
class CustomClassHolder;
}
namespace c10 {
struct FunctionSchema;
}

namespace c10 {

#define C10_FORALL_TYPES(_) \
  _(AnyType)                \
  _(EnumType)               \
  _(AnyEnumType)            \
  _(TensorType)             \
  _(StorageType)            \
  _(TupleType)              \
  _(ListType)               \
  _(DictType)               \
  _(NumberType)             \
  _(FloatType)              \
  _(ComplexType)            \
  _(FutureType)             \
  _(RRefType)               \
  _(IntType)                \
  _(NoneType)               \
  _(StringType)             \
  _(GeneratorType)          \
  _(QuantizerType)          \
  _(BoolType)               \
  _(OptionalType)           \
  _(VarType)                \
  _(DeviceObjType)          \
  _(StreamObjType)          \
  _(FunctionType)           \
  _(ClassType)              \
  _(PyObjectType)           \
  _(CapsuleType)            \
  _(InterfaceType)          \
  _(QSchemeType)            \
  _(LayoutType)             \
  _(ScalarTypeType)         \
  _(AnyListType) _(AnyTupleType) _(AnyClassType) _(SymIntType) _(SymFloatType) _(UnionType) _(DynamicType)

enum class TypeKind {
#define DEFINE_TYPE(T) T,
  C10_FORALL_TYPES(DEFINE_TYPE)
#undef DEFINE_TYPE
};
const char* typeKindToString(TypeKind kind);

// A counted reference to a type, or null.
template <class T>
class TypeRef {
 public:
  using element_type = T;
  TypeRef() noexcept = default;
  TypeRef(std::nullptr_t) noexcept {}
  TypeRef(const TypeRef& o) noexcept;
  TypeRef(TypeRef&& o) noexcept : p_(o.p_) { o.p_ = nullptr; }
  template <class U, class = typename std::enable_if<std::is_base_of<T, U>::value && !std::is_same<T, U>::value>::type>
  TypeRef(const TypeRef<U>& o) noexcept : TypeRef(borrowed(o.get())) {}
  ~TypeRef();
  TypeRef& operator=(TypeRef o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  static TypeRef borrowed(const T* type) noexcept;
  static TypeRef owned(const void* type) noexcept {
    TypeRef r;
    r.p_ = static_cast<const T*>(type);
    return r;
  }
  const T* get() const noexcept { return p_; }
  const T* operator->() const noexcept { return p_; }
  const T& operator*() const noexcept { return *p_; }
  explicit operator bool() const noexcept { return p_ != nullptr; }
  bool operator==(std::nullptr_t) const { return !p_; }
  bool operator!=(std::nullptr_t) const { return p_ != nullptr; }

 private:
  const T* p_ = nullptr;
};

struct Type;
using TypePtr = TypeRef<Type>;
using ConstTypePtr = TypePtr;

struct QualifiedName {
  QualifiedName() = default;
  QualifiedName(const std::string& name) : name_(name) {}
  QualifiedName(const char* name) : name_(name) {}
  QualifiedName(const QualifiedName& prefix, const std::string& name) : name_(prefix.name_ + "." + name) {}
  const std::string& qualifiedName() const { return name_; }
  std::string name() const { return name_.substr(name_.rfind('.') + 1); }
  std::string prefix() const {
    return name_.find('.') == name_.npos ? std::string() : name_.substr(0, name_.rfind('.'));
  }
  std::vector<std::string> atoms() const {
    std::vector<std::string> out(1);
    for (char c : name_) {
      if (c == '.') {
        out.emplace_back();
      } else {
        out.back().push_back(c);
      }
    }
    return out;
  }
  friend bool operator==(const QualifiedName& a, const QualifiedName& b) { return a.name_ == b.name_; }

 private:
  std::string name_;
};

struct Type : wick_compat::Value {
  template <class T>
  using SingletonOrSharedTypePtr = TypeRef<T>;
  static constexpr TypeKind Kind = TypeKind::AnyType;

  TypeKind kind() const;
  std::string str() const;             // "int[]"
  std::string annotation_str() const;  // "List[int]"
  std::string repr_str() const { return annotation_str(); }
  bool isSubtypeOf(const Type& o) const;
  bool isSubtypeOf(const TypePtr& o) const { return isSubtypeOf(*o); }
  bool equals(const Type& o) const;
  std::vector<TypePtr> containedTypes() const;
  TypePtr containedType(size_t i) const;
  size_t containedTypeSize() const;
  std::string type_name() const;  // of a class, named tuple or enum
  optional<QualifiedName> name() const {
    const std::string text = type_name();
    return text.empty() ? optional<QualifiedName>() : optional<QualifiedName>(QualifiedName(text));
  }
  std::vector<std::string> field_names() const;  // of a named tuple; attributes of a class
  bool is_module() const;
  bool requires_grad() const { return kind() == TypeKind::TensorType; }
  bool hasFreeVariables() const { return false; }
  bool isUnionType() const { return kind() == TypeKind::UnionType || kind() == TypeKind::OptionalType; }

  template <class T>
  const T* castRaw() const {
    return T::Kind == kind() ? static_cast<const T*>(this) : nullptr;
  }
  template <class T>
  TypeRef<T> cast() const {
    return TypeRef<T>::borrowed(castRaw<T>());
  }
  template <class T>
  const T& expectRef() const {
    const T* r = castRaw<T>();
    TORCH_INTERNAL_ASSERT(r, "Tried to cast ", annotation_str(), " to ", typeKindToString(T::Kind));
    return *r;
  }
  template <class T>
  TypeRef<T> expect() const {
    return TypeRef<T>::borrowed(&expectRef<T>());
  }
};
bool operator==(const Type& a, const Type& b);
inline bool operator!=(const Type& a, const Type& b) { return !(a == b); }
template <class T, class U>
bool operator==(const TypeRef<T>& a, const TypeRef<U>& b) {
  return static_cast<const void*>(a.get()) == static_cast<const void*>(b.get());
}
template <class T, class U>
bool operator!=(const TypeRef<T>& a, const TypeRef<U>& b) {
  return !(a == b);
}
std::ostream& operator<<(std::ostream& out, const Type& t);

namespace detail {
void retain_type(const void* type) noexcept;
void release_type(const void* type) noexcept;
TypePtr basic_type(TypeKind kind);
TypePtr make_type(TypeKind kind, const TypePtr* elements, size_t count, const std::string& name = {},
                  const std::vector<std::string>* fields = nullptr);
}  // namespace detail

template <class T>
TypeRef<T>::TypeRef(const TypeRef& o) noexcept : p_(o.p_) {
  detail::retain_type(p_);
}
template <class T>
TypeRef<T>::~TypeRef() {
  detail::release_type(p_);
}
template <class T>
TypeRef<T> TypeRef<T>::borrowed(const T* type) noexcept {
  detail::retain_type(type);
  return owned(type);
}

#define WICK_BASIC_TYPE(Name)                                                                   \
  struct Name : Type {                                                                          \
    static constexpr TypeKind Kind = TypeKind::Name;                                            \
    static TypeRef<Name> get() {                                                                \
      return TypeRef<Name>::borrowed(static_cast<const Name*>(detail::basic_type(Kind).get())); \
    }                                                                                           \
  };                                                                                            \
  using Name##Ptr = TypeRef<Name>;
WICK_BASIC_TYPE(AnyType)
WICK_BASIC_TYPE(TensorType)
WICK_BASIC_TYPE(NumberType)
WICK_BASIC_TYPE(FloatType)
WICK_BASIC_TYPE(ComplexType)
WICK_BASIC_TYPE(IntType)
WICK_BASIC_TYPE(NoneType)
WICK_BASIC_TYPE(StringType)
WICK_BASIC_TYPE(GeneratorType)
WICK_BASIC_TYPE(BoolType)
WICK_BASIC_TYPE(DeviceObjType)
WICK_BASIC_TYPE(StreamObjType)
WICK_BASIC_TYPE(StorageType)
WICK_BASIC_TYPE(CapsuleType)
WICK_BASIC_TYPE(AnyListType)
WICK_BASIC_TYPE(AnyTupleType)
WICK_BASIC_TYPE(AnyClassType)
#undef WICK_BASIC_TYPE

#define WICK_ELEMENT_TYPE(Name)                                                                             \
  struct Name : Type {                                                                                      \
    static constexpr TypeKind Kind = TypeKind::Name;                                                        \
    static TypeRef<Name> create(const TypePtr& element) {                                                   \
      return TypeRef<Name>::borrowed(static_cast<const Name*>(detail::make_type(Kind, &element, 1).get())); \
    }                                                                                                       \
    TypePtr getElementType() const { return containedType(0); }                                             \
    WICK_ELEMENT_TYPE_EXTRA(Name)                                                                           \
  };                                                                                                        \
  using Name##Ptr = TypeRef<Name>;
#define WICK_ELEMENT_TYPE_EXTRA(Name)                                    \
  static TypeRef<Name> ofTensor() { return create(TensorType::get()); }  \
  static TypeRef<Name> ofTensors() { return create(TensorType::get()); } \
  static TypeRef<Name> ofInts() { return create(IntType::get()); }       \
  static TypeRef<Name> ofFloats() { return create(FloatType::get()); }   \
  static TypeRef<Name> ofBools() { return create(BoolType::get()); }     \
  static TypeRef<Name> ofStrings() { return create(StringType::get()); } \
  static TypeRef<Name> ofComplexDoubles() { return create(ComplexType::get()); }
WICK_ELEMENT_TYPE(ListType)
WICK_ELEMENT_TYPE(OptionalType)
WICK_ELEMENT_TYPE(FutureType)
#undef WICK_ELEMENT_TYPE
#undef WICK_ELEMENT_TYPE_EXTRA

struct DictType : Type {
  static constexpr TypeKind Kind = TypeKind::DictType;
  static TypeRef<DictType> create(TypePtr key, TypePtr value) {
    const TypePtr parts[] = {std::move(key), std::move(value)};
    return TypeRef<DictType>::borrowed(static_cast<const DictType*>(detail::make_type(Kind, parts, 2).get()));
  }
  TypePtr getKeyType() const { return containedType(0); }
  TypePtr getValueType() const { return containedType(1); }
};
using DictTypePtr = TypeRef<DictType>;
struct TupleType : Type {
  static constexpr TypeKind Kind = TypeKind::TupleType;
  static TypeRef<TupleType> create(const std::vector<TypePtr>& elements) {
    return TypeRef<TupleType>::borrowed(
        static_cast<const TupleType*>(detail::make_type(Kind, elements.data(), elements.size()).get()));
  }
  static TypeRef<TupleType> createNamed(const optional<QualifiedName>& name, const std::vector<std::string>& fields,
                                        const std::vector<TypePtr>& elements) {
    return TypeRef<TupleType>::borrowed(static_cast<const TupleType*>(
        detail::make_type(Kind, elements.data(), elements.size(), name ? name->qualifiedName() : std::string(), &fields)
            .get()));
  }
  std::vector<TypePtr> elements() const { return containedTypes(); }
  // The fields of a named tuple; null of others.
  std::shared_ptr<FunctionSchema> schema() const;
};
using TupleTypePtr = TypeRef<TupleType>;
struct UnionType : Type {
  static constexpr TypeKind Kind = TypeKind::UnionType;
};
// The type of an object has the attributes that the object's class has; one that a signature names has its name alone.
struct ClassType : Type {
  static constexpr TypeKind Kind = TypeKind::ClassType;
  size_t numAttributes() const { return containedTypeSize(); }
  std::string getAttributeName(size_t slot) const { return field_names().at(slot); }
  TypePtr getAttribute(size_t slot) const { return containedTypes().at(slot); }
  // Throws c10::Error when there is none.
  TypePtr getAttribute(const std::string& name) const { return getAttribute(getAttributeSlot(name)); }
  // Null when there is none.
  TypePtr findAttribute(const std::string& name) const {
    const optional<size_t> slot = findAttributeSlot(name);
    return slot ? getAttribute(*slot) : TypePtr();
  }
  optional<size_t> findAttributeSlot(const std::string& name) const {
    const std::vector<std::string> names = field_names();
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return i;
    }
    return nullopt;
  }
  size_t getAttributeSlot(const std::string& name) const {
    const optional<size_t> slot = findAttributeSlot(name);
    TORCH_CHECK(slot, type_name(), " does not have an attribute with name '", name, "'");
    return *slot;
  }
  bool hasAttribute(const std::string& name) const { return findAttributeSlot(name).has_value(); }
};
using ClassTypePtr = TypeRef<ClassType>;
struct InterfaceType : Type {
  static constexpr TypeKind Kind = TypeKind::InterfaceType;
};
struct EnumType : Type {
  static constexpr TypeKind Kind = TypeKind::EnumType;
};
using EnumTypePtr = TypeRef<EnumType>;

inline TypePtr unshapedType(const TypePtr& t) { return t; }

namespace detail {
template <class T>
struct TypeOf {  // custom classes
  static TypePtr get() { return basic_type(TypeKind::AnyType); }
};
}  // namespace detail
// The type of values that a C++ type stands for.
template <class T>
TypePtr getTypePtr() {
  return detail::TypeOf<typename std::decay<T>::type>::get();
}
template <class T>
TypePtr getTypePtrCopy() {
  return getTypePtr<T>();
}
template <class T>
class List;
template <class K, class V>
class Dict;
struct IValue;
namespace detail {
#define WICK_TYPE_OF(cpp, Name)                                 \
  template <>                                                   \
  struct TypeOf<cpp> {                                          \
    static TypePtr get() { return basic_type(TypeKind::Name); } \
  };
WICK_TYPE_OF(at::Tensor, TensorType)
WICK_TYPE_OF(int64_t, IntType)
WICK_TYPE_OF(int, IntType)
WICK_TYPE_OF(double, FloatType)
WICK_TYPE_OF(float, FloatType)
WICK_TYPE_OF(bool, BoolType)
WICK_TYPE_OF(c10::complex<double>, ComplexType)
WICK_TYPE_OF(at::Scalar, NumberType)
WICK_TYPE_OF(std::string, StringType)
WICK_TYPE_OF(c10::string_view, StringType)
WICK_TYPE_OF(c10::Device, DeviceObjType)
WICK_TYPE_OF(at::Generator, GeneratorType)
WICK_TYPE_OF(c10::Stream, StreamObjType)
WICK_TYPE_OF(c10::ScalarType, IntType)
WICK_TYPE_OF(c10::Layout, IntType)
WICK_TYPE_OF(c10::MemoryFormat, IntType)
WICK_TYPE_OF(void, NoneType)
#undef WICK_TYPE_OF
template <class T>
struct TypeOf<optional<T>> {
  static TypePtr get() { return OptionalType::create(TypeOf<T>::get()); }
};
#if __cplusplus >= 201703L
template <class T>
struct TypeOf<std::optional<T>> : TypeOf<optional<T>> {};
#endif
template <class T>
struct TypeOf<std::vector<T>> {
  static TypePtr get() { return ListType::create(TypeOf<T>::get()); }
};
template <class T>
struct TypeOf<ArrayRef<T>> : TypeOf<std::vector<T>> {};
template <class T>
struct TypeOf<List<T>> : TypeOf<std::vector<T>> {};
template <class T, size_t N>
struct TypeOf<std::array<T, N>> : TypeOf<std::vector<T>> {};
template <class K, class V>
struct TypeOf<Dict<K, V>> {
  static TypePtr get() { return DictType::create(TypeOf<K>::get(), TypeOf<V>::get()); }
};
template <class K, class V>
struct TypeOf<std::unordered_map<K, V>> : TypeOf<Dict<K, V>> {};
template <class... Ts>
struct TypeOf<std::tuple<Ts...>> {
  static TypePtr get() { return TupleType::create({TypeOf<Ts>::get()...}); }
};
}  // namespace detail

}  // namespace c10
