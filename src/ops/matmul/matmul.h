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

Tensor chain_matmul(const TensorList& matrices);
Tensor linalg_multi_dot(const TensorList& tensors);
Tensor matrix_power(const Tensor& self, int64_t n);
Tensor tensordot(const Tensor& self, const Tensor& other, IntSpan dims_self, IntSpan dims_other);
Tensor kron(const Tensor& self, const Tensor& other);
Tensor linalg_vecdot(const Tensor& x, const Tensor& y, int64_t dim);
Tensor einsum(std::string_view equation, const TensorList& tensors, const std::optional<IntVec>& path);

}  // namespace wick::ops
