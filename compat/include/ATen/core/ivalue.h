// c10::IValue: any value a model computes with. 16 bytes, the same object as a wick::IValue.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <ATen/TensorIndexing.h>
#include <ATen/core/Generator.h>
#include <ATen/core/TensorBody.h>
#include <ATen/core/jit_type.h>
#include <c10/util/intrusive_ptr.h>
#include <c10/util/string_view.h>

namespace torch {
class CustomClassHolder : public c10::intrusive_ptr_target {};
namespace jit {
struct Module;
using Stack = std::vector<c10::IValue>;
}  // namespace jit
}  // namespace torch

namespace c10 {

template <class T>
class List;
template <class K, class V>
class Dict;
namespace impl {
using GenericList = List<IValue>;
using GenericDict = Dict<IValue, IValue>;
}  // namespace impl
namespace ivalue {
struct Tuple;
struct Future;
struct Object;
struct ConstantString;
struct EnumHolder;
}  // namespace ivalue
namespace detail {
template <class T, class Enable = void>
struct FromIValue;
}  // namespace detail

// Numbers, None and devices are held by value; tensors, strings, containers and objects are shared by copies. Threads:
// as std::shared_ptr.
struct IValue final {
  enum class Tag : uint8_t {
    None,
    Bool,
    Int,
    Double,
    Device,
    Uninitialized,
    // From here on the payload is counted.
    Tensor,
    ComplexDouble,
    String,
    GenericList,
    Tuple,
    GenericDict,
    Object,
    Enum,
    Future,
    Generator,
    Capsule,  // an object of a class implemented in C++
  };

  IValue() noexcept : tag_(Tag::None) { payload_.i = 0; }
  IValue(const IValue& o) noexcept : tag_(o.tag_) {
    payload_.i = o.payload_.i;
    if (isPtrType()) wick_compat::retain(payload_.ref);
  }
  IValue(IValue&& o) noexcept : tag_(o.tag_) {
    payload_.i = o.payload_.i;
    o.tag_ = Tag::None;
    o.payload_.i = 0;
  }
  ~IValue() {
    if (isPtrType()) wick_compat::release(payload_.ref);
  }
  IValue& operator=(IValue o) & noexcept {
    swap(o);
    return *this;
  }
  void swap(IValue& o) noexcept {
    std::swap(payload_.i, o.payload_.i);
    std::swap(tag_, o.tag_);
  }

