// torch::nn: transformers. Sequences are {length, batch, d_model}.
#pragma once

#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/container.h>
#include <torch/nn/modules/normalization.h>

namespace torch {
namespace nn {

// torch::kReLU, torch::kGELU or a function.
struct activation_t {
  activation_t(enumtype::Name n) : name(n) {}
  template <class F, class = decltype(at::Tensor(std::declval<F&>()(std::declval<const at::Tensor&>())))>
  activation_t(F f) : name(torch::kReLU), function(std::move(f)) {}
  at::Tensor operator()(const at::Tensor& x) const;
  enumtype::Name name;
  std::function<at::Tensor(const at::Tensor&)> function;
};

#define WICK_LAYER_OPTIONS(Name)                                               \
  struct Name {                                                                \
    Name(int64_t d_model, int64_t nhead) : d_model_(d_model), nhead_(nhead) {} \
    TORCH_ARG(int64_t, d_model);                                               \
    TORCH_ARG(int64_t, nhead);                                                 \
    TORCH_ARG(int64_t, dim_feedforward) = 2048;                                \
    TORCH_ARG(double, dropout) = 0.1;                                          \
    TORCH_ARG(activation_t, activation) = activation_t(torch::kReLU);          \
  };
WICK_LAYER_OPTIONS(TransformerEncoderLayerOptions)
WICK_LAYER_OPTIONS(TransformerDecoderLayerOptions)
#undef WICK_LAYER_OPTIONS

class TransformerEncoderLayerImpl : public Cloneable<TransformerEncoderLayerImpl> {
 public:
  TransformerEncoderLayerImpl(int64_t d_model, int64_t nhead)
      : TransformerEncoderLayerImpl(TransformerEncoderLayerOptions(d_model, nhead)) {}
  explicit TransformerEncoderLayerImpl(const TransformerEncoderLayerOptions& o);
  at::Tensor forward(const at::Tensor& src, const at::Tensor& src_mask = {},
                     const at::Tensor& src_key_padding_mask = {});
  void reset() override;
  void reset_parameters() {}
  TransformerEncoderLayerOptions options;
  MultiheadAttention self_attn = nullptr;
  Linear linear1 = nullptr;
  Dropout dropout = nullptr;
  Linear linear2 = nullptr;
  LayerNorm norm1 = nullptr;
  LayerNorm norm2 = nullptr;
  Dropout dropout1 = nullptr;
  Dropout dropout2 = nullptr;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(at::Tensor())}, {2, AnyValue(at::Tensor())})
};
TORCH_MODULE(TransformerEncoderLayer);

class TransformerDecoderLayerImpl : public Cloneable<TransformerDecoderLayerImpl> {
 public:
  TransformerDecoderLayerImpl(int64_t d_model, int64_t nhead)
      : TransformerDecoderLayerImpl(TransformerDecoderLayerOptions(d_model, nhead)) {}
  explicit TransformerDecoderLayerImpl(const TransformerDecoderLayerOptions& o);
  at::Tensor forward(at::Tensor tgt, const at::Tensor& memory, const at::Tensor& tgt_mask = {},
                     const at::Tensor& memory_mask = {}, const at::Tensor& tgt_key_padding_mask = {},
                     const at::Tensor& memory_key_padding_mask = {});
  void reset() override;
  void reset_parameters() {}
  TransformerDecoderLayerOptions options;
  MultiheadAttention self_attn = nullptr;
  Dropout dropout1 = nullptr;
  LayerNorm norm1 = nullptr;
  MultiheadAttention multihead_attn = nullptr;
  Dropout dropout2 = nullptr;
  LayerNorm norm2 = nullptr;
  Linear linear1 = nullptr;
  Dropout dropout = nullptr;
  Linear linear2 = nullptr;
  Dropout dropout3 = nullptr;
  LayerNorm norm3 = nullptr;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({2, AnyValue(at::Tensor())}, {3, AnyValue(at::Tensor())}, {4, AnyValue(at::Tensor())},
                           {5, AnyValue(at::Tensor())})
};
TORCH_MODULE(TransformerDecoderLayer);

