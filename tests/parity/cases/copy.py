"""Conversions, copies, fills and masks."""
import itertools

import torch

from lib.case import case, errors, with_variants
from lib.tensors import ALL, CHANNELS_LAST, EXPANDED, FLOATING, LAYOUTS, REAL, TRANSPOSED, fits, make

FORMATS = (torch.contiguous_format, torch.preserve_format, torch.channels_last)


def _conversions():
    for a, b in itertools.product(ALL, ALL):
        yield case("aten::to.dtype", make((3, 4), a), b)
        yield case("aten::_to_copy", make((3,), a), dtype=b)
        if not (a.is_complex and not b.is_complex):
            yield case("aten::copy_", torch.zeros(3, 4, dtype=b), make((3, 4), a))
    for dtype in FLOATING:
        for to in (torch.float64, torch.float32, torch.float16, torch.bool):
            yield case("aten::to.dtype", make((24,), dtype, special=True), to)
    for layout in LAYOUTS:
        t = make((2, 3, 4, 5), layout=layout)
        yield case("aten::to.prim_dtype", t, None, False, False)
        yield case("aten::to.prim_other", t, False, False)
        for copy in (False, True):
            yield case("aten::to.dtype", t, torch.float32, False, copy)
            yield case("aten::to.dtype", t, torch.float64, False, copy)
            for memory_format in FORMATS:
                yield case("aten::to.dtype", t, torch.float32, False, copy, memory_format)
                yield case("aten::to.dtype_layout", t, dtype=torch.float64, copy=copy, memory_format=memory_format)
                yield case("aten::to.device", t, torch.device("cpu"), torch.float32, False, copy, memory_format)
                yield case("aten::to.other", t, make((1,), torch.int32), False, copy, memory_format)
            yield case("aten::to.prim_Device", t, torch.device("cpu"), None, False, copy)
            yield case("aten::to.prim_Device", t, torch.device("cpu"), torch.int32, False, copy)
            yield case("aten::to.prim_Device", t, None, torch.int32, False, copy)
            yield case("aten::to.prim_dtype", t, torch.int32, False, copy)
        for memory_format in FORMATS:
            yield case("aten::clone", t, memory_format=memory_format)
            yield case("aten::contiguous", t, memory_format=memory_format)
            yield case("aten::_to_copy", t, memory_format=memory_format)
        yield case("aten::clone", t)
        yield case("aten::type_as", t, make((1,), torch.float64))
        yield case("aten::type_as", t, make((1,)))
        yield case("aten::cpu", t)
        for name in ("Byte", "Char", "Short", "Int", "Long", "Half", "Float", "Double"):
            yield case("aten::_cast_" + name, t)
    yield from with_variants("aten::clone", make((3, 4)))
    yield from errors("aten::clone", (make((3, 4)),))
    yield case("aten::clone", make((3,)), memory_format=torch.channels_last, message=True)


def _copies():
    for a in LAYOUTS:
        for b in LAYOUTS:
            if a != EXPANDED:
                yield case("aten::copy_", make((2, 3, 4, 5), layout=a), make((2, 3, 4, 5), layout=b, seed=1))
                yield case("aten::copy", make((2, 3, 4, 5), layout=a), make((2, 3, 4, 5), layout=b, seed=1))
    for shape in ((4,), (), (3, 1), (1, 4), (1,)):
        yield case("aten::copy_", make((3, 4)), make(shape, seed=1))
    yield case("aten::copy_", make((3, 4)), torch.tensor(2))
    yield case("aten::copy_.Tensor", make((3, 4)), make((4,)))
    yield case("aten::copy_.int", make((3, 4)), 3)
    yield case("aten::copy_.float", make((3, 4)), 2.5)
    yield from with_variants("aten::copy", make((3, 4)), make((4,)))
    yield from errors("aten::copy_", (make((3,)), make((4,))), (make((3,)), make((2, 3))), message=True)
    yield from errors("aten::copy_", (make((1, 4)).expand(3, 4), make((3, 4))), message=True)


