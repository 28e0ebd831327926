"""Destinations: overloads that write to `out`, and in-place ones, of operators whose own tables call the plain form."""
import torch

from lib.case import *
from lib.tensors import *

F, I, B = torch.float32, torch.int64, torch.bool
POLYNOMIALS = ["chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w",
               "hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p",
               "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v",
               "shifted_chebyshev_polynomial_w"]


def to(dtype=F):
    return torch.empty(0, dtype=dtype)


def special():
    x, n = make((3, 4), F, -1, 1), torch.tensor([0.0, 1, 3, -0.5])
    for name in POLYNOMIALS:
        yield case(f"aten::special_{name}.out", x, n, out=to())
        yield case(f"aten::special_{name}.x_scalar_out", 0.3, n, out=to())
        yield case(f"aten::special_{name}.n_scalar_out", x, 3, out=to())
    y = make((3, 4), F, 1.1, 4)
    for name in ("special_xlogy", "special_xlog1py", "special_zeta"):
        yield case(f"aten::{name}.self_scalar_out", 1.5, y, out=to())
        yield case(f"aten::{name}.other_scalar_out", y, 1.5, out=to())
    yield case("aten::special_polygamma.out", 1, y, out=to())
    yield case("aten::polygamma.out", 1, y, out=to())
    yield case("aten::mvlgamma.out", y + 3, 2, out=to())
    yield case("aten::special_multigammaln.out", y + 3, 2, out=to())
    yield case("aten::special_round.out", y, decimals=1, out=to())
    yield case("aten::round.decimals_out", y, decimals=1, out=to())
    yield case("aten::arctan2", y, x)
    yield case("aten::arctan2.out", y, x, out=to())
    yield case("aten::arctan2_", y.clone(), x)
    yield case("aten::xlogy.OutTensor", y, y, out=to())
    yield case("aten::xlogy.OutScalar_Self", 2, y, out=to())
    yield case("aten::xlogy.OutScalar_Other", y, 2, out=to())
    yield case("aten::xlogy_.Scalar_Other", y.clone(), 2)
    yield case("aten::pow.Scalar_out", 2, y, out=to())
    yield case("aten::pow_.Scalar", y.clone(), 2)
    for exponent in (0, 2, -1, 0.5):
        yield case("aten::pow_.Scalar", y.clone(), exponent)
        yield case("aten::float_power_.Scalar", y.double(), exponent)
    yield case("aten::float_power_.Tensor", y.double(), x)
    for mode in (None, "trunc", "floor"):
        yield case("aten::div.out_mode", x, y, rounding_mode=mode, out=to())
        yield case("aten::divide.out_mode", x, y, rounding_mode=mode, out=to())
        yield case("aten::divide.Tensor_mode", x, y, rounding_mode=mode)
        yield case("aten::divide_.Tensor_mode", x.clone(), y, rounding_mode=mode)
        yield case("aten::divide.Scalar_mode", x, 0.7, rounding_mode=mode)
        yield case("aten::divide_.Scalar_mode", x.clone(), 0.7, rounding_mode=mode)
    yield case("aten::max.out", x, y, out=to())
    yield case("aten::min.out", x, y, out=to())
    yield case("aten::glu.out", x, out=to())
    yield case("aten::clip.Tensor_out", x, y - 2, y, out=to())
    yield case("aten::clip_.Tensor", x.clone(), y - 2, y)


def reductions():
    x = make((2, 3, 4))
    for keepdim in (False, True):
        for name in ("sum.IntList_out", "mean.out"):
            yield case(f"aten::{name}", x, [0, 2], keepdim, out=to())
        yield case("aten::prod.int_out", x, 1, keepdim, out=to())
        yield case("aten::all.out", x > 0, 1, keepdim, out=to(B))
        yield case("aten::any.out", x > 0, 1, keepdim, out=to(B))
        yield case("aten::max.dim_max", x, 1, keepdim, max=to(), max_values=to(I))
        yield case("aten::min.dim_min", x, 1, keepdim, min=to(), min_indices=to(I))
        yield case("aten::var.out", x, [1], True, keepdim, out=to())
        yield case("aten::std.out", x, [1], False, keepdim, out=to())
        yield case("aten::norm.out", x, 3, [1], keepdim, out=to())
        yield case("aten::norm.dtype_out", x, 3, [1], keepdim, dtype=torch.float64, out=to(torch.float64))
        yield case("aten::frobenius_norm.out", x, [1, 2], keepdim, out=to())
        yield case("aten::linalg_vector_norm.out", x, 2, [1], keepdim, out=to())
        yield case("aten::special_logsumexp", x, [1], keepdim)
        yield case("aten::special_logsumexp.out", x, [1], keepdim, out=to())
    yield case("aten::diff.out", x, out=to())
    yield case("aten::quantile.scalar_out", x, 0.3, 1, interpolation="linear", out=to())
    yield case("aten::nanquantile.scalar_out", x, 0.3, 1, interpolation="linear", out=to())
    yield case("aten::bucketize.Scalar_out", 0.4, torch.tensor([0.0, 0.5, 1]), out=to(I))
    yield case("aten::searchsorted.Scalar_out", torch.tensor([0.0, 0.5, 1]), 0.4, out=to(I))
    yield case("aten::isin.Tensor_Scalar_out", torch.tensor([1, 2, 3]), 2, out=to(B))
    yield case("aten::isin.Scalar_Tensor_out", 2, torch.tensor([1, 2, 3]), out=to(B))


def cases():
    yield from special()
    yield from reductions()
