"""Indexed reads and writes: advanced indexing, gather, scatter, index_* and their errors."""
import torch

from lib.case import case, errors, with_variants
from lib.tensors import ALL, CHANNELS_LAST, EXPANDED, LAYOUTS, REAL, SLICED, TRANSPOSED, fits, indices, make

I = indices


def _fitting(op, *args):
    """Without the out tensor to be resized, whose strides then depend on how PyTorch made the out form."""
    return (c for c in with_variants(op, *args) if "out empty" not in c.name)


def _advanced():
    x = (4, 5, 6)
    lists = [
        [I((3,), 4)], [None, I((3,), 5)], [I((3,), 4), I((3,), 5)], [I((3, 1), 4), I((1, 2), 5)], [I((3,), 4), None, I((3,), 6)],
        [None, I((2,), 5), I((2,), 6)], [I((), 4)], [I((2, 3), 4, negative=True)], [I((0,), 4)], [make((4,), torch.bool)],
        [make((4, 5), torch.bool)], [None, make((5,), torch.bool)], [make((4, 5, 6), torch.bool)],
        [make((4,), torch.uint8, 0, 2)], [I((1,), 4), None, make((6,), torch.bool)], [None, None, I((2,), 6)],
        [I((2, 2), 4), I((2,), 5), I((), 6)],
    ]
    for index in lists:
        for layout in LAYOUTS:
            if fits(x, layout):
                yield case("aten::index.Tensor", make(x, layout=layout), index, aliases=False)
    for layout in (CHANNELS_LAST, SLICED):
        t = make((2, 3, 4, 5), layout=layout)
        for index in ([I((2,), 2)], [None, I((2,), 3)], [None, None, I((3,), 4), I((3,), 5)], [I((2,), 2), None, I((2,), 4)]):
            yield case("aten::index.Tensor", t, index)
    for dtype in ALL:
        yield case("aten::index.Tensor", make((4, 3), dtype), [I((5,), 4)])
        yield case("aten::index.Tensor", make((4, 3), dtype), [make((4, 3), torch.bool)])
    yield case("aten::index.Tensor_hacked_twin", make(x), [I((3,), 4), I((3,), 5)])
    yield from with_variants("aten::index.Tensor", make(x), [I((3,), 4)])
    yield case("aten::index.Tensor_out", make(x), [I((3,), 4)], out=torch.zeros(3, 5, 6))
    yield case("aten::index.Tensor", make((0, 3)), [torch.zeros(0, dtype=torch.int64)])
    yield from errors("aten::index.Tensor", (make((3,)), [torch.tensor([5])]), (make((3,)), [torch.tensor([-4])]),
                      (make((3,)), [I((2,), 3), I((2,), 3)]), (make((3, 4)), [I((2,), 3), I((3,), 4)]),
                      (make((3, 4)), [make((4,), torch.bool)]), (make((3,)), [make((2,))]), (make((3, 4)), [None, torch.tensor([9])]),
                      (make((0, 3)), [torch.tensor([0])]), message=True)


