// IValue: any value a model computes with.
#pragma once

#include <atomic>
#include <complex>
#include <concepts>
#include <exception>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wick/dtype.h"
#include "wick/error.h"
#include "wick/memory_charge.h"
#include "wick/ref.h"
#include "wick/scalar.h"
#include "wick/tensor.h"
#include "wick/type.h"

namespace wick {

class IValue;
struct StringImpl;
struct ComplexImpl;
struct ListImpl;
struct TupleImpl;
struct DictImpl;
struct ObjectImpl;
struct EnumImpl;
class FutureImpl;
class GeneratorImpl;
class CustomObject;

// Integers that are numbers: not bool, and not characters.
template <class T>
concept PlainInteger =
    std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
    !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

namespace detail {
[[noreturn]] void refuse_range(int64_t number);  // kInvalidArgument: it is none of the integers wanted
[[noreturn]] void refuse_range(uint64_t number);
[[noreturn]] void refuse_count(size_t wanted, size_t found);

// Containers that become values by themselves (wick/conversions.h). Of a std::vector<IValue> it is not plain whether it
// is meant as a list, a tuple or arguments: say so.
template <class T>
inline constexpr bool kIsConverted = false;
template <class T>
inline constexpr bool kIsConverted<std::vector<T>> = !std::same_as<T, IValue>;
template <class K, class V>
inline constexpr bool kIsConverted<std::map<K, V>> = true;
template <class K, class V>
inline constexpr bool kIsConverted<std::unordered_map<K, V>> = true;
template <class T>
inline constexpr bool kIsConverted<std::optional<T>> = true;
template <class... T>
inline constexpr bool kIsConverted<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool kIsConverted<std::pair<A, B>> = true;
}  // namespace detail
template <class T>
concept ConvertsToValue = detail::kIsConverted<T>;

// A tag and a number or one counted reference, 16 bytes. Numbers, None and devices are held by value; tensors, strings,
// containers and objects are shared by copies, as in Python: a change through one is seen through all.
//
//   wick::IValue box(wick::Tensor::zeros({2}));
//   wick::IValue args = wick::IValue::tuple({box, 3, "name"});
//   if (args.is_tuple()) args[1].to_int();                             // 3
//   wick::IValue sizes = std::vector<int64_t>{2, 3};                   // List[int]
//   wick::IValue batch = wick::IValue::dict({{"image", image}, {"scale", 2.0}});
//   wick::Tensor masks = result["masks"].to_tensor();                  // of a model that returns a dict
//   auto [boxes, labels] = result.to<std::tuple<wick::Tensor, std::vector<std::string>>>();
//
// Only what cannot be misunderstood converts by itself: no pointers, no characters, no integers beyond 64 bits.
//
// is_...() ask for the tag; to_...() throw kTypeMismatch when it is another one. References that they return are valid
// while a copy of the value lives and, of elements, until the container changes.
//
// Threads: as std::shared_ptr: different IValues may be used by different threads even when they share what they refer
// to; one IValue, and the contents of one container, may be read by several threads or written by one. Objects lock
// their attributes.
class IValue {
 public:
  enum class Tag : uint8_t {
    kNone,
    kBool,
    kInt,
    kDouble,
    kDevice,
    kUninitialized,  // placeholder of a value that is never read on a valid path
    // From here on the payload is a counted reference.
    kTensor,
    kComplex,
    kString,
    kList,
    kTuple,
    kDict,
    kObject,  // instance of a TorchScript class or module
    kEnum,
    kFuture,
    kGenerator,
    kCustom,  // instance of a class implemented in C++ (packed weights, ...)
  };

