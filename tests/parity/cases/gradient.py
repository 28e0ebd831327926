"""Numerical derivatives, and reductions of runs of different lengths."""
import torch

from lib.case import *
from lib.tensors import *


def cases():
    for d in FLOATS + [torch.int32, torch.int64, torch.complex64]:
        for edge in (1, 2):
            x, line = make((4, 5, 6), d), make((7,), d)
            yield case("aten::gradient.scalarint", line, edge_order=edge)
            yield case("aten::gradient.scalarint", x, spacing=0.5, edge_order=edge)
            yield case("aten::gradient.scalarint", x, spacing=2, dim=-1, edge_order=edge)
            yield case("aten::gradient.array", x, dim=[0, 2], edge_order=edge)
            yield case("aten::gradient.scalararray", x, spacing=3, dim=[1, -1], edge_order=edge)
            yield case("aten::gradient.scalarrayarray", x, spacing=[2.0, 0.5], dim=[0, 1], edge_order=edge)
            yield case("aten::gradient.scalarrayint", x, spacing=[2.0, 0.5, 1.0], edge_order=edge)
            yield case("aten::gradient.scalarrayint", x, spacing=[2.0], dim=1, edge_order=edge)
            if not d.is_complex:
                places = [torch.cumsum(make((n,), torch.float32, 0.5, 2), 0) for n in (4, 5, 6)]
                yield case("aten::gradient.tensorarrayint", x, spacing=places, edge_order=edge)
                yield case("aten::gradient.tensorarrayint", x, spacing=places[1:2], dim=1, edge_order=edge)
                yield case("aten::gradient.tensorarray", x, spacing=places[1:], dim=[1, 2], edge_order=edge)
    x = make((4, 5), layout=TRANSPOSED)
    yield case("aten::gradient.scalarint", x)
    for bad in (dict(edge_order=3), dict(dim=5), dict(dim=0, edge_order=0)):
        yield case("aten::gradient.scalarint", x, message=True, **bad)
    yield case("aten::gradient.scalarint", make((1, 5)), message=True)
    yield case("aten::gradient.scalarint", make((5,), torch.uint8), message=True)
    yield case("aten::gradient.array", x, dim=[0, 0], message=True)
    yield case("aten::gradient.scalarrayarray", x, spacing=[1.0], dim=[0, 1], message=True)
    yield case("aten::gradient.scalarrayint", x, spacing=[1.0, 2.0, 3.0], message=True)
    yield case("aten::gradient.tensorarray", x, spacing=[make((4, 1))], dim=[0], message=True)

    for d in FLOATS + HALVES:
        for reduce in ("sum", "mean", "max", "min", "prod"):
            data, lengths = make((6, 3), d), torch.tensor([2, 0, 3, 1])
            offsets = torch.tensor([0, 2, 2, 5, 6], dtype=torch.int32)
            yield from with_variants("aten::segment_reduce", data, reduce, lengths=lengths, aliases=False)
            yield case("aten::segment_reduce", data, reduce, lengths=lengths, initial=2.5)
            yield case("aten::segment_reduce", data, reduce, offsets=offsets)
            yield case("aten::segment_reduce", data, reduce, offsets=offsets, initial=0)
            rows = make((2, 5, 3), d)
            yield case("aten::segment_reduce", rows, reduce, lengths=torch.tensor([[2, 3], [5, 0]]), axis=1)
            yield case("aten::segment_reduce", rows, reduce, lengths=torch.tensor([[2, 1], [1, 0]]), axis=-2, unsafe=True)
    special = torch.tensor([1.0, float("nan"), 3.0, float("inf"), -float("inf"), 2.0])
    for reduce in ("max", "min", "sum", "mean"):
        yield case("aten::segment_reduce", special, reduce, lengths=torch.tensor([3, 2, 1]))
    three = torch.tensor([1, 2])
    yield from (case("aten::segment_reduce", *a, **k, message=True) for a, k in [
        ((make((3,)), "other"), dict(lengths=three)), ((make((3,)), "sum"), {}),
        ((make((4,)), "sum"), dict(lengths=three)), ((make((3,)), "sum"), dict(lengths=torch.tensor([-1, 4]))),
        ((make((3, 2)), "sum"), dict(lengths=three, axis=1)), ((make((3,)), "sum"), dict(indices=three))])
    yield case("aten::segment_reduce", make((0,)), "sum", lengths=torch.tensor([0]))
    yield case("aten::segment_reduce", make((3,), torch.int64), "sum", lengths=three)
