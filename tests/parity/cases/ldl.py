"""LDL factors, and powers of matrices below zero."""
import torch

from lib.case import *
from lib.tensors import *

LOOSE = dict(rtol=1e-4, atol=1e-5)


def symmetric(shape, d, hermitian, seed=0):
    a = make(shape, d, -1, 1, seed=seed)
    return a + (a.mH if hermitian else a.mT)


def cases():
    for d in FLOATS + COMPLEX:
        for shape in ((1, 1), (2, 2), (5, 5), (2, 3, 3), (2, 1, 8, 8), (0, 0), (0, 3, 3)):
            for hermitian in (False, True):
                for seed in range(3):
                    a = symmetric(shape, d, hermitian, seed)
                    yield case("aten::linalg_ldl_factor_ex", a, hermitian=hermitian, **LOOSE)
                    yield case("aten::linalg_ldl_factor", a, hermitian=hermitian, **LOOSE)
                    if a.numel():
                        ld, pivots = torch.linalg.ldl_factor(a, hermitian=hermitian)
                        b = make(shape[:-1] + (2,), d, seed=seed + 1)
                        yield case("aten::linalg_ldl_solve", ld, pivots, b, hermitian=hermitian, **LOOSE)
        zero_diagonal = torch.tensor([[0, 1, 2], [1, 0, 3], [2, 3, 0]], dtype=d)
        yield case("aten::linalg_ldl_factor_ex", zero_diagonal, **LOOSE)
        ld, pivots = torch.linalg.ldl_factor(zero_diagonal)
        yield case("aten::linalg_ldl_solve", ld, pivots, make((4, 3, 2), d), **LOOSE)
        well = make((3, 3), d, -1, 1) + 3 * torch.eye(3, dtype=d)
        for n in (-1, -2, -5):
            yield case("aten::linalg_matrix_power", well, n, **LOOSE)
            yield case("aten::matrix_power", make((2, 2, 2), d, -1, 1) + 3 * torch.eye(2, dtype=d), n, **LOOSE)
    a = symmetric((3, 3), torch.float32, False)
    ld, pivots = torch.linalg.ldl_factor(a)
    yield case("aten::linalg_ldl_factor.out", a, LD=torch.empty(0), pivots=torch.empty(0, dtype=torch.int32), **LOOSE)
    yield case("aten::linalg_ldl_factor_ex.out", a, LD=torch.empty(0), pivots=torch.empty(0, dtype=torch.int32),
               info=torch.empty(0, dtype=torch.int32), **LOOSE)
    yield case("aten::linalg_ldl_solve.out", ld, pivots, make((3, 2)), out=torch.empty(0), **LOOSE)
    yield case("aten::linalg_ldl_factor_ex", torch.zeros(3, 3))
    yield from errors("aten::linalg_ldl_factor", (make((3, 4)),), (make((3,)),), (make((3, 3), torch.int64),))
    yield from errors("aten::linalg_ldl_solve", (ld, pivots, make((3,))), (ld, pivots[:2], make((3, 1))),
                      (ld, pivots.float(), make((3, 1))), (ld, pivots, make((3, 1), torch.float64)), (ld, pivots, make((4, 1))))
    yield case("aten::linalg_matrix_power", torch.zeros(2, 2), -1)
