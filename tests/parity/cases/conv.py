"""Convolution operators."""
import itertools

import torch

from lib.case import *
from lib.tensors import *

BFLOAT = torch.bfloat16
TYPES = [torch.float32, torch.float64, torch.float16, BFLOAT, torch.int64, torch.int32, torch.int8, torch.complex64]


def small(shape, dtype=torch.float32, **kw):
    """Values whose products sum exactly in every dtype."""
    return make(shape, dtype, -2, 3, **kw)


def forward_2d():
    shapes = [  # input, weight, stride, padding, dilation, groups
        ((2, 4, 7, 9), (8, 4, 3, 3), 1, 0, 1, 1),
        ((2, 4, 7, 9), (8, 4, 3, 3), 2, 1, 1, 1),
        ((1, 4, 12, 11), (6, 4, 3, 5), (2, 1), (1, 2), (2, 1), 1),
        ((2, 4, 7, 9), (8, 2, 3, 3), 1, 1, 1, 2),
        ((2, 6, 7, 9), (6, 1, 3, 3), 1, 1, 1, 6),
        ((2, 6, 9, 37), (6, 1, 5, 5), 2, 2, 1, 6),
        ((1, 40, 9, 21), (40, 1, 3, 3), 2, 1, 1, 40),
        ((2, 6, 7, 9), (12, 1, 3, 3), 1, 1, 2, 6),
        ((2, 3, 20, 20), (5, 3, 7, 7), 2, 3, 1, 1),
        ((3, 17, 5, 5), (33, 17, 1, 1), 1, 0, 1, 1),
        ((1, 17, 5, 6), (33, 17, 1, 1), 2, 0, 1, 1),
        ((1, 17, 5, 6), (33, 17, 1, 1), 1, 1, 1, 1),
        ((1, 200, 6, 6), (70, 200, 3, 3), 1, 1, 1, 1),
        ((1, 1, 5, 5), (1, 1, 5, 5), 1, 0, 1, 1),
    ]
    for x, w, stride, padding, dilation, groups in shapes:
        # Long sums: PyTorch's own rounding errors show.
        loose = {"atol": 2e-3} if w[1] >= 200 else {}
        for dtype in (torch.float32, torch.float64):
            for layout in (CONTIGUOUS, CHANNELS_LAST):
                for bias in (None, make((w[0],), dtype)):
                    yield case("aten::conv2d", make(x, dtype, layout=layout), make(w, dtype), bias, pair(stride), pair(padding),
                               pair(dilation), groups, **(loose if dtype == torch.float32 else {}))
        yield case("aten::conv2d", make(x), make(w, layout=CHANNELS_LAST), None, pair(stride), pair(padding), pair(dilation),
                   groups, **loose)
        for dtype in TYPES[2:]:
            yield case("aten::conv2d", small(x, dtype), small(w, dtype), small((w[0],), dtype), pair(stride), pair(padding), [1, 1], groups)
    for layout in (TRANSPOSED, SLICED, OFFSET, EXPANDED):
        yield case("aten::conv2d", make((2, 4, 7, 9), layout=layout), make((8, 4, 3, 3), layout=layout), None, [1, 1], [1, 1], [1, 1], 1)
    yield case("aten::conv2d", make((4, 7, 9)), make((8, 4, 3, 3)), make((8,)))
    yield case("aten::conv2d", make((0, 4, 7, 9)), make((8, 4, 3, 3)), make((8,)))
    yield case("aten::conv2d", make((0, 4, 7, 9), layout=CHANNELS_LAST), make((8, 4, 3, 3)), make((8,)))
    yield case("aten::conv2d", make((2, 0, 7, 9)), make((8, 0, 3, 3)), make((8,)))
    yield case("aten::conv2d", make((2, 4, 1, 1), layout=CHANNELS_LAST), make((8, 4, 1, 1)), make((8,)))
    yield case("aten::conv2d", make((2, 4, 7, 9), special=True), make((8, 4, 3, 3)), make((8,)))


def pair(v):
    return list(v) if isinstance(v, tuple) else [v, v]


