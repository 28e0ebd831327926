from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import torch
from torch import Tensor, nn

from lib.language import runs


class Boxes(NamedTuple):
    corners: Tensor
    size: Tuple[int, int]


class Batch(NamedTuple):
    images: Tensor
    boxes: List[Boxes]


@torch.jit.script
class Tracker:
    """Objects that hold objects, tensors and optional things."""

    def __init__(self, limit: int):
        self.limit = limit
        self.seen: Dict[int, Tensor] = {}
        self.last = torch.jit.annotate(Optional[Tensor], None)
        self.names: List[str] = []

    def add(self, key: int, value: Tensor) -> bool:
        if len(self.seen) >= self.limit and key not in self.seen:
            return False
        self.seen[key] = value
        self.last = value
        self.names.append(f"#{key}")
        return True

    def mean(self) -> Tensor:
        values = list(self.seen.values())
        if len(values) == 0:
            return torch.zeros(1)
        return torch.stack(values).mean(0)


@torch.jit.script
class Interval:
    def __init__(self, low: int, high: int):
        self.low = low
        self.high = high

    def __contains__(self, x: int) -> bool:
        return self.low <= x and x < self.high

    def __len__(self) -> int:
        return self.high - self.low

    def __getitem__(self, i: int) -> int:
        if i >= len(self):
            raise IndexError("out of the interval")
        return self.low + i

    def __eq__(self, other: "Interval") -> bool:
        return self.low == other.low and self.high == other.high

    def __lt__(self, other: "Interval") -> bool:
        return len(self) < len(other)

    def __and__(self, other: "Interval") -> "Interval":
        return Interval(max(self.low, other.low), min(self.high, other.high))

    def __sub__(self, k: int) -> "Interval":
        return Interval(self.low - k, self.high - k)

    def __call__(self, x: int) -> int:
        return min(max(x, self.low), self.high)

    def __bool__(self) -> bool:
        return self.high > self.low


@runs((3,), (9,))
class IntervalUse(nn.Module):
    def forward(self, n: int) -> Tuple[bool, int, List[int], bool, int, int]:
        a, b = Interval(0, n), Interval(2, 6)
        c = a & b
        d = c - 1
        items: List[int] = []
        for i in range(len(d)):
            items.append(d[i])
        return 4 in a, len(b), items, a == Interval(0, n), b(n), 1 if d else 0


@runs((4,))
class IntervalSorted(nn.Module):
    def forward(self, n: int) -> List[int]:
        all = [Interval(i, i + (i * 5) % 7) for i in range(n)]
        all.sort()
        out = [x.low for x in all]
        all.sort(reverse=True)
        return out + [x.low for x in all] + [x.low for x in sorted(all)]


@runs((2,), (1,))
class IntervalRaises(nn.Module):
    def forward(self, n: int) -> int:
        return Interval(0, 2)[n]


@runs((torch.arange(3.0),))
class TrackerUse(nn.Module):
    def forward(self, x: Tensor) -> Tuple[Tensor, List[bool], Optional[Tensor], List[str]]:
        t = Tracker(2)
        flags: List[bool] = []
        for i in range(4):
            flags.append(t.add(i % 3, x * i))
        return t.mean(), flags, t.last, t.names


@runs((torch.ones(2, 3), 2), (torch.ones(2, 3), 0))
class NestedTuples(nn.Module):
    def make(self, x: Tensor, n: int) -> Batch:
        return Batch(x, [Boxes(x[:, :k + 1], (k, k + 1)) for k in range(n)])

    def forward(self, x: Tensor, n: int) -> Tuple[int, Tensor, List[Tuple[int, int]]]:
        batch = self.make(x, n)
        total = 0
        sizes: List[Tuple[int, int]] = []
        for boxes in batch.boxes:
            h, w = boxes.size
            total += h * 10 + w
            sizes.append(boxes.size)
        last = batch.boxes[-1].corners if len(batch.boxes) > 0 else batch.images
        return total, last, sizes


@runs(([1, 2, 3],), ([0],))
class Refinement(nn.Module):
    def pick(self, xs: List[int], k: int) -> Optional[int]:
        for x in xs:
            if x > k:
                return x
        return None

    def forward(self, xs: List[int]) -> Tuple[int, str, int]:
        a = self.pick(xs, 1)
        b = self.pick(xs, 100)
        first = a if a is not None else -1
        if b is None and a is not None:
            text = "only " + str(a)
        elif b is not None:
            text = "b"
        else:
            text = "none"
        while a is not None and first < 100:
            first += torch.jit._unwrap_optional(a)
            a = self.pick(xs, first)
        return first, text, first


