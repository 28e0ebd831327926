"""Cases of operators that PyTorch 1.13 does not have; torch2.py records the answers with PyTorch 2."""
import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401  (operators defined in Python)

from lib import schemas
from lib.case import *
from lib.tensors import *

WIDE = FLOATS + COMPLEX
LOOSE = dict(rtol=1e-4, atol=1e-5)


def cases():
    yield from products()
    yield from attention()
    yield from norms()
    yield from lists()
    yield from random()
    yield from shapes()
    yield from linear_algebra()
    yield from reductions()
    yield from dtypes()
    yield from exported()
    yield from engines()


def products():
    signed, unsigned = make((5, 7), torch.int8), make((5, 7), torch.uint8)
    right = make((7, 3), torch.int8)
    yield case("aten::_int_mm", signed, right)
    yield case("aten::_int_mm.out", signed, right, out=torch.empty(5, 3, dtype=torch.int32))
    yield case("aten::_int_mm", unsigned, right)
    yield case("aten::_int_mm", make((7, 5), torch.int8, layout=TRANSPOSED).t(), right)
    yield from errors("aten::_int_mm", (signed, signed), (signed.int(), right.int()), (signed[None], right), message=True)
    for d in (torch.float32, torch.bfloat16, torch.float16):
        x, w, scales = make((3, 64), d), make((32, 64), torch.int8), make((32,), d, 0, 1)
        yield case("aten::_weight_int8pack_mm", x, w, scales)
        for n in (16, 64, 96):
            packed = Call("aten::_convert_weight_to_int4pack_for_cpu", make((n, 64), torch.int32, 0, 16), 2)
            yield case("aten::_weight_int4pack_mm_for_cpu", x, packed, 32, make((2, n, 2), d, 0, 1))
            yield case("aten::_weight_int4pack_mm_for_cpu", x, packed, 64, make((1, n, 2), d, 0, 1))
    yield from errors("aten::_weight_int8pack_mm", (x, w.int(), scales), (x, w, scales[:4]), (x, w, scales.double()))
    for n in (16, 32, 64, 96, 128):
        yield case("aten::_convert_weight_to_int4pack_for_cpu", make((n, 32), torch.int32, 0, 16), 2)
    yield from errors("aten::_convert_weight_to_int4pack_for_cpu", (make((30, 32), torch.int32), 2), (make((16, 32)), 2))
    a = Call("aten::to.dtype", make((16, 32), torch.float32), torch.float8_e4m3fn)
    b = Call("aten::t", Call("aten::to.dtype", make((16, 32), torch.float32, seed=1), torch.float8_e4m3fn))
    half, two = torch.tensor(0.5), torch.tensor(2.0)
    for d in (torch.float32, torch.bfloat16):
        yield case("aten::_scaled_mm", a, b, half, two, None, None, d)
        yield case("aten::_scaled_mm", a, b, make((16, 1), low=0.1), make((1, 16), low=0.1), None, None, d)
    yield case("aten::_scaled_mm", a, b, half, two, make((16,)), None, torch.float32)
    yield case("aten::_scaled_mm.out", a, b, half, two, None, None, torch.float32, out=torch.empty(16, 16))
    for d in (torch.bfloat16, torch.float32):
        ends = torch.tensor([3, 3, 8], dtype=torch.int32)
        yield case("aten::_grouped_mm", make((3, 4, 8), d), make((3, 8, 8), d))
        yield case("aten::_grouped_mm", make((8, 8), d), make((3, 8, 8), d), ends)
        yield case("aten::_grouped_mm", make((3, 4, 8), d), make((8, 8), d), ends)
        yield case("aten::_grouped_mm", make((8, 8), d), make((8, 8), d, seed=1), ends)


