// c10::List. A handle to Wick's list; elements are stored as IValues and converted when they are read.
#pragma once

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include <ATen/core/ivalue.h>

namespace c10 {

namespace detail {
// Operations on Wick's lists. Pointers to items are valid until the list changes its length.
void* new_list(const TypePtr& element);  // owned by the caller
IValue* list_items(void* list);
size_t list_size(void* list);
void list_insert(void* list, size_t at, IValue v);
void list_erase(void* list, size_t from, size_t to);
void list_reserve(void* list, size_t n);
void* list_copy(void* list);  // owned by the caller
TypePtr list_element_type(void* list);

// What an element that is stored as an IValue is read as.
template <class T>
struct Element {
  static T get(const IValue& v) { return v.to<T>(); }
};
template <>
struct Element<IValue> {
  static const IValue& get(const IValue& v) { return v; }
};
// The same without a copy, where there is something to refer to.
template <class T>
struct ElementRef {
  using type = T;
  static T get(const IValue& v) { return Element<T>::get(v); }
};
template <>
struct ElementRef<IValue> {
  using type = const IValue&;
  static const IValue& get(const IValue& v) { return v; }
};
template <>
struct ElementRef<at::Tensor> {
  using type = const at::Tensor&;
  static const at::Tensor& get(const IValue& v) { return v.toTensor(); }
};
template <>
struct ElementRef<std::string> {
  using type = const std::string&;
  static const std::string& get(const IValue& v) { return v.toStringRef(); }
};
template <>
struct ElementRef<optional<std::string>> {
  using type = optional<std::reference_wrapper<const std::string>>;
  static type get(const IValue& v) { return v.toOptionalStringRef(); }
};
}  // namespace detail

namespace impl {

template <class T>
class ListIterator;

// What list[i] gives: reads and writes the element.
template <class T>
class ListElementReference final {
 public:
  operator T() const { return detail::Element<T>::get(*at_); }
  ListElementReference& operator=(T&& v) && {
    *at_ = IValue(std::move(v));
    return *this;
  }
  ListElementReference& operator=(const T& v) && {
    *at_ = IValue(v);
    return *this;
  }
  ListElementReference& operator=(ListElementReference&& o) && noexcept {
    *at_ = *o.at_;
    return *this;
  }
  const IValue& get() const& { return *at_; }
  friend void swap(ListElementReference&& a, ListElementReference&& b) { a.at_->swap(*b.at_); }
  friend bool operator==(const ListElementReference& a, const T& b) { return static_cast<T>(a) == b; }
  friend bool operator==(const T& a, const ListElementReference& b) { return a == static_cast<T>(b); }
  friend bool operator!=(const ListElementReference& a, const T& b) { return !(a == b); }
  friend bool operator!=(const T& a, const ListElementReference& b) { return !(a == b); }
  ListElementReference(const ListElementReference&) = delete;
  ListElementReference& operator=(const ListElementReference&) = delete;
  ListElementReference(ListElementReference&& o) noexcept : at_(o.at_) {}

 private:
  explicit ListElementReference(IValue* at) : at_(at) {}
  friend class List<T>;
  friend class ListIterator<T>;
  IValue* at_;
};

template <class T>
class ListIterator final {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = T*;
  using reference = ListElementReference<T>;

  ListIterator() = default;
  ListIterator& operator++() { return ++at_, *this; }
  ListIterator operator++(int) { return ListIterator(at_++); }
  ListIterator& operator--() { return --at_, *this; }
  ListIterator operator--(int) { return ListIterator(at_--); }
  ListIterator& operator+=(difference_type n) { return at_ += n, *this; }
  ListIterator& operator-=(difference_type n) { return at_ -= n, *this; }
  ListIterator operator+(difference_type n) const { return ListIterator(at_ + n); }
  ListIterator operator-(difference_type n) const { return ListIterator(at_ - n); }
  friend difference_type operator-(const ListIterator& a, const ListIterator& b) { return a.at_ - b.at_; }
  ListElementReference<T> operator*() const { return ListElementReference<T>(at_); }
  ListElementReference<T> operator[](difference_type n) const { return *(*this + n); }
  friend bool operator==(const ListIterator& a, const ListIterator& b) { return a.at_ == b.at_; }
  friend bool operator!=(const ListIterator& a, const ListIterator& b) { return a.at_ != b.at_; }
  friend bool operator<(const ListIterator& a, const ListIterator& b) { return a.at_ < b.at_; }
  friend bool operator<=(const ListIterator& a, const ListIterator& b) { return a.at_ <= b.at_; }
  friend bool operator>(const ListIterator& a, const ListIterator& b) { return a.at_ > b.at_; }
  friend bool operator>=(const ListIterator& a, const ListIterator& b) { return a.at_ >= b.at_; }

 private:
  explicit ListIterator(IValue* at) : at_(at) {}
  friend class List<T>;
  IValue* at_ = nullptr;
};

template <class T>
List<T> toTypedList(List<IValue> list);
template <class T>
List<IValue> toList(const List<T>& list);

}  // namespace impl

// Copies share the elements; copy() does not. Threads: as a std::vector.
template <class T>
class List final {
 public:
  using value_type = T;
  using size_type = size_t;
  using iterator = impl::ListIterator<T>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using internal_reference_type = impl::ListElementReference<T>;

