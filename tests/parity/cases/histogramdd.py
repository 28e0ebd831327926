"""Histograms of points in several dimensions, and of 16-bit floats."""
import torch

from lib.case import *
from lib.tensors import *


def cases():
    for d in FLOATS:
        for shape in ((20, 2), (4, 5, 3), (0, 2), (30, 1)):
            x, weight, n = make(shape, d), make(shape[:-1], d, 0, 1), shape[-1]
            for density in (False, True) if shape[0] else (False,):
                bins = [3, 4, 2][:n]
                yield case("aten::histogramdd", x, bins, density=density)
                yield case("aten::histogramdd", x, bins, range=[-2.0, 2.0] * n, weight=weight, density=density)
                yield case("aten::histogramdd.int_bins", x, 3, density=density)
                edges = [torch.tensor([-2.0, -1.0, 0.5, 2.0], dtype=d)] * n
                yield case("aten::histogramdd.TensorList_bins", x, edges, weight=weight, density=density)
                yield from with_variants("aten::_histogramdd_from_bin_cts", x, bins, density=density)
                yield from with_variants("aten::_histogramdd_from_bin_tensors", x, edges, density=density)
                yield case("aten::_histogramdd_bin_edges", x, bins)
        yield case("aten::histogramdd", torch.full((5, 2), 2.0, dtype=d), [2, 2])
        yield case("aten::histogramdd.TensorList_bins", make((16, 1), d, special=True), [torch.tensor([-1.0, 0.0, 1.0], dtype=d)])
        yield case("aten::histogram.bin_ct", make((50,), d, layout=SLICED), 8)
    for bins, low, high in ((10, 0, 0), (7, -2, 2), (100, 0, 0)):
        yield case("aten::histc", make((300,), torch.bfloat16), bins, low, high)
    x = make((6, 2))
    yield from errors("aten::histogramdd", (x, [3]), (make((6,)), [3]), (x, [3, 0]), (x, [3, 3], [0.0, 1.0]),
                      (x, [3, 3], [0.0, 1.0, 2.0, 1.0]), (make((6, 2), torch.int64), [3, 3]),
                      (x, [3, 3], None, make((5,))), (x, [3, 3], None, make((6,), torch.float64)))
    edge = torch.tensor([0.0, 1.0])
    yield from errors("aten::histogramdd.TensorList_bins", (x, [edge]), (x, [edge, edge.double()]), (x, [edge, edge[None]]),
                      (x, [edge, edge[:0]]), (x, [edge, edge[:1]]), message=True)
