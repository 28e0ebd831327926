// torch::nn::functional: convolutions.
#pragma once

#include <torch/expanding_array.h>

namespace torch {
namespace nn {
namespace detail {
// Numbers, or torch::kValid or torch::kSame.
template <size_t D>
struct ConvPadding {
  ConvPadding(ExpandingArray<D> v) : values(v) {}
  ConvPadding(int64_t v) : values(v) {}
  ConvPadding(std::initializer_list<int64_t> v) : values(v) {}
  ConvPadding(const std::vector<int64_t>& v) : values(v) {}
  ConvPadding(enumtype::kValid) : values(0), name("valid") {}
  ConvPadding(enumtype::kSame) : values(0), name("same") {}
  ExpandingArray<D> values;
  const char* name = nullptr;
};
}  // namespace detail

namespace functional {

template <size_t D>
struct ConvFuncOptions {
  using padding_t = nn::detail::ConvPadding<D>;
  TORCH_ARG(at::Tensor, bias) = at::Tensor();
  TORCH_ARG(ExpandingArray<D>, stride) = 1;
  TORCH_ARG(padding_t, padding) = 0;
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
  TORCH_ARG(int64_t, groups) = 1;
};
using Conv1dFuncOptions = ConvFuncOptions<1>;
using Conv2dFuncOptions = ConvFuncOptions<2>;
using Conv3dFuncOptions = ConvFuncOptions<3>;
template <size_t D>
struct ConvTransposeFuncOptions {
  TORCH_ARG(at::Tensor, bias) = at::Tensor();
  TORCH_ARG(ExpandingArray<D>, stride) = 1;
  TORCH_ARG(ExpandingArray<D>, padding) = 0;
  TORCH_ARG(ExpandingArray<D>, output_padding) = 0;
  TORCH_ARG(int64_t, groups) = 1;
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
};
using ConvTranspose1dFuncOptions = ConvTransposeFuncOptions<1>;
using ConvTranspose2dFuncOptions = ConvTransposeFuncOptions<2>;
using ConvTranspose3dFuncOptions = ConvTransposeFuncOptions<3>;

#define WICK_CONV(D)                                                                                               \
  inline at::Tensor conv##D##d(const at::Tensor& input, const at::Tensor& weight,                                  \
                               const Conv##D##dFuncOptions& o = {}) {                                              \
    const auto bias = nn::detail::given(o.bias());                                                                 \
    return o.padding().name ? at::conv##D##d(input, weight, bias, o.stride(), c10::string_view(o.padding().name),  \
                                             o.dilation(), o.groups())                                             \
                            : at::conv##D##d(input, weight, bias, o.stride(), at::IntArrayRef(o.padding().values), \
                                             o.dilation(), o.groups());                                            \
  }                                                                                                                \
  inline at::Tensor conv_transpose##D##d(const at::Tensor& input, const at::Tensor& weight,                        \
                                         const ConvTranspose##D##dFuncOptions& o = {}) {                           \
    return at::conv_transpose##D##d(input, weight, nn::detail::given(o.bias()), o.stride(), o.padding(),           \
                                    o.output_padding(), o.groups(), o.dilation());                                 \
  }
WICK_CONV(1)
WICK_CONV(2)
WICK_CONV(3)
#undef WICK_CONV

}  // namespace functional
}  // namespace nn
}  // namespace torch