def attention():
    for d in FLOATING:
        q, k, v = make((2, 3, 4, 8), d), make((2, 3, 5, 8), d, seed=1), make((2, 3, 5, 8), d, seed=2)
        for causal in (False, True):
            yield case("aten::_scaled_dot_product_flash_attention_for_cpu", q, k, v, 0.0, causal)
            yield case("aten::scaled_dot_product_attention", q, k, v, None, 0.0, causal)
        yield case("aten::scaled_dot_product_attention", q, k, v, scale=0.3)
        yield case("aten::_scaled_dot_product_flash_attention_for_cpu", q, k, v, attn_mask=make((4, 5), d), scale=0.3)
        yield case("aten::scaled_dot_product_attention", q, k, v, make((4, 5), torch.bool))
        yield case("aten::scaled_dot_product_attention", q[0], k[0], v[0], make((4, 5), d))
        wide = make((2, 6, 4, 8), d)
        yield case("aten::scaled_dot_product_attention", wide, k, v, enable_gqa=True)
    moved = make((2, 4, 3, 8)).transpose(1, 2)
    yield case("aten::_scaled_dot_product_flash_attention_for_cpu", moved, k.double().float(), v.float())
    q = make((2, 3, 4, 8))
    yield from errors("aten::_scaled_dot_product_flash_attention_for_cpu", (q[0], q[0], q[0]), (q, q, q, 0.5), message=True)
    offsets = torch.tensor([0, 2, 2, 5])
    for d in (torch.float32, torch.int64):
        yield case("aten::_jagged_to_padded_dense_forward", make((5, 2), d), [offsets], [4], 9.0)
        yield case("aten::_jagged_to_padded_dense_forward", make((5, 2), d), [offsets], [2])
        yield case("aten::_padded_dense_to_jagged_forward", make((3, 3, 2), d), [offsets])


def norms():
    for d in FLOATING:
        x, w = make((2, 3, 4), d), make((4,), d)
        yield case("aten::rms_norm", x, [4], w, 1e-5)
        yield case("aten::rms_norm", x, [3, 4])
        yield case("aten::_fused_rms_norm", x, [4], w, 1e-5)
        yield case("aten::_fused_rms_norm", x, [3, 4], None, None)
        yield case("aten::_prelu_kernel", x, make((1, 3, 1), d))
    for d in FLOATS:
        x, w, b, mean, var = make((4, 3, 2), d), make((3,), d), make((3,), d), make((3,), d), make((3,), d, 0.5, 2)
        yield case("aten::_native_batch_norm_legit", x, w, b, mean.clone(), var.clone(), True, 0.1, 1e-5)
        yield case("aten::_native_batch_norm_legit", x, w, b, mean.clone(), var.clone(), False, 0.1, 1e-5)
        yield case("aten::_native_batch_norm_legit.no_stats", x, w, b, True, 0.1, 1e-5)
        yield case("aten::_native_batch_norm_legit_no_training", x, w, b, mean, var, 0.1, 1e-5)
        yield case("aten::_native_batch_norm_legit_functional", x, w, b, mean, var, True, 0.1, 1e-5)
        yield case("aten::_batch_norm_no_update", x, w, None, mean, var, 0.1, 1e-5)
        yield case("aten::_batch_norm_with_update", x, None, b, mean.clone(), var.clone(), 0.1, 1e-5)
        outs = [torch.empty(0, dtype=d) for _ in range(3)]
        yield case("aten::_native_batch_norm_legit.out", x, w, b, mean.clone(), var.clone(), True, 0.1, 1e-5,
                   out=outs[0], save_mean=outs[1], save_invstd=outs[2])
        four = [torch.empty(0, dtype=d) for _ in range(3)] + [torch.empty(0, dtype=torch.uint8)]
        yield case("aten::_batch_norm_no_update.out", x, w, b, mean, var, 0.1, 1e-5, **{f"out{i}": t for i, t in enumerate(four)})
        yield case("aten::_batch_norm_with_update.out", x, w, b, mean.clone(), var.clone(), 0.1, 1e-5,
                   **dict(zip(("out", "save_mean", "save_invstd", "reserve"), four)))
        yield case("aten::_native_batch_norm_legit_no_training.out", x, w, b, mean, var, 0.1, 1e-5,
                   **{f"out{i}": t for i, t in enumerate(four[:3])})
        yield case("aten::_native_batch_norm_legit.no_stats_out", x, w, b, True, 0.1, 1e-5,
                   out=outs[0], save_mean=outs[1], save_invstd=outs[2])


