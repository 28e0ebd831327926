"""Quantized tensors and simulated quantization."""
import torch

from lib.case import *
from lib.tensors import *

torch.backends.quantized.engine = "qnnpack"

QUANTIZED = (torch.quint8, torch.qint8, torch.qint32)


def cases():
    scales, zeros = torch.tensor([0.1, 0.02, 0.3]), torch.tensor([1, 0, 5])
    for dtype in QUANTIZED:
        for shape in ((), (7,), (3, 4), (2, 3, 4, 5), (0, 3)):
            x = make(shape)
            yield case("aten::quantize_per_tensor", x, 0.05, 10, dtype)
            q = torch.quantize_per_tensor(x, 0.05, 10, dtype)
            yield case("aten::dequantize.self", q)
            yield case("aten::int_repr", q)
        for layout in (TRANSPOSED, SLICED, CHANNELS_LAST, EXPANDED):
            x = make((2, 3, 4, 5), layout=layout)
            yield case("aten::quantize_per_tensor", x, 0.03, 3, dtype)
            yield case("aten::dequantize.self", torch.quantize_per_tensor(x, 0.03, 3, dtype))
            yield case("aten::int_repr", torch.quantize_per_tensor(x, 0.03, 3, dtype))
        x = make((3, 4))
        for axis, shape in ((0, (3, 4)), (1, (2, 3)), (1, (2, 3, 4, 5))):
            y = make(shape)
            yield case("aten::quantize_per_channel", y, scales, zeros, axis, dtype)
            q = torch.quantize_per_channel(y, scales, zeros, axis, dtype)
            yield case("aten::dequantize.self", q)
            yield case("aten::int_repr", q)
            yield case("aten::q_per_channel_scales", q)
            yield case("aten::q_per_channel_zero_points", q)
            yield case("aten::q_per_channel_axis", q)
            yield case("aten::qscheme", q)
        q = torch.quantize_per_tensor(x, 0.05, 10, dtype)
        yield case("aten::q_scale", q)
        yield case("aten::q_zero_point", q)
        yield case("aten::qscheme", q)
        yield case("aten::dequantize.tensor", q)
        yield case("aten::dequantize.tensors", [q, q])
        yield case("aten::quantize_per_tensor.tensor_qparams", x, torch.tensor(0.1), torch.tensor(3), dtype)
        yield case("aten::quantize_per_tensor.tensors", [x, x * 2], torch.tensor([0.1, 0.2]), torch.tensor([3, 1]), dtype)
        yield case("aten::_empty_affine_quantized", [2, 3], dtype=dtype, scale=0.1, zero_point=2, compare="meta")
    yield case("aten::quantize_per_channel", make((3, 4)), scales, torch.tensor([1.5, 0.2, 3.0]), 0, torch.quint8)
    for dtype in (torch.quint8, torch.qint8):
        for reduce_range in (False, True):
            for x in (make((3, 4)), make((3, 4), low=0, high=5), make((3, 4), low=-5, high=-1), torch.zeros(3), make((4,)) * 1e-6):
                yield case("aten::quantize_per_tensor_dynamic", x, dtype, reduce_range)
                yield case("aten::_choose_qparams_per_tensor", x, reduce_range)
    for plain in (torch.uint8, torch.int8, torch.int32):
        ints = make((3, 4), plain)
        yield case("aten::_make_per_tensor_quantized_tensor", ints, 0.1, 3)
        yield case("aten::_make_per_channel_quantized_tensor", ints, scales, zeros, 0)
    yield case("aten::dequantize.self", make((3, 4)))
    yield case("aten::dequantize.self", make((3, 4), torch.float16))

    x = make((3, 4))
    for bad in ((x.double(), 0.1, 3, torch.quint8), (x, 0.1, 300, torch.quint8), (x, 0.1, -1, torch.quint8), (x, 0.1, 1, torch.float32)):
        yield from errors("aten::quantize_per_tensor", bad, message=True)
    for bad in ((scales[:2], zeros[:2], 0), (scales, zeros[:2], 0), (scales, zeros, 2), (scales, zeros, -1)):
        yield from errors("aten::quantize_per_channel", (x, *bad, torch.quint8), message=True)
    yield from errors("aten::q_scale", (x,))
    yield from errors("aten::int_repr", (x,))
    yield from errors("aten::_make_per_tensor_quantized_tensor", (x.long(), 0.1, 3), message=True)

    for dtype in (torch.float32, torch.float64):
        for shape in ((), (7,), (3, 4), (2, 3, 4, 5), (0, 3)):
            y = make(shape, dtype)
            yield case("aten::fake_quantize_per_tensor_affine", y, 0.01, 10, 0, 255)
            yield case("aten::fake_quantize_per_tensor_affine", y, 0.1, 0, -128, 127)
            yield case("aten::fake_quantize_per_tensor_affine_cachemask", y, 0.01, 10, 0, 255)
            yield case("aten::fake_quantize_per_tensor_affine.tensor_qparams", y, torch.tensor(0.01), torch.tensor(10, dtype=torch.int32), 0, 255)
        y = make((2, 3, 4), dtype)
        yield case("aten::fake_quantize_per_channel_affine", y, scales, zeros.int(), 1, 0, 255)
        yield case("aten::fake_quantize_per_channel_affine", y, scales, torch.tensor([0.5, 1.0, 2.2]), 1, 0, 255)
        yield case("aten::fake_quantize_per_channel_affine_cachemask", y, scales, zeros.int(), 1, 0, 255)
    for bad in ((x, 0.1, 10, 255, 0), (x, 0.1, 300, 0, 255), (x.long(), 0.1, 3, 0, 255)):
        yield from errors("aten::fake_quantize_per_tensor_affine", bad, message=True)
    yield from errors("aten::fake_quantize_per_channel_affine", (x, scales, zeros, 0, 0, 255), message=True)
    yield from errors("aten::fake_quantize_per_channel_affine", (x, scales[:2], zeros[:2].int(), 0, 0, 255), message=True)
