from __future__ import annotations

from enum import Enum
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import Tensor, nn

from lib.language import runs


class Shape(Enum):
    SQUARE = 1
    CIRCLE = 2


class Level(Enum):
    LOW = 0.5
    HIGH = 2.5


Named = NamedTuple("Named", [("value", int), ("weight", float)])


@torch.jit.script
class Pile:
    def __init__(self, first: int):
        self.items: List[int] = [first]
        self.depth = 0

    def push(self, x: int):
        self.items.append(x)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, i: int) -> int:
        return self.items[i]

    def __setitem__(self, i: int, x: int) -> None:
        self.items[i] = x

    def __contains__(self, x: int) -> bool:
        return x in self.items

    def __enter__(self) -> int:
        self.depth += 1
        return self.depth

    def __exit__(self, type: Any, value: Any, trace: Any) -> None:
        self.depth -= 1
        self.items.append(-1)

    @property
    def top(self) -> int:
        return self.items[-1]


@torch.jit.interface
class Scaler:
    def scale(self, x: int) -> int:
        pass


@torch.jit.script
class Doubler:
    def __init__(self):
        self.factor = 2

    def scale(self, x: int) -> int:
        return x * self.factor


@torch.jit.script
class Adder:
    def __init__(self, n: int):
        self.n = n

    def scale(self, x: int) -> int:
        return x + self.n


@torch.jit.interface
class Step(nn.Module):
    def forward(self, input: Tensor) -> Tensor:
        pass


@runs((3,))
def class_protocols(n: int) -> Tuple[int, int, bool, bool, int]:
    s = Pile(n)
    s.push(7)
    s[0] = 9
    return len(s), s[0], 7 in s, n in s, s.top


@runs((1,))
def with_statement(n: int) -> List[int]:
    s = Pile(n)
    with s as depth:
        s.push(depth)
        with s as inner:
            s.push(inner * 10)
    s.push(s.depth)
    return s.items


@runs((1,), (5,))
def return_inside_with(n: int) -> List[int]:
    s = Pile(n)
    out: List[int] = []
    for i in range(3):
        with s as d:
            if n > 3:
                out.append(d)
                break
            out.append(d * 10 + i)
    return out + s.items


def _through(scaler: Scaler, x: int) -> int:
    return scaler.scale(x) + 1


@runs((5,))
def interface_call(x: int) -> int:
    return _through(Doubler(), x) * 100 + _through(Adder(3), x)


@runs((0,), (1,))
def enum_branches(n: int) -> str:
    s = Shape.SQUARE
    if n == 1:
        s = Shape.CIRCLE
    if s == Shape.SQUARE:
        return "square " + s.name
    return s.name + str(s.value)


@runs(())
def enum_values() -> Tuple[float, bool, bool]:
    return Level.HIGH.value + Level.LOW.value, Level.HIGH == Level.LOW, Level.HIGH != Level.LOW


@runs(())
def enum_members() -> List[int]:
    return [shape.value for shape in Shape]


@runs((4,))
def named_tuple_keywords(n: int) -> Tuple[float, int]:
    a = Named(n, weight=1.5)
    b = Named(n, 0.5)
    c = Named(weight=3.0, value=1)
    return a.weight + b.weight + c.weight, a.value + b.value + c[0]


@runs((torch.ones(2),), form="script")
class InterfaceModules(nn.Module):
    """A submodule behind an interface."""

    def __init__(self):
        super().__init__()
        self.step = torch.jit.script(nn.Linear(2, 2).eval())
        with torch.no_grad():
            for p in self.step.parameters():
                p.fill_(0.5)

    def forward(self, x: Tensor) -> Tensor:
        return self.step.forward(x)


InterfaceModules.__annotations__ = {"step": Step}


@runs((torch.ones(2), 2))
class ModuleContainers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.ReLU(), nn.Tanh(), nn.Identity()])
        self.named = nn.ModuleDict({"a": nn.Sigmoid(), "b": nn.ReLU()})
        self.chain = nn.Sequential(nn.Tanh(), nn.ReLU())
        self.scale: float = 2.0
        self.table: Dict[str, int] = {"k": 3}

    def forward(self, x: Tensor, n: int) -> Tuple[Tensor, int, List[str]]:
        names: List[str] = []
        for i, layer in enumerate(self.layers):
            if i < n:
                x = layer(x)
        for k, v in self.named.items():
            names.append(k)
            x = v(x)
        self.table["seen"] = n
        return self.chain(x) * self.scale, self.table["k"] + len(self.layers) + self.table["seen"], names


@runs((torch.ones(2, 2),))
class BuffersAndConstants(nn.Module):
    __constants__ = ["size"]

    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.tensor([0.5, 1.5]))
        self.weight = nn.Parameter(torch.ones(2, 2) * 3)
        self.size = 4
        self.maybe: Optional[int] = None
        self.shape = Shape.CIRCLE

    @torch.jit.export
    def helper(self, x: Tensor) -> Tensor:
        return x * self.size

    def forward(self, x: Tensor) -> Tensor:
        y = self.helper(x) - self.mean
        if self.maybe is None:
            y = y @ self.weight
        if self.shape == Shape.CIRCLE:
            y = y + 1
        self.mean.add_(1)
        return y + self.mean


@runs((torch.arange(6.0),))
class Forks(nn.Module):
    def work(self, x: Tensor, n: int) -> Tensor:
        return x * n

    def forward(self, x: Tensor) -> Tensor:
        a = torch.jit.fork(self.work, x, 2)
        b = torch.jit.fork(self.work, x, 3)
        return torch.jit.wait(a) + torch.jit.wait(b)


@runs((3,))
def mutual_methods(n: int) -> int:
    s = Pile(0)
    for i in range(n):
        s.push(len(s) + s.top)
    total = 0
    for i in range(len(s)):
        total = total * 10 + s[i]
    return total
