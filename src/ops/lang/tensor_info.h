// Queries of a tensor's metadata.
#pragma once

#include "ops/boxing.h"

namespace wick::ops::lang {

IntVec sizes_of(const Tensor& t);
int64_t size_of_dim(const Tensor& t, int64_t dim);
IntVec strides_of(const Tensor& t);
int64_t stride_of_dim(const Tensor& t, int64_t dim);
int64_t length_of_tensor(const Tensor& t);  // throws for a zero-dim tensor
// Questions about sparse tensors; a dense one is refused.
int64_t sparse_dim(const Tensor& t);
int64_t dense_dim(const Tensor& t);
bool is_coalesced(const Tensor& t);
Tensor coalesce(const Tensor& t);
bool is_contiguous_as(const Tensor& t, MemoryFormat format);
bool is_strides_like(const Tensor& t, MemoryFormat format);
Scalar first_element(const Tensor& t);
Tensor without_grad(const Tensor& t);
Tensor set_requires_grad(const Tensor& t, bool value);
DType result_type_of_tensors(const Tensor& a, const Tensor& b);
DType result_type_of_tensor_scalar(const Tensor& a, const Scalar& b);
DType result_type_of_scalar_tensor(const Scalar& a, const Tensor& b);
DType result_type_of_scalars(const Scalar& a, const Scalar& b);
// Throws "Tensor dtype mismatch" and the like.
void assert_metadata(const Tensor& t, const std::optional<IntVec>& sizes, const std::optional<IntVec>& strides,
                     std::optional<DType> dtype, std::optional<Device> device, const IValue& layout);
void assert_true(const Tensor& t);
void assert_true_or(const Tensor& t, std::string_view message);
bool is_set_to(const Tensor& a, const Tensor& b);
IntVec ints_of_tensor(const Tensor& t);
Tensor tensor_of_ints(IntSpan values);

}  // namespace wick::ops::lang
