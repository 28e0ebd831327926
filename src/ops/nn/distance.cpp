// Distances, similarities and cross products.
#include "ops/nn/distance.h"

#include <cmath>
#include <limits>

#include "kernels/folds.h"
#include "ops/matmul/matmul.h"
#include "ops/nn/common.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/reduce.h"

namespace wick::ops {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Collects |d|^p terms and gives the p-norm; p may be 0 and infinite.
class Norm {
 public:
  explicit Norm(double p) : p_(p) {}
  void add(double d) {
    d = std::abs(d);
    if (p_ == 2) {
      sum_ += d * d;
    } else if (p_ == 1) {
      sum_ += d;
    } else if (p_ == 0) {
      sum_ += d != 0;
    } else if (p_ == kInfinity) {
      sum_ = d > sum_ || std::isnan(d) ? d : sum_;
    } else if (p_ == -kInfinity) {
      sum_ = empty_ || d < sum_ || std::isnan(d) ? d : sum_;
    } else {
      sum_ += std::pow(d, p_);
    }
    empty_ = false;
  }
  double get() const {
    if (p_ == 2) return std::sqrt(sum_);
    return p_ == 1 || p_ == 0 || std::isinf(p_) ? sum_ : std::pow(sum_, 1 / p_);
  }

 private:
  double p_;
  double sum_ = 0;
  bool empty_ = true;
};

// Two operands broadcast to one shape, contiguous, in the compute dtype of their promoted dtype.
struct Pair {
  Tensor a, b;
  IntVec shape;
  DType dtype;
};

Pair broadcast_pair(const Tensor& x1, const Tensor& x2, const char* op) {
  Pair p;
  p.dtype = ResultType().add(x1).add(x2).get();
  check_dtype(is_floating(p.dtype), op, p.dtype);
  p.shape = broadcast_shapes(x1.sizes(), x2.sizes());
  const DType work = widened_dtype(p.dtype);
  p.a = contiguous(expand(to_dtype(x1, work), p.shape));
  p.b = contiguous(expand(to_dtype(x2, work), p.shape));
  return p;
}

// The sum of term(0) to term(n - 1), some of them side by side.
template <class F>
double sum_of(int64_t n, const F& term) {
  constexpr int64_t kLanes = 8;
  double lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int64_t k = 0; k < kLanes; ++k) lanes[k] += term(i + k);
  }
  for (; i < n; ++i) lanes[0] += term(i);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

template <class T>
double row_distance(const T* a, const T* b, int64_t n, double p) {
  if constexpr (std::is_same_v<T, float>) {
    if (p == 2) return std::sqrt(kernels::sum_squared_diff_f32(a, b, n));
    if (p == 1) return kernels::sum_abs_diff_f32(a, b, n);
  }
  const auto apart = [&](int64_t i) { return static_cast<double>(a[i] - b[i]); };
  if (p == 2) return std::sqrt(sum_of(n, [&](int64_t i) { return apart(i) * apart(i); }));
  if (p == 1) return sum_of(n, [&](int64_t i) { return std::fabs(apart(i)); });
  Norm norm(p);
  for (int64_t i = 0; i < n; ++i) norm.add(static_cast<double>(a[i] - b[i]));
  return norm.get();
}

}  // namespace

Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, int64_t dim, double eps) {
  const DType common = ResultType().add(x1).add(x2).get();
  WICK_CHECK(is_floating(common), kTypeMismatch, "expected common dtype to be floating point, yet common dtype is ",
             name_of(common));
  const Pair pair = broadcast_pair(x1, x2, "cosine_similarity");
  const int64_t d = wrap_dim(dim, static_cast<int64_t>(pair.shape.size()));
  const DimSplit s = split_at(pair.shape, d);
  IntVec shape(pair.shape);
  if (!shape.empty()) shape.erase(static_cast<size_t>(d));
  Tensor out = Tensor::empty(shape, pair.a.dtype());
  for_float(out.dtype(), "cosine_similarity", [&](auto zero) {
    using T = decltype(zero);
    parallel_for(0, s.outer * s.inner, grain_for(s.size), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t base = i / s.inner * s.size * s.inner + i % s.inner;
        const T *a = pair.a.data_ptr<T>() + base, *b = pair.b.data_ptr<T>() + base;
        const auto product = [&](const T* u, const T* v) {
          const int64_t step = s.inner;
          if (step == 1) {
            return sum_of(s.size, [&](int64_t k) { return static_cast<double>(u[k]) * static_cast<double>(v[k]); });
          }
          return sum_of(s.size,
                        [&](int64_t k) { return static_cast<double>(u[k * step]) * static_cast<double>(v[k * step]); });
        };
        const double scale = std::max(std::sqrt(product(a, a)), eps) * std::max(std::sqrt(product(b, b)), eps);
        out.data_ptr<T>()[i] = static_cast<T>(product(a, b) / scale);
      }
    });
  });
  return to_dtype(out, common);
}

Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p, double eps, bool keepdim) {
  return norm_dims(add_scalar(sub(x1, x2), eps), Scalar(p), {-1}, keepdim);
}

Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p) { return norm(sub(self, other), p); }

