"""Distances, similarities and cross products."""
import torch

from lib.case import *
from lib.tensors import *

INF = float("inf")


def cases():
    for dtype in (torch.float32, torch.float64):
        a, b = make((3, 4, 5), dtype), make((3, 4, 5), dtype, seed=1)
        for dim in (0, 1, 2, -1):
            yield case("aten::cosine_similarity", a, b, dim)
        yield case("aten::cosine_similarity", a, b[:, :1], 2, 1e-3)
        yield case("aten::cosine_similarity", a * 1e-6, b * 1e-6, 1, 1e-3)
        yield case("aten::cosine_similarity", a * 0, b)
        for p in (2.0, 1.0, 3.0, 0.0, INF):
            yield case("aten::pairwise_distance", a, b, p)
            yield case("aten::pairwise_distance", a, b[0], p, 1e-3, True)
            yield case("aten::pdist", a[0], p)
            yield case("aten::cdist", a, b, p)
            yield case("aten::cdist", a, b[:, :2], p)
            yield case("aten::cdist", a[0], b, p)
            yield from with_variants("aten::dist", a, b, p)
            yield case("aten::dist", a, b[0, 0], p)
        yield case("aten::cdist", a[0], b[0], 2.0, 1)
        yield case("aten::cdist", a[0], b[0], 2.0, 2)
        yield case("aten::cdist", make((30, 6), dtype), make((40, 6), dtype, seed=1))
        yield case("aten::cdist", make((2, 30, 6), dtype), make((2, 7, 6), dtype, seed=1))
        yield case("aten::_cdist_forward", a, b, 2.0, None)
        yield case("aten::_euclidean_dist", a[0], b[0])
        yield case("aten::cdist", a[:, :0], b)
        yield case("aten::cdist", a[..., :0], b[..., :0])
        yield case("aten::pdist", a[0, :1])
    for dtype in (torch.float32, torch.float64, torch.int64, torch.int8, torch.complex64):
        yield case("aten::cross", make((2, 3, 4), dtype), make((2, 3, 4), dtype, seed=1))
        yield case("aten::cross", make((3, 3), dtype), make((3, 3), dtype, seed=1), 1)
        yield case("aten::linalg_cross", make((2, 3), dtype), make((1, 3), dtype, seed=1))
        yield case("aten::linalg_cross", make((3, 2), dtype), make((3, 2), dtype, seed=1), dim=0)
    yield from with_variants("aten::cross", make((4, 3)), make((4, 3), seed=1))
    x = make((3, 4))
    for bad in ((x.long(), x.long()),):
        yield from errors("aten::cosine_similarity", bad, message=True)
        yield from errors("aten::cdist", bad, message=True)
        yield from errors("aten::dist", bad, message=True)
    for bad in ((x, x[:, :3]), (x[0], x), (x, x, -1.0)):
        yield from errors("aten::cdist", bad, message=True)
    yield from errors("aten::pdist", (x[0],), message=True)
    yield from errors("aten::pdist", (x, -1.0), message=True)
    for bad in ((make((3, 4)), make((4, 3))), (make((2, 4)), make((2, 4))), (make((2, 4)), make((2, 4)), 1)):
        yield from errors("aten::cross", bad, message=True)
    yield from errors("aten::linalg_cross", (make((2, 3)), make((3,))), message=True)
