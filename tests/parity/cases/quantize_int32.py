"""Quantized tensors of 32-bit integers: what PyTorch computes with them, it computes in floats or in plain integers."""
import torch

from lib.case import *
from lib.tensors import *

torch.backends.quantized.engine = "qnnpack"


def quantized(shape, scale=0.05, zero=10, layout=CONTIGUOUS, seed=0, low=-3, high=3):
    return torch.quantize_per_tensor(make(shape, low=low, high=high, layout=layout, seed=seed), scale, zero, torch.qint32)


def tensors():
    yield quantized((3, 37))
    yield quantized((2, 3, 4, 5), layout=CHANNELS_LAST)
    yield quantized((4, 5), 0.001, -70000, TRANSPOSED)
    yield quantized((0, 4))
    yield quantized(())


def sums():
    for x in tensors():
        y = torch.quantize_per_tensor(x.dequantize().flip(0) if x.dim() else x.dequantize(), 0.02, -3, torch.qint32)
        for op in ("add", "mul", "add_relu", "mul_relu"):
            for scale, zero in ((0.03, 7), (1e-4, -100000)):
                yield case(f"quantized::{op}", x, y, scale, zero, quanta=1)
            yield case(f"quantized::{op}.out", x, y, torch.quantize_per_tensor(torch.zeros(x.shape), 0.04, 2, torch.qint32), quanta=1)
            for number in (2, 0.3, -1.5, 0):
                yield case(f"quantized::{op[:3]}_scalar{op[3:]}", x, number, quanta=1)
    a, b = quantized((3, 4)), quantized((4,), seed=1)
    for op in ("add", "mul", "add_relu", "mul_relu"):
        yield case(f"quantized::{op}", a, b, 0.05, 1, quanta=1)
        yield case(f"quantized::{op}", b, a, 0.05, 1, quanta=1)
        yield from errors(f"quantized::{op}", (a, torch.quantize_per_tensor(make((3, 4)), 0.1, 0, torch.quint8), 0.05, 1))
        yield from errors(f"quantized::{op}", (a, torch.quantize_per_channel(make((3, 4)), torch.ones(3), torch.zeros(3, dtype=torch.long), 0, torch.qint32), 0.05, 1))
    yield case("quantized::cat", [a, quantized((2, 4), 0.02, 3)], 0, None, None, quanta=1)
    yield case("quantized::cat", [a, quantized((2, 4), 0.02, 3)], 0, 0.03, 4, quanta=1)
    yield case("quantized::cat_relu", [a, quantized((2, 4), 0.02, 3)], 0, 0.03, 4, quanta=1)
    yield case("aten::cat", [a, quantized((2, 4), 0.02, 3)], 0, quanta=1)
    yield case("aten::cat", [a, a], 1)
    yield case("aten::stack", [a, a], 1)


def functions():
    for x in tensors():
        yield case("aten::relu", x)
        yield case("aten::relu_", x.clone())
        yield case("aten::clamp", x, -0.5, 1.0)
        yield case("aten::hardtanh", x, -0.5, 1.0)
        yield case("aten::hardtanh_", x.clone(), -0.5, 1.0)
        yield case("quantized::relu6", x)
        yield case("aten::leaky_relu", x, 0.1, quanta=1)
        yield case("quantized::leaky_relu", x, 0.1, False, 0.03, 4, quanta=1)
        yield case("quantized::elu", x, 0.03, 4, 1.0, 1.0, 1.0, quanta=1)
        yield case("quantized::celu", x, 0.03, 4, 1.0, quanta=1)
        yield case("quantized::hardswish", x, 0.03, 4, quanta=1)
        yield case("quantized::sigmoid", x, 0.03, 4, quanta=1)
        yield case("quantized::threshold", x, 0.3, 0.5, quanta=1)
        yield case("aten::threshold", x, 0.3, 0.5, quanta=1)
        yield case("aten::gelu", x, quanta=1)
        yield case("aten::fill_.Scalar", x.clone(), 0.7)
        yield case("aten::clone", x)
        yield case("aten::equal", x, x.clone())
        for op in ("eq", "ne", "lt", "le", "gt", "ge"):
            yield case(f"aten::{op}.Scalar", x, 0.25)
            yield case(f"aten::{op}.Tensor", x, x)
        if x.dim() and x.numel():
            yield case("aten::max", x)
            yield case("aten::max.dim", x, 0)
            yield case("aten::min.dim", x, -1, True)
            yield case("aten::sort.stable", x, stable=True, dim=0, descending=True)
            yield case("aten::topk", x, 2, 0)
            yield case("aten::flip", x, [0])
            yield case("aten::index_select", x, 0, torch.tensor([1, 0]))
            yield case("aten::masked_fill_.Scalar", x.clone(), x.dequantize() > 0, 0.3)
            yield case("aten::mean.dim", x, [0], quanta=1)


