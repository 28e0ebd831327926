from __future__ import annotations

import math
from enum import Enum
from typing import Dict, List, Optional, Tuple, Union

import torch
from torch import Tensor, nn

from lib.language import runs


class Mode(Enum):
    OFF = 0
    ON = 1


@torch.jit.script
class Record:
    """What a dataclass would be."""

    def __init__(self, name: str, weight: float = 1.0, tags: Optional[List[str]] = None):
        self.name = name
        self.weight = weight
        self.tags: List[str] = [] if tags is None else tags

    def __lt__(self, other: Record) -> bool:
        return self.weight < other.weight

    def __eq__(self, other: Record) -> bool:
        return self.name == other.name and self.weight == other.weight

    def __str__(self) -> str:
        return self.name + ":" + str(self.weight)

    def described(self) -> str:
        return f"{self.name} ({self.weight}) {','.join(self.tags)}"


@torch.jit.script
class Grid:
    def __init__(self, rows: int, columns: int):
        self.rows = rows
        self.columns = columns
        self.cells: Dict[str, float] = {}

    def key(self, i: int, j: int) -> str:
        return str(i) + "," + str(j)

    def __getitem__(self, at: Tuple[int, int]) -> float:
        k = self.key(at[0], at[1])
        return self.cells[k] if k in self.cells else 0.0

    def __setitem__(self, at: Tuple[int, int], value: float) -> None:
        self.cells[self.key(at[0], at[1])] = value

    def __len__(self) -> int:
        return self.rows * self.columns

    @property
    def filled(self) -> float:
        return len(self.cells) / len(self)

    @staticmethod
    def square(n: int) -> Grid:
        return Grid(n, n)


@torch.jit.interface
class Activation:
    def apply(self, x: Tensor) -> Tensor:
        pass

    def name(self) -> str:
        pass


@torch.jit.script
class Scale:
    def __init__(self, factor: float):
        self.factor = factor

    def apply(self, x: Tensor) -> Tensor:
        return x * self.factor

    def name(self) -> str:
        return "scale " + str(self.factor)


@torch.jit.script
class Shift:
    def __init__(self, by: int):
        self.by = by

    def apply(self, x: Tensor) -> Tensor:
        return x + self.by

    def name(self) -> str:
        return "shift " + str(self.by)


@runs((3,))
def sorted_objects(n: int) -> List[str]:
    records = [Record("r" + str(i), float((i * 7) % 5)) for i in range(n + 2)]
    records.sort()
    names = [r.name for r in records]
    records.sort(reverse=True)
    return names + [r.name for r in records] + [r.name for r in sorted(records)]


@runs(())
def object_described() -> Tuple[str, str, bool, bool]:
    a = Record("a", 0.5, ["x", "y"])
    b = Record("b", tags=["z"])
    return a.described() + b.described(), str(a), a == b, a == Record("a", 0.5)


@runs((3,))
def object_subscripts(n: int) -> Tuple[float, float, float, int]:
    g = Grid.square(n)
    a, b = (0, 1), (1, 1)
    g[a] = 2.5
    g[b] = g[a] * 2
    c = (2, 2)
    return g[b], g[c], g.filled, len(g)


def _through(steps: List[Activation], x: Tensor) -> Tuple[Tensor, str]:
    names = ""
    for step in steps:
        x = step.apply(x)
        names += step.name() + ";"
    return x, names


@runs((torch.arange(3.0),))
def interfaces_in_list(x: Tensor) -> Tuple[Tensor, str]:
    steps: List[Activation] = []
    steps.append(Scale(2.0))
    steps.append(Shift(1))
    return _through(steps, x)


@runs((2, 0.5, "abc", True, [1, 2], {"k": 1.5}), form="script")
def f_strings(n: int, x: float, s: str, b: bool, li: List[int], d: Dict[str, float]) -> str:
    return f"{n} {x}|{s}|{b} {li} {d} {n + 1}{{}}"


