// torch::nn::functional: dense layers, embeddings, dropout, folding.
#pragma once

#include <torch/expanding_array.h>

namespace torch {
namespace nn {

struct FoldOptions {
  FoldOptions(ExpandingArray<2> output_size, ExpandingArray<2> kernel_size)
      : output_size_(output_size), kernel_size_(kernel_size) {}
  TORCH_ARG(ExpandingArray<2>, output_size);
  TORCH_ARG(ExpandingArray<2>, kernel_size);
  TORCH_ARG(ExpandingArray<2>, dilation) = 1;
  TORCH_ARG(ExpandingArray<2>, padding) = 0;
  TORCH_ARG(ExpandingArray<2>, stride) = 1;
};
struct UnfoldOptions {
  UnfoldOptions(int64_t kernel_size) : kernel_size_(kernel_size) {}
  UnfoldOptions(ExpandingArray<2> kernel_size) : kernel_size_(kernel_size) {}
  UnfoldOptions(std::initializer_list<int64_t> kernel_size) : kernel_size_(kernel_size) {}
  TORCH_ARG(ExpandingArray<2>, kernel_size);
  TORCH_ARG(ExpandingArray<2>, dilation) = 1;
  TORCH_ARG(ExpandingArray<2>, padding) = 0;
  TORCH_ARG(ExpandingArray<2>, stride) = 1;
};

namespace functional {

inline at::Tensor linear(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias = {}) {
  return at::linear(input, weight, nn::detail::given(bias));
}
inline at::Tensor bilinear(const at::Tensor& a, const at::Tensor& b, const at::Tensor& weight,
                           const at::Tensor& bias = {}) {
  return at::bilinear(a, b, weight, nn::detail::given(bias));
}
inline at::Tensor one_hot(const at::Tensor& input, int64_t num_classes = -1) { return at::one_hot(input, num_classes); }

struct EmbeddingFuncOptions {
  TORCH_ARG(c10::optional<int64_t>, padding_idx) = c10::nullopt;
  TORCH_ARG(c10::optional<double>, max_norm) = c10::nullopt;
  TORCH_ARG(double, norm_type) = 2.;
  TORCH_ARG(bool, scale_grad_by_freq) = false;
  TORCH_ARG(bool, sparse) = false;
};
inline at::Tensor embedding(const at::Tensor& input, const at::Tensor& weight, const EmbeddingFuncOptions& o = {}) {
  if (o.max_norm()) at::embedding_renorm_(weight, input.contiguous(), *o.max_norm(), o.norm_type());
  return at::embedding(weight, input, o.padding_idx().value_or(-1), o.scale_grad_by_freq(), o.sparse());
}
struct EmbeddingBagFuncOptions {
  TORCH_ARG(at::Tensor, offsets) = {};
  TORCH_ARG(c10::optional<double>, max_norm) = c10::nullopt;
  TORCH_ARG(double, norm_type) = 2.;
  TORCH_ARG(bool, scale_grad_by_freq) = false;
  TORCH_ARG(enumtype::Name, mode) = torch::kMean;
  TORCH_ARG(bool, sparse) = false;
  TORCH_ARG(at::Tensor, per_sample_weights) = {};
  TORCH_ARG(bool, include_last_offset) = false;
  TORCH_ARG(c10::optional<int64_t>, padding_idx) = c10::nullopt;
};
at::Tensor embedding_bag(const at::Tensor& input, const at::Tensor& weight,
                         const EmbeddingBagFuncOptions& options = {});

#define WICK_DROPOUT_OPTIONS(Name)     \
  struct Name {                        \
    TORCH_ARG(double, p) = 0.5;        \
    TORCH_ARG(bool, training) = false; \
    TORCH_ARG(bool, inplace) = false;  \
  };
WICK_DROPOUT_OPTIONS(DropoutFuncOptions)
#undef WICK_DROPOUT_OPTIONS
using Dropout2dFuncOptions = DropoutFuncOptions;
using Dropout3dFuncOptions = DropoutFuncOptions;
using AlphaDropoutFuncOptions = DropoutFuncOptions;
using FeatureAlphaDropoutFuncOptions = DropoutFuncOptions;
inline void check_dropout(double p) {
  TORCH_CHECK(p >= 0. && p <= 1., "dropout probability has to be between 0 and 1, but got ", p);
}
inline at::Tensor dropout(at::Tensor input, const DropoutFuncOptions& o = {}) {
  check_dropout(o.p());
  return o.inplace() ? at::dropout_(input, o.p(), o.training()) : at::dropout(input, o.p(), o.training());
}
inline at::Tensor dropout2d(at::Tensor input, const Dropout2dFuncOptions& o = {}) {
  check_dropout(o.p());
  return o.inplace() ? at::feature_dropout_(input, o.p(), o.training())
                     : at::feature_dropout(input, o.p(), o.training());
}
inline at::Tensor dropout3d(at::Tensor input, const Dropout3dFuncOptions& o = {}) {
  check_dropout(o.p());
  return o.inplace() ? at::feature_dropout_(input, o.p(), o.training())
                     : at::feature_dropout(input, o.p(), o.training());
}
inline at::Tensor alpha_dropout(at::Tensor input, const AlphaDropoutFuncOptions& o = {}) {
  check_dropout(o.p());
  return o.inplace() ? at::alpha_dropout_(input, o.p(), o.training()) : at::alpha_dropout(input, o.p(), o.training());
}

inline at::Tensor feature_alpha_dropout(at::Tensor input, const FeatureAlphaDropoutFuncOptions& o = {}) {
  check_dropout(o.p());
  return o.inplace() ? at::feature_alpha_dropout_(input, o.p(), o.training())
                     : at::feature_alpha_dropout(input, o.p(), o.training());
}

using FoldFuncOptions = FoldOptions;
using UnfoldFuncOptions = UnfoldOptions;
inline at::Tensor fold(const at::Tensor& input, const FoldFuncOptions& o) {
  return at::col2im(input, o.output_size(), o.kernel_size(), o.dilation(), o.padding(), o.stride());
}
inline at::Tensor unfold(const at::Tensor& input, const UnfoldFuncOptions& o) {
  return at::im2col(input, o.kernel_size(), o.dilation(), o.padding(), o.stride());
}

}  // namespace functional
}  // namespace nn
}  // namespace torch
