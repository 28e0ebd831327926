"""Operators of aten on quantized tensors: what PyTorch allows of shapes, indices, comparisons, pools, pads and pictures."""
import torch

from lib.case import *
from lib.tensors import *

torch.backends.quantized.engine = "qnnpack"


def quantized(shape, scale=0.05, zero=10, dtype=torch.quint8, layout=CONTIGUOUS, seed=0):
    return torch.quantize_per_tensor(make(shape, layout=layout, seed=seed), scale, zero, dtype)


def tensors(shape):
    yield quantized(shape)
    yield quantized(shape, 0.02, 3, torch.qint8)


ONE = 1  # what vectorized and plain builds of PyTorch differ by


def views():
    for x in tensors((2, 6, 4, 5)):
        yield case("aten::view", x, [2, -1])
        yield case("aten::reshape", x, [12, 20])
        yield case("aten::reshape", x.transpose(1, 2), [8, 30])
        yield case("aten::flatten.using_ints", x, 1, 2)
        yield case("aten::permute", x, [0, 2, 3, 1])
        yield case("aten::transpose.int", x, 1, 3)
        yield case("aten::select.int", x, 1, 2)
        yield case("aten::slice.Tensor", x, 3, 1, 5, 2)
        yield case("aten::unsqueeze", x, 0)
        yield case("aten::squeeze", x[:1])
        yield case("aten::squeeze.dim", x[:1], 0)
        yield case("aten::expand", x[:1], [3, 6, 4, 5])
        yield case("aten::chunk", x, 2, 1)
        yield case("aten::split.Tensor", x, 4, 1)
        yield case("aten::as_strided", x, [3, 2], [5, 1], 2)
        yield case("aten::unfold", x, 3, 2, 1)
        yield case("aten::contiguous", x.permute(0, 2, 3, 1))
        yield case("aten::contiguous", x, memory_format=torch.channels_last)
        yield case("aten::clone", x)
        yield case("aten::clone", x.transpose(0, 1), memory_format=torch.contiguous_format)
        yield case("aten::detach", x)
        if x.dtype == torch.quint8:
            yield case("aten::channel_shuffle", x, 3)
        yield case("aten::flip", x, [1, 3])
        yield case("aten::numel", x)
        yield case("aten::t", x[0, 0])
    for x in tensors((3, 4)):
        yield case("aten::t", x)
        yield case("aten::unbind.int", x, 1)
        yield case("aten::numpy_T", x)


def selections():
    for x in tensors((5, 6)):
        yield case("aten::index_select", x, 1, torch.tensor([0, 3, 3]))
        yield case("aten::index.Tensor", x, [torch.tensor([4, 0]), None])
        yield case("aten::index.Tensor", x, [torch.tensor([1, 2]), torch.tensor([0, 5])])
        yield case("aten::topk", x, 3, 1)
        yield case("aten::topk", x, 2, 0, False)
        yield case("aten::sort.stable", x, stable=True, dim=1)
        yield case("aten::sort.stable", x, stable=True, dim=0, descending=True)
        yield case("aten::max", x)
        yield case("aten::min", x)
        yield case("aten::max.dim", x, 1)
        yield case("aten::min.dim", x, 0, True)
        yield case("aten::equal", x, x.clone())
        yield case("aten::equal", x, quantized((5, 6), 0.5))
        yield case("aten::masked_fill_.Scalar", x.clone(), make((5, 6)) > 0, 0.3)
        yield case("aten::fill_.Scalar", x.clone(), 0.7)
        yield case("aten::copy_", x.clone(), make((5, 6), seed=3))
        for op in ("eq", "ne", "lt", "le", "gt", "ge"):
            yield case(f"aten::{op}.Scalar", x, 0.25)
            yield case(f"aten::{op}.Tensor", x, quantized((5, 6), 0.1, 2, seed=4))
            yield case(f"aten::{op}.Tensor", x, quantized((6,), 0.1, 2, seed=4))


def written():
    """Numbers put into quantized tensors."""
    index = torch.tensor([1, 3])
    for dtype in (torch.quint8, torch.qint8, torch.qint32):
        for x in (quantized((5, 6), 0.05, 10, dtype), quantized((2, 3, 4, 5), 0.05, 10, dtype, CHANNELS_LAST), quantized((0, 4), 0.05, 10, dtype), quantized((), 0.05, 10, dtype)):
            for value in (0.7, -3, 1e9, -1e9, True):
                yield case("aten::fill_.Scalar", x.clone(), value)
            yield case("aten::fill_.Tensor", x.clone(), torch.tensor(0.7))
            yield case("aten::fill.Scalar", x, 0.7)
            yield case("aten::full_like", x, 0.7)
            yield case("aten::masked_fill_.Scalar", x.clone(), x.dequantize() > 0, 0.3)
            yield case("aten::masked_fill_.Tensor", x.clone(), x.dequantize() > 0, torch.tensor(0.3))
            yield case("aten::copy_", x.clone(), make(tuple(x.shape), seed=3))
            yield case("aten::copy_", x.clone(), quantized(tuple(x.shape), 0.1, 3, dtype, seed=3))
            yield from errors("aten::copy_", (x.clone(), quantized(tuple(x.shape), 0.1, 3, torch.quint8 if dtype != torch.quint8 else torch.qint8)))
        x = quantized((5, 6), 0.05, 10, dtype)
        for where, value in (([index], make((2, 6))), ([index], torch.tensor(0.4)), ([None, index], make((5, 2))), ([index, index], make((2,))),
                             ([index], make((6,))), ([x.dequantize() > 0], torch.tensor(0.2)), ([index], torch.tensor([float("nan")]))):
            yield case("aten::index_put_", x.clone(), where, value)
            yield case("aten::index_put", x, where, value)
        yield from errors("aten::index_put_", (x.clone(), [index], make((2, 6)), True))
        yield program("items set", f"""
def forward(self, x: Tensor, y: Tensor) -> List[Tensor]:
    q = torch.quantize_per_tensor(x, 0.05, 10, {({torch.qint8: 12, torch.quint8: 13, torch.qint32: 14}[dtype])})
    q[1] = y
    q[2:4] = 0.4
    q[0, 1] = -0.3
    q[torch.tensor([4])] = y
    return [q.int_repr(), q.dequantize()]
""", make((5, 6)), make((6,), seed=2))