  IValue() = default;
  IValue(std::nullopt_t) noexcept {}
  IValue(bool v) noexcept : tag_(Tag::kBool) { payload_.i = v; }
  IValue(int v) noexcept : IValue(static_cast<int64_t>(v)) {}
  IValue(int64_t v) noexcept : tag_(Tag::kInt) { payload_.i = v; }
  template <PlainInteger T>  // throws kInvalidArgument for an unsigned number beyond int64_t
  IValue(T v) : IValue(static_cast<int64_t>(v)) {
    if constexpr (std::unsigned_integral<T> && sizeof(T) >= sizeof(int64_t)) {
      if (v > static_cast<T>(INT64_MAX)) detail::refuse_range(static_cast<uint64_t>(v));
    }
  }
  IValue(double v) noexcept : tag_(Tag::kDouble) { payload_.d = v; }
  IValue(std::complex<double> v);
  IValue(const Scalar& v);
  IValue(Device v) noexcept : tag_(Tag::kDevice) { payload_.device = v; }
  IValue(Tensor v) noexcept;  // an undefined Tensor becomes None
  IValue(std::string v);
  IValue(std::string_view v) : IValue(std::string(v)) {}
  IValue(const char* v) : IValue(std::string_view(v)) {}
  // Lists, dicts, tuples and optionals of C++ become those of a model: wick/conversions.h.
  template <class T>
  requires ConvertsToValue<T> IValue(const T& v);
  // A pointer is not a bool, nor a character a number.
  template <class T>
  requires(!std::same_as<std::remove_cv_t<T>, char>) IValue(T* pointer)
  = delete;
  IValue(std::nullptr_t) = delete;
  IValue(char character) = delete;
  IValue(Ref<ListImpl> v);
  IValue(Ref<TupleImpl> v);
  IValue(Ref<DictImpl> v);
  IValue(Ref<ObjectImpl> v);
  IValue(Ref<EnumImpl> v);
  IValue(Ref<FutureImpl> v);
  IValue(Ref<GeneratorImpl> v);
  IValue(Ref<CustomObject> v);
  static IValue uninitialized() noexcept {
    IValue v;
    v.tag_ = Tag::kUninitialized;
    return v;
  }
  // Typed lists.
  static IValue int_list(IntSpan values);
  static IValue double_list(Span<double> values);
  static IValue bool_list(const std::vector<bool>& values);
  static IValue tensor_list(std::vector<Tensor> values);
  static IValue tuple(std::vector<IValue> items);
  static IValue list(TypePtr element_type, std::vector<IValue> items);
  // A list whose type follows from its items: theirs, or Any where they differ.
  static IValue list(std::vector<IValue> items);
  // A dict, of the types of its entries: dict({{"a", x}, {"b", 1}}).
  static IValue dict(std::vector<std::pair<IValue, IValue>> entries);
  static IValue empty_dict(TypePtr key_type, TypePtr value_type);

  IValue(const IValue& o) noexcept : tag_(o.tag_) {
    payload_.i = o.payload_.i;
    if (is_ref()) payload_.ref->retain();
  }
  IValue(IValue&& o) noexcept : tag_(o.tag_) {
    payload_.i = o.payload_.i;
    o.tag_ = Tag::kNone;
  }
  IValue& operator=(const IValue& o) noexcept {
    IValue copy(o);
    swap(copy);
    return *this;
  }
  IValue& operator=(IValue&& o) noexcept {
    if (this != &o) {
      if (is_ref()) payload_.ref->release();
      payload_.i = o.payload_.i;
      tag_ = o.tag_;
      o.tag_ = Tag::kNone;
    }
    return *this;
  }
  ~IValue() { clear(); }
  void swap(IValue& o) noexcept {
    std::swap(payload_.i, o.payload_.i);
    std::swap(tag_, o.tag_);
  }

  Tag tag() const { return tag_; }
  bool is_none() const { return tag_ == Tag::kNone; }
  bool is_bool() const { return tag_ == Tag::kBool; }
  bool is_int() const { return tag_ == Tag::kInt; }
  bool is_double() const { return tag_ == Tag::kDouble; }
  bool is_complex() const { return tag_ == Tag::kComplex; }
  bool is_number() const { return is_bool() || is_int() || is_double() || is_complex(); }
  bool is_device() const { return tag_ == Tag::kDevice; }
  bool is_tensor() const { return tag_ == Tag::kTensor; }
  bool is_string() const { return tag_ == Tag::kString; }
  bool is_list() const { return tag_ == Tag::kList; }
  bool is_tuple() const { return tag_ == Tag::kTuple; }
  bool is_dict() const { return tag_ == Tag::kDict; }
  bool is_object() const { return tag_ == Tag::kObject; }
  bool is_enum() const { return tag_ == Tag::kEnum; }
  bool is_future() const { return tag_ == Tag::kFuture; }
  bool is_generator() const { return tag_ == Tag::kGenerator; }
  bool is_custom() const { return tag_ == Tag::kCustom; }

