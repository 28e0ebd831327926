"""Products of matrices and vectors."""
import torch

from lib.case import *
from lib.tensors import *

TYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.uint8, torch.complex64,
         torch.complex128]
F32, F64, I64 = torch.float32, torch.float64, torch.int64


def small(shape, dtype=F32, **kw):
    return make(shape, dtype, 0 if dtype == torch.uint8 else -2, 3, **kw)


def plain():
    for dtype in TYPES:
        yield from with_variants("aten::mm", small((3, 5), dtype), small((5, 4), dtype, seed=2))
        yield from with_variants("aten::bmm", small((2, 3, 5), dtype), small((2, 5, 4), dtype, seed=2))
        yield from with_variants("aten::mv", small((3, 5), dtype), small((5,), dtype, seed=2))
        if not dtype.is_complex:  # Debian's PyTorch gives 0 for complex vectors
            yield from with_variants("aten::dot", small((5,), dtype), small((5,), dtype, seed=2))
            yield from with_variants("aten::vdot", small((5,), dtype), small((5,), dtype, seed=2))
        yield from with_variants("aten::outer", small((5,), dtype), small((3,), dtype, seed=2))
        yield from with_variants("aten::ger", small((5,), dtype), small((3,), dtype, seed=2))
        yield from with_variants("aten::inner", small((2, 5), dtype), small((3, 4, 5), dtype, seed=2))
        yield from with_variants("aten::kron", small((2, 3), dtype), small((4, 5), dtype, seed=2))
        yield from with_variants("aten::tensordot", small((2, 3, 4), dtype), small((4, 3, 5), dtype, seed=2), [1, 2], [1, 0])
        yield from with_variants("aten::matrix_power", small((3, 3), dtype), 3)
    for layout_a in (CONTIGUOUS, TRANSPOSED, SLICED, EXPANDED, OFFSET):
        for layout_b in (CONTIGUOUS, TRANSPOSED, SLICED, EXPANDED, OFFSET):
            yield case("aten::mm", make((7, 20), layout=layout_a), make((20, 70), layout=layout_b, seed=2))
            yield case("aten::bmm", make((3, 7, 5), layout=layout_a), make((3, 5, 9), layout=layout_b, seed=2))
        yield case("aten::mv", make((30, 20), layout=layout_a), make((20,), layout=SLICED))
    for m, k, n in ((0, 3, 4), (3, 0, 4), (3, 4, 0), (1, 1, 1), (1, 100, 300), (100, 300, 1), (65, 700, 33), (2, 50, 129)):
        yield case("aten::mm", make((m, k)), make((k, n), seed=2), atol=1e-3)
        yield case("aten::mm", make((m, k)), make((n, k), seed=2).t(), atol=1e-3)
        yield case("aten::bmm", make((2, m, k)), make((2, k, n), seed=2), atol=1e-3)
        yield case("aten::addmm", make((n,)), make((m, k)), make((k, n), seed=2), atol=1e-3)
    yield case("aten::mm", make((4, 4), special=True), make((4, 4)))
    yield case("aten::dot", make((0,)), make((0,)))
    yield case("aten::outer", make((3,)), make((4,), F64))
    yield case("aten::outer", make((3,), torch.bool), make((4,), torch.bool))
    yield case("aten::kron", make((3,)), make((4, 5, 2)))
    yield case("aten::kron", make(()), make((4,), I64))
    yield case("aten::kron", make((3,), torch.bool), make((4,), torch.bool))
    yield case("aten::inner", make(()), make((4, 5)))
    yield case("aten::tensordot", make((2, 1, 4)), make((4, 3, 5)), [1, 2], [1, 0])
    yield case("aten::tensordot", make((2, 3)), make((4, 5)), [], [])
    for n in (0, 1, 2, 5, 8):
        yield from with_variants("aten::linalg_matrix_power", make((2, 3, 3)), n)