def fixed_scales():
    """Results with scales of 2^-32, where an integer is less than a float's rounding."""
    for op in ("torch.sigmoid", "torch.tanh", "torch.nn.functional.hardsigmoid"):
        for x in tensors():
            yield program(op, f"def forward(self, x: Tensor, scale: float, zero: int) -> Tensor:\n"
                              f"  return {op}(torch.quantize_per_tensor(x, scale, zero, 14)).dequantize()", x.dequantize(), x.q_scale(), x.q_zero_point())


def images():
    for layout in (CONTIGUOUS, CHANNELS_LAST):
        x = quantized((2, 3, 6, 8), layout=layout)
        yield case("aten::upsample_nearest2d", x, [8, 9])
        yield case("aten::reflection_pad2d", x, [1, 1, 1, 1])
        yield case("aten::quantized_max_pool2d", x, [3, 2], [2, 2], [1, 1])
        yield case("aten::max_pool2d", x, [2, 2], [2, 1], [0, 0], [2, 2])
        yield case("aten::avg_pool2d", x, [3, 2], [2, 2], [1, 1], quanta=1)
        yield case("aten::avg_pool2d", x, [3, 2], [2, 2], [1, 1], True, False, quanta=1)
        yield case("aten::avg_pool2d", x, [2, 2], [2, 2], [0, 0], False, True, 3, quanta=1)
        yield case("aten::adaptive_avg_pool2d", x, [2, 3], quanta=1)
        yield case("aten::adaptive_avg_pool2d", x, [1, 1], quanta=1)
        for corners in (False, True):
            yield case("aten::upsample_bilinear2d", x, [8, 9], corners, quanta=1)
        stats = make((3,), low=0.5, high=2), make((3,)), make((3,), seed=1), make((3,), low=0.5, high=2)
        for relu in ("", "_relu"):
            yield case(f"quantized::batch_norm2d{relu}", x, *stats, 1e-5, 0.03, 5, quanta=1)
            yield case(f"quantized::batch_norm{relu}", x, *stats, 1e-5, 0.001, -70000, quanta=1)
        yield case("aten::quantized_batch_norm", x, *stats, 1e-5, 0.03, 5, quanta=1)
        yield case("aten::constant_pad_nd", x, [1, 1], 0.4)
        yield case("quantized::layer_norm", x, [8], make((8,)), make((8,)), 1e-5, 0.05, 3, quanta=1)
        yield case("quantized::instance_norm", x, make((3,)), make((3,)), 1e-5, 0.05, 3, quanta=1)
        yield case("quantized::group_norm", x, 3, make((3,)), make((3,)), 1e-5, 0.05, 3, quanta=1)


def volumes():
    x = quantized((1, 2, 4, 6, 5))
    yield case("aten::avg_pool3d", x, [2, 3, 2], [2, 2, 2], [1, 1, 0], quanta=1)
    yield case("aten::adaptive_avg_pool3d", x, [2, 3, 1], quanta=1)
    stats = make((2,), low=0.5, high=2), make((2,)), make((2,), seed=1), make((2,), low=0.5, high=2)
    yield case("quantized::batch_norm3d", x, *stats, 1e-5, 0.03, 5, quanta=1)
    lines = quantized((2, 3, 9))
    yield case("aten::quantized_max_pool1d", lines, [3], [2], [1])
    yield case("aten::max_pool1d", lines, [3], [2], [1])
    # Integers that floats do not hold.
    large = torch.quantize_per_tensor(make((1, 2, 4, 4), low=-3, high=3).double().float(), 1e-8, 3, torch.qint32)
    yield case("aten::quantized_max_pool2d", large, [2, 2], [2, 2])
    yield case("aten::max_pool2d", large, [2, 2], [2, 2])


def cases():
    for group in (sums, functions, fixed_scales, images, volumes):
        yield from group()
