"""Runs that are long enough for loops over vectors, with their ends: the tables by family have small tensors."""
import torch

from lib.case import *
from lib.tensors import *

NARROW = [torch.int32, torch.int16, torch.int8, torch.uint8]
LENGTHS = (1, 7, 31, 1000)


def integers():
    for dtype in NARROW + [torch.int64, torch.bool]:
        for n in LENGTHS:
            a, b = make((n,), dtype), make((n,), dtype, seed=1)
            for op in ("eq", "ne", "lt", "le", "gt", "ge", "add", "mul"):
                yield case(f"aten::{op}.Tensor", a, b)
            for op in ("maximum", "minimum", "logical_and", "logical_or", "logical_xor"):
                yield case(f"aten::{op}", a, b)
            yield case("aten::logical_not", a)
            yield case("aten::where.self", b > 0, a, b)
            if dtype == torch.bool:
                yield case("aten::bitwise_not", a)
                continue
            yield case("aten::sub.Tensor", a, b)
            yield case("aten::neg", a)
            yield case("aten::abs", a)
            yield case("aten::clamp", a, 1, 5)
            yield case("aten::clamp", a, None, 3)
            yield case("aten::eq.Scalar", a, 3)
            yield case("aten::mul.Scalar", a, 77)
    # Sums and products that wrap in their own width, and what a wider destination gets of them.
    for dtype in NARROW:
        info = torch.iinfo(dtype)
        ends = torch.tensor([info.min, info.min + 1, -1 if info.min else 0, 0, 1, info.max - 1, info.max] * 9).to(dtype)
        for op in ("add", "sub", "mul"):
            yield case(f"aten::{op}.Tensor", ends.view(-1, 1), ends)
            yield case(f"aten::{op}.out", ends, ends.flip(0), out=torch.zeros(63, dtype=torch.int64))
            yield case(f"aten::{op}_.Tensor", ends.clone(), ends.flip(0))
            yield case(f"aten::{op}.Tensor", ends, torch.tensor(1000))
        yield case("aten::neg", ends)
        yield case("aten::abs", ends)
        for other in (torch.int64, torch.float32, torch.int16):
            yield case("aten::add.Tensor", ends, make((63,), other))
            yield case("aten::lt.Tensor", ends, make((63,), other))
        yield case("aten::eq.Tensor", make((40, 30), dtype, layout=TRANSPOSED), make((40, 30), dtype, seed=1))
        yield case("aten::maximum", make((40, 30), dtype, layout=SLICED), make((30,), dtype, seed=1))
    # Bools that are other bytes than 0 and 1.
    source = "def forward(self, x):\n  b = x.view(torch.bool)\n  return b, ~b, b & b.flip(0), b == b.flip(0), b.sum()"
    yield program("bytes seen as bools", source, torch.arange(100, dtype=torch.uint8) % 3)


def divisions():
    values = torch.tensor([0.0, -0.0, 1.0, -1.0, 0.1, 3.0, 7.5, -2.25, 1e-3, 3e5, 1e7, float("inf"), -float("inf"),
                           float("nan"), 16777216.0, 2.0**-10])
    for dtype in FLOATING:
        for x, y in ((values, values), (make((1001,), seed=1) * 100, make((1001,), seed=2))):
            x, y = x.to(dtype), y.to(dtype)
            if x.numel() == 16:
                x, y = x.repeat_interleave(16), y.repeat(16)
            yield case("aten::fmod.Tensor", x, y)
            yield case("aten::remainder.Tensor", x, y)
            yield case("aten::fmod_.Tensor", x.clone(), y)
            if dtype in FLOATS:
                yield case("aten::floor_divide", x, y)


def copies():
    image = make((2, 8, 9, 11))
    for layout in (image, image.to(memory_format=torch.channels_last), image.transpose(1, 3)):
        for shifts, dims in (([2, -3], [2, 3]), ([1], [1]), ([20, 5], [-1, -1]), ([0, 4], [0, 2]), ([-700], [])):
            yield case("aten::roll", layout, shifts, dims)
        yield case("aten::pixel_shuffle", layout[:, :8], 2)
        yield case("aten::repeat_interleave.self_int", layout, 3, 1)
        yield case("aten::repeat_interleave.self_int", layout, 2)
        yield case("aten::repeat_interleave.self_int", layout, 0, -1)
    for dtype in (torch.float32, torch.float64, torch.uint8, torch.half, torch.complex128):
        yield case("aten::clone", make((40, 1), dtype).expand(40, 50), memory_format=torch.contiguous_format)
        yield case("aten::clone", make((40, 30, 3), dtype).permute(1, 0, 2), memory_format=torch.contiguous_format)
        yield case("aten::clone", make((3, 40, 5), dtype).permute(2, 1, 0), memory_format=torch.contiguous_format)
        yield case("aten::clone", make((50,), dtype).unfold(0, 5, 2), memory_format=torch.contiguous_format)
        yield case("aten::roll", make((30, 20), dtype), [15, 10], [0, 1])
    yield from errors("aten::repeat_interleave.self_int", (make((3, 4)), -1, 0), (make((3, 4)), 2, 2))
    yield from errors("aten::roll", (make((3, 4)), [1], [2]), (make((3, 4)), [1, 2], [0]), (make((0, 4)), [1], [0]))


