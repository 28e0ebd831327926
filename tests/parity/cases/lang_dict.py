"""Operators on dictionaries, for each type of key. A tensor as a key is found by identity, which programs test."""
import torch

from lib import case as base

KEYS = {"str": ["a", "b", "zz"], "int": [1, 2, -7], "bool": [True, False, None], "float": [1.0, 2.5, -0.125],
        "complex": [1j, 2 + 0.5j, -1j], "Tensor": [torch.tensor(1), torch.tensor([2.0]), torch.tensor(3)]}

BY_IDENTITY = """def forward(self, x: Tensor, y: Tensor):
  d: Dict[Tensor, int] = {x: 1}
  d[y] = 2
  first = (x in d, y in d, d[x], d.get(y), d.get(x.clone()), d.get(x.clone(), 7), len(d))
  e = dict(d)
  f = d.copy()
  g = dict([(x, 5), (y, 6), (x, 8)])
  d.update(g)
  second = (d[x], e[x], f[y], d.setdefault(x, 11), d.setdefault(y.clone(), 12), d.pop(y), d.pop(y, 13), len(d))
  del d[x]
  return first, second, d.values(), e.items(), list(f.keys()), g.popitem()"""
VALUES = [[1, 2], ["x", "y"], [1.5, -2.0], [[1], [2, 3]], [(1, "a"), (2, "b")], [torch.tensor(1), torch.tensor([2.0, 3.0])]]


def case(op, *args, **options):
    """Values that move in and out share storage with more or fewer arguments than the call said: not compared."""
    return base.case(op, *args, aliases=False, **options)


def dictionary(key, items):
    """Files of arguments hold no dictionaries with complex numbers or tensors as keys: an operator makes those."""
    return base.Call(f"aten::dict.{key}", list(items.items())) if key in ("complex", "Tensor") else items


def another(key):
    return key.clone() if isinstance(key, torch.Tensor) else key  # files of arguments do not keep identity


def of_key(key, keys):
    absent = keys[2] if keys[2] is not None else False
    for values in VALUES:
        full = dictionary(key, dict(zip(keys[:2], values)))
        one = dictionary(key, {keys[0]: values[0]})
        for d in (full, one):
            for k in map(another, [keys[0], keys[1], absent] if key != "bool" else [True, False]):
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
            yield case(f"aten::update.{key}", d, dictionary(key, {another(keys[1]): values[0]}))
            yield case(f"aten::len.Dict_{key}", d)
            yield case(f"aten::keys.{key}", d)
            yield case(f"aten::values.{key}", d)
            yield case(f"aten::items.{key}", d)
            yield case(f"aten::copy.Dict_{key}", d)
            yield case(f"aten::dict.Dict_{key}", d)
        yield case(f"aten::dict.{key}", list(zip(keys[:2], values)))
    yield case(f"aten::dict.{key}", [(keys[0], 1), (keys[1], 2), (another(keys[0]), 3)])


def cases():
    for key, keys in KEYS.items():
        yield from of_key(key, keys)
    yield case("aten::dict")
    yield base.program("dictionary of tensors", BY_IDENTITY, torch.tensor([1.0, 2]), torch.tensor([1.0, 2]))
    for statement in ("d[y]", "d.pop(y)"):
        yield base.program("absent tensor " + statement, f"def forward(self, x: Tensor, y: Tensor):\n  d = {{x: 1}}\n  return {statement}",
                           torch.tensor(1), torch.tensor(1))
