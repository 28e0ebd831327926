// torch::nn: convolutions and normalization as modules.
#include <torch/nn/functional/vision.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/normalization.h>

#include <algorithm>
#include <cmath>

#include "nn_print.h"

namespace torch {
namespace nn {

using at::Tensor;
using wick_compat::Printed;
namespace F = functional;

namespace detail {
namespace {

const char* enum_name(const enumtype::Name& mode) {
  return mode == kReflect ? "kReflect" : mode == kReplicate ? "kReplicate" : mode == kCircular ? "kCircular" : "kZeros";
}
template <size_t D>
bool differs(const ExpandingArray<D>& array, int64_t value) {
  return std::any_of(array->begin(), array->end(), [value](int64_t v) { return v != value; });
}
const char* kDims[] = {"", "1d", "2d", "3d"};

}  // namespace

void make_conv_parameters(Module& module, const ConvShape& shape, Tensor& weight, Tensor& bias) {
  TORCH_CHECK(shape.in > 0 && shape.groups > 0 && shape.out > 0,
              "in_channels, groups and out_channels must be "
              "positive integers.");
  TORCH_CHECK(shape.in % shape.groups == 0, "in_channels must be divisible by groups");
  TORCH_CHECK(shape.out % shape.groups == 0, "out_channels must be divisible by groups");
  std::vector<int64_t> sizes = {shape.is_transposed ? shape.in : shape.out,
                                (shape.is_transposed ? shape.out : shape.in) / shape.groups};
  sizes.insert(sizes.end(), shape.kernel.begin(), shape.kernel.end());
  weight = module.register_parameter("weight", at::empty(sizes));
  bias = shape.bias ? module.register_parameter("bias", at::empty({shape.out}))
                    : module.register_parameter("bias", {}, false);
  reset_conv_parameters(weight, bias);
}
void reset_conv_parameters(Tensor& weight, Tensor& bias) {
  init::kaiming_uniform_(weight, std::sqrt(5));
  if (!bias.defined()) return;
  const double bound = 1 / std::sqrt(std::get<0>(init::_calculate_fan_in_and_fan_out(weight)));
  init::uniform_(bias, -bound, bound);
}
Tensor pad_as(const Tensor& input, at::IntArrayRef padding, const char* name, at::IntArrayRef kernel,
              at::IntArrayRef dilation, const enumtype::Name& mode) {
  std::vector<int64_t> sides;  // of the last dimension first
  for (size_t i = kernel.size(); i-- > 0;) {
    const int64_t total = name ? (name == std::string("same") ? dilation[i] * (kernel[i] - 1) : 0) : 2 * padding[i];
    sides.push_back(total / 2);
    sides.push_back(total - total / 2);
  }
  return at::pad(input, sides, c10::string_view(mode.text));
}

template <size_t D, class Derived>
void ConvModule<D, Derived>::pretty_print(std::ostream& stream) const {
  Printed p(stream, "Conv", kDims[D]);
  p.value(options.in_channels()).value(options.out_channels());
  p.field("kernel_size", options.kernel_size()).field("stride", options.stride());
  const auto& padding = options.padding();
  if (padding.name) {
    p.field("padding", padding.name == std::string("same") ? "'same'" : "'valid'");
  } else {
    p.field_if(differs(padding.values, 0), "padding", padding.values);
  }
  p.field_if(differs(options.dilation(), 1), "dilation", options.dilation())
      .field_if(options.groups() != 1, "groups", options.groups())
      .field_if(!options.bias(), "bias", options.bias())
      .field_if(options.padding_mode() != kZeros, "padding_mode", enum_name(options.padding_mode()));
}
template <size_t D, class Derived>
void ConvTransposeModule<D, Derived>::pretty_print(std::ostream& stream) const {
  Printed p(stream, "ConvTranspose", kDims[D]);
  p.value(options.in_channels()).value(options.out_channels());
  p.field("kernel_size", options.kernel_size()).field("stride", options.stride());
  p.field_if(differs(options.padding(), 0), "padding", options.padding())
      .field_if(differs(options.dilation(), 1), "dilation", options.dilation())
      .field_if(differs(options.output_padding(), 0), "output_padding", options.output_padding())
      .field_if(options.groups() != 1, "groups", options.groups())
      .field_if(!options.bias(), "bias", options.bias())
      .field_if(options.padding_mode() != kZeros, "padding_mode", enum_name(options.padding_mode()));
}
template <size_t D, class Derived>
std::vector<int64_t> ConvTransposeModule<D, Derived>::output_padding_for(
    const Tensor& input, const c10::optional<at::IntArrayRef>& size) const {
  TORCH_CHECK(options.padding_mode() == kZeros, "Only `zeros` padding mode is supported for ConvTranspose", kDims[D]);
  if (!size) return at::IntArrayRef(options.output_padding()).vec();
  const int64_t skipped = static_cast<int64_t>(size->size()) - static_cast<int64_t>(D);
  TORCH_CHECK(skipped == 0 || skipped == 2, "output_size must have ", D, " or ", D + 2, " elements (got ", size->size(),
              ")");
  std::vector<int64_t> out;
  for (size_t d = 0; d < D; ++d) {
    const int64_t least = (input.size(static_cast<int64_t>(d) + 2) - 1) * (*options.stride())[d] -
                          2 * (*options.padding())[d] + (*options.kernel_size())[d];
    const int64_t wanted = (*size)[d + static_cast<size_t>(skipped)];
    TORCH_CHECK(wanted >= least && wanted <= least + (*options.stride())[d] - 1, "requested an output size of ", *size,
                ", but valid sizes for dimension ", d, " range from ", least, " to ",
                least + (*options.stride())[d] - 1);
    out.push_back(wanted - least);
  }
  return out;
}
}  // namespace detail

#define WICK_CONV(D)                                                                                                \
  template class detail::ConvModule<D, Conv##D##dImpl>;                                                             \
  template class detail::ConvTransposeModule<D, ConvTranspose##D##dImpl>;                                           \
  Tensor Conv##D##dImpl::forward(const Tensor& input) {                                                             \
    const auto& padding = options.padding();                                                                        \
    F::Conv##D##dFuncOptions o;                                                                                     \
    o.bias(bias).stride(options.stride()).dilation(options.dilation()).groups(options.groups());                    \
    if (options.padding_mode() == kZeros) return F::conv##D##d(input, weight, o.padding(padding));                  \
    return F::conv##D##d(detail::pad_as(input, padding.values, padding.name, options.kernel_size(),                 \
                                        options.dilation(), options.padding_mode()),                                \
                         weight, o);                                                                                \
  }                                                                                                                 \
  Tensor ConvTranspose##D##dImpl::forward(const Tensor& input, const c10::optional<at::IntArrayRef>& output_size) { \
    return at::conv_transpose##D##d(input, weight, detail::given(bias), options.stride(), options.padding(),        \
                                    output_padding_for(input, output_size), options.groups(), options.dilation());  \
  }