def lists():
    def some(d, seed=0, **bounds):
        return [make((3, 4), d, seed=seed, **bounds), make((5,), d, seed=seed + 1, **bounds)]

    def both(op, overload, *args, **kwargs):
        for name in (f"aten::_foreach_{op}{overload}", f"aten::_foreach_{op}_{overload}"):
            if schemas.exists(name):
                yield case(name, [t.clone() for t in args[0]], *args[1:], **kwargs)

    for d in (torch.float32, torch.float64, torch.bfloat16):
        for op in ("clamp_min", "clamp_max", "maximum", "minimum"):
            yield from both(op, ".Scalar", some(d), 0.5)
            yield from both(op, ".ScalarList", some(d), [0.5, -1.0])
            yield from both(op, ".List", some(d), some(d, 5))
        positive = some(d, low=0.5, high=2)
        yield from both("pow", ".Scalar", positive, 2.5)
        yield from both("pow", ".ScalarList", positive, [2, 0.5])
        yield from both("pow", ".List", positive, some(d, 5))
        yield case("aten::_foreach_pow.ScalarAndTensor", 2.0, some(d))
        yield from both("lerp", ".List", some(d), some(d, 3), some(d, 5))
        yield from both("lerp", ".Scalar", some(d), some(d, 3), 0.25)
        yield from both("lerp", ".ScalarList", some(d), some(d, 3), [0.25, 0.75])
        for op in ("addcmul", "addcdiv"):
            yield from both(op, ".Tensor", some(d), some(d, 3), some(d, 5, low=1), torch.tensor([2.0, 0.5]))
        for op in ("add", "mul", "div"):
            yield from both(op, ".Tensor", some(d), torch.tensor(2.0, dtype=d))
        yield from both("rsqrt", "", some(d, low=0.5))
        yield from both("sign", "", some(d))
        yield case("aten::_foreach_max", some(d))
        yield case("aten::_foreach_powsum.Scalar", some(d), 3)
        yield case("aten::_foreach_mm", [make((2, 3), d), make((4, 1), d)], [make((3, 2), d), make((1, 3), d)])
        yield case("aten::_foreach_norm.Scalar", some(d), 3)
        yield case("aten::_foreach_clone", some(d))
        yield case("aten::_foreach_copy", some(d), some(torch.float32, 7))
        yield case("aten::_foreach_copy_", some(d), some(torch.float32, 7))


def random():
    x = make((20, 20))
    seeds = dict(generator=Generator(3), compare="random")
    yield case("aten::rand_like.generator", x, **seeds)
    yield case("aten::randn_like.generator", x, **seeds)
    yield case("aten::randint_like.generator", x, 100, **seeds)
    yield case("aten::randint_like.low_generator_dtype", x, -50, 100, **seeds)
    yield case("aten::randint_like.Tensor", x, torch.tensor(100), compare="random")
    yield case("aten::randint_like.Tensor_generator", x, torch.tensor(100), **seeds)
    for op, args in (("rand_like.generator_out", ()), ("randn_like.generator_out", ()), ("randint_like.generator_out", (100,)),
                     ("randint_like.low_generator_dtype_out", (-50, 100)),
                     ("randint_like.Tensor_generator_out", (torch.tensor(100),))):
        yield case(f"aten::{op}", x, *args, out=torch.empty(0), **seeds)
    yield case("aten::randint_like.Tensor_out", x, torch.tensor(100), out=torch.empty(0), compare="random")
    yield case("aten::initial_seed", Generator(7))


def shapes():
    for d in (torch.float32, torch.int64):
        yield from with_variants("aten::_chunk_cat", [make((5, 3), d), make((3, 2), d)], 0, 2)
        yield from with_variants("aten::_chunk_cat", [make((2, 5, 3), d), make((2, 4), d)], 1, 3)
        yield case("aten::_reshape_copy", make((4, 6), d, layout=TRANSPOSED), [3, -1])
        yield case("aten::_lazy_clone", make((4, 6), d), aliases=False)
        x, mask = make((4, 5), d), torch.tensor([True, False, True])
        where = [torch.tensor([0, 100, 2]), torch.tensor([1, -7, 1])]
        yield case("aten::_unsafe_masked_index", x, mask, where, 7)
        yield case("aten::_unsafe_masked_index_put_accumulate", x, mask, where, make((3,), d))
        yield from with_variants("aten::nonzero_static", make((3, 4), torch.bool).to(d), size=9, fill_value=-2)
        yield case("aten::squeeze.dims", make((1, 3, 1), d), [0, 2])
        yield case("aten::squeeze_copy.dims", make((1, 3, 1), d), [0])
        yield case("aten::_unsafe_index.Tensor", x, [torch.tensor([1, 2]), None])
        yield case("aten::_unsafe_index_put", x, [torch.tensor([1, 2])], make((2, 5), d))
    yield from errors("aten::_chunk_cat", ([make((3,))], 0, 0), ([make((3,)), make((3,), torch.int64)], 0, 2),
                      ([make((0,))], 0, 2), message=True)
    yield case("aten::squeeze_.dims", make((1, 3, 1)), [0, 2])
    for name in ("Scalar_Tensor", "Tensor_Scalar", "Tensor_Tensor"):
        low, high = (torch.tensor(1.0) if p == "Tensor" else 1 for p in name.split("_")), None
        low = list(low)
        for op in ("linspace", "logspace"):
            yield case(f"aten::{op}.{name}", low[0], low[1] * 4, 5)
    yield case("aten::_upsample_lanczos2d_aa", make((1, 2, 8, 8)), [5, 6], False)
    yield case("aten::_upsample_lanczos2d_aa.out", make((1, 2, 8, 8)), [5, 6], False, out=torch.empty(0))
    for d in FLOATS:
        yield case("aten::avg_pool1d.out", make((2, 3, 8), d), [2], out=torch.empty(0, dtype=d))
        yield case("aten::adaptive_avg_pool1d.out", make((2, 3, 8), d), [3], out=torch.empty(0, dtype=d))
    yield case("aten::device.with_index", "cuda", 1)
    yield case("aten::get_autocast_dtype", "cpu")
    yield case("aten::_assert_scalar", 1, "text")
    yield case("aten::_assert_scalar", 0, "text", message=True)
    yield case("aten::sym_constrain_range", 3, min=1, max=5)
    yield case("aten::sym_constrain_range", 9, min=1, max=5, message=True)
    yield case("aten::sym_constrain_range_for_size", 3, max=5)
    yield case("aten::sym_constrain_range_for_size", 3, max=1, message=True)