  IValue(nullopt_t) noexcept : IValue() {}
  IValue(at::Tensor t) noexcept : tag_(t.defined() ? Tag::Tensor : Tag::None) {
    payload_.ref = t.unsafeGetTensorImpl();
    new (&t) at::Tensor();  // its reference is this value's now
  }
  IValue(double v) noexcept : tag_(Tag::Double) { payload_.d = v; }
  IValue(int64_t v) noexcept : tag_(Tag::Int) { payload_.i = v; }
  IValue(int32_t v) noexcept : IValue(static_cast<int64_t>(v)) {}
  IValue(bool v) noexcept : tag_(Tag::Bool) { payload_.i = v; }
  template <class T>
  IValue(c10::complex<T> v) : IValue(make_complex(static_cast<double>(v.real()), static_cast<double>(v.imag()))) {}
  IValue(const at::Scalar& v);
  IValue(const at::Generator& v) noexcept : tag_(v.defined() ? Tag::Generator : Tag::None) {
    wick_compat::retain(v.ref());
    payload_.ref = v.ref();
  }
  IValue(c10::Device v) noexcept : tag_(Tag::Device) {
    payload_.i = 0;
    const int8_t parts[2] = {static_cast<int8_t>(v.type()), v.index()};
    std::memcpy(&payload_.i, parts, 2);
  }
  IValue(ScalarType v) noexcept : IValue(static_cast<int64_t>(v)) {}
  IValue(Layout v) noexcept : IValue(static_cast<int64_t>(v)) {}
  IValue(MemoryFormat v) noexcept : IValue(static_cast<int64_t>(v)) {}
  IValue(QScheme v) noexcept : IValue(static_cast<int64_t>(v)) {}
  IValue(const SymInt& v) noexcept : IValue(v.expect_int()) {}
  IValue(std::string v);
  IValue(const char* v) : IValue(std::string(v)) {}
  IValue(c10::string_view v) : IValue(std::string(v)) {}
  IValue(intrusive_ptr<ivalue::Tuple> v);
  IValue(intrusive_ptr<ivalue::Object> v);
  IValue(intrusive_ptr<ivalue::Future> v);
  IValue(intrusive_ptr<ivalue::ConstantString> v);
  IValue(intrusive_ptr<ivalue::EnumHolder> v);
  // An object of a class registered with torch::class_.
  template <class T, class = typename std::enable_if<std::is_base_of<torch::CustomClassHolder, T>::value>::type>
  IValue(intrusive_ptr<T> v)
      : IValue(make_custom(intrusive_ptr<torch::CustomClassHolder>(std::move(v)), class_mark<T>())) {}
  template <class T>
  IValue(const List<T>& v);
  template <class K, class V>
  IValue(const Dict<K, V>& v);
  template <class T>
  IValue(const std::vector<T>& v);
  template <class T>
  IValue(ArrayRef<T> v);
  template <class T, size_t N>
  IValue(const std::array<T, N>& v);
  template <class K, class V>
  IValue(const std::unordered_map<K, V>& v);
  template <class T>
  IValue(const optional<T>& v) : IValue(v ? IValue(*v) : IValue()) {}
#if __cplusplus >= 201703L
  template <class T>
  IValue(const std::optional<T>& v) : IValue(v ? IValue(*v) : IValue()) {}
#endif
  template <class... Ts>
  IValue(const std::tuple<Ts...>& v);
  IValue(const torch::jit::Module& v);

  static IValue make_capsule(intrusive_ptr<torch::CustomClassHolder> v) { return make_custom(std::move(v), nullptr); }
  static IValue uninitialized() {
    IValue v;
    v.tag_ = Tag::Uninitialized;
    return v;
  }

  Tag tag() const noexcept { return tag_; }
  std::string tagKind() const;
  bool isNone() const { return tag_ == Tag::None; }
  bool isTensor() const { return tag_ == Tag::Tensor; }
  bool isDouble() const { return tag_ == Tag::Double; }
  bool isComplexDouble() const { return tag_ == Tag::ComplexDouble; }
  bool isInt() const { return tag_ == Tag::Int; }
  bool isSymInt() const { return false; }
  bool isBool() const { return tag_ == Tag::Bool; }
  bool isScalar() const { return isDouble() || isInt() || isComplexDouble() || isBool(); }
  bool isDevice() const { return tag_ == Tag::Device; }
  bool isString() const { return tag_ == Tag::String; }
  bool isTuple() const { return tag_ == Tag::Tuple; }
  bool isList() const { return tag_ == Tag::GenericList; }
  bool isIntList() const { return isListOf(TypeKind::IntType); }
  bool isDoubleList() const { return isListOf(TypeKind::FloatType); }
  bool isComplexDoubleList() const { return isListOf(TypeKind::ComplexType); }
  bool isBoolList() const { return isListOf(TypeKind::BoolType); }
  bool isTensorList() const { return isListOf(TypeKind::TensorType); }
  bool isOptionalTensorList() const;
  bool isGenericDict() const { return tag_ == Tag::GenericDict; }
  bool isObject() const { return tag_ == Tag::Object; }
  bool isModule() const;
  bool isEnum() const { return tag_ == Tag::Enum; }
  bool isFuture() const { return tag_ == Tag::Future; }
  bool isGenerator() const { return tag_ == Tag::Generator; }
  bool isCapsule() const { return tag_ == Tag::Capsule; }
  bool isCustomClass() const { return tag_ == Tag::Capsule; }
  bool isStorage() const { return false; }
  bool isStream() const { return false; }
  bool isBlob() const { return false; }
  bool isPyObject() const { return false; }
  bool isRRef() const { return false; }
  bool isQuantizer() const { return false; }
  bool isPtrType() const { return tag_ >= Tag::Tensor; }
  // Wick's values hold neither: these throw.
  Storage toStorage() const { wrong_kind("Storage"); }
  Stream toStream() const { wrong_kind("Stream"); }

