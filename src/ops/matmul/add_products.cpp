// beta * self + alpha * product, for every kind of product.
#include "ops/matmul/matmul.h"
#include "ops/matmul/views.h"
#include "ops/pointwise/activation.h"
#include "ops/pointwise/pointwise.h"

namespace wick::ops {
namespace {

void check_batches(const Tensor& a, const Tensor& b) {
  WICK_CHECK(a.dim() == 3, kShapeMismatch, "batch1 must be a 3D tensor");
  WICK_CHECK(b.dim() == 3, kShapeMismatch, "batch2 must be a 3D tensor");
}

}  // namespace

Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha) {
  WICK_CHECK(mat1.dim() == 2, kShapeMismatch, "mat1 must be a matrix, got ", mat1.dim(), "-D tensor");
  WICK_CHECK(mat2.dim() == 2, kShapeMismatch, "mat2 must be a matrix, got ", mat2.dim(), "-D tensor");
  check_multiply(mat1, mat2);
  WICK_CHECK(self.dtype() == mat2.dtype(), kTypeMismatch, "self and mat2 must have the same dtype");
  WICK_CHECK(mat1.dtype() == mat2.dtype(), kTypeMismatch, "mat1 and mat2 must have the same dtype");
  return product(mat1, mat2, "addmm_impl_cpu_", alpha, self, beta);
}

Tensor addmm_activation(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                        const Scalar& alpha, bool use_gelu) {
  const Tensor sum = addmm(self, mat1, mat2, beta, alpha);
  return use_gelu ? gelu(sum, "none") : relu(sum);
}

Tensor addmv(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha) {
  WICK_CHECK(mat.dim() == 2 && vec.dim() == 1 && self.dim() <= 1, kShapeMismatch,
             "vector + matrix @ vector expected, got ", self.dim(), ", ", mat.dim(), ", ", vec.dim());
  const int64_t rows = mat.size(0);
  WICK_CHECK(mat.size(1) == vec.size(0) && (self.numel() == 1 || rows == self.numel()), kShapeMismatch,
             "size mismatch, got ", self.dim() == 0 ? 1 : self.size(0), ", ", rows, "x", mat.size(1), ",", vec.size(0));
  check_same_scalar_type(mat, vec);
  const Tensor kept = as_column(expand(self, {rows}));
  return reshape_or_copy(product(mat, as_column(vec), "addmv_impl_cpu", alpha, kept, beta), {rows});
}

Tensor addbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha) {
  check_batches(batch1, batch2);
  WICK_CHECK(batch1.size(0) == batch2.size(0), kShapeMismatch,
             "batch1 and batch2 must have same number of batches, got ", batch1.size(0), " and ", batch2.size(0));
  WICK_CHECK(batch1.size(2) == batch2.size(1), kShapeMismatch, "Incompatible matrix sizes for bmm (", batch1.size(1),
             "x", batch1.size(2), " and ", batch2.size(1), "x", batch2.size(2), ")");
  WICK_CHECK(self.dtype() == batch2.dtype(), kTypeMismatch, "self and mat2 must have the same dtype");
  WICK_CHECK(batch1.dtype() == batch2.dtype(), kTypeMismatch, "mat1 and mat2 must have the same dtype");
  // The sum over the batch is one product of the matrices laid side by side.
  const int64_t m = batch1.size(1), n = batch2.size(2), k = batch1.size(0) * batch1.size(2);
  const Tensor a = reshape_or_copy(permuted(batch1, {1, 0, 2}), {m, k}), b = reshape_or_copy(batch2, {k, n});
  return product(a, b, "addmm_impl_cpu_", alpha, self, beta);
}

Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
               const Scalar& alpha) {
  check_batches(batch1, batch2);
  WICK_CHECK(batch2.size(0) == batch1.size(0) && batch2.size(1) == batch1.size(2), kShapeMismatch,
             "Expected size for first two dimensions of batch2 tensor to be: [", batch1.size(0), ", ", batch1.size(2),
             "] but got: [", batch2.size(0), ", ", batch2.size(1), "].");
  check_same_scalar_type(batch1, batch2);
  return product(batch1, batch2, "baddbmm", alpha, self, beta);
}

Tensor addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta, const Scalar& alpha) {
  WICK_CHECK(vec1.dim() == 1, kShapeMismatch, "addr: Expected 1-D argument vec1, but got ", vec1.dim(), "-D");
  WICK_CHECK(vec2.dim() == 1, kShapeMismatch, "addr: Expected 1-D argument vec2, but got ", vec2.dim(), "-D");
  const DType dtype = promote_types(promote_types(self.dtype(), vec1.dtype()), vec2.dtype());
  for (const auto& [number, name] : {std::pair(&beta, "beta"), std::pair(&alpha, "alpha")}) {
    WICK_CHECK(!is_integral(dtype, true) || number->is_integral(), kInvalidArgument,
               "For integral input tensors, argument ", name, " must not be a floating point number.");
    WICK_CHECK(!number->is_bool() || dtype == DType::kBool, kInvalidArgument, "Boolean ", name,
               " only supported for Boolean results.");
  }
  const Tensor kept = expand(self, {vec1.size(0), vec2.size(0)});
  const Tensor a = to_dtype(as_column(vec1), dtype), b = to_dtype(vec2, dtype);
  if (dtype == DType::kBool) {
    Tensor result = mul_scalar(mul(a, b), Scalar(alpha.to_bool()));
    return beta.to_bool() ? maximum(to_dtype(kept, dtype), result) : result;
  }
  Tensor result = mul(a, b);
  if (alpha.to_complex() != 1.0) result = mul_scalar(result, alpha);
  if (beta.to_complex() == 0.0) {
    if (kept.is_contiguous() || !kept.is_non_overlapping_and_dense()) return result;
    const Tensor permuted = Tensor::empty_strided(kept.sizes(), kept.strides(), dtype);
    copy_into(permuted, result);
    return permuted;
  }
  const Tensor base = to_dtype(kept, dtype);
  return add(beta.to_complex() == 1.0 ? base : mul_scalar(base, beta), result);
}

}  // namespace wick::ops