WICK_CONV(1)
WICK_CONV(2)
WICK_CONV(3)
#undef WICK_CONV

namespace detail {

void NormTensors::make(Module& module, const NormShape& shape) {
  weight = module.register_parameter("weight", shape.affine ? at::empty({shape.num_features}) : Tensor(), shape.affine);
  bias = module.register_parameter("bias", shape.affine ? at::empty({shape.num_features}) : Tensor(), shape.affine);
  running_mean = module.register_buffer("running_mean", shape.tracks ? at::zeros({shape.num_features}) : Tensor());
  running_var = module.register_buffer("running_var", shape.tracks ? at::ones({shape.num_features}) : Tensor());
  num_batches_tracked = module.register_buffer(
      "num_batches_tracked", shape.tracks ? at::tensor(0, at::TensorOptions(at::kLong)).squeeze() : Tensor());
  reset_weights();
}
void NormTensors::reset_running() {
  if (!running_mean.defined()) return;
  running_mean.zero_();
  running_var.fill_(1);
  num_batches_tracked.zero_();
}
void NormTensors::reset_weights() {
  if (!weight.defined()) return;
  init::ones_(weight);
  init::zeros_(bias);
}
void check_norm_input(const char*, const Tensor& input, int64_t least, int64_t most) {
  if (least == most) {
    TORCH_CHECK(input.dim() == least, "expected ", least, "D input (got ", input.dim(), "D input)");
  } else {
    TORCH_CHECK(input.dim() == least || input.dim() == most, "expected ", least, "D or ", most, "D input (got ",
                input.dim(), "D input)");
  }
}
Tensor run_batch_norm(NormTensors& t, const BatchNormOptions& options, bool training, const Tensor& input) {
  double factor = options.momentum().value_or(0);
  if (training && t.num_batches_tracked.defined()) {
    t.num_batches_tracked += 1;
    if (!options.momentum()) factor = 1.0 / t.num_batches_tracked.item<double>();
  }
  return F::batch_norm(input, t.running_mean, t.running_var,
                       F::BatchNormFuncOptions()
                           .weight(t.weight)
                           .bias(t.bias)
                           .training(training || !t.running_mean.defined())
                           .momentum(factor)
                           .eps(options.eps()));
}
Tensor run_instance_norm(NormTensors& t, const InstanceNormOptions& options, bool training, const Tensor& input,
                         int64_t unbatched) {
  if (input.dim() == unbatched) return run_instance_norm(t, options, training, input.unsqueeze(0), 0).squeeze(0);
  return F::instance_norm(input, F::InstanceNormFuncOptions()
                                     .running_mean(t.running_mean)
                                     .running_var(t.running_var)
                                     .weight(t.weight)
                                     .bias(t.bias)
                                     .use_input_stats(training || !options.track_running_stats())
                                     .momentum(options.momentum())
                                     .eps(options.eps()));
}
void print_norm(std::ostream& stream, const char* name, int64_t features, double eps, c10::optional<double> momentum,
                bool affine, bool tracks) {
  Printed p(stream, name);
  p.value(features).field("eps", eps);
  if (momentum) {
    p.field("momentum", *momentum);
  } else {
    p.field("momentum", "None");
  }
  p.field("affine", affine).field("track_running_stats", tracks);
}

}  // namespace detail