def linear_algebra():
    for d in WIDE:
        for shape in ((3, 3), (2, 4, 4)):
            a = make(shape, d, -1, 1)
            yield from with_variants("aten::linalg_matrix_sqrth", a @ a.mH + torch.eye(shape[-1], dtype=d), **LOOSE)
            yield case("aten::_linalg_eigvals", a, compare="meta")
        for shape in ((3, 3), (5, 3), (2, 4, 2)):
            yield case("aten::linalg_polar", make(shape, d), **LOOSE)
    yield case("aten::linalg_polar.out", make((3, 2)), U=torch.empty(0), H=torch.empty(0), **LOOSE)
    yield from errors("aten::linalg_polar", (make((2, 3)),), message=True)


def reductions():
    for d in (torch.bool, torch.float32, torch.int64):
        x = make((2, 3, 4), d)
        for op in ("all", "any"):
            yield from with_variants(f"aten::{op}.dims", x, [0, 2])
            yield case(f"aten::{op}.dims", x, [-1], True)
            yield case(f"aten::{op}.dims", x)
    for d in FLOATS:
        x = make((3, 4), d)
        for out in (torch.empty((), dtype=d), torch.empty(0, dtype=d)):
            for op in ("max.unary_out", "min.unary_out", "mean.dtype_out"):
                yield case(f"aten::{op}", x, out=out)
        yield case("aten::floor_divide.Scalar_out", x, 0.7, out=torch.empty(0, dtype=d))
        yield case("aten::_ctc_loss.Tensor_out", make((5, 2, 4), d).log_softmax(-1), torch.tensor([[1, 2], [3, 1]]),
                   torch.tensor([5, 4]), torch.tensor([2, 1]), out0=torch.empty(0, dtype=d), out1=torch.empty(0, dtype=d),
                   compare="meta")
    for value in (True, False):
        mask = torch.tensor([value, True])
        yield case("aten::_is_all_true", mask)
        yield case("aten::_is_any_true", mask)
        yield case("aten::_safe_softmax", make((2, 3)).masked_fill(torch.tensor([[value], [False]]), -float("inf")), -1)