def matmul_shapes():
    shapes = [((5,), (5,)), ((3, 5), (5,)), ((5,), (5, 4)), ((3, 5), (5, 4)), ((2, 3, 5), (5,)), ((5,), (2, 5, 4)), ((2, 3, 5), (5, 4)),
              ((3, 5), (2, 5, 4)), ((2, 3, 5), (2, 5, 4)), ((6, 1, 3, 5), (2, 5, 4)), ((6, 2, 3, 5), (6, 1, 5, 4)), ((0, 3, 5), (5, 4)),
              ((2, 3, 0), (0, 4)), ((0, 3, 5), (0, 5, 4)), ((2, 1, 3, 5), (1, 7, 5, 4)), ((3, 5), (6, 2, 5, 4))]
    for a, b in shapes:
        for dtype in (F32, F64, I64, torch.float16, torch.complex64):
            if dtype.is_complex and len(a) == len(b) == 1:
                continue
            yield case("aten::matmul", small(a, dtype), small(b, dtype, seed=2))
        yield from with_variants("aten::matmul", make(a), make(b, seed=2))
    yield from with_variants("aten::linalg_matmul", make((2, 3, 5)), make((5, 4)))
    yield case("aten::matmul", make((2, 5, 3)).transpose(1, 2), make((5, 4)))
    yield case("aten::matmul", make((3, 5)).expand(4, 3, 5), make((4, 5, 2)))
    yield case("aten::matmul", make((2, 4, 6, 8)).transpose(1, 2), make((2, 4, 6, 8)).permute(0, 2, 3, 1))


def linear():
    for dtype in TYPES[:-2]:
        yield case("aten::linear", small((3, 5), dtype), small((4, 5), dtype, seed=2), small((4,), dtype, seed=3))
        yield case("aten::linear", small((2, 3, 5), dtype), small((4, 5), dtype, seed=2))
    w, b = make((40, 30)), make((40,))
    for shape in ((30,), (1, 30), (2, 30), (5, 30), (2, 3, 30), (2, 3, 4, 30), (0, 30), (2, 0, 30)):
        yield case("aten::linear", make(shape), w, b)
        yield case("aten::linear", make(shape), w)
    yield case("aten::linear.out", make((2, 30)), w, b, out=make((0,)))
    yield case("aten::linear", make((30, 6)).t(), w, b)
    yield case("aten::linear", make((5, 30)), make((30, 40)).t(), b)
    yield case("aten::linear", make((5, 30)), make((30,)))
    yield case("aten::linear", make((30,)), make((30,)), make(()))
    yield case("aten::linear", make((5, 30)), w, make((1, 40)))
    yield case("aten::bilinear", make((2, 3)), make((2, 4)), make((5, 3, 4)), make((5,)))
    yield case("aten::bilinear", make((2, 6, 3)), make((2, 6, 4)), make((5, 3, 4)))
    yield case("aten::bilinear", make((3,)), make((4,)), make((5, 3, 4)))


def added():
    for dtype in TYPES:
        whole = not (dtype.is_floating_point or dtype.is_complex)
        for beta, alpha in ((1, 1), (2, 3), (0, 1), (1, 0)) + (() if whole else ((0.5, 1.5),)):
            s = {"beta": beta, "alpha": alpha}
            yield from with_variants("aten::addmm", small((3, 4), dtype), small((3, 5), dtype), small((5, 4), dtype, seed=2), **s)
            yield case("aten::addmm", small((4,), dtype), small((3, 5), dtype), small((5, 4), dtype, seed=2), **s)
            yield from with_variants("aten::addmv", small((3,), dtype), small((3, 5), dtype), small((5,), dtype, seed=2), **s)
            # With beta 0 PyTorch multiplies whatever the result's memory held: NaN now and then.
            if beta != 0:
                yield from with_variants("aten::baddbmm", small((2, 3, 4), dtype), small((2, 3, 5), dtype), small((2, 5, 4), dtype, seed=2), **s)
            yield from with_variants("aten::addbmm", small((3, 4), dtype), small((2, 3, 5), dtype), small((2, 5, 4), dtype, seed=2), **s)
            yield from with_variants("aten::addr", small((3, 4), dtype), small((3,), dtype), small((4,), dtype, seed=2), **s)
    nan = torch.full((3, 4), float("nan"))
    yield case("aten::addmm", nan, make((3, 5)), make((5, 4)), beta=0)
    yield case("aten::baddbmm", nan, make((2, 3, 5)), make((2, 5, 4)), beta=0)
    yield case("aten::addr", nan, make((3,)), make((4,)), beta=0)
    yield case("aten::addmv", make(()), make((3, 5)), make((5,)))
    yield case("aten::addmv", make((1,)), make((3, 5)), make((5,)))
    yield case("aten::addmv", make((3,), F64), make((3, 5)), make((5,)))
    yield case("aten::baddbmm", make((4,)), make((2, 3, 5)), make((2, 5, 4)))
    yield case("aten::addmm", make((4,), I64), small((3, 5), I64), small((5, 4), I64), beta=1.5, alpha=2.5)
    yield case("aten::addr", make((3, 4)), small((3,), I64), make((4,), F64))
    yield case("aten::addr", make((4,)), make((3,)), make((4,)))
    for beta in (0, 1, 2):
        yield case("aten::addr", make((3, 4), torch.bool), make((3,), torch.bool), make((4,), torch.bool), beta=beta)
    for gelu in (False, True):
        yield from with_variants("aten::_addmm_activation", make((4,)), make((3, 5)), make((5, 4)), use_gelu=gelu)


