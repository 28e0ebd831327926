// Operators that are compositions of products.
#include <algorithm>

#include "core/limits.h"
#include "ops/linalg/linalg.h"
#include "ops/matmul/matmul.h"
#include "ops/matmul/views.h"
#include "ops/pointwise/pointwise.h"

namespace wick::ops {

Tensor inner(const Tensor& self, const Tensor& other) {
  if (self.dim() == 0 || other.dim() == 0) return mul(self, other);
  WICK_CHECK(self.size(-1) == other.size(-1), kShapeMismatch,
             "inner() the last dimension must match on both input tensors but got shapes ", self.sizes(), " and ",
             other.sizes());
  return tensordot(self, other, {-1}, {-1});
}

Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const OptTensor& bias) {
  WICK_CHECK(input1.dim() == input2.dim(), kShapeMismatch, "bilinear(): input dimensions do not match: got ",
             input1.dim(), " and ", input2.dim());
  WICK_CHECK(input1.dim() >= 1 && weight.dim() == 3, kShapeMismatch,
             "bilinear(): expected inputs of at least 1 dimension and a weight of 3, but got ", input1.dim(), " and ",
             weight.dim());
  for (int64_t d = 0; d < input1.dim() - 1; ++d) {
    WICK_CHECK(input1.size(d) == input2.size(d), kShapeMismatch,
               "bilinear(): input batch dimensions do not match at dim ", d, ": got ", input1.size(d), " and ",
               input2.size(d));
  }
  WICK_CHECK(input1.size(-1) == weight.size(1), kShapeMismatch,
             "bilinear(): input1 size does not match weight size: got ", input1.size(-1), " but expected ",
             weight.size(1));
  WICK_CHECK(input2.size(-1) == weight.size(2), kShapeMismatch,
             "bilinear(): input2 size does not match weight size: got ", input2.size(-1), " but expected ",
             weight.size(2));
  WICK_CHECK(!bias || bias->size(0) == weight.size(0), kShapeMismatch,
             "bilinear(): bias size does not match weight size: got ", bias ? bias->size(0) : 0, " but expected ",
             weight.size(0));
  check_same_scalar_type(input1, input2);
  check_same_scalar_type(input1, weight);
  const IntVec sizes = joined(input1.sizes().subspan(0, input1.sizes().size() - 1), {weight.size(0)});
  const Tensor x1 = folded(input1), x2 = folded(input2);
  const int64_t rows = x1.size(0), out = weight.size(0), in1 = weight.size(1), in2 = weight.size(2);
  // [rows, in1] x [in1, out * in2], then each row's [out, in2] x [in2, 1].
  const Tensor w = reshape_or_copy(permuted(weight, {1, 0, 2}), {in1, out * in2});
  const Tensor half = reshape_or_copy(product(x1, w, "addmm_impl_cpu_"), {rows, out, in2});
  const Tensor y = product(half, reshape_or_copy(x2, {rows, in2, 1}), "bmm");
  const Tensor result = reshape_or_copy(y, sizes);
  return bias ? add(result, *bias) : result;
}

namespace {

// Multiplies matrices [first, last] in the order that costs the fewest operations.
Tensor multiply_chain(const TensorList& m, const std::vector<std::vector<size_t>>& split, size_t first, size_t last) {
  if (first == last) return m[first];
  const size_t at = split[first][last];
  return mm(multiply_chain(m, split, first, at), multiply_chain(m, split, at + 1, last));
}

Tensor best_chain(const TensorList& m) {
  const size_t n = m.size();
  WICK_CHECK(n <= limits::kMaxMatrixChain, kLimitExceeded, "multi_dot(): more than ", limits::kMaxMatrixChain,
             " matrices");
  std::vector<std::vector<double>> cost(n, std::vector<double>(n, 0));
  std::vector<std::vector<size_t>> split(n, std::vector<size_t>(n, 0));
  for (size_t length = 1; length < n; ++length) {
    for (size_t i = 0; i + length < n; ++i) {
      const size_t j = i + length;
      cost[i][j] = -1;
      for (size_t k = i; k < j; ++k) {
        const double c =
            cost[i][k] + cost[k + 1][j] +
            static_cast<double>(m[i].size(0)) * static_cast<double>(m[k].size(1)) * static_cast<double>(m[j].size(1));
        if (cost[i][j] < 0 || c < cost[i][j]) {
          cost[i][j] = c;
          split[i][j] = k;
        }
      }
    }
  }
  return multiply_chain(m, split, 0, n - 1);
}

}  // namespace