  List() : List(getTypePtr<T>()) {}
  explicit List(const TypePtr& element) : list_(detail::new_list(element)) {}
  List(std::initializer_list<T> values) : List() {
    for (const T& v : values) push_back(v);
  }
  explicit List(ArrayRef<T> values) : List() {
    for (const T& v : values) push_back(v);
  }
  // Moving copies: a list that was moved from is still the same list.
  List(const List& o) : list_(o.list_) { wick_compat::retain(list_); }
  ~List() { wick_compat::release(list_); }
  List& operator=(const List& o) {
    List copy(o);
    std::swap(list_, copy.list_);
    return *this;
  }

  // get(), set() and extract() throw std::out_of_range; [] of a const list does too.
  T get(size_type i) const { return detail::Element<T>::get(checked(i)); }
  T extract(size_type i) const {
    IValue& at = checked(i);
    T v = detail::Element<T>::get(at);
    at = IValue(T());
    return v;
  }
  typename detail::ElementRef<T>::type operator[](size_type i) const { return detail::ElementRef<T>::get(checked(i)); }
  internal_reference_type operator[](size_type i) { return internal_reference_type(&checked(i)); }
  void set(size_type i, const T& v) const { checked(i) = IValue(v); }
  void set(size_type i, T&& v) const { checked(i) = IValue(std::move(v)); }

  iterator begin() const { return iterator(detail::list_items(list_)); }
  iterator end() const { return iterator(detail::list_items(list_) + size()); }
  bool empty() const { return size() == 0; }
  size_type size() const { return detail::list_size(list_); }
  void reserve(size_type n) const { detail::list_reserve(list_, n); }
  void clear() const { detail::list_erase(list_, 0, size()); }
  iterator insert(iterator at, const T& v) const { return insert_at(at, IValue(v)); }
  iterator insert(iterator at, T&& v) const { return insert_at(at, IValue(std::move(v))); }
  template <class... Args>
  iterator emplace(iterator at, Args&&... args) const {
    return insert_at(at, IValue(T(std::forward<Args>(args)...)));
  }
  void push_back(const T& v) const { detail::list_insert(list_, size(), IValue(v)); }
  void push_back(T&& v) const { detail::list_insert(list_, size(), IValue(std::move(v))); }
  template <class... Args>
  void emplace_back(Args&&... args) const {
    push_back(T(std::forward<Args>(args)...));
  }
  void append(List<T> o) const {
    const std::vector<T> values = o.vec();
    for (const T& v : values) push_back(v);
  }
  iterator erase(iterator at) const { return erase(at, at + 1); }
  iterator erase(iterator first, iterator last) const {
    const size_type from = static_cast<size_type>(first - begin()), to = static_cast<size_type>(last - begin());
    detail::list_erase(list_, from, to);
    return begin() + static_cast<std::ptrdiff_t>(from);
  }
  void pop_back() const { detail::list_erase(list_, size() - 1, size()); }
  void resize(size_type n) const { resize(n, T()); }
  void resize(size_type n, const T& v) const {
    if (n < size()) detail::list_erase(list_, n, size());
    while (size() < n) push_back(v);
  }

  List copy() const { return adopt(detail::list_copy(list_)); }
  std::vector<T> vec() const {
    std::vector<T> out;
    const size_type n = size();
    out.reserve(n);
    for (size_type i = 0; i < n; ++i) out.push_back(get(i));
    return out;
  }
  bool is(const List& o) const { return list_ == o.list_; }
  size_t use_count() const { return wick_compat::use_count(list_); }
  TypePtr elementType() const { return detail::list_element_type(list_); }
  void unsafeSetElementType(const TypePtr&) {}
  friend bool operator==(const List& a, const List& b) {
    return a.is(b) || (a.size() == b.size() && IValue(a) == IValue(b));
  }
  friend bool operator!=(const List& a, const List& b) { return !(a == b); }

  // For the library's own code.
  static List adopt(void* owned) { return List(owned, Adopt()); }
  void* handle() const { return list_; }

 private:
  struct Adopt {};
  List(void* owned, Adopt) : list_(owned) {}
  IValue& checked(size_type i) const {
    if (i >= size())
      throw std::out_of_range(str("List index ", i, " is out of range for a list of ", size(), " elements"));
    return detail::list_items(list_)[i];
  }
  iterator insert_at(iterator at, IValue v) const {
    const std::ptrdiff_t i = at - begin();
    detail::list_insert(list_, static_cast<size_t>(i), std::move(v));
    return begin() + i;
  }
  void* list_;
};

namespace impl {
template <class T>
List<T> toTypedList(List<IValue> list) {
  TORCH_CHECK(*list.elementType() == *getTypePtr<T>() ||
                  (list.use_count() == 1 && list.elementType()->isSubtypeOf(*getTypePtr<T>())),
              "Tried to cast a List<", list.elementType()->repr_str(), "> to a List<", getTypePtr<T>()->repr_str(),
              ">. Types mismatch.");
  wick_compat::retain(list.handle());
  return List<T>::adopt(list.handle());
}
template <class T>
List<IValue> toList(const List<T>& list) {
  wick_compat::retain(list.handle());
  return List<IValue>::adopt(list.handle());
}
}  // namespace impl

}  // namespace c10

namespace torch {
template <class T>
using List = c10::List<T>;
}