  // Checked accessors: throw kTypeMismatch naming both types.
  bool to_bool() const;
  int64_t to_int() const;
  double to_double() const;  // also of an int
  std::complex<double> to_complex() const;
  Scalar to_scalar() const;
  Device to_device() const;
  const Tensor& to_tensor() const;
  const std::string& to_string() const;
  ListImpl& to_list() const;
  TupleImpl& to_tuple() const;
  DictImpl& to_dict() const;
  ObjectImpl& to_object() const;
  EnumImpl& to_enum() const;
  FutureImpl& to_future() const;
  GeneratorImpl& to_generator() const;
  CustomObject& to_custom() const;
  // As a C++ type: to<int64_t>(), to<std::vector<Tensor>>(), to<std::map<std::string, double>>(),
  // to<std::optional<std::string>>(), to<std::tuple<Tensor, Tensor>>(). Throws kTypeMismatch, and kInvalidArgument for
  // a number that T cannot hold.
  template <class T>
  T to() const;
  // Elements of a list, tuple or dict. size() is of a string too. Of others they throw kTypeMismatch; at() and [] throw
  // kIndexOutOfRange or kNotFound. Negative indices count from the end; an int is a key of a dict.
  size_t size() const;
  IValue at(int64_t index) const;
  IValue at(std::string_view key) const;  // of a dict, or an attribute of an object, or a field of a named tuple
  IValue operator[](int64_t index) const { return at(index); }
  IValue operator[](std::string_view key) const { return at(key); }
  bool contains(const IValue& key) const;           // whether a dict has the key
  void set(const IValue& key, IValue value) const;  // of a dict, or by index of a list
  const std::vector<IValue>& items() const;         // of a list or tuple
  // Lists converted element by element.
  IntVec to_int_vec() const;
  std::vector<double> to_double_vec() const;
  std::vector<Tensor> to_tensor_vec() const;

  // "Tensor", "int", "List[int]": the most exact type that can be told from the value; Any for tuples nested
  // deeper than a type may be.
  TypePtr type() const { return type_at(0); }
  // PyTorch's name of the tag, for messages: "Tensor", "Int", "GenericList", ...
  const char* tag_name() const noexcept { return name_of(tag_); }

  // Python's `is`: same object, or equal None/bool/int/float/... by value.
  bool is_same(const IValue& other) const noexcept;

  // What the payload refers to; null for values without a reference. For the library's own code.
  RefCounted* ref_or_null() const { return is_ref() ? payload_.ref : nullptr; }

 private:
  TypePtr type_at(size_t depth) const;
  bool is_ref() const { return tag_ >= Tag::kTensor; }
  void clear() noexcept {
    if (is_ref()) payload_.ref->release();
    tag_ = Tag::kNone;
  }
  IValue(Tag tag, RefCounted* ref);  // throws kInternal when the reference is null
  // What the value refers to; throws when it has another tag.
  RefCounted& expect(Tag tag) const;
  static const char* name_of(Tag tag) noexcept;
  [[noreturn]] void wrong_type(Tag expected) const;

  // No member is larger than .i: copying it copies whichever is live.
  union alignas(8) Payload {
    Payload() noexcept : i(0) {}
    ~Payload() {}
    int64_t i;
    double d;
    Device device;
    RefCounted* ref;
    Tensor tensor;  // one counted pointer; lets to_tensor() give a reference
  } payload_;
  static_assert(sizeof(Tensor) == sizeof(void*) && sizeof(void*) <= sizeof(int64_t) &&
                sizeof(Device) <= sizeof(int64_t));
  Tag tag_ = Tag::kNone;
};
static_assert(sizeof(IValue) == 16);

// What to_string() and to_complex() read; not used directly.
struct StringImpl : RefCounted {
  std::string text;
  MemoryCharge charge;
};
struct ComplexImpl : RefCounted {
  std::complex<double> value;
};

// A list, whose items all have element_type. Whoever adds items keeps to it.
//
//   wick::IValue list = wick::IValue::int_list({1, 2});
//   list.to_list().items.push_back(3);
struct ListImpl : RefCounted {
  TypePtr element_type;  // never null; any() when unknown
  std::vector<IValue> items;
  MemoryCharge charge;  // for the library's own use
};

// A tuple; named ones have the names of the items in named_type->fields().
struct TupleImpl : RefCounted {
  std::vector<IValue> items;
  TypePtr named_type;   // set for a named tuple
  MemoryCharge charge;  // for the library's own use
};

// Insertion-ordered dictionary. Keys: str, int, float, bool, complex, Tensor (by identity).
//
//   auto dict = wick::make_ref<wick::DictImpl>();
//   dict->key_type = wick::types::string();
//   dict->value_type = wick::types::tensor();
//   dict->set("image", image);
//   module.forward({wick::IValue(dict)});
struct DictImpl : RefCounted {
  TypePtr key_type;    // never null
  TypePtr value_type;  // never null

