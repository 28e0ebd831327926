// Batch and instance normalization, and their statistics.
#include <cmath>

#include "ops/nn/common.h"
#include "ops/nn/norm.h"

namespace wick::ops {

namespace {

// A tensor seen as batch x channels x rest, in either memory order.
struct ChannelView {
  int64_t batch, channels, rest;
  bool channels_last;
};

ChannelView channel_view(const Tensor& t, MemoryFormat format) {
  ChannelView v;
  v.batch = t.size(0);
  v.channels = t.size(1);
  v.rest = product(t.sizes(), 2, t.sizes().size());
  v.channels_last = format != MemoryFormat::kContiguous;
  return v;
}

template <class T>
void scale_and_shift(const T* x, T* y, const ChannelView& v, const std::vector<T>& alpha, const std::vector<T>& beta) {
  const T* a = alpha.data();
  const T* b = beta.data();
  if (v.channels_last || v.rest == 1) {
    parallel_for(0, v.batch * v.rest, grain_for(v.channels), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T* in = x + i * v.channels;
        T* out = y + i * v.channels;
        for (int64_t c = 0; c < v.channels; ++c) out[c] = in[c] * a[c] + b[c];
      }
    });
    return;
  }
  parallel_for(0, v.batch * v.channels, grain_for(v.rest), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T scale = a[i % v.channels];
      const T shift = b[i % v.channels];
      const T* in = x + i * v.rest;
      T* out = y + i * v.rest;
      for (int64_t j = 0; j < v.rest; ++j) out[j] = in[j] * scale + shift;
    }
  });
}

// Mean and sum of squared deviations of each channel, accumulated in double.
template <class T>
void channel_statistics(const T* x, const ChannelView& v, std::vector<double>& mean, std::vector<double>& square_sum) {
  const int64_t stride = v.channels_last ? v.channels : 1;
  parallel_for(0, v.channels, grain_for(v.batch * v.rest), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c) {
      auto each = [&](auto&& use) {
        for (int64_t n = 0; n < v.batch; ++n) {
          const T* p = v.channels_last ? x + n * v.rest * v.channels + c : x + (n * v.channels + c) * v.rest;
          for (int64_t j = 0; j < v.rest; ++j) use(static_cast<double>(p[j * stride]));
        }
      };
      double sum = 0;
      each([&](double value) { sum += value; });
      const double m = sum / static_cast<double>(v.batch * v.rest);
      double squares = 0;
      each([&](double value) { squares += (value - m) * (value - m); });
      mean[static_cast<size_t>(c)] = m;
      square_sum[static_cast<size_t>(c)] = squares;
    }
  });
}

void check_channels(const OptTensor& t, const char* name, int64_t channels) {
  WICK_CHECK(!has(t) || t->numel() == channels, kShapeMismatch, name, " should contain ", channels, " elements not ",
             has(t) ? t->numel() : 0);
}

void check_parameters(const Tensor& input, const OptTensor& weight, const OptTensor& bias, const OptTensor& mean,
                      const OptTensor& var, bool training) {
  const int64_t channels = input.size(1);
  if (has(mean)) {
    check_channels(mean, "running_mean", channels);
  } else {
    WICK_CHECK(training, kInvalidArgument, "running_mean must be defined in evaluation mode");
  }
  if (has(var)) {
    check_channels(var, "running_var", channels);
  } else {
    WICK_CHECK(training, kInvalidArgument, "running_var must be defined in evaluation mode");
  }
  check_channels(weight, "weight", channels);
  check_channels(bias, "bias", channels);
}

// running = momentum * batch + (1 - momentum) * running, in place.
void update_running(const OptTensor& running, const std::vector<double>& batch, double momentum) {
  if (!has(running)) return;
  const int64_t n = static_cast<int64_t>(batch.size());
  std::vector<double> values = param_values<double>(running, n, 0);
  for (size_t i = 0; i < batch.size(); ++i) values[i] = momentum * batch[i] + (1 - momentum) * values[i];
  copy_into(*running, reshaped(Tensor::from_values<double>(values), running->sizes()));
}

struct BatchStatistics {
  std::vector<double> mean, square_sum;
  int64_t count = 0;
};

BatchStatistics statistics_of(const Tensor& x, DType named, const ChannelView& v) {
  BatchStatistics s;
  s.count = v.batch * v.rest;
  s.mean.resize(static_cast<size_t>(v.channels));
  s.square_sum.resize(static_cast<size_t>(v.channels));
  for_float(x.dtype(), "batch_norm", named,
            [&](auto zero) { channel_statistics(x.data_ptr<decltype(zero)>(), v, s.mean, s.square_sum); });
  return s;
}

