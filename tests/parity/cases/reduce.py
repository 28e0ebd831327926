"""Reductions and scans."""
import torch

from lib.case import case, errors, over, unary, with_variants
from lib.tensors import *

NAN, INF = float("nan"), float("inf")
SHAPES = [(), (1,), (7,), (0,), (3, 4), (2, 3, 4), (2, 0, 3), (33, 170), (2, 3, 4, 5)]
NUMBERS = FLOATING + INTS


def dims_of(shape):
    rank = len(shape)
    singles = sorted({0, -1, rank - 1}) if rank else [0, -1]
    pairs = [(0, 1), (-1, 0), (1, 2)] if rank > 2 else [(0, 1)] if rank == 2 else []
    return [[d] for d in singles] + [list(p) for p in pairs] + [[]]


def over_dims(op, dtypes, shapes=SHAPES, single=False, special=True, **kwargs):
    for dtype in dtypes:
        for shape in shapes:
            for dims in dims_of(shape):
                if single and len(dims) != 1:
                    continue
                for keepdim in (False, True):
                    yield case(op, make(shape, dtype), dims[0] if single else dims, keepdim=keepdim, **kwargs)
        for layout in LAYOUTS:
            for shape in ((4, 6), (2, 3, 4, 5)):
                if fits(shape, layout):
                    for d in range(len(shape)):
                        yield case(op, make(shape, dtype, layout=layout), d if single else [d], **kwargs)
        if special and dtype.is_floating_point:
            x = make((8, 6), dtype, special=True)
            for d in (0, 1):
                yield case(op, x, d if single else [d], label=f"special {short(dtype)} {d}", **kwargs)
        yield from with_variants(op, make((3, 4), dtype), 1 if single else [1], **kwargs)


def whole(op, dtypes, special=True, args=(), **kwargs):
    for dtype in dtypes:
        for shape in SHAPES:
            yield case(op, make(shape, dtype), *args, **kwargs)
        for layout in LAYOUTS:
            yield case(op, make((2, 3, 4, 5), dtype, layout=layout), *args, **kwargs)
        if special and dtype.is_floating_point:
            yield case(op, make((16,), dtype, special=True), *args, label=f"special {short(dtype)}", **kwargs)


def sums():
    yield from whole("aten::sum", ALL)
    yield from over_dims("aten::sum.dim_IntList", ALL)
    yield from whole("aten::nansum", FLOATS + INTS)
    yield from over_dims("aten::nansum", FLOATS)
    yield from whole("aten::mean", FLOATING + COMPLEX)
    yield from over_dims("aten::mean.dim", FLOATING + COMPLEX)
    yield from over_dims("aten::nanmean", FLOATS)
    yield from errors("aten::mean", (make((3,), torch.int64),), message=True)
    yield case("aten::mean.dim", make((3,), torch.int64), [0], message=True)
    for d in (torch.float64, torch.float32, torch.int64, torch.int32, torch.bool):
        yield case("aten::sum", make((3, 4), torch.int32), dtype=d)
        yield case("aten::sum.dim_IntList", make((3, 4)), [0], dtype=d)
        yield case("aten::prod", make((3, 2), torch.int32), dtype=d)
        yield case("aten::cumsum", make((3, 4), torch.int32), 0, dtype=d)
    yield case("aten::mean", make((3, 4), torch.int32), dtype=torch.float32)
    yield case("aten::sum.dim_IntList", make((3, 4)), None)
    yield from errors("aten::sum.dim_IntList", (make((3, 4)), [2]), (make((3, 4)), [0, 0]), (make((3, 4)), [0, -2]), message=True)
    yield from whole("aten::prod", REAL)
    yield case("aten::prod", make((5,), torch.complex64))
    yield from over_dims("aten::prod.dim_int", NUMBERS + COMPLEX, single=True)
    yield case("aten::sum", make((100000,), low=0, high=1))
    yield case("aten::sum", make((300, 400), low=0, high=1).t())
    yield case("aten::sum.dim_IntList", make((300, 400)), [0])
    yield case("aten::sum.dim_IntList", make((2, 300, 700)), [1])
    yield case("aten::mean.dim", make((2, 30, 17, 19)), [2, 3])
    yield case("aten::mean.dim", make((2, 30, 17, 19), layout=CHANNELS_LAST), [2, 3], keepdim=True)
    for x in (make((3, 4), low=-2, high=2, dtype=torch.int64), make((3, 4), torch.bool), make((0,)), make(())):
        yield case("aten::count_nonzero", x)
        yield case("aten::count_nonzero", x, 0)
    yield case("aten::count_nonzero.dim_IntList", make((3, 4, 2), torch.int64, -1, 2), [0, 2])
    yield case("aten::trace", make((3, 4)))
    yield case("aten::trace", make((4, 3), torch.int32))
    yield from errors("aten::trace", (make((3,)),), message=True)


