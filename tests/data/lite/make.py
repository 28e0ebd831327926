#!/usr/bin/env python3
"""Writes the lite-interpreter fixtures of this folder with PyTorch 1.13: small models as .ptl (and .ff), each with
NAME.cases.pt, a torch.save of [(method, args tuple, expected), ...]."""
import copy
import enum
import io
import os
import pickle
import struct
import zipfile
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import nn
from torch.jit.mobile import _backport_for_mobile, _load_for_lite_interpreter
from torch.utils import bundled_inputs, mobile_optimizer

_source_of = torch._sources.get_source_lines_and_file


def _source_with_short_name(*args, **kwargs):
    """Keeps the folder of this script out of the files' debug records."""
    lines, number, path = _source_of(*args, **kwargs)
    return lines, number, os.path.basename(path) if path else path


torch._sources.get_source_lines_and_file = _source_with_short_name
torch.jit.frontend.get_source_lines_and_file = _source_with_short_name

HERE = os.path.dirname(os.path.abspath(__file__))
torch.set_num_threads(1)


class Arithmetic(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)

    def forward(self, x):
        y = self.conv(x).relu() + torch.ones([2, 1, 1])
        torch.add(y, y, out=y)
        d = y.dim()
        if not y.is_cuda and d == 4:
            y = y * float(d)
        return y

    @torch.jit.export
    def describe(self, x) -> str:
        if x.dim() != 2:
            raise ValueError("expected a matrix, got dim {}".format(x.dim()))
        return "{} x {}: {}".format(x.size(0), x.size(1), x.dtype)


class ControlFlow(nn.Module):
    def forward(self, x, n: int):
        return self.nested(x, n)

    @torch.jit.export
    def nested(self, x, n: int):
        total = x
        for i in range(n):
            if i % 2 == 0:
                for j in range(i):
                    if j == 2:
                        total = total * 2
                    else:
                        total = total + j
            else:
                total = total - i
        return total

    @torch.jit.export
    def collatz(self, n: int) -> int:
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    @torch.jit.export
    def first_multiple(self, values: List[int], k: int) -> int:
        for v in values:
            if v < 0:
                continue
            if v == 99:
                break
            if v % k == 0:
                return v
        return -1

    @torch.jit.export
    def sign(self, a: float) -> Tuple[str, int]:
        if a > 0:
            return "positive", 1
        elif a < 0:
            return "negative", -1
        return "zero", 0

    @torch.jit.export
    def swap(self, a: int, b: int, n: int) -> Tuple[int, int]:
        for _ in range(n):
            a, b = b, a + b
        return a, b


class Point(NamedTuple):
    x: torch.Tensor
    label: int


class Containers(nn.Module):
    def __init__(self):
        super().__init__()
        self.table: Dict[str, int] = {"one": 1, "two": 2}
        self.names: List[str] = ["one", "two"]
        self.pair: Tuple[int, Optional[str]] = (3, None)
        self.matrix: List[List[int]] = [[1, 2], [3]]

    def forward(self, x):
        out: List[torch.Tensor] = []
        for name in self.names:
            out.append(x * self.table[name])
        a, b = out
        return a + b + self.pair[0]

    @torch.jit.export
    def build(self, n: int) -> Dict[str, List[float]]:
        d: Dict[str, List[float]] = {}
        for i in range(n):
            d[str(i)] = [float(j) for j in range(i)]
        return d

    @torch.jit.export
    def unpack(self, x: Tuple[int, Tuple[str, float]]) -> Tuple[float, str]:
        a, (b, c) = x
        return a * c, b

    @torch.jit.export
    def total(self) -> int:
        s = 0
        for row in self.matrix:
            for v in row:
                s += v
        return s

    @torch.jit.export
    def tolist(self, x):
        l: List[List[int]] = x.tolist()
        return l

    @torch.jit.export
    def maybe(self, x: Optional[int]) -> int:
        if x is None:
            return -1
        return x + 1

    @torch.jit.export
    def topk(self, x):
        values, indices = torch.topk(x, 2)
        return values, indices

    @torch.jit.export
    def kind(self, flag: int) -> str:
        if isinstance(self.pair[1], str):
            return "str"
        return "none"