namespace {

// |a - b|^2 = |a|^2 - 2ab + |b|^2: fast for many points, as PyTorch computes it, at the price of cancellation.
Tensor distance_by_product(const Tensor& a, const Tensor& b) {
  const int64_t batch = product(a.sizes(), 0, static_cast<size_t>(a.dim()) - 2);
  const int64_t rows = a.size(-2), columns = b.size(-2), width = a.size(-1);
  // [-2a, |a|^2, 1] times [b, 1, |b|^2]
  auto augmented = [&](const Tensor& t, bool left) {
    Tensor wide = Tensor::empty({batch, t.size(-2), width + 2}, t.dtype());
    for_float(t.dtype(), "cdist", [&](auto zero) {
      using T = decltype(zero);
      for (int64_t r = 0; r < batch * t.size(-2); ++r) {
        const T* in = t.data_ptr<T>() + r * width;
        T* out = wide.data_ptr<T>() + r * (width + 2);
        double squares = 0;
        for (int64_t i = 0; i < width; ++i) {
          squares += static_cast<double>(in[i]) * static_cast<double>(in[i]);
          out[i] = left ? T(-2) * in[i] : in[i];
        }
        out[width] = left ? static_cast<T>(squares) : T(1);
        out[width + 1] = left ? T(1) : static_cast<T>(squares);
      }
    });
    return wide;
  };
  const Tensor right = augmented(b, false);
  const Tensor transposed = right.as_strided({batch, width + 2, columns}, {columns * (width + 2), 1, width + 2}, 0);
  Tensor out = contiguous(bmm(augmented(a, true), transposed));
  for_float(out.dtype(), "cdist", [&](auto zero) {
    using T = decltype(zero);
    T* p = out.data_ptr<T>();
    for (int64_t i = 0; i < batch * rows * columns; ++i) p[i] = std::sqrt(p[i] < T(0) ? T(0) : p[i]);
  });
  return out;
}

}  // namespace

Tensor cdist(const Tensor& x1, const Tensor& x2, double p, std::optional<int64_t> compute_mode) {
  for (auto [t, name] : {std::pair{&x1, "X1"}, std::pair{&x2, "X2"}}) {
    WICK_CHECK(is_floating(t->dtype()), kTypeMismatch, "cdist only supports floating-point dtypes, ", name,
               " got: ", name_of(t->dtype()));
    WICK_CHECK(t->dim() >= 2, kShapeMismatch, "cdist only supports at least 2D tensors, ", name, " got: ", t->dim(),
               "D");
  }
  WICK_CHECK(x1.size(-1) == x2.size(-1), kShapeMismatch,
             "X1 and X2 must have the same number of columns. X1: ", x1.size(-1), " X2: ", x2.size(-1));
  WICK_CHECK(p >= 0, kInvalidArgument, "cdist only supports non-negative p values");
  const int64_t mode = compute_mode.value_or(0);
  WICK_CHECK(mode >= 0 && mode <= 2, kInvalidArgument, "possible modes: 0, 1, 2, but was: ", mode);
  const DType dtype = ResultType().add(x1).add(x2).get();
  const DType work = widened_dtype(dtype);
  const size_t lead1 = static_cast<size_t>(x1.dim()) - 2, lead2 = static_cast<size_t>(x2.dim()) - 2;
  const IntVec batch = broadcast_shapes(x1.sizes().subspan(0, lead1), x2.sizes().subspan(0, lead2));
  auto spread = [&](const Tensor& t) {
    IntVec shape(batch);
    shape.push_back(t.size(-2));
    shape.push_back(t.size(-1));
    return contiguous(expand(to_dtype(t, work), shape));
  };
  const Tensor a = spread(x1), b = spread(x2);
  const int64_t rows = x1.size(-2), columns = x2.size(-2), width = x1.size(-1);
  IntVec shape(batch);
  shape.push_back(rows);
  shape.push_back(columns);
  Tensor out = Tensor::zeros(shape, work);
  if (out.numel() == 0 || width == 0) return to_dtype(out, dtype);
  if (p == 2 && (mode == 1 || (mode == 0 && (rows > 25 || columns > 25)))) {
    return to_dtype(reshaped(distance_by_product(a, b), shape), dtype);
  }
  for_float(work, "cdist", [&](auto zero) {
    using T = decltype(zero);
    parallel_for(0, out.numel(), grain_for(width), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t n = i / (rows * columns);
        const T* u = a.data_ptr<T>() + (n * rows + i / columns % rows) * width;
        const T* v = b.data_ptr<T>() + (n * columns + i % columns) * width;
        out.data_ptr<T>()[i] = static_cast<T>(row_distance(u, v, width, p));
      }
    });
  });
  return to_dtype(out, dtype);
}