def other_dims():
    for dtype in (torch.float32, torch.float64, torch.int64):
        f = small if dtype == torch.int64 else make
        for stride, padding, dilation in itertools.product((1, 2), (0, 2), (1, 2)):
            yield case("aten::conv1d", f((2, 4, 19), dtype), f((6, 2, 3), dtype), f((6,), dtype), [stride], [padding], [dilation], 2)
            yield case("aten::conv3d", f((2, 4, 6, 7, 8), dtype), f((6, 2, 3, 2, 3), dtype), f((6,), dtype), [stride] * 3, [padding] * 3, [dilation] * 3, 2)
    yield case("aten::conv1d", make((4, 19)), make((6, 4, 3)))
    yield case("aten::conv1d", make((2, 8, 50)), make((8, 1, 9)), make((8,)), [1], [4], [1], 8)
    yield case("aten::conv3d", make((4, 6, 7, 8)), make((6, 4, 3, 2, 3)))
    yield case("aten::conv3d", make((1, 4, 6, 7, 8)), make((4, 1, 3, 3, 3)), None, [1, 1, 1], [1, 1, 1], [1, 1, 1], 4)
    for op, x, w in (("aten::conv1d.padding", (2, 4, 9), (6, 4, 4)), ("aten::conv2d.padding", (2, 4, 9, 8), (6, 4, 3, 2)),
                     ("aten::conv3d.padding", (2, 4, 5, 6, 7), (6, 4, 1, 2, 3))):
        for padding in ("same", "valid"):
            for dilation in (1, 2):
                yield case(op, make(x), make(w), None, [1], padding, [dilation], 1)
        yield case(op, make(x[1:]), make(w), make((6,)), [1], "same", [1], 1)
    yield case("aten::conv2d.padding", make((2, 4, 9, 8), layout=CHANNELS_LAST), make((6, 4, 2, 2)), None, [1], "same")
    yield case("aten::_convolution_mode", make((2, 4, 9, 8)), make((6, 4, 3, 2)), None, [2], "valid", [1], 1)
    yield case("aten::_convolution_mode", make((2, 4, 9, 8)), make((6, 4, 3, 2)), None, [1], "same", [1], 1)


def transposed():
    for dtype in (torch.float32, torch.float64, torch.int64, torch.float16, torch.complex64):
        f = make if dtype.is_floating_point else small
        for stride, padding, dilation, groups in itertools.product((1, 2, 3), (0, 1), (1, 2), (1, 2)):
            extra = [stride - 1]
            yield case("aten::conv_transpose1d", f((2, 4, 9), dtype), f((4, 3, 3), dtype), f((3 * groups,), dtype), [stride], [padding], extra, groups, [dilation])
            if dtype.is_complex:
                continue
            yield case("aten::conv_transpose2d.input", f((2, 4, 5, 6), dtype), f((4, 3, 3, 2), dtype), None, [stride] * 2, [padding] * 2, extra * 2, groups, [dilation] * 2)
        if dtype.is_complex:
            continue
        yield case("aten::conv_transpose3d.input", f((2, 4, 3, 4, 5), dtype), f((4, 3, 3, 2, 3), dtype), None, [2] * 3, [1] * 3, [1] * 3, 1, [1] * 3)
    yield case("aten::conv_transpose2d.input", make((2, 4, 5, 6), layout=CHANNELS_LAST), make((4, 3, 3, 2)))
    yield case("aten::conv_transpose2d.input", make((2, 4, 5, 6)), make((4, 3, 3, 2), layout=CHANNELS_LAST), make((3,)))
    yield case("aten::conv_transpose2d.input", make((4, 5, 6)), make((4, 3, 3, 2)))
    yield case("aten::conv_transpose2d.input", make((0, 4, 5, 6)), make((4, 3, 3, 2)))
    yield case("aten::conv_transpose2d.input", make((1, 64, 40, 40)), make((64, 24, 4, 4)), make((24,)), [2, 2], [1, 1])


