"""Pooling operators."""
import itertools

import torch

from lib.case import *
from lib.tensors import *

FLOAT = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
F64, I64 = torch.float64, torch.int64


def image(shape, dtype=torch.float32, **kw):
    return make(shape, dtype, -4, 4, **kw)


def max_pools():
    two, three = (2, 3, 9, 11), (2, 3, 6, 7, 8)
    for k, s, p, d, ceil in itertools.product((2, 3), (None, 1, 2), (0, 1), (1, 2), (False, True)):
        stride = [] if s is None else [s]
        yield case("aten::max_pool1d", image((2, 3, 11)), [k], stride, [p], [d], ceil)
        yield case("aten::max_pool1d_with_indices", image((2, 3, 11)), [k], stride, [p], [d], ceil)
        yield case("aten::max_pool2d", image(two), [k], stride, [p], [d], ceil)
        yield case("aten::max_pool2d", image(two, layout=CHANNELS_LAST), [k], stride, [p], [d], ceil)
        yield case("aten::max_pool2d_with_indices", image(two), [k], stride, [p], [d], ceil)
        yield case("aten::max_pool2d_with_indices", image(two, layout=CHANNELS_LAST), [k], stride, [p], [d], ceil)
        yield case("aten::max_pool3d", image(three), [k], stride, [p], [d], ceil)
        yield case("aten::max_pool3d_with_indices", image(three), [k], stride, [p], [d], ceil)
    for dtype in FLOAT:
        yield case("aten::max_pool1d", image((2, 3, 11), dtype), [3], [2], [1])
        yield case("aten::max_pool2d", image(two, dtype), [3, 2], [2, 1], [1, 0])
        yield from with_variants("aten::max_pool2d_with_indices", image(two, dtype), [3, 2], [2, 1], [1, 0])
        yield from with_variants("aten::max_pool3d_with_indices", image(three, dtype), [3, 2, 2], [2, 1, 1], [1, 0, 1])
    for layout in (TRANSPOSED, SLICED, EXPANDED, OFFSET):
        yield case("aten::max_pool2d", image(two, layout=layout), [2, 2])
        yield case("aten::max_pool1d", image((2, 3, 11), layout=layout), [2])
    for dtype in (torch.float32, F64):
        yield case("aten::max_pool2d_with_indices", image((2, 3, 20, 40), dtype, special=True), [3, 3], [2, 2], [1, 1])
        yield case("aten::max_pool2d", image((2, 3, 20, 40), dtype, special=True), [3, 3], [2, 2], [1, 1])
        yield case("aten::max_pool2d", image((2, 20, 8, 9), dtype, special=True, layout=CHANNELS_LAST), [3, 3], [2, 2], [1, 1])
        yield case("aten::max_pool1d", image((2, 3, 40), dtype, special=True), [3])
    yield case("aten::max_pool2d_with_indices", torch.full((1, 2, 3, 3), -float("inf")), [2, 2])
    yield case("aten::max_pool2d", image((3, 9, 11)), [2, 2])
    yield case("aten::max_pool2d", image((0, 3, 9, 11)), [2, 2])
    yield case("aten::max_pool1d", image((3, 11)), [2])
    yield case("aten::max_pool1d", image((0, 3, 11)), [2])
    yield case("aten::max_pool1d", image((2, 3, 11)), [20])
    yield case("aten::max_pool3d", image((3, 6, 7, 8)), [2, 2, 2])
    yield case("aten::max_pool3d", image((0, 3, 6, 7, 8)), [2, 2, 2])
    yield case("aten::max_pool3d", image(three).to(memory_format=torch.channels_last_3d), [2, 2, 2])


