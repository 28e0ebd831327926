// Vector norms and logsumexp.
#include <cmath>

#include "core/copy.h"
#include "kernels/math.h"
#include "ops/linalg/linalg.h"
#include "ops/pointwise/math.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/fold.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

enum class Ord { kZero, kOne, kTwo, kInf, kNegInf, kOther };

template <class T>
double magnitude(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fabs(static_cast<double>(v));
  else
    return std::hypot(static_cast<double>(v.real()), static_cast<double>(v.imag()));
}
template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};

// ctx: the order as a double.
template <class T, Ord kOrd>
struct NormOp {
  static double start(const void*) { return kOrd == Ord::kNegInf ? std::numeric_limits<double>::infinity() : 0.0; }
  static double fold(double a, T v, int64_t, const void* ctx) {
    if constexpr (kOrd == Ord::kTwo) {
      if constexpr (std::is_floating_point_v<T>)
        return a + static_cast<double>(v) * static_cast<double>(v);
      else
        return a + static_cast<double>(std::norm(c128(v)));
    } else {
      const double m = magnitude(v);
      if constexpr (kOrd == Ord::kZero) return a + (m != 0);
      if constexpr (kOrd == Ord::kOne) return a + m;
      if constexpr (kOrd == Ord::kInf) return nan_max(a, m);
      if constexpr (kOrd == Ord::kNegInf) return nan_min(a, m);
      return a + std::pow(m, *static_cast<const double*>(ctx));
    }
  }
  static double join(double a, double b) {
    if constexpr (kOrd == Ord::kInf)
      return nan_max(a, b);
    else if constexpr (kOrd == Ord::kNegInf)
      return nan_min(a, b);
    else
      return a + b;
  }
  static void finish(void* const* outs, int64_t i, double a, const void* ctx) {
    if constexpr (kOrd == Ord::kTwo) a = std::sqrt(a);
    if constexpr (kOrd == Ord::kOther) a = std::pow(a, 1 / *static_cast<const double*>(ctx));
    using Real = typename RealOf<T>::type;
    static_cast<Real*>(outs[0])[i] = static_cast<Real>(a);
  }
};

// The Euclidean norm of floats with vectorized rows.
using FloatTwo = Fold<float, double, NormOp<float, Ord::kTwo>>;
constexpr Reducer kFloatTwo{FloatTwo::kReducer.acc_size,
                            FloatTwo::kReducer.init,
                            FloatTwo::kReducer.across,
                            [](void* acc, const void* x, int64_t n, int64_t, const void*) {
                              *static_cast<double*>(acc) += kernels::sum_squares_f32(static_cast<const float*>(x), n);
                            },
                            FloatTwo::kReducer.merge,
                            FloatTwo::kReducer.finish};

template <Ord kOrd>
constexpr Reducers kNorm{kOrd == Ord::kTwo ? &kFloatTwo : &Fold<float, double, NormOp<float, kOrd>>::kReducer,
                         &Fold<double, double, NormOp<double, kOrd>>::kReducer,
                         nullptr,
                         nullptr,
                         &Fold<c64, double, NormOp<c64, kOrd>>::kReducer,
                         &Fold<c128, double, NormOp<c128, kOrd>>::kReducer};

const Reducers& norm_of(double p) {
  if (p == 0) return kNorm<Ord::kZero>;
  if (p == 1) return kNorm<Ord::kOne>;
  if (p == 2) return kNorm<Ord::kTwo>;
  if (p == std::numeric_limits<double>::infinity()) return kNorm<Ord::kInf>;
  if (p == -std::numeric_limits<double>::infinity()) return kNorm<Ord::kNegInf>;
  return kNorm<Ord::kOther>;
}

Tensor norm_over(const char* name, const Tensor& self, double p, const OptDims& dims, bool keepdim, DType common) {
  const ReducedDims r = reduced_dims(self, dims, keepdim);
  const Tensor out = Tensor::empty(r.kept, to_real(common));
  run_reduction(self, common, r.dims, norm_of(p).of(common, name), &p, {out});
  return out;
}

Tensor plain_norm(const Tensor& self, const std::optional<Scalar>& p, const OptDims& dims, bool keepdim,
                  OptDType dtype) {
  const DType common = dtype.value_or(self.dtype());
  WICK_CHECK(is_floating(common) || is_complex(common), kTypeMismatch,
             "norm(): input dtype should be either floating point or complex. Got ", name_of(common), " instead.");
  return norm_over("norm_cpu", self, p ? p->to_double() : 2, dims, keepdim, common);
}

