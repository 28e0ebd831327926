// Cholesky, LU, QR.
#include "ops/linalg/matrices.h"

#include <Eigen/Cholesky>
#include <Eigen/Householder>
#include <Eigen/QR>

#include "ops/linalg/linalg.h"

namespace wick::ops {

using namespace linalg;

namespace {

std::tuple<Tensor, Tensor> cholesky_ex(const Tensor& self, bool upper, const char* name, bool check) {
  check_square(self, name);
  const int64_t n = rows(self);
  const Tensor info = Tensor::zeros(batch_sizes(self), DType::kInt);
  const Tensor out = in_double(self.dtype(), [&](auto scalar) {
    using S = decltype(scalar);
    const Input<S> in(self);
    Output<S> result(batch_sizes(self), n, n, self.dtype());
    for (int64_t i = 0; i < in.count(); ++i) {
      // One triangle is read; the other is its mirror.
      Matrix<S> a = in[i];
      Matrix<S> l = upper ? Matrix<S>(a.adjoint()) : a;
      int32_t bad = 0;
      for (int64_t j = 0; j < n && bad == 0; ++j) {
        check_budget();
        const double d = std::real(l(j, j)) - l.row(j).head(j).squaredNorm();
        if (!(d > 0)) {
          bad = static_cast<int32_t>(j + 1);
          break;
        }
        l(j, j) = std::sqrt(d);
        for (int64_t r = j + 1; r < n; ++r) {
          S s = l(r, j);
          for (int64_t k = 0; k < j; ++k) s -= l(r, k) * Eigen::numext::conj(l(j, k));
          l(r, j) = s / l(j, j);
        }
      }
      info.data_ptr<int32_t>()[i] = bad;
      WICK_CHECK(
          !check || bad == 0, kInvalidArgument, name, ": ", self.dim() > 2 ? cat("(Batch element ", i, "): ") : "",
          "The factorization could not be completed because the input is not positive-definite (the leading minor of "
          "order ",
          bad, " is not positive-definite).");
      l.template triangularView<Eigen::StrictlyUpper>().setZero();
      if (upper) {
        result.set(i, l.adjoint());
      } else {
        result.set(i, l);
      }
    }
    return result.get();
  });
  return {out, info};
}

std::tuple<Tensor, Tensor, Tensor> lu_factor(const Tensor& a, bool pivot, const char* name) {
  check_matrix(a, name);
  WICK_CHECK(pivot, kUnsupported, name, ": LU without pivoting is not implemented on the CPU");
  const int64_t steps = std::min(rows(a), columns(a));
  const Tensor pivots = Tensor::empty(with_tail(batch_sizes(a), {steps}), DType::kInt);
  const Tensor info = Tensor::zeros(batch_sizes(a), DType::kInt);
  const Tensor lu = in_double(a.dtype(), [&](auto scalar) {
    using S = decltype(scalar);
    const Input<S> in(a);
    Output<S> result(batch_sizes(a), rows(a), columns(a), a.dtype());
    for (int64_t i = 0; i < in.count(); ++i) {
      Matrix<S> m = in[i];
      info.data_ptr<int32_t>()[i] = lu_in_place<S>(m, pivots.data_ptr<int32_t>() + i * steps);
      result.set(i, m);
    }
    return result.get();
  });
  return {lu, pivots, info};
}

enum class QrMode { kReduced, kComplete, kR };

Pair qr_of(const Tensor& a, QrMode mode, const char* name) {
  check_matrix(a, name);
  const int64_t m = rows(a), n = columns(a), k = std::min(m, n), wide = mode == QrMode::kComplete ? m : k;
  return in_double(a.dtype(), [&](auto scalar) -> Pair {
    using S = decltype(scalar);
    const Input<S> in(a);
    Output<S> q(batch_sizes(a), m, wide, a.dtype()), r(batch_sizes(a), wide, n, a.dtype());
    for (int64_t i = 0; i < in.count(); ++i) {
      const Eigen::HouseholderQR<Matrix<S>> qr(in[i]);
      if (mode != QrMode::kR) q.set(i, qr.householderQ() * Matrix<S>::Identity(m, wide));
      Matrix<S> upper = Matrix<S>::Zero(wide, n);
      upper.topRows(k) = qr.matrixQR().topRows(k).template triangularView<Eigen::Upper>();
      r.set(i, upper);
    }
    if (in.count() == 0 && mode == QrMode::kComplete && m > 0) {
      // Without columns Q is the identity.
      for (int64_t i = 0; i < batch_count(a); ++i) q.set(i, Matrix<S>::Identity(m, m));
    }
    return {mode == QrMode::kR ? Tensor::empty({0}, a.dtype()) : q.get(), r.get()};
  });
}

// Applies or builds the product of the reflections that geqrf stores.
template <class S>
Matrix<S> reflections(const Matrix<S>& a, const S* tau, int64_t count, int64_t columns) {
  const int64_t m = a.rows();
  Matrix<S> q = Matrix<S>::Identity(m, columns);
  for (int64_t k = count; k-- > 0;) {
    Eigen::Matrix<S, Eigen::Dynamic, 1> v = Eigen::Matrix<S, Eigen::Dynamic, 1>::Zero(m);
    v(k) = S(1);
    v.tail(m - k - 1) = a.col(k).tail(m - k - 1);
    q -= tau[k] * v * (v.adjoint() * q).eval();
  }
  return q;
}

void check_reflections(const Tensor& a, const Tensor& tau, const char* name) {
  check_matrix(a, name);
  WICK_CHECK(tau.dtype() == a.dtype(), kTypeMismatch, name, ": tau dtype ", name_of(tau.dtype()),
             " does not match input dtype ", name_of(a.dtype()));
  WICK_CHECK(rows(a) >= columns(a) && tau.dim() == a.dim() - 1 && tau.size(-1) <= columns(a), kShapeMismatch, name,
             ": input of sizes ", a.sizes(), " does not fit tau of sizes ", tau.sizes());
  WICK_CHECK(IntVec(tau.sizes().subspan(0, static_cast<size_t>(tau.dim()) - 1)) == batch_sizes(a), kShapeMismatch, name,
             ": expected batch dimensions of tau to be equal to those of input");
}

}  // namespace

Tensor linalg_cholesky(const Tensor& self, bool upper) {
  return std::get<0>(cholesky_ex(self, upper, "linalg.cholesky", true));
}
Pair linalg_cholesky_ex(const Tensor& self, bool upper, bool check_errors) {
  return cholesky_ex(self, upper, "linalg.cholesky_ex", check_errors);
}
Tensor cholesky(const Tensor& self, bool upper) { return std::get<0>(cholesky_ex(self, upper, "cholesky", true)); }

Triple linalg_lu_factor_ex(const Tensor& a, bool pivot, bool check_errors) {
  Triple out = lu_factor(a, pivot, "linalg.lu_factor_ex");
  if (check_errors) {
    const Tensor& info = std::get<2>(out);
    for (int64_t i = 0, numel = info.numel(); i < numel; ++i) {
      WICK_CHECK(info.data_ptr<int32_t>()[i] == 0, kInvalidArgument, "linalg.lu_factor_ex: U[",
                 info.data_ptr<int32_t>()[i], ",", info.data_ptr<int32_t>()[i],
                 "] is zero and using it on lu_solve would result in a division by zero.");
    }
  }
  return out;
}
Pair linalg_lu_factor(const Tensor& a, bool pivot) {
  auto [lu, pivots, info] = lu_factor(a, pivot, "linalg.lu_factor");
  return {lu, pivots};
}
Triple linalg_lu(const Tensor& a, bool pivot) {
  auto [lu, pivots, info] = lu_factor(a, pivot, "linalg.lu");
  return lu_unpack(lu, pivots, true, true);
}

Triple lu_unpack(const Tensor& data, const Tensor& pivots, bool unpack_data, bool unpack_pivots) {
  check_matrix(data, "lu_unpack");
  const int64_t m = rows(data), n = columns(data), k = std::min(m, n);
  WICK_CHECK(
      !unpack_pivots || (pivots.dtype() == DType::kInt && pivots.sizes() == with_tail(batch_sizes(data), {k}).span()),
      kInvalidArgument, "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype");
  const Tensor dense = unpack_pivots ? contiguous(pivots) : Tensor();
  return in_double(data.dtype(), [&](auto scalar) -> Triple {
    using S = decltype(scalar);
    const Input<S> in(data);
    Output<S> p(batch_sizes(data), m, m, data.dtype(), false), l(batch_sizes(data), m, k, data.dtype(), false),
        u(batch_sizes(data), k, n, data.dtype(), false);
    for (int64_t i = 0; i < in.count(); ++i) {
      const Matrix<S> lu = in[i];
      if (unpack_data) {
        Matrix<S> lower = Matrix<S>::Identity(m, k);
        lower.template triangularView<Eigen::StrictlyLower>() = lu.leftCols(k);
        l.set(i, lower);
        Matrix<S> upper = Matrix<S>::Zero(k, n);
        upper.template triangularView<Eigen::Upper>() = lu.topRows(k);
        u.set(i, upper);
      }
      if (unpack_pivots) {
        std::vector<int64_t> order(static_cast<size_t>(m));
        for (int64_t r = 0; r < m; ++r) order[r] = r;
        for (int64_t r = 0; r < k; ++r) {
          const int64_t with = dense.data_ptr<int32_t>()[i * k + r] - 1;
          WICK_CHECK(with >= 0 && with < m, kIndexOutOfRange,
                     "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.");
          std::swap(order[r], order[with]);
        }
        Matrix<S> permutation = Matrix<S>::Zero(m, m);
        for (int64_t r = 0; r < m; ++r) permutation(order[r], r) = S(1);
        p.set(i, permutation);
      }
    }
    const Tensor none = Tensor::empty({0}, data.dtype());
    return {unpack_pivots ? p.get() : none, unpack_data ? l.get() : none, unpack_data ? u.get() : none};
  });
}

Pair linalg_qr(const Tensor& a, std::string_view mode) {
  WICK_CHECK(mode == "reduced" || mode == "complete" || mode == "r", kInvalidArgument,
             "qr received unrecognized mode '", mode, "' but expected one of 'reduced' (default), 'r', or 'complete'");
  return qr_of(a, mode == "reduced" ? QrMode::kReduced : mode == "r" ? QrMode::kR : QrMode::kComplete, "linalg.qr");
}
Pair qr(const Tensor& self, bool some) { return qr_of(self, some ? QrMode::kReduced : QrMode::kComplete, "qr"); }

Pair geqrf(const Tensor& self) {
  check_matrix(self, "geqrf");
  const int64_t k = std::min(rows(self), columns(self));
  return in_double(self.dtype(), [&](auto scalar) -> Pair {
    using S = decltype(scalar);
    const Input<S> in(self);
    Output<S> a(batch_sizes(self), rows(self), columns(self), self.dtype()),
        tau(batch_sizes(self), 1, k, self.dtype(), false);
    for (int64_t i = 0; i < in.count(); ++i) {
      const Eigen::HouseholderQR<Matrix<S>> qr(in[i]);
      a.set(i, qr.matrixQR());
      tau.set(i, qr.hCoeffs().adjoint());  // LAPACK stores the conjugates
    }
    const Tensor t = tau.get();
    return {a.get(),
            t.as_strided(with_tail(batch_sizes(self), {k}), contiguous_strides(with_tail(batch_sizes(self), {k})), 0)};
  });
}

Tensor linalg_householder_product(const Tensor& input, const Tensor& tau) {
  check_reflections(input, tau, "torch.linalg.householder_product");
  return in_double(input.dtype(), [&](auto scalar) {
    using S = decltype(scalar);
    const Input<S> in(input);
    const Tensor t = contiguous(to_dtype(tau, DTypeOf<S>::value));
    const int64_t k = t.size(-1);
    Output<S> out(batch_sizes(input), rows(input), columns(input), input.dtype());
    for (int64_t i = 0; i < in.count(); ++i)
      out.set(i, reflections<S>(in[i], t.data_ptr<S>() + i * k, k, columns(input)));
    return out.get();
  });
}

Tensor ormqr(const Tensor& self, const Tensor& tau, const Tensor& other, bool left, bool transpose) {
  check_matrix(self, "torch.ormqr");
  check_matrix(other, "torch.ormqr");
  const int64_t m = left ? rows(other) : columns(other), k = tau.dim() > 0 ? tau.size(-1) : 0;
  WICK_CHECK(rows(self) == m && k <= columns(self) && k <= m && batch_sizes(self) == batch_sizes(other) &&
                 tau.dim() == self.dim() - 1 && self.dtype() == tau.dtype() && self.dtype() == other.dtype(),
             kShapeMismatch, "torch.ormqr: input ", self.sizes(), ", tau ", tau.sizes(), " and other ", other.sizes(),
             " do not fit together");
  return in_double(self.dtype(), [&](auto scalar) {
    using S = decltype(scalar);
    const Input<S> a(self), c(other);
    const Tensor t = contiguous(to_dtype(tau, DTypeOf<S>::value));
    Output<S> out(batch_sizes(other), rows(other), columns(other), other.dtype());
    for (int64_t i = 0; i < c.count(); ++i) {
      Matrix<S> q = reflections<S>(a[i], t.data_ptr<S>() + i * k, k, m);
      if (transpose) q = q.adjoint().eval();
      out.set(i, left ? Matrix<S>(q * c[i]) : Matrix<S>(c[i] * q));
    }
    return out.get();
  });
}

}  // namespace wick::ops
