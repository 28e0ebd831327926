// Cumulative operators, differences and the trapezoid rule.
#include <cmath>

#include "core/copy.h"
#include "core/dtype_names.h"
#include "core/parallel.h"
#include "ops/pointwise/complex_math.h"
#include "ops/pointwise/kernels.h"
#include "ops/pointwise/math.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/fold.h"
#include "ops/reduce/reduce.h"

namespace wick::ops {

namespace {

// A contiguous tensor seen as outer x n x inner around one dim; an empty one has no lines, however large the others
// are.
struct Lines {
  int64_t outer = 1, n = 1, inner = 1;
};

Lines lines_of(const Tensor& t, int64_t dim) {
  Lines l;
  if (t.numel() == 0) return {0, 0, 0};
  for (int64_t d = 0; d < t.dim(); ++d) {
    const int64_t size = t.sizes()[static_cast<size_t>(d)];
    (d < dim ? l.outer : d == dim ? l.n : l.inner) *= size;
  }
  return l;
}

// Runs step(acc, element) along each line of data, in place.
template <class T, class Acc, class Step>
void scan_lines(T* data, const Lines& l, Acc start, Step step) {
  if (l.n * l.inner == 0) return;
  parallel_for(0, l.outer, std::max<int64_t>(1, 32768 / (l.n * l.inner)), [&](int64_t first, int64_t last) {
    std::vector<Acc> acc(static_cast<size_t>(l.inner));
    for (int64_t o = first; o < last; ++o) {
      if (l.inner == 1) {
        Acc running = start;
        T* line = data + o * l.n;
        for (int64_t i = 0; i < l.n; ++i) line[i] = step(running, line[i]);
        continue;
      }
      std::fill(acc.begin(), acc.end(), start);
      T* row = data + o * l.n * l.inner;
      for (int64_t i = 0; i < l.n; ++i, row += l.inner) {
        for (int64_t k = 0; k < l.inner; ++k) row[k] = step(acc[static_cast<size_t>(k)], row[k]);
      }
    }
  });
}

// A contiguous copy of self as `dtype`, held in its compute dtype.
Tensor working_copy(const Tensor& self, DType dtype) {
  const Tensor as_dtype = to_dtype(self, dtype);
  const Tensor work = Tensor::empty(self.sizes(), compute_dtype(dtype));
  copy_into(work, as_dtype);
  return work;
}

DType scan_type(const Tensor& self, OptDType dtype, Out out) {
  if (out) {  // a destination says what to compute in
    const DType given = out.tensor->dtype(), wanted = dtype.value_or(given);
    const bool inplace = out.tensor->is_same(self);
    WICK_CHECK(!inplace || wanted == given, kTypeMismatch, "Bad in-place call: input tensor dtype ", cpp_name(given),
               " and output tensor dtype ", cpp_name(wanted), " should match");
    WICK_CHECK(wanted == given, kTypeMismatch, "Expected out tensor to have dtype ", cpp_name(wanted), ", but got ",
               cpp_name(given), " instead");
    return given;
  }
  return dtype ? *dtype : is_integral(self.dtype(), true) ? DType::kLong : self.dtype();
}

Tensor written(const Tensor& self, const Tensor& result, Out out) {
  if (!out) return result;
  if (out.tensor->is_same(self)) {
    assign_inplace(self, result);
  } else {
    assign_out(*out.tensor, result);
  }
  return *out.tensor;
}

template <class Start, class Step>
Tensor scan(const char* name, const Tensor& self, int64_t dim, DType dtype, Start start, Step step) {
  const int64_t d = wrap_dim(dim, self.dim());
  check_dtype(dtype != DType::kBool, name, dtype);
  const Tensor work = working_copy(self, dtype);
  with_compute_type(dtype, [&]<class T>(T) {
    if constexpr (!std::is_same_v<T, bool>) {
      using Acc = typename WideSum<T>::type;
      scan_lines(work.data_ptr<T>(), lines_of(work, d), start(Acc{}), [&](Acc& acc, T v) -> T {
        acc = step(acc, static_cast<Acc>(v));
        return static_cast<T>(acc);
      });
    }
  });
  return to_dtype(work, dtype);
}

template <class T>
bool not_a_number(T v) {
  if constexpr (std::is_floating_point_v<T>)
    return v != v;
  else
    return false;
}

template <bool kMax>
std::tuple<Tensor, Tensor> extreme_scan(const Tensor& self, int64_t dim) {
  const int64_t d = wrap_dim(dim, self.dim());
  check_dtype(!is_complex(self.dtype()), kMax ? "cummax_cpu" : "cummin_cpu", self.dtype());
  const Tensor work = working_copy(self, self.dtype());
  const Tensor indices = Tensor::empty(self.sizes(), DType::kLong);
  const Lines l = lines_of(work, d);
  with_compute_type(self.dtype(), [&]<class T>(T) {
    if constexpr (std::is_arithmetic_v<T>) {
      T* data = work.data_ptr<T>();
      int64_t* where = indices.data_ptr<int64_t>();
      for (int64_t o = 0; o < l.outer; ++o) {
        for (int64_t k = 0; k < l.inner; ++k) {
          int64_t best = 0;
          for (int64_t i = 0; i < l.n; ++i) {
            const int64_t at = (o * l.n + i) * l.inner + k;
            const int64_t held = (o * l.n + std::max<int64_t>(i - 1, 0)) * l.inner + k;
            const T v = data[at], a = data[held];
            if (not_a_number(v) || (!not_a_number(a) && (kMax ? v >= a : v <= a)))
              best = i;
            else
              data[at] = a;
            where[at] = best;
          }
        }
      }
    }
  });
  return {to_dtype(work, self.dtype()), indices};
}

Tensor narrow(const Tensor& t, int64_t dim, int64_t start, int64_t length) {
  IntVec sizes(t.sizes());
  sizes[static_cast<size_t>(dim)] = length;
  return t.as_strided(sizes, t.strides(), t.storage_offset() + start * t.strides()[static_cast<size_t>(dim)]);
}

Tensor join(const Tensor& a, const Tensor& b, int64_t dim) {
  WICK_CHECK(a.dim() == b.dim(), kShapeMismatch, "diff expects prepend or append to be the same dimension as input");
  IntVec sizes(a.sizes());
  for (int64_t d = 0; d < a.dim(); ++d) {
    const auto k = static_cast<size_t>(d);
    WICK_CHECK(d == dim || a.sizes()[k] == b.sizes()[k], kShapeMismatch,
               "diff expects the shape of tensor to prepend or append to match that of input except along the "
               "differencing dimension; input.size(",
               d, ") = ", a.sizes()[k], ", but got tensor.size(", d, ") = ", b.sizes()[k]);
  }
  const auto k = static_cast<size_t>(dim);
  sizes[k] = a.sizes()[k] + b.sizes()[k];
  const Tensor out = Tensor::empty(sizes, promote_types(a.dtype(), b.dtype()));
  copy_into(narrow(out, dim, 0, a.sizes()[k]), a);
  copy_into(narrow(out, dim, a.sizes()[k], b.sizes()[k]), b);
  return out;
}

// x as a weight that broadcasts along dim of y: the widths of the intervals.
Tensor widths(const Tensor& y, const Tensor& x_given, int64_t dim, const char* name) {
  Tensor x = x_given;
  const auto k = static_cast<size_t>(dim);
  if (x.dim() == 1) {
    WICK_CHECK(x.numel() == y.sizes()[k], kShapeMismatch, name, ": There must be one `x` value for each sample point");
    IntVec sizes(static_cast<size_t>(y.dim()), 1), strides(static_cast<size_t>(y.dim()), 0);
    sizes[k] = x.numel();
    strides[k] = x.strides()[0];
    x = x.as_strided(sizes, strides, x.storage_offset());
  } else if (x.dim() < y.dim()) {
    IntVec sizes(x.sizes()), strides(x.strides());
    while (static_cast<int64_t>(sizes.size()) < y.dim()) {
      sizes.insert(0, 1);
      strides.insert(0, 0);
    }
    x = x.as_strided(sizes, strides, x.storage_offset());
  }
  const int64_t xd = wrap_dim(dim, x.dim());
  const int64_t n = x.sizes()[static_cast<size_t>(xd)];
  return n == 0 ? x : sub(narrow(x, xd, 1, n - 1), narrow(x, xd, 0, n - 1));
}

Tensor pair_sums(const Tensor& y, int64_t dim) {
  const int64_t n = y.sizes()[static_cast<size_t>(dim)];
  if (n == 0) return y;
  return add(narrow(y, dim, 1, n - 1), narrow(y, dim, 0, n - 1));
}

int64_t integrated_dim(const Tensor& y, int64_t dim) {
  WICK_CHECK(y.dim() > 0, kIndexOutOfRange, "Dimension specified as ", dim, " but tensor has no dimensions");
  return wrap_dim(dim, y.dim());
}

Tensor no_area(const Tensor& y, int64_t dim) {
  IntVec sizes(y.sizes());
  sizes.erase(static_cast<size_t>(dim));
  return Tensor::zeros(sizes, y.dtype());
}

void check_x(const Tensor& y, const Tensor& x, const char* name) {
  WICK_CHECK(x.dtype() != DType::kBool && y.dtype() != DType::kBool, kUnsupported, name,
             ": received a bool input for `", x.dtype() == DType::kBool ? "x" : "y", "`, but bool is not supported");
}

}  // namespace

Tensor cumsum(const Tensor& self, int64_t dim, OptDType dtype, Out out) {
  return written(self,
                 scan(
                     "cumsum_out_cpu", self, dim, scan_type(self, dtype, out), []<class A>(A) { return A(0); },
                     []<class A>(A a, A v) { return wrap_add(a, v); }),
                 out);
}
Tensor cumprod(const Tensor& self, int64_t dim, OptDType dtype, Out out) {
  return written(self,
                 scan(
                     "cumprod_out_cpu", self, dim, scan_type(self, dtype, out), []<class A>(A) { return A(1); },
                     []<class A>(A a, A v) { return wrap_mul(a, v); }),
                 out);
}
std::tuple<Tensor, Tensor> cummax(const Tensor& self, int64_t dim) { return extreme_scan<true>(self, dim); }
std::tuple<Tensor, Tensor> cummin(const Tensor& self, int64_t dim) { return extreme_scan<false>(self, dim); }

Tensor logcumsumexp(const Tensor& self, int64_t dim) {
  check_dtype(is_floating(self.dtype()) || is_complex(self.dtype()), "logcumsumexp_out_cpu", self.dtype());
  return scan(
      "logcumsumexp_out_cpu", self, dim, self.dtype(),
      []<class A>(A) { return A(-std::numeric_limits<double>::infinity()); },
      []<class A>(A a, A v) -> A {
        if constexpr (std::is_floating_point_v<A>) {
          const A low = nan_min(a, v), high = nan_max(a, v);
          if (low == high && std::isinf(high)) return high;
          return high + std::log1p(std::exp(low - high));
        } else if constexpr (!std::is_arithmetic_v<A>) {
          return log_add_exp(a, v);
        } else {
          return a;
        }
      });
}

Tensor diff(const Tensor& self, int64_t n, int64_t dim, const OptTensor& prepend, const OptTensor& append) {
  WICK_CHECK(self.dim() >= 1, kInvalidArgument, "diff expects input to be at least one-dimensional");
  const int64_t d = wrap_dim(dim, self.dim());
  if (n == 0) return clone(self);
  Tensor t = self;
  if (prepend) t = join(*prepend, t, d);
  if (append) t = join(t, *append, d);
  const int64_t size = t.sizes()[static_cast<size_t>(d)];
  if (n < 0) return t;
  if (n >= size) {
    IntVec sizes(t.sizes());
    sizes[static_cast<size_t>(d)] = 0;
    return Tensor::empty(sizes, t.dtype());
  }
  for (int64_t i = 0; i < n; ++i) {
    const int64_t length = t.sizes()[static_cast<size_t>(d)];
    const Tensor later = narrow(t, d, 1, length - 1), earlier = narrow(t, d, 0, length - 1);
    t = t.dtype() == DType::kBool ? logical_xor(later, earlier) : sub(later, earlier);
  }
  return t;
}

Tensor trapezoid_dx(const Tensor& y, const Scalar& dx, int64_t dim) {
  WICK_CHECK(y.dtype() != DType::kBool, kUnsupported,
             "trapezoid: received a bool input for `y`, but bool is not supported");
  const int64_t d = integrated_dim(y, dim);
  const int64_t n = y.sizes()[static_cast<size_t>(d)];
  if (n == 0) return no_area(y, d);
  IntVec sizes(y.sizes()), strides(y.strides());
  const int64_t step = strides[static_cast<size_t>(d)];
  sizes.erase(static_cast<size_t>(d));
  strides.erase(static_cast<size_t>(d));
  const auto at = [&](int64_t i) { return y.as_strided(sizes, strides, y.storage_offset() + i * step); };
  const Tensor ends = mul_scalar(add(at(0), at(n - 1)), 0.5);
  return mul_scalar(sub(sum_dims(y, IntVec{d}), ends), dx);
}
Tensor trapezoid_x(const Tensor& y, const Tensor& x, int64_t dim) {
  check_x(y, x, "trapezoid");
  const int64_t d = integrated_dim(y, dim);
  if (y.sizes()[static_cast<size_t>(d)] == 0) return no_area(y, d);
  const Tensor areas = mul(widths(y, x, d, "trapezoid"), pair_sums(y, d));
  return div_scalar(sum_dims(areas, IntVec{d}), 2.0);
}
Tensor trapz_dx(const Tensor& y, double dx, int64_t dim) { return trapezoid_dx(y, dx, dim); }
Tensor trapz_x(const Tensor& y, const Tensor& x, int64_t dim) { return trapezoid_x(y, x, dim); }
Tensor cumulative_trapezoid_dx(const Tensor& y, const Scalar& dx, int64_t dim) {
  WICK_CHECK(y.dtype() != DType::kBool, kUnsupported,
             "cumulative_trapezoid: received a bool input for `y`, but bool is not supported");
  WICK_CHECK(y.dim() > 0, kIndexOutOfRange, "slice() cannot be applied to a 0-dim tensor.");
  const int64_t d = wrap_dim(dim, y.dim());
  return mul_scalar(cumsum(pair_sums(y, d), d), dx.to_double() / 2);
}
Tensor cumulative_trapezoid_x(const Tensor& y, const Tensor& x, int64_t dim) {
  check_x(y, x, "cumulative_trapezoid");
  WICK_CHECK(y.dim() > 0, kIndexOutOfRange, "slice() cannot be applied to a 0-dim tensor.");
  const int64_t d = wrap_dim(dim, y.dim());
  return div_scalar(cumsum(mul(widths(y, x, d, "cumulative_trapezoid"), pair_sums(y, d)), d), 2.0);
}

}  // namespace wick::ops
