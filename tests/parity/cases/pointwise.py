"""Arithmetic, powers, unary functions, bits and choice."""
import torch

from lib.case import binary, case, errors, over, scalar_binary, unary, with_variants
from lib.tensors import *

NUMBERS = REAL + COMPLEX
FEW = [(), (5,), (0, 3), (2, 3, 4)]


def arithmetic():
    for op in ("add", "mul", "div"):
        yield from binary(f"aten::{op}.Tensor", dtypes=ALL)
        yield from scalar_binary(f"aten::{op}.Scalar", dtypes=ALL)
    yield from binary("aten::sub.Tensor", dtypes=NUMBERS)
    yield from scalar_binary("aten::sub.Scalar", dtypes=NUMBERS, scalars=(2, -3, 0.5))
    yield from binary("aten::rsub.Tensor", dtypes=REAL)
    yield from scalar_binary("aten::rsub.Scalar", dtypes=REAL, scalars=(2, -3, 0.5))
    yield from over("aten::_test_serialization_subcmul", REAL, [lambda d: (make((3, 4), d), make((4,), d, seed=1)), lambda d: (make((3, 4), d), make((3, 4), d, seed=1), 3)])
    for op in ("subtract", "multiply", "divide", "true_divide"):
        yield from binary(f"aten::{op}.Tensor", dtypes=[torch.float32, torch.int32], shapes=BROADCAST[:2])
        yield from scalar_binary(f"aten::{op}.Scalar", dtypes=[torch.float32], scalars=(2,))
    for alpha in (2, -1):
        yield from with_variants("aten::add.Tensor", make((3, 4)), make((4,), seed=1), alpha=alpha)
        yield from with_variants("aten::sub.Tensor", make((3, 4), torch.int64), make((4,), torch.int64, seed=1), alpha=alpha)
        yield from with_variants("aten::_add_relu.Tensor", make((3, 4)), make((3, 4), seed=1), alpha=alpha)
    yield case("aten::add.Tensor", make((3,)), make((3,), seed=1), alpha=0.5)
    yield case("aten::add.Tensor", make((3,), torch.bool), make((3,), torch.bool, seed=1), alpha=True)
    yield from errors("aten::add.Tensor", (make((3,), torch.int64), make((3,), torch.int64)), message=True)
    yield case("aten::add.Tensor", make((3,), torch.int64), make((3,), torch.int64), alpha=0.5, message=True)
    yield case("aten::add.Tensor", make((3,)), make((3,)), alpha=True, message=True)
    yield case("aten::add.Tensor", make((3,), torch.int64), make((3,), torch.int64), alpha=True, message=True)
    yield from errors("aten::sub.Tensor", (make((3,), torch.bool), make((3,), torch.bool)),
                      (make((3,), torch.bool), make((3,))), message=True)
    yield from errors("aten::add_.Tensor", (make((3,), torch.int64), make((3,))), (make((3,)), make((2, 3))),
                      (make((1,)).expand(3), make((3,))), message=True)
    yield case("aten::_add_relu.Scalar", make((3, 4)), 0.5)


def division():
    for mode in (None, "trunc", "floor"):
        yield from binary("aten::div.Tensor_mode", dtypes=FLOATING, rounding_mode=mode, shapes=BROADCAST[:3], special=False)
        yield from binary("aten::div.Tensor_mode", dtypes=INTS, low=-20, high=20, right_low=1, right_high=5,
                          rounding_mode=mode, shapes=BROADCAST[:3], special=False)
        yield from scalar_binary("aten::div.Scalar_mode", scalars=(3, -2, 0.7), rounding_mode=mode)
    yield from errors("aten::div.Tensor_mode", (make((3,)), make((3,)), "up"), message=True)
    for op in ("floor_divide", "remainder.Tensor", "fmod.Tensor"):
        yield from binary(f"aten::{op}", dtypes=FLOATING, special=False)
        yield from binary(f"aten::{op}", dtypes=INTS, low=-20, high=20, right_low=1, right_high=5, special=False)
        zero = torch.tensor([0, 1], dtype=torch.int32)
        yield from errors(f"aten::{op}", (zero, zero), message=True)
        values = torch.tensor([-5.5, -1., -0., 0., 1., 5.5, float("inf"), float("nan")])
        yield case(f"aten::{op}", values.view(-1, 1), values)
    for op in ("floor_divide.Scalar", "remainder.Scalar", "fmod.Scalar"):
        yield from scalar_binary(f"aten::{op}", scalars=(3, -2, 0.7))
    yield case("aten::remainder.Scalar_Tensor", 7, make((3, 4), low=1, high=5))


