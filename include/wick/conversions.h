// C++ values as IValues and back: IValue(std::vector<int64_t>{1, 2}), value.to<std::map<std::string, Tensor>>().
//
// A type takes part by a specialization of ValueOf. Included by wick/ivalue.h.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wick/ivalue.h"

namespace wick {

// ValueOf<T>: type() of the values that hold a T, make() one of a T, and get() the T back or throw kTypeMismatch.
template <class T>
struct ValueOf;

#define WICK_VALUE_OF(cpp, type_name, getter)              \
  template <>                                              \
  struct ValueOf<cpp> {                                    \
    static TypePtr type() { return types::type_name(); }   \
    static IValue make(const cpp& v) { return IValue(v); } \
    static cpp get(const IValue& v) { return v.getter(); } \
  };
WICK_VALUE_OF(bool, boolean, to_bool)
WICK_VALUE_OF(double, floating, to_double)
WICK_VALUE_OF(std::complex<double>, complex, to_complex)
WICK_VALUE_OF(std::string, string, to_string)
WICK_VALUE_OF(Tensor, tensor, to_tensor)
WICK_VALUE_OF(Scalar, number, to_scalar)
WICK_VALUE_OF(Device, device, to_device)
#undef WICK_VALUE_OF
template <>
struct ValueOf<IValue> {
  static TypePtr type() { return types::any(); }
  static IValue make(const IValue& v) { return v; }
  static IValue get(const IValue& v) { return v; }
};
template <>
struct ValueOf<float> {
  static TypePtr type() { return types::floating(); }
  static IValue make(float v) { return IValue(static_cast<double>(v)); }
  static float get(const IValue& v) { return static_cast<float>(v.to_double()); }
};
template <>
struct ValueOf<DType> {  // an int in TorchScript
  static TypePtr type() { return types::integer(); }
  static IValue make(DType v) { return IValue(static_cast<int64_t>(v)); }
  static DType get(const IValue& v) { return static_cast<DType>(v.to_int()); }
};
template <PlainInteger T>
struct ValueOf<T> {
  static TypePtr type() { return types::integer(); }
  static IValue make(T v) { return IValue(v); }
  static T get(const IValue& v) {
    const int64_t number = v.to_int();
    if (!std::in_range<T>(number)) detail::refuse_range(number);
    return static_cast<T>(number);
  }
};
template <class T>
struct ValueOf<std::optional<T>> {
  static TypePtr type() { return types::optional(ValueOf<T>::type()); }
  static IValue make(const std::optional<T>& v) { return v ? ValueOf<T>::make(*v) : IValue(); }
  static std::optional<T> get(const IValue& v) {
    if (v.is_none()) return std::nullopt;
    return ValueOf<T>::get(v);
  }
};
// A list; a tuple is read as one, too.
template <class T>
struct ValueOf<std::vector<T>> {
  static TypePtr type() { return types::list(ValueOf<T>::type()); }
  static IValue make(const std::vector<T>& v) {
    std::vector<IValue> items;
    items.reserve(v.size());
    for (const auto& item : v) items.push_back(ValueOf<T>::make(item));
    return IValue::list(ValueOf<T>::type(), std::move(items));
  }
  static std::vector<T> get(const IValue& v) {
    const std::vector<IValue>& items = v.items();
    std::vector<T> out;
    out.reserve(items.size());
    for (const IValue& item : items) out.push_back(ValueOf<T>::get(item));
    return out;
  }
};
namespace detail {
template <class Map>
struct ValueOfMap {
  using K = typename Map::key_type;
  using V = typename Map::mapped_type;
  static TypePtr type() { return types::dict(ValueOf<K>::type(), ValueOf<V>::type()); }
  static IValue make(const Map& map) {
    IValue out = IValue::empty_dict(ValueOf<K>::type(), ValueOf<V>::type());
    for (const auto& [key, value] : map) out.to_dict().set(ValueOf<K>::make(key), ValueOf<V>::make(value));
    return out;
  }
  static Map get(const IValue& v) {
    Map out;
    for (const auto& [key, value] : v.to_dict().entries()) out.emplace(ValueOf<K>::get(key), ValueOf<V>::get(value));
    return out;
  }
};
template <class Tuple>
struct ValueOfTuple {
  static constexpr size_t kSize = std::tuple_size_v<Tuple>;
  static TypePtr type() {
    return []<size_t... I>(std::index_sequence<I...>) {
      return types::tuple({ValueOf<std::tuple_element_t<I, Tuple>>::type()...});
    }
    (std::make_index_sequence<kSize>{});
  }
  static IValue make(const Tuple& v) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return IValue::tuple({ValueOf<std::tuple_element_t<I, Tuple>>::make(std::get<I>(v))...});
    }
    (std::make_index_sequence<kSize>{});
  }
  static Tuple get(const IValue& v) {
    const std::vector<IValue>& items = v.items();
    if (items.size() != kSize) refuse_count(kSize, items.size());
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return Tuple(ValueOf<std::tuple_element_t<I, Tuple>>::get(items[I])...);
    }
    (std::make_index_sequence<kSize>{});
  }
};
}  // namespace detail
template <class K, class V>
struct ValueOf<std::map<K, V>> : detail::ValueOfMap<std::map<K, V>> {};
template <class K, class V>
struct ValueOf<std::unordered_map<K, V>> : detail::ValueOfMap<std::unordered_map<K, V>> {};
template <class... T>
struct ValueOf<std::tuple<T...>> : detail::ValueOfTuple<std::tuple<T...>> {};
template <class A, class B>
struct ValueOf<std::pair<A, B>> : detail::ValueOfTuple<std::pair<A, B>> {};

template <class T>
requires ConvertsToValue<T> IValue::IValue(const T& v) : IValue(ValueOf<T>::make(v)) {}

template <class T>
T IValue::to() const {
  return ValueOf<T>::get(*this);
}

}  // namespace wick
