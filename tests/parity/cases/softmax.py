"""Softmax and log-softmax: every dim, strides, special values, dtypes."""
import torch

from lib.case import *
from lib.tensors import *

INF = float("inf")
NAN = float("nan")


def cases():
    for name in ("softmax", "log_softmax"):
        for shape in ((), (1,), (7,), (3, 5), (2, 3, 4), (2, 3, 4, 5), (0, 3), (3, 0), (2, 300, 3), (3, 700), (2, 5, 600)):
            dims = {0, len(shape) - 1, -1, len(shape) // 2} if shape else {0, -1}
            for dim in sorted(dims):
                for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
                    yield case(f"aten::{name}.int", make(shape, dtype, -8, 8), dim)
        for layout in (TRANSPOSED, SLICED, EXPANDED, OFFSET):
            for dim in (0, 1, 2):
                yield case(f"aten::{name}.int", make((4, 5, 6), layout=layout), dim)
        yield case(f"aten::{name}.int", make((2, 3, 4, 5), layout=CHANNELS_LAST), 1)
        for row in ([1.0, -INF, 3.0], [-INF, -INF, -INF], [INF, 1.0, 2.0], [NAN, 1.0, 2.0], [1.0, 2.0, NAN], [1e30, -1e30, 0],
                    [88.0, -104.0, 0.0]):
            yield case(f"aten::{name}.int", torch.tensor([row, [1.0, 2.0, 3.0]]), 1)
            yield case(f"aten::{name}.int", torch.tensor([row, [1.0, 2.0, 3.0]]).t().contiguous(), 0)
        yield case(f"aten::{name}.int", make((3, 4), torch.int64), 1, torch.float32)
        yield case(f"aten::{name}.int", make((3, 4), torch.float32), 1, torch.float64)
        yield case(f"aten::special_{name}", make((3, 4)), 1)
        yield case(f"aten::_{name}", make((3, 4)), 1, False)
        yield case(f"aten::{name}.int_out", make((3, 4)), 1, out=make((3, 4)))
        yield case(f"aten::_{name}.out", make((3, 4)), 0, False, out=make((3, 4)))
        yield from errors(f"aten::{name}.int", (make((3, 4)), 2), message=True)
        yield from errors(f"aten::{name}.int", (make((3, 4), torch.int64), -1), message=True)
        yield from errors(f"aten::_{name}", (make((3, 4)), 1, True), message=True)
