// Batches of matrices for the linear-algebra operators: in and out of Eigen, always in double precision.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "core/budget.h"
#include "core/check.h"

namespace wick::ops::linalg {

// Decompositions of one large matrix look at the budget between their steps. They are Eigen's, which has no such places
// but those where it states what it needs. Each step has some of rows, columns or parts of a matrix; others are of
// single elements, or where nothing may be thrown.
constexpr bool is_step(std::string_view need) {
  return need.starts_with("(i>=0) && ( ((BlockRows==1)") || need.starts_with("startRow >= 0 && ");
}
void count_step();
template <bool kStep>
void at_step() {
  if constexpr (kStep) {
    if (Budget::current()) [[unlikely]]
      count_step();
  }
}

// Into how many columns at once to cut work of so many multiplications for each column: so many that there is time
// between two looks at the budget for what each piece costs besides, in multiples of what every kernel computes at
// once, so that results do not depend on it.
inline int64_t columns_at_once(double multiplications) {
  constexpr int64_t kTile = 48;
  return static_cast<int64_t>(std::clamp(0x1p28 / (multiplications * kTile), 1.0, 0x1p20)) * kTile;
}

}  // namespace wick::ops::linalg

// A broken precondition inside Eigen becomes an Error, never an abort.
#define eigen_assert(condition)                                               \
  do {                                                                        \
    WICK_CHECK(condition, kInternal, "linear algebra: ", #condition);         \
    ::wick::ops::linalg::at_step<::wick::ops::linalg::is_step(#condition)>(); \
  } while (false)

// Eigen hands every product of large matrices to parallelize_gemm. This overload is the better match: it takes the
// product column by column of pieces. Declared before Eigen's own, which its callers look up by qualified name.
namespace Eigen::internal {

template <typename Scalar, typename Index, typename Gemm, typename Lhs, typename Rhs, typename Dest, typename Blocking>
struct gemm_functor;

template <bool kLarge, typename Scalar, typename Index, typename Gemm, typename Lhs, typename Rhs, typename Dest,
          typename Blocking>
void parallelize_gemm(const gemm_functor<Scalar, Index, Gemm, Lhs, Rhs, Dest, Blocking>& product, Index rows,
                      Index columns, Index depth, bool /*transpose*/) {
  const Index piece = wick::ops::linalg::columns_at_once(static_cast<double>(rows) * static_cast<double>(depth));
  for (Index first = 0; first < columns; first += piece) {
    wick::check_budget();
    product(0, rows, first, std::min(piece, columns - first));
  }
}

}  // namespace Eigen::internal

#include <Eigen/Core>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/boxing.h"
#include "ops/dtype_switch.h"

namespace wick::ops::linalg {

using Complex = std::complex<double>;
template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <class S>
using RowMajor = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Refuses what is not a floating point or complex tensor of at least two dims (and square where asked).
void check_matrix(const Tensor& a, const char* name);
void check_square(const Tensor& a, const char* name);

inline int64_t rows(const Tensor& a) { return a.sizes()[a.dim() - 2]; }
inline int64_t columns(const Tensor& a) { return a.sizes()[a.dim() - 1]; }
inline IntVec batch_sizes(const Tensor& a) { return IntVec(a.sizes().subspan(0, static_cast<size_t>(a.dim()) - 2)); }
IntVec with_tail(IntVec batch, std::initializer_list<int64_t> tail);

// The matrices of a tensor, read in the compute type.
template <class S>
class Input {
 public:
  explicit Input(const Tensor& t)
      : values_(contiguous(to_dtype(t, std::is_same_v<S, double> ? DType::kDouble : DType::kComplexDouble))),
        rows_(rows(t)),
        columns_(columns(t)) {}
  int64_t count() const { return rows_ * columns_ == 0 ? 0 : values_.numel() / (rows_ * columns_); }
  Matrix<S> operator[](int64_t i) const {
    check_budget();
    return Eigen::Map<const RowMajor<S>>(values_.data_ptr<S>() + i * rows_ * columns_, rows_, columns_);
  }

 private:
  Tensor values_;
  int64_t rows_, columns_;
};

// A result tensor filled matrix by matrix; column-major in memory unless told, as LAPACK leaves it.
template <class S>
class Output {
 public:
  Output(IntVec batch, int64_t rows, int64_t columns, DType dtype, bool column_major = true)
      : rows_(rows), columns_(columns), column_major_(column_major), dtype_(dtype) {
    const IntVec sizes = column_major ? with_tail(batch, {columns, rows}) : with_tail(batch, {rows, columns});
    values_ = Tensor::zeros(sizes, std::is_same_v<S, double> ? DType::kDouble : DType::kComplexDouble);
  }
  template <class M>
  void set(int64_t i, const M& m) {
    S* p = values_.data_ptr<S>() + i * rows_ * columns_;
    if (column_major_) {
      Eigen::Map<Matrix<S>>(p, rows_, columns_) = m;
    } else {
      Eigen::Map<RowMajor<S>>(p, rows_, columns_) = m;
    }
  }
  Tensor get() const {
    Tensor t = to_dtype(values_, dtype_);
    if (!column_major_) return t;
    IntVec sizes(t.sizes()), strides(t.strides());
    std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
    std::swap(strides[strides.size() - 1], strides[strides.size() - 2]);
    return t.as_strided(sizes, strides, 0);
  }

 private:
  int64_t rows_, columns_;
  bool column_major_;
  DType dtype_;
  Tensor values_;
};

// x := T^-1 x for a triangular view T of a matrix.
template <class Triangle, class S>
void solve_in_place(const Triangle& triangle, Matrix<S>& x) {
  const auto n = static_cast<double>(triangle.rows());
  const int64_t piece = columns_at_once(n * n);
  for (int64_t first = 0; first < x.cols(); first += piece) {
    check_budget();
    auto columns = x.middleCols(first, std::min<int64_t>(piece, x.cols() - first));
    triangle.solveInPlace(columns);
  }
}

// Number of matrices in a tensor, empty ones included.
int64_t batch_count(const Tensor& a);

// LAPACK's getrf: L below the diagonal, U above, pivots counted from one. Returns the first zero pivot, or 0.
template <class S>
int32_t lu_in_place(Matrix<S>& a, int32_t* pivots);

// Singular value decomposition a = u * s * v^H, values descending; vectors only when asked. Throws on NaN and infinity.
template <class S>
struct Svd {
  Matrix<S> u, v;
  Eigen::VectorXd s;
};
enum class SvdVectors { kNone, kThin, kFull };
template <class S>
Svd<S> decompose_svd(const Matrix<S>& a, SvdVectors vectors, const char* name);

// A vector, or a batch of them, as matrices of one column, and back.
Tensor with_column(const Tensor& b);
Tensor without_column(const Tensor& b);

// Refuses A and B of different dtypes.
void check_same_dtype(const Tensor& a, const Tensor& b, const char* name);

// A broadcast over the batch dims of two tensors of matrices.
std::pair<Tensor, Tensor> broadcast_batches(const Tensor& a, const Tensor& b);

// Eigenvalues ascending and vectors of hermitian matrices, of which one triangle is read.
std::tuple<Tensor, Tensor> hermitian_eigen(const Tensor& a, bool lower, bool vectors);

}  // namespace wick::ops::linalg
