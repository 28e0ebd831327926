// The batched product every operator of the family goes through.
#include <complex>

#include "core/budget.h"
#include "core/copy.h"
#include "core/selection.h"
#include "core/shape.h"
#include "core/shapes_only.h"
#include "kernels/folds.h"
#include "kernels/gemm.h"
#include "ops/matmul/matmul.h"
#include "ops/shape/view.h"
#include "ops/workers.h"

namespace wick::ops {
namespace {

// Matrices of a batch: the element offset of matrix i.
class Batch {
 public:
  explicit Batch(const Tensor& t) : t_(t) {
    for (int64_t d = 0; d < t.dim() - 2; ++d) count_ *= t.sizes()[d];
  }
  int64_t count() const { return count_; }
  int64_t offset(int64_t i) const {
    int64_t offset = 0;
    for (int64_t d = t_.dim() - 3; d >= 0; --d) {
      offset += i % t_.sizes()[d] * t_.strides()[d];
      i /= t_.sizes()[d];
    }
    return offset;
  }

 private:
  const Tensor& t_;
  int64_t count_ = 1;
};

struct Extents {
  int64_t m, n, k;
};

double operations(const Extents& e, int64_t batch) {
  return 2.0 * static_cast<double>(e.m) * static_cast<double>(e.n) * static_cast<double>(e.k) *
         static_cast<double>(batch);
}

// c = alpha * a b + beta * c + column_bias. c is contiguous.
template <class T>
void run_float(const Extents& e, const Tensor& a, const Tensor& b, const Tensor& c, const Scalar& alpha,
               const Scalar& beta, const T* column_bias) {
  if (e.n == 1 && e.m > 1 && column_bias == nullptr) {
    // A matrix times a vector: as a row times the transposed matrix it runs along contiguous rows.
    return run_float<T>({1, e.m, e.k}, transpose_last(b), transpose_last(a), c, alpha, beta, nullptr);
  }
  const Batch as(a), bs(b);
  kernels::Gemm<T> shape;
  shape.m = e.m;
  shape.n = e.n;
  shape.k = e.k;
  shape.a_row = a.stride(-2);
  shape.a_col = a.stride(-1);
  // A stride of a single row or column is arbitrary; the kernel looks for unit strides.
  if (e.k == 1) shape.a_col = 1;
  shape.b_row = b.stride(-2);
  shape.b_col = b.stride(-1);
  if (e.n == 1 && shape.b_row == 1) shape.b_col = e.k == 1 ? 1 : e.k;
  if (e.k == 1 && e.n > 1 && shape.b_col != 1) shape.b_row = 1;
  shape.c_row = e.n;
  shape.alpha = alpha.to<T>();
  shape.beta = beta.to<T>();
  shape.column_bias = column_bias;
  const kernels::Workers workers = workers_for(operations(e, as.count()));
  const auto matrix = [&](int64_t i) {
    kernels::Gemm<T> g = shape;
    g.a = a.data_ptr<T>() + as.offset(i);
    g.b = b.data_ptr<T>() + bs.offset(i);
    g.c = c.data_ptr<T>() + i * e.m * e.n;
    return g;
  };
  const int64_t each = gemm_tasks(matrix(0), as.count() >= 2 * workers.count ? 1 : workers.count);
  workers.each(as.count() * each, [&](int64_t first, int64_t last) {
    for (int64_t t = first; t < last;) {
      const int64_t i = t / each, begin = t % each, end = std::min(each, begin + last - t);
      gemm_run(matrix(i), each, begin, end);
      t += end - begin;
    }
  });
}

int64_t add_wrapping(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t mul_wrapping(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
using Complex = std::complex<double>;
Complex add_wrapping(Complex a, Complex b) { return a + b; }
Complex mul_wrapping(Complex a, Complex b) { return a * b; }

template <class T>
void run_plain(const Extents& e, const Tensor& a, const Tensor& b, const Tensor& c, const Scalar& alpha,
               const Scalar& beta) {
  const Batch as(a), bs(b);
  const T scale = alpha.to<T>(), keep = beta.to<T>();
  const int64_t a_row = a.stride(-2), a_col = a.stride(-1), b_row = b.stride(-2), b_col = b.stride(-1);
  workers_for(operations(e, as.count())).each(as.count() * e.m, [&](int64_t first, int64_t last) {
    std::vector<T> sums(static_cast<size_t>(e.n));
    for (int64_t row = first; row < last; ++row) {
      const T* ap = a.data_ptr<T>() + as.offset(row / e.m) + row % e.m * a_row;
      const T* bp = b.data_ptr<T>() + bs.offset(row / e.m);
      std::fill(sums.begin(), sums.end(), T(0));
      for (int64_t k = 0; k < e.k; ++k) {
        const T factor = ap[k * a_col];
        if constexpr (std::is_same_v<T, int64_t>) {
          if (b_col == 1) {
            kernels::add_scaled_i64(sums.data(), bp + k * b_row, factor, e.n);
            continue;
          }
        }
        for (int64_t n = 0; n < e.n; ++n) {
          T& sum = sums[static_cast<size_t>(n)];
          sum = add_wrapping(sum, mul_wrapping(factor, bp[k * b_row + n * b_col]));
        }
      }
      T* cp = c.data_ptr<T>() + row * e.n;
      for (int64_t n = 0; n < e.n; ++n) {
        const T sum = mul_wrapping(scale, sums[static_cast<size_t>(n)]);
        cp[n] = keep == T(0) ? sum : add_wrapping(sum, mul_wrapping(keep, cp[n]));
      }
    }
  });
}

DType compute_dtype(DType t, const char* op) {
  if (t == DType::kFloat || t == DType::kDouble) return t;
  if (t == DType::kHalf || t == DType::kBFloat16) return DType::kFloat;
  if (t == DType::kComplexFloat || t == DType::kComplexDouble) return DType::kComplexDouble;
  check_dtype(is_integral(t, false), op, t);
  return DType::kLong;
}

bool is_zero(const Scalar& s) { return s.to_complex() == 0.0; }
bool is_one(const Scalar& s) { return s.to_complex() == 1.0; }

// A row that is added to every row of the result.
bool is_row(const Tensor& t, int64_t n) { return t.dim() >= 1 && t.size(-1) == n && t.numel() == n; }

// Products of complex numbers that are worth four of real ones; below, taking them apart costs more.
constexpr double kRealProducts = 16384;

Tensor part_of(const Tensor& t, int64_t which) { return select(view_as_real(t), -1, which); }

Tensor product_by_parts(const Tensor& a, const Tensor& b, const char* op) {
  const Tensor a_real = part_of(a, 0), a_imag = part_of(a, 1), b_real = part_of(b, 0), b_imag = part_of(b, 1);
  const Tensor real = product(a_imag, b_imag, op, Scalar(-1), product(a_real, b_real, op), Scalar(1));
  const Tensor imag = product(a_imag, b_real, op, Scalar(1), product(a_real, b_imag, op), Scalar(1));
  const Tensor out = Tensor::empty(real.sizes(), a.dtype());
  copy_into(part_of(out, 0), real);
  copy_into(part_of(out, 1), imag);
  return out;
}

// The longest sum that one call of a kernel adds up. Tensors that repeat their elements may be longer than all memory:
// between pieces the budget is looked at.
constexpr int64_t kLongestSum = int64_t{1} << 24;

// The elements [first, first + count) of dim `dim`, counted from the end.
Tensor part_of_dim(const Tensor& t, int64_t dim, int64_t first, int64_t count) {
  IntVec sizes = t.sizes();
  sizes[static_cast<size_t>(t.dim() + dim)] = count;
  return t.as_strided(sizes, t.strides(), t.storage_offset() + first * t.stride(dim));
}

[[maybe_unused]] Tensor product_of_parts(const Tensor& a, const Tensor& b, const char* op, const Scalar& alpha,
                                         const OptTensor& self, const Scalar& beta) {
  const int64_t k = a.size(-1);
  Tensor sum;
  for (int64_t first = 0; first < k; first += kLongestSum) {
    check_budget();
    const int64_t count = std::min(kLongestSum, k - first);
    const Tensor left = part_of_dim(a, -1, first, count), right = part_of_dim(b, -2, first, count);
    sum = first == 0 ? product(left, right, op, alpha, self, beta) : product(left, right, op, alpha, sum, Scalar(1));
  }
  return sum;
}

}  // namespace

namespace {

// c = alpha * a b + factor * c, or + row, in the dtype that is computed in.
void run(DType compute, const Extents& e, const Tensor& a, const Tensor& b, const Tensor& c, const Scalar& alpha,
         const Scalar& factor, const Tensor& row, const char* op) {
  if (compute == DType::kFloat) {
    run_float<float>(e, a, b, c, alpha, factor, row.defined() ? row.data_ptr<float>() : nullptr);
  } else if (selects_dtype(DType::kDouble) && compute == DType::kDouble) {
    run_float<double>(e, a, b, c, alpha, factor, row.defined() ? row.data_ptr<double>() : nullptr);
  } else if (compute == DType::kLong) {
    run_plain<int64_t>(e, a, b, c, alpha, factor);
  } else if (build::kComplex && compute == DType::kComplexDouble) {
    run_plain<Complex>(e, a, b, c, alpha, factor);
  } else {
    refuse_dtype(op, c.dtype());
  }
}

}  // namespace

Tensor product(const Tensor& a, const Tensor& b, const char* op, const Scalar& alpha, const OptTensor& self,
               const Scalar& beta) {
  const DType dtype = a.dtype(), compute = compute_dtype(dtype, op);
  IntVec sizes = a.sizes();
  sizes.back() = b.size(-1);
  if (self) expand(*self, sizes);  // refuses what does not broadcast
  const bool keeps = self && !is_zero(beta);
  if (build::kComplex && compute == DType::kComplexDouble && !keeps && is_one(alpha) &&
      static_cast<double>(a.numel()) * static_cast<double>(b.size(-1)) >= kRealProducts) {
    return product_by_parts(a, b, op);
  }
  if (compute != dtype) {
    // Integers scale by the number as the result's dtype holds it.
    const auto scale = [&](const Scalar& s) { return compute == DType::kLong ? Scalar(s.to_int()) : s; };
    const OptTensor kept = keeps ? OptTensor(to_dtype(*self, compute)) : std::nullopt;
    return to_dtype(product(to_dtype(a, compute), to_dtype(b, compute), op, scale(alpha), kept, scale(beta)), dtype);
  }
  const Extents e{a.size(-2), b.size(-1), a.size(-1)};
  if (build::kLimits && e.k > kLongestSum && !only_shapes()) return product_of_parts(a, b, op, alpha, self, beta);
  const Tensor c = Tensor::empty(sizes, dtype);
  if (c.numel() == 0 || only_shapes()) return c;
  const bool fast = compute == DType::kFloat || compute == DType::kDouble;
  Tensor row;
  if (keeps && fast && is_one(beta) && is_row(*self, e.n)) {
    row = contiguous(to_dtype(*self, dtype));
  } else if (keeps) {
    copy_into(c, *self);
  }
  run(compute, e, a, b, c, alpha, keeps && !row.defined() ? beta : Scalar(0), row, op);
  return c;
}

Tensor transpose_last(const Tensor& t) {
  IntVec sizes = t.sizes(), strides = t.strides();
  std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
  std::swap(strides[strides.size() - 1], strides[strides.size() - 2]);
  return t.as_strided(sizes, strides, t.storage_offset());
}

}  // namespace wick::ops