def powers():
    yield from binary("aten::pow.Tensor_Tensor", dtypes=FLOATING + COMPLEX, low=0.2, high=3)
    yield from binary("aten::pow.Tensor_Tensor", dtypes=INTS, low=-3, high=4, special=False)
    yield from scalar_binary("aten::pow.Tensor_Scalar", dtypes=NUMBERS, scalars=(0, 1, 2, 3, 4, 0.5, 2.5), low=0, high=4)
    yield from scalar_binary("aten::pow.Tensor_Scalar", dtypes=FLOATING, scalars=(-1, -2, -0.5, -3), low=0.5, high=4)
    yield from errors("aten::pow.Tensor_Scalar", (make((3,), torch.int64), -1), message=True)
    for dtype in FLOATS + [torch.int64]:
        x, y = make((3, 4), dtype, 1, 4), make((4,), dtype, 1, 4)
        yield case("aten::pow_.Tensor", x.clone(), y)
        yield case("aten::pow_.Scalar", x.clone(), 2)
        yield case("aten::floor_divide_.Tensor", x.clone(), y)
    yield case("aten::ldexp_", make((3, 4)), make((4,), torch.int64, -3, 3))
    for base in (1, 2, 2.5, True):
        yield from over("aten::pow.Scalar", REAL, [lambda d, b=base: (b, make((2, 3), d, 0, 4))])
    for op in ("Tensor_Tensor",):
        yield from binary(f"aten::float_power.{op}", dtypes=[torch.float32, torch.int64, torch.complex64], low=1, high=3,
                          shapes=BROADCAST[:2], special=False)
    yield case("aten::float_power.Tensor_Scalar", make((3,), low=1, high=3), 1.5)
    yield case("aten::float_power.Scalar", 2, make((3,), torch.int32, 0, 4))
    yield from unary("aten::square", dtypes=NUMBERS)


def binary_functions():
    for op in ("maximum", "minimum", "max.other", "min.other", "fmax", "fmin"):
        yield from binary(f"aten::{op}", dtypes=REAL)
    yield from errors("aten::maximum", (make((3,), torch.complex64), make((3,), torch.complex64)), message=True)
    yield from binary("aten::atan2", dtypes=FLOATS + INTS)
    for op in ("hypot", "logaddexp", "logaddexp2"):
        yield from binary(f"aten::{op}", dtypes=FLOATS)
    yield from binary("aten::nextafter", dtypes=FLOATS)
    yield from binary("aten::copysign.Tensor", dtypes=REAL)
    yield from scalar_binary("aten::copysign.Scalar", dtypes=FLOATS + [torch.int32])
    yield from binary("aten::ldexp.Tensor", dtypes=FLOATS + [torch.int64], low=-4, high=4)
    yield from binary("aten::gcd", dtypes=INTS, low=-30, high=30, special=False)
    yield from binary("aten::lcm", dtypes=INTS, low=-10, high=10, special=False)
    yield from binary("aten::heaviside", dtypes=FLOATS + [torch.int64], mixed=False)
    for op in ("xlogy", "special_xlog1py"):
        name = op + (".Tensor" if op == "xlogy" else "")
        yield from binary(f"aten::{name}", dtypes=FLOATS + [torch.int64], low=0, high=5)
    yield case("aten::xlogy.Scalar_Other", make((4,)), 2.5)
    yield case("aten::xlogy.Scalar_Self", 2, make((4,), low=0.1, high=4))


