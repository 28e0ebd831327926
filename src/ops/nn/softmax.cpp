// Softmax and log-softmax along one dimension.
#include "ops/nn/softmax.h"

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/divide.h"
#include "kernels/gates.h"
#include "kernels/math.h"
#include "ops/nn/common.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/copy_ops.h"

namespace wick::ops {

namespace {

// y[i] = exp(x[i] - peak); returns the sum.
template <class T>
T exponentials(const T* x, T peak, T* y, int64_t n) {
  if constexpr (std::is_same_v<T, float>) return kernels::exp_minus_f32(x, peak, y, n);
  T sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    y[i] = std::exp(x[i] - peak);
    sum += y[i];
  }
  return sum;
}
template <class T>
T sum_of_exponentials(const T* x, T peak, int64_t n) {
  if constexpr (std::is_same_v<T, float>) return kernels::sum_exp_minus_f32(x, peak, n);
  T sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += std::exp(x[i] - peak);
  return sum;
}

// NaN where there is one.
template <class T>
T largest(const T* x, int64_t n) {
  if constexpr (std::is_same_v<T, float>) {
    if (n > 0) return kernels::max_of_f32(x, n);
  }
  T peak = -std::numeric_limits<T>::infinity();
  for (int64_t i = 0; i < n; ++i) peak = x[i] > peak || std::isnan(x[i]) ? x[i] : peak;
  return peak;
}

// One contiguous row.
template <class T>
void softmax_row(const T* x, T* y, int64_t n) {
  const T peak = largest(x, n);
  const T sum = exponentials(x, peak, y, n);
  const T scale = T(1) / sum;
  for (int64_t i = 0; i < n; ++i) y[i] *= scale;
}

template <class T>
void log_softmax_row(const T* x, T* y, int64_t n) {
  const T peak = largest(x, n);
  const T log_sum = std::log(sum_of_exponentials(x, peak, n));
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] - peak - log_sum;
}

// `inner` neighboring columns at once: element (d, j) is at x[d * inner + j].
template <class T>
void softmax_columns(const T* x, T* y, int64_t n, int64_t inner, int64_t first, int64_t last, bool logarithm,
                     std::vector<T>& scratch) {
  const int64_t width = last - first;
  scratch.assign(static_cast<size_t>(width) * 2, T(0));
  T* peak = scratch.data();
  T* sum = peak + width;
  std::fill_n(peak, width, -std::numeric_limits<T>::infinity());
  for (int64_t d = 0; d < n; ++d) {
    const T* row = x + d * inner + first;
    for (int64_t j = 0; j < width; ++j) peak[j] = row[j] > peak[j] || std::isnan(row[j]) ? row[j] : peak[j];
  }
  for (int64_t d = 0; d < n; ++d) {
    const T* row = x + d * inner + first;
    T* out = y + d * inner + first;
    if constexpr (std::is_same_v<T, float>) {
      kernels::exp_minus_each_f32(row, peak, out, sum, width);
    } else {
      for (int64_t j = 0; j < width; ++j) {
        out[j] = std::exp(row[j] - peak[j]);
        sum[j] += out[j];
      }
    }
  }
  for (int64_t j = 0; j < width; ++j) sum[j] = logarithm ? std::log(sum[j]) : T(1) / sum[j];
  for (int64_t d = 0; d < n; ++d) {
    const T* row = x + d * inner + first;
    T* out = y + d * inner + first;
    if (logarithm) {
      for (int64_t j = 0; j < width; ++j) out[j] = row[j] - peak[j] - sum[j];
    } else {
      for (int64_t j = 0; j < width; ++j) out[j] *= sum[j];
    }
  }
}

Tensor softmax_along(const Tensor& self, int64_t dim, bool logarithm) {
  const int64_t d = wrap_dim(dim, self.dim());
  const char* op = logarithm ? "log_softmax_lastdim_kernel_impl" : "softmax_lastdim_kernel_impl";
  check_dtype(is_floating(self.dtype()), op, self.dtype());
  const Tensor x = contiguous(widened(self));
  Tensor y = Tensor::empty(x.sizes(), x.dtype());
  if (x.numel() > 0) {
    const DimSplit s = split_at(x.sizes(), d);
    for_float(x.dtype(), op, self.dtype(), [&](auto zero) {
      using T = decltype(zero);
      const T* in = x.data_ptr<T>();
      T* out = y.data_ptr<T>();
      if (s.inner == 1) {
        parallel_for(0, s.outer, grain_for(s.size), [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            (logarithm ? log_softmax_row<T> : softmax_row<T>)(in + i * s.size, out + i * s.size, s.size);
          }
        });
        return;
      }
      constexpr int64_t kBlock = 256;
      const int64_t blocks = kernels::ceil_div(s.inner, kBlock);
      parallel_for(0, s.outer * blocks, grain_for(s.size * std::min(s.inner, kBlock)), [&](int64_t begin, int64_t end) {
        std::vector<T> scratch;
        for (int64_t i = begin; i < end; ++i) {
          const int64_t base = (i / blocks) * s.size * s.inner;
          const int64_t first = (i % blocks) * kBlock;
          softmax_columns(in + base, out + base, s.size, s.inner, first, std::min(s.inner, first + kBlock), logarithm,
                          scratch);
        }
      });
    });
  }
  return to_dtype(y, self.dtype());
}

}  // namespace

Tensor softmax(const Tensor& self, int64_t dim, std::optional<DType> dtype) {
  return softmax_along(dtype ? to_dtype(self, *dtype) : self, dim, false);
}
Tensor log_softmax(const Tensor& self, int64_t dim, std::optional<DType> dtype) {
  return softmax_along(dtype ? to_dtype(self, *dtype) : self, dim, true);
}
Tensor softmax_half_to_float(const Tensor& self, int64_t dim, bool half_to_float) {
  WICK_CHECK(!half_to_float, kUnsupported, "softmax with half to float conversion is not supported on CPU");
  return softmax_along(self, dim, false);
}
Tensor log_softmax_half_to_float(const Tensor& self, int64_t dim, bool half_to_float) {
  WICK_CHECK(!half_to_float, kUnsupported, "softmax with half to float conversion is not supported on CPU");
  return softmax_along(self, dim, true);
}

Tensor safe_softmax(const Tensor& self, int64_t dim, std::optional<DType> dtype) {
  const Tensor x = dtype ? to_dtype(self, *dtype) : self;
  const Tensor hidden = all_dim(eq_scalar(x, -std::numeric_limits<double>::infinity()), dim, true);
  return masked_fill(softmax_along(x, dim, false), hidden, 0);
}

}  // namespace wick::ops
