// c10::Dict. A handle to Wick's dictionary.
#pragma once

#include <ATen/core/List_inl.h>

namespace c10 {

namespace detail {
struct DictEntry {  // the layout of std::pair<IValue, IValue>
  IValue key;
  IValue value;
};
void* new_dict(const TypePtr& key, const TypePtr& value);  // owned by the caller
DictEntry* dict_entries(void* dict);                       // valid until the next change
size_t dict_size(void* dict);
DictEntry* dict_find(void* dict, const IValue& key);  // null when absent
void dict_set(void* dict, IValue key, IValue value);
bool dict_erase(void* dict, const IValue& key);
void dict_clear(void* dict);
void* dict_copy(void* dict);  // owned by the caller
TypePtr dict_key_type(void* dict);
TypePtr dict_value_type(void* dict);
bool dict_equal(void* a, void* b);
}  // namespace detail

namespace impl {

template <class K, class V>
class DictIterator;

template <class K, class V>
class DictEntryRef final {
 public:
  explicit DictEntryRef(detail::DictEntry* at) : at_(at) {}
  K key() const { return detail::Element<K>::get(at_->key); }
  V value() const { return detail::Element<V>::get(at_->value); }
  template <class T>
  void setValue(T&& v) const {
    at_->value = IValue(V(std::forward<T>(v)));
  }

 private:
  friend class DictIterator<K, V>;
  detail::DictEntry* at_;
};

template <class K, class V>
class DictIterator final {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = DictEntryRef<K, V>;
  using difference_type = std::ptrdiff_t;
  using pointer = const DictEntryRef<K, V>*;
  using reference = const DictEntryRef<K, V>&;

  DictIterator() : entry_(nullptr) {}
  explicit DictIterator(detail::DictEntry* at) : entry_(at) {}
  DictIterator& operator++() { return ++entry_.at_, *this; }
  DictIterator operator++(int) { return DictIterator(entry_.at_++); }
  const DictEntryRef<K, V>& operator*() const { return entry_; }
  const DictEntryRef<K, V>* operator->() const { return &entry_; }
  friend difference_type operator-(const DictIterator& a, const DictIterator& b) { return a.at() - b.at(); }
  friend bool operator==(const DictIterator& a, const DictIterator& b) { return a.at() == b.at(); }
  friend bool operator!=(const DictIterator& a, const DictIterator& b) { return a.at() != b.at(); }
  friend bool operator<(const DictIterator& a, const DictIterator& b) { return a.at() < b.at(); }
  friend bool operator<=(const DictIterator& a, const DictIterator& b) { return a.at() <= b.at(); }
  friend bool operator>(const DictIterator& a, const DictIterator& b) { return a.at() > b.at(); }
  friend bool operator>=(const DictIterator& a, const DictIterator& b) { return a.at() >= b.at(); }
  detail::DictEntry* at() const { return entry_.at_; }

 private:
  DictEntryRef<K, V> entry_;
};

template <class K, class V>
Dict<K, V> toTypedDict(Dict<IValue, IValue> dict);

}  // namespace impl

// Insertion-ordered; copies share the entries, copy() does not. Keys: str, int, float, bool, complex, Tensor.
template <class K, class V>
class Dict final {
 public:
  using key_type = K;
  using mapped_type = V;
  using size_type = size_t;
  using iterator = impl::DictIterator<K, V>;

  Dict() : Dict(getTypePtr<K>(), getTypePtr<V>()) {}
  explicit Dict(const TypePtr& key, const TypePtr& value) : dict_(detail::new_dict(key, value)) {}
  // Moving copies: a dict that was moved from is still the same dict.
  Dict(const Dict& o) : dict_(o.dict_) { wick_compat::retain(dict_); }
  ~Dict() { wick_compat::release(dict_); }
  Dict& operator=(const Dict& o) {
    Dict copy(o);
    std::swap(dict_, copy.dict_);
    return *this;
  }

  iterator begin() const { return iterator(detail::dict_entries(dict_)); }
  iterator end() const { return iterator(detail::dict_entries(dict_) + size()); }
  bool empty() const { return size() == 0; }
  size_type size() const { return detail::dict_size(dict_); }
  void clear() const { detail::dict_clear(dict_); }
  void reserve(size_type) const {}
  // Leaves the value of a key that is there.
  template <class K2, class V2>
  std::pair<iterator, bool> insert(K2&& key, V2&& value) const {
    const IValue k = IValue(K(std::forward<K2>(key)));
    const bool is_new = detail::dict_find(dict_, k) == nullptr;
    if (is_new) detail::dict_set(dict_, k, IValue(V(std::forward<V2>(value))));
    return {iterator(detail::dict_find(dict_, k)), is_new};
  }
  template <class K2, class V2>
  std::pair<iterator, bool> insert_or_assign(K2&& key, V2&& value) const {
    const IValue k = IValue(K(std::forward<K2>(key)));
    const bool is_new = detail::dict_find(dict_, k) == nullptr;
    detail::dict_set(dict_, k, IValue(V(std::forward<V2>(value))));
    return {iterator(detail::dict_find(dict_, k)), is_new};
  }
  void erase(iterator at) const { detail::dict_erase(dict_, IValue(at.at()->key)); }
  size_t erase(const K& key) const { return detail::dict_erase(dict_, IValue(key)); }
  // Throws std::out_of_range when there is no such key.
  V at(const K& key) const {
    const detail::DictEntry* e = detail::dict_find(dict_, IValue(key));
    if (!e) throw std::out_of_range("Argument passed to at() was not in the map.");
    return detail::Element<V>::get(e->value);
  }
  iterator find(const K& key) const {
    detail::DictEntry* e = detail::dict_find(dict_, IValue(key));
    return e ? iterator(e) : end();
  }
  bool contains(const K& key) const { return detail::dict_find(dict_, IValue(key)) != nullptr; }

  Dict copy() const { return adopt(detail::dict_copy(dict_)); }
  bool is(const Dict& o) const { return dict_ == o.dict_; }
  size_t use_count() const { return wick_compat::use_count(dict_); }
  TypePtr keyType() const { return detail::dict_key_type(dict_); }
  TypePtr valueType() const { return detail::dict_value_type(dict_); }
  friend bool operator==(const Dict& a, const Dict& b) { return a.is(b) || detail::dict_equal(a.dict_, b.dict_); }
  friend bool operator!=(const Dict& a, const Dict& b) { return !(a == b); }

  // For the library's own code.
  static Dict adopt(void* owned) { return Dict(owned, Adopt()); }
  void* handle() const { return dict_; }

 private:
  struct Adopt {};
  Dict(void* owned, Adopt) : dict_(owned) {}
  void* dict_;
};

namespace impl {
template <class K, class V>
Dict<K, V> toTypedDict(Dict<IValue, IValue> dict) {
  TORCH_CHECK(*dict.keyType() == *getTypePtr<K>() && *dict.valueType() == *getTypePtr<V>(), "Tried to cast a Dict<",
              dict.keyType()->str(), ", ", dict.valueType()->str(), "> to a Dict<", getTypePtr<K>()->str(), ", ",
              getTypePtr<V>()->str(), ">. Types mismatch.");
  wick_compat::retain(dict.handle());
  return Dict<K, V>::adopt(dict.handle());
}
template <class K, class V>
Dict<IValue, IValue> toGenericDict(Dict<K, V> dict) {
  wick_compat::retain(dict.handle());
  return Dict<IValue, IValue>::adopt(dict.handle());
}
}  // namespace impl

}  // namespace c10

namespace torch {
template <class K, class V>
using Dict = c10::Dict<K, V>;
}