def ternary():
    for d in NUMBERS:
        a, b, c = make((3, 4), d), make((4,), d, seed=1), make((3, 1), d, seed=2)
        yield from with_variants("aten::addcmul", a, b, c)
        yield from with_variants("aten::addcmul", a, b, c, value=2)
        yield from with_variants("aten::addcdiv", a, make((4,), d, 1, 5), make((3, 1), d, 1, 5, seed=2))
    yield from with_variants("aten::addcdiv", make((3, 4)), make((4,)), make((3, 1), low=1, high=4), value=0.5)
    yield from with_variants("aten::addcmul", make((2, 3, 4, 5), layout=CHANNELS_LAST), make((3, 1, 1)), make((5,)), value=0.5)
    for d in FLOATS + COMPLEX:
        a, b = make((3, 4), d), make((3, 4), d, seed=1)
        yield from with_variants("aten::lerp.Tensor", a, b, make((4,), d, 0, 1, seed=2))
        for w in (0.0, 0.3, 0.9, 1.5):
            yield from with_variants("aten::lerp.Scalar", a, b, w)
    yield from errors("aten::lerp.Scalar", (make((3,)), make((3,), torch.float64), 0.5), message=True)


def same_type():
    for op in ("neg", "negative", "abs", "absolute", "sgn"):
        yield from unary(f"aten::{op}", dtypes=NUMBERS)
    yield from errors("aten::neg", (make((3,), torch.bool),), message=True)
    yield from unary("aten::sign", dtypes=REAL)
    yield from unary("aten::signbit", dtypes=REAL)
    yield from unary("aten::positive", dtypes=NUMBERS)
    for op in ("ceil", "floor", "round", "trunc", "fix"):
        yield from unary(f"aten::{op}", dtypes=REAL)
    yield from unary("aten::frac", dtypes=FLOATING)
    for decimals in (0, 1, 3, -1):
        yield case("aten::round.decimals", make((3, 4), low=-30, high=30), decimals=decimals)
        yield case("aten::round.decimals", make((3, 4), torch.float64, low=-30, high=30), decimals=decimals)
    yield from unary("aten::conj_physical", dtypes=FLOATS + COMPLEX)
    yield from unary("aten::angle", dtypes=FLOATS + COMPLEX + [torch.int64])
    for d in FLOATS:
        yield from with_variants("aten::complex", make((3, 4), d), make((4,), d, seed=1))
        yield from with_variants("aten::polar", make((3, 4), d), make((4,), d, seed=1))
    yield from errors("aten::complex", (make((3,)), make((3,), torch.float64)), (make((3,), torch.int64), make((3,))))
    yield from unary("aten::nan_to_num", dtypes=FLOATING + [torch.int64])
    yield from unary("aten::nan_to_num", dtypes=FLOATS, args=(1.0, 2.0, -3.0))
    yield from unary("aten::frexp.Tensor", dtypes=FLOATS, special=False)


def bits():
    for op in ("and", "or", "xor"):
        for name in (f"bitwise_{op}", f"__{op}__", f"__i{op}__"):
            yield from binary(f"aten::{name}.Tensor", dtypes=INTS + BOOL)
            yield from scalar_binary(f"aten::{name}.Scalar", dtypes=INTS + BOOL, scalars=(3, True))
        yield case(f"aten::bitwise_{op}.Scalar_Tensor", 5, make((3,), torch.int32))
        yield from errors(f"aten::bitwise_{op}.Tensor", (make((3,)), make((3,))))
    for name in ("__lshift__", "__rshift__", "__ilshift__", "__irshift__", "bitwise_left_shift", "bitwise_right_shift"):
        yield from binary(f"aten::{name}.Tensor", dtypes=INTS, right_low=0, right_high=7, special=False)
    for name in ("__lshift__", "__rshift__", "__ilshift__", "__irshift__"):
        yield from scalar_binary(f"aten::{name}.Scalar", dtypes=INTS + FLOATS, shapes=FEW, scalars=(0, 3))
    for name in ("bitwise_left_shift", "bitwise_right_shift"):
        yield from scalar_binary(f"aten::{name}.Tensor_Scalar", dtypes=INTS, scalars=(0, 3))
        yield case(f"aten::{name}.Scalar_Tensor", 37, make((3,), torch.int32, 0, 4))
    yield from unary("aten::bitwise_not", dtypes=INTS + BOOL)
    for op in ("logical_and", "logical_or", "logical_xor"):
        yield from binary(f"aten::{op}", dtypes=ALL)
    yield from unary("aten::logical_not", dtypes=ALL)


