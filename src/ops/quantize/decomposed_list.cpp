// The operator list of quantized_decomposed.
#include "ops/families.h"
#include "ops/quantize/decomposed.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("quantized_decomposed::quantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int "
       "quant_max, ScalarType dtype) -> Tensor",
       decomposed_quantize, not_planned),
    OP("quantized_decomposed::quantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, "
       "int quant_max, ScalarType dtype) -> Tensor",
       decomposed_quantize_tensor, not_planned),
    OP("quantized_decomposed::quantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor zero_point, Tensor "
       "quant_min, Tensor quant_max, ScalarType dtype) -> Tensor",
       decomposed_quantize_tensor2, not_planned),
    OP("quantized_decomposed::dequantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int "
       "quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
       decomposed_dequantize, not_planned),
    OP("quantized_decomposed::dequantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int "
       "quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
       decomposed_dequantize_tensor, not_planned),
    OP("quantized_decomposed::dequantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor zero_point, Tensor "
       "quant_min, Tensor quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
       decomposed_dequantize_tensor2, not_planned),
    OP("quantized_decomposed::quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int "
       "quant_min, int quant_max, ScalarType dtype) -> Tensor",
       decomposed_quantize_channels, not_planned),
    OP("quantized_decomposed::dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int axis, int "
       "quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor",
       decomposed_dequantize_channels, not_planned),
    OP("quantized_decomposed::fake_quant_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int "
       "quant_min, int quant_max) -> Tensor",
       decomposed_fake_quantize_channels, not_planned),
    OP("quantized_decomposed::choose_qparams.tensor(Tensor input, int quant_min, int quant_max, float eps, ScalarType "
       "dtype) -> (Tensor, Tensor)",
       decomposed_choose, not_planned),
    OP("quantized_decomposed::choose_qparams_symmetric.tensor(Tensor input, int quant_min, int quant_max, float eps, "
       "ScalarType dtype) -> (Tensor, Tensor)",
       decomposed_choose_symmetric, not_planned),
    OP("quantized_decomposed::choose_qparams_per_token(Tensor input, ScalarType dtype) -> (Tensor, Tensor)",
       decomposed_choose_tokens, not_planned),
    OP("quantized_decomposed::choose_qparams_per_token_asymmetric(Tensor input, ScalarType dtype) -> (Tensor, Tensor)",
       decomposed_choose_tokens_asymmetric, not_planned),
    OP("quantized_decomposed::_choose_qparams_per_token_asymmetric_impl(Tensor input, ScalarType dtype) -> (Tensor, "
       "Tensor)",
       decomposed_choose_tokens_asymmetric, not_planned),
    OP("quantized_decomposed::quantize_per_token(Tensor input, Tensor scales, Tensor zero_points, int quant_min, int "
       "quant_max, ScalarType dtype) -> Tensor",
       decomposed_quantize_tokens, not_planned),
    OP("quantized_decomposed::dequantize_per_token(Tensor input, Tensor scales, Tensor zero_points, int quant_min, int "
       "quant_max, ScalarType dtype, ScalarType output_dtype) -> Tensor",
       decomposed_dequantize_tokens, not_planned),
    OP("quantized_decomposed::quantize_per_channel_group(Tensor input, Tensor scales, Tensor zero_points, int "
       "quant_min, int quant_max, ScalarType dtype, int group_size) -> Tensor",
       decomposed_quantize_groups, not_planned),
    OP("quantized_decomposed::dequantize_per_channel_group(Tensor input, Tensor scales, Tensor? zero_points, int "
       "quant_min, int quant_max, ScalarType dtype, int group_size, ScalarType output_dtype) -> Tensor",
       decomposed_dequantize_groups, not_planned),
    OP("quantized_decomposed::convert_element_type.no_fuse(Tensor input, ScalarType dtype) -> Tensor",
       decomposed_convert, not_planned),
};

}  // namespace

WICK_OP_FAMILY(kQuantizedDecomposedOps, kEntries)

}  // namespace wick
