// ska_ordered::order_preserving_flat_hash_map: a hash table that is iterated in the order of insertion.
#pragma once

#include <iterator>
#include <list>
#include <stdexcept>

#include <c10/util/flat_hash_map.h>

namespace ska_ordered {

// Elements stay in place until they are erased.
template <class K, class V, class Hash = std::hash<K>, class Equal = std::equal_to<K>>
class order_preserving_flat_hash_map {
 public:
  using key_type = K;
  using mapped_type = V;
  using value_type = std::pair<const K, V>;
  using iterator = typename std::list<value_type>::iterator;
  using const_iterator = typename std::list<value_type>::const_iterator;

  order_preserving_flat_hash_map() = default;
  order_preserving_flat_hash_map(std::initializer_list<value_type> items) {
    for (const value_type& item : items) insert(item);
  }
  order_preserving_flat_hash_map(const order_preserving_flat_hash_map& o) {
    for (const value_type& item : o) insert(item);
  }
  order_preserving_flat_hash_map(order_preserving_flat_hash_map&& o) : order_preserving_flat_hash_map() { swap(o); }
  order_preserving_flat_hash_map& operator=(order_preserving_flat_hash_map o) {
    swap(o);
    return *this;
  }
  void swap(order_preserving_flat_hash_map& o) {
    items_.swap(o.items_);
    places_.swap(o.places_);
  }

  iterator begin() { return items_.begin(); }
  iterator end() { return items_.end(); }
  const_iterator begin() const { return items_.begin(); }
  const_iterator end() const { return items_.end(); }
  size_t size() const { return places_.size(); }
  bool empty() const { return places_.empty(); }
  void clear() {
    places_.clear();
    items_.clear();
  }
  void reserve(size_t n) { places_.reserve(n); }

  iterator find(const K& key) {
    const auto at = places_.find(key);
    return at == places_.end() ? end() : at->second;
  }
  const_iterator find(const K& key) const {
    const auto at = places_.find(key);
    return at == places_.end() ? end() : const_iterator(at->second);
  }
  size_t count(const K& key) const { return places_.count(key); }
  V& at(const K& key) { return *checked(find(key)); }
  const V& at(const K& key) const { return *checked(find(key)); }
  V& operator[](const K& key) { return emplace(key, V()).first->second; }

  // Leaves the value of a key that is there.
  std::pair<iterator, bool> insert(const value_type& item) { return emplace(item.first, item.second); }
  template <class... Args>
  std::pair<iterator, bool> emplace(Args&&... args) {
    value_type item(std::forward<Args>(args)...);
    const iterator known = find(item.first);
    if (known != end()) return {known, false};
    items_.push_back(std::move(item));
    const iterator added = std::prev(items_.end());
    try {
      places_.emplace(added->first, added);
    } catch (...) {
      items_.pop_back();
      throw;
    }
    return {added, true};
  }
  std::pair<iterator, bool> insert_or_assign(const K& key, V value) {
    const auto added = emplace(key, value);
    if (!added.second) added.first->second = std::move(value);
    return added;
  }
  iterator erase(const_iterator at) {
    places_.erase(at->first);
    return items_.erase(at);
  }
  size_t erase(const K& key) {
    const iterator at = find(key);
    if (at == end()) return 0;
    erase(const_iterator(at));
    return 1;
  }

 private:
  template <class Iterator>
  auto checked(Iterator at) const -> decltype(&at->second) {
    if (at == const_iterator(items_.end())) throw std::out_of_range("The map has no such key.");
    return &at->second;
  }
  std::list<value_type> items_;
  std::unordered_map<K, iterator, Hash, Equal> places_;
};

}  // namespace ska_ordered
