// torch::nn: resizing and padding.
#pragma once

#include <torch/nn/functional/vision.h>
#include <torch/nn/modules/common.h>

namespace torch {
namespace nn {

template <size_t D>
struct PaddingOptions {
  PaddingOptions(ExpandingArray<D * 2> padding) : padding_(padding) {}
  PaddingOptions(int64_t padding) : padding_(padding) {}
  PaddingOptions(std::initializer_list<int64_t> padding) : padding_(padding) {}
  PaddingOptions(const std::vector<int64_t>& padding) : padding_(padding) {}
  TORCH_ARG(ExpandingArray<D * 2>, padding);
};
template <size_t D>
struct ConstantPadOptions {
  ConstantPadOptions(ExpandingArray<D * 2> padding, double value) : padding_(padding), value_(value) {}
  TORCH_ARG(ExpandingArray<D * 2>, padding);
  TORCH_ARG(double, value);
};
#define WICK_PAD(D)                                                                                          \
  using ReflectionPad##D##dOptions = PaddingOptions<D>;                                                      \
  using ReplicationPad##D##dOptions = PaddingOptions<D>;                                                     \
  using ConstantPad##D##dOptions = ConstantPadOptions<D>;                                                    \
  WICK_MODULE(ReflectionPad##D##d, ReflectionPad##D##dOptions);                                              \
  WICK_MODULE(ReplicationPad##D##d, ReplicationPad##D##dOptions);                                            \
  class ConstantPad##D##dImpl : public detail::OptionsModule<ConstantPad##D##dImpl, ConstantPadOptions<D>> { \
   public:                                                                                                   \
    ConstantPad##D##dImpl(ExpandingArray<D * 2> padding, double value)                                       \
        : ConstantPad##D##dImpl(ConstantPadOptions<D>(padding, value)) {}                                    \
    explicit ConstantPad##D##dImpl(const ConstantPadOptions<D>& o) : OptionsModule(o) {}                     \
    at::Tensor forward(const at::Tensor& input);                                                             \
    void pretty_print(std::ostream& stream) const override;                                                  \
  };                                                                                                         \
  TORCH_MODULE(ConstantPad##D##d);
WICK_PAD(1)
WICK_PAD(2)
WICK_PAD(3)
#undef WICK_PAD
using ZeroPad2dOptions = PaddingOptions<2>;
WICK_MODULE(ZeroPad2d, ZeroPad2dOptions);
WICK_MODULE(Upsample, UpsampleOptions);
WICK_MODULE(PixelShuffle, PixelShuffleOptions);
WICK_MODULE(PixelUnshuffle, PixelUnshuffleOptions);

}  // namespace nn
}  // namespace torch
