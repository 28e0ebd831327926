// Indices of Tensor::index and index_put_: None, "...", integers, booleans, Slice, tensors.
#pragma once

#include <limits>

#include <ATen/core/TensorBody.h>

namespace at {
namespace indexing {

constexpr int64_t INDEX_MAX = std::numeric_limits<int64_t>::max();
constexpr int64_t INDEX_MIN = std::numeric_limits<int64_t>::min();

enum class TensorIndexType { None, Ellipsis, Integer, Boolean, Slice, Tensor };

constexpr c10::nullopt_t None = c10::nullopt;
struct EllipsisIndexType final {
  EllipsisIndexType() = default;
};
extern const EllipsisIndexType Ellipsis;

struct Slice final {
  Slice(c10::optional<int64_t> start = c10::nullopt, c10::optional<int64_t> stop = c10::nullopt,
        c10::optional<int64_t> step = c10::nullopt);
  int64_t start() const { return start_; }
  int64_t stop() const { return stop_; }
  int64_t step() const { return step_; }

 private:
  int64_t start_;
  int64_t stop_;
  int64_t step_;
};
std::ostream& operator<<(std::ostream& out, const Slice& slice);

struct TensorIndex final {
  TensorIndex(c10::nullopt_t) : type_(TensorIndexType::None) {}
  TensorIndex(EllipsisIndexType) : type_(TensorIndexType::Ellipsis) {}
  TensorIndex(const char* text);  // "..."
  TensorIndex(int64_t i) : type_(TensorIndexType::Integer), integer_(i) {}
  TensorIndex(int i) : TensorIndex(static_cast<int64_t>(i)) {}
  template <class T, class = typename std::enable_if<std::is_same<T, bool>::value>::type>
  TensorIndex(T b) : type_(TensorIndexType::Boolean), boolean_(b) {}
  TensorIndex(Slice s) : type_(TensorIndexType::Slice), slice_(s) {}
  TensorIndex(Tensor t) : type_(TensorIndexType::Tensor), tensor_(std::move(t)) {}

  bool is_none() const { return type_ == TensorIndexType::None; }
  bool is_ellipsis() const { return type_ == TensorIndexType::Ellipsis; }
  bool is_integer() const { return type_ == TensorIndexType::Integer; }
  bool is_boolean() const { return type_ == TensorIndexType::Boolean; }
  bool is_slice() const { return type_ == TensorIndexType::Slice; }
  bool is_tensor() const { return type_ == TensorIndexType::Tensor; }
  int64_t integer() const { return integer_; }
  bool boolean() const { return boolean_; }
  const Slice& slice() const { return slice_; }
  const Tensor& tensor() const { return tensor_; }

 private:
  TensorIndexType type_;
  int64_t integer_ = 0;
  bool boolean_ = false;
  Slice slice_;
  Tensor tensor_;
};
std::ostream& operator<<(std::ostream& out, const TensorIndex& index);
std::ostream& operator<<(std::ostream& out, const std::vector<TensorIndex>& indices);

}  // namespace indexing
}  // namespace at
