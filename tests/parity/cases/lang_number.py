"""Operators on Python numbers. Division by zero of integers is left out: PyTorch's process dies of it."""
import itertools
import math

import torch

from lib.case import case

INTS = [0, 1, -1, 2, -2, 3, -3, 7, -7, 10, 64, 2**31, -2**31, 2**40 + 1, 2**53 + 1, 2**63 - 1, -2**63]
SMALL_INTS = [0, 1, -1, 2, 7, -7, 63]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, 3.5, -2.5, 7.25, -7.25, 0.1, 1e-300, 1e10, 1e300, math.inf, -math.inf, math.nan]
FEW_FLOATS = [0.0, 1.0, -1.0, 0.5, 2.5, -7.25, 0.1, 1e300, math.inf, -math.inf, math.nan]
COMPLEX = [0j, 1 + 0j, 1j, -1 - 1j, 2.5 - 0.5j, -3 + 4j]
BINARY_ARITHMETIC = ["add", "sub", "mul"]
REAL = ["round", "fabs", "log1p", "expm1", "gamma", "lgamma", "erf", "erfc", "degrees", "radians"]
REAL_AND_COMPLEX = ["exp", "log", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
                    "asinh", "acosh", "atanh"]


def product(*lists):
    return itertools.product(*lists)


def nonzero(values):
    return [v for v in values if v != 0]


def fits(a, b):
    """Not the one quotient that does not fit, of which PyTorch's process dies."""
    return not (a == -2**63 and b == -1)


def arithmetic():
    for op in BINARY_ARITHMETIC:
        for a, b in product(INTS, INTS):
            yield case(f"aten::{op}.int", a, b)
        for a, b in product(FEW_FLOATS, FEW_FLOATS):
            yield case(f"aten::{op}.float", a, b)
        for a, b in product(SMALL_INTS, FEW_FLOATS):
            yield case(f"aten::{op}.int_float", a, b)
            yield case(f"aten::{op}.float_int", b, a)
        for a, b in product(COMPLEX, COMPLEX):
            yield case(f"aten::{op}.complex", a, b)
        for a, b in product([0, 2, -3], COMPLEX):
            yield case(f"aten::{op}.int_complex", a, b)
            yield case(f"aten::{op}.complex_int", b, a)
            yield case(f"aten::{op}.float_complex", a + 0.5, b)
            yield case(f"aten::{op}.complex_float", b, a + 0.5)
        for a, b in product([2, -3, 0.5, 1 + 2j], [2, -3, 0.5, 1 + 2j]):
            yield case(f"aten::{op}", a, b)



def division():
    for a, b in product(INTS, nonzero(INTS)):
        if fits(a, b):
            yield case("aten::floordiv.int", a, b)
            yield case("aten::remainder.int", a, b)
            yield case("aten::divmod.int", a, b)
            yield case("aten::__round_to_zero_floordiv.int", a, b)
        yield case("aten::div.int", a, b)
    for op in ("floordiv", "remainder"):
        for a, b in product(FEW_FLOATS, FEW_FLOATS):
            yield case(f"aten::{op}.float", a, b)
        for a, b in product(SMALL_INTS, FEW_FLOATS):
            yield case(f"aten::{op}.int_float", a, b)
            yield case(f"aten::{op}.float_int", b, a)
        for a, b in product([7, -7, 2.5], [2, -3, 0.5]):
            yield case(f"aten::{op}", a, b)
    for a, b in product(FEW_FLOATS, FEW_FLOATS):
        yield case("aten::div.float", a, b)
        yield case("aten::divmod.float", a, b, message=True)
    for a, b in product(SMALL_INTS, FEW_FLOATS):
        yield case("aten::divmod.int_float", a, b, message=True)
        yield case("aten::divmod.float_int", b, a, message=True)
    for a, b in product(COMPLEX, COMPLEX):
        yield case("aten::div.complex", a, b)
    for a, b in product([1, 2.5], [2, 0.5, 0]):
        yield case("aten::div", a, b)
    yield case("aten::floordiv.int", 7, 0, message=True)
    yield case("aten::divmod.int", 7, 0, message=True)
    yield case("aten::div.int", 7, 0)


def powers():
    for a, b in product(SMALL_INTS, [0, 1, 2, 3, -1, -2, 62]):
        yield case("aten::pow.int", a, b, message=True)
        yield case("aten::pow.int_to_int", a, b, message=True)
    for a, b in product(FEW_FLOATS, FEW_FLOATS):
        yield case("aten::pow.float", a, b, message=True)
    for a, b in product(SMALL_INTS, FEW_FLOATS):
        yield case("aten::pow.int_float", a, b, message=True)
        yield case("aten::pow.float_int", b, a, message=True)
    for a, b in product(COMPLEX[1:], COMPLEX):
        yield case("aten::pow.complex", a, b)
    for a in (0.5, 2.0):
        for b in COMPLEX[1:]:
            yield case("aten::pow.float_complex", a, b)
            yield case("aten::pow.complex_float", b, a)
    for a, b in product([2, 0.5], [3, -2, 0.5]):
        yield case("aten::pow.Scalar_Scalar", a, b)