void update_running_statistics(const BatchStatistics& s, const OptTensor& mean, const OptTensor& var, double momentum) {
  update_running(mean, s.mean, momentum);
  if (!has(var)) return;
  std::vector<double> unbiased(s.square_sum);
  for (double& value : unbiased) value /= static_cast<double>(s.count - 1);
  update_running(var, unbiased, momentum);
}

DType statistics_dtype(const Tensor& input, const OptTensor& weight, const OptTensor& mean) {
  if (has(weight)) return weight->dtype();
  if (has(mean)) return mean->dtype();
  return input.dtype();
}

Tensor vector_of(const std::vector<double>& values, DType dtype) {
  return to_dtype(Tensor::from_values<double>(values), dtype);
}

}  // namespace

Tensor3 native_batch_norm(const Tensor& input, const OptTensor& weight, const OptTensor& bias,
                          const OptTensor& running_mean, const OptTensor& running_var, bool training, double momentum,
                          double eps) {
  check_dtype(is_floating(input.dtype()), "batch_norm", input.dtype());
  check_parameters(input, weight, bias, running_mean, running_var, training);
  const MemoryFormat format = input.suggest_memory_format();
  const Tensor x = contiguous(widened(input), format);
  Tensor y = Tensor::empty(x.sizes(), x.dtype(), format);
  const ChannelView v = channel_view(x, format);
  const DType stats = statistics_dtype(input, weight, running_mean);
  Tensor save_mean = Tensor::empty({training ? v.channels : 0}, stats);
  Tensor save_invstd = Tensor::empty({training ? v.channels : 0}, stats);
  for_float(x.dtype(), "batch_norm", input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> mean, invstd;
    if (training) {
      const BatchStatistics s = statistics_of(x, input.dtype(), v);
      update_running_statistics(s, running_mean, running_var, momentum);
      std::vector<double> inverse(s.square_sum);
      for (double& value : inverse) {
        const double var = value / static_cast<double>(s.count);
        value = var == 0 && eps == 0 ? 0 : 1 / std::sqrt(var + eps);
      }
      copy_into(save_mean, Tensor::from_values<double>(s.mean));
      copy_into(save_invstd, Tensor::from_values<double>(inverse));
      mean.assign(s.mean.begin(), s.mean.end());
      invstd.assign(inverse.begin(), inverse.end());
    } else {
      mean = param_values<T>(running_mean, v.channels, T(0));
      invstd = param_values<T>(running_var, v.channels, T(1));
      for (T& value : invstd) value = T(1) / std::sqrt(value + static_cast<T>(eps));
    }
    std::vector<T> alpha = param_values<T>(weight, v.channels, T(1));
    std::vector<T> beta = param_values<T>(bias, v.channels, T(0));
    for (size_t c = 0; c < alpha.size(); ++c) {
      alpha[c] *= invstd[c];
      beta[c] -= mean[c] * alpha[c];
    }
    scale_and_shift(x.data_ptr<T>(), y.data_ptr<T>(), v, alpha, beta);
  });
  return {to_dtype(y, input.dtype()), save_mean, save_invstd};
}

Tensor3 native_batch_norm_no_stats(const Tensor& input, const OptTensor& weight, const OptTensor& bias, bool training,
                                   double momentum, double eps) {
  return native_batch_norm(input, weight, bias, {}, {}, training, momentum, eps);
}

