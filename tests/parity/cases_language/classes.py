from __future__ import annotations

from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import Tensor

from lib.language import runs


Point = NamedTuple("Point", [("x", int), ("y", float)])
Pair = NamedTuple("Pair", [("first", Tensor), ("second", List[int])])


class Color(Enum):
    RED = 1
    GREEN = 2


class Shade(Enum):
    LIGHT = "light"
    DARK = "dark"


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start
        self.log: List[int] = []

    def add(self, n: int) -> int:
        self.count += n
        self.log.append(n)
        return self.count

    def total(self) -> int:
        return self.count + len(self.log)


@torch.jit.script
class Vector:
    def __init__(self, x: float, y: float):
        self.x = x
        self.y = y

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k: float) -> Vector:
        return Vector(self.x * k, self.y * k)

    def __eq__(self, other: Vector) -> bool:
        return self.x == other.x and self.y == other.y

    def __lt__(self, other: Vector) -> bool:
        return self.x < other.x

    def __neg__(self) -> Vector:
        return Vector(-self.x, -self.y)

    def norm(self) -> float:
        return (self.x * self.x + self.y * self.y) ** 0.5


@torch.jit.script
class Stack:
    def __init__(self):
        self.items: List[int] = []

    def push(self, v: int):
        self.items.append(v)

    def pop(self) -> int:
        return self.items.pop()

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, v: int) -> bool:
        return v in self.items

    def __getitem__(self, i: int) -> int:
        return self.items[i]

    def __setitem__(self, i: int, v: int) -> None:
        self.items[i] = v


@runs((3, 0.5),)
def named_tuple(a: int, b: float) -> Tuple[int, float, int]:
    p = Point(a, b)
    return p.x, p.y, p[0]


@runs((torch.ones(2),))
def named_tuple_of_tensor(t: Tensor) -> Tuple[Tensor, List[int]]:
    p = Pair(t * 2, [1, 2])
    p.second.append(3)
    return p.first, p.second


@runs((2,))
def named_tuples_in_list(n: int) -> float:
    points = [Point(i, i * 0.5) for i in range(n)]
    points.append(Point(x=10, y=1.0))
    total = 0.0
    for p in points:
        total += p.x * p.y
    return total


@runs((4,))
def named_tuple_unpacked(n: int) -> float:
    x, y = Point(n, 2.5)
    return x * y


@runs((2,))
def named_tuple_text(n: int) -> str:
    return str(Point(n, 0.5))


@runs((1,), (2,))
def enum_values(n: int) -> Tuple[int, str, bool]:
    c = Color.RED if n == 1 else Color.GREEN
    return c.value, c.name, c == Color.RED


@runs((1,), (2,))
def enum_differs(n: int) -> Tuple[bool, bool]:
    c = Color.RED if n == 1 else Color.GREEN
    return c != Color.RED, c != c


@runs((True,), (False,))
def enum_of_strings(b: bool) -> str:
    s = Shade.LIGHT
    if b:
        s = Shade.DARK
    return s.value + s.name


@runs((0,))
def enum_iteration(n: int) -> List[int]:
    out: List[int] = []
    for c in Color:
        out.append(c.value)
    return out


@runs((5,))
def object_methods(n: int) -> Tuple[int, int, int]:
    c = Counter(n)
    a = c.add(3)
    b = c.add(-1)
    return a, b, c.total()


@runs((5,))
def object_attributes(n: int) -> Tuple[int, List[int]]:
    c = Counter(n)
    c.count = 100
    c.add(1)
    c.log.append(99)
    return c.count, c.log


@runs((1.5,))
def operators_of_objects(a: float) -> Tuple[float, float, bool, bool, float]:
    v = Vector(a, 2.0) + Vector(1.0, 1.0) * 2.0
    return v.x, v.y, v == Vector(a + 2.0, 4.0), v < Vector(0.0, 0.0), (-v).norm()


@runs((3,))
def container_object(n: int) -> Tuple[int, int, bool, int]:
    s = Stack()
    for i in range(n):
        s.push(i * i)
    s[0] = 50
    return len(s), s.pop(), 50 in s, s[0]


@runs((0,))
def empty_stack(n: int) -> int:
    return Stack().pop()


@runs((2,))
def objects_share(n: int) -> int:
    a = Counter(n)
    b = a
    b.add(5)
    return a.count


@runs((3,))
def objects_in_lists(n: int) -> int:
    counters = [Counter(i) for i in range(n)]
    for c in counters:
        c.add(10)
    return sum([c.count for c in counters])


@runs((3,))
def objects_in_dict(n: int) -> int:
    d: Dict[str, Counter] = {"a": Counter(n)}
    d["b"] = d["a"]
    d["b"].add(1)
    return d["a"].count


@runs((True,), (False,))
def optional_object(b: bool) -> int:
    c: Optional[Counter] = None
    if b:
        c = Counter(7)
    if c is not None:
        return c.add(1)
    return -1


@runs((2,))
def object_identity(n: int) -> Tuple[bool, bool, bool]:
    a = Counter(n)
    b = a
    c = Counter(n)
    return a is b, a is c, a is not c


@runs((torch.ones(2, 3),), (torch.zeros(2, 3),))
class Stateful(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.history = [0.5]
        self.table = {"seen": 0}
        self.register_buffer("total", torch.zeros(3))

    def remember(self, v: float) -> int:
        self.history.append(v)
        self.table["seen"] += 1
        return len(self.history)

    def forward(self, x: Tensor) -> Tuple[int, Tensor, List[float], Dict[str, int]]:
        self.calls += 1
        self.total += x.sum(0)
        for i in range(2):
            self.remember(float(x[i].sum()))
        return self.calls, self.total, self.history, self.table


@runs((torch.ones(2, 4),))
class Nested(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(3)])
        self.named = torch.nn.ModuleDict({"a": torch.nn.ReLU(), "b": torch.nn.Tanh()})
        self.scale = torch.nn.Parameter(torch.tensor(2.0))
        self.factors = (1, 2, 3)

    def forward(self, x: Tensor) -> Tuple[Tensor, List[str]]:
        names: List[str] = []
        for i, layer in enumerate(self.layers):
            x = layer(x) * self.factors[0]
        for k, m in self.named.items():
            names.append(k)
            x = m(x)
        return x * self.scale, names


@runs((1, 2.5, "s", [1], (1, "a"), {"k": 1.0}, None, True),)
class Everything(torch.nn.Module):
    def forward(self, a: int, b: float, c: str, d: List[int], e: Tuple[int, str], f: Dict[str, float], g: Optional[int],
                h: bool) -> Tuple[int, float, str, List[int], Tuple[int, str], Dict[str, float], Optional[int], bool]:
        return a + 1, b * 2, c + c, d + d, e, f, g, not h


@runs((3,), (3, 4), (3, 4, "z"))
class Defaults(torch.nn.Module):
    def forward(self, a: int, b: int = 10, c: str = "c") -> str:
        return str(a) + str(b) + c


@runs((1,), (None,))
class AnyArgument(torch.nn.Module):
    def forward(self, x: Optional[int]) -> str:
        if isinstance(x, int):
            return "int " + str(x)
        return "none"
