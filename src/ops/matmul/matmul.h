// Products of matrices and vectors.
#pragma once

#include <string_view>

#include "ops/boxing.h"

namespace wick::ops {

// ---- building blocks ----

// a [..., m, k] times b [..., k, n] with equal leading sizes: alpha * a b, plus beta * self (which broadcasts to the
// result) when given. a and b have the same dtype, the result's. Sizes must fit. Bool is refused in the name of `op`.
Tensor product(const Tensor& a, const Tensor& b, const char* op, const Scalar& alpha = 1, const OptTensor& self = {},
               const Scalar& beta = 1);
// Last two dimensions exchanged; a view.
Tensor transpose_last(const Tensor& t);

// ---- operators ----

Tensor mm(const Tensor& self, const Tensor& mat2);
Tensor bmm(const Tensor& self, const Tensor& mat2);
Tensor mv(const Tensor& self, const Tensor& vec);
Tensor dot(const Tensor& self, const Tensor& tensor);
Tensor vdot(const Tensor& self, const Tensor& other);
Tensor matmul(const Tensor& self, const Tensor& other);
Tensor inner(const Tensor& self, const Tensor& other);
Tensor outer(const Tensor& self, const Tensor& vec2);
Tensor linear(const Tensor& input, const Tensor& weight, const OptTensor& bias);
Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const OptTensor& bias);

Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha);
Tensor addmm_activation(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                        const Scalar& alpha, bool use_gelu);
Tensor addmv(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha);
Tensor addbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha);
Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha);
Tensor addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta, const Scalar& alpha);

// Narrow factors, a result of another dtype that is rounded once.
Tensor mm_dtype(const Tensor& self, const Tensor& mat2, DType out_dtype);
Tensor bmm_dtype(const Tensor& self, const Tensor& mat2, DType out_dtype);
Tensor addmm_dtype(const Tensor& self, const Tensor& mat1, const Tensor& mat2, DType out_dtype, const Scalar& beta,
                   const Scalar& alpha);
Tensor baddbmm_dtype(const Tensor& self, const Tensor& batch1, const Tensor& batch2, DType out_dtype,
                     const Scalar& beta, const Scalar& alpha);
// Bytes times bytes, summed as int32.
Tensor int_mm(const Tensor& self, const Tensor& mat2);
// Activations times weights held as bytes [n, k] with one scale a row.
Tensor weight_int8pack_mm(const Tensor& self, const Tensor& weight, const Tensor& scales);
// Weights of four bits [n, k], two to a byte in blocks of 64 rows, and their product with activations; scales and
// zeros are [k / group, n, 2].
Tensor convert_weight_to_int4pack(const Tensor& weight, int64_t inner_k_tiles);
Tensor weight_int4pack_mm(const Tensor& self, const Tensor& packed, int64_t group, const Tensor& scales_and_zeros);
// Factors times their scales, one for all, or one a row of the first and one a column of the second.
Tensor scaled_mm(const Tensor& self, const Tensor& mat2, const Tensor& scale_a, const Tensor& scale_b,
                 const OptTensor& bias, const OptTensor& scale_result, std::optional<DType> out_dtype,
                 bool use_fast_accum);
// Products of groups of rows (or columns, or of the summed dim), which `offs` ends, with a matrix each.
Tensor grouped_mm(const Tensor& self, const Tensor& mat2, const OptTensor& offs, const OptTensor& bias,
                  std::optional<DType> out_dtype);
// The sum over `sumdim` of the product of three tensors, each unsqueezed at its expand dims.
Tensor trilinear(const Tensor& i1, const Tensor& i2, const Tensor& i3, IntSpan expand1, IntSpan expand2,
                 IntSpan expand3, IntSpan sumdim, int64_t unroll_dim);

Tensor chain_matmul(const TensorList& matrices);
Tensor linalg_multi_dot(const TensorList& tensors);
Tensor matrix_power(const Tensor& self, int64_t n);
Tensor tensordot(const Tensor& self, const Tensor& other, IntSpan dims_self, IntSpan dims_other);
Tensor kron(const Tensor& self, const Tensor& other);
Tensor linalg_vecdot(const Tensor& x, const Tensor& y, int64_t dim);
Tensor einsum(std::string_view equation, const TensorList& tensors, const std::optional<IntVec>& path);

}  // namespace wick::ops