Tensor3 native_batch_norm_no_training(const Tensor& input, const OptTensor& weight, const OptTensor& bias,
                                      const OptTensor& running_mean, const OptTensor& running_var, double momentum,
                                      double eps) {
  return native_batch_norm(input, weight, bias, running_mean, running_var, false, momentum, eps);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> batch_norm_no_update(const Tensor& input, const OptTensor& weight,
                                                                const OptTensor& bias, const OptTensor& running_mean,
                                                                const OptTensor& running_var, double momentum,
                                                                double eps) {
  auto [out, mean, invstd] = native_batch_norm(input, weight, bias, running_mean, running_var, false, momentum, eps);
  return {out, mean, invstd, Tensor::empty({0}, DType::kByte)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> batch_norm_with_update(const Tensor& input, const OptTensor& weight,
                                                                  const OptTensor& bias, const Tensor& running_mean,
                                                                  const Tensor& running_var, double momentum,
                                                                  double eps) {
  auto [out, mean, invstd] = native_batch_norm(input, weight, bias, running_mean, running_var, true, momentum, eps);
  return {out, mean, invstd, Tensor::empty({0}, DType::kByte)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> native_batch_norm_functional(
    const Tensor& input, const OptTensor& weight, const OptTensor& bias, const Tensor& running_mean,
    const Tensor& running_var, bool training, double momentum, double eps) {
  const Tensor new_mean = clone(running_mean), new_var = clone(running_var);
  auto [out, mean, invstd] = native_batch_norm(input, weight, bias, new_mean, new_var, training, momentum, eps);
  return {out, mean, invstd, new_mean, new_var};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, int64_t> batch_norm_impl_index(const Tensor& input, const OptTensor& weight,
                                                                          const OptTensor& bias,
                                                                          const OptTensor& running_mean,
                                                                          const OptTensor& running_var, bool training,
                                                                          double momentum, double eps, bool) {
  check_parameters(input, weight, bias, running_mean, running_var, training);
  auto [out, mean, invstd] = native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps);
  return {out, mean, invstd, Tensor::empty({0}, DType::kByte), 0};
}

Tensor batch_norm(const Tensor& input, const OptTensor& weight, const OptTensor& bias, const OptTensor& running_mean,
                  const OptTensor& running_var, bool training, double momentum, double eps, bool) {
  if (input.numel() == 0) {
    check_dtype(is_floating(input.dtype()), "batch_norm", input.dtype());
    if (input.dim() > 1) check_parameters(input, weight, bias, running_mean, running_var, training);
    return clone(input);
  }
  return std::get<0>(native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps));
}

Tensor2 batch_norm_update_stats(const Tensor& input, const OptTensor& running_mean, const OptTensor& running_var,
                                double momentum) {
  check_parameters(input, {}, {}, running_mean, running_var, true);
  const MemoryFormat format = input.suggest_memory_format();
  const Tensor x = contiguous(widened(input), format);
  BatchStatistics s = statistics_of(x, input.dtype(), channel_view(x, format));
  update_running_statistics(s, running_mean, running_var, momentum);
  for (double& value : s.square_sum) value /= static_cast<double>(s.count);
  const DType stats = statistics_dtype(input, {}, running_mean);
  return {vector_of(s.mean, stats), vector_of(s.square_sum, stats)};
}

Tensor instance_norm(const Tensor& input, const OptTensor& weight, const OptTensor& bias, const OptTensor& running_mean,
                     const OptTensor& running_var, bool use_input_stats, double momentum, double eps,
                     bool cudnn_enabled) {
  WICK_CHECK(use_input_stats || (has(running_mean) && has(running_var)), kInvalidArgument,
             "Expected running_mean and running_var to be defined when use_input_stats is false");
  const int64_t batch = input.size(0);
  const int64_t channels = input.size(1);
  check_parameters(input, weight, bias, running_mean, running_var, true);
  IntVec shape(input.sizes());
  shape[0] = 1;
  shape[1] = batch * channels;
  // Every (sample, channel) pair becomes a channel of one big sample.
  auto repeated = [&](const OptTensor& t) -> OptTensor {
    if (!has(t)) return {};
    return reshaped(
        clone(expand(reshaped(contiguous(*t), {1, channels}), {batch, channels}), MemoryFormat::kContiguous),
        {batch * channels});
  };
  const OptTensor mean = repeated(running_mean);
  const OptTensor var = repeated(running_var);
  const Tensor out = batch_norm(reshaped(contiguous(input), shape), repeated(weight), repeated(bias), mean, var,
                                use_input_stats, momentum, eps, cudnn_enabled);
  auto fold_back = [&](const OptTensor& running, const OptTensor& updated) {
    if (!has(running) || batch == 0) return;
    const std::vector<double> values = param_values<double>(updated, batch * channels, 0);
    std::vector<double> average(static_cast<size_t>(channels), 0);
    for (size_t i = 0; i < values.size(); ++i) average[i % average.size()] += values[i];
    for (double& value : average) value /= static_cast<double>(batch);
    copy_into(*running, reshaped(Tensor::from_values<double>(average), running->sizes()));
  };
  fold_back(running_mean, mean);
  fold_back(running_var, var);
  return reshaped(contiguous(out), input.sizes());
}

}  // namespace wick::ops
