// c10::SmallVector: here a std::vector; only the interface is PyTorch's.
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

namespace c10 {

template <class T>
class SmallVectorImpl : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  void append(size_t n, const T& v) { this->insert(this->end(), n, v); }
  template <class It>
  void append(It first, It last) {
    this->insert(this->end(), first, last);
  }
  void append(std::initializer_list<T> values) { append(values.begin(), values.end()); }
  T pop_back_val() {
    T out = std::move(this->back());
    this->pop_back();
    return out;
  }
};

template <class T, unsigned N = 0>
class SmallVector : public SmallVectorImpl<T> {
 public:
  using SmallVectorImpl<T>::SmallVectorImpl;
  SmallVector() = default;
  SmallVector(const std::vector<T>& v) : SmallVectorImpl<T>(v.begin(), v.end()) {}
  template <class Container, class = decltype(std::declval<Container>().vec())>
  explicit SmallVector(const Container& v) : SmallVectorImpl<T>(v.begin(), v.end()) {}
};

}  // namespace c10