  size_t size() const { return entries_.size(); }
  // Null when absent. The pointer is valid until the next change.
  IValue* find(const IValue& key);
  void set(IValue key, IValue value);  // keeps the position of an existing key
  bool erase(const IValue& key);
  void clear() {
    entries_.clear();
    slots_.clear();
    slots_used_ = 0;
  }
  // Entries in insertion order.
  const std::vector<std::pair<IValue, IValue>>& entries();
  MemoryCharge charge;  // for the library's own use

 private:
  uint32_t* slot_of(const IValue& key, size_t hash);
  uint32_t& free_slot(size_t hash);
  void compact();
  std::vector<std::pair<IValue, IValue>> entries_;
  // Where the keys are, by hash: a place in entries_ plus one; 0: free. At least half are free.
  std::vector<uint32_t> slots_;
  size_t slots_used_ = 0;
};

// What is known of a TorchScript class at run time.
struct ClassInfo {
  std::string name;                      // "__torch__.M"
  std::vector<std::string> attributes;   // slot order
  std::vector<TypePtr> attribute_types;  // same length; any() when unknown
  bool is_module = true;
  // Slot of an attribute, or -1.
  int64_t slot_of(std::string_view attribute) const {
    for (size_t i = 0; i < attributes.size(); ++i) {
      if (attributes[i] == attribute) return static_cast<int64_t>(i);
    }
    return -1;
  }
};

// A class or module instance. Attributes by slot or by name; get, set and attr may be called from several threads.
// After setting attributes of a module this way, plans must be told (Module::set_planning); Module::setattr does both.
struct ObjectImpl : RefCounted {
  std::shared_ptr<ClassInfo> cls;
  IValue get(size_t slot) const;        // throws kIndexOutOfRange
  void set(size_t slot, IValue value);  // grows the slots when needed
  size_t slot_count() const;
  // By name; throws kNotFound.
  IValue attr(std::string_view name) const;
  MemoryCharge charge;  // for the library's own use

 private:
  mutable std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  std::vector<IValue> slots_;
};

// A member of an enum class: "Color.RED" with its value.
struct EnumImpl : RefCounted {
  std::string type_name;
  std::string name;  // empty when the file does not tell
  IValue value;
};

// The result of a task a model has forked, there later. All members may be called from several threads.
//
//   wick::IValue result = module.forward({x});
//   if (result.is_future()) result = result.to_future().wait();
class FutureImpl : public RefCounted {
 public:
  void complete(IValue value);
  void fail(std::exception_ptr error);
  bool done() const;
  // Blocks; returns the value or rethrows the failure.
  IValue wait();
  // Runs `next` when done (at once if it is already).
  template <class F>
  void then(F next) {
    struct Call : Continuation {
      explicit Call(F&& f) : function(std::move(f)) {}
      void run() override { function(); }
      F function;
    };
    add(std::make_unique<Call>(std::move(next)));
  }

  FutureImpl();
  ~FutureImpl() override;

