// Attention, and the fused transformer layer of PyTorch's inference fast path.
#pragma once

#include <tuple>

#include "ops/boxing.h"

namespace wick::ops {

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const OptTensor& attn_mask, double dropout_p, bool is_causal,
                                    std::optional<double> scale, bool enable_gqa);
// aten::_scaled_dot_product_attention of 1.13: (output, weights).
std::tuple<Tensor, Tensor> scaled_dot_product_attention_weights(const Tensor& query, const Tensor& key,
                                                                const Tensor& value, const OptTensor& attn_mask,
                                                                double dropout_p, bool need_attn_weights,
                                                                bool is_causal);
// (output, logarithm of the sums of exponentials): the fused kernel's operator, without dropout.
std::tuple<Tensor, Tensor> scaled_dot_product_flash_attention_for_cpu(const Tensor& query, const Tensor& key,
                                                                      const Tensor& value, double dropout_p,
                                                                      bool is_causal, const OptTensor& attn_mask,
                                                                      std::optional<double> scale);
// mask_type: 0 one mask for all (length x length), 1 keys to leave out (batch x length), 2 of the scores' own shape.
// True leaves out.
Tensor masked_softmax(const Tensor& self, const Tensor& mask, std::optional<int64_t> dim,
                      std::optional<int64_t> mask_type);
// [batch, length, 3 * dim] -> query (scaled), key, value as [batch, heads, length, dim / heads], biases added.
std::tuple<Tensor, Tensor, Tensor> transform_bias_rescale_qkv(const Tensor& qkv, const Tensor& qkv_bias,
                                                              int64_t num_heads);
std::tuple<Tensor, Tensor> native_multi_head_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                                       int64_t embed_dim, int64_t num_head, const Tensor& qkv_weight,
                                                       const Tensor& qkv_bias, const Tensor& proj_weight,
                                                       const Tensor& proj_bias, const OptTensor& mask,
                                                       bool need_weights, bool average_attn_weights,
                                                       std::optional<int64_t> mask_type);
Tensor transformer_encoder_layer_fwd(const Tensor& src, int64_t embed_dim, int64_t num_heads, const Tensor& qkv_weight,
                                     const Tensor& qkv_bias, const Tensor& proj_weight, const Tensor& proj_bias,
                                     bool use_gelu, bool norm_first, double eps, const Tensor& norm_weight_1,
                                     const Tensor& norm_bias_1, const Tensor& norm_weight_2, const Tensor& norm_bias_2,
                                     const Tensor& ffn_weight_1, const Tensor& ffn_bias_1, const Tensor& ffn_weight_2,
                                     const Tensor& ffn_bias_2, const OptTensor& mask, std::optional<int64_t> mask_type);

// Nested tensors are held padded, with the length of each row beside them; the fused encoder layer knows them.
bool nested_tensor_from_mask_left_aligned(const Tensor& t, const Tensor& mask);
Tensor nested_tensor_from_mask(const Tensor& t, const Tensor& mask, bool mask_check);
bool is_nested(const Tensor& t);
// True where the padded form of a nested tensor holds padding.
Tensor nested_padding_mask(const Tensor& t);
// Rows of `values` between offsets, as rows of a padded batch, and back; one jagged dim.
Tensor jagged_to_padded_dense(const Tensor& values, const TensorList& offsets, IntSpan max_lengths,
                              double padding_value);
Tensor padded_dense_to_jagged(const Tensor& dense, const TensorList& offsets, std::optional<int64_t> total);
Tensor to_padded_tensor(const Tensor& self, double padding, const std::optional<IntVec>& output_size);

}  // namespace wick::ops