@runs((2, 0.5, "abc"))
def format_kinds(n: int, x: float, s: str) -> str:
    a = "{} {} {}".format(n, x, s)
    b = "{0} {2} {1}".format(n, x, s) if n > 100 else "%d %s" % (n, s)
    c = "%s|%f|%.3f|%5.1f|%e|%g|%x|%i" % (s, x, x, x, x, x, n, n)
    return a + b + c


@runs((2.0,), (0.3,), (-1.5,))
def math_functions(x: float) -> List[float]:
    return [math.sin(x), math.cos(x), math.tan(x), math.atan(x), math.exp(x), math.expm1(x), math.sinh(x), math.cosh(x),
            math.tanh(x), math.asinh(x), math.erf(x), math.erfc(x), float(math.floor(x)), float(math.ceil(x)), math.fabs(x),
            math.copysign(1.0, x), math.atan2(x, 2.0), math.degrees(x), math.radians(x), math.fmod(x, 0.7),
            math.ldexp(x, 3), math.pow(abs(x), 0.5)]


@runs((2.5,), (10.0,))
def math_of_positive(x: float) -> List[float]:
    return [math.log(x), math.log10(x), math.log1p(x), math.sqrt(x), math.gamma(x), math.lgamma(x),
            math.acosh(x), math.modf(x)[0], math.modf(x)[1], math.frexp(x)[0], math.pi * x, math.e, math.inf]


@runs((12, 18), (7, 0))
def math_of_integers(a: int, b: int) -> Tuple[int, int, bool, bool, bool]:
    return math.gcd(a, b), math.factorial(a % 10), math.isnan(float(a)), math.isinf(math.inf * a), math.isfinite(float(b))


@runs((-1.0,))
def math_domain(x: float) -> float:
    return math.log(x) + math.sqrt(x)


@runs(([1, 2, 3, 4, 5, 6],))
def comprehension_with_condition(x: List[int]) -> Tuple[List[int], int]:
    even = [v * v for v in x]
    out: List[int] = []
    for v in even:
        if v % 2 == 0:
            out.append(v)
    return out, sum([len(str(v)) for v in even])


@runs((["a", "bb", "a", "ccc"],))
def grouped(words: List[str]) -> Dict[str, List[int]]:
    out: Dict[str, List[int]] = {}
    for i, w in enumerate(words):
        if w not in out:
            empty: List[int] = []
            out[w] = empty
        out[w].append(i)
    return out


@runs(({"a": [torch.ones(2), torch.zeros(2)], "b": [torch.ones(1)]},))
def dict_of_lists_of_tensors(d: Dict[str, List[Tensor]]) -> Tuple[List[str], Dict[str, Tensor]]:
    joined: Dict[str, Tensor] = {}
    for k, v in d.items():
        joined[k] = torch.cat(v) + len(v)
    return list(joined.keys()), joined


@runs((1,), (None,))
def assert_with_text(x: Optional[int]) -> int:
    assert x is not None, "x is needed"
    y: int = x
    return y + 1


@runs((torch.ones(2), None), (torch.ones(2), torch.full((2,), 3.0)))
def optional_argument_of_layer(x: Tensor, bias: Optional[Tensor] = None) -> Tensor:
    if bias is not None:
        x = x + bias
    return nn.functional.relu(x) if bias is None else nn.functional.relu6(x)


@runs((3,), (0,))
def while_with_else_by_flag(n: int) -> Tuple[int, bool]:
    i, found = 0, False
    while i < 5 and not found:
        if i == n:
            found = True
            continue
        i += 1
    return i, found


@runs((0,), (1,), form="script")
def enum_is(n: int) -> Tuple[bool, bool]:
    m = Mode.OFF
    if n == 1:
        m = Mode.ON
    return m is Mode.ON, m is not Mode.ON


@runs((0,), (1,))
def enum_as_argument(n: int) -> str:
    return _describe(Mode.ON if n > 0 else Mode.OFF)


def _describe(m: Mode) -> str:
    if m == Mode.ON:
        return "on " + str(m.value)
    return m.name.lower()


@runs((0,))
def enums_in_containers(n: int) -> Tuple[int, List[str]]:
    modes = [Mode.ON, Mode.OFF, Mode.ON]
    table: Dict[str, Mode] = {"a": Mode.ON}
    count = 0
    for m in modes:
        if m == table["a"]:
            count += 1
    return count, [m.name for m in modes]


