// Batches of matrices for linear algebra: conversion to and from Eigen in double precision.
#include "ops/linalg/matrices.h"

#include "kernels/bounds.h"

namespace wick::ops::linalg {

void count_step() {
  static constinit thread_local uint32_t steps = 0;
  constexpr uint32_t kStepsBetween = 16;
  if (++steps % kStepsBetween == 0) kernels::check_bounds();
}

void check_matrix(const Tensor& a, const char* name) {
  WICK_CHECK(is_floating(a.dtype()) || is_complex(a.dtype()), kTypeMismatch, name,
             ": Expected a floating point or complex tensor as input. Got ", name_of(a.dtype()));
  WICK_CHECK(a.dtype() != DType::kHalf && a.dtype() != DType::kBFloat16, kUnsupported, name,
             ": Low precision dtypes not supported. Got ", name_of(a.dtype()));
  WICK_CHECK(a.dim() >= 2, kShapeMismatch, name, ": The input tensor A must have at least 2 dimensions.");
}

void check_square(const Tensor& a, const char* name) {
  check_matrix(a, name);
  WICK_CHECK(rows(a) == columns(a), kShapeMismatch, name, ": A must be batches of square matrices, but they are ",
             rows(a), " by ", columns(a), " matrices");
}

IntVec with_tail(IntVec batch, std::initializer_list<int64_t> tail) {
  for (int64_t n : tail) batch.push_back(n);
  return batch;
}

// The size LAPACK chooses pivots by.
double pivot_size(double v) { return std::abs(v); }
double pivot_size(Complex v) { return std::abs(v.real()) + std::abs(v.imag()); }

template <class S>
int32_t lu_in_place(Matrix<S>& a, int32_t* pivots) {
  int32_t info = 0;
  const int64_t steps = std::min(a.rows(), a.cols());
  for (int64_t k = 0; k < steps; ++k) {
    int64_t best = k;
    for (int64_t r = k + 1; r < a.rows(); ++r) {
      if (pivot_size(a(r, k)) > pivot_size(a(best, k))) best = r;
    }
    pivots[k] = static_cast<int32_t>(best + 1);
    if (best != k) a.row(k).swap(a.row(best));
    if (a(k, k) == S(0)) {
      if (info == 0) info = static_cast<int32_t>(k + 1);
      continue;
    }
    const int64_t below = a.rows() - k - 1, right = a.cols() - k - 1;
    if (below == 0) continue;
    a.col(k).tail(below) /= a(k, k);
    if (right > 0) a.bottomRightCorner(below, right).noalias() -= a.col(k).tail(below) * a.row(k).tail(right);
  }
  return info;
}
template int32_t lu_in_place<double>(Matrix<double>&, int32_t*);
template int32_t lu_in_place<Complex>(Matrix<Complex>&, int32_t*);

int64_t batch_count(const Tensor& a) { return checked_numel(batch_sizes(a)); }

std::pair<Tensor, Tensor> broadcast_batches(const Tensor& a, const Tensor& b) {
  const IntVec batch = broadcast_shapes(batch_sizes(a), batch_sizes(b));
  return {expand(a, with_tail(batch, {rows(a), columns(a)})), expand(b, with_tail(batch, {rows(b), columns(b)}))};
}

Tensor with_column(const Tensor& b) {
  IntVec sizes(b.sizes()), strides(b.strides());
  sizes.push_back(1);
  strides.push_back(1);
  return b.as_strided(sizes, strides, b.storage_offset());
}
Tensor without_column(const Tensor& b) {
  return b.as_strided(b.sizes().subspan(0, static_cast<size_t>(b.dim()) - 1),
                      b.strides().subspan(0, static_cast<size_t>(b.dim()) - 1), b.storage_offset());
}

void check_same_dtype(const Tensor& a, const Tensor& b, const char* name) {
  WICK_CHECK(a.dtype() == b.dtype(), kTypeMismatch, name,
             ": Expected A and B to have the same dtype, but found A of type ", name_of(a.dtype()), " and B of type ",
             name_of(b.dtype()), " instead");
}

}  // namespace wick::ops::linalg
