// Tuple, Object, Future, strings and enums of an IValue; conversions between IValues and C++ values.
#pragma once

#include <chrono>
#include <functional>

#include <ATen/core/Dict_inl.h>

namespace c10 {
namespace ivalue {

struct ConstantString final : wick_compat::Value {
  static intrusive_ptr<ConstantString> create(std::string v);
  static intrusive_ptr<ConstantString> make_value(std::string v) { return create(std::move(v)); }
  const std::string& string() const;
  c10::string_view string_view() const { return c10::string_view(string()); }
  operator const std::string&() const { return string(); }
};

// The elements of a tuple; a copy is a list of its own.
struct TupleElements {
  using iterator = std::vector<IValue>::iterator;
  using const_iterator = std::vector<IValue>::const_iterator;
  TupleElements() = default;
  explicit TupleElements(std::vector<IValue> v) : items_(std::move(v)) {}
  const IValue& operator[](size_t i) const { return items_[i]; }
  IValue& operator[](size_t i) { return items_[i]; }
  const IValue& at(size_t i) const {
    TORCH_CHECK(i < items_.size(), "TupleElements: invalid index Index = ", i, "; Length = ", items_.size());
    return items_[i];
  }
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  const_iterator begin() const { return items_.begin(); }
  const_iterator end() const { return items_.end(); }
  iterator begin() { return items_.begin(); }
  iterator end() { return items_.end(); }
  const_iterator cbegin() const { return items_.cbegin(); }
  const_iterator cend() const { return items_.cend(); }
  const IValue& front() const { return items_.front(); }
  const IValue& back() const { return items_.back(); }
  void setContents(std::vector<IValue>&& v) { items_ = std::move(v); }
  const std::vector<IValue>& vec() const& { return items_; }
  std::vector<IValue> vec() && { return std::move(items_); }
  operator std::vector<IValue>() const { return items_; }
  operator ArrayRef<IValue>() const { return ArrayRef<IValue>(items_); }

 private:
  std::vector<IValue> items_;
};

struct Tuple final : wick_compat::Value {
  static intrusive_ptr<Tuple> create(std::vector<IValue> elements);
  template <class... Args, class = typename std::enable_if<
                               !(sizeof...(Args) == 1 && std::is_same<std::tuple<typename std::decay<Args>::type...>,
                                                                      std::tuple<std::vector<IValue>>>::value)>::type>
  static intrusive_ptr<Tuple> create(Args&&... args) {
    return create(std::vector<IValue>{IValue(std::forward<Args>(args))...});
  }
  static intrusive_ptr<Tuple> create(std::initializer_list<IValue> elements) {
    return create(std::vector<IValue>(elements));
  }
  static intrusive_ptr<Tuple> make_value(std::vector<IValue> elements) { return create(std::move(elements)); }
  static intrusive_ptr<Tuple> createNamed(std::vector<IValue> elements, const TupleTypePtr& type);
  const TupleElements& elements() const&;
  size_t size() const { return elements().size(); }
  void setElements(std::vector<IValue>&& elements);
  void setElement(size_t i, IValue v);
  TypePtr type() const;
  friend bool operator==(const Tuple& a, const Tuple& b) { return a.elements().vec() == b.elements().vec(); }
};

// An instance of a TorchScript class or module. Attributes may be read and written by several threads.
struct Object final : wick_compat::Value {
  IValue getAttr(const std::string& name) const;
  void setAttr(const std::string& name, IValue v);
  IValue getSlot(size_t i) const;
  void setSlot(size_t i, IValue v);
  std::vector<IValue> slots() const;
  std::string name() const;
  bool hasAttr(const std::string& name) const;
  TypePtr type() const;
};

struct EnumHolder final : wick_compat::Value {
  std::string qualifiedClassName() const;
  std::string unqualifiedClassName() const;
  const std::string& name() const;
  const IValue& value() const;
};

// The result of a task, there later. All members may be called from several threads.
struct Future final : wick_compat::Value {
  struct FutureError final : public std::exception {
    explicit FutureError(std::string msg) : error_msg(std::move(msg)) {}
    const char* what() const noexcept override { return error_msg.c_str(); }
    std::string error_msg;
  };
  static intrusive_ptr<Future> make_value(TypePtr type, std::vector<Device> = {});
  void wait();
  void waitAndThrow() { (void)value_or_throw(); }
  IValue value() { return value_or_throw(); }
  const IValue constValue() const;
  bool completed() const;
  bool hasValue() const { return completed() && !hasError(); }
  bool hasError() const;
  std::exception_ptr exception_ptr() const;
  std::string tryRetrieveErrorMessage() const;
  void markCompleted(IValue v);
  void markCompleted() { markCompleted(IValue()); }
  void setError(std::exception_ptr error);
  // f takes the future, or nothing.
  template <class F>
  void addCallback(F f, bool = false) {
    add_callback(std::function<void(Future&)>(CallWith<F>{std::move(f)}));
  }
  // The future of what f gives when this one is there: an IValue, or anything that one is made of.
  template <class F>
  intrusive_ptr<Future> then(F f, TypePtr type) {
    auto after = make_value(std::move(type));
    addCallback([after, f](Future& self) mutable {
      try {
        after->markCompleted(IValue(CallWith<F>::result(f, self, 0)));
      } catch (...) {
        after->setError(std::current_exception());
      }
    });
    return after;
  }
  TypePtr elementType() const { return AnyType::get(); }

