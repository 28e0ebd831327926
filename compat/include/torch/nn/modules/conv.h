// torch::nn: convolutions.
#pragma once

#include <torch/nn/functional/conv.h>
#include <torch/nn/modules/common.h>

namespace torch {
namespace nn {

template <size_t D>
struct ConvOptions {
  using padding_mode_t = enumtype::Name;
  using padding_t = detail::ConvPadding<D>;
  ConvOptions(int64_t in, int64_t out, ExpandingArray<D> kernel_size)
      : in_channels_(in), out_channels_(out), kernel_size_(kernel_size) {}
  TORCH_ARG(int64_t, in_channels);
  TORCH_ARG(int64_t, out_channels);
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride) = 1;
  TORCH_ARG(padding_t, padding) = 0;
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
  TORCH_ARG(int64_t, groups) = 1;
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(padding_mode_t, padding_mode) = torch::kZeros;
};
template <size_t D>
struct ConvTransposeOptions {
  using padding_mode_t = enumtype::Name;
  ConvTransposeOptions(int64_t in, int64_t out, ExpandingArray<D> kernel_size)
      : in_channels_(in), out_channels_(out), kernel_size_(kernel_size) {}
  TORCH_ARG(int64_t, in_channels);
  TORCH_ARG(int64_t, out_channels);
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride) = 1;
  TORCH_ARG(ExpandingArray<D>, padding) = 0;
  TORCH_ARG(ExpandingArray<D>, output_padding) = 0;
  TORCH_ARG(int64_t, groups) = 1;
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
  TORCH_ARG(padding_mode_t, padding_mode) = torch::kZeros;
};

namespace detail {
// The weights of a convolution, made and printed the same way in every number of dimensions.
struct ConvShape {
  int64_t in, out, groups;
  bool bias, is_transposed;
  at::IntArrayRef kernel;
};
void make_conv_parameters(Module& module, const ConvShape& shape, at::Tensor& weight, at::Tensor& bias);
void reset_conv_parameters(at::Tensor& weight, at::Tensor& bias);
at::Tensor pad_as(const at::Tensor& input, at::IntArrayRef padding, const char* same_or_valid, at::IntArrayRef kernel,
                  at::IntArrayRef dilation, const enumtype::Name& mode);

template <size_t D, class Derived>
class ConvModule : public Cloneable<Derived> {
 public:
  ConvModule(int64_t in, int64_t out, ExpandingArray<D> kernel) : ConvModule(ConvOptions<D>(in, out, kernel)) {}
  explicit ConvModule(const ConvOptions<D>& o) : options(o) { ConvModule::reset(); }
  void reset() override {
    if (options.padding().name && options.padding().name == std::string("same")) {
      for (const int64_t stride : *options.stride()) {
        TORCH_CHECK(stride == 1, "padding='same' is not supported for strided convolutions");
      }
    }
    make_conv_parameters(
        *this,
        {options.in_channels(), options.out_channels(), options.groups(), options.bias(), false, options.kernel_size()},
        weight, bias);
  }
  void reset_parameters() { reset_conv_parameters(weight, bias); }
  void pretty_print(std::ostream& stream) const override;
  ConvOptions<D> options;
  at::Tensor weight;
  at::Tensor bias;
};
template <size_t D, class Derived>
class ConvTransposeModule : public Cloneable<Derived> {
 public:
  ConvTransposeModule(int64_t in, int64_t out, ExpandingArray<D> kernel)
      : ConvTransposeModule(ConvTransposeOptions<D>(in, out, kernel)) {}
  explicit ConvTransposeModule(const ConvTransposeOptions<D>& o) : options(o) { ConvTransposeModule::reset(); }
  void reset() override {
    make_conv_parameters(
        *this,
        {options.in_channels(), options.out_channels(), options.groups(), options.bias(), true, options.kernel_size()},
        weight, bias);
  }
  void reset_parameters() { reset_conv_parameters(weight, bias); }
  void pretty_print(std::ostream& stream) const override;
  ConvTransposeOptions<D> options;
  at::Tensor weight;
  at::Tensor bias;

 protected:
  std::vector<int64_t> output_padding_for(const at::Tensor& input, const c10::optional<at::IntArrayRef>& size) const;
};
}  // namespace detail

#define WICK_CONV(D)                                                                                               \
  using Conv##D##dOptions = ConvOptions<D>;                                                                        \
  using ConvTranspose##D##dOptions = ConvTransposeOptions<D>;                                                      \
  class Conv##D##dImpl : public detail::ConvModule<D, Conv##D##dImpl> {                                            \
   public:                                                                                                         \
    using ConvModule::ConvModule;                                                                                  \
    at::Tensor forward(const at::Tensor& input);                                                                   \
  };                                                                                                               \
  TORCH_MODULE(Conv##D##d);                                                                                        \
  class ConvTranspose##D##dImpl : public detail::ConvTransposeModule<D, ConvTranspose##D##dImpl> {                 \
   public:                                                                                                         \
    using ConvTransposeModule::ConvTransposeModule;                                                                \
    at::Tensor forward(const at::Tensor& input, const c10::optional<at::IntArrayRef>& output_size = c10::nullopt); \
                                                                                                                   \
   protected:                                                                                                      \
    FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(c10::optional<at::IntArrayRef>())})                                      \
  };                                                                                                               \
  TORCH_MODULE(ConvTranspose##D##d);
WICK_CONV(1)
WICK_CONV(2)
WICK_CONV(3)
#undef WICK_CONV

}  // namespace nn
}  // namespace torch