def joined():
    for dtype in (torch.quint8, torch.qint8):
        parts = [quantized((2, 3, 4), 0.05, 3, dtype), quantized((2, 5, 4), 0.1, 7, dtype, seed=1)]
        yield case("aten::cat", parts, 1)
        same = [quantized((2, 3), 0.05, 3, dtype, seed=n) for n in range(3)]
        yield case("aten::cat", same, 0)
        yield case("aten::stack", same, 1)


def pools():
    for layout in (CONTIGUOUS, CHANNELS_LAST):
        for dtype in (torch.quint8, torch.qint8):
            x = quantized((2, 5, 9, 8), 0.05, 10, dtype, layout)
            quanta = 0 if dtype == torch.quint8 else ONE
            yield case("quantized::max_pool2d", x, [3, 3], [2, 2], [1, 1], [1, 1], False)
            yield case("aten::quantized_max_pool2d", x, [3, 2], [2, 1])
            yield case("aten::adaptive_avg_pool2d", x, [3, 4], quanta=quanta)
            yield case("aten::avg_pool2d", x, [2, 3], [2, 2], [0, 1], False, True, quanta=quanta)
    for dtype in (torch.quint8, torch.qint8):
        x = quantized((2, 5, 9), 0.05, 10, dtype)
        yield case("quantized::max_pool1d", x, [3], [2], [1], [1], False)
        yield case("aten::quantized_max_pool1d", x, [3], [2])
        yield case("aten::max_pool1d", x, [3], [2], [1])
        x = quantized((2, 3, 4, 6, 5), 0.05, 10, dtype)
        yield case("aten::avg_pool3d", x, [2, 2, 2], [2, 2, 1], quanta=ONE)
        yield case("aten::adaptive_avg_pool3d", x, [2, 3, 2], quanta=ONE)


def means():
    for x in tensors((2, 3, 4, 5)):
        for dims in ([1], [3], [-1], [-1, -2], [1, 3, 2], [0, 1], []):
            for keep in (False, True):
                yield case("aten::mean.dim", x, dims, keep)
        yield case("aten::mean.dim", x.transpose(1, 3), [3])
        yield case("aten::mean.dim", x.contiguous(memory_format=torch.channels_last), [2, 3])
        yield case("aten::mean", x)
    for zero in (0, 7, 128, 255):
        yield case("aten::mean.dim", quantized((5, 33), 0.013, zero), [1])
        yield case("aten::std.correction", x, [2, 3], correction=1, quanta=ONE)


def pictures():
    for layout in (CONTIGUOUS, CHANNELS_LAST):
        for dtype in (torch.quint8, torch.qint8):
            x = quantized((2, 5, 4, 6), 0.05, 10, dtype, layout)
            yield case("aten::upsample_nearest2d", x, [8, 9])
            yield case("aten::upsample_nearest2d.vec", x, None, [2.0, 1.5])
            yield case("aten::_upsample_nearest_exact2d", x, [7, 9])
            for corners in (False, True):
                for zero in (10, 11) if dtype == torch.quint8 else (10,):
                    x = quantized((2, 5, 4, 6), 0.05, zero, dtype, layout)
                    quanta = 0 if dtype == torch.quint8 and not corners and layout == CONTIGUOUS else ONE
                    yield case("aten::upsample_bilinear2d", x, [7, 9], corners, quanta=quanta)
                    yield case("aten::upsample_bilinear2d.vec", x, None, corners, [2.0, 2.0], quanta=quanta)
            if dtype == torch.quint8:
                yield case("aten::grid_sampler_2d", x, make((2, 3, 4, 2)), 0, 0, False, quanta=ONE)
    for dtype in (torch.quint8, torch.qint8):
        x = quantized((1, 2, 3, 4, 5), 0.05, 10, dtype)
        yield case("aten::upsample_nearest3d", x, [6, 5, 7])
        yield case("aten::_upsample_nearest_exact3d", x, [6, 5, 7])
        x = quantized((2, 3, 4, 5), 0.05, 10, dtype)
        yield case("aten::reflection_pad2d", x, [1, 2, 2, 1])
        yield case("aten::reflection_pad1d", x[0], [2, 1])
        yield case("aten::constant_pad_nd", x, [1, 1, 2, 0], 0.0)
        yield case("aten::constant_pad_nd", x, [1, 1], 0.4)


def functions():
    for x in tensors((3, 4, 5)):
        quanta = ONE
        yield case("aten::gelu", x, quanta=quanta)
        yield case("aten::leaky_relu", x, 0.1, quanta=quanta)
        yield case("aten::leaky_relu_", x.clone(), 0.2, quanta=quanta)
        yield case("aten::threshold", x, 0.3, 0.5)
        yield case("aten::prelu", x, make((4,)), quanta=quanta)
        yield case("aten::prelu", x, make((1,)), quanta=quanta)
        yield case("aten::hardtanh_", x.clone(), -0.3, 0.6)
    for x in tensors((0, 4)):
        yield case("aten::relu", x)
        yield case("aten::dequantize.self", x)
        yield case("aten::int_repr", x)


def cases():
    for group in (views, selections, written, joined, pools, means, pictures, functions):
        yield from group()