def rows():
    for dtype in FLOATS:
        a, b = make((20, 77), dtype), make((20, 77), dtype, seed=1)
        for dim in (0, 1, -1):
            yield case("aten::cosine_similarity", a, b, dim, 1e-8)
        yield case("aten::cosine_similarity", make((5, 20, 77), dtype), b, 1, 1e-8)
        for p in (0.0, 1.0, 2.0, 3.0):
            yield case("aten::pdist", a, p)
            yield case("aten::cdist", a, b, p, None)
        yield case("aten::glu", make((6, 640), dtype, low=-9, high=9), 1)
        yield case("aten::glu", make((6, 640), dtype, layout=TRANSPOSED), 0)
    for dtype in COMPLEX:
        for m, k, n in ((20, 30, 40), (1, 300, 70), (64, 300, 1)):
            yield case("aten::mm", make((m, k), dtype), make((k, n), dtype, seed=1))
        yield case("aten::mm", make((40, 30), dtype, layout=TRANSPOSED), make((30, 40), dtype, layout=SLICED))
        yield case("aten::bmm", make((5, 20, 30), dtype), make((5, 30, 40), dtype, seed=1))
        yield case("aten::addmm", make((40,), dtype), make((20, 30), dtype), make((30, 40), dtype), beta=2, alpha=0.5)
    for dtype in (torch.int64, torch.int32, torch.float32, torch.float64, torch.half, torch.uint8):
        runs = (make((900,), torch.float32, 0, 3) * 2).round().to(dtype)
        if dtype.is_floating_point:
            runs[10:20] = float("nan")
            runs[30:40] = torch.tensor([0.0, -0.0] * 5, dtype=dtype)
        for inverse in (False, True):
            for counts in (False, True):
                yield case("aten::unique_consecutive", runs, inverse, counts)
        yield case("aten::unique_consecutive", runs.view(30, 30), True, True)
        yield case("aten::unique_consecutive", runs[:0], True, True)
    for dtype in (torch.int64, torch.int32, torch.uint8, torch.int8):
        for high in (3, 100):
            few = make((40, 25), dtype, 0, high)
            for inverse, counts in ((False, False), (True, False), (False, True), (True, True)):
                yield case("aten::_unique2", few, True, inverse, counts)
    yield case("aten::_unique2", torch.tensor([2**63 - 1, -2**63, 0, 5, 5]), True, True, True)
    for dtype in (torch.int64, torch.float32, torch.bfloat16, torch.uint8):
        index = indices((30, 50), 40)
        for reduce in ("amax", "amin"):
            source = make((30, 50), dtype, seed=3, special=dtype.is_floating_point)
            yield case("aten::scatter_reduce.two", make((30, 40), dtype), 1, index, source, reduce)
            yield case("aten::scatter_reduce.two", make((30, 40), dtype), 1, index, source, reduce, include_self=False)
    for dtype in FLOATS:
        x = make((300,), dtype, -0.2, 1.2)
        for eps in (None, 0.0, 0.1, 1e-6):
            yield case("aten::logit", x, eps)
    for shape, groups in (((2, 24, 7, 9), 4), ((1, 6, 5, 5), 6), ((3, 10, 1, 40), 1), ((2, 70, 3, 3), 35)):
        x = make(shape, layout=CHANNELS_LAST)
        yield case("aten::group_norm", x, groups, make((shape[1],), seed=1), make((shape[1],), seed=2), 1e-5, True)
        yield case("aten::group_norm", x, groups)


def folds():
    """Sums, products and extremes of long rows; a NaN in any place of the vectors is seen."""
    for dtype in (torch.float64, torch.float32, torch.int64):
        for shape in ((3, 1), (5, 7), (70, 31), (66, 130), (2, 1003)):
            for layout in (CONTIGUOUS, TRANSPOSED):
                low, high = (0.9, 1.1) if dtype.is_floating_point else (None, None)
                x = make(shape, dtype, low, high, layout=layout)
                for dim in (0, 1):
                    yield case("aten::sum.dim_IntList", x, [dim])
                    yield case("aten::prod.dim_int", x, dim)
                    yield case("aten::amax", x, [dim])
                    yield case("aten::min.dim", x, dim)
                    yield case("aten::nansum", x, [dim])
                yield case("aten::sum", x)
                yield case("aten::prod", x)
    for at in (0, 6, 15, 16, 20):
        x = make((21,), torch.float64)
        x[at] = float("nan")
        for op in ("max", "min", "sum", "prod", "argmax", "nansum"):
            yield case("aten::" + op, x)
            yield case("aten::" + op, x.float())
    for n in (1, 4, 33, 100):
        a, b = make((5, 40), torch.int64, -2**40, 2**40), make((40, n), torch.int64, -2**40, 2**40)
        yield case("aten::mm", a, b)
        yield case("aten::mm", a.int(), b.int())
        yield case("aten::mm", a, b.t().contiguous().t())
        yield case("aten::addmm", make((n,), torch.int64), a, b, beta=3, alpha=2)
    for width in (1, 3, 16, 67):
        for p in (1.0, 2.0, 0.5):
            yield case("aten::pdist", make((9, width)), p)
            yield case("aten::cdist", make((7, width)), make((5, width), seed=1), p, None)
    index = torch.arange(600).reshape(2, 300) * 7 % 11
    for dtype in REAL:
        for kind in ("amax", "amin"):
            for keep in (True, False):
                yield case("aten::scatter_reduce.two", make((2, 11), dtype, special=dtype.is_floating_point), 1, index,
                           make((2, 300), dtype, special=dtype.is_floating_point, seed=1), kind, include_self=keep)


def cases():
    yield from folds()
    yield from integers()
    yield from divisions()
    yield from copies()
    yield from rows()