Tensor euclidean_dist(const Tensor& x1, const Tensor& x2) { return cdist(x1, x2, 2, 1); }

Tensor pdist(const Tensor& self, double p) {
  WICK_CHECK(self.dim() == 2, kShapeMismatch, "pdist only supports 2D tensors, got: ", self.dim(), "D");
  WICK_CHECK(is_floating(self.dtype()), kTypeMismatch, "pdist only supports floating-point dtypes");
  WICK_CHECK(p >= 0, kInvalidArgument, "pdist only supports non-negative p values");
  const Tensor x = contiguous(widened(self));
  const int64_t n = x.size(0), width = x.size(1);
  Tensor out = Tensor::zeros({n <= 1 ? 0 : n * (n - 1) / 2}, x.dtype());
  for_float(x.dtype(), "pdist", [&](auto zero) {
    using T = decltype(zero);
    parallel_for(0, n, grain_for(n * width), [&](int64_t begin, int64_t end) {
      T* to = out.data_ptr<T>() + begin * (2 * n - begin - 1) / 2;
      for (int64_t i = begin; i < end; ++i) {
        for (int64_t j = i + 1; j < n; ++j) {
          *to++ = static_cast<T>(row_distance(x.data_ptr<T>() + i * width, x.data_ptr<T>() + j * width, width, p));
        }
      }
    });
  });
  return to_dtype(out, self.dtype());
}

namespace {

template <class T>
void cross_products(const T* a, const T* b, T* out, const DimSplit& s) {
  for (int64_t o = 0; o < s.outer; ++o) {
    for (int64_t i = 0; i < s.inner; ++i) {
      const int64_t x = o * 3 * s.inner + i, y = x + s.inner, z = y + s.inner;
      out[x] = static_cast<T>(a[y] * b[z] - a[z] * b[y]);
      out[y] = static_cast<T>(a[z] * b[x] - a[x] * b[z]);
      out[z] = static_cast<T>(a[x] * b[y] - a[y] * b[x]);
    }
  }
}

}  // namespace

Tensor linalg_cross(const Tensor& self, const Tensor& other, int64_t dim) {
  WICK_CHECK(self.dim() == other.dim(), kShapeMismatch,
             "linalg.cross: inputs must have the same number of dimensions.");
  const int64_t d = wrap_dim(dim, self.dim());
  WICK_CHECK(self.dim() > 0 && self.size(d) == 3 && other.size(d) == 3, kShapeMismatch,
             "linalg.cross: inputs dimension ", dim, " must have length 3. Got ", self.dim() ? self.size(d) : 1,
             " and ", other.dim() ? other.size(d) : 1);
  const DType dtype = self.dtype();
  WICK_CHECK(dtype == other.dtype(), kTypeMismatch, "expected scalar type ", name_of(dtype), " but found ",
             name_of(other.dtype()));
  check_dtype(dtype != DType::kBool && !is_quantized(dtype), "cross", dtype);
  const DType work = is_integral(dtype, false) ? DType::kLong
                     : is_complex(dtype)       ? DType::kComplexDouble
                                               : widened_dtype(dtype);
  const IntVec shape = broadcast_shapes(self.sizes(), other.sizes());
  const Tensor a = contiguous(expand(to_dtype(self, work), shape));
  const Tensor b = contiguous(expand(to_dtype(other, work), shape));
  Tensor out = Tensor::empty(shape, work);
  const DimSplit s = split_at(shape, d);
  switch (work) {
    case DType::kLong: {
      // Unsigned arithmetic wraps where signed would overflow.
      cross_products(reinterpret_cast<const uint64_t*>(a.data_ptr<int64_t>()),
                     reinterpret_cast<const uint64_t*>(b.data_ptr<int64_t>()),
                     reinterpret_cast<uint64_t*>(out.data_ptr<int64_t>()), s);
      break;
    }
    case DType::kComplexDouble: {
      using C = std::complex<double>;
      cross_products(a.data_ptr<C>(), b.data_ptr<C>(), out.data_ptr<C>(), s);
      break;
    }
    case DType::kDouble:
      cross_products(a.data_ptr<double>(), b.data_ptr<double>(), out.data_ptr<double>(), s);
      break;
    default:
      cross_products(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), s);
  }
  return to_dtype(out, dtype);
}

Tensor cross(const Tensor& self, const Tensor& other, std::optional<int64_t> dim) {
  if (dim) return linalg_cross(self, other, *dim);
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (self.size(d) == 3) return linalg_cross(self, other, d);
  }
  fail_with<ErrorCode::kShapeMismatch>("no dimension of size 3 in input");
}

}  // namespace wick::ops
