// The fused encoder layer of PyTorch's inference fast path.
#include "core/tensor_impl.h"
#include "ops/matmul/matmul.h"
#include "ops/nn/attention.h"
#include "ops/nn/common.h"
#include "ops/nn/norm.h"
#include "ops/pointwise/activation.h"
#include "ops/pointwise/pointwise.h"

namespace wick::ops {

Tensor transformer_encoder_layer_fwd(const Tensor& src, int64_t embed_dim, int64_t num_heads, const Tensor& qkv_weight,
                                     const Tensor& qkv_bias, const Tensor& proj_weight, const Tensor& proj_bias,
                                     bool use_gelu, bool norm_first, double eps, const Tensor& norm_weight_1,
                                     const Tensor& norm_bias_1, const Tensor& norm_weight_2, const Tensor& norm_bias_2,
                                     const Tensor& ffn_weight_1, const Tensor& ffn_bias_1, const Tensor& ffn_weight_2,
                                     const Tensor& ffn_bias_2, const OptTensor& mask_given,
                                     std::optional<int64_t> mask_type_given) {
  const bool nested = is_nested(src);
  WICK_CHECK(!nested || !mask_given, kUnsupported, "a nested tensor with an attention mask is not supported");
  const OptTensor mask = nested ? OptTensor(nested_padding_mask(src)) : mask_given;
  const std::optional<int64_t> mask_type = nested ? 1 : mask_type_given;
  auto norm = [&](const Tensor& t, const Tensor& weight, const Tensor& bias) {
    return layer_norm(t, {embed_dim}, weight, bias, eps, true);
  };
  Tensor x = norm_first ? norm(src, norm_weight_1, norm_bias_1) : src;
  x = std::get<0>(native_multi_head_attention(x, x, x, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight,
                                              proj_bias, mask, false, true, mask_type));
  x = add(x, src);
  if (!norm_first) x = norm(x, norm_weight_1, norm_bias_1);
  const Tensor residual = x;
  if (norm_first) x = norm(x, norm_weight_2, norm_bias_2);
  x = linear(x, ffn_weight_1, ffn_bias_1);
  x = use_gelu ? gelu(x) : relu(x);
  x = add(linear(x, ffn_weight_2, ffn_bias_2), residual);
  if (!norm_first) x = norm(x, norm_weight_2, norm_bias_2);
  x.impl()->row_lengths = src.impl()->row_lengths;
  return x;
}

}  // namespace wick::ops
