// The LDL factorization of symmetric and hermitian matrices by Bunch and Kaufman's pivoting, in LAPACK's compact form:
// pivots counted from one; a negative pair marks a block of two rows.
#include "ops/linalg/matrices.h"

#include "ops/linalg/linalg.h"

namespace wick::ops {

using namespace linalg;

namespace {

double conj_if(double v, bool) { return v; }
Complex conj_if(Complex v, bool conjugate) { return conjugate ? std::conj(v) : v; }
// The diagonal of a hermitian matrix is real.
double real_if(double v, bool) { return v; }
Complex real_if(Complex v, bool hermitian) { return hermitian ? Complex(v.real()) : v; }
// What LAPACK compares instead of absolute values.
double size_of(double v) { return std::abs(v); }
double size_of(Complex v) { return std::abs(v.real()) + std::abs(v.imag()); }

// Rows and columns i < j of the lower triangle, from column i on, change places.
template <class S>
void exchange(Matrix<S>& a, int64_t i, int64_t j, bool h) {
  const int64_t n = a.rows();
  for (int64_t r = j + 1; r < n; ++r) std::swap(a(r, i), a(r, j));
  for (int64_t r = i + 1; r < j; ++r) {
    const S t = conj_if(a(r, i), h);
    a(r, i) = conj_if(a(j, r), h);
    a(j, r) = t;
  }
  if (h) a(j, i) = conj_if(a(j, i), h);
  const S t = real_if(a(i, i), h);
  a(i, i) = real_if(a(j, j), h);
  a(j, j) = t;
}

// A 2 x 2 block of the diagonal, [[d00, c], [off, d11]] with c = off or its conjugate, in the scaled form that does not
// overflow.
template <class S>
struct PairBlock {
  S off, c, e0, e1, q;
  PairBlock(const Matrix<S>& a, int64_t k, bool h)
      : off(a(k + 1, k)), c(conj_if(off, h)), e0(a(k, k) / c), e1(a(k + 1, k + 1) / off), q(e0 * e1 - S(1)) {}
};

// Takes columns k and k + 1 out of the rest.
template <class S>
void eliminate_pair(Matrix<S>& a, int64_t k, bool h) {
  if (k + 2 >= a.rows()) return;
  const PairBlock<S> d(a, k, h);
  for (int64_t j = k + 2; j < a.rows(); ++j) {
    const S first = (a(j, k) * d.e1 - a(j, k + 1)) / (d.c * d.q);
    const S second = (a(j, k + 1) * d.e0 - a(j, k)) / (d.off * d.q);
    for (int64_t i = j; i < a.rows(); ++i) {
      a(i, j) -= a(i, k) * conj_if(first, h) + a(i, k + 1) * conj_if(second, h);
    }
    a(j, k) = first;
    a(j, k + 1) = second;
    a(j, j) = real_if(a(j, j), h);
  }
}
template <class S>
void eliminate_one(Matrix<S>& a, int64_t k, bool h) {
  const S inverse = S(1) / real_if(a(k, k), h);
  for (int64_t j = k + 1; j < a.rows(); ++j) {
    const S w = conj_if(a(j, k), h) * inverse;
    for (int64_t i = j; i < a.rows(); ++i) a(i, j) -= a(i, k) * w;
    a(j, j) = real_if(a(j, j), h);
  }
  for (int64_t j = k + 1; j < a.rows(); ++j) a(j, k) *= inverse;
}

// Which row comes to the diagonal at step k, and whether as one of a pair. `usable`: the column is not all zero.
struct Pivot {
  int64_t row;
  bool pair = false;
  bool usable = true;
};
template <class S>
Pivot choose_pivot(const Matrix<S>& a, int64_t k, bool h) {
  constexpr double kAlpha = 0.6403882032022076;  // (1 + sqrt(17)) / 8
  const int64_t n = a.rows();
  const double diagonal = size_of(real_if(a(k, k), h));
  int64_t best = k;
  double column = 0;
  for (int64_t r = k + 1; r < n; ++r) {
    if (size_of(a(r, k)) > column || best == k) {
      best = r;
      column = size_of(a(r, k));
    }
  }
  if (!(std::max(diagonal, column) > 0) || std::isnan(diagonal)) return {k, false, false};
  if (diagonal >= kAlpha * column) return {k};
  double row = 0;
  for (int64_t j = k; j < best; ++j) row = std::max(row, size_of(a(best, j)));
  for (int64_t r = best + 1; r < n; ++r) row = std::max(row, size_of(a(r, best)));
  if (diagonal >= kAlpha * column * (column / row)) return {k};
  if (size_of(real_if(a(best, best), h)) >= kAlpha * row) return {best};
  return {best, true};
}

// Returns the first zero pivot counted from one, or 0.
template <class S>
int32_t factor(Matrix<S>& a, int32_t* pivots, bool h) {
  const int64_t n = a.rows();
  int32_t info = 0;
  for (int64_t k = 0; k < n;) {
    check_budget();
    const Pivot p = choose_pivot(a, k, h);
    const int64_t at = p.pair ? k + 1 : k;
    if (!p.usable) {
      if (info == 0) info = static_cast<int32_t>(k + 1);
      a(k, k) = real_if(a(k, k), h);
    } else {
      if (p.row != at) {
        exchange(a, at, p.row, h);
        if (p.pair) std::swap(a(k + 1, k), a(p.row, k));
      }
      a(k, k) = real_if(a(k, k), h);
      if (p.pair) {
        a(k + 1, k + 1) = real_if(a(k + 1, k + 1), h);
        eliminate_pair(a, k, h);
      } else {
        eliminate_one(a, k, h);
      }
    }
    const int32_t named = static_cast<int32_t>(p.row + 1);
    pivots[k] = p.pair ? -named : named;
    if (p.pair) pivots[k + 1] = -named;
    k = at + 1;
  }
  return info;
}

// x := A^-1 x from the factors; the pivots are in range and negative ones come in pairs.
template <class S>
void solve(const Matrix<S>& ld, const int64_t* pivots, bool h, Matrix<S>& x) {
  const int64_t n = ld.rows();
  const auto swap_rows = [&](int64_t i, int64_t j) {
    if (i != j) x.row(i).swap(x.row(j));
  };
  for (int64_t k = 0; k < n;) {
    if (pivots[k] > 0) {
      swap_rows(k, pivots[k] - 1);
      for (int64_t r = k + 1; r < n; ++r) x.row(r) -= ld(r, k) * x.row(k);
      x.row(k) /= real_if(ld(k, k), h);
      ++k;
      continue;
    }
    swap_rows(k + 1, -pivots[k] - 1);
    for (int64_t r = k + 2; r < n; ++r) x.row(r) -= ld(r, k) * x.row(k) + ld(r, k + 1) * x.row(k + 1);
    const PairBlock<S> d(ld, k, h);
    const Matrix<S> b0 = x.row(k) / (d.c * d.q), b1 = x.row(k + 1) / (d.off * d.q);
    x.row(k) = d.e1 * b0 - b1;
    x.row(k + 1) = d.e0 * b1 - b0;
    k += 2;
  }
  for (int64_t k = n - 1; k >= 0;) {
    const int64_t first = pivots[k] > 0 ? k : k - 1;
    for (int64_t c = first; c <= k; ++c) {
      for (int64_t r = k + 1; r < n; ++r) x.row(c) -= conj_if(ld(r, c), h) * x.row(r);
    }
    swap_rows(k, std::abs(pivots[k]) - 1);
    k = first - 1;
  }
}

void check_pivots(const int64_t* pivots, int64_t n) {
  for (int64_t k = 0; k < n; ++k) {
    WICK_CHECK(pivots[k] != 0 && pivots[k] >= -n && pivots[k] <= n, kIndexOutOfRange, "torch.linalg.ldl_solve: pivot ",
               pivots[k], " is out of range");
    if (pivots[k] > 0) continue;
    WICK_CHECK(k + 1 < n && pivots[k + 1] == pivots[k], kInvalidArgument,
               "torch.linalg.ldl_solve: negative pivots must come in pairs");
    ++k;
  }
}

Triple factor_all(const Tensor& self, bool hermitian, bool check, const char* name) {
  check_square(self, name);
  const int64_t n = rows(self);
  const Tensor pivots = Tensor::zeros(with_tail(batch_sizes(self), {n}), DType::kInt);
  const Tensor info = Tensor::zeros(batch_sizes(self), DType::kInt);
  const Tensor ld = in_double(self.dtype(), [&](auto scalar) {
    using S = decltype(scalar);
    const Input<S> in(self);
    Output<S> result(batch_sizes(self), n, n, self.dtype());
    for (int64_t i = 0; i < in.count(); ++i) {
      Matrix<S> a = in[i].template triangularView<Eigen::Lower>();
      const int32_t bad = factor(a, pivots.data_ptr<int32_t>() + i * n, hermitian && is_complex(self.dtype()));
      info.data_ptr<int32_t>()[i] = bad;
      WICK_CHECK(!check || bad == 0, kInvalidArgument, name, ": ",
                 self.dim() > 2 ? cat("(Batch element ", i, "): ") : std::string(), "The diagonal element ", bad,
                 " is zero.");
      result.set(i, a);
    }
    return result.get();
  });
  return {ld, pivots, info};
}

}  // namespace

Triple linalg_ldl_factor_ex(const Tensor& self, bool hermitian, bool check_errors) {
  return factor_all(self, hermitian, check_errors, "torch.linalg.ldl_factor_ex");
}
Pair linalg_ldl_factor(const Tensor& self, bool hermitian) {
  const auto [ld, pivots, info] = factor_all(self, hermitian, true, "torch.linalg.ldl_factor");
  return {ld, pivots};
}

Tensor linalg_ldl_solve(const Tensor& ld, const Tensor& pivots, const Tensor& b, bool hermitian) {
  constexpr const char* kName = "torch.linalg.ldl_solve";
  check_square(ld, kName);
  WICK_CHECK(b.dim() >= 2, kShapeMismatch, kName, ": Expected B to have at least 2 dimensions, but it has ", b.dim(),
             " dimensions instead");
  const int64_t n = rows(ld);
  WICK_CHECK(rows(b) == n, kShapeMismatch, "Incompatible matrix sizes for ", kName, ": each A matrix is ", n, " by ", n,
             " but each b matrix is ", rows(b), " by ", columns(b));
  WICK_CHECK(pivots.sizes() == ld.sizes().subspan(0, static_cast<size_t>(ld.dim()) - 1), kShapeMismatch, kName,
             ": Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape ", pivots.sizes(),
             " instead");
  WICK_CHECK(is_integral(pivots.dtype(), false), kTypeMismatch, kName, ": Expected pivots to be integers. Got ",
             name_of(pivots.dtype()));
  WICK_CHECK(ld.dtype() == b.dtype(), kTypeMismatch, kName, ": LD dtype", name_of(ld.dtype()),
             " does not match b dtype ", name_of(b.dtype()));
  const auto [factors, right] = broadcast_batches(ld, b);
  const IntVec batch = batch_sizes(right);
  const Tensor p = contiguous(to_dtype(expand(pivots, with_tail(batch, {n})), DType::kLong));
  return in_double(b.dtype(), [&, &factors = factors, &right = right](auto scalar) {
    using S = decltype(scalar);
    const Input<S> in(factors), rhs(right);
    Output<S> result(batch, n, columns(right), b.dtype());
    for (int64_t i = 0; i < rhs.count(); ++i) {
      const int64_t* rows_of = p.data_ptr<int64_t>() + i * n;
      check_pivots(rows_of, n);
      Matrix<S> x = rhs[i];
      solve(Matrix<S>(in[i]), rows_of, hermitian && is_complex(ld.dtype()), x);
      result.set(i, x);
    }
    return result.get();
  });
}

}  // namespace wick::ops
