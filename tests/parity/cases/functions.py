"""Functions of floating-point numbers, and the special functions."""
import torch

from lib.case import binary, case, errors, over, unary, with_variants
from lib.tensors import *

INTEGERS = [torch.int64, torch.uint8, torch.bool]


COMPLEX_IN_PYTORCH_2 = ("exp2", "expm1", "log1p")  # compared with PyTorch 2's answers, in torch2_cases.py


def plain():
    domains = {"log": (0.01, 9), "log2": (0.01, 9), "log10": (0.01, 9), "log1p": (-0.9, 9), "sqrt": (0, 9), "rsqrt": (0.01, 9),
               "asin": (-1, 1), "acos": (-1, 1), "acosh": (1, 9), "atanh": (-0.99, 0.99), "erfinv": (-0.99, 0.99),
               "reciprocal": (0.3, 4), "lgamma": (0.1, 9), "digamma": (0.1, 9), "logit": (0.01, 0.99)}
    complex_too = {"exp", "log", "log2", "log10", "sqrt", "rsqrt", "reciprocal", "sin", "cos", "tan", "asin", "acos", "atan",
                   "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sigmoid", "sinc"}
    for op in ("exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh "
               "asinh acosh atanh sinc erf erfc erfinv lgamma digamma i0 sigmoid deg2rad rad2deg logit").split():
        low, high = domains.get(op, (-4, 4))
        yield from unary(f"aten::{op}", dtypes=FLOATING, low=low, high=high)
        yield from unary(f"aten::{op}", dtypes=INTEGERS, shapes=[(5,), ()], layouts=[])
        if op in complex_too:
            yield from unary(f"aten::{op}", dtypes=COMPLEX, low=0.2, high=0.9, shapes=SMALL, special=False)
        elif op not in COMPLEX_IN_PYTORCH_2:
            yield from errors(f"aten::{op}", (make((3,), torch.complex64),))
    for op in ("arcsin", "arccos", "arctan", "arcsinh", "arctanh"):
        yield from unary(f"aten::{op}", dtypes=FLOATS, low=-0.9, high=0.9, shapes=SMALL)
    yield from unary("aten::arccosh", dtypes=FLOATS, low=1, high=3, shapes=SMALL)
    for scale in (1e-3, 30.0, 1e3, 1e5, 1e8):
        for op in ("sin", "cos", "tan", "atan", "tanh", "erf", "erfc", "exp", "expm1", "sigmoid", "asinh", "sinh", "cosh"):
            for d in FLOATS:
                yield case(f"aten::{op}", make((67,), d, -1, 1) * scale)
    for n in (0, 1, 2, 3):
        yield from over("aten::polygamma", FLOATS, [lambda d, n=n: (n, make((3, 4), d, 0.2, 6))], rtol=1e-5)
        yield case("aten::special_polygamma", n, make((5,), low=1, high=4))
    poles = torch.arange(-5, 6)
    edges = torch.tensor([-0.5, -1.5, -2.25, -0.0, 0.0, float("inf"), -float("inf"), float("nan"), 1e-30, 1e30, -40.75])
    for n in (0, 1, 2, 3, 4):
        for x in (poles, poles.int(), poles.float(), poles.double(), edges, edges.double()):
            yield case("aten::polygamma", n, x, rtol=1e-5)
    yield from errors("aten::polygamma", (-1, make((3,))), message=True)
    for p in (1, 2, 4):
        yield case("aten::mvlgamma", make((3, 4), low=4, high=9), p)
        yield case("aten::special_multigammaln", make((3, 4), torch.float64, low=4, high=9), p)
    for eps in (0.1, 0.4, -1.0):
        yield from unary("aten::logit", dtypes=FLOATS, args=(eps,), low=0.01, high=0.99, shapes=SMALL)


