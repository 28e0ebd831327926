// Layer, group and RMS normalization.
#include <cmath>
#include <limits>

#include "core/shapes_only.h"
#include "kernels/group_norm.h"
#include "ops/nn/common.h"
#include "ops/nn/norm.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/reduce.h"
#include "ops/workers.h"

namespace wick::ops {

namespace {

template <class T>
struct Moments {
  T mean, rstd;
};

// Mean and 1 / sqrt(variance + eps) of n contiguous values. Sums are kept in eight lanes, in double, so that the
// loops vectorize and long rows stay exact.
template <class T>
Moments<T> moments(const T* x, int64_t n, double eps) {
  constexpr int kLanes = 8;
  double sums[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int k = 0; k < kLanes; ++k) sums[k] += static_cast<double>(x[i + k]);
  }
  double sum = 0;
  for (; i < n; ++i) sum += static_cast<double>(x[i]);
  for (double s : sums) sum += s;
  const double mean = sum / static_cast<double>(n);
  double squares[kLanes] = {};
  double rest = 0;
  for (i = 0; i + kLanes <= n; i += kLanes) {
    for (int k = 0; k < kLanes; ++k) {
      const double d = static_cast<double>(x[i + k]) - mean;
      squares[k] += d * d;
    }
  }
  for (; i < n; ++i) {
    const double d = static_cast<double>(x[i]) - mean;
    rest += d * d;
  }
  for (double s : squares) rest += s;
  const T variance = static_cast<T>(rest / static_cast<double>(n));
  return {static_cast<T>(mean), T(1) / std::sqrt(variance + static_cast<T>(eps))};
}

void check_normalized_shape(const Tensor& input, IntSpan shape, const OptTensor& weight, const OptTensor& bias) {
  WICK_CHECK(!shape.empty(), kInvalidArgument,
             "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
             "normalized_shape = ",
             shape);
  for (auto [t, name] : {std::pair{&weight, "weight"}, std::pair{&bias, "bias"}}) {
    WICK_CHECK(!has(*t) || (*t)->sizes() == shape, kShapeMismatch, "Expected ", name,
               " to be of same shape as normalized_shape, but got ", name, " of shape ", (*t)->sizes(),
               " and normalized_shape = ", shape);
  }
  const size_t rank = static_cast<size_t>(input.dim());
  if (rank < shape.size() || !(input.sizes().subspan(rank - shape.size()) == shape)) {
    std::string text = cat("Given normalized_shape=", shape, ", expected input with shape [*");
    for (int64_t size : shape) text += cat(", ", size);
    fail_with<ErrorCode::kShapeMismatch>(text, "], but got input of size", input.sizes());
  }
}

// Rows and row length of a tensor whose last dims are normalized.
struct Rows {
  int64_t count;
  int64_t length;
};

Rows rows_of(const Tensor& input, IntSpan shape) {
  const size_t axis = static_cast<size_t>(input.dim()) - shape.size();
  return {product(input.sizes(), 0, axis), product(shape, 0, shape.size())};
}

}  // namespace

Tensor3 native_layer_norm(const Tensor& input, IntSpan normalized_shape, const OptTensor& weight, const OptTensor& bias,
                          double eps) {
  check_normalized_shape(input, normalized_shape, weight, bias);
  check_dtype(is_floating(input.dtype()), "LayerNormKernelImpl", input.dtype());
  const Rows extent = rows_of(input, normalized_shape);
  const int64_t rows = extent.count, length = extent.length;  // plain names: lambdas use them
  const Tensor x = contiguous(widened(input));
  Tensor y = Tensor::empty(x.sizes(), x.dtype());
  IntVec stats_shape(input.sizes());
  for (size_t i = stats_shape.size() - normalized_shape.size(); i < stats_shape.size(); ++i) stats_shape[i] = 1;
  Tensor mean = Tensor::empty(stats_shape, x.dtype());
  Tensor rstd = Tensor::empty(stats_shape, x.dtype());
  for_float(x.dtype(), "LayerNormKernelImpl", input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> gamma = param_values<T>(weight, length, T(1));
    const std::vector<T> beta = param_values<T>(bias, length, T(0));
    const T* in = x.data_ptr<T>();
    T* out = y.data_ptr<T>();
    T* means = mean.data_ptr<T>();
    T* rstds = rstd.data_ptr<T>();
    parallel_for(0, rows, grain_for(length), [&, n = length](int64_t begin, int64_t end) {
      const T* g = gamma.data();
      const T* b = beta.data();
      for (int64_t r = begin; r < end; ++r) {
        const Moments<T> m = moments(in + r * n, n, eps);
        means[r] = m.mean;
        rstds[r] = m.rstd;
        const T shift = -m.mean * m.rstd;
        const T* src = in + r * n;
        T* dst = out + r * n;
        for (int64_t i = 0; i < n; ++i) dst[i] = (src[i] * m.rstd + shift) * g[i] + b[i];
      }
    });
  });
  const DType stats = has(weight) && weight->dtype() != input.dtype() ? x.dtype() : input.dtype();
  return {to_dtype(y, input.dtype()), to_dtype(mean, stats), to_dtype(rstd, stats)};
}

