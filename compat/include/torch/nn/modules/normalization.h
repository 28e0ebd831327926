// torch::nn: normalization.
#pragma once

#include <torch/nn/functional/normalization.h>
#include <torch/nn/modules/common.h>

namespace torch {
namespace nn {

struct BatchNormOptions {
  BatchNormOptions(int64_t num_features) : num_features_(num_features) {}
  TORCH_ARG(int64_t, num_features);
  TORCH_ARG(double, eps) = 1e-5;
  TORCH_ARG(c10::optional<double>, momentum) = 0.1;
  TORCH_ARG(bool, affine) = true;
  TORCH_ARG(bool, track_running_stats) = true;
};
struct InstanceNormOptions {
  InstanceNormOptions(int64_t num_features) : num_features_(num_features) {}
  TORCH_ARG(int64_t, num_features);
  TORCH_ARG(double, eps) = 1e-5;
  TORCH_ARG(double, momentum) = 0.1;
  TORCH_ARG(bool, affine) = false;
  TORCH_ARG(bool, track_running_stats) = false;
};
struct LayerNormOptions {
  LayerNormOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  TORCH_ARG(std::vector<int64_t>, normalized_shape);
  TORCH_ARG(double, eps) = 1e-5;
  TORCH_ARG(bool, elementwise_affine) = true;
};
struct GroupNormOptions {
  GroupNormOptions(int64_t num_groups, int64_t num_channels) : num_groups_(num_groups), num_channels_(num_channels) {}
  TORCH_ARG(int64_t, num_groups);
  TORCH_ARG(int64_t, num_channels);
  TORCH_ARG(double, eps) = 1e-5;
  TORCH_ARG(bool, affine) = true;
};
using LocalResponseNormOptions = functional::LocalResponseNormFuncOptions;
struct CrossMapLRN2dOptions {
  CrossMapLRN2dOptions(int64_t size) : size_(size) {}
  TORCH_ARG(int64_t, size);
  TORCH_ARG(double, alpha) = 1e-4;
  TORCH_ARG(double, beta) = 0.75;
  TORCH_ARG(int64_t, k) = 1;
};

namespace detail {
struct NormShape {
  int64_t num_features;
  bool affine, tracks;
};
struct NormTensors {
  at::Tensor weight;
  at::Tensor bias;
  at::Tensor running_mean;
  at::Tensor running_var;
  at::Tensor num_batches_tracked;
  void make(Module& module, const NormShape& shape);
  void reset_running();
  void reset_weights();
};
void check_norm_input(const char* name, const at::Tensor& input, int64_t least, int64_t most);
at::Tensor run_batch_norm(NormTensors& tensors, const BatchNormOptions& options, bool training,
                          const at::Tensor& input);
// Input of `unbatched` dimensions is one image.
at::Tensor run_instance_norm(NormTensors& tensors, const InstanceNormOptions& options, bool training,
                             const at::Tensor& input, int64_t unbatched);
void print_norm(std::ostream& stream, const char* name, int64_t features, double eps, c10::optional<double> momentum,
                bool affine, bool tracks);

template <class Derived, class Options>
class NormModule : public Cloneable<Derived>, public NormTensors {
 public:
  explicit NormModule(const Options& o) : options(o) { NormModule::reset(); }
  void reset() override {
    this->make(*this, {options.num_features(), options.affine(), options.track_running_stats()});
  }
  void reset_running_stats() { this->reset_running(); }
  void reset_parameters() {
    this->reset_running();
    this->reset_weights();
  }
  void pretty_print(std::ostream& stream) const override {
    print_norm(stream, Derived::class_name(), options.num_features(), options.eps(), options.momentum(),
               options.affine(), options.track_running_stats());
  }
  Options options;
};
}  // namespace detail

#define WICK_NORM(Kind, D, least, most, ...)                                        \
  using Kind##D##dOptions = Kind##Options;                                          \
  class Kind##D##dImpl : public detail::NormModule<Kind##D##dImpl, Kind##Options> { \
   public:                                                                          \
    using NormModule::NormModule;                                                   \
    static const char* class_name() { return #Kind #D "d"; }                        \
    at::Tensor forward(const at::Tensor& input) {                                   \
      detail::check_norm_input(class_name(), input, least, most);                   \
      return __VA_ARGS__;                                                           \
    }                                                                               \
  };                                                                                \
  TORCH_MODULE(Kind##D##d);
WICK_NORM(BatchNorm, 1, 2, 3, detail::run_batch_norm(*this, options, is_training(), input))
WICK_NORM(BatchNorm, 2, 4, 4, detail::run_batch_norm(*this, options, is_training(), input))
WICK_NORM(BatchNorm, 3, 5, 5, detail::run_batch_norm(*this, options, is_training(), input))
WICK_NORM(InstanceNorm, 1, 2, 3, detail::run_instance_norm(*this, options, is_training(), input, 2))
WICK_NORM(InstanceNorm, 2, 3, 4, detail::run_instance_norm(*this, options, is_training(), input, 3))
WICK_NORM(InstanceNorm, 3, 4, 5, detail::run_instance_norm(*this, options, is_training(), input, 4))
#undef WICK_NORM

class LayerNormImpl : public Cloneable<LayerNormImpl> {
 public:
  LayerNormImpl(std::vector<int64_t> shape) : LayerNormImpl(LayerNormOptions(std::move(shape))) {}
  explicit LayerNormImpl(LayerNormOptions o);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  at::Tensor forward(const at::Tensor& input);
  LayerNormOptions options;
  at::Tensor weight;
  at::Tensor bias;
};
TORCH_MODULE(LayerNorm);
class GroupNormImpl : public Cloneable<GroupNormImpl> {
 public:
  GroupNormImpl(int64_t num_groups, int64_t num_channels) : GroupNormImpl(GroupNormOptions(num_groups, num_channels)) {}
  explicit GroupNormImpl(const GroupNormOptions& o);
  void reset() override;
  void reset_parameters();
  void pretty_print(std::ostream& stream) const override;
  at::Tensor forward(const at::Tensor& input);
  GroupNormOptions options;
  at::Tensor weight;
  at::Tensor bias;
};
TORCH_MODULE(GroupNorm);
WICK_MODULE(LocalResponseNorm, LocalResponseNormOptions);
WICK_MODULE(CrossMapLRN2d, CrossMapLRN2dOptions);

}  // namespace nn
}  // namespace torch