def _put():
    x = (4, 5, 6)
    cases = [([I((3,), 4)], (3, 5, 6)), ([I((3,), 4)], (6,)), ([None, I((3,), 5)], (4, 3, 6)), ([I((3,), 4), I((3,), 5)], (3, 6)),
             ([I((3,), 4), None, I((3,), 6)], (3, 5)), ([make((4, 5), torch.bool)], ()), ([I((2, 3), 4, negative=True)], (1,)),
             ([I((2,), 4)], ()), ([make((4, 5, 6), torch.bool)], (1,))]
    for index, shape in cases:
        for layout in LAYOUTS:
            if not fits(x, layout) or layout == "expanded":
                continue
            for accumulate in (False, True):
                for op in ("aten::index_put", "aten::index_put_", "aten::_index_put_impl_"):
                    yield case(op, make(x, layout=layout), index, make(shape, seed=5), accumulate)
    for dtype in ALL:
        for accumulate in (False, True):
            index = torch.tensor([0, 2, 0] if accumulate else [0, 2, 1])
            yield case("aten::index_put", make((4, 3), dtype), [index], make((3, 3), dtype, seed=2), accumulate)
    yield from with_variants("aten::index_put", make((4, 3)), [I((2,), 4)], make((2, 3)))
    # One value at the true elements of one mask is of any dtype.
    rows, columns = make((4,), torch.bool), make((3,), torch.bool)
    for mask in ([rows], [rows.byte()], [None, columns], [make((4, 3), torch.bool)], [rows, None], [torch.tensor(True)],
                 [rows, columns], [None, rows], [rows, torch.tensor([0])]):
        for dtype in (torch.int64, torch.bfloat16, torch.bool, torch.complex64):
            for value in (torch.tensor(2.5), torch.tensor([[[3]]]), torch.tensor(True), torch.tensor(1j)):
                yield case("aten::index_put", make((4, 3), dtype), mask, value)
    yield case("aten::index_put_", make((4, 3), layout=TRANSPOSED), [rows], torch.tensor(2))
    yield from errors("aten::index_put", (make((4, 3), torch.uint8), [rows], torch.tensor(500.0)),
                      (make(()), [torch.tensor(True)], torch.tensor(2.0)), message=True)
    yield case("aten::index_put.hacked_twin", make((4, 3)), [I((2,), 4)], make((2, 3)))
    yield case("aten::index_put_.hacked_twin", make((4, 3)), [I((2,), 4)], make((2, 3)))
    yield case("aten::_index_put_impl_.hacked_twin", make((4, 3)), [I((2,), 4)], make((2, 3)))
    yield case("aten::_index_put_impl", make((4, 3)), [I((2,), 4)], make((2, 3)))
    yield from errors("aten::index_put", (make((4, 3)), [I((2,), 4)], make((2, 4))), (make((4, 3)), [I((2,), 4)], make((2, 3), torch.int64)),
                      (make((4, 3)), [torch.tensor([4])], make((3,))), message=True)


def _by_dim():
    for dtype in ALL:
        yield case("aten::index_select", make((4, 5), dtype), 0, torch.tensor([3, 0, 3]))
        yield case("aten::index_add", make((4, 5), dtype), 1, torch.tensor([3, 0, 3]), make((4, 3), dtype, seed=1))
        yield case("aten::index_copy", make((4, 5), dtype), 1, torch.tensor([3, 0, 1]), make((4, 3), dtype, seed=1))
        yield case("aten::index_fill.int_Scalar", make((4, 5), dtype), 1, torch.tensor([3, 0, -1]), 2)
    for layout in LAYOUTS:
        t = make((4, 5, 6, 3), layout=layout)
        for dim in (0, 1, -1):
            n = t.shape[dim]
            for index in (I((4,), n), I((2,), n, dtype=torch.int32), I((), n), I((0,), n)):
                yield case("aten::index_select", t, dim, index)
            shape = list(t.shape)
            shape[dim] = 4
            src = make(shape, seed=7)
            if layout == EXPANDED:
                continue
            yield from with_variants("aten::index_add", t, dim, I((4,), n), src)
            yield case("aten::index_add", t, dim, I((4,), n), src, alpha=2.5)
            yield from with_variants("aten::index_copy", t, dim, torch.randperm(n)[:4] if n >= 4 else I((4,), n)[:0],
                                     src if n >= 4 else src.narrow(dim, 0, 0))
            yield from _fitting("aten::index_fill.int_Scalar", t, dim, I((2,), n), 1.5)
            yield from _fitting("aten::index_fill.int_Tensor", t, dim, I((2,), n), torch.tensor(2.5))
            for reduce in ("prod", "mean", "amax", "amin"):
                for include in (True, False):
                    yield from with_variants("aten::index_reduce", t, dim, I((4,), n), src, reduce, include_self=include)
    yield from with_variants("aten::index_select", make((4, 5)), 1, I((3,), 5))
    yield case("aten::index_select", make(()), 0, torch.tensor([0]))
    yield case("aten::index_select", make(()), 0, torch.tensor(0))
    yield case("aten::index_add", make(()), 0, torch.tensor([0]), make((1,)))
    yield case("aten::index_copy", make((3,)), 0, torch.tensor(1), make(()))
    yield case("aten::index_fill.int_Scalar", make(()), 0, torch.tensor([0]), 3)
    for reduce in ("prod", "mean", "amax", "amin"):
        for dtype in REAL[:-1]:
            yield case("aten::index_reduce", make((4, 3), dtype, 1, 4), 0, torch.tensor([3, 0, 3]), make((3, 3), dtype, 1, 4, seed=1), reduce)
    yield from errors("aten::index_select", (make((3,)), 0, torch.tensor([3])), (make((3,)), 0, torch.tensor([-1])),
                      (make((3,)), 0, torch.tensor([[0]])), (make((3,)), 0, torch.tensor([0.])), (make((3,)), 1, torch.tensor([0])),
                      message=True)
    yield from errors("aten::index_add", (make((3,)), 0, torch.tensor([3]), make((1,))), (make((3,)), 0, torch.tensor([0, 1]), make((1,))),
                      (make((3,)), 0, torch.tensor([0]), make((1,), torch.int64)), (make((3,)), 0, torch.tensor([[0]]), make((1,))),
                      message=True)
    yield from errors("aten::index_add", (make((3, 3)), 0, torch.tensor([0]), make((1, 2))))
    yield from errors("aten::index_copy", (make((3,)), 0, torch.tensor([3]), make((1,))), (make((3,)), 0, torch.tensor([0, 1]), make((1,))),
                      (make((3, 3)), 0, torch.tensor([0]), make((1, 2))), (make((3,)), 0, torch.tensor([0]), make((1,), torch.int64)),
                      (make((3,)), 0, torch.tensor([0], dtype=torch.int32), make((1,))), (make((3, 3)), 0, torch.tensor([0]), make((3,))),
                      message=True)
    yield from errors("aten::index_fill.int_Scalar", (make((3,)), 0, torch.tensor([3]), 1), (make((3,)), 0, torch.tensor([[0]]), 1),
                      (make((3,)), 0, torch.tensor([0.]), 1), (make((3,)), 0, torch.tensor([0]), 1j), message=True)
    yield from errors("aten::index_fill.int_Tensor", (make((3,)), 0, torch.tensor([0]), make((1,))), message=True)
    yield from errors("aten::index_reduce", (make((3,)), 0, torch.tensor([0]), make((1,)), "sum"),
                      (make((3,)), 0, torch.tensor([4]), make((1,)), "prod"))