#define WICK_CODER_OPTIONS(Name, Layer, layer_name)                                                         \
  struct Name {                                                                                             \
    Name(Layer layer, int64_t num_layers) : layer_name##_(std::move(layer)), num_layers_(num_layers) {}     \
    Name(const Layer##Options& o, int64_t num_layers) : layer_name##_(Layer(o)), num_layers_(num_layers) {} \
    TORCH_ARG(Layer, layer_name) = nullptr;                                                                 \
    TORCH_ARG(int64_t, num_layers);                                                                         \
    TORCH_ARG(AnyModule, norm);                                                                             \
  };
WICK_CODER_OPTIONS(TransformerEncoderOptions, TransformerEncoderLayer, encoder_layer)
WICK_CODER_OPTIONS(TransformerDecoderOptions, TransformerDecoderLayer, decoder_layer)
#undef WICK_CODER_OPTIONS

// Copies of one layer, and perhaps a norm behind them.
class TransformerEncoderImpl : public Cloneable<TransformerEncoderImpl> {
 public:
  TransformerEncoderImpl(TransformerEncoderLayer layer, int64_t num_layers)
      : TransformerEncoderImpl(TransformerEncoderOptions(std::move(layer), num_layers)) {}
  explicit TransformerEncoderImpl(TransformerEncoderOptions o);
  at::Tensor forward(const at::Tensor& src, const at::Tensor& src_mask = {},
                     const at::Tensor& src_key_padding_mask = {});
  void reset() override;
  void reset_parameters();
  TransformerEncoderOptions options;
  ModuleList layers = nullptr;
  AnyModule norm;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(at::Tensor())}, {2, AnyValue(at::Tensor())})
};
TORCH_MODULE(TransformerEncoder);
class TransformerDecoderImpl : public Cloneable<TransformerDecoderImpl> {
 public:
  TransformerDecoderImpl(TransformerDecoderLayer layer, int64_t num_layers)
      : TransformerDecoderImpl(TransformerDecoderOptions(std::move(layer), num_layers)) {}
  explicit TransformerDecoderImpl(TransformerDecoderOptions o);
  at::Tensor forward(const at::Tensor& tgt, const at::Tensor& memory, const at::Tensor& tgt_mask = {},
                     const at::Tensor& memory_mask = {}, const at::Tensor& tgt_key_padding_mask = {},
                     const at::Tensor& memory_key_padding_mask = {});
  void reset() override;
  void reset_parameters();
  TransformerDecoderOptions options;
  ModuleList layers = nullptr;
  AnyModule norm;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({2, AnyValue(at::Tensor())}, {3, AnyValue(at::Tensor())}, {4, AnyValue(at::Tensor())},
                           {5, AnyValue(at::Tensor())})
};
TORCH_MODULE(TransformerDecoder);

struct TransformerOptions {
  TransformerOptions() = default;
  TransformerOptions(int64_t d_model, int64_t nhead) : d_model_(d_model), nhead_(nhead) {}
  TransformerOptions(int64_t d_model, int64_t nhead, int64_t num_encoder_layers, int64_t num_decoder_layers)
      : d_model_(d_model),
        nhead_(nhead),
        num_encoder_layers_(num_encoder_layers),
        num_decoder_layers_(num_decoder_layers) {}
  TORCH_ARG(int64_t, d_model) = 512;
  TORCH_ARG(int64_t, nhead) = 8;
  TORCH_ARG(int64_t, num_encoder_layers) = 6;
  TORCH_ARG(int64_t, num_decoder_layers) = 6;
  TORCH_ARG(int64_t, dim_feedforward) = 2048;
  TORCH_ARG(double, dropout) = 0.1;
  TORCH_ARG(activation_t, activation) = activation_t(torch::kReLU);
  TORCH_ARG(AnyModule, custom_encoder);
  TORCH_ARG(AnyModule, custom_decoder);
};
class TransformerImpl : public Cloneable<TransformerImpl> {
 public:
  explicit TransformerImpl(TransformerOptions o);
  at::Tensor forward(const at::Tensor& src, const at::Tensor& tgt, const at::Tensor& src_mask = {},
                     const at::Tensor& tgt_mask = {}, const at::Tensor& memory_mask = {},
                     const at::Tensor& src_key_padding_mask = {}, const at::Tensor& tgt_key_padding_mask = {},
                     const at::Tensor& memory_key_padding_mask = {});
  void reset() override;
  void reset_parameters();
  // -inf above the diagonal.
  static at::Tensor generate_square_subsequent_mask(int64_t size);
  TransformerOptions options;
  AnyModule encoder;
  AnyModule decoder;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({2, AnyValue(at::Tensor())}, {3, AnyValue(at::Tensor())}, {4, AnyValue(at::Tensor())},
                           {5, AnyValue(at::Tensor())}, {6, AnyValue(at::Tensor())}, {7, AnyValue(at::Tensor())})
};
TORCH_MODULE(Transformer);

}  // namespace nn
}  // namespace torch
