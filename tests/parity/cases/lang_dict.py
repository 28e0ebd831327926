"""Operators on dictionaries, for each type of key; language programs have those with complex and tensor keys."""
import torch

from lib import case as base

KEYS = {"str": ["a", "b", "zz"], "int": [1, 2, -7], "bool": [True, False, None], "float": [1.0, 2.5, -0.125]}
VALUES = [[1, 2], ["x", "y"], [1.5, -2.0], [[1], [2, 3]], [(1, "a"), (2, "b")], [torch.tensor(1), torch.tensor([2.0, 3.0])]]


def case(op, *args, **options):
    """Values that move in and out share storage with more or fewer arguments than the call said: not compared."""
    return base.case(op, *args, aliases=False, **options)


def of_key(key, keys):
    absent = keys[2] if keys[2] is not None else False
    for values in VALUES:
        full = dict(zip(keys[:2], values))
        one = {keys[0]: values[0]}
        for d in (full, one):
            for k in ([keys[0], keys[1], absent] if key != "bool" else [True, False]):
                yield case(f"aten::__getitem__.Dict_{key}", d, k, message=True)
                yield case(f"aten::_set_item.{key}", d, k, values[1])
                yield case(f"aten::Delete.Dict_{key}", d, k, message=True)
                yield case(f"aten::get.{key}", d, k)
                yield case(f"aten::get.default_{key}", d, k, values[1])
                yield case(f"aten::setdefault.{key}", d, k, values[1])
                yield case(f"aten::pop.Dict_{key}", d, k, message=True)
                yield case(f"aten::pop.Dict_default_{key}", d, k, values[1])
                yield case(f"aten::__contains__.{key}", d, k)
            yield case(f"aten::popitem.{key}", d)
            yield case(f"aten::clear.{key}", d)
            yield case(f"aten::update.{key}", d, {keys[1]: values[0]})
            yield case(f"aten::len.Dict_{key}", d)
            yield case(f"aten::keys.{key}", d)
            yield case(f"aten::values.{key}", d)
            yield case(f"aten::items.{key}", d)
            yield case(f"aten::copy.Dict_{key}", d)
            yield case(f"aten::dict.Dict_{key}", d)
            yield case(f"aten::dict.{key}", list(d.items()))
    yield case(f"aten::dict.{key}", [(keys[0], 1), (keys[1], 2), (keys[0], 3)])


def cases():
    for key, keys in KEYS.items():
        yield from of_key(key, keys)
    yield case("aten::dict")
