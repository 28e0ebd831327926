"""Arithmetic, powers, unary functions, bits and choice."""
import torch

from lib.case import binary, case, errors, over, scalar_binary, unary, with_variants
from lib.tensors import *


def cases():
    yield from binary("aten::add.Tensor", dtypes=ALL)
    yield from binary("aten::sub.Tensor", dtypes=REAL + COMPLEX)
    yield from binary("aten::mul.Tensor", dtypes=ALL)
    yield from scalar_binary("aten::add.Scalar")
    yield from scalar_binary("aten::mul.Scalar")
    yield from binary("aten::div.Tensor", dtypes=ALL)