def chains():
    yield from with_variants("aten::chain_matmul", [make((2, 30)), make((30, 4)), make((4, 50)), make((50, 3))])
    yield case("aten::chain_matmul", [make((2, 3))])
    yield from with_variants("aten::linalg_multi_dot", [make((3,)), make((3, 4)), make((4,))])
    yield case("aten::linalg_multi_dot", [make((3,)), make((3, 4))])
    yield case("aten::linalg_multi_dot", [make((2, 3), F64), make((3, 4), F64), make((4, 5), F64)])
    yield from with_variants("aten::linalg_vecdot", make((2, 3)), make((2, 3), seed=2))
    yield case("aten::linalg_vecdot", make((2, 3)), make((2, 3), seed=2), dim=0)
    yield case("aten::linalg_vecdot", make((2, 3), torch.complex64), make((2, 3), torch.complex64, seed=2))
    yield case("aten::linalg_vecdot", make((4, 1, 3)), make((2, 3), seed=2))


def einsums():
    for eq, *shapes in [
        ("ij,jk->ik", (2, 3), (3, 4)), ("ij,jk", (2, 3), (3, 4)), ("ij,jk->ki", (2, 3), (3, 4)), ("ii->i", (3, 3)), ("ii", (3, 3)),
        ("...ij,...jk->...ik", (5, 2, 3), (3, 4)), ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)), ("bij,bjk", (2, 3, 4), (2, 4, 5)),
        ("i,j->ij", (3,), (4,)), ("i,i->", (3,), (3,)), ("ij->", (3, 4)), ("ij->j", (3, 4)), ("ij->ji", (3, 4)), ("ij,ij->i", (3, 4), (3, 4)),
        ("bhid,bhjd->bhij", (2, 3, 4, 5), (2, 3, 6, 5)), ("bhij,bhjd->bhid", (2, 3, 4, 6), (2, 3, 6, 5)), ("bijk,bkl->bijl", (2, 3, 4, 5), (2, 5, 6)),
        ("...->...", (2, 3)), (" i j , j k -> i k ", (2, 3), (3, 4)), ("ba,ac", (2, 3), (3, 4)), ("...a->a...", (2, 3)), ("", ()), (",->", (), ()),
        ("ij,", (2, 3), ()), ("i...,i...->...", (2, 3), (2, 1)), ("aB,Bc", (2, 3), (3, 4)), ("ij,kl->ijkl", (1, 3), (2, 1)), ("ij,j->i", (2, 3), (1,)),
        ("ij...->i", (2, 3, 4)), ("ijk->ki", (2, 3, 4)), ("...ij->...", (2, 3, 4)), ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)),
        ("iij->j", (3, 3, 4)), ("iji,j->i", (3, 4, 3), (4,)), ("nchw,oc->nohw", (2, 3, 4, 5), (6, 3)), ("bn,anm,bm->ba", (2, 3), (4, 3, 5), (2, 5)),
        ("ij,jk->ik", (0, 3), (3, 4)), ("ij,jk->ik", (2, 0), (0, 4)), ("...,...->...", (2, 1, 3), (4, 1)), ("abc,cd,d->ab", (2, 3, 4), (4, 5), (5,)),
        ("zA,Ab", (2, 3), (3, 4)),
    ]:
        tensors = [make(s, seed=i) for i, s in enumerate(shapes)]
        yield case("aten::einsum", eq, tensors)
        yield case("aten::einsum", eq, [small(s, I64, seed=i) for i, s in enumerate(shapes)])
    for eq, d in (("ij->i", torch.int32), ("i->", torch.uint8), ("ij->ji", torch.int16)):
        yield case("aten::einsum", eq, [small((3, 2)[: eq.index("-")], d)])
    for eq, *shapes in (("ik,j->ij", (2, 3), (3,)), ("i,jk->ij", (2,), (3, 4)), ("ij,jk->", (2, 3), (3, 4)),
                        ("ik,j->ij", (2, 1), (3,)), ("ij,jk->i", (2, 3), (3, 4)), ("ij,kl,mn->ik", (2, 3), (4, 5), (2, 2))):
        yield case("aten::einsum", eq, [small(s, torch.int32, seed=i) for i, s in enumerate(shapes)])
    yield case("aten::einsum", "ij,jk,kl->il", [make((2, 3)), make((3, 4)), make((4, 5))], path=[1, 2, 0, 1])
    for eq in ("ij,jk->ik", "ij,kl->il", "ij,kl->ijkl", "ij,ji->i", "ij,jk->ij", "i...,j...->ij"):  # mixed dtypes
        yield case("aten::einsum", eq, [make((2, 3)), make((3, 2), torch.float64)])
        yield case("aten::einsum", eq, [make((2, 3), torch.int64), make((3, 2))])
    yield case("aten::einsum", "ij,kj->ik", [make((3, 2)).t(), make((4, 3), layout=SLICED)])