def dtypes():
    """Dtypes and sizes that PyTorch 1.13 refuses."""
    for d in COMPLEX:
        z = make((3, 4), d, -2, 2)
        for op in ("exp2", "expm1", "log1p"):
            yield from with_variants(f"aten::{op}", z)
            yield case(f"aten::{op}", z * 1e-4)
        yield case("aten::logaddexp", z, make((3, 4), d, seed=1))
        yield case("aten::logaddexp", make((1, 4), d), make((3, 1), d, seed=1))
        yield case("aten::logcumsumexp", z, 0)
        yield case("aten::logsumexp", z, [1])
        yield case("aten::logsumexp", z, [0, 1], True)
        yield case("aten::rms_norm", z, [4], make((4,), d), 1e-3, **LOOSE)
    for d in INTS:
        x = make((2, 3, 6, 5), d)
        for images in (x, x.contiguous(memory_format=torch.channels_last)):
            yield case("aten::max_pool2d", images, [2, 3], [2, 1], [1, 1])
            yield case("aten::max_pool2d_with_indices", images, [3, 2], ceil_mode=True)
        yield case("aten::max_pool3d", x, [2, 2, 2])
        yield case("aten::max_pool3d_with_indices", x, [1, 2, 2])
        yield case("aten::max_pool1d_with_indices", x[0], [2])
    large = torch.tensor([[[(1 << 62) + 1, 1 << 62], [-(1 << 62) - 1, -(1 << 63)]]])
    yield case("aten::max_pool2d", large, [1, 2])
    half, other = make((9,), torch.float16, special=True), make((9,), torch.float16, seed=1)
    yield from with_variants("aten::nextafter", half, other)
    yield case("aten::nextafter", other, half)
    yield case("aten::isin.Tensor_Tensor", half, half[:3])
    yield case("aten::im2col", make((1, 2, 4, 5), torch.bool), [2, 2], [1, 1], [1, 1], [1, 2])
    x, places, values = make((4, 5)), indices((3, 5), 4).int(), make((3, 5), seed=1)
    yield case("aten::gather", x, 0, places)
    yield from with_variants("aten::scatter.src", x, 0, places, values)
    yield case("aten::scatter.value", x, 0, places, 2.5)
    yield case("aten::scatter_add", x, 0, places, values)
    yield case("aten::scatter_reduce.two", x, 0, places, values, "amax")
    yield from errors("aten::gather", (x, 0, places + 4), (x, 0, places.short()))
    yield case("aten::take_along_dim", x, torch.tensor([[-1, -5, 4]]), 1)
    for shape in ((0, 5), (5, 0), (2, 0, 3)):
        for order in (2, 1, -1, float("inf")):
            yield case("aten::linalg_matrix_norm", torch.zeros(shape), order)
            yield case("aten::linalg_matrix_norm", torch.zeros(shape), order, keepdim=True)


def exported():
    """What a quantized model holds that torch.export or FX made."""
    ops = "quantized_decomposed::"
    scales, zeros = torch.tensor([0.02, 0.03, 0.05]), torch.tensor([3, -4, 0])
    one, zero = torch.tensor([0.05]), torch.tensor([7])
    for d in (torch.float32, torch.float16, torch.bfloat16):
        x = make((2, 3, 4), d)
        for to, low, high in ((torch.int8, -128, 127), (torch.uint8, 0, 255), (torch.int16, -100, 100), (torch.int32, -5, 5)):
            yield case(ops + "quantize_per_tensor", x, 0.07, 2, low, high, to)
            q = make((2, 3, 4), to, max(low, 0), min(high, 90))
            yield case(ops + "dequantize_per_tensor", q, 0.07, 2, low, high, to, out_dtype=d)
        yield case(ops + "quantize_per_tensor.tensor", x, one, zero, -128, 127, torch.int8)
        for axis in (0, 1, -1):
            n = x.size(axis)
            yield case(ops + "quantize_per_channel", x, torch.linspace(0.01, 0.04, n), torch.arange(n), axis, -128, 127, torch.int8)
            yield case(ops + "dequantize_per_channel", make((2, 3, 4), torch.int8), torch.linspace(0.01, 0.04, n), torch.arange(n),
                       axis, -128, 127, torch.int8, out_dtype=d)
        yield case(ops + "choose_qparams.tensor", x, -128, 127, 1e-5, torch.int8)
        yield case(ops + "choose_qparams.tensor", x.abs(), 0, 255, 1e-5, torch.uint8)
        yield case(ops + "choose_qparams_symmetric.tensor", x, -127, 127, 1e-5, torch.int8)
        yield case(ops + "choose_qparams_symmetric.tensor", x, 0, 255, 1e-5, torch.uint8)
        yield case(ops + "choose_qparams_per_token", x, torch.int8)
        yield case(ops + "choose_qparams_per_token_asymmetric", x, torch.int8)
        yield case(ops + "_choose_qparams_per_token_asymmetric_impl", x, torch.int8)
        yield case(ops + "convert_element_type.no_fuse", x, torch.float32)
    x, q = make((2, 3, 4)), make((2, 3, 4), torch.int8)
    least, most = torch.tensor(-128), torch.tensor(127)
    yield case(ops + "quantize_per_tensor.tensor2", x, one, zero, least, most, torch.int8)
    yield case(ops + "dequantize_per_tensor.tensor", q, one, zero, -128, 127, torch.int8)
    yield case(ops + "dequantize_per_tensor.tensor2", q, one, zero, least, most, torch.int8)
    yield case(ops + "dequantize_per_channel", q, scales.double(), None, 1, -128, 127, torch.int8)
    yield case(ops + "quantize_per_channel", x.transpose(0, 2), scales, zeros.float(), 1, -128, 127, torch.int8)
    yield case(ops + "fake_quant_per_channel", x, scales, zeros, 1, -8, 7)
    tokens, token_zeros = make((2, 3, 1), low=0.01, high=0.1), make((2, 3, 1), torch.int64, -3, 3)
    yield case(ops + "quantize_per_token", x, tokens, token_zeros, -128, 127, torch.int8)
    yield case(ops + "quantize_per_token", x, tokens.double(), token_zeros, -128, 127, torch.int8)
    yield case(ops + "dequantize_per_token", q, tokens, token_zeros, -128, 127, torch.int8, torch.float32)
    yield case(ops + "dequantize_per_token", q, tokens.double(), token_zeros, -128, 127, torch.int8, torch.bfloat16)
    w, groups = make((3, 8)), make((3, 2), low=0.01, high=0.1)
    yield case(ops + "quantize_per_channel_group", w, groups, make((3, 2), torch.int32, -2, 3), -8, 7, torch.int8, 4)
    yield case(ops + "quantize_per_channel_group", w, groups[:, :1], make((3, 1), torch.int32, -2, 3), -8, 7, torch.int8, 32)
    packed = make((3, 8), torch.int8, -8, 8)
    yield case(ops + "dequantize_per_channel_group", packed, groups, make((3, 2), torch.int32, -2, 3), -8, 7, torch.int8, 4, torch.float32)
    yield case(ops + "dequantize_per_channel_group", packed, groups, None, -8, 7, torch.int8, 4, torch.float16)
    yield from errors(ops + "quantize_per_tensor", (x.double(), 0.1, 0, -128, 127, torch.int8), (x, 0.1, 0, -129, 127, torch.int8),
                      (x, 0.1, 0, 0, 255, torch.int8), (x, 0.1, 0, 0, 255, torch.int64), message=True)
    yield from errors(ops + "dequantize_per_tensor", (q, 0.1, 0, 0, 255, torch.uint8), message=True)
    yield from errors(ops + "quantize_per_channel", (x, scales, zeros, 3, -128, 127, torch.int8), (x, scales, zeros, 0, -128, 127, torch.int8))
    yield from errors(ops + "quantize_per_token", (x, tokens[0], token_zeros, -128, 127, torch.int8))
    yield from errors(ops + "quantize_per_channel_group", (w, groups, zeros, -8, 7, torch.int8, 3), (x, groups, zeros, -8, 7, torch.int8, 4))


