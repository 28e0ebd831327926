// Batches of matrices for the linear-algebra operators: in and out of Eigen, always in double precision.
#pragma once

#include "core/check.h"

// A broken precondition inside Eigen becomes an Error, never an abort.
#define eigen_assert(condition) WICK_CHECK(condition, kInternal, "linear algebra: ", #condition)

#include <Eigen/Core>

#include "core/budget.h"
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
  // Looks at the budget: decompositions have no other pieces than the matrices of a batch.
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
