"""Weights prepared ahead, as optimize_for_mobile writes them."""
import torch

from lib.case import *
from lib.tensors import *


def linear():
    w, b = make((20, 30)), make((20,))
    for bias in (None, b):
        for low, high in ((None, None), (0.0, None), (None, 1.0), (-1.0, 2.0), (0, 6)):
            context = Call("prepacked::linear_clamp_prepack", w, bias, low, high)
            for shape in ((30,), (1, 30), (3, 30), (9, 30), (2, 4, 30)):
                yield case("prepacked::linear_clamp_run", make(shape), context)
    context = Call("prepacked::linear_clamp_prepack", w, b)
    yield case("prepacked::linear_clamp_run", make((30, 7)).t(), context)
    yield case("prepacked::linear_clamp_run", make((0, 30)), context)
    yield case("prepacked::linear_clamp_run", make((9, 30)), Call("prepacked::linear_clamp_prepack", make((30, 20)).t(), b))
    yield case("prepacked::unpack_prepacked_sizes_linear", context)
    yield case("prepacked::unpack_prepacked_sizes_linear", Call("prepacked::linear_clamp_prepack", w))
    yield from errors("prepacked::linear_clamp_run", (make(()), context), (make((30,), torch.float64), context), message=True)
    yield from errors("prepacked::linear_clamp_prepack", (make((5,)),), (make((5, 4), torch.float64),), (make((5, 4)), make((4,))),
                      (make((5, 4)), None, 3.0, 3.0), message=True)


def conv():
    for x, w, stride, padding, dilation, groups in (
        ((2, 4, 7, 9), (8, 4, 3, 3), 1, 0, 1, 1), ((2, 4, 7, 9), (8, 4, 3, 3), 2, 1, 1, 1), ((2, 4, 7, 9), (8, 2, 3, 3), 1, 1, 1, 2),
        ((2, 6, 7, 9), (6, 1, 3, 3), 1, 1, 1, 6), ((1, 40, 9, 21), (40, 1, 3, 3), 2, 1, 1, 40), ((2, 6, 7, 9), (12, 1, 3, 3), 1, 1, 2, 6),
        ((1, 17, 5, 6), (33, 17, 1, 1), 1, 0, 1, 1), ((2, 3, 20, 20), (5, 3, 7, 7), 2, 3, 1, 1),
    ):
        for bias in (None, make((w[0],))):
            for low, high in ((None, None), (0.0, None), (0.0, 6.0)):
                context = Call("prepacked::conv2d_clamp_prepack", make(w), bias, [stride] * 2, [padding] * 2, [dilation] * 2, groups, low, high)
                for layout in (CONTIGUOUS, CHANNELS_LAST, SLICED):
                    yield case("prepacked::conv2d_clamp_run", make(x, layout=layout), context, atol=1e-4)
    w, b = make((8, 4, 3, 3)), make((8,))
    context = Call("prepacked::conv2d_clamp_prepack", w, b, [1, 1], [0, 0], [1, 1], 1)
    yield case("prepacked::conv2d_clamp_run", make((2, 4, 7, 9)), Call("prepacked::conv2d_clamp_prepack", w, b, [1], [0], [1], 1))
    yield case("prepacked::conv2d_clamp_run", make((2, 4, 7, 9), layout=CHANNELS_LAST),
               Call("prepacked::conv2d_clamp_prepack", make((8, 4, 3, 3), layout=CHANNELS_LAST), b, [1], [0], [1], 1))
    yield case("prepacked::conv2d_clamp_run", make((0, 4, 7, 9)), context)
    yield case("prepacked::unpack_prepacked_sizes_conv2d", context)
    yield from errors("prepacked::conv2d_clamp_run", (make((4, 7, 9)), context), (make((2, 4, 7, 9), torch.float64), context), message=True)
    yield from errors("prepacked::conv2d_clamp_prepack", (w.double(), None, [1], [0], [1], 1), (w, make((7,)), [1], [0], [1], 1),
                      (w, b, [1], [0], [1], 1, 2.0, 1.0), (w[0], b, [1], [0], [1], 1), message=True)


def transposed():
    for stride, padding, extra, dilation, groups in ((1, 0, 0, 1, 1), (2, 1, 1, 1, 1), (2, 0, 0, 1, 2), (3, 1, 2, 2, 1)):
        for bias in (None, make((3 * groups,))):
            for low, high in ((None, None), (0.0, 6.0)):
                context = Call("prepacked::conv2d_transpose_clamp_prepack", make((4, 3, 3, 3)), bias, [stride] * 2, [padding] * 2, [extra] * 2,
                               [dilation] * 2, groups, low, high)
                for layout in (CONTIGUOUS, CHANNELS_LAST):
                    yield case("prepacked::conv2d_transpose_clamp_run", make((2, 4, 5, 6), layout=layout), context)


def cases():
    yield from linear()
    yield from conv()
    yield from transposed()
