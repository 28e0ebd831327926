"""Operators over lists of tensors."""
import torch

from lib import schemas
from lib.case import *
from lib.tensors import *

UNARY = ("abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal "
         "round sigmoid sin sinh sqrt tan tanh trunc").split()


def lists(d, seed=0, **bounds):
    return [make((3, 4), d, seed=seed, **bounds), make((5,), d, seed=seed + 1, **bounds), make((), d, seed=seed, **bounds)]


def both(op, *args, overload="", **kwargs):
    """The form that gives new tensors and the one that writes to the list, where this PyTorch has them."""
    for name in (f"aten::_foreach_{op}{overload}", f"aten::_foreach_{op}_{overload}"):
        if schemas.exists(name):
            yield case(name, [t.clone() for t in args[0]], *args[1:], **kwargs)


def cases():
    for d in FLOATING + [torch.int64, torch.complex64]:
        for op in UNARY:
            if d.is_complex and op in ("expm1", "log1p"):
                continue  # PyTorch 2 gives results: torch2_cases.py
            low = {"acos": -1, "asin": -1, "log": 0.1, "log10": 0.1, "log1p": 0, "log2": 0.1, "sqrt": 0, "lgamma": 0.5}.get(op)
            high = {"acos": 1, "asin": 1}.get(op)
            yield from both(op, lists(d, low=low, high=high))
        yield from both("zero", lists(d))
        for op in ("add", "sub", "mul", "div"):
            yield from both(op, lists(d), 2, overload=".Scalar")
            yield from both(op, lists(d), 0.5, overload=".Scalar")
            yield from both(op, lists(d), [2, 3, -1], overload=".ScalarList")
            yield from both(op, lists(d), lists(d, 5, low=1), overload=".List")
            if op in ("add", "sub"):
                yield from both(op, lists(d), lists(d, 5), alpha=3, overload=".List")
        for op in ("maximum", "minimum"):
            yield from both(op, lists(d), lists(d, 5), overload=".List")
        for op in ("addcmul", "addcdiv"):
            yield from both(op, lists(d), lists(d, 5, low=1), lists(d, 9, low=1), 2, overload=".Scalar")
            yield from both(op, lists(d), lists(d, 5, low=1), lists(d, 9, low=1), [2, 1, 3], overload=".ScalarList")
        for order in (1, 2):
            yield case("aten::_foreach_norm.Scalar", lists(d), order)
    x = lists(torch.float32)
    yield from both("add", x, lists(torch.float64, 5), overload=".List")
    yield from both("add", [make((4, 6), layout=TRANSPOSED)], [make((4, 6), layout=SLICED)], overload=".List")
    yield from both("exp", [make((4, 6), layout=SLICED), make((0, 3))])
    yield case("aten::_foreach_add.List", x, x[:2], message=True)
    yield case("aten::_foreach_add.ScalarList", x, [1.0], message=True)
    yield case("aten::_foreach_exp", TypedList("Tensor"))
    yield case("aten::_foreach_add_.Scalar", [make((3,), torch.int64)], 0.5)