Tensor layer_norm(const Tensor& input, IntSpan normalized_shape, const OptTensor& weight, const OptTensor& bias,
                  double eps, bool) {
  return std::get<0>(native_layer_norm(input, normalized_shape, weight, bias, eps));
}

Tensor complex_rms_norm(const Tensor& input, IntSpan normalized_shape, const OptTensor& weight,
                        std::optional<double> eps) {
  check_normalized_shape(input, normalized_shape, weight, {});
  IntVec dims;
  for (size_t d = 0; d < normalized_shape.size(); ++d) dims.push_back(-1 - static_cast<int64_t>(d));
  const bool wide = input.dtype() == DType::kComplexDouble;
  const double smallest = wide ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  const Tensor squares = mean_dims(pow_scalar(input, Scalar(2)), dims, true);
  const Tensor y = mul(input, rsqrt(add_scalar(squares, Scalar(eps.value_or(smallest)))));
  return has(weight) ? mul(y, *weight) : y;
}

Tensor2 fused_rms_norm(const Tensor& input, IntSpan normalized_shape, const OptTensor& weight,
                       std::optional<double> eps) {
  check_normalized_shape(input, normalized_shape, weight, {});
  check_dtype(is_floating(input.dtype()), "rms_norm", input.dtype());
  const Rows extent = rows_of(input, normalized_shape);
  const int64_t rows = extent.count, length = extent.length;  // plain names: lambdas use them
  const Tensor x = contiguous(widened(input));
  const Tensor y = Tensor::empty(x.sizes(), x.dtype());
  IntVec kept(input.sizes());
  for (size_t d = kept.size() - normalized_shape.size(); d < kept.size(); ++d) kept[d] = 1;
  const Tensor inverse = Tensor::empty(kept, x.dtype());
  for_float(x.dtype(), "rms_norm", input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> gamma = param_values<T>(weight, length, T(1));
    const T epsilon = eps ? static_cast<T>(*eps) : std::numeric_limits<T>::epsilon();
    const T* in = x.data_ptr<T>();
    T* out = y.data_ptr<T>();
    T* scales = inverse.data_ptr<T>();
    parallel_for(0, rows, grain_for(length), [&, n = length](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const T* src = in + r * n;
        double squares = 0;
        for (int64_t i = 0; i < n; ++i) squares += static_cast<double>(src[i]) * static_cast<double>(src[i]);
        const T scale = T(1) / std::sqrt(static_cast<T>(squares / static_cast<double>(n)) + epsilon);
        scales[r] = scale;
        for (int64_t i = 0; i < n; ++i) out[r * n + i] = src[i] * scale * gamma[static_cast<size_t>(i)];
      }
    });
  });
  return {to_dtype(y, input.dtype()), inverse};
}

Tensor rms_norm(const Tensor& input, IntSpan normalized_shape, const OptTensor& weight, std::optional<double> eps) {
  if (is_complex(input.dtype())) return complex_rms_norm(input, normalized_shape, weight, eps);
  return std::get<0>(fused_rms_norm(input, normalized_shape, weight, eps));
}

static void check_group_norm(const Tensor& input, const OptTensor& weight, const OptTensor& bias, int64_t n, int64_t c,
                             int64_t hxw, int64_t group) {
  check_dtype(is_floating(input.dtype()), "GroupNormKernelImpl", input.dtype());
  WICK_CHECK(group > 0, kInvalidArgument, "Expected num groups to be greater than 0, got ", group);
  WICK_CHECK(n >= 0 && c >= 0 && hxw >= 0 && checked_numel({n, c, hxw}) == input.numel(), kShapeMismatch, "Expected ",
             n, " x ", c, " x ", hxw, " elements, but got input of shape ", input.sizes());
  WICK_CHECK(c % group == 0, kShapeMismatch,
             "Expected number of channels in input to be divisible by num_groups, but got input of shape ",
             input.sizes(), " and num_groups=", group);
  for (auto [t, name] : {std::pair{&weight, "weight"}, std::pair{&bias, "bias"}}) {
    WICK_CHECK(!has(*t) || ((*t)->dim() == 1 && (*t)->numel() == c), kShapeMismatch, "Expected ", name,
               " to be a vector of size equal to the number of channels in input, but got ", name, " of shape ",
               (*t)->sizes(), " and input of shape ", input.sizes());
  }
}