def refused():
    bad = {
        "aten::mm": [(make((2, 3)), make((4, 5))), (make((3,)), make((3, 4))), (make((2, 3)), make((3,))), (make((2, 3)), make((3, 4), F64)),
                     (make((2, 3), I64), make((3, 4))), (make((2, 3), torch.bool), make((3, 4), torch.bool))],
        "aten::bmm": [(make((2, 3, 4)), make((3, 4, 5))), (make((2, 3, 4)), make((2, 3, 5))), (make((3, 4)), make((2, 4, 5))),
                      (make((2, 3, 4)), make((4, 5))), (make((2, 3, 4)), make((2, 4, 5), F64)), (make((2, 3, 4), torch.bool), make((2, 4, 5), torch.bool))],
        "aten::addmm": [(make((4,)), make((2, 3)), make((4, 4))), (make((5,)), make((2, 3)), make((3, 4))), (make((4,)), make((3,)), make((3, 4))),
                        (make((4,)), make((2, 3)), make((3,))), (make((4,)), make((2, 3)), make((3, 4), F64)), (make((4,), F64), make((2, 3)), make((3, 4))),
                        (make((1, 2, 4)), make((2, 3)), make((3, 4)))],
        "aten::addmv": [(make((2,)), make((2, 3)), make((4,))), (make((2,)), make((2, 3)), make((3, 1))), (make((2,)), make((3,)), make((3,))),
                        (make((3,)), make((2, 3)), make((3,))), (make((1, 2)), make((2, 3)), make((3,))), (make((2,)), make((2, 3)), make((3,), F64))],
        "aten::mv": [(make((2, 3)), make((2,))), (make((3,)), make((3,)))],
        "aten::dot": [(make((3,)), make((4,))), (make((3, 1)), make((3,))), (make((3,)), make((3,), F64)), (make((3,), torch.bool), make((3,), torch.bool))],
        "aten::addbmm": [(make((3, 5)), make((2, 3, 4)), make((3, 4, 5))), (make((3, 5)), make((2, 3, 4)), make((2, 3, 5))),
                         (make((4, 5)), make((2, 3, 4)), make((2, 4, 5))), (make((3, 5)), make((2, 3, 4)), make((2, 4, 5), F64))],
        "aten::baddbmm": [(make((5,)), make((2, 3, 4)), make((3, 4, 5))), (make((6,)), make((2, 3, 4)), make((2, 4, 5))),
                          (make((5,)), make((2, 3, 4)), make((2, 4, 5), F64))],
        "aten::addr": [(make((2, 3)), make((2, 1)), make((3,))), (make((4, 3)), make((2,)), make((3,))), (make((1, 2, 3)), make((2,)), make((3,)))],
        "aten::outer": [(make((2, 1)), make((3,)))],
        "aten::inner": [(make((2, 3)), make((4, 5, 2))), (make((2,)), make((2,), F64))],
        "aten::matmul": [(make((6, 2, 2, 3)), make((5, 3, 4))), (make(()), make((3,))), (make((3,)), make((4,))), (make((2, 3)), make((4,))),
                         (make((2,)), make((3, 4))), (make((5, 2, 3)), make((4, 4))), (make((5, 2, 3)), make((5, 4, 4))), (make((5, 2, 3)), make((4,))),
                         (make((2,)), make((5, 3, 4))), (make((2, 2)), make((5, 3, 4))), (make((5, 2, 3)), make((3, 4), F64)), (make((3,)), make((3,), F64))],
        "aten::linear": [(make((2, 3)), make((4, 5)), make((4,))), (make((2, 2, 3)), make((4, 5)), make((4,))), (make((2, 3)), make((4, 3)), make((5,))),
                         (make((2, 3)), make((4, 3), F64)), (make((2, 3)), make((2, 4, 3))), (make(()), make((4, 3))), (make((2, 3)), make((4, 3)), make((4,), F64))],
        "aten::bilinear": [(make((3, 3)), make((2, 4)), make((5, 3, 4))), (make((2, 2)), make((2, 4)), make((5, 3, 4))),
                           (make((2, 3)), make((2, 3)), make((5, 3, 4))), (make((2, 3)), make((2, 4)), make((5, 3, 4)), make((6,))),
                           (make((2, 3)), make((4,)), make((5, 3, 4)))],
        "aten::linalg_multi_dot": [([make((3,))],), ([make((2, 3)), make((4, 4))],), ([make((2, 3)), make((3, 4)), make((3, 2))],),
                                   ([make((2, 3, 1)), make((3, 4))],), ([make((2, 3)), make((3,)), make((3, 2))],), ([make((2, 3)), make((3, 4, 1))],)],
        "aten::chain_matmul": [([make((2, 3)), make((4, 4))],), ([make((2, 3)), make((4,))],)],
        "aten::tensordot": [(make((2, 3, 4)), make((4, 3, 5)), [1, 2], [0, 1]), (make((2, 3, 4)), make((4, 3, 5)), [1], [0, 1]),
                            (make((2, 3, 3)), make((3, 3, 5)), [1, 1], [1, 0]), (make((2, 3)), make((3, 5)), [5], [0])],
        "aten::matrix_power": [(make((3, 4)), 2), (make((3,)), 2)],
        "aten::linalg_vecdot": [(make((2, 3)), make((2, 4))), (make((2, 3), I64), make((2, 3), I64)), (make((2, 3)), make((2, 3), F64))],
        "aten::einsum": [("i->ij", [make((3,))]), ("ij", [make((2, 3, 4))]), ("ij,jk->ik", [make((2, 3)), make((4, 4))]), ("ij,jk->ii", [make((2, 3)), make((3, 4))]),
                         ("i1->i", [make((2, 3))]), ("ij,jk->ik", [make((2, 3))]), ("ij->ji->ij", [make((2, 3))]), ("i.j->ij", [make((2, 3))]),
                         ("ii,i", [make((2, 3)), make((3,))]), ("ij", [make((2, 3)), make((2, 3))]), ("ij,jk", [make((2, 3)), make((3, 4), F64)])],
    }
    for op, lists in bad.items():
        for args in lists:
            yield from errors(op, args, message=True)


def cases():
    yield from plain()
    yield from matmul_shapes()
    yield from linear()
    yield from added()
    yield from chains()
    yield from einsums()
    yield from refused()
