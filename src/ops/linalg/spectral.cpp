// Singular values and eigenvalues.
#include "ops/linalg/matrices.h"

#include <Eigen/Eigenvalues>

#include "ops/linalg/linalg.h"

namespace wick::ops {

using namespace linalg;

namespace {

void check_finite(bool finite, const char* name) {
  WICK_CHECK(finite, kInvalidArgument, name,
             ": The algorithm failed to converge because the input matrix contained non-finite values.");
}

// S is a vector for each matrix: a row-major output of one row, seen without it.
Tensor as_vectors(const Tensor& t) {
  IntVec sizes(t.sizes());
  sizes.erase(sizes.size() - 2);
  return t.as_strided(sizes, contiguous_strides(sizes), 0);
}

Triple svd_of(const Tensor& a, bool full, bool vectors, const char* name) {
  check_matrix(a, name);
  const int64_t m = rows(a), n = columns(a), k = std::min(m, n);
  const int64_t u_columns = full ? m : k, v_rows = full ? n : k;
  return in_double(a.dtype(), [&](auto scalar) -> Triple {
    using S = decltype(scalar);
    const Input<S> in(a);
    Output<S> u(batch_sizes(a), m, u_columns, a.dtype()), vh(batch_sizes(a), v_rows, n, a.dtype());
    Output<double> s(batch_sizes(a), 1, k, to_real(a.dtype()), false);
    const SvdVectors parts = !vectors ? SvdVectors::kNone : full ? SvdVectors::kFull : SvdVectors::kThin;
    for (int64_t i = 0; i < in.count(); ++i) {
      const Svd<S> svd = decompose_svd<S>(in[i], parts, name);
      s.set(i, svd.s.transpose());
      if (vectors) {
        u.set(i, svd.u);
        vh.set(i, svd.v.adjoint());
      }
    }
    // A matrix without rows or columns has the identity for its full factors.
    for (int64_t i = 0; in.count() == 0 && vectors && full && i < batch_count(a); ++i) {
      u.set(i, Matrix<S>::Identity(m, m));
      vh.set(i, Matrix<S>::Identity(n, n));
    }
    const Tensor none = Tensor::empty({0}, a.dtype());
    return {vectors ? u.get() : none, as_vectors(s.get()), vectors ? vh.get() : none};
  });
}

bool lower_triangle(std::string_view uplo) {
  WICK_CHECK(uplo.size() == 1 && (uplo[0] == 'L' || uplo[0] == 'l' || uplo[0] == 'U' || uplo[0] == 'u'),
             kInvalidArgument, "Expected UPLO argument to be 'L' or 'U', but got ", uplo);
  return uplo[0] == 'L' || uplo[0] == 'l';
}

template <class S>
Eigen::MatrixXcd unit_columns(const Eigen::MatrixBase<S>& m) {
  Eigen::MatrixXcd out = m;
  for (int64_t c = 0; c < out.cols(); ++c) out.col(c).normalize();
  return out;
}

Pair eig_of(const Tensor& self, bool vectors, const char* name) {
  check_square(self, name);
  const int64_t n = rows(self);
  const DType dtype = to_complex(self.dtype());
  return in_double(self.dtype(), [&](auto scalar) -> Pair {
    using S = decltype(scalar);
    using Solver = std::conditional_t<std::is_same_v<S, double>, Eigen::EigenSolver<Matrix<double>>,
                                      Eigen::ComplexEigenSolver<Matrix<Complex>>>;
    const Input<S> in(self);
    Output<Complex> values(batch_sizes(self), 1, n, dtype, false), columns(batch_sizes(self), n, n, dtype);
    for (int64_t i = 0; i < in.count(); ++i) {
      const Matrix<S> m = in[i];
      check_finite(m.allFinite(), name);
      const Solver solver(m, vectors);
      WICK_CHECK(solver.info() == Eigen::Success, kInvalidArgument, name, ": the algorithm failed to converge");
      values.set(i, solver.eigenvalues().transpose());
      if (vectors) columns.set(i, unit_columns(solver.eigenvectors()));
    }
    return {as_vectors(values.get()), vectors ? columns.get() : Tensor::empty({0}, dtype)};
  });
}

}  // namespace

std::tuple<Tensor, Tensor> linalg::hermitian_eigen(const Tensor& a, bool lower, bool vectors) {
  const int64_t n = rows(a);
  return in_double(a.dtype(), [&](auto scalar) -> Pair {
    using S = decltype(scalar);
    const Input<S> in(a);
    Output<double> values(batch_sizes(a), 1, n, to_real(a.dtype()), false);
    Output<S> columns(batch_sizes(a), n, n, a.dtype());
    for (int64_t i = 0; i < in.count(); ++i) {
      const Matrix<S> given = in[i];
      const Matrix<S> m = lower ? given : Matrix<S>(given.adjoint());
      check_finite(m.allFinite(), "linalg.eigh");
      const Eigen::SelfAdjointEigenSolver<Matrix<S>> solver(
          m, vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
      WICK_CHECK(solver.info() == Eigen::Success, kInvalidArgument, "linalg.eigh: the algorithm failed to converge");
      values.set(i, solver.eigenvalues().transpose());
      if (vectors) columns.set(i, solver.eigenvectors());
    }
    return {as_vectors(values.get()), vectors ? columns.get() : Tensor::empty({0}, a.dtype())};
  });
}

Triple linalg_svd_uv(const Tensor& a, bool full_matrices, bool compute_uv, const OptText& driver) {
  WICK_CHECK(!driver, kInvalidArgument,
             "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.");
  return svd_of(a, full_matrices, compute_uv, "linalg.svd");
}
Triple linalg_svd(const Tensor& a, bool full_matrices, const OptText& driver) {
  return linalg_svd_uv(a, full_matrices, true, driver);
}
Tensor linalg_svdvals(const Tensor& a, const OptText& driver) {
  return std::get<1>(linalg_svd_uv(a, false, false, driver));
}

Triple svd(const Tensor& self, bool some, bool compute_uv) {
  check_matrix(self, "svd");
  auto [u, s, vh] = svd_of(self, !some, compute_uv, "svd");
  if (!compute_uv) {
    return {Tensor::zeros(with_tail(batch_sizes(self), {rows(self), rows(self)}), self.dtype()), s,
            Tensor::zeros(with_tail(batch_sizes(self), {columns(self), columns(self)}), self.dtype())};
  }
  // V is the conjugate transpose of Vh: a view of a conjugated copy.
  Tensor v = in_double(self.dtype(), [vh = vh](auto scalar) {
    using S = decltype(scalar);
    const Input<S> in(vh);
    Output<S> out(batch_sizes(vh), columns(vh), rows(vh), vh.dtype(), false);
    for (int64_t i = 0; i < in.count(); ++i) out.set(i, in[i].adjoint());
    return out.get();
  });
  return {u, s, v};
}

Pair linalg_eigh_v(const Tensor& self, std::string_view uplo, bool compute_v) {
  check_square(self, "linalg.eigh");
  return hermitian_eigen(self, lower_triangle(uplo), compute_v);
}
Pair linalg_eigh(const Tensor& self, std::string_view uplo) { return linalg_eigh_v(self, uplo, true); }
Tensor linalg_eigvalsh(const Tensor& self, std::string_view uplo) {
  check_square(self, "linalg.eigvalsh");
  return std::get<0>(hermitian_eigen(self, lower_triangle(uplo), false));
}
Pair symeig(const Tensor& self, bool eigenvectors, bool upper) {
  check_square(self, "symeig");
  return hermitian_eigen(self, !upper, eigenvectors);
}

Pair linalg_eig(const Tensor& self) { return eig_of(self, true, "linalg.eig"); }
Tensor linalg_eigvals(const Tensor& self) { return std::get<0>(eig_of(self, false, "linalg.eigvals")); }

}  // namespace wick::ops