Tensor linalg_multi_dot(const TensorList& tensors) {
  const size_t n = tensors.size();
  WICK_CHECK(n >= 2, kInvalidArgument, "multi_dot(): expected at least 2 tensors but got ", n);
  TensorList m = tensors;
  IntVec sizes;
  const Tensor &front = tensors.front(), &back = tensors.back();
  if (front.dim() == 1) {
    m.front() = as_row(front);
  } else {
    WICK_CHECK(front.dim() == 2, kShapeMismatch, "multi_dot(): the first tensor must be 1D or 2D but got ", front.dim(),
               "D");
    sizes.push_back(front.size(0));
  }
  if (back.dim() == 1) {
    m.back() = as_column(back);
  } else {
    WICK_CHECK(back.dim() == 2, kShapeMismatch, "multi_dot(): the last tensor must be 1D or 2D but got ", back.dim(),
               "D");
    sizes.push_back(back.size(1));
  }
  for (size_t i = 1; i + 1 < n; ++i)
    WICK_CHECK(m[i].dim() == 2, kShapeMismatch, "multi_dot(): tensor ", i, " must be 2D but got ", m[i].dim(), "D");
  for (size_t i = 1; i < n; ++i)
    WICK_CHECK(m[i].dtype() == m[0].dtype(), kTypeMismatch,
               "multi_dot(): all tensors must have be the same dtype but tensor 0 is ", torch_name_of(m[0].dtype()),
               " and tensor ", i, " ", torch_name_of(m[i].dtype()));
  for (size_t i = 0; i + 1 < n; ++i)
    WICK_CHECK(m[i].size(1) == m[i + 1].size(0), kShapeMismatch, "multi_dot(): tensors ", i, " and ", i + 1,
               " with shapes ", m[i].sizes(), " and ", m[i + 1].sizes(), " cannot be multiplied");
  return reshape_or_copy(best_chain(m), sizes);
}

Tensor chain_matmul(const TensorList& matrices) {
  WICK_CHECK(!matrices.empty(), kInvalidArgument, "chain_matmul(): Expected one or more matrices");
  for (const Tensor& t : matrices)
    WICK_CHECK(t.dim() == 2, kShapeMismatch, "Tensor dimension is ", t.dim(), ", expected 2 instead.");
  return matrices.size() == 1 ? clone(matrices[0]) : linalg_multi_dot(matrices);
}

Tensor matrix_power(const Tensor& self, int64_t n) {
  WICK_CHECK(self.dim() >= 2, kShapeMismatch,
             "linalg.matrix_power: The input tensor A must have at least 2 dimensions.");
  WICK_CHECK(self.size(-1) == self.size(-2), kShapeMismatch,
             "linalg.matrix_power: A must be batches of square matrices, but they are ", self.size(-2), " by ",
             self.size(-1), " matrices");
  if (n < 0) {
#ifdef WICK_WITH_LINALG
    WICK_CHECK(n > INT64_MIN, kInvalidArgument, "linalg.matrix_power: the power is too small");
    return matrix_power(linalg_inv(self), -n);
#else
    fail_with<ErrorCode::kUnsupported>(
        "linalg.matrix_power: a negative power needs an inverse; this build has no linear algebra");
#endif
  }
  if (n == 0) {
    const Tensor out = Tensor::zeros(self.sizes(), self.dtype());
    IntVec sizes = self.sizes(), strides = out.strides();
    const int64_t step = strides.back() + strides[strides.size() - 2];
    sizes.pop_back();
    strides.pop_back();
    strides.back() = step;
    fill(out.as_strided(sizes, strides, 0), 1);
    return out;
  }
  // Squares of self for the bits of n, multiplied where the bit is set.
  Tensor power = self, result;
  for (int64_t bits = n;; power = product(power, power, "bmm")) {
    if (bits & 1) result = result.defined() ? product(result, power, "bmm") : power;
    bits >>= 1;
    if (bits == 0) break;
  }
  return result.is_same(self) ? clone(self) : result;
}

