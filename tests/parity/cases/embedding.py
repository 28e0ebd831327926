"""Embedding look-ups and bags."""
import torch

from lib.case import *
from lib.tensors import *


def cases():
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64):
        weight = make((7, 5), dtype)
        for shape in ((), (3,), (2, 3), (0,), (2, 0, 3)):
            for index in (torch.int64, torch.int32):
                yield case("aten::embedding", weight, indices(shape, 7).to(index))
    yield case("aten::embedding", make((7, 5), layout=TRANSPOSED), indices((2, 3), 7), 1)
    yield case("aten::embedding", make((7, 0)), indices((2, 3), 7))
    yield case("aten::embedding", make((7, 5)), indices((4, 3), 7).t())
    for bad in (torch.tensor([7]), torch.tensor([-1]), torch.tensor([1.0])):
        yield from errors("aten::embedding", (make((7, 5)), bad), message=True)
    yield from errors("aten::embedding", (make((7,)), torch.tensor([1])), message=True)
    for p in (2.0, 1.0, float("inf")):
        yield case("aten::embedding_renorm_", make((7, 5), low=-2, high=2), indices((3,), 7), 1.0, p)

    for shape in ((), (3,), (2, 3)):
        yield case("aten::one_hot", indices(shape, 4))
        yield case("aten::one_hot", indices(shape, 4), 6)
    yield case("aten::one_hot", indices((0,), 4), 3)
    for bad in ((indices((0,), 4),), (torch.tensor([-1]),), (torch.tensor([5]), 3), (torch.tensor([1.0]),), (torch.tensor([1]), 0)):
        yield from errors("aten::one_hot", bad, message=True)

    i, o = torch.tensor([1, 2, 2, 0, 6, 3]), torch.tensor([0, 2, 2, 5])
    for dtype in (torch.float32, torch.float64):
        w = make((7, 5), dtype)
        for mode in (0, 1, 2):
            yield case("aten::embedding_bag", w, i, o, False, mode)
            yield case("aten::embedding_bag.padding_idx", w, i, o, False, mode, False, None, False, 2)
            yield case("aten::embedding_bag.padding_idx", w, i, o, False, mode, False, None, False, -5)
            yield case("aten::embedding_bag", w, i, torch.tensor([0, 2, 6]), False, mode, False, None, True)
            yield case("aten::_embedding_bag", w, i, o, False, mode)
            yield case("aten::embedding_bag", w, i[:0], torch.tensor([0, 0]), False, mode)
        yield case("aten::embedding_bag", w, i, o, False, 0, False, make((6,), dtype))
    yield case("aten::embedding_bag", make((7, 5)), i.int(), o.int())
    for mode in range(3):  # of two widths: all results are of the larger
        yield case("aten::embedding_bag", make((7, 5)), i.int(), o, False, mode)
        yield case("aten::embedding_bag", make((7, 5)), i, o.int(), False, mode)
    for bad in ((i, torch.tensor([1, 2])), (i, torch.tensor([0, 9])), (torch.tensor([9]), torch.tensor([0])), (i, o, False, 1, False, make((6,))),
                (i.view(2, 3), o)):
        yield from errors("aten::embedding_bag", (make((7, 5)), *bad))