def _fills():
    for dtype in ALL:
        for value in (0, 2, 1.5, True, -1) + ((1j,) if dtype.is_complex else ()):
            yield case("aten::fill.Scalar", make((3, 4), dtype), value)
            yield case("aten::fill_.Scalar", make((3, 4), dtype), value)
        yield from with_variants("aten::fill.Tensor", make((3, 4), dtype), torch.tensor(1.5))
        yield from with_variants("aten::zero", make((3, 4), dtype))
        yield case("aten::masked_fill.Scalar", make((3, 4), dtype), make((3, 4), torch.bool), 3)
    for layout in LAYOUTS:
        if layout != EXPANDED:
            yield case("aten::fill_.Scalar", make((2, 3, 4, 5), layout=layout), 2)
            yield case("aten::zero_", make((2, 3, 4, 5), layout=layout))
        yield case("aten::fill.Scalar", make((2, 3, 4, 5), layout=layout), 2)
    for value, dtype in ((300, torch.uint8), (-300, torch.uint8), (-1, torch.uint8), (200, torch.int8), (2 ** 40, torch.int32),
                         (float("nan"), torch.int64), (1e30, torch.int64), (1e300, torch.float32), (1e6, torch.float16),
                         (1e39, torch.bfloat16), (1j, torch.float32), (float("inf"), torch.float16), (7, torch.bool)):
        yield case("aten::fill_.Scalar", make((3,), dtype), value, message=True)
        yield case("aten::masked_fill.Scalar", make((3,), dtype), make((3,), torch.bool), value, message=True)
        yield case("aten::full", [2], value, dtype=dtype, message=True)
    for shape in ((3, 3), (7, 3), (3, 7), (8, 2), (3, 3, 3), (0, 3)):
        for wrap in (False, True):
            yield case("aten::fill_diagonal_", make(shape), 9, wrap)
    yield case("aten::fill_diagonal_", make((7, 3), layout=TRANSPOSED), 9, True)
    yield from errors("aten::fill_diagonal_", (make((3,)), 1), (make((2, 3, 3)), 1), message=True)
    yield from errors("aten::fill_.Tensor", (make((3,)), make((1,))), message=True)


def _masks():
    for layout in LAYOUTS:
        for mask_layout in LAYOUTS:
            t, mask = make((2, 3, 4, 5), layout=layout), make((2, 3, 4, 5), torch.bool, layout=mask_layout)
            yield case("aten::masked_fill.Scalar", t, mask, 7.5)
            yield case("aten::masked_select", t, mask)
            yield case("aten::masked_scatter", t, mask, make((120,), seed=2))
            if layout != EXPANDED:
                yield case("aten::masked_fill_.Scalar", make(t.shape, layout=layout), mask, 7.5)
                yield case("aten::masked_scatter_", make(t.shape, layout=layout), mask, make((120,), seed=2))
    for a, b in (((3, 4), (4,)), ((4,), (3, 4)), ((3, 1), (1, 4)), ((), (3,)), ((3,), ()), ((0, 3), (3,))):
        t, mask = make(a), make(b, torch.bool)
        yield case("aten::masked_fill.Scalar", t, mask, 2)
        yield case("aten::masked_fill.Tensor", t, mask, torch.tensor(2.5))
        yield case("aten::masked_fill_.Scalar", make(a), mask, 2, message=True)
        yield case("aten::masked_select", t, mask)
        yield case("aten::masked_scatter", t, mask, make((12,), seed=2))
    for dtype in ALL:
        yield case("aten::masked_select", make((3, 4), dtype), make((3, 4), torch.bool))
        yield case("aten::masked_scatter", make((3, 4), dtype), make((3, 4), torch.bool), make((12,), dtype, seed=1))
    yield from with_variants("aten::masked_fill.Scalar", make((3, 4)), make((3, 4), torch.bool), 2)
    yield from with_variants("aten::masked_fill.Tensor", make((3, 4)), make((3, 4), torch.bool), torch.tensor(2))
    yield from with_variants("aten::masked_select", make((3, 4)), make((3, 4), torch.bool))
    yield from with_variants("aten::masked_scatter", make((3, 4)), make((3, 4), torch.bool), make((12,)))
    yield case("aten::masked_fill.Scalar", make((3,)), torch.tensor([1, 0, 1], dtype=torch.uint8), 2)
    yield from errors("aten::masked_fill.Tensor", (make((3,)), make((3,), torch.bool), make((1,))), message=True)
    yield case("aten::masked_fill.Scalar", make((3,), torch.bool), make((3,), torch.bool, seed=1), 1j)
    for d in (torch.uint8, torch.int64, torch.float16, torch.bool):
        for value in (300, 1e10, 2.5, float("nan"), 1j):
            yield from errors("aten::masked_fill.Tensor", (make((3,), d), make((3,), torch.bool), torch.tensor(value)), message=True)
    yield from errors("aten::masked_select", (make((3,)), make((4,), torch.bool)), message=True)
    yield from errors("aten::masked_scatter", (make((3,)), torch.tensor([True, True, True]), make((2,))),
                      (make((3,)), torch.tensor([True, True, True]), make((3,), torch.int64)), message=True)


def cases():
    yield from _conversions()
    yield from _copies()
    yield from _fills()
    yield from _masks()