def engines():
    """Quantized layers that only onednn has."""
    torch.backends.quantized.engine = "onednn"
    w = torch.quantize_per_tensor(make((6, 4, 3, 3)), 0.02, 0, torch.qint8)
    rows = torch.quantize_per_channel(make((6, 8)), torch.linspace(0.01, 0.03, 6), torch.zeros(6, dtype=torch.long), 0,
                                      torch.qint8)
    conv = Call("quantized::conv2d_prepack", w, make((6,)), [2, 1], [1, 1], [1, 1], 1)
    linear = Call("quantized::linear_prepack", rows, make((6,)))
    for scale, zero in ((0.03, 60), (0.05, 0), (0.02, 127)):
        x = torch.quantize_per_tensor(make((2, 4, 9, 7)), scale, zero, torch.quint8)
        a = torch.quantize_per_tensor(make((2, 6, 5, 7)), 0.04, 70, torch.quint8)
        yield case("quantized::conv2d_add", x, a, conv, 0.1, 100, quanta=1)
        yield case("quantized::conv2d_add_relu", x, a, conv, 0.1, 0, quanta=1)
        x = torch.quantize_per_tensor(make((2, 3, 8)), scale, zero, torch.quint8)
        yield case("quantized::linear_leaky_relu", x, linear, 0.05, 100, 0.1, quanta=1)
        yield case("quantized::linear_tanh", x, linear, 0.01, 100, quanta=1)
    x = torch.quantize_per_tensor(make((2, 3, 5, 6, 7)), 0.05, 60, torch.quint8)
    yield case("aten::quantized_max_pool3d", x, [2, 3, 2], [2, 2, 2], [1, 1, 0])
    x = x.contiguous(memory_format=torch.channels_last_3d)
    yield case("aten::quantized_max_pool3d", x, [2, 2, 2], exact_strides=False)