void check_norm_dtype(const Tensor& self, OptDType dtype, const char* name) {
  if (!dtype) return;
  WICK_CHECK(is_floating(*dtype) || is_complex(*dtype), kTypeMismatch, name,
             ": dtype should be floating point or complex, but got ", name_of(*dtype));
  WICK_CHECK(is_complex(self.dtype()) == is_complex(*dtype), kTypeMismatch, name, ": dtype should be ",
             is_complex(self.dtype()) ? "complex for complex" : "real for real", " inputs, but got ", name_of(*dtype));
  WICK_CHECK(promote_types(self.dtype(), *dtype) == *dtype, kTypeMismatch, name, ": the dtype of the input (",
             name_of(self.dtype()), ") should be convertible without narrowing to the specified dtype (",
             name_of(*dtype), ")");
}

}  // namespace

Tensor vector_norm(const Tensor& self, const Scalar& ord, const OptDims& dims, bool keepdim, OptDType dtype) {
  WICK_CHECK(is_floating(self.dtype()) || is_complex(self.dtype()), kTypeMismatch,
             "linalg.vector_norm: Expected a floating point or complex tensor as input. Got ", name_of(self.dtype()));
  const DType common = dtype.value_or(self.dtype());
  check_norm_dtype(self, dtype, "linalg.vector_norm");
  const double p = ord.to_double();
  const ReducedDims r = reduced_dims(self, dims, keepdim);
  if ((p < 0 || p == std::numeric_limits<double>::infinity()) && self.numel() == 0) {
    WICK_CHECK(dims && !dims->empty(), kInvalidArgument, "linalg.vector_norm cannot compute the ", p,
               " norm on an empty tensor because the operation does not have an identity");
    for (int64_t d : r.dims) {
      WICK_CHECK(self.sizes()[static_cast<size_t>(d)] != 0, kInvalidArgument, "linalg.vector_norm cannot compute the ",
                 p, " norm on the dimension ", d,
                 " because this dimension is empty and the operation does not have an identity");
    }
  }
  return norm_over("linalg_vector_norm_cpu", self, p, dims, keepdim, common);
}

Tensor norm(const Tensor& self, const Scalar& p) { return plain_norm(self, p, std::nullopt, false, std::nullopt); }
Tensor norm_dtype(const Tensor& self, const std::optional<Scalar>& p, DType dtype) {
  return plain_norm(self, p, std::nullopt, false, dtype);
}
Tensor norm_dims(const Tensor& self, const std::optional<Scalar>& p, IntSpan dims, bool keepdim) {
  return plain_norm(self, p, IntVec(dims), keepdim, std::nullopt);
}
Tensor norm_dims_dtype(const Tensor& self, const std::optional<Scalar>& p, IntSpan dims, bool keepdim, DType dtype) {
  return plain_norm(self, p, IntVec(dims), keepdim, dtype);
}

Tensor frobenius_norm(const Tensor& self) { return norm(self, 2); }
Tensor frobenius_norm_dims(const Tensor& self, IntSpan dims, bool keepdim) {
  WICK_CHECK(dims.size() <= 2, kInvalidArgument, "Expected at most 2 dimensions, but got ", dims.size(),
             " dimensions instead.");
  return norm_dims(self, Scalar(2), dims, keepdim);
}

// The largest along a dim; none of none, as in PyTorch 2.
static Tensor largest(const Tensor& norms, int64_t dim, bool keepdim) {
  return norms.size(dim) == 0 ? sum_dims(norms, IntVec{dim}, keepdim) : amax(norms, {dim}, keepdim);
}

// A norm of the singular values: their sum (order 1), the largest (2) or the smallest (-2).
static Tensor singular_norm(const Tensor& self, double order, IntSpan dims, bool keepdim, OptDType dtype) {
  WICK_CHECK(dims.size() == 2, kInvalidArgument, "linalg.matrix_norm: dim must be a 2-tuple. Got ", dims);
  check_norm_dtype(self, dtype, "linalg.matrix_norm");
#ifdef WICK_WITH_LINALG
  const IntVec both = wrap_dims(dims, self.dim());
  const Tensor a = dtype ? to_dtype(self, *dtype) : self;
  const Tensor values = linalg_svdvals(movedim_list(a, both, {-2, -1}), std::nullopt);
  const Tensor result = order == 1  ? sum_dims(values, IntVec{-1}, false)
                        : order > 0 ? largest(values, -1, false)
                                    : amin(values, {-1}, false);
  if (!keepdim) return result;
  IntVec sizes(self.sizes());
  for (int64_t d : both) sizes[static_cast<size_t>(d)] = 1;
  return reshape(result, sizes);
#else
  fail_with<ErrorCode::kUnsupported>(
      "linalg.matrix_norm: this norm needs singular values; this build has no linear algebra");
#endif
}

