// torch::nn: activations and attention.
#pragma once

#include <torch/nn/functional/activation.h>
#include <torch/nn/modules/linear.h>

namespace torch {
namespace nn {

struct RReLUOptions {
  TORCH_ARG(double, lower) = 1.0 / 8.0;
  TORCH_ARG(double, upper) = 1.0 / 3.0;
  TORCH_ARG(bool, inplace) = false;
};
struct MultiheadAttentionOptions {
  MultiheadAttentionOptions(int64_t embed_dim, int64_t num_heads)
      : embed_dim_(embed_dim), num_heads_(num_heads), kdim_(embed_dim), vdim_(embed_dim) {}
  TORCH_ARG(int64_t, embed_dim);
  TORCH_ARG(int64_t, num_heads);
  TORCH_ARG(double, dropout) = 0.0;
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(bool, add_bias_kv) = false;
  TORCH_ARG(bool, add_zero_attn) = false;
  TORCH_ARG(int64_t, kdim);
  TORCH_ARG(int64_t, vdim);
};

WICK_MODULE(ELU, ELUOptions);
WICK_MODULE(SELU, SELUOptions);
WICK_MODULE(CELU, CELUOptions);
WICK_MODULE(GLU, GLUOptions);
WICK_MODULE(GELU, GELUOptions);
WICK_MODULE(ReLU, ReLUOptions);
WICK_MODULE(ReLU6, ReLU6Options);
WICK_MODULE(RReLU, RReLUOptions);
WICK_MODULE(LeakyReLU, LeakyReLUOptions);
WICK_MODULE(Hardshrink, HardshrinkOptions);
WICK_MODULE(Hardtanh, HardtanhOptions);
WICK_MODULE(Softshrink, SoftshrinkOptions);
WICK_MODULE(Softplus, SoftplusOptions);
WICK_MODULE(Softmax, SoftmaxOptions);
WICK_MODULE(Softmin, SoftminOptions);
WICK_MODULE(LogSoftmax, LogSoftmaxOptions);
WICK_PLAIN_MODULE(Softmax2d);
WICK_PLAIN_MODULE(LogSigmoid);
WICK_PLAIN_MODULE(SiLU);
WICK_PLAIN_MODULE(Mish);
WICK_PLAIN_MODULE(Sigmoid);
WICK_PLAIN_MODULE(Softsign);
WICK_PLAIN_MODULE(Tanh);
WICK_PLAIN_MODULE(Tanhshrink);

class ThresholdImpl : public detail::OptionsModule<ThresholdImpl, ThresholdOptions> {
 public:
  ThresholdImpl(double threshold, double value) : ThresholdImpl(ThresholdOptions(threshold, value)) {}
  explicit ThresholdImpl(const ThresholdOptions& o) : OptionsModule(o) {}
  at::Tensor forward(const at::Tensor& input);
  void pretty_print(std::ostream& stream) const override;
};
TORCH_MODULE(Threshold);
class PReLUImpl : public Cloneable<PReLUImpl> {
 public:
  explicit PReLUImpl(const PReLUOptions& o = {});
  void reset() override;
  at::Tensor forward(const at::Tensor& input);
  void pretty_print(std::ostream& stream) const override;
  PReLUOptions options;
  at::Tensor weight;
};
TORCH_MODULE(PReLU);

// Queries, keys and values are {length, batch, embed_dim}.
class MultiheadAttentionImpl : public Cloneable<MultiheadAttentionImpl> {
 public:
  MultiheadAttentionImpl(int64_t embed_dim, int64_t num_heads)
      : MultiheadAttentionImpl(MultiheadAttentionOptions(embed_dim, num_heads)) {}
  explicit MultiheadAttentionImpl(const MultiheadAttentionOptions& o);
  std::tuple<at::Tensor, at::Tensor> forward(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                             const at::Tensor& key_padding_mask = {}, bool need_weights = true,
                                             const at::Tensor& attn_mask = {}, bool average_attn_weights = true);
  void reset() override;
  void pretty_print(std::ostream& stream) const override;
  void _reset_parameters();
  MultiheadAttentionOptions options;
  bool _qkv_same_embed_dim = true;
  at::Tensor in_proj_weight;
  at::Tensor in_proj_bias;
  at::Tensor bias_k;
  at::Tensor bias_v;
  Linear out_proj = nullptr;
  at::Tensor q_proj_weight;
  at::Tensor k_proj_weight;
  at::Tensor v_proj_weight;
  int64_t head_dim = 0;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({3, AnyValue(at::Tensor())}, {4, AnyValue(true)}, {5, AnyValue(at::Tensor())},
                           {6, AnyValue(true)})
};
TORCH_MODULE(MultiheadAttention);

}  // namespace nn
}  // namespace torch