// NHWC images, in place.
static Tensor group_norm_of_pixels(const Tensor& x, const OptTensor& weight, const OptTensor& bias, int64_t group,
                                   double eps) {
  const int64_t channels = x.size(1), pixels = x.size(2) * x.size(3);
  const Tensor y = Tensor::empty(x.sizes(), DType::kFloat, MemoryFormat::kChannelsLast);
  const std::vector<float> gamma = param_values<float>(weight, channels, 1.0F);
  const std::vector<float> beta = param_values<float>(bias, channels, 0.0F);
  const kernels::GroupNorm norm{pixels, channels, group, gamma.data(), beta.data(), static_cast<float>(eps)};
  const Tensor scratch = Tensor::empty({static_cast<int64_t>(kernels::group_norm_scratch_size(norm))}, DType::kFloat);
  const auto workers = workers_for(static_cast<double>(pixels) * static_cast<double>(channels));
  for (int64_t i = 0; i < x.size(0); ++i) {
    const int64_t at = i * pixels * channels;
    kernels::group_norm(norm, x.data_ptr<float>() + at, y.data_ptr<float>() + at, scratch.data_ptr<float>(), workers);
  }
  return y;
}

Tensor3 native_group_norm(const Tensor& input, const OptTensor& weight, const OptTensor& bias, int64_t n, int64_t c,
                          int64_t hxw, int64_t group, double eps) {
  check_group_norm(input, weight, bias, n, c, hxw, group);
  const MemoryFormat format = input.suggest_memory_format();
  const Tensor x = contiguous(widened(input));
  Tensor y = Tensor::empty(x.sizes(), x.dtype());
  Tensor mean = Tensor::empty({n, group}, x.dtype());
  Tensor rstd = Tensor::empty({n, group}, x.dtype());
  for_float(x.dtype(), "GroupNormKernelImpl", input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> gamma = param_values<T>(weight, c, T(1));
    const std::vector<T> beta = param_values<T>(bias, c, T(0));
    const int64_t per_group = c / group;
    const int64_t length = per_group * hxw;
    const T* in = x.data_ptr<T>();
    T* out = y.data_ptr<T>();
    T* means = mean.data_ptr<T>();
    T* rstds = rstd.data_ptr<T>();
    parallel_for(0, n * group, grain_for(length), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Moments<T> m = moments(in + i * length, length, eps);
        means[i] = m.mean;
        rstds[i] = m.rstd;
        for (int64_t k = 0; k < per_group; ++k) {
          const size_t channel = static_cast<size_t>((i % group) * per_group + k);
          const T scale = m.rstd * gamma[channel];
          const T shift = beta[channel] - scale * m.mean;
          const T* src = in + i * length + k * hxw;
          T* dst = out + i * length + k * hxw;
          for (int64_t j = 0; j < hxw; ++j) dst[j] = src[j] * scale + shift;
        }
      }
    });
  });
  const DType stats = has(weight) && weight->dtype() != input.dtype() ? x.dtype() : input.dtype();
  return {contiguous(to_dtype(y, input.dtype()), format), to_dtype(mean, stats), to_dtype(rstd, stats)};
}

Tensor group_norm(const Tensor& input, int64_t num_groups, const OptTensor& weight, const OptTensor& bias, double eps,
                  bool) {
  const int64_t n = input.size(0), channels = input.size(1), pixels = product(input.sizes(), 2, input.sizes().size());
  if (input.dtype() == DType::kFloat && input.dim() == 4 && input.numel() > 0 && !input.is_contiguous() &&
      input.is_contiguous(MemoryFormat::kChannelsLast) && !only_shapes()) {
    check_group_norm(input, weight, bias, n, channels, pixels, num_groups);
    return group_norm_of_pixels(input, weight, bias, num_groups, eps);
  }
  return std::get<0>(native_group_norm(input, weight, bias, n, channels, pixels, num_groups, eps));
}

}  // namespace wick::ops
