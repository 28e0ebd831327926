// The operator list of quantized tensors.
#include "ops/families.h"
#include "ops/quantize/quantize.h"
#include "ops/quantize/range_search.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::quantize_per_tensor(Tensor self, float scale, int zero_point, ScalarType dtype) -> Tensor",
       quantize_per_tensor, may_alias),
    OP_OUT("aten::quantize_per_tensor.out(Tensor self, float scale, int zero_point, ScalarType dtype, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           quantize_per_tensor, deterministic),
    OP("aten::quantize_per_tensor.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, "
       "ScalarType dtype) -> Tensor",
       quantize_per_tensor_qparams, may_alias),
    OP_OUT("aten::quantize_per_tensor.tensor_qparams_out(Tensor self, Tensor scale, Tensor zero_point, "
           "ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)",
           quantize_per_tensor_qparams, deterministic),
    OP("aten::quantize_per_tensor.tensors(Tensor[] tensors, Tensor scales, Tensor zero_points, "
       "ScalarType dtype) -> Tensor[]",
       quantize_per_tensor_list, may_alias),
    OP("aten::quantize_per_channel(Tensor self, Tensor scales, Tensor zero_points, int axis, "
       "ScalarType dtype) -> Tensor",
       quantize_per_channel, deterministic),
    OP_OUT("aten::quantize_per_channel.out(Tensor self, Tensor scales, Tensor zero_points, int axis, "
           "ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)",
           quantize_per_channel, deterministic),
    OP("aten::quantize_per_tensor_dynamic(Tensor self, ScalarType dtype, bool reduce_range) -> Tensor",
       quantize_per_tensor_dynamic, deterministic),
    OP_OUT("aten::quantize_per_tensor_dynamic.out(Tensor self, ScalarType dtype, bool reduce_range, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           quantize_per_tensor_dynamic, deterministic),
    OP("aten::choose_qparams_optimized(Tensor input, int numel, int n_bins, float ratio, int bit_width) -> (Tensor, "
       "Tensor)",
       choose_qparams_optimized, deterministic),
    OP("aten::_choose_qparams_per_tensor(Tensor self, bool reduce_range=False) -> (float, int)",
       choose_qparams_per_tensor, deterministic),
    OP("aten::dequantize.self(Tensor self) -> Tensor", dequantize, may_alias),
    OP_OUT("aten::dequantize.self_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", dequantize, deterministic),
    OP("aten::dequantize.tensor(Tensor qtensor) -> Tensor", dequantize, may_alias),
    OP("aten::dequantize.tensors(Tensor[] tensors) -> Tensor[]", dequantize_list, may_alias),
    OP("aten::dequantize.list(Tensor[] qtensors) -> Tensor[]", dequantize_list, may_alias),
    OP("aten::dequantize.any(Any tensors) -> Any", dequantize_any, may_alias),
    OP("aten::int_repr(Tensor self) -> Tensor", int_repr, deterministic),
    OP_OUT("aten::int_repr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", int_repr, deterministic),
    OP("aten::q_scale(Tensor self) -> float", q_scale, deterministic),
    OP("aten::q_zero_point(Tensor self) -> int", q_zero_point, deterministic),
    OP("aten::q_per_channel_scales(Tensor self) -> Tensor", q_per_channel_scales, deterministic),
    OP_OUT("aten::q_per_channel_scales.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", q_per_channel_scales,
           deterministic),
    OP("aten::q_per_channel_zero_points(Tensor self) -> Tensor", q_per_channel_zero_points, deterministic),
    OP_OUT("aten::q_per_channel_zero_points.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
           q_per_channel_zero_points, deterministic),
    OP("aten::q_per_channel_axis(Tensor self) -> int", q_per_channel_axis, deterministic),
    OP("aten::qscheme(Tensor self) -> QScheme", qscheme, deterministic),
    OP("aten::_make_per_tensor_quantized_tensor(Tensor self, float scale, int zero_point) -> Tensor",
       make_per_tensor_quantized_tensor, deterministic),
    OP_OUT("aten::_make_per_tensor_quantized_tensor.out(Tensor self, float scale, int zero_point, *, "
           "Tensor(a!) out) -> Tensor(a!)",
           make_per_tensor_quantized_tensor, deterministic),
    OP("aten::_make_per_channel_quantized_tensor(Tensor self, Tensor scale, Tensor zero_point, "
       "int axis) -> Tensor",
       make_per_channel_quantized_tensor, deterministic),
    OP_OUT("aten::_make_per_channel_quantized_tensor.out(Tensor self, Tensor scale, Tensor zero_point, "
           "int axis, *, Tensor(a!) out) -> Tensor(a!)",
           make_per_channel_quantized_tensor, deterministic),
    OP("aten::_empty_affine_quantized(int[] size, *, ScalarType? dtype=None, Layout? layout=None, "
       "Device? device=None, bool? pin_memory=None, float scale=1., int zero_point=0, "
       "MemoryFormat? memory_format=0) -> Tensor",
       empty_affine_quantized, uninitialized),
    OP("aten::_empty_per_channel_affine_quantized(int[] size, *, Tensor scales, Tensor zero_points, "
       "int axis, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
       "MemoryFormat? memory_format=0) -> Tensor",
       empty_per_channel_affine_quantized, uninitialized),
    OP("aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, "
       "int quant_max) -> Tensor",
       fake_quantize_per_tensor_affine, deterministic),
    OP("aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, "
       "int quant_min, int quant_max) -> Tensor",
       fake_quantize_per_tensor_affine_qparams, deterministic),
    OP("aten::fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, "
       "int quant_min, int quant_max) -> (Tensor output, Tensor mask)",
       fake_quantize_per_tensor_affine_cachemask, deterministic),
    OP_OUT("aten::fake_quantize_per_tensor_affine_cachemask.out(Tensor self, float scale, int zero_point, "
           "int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
           fake_quantize_per_tensor_affine_cachemask, deterministic),
    OP("aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(Tensor self, Tensor scale, "
       "Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max) -> (Tensor output, "
       "Tensor mask)",
       fake_quantize_cachemask_qparams, deterministic),
    OP_OUT("aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams.out(Tensor self, Tensor scale, "
           "Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max, *, Tensor(a!) out0, "
           "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
           fake_quantize_cachemask_qparams, deterministic),
    OP("aten::fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, "
       "int quant_min, int quant_max) -> Tensor",
       fake_quantize_per_channel_affine, deterministic),
    OP("aten::fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, Tensor zero_point, "
       "int axis, int quant_min, int quant_max) -> (Tensor output, Tensor mask)",
       fake_quantize_per_channel_affine_cachemask, deterministic),
    OP_OUT("aten::fake_quantize_per_channel_affine_cachemask.out(Tensor self, Tensor scale, Tensor zero_point, "
           "int axis, int quant_min, int quant_max, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
           fake_quantize_per_channel_affine_cachemask, deterministic),
    OP("aten::fused_moving_avg_obs_fake_quant(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor(a!) "
       "running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float averaging_const, int "
       "quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) -> Tensor",
       fused_moving_avg_obs_fake_quant, deterministic),
    OP("aten::_fused_moving_avg_obs_fq_helper(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor(a!) "
       "running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float averaging_const, int "
       "quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) -> (Tensor "
       "output, Tensor mask)",
       fused_moving_avg_obs_fq_helper, deterministic),
    OP("aten::_fake_quantize_learnable_per_tensor_affine(Tensor self, Tensor scale, Tensor zero_point, int quant_min, "
       "int quant_max, float grad_factor=1.) -> Tensor",
       fake_quantize_learnable_per_tensor_affine, deterministic),
    OP_OUT("aten::_fake_quantize_learnable_per_tensor_affine.out(Tensor self, Tensor scale, Tensor zero_point, int "
           "quant_min, int quant_max, float grad_factor=1., *, Tensor(a!) out) -> Tensor(a!)",
           fake_quantize_learnable_per_tensor_affine, deterministic),
    OP("aten::_fake_quantize_learnable_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int "
       "quant_min, int quant_max, float grad_factor=1.) -> Tensor",
       fake_quantize_learnable_per_channel_affine, deterministic),
    OP_OUT(
        "aten::_fake_quantize_learnable_per_channel_affine.out(Tensor self, Tensor scale, Tensor zero_point, int axis, "
        "int quant_min, int quant_max, float grad_factor=1., *, Tensor(a!) out) -> Tensor(a!)",
        fake_quantize_learnable_per_channel_affine, deterministic),
};

}  // namespace

WICK_OP_FAMILY(kQuantizeOps, kEntries)

}  // namespace wick