def choice():
    c = make((3, 4), torch.bool)
    for d in ALL:
        yield from with_variants("aten::where.self", c, make((3, 4), d), make((4,), d, seed=1))
    for da in (torch.float32, torch.int64, torch.bool, torch.float64):
        for db in (torch.float32, torch.int64, torch.int8):
            yield case("aten::where.self", c, make((3, 4), da), make((4,), db, seed=1))
            yield case("aten::where.self", c, make((3, 4), da), make((), db, seed=1))
    yield case("aten::where.self", make((1, 1, 4, 5), torch.bool), make((2, 3, 4, 5), layout=CHANNELS_LAST), make((), seed=1))
    yield case("aten::where.self", make((4,), torch.uint8, 0, 2), make((4,)), make((4,), seed=1))
    yield from errors("aten::where.self", (make((4,), torch.int64), make((4,)), make((4,))))
    for s in (1, 2.5, True):
        yield case("aten::where.ScalarSelf", c, s, make((3, 4)))
        yield case("aten::where.ScalarOther", c, make((3, 4), torch.int64), s)
        yield case("aten::where.Scalar", c, s, 2)
        yield case("aten::where.Scalar", c, s, 0.5)
    for args in ((-1, 2), (None, 1), (0, None), (0.5, 1.5), (3, 1), (None, float("nan"))):
        yield from unary("aten::clamp", dtypes=REAL, args=args, shapes=FEW)
        yield from unary("aten::clip", dtypes=FLOATS, args=args, shapes=FEW)
    yield from scalar_binary("aten::clamp_min", scalars=(1, 0.5))
    yield from scalar_binary("aten::clamp_max", scalars=(1, 0.5))
    yield from binary("aten::clamp_min.Tensor", dtypes=REAL)
    yield from binary("aten::clamp_max.Tensor", dtypes=REAL)
    for d in REAL:
        yield from with_variants("aten::clamp.Tensor", make((3, 4), d), make((4,), d, seed=1), make((3, 1), d, seed=2))
    yield case("aten::clamp.Tensor", make((3, 4)), make((4,)), None)
    yield case("aten::clip.Tensor", make((3, 4)), None, make((4,)))
    yield from errors("aten::clamp", (make((3,)), None, None), (make((3,), torch.complex64), 0, 1), message=True)


def layouts():
    """Output strides of mixed layouts."""
    shapes = [(2, 3, 4, 5), (2, 1, 4, 5), (1, 3, 1, 1), (2, 3, 1, 1), (1, 3, 4, 5)]
    for a in shapes:
        for b in shapes:
            for la in (CONTIGUOUS, CHANNELS_LAST):
                for lb in (CONTIGUOUS, CHANNELS_LAST):
                    yield case("aten::add.Tensor", make(a, layout=la), make(b, seed=1, layout=lb), exact_strides=True)
    x = make((4, 6))
    for y in (x.t(), make((6, 4)), x[::2].t(), x[:, ::2].t().expand(3, 4)):
        yield case("aten::mul.Tensor", y, make((4,)), exact_strides=True)
        yield case("aten::mul.Scalar", y, 2, exact_strides=True)
        yield case("aten::neg", y, exact_strides=True)
    y = make((2, 3, 4, 5, 6)).permute(0, 2, 3, 4, 1)
    yield case("aten::add.Tensor", y, make((6, 1)), exact_strides=True)
    yield case("aten::add.Tensor", make((4, 5, 1)), y, exact_strides=True)
    for s in ((3, 1000), (1000, 3), (300, 2, 3), (70000,)):
        yield case("aten::add.Tensor", make(s), make(s[-1:], seed=1))
        yield case("aten::mul.Tensor", make(s, torch.float16), make(s[-1:], torch.int32, seed=1))
        yield case("aten::sub.Tensor", make(s[::-1]).permute(*range(len(s))[::-1]), make(s, seed=1))
    big = make((300, 300))
    yield case("aten::add.Tensor", big.t(), big)
    yield case("aten::add_.Tensor", big.clone().t(), big)
    own = make((4, 4)).clone()
    yield case("aten::add_.Tensor", own, own)
    yield case("aten::add_.Tensor", own, own.t(), message=True)
    yield case("aten::add_.Tensor", own[1:], own[:-1])


def cases():
    for table in (arithmetic, division, powers, binary_functions, ternary, same_type, bits, choice, layouts):
        yield from table()