def general():
    x, w, b = make((2, 4, 7, 9)), make((8, 4, 3, 3)), make((8,))
    yield from with_variants("aten::convolution", x, w, b, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
    yield case("aten::convolution", x, make((4, 3, 3, 3)), None, [2], [1], [1], True, [1], 1)
    yield from with_variants("aten::_convolution", x, w, b, [1, 1], [1, 1], [1, 1], False, [0, 0], 1, False, False, True, True)
    yield case("aten::_convolution.deprecated", x, w, b, [1, 1], [1, 1], [1, 1], False, [0, 0], 1, False, False, True)
    yield from with_variants("aten::conv_tbc", make((7, 2, 4)), make((3, 4, 5)), make((5,)), 1)
    yield case("aten::conv_tbc", make((7, 2, 4)), make((3, 4, 5)), make((5,)), -1)
    yield case("aten::conv_tbc", small((7, 2, 4), torch.int64), small((3, 4, 5), torch.int64), small((5,), torch.int64), 0)
    yield case("aten::thnn_conv2d", x, w, [3, 3], b, [2, 2], [1, 1])
    yield case("aten::thnn_conv2d", x, make((8, 36)), [3, 3], b)
    yield case("aten::thnn_conv2d.out", x, w, [3, 3], b, [2, 2], [1, 1], out=make((0,)))
    yield case("aten::_slow_conv2d_forward", x, w, [3, 3], b, [2, 2], [1, 1])
    yield case("aten::_slow_conv2d_forward.output", x, w, [3, 3], b, [2, 2], [1, 1], output=make((0,)))
    yield from with_variants("aten::slow_conv_dilated2d", x, w, [3, 3], b, [1, 1], [0, 0], [2, 2])
    x3, w3 = make((2, 4, 5, 6, 7)), make((3, 4, 2, 2, 2))
    yield from with_variants("aten::slow_conv3d", x3, w3, [2, 2, 2])
    yield case("aten::slow_conv3d_forward", x3, w3, [2, 2, 2], None, [1, 1, 1], [0, 0, 0])
    yield case("aten::slow_conv3d_forward.output", x3, w3, [2, 2, 2], None, [1, 1, 1], [0, 0, 0], output=make((0,)))
    yield from with_variants("aten::slow_conv_dilated3d", x3, w3, [2, 2, 2], None, [1, 1, 1], [0, 0, 0], [2, 2, 2])
    yield from with_variants("aten::slow_conv_transpose2d", x, make((4, 3, 3, 3)), [3, 3], None, [2, 2])
    yield from with_variants("aten::slow_conv_transpose3d", x3, make((4, 3, 2, 2, 2)), [2, 2, 2], None, [2, 2, 2])
    yield from with_variants("aten::mkldnn_convolution", x, w, b, [1, 1], [1, 1], [1, 1], 1)


def refused():
    x, w, b = make((2, 4, 5, 6)), make((8, 4, 3, 3)), make((8,))
    wt = make((4, 3, 3, 3))
    op = "aten::conv2d"
    bad = [
        (make((5, 6)), w, b), (make((1, 2, 4, 5, 6)), w, b), (make((2, 3, 5, 6)), w, b), (make((2, 4, 2, 2)), w, b),
        (x, w, make((7,))), (x, w, make((8, 1))), (x, w, b, [0]), (x, w, b, [1], [-1]), (x, w, b, [1], [0], [0]),
        (x, w, b, [1], [0], [1], 0), (x, w, b, [2, 2, 2]), (x, w, b, [2], [0, 0, 0]), (x, w, b, [2], [0], [1, 1, 1]),
        (x, make((8, 4, 3))), (x, make((3, 3))), (x, make((0, 4, 3, 3))), (make((2, 6, 5, 5)), make((8, 2, 3, 3)), b, [1], [0], [1], 3),
        (make((2, 4, 0, 6)), w, None, [1], [2]), (x, make((8, 4, 3, 3), torch.float64)), (x, w, make((8,), torch.float64)),
        (make((2, 4, 5, 6), torch.float64), w), (make((2, 4, 5, 6), torch.int64), w, b), (make((2, 4, 5, 6), torch.bool), make((8, 4, 3, 3), torch.bool)),
    ]
    for args in bad:
        yield from errors(op, args, message=True)
    yield from errors("aten::conv2d.padding", (x, w, None, [2], "same"), (x, w, None, [1], "other"), (make((5, 6)), w, None, [1], "same"), message=True)
    yield from errors("aten::conv1d", (make((9,)), make((8, 4, 3))), (make((1, 4, 1)), make((3, 4, 2))), message=True)
    yield from errors("aten::conv3d", (make((1, 4, 1, 1, 1)), make((3, 4, 2, 2, 2))), message=True)
    yield from errors("aten::convolution", (make((4, 5, 6)), w, b, [1], [0], [1], False, [0], 1), message=True)
    yield from errors("aten::conv_transpose2d.input", (x, wt, None, [1], [0], [1]), (make((2, 3, 5, 5)), wt), (x, wt, make((4,))),
                      (x, wt, None, [1], [0], [-1]), (make((1, 4, 1, 1)), wt, None, [1], [2]), (make((1, 1, 1, 4, 5)), wt), message=True)
    yield from errors("aten::conv_transpose1d", (make((4, 5)), make((4, 3, 3)), None, [1], [0], [1]), message=True)
    yield from errors("aten::conv_transpose3d.input", (make((1, 4, 5, 5, 5)), make((4, 3, 3, 3, 3)), None, [1], [0], [1]), message=True)
    yield from errors("aten::conv_tbc", (make((7, 2)), make((3, 4, 5)), make((5,)), 1), (make((7, 2, 4)), make((3, 3, 5)), make((5,)), 1),
                      (make((1, 2, 4)), make((3, 4, 5)), make((5,)), 0), (make((7, 2, 4)), make((3, 4, 5)), make((4,)), 0), message=True)


def cases():
    yield from forward_2d()
    yield from other_dims()
    yield from transposed()
    yield from general()
    yield from refused()