def special():
    domains = {"entr": (-1, 5), "erfinv": (-1, 1), "ndtri": (0, 1), "log_ndtr": (-30, 5), "erfcx": (-4, 30), "logit": (0.01, 0.99),
               "log1p": (-0.9, 9), "gammaln": (0.1, 9), "digamma": (-4, 9), "psi": (0.1, 9), "i0": (-30, 30), "i0e": (-50, 50),
               "i1": (-30, 30), "i1e": (-50, 50)}
    for op in ("entr erf erfc erfinv erfcx exp2 expm1 log1p i0 i0e i1 i1e ndtr ndtri log_ndtr sinc digamma logit psi gammaln "
               "expit").split():
        low, high = domains.get(op, (-4, 4))
        yield from unary(f"aten::special_{op}", dtypes=FLOATS, low=low, high=high, special=op not in ("digamma", "psi"))
        yield case(f"aten::special_{op}", make((5,), torch.int64))
        yield case(f"aten::special_{op}", torch.linspace(low, high, 201, dtype=torch.float64))
    yield case("aten::special_ndtri", torch.tensor([1e-300, 1e-100, 1e-20, 1e-5, 0.1, 0.9, 1 - 1e-10], dtype=torch.float64))
    yield case("aten::special_round", make((5,), low=-9, high=9), decimals=2)
    for op in ("igamma", "igammac", "special_gammainc", "special_gammaincc"):
        for d in (torch.float32, torch.float64):
            yield from with_variants(f"aten::{op}", make((4, 5), d, 0, 6), make((4, 5), d, 0, 9, seed=3))
            edge = torch.tensor([0, 0.5, 30, 2000, float("inf"), float("nan"), -1], dtype=d)
            yield case(f"aten::{op}", edge.view(-1, 1), edge * 1.01, rtol=1e-5)
    for op in ("xlogy", "xlog1py", "zeta"):
        low = 1.1 if op == "zeta" else 0
        yield from binary(f"aten::special_{op}", dtypes=FLOATS, low=low, high=5, shapes=BROADCAST[:3], special=False)
        yield case(f"aten::special_{op}.self_scalar", 2, make((4,), low=0.5, high=4))
        yield case(f"aten::special_{op}.other_scalar", make((4,), low=1.5, high=4), 2)
    for op in ("bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_i0", "modified_bessel_i1",
               "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1",
               "spherical_bessel_j0", "airy_ai"):
        low = 0.05 if "_y" in op or "_k" in op else -20
        for d in FLOATS:
            yield case(f"aten::special_{op}", torch.linspace(low, 40, 241, dtype=d), rtol=1e-4,
                       atol=1e-6)
            yield from with_variants(f"aten::special_{op}", make((3, 4), d, 0.5, 6), rtol=1e-4)
        yield case(f"aten::special_{op}", make((3,), torch.int64, 1, 5))
    # PyTorch's own J and Y are off by 5e-7 even in double precision.
    for op in ("modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0",
               "scaled_modified_bessel_k1", "spherical_bessel_j0"):
        for d, tolerance in ((torch.float32, 2e-6), (torch.float64, 1e-12)):
            yield case(f"aten::special_{op}", torch.logspace(-3, 1.9, 211, dtype=d), rtol=tolerance, atol=0)
    yield case("aten::special_airy_ai", torch.logspace(-3, 1.9, 211, dtype=torch.float64), rtol=1e-12, atol=0)
    for op in ("scaled_modified_bessel_k0", "scaled_modified_bessel_k1"):
        yield case(f"aten::special_{op}", torch.logspace(2, 8, 61, dtype=torch.float64), rtol=1e-12, atol=0)
        yield case(f"aten::special_{op}", torch.tensor([0.0, float("inf"), float("nan"), -1.0]))
    for op in ("chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w",
               "hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p",
               "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v",
               "shifted_chebyshev_polynomial_w"):
        n = torch.arange(0, 12, dtype=torch.float64)
        for x in (torch.linspace(-0.95, 0.95, 9, dtype=torch.float64), torch.tensor([-1.0, 1.0, 0.0], dtype=torch.float64)):
            yield case(f"aten::special_{op}", x.view(-1, 1), n)
        yield case(f"aten::special_{op}", make((3, 1), low=0.1, high=0.9), torch.arange(0, 6))
        yield case(f"aten::special_{op}.x_scalar", 0.3, torch.arange(0, 6))
        yield case(f"aten::special_{op}.n_scalar", make((4,), low=0.1, high=0.9), 3)


def cases():
    yield from plain()
    yield from special()
