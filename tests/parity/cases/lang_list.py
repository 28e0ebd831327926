"""Operators on lists."""
import itertools
import math

import torch

from lib import case as base
from lib.case import TypedList

LISTS = {
    "int": [[3, 1, 2], [1], [1, 2, 2, 1], [5, -7, 2**40, 0]],
    "float": [[3.5, 1.0, 2.25], [1.5], [1.0, -0.0, 0.0, 1.0], [math.inf, -math.inf, 0.5]],
    "bool": [[True, False], [False], [True, True, False], [False, False]],
    "str": [["b", "a", "c"], ["x"], ["ab", "a", "", "b"], ["B", "a"]],
    "Tensor": [[torch.tensor(3), torch.tensor(1), torch.tensor(2)], [torch.tensor([1.5])],
               [torch.tensor(2.0), torch.tensor(1), torch.tensor(1.5)]],
}
ABSENT = {"int": 99, "float": 99.5, "bool": True, "str": "zz", "Tensor": torch.tensor(99)}
PLAIN = ("int", "float", "bool", "str")


def case(op, *args, **options):
    """Elements that move between lists share storage with more arguments than the call said: not compared."""
    return base.case(op, *args, aliases=False, **options)


def elements():
    for kind, lists in LISTS.items():
        for items in lists + [TypedList(kind)]:
            for i in (0, -1, len(items) - 1, -len(items), len(items), -len(items) - 1, 10**12):
                yield case("aten::__getitem__.t", items, i, message=True)
                yield case("aten::select.t", items, i, message=True)
                yield case("aten::_set_item.t", items, i, ABSENT[kind], message=True)
                yield case("aten::Delete.t", items, i, message=True)
                yield case("aten::pop.t", items, i, message=True)
                yield case("aten::insert.t", items, i, ABSENT[kind])
            yield case("aten::append.t", items, ABSENT[kind])
            yield case("aten::extend.t", items, lists[0])
            yield case("aten::reverse.t", items)
            yield case("aten::clear.t", items)
            yield case("aten::copy.t", items)
            yield case("aten::list.t", items)
            yield case("aten::len.t", items)
            yield case("aten::add.t", items, lists[0])
            yield case("aten::add_.t", items, lists[0])
            for n in (0, 1, 3):
                yield case("aten::mul.left_t", items, n)
                yield case("aten::mul.right_", n, items)
                yield case("aten::mul_.t", items, n)
    yield case("aten::mul.left_t", [1], -1)
    for start, end, step in itertools.product([None, 0, 2, -2, 10, -10], [None, 0, 3, -1, 10, -10], [1, 2, -1, -2, 100]):
        yield case("aten::slice.t", [1, 2, 3, 4, 5], start, end, step)
    yield case("aten::slice.t", TypedList("int"), None, None, -1)
    yield case("aten::slice.t", [1, 2], None, None, 0, message=True)


def searching():
    for kind, lists in LISTS.items():
        for items in lists + [TypedList(kind)]:
            for v in [ABSENT[kind]] + list(items[:3]):
                if kind != "Tensor":  # whose effect PyTorch's binding does not show
                    yield case(f"aten::remove.{kind}", items, v, message=True)
                yield case(f"aten::index.list_{kind}", items, v, message=True)
                yield case(f"aten::count.{kind}", items, v)
                if kind in ("int", "float", "str"):
                    yield case(f"aten::__contains__.{kind}_list", items, v)
    pair = torch.tensor([1, 2])
    for op in ("remove.Tensor", "index.list_Tensor", "count.Tensor"):
        yield case(f"aten::{op}", [pair], torch.tensor([1, 2]), message=True)
        yield case(f"aten::{op}", [pair], torch.tensor([1, 2, 3]), message=True)
        yield case(f"aten::{op}", [torch.tensor([])], torch.tensor([]), message=True)
    yield case("aten::index.list_float", [math.nan], math.nan, message=True)
    yield case("aten::index.list_bool", [True], False, message=True)


def ordering():
    for kind, lists in LISTS.items():
        for items in lists + [TypedList(kind)]:
            yield case(f"aten::sorted.{kind}", items)
            if kind != "Tensor":
                yield case(f"aten::sort.{kind}", items, False)
                yield case(f"aten::sort.{kind}", items, True)
            for other in lists[:2] + [TypedList(kind)]:
                yield case(f"aten::eq.{kind}_list", items, other)
                yield case(f"aten::ne.{kind}_list", items, other)
                if kind in ("int", "float", "bool"):
                    yield case(f"prim::max.{kind}_list", items, other)
                    yield case(f"prim::min.{kind}_list", items, other)
    yield case("aten::sorted.Tensor", [torch.tensor([1, 2]), torch.tensor([2, 1])], message=True)
    for items in ([(2, "b"), (1, "z"), (2, "a")], [(1, 2.5), (1, 0.5)], [(True, 1), (False, 2)]):
        yield case("aten::sort.any", items, False)
        yield case("aten::sort.any", items, True)
        yield case("aten::sorted.any", items)
    yield case("aten::sorted.any", [[2], [1]], message=True)
    for kind in ("int", "float", "bool"):
        for items in LISTS[kind] + [TypedList(kind)]:
            yield case(f"prim::max.self_{kind}", items, message=True)
            yield case(f"prim::min.self_{kind}", items, message=True)


def folding():
    for kind in PLAIN:
        for items in LISTS[kind] + [TypedList(kind)]:
            yield case(f"aten::any.{kind}", items)
            if kind != "str":
                yield case(f"aten::all.{kind}", items)
                yield case(f"aten::sum.{kind}", items)
    yield case("aten::any.str", ["", ""])
    yield case("aten::sum.complex", [1j, 2 + 0.5j])
    yield case("aten::sum.complex", TypedList("complex"))
    yield case("aten::sum.int", [2**63 - 1, 1])
    for n in (0, 1, 5):
        yield case("prim::rangelist", n)
    yield case("prim::rangelist", -1)


def cases():
    for part in (elements, searching, ordering, folding):
        yield from part()
