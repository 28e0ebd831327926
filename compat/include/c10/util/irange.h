// c10::irange: a range of integers for a for loop.
#pragma once

#include <iterator>
#include <type_traits>

namespace c10 {

template <class I>
class integer_range {
 public:
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = I;
    using difference_type = std::ptrdiff_t;
    using pointer = I*;
    using reference = I&;
    explicit iterator(I v) : value_(v) {}
    I operator*() const { return value_; }
    iterator& operator++() { return ++value_, *this; }
    iterator operator++(int) { return iterator(value_++); }
    bool operator==(const iterator& o) const { return value_ == o.value_; }
    bool operator!=(const iterator& o) const { return value_ != o.value_; }

   private:
    I value_;
  };
  integer_range(I begin, I end) : begin_(begin), end_(end) {}
  iterator begin() const { return begin_; }
  iterator end() const { return end_; }

 private:
  iterator begin_;
  iterator end_;
};

template <class A, class B>
integer_range<B> irange(A begin, B end) {
  const B first = static_cast<B>(begin);
  return {first, first < end ? end : first};
}
template <class I>
integer_range<I> irange(I end) {
  return {I(), end < I() ? I() : end};
}

}  // namespace c10
