"""Joining tensors: sizes, memory format, type promotion, empty tensors."""
import itertools

import torch

from lib.case import case, errors, with_variants
from lib.tensors import ALL, LAYOUTS, CHANNELS_LAST, TRANSPOSED, fits, make


def cases():
    for op in ("aten::cat", "aten::concat", "aten::concatenate"):
        for dim in (0, 1, -1):
            yield from with_variants(op, [make((2, 3)), make((2, 3), seed=1)], dim)
        yield case(op, [make((2, 3)), make((5, 3)), make((0, 3))], 0)
        yield case(op, [make((0,)), make((2, 3)), make((0,))], 1)
        yield case(op, [make((0,)), make((0,))], 0)
        yield case(op, [make((0,), torch.float64), make((2, 3))], 0)
        yield case(op, [make((3,))], 0)
        yield from errors(op, ([],), ([make(())],), ([make((2, 3)), make((2,))],), ([make((2, 3)), make((2, 4))], 0),
                          ([make((2, 3))], 2), ([make((2, 3)), make((3, 3, 3))],), message=True)
    for a, b in itertools.product(ALL, ALL):
        yield case("aten::cat", [make((2, 3), a), make((2, 3), b)], 0)
    for a, b in itertools.product(LAYOUTS, LAYOUTS):
        for dim in (0, 1, 3):
            yield case("aten::cat", [make((2, 3, 4, 5), layout=a), make((2, 3, 4, 5), layout=b)], dim)
    yield case("aten::cat", [make((2, 3, 4, 5), layout=CHANNELS_LAST), make((0,))], 1)
    yield case("aten::cat.out", [make((2, 3)), make((2, 3))], 0, out=torch.zeros(4, 3, dtype=torch.float64))
    yield case("aten::cat.out", [make((2, 3)), make((2, 3))], 0, out=torch.zeros(4, 3, dtype=torch.int32))
    for op in ("aten::stack", "aten::_stack"):
        for dim in (0, 1, -1):
            for shape in ((2, 3), (4,)):
                yield from with_variants(op, [make(shape), make(shape, seed=1)], dim)
        for layout in LAYOUTS:
            if fits((2, 3, 4), layout):
                yield case(op, [make((2, 3, 4), layout=layout), make((2, 3, 4))], 1)
        yield case(op, [make(()), make(())], 0)
        yield case(op, [make((2,)), make((2,), torch.int64)], 0)
        yield from errors(op, ([make((2,)), make((3,))],), ([make((2,))], 3), ([],), message=True)
    groups = [[make(()), make(())], [make((3,)), make((2,))], [make((2, 3)), make((2, 3))],
              [make((2, 3, 4)), make((2, 3, 4))], [make((2, 3)), make((3,))], [make((2,)), make((2, 3))]]
    for op in ("aten::hstack", "aten::vstack", "aten::row_stack", "aten::dstack", "aten::column_stack"):
        for group in groups:
            yield from with_variants(op, group)
        yield from errors(op, ([],), message=True)
    for batch_first in (False, True):
        yield case("aten::pad_sequence", [make((3,)), make((5,)), make((0,))], batch_first)
        yield case("aten::pad_sequence", [make((3, 2)), make((5, 2))], batch_first, 1.5)
        yield case("aten::pad_sequence", [make((3, 2), torch.int64), make((5, 2), torch.int64)], batch_first, 2.0)
        yield case("aten::pad_sequence", [make((3, 2), layout=TRANSPOSED)], batch_first)
    yield case("aten::pad_sequence", [make((3, 2)), make((3, 3))])
    yield case("aten::flatten_dense_tensors", [make((2, 3)), make((4,))])
    yield case("aten::unflatten_dense_tensors", make((10,)), [make((2, 3)), make((4,))])