Tensor tensordot(const Tensor& self, const Tensor& other, IntSpan dims_self, IntSpan dims_other) {
  WICK_CHECK(dims_self.size() == dims_other.size(), kInvalidArgument, "both dimension lists should have same length");
  const IntVec d1 = wrap_dims(dims_self, self.dim()), d2 = wrap_dims(dims_other, other.dim());
  Tensor a = self, b = other;
  int64_t contracted = 1;
  for (size_t i = 0; i < d1.size(); ++i) {
    const int64_t s1 = self.size(d1[i]), s2 = other.size(d2[i]);
    // A dimension of size 1 stands for the sum over the other's.
    if (s1 == 1 && s2 != 1) {
      IntVec sizes = a.sizes();
      sizes[static_cast<size_t>(d1[i])] = s2;
      a = expand(a, sizes);
    } else if (s2 == 1 && s1 != 1) {
      IntVec sizes = b.sizes();
      sizes[static_cast<size_t>(d2[i])] = s1;
      b = expand(b, sizes);
    } else {
      WICK_CHECK(s1 == s2, kShapeMismatch, "contracted dimensions need to match, but first has size ", s1, " in dim ",
                 dims_self[i], " and second has size ", s2, " in dim ", dims_other[i]);
    }
    contracted *= std::max(s1, s2);
  }
  check_same_scalar_type(self, other);
  const auto free_dims = [](const Tensor& t, const IntVec& used) {
    IntVec dims;
    for (int64_t d = 0; d < t.dim(); ++d)
      if (std::find(used.begin(), used.end(), d) == used.end()) dims.push_back(d);
    return dims;
  };
  const IntVec f1 = free_dims(a, d1), f2 = free_dims(b, d2);
  int64_t rows = 1, columns = 1;
  IntVec sizes;
  for (const int64_t d : f1) {
    sizes.push_back(a.size(d));
    rows *= a.size(d);
  }
  for (const int64_t d : f2) {
    sizes.push_back(b.size(d));
    columns *= b.size(d);
  }
  checked_numel(sizes);
  const Tensor left = reshape_or_copy(permuted(a, joined(f1, d1)), {rows, contracted});
  const Tensor right = reshape_or_copy(permuted(b, joined(d2, f2)), {contracted, columns});
  return reshape_or_copy(product(left, right, "addmm_impl_cpu_"), sizes);
}

Tensor kron(const Tensor& self, const Tensor& other) {
  // [a1, 1, a2, 1, ...] * [1, b1, 1, b2, ...] as [a1 * b1, a2 * b2, ...].
  const int64_t dims = std::max(self.dim(), other.dim());
  IntVec a, a_strides, b, b_strides, sizes;
  for (int64_t d = 0; d < dims; ++d) {
    const int64_t da = d - (dims - self.dim()), db = d - (dims - other.dim());
    const int64_t sa = da < 0 ? 1 : self.size(da), sb = db < 0 ? 1 : other.size(db);
    a.push_back(sa);
    a_strides.push_back(da < 0 ? 0 : self.stride(da));
    a.push_back(1);
    a_strides.push_back(0);
    b.push_back(1);
    b_strides.push_back(0);
    b.push_back(sb);
    b_strides.push_back(db < 0 ? 0 : other.stride(db));
    WICK_CHECK(sb == 0 || sa <= INT64_MAX / sb, kOutOfMemory, "kron: sizes ", self.sizes(), " and ", other.sizes(),
               " are too large");
    sizes.push_back(sa * sb);
  }
  WICK_CHECK(2 * dims <= 64, kLimitExceeded, "kron: more than 32 dimensions");
  checked_numel(sizes);
  return reshape_or_copy(
      mul(self.as_strided(a, a_strides, self.storage_offset()), other.as_strided(b, b_strides, other.storage_offset())),
      sizes);
}

Tensor linalg_vecdot(const Tensor& x, const Tensor& y, int64_t dim) {
  WICK_CHECK(is_floating(x.dtype()) || is_complex(x.dtype()), kTypeMismatch,
             "linalg.vecdot: Expected a floating point or complex tensor as input. Got ", name_of(x.dtype()));
  WICK_CHECK(x.dtype() == y.dtype(), kTypeMismatch,
             "linalg.vecdot: Expected x and y to have the same dtype, but found x of type ", name_of(x.dtype()),
             " and y of type ", name_of(y.dtype()), " instead");
  const IntVec sizes = broadcast_shapes(x.sizes(), y.sizes());
  const Tensor a = expand(x, sizes), b = expand(y, sizes);
  const int64_t d = wrap_dim(dim, static_cast<int64_t>(sizes.size()));
  if (sizes.empty()) return reshape_or_copy(vdot(reshape_or_copy(a, {1}), reshape_or_copy(b, {1})), {});
  IntVec order, rest;
  for (int64_t i = 0; i < a.dim(); ++i) {
    if (i == d) continue;
    order.push_back(i);
    rest.push_back(sizes[static_cast<size_t>(i)]);
  }
  order.push_back(d);
  const Tensor u = folded(permuted(conj_physical(a), order)), v = folded(permuted(b, order));
  const int64_t rows = u.size(0), k = u.size(1);
  const Tensor out = product(reshape_or_copy(u, {rows, 1, k}), reshape_or_copy(v, {rows, k, 1}), "dot");
  return reshape_or_copy(out, rest);
}

}  // namespace wick::ops
