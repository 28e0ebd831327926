"""Activation functions."""
import torch

from lib.case import case, errors, over, unary, with_variants
from lib.tensors import *

NUMBERS = FLOATING + INTS


def cases():
    for op in ("relu", "relu6"):
        yield from unary(f"aten::{op}", dtypes=NUMBERS)
    yield from errors("aten::relu", (make((3,), torch.bool),), message=True)
    for op in ("hardswish", "hardsigmoid", "silu", "mish", "selu", "sigmoid", "tanh", "log_sigmoid"):
        yield from unary(f"aten::{op}", dtypes=FLOATS, low=-8, high=8)
        yield from errors(f"aten::{op}", (make((3,), torch.int64),))
    for op in ("sigmoid", "tanh", "silu"):
        yield from unary(f"aten::{op}", dtypes=COMPLEX, special=False)
    yield from unary("aten::log_sigmoid_forward", dtypes=FLOATS, with_out=False)
    yield from unary("aten::hardtanh", dtypes=NUMBERS, args=(0, 2))
    yield from unary("aten::hardtanh", dtypes=FLOATING, args=(-0.5, 0.7))
    yield from unary("aten::hardtanh", dtypes=FLOATS)
    for op in ("hardshrink", "softshrink"):
        yield from unary(f"aten::{op}", dtypes=FLOATS)
        yield from unary(f"aten::{op}", dtypes=FLOATS, args=(1.2,))
    yield from errors("aten::softshrink", (make((3,)), -1), message=True)
    yield from unary("aten::threshold", dtypes=NUMBERS, args=(1, 5))
    yield from unary("aten::threshold", dtypes=FLOATS, args=(0.5, -0.25))
    for args in ((), (0.2,), (-0.5,), (0,)):
        yield from unary("aten::leaky_relu", dtypes=FLOATING, args=args)
    for args in ((), (0.5,), (1.5, 0.7, 2.0)):
        yield from unary("aten::elu", dtypes=FLOATS, args=args)
    for args in ((), (0.5,), (2,)):
        yield from unary("aten::celu", dtypes=FLOATS, args=args)
    yield from errors("aten::celu", (make((3,)), 0), message=True)
    for mode in ("none", "tanh"):
        for shape in STANDARD:
            yield case("aten::gelu", make(shape, low=-6, high=6), approximate=mode)
        for layout in LAYOUTS:
            yield case("aten::gelu", make((2, 3, 4, 5), layout=layout), approximate=mode)
        yield from with_variants("aten::gelu", make((3, 4), torch.float64), approximate=mode)
        yield case("aten::gelu", make((16,), special=True), approximate=mode, label="special " + mode)
    yield from errors("aten::gelu", (make((3,)), "erf"))
    yield case("aten::gelu", make((3,)), approximate="erf", message=True)
    for args in ((), (2,), (0.5, 3)):
        yield from unary("aten::softplus", dtypes=FLOATS, args=args, low=-8, high=30)
    for shape in ((3, 4), (2, 4, 3), (2, 4, 3, 3), (5,), ()):
        yield case("aten::prelu", make(shape), make((1,), seed=1))
        if len(shape) > 1:
            yield case("aten::prelu", make(shape), make((4,), seed=1))
            yield case("aten::prelu", make(shape, torch.float64), make((4,), torch.float64, seed=1))
    yield case("aten::prelu", make((2, 4, 3, 5), layout=CHANNELS_LAST), make((4,), seed=1))
    yield case("aten::prelu", make((4, 6), layout=TRANSPOSED), make((6,), seed=1))
    yield from errors("aten::prelu", (make((3, 4)), make((3,))), (make(()), make((3,))), (make((2, 4)), make((4, 1))),
                      (make((2, 4)), make((1, 1))), message=True)
    for training in (False, True):
        for d in FLOATS:
            yield case("aten::rrelu", make((3, 4), d), 0.1, 0.4, training)
            yield case("aten::rrelu_", make((3, 4), d), 0.1, 0.4, training)
            yield case("aten::rrelu_with_noise", make((3, 4), d), torch.zeros(3, 4, dtype=d), 0.1, 0.4, training)
            yield case("aten::rrelu", make((2, 3, 4, 5), d, layout=CHANNELS_LAST), 0.1, 0.4, training)
            yield case("aten::rrelu", make((3, 4), d, layout=TRANSPOSED), 0.1, 0.4, training)
    for shape, dim in (((4,), 0), ((3, 4), -1), ((4, 3), 0), ((2, 6, 4, 5), 1), ((2, 0), 1)):
        yield from over("aten::glu", FLOATS, [lambda d, s=shape, n=dim: (make(s, d), n)])
    yield case("aten::glu", make((2, 4, 4, 6), layout=CHANNELS_LAST), 1)
    yield from errors("aten::glu", (make((3, 3)), 1), (make(()), 0), message=True)