def avg_pools():
    two, three = (2, 3, 9, 11), (2, 3, 6, 7, 8)
    for k, s, p, ceil, include in itertools.product((2, 3), (None, 1, 2), (0, 1), (False, True), (False, True)):
        stride = [] if s is None else [s]
        yield case("aten::avg_pool1d", image((2, 3, 11)), [k], stride, [p], ceil, include)
        yield case("aten::avg_pool2d", image(two), [k], stride, [p], ceil, include)
        yield case("aten::avg_pool2d", image(two, layout=CHANNELS_LAST), [k], stride, [p], ceil, include)
        yield case("aten::avg_pool3d", image(three), [k], stride, [p], ceil, include)
    for dtype in FLOAT + [I64]:
        yield from with_variants("aten::avg_pool2d", image(two, dtype), [3, 2], [2, 1], [1, 0])
        yield from with_variants("aten::avg_pool3d", image(three, dtype), [3, 2, 2], [2, 1, 1], [1, 0, 1])
        for divisor in (1, 3, -2):
            yield case("aten::avg_pool2d", image(two, dtype), [3, 2], [], [0, 0], False, True, divisor)
            yield case("aten::avg_pool3d", image(three, dtype), [2], [], [0], False, True, divisor)
    yield case("aten::avg_pool2d", image(two, special=True), [3, 3])
    yield case("aten::avg_pool2d", image((3, 9, 11)), [2])
    yield case("aten::avg_pool2d", image((0, 3, 9, 11)), [2])
    yield case("aten::avg_pool1d", image((3, 11)), [2])
    yield case("aten::avg_pool3d", image((3, 6, 7, 8)), [2])


def adaptive():
    for out in (1, 2, 3, 7, 12):
        for dtype in FLOAT:
            yield case("aten::adaptive_avg_pool1d", image((2, 3, 11), dtype), [out])
            yield case("aten::adaptive_max_pool1d", image((2, 3, 11), dtype), [out])
            yield from with_variants("aten::adaptive_avg_pool2d", image((2, 3, 9, 11), dtype), [out, 2])
            yield from with_variants("aten::adaptive_max_pool2d", image((2, 3, 9, 11), dtype), [out, 2])
            yield from with_variants("aten::adaptive_avg_pool3d", image((2, 3, 6, 7, 8), dtype), [out, 2, 3])
            yield from with_variants("aten::adaptive_max_pool3d", image((2, 3, 6, 7, 8), dtype), [out, 2, 3])
        for op in ("aten::adaptive_avg_pool2d", "aten::_adaptive_avg_pool2d", "aten::adaptive_max_pool2d"):
            yield case(op, image((2, 3, 9, 11), layout=CHANNELS_LAST), [out, out])
            yield case(op, image((3, 9, 11)), [out, out])
            yield case(op, image((2, 3, 9, 11), layout=SLICED), [out, out])
        yield from with_variants("aten::_adaptive_avg_pool2d", image((2, 3, 9, 11)), [out, out])
        yield from with_variants("aten::_adaptive_avg_pool3d", image((2, 3, 6, 7, 8)), [out, out, out])
    for dtype in FLOAT + [torch.complex64]:
        yield case("aten::adaptive_avg_pool2d", image((2, 3, 9, 11), dtype), [1, 1])
        yield case("aten::adaptive_avg_pool3d", image((2, 3, 6, 7, 8), dtype), [1, 1, 1])
    for shape in ((0, 3, 9, 11), (2, 0, 9, 11)):
        yield case("aten::adaptive_avg_pool2d", image(shape), [2, 2])
        yield case("aten::adaptive_avg_pool2d", image(shape), [1, 1])
    yield case("aten::adaptive_avg_pool2d", image((2, 3, 0, 11)), [1, 1])
    yield case("aten::adaptive_avg_pool2d", image((9, 11)), [1, 1])
    yield case("aten::adaptive_avg_pool2d", image((2, 3, 9, 11)), [0, 2])
    yield case("aten::adaptive_max_pool2d", image((2, 3, 9, 11)), [0, 2])
    yield case("aten::adaptive_max_pool2d", image((2, 3, 9, 11), special=True), [4, 3])
    yield case("aten::adaptive_avg_pool2d", image((1, 40, 7, 7)), [1, 1])
    yield case("aten::adaptive_avg_pool2d", image((1, 40, 7, 7), layout=CHANNELS_LAST), [1, 1])
    yield case("aten::adaptive_avg_pool3d", image((3, 6, 7, 8)), [2, 2, 2])