Tensor linalg_matrix_norm(const Tensor& self, const Scalar& ord, IntSpan dims, bool keepdim, OptDType dtype) {
  WICK_CHECK(is_floating(self.dtype()) || is_complex(self.dtype()), kTypeMismatch,
             "linalg.matrix_norm: Expected a floating point or complex tensor as input. Got ", name_of(self.dtype()));
  WICK_CHECK(self.dim() >= 2, kShapeMismatch,
             "linalg.matrix_norm: The input tensor A must have at least 2 dimensions.");
  WICK_CHECK(dims.size() == 2, kInvalidArgument, "linalg.matrix_norm: dim must be a 2-tuple. Got ", dims);
  const double p = ord.to_double();
  if (std::fabs(p) == 2) return singular_norm(self, p, dims, keepdim, dtype);
  WICK_CHECK(std::fabs(p) == 1 || std::fabs(p) == std::numeric_limits<double>::infinity(), kInvalidArgument,
             "linalg.matrix_norm: Order ", p, " not supported.");
  check_norm_dtype(self, dtype, "linalg.matrix_norm");
  // Order 1 sums columns, infinity sums rows; then the largest or smallest.
  const Tensor a = dtype ? to_dtype(self, *dtype) : self;
  const int64_t first = wrap_dim(dims[0], a.dim()), second = wrap_dim(dims[1], a.dim());
  WICK_CHECK(first != second, kInvalidArgument, "linalg.matrix_norm: dims must be different. Got (", dims[0], ", ",
             dims[1], ")");
  const bool columns = std::fabs(p) == 1;
  const Tensor sums = vector_norm(a, 1, IntVec{columns ? first : second}, true);
  const int64_t other = columns ? second : first;
  const Tensor result = p > 0 ? largest(sums, other, true) : amin(sums, {other}, true);
  return keepdim ? result : sum_dims(result, IntVec{first, second}, false);
}

Tensor linalg_matrix_norm_named(const Tensor& self, std::string_view ord, IntSpan dims, bool keepdim, OptDType dtype) {
  WICK_CHECK(ord == "fro" || ord == "nuc", kInvalidArgument, "linalg.matrix_norm: Order ", ord, " not supported.");
  if (ord == "nuc") return singular_norm(self, 1, dims, keepdim, dtype);
  WICK_CHECK(dims.size() == 2, kInvalidArgument, "linalg.matrix_norm: dim must be a 2-tuple. Got ", dims);
  check_norm_dtype(self, dtype, "linalg.matrix_norm");
  return vector_norm(self, 2, IntVec(dims), keepdim, dtype);
}

Tensor linalg_norm(const Tensor& self, const std::optional<Scalar>& ord, const OptDims& dims, bool keepdim,
                   OptDType dtype) {
  if (dims) {
    WICK_CHECK(dims->size() == 1 || dims->size() == 2, kInvalidArgument,
               "linalg.norm: If dim is specified, it must be of length 1 or 2. Got ", dims->span());
  } else if (ord) {
    WICK_CHECK(self.dim() == 1 || self.dim() == 2, kShapeMismatch,
               "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ", self.dim(), "D.");
  }
  if (ord && ((dims && dims->size() == 2) || (!dims && self.dim() == 2))) {
    const IntVec both = dims ? *dims : IntVec{0, 1};
    return linalg_matrix_norm(self, *ord, both, keepdim, dtype);
  }
  return vector_norm(self, ord.value_or(Scalar(2)), dims, keepdim, dtype);
}

Tensor linalg_norm_named(const Tensor& self, std::string_view ord, const OptDims& dims, bool keepdim, OptDType dtype) {
  WICK_CHECK(dims ? dims->size() == 2 : self.dim() == 2, kInvalidArgument,
             "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ", self.dim(), "D.");
  const IntVec both = dims ? *dims : IntVec{0, 1};
  return linalg_matrix_norm_named(self, ord, both, keepdim, dtype);
}

Tensor logsumexp(const Tensor& self_given, IntSpan dims, bool keepdim) {
  const Tensor self = to_dtype(self_given, to_float_type(self_given.dtype()));
  const ReducedDims kept = reduced_dims(self, IntVec(dims), true);
  if (self.numel() == 0) return log(sum_dims(exp(self), IntVec(dims), keepdim));
  Tensor top = amax(is_complex(self.dtype()) ? real(self) : self, dims, true);
  // An infinite maximum would make inf - inf of the finite ones.
  top = where_scalar_self(eq_scalar(abs(top), std::numeric_limits<double>::infinity()), Scalar(0.0), top);
  const Tensor total = log(sum_dims(exp(sub(self, top)), IntVec(dims), true));
  const Tensor result = add(total, top);
  return keepdim ? result
                 : result.as_strided(reduced_dims(self, IntVec(dims), false).kept,
                                     contiguous_strides(reduced_dims(self, IntVec(dims), false).kept),
                                     result.storage_offset());
}

}  // namespace wick::ops
