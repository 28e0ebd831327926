// c10::hash: of values, tuples and lists of them.
#pragma once

#include <cstddef>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include <c10/util/ArrayRef.h>
#include <c10/util/complex.h>

namespace c10 {

inline size_t hash_combine(size_t seed, size_t value) {
  return seed ^ (value + 0x9e3779b9 + (seed << 6u) + (seed >> 2u));
}

namespace detail {
template <class T>
size_t hash_of(const T& v) {
  return std::hash<T>()(v);
}
template <class T>
size_t hash_of_list(const T& list);
template <class T>
size_t hash_of(const std::vector<T>& v) {
  return hash_of_list(v);
}
template <class T>
size_t hash_of(const ArrayRef<T>& v) {
  return hash_of_list(v);
}
template <class T>
size_t hash_of_list(const T& list) {
  size_t seed = 0;
  for (const auto& item : list) seed = hash_combine(seed, hash_of(item));
  return seed;
}
template <size_t I, class... Ts>
typename std::enable_if<I == sizeof...(Ts), size_t>::type hash_of_tuple(const std::tuple<Ts...>&) {
  return 0;
}
template <size_t I, class... Ts>
typename std::enable_if<(I < sizeof...(Ts)), size_t>::type hash_of_tuple(const std::tuple<Ts...>& t) {
  return hash_combine(hash_of_tuple<I + 1>(t), hash_of(std::get<I>(t)));
}
template <class... Ts>
size_t hash_of(const std::tuple<Ts...>& t) {
  return hash_of_tuple<0>(t);
}
template <class A, class B>
size_t hash_of(const std::pair<A, B>& p) {
  return hash_combine(hash_of(p.first), hash_of(p.second));
}
}  // namespace detail

template <class T>
struct hash {
  size_t operator()(const T& v) const { return detail::hash_of(v); }
};
template <class... Ts>
size_t get_hash(const Ts&... values) {
  return detail::hash_of(std::make_tuple(values...));
}

}  // namespace c10
