"""Searching and counting: searchsorted, bucketize, isin, unique, bincount, histograms."""
import torch

from lib.case import case, errors, with_variants
from lib.tensors import FLOATS, HALVES, INTS, LAYOUTS, TRANSPOSED, fits, indices, make


def _searched():
    for dtype in FLOATS + INTS:
        edges = make((9,), dtype).sort()[0]
        for right in (False, True):
            for int32 in (False, True):
                yield case("aten::bucketize.Tensor", make((3, 4), dtype, seed=1), edges, out_int32=int32, right=right)
                yield case("aten::searchsorted.Tensor", edges, make((3, 4), dtype, seed=1), out_int32=int32, right=right)
        rows = make((3, 9), dtype).sort()[0]
        yield case("aten::searchsorted.Tensor", rows, make((3, 4), dtype, seed=1))
        yield case("aten::searchsorted.Tensor", rows, make((3, 4), dtype, seed=1, layout=TRANSPOSED), right=True)
        yield case("aten::searchsorted.Scalar", edges, 1)
        yield case("aten::bucketize.Scalar", 2, edges)
        unsorted = make((9,), dtype, seed=3)
        yield case("aten::searchsorted.Tensor", unsorted, make((4,), dtype, seed=1), sorter=unsorted.argsort())
    edges = make((9,)).sort()[0]
    for side in ("left", "right"):
        yield case("aten::searchsorted.Tensor", edges, edges, side=side)
    special = make((16,), special=True)
    yield case("aten::bucketize.Tensor", special, edges)
    yield case("aten::bucketize.Tensor", special, edges, right=True)
    yield case("aten::bucketize.Tensor", make((3,)), make((0,)))
    yield case("aten::searchsorted.Scalar", edges, 0.5)
    yield from with_variants("aten::bucketize.Tensor", make((3, 4)), edges)
    yield case("aten::searchsorted.Tensor_out", edges, make((3, 4)), out=torch.empty(0, dtype=torch.int64))
    yield from errors("aten::searchsorted.Tensor", (make((3, 4)), make((2, 4))), (edges, make((2,), torch.int64)), (make(()), make((2,))),
                      (make((3, 4)), make(())), message=True)
    yield case("aten::searchsorted.Tensor", edges, edges, side="middle", message=True)
    yield case("aten::searchsorted.Tensor", edges, edges, side="left", right=True, message=True)
    yield case("aten::searchsorted.Tensor", edges, edges, sorter=torch.tensor([1, 2]), message=True)
    yield from errors("aten::bucketize.Tensor", (make((3,)), make((2, 2))), message=True)
    for dtype in FLOATS + INTS:
        for invert in (False, True):
            yield case("aten::isin.Tensor_Tensor", make((4, 5), dtype, 0, 9), make((3,), dtype, 0, 9, seed=1), invert=invert)
            yield case("aten::isin.Tensor_Tensor", make((4,), dtype, 0, 9), make((60,), dtype, 0, 9, seed=1), invert=invert)
            yield case("aten::isin.Tensor_Scalar", make((4, 5), dtype, 0, 9), 3, invert=invert)
            yield case("aten::isin.Scalar_Tensor", 3, make((4, 5), dtype, 0, 9), invert=invert)
    yield case("aten::isin.Tensor_Tensor", make((4,), torch.int32), make((4,), torch.float32))
    yield case("aten::isin.Tensor_Tensor", make((0,)), make((4,)))
    yield case("aten::isin.Tensor_Tensor", make((4,)), make((0,)))
    yield from with_variants("aten::isin.Tensor_Tensor", make((4, 5), torch.int64), make((3,), torch.int64))


def _unique():
    for dtype in FLOATS + INTS + [torch.bool] + HALVES:
        for shape in ((), (0,), (20,), (4, 5)):
            t = make(shape, dtype, 0, 5)
            if dtype.is_floating_point:
                t = t.long().to(dtype)
            for flags in ((False, False), (True, False), (False, True), (True, True)):
                yield case("aten::_unique2", t, True, *flags)
                yield case("aten::unique_consecutive", t, *flags)
            yield case("aten::_unique", t, True, True)
    for layout in LAYOUTS:
        t = make((4, 6), torch.int64, 0, 2, layout=layout) if fits((4, 6), layout) else make((4, 6), torch.int64, 0, 2)
        for dim in (0, 1, -1):
            for flags in ((False, False), (True, True)):
                yield case("aten::unique_dim", t, dim, True, *flags)
                yield case("aten::unique_consecutive", t, *flags, dim)
                yield case("aten::unique_dim_consecutive", t, dim, *flags)
    yield case("aten::unique_dim", make((12, 3), torch.int64, 0, 2), 0, True, True, True)
    yield case("aten::unique_dim", make((0, 3)), 0, True, True, True)
    yield from errors("aten::unique_dim", (make((0, 3)), 1), (make((3,)), 1))


def _counted():
    for dtype in INTS:
        yield case("aten::bincount", make((20,), dtype, 0, 7))
        yield case("aten::bincount", make((20,), dtype, 0, 7), None, 12)
        for weights in (torch.float32, torch.float64, torch.int32):
            yield case("aten::bincount", make((20,), dtype, 0, 7), make((20,), weights))
    yield case("aten::bincount", make((0,), torch.int64), None, 3)
    yield from with_variants("aten::bincount", make((20,), torch.int64, 0, 7))
    yield from errors("aten::bincount", (make((3,)),), (torch.tensor([-1, 2]),), (make((2, 2), torch.int64, 0, 3),),
                      (make((3,), torch.int64, 0, 3), make((2,))), (make((3,), torch.int64, 0, 3), None, -1), message=True)
    for dtype in FLOATS:
        for bins, low, high in ((10, 0, 0), (5, -1, 1), (7, 0.5, 2.5), (100, 0, 0), (3, 9, 10)):
            yield case("aten::histc", make((50,), dtype), bins, low, high)
        yield case("aten::histc", torch.full((5,), 2.0, dtype=dtype), 4)
        yield case("aten::histc", make((0,), dtype), 4)
        for density in (False, True):
            yield case("aten::histogram.bin_ct", make((6, 9), dtype), 8, density=density)
            yield case("aten::histogram.bin_ct", make((50,), dtype), 8, range=[-1.0, 2.0], weight=make((50,), dtype, 0, 1), density=density)
            yield case("aten::histogram.bins_tensor", make((50,), dtype), torch.tensor([-2.0, -1.0, 0.5, 2.0], dtype=dtype), density=density)
        yield case("aten::histogram.bin_ct", torch.full((5,), 2.0, dtype=dtype), 4)
    yield from with_variants("aten::histc", make((50,)), 10)
    yield case("aten::histogram.bin_ct_out", make((50,)), 8, hist=torch.empty(0), bin_edges=torch.empty(0))
    yield case("aten::histogram.bins_tensor_out", make((50,)), torch.tensor([-2.0, 0.5, 2.0]), hist=torch.empty(0), bin_edges=torch.empty(0))
    yield from errors("aten::histc", (make((3,)), 0), (make((3,)), 3, 2, 1), (torch.tensor([float("nan")]), 3), (make((3,), torch.int64), 3), message=True)
    yield from errors("aten::histogram.bin_ct", (make((3,)), 0), (torch.tensor([float("inf")]), 3), message=True)
    yield case("aten::bincount", indices((30,), 4))


def cases():
    yield from _searched()
    yield from _unique()
    yield from _counted()