@runs((torch.ones(2), None, None), (torch.ones(2), torch.ones(2) * 2, None), (torch.ones(2), None, [1.0, 2.0]))
class ManyOptionals(nn.Module):
    def forward(self, x: Tensor, y: Optional[Tensor], w: Optional[List[float]]) -> Dict[str, Tensor]:
        out: Dict[str, Tensor] = {"x": x}
        if y is not None and w is None:
            out["y"] = y + x
        if w is not None:
            for i, k in enumerate(w):
                out["w" + str(i)] = x * k
        z = y if y is not None else x
        assert isinstance(z, Tensor)
        out["z"] = z
        return out


@runs((5, [1, 2], "a"), (0, [3], "b"))
class Arithmetic(nn.Module):
    def forward(self, n: int, xs: List[int], s: str) -> Tuple[List[int], List[float], str, bool]:
        ints = [n // 2, -n // 2, n % 3, -n % 3, n << 2, n >> 1, n & 3, n | 8, n ^ 5, abs(-n), -n]
        floats = [n ** 2, n / 2, n * 0.5, float(n) // 2.0, -float(n) % 3.0, 2.0 ** n, float(round(n * 0.37)), pow(2.0, n),
                  n * 1e3]
        text = s + s.upper() + str(xs) + str(n > 2)
        return ints, floats, text, (n > 1) == (len(xs) > 1)


@runs(("Hello, World",), ("a\tb\nc'\"\\",), ("",))
class Strings(nn.Module):
    def forward(self, s: str) -> Tuple[List[str], List[int], List[bool]]:
        texts = [s.lower(), s.upper(), s.title(), s.capitalize(), s.swapcase(), s.strip("Hd"), s.lstrip(), s.rstrip("d"),
                 s.replace("l", "L", 1), s.center(20, "*"), s.ljust(15) + "|", s.rjust(15) + "|", s.zfill(15), s[1:4],
                 s[::-1],
                 s[-3:], "-".join(list(s)), s.expandtabs(4), s + s, repr_of(s)]
        numbers = [len(s), s.find("o"), s.rfind("o"), s.count("l")]
        flags = [s.startswith("He"), s.endswith("d"), s.isalpha(), s.isdigit(), s.isupper(), s.islower(), s.isspace(),
                 s.isalnum(), "lo" in s, s.isidentifier() if len(s) < 0 else False, s < "I", s == "Hello, World"]
        return texts, numbers, flags


def repr_of(s: str) -> str:
    return str([s])


@runs(("a,b,,c",), ("one  two three",))
class Splits(nn.Module):
    def forward(self, s: str) -> Tuple[List[str], List[str], List[str], List[str], Tuple[str, str, str]]:
        return s.split(","), s.split(), s.rsplit(",", 1), s.splitlines(), s.partition(",")


@runs((3,))
class DictOperations(nn.Module):
    def forward(self, n: int) -> Tuple[Dict[str, int], List[str], List[int], int, List[Tuple[str, int]]]:
        d = {"k" + str(i): i * i for i in range(n)}
        d["x"] = d.pop("k0") + 5
        d.update({"y": 7, "k1": 100})
        e = d.copy()
        e.setdefault("z", 3)
        del e["y"]
        total = e.get("missing", -1) + e.get("x", 0)
        if "k1" in e and "q" not in e:
            total += len(e)
        items = [(k, v) for k, v in e.items()]
        d.clear()
        d["only"] = 1
        return d, list(e.keys()), list(e.values()), total, items


@runs((4,))
class ListOperations(nn.Module):
    def forward(self, n: int) -> Tuple[List[int], List[int], int, List[List[int]], bool]:
        a = list(range(n))
        a.insert(1, 50)
        a.extend([7, 8, 7])
        a.remove(7)
        b = a[1:-1]
        b.reverse()
        b += [1, 2]
        c = b.pop(0) + a.index(50) + a.count(7)
        nested = [[i * j for j in range(i)] for i in range(n)]
        nested[2][1] = -1
        del a[0]
        x = a == b or len(a) < len(b)
        return a, b, c, nested, x


@runs((torch.tensor([3, 1, 2]), 2),)
class MixedScalars(nn.Module):
    def forward(self, x: Tensor, k: int) -> Tuple[Tensor, Tensor, int, float, bool, Tensor]:
        n = x.numel() * k
        y = x * 0.5 + k
        z = k - y
        w = 1 / y
        m = int(x.max()) + n
        f = x.float().std(unbiased=False).item()
        assert isinstance(f, float)
        return z, w ** 2, m, f, bool((x == k).any()), 2 ** x


@runs((torch.ones(2, 3),), (torch.zeros(2, 3),))
class TensorConditions(nn.Module):
    def forward(self, x: Tensor) -> Tuple[Tensor, str]:
        if x.sum() > 0:
            if x.shape[0] == 2 and x.is_floating_point():
                return x * 2, "positive"
        elif torch.all(x == 0):
            return x - 1, "zeros"
        return x, "other"


@runs((6,), (7,))
class EarlyExits(nn.Module):
    def forward(self, n: int) -> Tuple[int, List[int]]:
        seen: List[int] = []
        for i in range(2, n):
            prime = True
            for j in range(2, i):
                if i % j == 0:
                    prime = False
                    break
            if not prime:
                continue
            seen.append(i)
            if len(seen) == 3:
                return i, seen
        i = 0
        while True:
            i += 1
            if i * i > n:
                break
        return -i, seen


class Block(nn.Module):
    __constants__ = ["skip", "kind"]

    def __init__(self, skip: bool, kind: str):
        super().__init__()
        self.skip = skip
        self.kind = kind
        self.down: Optional[nn.Module] = nn.Tanh() if skip else None

    def forward(self, x: Tensor) -> Tensor:
        y = x * 2
        if self.down is not None:
            y = self.down(y)
        if self.kind == "relu":
            y = torch.relu(y)
        else:
            y = torch.sigmoid(y)
        if self.skip:
            y = y + x
        return y


@runs((torch.arange(-2.0, 2.0),))
class ConstantBranches(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(True, "relu"), Block(False, "sigmoid"))
        self.extra = nn.ModuleDict({"one": Block(False, "relu")})

    def forward(self, x: Tensor) -> Tensor:
        for name, block in self.extra.items():
            if name == "one":
                x = block(x)
        return self.blocks(x) + len(self.blocks)


@runs((torch.arange(4.0), True), (torch.arange(4.0), False))
class AnyResults(nn.Module):
    def forward(self, x: Tensor, flag: bool) -> Tuple[Union[Tensor, List[int]], Any]:
        r: Union[Tensor, List[int]] = x
        if flag:
            r = [1, 2]
        a: Any = 5
        if not flag:
            a = {"k": x}
        return r, a


@runs((torch.ones(5),))
class GrowsStored(nn.Module):
    """Memory of a file can not grow."""

    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.zeros(2))

    def forward(self, x: Tensor) -> Tensor:
        torch.add(x, x, out=self.kept)
        return self.kept


