"""Linear algebra. Factors that are unique only up to signs are compared through what they multiply to."""
import torch

from lib.case import *
from lib.tensors import *

WIDE = FLOATS + [torch.complex64, torch.complex128]
SHAPES = [(4, 4), (2, 3, 3), (2, 1, 5, 5), (1, 1)]
TALL = [(5, 3), (3, 5), (2, 4, 3), (4, 4)]
LOOSE = dict(rtol=1e-4, atol=1e-5)


def square(shape, d, seed=0):
    """Well conditioned: a random matrix with a strong diagonal."""
    return make(shape, d, -1, 1, seed=seed) + 3 * torch.eye(shape[-1], dtype=d)


def positive(shape, d):
    a = make(shape, d, -1, 1)
    return a @ a.mH + shape[-1] * torch.eye(shape[-1], dtype=d)


def cases():
    for d in WIDE:
        for shape in SHAPES:
            a, p, b = square(shape, d), positive(shape, d), make(shape[:-1] + (2,), d, seed=5)
            for op in ("inverse", "linalg_inv", "det", "linalg_det", "linalg_slogdet", "slogdet", "linalg_matrix_exp",
                       "matrix_exp", "linalg_inv_ex", "linalg_lu_factor", "linalg_lu", "linalg_lu_factor_ex", "_lu_with_info",
                       "linalg_cond", "logdet"):
                yield case(f"aten::{op}", a, **LOOSE)
            for upper in (False, True):
                yield case("aten::linalg_cholesky", p, upper=upper, **LOOSE)
                yield case("aten::cholesky", p, upper, **LOOSE)
                yield case("aten::linalg_cholesky_ex", p, upper=upper, **LOOSE)
                factor = torch.linalg.cholesky(p, upper=upper)
                yield case("aten::cholesky_inverse", factor, upper, **LOOSE)
                yield case("aten::cholesky_solve", b, factor, upper, **LOOSE)
                for unit in (False, True):
                    t = a.triu() if upper else a.tril()
                    yield case("aten::linalg_solve_triangular", t, b, upper=upper, unitriangular=unit, **LOOSE)
                    yield case("aten::linalg_solve_triangular", t, b.mT.contiguous(), upper=upper, left=False, unitriangular=unit, **LOOSE)
                    yield case("aten::triangular_solve", b, t, upper, False, unit, **LOOSE)
                    yield case("aten::triangular_solve", b, t, upper, True, unit, **LOOSE)
            yield case("aten::linalg_solve", a, b, **LOOSE)
            yield case("aten::linalg_solve", a, b[..., 0].contiguous(), **LOOSE)
            yield case("aten::linalg_solve", a, b.mT.contiguous(), left=False, **LOOSE)
            yield case("aten::linalg_solve_ex", a, b, **LOOSE)
            # PyTorch factors the transpose here and there, so the factors it hands out are not compared.
            yield case("aten::_linalg_solve_ex", a, b, compare="meta")
            yield case("aten::_linalg_det", a, compare="meta")
            yield case("aten::_linalg_slogdet", a, compare="meta")
            lu, pivots = torch.linalg.lu_factor(a)
            yield case("aten::linalg_lu_solve", lu, pivots, b, **LOOSE)
            yield case("aten::linalg_lu_solve", lu, pivots, b, adjoint=True, **LOOSE)
            yield case("aten::linalg_lu_solve", lu, pivots, b.mT.contiguous(), left=False, **LOOSE)
            yield case("aten::lu_solve", b, lu, pivots, **LOOSE)
            yield case("aten::lu_unpack", lu, pivots, **LOOSE)
            yield case("aten::linalg_eigvalsh", p, **LOOSE)
            yield case("aten::linalg_eigvalsh", p, "U", **LOOSE)
            yield case("aten::symeig", p, **LOOSE)
        for shape in TALL:
            a = make(shape, d, -1, 1)
            for op in ("linalg_svdvals", "linalg_pinv.atol_rtol_float", "pinverse", "linalg_matrix_rank.atol_rtol_float", "geqrf"):
                yield case(f"aten::{op}", a, **LOOSE)
            for mode in ("reduced", "complete", "r"):
                yield case("aten::linalg_qr", a, mode, **LOOSE)
            yield case("aten::qr", a, **LOOSE)
            yield case("aten::qr", a, False, **LOOSE)
            yield case("aten::linalg_pinv", a, 0.1, **LOOSE)
            yield case("aten::linalg_pinv.rcond_tensor", a, torch.tensor(0.1), **LOOSE)
            yield case("aten::linalg_pinv.atol_rtol_tensor", a, None, torch.tensor(0.1), **LOOSE)
            yield case("aten::linalg_matrix_rank", a, 0.5)
            yield case("aten::linalg_matrix_rank.tol_tensor", a, torch.tensor(0.5))
            yield case("aten::linalg_matrix_rank.atol_rtol_tensor", a, atol=torch.tensor(0.5))
            if shape[-2] >= shape[-1]:
                yield case("aten::linalg_householder_product", *torch.geqrf(a), **LOOSE)
                yield case("aten::orgqr", *torch.geqrf(a), **LOOSE)
            if not d.is_complex:
                yield case("aten::linalg_lstsq", a, make(shape[:-1] + (2,), d, seed=3), **LOOSE)
                for driver in ("gels", "gelsd", "gelss"):
                    if shape[-2] >= shape[-1]:
                        yield case("aten::linalg_lstsq", a, make(shape[:-1] + (2,), d, seed=3), driver=driver, **LOOSE)
        yield case("aten::linalg_lstsq", make((1, 4, 3), d), make((5, 4, 2), d, seed=3), **LOOSE)
        yield case("aten::linalg_lstsq", make((2, 1, 4, 3), d), make((1, 3, 4, 2), d, seed=3), driver="gelsd", **LOOSE)
        yield case("aten::linalg_lstsq", make((1, 3, 4), d), make((5, 3, 2), d, seed=3), driver="gelss", **LOOSE)
        yield case("aten::linalg_lstsq", make((5, 4, 3), d), make((5, 4), d, seed=3), driver="gelsd", **LOOSE)
        for a, b in (((4, 3), (5, 4, 2)), ((5, 4, 3), (4,)), ((4, 3), (5, 4)), ((5, 4, 3), (3, 4, 2))):
            yield case("aten::linalg_lstsq", make(a, d), make(b, d, seed=3))
        yield case("aten::ormqr", *torch.geqrf(make((4, 3), d)), make((4, 5), d), **LOOSE)
        yield case("aten::ormqr", *torch.geqrf(make((4, 3), d)), make((5, 4), d), False, True, **LOOSE)
    for d in FLOATS:
        yield case("aten::nuclear_norm", make((4, 3), d), **LOOSE)
        yield case("aten::nuclear_norm.dim", make((2, 4, 3), d), [0, 2], True, **LOOSE)
        yield case("aten::linalg_vander", make((2, 4), d))
        for p in (1, -1, 2, -2, float("inf"), float("-inf")):
            yield case("aten::linalg_cond", square((3, 3), d), p, **LOOSE)
        for p in ("fro", "nuc"):
            yield case("aten::linalg_cond.p_str", square((2, 3, 3), d), p, **LOOSE)
        yield case("aten::linalg_tensorinv", make((4, 6, 8, 3), d), 2, **LOOSE)
        yield case("aten::linalg_tensorsolve", make((2, 3, 6), d), make((2, 3), d), **LOOSE)
    yield case("aten::linalg_vander", make((4,), torch.int64), N=3)

    for op, args in (("inverse", (square((3, 3), torch.float32),)), ("linalg_inv", (square((3, 3), torch.float32),)),
                     ("linalg_det", (square((3, 3), torch.float32),)), ("linalg_cholesky", (positive((3, 3), torch.float32),)),
                     ("linalg_solve", (square((3, 3), torch.float32), make((3, 2)))), ("linalg_qr", (make((4, 3)),)),
                     ("linalg_svdvals", (make((4, 3)),)), ("linalg_matrix_exp", (make((3, 3)),)), ("linalg_lu", (make((4, 3)),)),
                     ("linalg_eigvalsh", (positive((3, 3), torch.float32),)), ("nuclear_norm", (make((3, 3)),))):
        yield from with_variants(f"aten::{op}", *args, **LOOSE)

    forms = {
        "svd": "U, S, Vh = torch.linalg.svd(x, full_matrices=False)\n  return (U * S) @ Vh, S",
        "svd full": "U, S, Vh = torch.linalg.svd(x)\n  return U @ U.mT, Vh @ Vh.mT, S",
        "svd old": "U, S, V = torch.svd(x)\n  return (U * S) @ V.mT, S",
        "eigh": "L, V = torch.linalg.eigh(x @ x.mT)\n  return (V * L) @ V.mT, L",
        "symeig": "L, V = torch.linalg.eigh(x.mT @ x, 'U')\n  return (V * L) @ V.mT, L",
        "eig": "L, V = torch.linalg.eig(x @ x.mT)\n  return torch.real((V * L) @ torch.linalg.inv(V)), L.abs().sum()",
        "eigvals": "L = torch.linalg.eigvals(x @ x.mT)\n  return L.abs().sum(), L.real.prod()",
    }
    for name, body in forms.items():
        returns = "Tuple[Tensor, Tensor, Tensor]" if name == "svd full" else "Tuple[Tensor, Tensor]"
        for shape in ((4, 3), (3, 4), (4, 4)):
            yield program(f"{name} {shape}", f"def forward(self, x: Tensor) -> {returns}:\n  {body}", make(shape, torch.float64), rtol=1e-7)

    singular = torch.zeros(3, 3)
    yield from errors("aten::linalg_inv", (singular,), (make((2, 3)),), (make((3,)),), (make((3, 3), torch.int64),), message=True)
    yield from errors("aten::linalg_cholesky", (-torch.eye(2),), message=True)
    yield from errors("aten::linalg_solve", (singular, make((3,))), (square((3, 3), torch.float32), make((4, 2))))
    yield from errors("aten::linalg_svdvals", (torch.full((2, 2), float("nan")),), (make((3,)),))
    yield from errors("aten::linalg_qr", (make((3, 3)), "odd"), message=True)
