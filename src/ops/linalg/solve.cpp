// Determinants, inverses and systems of equations.
#include "ops/linalg/matrices.h"

#include <vector>

#include "ops/linalg/linalg.h"

namespace wick::ops {

using namespace linalg;

namespace {

template <class S>
struct Factored {
  Matrix<S> lu;
  std::vector<int32_t> pivots;
  int32_t info;
  explicit Factored(Matrix<S> a) : lu(std::move(a)), pivots(static_cast<size_t>(std::min(lu.rows(), lu.cols()))) {
    info = lu_in_place<S>(lu, pivots.data());
  }
};

// x := A^-1 x (or A^-H x) from the factors.
template <class S>
void solve_factored(const Matrix<S>& lu, const int32_t* pivots, bool adjoint, Matrix<S>& x) {
  const int64_t n = lu.rows();
  if (adjoint) {
    solve_in_place(lu.adjoint().template triangularView<Eigen::Lower>(), x);
    solve_in_place(lu.adjoint().template triangularView<Eigen::UnitUpper>(), x);
    for (int64_t k = n; k-- > 0;) {
      if (pivots[k] - 1 != k) x.row(k).swap(x.row(pivots[k] - 1));
    }
    return;
  }
  for (int64_t k = 0; k < n; ++k) {
    if (pivots[k] - 1 != k) x.row(k).swap(x.row(pivots[k] - 1));
  }
  solve_in_place(lu.template triangularView<Eigen::UnitLower>(), x);
  solve_in_place(lu.template triangularView<Eigen::Upper>(), x);
}

std::string batch_prefix(const Tensor& a, int64_t i) {
  return a.dim() > 2 ? cat("(Batch element ", i, "): ") : std::string();
}

Pair inverse_of(const Tensor& a, bool check, const char* name) {
  check_square(a, name);
  const int64_t n = rows(a);
  const Tensor info = Tensor::zeros(batch_sizes(a), DType::kInt);
  const Tensor out = in_double(a.dtype(), [&](auto scalar) {
    using S = decltype(scalar);
    const Input<S> in(a);
    Output<S> result(batch_sizes(a), n, n, a.dtype());
    for (int64_t i = 0; i < in.count(); ++i) {
      const Factored<S> f(in[i]);
      info.data_ptr<int32_t>()[i] = f.info;
      WICK_CHECK(!check || f.info == 0, kInvalidArgument, name, ": ", batch_prefix(a, i), "The diagonal element ",
                 f.info, " is zero, the inversion could not be completed because the input matrix is singular.");
      Matrix<S> x = Matrix<S>::Identity(n, n);
      solve_factored(f.lu, f.pivots.data(), false, x);
      result.set(i, x);
    }
    return result.get();
  });
  return {out, info};
}

// linalg.solve takes B as vectors when its shape is A's without the last dim.
bool is_vector_case(const Tensor& a, const Tensor& b) {
  const IntVec vectors(a.sizes().subspan(0, static_cast<size_t>(a.dim()) - 1));
  return b.dim() == 1 || (a.dim() - 1 == b.dim() && vectors == b.sizes());
}

Quadruple solve_of(const Tensor& a_given, const Tensor& b_given, bool left, bool check, const char* name) {
  check_square(a_given, name);
  check_same_dtype(a_given, b_given, name);
  const bool vectors = is_vector_case(a_given, b_given);
  WICK_CHECK(left || !vectors, kInvalidArgument, name,
             ": Vector broadcasting of the left hand side is not supported for left=False.");
  const Tensor b_matrix = vectors ? with_column(b_given) : b_given;
  WICK_CHECK(b_matrix.dim() >= 2 && (left ? rows(b_matrix) : columns(b_matrix)) == rows(a_given), kShapeMismatch, name,
             ": Incompatible shapes of A and B for the equation ", left ? "AX = B" : "XA = B", " (", rows(a_given), "x",
             columns(a_given), " and ", b_matrix.dim() >= 2 ? rows(b_matrix) : 0, "x", columns(b_matrix), ")");
  const auto [a, b] = broadcast_batches(a_given, b_matrix);
  const int64_t n = rows(a);
  const Tensor info = Tensor::zeros(batch_sizes(a_given), DType::kInt);
  const Tensor pivots = Tensor::empty(with_tail(batch_sizes(a_given), {n}), DType::kInt);
  return in_double(a.dtype(), [&, a = a, b = b](auto scalar) -> Quadruple {
    using S = decltype(scalar);
    // Factors of the given batch, not of the broadcast one.
    const Input<S> own(a_given);
    Output<S> lu(batch_sizes(a_given), n, n, a.dtype());
    for (int64_t i = 0; i < own.count(); ++i) {
      const Factored<S> f(own[i]);
      lu.set(i, f.lu);
      info.data_ptr<int32_t>()[i] = f.info;
      std::copy(f.pivots.begin(), f.pivots.end(), pivots.data_ptr<int32_t>() + i * n);
      WICK_CHECK(!check || f.info == 0, kInvalidArgument, name, ": ", batch_prefix(a_given, i),
                 "The solver failed because the input matrix is singular.");
    }
    const Input<S> ma(a), mb(b);
    Output<S> x(batch_sizes(b), rows(b), columns(b), b.dtype(), !left);
    Output<S> x_left(batch_sizes(b), rows(b), columns(b), b.dtype());
    for (int64_t i = 0; i < mb.count(); ++i) {
      const Factored<S> f(left ? ma[i] : Matrix<S>(ma[i].transpose()));
      Matrix<S> rhs = left ? mb[i] : Matrix<S>(mb[i].transpose());
      solve_factored(f.lu, f.pivots.data(), false, rhs);
      x_left.set(i, left ? rhs : Matrix<S>(rhs.transpose()));
      x.set(i, left ? rhs : Matrix<S>(rhs.transpose()));
    }
    Tensor result = left ? x_left.get() : contiguous(x.get());
    if (vectors) {
      result = without_column(result);
      // Vectors of a batch come out as the columns of one column-major matrix.
      if (result.dim() >= 2) {
        IntVec swapped(result.sizes());
        std::swap(swapped[swapped.size() - 1], swapped[swapped.size() - 2]);
        IntVec strides = contiguous_strides(swapped);
        std::swap(strides[strides.size() - 1], strides[strides.size() - 2]);
        const Tensor columns = Tensor::empty_strided(result.sizes(), strides, result.dtype());
        copy_into(columns, result);
        result = columns;
      }
    }
    return {result, lu.get(), pivots, info};
  });
}

template <class S>
Matrix<S> solve_triangle(const Matrix<S>& a, Matrix<S> b, bool upper, bool unit) {
  if (upper) {
    unit ? solve_in_place(a.template triangularView<Eigen::UnitUpper>(), b)
         : solve_in_place(a.template triangularView<Eigen::Upper>(), b);
  } else {
    unit ? solve_in_place(a.template triangularView<Eigen::UnitLower>(), b)
         : solve_in_place(a.template triangularView<Eigen::Lower>(), b);
  }
  return b;
}

void check_system(const Tensor& a, const Tensor& b, bool left, const char* name) {
  check_square(a, name);
  check_matrix(b, name);
  check_same_dtype(a, b, name);
  WICK_CHECK((left ? rows(b) : columns(b)) == rows(a), kShapeMismatch, name,
             ": Incompatible shapes of A and B for the equation ", left ? "AX = B" : "XA = B", " (", rows(a), "x",
             columns(a), " and ", rows(b), "x", columns(b), ")");
}

}  // namespace

Pair linalg_inv_ex(const Tensor& a, bool check_errors) { return inverse_of(a, check_errors, "linalg.inv_ex"); }
Tensor linalg_inv(const Tensor& a) { return std::get<0>(inverse_of(a, true, "linalg.inv")); }

Triple linalg_det_lu(const Tensor& a) {
  check_square(a, "linalg.det");
  const auto [lu, pivots, info] = linalg_lu_factor_ex(a, true, false);
  const int64_t n = rows(a);
  const Tensor det = in_double(a.dtype(), [&, lu = lu, pivots = pivots](auto scalar) {
    using S = decltype(scalar);
    const Input<S> in(a);
    const Tensor out = Tensor::empty(batch_sizes(a), DTypeOf<S>::value);
    for (int64_t i = 0, count = out.numel(); i < count; ++i) {
      S product(1);
      if (n > 0) {
        const Factored<S> f(in[i]);
        for (int64_t k = 0; k < n; ++k) product *= f.pivots[k] - 1 == k ? f.lu(k, k) : -f.lu(k, k);
      }
      out.data_ptr<S>()[i] = product;
    }
    return to_dtype(out, a.dtype());
  });
  return {det, lu, pivots};
}
Tensor linalg_det(const Tensor& a) { return std::get<0>(linalg_det_lu(a)); }

Quadruple linalg_slogdet_lu(const Tensor& a) {
  check_square(a, "linalg.slogdet");
  const auto [lu, pivots, info] = linalg_lu_factor_ex(a, true, false);
  const int64_t n = rows(a);
  return in_double(a.dtype(), [&, lu = lu, pivots = pivots](auto scalar) -> Quadruple {
    using S = decltype(scalar);
    const Input<S> in(a);
    const Tensor sign = Tensor::empty(batch_sizes(a), DTypeOf<S>::value),
                 log = Tensor::empty(batch_sizes(a), DType::kDouble);
    for (int64_t i = 0, count = sign.numel(); i < count; ++i) {
      S s(1);
      double sum = 0;
      if (n > 0) {
        const Factored<S> f(in[i]);
        for (int64_t k = 0; k < n; ++k) {
          const S d = f.pivots[k] - 1 == k ? f.lu(k, k) : -f.lu(k, k);
          const double size = std::abs(d);
          if constexpr (std::is_same_v<S, double>) {
            s *= static_cast<double>(d > 0) - static_cast<double>(d < 0);
          } else {
            s *= size == 0 ? S(0) : d / size;
          }
          sum += std::log(size);
        }
      }
      sign.data_ptr<S>()[i] = s;
      log.data_ptr<double>()[i] = sum;
    }
    return {to_dtype(sign, a.dtype()), to_dtype(log, to_real(a.dtype())), lu, pivots};
  });
}
Pair linalg_slogdet(const Tensor& a) {
  auto [sign, log, lu, pivots] = linalg_slogdet_lu(a);
  return {sign, log};
}
Tensor logdet(const Tensor& self) {
  check_square(self, "logdet");
  const Tensor det = to_dtype(linalg_det(self), is_complex(self.dtype()) ? DType::kComplexDouble : DType::kDouble);
  const auto [sign, log, lu, pivots] = linalg_slogdet_lu(self);
  if (is_complex(self.dtype())) {
    const Tensor s = to_dtype(sign, DType::kComplexDouble), l = to_dtype(log, DType::kDouble);
    for (int64_t i = 0, count = s.numel(); i < count; ++i)
      s.data_ptr<Complex>()[i] = std::log(s.data_ptr<Complex>()[i]) + l.data_ptr<double>()[i];
    return to_dtype(s, self.dtype());
  }
  const Tensor out = clone(to_dtype(log, DType::kDouble));
  const Tensor s = to_dtype(sign, DType::kDouble);
  for (int64_t i = 0, count = out.numel(); i < count; ++i) {
    if (s.data_ptr<double>()[i] < 0) out.data_ptr<double>()[i] = std::nan("");
  }
  return to_dtype(out, self.dtype());
}

Tensor linalg_solve(const Tensor& a, const Tensor& b, bool left) {
  return std::get<0>(solve_of(a, b, left, true, "torch.linalg.solve"));
}
Quadruple linalg_solve_ex_lu(const Tensor& a, const Tensor& b, bool left, bool check_errors) {
  return solve_of(a, b, left, check_errors, "torch.linalg.solve_ex");
}
Pair linalg_solve_ex(const Tensor& a, const Tensor& b, bool left, bool check_errors) {
  auto [x, lu, pivots, info] = linalg_solve_ex_lu(a, b, left, check_errors);
  return {x, info};
}

Tensor linalg_lu_solve(const Tensor& lu, const Tensor& pivots, const Tensor& b_given, bool left, bool adjoint) {
  check_system(lu, b_given, left, "torch.linalg.lu_solve");
  WICK_CHECK(
      pivots.dtype() == DType::kInt && pivots.sizes() == lu.sizes().subspan(0, static_cast<size_t>(lu.dim()) - 1),
      kInvalidArgument,
      "torch.linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32 with one value a row");
  const auto [a, b] = broadcast_batches(lu, b_given);
  const int64_t n = rows(a);
  const Tensor p = contiguous(expand(pivots, with_tail(batch_sizes(a), {n})));
  for (int64_t i = 0, count = p.numel(); i < count; ++i) {
    WICK_CHECK(p.data_ptr<int32_t>()[i] >= 1 && p.data_ptr<int32_t>()[i] <= n, kIndexOutOfRange,
               "Pivots given to lu_solve must all be greater or equal to 1 and at most the number of rows");
  }
  return in_double(a.dtype(), [&, a = a, b = b](auto scalar) {
    using S = decltype(scalar);
    const Input<S> ma(a), mb(b);
    Output<S> x(batch_sizes(b), rows(b), columns(b), b.dtype());
    for (int64_t i = 0; i < mb.count(); ++i) {
      Matrix<S> rhs = left ? mb[i] : Matrix<S>(mb[i].adjoint());
      solve_factored<S>(ma[i], p.data_ptr<int32_t>() + i * n, left ? adjoint : !adjoint, rhs);
      x.set(i, left ? rhs : Matrix<S>(rhs.adjoint()));
    }
    return left ? x.get() : contiguous(x.get());
  });
}
Tensor lu_solve(const Tensor& b, const Tensor& lu, const Tensor& pivots) {
  return linalg_lu_solve(lu, pivots, b, true, false);
}

Tensor linalg_solve_triangular(const Tensor& a_given, const Tensor& b_given, bool upper, bool left,
                               bool unitriangular) {
  check_system(a_given, b_given, left, "linalg.solve_triangular");
  const auto [a, b] = broadcast_batches(a_given, b_given);
  return in_double(a.dtype(), [&, a = a, b = b](auto scalar) {
    using S = decltype(scalar);
    const Input<S> ma(a), mb(b);
    Output<S> x(batch_sizes(b), rows(b), columns(b), b.dtype());
    for (int64_t i = 0; i < mb.count(); ++i) {
      if (left) {
        x.set(i, solve_triangle<S>(ma[i], mb[i], upper, unitriangular));
      } else {
        x.set(i, solve_triangle<S>(ma[i].transpose(), mb[i].transpose(), !upper, unitriangular).transpose());
      }
    }
    return x.get();
  });
}

Pair triangular_solve(const Tensor& b_given, const Tensor& a_given, bool upper, bool transpose, bool unitriangular) {
  check_system(a_given, b_given, true, "triangular_solve");
  const auto [a, b] = broadcast_batches(a_given, b_given);
  return in_double(a.dtype(), [&, a = a, b = b](auto scalar) -> Pair {
    using S = decltype(scalar);
    const Input<S> ma(a), mb(b);
    Output<S> x(batch_sizes(b), rows(b), columns(b), b.dtype()), copy(batch_sizes(a), rows(a), columns(a), a.dtype());
    for (int64_t i = 0; i < ma.count(); ++i) copy.set(i, ma[i]);
    for (int64_t i = 0; i < mb.count(); ++i) {
      const Matrix<S> m = ma[i];
      x.set(i, transpose ? solve_triangle<S>(m.transpose(), mb[i], !upper, unitriangular)
                         : solve_triangle<S>(m, mb[i], upper, unitriangular));
    }
    return {x.get(), copy.get()};
  });
}

Tensor cholesky_solve(const Tensor& b_given, const Tensor& l_given, bool upper) {
  check_system(l_given, b_given, true, "cholesky_solve");
  const auto [l, b] = broadcast_batches(l_given, b_given);
  return in_double(l.dtype(), [&, l = l, b = b](auto scalar) {
    using S = decltype(scalar);
    const Input<S> ml(l), mb(b);
    Output<S> x(batch_sizes(b), rows(b), columns(b), b.dtype());
    for (int64_t i = 0; i < mb.count(); ++i) {
      const Matrix<S> given = ml[i], lower = upper ? Matrix<S>(given.adjoint()) : given;
      Matrix<S> y = solve_triangle<S>(lower, mb[i], false, false);
      x.set(i, solve_triangle<S>(lower.adjoint(), y, true, false));
    }
    return x.get();
  });
}

Tensor cholesky_inverse(const Tensor& l, bool upper) {
  check_square(l, "cholesky_inverse");
  const int64_t n = rows(l);
  return in_double(l.dtype(), [&](auto scalar) {
    using S = decltype(scalar);
    const Input<S> in(l);
    Output<S> out(batch_sizes(l), n, n, l.dtype());
    for (int64_t i = 0; i < in.count(); ++i) {
      const Matrix<S> given = in[i], lower = upper ? Matrix<S>(given.adjoint()) : given;
      const Matrix<S> half = solve_triangle<S>(lower, Matrix<S>::Identity(n, n), false, false);
      out.set(i, half.adjoint() * half);
    }
    return out.get();
  });
}

}  // namespace wick::ops