def others():
    at2, at3 = indices((2, 3, 4, 5), 80), indices((2, 3, 3, 4, 2), 100)
    for dtype in FLOAT:
        yield from with_variants("aten::max_unpool2d", image((2, 3, 4, 5), dtype), distinct((2, 3, 4, 5), 80), [8, 10])
        yield from with_variants("aten::max_unpool3d", image((2, 3, 3, 4, 2), dtype), distinct((2, 3, 3, 4, 2), 192), [6, 8, 4], [2, 2, 2], [0, 0, 0])
        samples = make((2, 3, 2), dtype, 0, 1)
        yield from with_variants("aten::fractional_max_pool2d", image((2, 3, 9, 11), dtype), [2, 3], [4, 5], samples)
        yield from with_variants("aten::fractional_max_pool3d", image((2, 3, 6, 7, 8), dtype), [2, 2, 3], [3, 2, 4], make((2, 3, 3), dtype, 0, 1))
    yield case("aten::fractional_max_pool2d.output", image((2, 3, 9, 11)), [2, 3], [4, 5], make((2, 3, 2), low=0, high=1),
               output=make((0,)), indices=make((0,), I64))
    yield case("aten::fractional_max_pool3d.output", image((2, 3, 6, 7, 8)), [2, 2, 3], [3, 2, 4], make((2, 3, 3), low=0, high=1),
               output=make((0,)), indices=make((0,), I64))
    yield case("aten::max_unpool2d", image((3, 4, 5)), distinct((3, 4, 5), 80), [8, 10])
    yield case("aten::max_unpool2d", image((2, 3, 4, 5), layout=CHANNELS_LAST), distinct((2, 3, 4, 5), 80), [8, 10])
    yield case("aten::max_unpool2d", image((0, 3, 4, 5)), at2[:0], [8, 10])
    yield case("aten::fractional_max_pool2d", image((3, 9, 11)), [2, 3], [4, 5], make((1, 3, 2), low=0, high=1))
    yield case("aten::fractional_max_pool2d", image((2, 3, 9, 11), layout=CHANNELS_LAST), [2, 3], [1, 1], make((2, 3, 2), low=0, high=1))
    yield from errors("aten::max_unpool2d", (image((2, 3, 4, 5)), at2.int(), [8, 10]), (image((2, 3, 4, 5)), at2, [8]), (image((4, 5)), at2[0, 0], [8, 10]),
                      (image((2, 3, 4, 6)), at2, [8, 10]), (image((2, 3, 4, 5)), torch.full_like(at2, 1000), [8, 10]), (image((2, 3, 4, 5)), torch.full_like(at2, -3), [8, 10]),
                      (image((2, 3, 0, 5)), at2[:, :, :0], [8, 10]), message=True)
    three = image((2, 3, 3, 4, 2))
    yield from errors("aten::max_unpool3d", (three, at3, [6, 8], [2] * 3, [0] * 3), (three, at3, [6, 8, 4], [2] * 2, [0] * 3), (three, at3, [6, 8, 4], [2, 0, 2], [0] * 3),
                      (three, at3 + 1000, [6, 8, 4], [2] * 3, [0] * 3), (three, at3.int(), [6, 8, 4], [2] * 3, [0] * 3), message=True)
    s = make((2, 3, 2), low=0, high=1)
    x = image((2, 3, 9, 11))
    yield from errors("aten::fractional_max_pool2d", (x, [2, 2], [9, 11], s), (x, [2], [3, 4], s), (x, [2, 2], [3], s), (x[0, 0], [2, 2], [3, 4], s),
                      (x, [2, 2], [3, 4], s.double()), message=True)


def distinct(shape, limit):
    """Indices that do not repeat within a plane."""
    generator = torch.Generator().manual_seed(3)
    rows = []
    spatial = shape[-2:] if len(shape) < 5 else shape[-3:]
    n = 1
    for s in spatial:
        n *= s
    planes = 1
    for s in shape[: len(shape) - len(spatial)]:
        planes *= s
    for _ in range(planes):
        rows.append(torch.randperm(limit, generator=generator)[:n])
    return torch.stack(rows).reshape(shape)