  at::Generator toGenerator() const {
    expect(Tag::Generator);
    wick_compat::retain(payload_.ref);
    return at::Generator::taking(payload_.ref);
  }
  std::string toNone() const {
    TORCH_INTERNAL_ASSERT(isNone(), "Expected None but got ", tagKind());
    return "None";
  }
  at::Tensor toTensor() && {
    expect(Tag::Tensor);
    at::Tensor t(std::move(payload_.tensor));
    tag_ = Tag::None;
    return t;
  }
  at::Tensor& toTensor() & { return expect(Tag::Tensor), payload_.tensor; }
  const at::Tensor& toTensor() const& { return expect(Tag::Tensor), payload_.tensor; }
  double toDouble() const { return expect(Tag::Double), payload_.d; }
  int64_t toInt() const { return expect(Tag::Int), payload_.i; }
  SymInt toSymInt() const { return SymInt(toInt()); }
  bool toBool() const { return expect(Tag::Bool), payload_.i != 0; }
  c10::complex<double> toComplexDouble() const;
  at::Scalar toScalar() const;
  c10::Device toDevice() const;
  ScalarType toScalarType() const { return static_cast<ScalarType>(toInt()); }
  Layout toLayout() const { return static_cast<Layout>(toInt()); }
  MemoryFormat toMemoryFormat() const { return static_cast<MemoryFormat>(toInt()); }
  QScheme toQScheme() const { return static_cast<QScheme>(toInt()); }
  const std::string& toStringRef() const;
  c10::string_view toStringView() const { return c10::string_view(toStringRef()); }
  optional<std::reference_wrapper<const std::string>> toOptionalStringRef() const {
    if (isNone()) return nullopt;
    return std::cref(toStringRef());
  }
  intrusive_ptr<ivalue::ConstantString> toString() const;
  intrusive_ptr<ivalue::Tuple> toTuple() const;
  ivalue::Tuple& toTupleRef() const;
  List<int64_t> toIntList() const;
  std::vector<int64_t> toIntVector() const;
  DimVector toDimVector() const;
  List<double> toDoubleList() const;
  std::vector<double> toDoubleVector() const;
  List<c10::complex<double>> toComplexDoubleList() const;
  std::vector<c10::complex<double>> toComplexDoubleVector() const;
  List<bool> toBoolList() const;
  List<at::Tensor> toTensorList() const;
  std::vector<at::Tensor> toTensorVector() const;
  List<optional<at::Tensor>> toOptionalTensorList() const;
  List<IValue> toList() const;
  ArrayRef<IValue> toListRef() const;
  Dict<IValue, IValue> toGenericDict() const;
  intrusive_ptr<ivalue::Object> toObject() const;
  ivalue::Object& toObjectRef() const;
  torch::jit::Module toModule() const;
  intrusive_ptr<ivalue::Future> toFuture() const;
  intrusive_ptr<ivalue::EnumHolder> toEnumHolder() const;
  intrusive_ptr<torch::CustomClassHolder> toCapsule() const;
  template <class T>
  intrusive_ptr<T> toCustomClass() const {
    return intrusive_ptr<T>::reclaim_copy(static_cast<T*>(custom(class_mark<T>())));
  }
  template <class T>
  T to() const {
    return detail::FromIValue<typename std::decay<T>::type>::get(*this);
  }
  template <class T>
  optional<T> toOptional() const {
    if (isNone()) return nullopt;
    return to<T>();
  }

