// Options of torch::nn: fields with setters that chain, and numbers that stand for one per dimension.
#pragma once

#include <array>

#include <torch/enum.h>
#include <torch/types.h>

// A field of an options class, its setter and its getter.
#define TORCH_ARG(T, name)                                 \
 public:                                                   \
  auto name(const T& new_##name)->decltype(*this) {        \
    this->name##_ = new_##name;                            \
    return *this;                                          \
  }                                                        \
  auto name(T&& new_##name)->decltype(*this) {             \
    this->name##_ = std::move(new_##name);                 \
    return *this;                                          \
  }                                                        \
  const T& name() const noexcept { return this->name##_; } \
  T& name() noexcept { return this->name##_; }             \
                                                           \
 private:                                                  \
  T name##_

namespace torch {

// D values, made of one that all are or of a list.
template <size_t D, class T = int64_t>
class ExpandingArray {
 public:
  ExpandingArray(T v) { values_.fill(v); }
  ExpandingArray(std::initializer_list<T> v) : ExpandingArray(at::ArrayRef<T>(v)) {}
  ExpandingArray(const std::vector<T>& v) : ExpandingArray(at::ArrayRef<T>(v)) {}
  ExpandingArray(at::ArrayRef<T> v) {
    TORCH_CHECK(v.size() == D, "Expected ", D, " values, but instead got ", v.size());
    std::copy(v.begin(), v.end(), values_.begin());
  }
  ExpandingArray(const std::array<T, D>& v) : values_(v) {}
  std::array<T, D>& operator*() { return values_; }
  const std::array<T, D>& operator*() const { return values_; }
  std::array<T, D>* operator->() { return &values_; }
  const std::array<T, D>* operator->() const { return &values_; }
  operator at::ArrayRef<T>() const { return at::ArrayRef<T>(values_.data(), D); }
  size_t size() const noexcept { return D; }
  // A single value without brackets.
  friend std::ostream& operator<<(std::ostream& out, const ExpandingArray& a) {
    return D == 1 ? out << a.values_[0] : out << at::ArrayRef<T>(a);
  }

 private:
  std::array<T, D> values_;
};
template <size_t D, class T = int64_t>
class ExpandingArrayWithOptionalElem : public ExpandingArray<D, c10::optional<T>> {
 public:
  using Base = ExpandingArray<D, c10::optional<T>>;
  using Base::Base;
  ExpandingArrayWithOptionalElem(T v) : Base(c10::optional<T>(v)) {}
  ExpandingArrayWithOptionalElem(std::initializer_list<T> v) : Base(c10::optional<T>()) {
    TORCH_CHECK(v.size() == D, "Expected ", D, " values, but instead got ", v.size());
    std::copy(v.begin(), v.end(), (**this).begin());
  }
};

namespace nn {
using torch::ExpandingArray;
namespace detail {
// An undefined tensor is a missing one.
inline c10::optional<at::Tensor> given(const at::Tensor& t) {
  return t.defined() ? c10::optional<at::Tensor>(t) : c10::nullopt;
}
// "none", "mean", "sum" as operators number them.
inline int64_t reduction(const enumtype::Name& name) { return name == kNone ? 0 : name == kSum ? 2 : 1; }
}  // namespace detail
}  // namespace nn
}  // namespace torch