def bits():
    for op in ("__and__", "__or__", "__xor__"):
        for a, b in product(INTS, SMALL_INTS):
            yield case(f"aten::{op}.int", a, b)
        for a, b in product([True, False], [True, False]):
            yield case(f"aten::{op}.bool", a, b)
    for op in ("__lshift__", "__rshift__"):
        for a, b in product(INTS, [0, 1, 5, 63]):
            yield case(f"aten::{op}.int", a, b)
    for a, b in product(SMALL_INTS + [12, 18, 100, -36], SMALL_INTS + [8, 27]):
        yield case("aten::gcd.int", a, b)
    for n in (0, 1, 5, 20, 21, 25):
        yield case("aten::factorial.int", n)
    yield case("aten::factorial.int", -1, message=True)


def comparisons():
    for op in ("eq", "ne", "lt", "le", "gt", "ge"):
        for a, b in product(INTS, SMALL_INTS + [2**53 + 1]):
            yield case(f"aten::{op}.int", a, b)
        for a, b in product(FEW_FLOATS, FEW_FLOATS):
            yield case(f"aten::{op}.float", a, b)
        for a, b in product(SMALL_INTS, FEW_FLOATS):
            yield case(f"aten::{op}.int_float", a, b)
            yield case(f"aten::{op}.float_int", b, a)
        for a, b in product([1, 2.5, 3], [1, 2.5]):
            yield case(f"aten::{op}", a, b)
        if op in ("eq", "ne"):
            for a, b in product(COMPLEX[:4], COMPLEX[:4]):
                yield case(f"aten::{op}.complex", a, b)
                yield case(f"aten::{op}.float_complex", a.real, b)
                yield case(f"aten::{op}.complex_float", b, a.real)
            for a, b in product([True, False], [True, False]):
                yield case(f"aten::{op}.bool", a, b)
    for op in ("max", "min"):
        for a, b in product(SMALL_INTS, SMALL_INTS):
            yield case(f"prim::{op}.int", a, b)
        for a, b in product(FEW_FLOATS, FEW_FLOATS):
            yield case(f"prim::{op}.float", a, b)
        for a, b in product([0, 3], [2.5, -1.0, math.nan]):
            yield case(f"prim::{op}.int_float", a, b)
            yield case(f"prim::{op}.float_int", b, a)
            yield case(f"prim::{op}", a, b)


def functions():
    for op in REAL + REAL_AND_COMPLEX:
        for a in SMALL_INTS:
            yield case(f"aten::{op}.int", a)
        for a in FLOATS:
            yield case(f"aten::{op}.float", a)
        for a in (2, 0.5, 0.1):
            yield case(f"aten::{op}.Scalar", a)
    for op in REAL_AND_COMPLEX:
        for a in COMPLEX[3:]:
            yield case(f"aten::{op}.complex", a)
        yield case(f"aten::{op}.Scalar", 1 + 2j)
    for op in ("floor", "ceil"):
        for a in FLOATS:
            yield case(f"aten::{op}.float", a, message=True)
        for a in SMALL_INTS:
            yield case(f"aten::{op}.int", a)
        for a in (2, 2.5, -2.5, 1e12, 2**40 + 1):
            yield case(f"aten::{op}.Scalar", a)
    for prefix, op in (("aten", "neg"), ("prim", "abs")):
        for a in INTS:
            yield case(f"{prefix}::{op}.int", a)
        for a in FLOATS:
            yield case(f"{prefix}::{op}.float", a)
        for a in COMPLEX:
            yield case(f"{prefix}::{op}.complex", a)
        for a in (3, -3, 0.1, -0.1, 2**40, 3 + 4j):
            yield case(f"{prefix}::{op}.Scalar", a)
    for op in ("atan2", "fmod", "mathremainder", "copysign"):
        for a, b in product(SMALL_INTS, SMALL_INTS):
            yield case(f"aten::{op}.int", a, b)
        for a, b in product(FEW_FLOATS, FEW_FLOATS):
            yield case(f"aten::{op}.float", a, b)
        for a, b in product([0, 3], [2.5, -1.0]):
            yield case(f"aten::{op}.int_float", a, b)
            yield case(f"aten::{op}.float_int", b, a)
            yield case("aten::atan2.Scalar_Scalar" if op == "atan2" else f"aten::{op}", a, b)
    for a, b in product([1, 2, 8], [2, 3]):
        yield case("aten::log.int_int", a, b)
        yield case("aten::log.int_float", a, b + 0.5)
        yield case("aten::log.float_int", a + 0.5, b)
        yield case("aten::log.float_float", a + 0.5, b + 0.5)
        yield case("aten::log.Scalar_Scalar", a, b)
        yield case("aten::log.int_complex", a, b + 1j)
        yield case("aten::log.complex_int", a + 1j, b)
        yield case("aten::log.float_complex", a + 0.5, b + 1j)
        yield case("aten::log.complex_float", a + 1j, b + 0.5)
        yield case("aten::log.complex_complex", a + 1j, b + 1j)
    for a in SMALL_INTS:
        yield case("aten::angle.int", a)
    for a in FLOATS:
        yield case("aten::angle.float", a)
        yield case("aten::modf", a)
        yield case("aten::isnan.float", a)
        yield case("aten::isinf.float", a)
        yield case("aten::isfinite.float", a)
    for a in [f for f in FLOATS if math.isfinite(f)]:
        yield case("aten::frexp", a)
        for e in (0, 3, -3, 2000, -2000):
            yield case("aten::ldexp", a, e)
    for a in COMPLEX + [complex(math.nan, 1), complex(1, math.inf)]:
        yield case("aten::isnan.complex", a)
        yield case("aten::isinf.complex", a)
        yield case("aten::isfinite.complex", a)
    for a in COMPLEX:
        yield case("aten::angle.complex", a)
    for a in (2, -2.0, 1 + 1j):
        yield case("aten::angle.Scalar", a)
    yield case("aten::polar.int", 2, 1)
    yield case("aten::polar.float", 2.0, 1.5)
    yield case("aten::polar.int_float", 2, 1.5)
    yield case("aten::polar.float_int", 2.5, 1)
    yield case("aten::polar.Scalar_Scalar", 2, 1.5)