  TypePtr type() const;
  template <class T>
  TypePtr type() const {
    return type();
  }
  // Python's bool(a == b).
  friend bool operator==(const IValue& a, const IValue& b);
  friend bool operator!=(const IValue& a, const IValue& b) { return !(a == b); }
  IValue equals(const IValue& o) const;
  bool is(const IValue& o) const;
  bool isSameIdentity(const IValue& o) const { return is(o); }
  bool isAliasOf(const IValue& o) const;
  IValue hash() const;
  static size_t hash(const IValue& v) { return static_cast<size_t>(v.hash().toInt()); }
  // Sets and maps in which values that share memory are one: tensors of a storage, handles of a container.
  struct HashAliasedIValue {
    size_t operator()(const IValue& v) const { return v.alias_hash(); }
  };
  struct CompAliasedIValues {
    bool operator()(const IValue& a, const IValue& b) const { return a.isAliasOf(b); }
  };
  using HashAliasedIValues = std::unordered_set<IValue, HashAliasedIValue, CompAliasedIValues>;
  using HashAliasedIValueMap = std::unordered_map<IValue, IValue, HashAliasedIValue, CompAliasedIValues>;
  // Adds this value and all that it contains: tensors, containers and objects.
  void getSubValues(HashAliasedIValues& out) const;
  bool overlaps(const IValue& o) const;
  // What shares memory in this value does so in the copy. Of objects, those that are no modules are copied.
  IValue deepcopy() const;
  // Takes from memo what was copied before, and adds what it copies.
  IValue deepcopy(HashAliasedIValueMap& memo) const;
  size_t use_count() const noexcept { return isPtrType() ? wick_compat::use_count(payload_.ref) : 1; }
  const void* internalToPointer() const { return isPtrType() ? payload_.ref : nullptr; }
  TensorImpl* unsafeToTensorImpl() const { return static_cast<TensorImpl*>(payload_.ref); }
  std::ostream& repr(std::ostream& out, std::function<bool(std::ostream&, const IValue&)> formatter) const;
  void dump() const;
  // Calls visitor for this value and all that it contains; a visitor that returns true ends the walk.
  void visit(const std::function<bool(const IValue&)>& visitor) const;

  // For the library's own code: takes over, or shares, a reference to one of Wick's objects.
  static IValue taking(Tag tag, const void* ref) {
    IValue v;
    v.tag_ = tag;
    v.payload_.ref = const_cast<void*>(ref);
    return v;
  }
  static IValue sharing(Tag tag, const void* ref) {
    wick_compat::retain(ref);
    return taking(tag, ref);
  }
  void* ref() const { return isPtrType() ? payload_.ref : nullptr; }
  // Stands for a class of the application's own.
  template <class T>
  static const void* class_mark() {
    return &TypeMark<T>::mark;
  }

 private:
  template <class T>
  struct TypeMark {  // its address stands for the class
    static const char mark;
  };
  static IValue make_complex(double re, double im);
  static IValue make_custom(intrusive_ptr<torch::CustomClassHolder> v, const void* mark);
  torch::CustomClassHolder* custom(const void* mark) const;
  bool isListOf(TypeKind kind) const;
  void expect(Tag tag) const {
    if (C10_UNLIKELY(tag_ != tag)) wrong_tag(tag);
  }
  [[noreturn]] void wrong_tag(Tag expected) const;
  [[noreturn]] void wrong_kind(const char* expected) const;
  size_t alias_hash() const;
  IValue copied(HashAliasedIValueMap& memo) const;

  union Payload {
    Payload() {}
    ~Payload() {}
    int64_t i;
    double d;
    void* ref;
    at::Tensor tensor;
  } payload_;
  Tag tag_;
};
static_assert(sizeof(IValue) == 16 || sizeof(void*) != 8, "the layout of wick::IValue");
template <class T>
const char IValue::TypeMark<T>::mark = 0;

std::ostream& operator<<(std::ostream& out, const IValue& v);
using StringViewIValue = IValue;

}  // namespace c10

namespace at {
using c10::IValue;
}

#include <ATen/core/containers.h>
