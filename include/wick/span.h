// IntSpan: a borrowed list of integers (sizes, strides, dims). IntVec: an owned one, inline when short.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace wick {

// A view of consecutive T; does not own. Valid while what it was made from lives. Indices are not checked.
//
//   const wick::IntSpan sizes = tensor.sizes();
//   const int64_t pixels = sizes[2] * sizes[3];
template <class T>
class Span {
 public:
  constexpr Span() = default;
  constexpr Span(const T* data, size_t size) : data_(data), size_(size) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"  // a Span argument lives as long as the call
#endif
  constexpr Span(std::initializer_list<T> list) : data_(list.begin()), size_(list.size()) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
  Span(const std::vector<T>& v) : data_(v.data()), size_(v.size()) {}
  constexpr Span(std::span<const T> s) : data_(s.data()), size_(s.size()) {}

  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }
  constexpr const T& operator[](size_t i) const { return data_[i]; }
  constexpr const T& front() const { return data_[0]; }
  constexpr const T& back() const { return data_[size_ - 1]; }
  constexpr Span subspan(size_t offset, size_t count) const { return {data_ + offset, count}; }
  constexpr Span subspan(size_t offset) const { return {data_ + offset, size_ - offset}; }
  std::vector<T> vec() const { return {begin(), end()}; }
  friend bool operator==(Span a, Span b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};

using IntSpan = Span<int64_t>;

// A vector of int64 that holds up to kInline elements without allocating. Indices are not checked.
//
//   wick::IntVec sizes = tensor.sizes();  // a copy, to be changed
//   sizes[0] = 1;
//   const wick::Tensor one = wick::Tensor::zeros(sizes);
class IntVec {
 public:
  static constexpr size_t kInline = 6;
  IntVec() = default;
  explicit IntVec(size_t n, int64_t value = 0) { assign(n, value); }
  IntVec(std::initializer_list<int64_t> list) { assign(IntSpan(list)); }
  IntVec(IntSpan s) { assign(s); }
  IntVec(const std::vector<int64_t>& v) { assign(IntSpan(v)); }
  IntVec(const IntVec& other) { assign(IntSpan(other)); }
  IntVec(IntVec&& other) noexcept { steal(other); }
  IntVec& operator=(const IntVec& other) {
    if (this != &other) assign(IntSpan(other));
    return *this;
  }
  IntVec& operator=(IntVec&& other) noexcept {
    if (this != &other) {
      release();
      steal(other);
    }
    return *this;
  }
  ~IntVec() { release(); }

  operator IntSpan() const { return {data_, size_}; }
  IntSpan span() const { return {data_, size_}; }
  int64_t* data() { return data_; }
  const int64_t* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t& operator[](size_t i) { return data_[i]; }
  const int64_t& operator[](size_t i) const { return data_[i]; }
  int64_t& back() { return data_[size_ - 1]; }
  const int64_t& back() const { return data_[size_ - 1]; }
  int64_t& front() { return data_[0]; }
  const int64_t& front() const { return data_[0]; }
  int64_t* begin() { return data_; }
  int64_t* end() { return data_ + size_; }
  const int64_t* begin() const { return data_; }
  const int64_t* end() const { return data_ + size_; }

  void assign(size_t n, int64_t value) {
    reserve(n);
    std::fill_n(data_, n, value);
    size_ = n;
  }
  void assign(IntSpan s) {
    reserve(s.size());
    std::copy(s.begin(), s.end(), data_);
    size_ = s.size();
  }
  void resize(size_t n, int64_t value = 0) {
    reserve(n);
    if (n > size_) std::fill(data_ + size_, data_ + n, value);
    size_ = n;
  }
  void push_back(int64_t v) {
    if (size_ == capacity_) reserve(capacity_ * 2);
    data_[size_++] = v;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void insert(size_t at, int64_t v) {
    push_back(v);
    std::rotate(data_ + at, data_ + size_ - 1, data_ + size_);
  }
  void erase(size_t at) {
    std::copy(data_ + at + 1, data_ + size_, data_ + at);
    --size_;
  }
  void reserve(size_t n) {
    if (n <= capacity_) return;
    auto* bigger = new int64_t[n];
    std::copy(data_, data_ + size_, bigger);
    release();
    data_ = bigger;
    capacity_ = n;
  }
  std::vector<int64_t> vec() const { return {begin(), end()}; }
  friend bool operator==(const IntVec& a, const IntVec& b) { return a.span() == b.span(); }
  friend bool operator==(const IntVec& a, IntSpan b) { return a.span() == b; }

 private:
  void release() {
    if (data_ != inline_) delete[] data_;
  }
  void steal(IntVec& other) noexcept {
    if (other.data_ == other.inline_) {
      std::copy(other.data_, other.data_ + other.size_, inline_);
      data_ = inline_;
      capacity_ = kInline;
    } else {
      data_ = other.data_;
      capacity_ = other.capacity_;
    }
    size_ = other.size_;
    other.data_ = other.inline_;
    other.size_ = 0;
    other.capacity_ = kInline;
  }

  int64_t inline_[kInline];
  int64_t* data_ = inline_;
  size_t size_ = 0;
  size_t capacity_ = kInline;
};

}  // namespace wick