def refused():
    x, x1, x3 = image((2, 4, 7, 9)), image((2, 4, 9)), image((2, 4, 5, 6, 7))
    bad = {
        "aten::max_pool2d": [(x, [0, 1]), (x, [2], [0]), (x, [2], [2], [2]), (x, [2], [2], [-1]), (x, [2], [2], [0], [0, 1]), (x[0, 0], [2]), (x, [20]),
                             (x, [2, 2, 2]), (x, [2], [1, 1, 1]), (x, [2], [1], [0, 0, 0]), (x, [2], [1], [0], [1, 1, 1]), (image((2, 0, 7, 9)), [2]),
                             (image((2, 4, 0, 9)), [2]), (make((2, 4, 7, 9), torch.bool), [2])],
        "aten::max_pool1d": [(image((9,)), [2]), (x1, [0]), (x1, [2], [0]), (x1, [2], [2], [2]), (x1, [2], [2], [-1]), (x1, [2], [2], [0], [0]), (x1, [2, 2]),
                             (x1, [2], [1, 1]), (x1, [2], [1], [0, 0]), (x1, [2], [1], [0], [1, 1]), (image((2, 0, 9)), [2]), (make((2, 4, 9), I64), [2])],
        "aten::max_pool1d_with_indices": [(x1, [0]), (image((9,)), [2]), (x1, [2, 2])],
        "aten::max_pool3d": [(x3, [0, 1, 1]), (x3, [2], [2], [2]), (x3, [2], [2], [-1]), (x3[0, 0], [2]), (x3, [20]), (x3, [2, 2]), (x3, [2], [2], [0], [0]),
                             (x3, [2], [0]), (x3, [2], [1, 1]), (image((2, 0, 5, 6, 7)), [2])],
        "aten::avg_pool2d": [(x, [0, 1]), (x, [2], [2], [2]), (x, [2], [2], [-1]), (x[0, 0], [2]), (x, [20]), (x, [2, 2, 2]),
                             (x, [2], [], [0], False, True, 0), (x, [2], [1, 1, 1]), (x, [2], [1], [0, 0, 0]), (x, [2], [0]), (image((2, 0, 7, 9)), [2]),
                             (make((2, 4, 7, 9), torch.int32), [2])],
        "aten::avg_pool1d": [(image((9,)), [2]), (x1, [2, 2]), (x1, [0]), (x1, [20]), (x1, [2], [2], [2]), (x1, [2], [2, 2]), (x1, [2], [2], [0, 0])],
        "aten::avg_pool3d": [(x3[0, 0], [2]), (x3, [2, 2]), (x3, [20]), (x3, [2], [], [0], False, True, 0), (x3, [2], [2], [2])],
        "aten::adaptive_avg_pool2d": [(x, [1]), (x, [1, 1, 1]), (x, [-1, 2]), (x[0, 0], [2, 2]), (image((2, 4, 0, 9)), [2, 2]), (x3, [2, 2]),
                                      (make((2, 4, 7, 9), I64), [2, 2]), (make((2, 4, 7, 9), I64), [1, 1])],
        "aten::adaptive_avg_pool1d": [(image((9,)), [2]), (x1, [2, 2]), (x1, [-2]), (image((2, 4, 0)), [2]), (x, [2])],
        "aten::adaptive_avg_pool3d": [(x3, [1, 1]), (x3[0, 0], [2, 2, 2]), (image((2, 4, 0, 5, 6)), [2, 2, 2]), (x3, [-2, 2, 2])],
        "aten::adaptive_max_pool2d": [(x, [1]), (x[0, 0], [2, 2]), (image((2, 4, 0, 9)), [2, 2]), (x, [-1, 2]), (image((2, 0, 7, 9)), [2, 2]),
                                      (make((2, 4, 7, 9), I64), [2, 2])],
        "aten::adaptive_max_pool1d": [(x1, [1, 2]), (image((9,)), [2]), (image((2, 4, 0)), [2])],
        "aten::adaptive_max_pool3d": [(x3, [1]), (x3[0, 0], [2, 2, 2]), (image((2, 4, 0, 5, 6)), [2, 2, 2])],
    }
    for op, lists in bad.items():
        for args in lists:
            yield from errors(op, args, message=True)


def cases():
    yield from max_pools()
    yield from avg_pools()
    yield from adaptive()
    yield from others()
    yield from refused()