def truth():
    for op in ("all", "any"):
        yield from whole(f"aten::{op}", ALL)
        yield from over_dims(f"aten::{op}.dim", ALL, single=True, shapes=[(), (7,), (0,), (3, 4), (2, 0, 3)])
        yield case(f"aten::{op}.dim", make((40, 700), torch.bool), 0)


def extremes():
    for op in ("max", "min"):
        yield from whole(f"aten::{op}", NUMBERS + BOOL)
        yield from over_dims(f"aten::{op}.dim", NUMBERS + BOOL, single=True)
        yield from over_dims(f"aten::a{op}", NUMBERS + BOOL)
        yield from whole(f"aten::arg{op}", NUMBERS)
        yield from over_dims(f"aten::arg{op}", NUMBERS, single=True)
        yield case(f"aten::arg{op}", make((3, 4)), keepdim=True)
        yield case(f"aten::{op}.dim", torch.tensor([[1., NAN, 3.], [2., 2., 2.]]), 1)
        yield case(f"aten::arg{op}", torch.tensor([1., 5., 5., NAN, NAN]))
        yield case(f"aten::arg{op}", make((500,), torch.int64, 0, 3))
        yield from errors(f"aten::{op}", (make((0,)),), message=True)
        yield from errors(f"aten::{op}.dim", (make((0, 3)), 0), (make((3,)), 2), message=True)
        yield from errors(f"aten::a{op}", (make((0, 3)),), (make((0, 3)), [0]), message=True)
        yield from errors(f"aten::arg{op}", (make((0,)),), (make((0, 3)), 0), message=True)
    for d in NUMBERS + BOOL:
        yield case("aten::aminmax", make((3, 4), d))
        yield case("aten::aminmax", make((3, 4), d), dim=1, keepdim=True)
        yield case("aten::_aminmax", make((3, 4), d))
        yield case("aten::_aminmax.dim", make((3, 4), d), 0)
    yield case("aten::aminmax", make((16,), special=True))


def moments():
    for op in ("var", "std"):
        for unbiased in (True, False):
            yield from whole(f"aten::{op}", FLOATING + COMPLEX, args=(unbiased,))
            yield from over_dims(f"aten::{op}.dim", FLOATS, unbiased=unbiased)
        for correction in (0, 1, 2, None):
            yield from over_dims(f"aten::{op}.correction", FLOATS, shapes=[(7,), (3, 4), (2, 3, 4)], correction=correction)
        yield case(f"aten::{op}", make((1000,)) + 1e4, True)
        yield case(f"aten::{op}_mean", make((3, 4)), True)
        yield case(f"aten::{op}_mean.dim", make((3, 4)), [1], False, True)
        yield case(f"aten::{op}_mean.correction", make((3, 4)), [0], correction=0)
        yield case(f"aten::{op}_mean.correction", make((2, 3, 4, 5), layout=CHANNELS_LAST), [2, 3], correction=1, keepdim=True)
        yield from errors(f"aten::{op}", (make((3,), torch.int64),), message=True)


def norms():
    for p in (0, 1, 2, 3, 0.5, INF, -INF, -1):
        for d in FLOATS + COMPLEX:
            yield case("aten::norm.Scalar", make((3, 4), d), p)
            yield case("aten::norm.ScalarOpt_dim", make((3, 4, 5), d), p, [1])
            yield case("aten::norm.ScalarOpt_dim", make((3, 4, 5), d), p, [0, 2], True)
            yield case("aten::linalg_vector_norm", make((3, 4, 5), d), p)
            yield case("aten::linalg_vector_norm", make((3, 4, 5), d), p, [0, 2], True)
            yield case("aten::linalg_norm", make((5,), d), p)
            yield case("aten::linalg_norm", make((3, 5), d), p, [1])
    for p in (1, -1, INF, -INF):
        yield case("aten::linalg_norm", make((3, 5)), p)
        yield case("aten::linalg_matrix_norm", make((2, 3, 5)), p, [-2, -1], True)
        yield case("aten::linalg_matrix_norm", make((2, 3, 5)), p, [0, 2])
    yield case("aten::linalg_norm", make((3, 5)))
    yield case("aten::linalg_norm.ord_str", make((3, 5)), "fro")
    yield case("aten::linalg_matrix_norm.str_ord", make((2, 3, 5)), "fro")
    yield case("aten::frobenius_norm", make((3, 5)))
    yield case("aten::frobenius_norm.dim", make((3, 5)), [1])
    yield case("aten::norm.ScalarOpt_dtype", make((3, 4)), 2, dtype=torch.float64)
    yield case("aten::norm.ScalarOpt_dim_dtype", make((3, 4)), None, [1], False, dtype=torch.float64)
    yield case("aten::norm.ScalarOpt_dim", make((3, 4)), None, [1])
    yield from errors("aten::norm.Scalar", (make((3,), torch.int64), 2), message=True)
    yield from (c for c in over_dims("aten::logsumexp", FLOATS) if c.args[1] != [])  # PyTorch stumbles over no dims
    yield case("aten::logsumexp", torch.tensor([[-INF, -INF], [INF, 1.0], [100.0, 1000.0]]), [1])


