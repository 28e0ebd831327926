// torch::nn: attention and transformers.
#include <torch/nn/init.h>
#include <torch/nn/modules/transformer.h>

#include <cmath>
#include <limits>

namespace torch {
namespace nn {

using at::Tensor;

MultiheadAttentionImpl::MultiheadAttentionImpl(const MultiheadAttentionOptions& o) : options(o) {
  MultiheadAttentionImpl::reset();
}
void MultiheadAttentionImpl::reset() {
  const int64_t embed = options.embed_dim();
  _qkv_same_embed_dim = options.kdim() == embed && options.vdim() == embed;
  head_dim = embed / options.num_heads();
  TORCH_CHECK(head_dim * options.num_heads() == embed, "embed_dim must be divisible by num_heads");
  if (_qkv_same_embed_dim) {
    in_proj_weight = register_parameter("in_proj_weight", at::empty({3 * embed, embed}));
  } else {
    q_proj_weight = register_parameter("q_proj_weight", at::empty({embed, embed}));
    k_proj_weight = register_parameter("k_proj_weight", at::empty({embed, options.kdim()}));
    v_proj_weight = register_parameter("v_proj_weight", at::empty({embed, options.vdim()}));
  }
  const Tensor none;
  if (!_qkv_same_embed_dim) in_proj_weight = register_parameter("in_proj_weight", none, false);
  in_proj_bias = register_parameter("in_proj_bias", options.bias() ? at::empty({3 * embed}) : none, options.bias());
  out_proj = register_module("out_proj", Linear(LinearOptions(embed, embed).bias(options.bias())));
  const bool kv = options.add_bias_kv();
  bias_k = register_parameter("bias_k", kv ? at::empty({1, 1, embed}) : none, kv);
  bias_v = register_parameter("bias_v", kv ? at::empty({1, 1, embed}) : none, kv);
  _reset_parameters();
}
void MultiheadAttentionImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::MultiheadAttention"; }
void MultiheadAttentionImpl::_reset_parameters() {
  if (_qkv_same_embed_dim) {
    init::xavier_uniform_(in_proj_weight);
  } else {
    init::xavier_uniform_(q_proj_weight);
    init::xavier_uniform_(k_proj_weight);
    init::xavier_uniform_(v_proj_weight);
  }
  if (in_proj_bias.defined()) {
    init::constant_(in_proj_bias, 0.);
    init::constant_(out_proj->bias, 0.);
  }
  if (bias_k.defined()) init::xavier_normal_(bias_k);
  if (bias_v.defined()) init::xavier_normal_(bias_v);
}

std::tuple<Tensor, Tensor> MultiheadAttentionImpl::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                                           const Tensor& key_padding_mask, bool need_weights,
                                                           const Tensor& attn_mask, bool average_attn_weights) {
  const int64_t length = query.size(0), batch = query.size(1), embed = query.size(2), heads = options.num_heads();
  TORCH_CHECK(embed == options.embed_dim(), "the query has ", embed, " features, but embed_dim is ",
              options.embed_dim());
  TORCH_CHECK(key.size(0) == value.size(0) && key.size(1) == value.size(1),
              "the keys and the values have different lengths or batches");
  const auto projection = [&](const Tensor& x, const Tensor& own, int64_t part) {
    const Tensor weight = _qkv_same_embed_dim ? in_proj_weight.slice(0, part * embed, (part + 1) * embed) : own;
    const auto bias = in_proj_bias.defined()
                          ? c10::optional<Tensor>(in_proj_bias.slice(0, part * embed, (part + 1) * embed))
                          : c10::nullopt;
    return at::linear(x, weight, bias);
  };
  const Tensor q = projection(query, q_proj_weight, 0) * std::pow(static_cast<double>(head_dim), -0.5);
  Tensor k = projection(key, k_proj_weight, 1), v = projection(value, v_proj_weight, 2);
  Tensor mask = attn_mask, padding = key_padding_mask;
  const auto one_more_key = [&] {
    if (mask.defined()) mask = at::pad(mask, {0, 1});
    if (padding.defined()) padding = at::pad(padding, {0, 1});
  };
  if (bias_k.defined()) {
    k = at::cat({k, bias_k.repeat({1, batch, 1})});
    v = at::cat({v, bias_v.repeat({1, batch, 1})});
    one_more_key();
  }
  // {batch * heads, length, head_dim}
  const auto by_head = [&](const Tensor& x) {
    return x.contiguous().view({-1, batch * heads, head_dim}).transpose(0, 1);
  };
  const Tensor q_heads = by_head(q);
  Tensor k_heads = by_head(k), v_heads = by_head(v);
  if (options.add_zero_attn()) {
    const Tensor zero = at::zeros({batch * heads, 1, head_dim}, k_heads.options());
    k_heads = at::cat({k_heads, zero}, 1);
    v_heads = at::cat({v_heads, zero}, 1);
    one_more_key();
  }
  const int64_t keys = k_heads.size(1);
  TORCH_CHECK(!padding.defined() || (padding.size(0) == batch && padding.size(1) == keys),
              "key_padding_mask must be {batch, keys}: {", batch, ", ", keys, "}");
  const double minus_infinity = -std::numeric_limits<double>::infinity();
  Tensor scores = at::bmm(q_heads, k_heads.transpose(1, 2));
  if (mask.defined()) {
    if (mask.dim() == 2) mask = mask.unsqueeze(0);
    scores = scores + mask;  // a mask of bools, too, as LibTorch does
  }
  if (padding.defined()) {
    scores = scores.view({batch, heads, length, keys})
                 .masked_fill(padding.to(at::kBool).unsqueeze(1).unsqueeze(2), minus_infinity)
                 .view({batch * heads, length, keys});
  }
  const Tensor weights = at::dropout(at::softmax(scores, -1), options.dropout(), is_training());
  const Tensor out = at::bmm(weights, v_heads).transpose(0, 1).contiguous().view({length, batch, embed});
  const Tensor result = out_proj->forward(out);
  if (!need_weights) return std::make_tuple(result, Tensor());
  const Tensor shown = weights.view({batch, heads, length, keys});
  return std::make_tuple(result, average_attn_weights ? shown.sum(1) / heads : shown);
}

Tensor activation_t::operator()(const Tensor& x) const {
  if (function) return function(x);
  TORCH_CHECK(name == kReLU || name == kGELU, "activation should be kGELU, kReLU, or a callable");
  return name == kGELU ? at::gelu(x) : at::relu(x);
}

TransformerEncoderLayerImpl::TransformerEncoderLayerImpl(const TransformerEncoderLayerOptions& o) : options(o) {
  TransformerEncoderLayerImpl::reset();
}
void TransformerEncoderLayerImpl::reset() {
  const int64_t d = options.d_model();
  self_attn = register_module(
      "self_attn", MultiheadAttention(MultiheadAttentionOptions(d, options.nhead()).dropout(options.dropout())));
  linear1 = register_module("linear1", Linear(d, options.dim_feedforward()));
  dropout = register_module("dropout", Dropout(options.dropout()));
  linear2 = register_module("linear2", Linear(options.dim_feedforward(), d));
  norm1 = register_module("norm1", LayerNorm(LayerNormOptions({d})));
  norm2 = register_module("norm2", LayerNorm(LayerNormOptions({d})));
  dropout1 = register_module("dropout1", Dropout(options.dropout()));
  dropout2 = register_module("dropout2", Dropout(options.dropout()));
}
Tensor TransformerEncoderLayerImpl::forward(const Tensor& src, const Tensor& src_mask, const Tensor& padding) {
  const Tensor attended = std::get<0>(self_attn(src, src, src, padding, true, src_mask));
  const Tensor x = norm1(src + dropout1(attended));
  return norm2(x + dropout2(linear2(dropout(options.activation()(linear1(x))))));
}

TransformerDecoderLayerImpl::TransformerDecoderLayerImpl(const TransformerDecoderLayerOptions& o) : options(o) {
  TransformerDecoderLayerImpl::reset();
}
void TransformerDecoderLayerImpl::reset() {
  const int64_t d = options.d_model();
  const auto attention = MultiheadAttentionOptions(d, options.nhead()).dropout(options.dropout());
  self_attn = register_module("self_attn", MultiheadAttention(attention));
  multihead_attn = register_module("multihead_attn", MultiheadAttention(attention));
  linear1 = register_module("linear1", Linear(d, options.dim_feedforward()));
  dropout = register_module("dropout", Dropout(options.dropout()));
  linear2 = register_module("linear2", Linear(options.dim_feedforward(), d));
  norm1 = register_module("norm1", LayerNorm(LayerNormOptions({d})));
  norm2 = register_module("norm2", LayerNorm(LayerNormOptions({d})));
  norm3 = register_module("norm3", LayerNorm(LayerNormOptions({d})));
  dropout1 = register_module("dropout1", Dropout(options.dropout()));
  dropout2 = register_module("dropout2", Dropout(options.dropout()));
  dropout3 = register_module("dropout3", Dropout(options.dropout()));
}
Tensor TransformerDecoderLayerImpl::forward(Tensor tgt, const Tensor& memory, const Tensor& tgt_mask,
                                            const Tensor& memory_mask, const Tensor& tgt_padding,
                                            const Tensor& memory_padding) {
  Tensor x = norm1(tgt + dropout1(std::get<0>(self_attn(tgt, tgt, tgt, tgt_padding, false, tgt_mask))));
  x = norm2(x + dropout2(std::get<0>(multihead_attn(x, memory, memory, memory_padding, false, memory_mask))));
  return norm3(x + dropout3(linear2(dropout(options.activation()(linear1(x))))));
}

TransformerEncoderImpl::TransformerEncoderImpl(TransformerEncoderOptions o) : options(std::move(o)) {
  TransformerEncoderImpl::reset();
}
void TransformerEncoderImpl::reset() {
  layers = register_module("layers", ModuleList());
  for (int64_t i = 0; i < options.num_layers(); ++i) layers->push_back(options.encoder_layer()->clone());
  if (options.norm().is_empty()) return;
  norm = options.norm().clone();
  register_module("norm", norm.ptr());
}
void TransformerEncoderImpl::reset_parameters() {
  TORCH_CHECK(layers->size() == static_cast<size_t>(options.num_layers()), "TransformerEncoder should have ",
              options.num_layers(), " encoder layers, but got ", layers->size());
}
Tensor TransformerEncoderImpl::forward(const Tensor& src, const Tensor& src_mask, const Tensor& padding) {
  Tensor x = src;
  for (size_t i = 0; i < layers->size(); ++i) {
    x = layers->at<TransformerEncoderLayerImpl>(i).forward(x, src_mask, padding);
  }
  return norm.is_empty() ? x : norm.forward<Tensor>(x);
}
TransformerDecoderImpl::TransformerDecoderImpl(TransformerDecoderOptions o) : options(std::move(o)) {
  TransformerDecoderImpl::reset();
}
void TransformerDecoderImpl::reset() {
  layers = register_module("layers", ModuleList());
  for (int64_t i = 0; i < options.num_layers(); ++i) layers->push_back(options.decoder_layer()->clone());
  if (options.norm().is_empty()) return;
  norm = options.norm().clone();
  register_module("norm", norm.ptr());
}
void TransformerDecoderImpl::reset_parameters() {}
Tensor TransformerDecoderImpl::forward(const Tensor& tgt, const Tensor& memory, const Tensor& tgt_mask,
                                       const Tensor& memory_mask, const Tensor& tgt_padding,
                                       const Tensor& memory_padding) {
  Tensor x = tgt;
  for (size_t i = 0; i < layers->size(); ++i) {
    x = layers->at<TransformerDecoderLayerImpl>(i).forward(x, memory, tgt_mask, memory_mask, tgt_padding,
                                                           memory_padding);
  }
  return norm.is_empty() ? x : norm.forward<Tensor>(x);
}

TransformerImpl::TransformerImpl(TransformerOptions o) : options(std::move(o)) { TransformerImpl::reset(); }
void TransformerImpl::reset() {
  const int64_t d = options.d_model();
  if (options.custom_encoder().is_empty()) {
    const LayerNorm last(LayerNormOptions({d}));
    const auto layer = TransformerEncoderLayerOptions(d, options.nhead())
                           .dim_feedforward(options.dim_feedforward())
                           .dropout(options.dropout())
                           .activation(options.activation());
    encoder = AnyModule(
        TransformerEncoder(TransformerEncoderOptions(layer, options.num_encoder_layers()).norm(AnyModule(last))));
  } else {
    encoder = options.custom_encoder().clone();
  }
  register_module("encoder", encoder.ptr());
  if (options.custom_decoder().is_empty()) {
    const LayerNorm last(LayerNormOptions({d}));
    const auto layer = TransformerDecoderLayerOptions(d, options.nhead())
                           .dim_feedforward(options.dim_feedforward())
                           .dropout(options.dropout())
                           .activation(options.activation());
    decoder = AnyModule(
        TransformerDecoder(TransformerDecoderOptions(layer, options.num_decoder_layers()).norm(AnyModule(last))));
  } else {
    decoder = options.custom_decoder().clone();
  }
  register_module("decoder", decoder.ptr());
  reset_parameters();
}
void TransformerImpl::reset_parameters() {
  for (const Tensor& t : parameters()) {
    if (t.dim() > 1) init::xavier_uniform_(t);
  }
}
Tensor TransformerImpl::forward(const Tensor& src, const Tensor& tgt, const Tensor& src_mask, const Tensor& tgt_mask,
                                const Tensor& memory_mask, const Tensor& src_padding, const Tensor& tgt_padding,
                                const Tensor& memory_padding) {
  TORCH_CHECK(src.dim() == 3 && tgt.dim() == 3, "src and tgt should have 3 dimensions, but got ", src.dim(), " and ",
              tgt.dim());
  TORCH_CHECK(src.size(1) == tgt.size(1), "src and tgt should have equal batch size (at dim 1), but got ", src.size(1),
              " and ", tgt.size(1));
  TORCH_CHECK(src.size(2) == options.d_model() && tgt.size(2) == options.d_model(),
              "src and tgt should have same feature size as d_model (at dim 2), but got ", src.size(2), " and ",
              tgt.size(2), " while d_model is ", options.d_model());
  const Tensor memory = encoder.forward<Tensor>(src, src_mask, src_padding);
  return decoder.forward<Tensor>(tgt, memory, tgt_mask, memory_mask, tgt_padding, memory_padding);
}
Tensor TransformerImpl::generate_square_subsequent_mask(int64_t size) {
  return at::triu(at::full({size, size}, -std::numeric_limits<double>::infinity()), 1);
}

}  // namespace nn
}  // namespace torch
