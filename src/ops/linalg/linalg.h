// Linear algebra: decompositions, solvers and functions of matrices. Computes in double precision.
#pragma once

#include "ops/boxing.h"

namespace wick::ops {

using Pair = std::tuple<Tensor, Tensor>;
using Triple = std::tuple<Tensor, Tensor, Tensor>;
using Quadruple = std::tuple<Tensor, Tensor, Tensor, Tensor>;
using OptText = std::optional<std::string>;

// Decompositions
Tensor linalg_cholesky(const Tensor& self, bool upper);
Pair linalg_cholesky_ex(const Tensor& self, bool upper, bool check_errors);
Tensor cholesky(const Tensor& self, bool upper);
Triple linalg_lu(const Tensor& a, bool pivot);
Pair linalg_lu_factor(const Tensor& a, bool pivot);
Triple linalg_lu_factor_ex(const Tensor& a, bool pivot, bool check_errors);
Triple lu_unpack(const Tensor& data, const Tensor& pivots, bool unpack_data, bool unpack_pivots);
Pair linalg_ldl_factor(const Tensor& self, bool hermitian);
Triple linalg_ldl_factor_ex(const Tensor& self, bool hermitian, bool check_errors);
Pair linalg_qr(const Tensor& a, std::string_view mode);
Pair qr(const Tensor& self, bool some);
Pair geqrf(const Tensor& self);
Tensor linalg_householder_product(const Tensor& input, const Tensor& tau);
Tensor ormqr(const Tensor& self, const Tensor& tau, const Tensor& other, bool left, bool transpose);
Triple linalg_svd(const Tensor& a, bool full_matrices, const OptText& driver);
Triple linalg_svd_uv(const Tensor& a, bool full_matrices, bool compute_uv, const OptText& driver);
Tensor linalg_svdvals(const Tensor& a, const OptText& driver);
Triple svd(const Tensor& self, bool some, bool compute_uv);
Pair linalg_eigh(const Tensor& self, std::string_view uplo);
Pair linalg_eigh_v(const Tensor& self, std::string_view uplo, bool compute_v);
Tensor linalg_eigvalsh(const Tensor& self, std::string_view uplo);
Pair symeig(const Tensor& self, bool eigenvectors, bool upper);
Pair linalg_eig(const Tensor& self);
Tensor linalg_eigvals(const Tensor& self);

// Determinants, inverses, equations
Tensor linalg_det(const Tensor& a);
Triple linalg_det_lu(const Tensor& a);
Pair linalg_slogdet(const Tensor& a);
Quadruple linalg_slogdet_lu(const Tensor& a);
Tensor logdet(const Tensor& self);
Tensor linalg_inv(const Tensor& a);
Pair linalg_inv_ex(const Tensor& a, bool check_errors);
Tensor linalg_solve(const Tensor& a, const Tensor& b, bool left);
Pair linalg_solve_ex(const Tensor& a, const Tensor& b, bool left, bool check_errors);
Quadruple linalg_solve_ex_lu(const Tensor& a, const Tensor& b, bool left, bool check_errors);
Tensor linalg_lu_solve(const Tensor& lu, const Tensor& pivots, const Tensor& b, bool left, bool adjoint);
Tensor linalg_ldl_solve(const Tensor& ld, const Tensor& pivots, const Tensor& b, bool hermitian);
Tensor lu_solve(const Tensor& b, const Tensor& lu, const Tensor& pivots);
Tensor linalg_solve_triangular(const Tensor& a, const Tensor& b, bool upper, bool left, bool unitriangular);
Pair triangular_solve(const Tensor& b, const Tensor& a, bool upper, bool transpose, bool unitriangular);
Tensor cholesky_solve(const Tensor& b, const Tensor& l, bool upper);
Tensor cholesky_inverse(const Tensor& l, bool upper);
Quadruple linalg_lstsq(const Tensor& a, const Tensor& b, std::optional<double> rcond, const OptText& driver);

// Functions of matrices
Tensor linalg_matrix_exp(const Tensor& self);
Tensor linalg_pinv_tolerance(const Tensor& self, const OptTensor& atol, const OptTensor& rtol, bool hermitian);
Tensor linalg_pinv_float(const Tensor& self, std::optional<double> atol, std::optional<double> rtol, bool hermitian);
Tensor linalg_pinv(const Tensor& self, double rcond, bool hermitian);
Tensor linalg_pinv_rcond(const Tensor& self, const Tensor& rcond, bool hermitian);
Tensor pinverse(const Tensor& self, double rcond);
Tensor linalg_matrix_rank_tolerance(const Tensor& self, const OptTensor& atol, const OptTensor& rtol, bool hermitian);
Tensor linalg_matrix_rank_float(const Tensor& self, std::optional<double> atol, std::optional<double> rtol,
                                bool hermitian);
Tensor linalg_matrix_rank(const Tensor& self, double tol, bool hermitian);
Tensor linalg_matrix_rank_tol(const Tensor& self, const Tensor& tol, bool hermitian);
Tensor linalg_cond(const Tensor& self, const std::optional<Scalar>& p);
Tensor linalg_cond_text(const Tensor& self, std::string_view p);
Tensor linalg_tensorinv(const Tensor& self, int64_t ind);
Tensor linalg_tensorsolve(const Tensor& self, const Tensor& other, const std::optional<IntVec>& dims);
// The square root of a hermitian matrix without negative eigenvalues.
Tensor linalg_matrix_sqrth(const Tensor& self);
// (unitary, positive semi-definite): A = U H.
Pair linalg_polar(const Tensor& a);
Tensor nuclear_norm(const Tensor& self, bool keepdim);
Tensor nuclear_norm_dim(const Tensor& self, IntSpan dim, bool keepdim);

}  // namespace wick::ops