@runs((5,))
def unused_branch(n: int) -> int:
    if torch.jit.is_scripting():
        return n + 1
    else:
        return _never(n)


@torch.jit.unused
def _never(n: int) -> int:
    return numpy_like(n)


@runs(([3, 1, 2], [0.5, 0.25], ["b", "a"]))
def sorts(a: List[int], b: List[float], c: List[str]) -> Tuple[List[int], List[float], List[str], List[int]]:
    d = sorted(a)
    a.sort(reverse=True)
    b.sort()
    c.sort()
    return a, b, c, d


@runs((7,))
def swapped(n: int) -> Tuple[int, int, int]:
    a, b, c = n, n + 1, n + 2
    a, b = b, a
    (a, b), c = (b, c), a
    return a, b, c


@runs((10,))
def chained_comparison(n: int) -> Tuple[bool, bool]:
    return (0 < n) and (n < 20), not (n == 10 or n != n)


@runs((torch.arange(12.0).view(3, 4),))
def slices(x: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    return x[1:, ::2], x[..., -1], x[None, 0], x[[0, 2]], x[x > 5]


@runs((torch.arange(6.0).view(2, 3),))
def assignments_to_slices(x: Tensor) -> Tensor:
    y = x.clone()
    y[0] = 1
    y[:, 1] = torch.tensor([7.0, 8.0])
    y[1, 2:] += 5
    y[y > 7] = -1.0
    y[..., 0] *= 2
    return y


@runs((1.5, 2), (1.0, 3))
def numeric_mixture(x: float, n: int) -> Tuple[float, int, float, float, bool]:
    return x * n, n // 2, n / 2, x ** n, x > n


@runs((3,))
def local_function_values(n: int) -> int:
    total = 0
    for i in range(n):
        for j in range(i, n):
            if j % 2 == 0:
                continue
            if i + j > 4:
                break
            total += i * 10 + j
    return total


@runs((3,))
def annotated_empties(n: int) -> Tuple[List[Tensor], Dict[int, str], Optional[Tensor]]:
    a = torch.jit.annotate(List[Tensor], [])
    b = torch.jit.annotate(Dict[int, str], {})
    c = torch.jit.annotate(Optional[Tensor], None)
    for i in range(n):
        a.append(torch.full((i,), float(i)))
        b[i] = "n" + str(i)
    return a, b, c


@runs((True,), (False,))
def union_of_containers(flag: bool) -> int:
    x: Union[List[int], Dict[str, int]] = [1, 2, 3]
    if flag:
        x = {"a": 5}
    if isinstance(x, list):
        return len(x)
    else:
        return x["a"]


@runs(("3", "0.5"))
def parsed(a: str, b: str) -> Tuple[int, float, bool, str]:
    return int(a) + 1, float(b) * 2, bool(int(a)), str(float(a))


@runs(("a=1, b = 2;c=3",))
def parsed_settings(text: str) -> Dict[str, int]:
    out: Dict[str, int] = {}
    for part in text.replace(";", ",").split(","):
        pieces = part.strip().split("=")
        out[pieces[0].strip()] = int(pieces[1].strip())
    return out


@runs((torch.tensor([1, 2, 3]),))
def tensor_to_python(x: Tensor) -> Tuple[int, List[int], float, bool]:
    n = int(x[0])
    v: List[int] = x.tolist()
    f = float(x.float().mean())
    return n, v, f, bool((x > 0).all())


@runs((3, 4))
def shape_arithmetic(a: int, b: int) -> Tuple[List[int], int, Tensor]:
    x = torch.zeros(a, b, 2)
    n, c, w = x.shape
    y = x.reshape(n, c * w) + torch.arange(c * w)
    return list(y.shape), x.numel() // n, y.sum(dim=0, keepdim=True)


@runs((2.0,))
def complex_numbers(x: float) -> Tuple[complex, float, complex]:
    z = complex(x, 1.0)
    w = z * (2 - 3j) / (1 + 2j)
    return w, abs(z), z + 1