 private:
  template <class F>
  struct CallWith {
    F f;
    void operator()(Future& future) { call(f, future, 0); }
    template <class G>
    static auto result(G& g, Future& future, int) -> decltype(g(future)) {
      return g(future);
    }
    template <class G>
    static auto result(G& g, Future&, long) -> decltype(g()) {
      return g();
    }
    template <class G>
    static auto call(G& g, Future& future, int) -> decltype(g(future), void()) {
      g(future);
    }
    template <class G>
    static auto call(G& g, Future&, long) -> decltype(g(), void()) {
      g();
    }
  };
  IValue value_or_throw();
  void add_callback(std::function<void(Future&)> f);
};

}  // namespace ivalue

// A future of the list, once each of it is there; it has the first error of theirs.
intrusive_ptr<ivalue::Future> collectAll(List<intrusive_ptr<ivalue::Future>> futures);
// What the first of them gives.
intrusive_ptr<ivalue::Future> collectAny(List<intrusive_ptr<ivalue::Future>> futures);

inline IValue::IValue(intrusive_ptr<ivalue::Tuple> v) : IValue() {
  if (v) IValue(taking(Tag::Tuple, v.release())).swap(*this);
}
inline IValue::IValue(intrusive_ptr<ivalue::Object> v) : IValue() {
  if (v) IValue(taking(Tag::Object, v.release())).swap(*this);
}
inline IValue::IValue(intrusive_ptr<ivalue::Future> v) : IValue() {
  if (v) IValue(taking(Tag::Future, v.release())).swap(*this);
}
inline IValue::IValue(intrusive_ptr<ivalue::ConstantString> v) : IValue() {
  if (v) IValue(taking(Tag::String, v.release())).swap(*this);
}
inline IValue::IValue(intrusive_ptr<ivalue::EnumHolder> v) : IValue() {
  if (v) IValue(taking(Tag::Enum, v.release())).swap(*this);
}
template <class T>
IValue::IValue(const List<T>& v) : IValue(sharing(Tag::GenericList, v.handle())) {}
template <class K, class V>
IValue::IValue(const Dict<K, V>& v) : IValue(sharing(Tag::GenericDict, v.handle())) {}
template <class T>
IValue::IValue(const std::vector<T>& v) : IValue() {
  List<T> list;
  list.reserve(v.size());
  for (const auto& item : v) list.push_back(static_cast<T>(item));
  *this = IValue(list);
}
template <class T>
IValue::IValue(ArrayRef<T> v) : IValue(List<T>(v)) {}
template <class T, size_t N>
IValue::IValue(const std::array<T, N>& v) : IValue(List<T>(ArrayRef<T>(v))) {}
template <class K, class V>
IValue::IValue(const std::unordered_map<K, V>& v) : IValue() {
  Dict<K, V> dict;
  for (const auto& entry : v) dict.insert(entry.first, entry.second);
  *this = IValue(dict);
}
namespace detail {
template <class Tuple, size_t... I>
std::vector<IValue> tuple_items(const Tuple& t, std::index_sequence<I...>) {
  return std::vector<IValue>{IValue(std::get<I>(t))...};
}
}  // namespace detail
template <class... Ts>
IValue::IValue(const std::tuple<Ts...>& v)
    : IValue(ivalue::Tuple::create(detail::tuple_items(v, std::index_sequence_for<Ts...>()))) {}

inline List<IValue> IValue::toList() const {
  expect(Tag::GenericList);
  wick_compat::retain(ref());
  return List<IValue>::adopt(ref());
}
inline ArrayRef<IValue> IValue::toListRef() const {
  expect(Tag::GenericList);
  return ArrayRef<IValue>(detail::list_items(ref()), detail::list_size(ref()));
}
inline Dict<IValue, IValue> IValue::toGenericDict() const {
  expect(Tag::GenericDict);
  wick_compat::retain(ref());
  return Dict<IValue, IValue>::adopt(ref());
}
#define WICK_TO_LIST(Name, T)                                                    \
  inline List<T> IValue::to##Name() const {                                      \
    TORCH_INTERNAL_ASSERT(is##Name(), "Expected " #Name " but got ", tagKind()); \
    wick_compat::retain(ref());                                                  \
    return List<T>::adopt(ref());                                                \
  }
WICK_TO_LIST(IntList, int64_t)
WICK_TO_LIST(DoubleList, double)
WICK_TO_LIST(ComplexDoubleList, c10::complex<double>)
WICK_TO_LIST(BoolList, bool)
WICK_TO_LIST(TensorList, at::Tensor)
WICK_TO_LIST(OptionalTensorList, optional<at::Tensor>)
#undef WICK_TO_LIST
inline std::vector<int64_t> IValue::toIntVector() const { return toIntList().vec(); }
inline DimVector IValue::toDimVector() const { return DimVector(toIntList().vec()); }
inline std::vector<double> IValue::toDoubleVector() const { return toDoubleList().vec(); }
inline std::vector<c10::complex<double>> IValue::toComplexDoubleVector() const { return toComplexDoubleList().vec(); }
inline std::vector<at::Tensor> IValue::toTensorVector() const { return toTensorList().vec(); }
inline intrusive_ptr<ivalue::ConstantString> IValue::toString() const {
  expect(Tag::String);
  return intrusive_ptr<ivalue::ConstantString>::reclaim_copy(static_cast<ivalue::ConstantString*>(ref()));
}
inline const std::string& IValue::toStringRef() const {
  expect(Tag::String);
  return static_cast<ivalue::ConstantString*>(ref())->string();
}
inline ivalue::Tuple& IValue::toTupleRef() const {
  expect(Tag::Tuple);
  return *static_cast<ivalue::Tuple*>(ref());
}
inline intrusive_ptr<ivalue::Tuple> IValue::toTuple() const {
  return intrusive_ptr<ivalue::Tuple>::reclaim_copy(&toTupleRef());
}
inline ivalue::Object& IValue::toObjectRef() const {
  expect(Tag::Object);
  return *static_cast<ivalue::Object*>(ref());
}
inline intrusive_ptr<ivalue::Object> IValue::toObject() const {
  return intrusive_ptr<ivalue::Object>::reclaim_copy(&toObjectRef());
}
inline intrusive_ptr<ivalue::Future> IValue::toFuture() const {
  expect(Tag::Future);
  return intrusive_ptr<ivalue::Future>::reclaim_copy(static_cast<ivalue::Future*>(ref()));
}
inline intrusive_ptr<ivalue::EnumHolder> IValue::toEnumHolder() const {
  expect(Tag::Enum);
  return intrusive_ptr<ivalue::EnumHolder>::reclaim_copy(static_cast<ivalue::EnumHolder*>(ref()));
}

namespace detail {
#define WICK_FROM_IVALUE(type, expression)                    \
  template <>                                                 \
  struct FromIValue<type> {                                   \
    static type get(const IValue& v) { return v.expression; } \
  };
WICK_FROM_IVALUE(at::Tensor, toTensor())
WICK_FROM_IVALUE(double, toDouble())
WICK_FROM_IVALUE(int64_t, toInt())
WICK_FROM_IVALUE(bool, toBool())
WICK_FROM_IVALUE(c10::complex<double>, toComplexDouble())
WICK_FROM_IVALUE(at::Scalar, toScalar())
WICK_FROM_IVALUE(c10::Device, toDevice())
WICK_FROM_IVALUE(std::string, toStringRef())
WICK_FROM_IVALUE(c10::string_view, toStringView())
WICK_FROM_IVALUE(ScalarType, toScalarType())
WICK_FROM_IVALUE(Layout, toLayout())
WICK_FROM_IVALUE(MemoryFormat, toMemoryFormat())
WICK_FROM_IVALUE(intrusive_ptr<ivalue::Tuple>, toTuple())
WICK_FROM_IVALUE(intrusive_ptr<ivalue::Object>, toObject())
WICK_FROM_IVALUE(intrusive_ptr<ivalue::Future>, toFuture())
WICK_FROM_IVALUE(intrusive_ptr<ivalue::EnumHolder>, toEnumHolder())
WICK_FROM_IVALUE(intrusive_ptr<ivalue::ConstantString>, toString())
#undef WICK_FROM_IVALUE
// Other numbers: an integer of an int, a float of a float.
template <class T>
struct FromIValue<T, typename std::enable_if<std::is_integral<T>::value>::type> {
  static T get(const IValue& v) { return static_cast<T>(v.toInt()); }
};
template <>
struct FromIValue<float> {
  static float get(const IValue& v) { return static_cast<float>(v.toDouble()); }
};
template <>
struct FromIValue<IValue> {
  static IValue get(const IValue& v) { return v; }
};
template <class T>
struct FromIValue<optional<T>> {
  static optional<T> get(const IValue& v) { return v.toOptional<T>(); }
};
#if __cplusplus >= 201703L
template <class T>
struct FromIValue<std::optional<T>> {
  static std::optional<T> get(const IValue& v) { return v.isNone() ? std::optional<T>() : FromIValue<T>::get(v); }
};
#endif
template <class T>
struct FromIValue<List<T>> {
  static List<T> get(const IValue& v) { return impl::toTypedList<T>(v.toList()); }
};
template <>
struct FromIValue<List<IValue>> {
  static List<IValue> get(const IValue& v) { return v.toList(); }
};
template <class T>
struct FromIValue<std::vector<T>> {
  static std::vector<T> get(const IValue& v) {
    std::vector<T> out;
    for (const IValue& item : v.toListRef()) out.push_back(item.to<T>());
    return out;
  }
};
template <class T, size_t N>
struct FromIValue<std::array<T, N>> {
  static std::array<T, N> get(const IValue& v) {
    const ArrayRef<IValue> items = v.toListRef();
    TORCH_CHECK(items.size() == N, "Tried to convert a List with ", items.size(),
                " elements to a fixed-size array of size ", N);
    std::array<T, N> out;
    for (size_t i = 0; i < N; ++i) out[i] = items[i].to<T>();
    return out;
  }
};
template <class K, class V>
struct FromIValue<Dict<K, V>> {
  static Dict<K, V> get(const IValue& v) { return impl::toTypedDict<K, V>(v.toGenericDict()); }
};
template <>
struct FromIValue<Dict<IValue, IValue>> {
  static Dict<IValue, IValue> get(const IValue& v) { return v.toGenericDict(); }
};
template <class K, class V>
struct FromIValue<std::unordered_map<K, V>> {
  static std::unordered_map<K, V> get(const IValue& v) {
    std::unordered_map<K, V> out;
    for (const auto& entry : v.toGenericDict())
      out.emplace(entry.key().template to<K>(), entry.value().template to<V>());
    return out;
  }
};
template <class... Ts>
struct FromIValue<std::tuple<Ts...>> {
  static std::tuple<Ts...> get(const IValue& v) {
    return make(v.toTupleRef().elements().vec(), std::index_sequence_for<Ts...>());
  }
  template <size_t... I>
  static std::tuple<Ts...> make(const std::vector<IValue>& items, std::index_sequence<I...>) {
    TORCH_CHECK(items.size() == sizeof...(Ts), "Expected a tuple of ", sizeof...(Ts), " elements but got ",
                items.size());
    return std::tuple<Ts...>(items[I].template to<Ts>()...);
  }
};
TypePtr custom_class_type(const void* mark);
template <class T>
struct TypeOf<intrusive_ptr<T>> {
  static TypePtr get() { return custom_class_type(IValue::class_mark<T>()); }
};
template <class T>
struct FromIValue<intrusive_ptr<T>,
                  typename std::enable_if<std::is_base_of<torch::CustomClassHolder, T>::value>::type> {
  static intrusive_ptr<T> get(const IValue& v) { return v.toCustomClass<T>(); }
};
}  // namespace detail

}  // namespace c10
