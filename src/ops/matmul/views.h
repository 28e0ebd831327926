// Views that turn vectors and batches into matrices.
#pragma once

#include "core/check.h"
#include "core/copy.h"
#include "core/shape.h"

namespace wick::ops {

// The same elements in order under other sizes of as many elements: a view when contiguous, else a copy. Not the
// reshaped() of nn/common.h, which takes contiguous tensors alone: of two functions of one name a linker keeps either.
inline Tensor reshape_or_copy(const Tensor& t, IntSpan sizes) {
  const Tensor c = contiguous(t);
  return c.as_strided(sizes, contiguous_strides(sizes), c.storage_offset());
}

// A vector as a matrix of one column or one row.
inline Tensor as_column(const Tensor& v) { return v.as_strided({v.size(0), 1}, {v.stride(0), 1}, v.storage_offset()); }
inline Tensor as_row(const Tensor& v) {
  return v.as_strided({1, v.size(0)}, {v.size(0) * v.stride(0), v.stride(0)}, v.storage_offset());
}

// Dimensions in another order; a view.
inline Tensor permuted(const Tensor& t, IntSpan order) {
  IntVec sizes, strides;
  for (const int64_t d : order) {
    sizes.push_back(t.size(d));
    strides.push_back(t.stride(d));
  }
  return t.as_strided(sizes, strides, t.storage_offset());
}

// [..., k] as [rows, k].
inline Tensor folded(const Tensor& t) {
  const int64_t rows = checked_numel(t.sizes().subspan(0, t.sizes().size() - 1));
  return reshape_or_copy(t, {rows, t.size(-1)});
}

inline IntVec joined(IntSpan a, IntSpan b) {
  IntVec all = a;
  for (const int64_t v : b) all.push_back(v);
  return all;
}

inline void check_same_scalar_type(const Tensor& a, const Tensor& b) {
  WICK_CHECK(a.dtype() == b.dtype(), kTypeMismatch, "expected scalar type ", name_of(a.dtype()), " but found ",
             name_of(b.dtype()));
}

inline void check_multiply(const Tensor& a, const Tensor& b) {
  WICK_CHECK(a.size(1) == b.size(0), kShapeMismatch, "mat1 and mat2 shapes cannot be multiplied (", a.size(0), "x",
             a.size(1), " and ", b.size(0), "x", b.size(1), ")");
}

}  // namespace wick::ops
