// The operator list of attention.
#include "ops/families.h"
#include "ops/nn/attention.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
       "float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor",
       scaled_dot_product_attention, nondeterministic_seeded, shapes_only, rounds_once),
    OP("aten::_scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
       "float dropout_p=0., bool need_attn_weights=False, bool is_causal=False) -> (Tensor, Tensor)",
       scaled_dot_product_attention_weights, nondeterministic_seeded),
    OP("aten::_scaled_dot_product_attention_forward(Tensor query, Tensor key, Tensor value, "
       "Tensor? attn_mask=None, float dropout_p=0., bool need_attn_weights=False, "
       "bool is_causal=False) -> (Tensor, Tensor)",
       scaled_dot_product_attention_weights, nondeterministic_seeded),
    OP("aten::_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, "
       "Tensor? attn_mask=None, float dropout_p=0., bool need_attn_weights=False, "
       "bool is_causal=False) -> (Tensor, Tensor)",
       scaled_dot_product_attention_weights, nondeterministic_seeded),
    OP("aten::_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float "
       "dropout_p=0., bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor output, "
       "Tensor logsumexp)",
       scaled_dot_product_flash_attention_for_cpu, nondeterministic_seeded),
    OP("aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor", masked_softmax,
       deterministic),
    OP_OUT("aten::_masked_softmax.out(Tensor self, Tensor mask, int? dim=None, int? mask_type=None, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           masked_softmax, deterministic),
    OP("aten::_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads) -> (Tensor, Tensor, "
       "Tensor)",
       transform_bias_rescale_qkv, deterministic),
    OP_OUT("aten::_transform_bias_rescale_qkv.out(Tensor qkv, Tensor qkv_bias, int num_heads, *, "
           "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))",
           transform_bias_rescale_qkv, deterministic),
    OP("aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, "
       "int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, "
       "Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, "
       "int? mask_type=None) -> (Tensor, Tensor)",
       native_multi_head_attention, shapes_only),
    OP_OUT("aten::_native_multi_head_attention.out(Tensor query, Tensor key, Tensor value, int embed_dim, "
           "int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, "
           "Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int? mask_type=None, *, "
           "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
           native_multi_head_attention, shapes_only),
    OP("aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, "
       "Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, "
       "Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, "
       "Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, "
       "int? mask_type=None) -> Tensor",
       transformer_encoder_layer_fwd, shapes_only),
    OP_OUT("aten::_transformer_encoder_layer_fwd.out(Tensor src, int embed_dim, int num_heads, "
           "Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, "
           "bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, "
           "Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, "
           "Tensor? mask=None, int? mask_type=None, *, Tensor(a!) out) -> Tensor(a!)",
           transformer_encoder_layer_fwd, shapes_only),
    OP("aten::_nested_tensor_from_mask_left_aligned(Tensor t, Tensor mask) -> bool",
       nested_tensor_from_mask_left_aligned, deterministic),
    OP("aten::_nested_tensor_from_mask(Tensor t, Tensor mask, bool mask_check=True) -> Tensor", nested_tensor_from_mask,
       not_planned),
    OP("aten::to_padded_tensor(Tensor self, float padding, int[]? output_size=None) -> Tensor", to_padded_tensor,
       not_planned),
    OP_OUT("aten::to_padded_tensor.out(Tensor self, float padding, SymInt[]? output_size=None, *, Tensor(a!) "
           "out) -> Tensor(a!)",
           to_padded_tensor, not_planned),
    OP("aten::_jagged_to_padded_dense_forward(Tensor values, Tensor[] offsets, SymInt[] max_lengths, float "
       "padding_value=0.) -> Tensor",
       jagged_to_padded_dense, deterministic),
    OP("aten::_padded_dense_to_jagged_forward(Tensor dense, Tensor[] offsets, SymInt? total_L=None) -> Tensor",
       padded_dense_to_jagged, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kAttentionOps, kEntries)

}  // namespace wick