@runs((float("nan"),), (1.0,), form="script")
class NotANumber(nn.Module):
    """The compiler knows that a number equals itself, right or wrong."""

    def forward(self, x: float) -> Tuple[bool, bool, bool, bool]:
        y = x
        return x == x, y != x, x <= x, x == 1.0


@runs((torch.rand(2, 3, 8, 8, generator=torch.Generator().manual_seed(1)),))
class FunctionalLayers(nn.Module):
    def __init__(self):
        super().__init__()
        random = torch.Generator().manual_seed(2)
        self.weight = nn.Parameter(torch.rand(4, 3, 3, 3, generator=random))
        self.register_buffer("mean", torch.rand(4, generator=random))
        self.register_buffer("var", torch.rand(4, generator=random) + 0.5)

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
        y = nn.functional.conv2d(x, self.weight, padding=1)
        y = nn.functional.batch_norm(y, self.mean, self.var, training=False)
        y = nn.functional.gelu(nn.functional.max_pool2d(y, 2))
        a = nn.functional.adaptive_avg_pool2d(y, (1, 1)).flatten(1)
        b = nn.functional.normalize(a, dim=1)
        c = nn.functional.log_softmax(nn.functional.pad(b, [1, 1], value=0.5), dim=-1)
        return a, b, c


@runs((torch.ones(3),))
class Warns(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        if x.numel() > 100:
            print("large", x.shape, 3, "s", 2.5)
        return x + 1


@runs((3, "abc"))
class KeywordsEverywhere(nn.Module):
    def inner(self, a: int, b: int = 2, c: str = "c") -> str:
        return str(a) + str(b) + c

    def forward(self, n: int, s: str = "zz") -> Tuple[str, str, Tensor]:
        x = torch.zeros(size=[2, n], dtype=torch.int64)
        x = torch.full_like(input=x, fill_value=n, dtype=torch.float32)
        return self.inner(n), self.inner(a=n, c=s, b=n + 1), x.sum(dim=[0], keepdim=True, dtype=torch.float64)
