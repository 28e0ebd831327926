// torch::nn::functional: activations.
#pragma once

#include <torch/expanding_array.h>

namespace torch {
namespace nn {

struct ELUOptions {
  TORCH_ARG(double, alpha) = 1.0;
  TORCH_ARG(bool, inplace) = false;
};
struct CELUOptions {
  TORCH_ARG(double, alpha) = 1.0;
  TORCH_ARG(bool, inplace) = false;
};
struct LeakyReLUOptions {
  TORCH_ARG(double, negative_slope) = 1e-2;
  TORCH_ARG(bool, inplace) = false;
};
struct HardtanhOptions {
  TORCH_ARG(double, min_val) = -1.0;
  TORCH_ARG(double, max_val) = 1.0;
  TORCH_ARG(bool, inplace) = false;
};
struct SoftplusOptions {
  TORCH_ARG(double, beta) = 1.0;
  TORCH_ARG(double, threshold) = 20.0;
};
struct GELUOptions {
  TORCH_ARG(std::string, approximate) = "none";
};
struct PReLUOptions {
  TORCH_ARG(int64_t, num_parameters) = 1;
  TORCH_ARG(double, init) = 0.25;
};
struct ThresholdOptions {
  ThresholdOptions(double threshold, double value) : threshold_(threshold), value_(value) {}
  TORCH_ARG(double, threshold);
  TORCH_ARG(double, value);
  TORCH_ARG(bool, inplace) = false;
};
#define WICK_INPLACE_OPTIONS(Name)                    \
  struct Name {                                       \
    Name(bool inplace = false) : inplace_(inplace) {} \
    TORCH_ARG(bool, inplace);                         \
  };
WICK_INPLACE_OPTIONS(ReLUOptions)
WICK_INPLACE_OPTIONS(ReLU6Options)
WICK_INPLACE_OPTIONS(SELUOptions)
#undef WICK_INPLACE_OPTIONS
#define WICK_DIM_OPTIONS(Name)       \
  struct Name {                      \
    Name(int64_t dim) : dim_(dim) {} \
    TORCH_ARG(int64_t, dim);         \
  };
WICK_DIM_OPTIONS(SoftmaxOptions)
WICK_DIM_OPTIONS(SoftminOptions)
WICK_DIM_OPTIONS(LogSoftmaxOptions)
#undef WICK_DIM_OPTIONS
struct GLUOptions {
  GLUOptions(int64_t dim = -1) : dim_(dim) {}
  TORCH_ARG(int64_t, dim);
};
#define WICK_LAMBDA_OPTIONS(Name)                  \
  struct Name {                                    \
    Name(double lambda = 0.5) : lambda_(lambda) {} \
    TORCH_ARG(double, lambda);                     \
  };
WICK_LAMBDA_OPTIONS(HardshrinkOptions)
WICK_LAMBDA_OPTIONS(SoftshrinkOptions)
#undef WICK_LAMBDA_OPTIONS

namespace functional {
using ELUFuncOptions = ELUOptions;
using CELUFuncOptions = CELUOptions;
using SELUFuncOptions = SELUOptions;
using GLUFuncOptions = GLUOptions;
using GELUFuncOptions = GELUOptions;
using ReLUFuncOptions = ReLUOptions;
using ReLU6FuncOptions = ReLU6Options;
using LeakyReLUFuncOptions = LeakyReLUOptions;
using HardtanhFuncOptions = HardtanhOptions;
using HardshrinkFuncOptions = HardshrinkOptions;
using SoftshrinkFuncOptions = SoftshrinkOptions;
using SoftplusFuncOptions = SoftplusOptions;
using ThresholdFuncOptions = ThresholdOptions;
#define WICK_DIM_OPTIONS(Name)                                    \
  struct Name {                                                   \
    Name(int64_t dim) : dim_(dim) {}                              \
    TORCH_ARG(int64_t, dim);                                      \
    TORCH_ARG(c10::optional<torch::Dtype>, dtype) = c10::nullopt; \
  };
WICK_DIM_OPTIONS(SoftmaxFuncOptions)
WICK_DIM_OPTIONS(SoftminFuncOptions)
WICK_DIM_OPTIONS(LogSoftmaxFuncOptions)
#undef WICK_DIM_OPTIONS
struct GumbelSoftmaxFuncOptions {
  TORCH_ARG(double, tau) = 1.0;
  TORCH_ARG(bool, hard) = false;
  TORCH_ARG(int, dim) = -1;
};
struct RReLUFuncOptions {
  TORCH_ARG(double, lower) = 1.0 / 8.0;
  TORCH_ARG(double, upper) = 1.0 / 3.0;
  TORCH_ARG(bool, training) = false;
  TORCH_ARG(bool, inplace) = false;
};

inline at::Tensor elu(at::Tensor input, const ELUFuncOptions& o = {}) {
  return o.inplace() ? at::elu_(input, o.alpha()) : at::elu(input, o.alpha());
}
inline at::Tensor celu(at::Tensor input, const CELUFuncOptions& o = {}) {
  return o.inplace() ? at::celu_(input, o.alpha()) : at::celu(input, o.alpha());
}
inline at::Tensor selu(at::Tensor input, const SELUFuncOptions& o = {}) {
  return o.inplace() ? at::selu_(input) : at::selu(input);
}
inline at::Tensor relu(at::Tensor input, const ReLUFuncOptions& o = {}) {
  return o.inplace() ? at::relu_(input) : at::relu(input);
}
inline at::Tensor relu6(at::Tensor input, const ReLU6FuncOptions& o = {}) {
  return o.inplace() ? at::hardtanh_(input, 0, 6) : at::hardtanh(input, 0, 6);
}
inline at::Tensor leaky_relu(at::Tensor input, const LeakyReLUFuncOptions& o = {}) {
  return o.inplace() ? at::leaky_relu_(input, o.negative_slope()) : at::leaky_relu(input, o.negative_slope());
}
inline at::Tensor hardtanh(at::Tensor input, const HardtanhFuncOptions& o = {}) {
  return o.inplace() ? at::hardtanh_(input, o.min_val(), o.max_val()) : at::hardtanh(input, o.min_val(), o.max_val());
}
inline at::Tensor threshold(at::Tensor input, const ThresholdFuncOptions& o) {
  return o.inplace() ? at::threshold_(input, o.threshold(), o.value()) : at::threshold(input, o.threshold(), o.value());
}
inline at::Tensor rrelu(at::Tensor input, const RReLUFuncOptions& o = {}) {
  return o.inplace() ? at::rrelu_(input, o.lower(), o.upper(), o.training())
                     : at::rrelu(input, o.lower(), o.upper(), o.training());
}
inline at::Tensor glu(const at::Tensor& input, const GLUFuncOptions& o = {}) { return at::glu(input, o.dim()); }
inline at::Tensor gelu(const at::Tensor& input, const GELUFuncOptions& o = {}) {
  return at::gelu(input, c10::string_view(o.approximate()));
}
inline at::Tensor silu(const at::Tensor& input) { return at::silu(input); }
inline at::Tensor mish(const at::Tensor& input) { return at::mish(input); }
inline at::Tensor hardshrink(const at::Tensor& input, const HardshrinkFuncOptions& o = {}) {
  return at::hardshrink(input, o.lambda());
}
inline at::Tensor softshrink(const at::Tensor& input, const SoftshrinkFuncOptions& o = {}) {
  return at::softshrink(input, o.lambda());
}
inline at::Tensor logsigmoid(const at::Tensor& input) { return at::log_sigmoid(input); }
inline at::Tensor softplus(const at::Tensor& input, const SoftplusFuncOptions& o = {}) {
  return at::softplus(input, o.beta(), o.threshold());
}
inline at::Tensor softsign(const at::Tensor& input) { return input / (input.abs() + 1); }
inline at::Tensor tanhshrink(const at::Tensor& input) { return input - input.tanh(); }
inline at::Tensor prelu(const at::Tensor& input, const at::Tensor& weight) { return at::prelu(input, weight); }
inline at::Tensor softmax(const at::Tensor& input, const SoftmaxFuncOptions& o) {
  return at::softmax(input, o.dim(), o.dtype());
}
inline at::Tensor softmin(const at::Tensor& input, const SoftminFuncOptions& o) {
  return at::softmax(-input, o.dim(), o.dtype());
}
inline at::Tensor log_softmax(const at::Tensor& input, const LogSoftmaxFuncOptions& o) {
  return at::log_softmax(input, o.dim(), o.dtype());
}
at::Tensor gumbel_softmax(const at::Tensor& logits, const GumbelSoftmaxFuncOptions& options = {});

}  // namespace functional
}  // namespace nn
}  // namespace torch