LayerNormImpl::LayerNormImpl(LayerNormOptions o) : options(std::move(o)) { LayerNormImpl::reset(); }
void LayerNormImpl::reset() {
  const bool affine = options.elementwise_affine();
  weight = register_parameter("weight", affine ? at::empty(options.normalized_shape()) : Tensor(), affine);
  bias = register_parameter("bias", affine ? at::empty(options.normalized_shape()) : Tensor(), affine);
  reset_parameters();
}
void LayerNormImpl::reset_parameters() {
  if (!weight.defined()) return;
  init::ones_(weight);
  init::zeros_(bias);
}
void LayerNormImpl::pretty_print(std::ostream& stream) const {
  Printed(stream, "LayerNorm")
      .value(at::IntArrayRef(options.normalized_shape()))
      .field("eps", options.eps())
      .field("elementwise_affine", options.elementwise_affine());
}
Tensor LayerNormImpl::forward(const Tensor& input) {
  return F::layer_norm(
      input, F::LayerNormFuncOptions(options.normalized_shape()).weight(weight).bias(bias).eps(options.eps()));
}

GroupNormImpl::GroupNormImpl(const GroupNormOptions& o) : options(o) { GroupNormImpl::reset(); }
void GroupNormImpl::reset() {
  const bool affine = options.affine();
  weight = register_parameter("weight", affine ? at::empty({options.num_channels()}) : Tensor(), affine);
  bias = register_parameter("bias", affine ? at::empty({options.num_channels()}) : Tensor(), affine);
  reset_parameters();
}
void GroupNormImpl::reset_parameters() {
  if (!weight.defined()) return;
  init::ones_(weight);
  init::zeros_(bias);
}
void GroupNormImpl::pretty_print(std::ostream& stream) const {
  Printed(stream, "GroupNorm")
      .value(options.num_groups())
      .value(options.num_channels())
      .field("eps", options.eps())
      .field("affine", options.affine());
}
Tensor GroupNormImpl::forward(const Tensor& input) {
  return F::group_norm(input,
                       F::GroupNormFuncOptions(options.num_groups()).weight(weight).bias(bias).eps(options.eps()));
}

Tensor LocalResponseNormImpl::forward(const Tensor& input) { return F::local_response_norm(input, options); }
void LocalResponseNormImpl::pretty_print(std::ostream& stream) const {
  Printed(stream, "LocalResponseNorm")
      .value(options.size())
      .field("alpha", options.alpha())
      .field("beta", options.beta())
      .field("k", options.k());
}
Tensor CrossMapLRN2dImpl::forward(const Tensor& input) {
  TORCH_CHECK(input.dim() == 4, "CrossMapLRN2d: Expected input to be 4D, got ", input.dim(), "D instead");
  // As LibTorch adds it up: channel by channel, the sum of the squares of a window that moves.
  const int64_t channels = input.size(1), reach = (options.size() - 1) / 2 + 1;
  const Tensor squares = input.pow(2);
  Tensor scale = at::empty_like(input);
  Tensor sum = scale.select(1, 0).zero_();
  for (int64_t c = 0; c < std::min(reach, channels); ++c) sum.add_(squares.select(1, c));
  for (int64_t c = 1; c < channels; ++c) {
    Tensor next = scale.select(1, c).copy_(scale.select(1, c - 1));
    if (c < channels - reach + 1) next.add_(squares.select(1, c + reach - 1));
    if (c > reach) next.sub_(squares.select(1, c - reach));
  }
  scale.mul_(options.alpha() / static_cast<double>(options.size())).add_(options.k());
  return scale.pow(-options.beta()).mul_(input);
}
void CrossMapLRN2dImpl::pretty_print(std::ostream& stream) const {
  Printed(stream, "CrossMapLRN2d")
      .value(options.size())
      .field("alpha", options.alpha())
      .field("beta", options.beta())
      .field("k", options.k());
}

}  // namespace nn
}  // namespace torch