def _by_element():
    for dtype in ALL:
        yield case("aten::gather", make((4, 5), dtype), 1, I((4, 3), 5))
        yield case("aten::scatter.src", make((4, 5), dtype), 1, torch.tensor([[0, 1], [2, 3], [4, 0], [1, 2]]), make((4, 5), dtype, seed=1))
        yield case("aten::scatter.value", make((4, 5), dtype), 0, I((2, 5), 4), 2)
        yield case("aten::scatter_add", make((4, 5), dtype), 0, I((3, 5), 4), make((3, 5), dtype, seed=1))
        for reduce in ("add", "multiply"):
            yield case("aten::scatter.reduce", make((4, 5), dtype), 0, I((3, 5), 4), make((3, 5), dtype, seed=1), reduce=reduce)
            yield case("aten::scatter.value_reduce", make((4, 5), dtype), 0, I((3, 5), 4), 2, reduce=reduce)
        for reduce in ("sum", "prod", "mean", "amax", "amin"):
            if dtype != torch.bool and not dtype.is_complex:
                for include in (True, False):
                    yield case("aten::scatter_reduce.two", make((4, 5), dtype), 0, I((3, 5), 4), make((3, 5), dtype, seed=1), reduce,
                               include_self=include)
        yield case("aten::take", make((4, 5), dtype), I((2, 3), 20, negative=True))
        yield case("aten::put", make((4, 5), dtype), torch.tensor([[1, -1], [7, 3]]), make((4,), dtype, seed=1))
        yield case("aten::put", make((4, 5), dtype), torch.tensor([[1, 1], [7, 3]]), make((4,), dtype, seed=1), True)
    for layout in LAYOUTS:
        t = make((4, 5, 6), layout=layout) if fits((4, 5, 6), layout) else make((4, 5, 6))
        for dim in (0, 1, -1):
            n = t.shape[dim]
            index = I((3, 4, 2), n)
            src = make((4, 5, 6), seed=9, layout=TRANSPOSED)
            yield from with_variants("aten::gather", t, dim, index)
            if layout == EXPANDED:
                continue
            yield from with_variants("aten::scatter_add", t, dim, index, src)
            yield from with_variants("aten::scatter.value", t, dim, index, 1.5)
            yield from with_variants("aten::scatter.reduce", t, dim, index, src, reduce="multiply")
            yield from with_variants("aten::scatter.value_reduce", t, dim, index, 3, reduce="add")
            for reduce in ("sum", "prod", "mean", "amax", "amin"):
                yield from with_variants("aten::scatter_reduce.two", t, dim, index, src, reduce)
            yield from with_variants("aten::scatter.src", t, dim, torch.zeros(1, 5, 6, dtype=torch.int64).narrow(dim, 0, 1), src)
        yield from with_variants("aten::take", t, I((2, 2), 120))
        if layout != EXPANDED:
            yield from _fitting("aten::put", t, torch.tensor([[7, 119, -120], [64, 3, -5]]), make((2, 3)))
        yield case("aten::take_along_dim", t, I((4, 5, 2), 6), 2)
        yield case("aten::take_along_dim", t, I((1, 3, 1), 5), 1)
    yield from with_variants("aten::take_along_dim", make((4, 5)), I((4, 2), 5), 1)
    yield case("aten::take_along_dim", make((4, 5)), I((4, 3), 20))
    for op, args in (("gather", ()), ("scatter_add", (make(()),)), ("scatter.value", (2,))):
        yield case("aten::" + op, make(()), 0, torch.tensor(0), *args)
        yield case("aten::" + op, make((3,)), 0, torch.zeros(0, dtype=torch.int64), *args)
    yield from errors("aten::gather", (make((3, 4)), 0, torch.tensor([[3]])), (make((3, 4)), 0, torch.tensor([[-1]])),
                      (make((3, 4)), 0, torch.tensor([0])), (make((3, 4)), 0, I((2, 5), 3)), (make((3,)), 0, torch.tensor([0.])),
                      (make((3,)), 1, torch.tensor([0])), message=True)
    yield from errors("aten::scatter.src", (make((3, 4)), 0, torch.tensor([[3]]), make((1, 1))), (make((3, 4)), 0, I((2, 5), 3), make((5, 5))),
                      (make((3, 4)), 0, I((2, 2), 3), make((1, 2))), (make((3,)), 0, torch.tensor([0]), make((1,), torch.int64)),
                      (make((3, 4)), 0, torch.tensor([0]), make((1,))),
                      message=True)
    yield from errors("aten::scatter.value", (make((3, 4)), 0, torch.tensor([[3]]), 1), (make((3, 4)), 0, I((2, 5), 3), 1), message=True)
    yield from errors("aten::scatter.reduce", message=True)
    yield case("aten::scatter.value_reduce", make((3,)), 0, torch.tensor([0]), 1, reduce="max", message=True)
    yield case("aten::scatter_reduce.two", make((3,)), 0, torch.tensor([0]), make((1,)), "max", message=True)
    yield from errors("aten::take", (make((3,)), torch.tensor([3])), (make((3,)), torch.tensor([0.])), (make((0,)), torch.tensor([0])),
                      message=True)
    yield from errors("aten::put", (make((3,)), torch.tensor([3]), make((1,))), (make((3,)), torch.tensor([0]), make((2,))),
                      (make((3,)), torch.tensor([0]), make((1,), torch.int64)), (make((0,)), torch.tensor([0]), make((1,))), message=True)
    yield from errors("aten::take_along_dim", (make((3,)), torch.tensor([[0]]), 0), (make((3,)), torch.tensor([0.]), 0), message=True)


def _nonzero():
    for dtype in ALL:
        for shape in ((), (5,), (3, 4), (0, 3), (2, 3, 4)):
            for op in ("aten::nonzero", "aten::argwhere", "aten::nonzero_numpy", "aten::where"):
                yield case(op, make(shape, dtype, 0, 2) if not dtype.is_complex else make(shape, dtype))
    for layout in LAYOUTS:
        yield case("aten::nonzero", make((4, 5), torch.int32, 0, 2, layout=layout) if fits((4, 5), layout) else make((4, 5)))
    yield from with_variants("aten::nonzero", make((4, 5), torch.int32, 0, 2))


def cases():
    yield from _advanced()
    yield from _put()
    yield from _by_dim()
    yield from _by_element()
    yield from _nonzero()
