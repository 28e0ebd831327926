"""Batch, instance, layer, group and weight normalization."""
import torch

from lib.case import *
from lib.tensors import *

F16 = torch.bfloat16


class Parameters:
    """Weight, bias, mean and variance, made anew at each use: training writes to the statistics."""

    def __init__(self, channels, dtype=torch.float32):
        self.channels, self.dtype = channels, dtype

    def __iter__(self):
        return iter(parameters(self.channels, self.dtype))


def parameters(channels, dtype=torch.float32):
    return (make((channels,), dtype, 0.5, 1.5, seed=1), make((channels,), dtype, seed=2), make((channels,), dtype, seed=3),
            make((channels,), dtype, 0.3, 2, seed=4))


def batch_norm_cases():
    for shape in ((4, 3), (2, 3, 5), (2, 3, 4, 5), (2, 3, 2, 3, 4), (2, 8, 9, 7), (1, 3, 1, 1), (0, 3, 4, 4)):
        for dtype in (torch.float32, torch.float64):
            p = Parameters(shape[1], dtype)
            w = list(p)[0]
            x = make(shape, dtype)
            yield case("aten::batch_norm", x, *p, False, 0.1, 1e-5, True)
            if x.numel() and x.numel() > shape[1]:
                yield case("aten::batch_norm", x, *p, True, 0.1, 1e-5, True)
                yield case("aten::batch_norm", x, None, None, None, None, True, 0.1, 1e-5, False)
                yield case("aten::native_batch_norm", x, *p, True, 0.3, 1e-3)
                yield case("aten::native_batch_norm", x, w, None, None, None, True, 0.3, 1e-3)
            yield case("aten::batch_norm", x, None, None, *list(p)[2:], False, 0.1, 1e-5, False)
    p = Parameters(3)
    w, b, m, v = p
    for layout in (TRANSPOSED, SLICED, CHANNELS_LAST, OFFSET, EXPANDED):
        x = make((3, 3, 4, 3), layout=layout)
        yield case("aten::batch_norm", x, *p, False, 0.1, 1e-5, True)
        yield case("aten::batch_norm", x, *p, True, 0.1, 1e-5, True)
    x = make((2, 3, 4, 5))
    yield case("aten::native_batch_norm", x, *p, False, 0.1, 1e-5)
    yield case("aten::batch_norm", x.to(F16), *p, False, 0.1, 1e-5, True)
    yield case("aten::native_batch_norm", x.to(F16), *p, True, 0.1, 1e-5)
    yield case("aten::_batch_norm_impl_index", x, *p, True, 0.1, 1e-5, True)
    yield case("aten::batch_norm_update_stats", x, *list(p)[2:], 0.1)
    yield case("aten::batch_norm", torch.tensor([[1.0, float("nan"), float("inf")]] * 2), *p, False, 0.1, 1e-5, True)
    for bad in ((x, w, b, m[:2], v, False), (x, w[:2], b, m, v, False), (x, w, b, m, v[:1], True), (x, w, b, None, None, False)):
        yield from errors("aten::batch_norm", (*bad, 0.1, 1e-5, True), message=True)
    for shape in ((2, 3, 5), (2, 3, 4, 5), (2, 3, 2, 3, 4)):
        x = make(shape)
        yield case("aten::instance_norm", x, w, b, None, None, True, 0.1, 1e-5, True)
        yield case("aten::instance_norm", x, *p, True, 0.1, 1e-5, True)
        yield case("aten::instance_norm", x, *p, False, 0.1, 1e-5, True)
    yield case("aten::instance_norm", make((2, 3, 4, 5), layout=CHANNELS_LAST), w, b, None, None, True, 0.1, 1e-5, True)
    yield from errors("aten::instance_norm", (x, w, b, None, None, False, 0.1, 1e-5, True), message=True)


class RunningStatistics(torch.nn.Module):
    def forward(self, x, w, b, m, v):
        y = torch.batch_norm(x, w, b, m, v, True, 0.1, 1e-5, False)
        z = torch.instance_norm(x, w, b, m, v, True, 0.3, 1e-5, False)
        return y, z, m, v


