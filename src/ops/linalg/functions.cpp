// Functions of matrices: exponential, pseudo-inverse, rank, condition.
#include "ops/linalg/matrices.h"

#include "ops/linalg/linalg.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/view.h"

namespace wick::ops {

using namespace linalg;

namespace {

double epsilon_of(DType dtype) {
  return to_real(dtype) == DType::kDouble ? 2.220446049250313e-16 : 1.1920928955078125e-07;
}

// One tolerance a matrix, broadcast from a tensor; `fallback` when there is none.
class Tolerance {
 public:
  Tolerance(const OptTensor& given, const IntVec& batch, double fallback) : fallback_(fallback) {
    if (!given) return;
    WICK_CHECK(!is_complex(given->dtype()), kTypeMismatch, "a tolerance tensor of complex type is not supported");
    values_ = contiguous(expand(to_dtype(*given, DType::kDouble), batch));
  }
  double operator[](int64_t i) const { return values_.defined() ? values_.data_ptr<double>()[i] : fallback_; }

 private:
  Tensor values_;
  double fallback_;
};

OptTensor as_tensor(std::optional<double> v) {
  return v ? OptTensor(Tensor::scalar(*v, DType::kDouble)) : std::nullopt;
}

// Singular values, or absolute eigenvalues of a hermitian matrix.
Tensor spectrum(const Tensor& a, bool hermitian) {
  if (!hermitian) return contiguous(to_dtype(linalg_svdvals(a, std::nullopt), DType::kDouble));
  const Tensor values = clone(to_dtype(std::get<0>(hermitian_eigen(a, true, false)), DType::kDouble));
  for (int64_t i = 0, count = values.numel(); i < count; ++i)
    values.data_ptr<double>()[i] = std::abs(values.data_ptr<double>()[i]);
  return values;
}

double default_rtol(const Tensor& a, const OptTensor& atol) {
  // An absolute tolerance alone switches the relative one off.
  if (atol) {
    const Tensor t = contiguous(to_dtype(*atol, DType::kDouble));
    for (int64_t i = 0, count = t.numel(); i < count; ++i) {
      if (t.data_ptr<double>()[i] > 0) return 0;
    }
  }
  return epsilon_of(a.dtype()) * static_cast<double>(std::max(rows(a), columns(a)));
}

// exp(a) by scaling, a Taylor polynomial and squaring. The polynomial of degree 18 is exact to double precision
// for a norm up to 1/2.
template <class S>
Matrix<S> exponential(Matrix<S> a) {
  const double norm = a.cwiseAbs().colwise().sum().maxCoeff();
  const int halvings = norm > 0.5 ? std::max(0, std::ilogb(norm) + 2) : 0;
  a *= std::ldexp(1.0, -halvings);
  Matrix<S> sum = Matrix<S>::Identity(a.rows(), a.cols());
  for (int k = 18; k > 0; --k)
    sum = (Matrix<S>::Identity(a.rows(), a.cols()) + a * sum / static_cast<double>(k)).eval();
  for (int k = 0; k < halvings; ++k) sum = (sum * sum).eval();
  return sum;
}

double largest(const double* values, int64_t n) {
  double best = 0;
  for (int64_t i = 0; i < n; ++i) best = std::max(best, values[i]);
  return best;
}

}  // namespace

Tensor linalg_matrix_exp(const Tensor& self) {
  if (self.dtype() == DType::kBFloat16 || self.dtype() == DType::kHalf) {
    return to_dtype(linalg_matrix_exp(to_dtype(self, DType::kFloat)), self.dtype());
  }
  check_square(self, "linalg.matrix_exp");
  const int64_t n = rows(self);
  return in_double(self.dtype(), [&](auto scalar) {
    using S = decltype(scalar);
    const Input<S> in(self);
    Output<S> out(batch_sizes(self), n, n, self.dtype(), false);
    for (int64_t i = 0; i < in.count(); ++i) {
      const Matrix<S> m = in[i];
      if (m.allFinite()) {
        out.set(i, exponential<S>(m));
      } else {
        out.set(i, Matrix<S>::Constant(n, n, S(std::nan(""))));
      }
    }
    return out.get();
  });
}

Tensor linalg_matrix_sqrth(const Tensor& self) {
  check_square(self, "linalg.matrix_sqrth");
  const auto [values, vectors] = hermitian_eigen(self, true, true);
  const int64_t n = rows(self);
  const Tensor roots = contiguous(to_dtype(values, DType::kDouble));
  return in_double(self.dtype(), [&, &vectors = vectors](auto scalar) {
    using S = decltype(scalar);
    const Input<S> in(vectors);
    Output<S> out(batch_sizes(self), n, n, self.dtype(), false);
    for (int64_t i = 0; i < in.count(); ++i) {
      const Eigen::VectorXd root =
          Eigen::Map<const Eigen::VectorXd>(roots.data_ptr<double>() + i * n, n).cwiseMax(0.0).cwiseSqrt();
      const Matrix<S> v = in[i];
      out.set(i, v * root.asDiagonal() * v.adjoint());
    }
    return out.get();
  });
}

Pair linalg_polar(const Tensor& a) {
  check_matrix(a, "linalg.polar");
  const int64_t m = rows(a), n = columns(a);
  WICK_CHECK(m >= n, kShapeMismatch, "linalg.polar: input must have at least as many rows as columns, but got ", m,
             " by ", n, " matrices");
  return in_double(a.dtype(), [&](auto scalar) -> Pair {
    using S = decltype(scalar);
    const Input<S> in(a);
    Output<S> unitary(batch_sizes(a), m, n, a.dtype(), false), positive(batch_sizes(a), n, n, a.dtype(), false);
    for (int64_t i = 0; i < in.count(); ++i) {
      const Svd<S> svd = decompose_svd<S>(in[i], SvdVectors::kThin, "linalg.polar");
      unitary.set(i, svd.u * svd.v.adjoint());
      positive.set(i, svd.v * svd.s.asDiagonal() * svd.v.adjoint());
    }
    return {unitary.get(), positive.get()};
  });
}

Tensor linalg_pinv_tolerance(const Tensor& self, const OptTensor& atol, const OptTensor& rtol, bool hermitian) {
  check_matrix(self, "linalg.pinv");
  if (hermitian) check_square(self, "linalg.pinv");
  const IntVec batch = batch_sizes(self);
  const Tolerance absolute(atol, batch, 0), relative(rtol, batch, default_rtol(self, atol));
  return in_double(self.dtype(), [&](auto scalar) {
    using S = decltype(scalar);
    const Input<S> in(self);
    Output<S> out(batch, columns(self), rows(self), self.dtype(), false);
    for (int64_t i = 0; i < in.count(); ++i) {
      Matrix<S> m = in[i];
      if (hermitian) {
        // One triangle is read, and the real parts of the diagonal.
        const Matrix<S> mirror = m.adjoint();
        m.template triangularView<Eigen::StrictlyUpper>() = mirror;
        m.diagonal() = m.diagonal().real().template cast<S>().eval();
      }
      const Svd<S> svd = decompose_svd<S>(m, SvdVectors::kThin, "linalg.pinv");
      Eigen::VectorXd s = svd.s;
      const double limit = std::max(absolute[i], relative[i] * (s.size() > 0 ? s(0) : 0));
      for (int64_t k = 0; k < s.size(); ++k) s(k) = s(k) > limit ? 1 / s(k) : 0;
      out.set(i, svd.v * s.asDiagonal() * svd.u.adjoint());
    }
    return out.get();
  });
}
Tensor linalg_pinv_float(const Tensor& self, std::optional<double> atol, std::optional<double> rtol, bool hermitian) {
  return linalg_pinv_tolerance(self, as_tensor(atol), as_tensor(rtol), hermitian);
}
Tensor linalg_pinv(const Tensor& self, double rcond, bool hermitian) {
  return linalg_pinv_float(self, 0.0, rcond, hermitian);
}
Tensor linalg_pinv_rcond(const Tensor& self, const Tensor& rcond, bool hermitian) {
  return linalg_pinv_tolerance(self, as_tensor(0.0), rcond, hermitian);
}
Tensor pinverse(const Tensor& self, double rcond) { return linalg_pinv(self, rcond, false); }

Tensor linalg_matrix_rank_tolerance(const Tensor& self, const OptTensor& atol, const OptTensor& rtol, bool hermitian) {
  check_matrix(self, "torch.linalg.matrix_rank");
  if (hermitian) check_square(self, "torch.linalg.matrix_rank");
  const IntVec batch = batch_sizes(self);
  const Tolerance absolute(atol, batch, 0), relative(rtol, batch, default_rtol(self, atol));
  const Tensor values = spectrum(self, hermitian);
  const int64_t k = std::min(rows(self), columns(self));
  const Tensor out = Tensor::zeros(batch, DType::kLong);
  for (int64_t i = 0, count = out.numel(); i < count; ++i) {
    const double* s = values.data_ptr<double>() + i * k;
    const double limit = std::max(absolute[i], relative[i] * largest(s, k));
    for (int64_t j = 0; j < k; ++j) out.data_ptr<int64_t>()[i] += s[j] > limit;
  }
  return out;
}
Tensor linalg_matrix_rank_float(const Tensor& self, std::optional<double> atol, std::optional<double> rtol,
                                bool hermitian) {
  return linalg_matrix_rank_tolerance(self, as_tensor(atol), as_tensor(rtol), hermitian);
}
Tensor linalg_matrix_rank(const Tensor& self, double tol, bool hermitian) {
  return linalg_matrix_rank_float(self, tol, 0.0, hermitian);
}
Tensor linalg_matrix_rank_tol(const Tensor& self, const Tensor& tol, bool hermitian) {
  return linalg_matrix_rank_tolerance(self, tol, as_tensor(0.0), hermitian);
}

Tensor linalg_cond(const Tensor& self, const std::optional<Scalar>& p) {
  check_matrix(self, "linalg.cond");
  const double order = p ? p->to_double() : 2;
  const IntVec batch = batch_sizes(self);
  const Tensor out = Tensor::empty(batch, DType::kDouble);
  if (std::abs(order) == 2) {
    const Tensor s = spectrum(self, false);
    const int64_t k = std::min(rows(self), columns(self));
    for (int64_t i = 0, count = out.numel(); i < count; ++i) {
      const double* v = s.data_ptr<double>() + i * k;
      out.data_ptr<double>()[i] = k == 0 ? 0 : order > 0 ? v[0] / v[k - 1] : v[k - 1] / v[0];
    }
    return to_dtype(out, to_real(self.dtype()));
  }
  check_square(self, "linalg.cond");
  const auto [inverse, info] = linalg_inv_ex(self, false);
  const auto norm = [&](const Tensor& t) {
    return contiguous(
        to_dtype(linalg_matrix_norm(to_dtype(t, is_complex(t.dtype()) ? DType::kComplexDouble : DType::kDouble), *p,
                                    {-2, -1}, false, std::nullopt),
                 DType::kDouble));
  };
  const Tensor a = norm(self), b = norm(inverse);
  for (int64_t i = 0, count = out.numel(); i < count; ++i) {
    out.data_ptr<double>()[i] =
        info.data_ptr<int32_t>()[i] != 0 ? HUGE_VAL : a.data_ptr<double>()[i] * b.data_ptr<double>()[i];
  }
  return to_dtype(out, to_real(self.dtype()));
}

Tensor linalg_cond_text(const Tensor& self, std::string_view p) {
  check_square(self, "linalg.cond");
  WICK_CHECK(p == "fro" || p == "nuc", kInvalidArgument, "linalg.cond got an invalid norm type: ", p);
  const auto [inverse, info] = linalg_inv_ex(self, false);
  const auto norm = [&](const Tensor& t) {
    return contiguous(
        to_dtype(linalg_matrix_norm_named(to_dtype(t, is_complex(t.dtype()) ? DType::kComplexDouble : DType::kDouble),
                                          p, {-2, -1}, false, std::nullopt),
                 DType::kDouble));
  };
  const Tensor out = Tensor::empty(batch_sizes(self), DType::kDouble), a = norm(self), b = norm(inverse);
  for (int64_t i = 0, count = out.numel(); i < count; ++i) {
    out.data_ptr<double>()[i] =
        info.data_ptr<int32_t>()[i] != 0 ? HUGE_VAL : a.data_ptr<double>()[i] * b.data_ptr<double>()[i];
  }
  return to_dtype(out, to_real(self.dtype()));
}

Tensor linalg_tensorinv(const Tensor& self, int64_t ind) {
  WICK_CHECK(ind > 0, kInvalidArgument, "Expected a strictly positive integer for 'ind'");
  WICK_CHECK(ind <= self.dim(), kInvalidArgument, "Expected 'ind' to be at most ", self.dim());
  const IntSpan sizes = self.sizes(), front = sizes.subspan(0, static_cast<size_t>(ind)),
                back = sizes.subspan(static_cast<size_t>(ind));
  const int64_t m = checked_numel(front), n = checked_numel(back);
  WICK_CHECK(m == n, kShapeMismatch,
             "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got ", n,
             " != ", m);
  const Tensor dense = contiguous(self);
  const Tensor inverse = linalg_inv(dense.as_strided({m, n}, {n, 1}, dense.storage_offset()));
  IntVec out(back);
  for (int64_t s : front) out.push_back(s);
  return reshape(inverse, out);
}

Tensor linalg_tensorsolve(const Tensor& self, const Tensor& other, const std::optional<IntVec>& dims) {
  IntVec order;
  for (int64_t d = 0; d < self.dim(); ++d) order.push_back(d);
  if (dims) {
    for (int64_t d : wrap_dims(*dims, self.dim())) {
      order.erase(static_cast<size_t>(std::find(order.begin(), order.end(), d) - order.begin()));
      order.push_back(d);
    }
  }
  IntVec sizes, strides;
  for (int64_t d : order) {
    sizes.push_back(self.sizes()[d]);
    strides.push_back(self.strides()[d]);
  }
  WICK_CHECK(other.dim() <= self.dim(), kShapeMismatch, "linalg.tensorsolve: other has more dimensions than self");
  const Tensor moved = contiguous(self.as_strided(sizes, strides, self.storage_offset()));
  const IntVec result(sizes.span().subspan(static_cast<size_t>(other.dim())));
  const int64_t n = checked_numel(result), m = other.numel();
  WICK_CHECK(m == n && moved.numel() == n * m, kShapeMismatch,
             "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), "
             "but got ",
             n, " != ", m);
  const Tensor b = contiguous(other);
  const Tensor x = contiguous(linalg_solve(moved.as_strided({m, n}, {n, 1}, moved.storage_offset()),
                                           b.as_strided({m}, {1}, b.storage_offset()), true));
  return x.as_strided(result, contiguous_strides(result), x.storage_offset());
}

Tensor nuclear_norm(const Tensor& self, bool keepdim) {
  WICK_CHECK(self.dim() == 2, kShapeMismatch, "Expected a tensor with 2 dimensions, but got a tensor with ", self.dim(),
             " dimensions instead.");
  return nuclear_norm_dim(self, {0, 1}, keepdim);
}

Tensor nuclear_norm_dim(const Tensor& self, IntSpan dim, bool keepdim) {
  WICK_CHECK(dim.size() == 2, kInvalidArgument, "nuclear norm requires a 'dim' argument of size 2");
  return linalg_matrix_norm_named(self, "nuc", dim, keepdim, std::nullopt);
}

}  // namespace wick::ops
