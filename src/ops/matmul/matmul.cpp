// Products of matrices and vectors.
#include "ops/matmul/matmul.h"

#include "ops/matmul/views.h"
#include "ops/pointwise/pointwise.h"

namespace wick::ops {
namespace {

void check_dot(const Tensor& a, const Tensor& b) {
  WICK_CHECK(a.dim() == 1 && b.dim() == 1, kShapeMismatch, "1D tensors expected, but got ", a.dim(), "D and ", b.dim(),
             "D tensors");
  WICK_CHECK(a.dtype() == b.dtype(), kTypeMismatch, "dot : expected both vectors to have same dtype, but found ",
             name_of(a.dtype()), " and ", name_of(b.dtype()));
  WICK_CHECK(a.numel() == b.numel(), kShapeMismatch, "inconsistent tensor size, expected tensor ", a.sizes(),
             " and src ", b.sizes(), " to have the same number of elements, but got ", a.numel(), " and ", b.numel(),
             " elements respectively");
}

// t [..., k] with the vector v: [...].
Tensor times_vector(const Tensor& t, const Tensor& v) {
  const IntVec sizes = t.sizes().subspan(0, t.sizes().size() - 1);
  return reshape_or_copy(mv(folded(t), v), sizes);
}

}  // namespace

Tensor mm(const Tensor& self, const Tensor& mat2) {
  WICK_CHECK(self.dim() == 2, kShapeMismatch, "self must be a matrix");
  WICK_CHECK(mat2.dim() == 2, kShapeMismatch, "mat2 must be a matrix");
  check_multiply(self, mat2);
  check_same_scalar_type(self, mat2);
  return product(self, mat2, "addmm_impl_cpu_");
}

Tensor bmm(const Tensor& self, const Tensor& mat2) {
  WICK_CHECK(self.dim() == 3, kShapeMismatch, "batch1 must be a 3D tensor");
  WICK_CHECK(mat2.dim() == 3, kShapeMismatch, "batch2 must be a 3D tensor");
  WICK_CHECK(mat2.size(0) == self.size(0) && mat2.size(1) == self.size(2), kShapeMismatch,
             "Expected size for first two dimensions of batch2 tensor to be: [", self.size(0), ", ", self.size(2),
             "] but got: [", mat2.size(0), ", ", mat2.size(1), "].");
  check_same_scalar_type(self, mat2);
  return product(self, mat2, "bmm");
}

Tensor mv(const Tensor& self, const Tensor& vec) {
  WICK_CHECK(self.dim() == 2 && vec.dim() == 1, kShapeMismatch, "vector + matrix @ vector expected, got 1, ",
             self.dim(), ", ", vec.dim());
  WICK_CHECK(self.size(1) == vec.size(0), kShapeMismatch, "size mismatch, got ", self.size(0), ", ", self.size(0), "x",
             self.size(1), ",", vec.size(0));
  check_same_scalar_type(self, vec);
  return reshape_or_copy(product(self, as_column(vec), "addmv_impl_cpu"), {self.size(0)});
}

Tensor dot(const Tensor& self, const Tensor& tensor) {
  check_dot(self, tensor);
  return reshape_or_copy(product(as_row(self), as_column(tensor), "dot"), {});
}

Tensor vdot(const Tensor& self, const Tensor& other) {
  check_dot(self, other);
  return dot(conj_physical(self), other);
}

Tensor matmul(const Tensor& self, const Tensor& other) {
  const int64_t da = self.dim(), db = other.dim();
  WICK_CHECK(da != 0 && db != 0, kShapeMismatch, "both arguments to matmul need to be at least 1D, but they are ", da,
             "D and ", db, "D");
  if (da == 1 && db == 1) return dot(self, other);
  if (da == 2 && db == 1) return mv(self, other);
  if (da == 1 && db == 2) return reshape_or_copy(mm(as_row(self), other), {other.size(1)});
  if (da == 2 && db == 2) return mm(self, other);
  if (db == 1) return times_vector(self, other);
  if (da == 1) return times_vector(transpose_last(other), self);
  if (db == 2) {
    const IntVec sizes = joined(self.sizes().subspan(0, self.sizes().size() - 1), {other.size(1)});
    return reshape_or_copy(mm(folded(self), other), sizes);
  }
  if (da == 2) {
    int64_t rows = other.size(-1);
    for (int64_t d = 0; d < db - 2; ++d) rows *= other.sizes()[d];
    WICK_CHECK(self.size(1) == other.size(-2), kShapeMismatch, "mat1 and mat2 shapes cannot be multiplied (", rows, "x",
               other.size(-2), " and ", self.size(1), "x", self.size(0), ")");
  }
  const IntSpan batch_a = self.sizes().subspan(0, static_cast<size_t>(da - 2));
  const IntSpan batch_b = other.sizes().subspan(0, static_cast<size_t>(db - 2));
  const IntVec batch = broadcast_shapes(batch_a, batch_b);
  if (self.size(-1) != other.size(-2)) {
    int64_t count = 1;
    for (const int64_t s : batch) count *= s;
    fail_with<ErrorCode::kShapeMismatch>("Expected size for first two dimensions of batch2 tensor to be: [", count,
                                         ", ", self.size(-1), "] but got: [", count, ", ", other.size(-2), "].");
  }
  check_same_scalar_type(self, other);
  return product(expand(self, joined(batch, {self.size(-2), self.size(-1)})),
                 expand(other, joined(batch, {other.size(-2), other.size(-1)})), "bmm");
}

Tensor linear(const Tensor& input, const Tensor& weight, const OptTensor& bias) {
  WICK_CHECK(weight.dim() <= 2, kShapeMismatch, "t() expects a tensor with <= 2 dimensions, but self is ", weight.dim(),
             "D");
  if (weight.dim() != 2) {
    const Tensor out = matmul(input, weight);
    return bias ? add(out, *bias) : out;
  }
  const Tensor w = transpose_last(weight);
  if (!bias || input.dim() == 0) return matmul(input, w);
  const Tensor x = input.dim() == 1 ? as_row(input) : folded(input);
  check_multiply(x, w);
  WICK_CHECK(bias->dtype() == w.dtype(), kTypeMismatch, "self and mat2 must have the same dtype");
  check_same_scalar_type(x, w);
  return reshape_or_copy(product(x, w, "addmm_impl_cpu_", 1, *bias),
                         joined(input.sizes().subspan(0, input.sizes().size() - 1), {w.size(1)}));
}

Tensor outer(const Tensor& self, const Tensor& vec2) {
  WICK_CHECK(self.dim() == 1, kShapeMismatch, "outer: Expected 1-D argument self, but got ", self.dim(), "-D");
  WICK_CHECK(vec2.dim() == 1, kShapeMismatch, "outer: Expected 1-D argument vec2, but got ", vec2.dim(), "-D");
  return mul(as_column(self), vec2);
}

}  // namespace wick::ops
