"""Padding."""
import torch

from lib.case import *
from lib.tensors import *


def cases():
    for dtype in ALL:
        yield case("aten::constant_pad_nd", make((3, 4), dtype), [1, 2, 0, 1], 2)
        yield case("aten::constant_pad_nd", make((3, 4), dtype), [1, -2])
    x = make((2, 3, 4, 5))
    for pad in ([], [1, 1], [1, 2, 3, 0], [-1, 2, 1, -2], [0, 0, 0, 0, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1], [-2, -3], [0, 0]):
        yield case("aten::constant_pad_nd", x, pad, 1.5)
        yield case("aten::pad", x, pad, "constant", 0.5)
        yield case("aten::pad", x, pad)
    yield from with_variants("aten::constant_pad_nd", x, [1, 1, 2, 0], 3)
    for layout in (TRANSPOSED, SLICED, EXPANDED, CHANNELS_LAST, OFFSET):
        y = make((2, 3, 4, 5), layout=layout)
        yield case("aten::constant_pad_nd", y, [1, 2, 1, 0], 1.5)
        yield case("aten::constant_pad_nd", y, [-1, 2, 1, -1, 1, 1], 1.5)
        for mode in ("reflect", "replicate", "circular"):
            yield case("aten::pad", y, [1, 2, 1, 0], mode)
    yield case("aten::constant_pad_nd", make((0, 3)), [1, 1, 1, 1], 2)
    yield case("aten::constant_pad_nd", make(()), [], 2)

    for name in ("reflection", "replication"):
        for dtype in (torch.float32, torch.float64):
            for shape in ((3, 5), (2, 3, 5), (0, 3, 5)):
                yield from with_variants(f"aten::{name}_pad1d", make(shape, dtype), [2, 3])
                yield case(f"aten::{name}_pad1d", make(shape, dtype), [0, -2])
            for shape in ((3, 4, 5), (2, 3, 4, 5), (0, 3, 4, 5)):
                yield from with_variants(f"aten::{name}_pad2d", make(shape, dtype), [2, 3, 1, 2])
                yield case(f"aten::{name}_pad2d", make(shape, dtype), [-1, 2, 1, -1])
            for shape in ((2, 3, 4, 5), (2, 2, 3, 4, 5), (0, 2, 3, 4, 5)):
                yield from with_variants(f"aten::{name}_pad3d", make(shape, dtype), [2, 3, 1, 2, 1, 0])
    for pad in ([1, 1, 1, 1], [5, 0, 0, 4], [-1, 2, 1, -1]):
        yield case("aten::_pad_circular", x, pad)
    yield case("aten::pad", make((2, 3, 5)), [2, 1], "circular")
    yield case("aten::pad", make((2, 3, 4, 5, 3)), [2, 1, 1, 1, 0, 2], "circular")
    for mode in range(4):
        yield case("aten::_pad_enum", x, [1, 1, 1, 2], mode)

    for bad in ([1, 1, 1], [1] * 10):
        yield from errors("aten::constant_pad_nd", (x, bad), message=True)
        yield from errors("aten::pad", (x, bad), message=True)
    for bad in (([1, 1], "reflect"), ([1, 1], "circular"), ([1, 1, 1, 1], "reflect", 2.0), ([7, 1, 1, 1], "circular"), ([5, 1, 1, 1], "reflect"),
                ([1, 1, 4, 1], "reflect"), ([1, 1], "nonsense")):
        yield from errors("aten::pad", (x, *bad), message=True)
    yield from errors("aten::constant_pad_nd", (x, [-3, -3]))
    yield from errors("aten::pad", (x, [-4, -3, 0, 0], "replicate"))
    yield from errors("aten::pad", (make((2, 3, 0, 5)), [1, 1, 1, 1], "replicate"), message=True)
    yield from errors("aten::reflection_pad1d", (make((2, 3, 5)), [5, 1]), message=True)
    yield from errors("aten::reflection_pad1d", (make((5,)), [1, 1]))
    yield from errors("aten::replication_pad2d", (make((2, 3, 5)), [1, 1]))
