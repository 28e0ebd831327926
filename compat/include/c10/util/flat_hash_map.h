// ska::flat_hash_map and flat_hash_set: hash tables. Here they are the standard library's, whose elements stay in
// place.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace ska {

template <class K, class V, class Hash = std::hash<K>, class Equal = std::equal_to<K>,
          class Allocator = std::allocator<std::pair<const K, V>>>
using flat_hash_map = std::unordered_map<K, V, Hash, Equal, Allocator>;
template <class T, class Hash = std::hash<T>, class Equal = std::equal_to<T>, class Allocator = std::allocator<T>>
using flat_hash_set = std::unordered_set<T, Hash, Equal, Allocator>;

}  // namespace ska