class NamedTuples(nn.Module):
    def forward(self, x, n: int):
        p = Point(x, n)
        if n > 3:
            p = Point(x + 1, n * 2)
        return p

    @torch.jit.export
    def labels(self, points: List[Point]) -> List[int]:
        return [p.label for p in points]

    @torch.jit.export
    def unpack(self, p: Point):
        x, label = p
        return x * label


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0
        self.register_buffer("seen", torch.zeros(2))

    def forward(self, x):
        self.count += 1
        self.seen = self.seen + x
        return self.seen * self.count


@torch.jit.script
class Accumulator(object):
    def __init__(self, start: int):
        self.total = start
        self.items: List[int] = []

    def add(self, v: int) -> None:
        self.total += v
        self.items.append(v)


class Classes(nn.Module):
    def __init__(self):
        super().__init__()
        self.acc = Accumulator(10)

    def forward(self, values: List[int]) -> Tuple[int, List[int]]:
        for v in values:
            self.acc.add(v)
        return self.acc.total, self.acc.items


@torch.jit.interface
class Scaler(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass


class Twice(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


class Interfaces(nn.Module):
    scaler: Scaler

    def __init__(self):
        super().__init__()
        self.scaler = Twice()

    def forward(self, x):
        return self.scaler.forward(x) + 1


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Enums(nn.Module):
    def __init__(self):
        super().__init__()
        self.color = Color.GREEN

    def forward(self, x):
        if self.color == Color.GREEN:
            return x + self.color.value
        return x

    @torch.jit.export
    def names(self) -> Tuple[str, str]:
        return self.color.name, Color.RED.name


class Stateful(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.ones(3)
        self.bias = 2

    @torch.jit.export
    def __getstate__(self):
        return self.weight, self.bias, self.training

    @torch.jit.export
    def __setstate__(self, state: Tuple[torch.Tensor, int, bool]):
        self.weight = state[0] * 10
        self.bias = state[1] + 1
        self.training = state[2]

    def forward(self, x):
        return x * self.weight + self.bias


class HasStateful(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Stateful()
        self.again = self.inner

    def forward(self, x):
        return self.inner(x) + self.again(x)


class Inner(nn.Module):
    def forward(self, x, y):
        return torch.matmul(x, y)


class Failing(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x, y):
        return self.inner(x, y) + 1


class Bundled(nn.Module):
    def forward(self, x, k: int):
        return x * k


class Defaults(nn.Module):
    def forward(self, x, k: int = 3, name: Optional[str] = None):
        if name is None:
            return x * k
        return x


class Aliases(nn.Module):
    def __init__(self):
        super().__init__()
        base = torch.arange(6, dtype=torch.float32)
        self.register_buffer("whole", base)
        self.register_buffer("view", base.view(2, 3)[:, 1:])
        self.register_buffer("quantised", torch.quantize_per_tensor(torch.tensor([0.5, 1.5]), 0.5, 3, torch.quint8))
        self.register_buffer(
            "channels",
            torch.quantize_per_channel(torch.ones(2, 2), torch.tensor([0.5, 0.25]), torch.tensor([0, 0]), 0, torch.qint8))

    def forward(self, x):
        self.whole += x
        return self.view + self.quantised.dequantize().sum() + self.channels.dequantize()


class Prepacked(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 1)
        self.linear = nn.Linear(4, 2)

    def forward(self, x):
        return self.linear(self.conv(x).relu())


class OldOps(nn.Module):
    def forward(self, x, y):
        return torch.div(x, y)

    @torch.jit.export
    def scalar(self, x, s: float):
        return x / s

    @torch.jit.export
    def in_place(self, x, y):
        return x.div_(y)

    @torch.jit.export
    def activation(self, x):
        return torch.nn.functional.gelu(x)

    @torch.jit.export
    def line(self, n: int):
        return torch.linspace(0, 1, n)


class Upgraded(nn.Module):
    """One method for each operator whose old meaning PyTorch keeps; no two have the same number of arguments."""

    def forward(self, x, y):
        return x / y

    @torch.jit.export
    def activation(self, x):
        return torch.nn.functional.gelu(x)

    @torch.jit.export
    def into(self, x, y, z):
        return torch.div(x, y, out=z)

    @torch.jit.export
    def scalar(self, x, y: int, a: int, b: int):
        return x / y

    @torch.jit.export
    def in_place(self, x, y, a: int, b: int, c: int):
        return x.div_(y)

    @torch.jit.export
    def in_place_scalar(self, x, y: float, a: int, b: int, c: int, d: int):
        return x.div_(y)


class Language(nn.Module):
    kept: Optional[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.kept = None

    def forward(self, x, n: int) -> torch.Tensor:
        y: Optional[torch.Tensor] = None
        for i in range(n):
            if y is None:
                y = x
            else:
                y = y + x
        if y is None:
            return x
        return y

    @torch.jit.export
    def toggled(self, x, n: int) -> Optional[torch.Tensor]:
        y: Optional[torch.Tensor] = x
        i = 0
        while i < n:
            i += 1
            if y is not None:
                y = y * 2 if i < 2 else None
            else:
                y = x
        return y

    @torch.jit.export
    def nested(self, n: int) -> Tuple[List[int], Dict[int, Tuple[str, float]], float]:
        d: Dict[int, Tuple[str, float]] = {}
        found: List[int] = []
        total = 0.0
        for i in range(n):
            for j in range(i):
                if j == 3:
                    break
                if (i + j) % 2 == 0:
                    continue
                d[i * 10 + j] = (str(j), float(i) / 2)
                found.append(j)
        for k in d:
            total += d[k][1]
        found = sorted(found) + [w + 1 for w in found]
        return found, d, total

    @torch.jit.export
    def strings(self, a: str, n: int) -> List[str]:
        out = [c + c for c in a]
        out.append("%s-%d" % (a, n))
        out.append(f"{a}{n}")
        out.append(a.upper().replace("A", "b"))
        out.extend(a.split("b"))
        return out

    @torch.jit.export
    def keep(self, x):
        kept = self.kept
        if kept is None:
            self.kept = x.clone()
            return x
        else:
            return kept + x

    @torch.jit.export
    def slices(self, x):
        t = (1, x, "a", [2.5])
        a = t[1:3]
        b = t[-1]
        return a[0], b[0], x[0], x[..., 1:], x[:, None]

    @torch.jit.export
    def keywords(self, x, dim: int = -1, keep: bool = False, name: str = "ab", scale: float = 1.5,
                 extra: Optional[List[int]] = None):
        y = x.sum(dim, keepdim=keep) * scale
        if extra is not None:
            y = y + float(extra[0])
        return y, name

    @torch.jit.export
    def mixed(self, x, flag: bool):
        if flag:
            a, b, c = 1, 2.5, "s"
        else:
            a, b, c = 2, 3.5, "t"
        z = x + a if flag and a > 0 or b > 3 else x * b
        return z, a, b, c

    @torch.jit.export
    def lists(self, n: int) -> Tuple[int, int, List[int], List[List[int]]]:
        values = list(range(n))
        values.reverse()
        values.insert(0, 5)
        last = values.pop()
        del values[0]
        return last, len(values), values[::2], [[i * j for i in range(j)] for j in range(n)]

    @torch.jit.export
    def early(self, xs: List[torch.Tensor], limit: float) -> int:
        i = 0
        for x in xs:
            if float(x.sum()) > limit:
                return i
            j = 0
            while True:
                j += 1
                if j > i:
                    break
                if j == 7:
                    return -7
            i += 1
        return -1

    @torch.jit.export
    def zipped(self, a: List[int], b: List[str]) -> List[str]:
        out: List[str] = []
        for i, (x, y) in enumerate(zip(a, b)):
            out.append(str(i) + str(x) + y)
        return out


def save(name, module, calls, flatbuffer=False, **kwargs):
    scripted = module if isinstance(module, torch.jit.ScriptModule) else torch.jit.script(module.eval())
    path = os.path.join(HERE, name + ".ptl")
    scripted._save_for_lite_interpreter(path, **kwargs)
    if flatbuffer:
        scripted._save_for_lite_interpreter(os.path.join(HERE, name + ".ff"), _use_flatbuffer=True, **kwargs)
    cases = []
    for method, args in calls:
        run_args = copy.deepcopy(args)
        result = getattr(scripted, method)(*run_args)
        if isinstance(result, Point) or type(result).__name__ == "Point":
            result = tuple(result)
        cases.append((method, args, result))
    torch.save(cases, os.path.join(HERE, name + ".cases.pt"))
    return path


def save_upgraded(name, calls):
    """A file as PyTorch saves it after loading an old one: operators became calls of its own functions, by number."""
    path = os.path.join(HERE, name + ".ff")
    torch.jit.script(Upgraded())._save_for_lite_interpreter(path, _use_flatbuffer=True)
    with open(path, "rb") as f:
        code = bytearray(f.read())
    for arguments, function in ((3, 1), (2, 5), (4, 4), (5, 0), (6, 3), (7, 2)):
        at = code.index(struct.pack("<BxHi", 4, arguments, 1))  # STOREN 1, arguments
        while code[at] != 0:  # OP
            at += 8
        struct.pack_into("<BxHi", code, at, 14, 0, function)  # CALL
    with open(path, "wb") as f:
        f.write(code)
    module = _load_for_lite_interpreter(path)
    cases = [(method, args, module.run_method(method, *copy.deepcopy(args))) for method, args in calls]
    torch.save(cases, os.path.join(HERE, name + ".cases.pt"))


class _PlainUnpickler(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError("only plain values are expected")


def as_version_3(source, target):
    """Rewrites a file of version 5 without tensor constants as PyTorch before 1.7 wrote it: no version, no schemas."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.namelist():
            data = old.read(entry)
            record = entry.split("/", 1)[1]
            if record.startswith("code/"):
                continue
            if record == "bytecode.pkl":
                methods = _PlainUnpickler(io.BytesIO(data)).load()[1:]
                data = pickle.dumps(tuple((name, code) for name, code, _ in methods), protocol=2)
            new.writestr("archive/" + record, data)


def main():
    torch.manual_seed(0)
    torch.set_grad_enabled(False)
    x = torch.arange(16, dtype=torch.float32).view(1, 1, 4, 4) / 8 - 1
    m = torch.tensor([[1.0, -2.0], [3.0, 0.5]])
    path = save("arithmetic", Arithmetic(), [("forward", (x,)), ("describe", (m,))], True,
                _extra_files={"metadata.json": "{\"answer\": 42}"})
    for version in (7, 6, 5, 4):
        _backport_for_mobile(path, os.path.join(HERE, "arithmetic_v%d.ptl" % version), version)
    flow = [("forward", (m, 7)), ("nested", (m, 0)), ("collatz", (27,)), ("first_multiple", ([5, -6, 7, 9, 12], 3)),
            ("first_multiple", ([5, 99, 9], 3)), ("sign", (0.5,)), ("sign", (-1.0,)), ("sign", (0.0,)), ("swap", (0, 1, 10))]
    path = save("control_flow", ControlFlow(), flow, True)
    _backport_for_mobile(path, os.path.join(HERE, "control_flow_v5.ptl"), 5)
    as_version_3(os.path.join(HERE, "control_flow_v5.ptl"), os.path.join(HERE, "control_flow_v3.ptl"))
    long = torch.tensor([[1, 2], [3, 4]])
    path = save("containers", Containers(),
                [("forward", (m,)), ("build", (3,)), ("unpack", ((2, ("a", 1.5)),)), ("total", ()),
                 ("tolist", (long,)), ("maybe", (None,)), ("maybe", (4,)), ("topk", (torch.tensor([1.0, 5.0, 3.0]),)),
                 ("kind", (1,))], True)
    _backport_for_mobile(path, os.path.join(HERE, "containers_v4.ptl"), 4)
    three = [m, m * 2, m * 3]
    path = save("language", Language(),
                [("forward", (m, 0)), ("forward", (m, 3))] + [("toggled", (m, n)) for n in range(4)] +
                [("nested", (7,)), ("strings", ("abc", 3)), ("keep", (m,)), ("keep", (m,)), ("slices", (m,)),
                 ("keywords", (m,)), ("keywords", (m, 0, True, "q", 2.0, [3])), ("mixed", (m, True)),
                 ("mixed", (m, False)), ("lists", (5,)), ("early", (three, 6.0)), ("early", (three, 1e9)),
                 ("zipped", ([1, 2], ["a", "b"]))], True)
    for version in (7, 6, 5, 4):
        _backport_for_mobile(path, os.path.join(HERE, "language_v%d.ptl" % version), version)
    save("named_tuples", NamedTuples(), [("forward", (m, 2)), ("forward", (m, 7))])
    v2 = torch.tensor([1.0, 2.0])
    save("counter", Counter(), [("forward", (v2,))], True)
    save("classes", Classes(), [("forward", ([1, 2, 3],))], True)
    save("interfaces", Interfaces(), [("forward", (m,))])
    save("enums", Enums(), [("forward", (m,)), ("names", ())])
    save("stateful", torch.jit.script(HasStateful()), [], True)
    v3 = torch.tensor([1.0, 2.0, 3.0])
    torch.save([("forward", (v3,), (v3 * 10 + 3) * 2)], os.path.join(HERE, "stateful.cases.pt"))
    save("failing", Failing(), [("forward", (m, m))], True, _save_mobile_debug_info=True)
    bundled = bundled_inputs.bundle_inputs(torch.jit.script(Bundled().eval()),
                                           [(m, 2), (torch.zeros(40) + 1, 3)])
    save("bundled", bundled, [("forward", (m, 2)), ("get_num_bundled_inputs", ())], True)
    save("defaults", Defaults(), [("forward", (m,)), ("forward", (m, 5)), ("forward", (m, 5, "a"))], True)
    save("aliases", Aliases(), [], True)
    torch.save([("forward", (torch.ones(6),), Aliases().forward(torch.ones(6)))], os.path.join(HERE, "aliases.cases.pt"))
    packed = mobile_optimizer.optimize_for_mobile(torch.jit.script(Prepacked().eval()))
    save("prepacked", packed, [("forward", (x,))])
    save("old_ops", OldOps(), [("forward", (m, m)), ("scalar", (m, 2.0)), ("in_place", (m.clone(), m)),
                               ("activation", (m,)), ("line", (3,))])
    x, y = torch.tensor([7, -7, 9]), torch.tensor([2, 2, -4])
    calls = [("forward", (x, y)), ("forward", (x, y / 2)), ("activation", (m,)), ("scalar", (x, 2, 0, 0)),
             ("scalar", (m, 2, 0, 0)), ("in_place", (m.clone(), m, 0, 0, 0)), ("in_place", (x.clone(), y, 0, 0, 0)),
             ("in_place_scalar", (m.clone(), 2.0, 0, 0, 0, 0)), ("into", (x, y, torch.zeros(3, dtype=torch.long))),
             ("into", (m, m + 1, torch.zeros_like(m)))]
    save_upgraded("upgraded", calls)
    torch.jit.script(Bundled().eval()).save(os.path.join(HERE, "not_lite.pt"))


if __name__ == "__main__":
    main()
