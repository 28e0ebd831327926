// Operators over lists of tensors: each applies a pointwise operator to every tensor of the list.
#pragma once

#include "ops/boxing.h"

namespace wick::ops::foreach {

// Throw with PyTorch's texts.
void check_list(const TensorList& self);
void check_lengths(const TensorList& self, size_t other);
// The numbers of a Scalar[], or the elements of a 1-D tensor: as many as there are tensors.
std::vector<Scalar> numbers_of(const TensorList& self, const ListImpl& list);
std::vector<Scalar> numbers_in(const TensorList& self, const Tensor& values);
// A zero-dim tensor stands for a number.
void check_one_number(const Tensor& other);

// The forms an operator over lists has, for the pointwise operator F. kSelf: they write to the tensors of the first
// list and give nothing, instead of giving new tensors.
template <bool kSelf>
struct Each {
  // fn(tensor, index, out) for every tensor.
  template <class Fn>
  static auto apply(const TensorList& self, const Fn& fn) {
    if constexpr (kSelf) {
      for (size_t i = 0; i < self.size(); ++i) fn(self[i], i, Out{&self[i]});
    } else {
      TensorList out;
      for (size_t i = 0; i < self.size(); ++i) out.push_back(fn(self[i], i, Out{}));
      return out;
    }
  }

  template <auto F>
  static auto unary(const TensorList& self) {
    check_list(self);
    return apply(self, [](const Tensor& t, size_t, Out out) { return F(t, out); });
  }
  template <auto F>
  static auto number(const TensorList& self, const Scalar& scalar) {
    check_list(self);
    return apply(self, [&](const Tensor& t, size_t, Out out) { return F(t, scalar, out); });
  }
  template <auto F>
  static auto numbers(const TensorList& self, ListImpl& scalars) {
    const std::vector<Scalar> values = numbers_of(self, scalars);
    return apply(self, [&](const Tensor& t, size_t i, Out out) { return F(t, values[i], out); });
  }
  template <auto F>
  static auto list(const TensorList& self, const TensorList& other) {
    check_lengths(self, other.size());
    return apply(self, [&](const Tensor& t, size_t i, Out out) { return F(t, other[i], out); });
  }
  template <auto F>
  static auto tensor(const TensorList& self, const Tensor& other) {
    check_one_number(other);
    return apply(self, [&](const Tensor& t, size_t, Out out) { return F(t, other, out); });
  }

  // add and sub, whose second operand has a factor.
  template <auto F>
  static auto number_scaled(const TensorList& self, const Scalar& scalar) {
    check_list(self);
    return apply(self, [&](const Tensor& t, size_t, Out out) { return F(t, scalar, 1, out); });
  }
  template <auto F>
  static auto numbers_scaled(const TensorList& self, ListImpl& scalars) {
    const std::vector<Scalar> values = numbers_of(self, scalars);
    return apply(self, [&](const Tensor& t, size_t i, Out out) { return F(t, values[i], 1, out); });
  }
  template <auto F>
  static auto list_scaled(const TensorList& self, const TensorList& other, const Scalar& alpha) {
    check_lengths(self, other.size());
    return apply(self, [&](const Tensor& t, size_t i, Out out) { return F(t, other[i], alpha, out); });
  }
  template <auto F>
  static auto tensor_scaled(const TensorList& self, const Tensor& other, const Scalar& alpha) {
    check_one_number(other);
    return apply(self, [&](const Tensor& t, size_t, Out out) { return F(t, other, alpha, out); });
  }

  // addcmul, addcdiv
  template <auto F>
  static auto ternary_number(const TensorList& self, const TensorList& a, const TensorList& b, const Scalar& value) {
    check_lengths(self, a.size());
    check_lengths(self, b.size());
    return apply(self, [&](const Tensor& t, size_t i, Out out) { return F(t, a[i], b[i], value, out); });
  }
  template <auto F>
  static auto ternary_numbers(const TensorList& self, const TensorList& a, const TensorList& b, ListImpl& scalars) {
    check_lengths(self, a.size());
    check_lengths(self, b.size());
    const std::vector<Scalar> values = numbers_of(self, scalars);
    return apply(self, [&](const Tensor& t, size_t i, Out out) { return F(t, a[i], b[i], values[i], out); });
  }
  template <auto F>
  static auto ternary_values(const TensorList& self, const TensorList& a, const TensorList& b, const Tensor& scalars) {
    check_lengths(self, a.size());
    check_lengths(self, b.size());
    const std::vector<Scalar> values = numbers_in(self, scalars);
    return apply(self, [&](const Tensor& t, size_t i, Out out) { return F(t, a[i], b[i], values[i], out); });
  }

  // lerp
  template <auto F>
  static auto ternary(const TensorList& self, const TensorList& a, const TensorList& b) {
    check_lengths(self, a.size());
    check_lengths(self, b.size());
    return apply(self, [&](const Tensor& t, size_t i, Out out) { return F(t, a[i], b[i], out); });
  }
  template <auto F>
  static auto list_number(const TensorList& self, const TensorList& a, const Scalar& value) {
    check_lengths(self, a.size());
    return apply(self, [&](const Tensor& t, size_t i, Out out) { return F(t, a[i], value, out); });
  }
  template <auto F>
  static auto list_numbers(const TensorList& self, const TensorList& a, ListImpl& scalars) {
    check_lengths(self, a.size());
    const std::vector<Scalar> values = numbers_of(self, scalars);
    return apply(self, [&](const Tensor& t, size_t i, Out out) { return F(t, a[i], values[i], out); });
  }
};
using New = Each<false>;
using Self = Each<true>;

TensorList norm(const TensorList& self, const Scalar& ord, std::optional<DType> dtype);
TensorList power_sum(const TensorList& self, const Scalar& ord, std::optional<DType> dtype);
TensorList largest(const TensorList& self);
TensorList products(const TensorList& self, const TensorList& mat2);
TensorList powers_of(const Scalar& base, const TensorList& exponent);
TensorList copies(const TensorList& self, std::optional<MemoryFormat> format);
TensorList copied(const TensorList& self, const TensorList& src, bool non_blocking);
void copy_self(const TensorList& self, const TensorList& src, bool non_blocking);
TensorList zeros(const TensorList& self);
void zero_self(const TensorList& self);

}  // namespace wick::ops::foreach
