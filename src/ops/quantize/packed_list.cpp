// The operator list of packed quantized weights.
#include "ops/families.h"
#include "ops/quantize/embedding.h"
#include "ops/quantize/layers.h"
#include "ops/quantize/sparse_linear.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("quantized::linear_prepack(Tensor W, Tensor? B=None) -> "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack",
       quantized_linear_prepack, deterministic),
    OP("quantized::linear_prepack_fp16(Tensor W, Tensor? B=None) -> "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack",
       quantized_linear_prepack_fp16, deterministic),
    OP("quantized::linear_unpack(__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack) -> (Tensor "
       "W_origin, Tensor? B_origin)",
       quantized_linear_unpack, deterministic),
    OP("quantized::linear(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack, float "
       "Y_scale_i, int Y_zero_point_i) -> Tensor Y",
       quantized_linear, deterministic),
    OP("quantized::linear_relu(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack, float "
       "Y_scale_i, int Y_zero_point_i) -> Tensor Y",
       quantized_linear_relu, deterministic),
    OP("quantized::linear_dynamic(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack, bool "
       "reduce_range=False) -> Tensor Y",
       quantized_linear_dynamic, deterministic),
    OP("quantized::linear_relu_dynamic(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack, "
       "bool reduce_range=False) -> Tensor Y",
       quantized_linear_relu_dynamic, deterministic),
    OP("quantized::linear_dynamic_fp16(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack) "
       "-> Tensor Y",
       quantized_linear_dynamic_fp16, deterministic),
    OP("quantized::linear_relu_dynamic_fp16(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase "
       "W_prepack) -> Tensor Y",
       quantized_linear_relu_dynamic_fp16, deterministic),
    OP("quantized::conv1d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int "
       "groups) -> __torch__.torch.classes.quantized.Conv2dPackedParamsBase",
       quantized_conv1d_prepack, deterministic),
    OP("quantized::conv2d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int "
       "groups) -> __torch__.torch.classes.quantized.Conv2dPackedParamsBase",
       quantized_conv2d_prepack, deterministic),
    OP("quantized::conv3d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int "
       "groups) -> __torch__.torch.classes.quantized.Conv3dPackedParamsBase",
       quantized_conv3d_prepack, deterministic),
    OP("quantized::conv_transpose1d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
       "output_padding, int[] dilation, int groups) -> __torch__.torch.classes.quantized.Conv2dPackedParamsBase",
       quantized_conv_transpose1d_prepack, deterministic),
    OP("quantized::conv_transpose2d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
       "output_padding, int[] dilation, int groups) -> __torch__.torch.classes.quantized.Conv2dPackedParamsBase",
       quantized_conv_transpose2d_prepack, deterministic),
    OP("quantized::conv_transpose3d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
       "output_padding, int[] dilation, int groups) -> __torch__.torch.classes.quantized.Conv3dPackedParamsBase",
       quantized_conv_transpose3d_prepack, deterministic),
    OP("quantized::conv1d_unpack(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) -> (Tensor "
       "unpacked_weights, Tensor? B_origin)",
       quantized_conv1d_unpack, deterministic),
    OP("quantized::conv2d_unpack(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) -> (Tensor "
       "unpacked_weights, Tensor? B_origin)",
       quantized_conv2d_unpack, deterministic),
    OP("quantized::conv3d_unpack(__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weights) -> (Tensor "
       "unpacked_weights, Tensor? B_origin)",
       quantized_conv3d_unpack, deterministic),
    OP("quantized::conv1d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_conv1d, deterministic),
    OP("quantized::conv1d_relu(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_conv1d_relu, deterministic),
    OP("quantized::conv1d_dynamic(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, "
       "bool reduce_range=False) -> Tensor",
       quantized_conv1d_dynamic, deterministic),
    OP("quantized::conv2d_dynamic(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, "
       "bool reduce_range=False) -> Tensor",
       quantized_conv2d_dynamic, deterministic),
    OP("quantized::conv3d_dynamic(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weight, "
       "bool reduce_range=False) -> Tensor",
       quantized_conv3d_dynamic, deterministic),
    OP("quantized::linear_unpack_fp16(__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack) -> (Tensor "
       "W_origin, Tensor? B_origin)",
       quantized_linear_unpack, deterministic),
    OP("quantized::conv_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int groups) "
       "-> __torch__.torch.classes.quantized.Conv2dPackedParamsBase",
       quantized_conv2d_prepack, deterministic),
    OP("quantized::conv_unpack(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) -> (Tensor "
       "unpacked_weights, Tensor? B_origin)",
       quantized_conv2d_unpack, deterministic),
    OP("quantized::conv_transpose1d_unpack(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) -> "
       "(Tensor unpacked_weights, Tensor? B_origin)",
       quantized_conv1d_unpack, deterministic),
    OP("quantized::conv_transpose1d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_conv1d, deterministic),
    OP("quantized::conv_transpose1d_dynamic(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
       "packed_weight, bool reduce_range=False) -> Tensor",
       quantized_conv1d_dynamic, deterministic),
    OP("quantized::conv_transpose2d_unpack(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) -> "
       "(Tensor unpacked_weights, Tensor? B_origin)",
       quantized_conv2d_unpack, deterministic),
    OP("quantized::conv_transpose2d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_conv2d, deterministic),
    OP("quantized::conv_transpose2d_dynamic(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
       "packed_weight, bool reduce_range=False) -> Tensor",
       quantized_conv2d_dynamic, deterministic),
    OP("quantized::conv_transpose3d_unpack(__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weights) -> "
       "(Tensor unpacked_weights, Tensor? B_origin)",
       quantized_conv3d_unpack, deterministic),
    OP("quantized::conv_transpose3d(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weight, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_conv3d, deterministic),
    OP("quantized::conv_transpose3d_dynamic(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase "
       "packed_weight, bool reduce_range=False) -> Tensor",
       quantized_conv3d_dynamic, deterministic),
    OP("quantized::conv2d_stride(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) -> int[]",
       quantized_conv2d_stride, deterministic),
    OP("quantized::conv_transpose2d_stride(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) -> "
       "int[]",
       quantized_conv2d_stride, deterministic),
    OP("quantized::conv2d_padding(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) -> int[]",
       quantized_conv2d_padding, deterministic),
    OP("quantized::conv_transpose2d_padding(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) "
       "-> int[]",
       quantized_conv2d_padding, deterministic),
    OP("quantized::conv2d_output_padding(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) -> "
       "int[]",
       quantized_conv2d_output_padding, deterministic),
    OP("quantized::conv_transpose2d_output_padding(__torch__.torch.classes.quantized.Conv2dPackedParamsBase "
       "packed_weights) -> int[]",
       quantized_conv2d_output_padding, deterministic),
    OP("quantized::conv2d_dilation(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) -> int[]",
       quantized_conv2d_dilation, deterministic),
    OP("quantized::conv_transpose2d_dilation(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) "
       "-> int[]",
       quantized_conv2d_dilation, deterministic),
    OP("quantized::conv2d_groups(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) -> int",
       quantized_conv2d_groups, deterministic),
    OP("quantized::conv_transpose2d_groups(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) -> "
       "int",
       quantized_conv2d_groups, deterministic),
    OP("quantized::conv2d_transpose(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) -> int",
       quantized_conv2d_transpose, deterministic),
    OP("quantized::conv_transpose2d_transpose(__torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weights) "
       "-> int",
       quantized_conv2d_transpose, deterministic),
    OP("quantized::conv2d.new(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_conv2d, deterministic),
    OP("quantized::conv2d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase weight, int[] stride, "
       "int[] padding, int[] dilation, int groups, float output_scale, int output_zero_point) -> Tensor",
       quantized_conv2d_old, deterministic),
    OP("quantized::conv2d_relu.new(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_conv2d_relu, deterministic),
    OP("quantized::conv2d_relu(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase weight, int[] "
       "stride, int[] padding, int[] dilation, int groups, float output_scale, int output_zero_point) -> Tensor",
       quantized_conv2d_relu_old, deterministic),
    OP("quantized::conv3d_stride(__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weights) -> int[]",
       quantized_conv3d_stride, deterministic),
    OP("quantized::conv_transpose3d_stride(__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weights) -> "
       "int[]",
       quantized_conv3d_stride, deterministic),
    OP("quantized::conv3d_padding(__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weights) -> int[]",
       quantized_conv3d_padding, deterministic),
    OP("quantized::conv_transpose3d_padding(__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weights) "
       "-> int[]",
       quantized_conv3d_padding, deterministic),
    OP("quantized::conv3d_output_padding(__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weights) -> "
       "int[]",
       quantized_conv3d_output_padding, deterministic),
    OP("quantized::conv_transpose3d_output_padding(__torch__.torch.classes.quantized.Conv3dPackedParamsBase "
       "packed_weights) -> int[]",
       quantized_conv3d_output_padding, deterministic),
    OP("quantized::conv3d_dilation(__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weights) -> int[]",
       quantized_conv3d_dilation, deterministic),
    OP("quantized::conv_transpose3d_dilation(__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weights) "
       "-> int[]",
       quantized_conv3d_dilation, deterministic),
    OP("quantized::conv3d_groups(__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weights) -> int",
       quantized_conv3d_groups, deterministic),
    OP("quantized::conv_transpose3d_groups(__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weights) -> "
       "int",
       quantized_conv3d_groups, deterministic),
    OP("quantized::conv3d_transpose(__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weights) -> int",
       quantized_conv3d_transpose, deterministic),
    OP("quantized::conv_transpose3d_transpose(__torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weights) "
       "-> int",
       quantized_conv3d_transpose, deterministic),
    OP("quantized::conv3d.new(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weight, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_conv3d, deterministic),
    OP("quantized::conv3d(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase weight, int[] stride, "
       "int[] padding, int[] dilation, int groups, float output_scale, int output_zero_point) -> Tensor",
       quantized_conv3d_old, deterministic),
    OP("quantized::conv3d_relu.new(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weight, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_conv3d_relu, deterministic),
    OP("quantized::conv3d_relu(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase weight, int[] "
       "stride, int[] padding, int[] dilation, int groups, float output_scale, int output_zero_point) -> Tensor",
       quantized_conv3d_relu_old, deterministic),
    OP("quantized::conv2d_add(Tensor qx, Tensor qaccum, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
       "packed_weight, float output_scale, int output_zero_point) -> Tensor",
       quantized_conv2d_add, deterministic),
    OP("quantized::conv2d_add_relu(Tensor qx, Tensor qaccum, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
       "packed_weight, float output_scale, int output_zero_point) -> Tensor",
       quantized_conv2d_add_relu, deterministic),
    OP("quantized::conv2d_unpack_sizes(Any packed_weights) -> Any", quantized_conv2d_unpack_sizes, deterministic),
    OP("quantized::linear_leaky_relu(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack, "
       "float Y_scale_i, int Y_zero_point_i, float negative_slope) -> Tensor Y",
       quantized_linear_leaky_relu, deterministic),
    OP("quantized::linear_tanh(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack, float "
       "Y_scale_i, int Y_zero_point_i) -> Tensor Y",
       quantized_linear_tanh, deterministic),
    OP("quantized::embedding_bag_prepack(Tensor weight) -> __torch__.torch.classes.quantized.EmbeddingPackedParamsBase "
       "W_prepack",
       quantized_embedding_bag_prepack, deterministic),
    OP("quantized::embedding_bag_unpack(__torch__.torch.classes.quantized.EmbeddingPackedParamsBase W_prepack) -> "
       "Tensor W_origin",
       quantized_embedding_bag_unpack, deterministic),
    OP("quantized::embedding_byte(__torch__.torch.classes.quantized.EmbeddingPackedParamsBase weight, Tensor indices, "
       "bool pruned_weights=False) -> Tensor",
       quantized_embedding_byte, deterministic),
    OP("quantized::embedding_bag_byte(__torch__.torch.classes.quantized.EmbeddingPackedParamsBase weight, Tensor "
       "indices, Tensor? offsets=None, bool scale_grad_by_freq=False, int mode=0, bool pruned_weights=False, Tensor? "
       "per_sample_weights=None, Tensor? compressed_indices_mapping=None, bool include_last_offset=False) -> Tensor",
       quantized_embedding_bag_byte, deterministic),
    OP("quantized::embedding_4bit(__torch__.torch.classes.quantized.EmbeddingPackedParamsBase weight, Tensor indices, "
       "bool pruned_weights=False) -> Tensor",
       quantized_embedding_4bit, deterministic),
    OP("quantized::embedding_bag_4bit(__torch__.torch.classes.quantized.EmbeddingPackedParamsBase weight, Tensor "
       "indices, Tensor? offsets=None, bool scale_grad_by_freq=False, int mode=0, bool pruned_weights=False, Tensor? "
       "per_sample_weights=None, Tensor? compressed_indices_mapping=None, bool include_last_offset=False) -> Tensor",
       quantized_embedding_bag_4bit, deterministic),
    OP("quantized::embedding_bag_byte_rowwise_offsets(Tensor weight, Tensor indices, Tensor? offsets=None, bool "
       "scale_grad_by_freq=False, int mode=0, bool pruned_weights=False, Tensor? per_sample_weights=None, Tensor? "
       "compressed_indices_mapping=None, bool include_last_offset=False) -> Tensor",
       embedding_bag_byte_rows, deterministic),
    OP("quantized::embedding_bag_byte_unpack(Tensor weight) -> Tensor", embedding_bag_byte_unpack, deterministic),
    OP("quantized::embedding_bag_byte_prepack(Tensor weight) -> Tensor", embedding_bag_byte_prepack, deterministic),
    OP("quantized::embedding_bag_4bit_rowwise_offsets(Tensor weight, Tensor indices, Tensor? offsets=None, bool "
       "scale_grad_by_freq=False, int mode=0, bool pruned_weights=False, Tensor? per_sample_weights=None, Tensor? "
       "compressed_indices_mapping=None, bool include_last_offset=False) -> Tensor",
       embedding_bag_4bit_rows, deterministic),
    OP("quantized::embedding_bag_4bit_unpack(Tensor weight) -> Tensor", embedding_bag_4bit_unpack, deterministic),
    OP("quantized::embedding_bag_4bit_prepack(Tensor weight, bool optimized_qparams=False, int nbins=200, float "
       "ratio=0.16) -> Tensor",
       embedding_bag_4bit_prepack, deterministic),
    OP("quantized::embedding_bag_2bit_rowwise_offsets(Tensor weight, Tensor indices, Tensor? offsets=None, bool "
       "scale_grad_by_freq=False, int mode=0, bool pruned_weights=False, Tensor? per_sample_weights=None, Tensor? "
       "compressed_indices_mapping=None, bool include_last_offset=False) -> Tensor",
       embedding_bag_2bit_rows, deterministic),
    OP("quantized::embedding_bag_2bit_unpack(Tensor weight) -> Tensor", embedding_bag_2bit_unpack, deterministic),
    OP("quantized::embedding_bag_2bit_prepack(Tensor weight, bool optimized_qparams=False, int nbins=200, float "
       "ratio=0.16) -> Tensor",
       embedding_bag_2bit_prepack, deterministic),
    OP("sparse::qlinear_prepack(Tensor W, Tensor? B, int out_features_block_size, int in_features_block_size) -> "
       "__torch__.torch.classes.sparse.LinearPackedParamsBase W_prepack",
       sparse_linear_prepack, deterministic),
    OP("sparse::qlinear_unpack(__torch__.torch.classes.sparse.LinearPackedParamsBase W_prepack) -> (Tensor W_origin, "
       "Tensor? B_origin, int[] block_pattern)",
       sparse_linear_unpack, not_planned),
    OP("sparse::qlinear(Tensor X, __torch__.torch.classes.sparse.LinearPackedParamsBase W_prepack, float Y_scale_i, "
       "int Y_zero_point_i) -> Tensor Y",
       sparse_linear, not_planned),
    OP("sparse::qlinear_relu(Tensor X, __torch__.torch.classes.sparse.LinearPackedParamsBase W_prepack, float "
       "Y_scale_i, int Y_zero_point_i) -> Tensor Y",
       sparse_linear_relu, not_planned),
    OP("sparse::qlinear_dynamic(Tensor X, __torch__.torch.classes.sparse.LinearPackedParamsBase W_prepack) -> Tensor Y",
       sparse_linear_dynamic, not_planned),
    OP("sparse::qlinear_relu_dynamic(Tensor X, __torch__.torch.classes.sparse.LinearPackedParamsBase W_prepack) -> "
       "Tensor Y",
       sparse_linear_relu_dynamic, not_planned),
    OP("_quantized::conv2d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_conv2d, not_planned),
    OP("_quantized::conv2d_relu(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase packed_weight, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_conv2d_relu, not_planned),
    OP("_quantized::conv2d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int "
       "groups) -> __torch__.torch.classes.quantized.Conv2dPackedParamsBase",
       quantized_conv2d_prepack, deterministic),
    OP("_quantized::conv3d(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weight, float "
       "output_scale, int output_zero_point) -> Tensor",
       quantized_conv3d, not_planned),
    OP("_quantized::conv3d_relu(Tensor qx, __torch__.torch.classes.quantized.Conv3dPackedParamsBase packed_weight, "
       "float output_scale, int output_zero_point) -> Tensor",
       quantized_conv3d_relu, not_planned),
    OP("_quantized::conv3d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int "
       "groups) -> __torch__.torch.classes.quantized.Conv3dPackedParamsBase",
       quantized_conv3d_prepack, deterministic),
    OP("_quantized::conv_transpose1d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
       "output_padding, int[] dilation, int groups) -> __torch__.torch.classes.quantized.Conv2dPackedParamsBase",
       quantized_conv_transpose1d_prepack, deterministic),
    OP("_quantized::conv_transpose2d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
       "output_padding, int[] dilation, int groups) -> __torch__.torch.classes.quantized.Conv2dPackedParamsBase",
       quantized_conv_transpose2d_prepack, deterministic),
    OP("_quantized::conv_transpose3d_prepack(Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] "
       "output_padding, int[] dilation, int groups) -> __torch__.torch.classes.quantized.Conv3dPackedParamsBase",
       quantized_conv_transpose3d_prepack, deterministic),
    OP("_quantized::conv_transpose1d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
       "packed_weight, float output_scale, int output_zero_point) -> Tensor",
       quantized_conv1d, not_planned),
    OP("_quantized::conv_transpose2d(Tensor qx, __torch__.torch.classes.quantized.Conv2dPackedParamsBase "
       "packed_weight, float output_scale, int output_zero_point) -> Tensor",
       quantized_conv2d, not_planned),
    OP("_quantized::linear(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack, float "
       "Y_scale_i, int Y_zero_point_i) -> Tensor Y",
       quantized_linear, not_planned),
    OP("_quantized::linear_dynamic(Tensor X, __torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack, bool "
       "reduce_range=False) -> Tensor Y",
       quantized_linear_dynamic, not_planned),
    OP("_quantized::linear_prepack(Tensor W, Tensor? B=None) -> "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack",
       quantized_linear_prepack, deterministic),
    OP("_quantized::linear_prepack_fp16(Tensor W, Tensor? B=None) -> "
       "__torch__.torch.classes.quantized.LinearPackedParamsBase W_prepack",
       quantized_linear_prepack_fp16, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kQuantizedPackedOps, kEntries)

}  // namespace wick