def running_statistics_cases():
    for shape in ((2, 3, 5), (2, 3, 4, 5)):
        yield model(f"running statistics {shape}", RunningStatistics(), make(shape), *Parameters(3))


def layer_norm_cases():
    for shape, norm in (((4, 6), [6]), ((2, 3, 8), [8]), ((2, 3, 8), [3, 8]), ((2, 3, 4, 5), [3, 4, 5]), ((6,), [6]), ((0, 4), [4]),
                        ((3, 517), [517])):
        for dtype in (torch.float32, torch.float64, F16):
            x, w, b = make(shape, dtype, -3, 5), make(norm, dtype, seed=5), make(norm, dtype, seed=6)
            yield case("aten::layer_norm", x, norm, w, b)
            yield case("aten::layer_norm", x, norm, w, None, 1e-3)
            yield case("aten::layer_norm", x, norm, None, b)
            yield case("aten::layer_norm", x, norm)
            yield case("aten::native_layer_norm", x, norm, w, b, 1e-5)
    for layout in (TRANSPOSED, SLICED, OFFSET):
        yield case("aten::layer_norm", make((3, 4, 5), layout=layout), [5], make((5,)), make((5,)))
    yield case("aten::layer_norm", make((2, 3, 4, 5), layout=CHANNELS_LAST), [4, 5])
    yield case("aten::layer_norm", make((4, 6)) + 1000, [6], rtol=1e-3)
    x = make((2, 3))
    for bad in ((x, []), (x, [5]), (x, [3], make((2,))), (x, [3], make((3,)), make((2,))), (x, [2, 2, 3])):
        yield from errors("aten::layer_norm", bad, message=True)


def group_norm_cases():
    for shape, groups in (((2, 6), 3), ((2, 6, 4), 2), ((2, 6, 4, 5), 3), ((2, 6, 4, 5), 1), ((2, 6, 4, 5), 6), ((2, 4, 2, 3, 2), 2),
                          ((0, 4, 3), 2)):
        for dtype in (torch.float32, torch.float64, F16):
            x, w, b = make(shape, dtype, -3, 5), make((shape[1],), dtype, seed=5), make((shape[1],), dtype, seed=6)
            yield case("aten::group_norm", x, groups, w, b)
            yield case("aten::group_norm", x, groups, None, None, 1e-3)
            rest = 1
            for s in shape[2:]:
                rest *= s
            yield case("aten::native_group_norm", x, w, b, shape[0], shape[1], rest, groups, 1e-5)
    for layout in (TRANSPOSED, SLICED, CHANNELS_LAST):
        yield case("aten::group_norm", make((4, 4, 4, 4), layout=layout), 2, make((4,)), make((4,)))
    x = make((2, 6, 4))
    for bad in ((x, 4), (x, 3, make((5,))), (make((4,)), 2)):
        yield from errors("aten::group_norm", bad, message=True)


def weight_norm_cases():
    for dtype in (torch.float32, torch.float64):
        v = make((4, 3, 5), dtype)
        for dim in (0, 1, 2, -1):
            yield case("aten::norm_except_dim", v, 2, dim)
            yield case("aten::norm_except_dim", v, 1, dim)
        yield case("aten::_weight_norm", v, make((4, 1, 1), dtype), 0)
        yield case("aten::_weight_norm", v, make((1, 1, 5), dtype), 2)
        yield case("aten::_weight_norm", v, make((1, 3, 1), dtype), 1)
        for p, dim in ((2, 0), (1, 1), (3, 2), (2.0, -1), (float("inf"), 0)):
            yield from with_variants("aten::renorm", v, p, dim, 1.5)
    yield from errors("aten::renorm", (make((4,)), 2, 0, 1), message=True)
    yield from errors("aten::renorm", (make((4, 2)), 0, 0, 1), message=True)
    yield from errors("aten::renorm", (make((4, 2)), 2, 0, -1), message=True)


def cases():
    yield from batch_norm_cases()
    yield from running_statistics_cases()
    yield from layer_norm_cases()
    yield from group_norm_cases()
    yield from weight_norm_cases()
