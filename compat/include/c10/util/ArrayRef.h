// c10::ArrayRef: a borrowed view of consecutive values, as sizes, strides and lists of tensors are passed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <ostream>
#include <type_traits>
#include <vector>

#include <c10/util/Exception.h>
#include <c10/util/Optional.h>
#include <c10/util/SmallVector.h>

namespace c10 {

// Does not own: valid while what it was made of lives, which for a braced list is the full expression.
template <class T>
class ArrayRef final {
 public:
  using iterator = const T*;
  using const_iterator = const T*;
  using size_type = size_t;
  using value_type = T;
  using reverse_iterator = std::reverse_iterator<iterator>;

  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T& one) : data_(&one), size_(1) {}
  constexpr ArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  constexpr ArrayRef(const T* begin, const T* end) : data_(begin), size_(static_cast<size_t>(end - begin)) {}
  template <class U>
  ArrayRef(const SmallVectorImpl<U>& v) : data_(v.data()), size_(v.size()) {}
  template <
      class Container,
      class = typename std::enable_if<
          std::is_same<typename std::remove_const<decltype(std::declval<Container>().data())>::type, const T*>::value ||
          std::is_same<decltype(std::declval<Container>().data()), T*>::value>::type>
  ArrayRef(const Container& container) : data_(container.data()), size_(container.size()) {}
  template <class A>
  ArrayRef(const std::vector<T, A>& v) : data_(v.data()), size_(v.size()) {
    static_assert(!std::is_same<T, bool>::value,
                  "ArrayRef<bool> cannot be constructed from a std::vector<bool> bitfield.");
  }
  template <size_t N>
  constexpr ArrayRef(const std::array<T, N>& a) : data_(a.data()), size_(N) {}
  template <size_t N>
  constexpr ArrayRef(const T (&a)[N]) : data_(a), size_(N) {}
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif
  constexpr ArrayRef(const std::initializer_list<T>& list)
      : data_(list.begin() == list.end() ? static_cast<const T*>(nullptr) : list.begin()), size_(list.size()) {}
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
#pragma GCC diagnostic pop
#endif

  constexpr iterator begin() const { return data_; }
  constexpr iterator end() const { return data_ + size_; }
  constexpr const_iterator cbegin() const { return data_; }
  constexpr const_iterator cend() const { return data_ + size_; }
  reverse_iterator rbegin() const { return reverse_iterator(end()); }
  reverse_iterator rend() const { return reverse_iterator(begin()); }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  const T& front() const {
    TORCH_CHECK(!empty(), "ArrayRef: attempted to access front() of empty list");
    return data_[0];
  }
  const T& back() const {
    TORCH_CHECK(!empty(), "ArrayRef: attempted to access back() of empty list");
    return data_[size_ - 1];
  }
  bool equals(ArrayRef other) const {
    if (size_ != other.size_) return false;
    for (size_t i = 0; i < size_; ++i) {
      if (!(data_[i] == other.data_[i])) return false;
    }
    return true;
  }
  ArrayRef<T> slice(size_t n, size_t m) const {
    TORCH_CHECK(n + m <= size_, "ArrayRef: invalid slice, N = ", n, "; M = ", m, "; size = ", size_);
    return ArrayRef<T>(data_ + n, m);
  }
  ArrayRef<T> slice(size_t n) const {
    TORCH_CHECK(n <= size_, "ArrayRef: invalid slice, N = ", n, "; size = ", size_);
    return slice(n, size_ - n);
  }
  constexpr const T& operator[](size_t i) const { return data_[i]; }
  const T& at(size_t i) const {
    TORCH_CHECK(i < size_, "ArrayRef: invalid index Index = ", i, "; Length = ", size_);
    return data_[i];
  }
  std::vector<T> vec() const { return std::vector<T>(data_, data_ + size_); }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};

template <class T>
std::ostream& operator<<(std::ostream& out, ArrayRef<T> list) {
  out << "[";
  for (size_t i = 0; i < list.size(); ++i) out << (i ? ", " : "") << list[i];
  return out << "]";
}

template <class T>
ArrayRef<T> makeArrayRef(const T& one) {
  return one;
}
template <class T>
ArrayRef<T> makeArrayRef(const T* data, size_t size) {
  return ArrayRef<T>(data, size);
}
template <class T>
ArrayRef<T> makeArrayRef(const T* begin, const T* end) {
  return ArrayRef<T>(begin, end);
}
template <class T>
ArrayRef<T> makeArrayRef(const std::vector<T>& v) {
  return v;
}
template <class T, size_t N>
ArrayRef<T> makeArrayRef(const std::array<T, N>& a) {
  return a;
}

template <class T>
bool operator==(ArrayRef<T> a, ArrayRef<T> b) {
  return a.equals(b);
}
template <class T>
bool operator!=(ArrayRef<T> a, ArrayRef<T> b) {
  return !a.equals(b);
}
template <class T>
bool operator==(const std::vector<T>& a, ArrayRef<T> b) {
  return ArrayRef<T>(a).equals(b);
}
template <class T>
bool operator!=(const std::vector<T>& a, ArrayRef<T> b) {
  return !(a == b);
}
template <class T>
bool operator==(ArrayRef<T> a, const std::vector<T>& b) {
  return a.equals(ArrayRef<T>(b));
}
template <class T>
bool operator!=(ArrayRef<T> a, const std::vector<T>& b) {
  return !(a == b);
}

using IntArrayRef = ArrayRef<int64_t>;
using IntList = ArrayRef<int64_t>;
using DimVector = SmallVector<int64_t, 5>;

}  // namespace c10