def quantiles():
    for d in FLOATS:
        x = make((5, 7), d)
        q = torch.tensor([0.0, 0.3, 0.5, 1.0], dtype=d)
        for op in ("quantile", "nanquantile"):
            for mode in ("linear", "lower", "higher", "midpoint", "nearest"):
                yield case(f"aten::{op}", x, q, 1, interpolation=mode)
                yield case(f"aten::{op}.scalar", x, 0.37, 0, True, interpolation=mode)
            yield case(f"aten::{op}", x, q)
            yield case(f"aten::{op}", x, q, None, True)
            yield case(f"aten::{op}.scalar", make((), d), 0.5, 0)
            yield case(f"aten::{op}.scalar", torch.tensor([1.0, NAN, 3.0, 2.0], dtype=d), 0.5)
            yield case(f"aten::{op}", torch.tensor([[NAN, NAN], [1.0, NAN]], dtype=d), q, -1)
    yield from errors("aten::quantile.scalar", (make((3,)), 1.5), (make((3,), torch.int64), 0.5), (make((0,)), 0.5), message=True)


def scans():
    for op in ("cumsum", "cumprod", "logcumsumexp", "cummax", "cummin"):
        dtypes = FLOATS if op == "logcumsumexp" else NUMBERS + BOOL
        for d in dtypes:
            for shape in SHAPES:
                for dim in ({0, -1, len(shape) - 1} if shape else {0, -1}):
                    yield case(f"aten::{op}", make(shape, d), dim)
            for layout in LAYOUTS:
                for dim in (0, 1, 3):
                    yield case(f"aten::{op}", make((2, 3, 4, 5), d, layout=layout), dim)
            yield from with_variants(f"aten::{op}", make((3, 4), d), 1)
        yield from errors(f"aten::{op}", (make((3, 4)), 2), message=True)
        yield case(f"aten::{op}", make((16,), special=True), 0)
    for d in NUMBERS + BOOL:
        for n in (0, 1, 2, 9):
            yield case("aten::diff", make((3, 5), d), n)
            yield case("aten::diff", make((3, 5), d), n, 0)
        yield case("aten::diff", make((3, 5), d), 1, 1, make((3, 2), d), make((3, 1), d))
    yield from errors("aten::diff", (make(()),), (make((3,)), -1), message=True)
    x = torch.tensor([0.0, 1.0, 3.0, 3.5, 7.0])
    for y in (make((3, 5)), make((5,)), make((3, 5), torch.int64)):
        yield case("aten::trapezoid.dx", y)
        yield case("aten::trapezoid.dx", y, dx=0.5)
        yield case("aten::trapezoid.x", y, x)
        yield case("aten::trapz.dx", y, dx=2.0)
        yield case("aten::trapz.x", y, x)
        yield case("aten::cumulative_trapezoid.dx", y)
        yield case("aten::cumulative_trapezoid.x", y, x)
    yield case("aten::trapezoid.dx", make((3, 5)), dim=0)
    yield case("aten::trapezoid.dx", torch.tensor([200, 100, 50], dtype=torch.uint8), dx=2)
    yield case("aten::trapezoid.dx", torch.tensor([1, float("inf"), -2]))
    yield case("aten::cumulative_trapezoid.dx", make((3, 0)))
    yield case("aten::cumulative_trapezoid.x", make((3, 0)), make((3, 0)))
    yield from errors("aten::cumulative_trapezoid.dx", (make(()),), message=True)
    yield case("aten::trapezoid.x", make((3, 5)), make((3, 5), seed=1))


def covariances():
    for d in (torch.float32, torch.float64, torch.int64, torch.complex64):
        for shape in ((3, 5), (5,), (), (1, 4)):
            yield case("aten::cov", make(shape, d, 0, 9))
            yield case("aten::corrcoef", make(shape, d, 0, 9))
        yield case("aten::cov", make((3, 5), d, 0, 9, layout=TRANSPOSED), correction=0)
        yield case("aten::cov", make((3, 4), d, 0, 9), fweights=torch.tensor([1, 2, 0, 3]))
        yield case("aten::cov", make((3, 4), d, 0, 9), fweights=torch.tensor([1, 2, 0, 3]),
                   aweights=torch.tensor([0.5, 1, 2, 0.25]))
        for size in ([], [1], [3], [2, 1], [1, 2, 1], [4, 2, 3]):
            yield case("aten::sum_to_size", make((4, 2, 3), d), size)
    yield case("aten::diff", make((3, 5)), 0, 1, make((3, 2)))
    yield from errors("aten::cov", (make((2, 2, 2)),), (make((2, 3)), 1, torch.tensor([1, 2])), message=True)
    yield from errors("aten::sum_to_size", (make((2, 3)), [3, 3]), (make((2, 3)), [1, 1, 1]), message=True)


def cases():
    for table in (covariances, sums, truth, extremes, moments, norms, quantiles, scans):
        yield from table()
