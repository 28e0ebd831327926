// Index: what stands between the brackets of tensor[...].
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "wick/tensor.h"

namespace wick {

// start:stop:step, as in Python; what is not given is all there is. A step is positive.
struct Slice {
  std::optional<int64_t> start = std::nullopt;
  std::optional<int64_t> stop = std::nullopt;
  int64_t step = 1;
  Slice() = default;
  Slice(std::optional<int64_t> begin, std::optional<int64_t> end, int64_t by = 1) : start(begin), stop(end), step(by) {}
};

// Python's `...`, as kEllipsis: all dims that the other indices leave.
struct Ellipsis {};
inline constexpr Ellipsis kEllipsis{};

// One of the indices of Tensor::index: a number, a Slice, kEllipsis, std::nullopt (Python's None: a new dim), a mask or
// a tensor of indices.
//
//   x.index({kEllipsis, Slice(0, 3)});   // x[..., :3]
//   x.index({mask});                     // x[mask]
//   x.index_put_({0, Slice()}, 1.0);     // x[0, :] = 1
class Index {
 public:
  enum class Kind : uint8_t { kInt, kSlice, kEllipsis, kNewDim, kBool, kTensor };

  template <std::integral T>
  requires(!std::same_as<T, bool>) Index(T i) : kind_(Kind::kInt), number_(static_cast<int64_t>(i)) {}
  template <std::same_as<bool> T>
  Index(T on) : kind_(Kind::kBool), number_(on) {}
  Index(Slice s) : kind_(Kind::kSlice), slice_(s) {}
  Index(Ellipsis) : kind_(Kind::kEllipsis) {}
  Index(std::nullopt_t) : kind_(Kind::kNewDim) {}
  Index(Tensor t) : kind_(Kind::kTensor), tensor_(std::move(t)) {}

  Kind kind() const noexcept { return kind_; }
  int64_t number() const noexcept { return number_; }
  const Slice& slice() const noexcept { return slice_; }
  const Tensor& tensor() const noexcept { return tensor_; }

 private:
  Kind kind_;
  int64_t number_ = 0;
  Slice slice_;
  Tensor tensor_;
};

}  // namespace wick
