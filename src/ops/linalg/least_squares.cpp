// Least squares.
#include "ops/linalg/matrices.h"

#include <Eigen/QR>
#include <numeric>

#include "ops/linalg/linalg.h"

namespace wick::ops {

using namespace linalg;

namespace {

template <class S>
struct Solution {
  Matrix<S> x;
  int64_t rank = 0;
  Eigen::VectorXd s;
};

template <class S>
Solution<S> solve_by_values(const Matrix<S>& a, const Matrix<S>& b, double rcond) {
  const Svd<S> svd = decompose_svd<S>(a, SvdVectors::kThin, "torch.linalg.lstsq");
  Solution<S> out;
  while (out.rank < svd.s.size() && svd.s(out.rank) > rcond * svd.s(0)) ++out.rank;
  const int64_t r = out.rank;
  out.x = svd.v.leftCols(r) * (svd.s.head(r).cwiseInverse().asDiagonal() * (svd.u.leftCols(r).adjoint() * b));
  out.s = svd.s;
  return out;
}

// The largest leading triangle of R whose condition number is at most 1 / rcond; one column at least, unless it is
// zero.
template <class S>
int64_t rank_of(const Eigen::ColPivHouseholderQR<Matrix<S>>& qr, double rcond) {
  const auto diagonal = qr.matrixQR().diagonal().cwiseAbs().eval();
  const int64_t k = diagonal.size();
  if (k == 0 || diagonal(0) == 0) return 0;
  constexpr double kClear = 1e3;  // the diagonal alone says it: the condition is within this of its quotients
  if (diagonal(k - 1) > kClear * static_cast<double>(k) * rcond * diagonal(0)) return k;
  int64_t rank = 1;
  while (rank < k) {
    const Matrix<S> lead = qr.matrixQR().topLeftCorner(rank + 1, rank + 1).template triangularView<Eigen::Upper>();
    const Eigen::VectorXd s = decompose_svd<S>(lead, SvdVectors::kNone, "torch.linalg.lstsq").s;
    if (!(s(0) * rcond <= s(rank))) break;
    ++rank;
  }
  return rank;
}

template <class S>
Solution<S> solve_by_columns(const Matrix<S>& a, const Matrix<S>& b, double rcond, bool full) {
  WICK_CHECK(a.allFinite(), kInvalidArgument, "torch.linalg.lstsq: the input contains non-finite values");
  const Eigen::ColPivHouseholderQR<Matrix<S>> qr(a);
  Solution<S> out;
  const int64_t k = std::min(a.rows(), a.cols());
  out.rank = full ? k : rank_of<S>(qr, rcond);
  if (out.rank == a.cols()) {
    out.x = qr.solve(b);
    return out;
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix<S>> whole(a.rows(), a.cols());
  const double largest = qr.maxPivot();
  whole.setThreshold(out.rank == k || largest == 0 ? 0.0 : std::abs(qr.matrixQR()(out.rank, out.rank)) / largest);
  whole.compute(a);
  out.x = whole.solve(b);
  return out;
}

// The name of LAPACK's driver, in small letters.
std::string driver_named(const OptText& given) {
  std::string driver = given.value_or("gelsy");
  for (char& c : driver) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  WICK_CHECK(driver == "gels" || driver == "gelsy" || driver == "gelsd" || driver == "gelss", kInvalidArgument,
             "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)");
  return driver;
}

// The right sides as matrices, with the batches of both after the broadcast.
Tensor right_sides(const Tensor& a, const Tensor& b, bool vectors) {
  const Tensor matrix = vectors ? with_column(b) : b;
  WICK_CHECK(rows(matrix) == rows(a) && (!vectors || batch_sizes(a) == batch_sizes(matrix)), kShapeMismatch,
             "torch.linalg.lstsq: input.size(-2) should match other.size(-", vectors ? 1 : 2, ")");
  return broadcast_batches(a, matrix).second;
}

// The matrix of `a` that belongs to each right side after the broadcast.
Tensor matrix_of_each(const Tensor& a, const IntVec& batch) {
  const Tensor numbers = Tensor::empty(batch_sizes(a), DType::kLong);
  std::iota(numbers.data_ptr<int64_t>(), numbers.data_ptr<int64_t>() + numbers.numel(), int64_t{0});
  return contiguous(expand(numbers, batch));
}

// Without the dim before the last, which has one line.
Tensor as_line(const Tensor& t) {
  IntVec flat(t.sizes());
  flat.erase(flat.size() - 2);
  return t.as_strided(flat, contiguous_strides(flat), 0);
}

}  // namespace

Quadruple linalg_lstsq(const Tensor& a, const Tensor& b_given, std::optional<double> rcond,
                       const OptText& driver_given) {
  check_matrix(a, "torch.linalg.lstsq");
  check_same_dtype(a, b_given, "torch.linalg.lstsq");
  const std::string driver = driver_named(driver_given);
  WICK_CHECK(
      b_given.dim() > 0 && b_given.dim() <= a.dim() && a.dim() - b_given.dim() <= 1, kShapeMismatch,
      "torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1");
  const bool vectors = a.dim() - 1 == b_given.dim();
  const Tensor b = right_sides(a, b_given, vectors);
  const IntVec batch = batch_sizes(b);
  const Tensor which = matrix_of_each(a, batch);
  const int64_t m = rows(a), n = columns(a), k = std::min(m, n), wide = columns(b), tall = std::max(m, n);
  const double eps = to_real(a.dtype()) == DType::kDouble ? 2.220446049250313e-16 : 1.1920928955078125e-07;
  const double threshold = rcond.value_or(eps * static_cast<double>(tall));
  const bool values_wanted = driver == "gelsd" || driver == "gelss", rank_wanted = driver != "gels";
  const Tensor rank = rank_wanted ? Tensor::zeros(batch_sizes(a), DType::kLong) : Tensor::empty({0}, DType::kLong);
  return in_double(a.dtype(), [&](auto scalar) -> Quadruple {
    using S = decltype(scalar);
    const Input<S> ma(a), mb(b);
    Output<S> x(batch, tall, wide, a.dtype());
    Output<double> residuals(batch, 1, wide, to_real(a.dtype()), false),
        s(batch_sizes(a), 1, k, to_real(a.dtype()), false);
    bool full_rank = true;
    for (int64_t i = 0; i < (ma.count() == 0 ? 0 : mb.count()); ++i) {
      const int64_t from = which.data_ptr<int64_t>()[i];
      const Matrix<S> m_i = ma[from], rhs = mb[i];
      const Solution<S> found = values_wanted ? solve_by_values<S>(m_i, rhs, threshold)
                                              : solve_by_columns<S>(m_i, rhs, threshold, driver == "gels");
      if (rank_wanted) rank.data_ptr<int64_t>()[from] = found.rank;
      if (values_wanted) s.set(from, found.s.transpose());
      full_rank = full_rank && found.rank == n;
      Matrix<S> all = Matrix<S>::Zero(tall, wide);
      all.topRows(n) = found.x;
      x.set(i, all);
      residuals.set(i, (rhs - m_i * all.topRows(n)).colwise().squaredNorm());
    }
    Tensor solution = x.get();
    IntVec sizes(solution.sizes());
    sizes[sizes.size() - 2] = n;
    solution = solution.as_strided(sizes, solution.strides(), 0);
    if (vectors) solution = without_column(solution);
    const bool have_residuals = m > n && full_rank && driver != "gelsy";
    const Tensor none = Tensor::empty({0}, to_real(a.dtype()));
    return {solution, have_residuals ? as_line(residuals.get()) : none, rank, values_wanted ? as_line(s.get()) : none};
  });
}

}  // namespace wick::ops
