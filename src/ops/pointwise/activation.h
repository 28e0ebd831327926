// Activation functions. `out`: where to write; default: a new tensor.
#pragma once

#include <string_view>
#include <tuple>

#include "kernels/activations.h"
#include "ops/boxing.h"
#include "wick/tensor.h"

namespace wick::ops {

#define X(name) Tensor name(const Tensor& self, Out out = {});
WICK_ACTIVATIONS(X)
#undef X
Tensor relu6(const Tensor& self, Out out = {});
Tensor hardtanh(const Tensor& self, const Scalar& min = -1, const Scalar& max = 1, Out out = {});
Tensor hardshrink(const Tensor& self, const Scalar& lambda = 0.5, Out out = {});
Tensor softshrink(const Tensor& self, const Scalar& lambda = 0.5, Out out = {});
Tensor threshold(const Tensor& self, const Scalar& threshold, const Scalar& value, Out out = {});
Tensor leaky_relu(const Tensor& self, const Scalar& slope = 0.01, Out out = {});
Tensor elu(const Tensor& self, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& input_scale = 1,
           Out out = {});
Tensor selu(const Tensor& self, Out out = {});
Tensor celu(const Tensor& self, const Scalar& alpha = 1, Out out = {});
// approximate: "none" or "tanh"
Tensor gelu(const Tensor& self, std::string_view approximate = "none", Out out = {});
Tensor softplus(const Tensor& self, const Scalar& beta = 1, const Scalar& threshold = 20, Out out = {});
// The result, and exp(-|x|) as PyTorch keeps it for the gradient.
std::tuple<Tensor, Tensor> log_sigmoid_forward(const Tensor& self);
Tensor prelu(const Tensor& self, const Tensor& weight);
// With a weight that broadcasts to self.
Tensor prelu_kernel(const Tensor& self, const Tensor& weight);
Tensor glu(const Tensor& self, int64_t dim = -1);
Tensor rrelu(const Tensor& self, const Scalar& lower, const Scalar& upper, bool training, GeneratorArg generator);
Tensor rrelu_with_noise(const Tensor& self, const Tensor& noise, const Scalar& lower, const Scalar& upper,
                        bool training, GeneratorArg generator);

}  // namespace wick::ops
