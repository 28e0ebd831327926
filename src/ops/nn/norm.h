// Batch, instance, layer, group and weight normalization.
#pragma once

#include <tuple>

#include "ops/boxing.h"

namespace wick::ops {

using Tensor2 = std::tuple<Tensor, Tensor>;
using Tensor3 = std::tuple<Tensor, Tensor, Tensor>;

Tensor batch_norm(const Tensor& input, const OptTensor& weight, const OptTensor& bias, const OptTensor& running_mean,
                  const OptTensor& running_var, bool training, double momentum, double eps, bool cudnn_enabled);
// (output, mean, 1 / sqrt(var + eps)); the statistics are empty outside training. Running statistics are updated
// in place when training.
Tensor3 native_batch_norm(const Tensor& input, const OptTensor& weight, const OptTensor& bias,
                          const OptTensor& running_mean, const OptTensor& running_var, bool training, double momentum,
                          double eps);
Tensor3 native_batch_norm_no_stats(const Tensor& input, const OptTensor& weight, const OptTensor& bias, bool training,
                                   double momentum, double eps);
Tensor3 native_batch_norm_no_training(const Tensor& input, const OptTensor& weight, const OptTensor& bias,
                                      const OptTensor& running_mean, const OptTensor& running_var, double momentum,
                                      double eps);
// The last result is what a GPU's backward pass would want: empty here.
std::tuple<Tensor, Tensor, Tensor, Tensor> batch_norm_no_update(const Tensor& input, const OptTensor& weight,
                                                                const OptTensor& bias, const OptTensor& running_mean,
                                                                const OptTensor& running_var, double momentum,
                                                                double eps);
std::tuple<Tensor, Tensor, Tensor, Tensor> batch_norm_with_update(const Tensor& input, const OptTensor& weight,
                                                                  const OptTensor& bias, const Tensor& running_mean,
                                                                  const Tensor& running_var, double momentum,
                                                                  double eps);
// (output, mean, inverse deviation, new running mean, new running variance); the given statistics stay as they are.
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> native_batch_norm_functional(
    const Tensor& input, const OptTensor& weight, const OptTensor& bias, const Tensor& running_mean,
    const Tensor& running_var, bool training, double momentum, double eps);
std::tuple<Tensor, Tensor, Tensor, Tensor, int64_t> batch_norm_impl_index(
    const Tensor& input, const OptTensor& weight, const OptTensor& bias, const OptTensor& running_mean,
    const OptTensor& running_var, bool training, double momentum, double eps, bool cudnn_enabled);
Tensor2 batch_norm_update_stats(const Tensor& input, const OptTensor& running_mean, const OptTensor& running_var,
                                double momentum);
Tensor instance_norm(const Tensor& input, const OptTensor& weight, const OptTensor& bias, const OptTensor& running_mean,
                     const OptTensor& running_var, bool use_input_stats, double momentum, double eps,
                     bool cudnn_enabled);

Tensor layer_norm(const Tensor& input, IntSpan normalized_shape, const OptTensor& weight, const OptTensor& bias,
                  double eps, bool cudnn_enable);
Tensor3 native_layer_norm(const Tensor& input, IntSpan normalized_shape, const OptTensor& weight, const OptTensor& bias,
                          double eps);
// (output, 1 / root of the mean square)
Tensor2 fused_rms_norm(const Tensor& input, IntSpan normalized_shape, const OptTensor& weight,
                       std::optional<double> eps);
Tensor rms_norm(const Tensor& input, IntSpan normalized_shape, const OptTensor& weight, std::optional<double> eps);
Tensor group_norm(const Tensor& input, int64_t num_groups, const OptTensor& weight, const OptTensor& bias, double eps,
                  bool cudnn_enabled);
Tensor3 native_group_norm(const Tensor& input, const OptTensor& weight, const OptTensor& bias, int64_t n, int64_t c,
                          int64_t hxw, int64_t group, double eps);

// The p-norm over all dims but one, kept as size-1 dims; dim -1: over everything, zero-dim.
Tensor norm_except_dim(const Tensor& v, int64_t pow, int64_t dim);
Tensor weight_norm(const Tensor& v, const Tensor& g, int64_t dim);
Tensor2 weight_norm_interface(const Tensor& v, const Tensor& g, int64_t dim);
Tensor renorm(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm);

}  // namespace wick::ops
