from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor

from lib.language import runs


@runs(({"a": 1, "b": 2}, "a"), ({"a": 1}, "z"))
def get_item(d: Dict[str, int], k: str) -> int:
    return d[k]


@runs(({1: "x"}, 1), ({1: "x"}, 2))
def int_keys(d: Dict[int, str], k: int) -> str:
    return d[k]


@runs(({1.5: "x"}, 1.5), ({1.5: "x"}, 2.0))
def float_keys(d: Dict[float, str], k: float) -> str:
    return d[k]


@runs((True,), (False,))
def bool_keys(k: bool) -> int:
    d = {True: 1}
    return d[k]


@runs((1j,), (2 + 1j,))
def complex_keys(k: complex) -> int:
    d = {1j: 1, 1 + 0j: 2}
    d[3j] = 5
    return d[k] + len(d)


@runs((torch.tensor(1),))
def tensor_keys(t: Tensor) -> Tuple[int, bool, int]:
    d: Dict[Tensor, int] = {}
    d[t] = 5
    other = torch.tensor(1)
    return d[t], other in d, len(d)


@runs(({"a": 1}, "b", 2), ({"a": 1}, "a", 9))
def set_item(d: Dict[str, int], k: str, v: int) -> Dict[str, int]:
    d[k] = v
    d[k] += 1
    return d


@runs(({"a": 1, "b": 2, "c": 3},))
def views(d: Dict[str, int]) -> Tuple[List[str], List[int], List[Tuple[str, int]], int]:
    return list(d.keys()), list(d.values()), list(d.items()), len(d)


@runs(({"a": 1, "b": 2},))
def iterate(d: Dict[str, int]) -> str:
    out = ""
    for k in d:
        out += k
    for k, v in d.items():
        out += k + str(v)
    for v in d.values():
        out += str(v)
    return out


@runs(({"a": 1}, "a"), ({"a": 1}, "b"))
def get_default(d: Dict[str, int], k: str) -> Tuple[Optional[int], int, bool, bool]:
    return d.get(k), d.get(k, -1), k in d, k not in d


@runs(({"a": 1}, "a"), ({"a": 1}, "b"))
def set_default(d: Dict[str, int], k: str) -> Tuple[int, Dict[str, int]]:
    return d.setdefault(k, 7), d


@runs(({"a": 1, "b": 2}, "a"), ({"a": 1}, "z"))
def pop(d: Dict[str, int], k: str) -> Tuple[int, Dict[str, int]]:
    return d.pop(k), d


@runs(({"a": 1, "b": 2}, "a"), ({"a": 1}, "z"))
def pop_default(d: Dict[str, int], k: str) -> Tuple[int, int]:
    return d.pop(k, -5), len(d)


@runs(({"a": 1, "b": 2},))
def pop_item(d: Dict[str, int]) -> Tuple[Tuple[str, int], Dict[str, int]]:
    return d.popitem(), d


@runs((0,))
def pop_item_empty(n: int) -> Tuple[str, int]:
    d: Dict[str, int] = {}
    return d.popitem()


@runs(({"a": 1, "b": 2}, "a"), ({"a": 1}, "z"))
def delete(d: Dict[str, int], k: str) -> Dict[str, int]:
    del d[k]
    return d


@runs(({"a": 1, "b": 2}, {"b": 3, "c": 4}))
def update(d: Dict[str, int], e: Dict[str, int]) -> Tuple[Dict[str, int], int]:
    d.update(e)
    d.update({"z": 0})
    return d, len(e)


@runs(({"a": 1},))
def clear_and_copy(d: Dict[str, int]) -> Tuple[int, Dict[str, int]]:
    e = d.copy()
    d.clear()
    return len(d), e


@runs((3,))
def build(n: int) -> Dict[str, List[int]]:
    d: Dict[str, List[int]] = {}
    for i in range(n):
        key = "odd" if i % 2 == 1 else "even"
        if key not in d:
            empty: List[int] = []
            d[key] = empty
        d[key].append(i)
    return d


@runs((["x", "y"], [1, 2]))
def from_pairs(k: List[str], v: List[int]) -> Dict[str, int]:
    pairs: List[Tuple[str, int]] = []
    for a, b in zip(k, v):
        pairs.append((a, b))
    return dict(pairs)


@runs((2,))
def constructors(n: int) -> Tuple[Dict[str, int], Dict[str, int], int]:
    a = dict([("x", n), ("y", 2)])
    b = dict(a)
    b["x"] = 100
    return a, b, len(dict(b))


@runs((4,))
def delete_and_reinsert_order(n: int) -> List[int]:
    d: Dict[int, int] = {}
    for i in range(n):
        d[i] = i
    del d[0]
    d[0] = 5
    d[2] = 9
    return list(d.keys())


@runs((100,))
def many_deletions(n: int) -> Tuple[int, int, List[int]]:
    d: Dict[int, int] = {}
    for i in range(n):
        d[i] = i * i
    for i in range(n):
        if i % 7 != 0:
            del d[i]
    total = 0
    for v in d.values():
        total += v
    return len(d), total, list(d.keys())


@runs((torch.ones(2),))
def tensor_values(x: Tensor) -> Dict[str, Tensor]:
    d = {"x": x, "y": x * 2}
    d["z"] = d["x"] + d["y"]
    return d


@runs(({"a": torch.ones(2), "b": torch.zeros(2)},))
def tensor_dict_argument(d: Dict[str, Tensor]) -> Tensor:
    total = torch.zeros(2)
    for k, v in d.items():
        total = total + v * len(k)
    return total


@runs((2,))
def nested_dicts(n: int) -> Dict[str, Dict[str, int]]:
    d: Dict[str, Dict[str, int]] = {}
    d["a"] = {"x": n}
    empty: Dict[str, int] = {}
    d["b"] = empty
    d["b"]["y"] = n * 2
    d["a"]["x"] += 1
    return d


@runs((2,))
def aliasing(n: int) -> Dict[str, int]:
    d = {"a": n}
    e = d
    e["b"] = 3
    return d


@runs((10,))
def memo(n: int) -> int:
    known: Dict[int, int] = {0: 0, 1: 1}
    for i in range(2, n + 1):
        known[i] = known[i - 1] + known[i - 2]
    return known[n]


@runs(({"b": 1, "a": 2},))
def sorted_keys(d: Dict[str, int]) -> List[str]:
    return sorted(list(d.keys()))


@runs(({"a": 1, "b": 2},))
def invert(d: Dict[str, int]) -> Dict[int, str]:
    return {v: k for k, v in d.items()}


@runs(({"a": 1, "b": 2},))
def text(d: Dict[str, int]) -> str:
    return str(d) + " " + str(list(d.items()))


@runs((3,))
def optional_values(n: int) -> int:
    d: Dict[str, Optional[int]] = {"a": n, "b": None}
    total = 0
    for k in d:
        v = d[k]
        if v is not None:
            total += v
    return total


@runs((3,))
def tuple_values(n: int) -> Dict[str, Tuple[int, str]]:
    d: Dict[str, Tuple[int, str]] = {"a": (n, "x")}
    d["b"] = (d["a"][0] + 1, d["a"][1] + "y")
    return d
