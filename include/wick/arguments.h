// What functions take besides tensors and numbers: lists of integers, and how a new tensor is to be.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "wick/dtype.h"
#include "wick/span.h"

namespace wick {

// A list of integers given to a function: {1, 2}, a vector, a tensor's sizes(), or one number. Does not own: made where
// the function is called.
//
//   wick::avg_pool2d(x, 2);  x.sum({1, 2});  x.permute(dims);
class IntList {
 public:
  IntList() = default;
  template <std::integral T>
  requires(!std::same_as<T, bool>) IntList(T one)
  noexcept : one_(static_cast<int64_t>(one)), size_(1) {}
  IntList(std::initializer_list<int64_t> list) noexcept : IntList(IntSpan(list)) {}
  IntList(IntSpan list) noexcept : data_(list.data()), size_(list.size()) {}
  IntList(const IntVec& list) noexcept : IntList(IntSpan(list)) {}
  IntList(const std::vector<int64_t>& list) noexcept : IntList(IntSpan(list)) {}
  template <size_t kSize>
  IntList(const std::array<int64_t, kSize>& list) noexcept : IntList(IntSpan(list.data(), kSize)) {}

  operator IntSpan() const noexcept { return {data_ || size_ == 0 ? data_ : &one_, size_}; }

 private:
  const int64_t* data_ = nullptr;  // null: one_, or nothing
  int64_t one_ = 0;
  size_t size_ = 0;
};

// The same, or none: what functions take where PyTorch's take `int[]?`. Does not own.
//
//   x.nansum(std::nullopt);  // of all elements
//   x.nansum({0, 2});
class OptIntList {
 public:
  OptIntList() = default;
  OptIntList(std::nullopt_t) noexcept {}
  OptIntList(std::initializer_list<int64_t> list) noexcept : list_(list), has_value_(true) {}
  template <class T>
  requires std::convertible_to<const T&, IntList> OptIntList(const T& list)
  noexcept : list_(list), has_value_(true) {}
  template <class T>
  requires std::convertible_to<const T&, IntList> OptIntList(const std::optional<T>& list)
  noexcept : list_(list ? IntList(*list) : IntList()), has_value_(list.has_value()) {}

  bool has_value() const noexcept { return has_value_; }
  IntSpan operator*() const noexcept { return list_; }

 private:
  IntList list_;
  bool has_value_ = false;
};

// How a new tensor is to be; what is not given is the default, or as another tensor is.
//
//   wick::zeros({2, 3}, wick::DType::kLong);
struct TensorOptions {
  std::optional<DType> dtype = std::nullopt;
  std::optional<Device> device = std::nullopt;

  TensorOptions() = default;
  TensorOptions(DType type) : dtype(type) {}
  TensorOptions(Device where) : device(where) {}
  TensorOptions(std::optional<DType> type, std::optional<Device> where) : dtype(type), device(where) {}
  DType dtype_or(DType fallback) const { return dtype.value_or(fallback); }
};

}  // namespace wick