 private:
  struct Continuation {
    virtual ~Continuation() = default;
    virtual void run() = 0;
  };
  struct State;
  void add(std::unique_ptr<Continuation> next);
  void finish(IValue value, std::exception_ptr error);
  std::unique_ptr<State> state_;
};

// Base of classes implemented in C++ that a model holds (packed weights). Models reach it through IValue::to_custom(),
// share it as they share lists, and may call it from several threads at once.
//
//   class Counter : public wick::CustomObject {
//    public:
//     std::string_view class_name() const override { return "__torch__.torch.classes.app.Counter"; }
//     wick::IValue get_state() const override { return wick::IValue(int64_t{0}); }
//   };
//   wick::IValue value(wick::Ref<wick::CustomObject>(new Counter));
class CustomObject : public RefCounted {
 public:
  // "__torch__.torch.classes.xnnpack.Conv2dOpContext"
  virtual std::string_view class_name() const = 0;
  // The value a file stores for it.
  virtual IValue get_state() const = 0;
  // Calls a method the model may use; throws kNotFound.
  virtual IValue call(std::string_view method, std::vector<IValue> args);
};

inline IValue::IValue(Ref<ListImpl> v) : IValue(Tag::kList, v.get()) {}
inline IValue::IValue(Ref<TupleImpl> v) : IValue(Tag::kTuple, v.get()) {}
inline IValue::IValue(Ref<DictImpl> v) : IValue(Tag::kDict, v.get()) {}
inline IValue::IValue(Ref<ObjectImpl> v) : IValue(Tag::kObject, v.get()) {}
inline IValue::IValue(Ref<EnumImpl> v) : IValue(Tag::kEnum, v.get()) {}
inline IValue::IValue(Ref<FutureImpl> v) : IValue(Tag::kFuture, v.get()) {}
inline IValue::IValue(Ref<CustomObject> v) : IValue(Tag::kCustom, v.get()) {}

inline ListImpl& IValue::to_list() const { return static_cast<ListImpl&>(expect(Tag::kList)); }
inline TupleImpl& IValue::to_tuple() const { return static_cast<TupleImpl&>(expect(Tag::kTuple)); }
inline DictImpl& IValue::to_dict() const { return static_cast<DictImpl&>(expect(Tag::kDict)); }
inline ObjectImpl& IValue::to_object() const { return static_cast<ObjectImpl&>(expect(Tag::kObject)); }
inline EnumImpl& IValue::to_enum() const { return static_cast<EnumImpl&>(expect(Tag::kEnum)); }
inline FutureImpl& IValue::to_future() const { return static_cast<FutureImpl&>(expect(Tag::kFuture)); }
inline CustomObject& IValue::to_custom() const { return static_cast<CustomObject&>(expect(Tag::kCustom)); }
inline bool IValue::to_bool() const {
  if (tag_ != Tag::kBool) wrong_type(Tag::kBool);
  return payload_.i != 0;
}
inline int64_t IValue::to_int() const {
  if (tag_ != Tag::kInt) wrong_type(Tag::kInt);
  return payload_.i;
}
inline double IValue::to_double() const {
  if (tag_ == Tag::kInt) return static_cast<double>(payload_.i);
  if (tag_ != Tag::kDouble) wrong_type(Tag::kDouble);
  return payload_.d;
}
inline std::complex<double> IValue::to_complex() const {
  if (tag_ == Tag::kInt || tag_ == Tag::kDouble) return {to_double(), 0};
  return static_cast<ComplexImpl&>(expect(Tag::kComplex)).value;
}
inline Device IValue::to_device() const {
  if (tag_ != Tag::kDevice) wrong_type(Tag::kDevice);
  return payload_.device;
}
inline const Tensor& IValue::to_tensor() const {
  if (tag_ != Tag::kTensor) wrong_type(Tag::kTensor);
  return payload_.tensor;
}
inline IntVec IValue::to_int_vec() const {
  const bool is_one = tag_ == Tag::kInt;
  const IValue* items = is_one ? this : to_list().items.data();
  IntVec out(is_one ? 1 : to_list().items.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = items[i].to_int();
  return out;
}
inline std::vector<double> IValue::to_double_vec() const {
  const bool is_one = tag_ == Tag::kDouble || tag_ == Tag::kInt;
  const IValue* items = is_one ? this : to_list().items.data();
  std::vector<double> out(is_one ? 1 : to_list().items.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = items[i].to_double();
  return out;
}
inline const std::string& IValue::to_string() const { return static_cast<StringImpl&>(expect(Tag::kString)).text; }

inline IValue IValue::int_list(IntSpan values) {
  return list(types::integer(), std::vector<IValue>(values.begin(), values.end()));
}
inline IValue IValue::double_list(Span<double> values) {
  return list(types::floating(), std::vector<IValue>(values.begin(), values.end()));
}
inline IValue IValue::bool_list(const std::vector<bool>& values) {
  return list(types::boolean(), std::vector<IValue>(values.begin(), values.end()));
}

// Equality as the TorchScript operator == defines it for containers, strings and numbers.
// Tensors are compared by elements (as aten::eq on lists of tensors does).
bool equal(const IValue& a, const IValue& b);

// Text of a value as str() in TorchScript gives it ("[1, 2]", "{'a': 1.5}", tensors in PyTorch's form).
std::string repr(const IValue& v);
std::ostream& operator<<(std::ostream& out, const IValue& v);

}  // namespace wick

#include "wick/conversions.h"
