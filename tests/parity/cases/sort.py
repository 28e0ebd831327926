"""Ordering: sort, topk, kthvalue, median, mode; NaN, ties and errors."""
import torch

from lib.case import case, errors, with_variants
from lib.tensors import EXPANDED, FLOATING, FLOATS, INTS, LAYOUTS, REAL, fits, make


def _distinct(shape, dtype=torch.float32, seed=0):
    """No ties, so that the order of indices is decided."""
    n = 1
    for s in shape:
        n *= s
    order = torch.randperm(n, generator=torch.Generator().manual_seed(seed + n))
    return (order - n // 2).to(dtype).view(shape) if dtype != torch.uint8 else order.to(dtype).view(shape)


def cases():
    for dtype in REAL:
        for descending in (False, True):
            for shape in ((), (1,), (0,), (9,), (5, 7), (3, 4, 5)):
                yield case("aten::sort", make(shape, dtype), -1, descending)
                yield case("aten::argsort", make(shape, dtype), 0, descending)
        yield case("aten::msort", make((4, 3), dtype))
        yield case("aten::mode", make((4, 9), dtype))
        yield case("aten::mode", make((30,), dtype), 0, True)
        if dtype != torch.bool:
            for k in (1, 3, 9):
                for largest in (True, False):
                    yield case("aten::topk", make((4, 9), dtype), k, -1, largest)
                    yield case("aten::topk", make((9, 4), dtype), k, 0, largest, False)
                yield case("aten::kthvalue", make((4, 9), dtype), k)
                yield case("aten::kthvalue", make((9, 4), dtype), k, 0, True)
            for op in ("aten::median", "aten::nanmedian"):
                yield case(op, make((4, 9), dtype))
                yield case(op, make((8,), dtype))
                for dim in (0, -1):
                    yield case(op + ".dim", make((4, 9), dtype), dim)
                    yield case(op + ".dim", make((6, 3), dtype), dim, True)
    for dtype in FLOATING:
        special = make((24,), dtype, special=True)
        for descending in (False, True):
            yield case("aten::sort", special, 0, descending)
            yield case("aten::sort.stable", special, stable=True, dim=0, descending=descending)
        for largest in (True, False):
            yield case("aten::topk", special, 5, 0, largest)
        for k in (1, 12, 23, 24):
            yield case("aten::kthvalue", special, k)
        for op in ("aten::median", "aten::nanmedian"):
            yield case(op, special)
            yield case(op + ".dim", special.view(4, 6), 1)
        yield case("aten::nanmedian.dim", torch.full((2, 3), float("nan"), dtype=dtype), 1)
    for layout in LAYOUTS:
        t = make((2, 3, 4, 5), layout=layout)
        for dim in (0, 1, -1):
            yield case("aten::sort", t, dim)
            yield case("aten::argsort", t, dim, True)
            yield case("aten::argsort.stable", t, stable=True, dim=dim)
            yield case("aten::sort.stable", t, stable=None, dim=dim, descending=True)
            yield case("aten::topk", t, 2, dim)
            yield case("aten::kthvalue", t, 2, dim)
            if layout != EXPANDED:
                yield case("aten::median.dim", t, dim)
                yield case("aten::nanmedian.dim", t, dim)
                yield case("aten::mode", t, dim)
    ties = torch.tensor([3, 1, 2, 3, 1, 2, 3, 3, 1, 0, 2, 2, 1, 3, 0, 1, 2, 3, 1, 0] * 5)
    for t in (ties, ties.float(), ties.view(10, 10)):
        for k in (1, 2, 7, 20):
            if k <= t.shape[-1]:
                for largest in (True, False):
                    yield case("aten::topk", t, k, -1, largest, True)
                    yield case("aten::topk", t, k, -1, largest, False)
                yield case("aten::kthvalue", t, k)
        yield case("aten::sort", t)
        yield case("aten::sort", t, -1, True)
        yield case("aten::mode", t)
        yield case("aten::median.dim", t, -1)
    large = make((3, 700), seed=4)
    for k in (1, 10, 11, 100, 700):
        yield case("aten::topk", large, k)
        yield case("aten::kthvalue", large, k)
    yield from with_variants("aten::msort", make((4, 3)))
    for op, args in (("sort", ()), ("topk", (2,)), ("kthvalue", (2,)), ("mode", ()), ("median.dim", (1,)), ("nanmedian.dim", (1,))):
        name = "aten::" + op.split(".")[0] + (".dim_values" if "." in op else ".values")
        for like in (torch.empty(0), None):
            result = 4 if op == "sort" else 2
            values = torch.empty(0) if like is not None else torch.zeros((3, result) if op in ("sort", "topk") else (3,))
            yield case(name, make((3, 4)), *args, values=values, indices=torch.zeros(values.shape, dtype=torch.int64))
    yield case("aten::sort.values_stable", make((3, 4)), stable=True, dim=0, values=torch.empty(0),
               indices=torch.empty(0, dtype=torch.int64))
    yield case("aten::argsort.stable_out", make((3, 4)), stable=True, dim=0, out=torch.zeros(3, 4, dtype=torch.int64))
    for op in ("aten::median", "aten::nanmedian"):
        yield from with_variants(op, make((3, 4)))
    for op in ("aten::median", "aten::nanmedian"):
        yield case(op, make((0,)))
        yield case(op, make(()))
        yield case(op + ".dim", make(()), 0)
        yield case(op, make((0,), torch.int64))
    yield case("aten::mode", make(()))
    yield case("aten::kthvalue", make(()), 1)
    yield case("aten::topk", make(()), 1)
    yield case("aten::topk", make((3, 4)), 0)
    yield case("aten::topk", make((0, 4)), 2)
    yield from errors("aten::topk", (make((3,)), 4), (make((3,)), -1), (make((3,), torch.bool), 1), (make((3,)), 1, 1), message=True)
    yield from errors("aten::sort", (make((3,)), 1), (make((3,), torch.complex64),), message=True)
    yield from errors("aten::kthvalue", (make((3,)), 0), (make((3,)), 4), (make((0, 3)), 1, 0), message=True)
    yield from errors("aten::median.dim", (make((3,)), 1), (make((2, 0)), 1), message=True)
    yield from errors("aten::mode", (make((3,)), 1), (make((2, 0)), 1), message=True)
    for dtype in FLOATS:
        for op in ("aten::quantile", "aten::nanquantile"):
            for interpolation in ("linear", "lower", "higher", "midpoint", "nearest"):
                for dim in (None, 0, -1):
                    for keepdim in (False, True):
                        yield case(op + ".scalar", make((4, 7), dtype), 0.3, dim, keepdim, interpolation=interpolation)
                        yield case(op, make((4, 7), dtype), torch.tensor([0.0, 0.25, 0.9, 1.0], dtype=dtype), dim, keepdim,
                                   interpolation=interpolation)
            with_nan = make((4, 7), dtype)
            with_nan[1, 2] = float("nan")
            with_nan[3] = float("nan")
            yield case(op, with_nan, torch.tensor([0.5, 0.1], dtype=dtype), 1)
            yield case(op, make((4, 7), dtype), torch.tensor(0.5, dtype=dtype))
            yield case(op + ".scalar", make((), dtype), 0.5)
            yield case(op + ".out", make((4, 7), dtype), torch.tensor(0.5, dtype=dtype), 1, out=torch.empty(0, dtype=dtype))
            yield from errors(op, (make((0,), dtype), torch.tensor(0.5, dtype=dtype)), (make((3,), dtype), torch.tensor([[0.5]], dtype=dtype)),
                              (make((3,), dtype), torch.tensor(1.5, dtype=dtype)), (make((3,), torch.int64), torch.tensor(0.5)), message=True)
            yield from errors(op + ".scalar", (make((3,), dtype), 1.5), message=True)
    for dtype in INTS:
        yield case("aten::sort", make((6,), dtype, special=True))
        yield case("aten::topk", _distinct((40,), dtype), 3)
