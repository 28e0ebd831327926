"""A few cases of each kind of argument: they protect the harness itself."""
import torch

from lib.case import binary, case, errors, scalar_binary, unary
from lib.tensors import FLOATS, make


def cases():
    yield from unary("aten::neg", dtypes=FLOATS + [torch.int64], shapes=[(), (3, 4)])
    yield from binary("aten::add.Tensor", dtypes=[torch.float32, torch.int64])
    yield from scalar_binary("aten::add.Scalar", dtypes=[torch.float32, torch.int32])
    yield case("aten::transpose.int", make((2, 3)), 0, 1, exact_strides=True)
    yield case("aten::split.Tensor", make((7, 3)), 3, 0)
    yield case("aten::zeros", [2, 3], dtype=torch.float64)
    yield case("aten::to.dtype", make((2, 3)), torch.int64)
    yield case("aten::add.int", 2, 3)
    yield case("aten::len.t", [1, 2, 3])
    yield case("aten::upper", "wick")
    yield case("aten::format", "{} is {}", "a", 2)
    yield from errors("aten::add.Tensor", (make((2, 3)), make((4,))), message=True)
    yield from errors("aten::transpose.int", (make((2, 3)), 0, 5), message=True)
    yield case("aten::append.t", [1, 2], 3)
    yield case("aten::_set_item.str", {"a": make((2,))}, "b", make((3,)))
    yield case("aten::sort.int", [3, 1, 2], False)
    yield case("prim::TupleIndex", (1, "x"), 1)
