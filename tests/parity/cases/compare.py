"""Comparisons and tests of elements."""
import torch

from lib.case import binary, case, errors, scalar_binary, unary
from lib.tensors import *

NAN, INF = float("nan"), float("inf")


def cases():
    for op, alias in (("eq", None), ("ne", "not_equal"), ("lt", "less"), ("le", "less_equal"), ("gt", "greater"),
                      ("ge", "greater_equal")):
        yield from binary(f"aten::{op}.Tensor", dtypes=REAL, low=-3, high=3)
        yield from scalar_binary(f"aten::{op}.Scalar", dtypes=REAL, low=-3, high=3)
        if op in ("eq", "ne"):  # PyTorch's ne_ of complex numbers sets the imaginary part too
            yield from binary(f"aten::{op}.Tensor", dtypes=COMPLEX, low=-3, high=3, with_out=False)
            yield from scalar_binary(f"aten::{op}.Scalar", dtypes=COMPLEX, low=-3, high=3, with_out=False)
        yield case(f"aten::{op}.Scalar", make((4,), torch.int8), 300)
        yield case(f"aten::{op}.Scalar", torch.tensor([0.1, 0.2], dtype=torch.float16), 0.1)
        if alias:
            yield from binary(f"aten::{alias}.Tensor", dtypes=[torch.float32, torch.int64], shapes=BROADCAST[:2])
            yield from scalar_binary(f"aten::{alias}.Scalar", dtypes=[torch.float32], scalars=(1,))
    yield from errors("aten::lt.Tensor", (make((3,), torch.complex64), make((3,), torch.complex64)))
    for op in ("isnan", "isinf", "isfinite", "isreal"):
        yield from unary(f"aten::{op}", dtypes=ALL)
    for op in ("isposinf", "isneginf"):
        yield from unary(f"aten::{op}", dtypes=REAL)
    a = torch.tensor([1.0, 2.0, NAN, INF, -INF, 1e10])
    b = torch.tensor([1.0 + 1e-6, 2.1, NAN, INF, INF, 1e10 + 1])
    for d in FLOATS:
        for equal_nan in (False, True):
            yield case("aten::isclose", a.to(d), b.to(d), equal_nan=equal_nan)
            yield case("aten::allclose", a.to(d), b.to(d), equal_nan=equal_nan)
            yield case("aten::allclose", a.to(d), a.to(d), equal_nan=equal_nan)
    yield case("aten::isclose", make((3, 4), torch.int64), make((4,), torch.int64, seed=1), rtol=0.5, atol=1.0)
    yield case("aten::isclose", make((3,), torch.complex64), make((3,), torch.complex64))
    yield from errors("aten::isclose", (make((3,)), make((3,), torch.float64)), (make((3,)), make((3,)), -1.0), message=True)
    yield case("aten::equal", make((3, 4)), make((3, 4)))
    yield case("aten::equal", make((3, 4)), make((3, 4), seed=1))
    yield case("aten::equal", make((3, 4)), make((4, 3)))
    yield case("aten::equal", make((0,)), make((0,)))
    yield from errors("aten::equal", (make((3,)), make((3,), torch.int64)))