def conversions():
    for a in INTS:
        yield case("aten::Bool.int", a)
        yield case("aten::Float.int", a)
    for a in FLOATS:
        yield case("aten::Bool.float", a)
        yield case("aten::Int.float", a)
    for a in (True, False):
        yield case("aten::Int.bool", a)
        yield case("aten::Float.bool", a)
    yield case("aten::Int.Scalar", True)
    for a in (3, 2.75, -2.75):
        yield case("aten::Int.Scalar", a)
        yield case("aten::Float.Scalar", a)
        yield case("aten::Complex.Scalar", a)
    yield case("aten::Complex.Scalar", 1 + 2j)
    for s in ("12", "-7", "+3", " 12", "12 ", "12x", "x", "", "0x10", "007", "99999999999999999999", "-9223372036854775808"):
        yield case("aten::Int.str", s, message=True)
    for s in ("1e3", "-2.5", " 1.5", "1.5 ", "inf", "-inf", "nan", "x", "", "1e999", "1e-400", "0x1p3", ".5", "5."):
        yield case("aten::Float.str", s, message=True)
    for a, b, name in ((1, True, "int_bool"), (True, 1, "bool_int"), (1.5, True, "float_bool"), (True, 1.5, "bool_float"),
                       (1.5, 2, "float_int"), (2, 1.5, "int_float"), (1, 2, "int_int"), (True, False, "bool_bool"),
                       (1.5, 2.5, "float_float"), (torch.tensor(1), torch.tensor(2.5), "Tensor_Tensor"),
                       (torch.tensor(1.5), 2.5, "Tensor_float"), (1.5, torch.tensor(2), "float_Tensor"),
                       (torch.tensor(1.5), 2, "Tensor_int"), (1, torch.tensor(2), "int_Tensor"),
                       (torch.tensor([1.5]), True, "Tensor_bool"), (True, torch.tensor([[2]]), "bool_Tensor")):
        yield case(f"aten::Complex.{name}", a, b)
    yield case("aten::Complex.Tensor_Tensor", torch.tensor([1., 2.]), torch.tensor(1), message=True)
    tensors = [torch.tensor(v) for v in (2.7, 3, True, [1.5], [[4]], [1, 2], [], 1 + 2j, 2 + 0j, math.nan, -1.5)]
    tensors += [torch.tensor(3, dtype=d) for d in (torch.int8, torch.uint8, torch.int16, torch.int32, torch.float16,
                                                   torch.bfloat16, torch.float64)]
    for op in ("Bool.Tensor", "Int.Tensor", "Float.Tensor", "IntImplicit", "FloatImplicit", "ScalarImplicit",
               "ComplexImplicit", "item", "is_nonzero"):
        for t in tensors:
            yield case(f"aten::{op}", t, message=True)
    for t in (torch.tensor(2.5), torch.tensor([7, 8]), torch.tensor([[True]])):
        yield case("aten::_local_scalar_dense", t)


def ranges():
    for low, high, step in product([0, 5, -5], [0, 10, -10, 7], [1, 2, 3, -1, -3, 100]):
        yield case("aten::__range_length", low, high, step)
    yield case("aten::__range_length", 0, 10, 0, message=True)
    for i, start, step in product([0, 1, 5], [0, -3], [1, -2]):
        yield case("aten::__derive_index", i, start, step)


def cases():
    for part in (arithmetic, division, powers, bits, comparisons, functions, conversions, ranges):
        yield from part()
