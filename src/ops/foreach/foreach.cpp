// The _foreach operators: a pointwise operator applied to each tensor of a list.
#include "ops/foreach/foreach.h"

#include "core/copy.h"
#include "ops/matmul/matmul.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/copy_ops.h"
#include "ops/shape/creation.h"

namespace wick::ops::foreach {

void check_list(const TensorList& self) {
  WICK_CHECK(!self.empty(), kInvalidArgument, "Tensor list must have at least one tensor.");
}
void check_lengths(const TensorList& self, size_t other) {
  check_list(self);
  WICK_CHECK(other > 0, kInvalidArgument, "Tensor list must have at least one tensor.");
  WICK_CHECK(self.size() == other, kInvalidArgument, "Tensor lists must have the same number of tensors, got ",
             self.size(), " and ", other);
}

std::vector<Scalar> numbers_of(const TensorList& self, const ListImpl& list) {
  check_list(self);
  WICK_CHECK(self.size() == list.items.size(), kInvalidArgument,
             "Tensor list must have same number of elements as scalar list.");
  std::vector<Scalar> out;
  for (const IValue& v : list.items) out.push_back(v.to_scalar());
  return out;
}
std::vector<Scalar> numbers_in(const TensorList& self, const Tensor& values) {
  WICK_CHECK(values.dim() == 1, kShapeMismatch, "Expected packed scalar Tensor to be of dimension 1. Got ",
             values.dim(), " instead.");
  WICK_CHECK(values.numel() == static_cast<int64_t>(self.size()), kInvalidArgument,
             "Expected length of scalars to match input of length ", self.size(), " but got ", values.numel(),
             " instead.");
  std::vector<Scalar> out;
  for (int64_t i = 0, count = values.numel(); i < count; ++i) {
    out.push_back(values.as_strided({}, {}, values.storage_offset() + i * values.stride(0)).item());
  }
  return out;
}

void check_one_number(const Tensor& other) {
  WICK_CHECK(other.dim() == 0 && other.numel() == 1, kInvalidArgument, "scalar tensor expected to be 0 dim but it has ",
             other.dim(), " dimensions and ", other.numel(), " elements.");
}

TensorList norm(const TensorList& self, const Scalar& ord, std::optional<DType> dtype) {
  check_list(self);
  return New::apply(self, [&](const Tensor& t, size_t, Out) { return vector_norm(t, ord, {}, false, dtype); });
}
TensorList power_sum(const TensorList& self, const Scalar& ord, std::optional<DType> dtype) {
  check_list(self);
  return New::apply(
      self, [&](const Tensor& t, size_t, Out) { return sum(pow_scalar(abs(dtype ? to_dtype(t, *dtype) : t), ord)); });
}
TensorList largest(const TensorList& self) {
  check_list(self);
  return New::apply(self, [](const Tensor& t, size_t, Out) { return max(t); });
}
TensorList products(const TensorList& self, const TensorList& mat2) {
  check_lengths(self, mat2.size());
  return New::apply(self, [&](const Tensor& t, size_t i, Out) { return mm(t, mat2[i]); });
}
TensorList powers_of(const Scalar& base, const TensorList& exponent) {
  check_list(exponent);
  return New::apply(exponent, [&](const Tensor& t, size_t, Out) { return pow_scalar_tensor(base, t); });
}
TensorList copies(const TensorList& self, std::optional<MemoryFormat> format) {
  check_list(self);
  return New::apply(self, [&](const Tensor& t, size_t, Out) { return clone_tensor(t, format); });
}
TensorList copied(const TensorList& self, const TensorList& src, bool) {
  check_lengths(self, src.size());
  return New::apply(self, [&](const Tensor& t, size_t i, Out) {
    const Tensor out = empty_like(t);
    copy_into(out, src[i]);
    return out;
  });
}
void copy_self(const TensorList& self, const TensorList& src, bool non_blocking) {
  check_lengths(self, src.size());
  for (size_t i = 0; i < self.size(); ++i) copy_inplace(self[i], src[i], non_blocking);
}
TensorList zeros(const TensorList& self) {
  check_list(self);
  return New::apply(self, [](const Tensor& t, size_t, Out) { return zeros_like(t, {}, {}); });
}
void zero_self(const TensorList& self) {
  check_list(self);
  for (const Tensor& t : self) fill(t, 0);
}

}  // namespace wick::ops::foreach
