// torch::nn::functional: normalization.
#pragma once

#include <torch/expanding_array.h>

namespace torch {
namespace nn {
namespace functional {

struct NormalizeFuncOptions {
  TORCH_ARG(double, p) = 2.0;
  TORCH_ARG(int64_t, dim) = 1;
  TORCH_ARG(double, eps) = 1e-12;
  TORCH_ARG(c10::optional<at::Tensor>, out) = c10::nullopt;
};
at::Tensor normalize(const at::Tensor& input, NormalizeFuncOptions options = {});

struct BatchNormFuncOptions {
  TORCH_ARG(at::Tensor, weight) = at::Tensor();
  TORCH_ARG(at::Tensor, bias) = at::Tensor();
  TORCH_ARG(bool, training) = false;
  TORCH_ARG(c10::optional<double>, momentum) = 0.1;
  TORCH_ARG(double, eps) = 1e-5;
};
inline at::Tensor batch_norm(const at::Tensor& input, const at::Tensor& running_mean, const at::Tensor& running_var,
                             const BatchNormFuncOptions& o = {}) {
  return at::batch_norm(input, nn::detail::given(o.weight()), nn::detail::given(o.bias()),
                        nn::detail::given(running_mean), nn::detail::given(running_var), o.training(),
                        o.momentum().value_or(0), o.eps(), false);
}

struct InstanceNormFuncOptions {
  TORCH_ARG(at::Tensor, running_mean) = at::Tensor();
  TORCH_ARG(at::Tensor, running_var) = at::Tensor();
  TORCH_ARG(at::Tensor, weight) = at::Tensor();
  TORCH_ARG(at::Tensor, bias) = at::Tensor();
  TORCH_ARG(bool, use_input_stats) = true;
  TORCH_ARG(double, momentum) = 0.1;
  TORCH_ARG(double, eps) = 1e-5;
};
inline at::Tensor instance_norm(const at::Tensor& input, const InstanceNormFuncOptions& o = {}) {
  return at::instance_norm(input, nn::detail::given(o.weight()), nn::detail::given(o.bias()),
                           nn::detail::given(o.running_mean()), nn::detail::given(o.running_var()), o.use_input_stats(),
                           o.momentum(), o.eps(), false);
}

struct LayerNormFuncOptions {
  LayerNormFuncOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  TORCH_ARG(std::vector<int64_t>, normalized_shape);
  TORCH_ARG(at::Tensor, weight) = {};
  TORCH_ARG(at::Tensor, bias) = {};
  TORCH_ARG(double, eps) = 1e-5;
};
inline at::Tensor layer_norm(const at::Tensor& input, const LayerNormFuncOptions& o) {
  return at::layer_norm(input, o.normalized_shape(), nn::detail::given(o.weight()), nn::detail::given(o.bias()),
                        o.eps(), false);
}

struct GroupNormFuncOptions {
  GroupNormFuncOptions(int64_t num_groups) : num_groups_(num_groups) {}
  TORCH_ARG(int64_t, num_groups);
  TORCH_ARG(at::Tensor, weight) = {};
  TORCH_ARG(at::Tensor, bias) = {};
  TORCH_ARG(double, eps) = 1e-5;
};
inline at::Tensor group_norm(const at::Tensor& input, const GroupNormFuncOptions& o) {
  return at::group_norm(input, o.num_groups(), nn::detail::given(o.weight()), nn::detail::given(o.bias()), o.eps(),
                        false);
}

struct LocalResponseNormFuncOptions {
  LocalResponseNormFuncOptions(int64_t size) : size_(size) {}
  TORCH_ARG(int64_t, size);
  TORCH_ARG(double, alpha) = 1e-4;
  TORCH_ARG(double, beta) = 0.75;
  TORCH_ARG(double, k) = 1.;
};
at::Tensor local_response_norm(const at::Tensor& input, const LocalResponseNormFuncOptions& options);

}  // namespace functional
}  // namespace nn
}  // namespace torch
