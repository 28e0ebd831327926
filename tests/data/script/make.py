#!/usr/bin/env python3
"""Writes the TorchScript fixtures of this folder: small models as .pt, each with NAME.cases.pt, a torch.save of
[(method, args tuple, expected), ...]; the method "" is a call of the model, with its hooks.

    make.py         with PyTorch 1.13, into this folder
    make.py two     with PyTorch 2.14, into two/
"""
import copy
import os
import sys
import zipfile
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import torch
from torch import nn

_source_of = torch._sources.get_source_lines_and_file


def _source_with_short_name(*args, **kwargs):
    """Keeps the folder of this script out of the files' debug records."""
    lines, number, path = _source_of(*args, **kwargs)
    return lines, number, os.path.basename(path) if path else path


torch._sources.get_source_lines_and_file = _source_with_short_name
torch.jit.frontend.get_source_lines_and_file = _source_with_short_name

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), *sys.argv[1:2])
torch.set_num_threads(1)
torch.set_grad_enabled(False)


class Hooked(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1


def pre_hook(self, inputs: Tuple[torch.Tensor]) -> Tuple[torch.Tensor]:
    return (inputs[0] * 10,)


def hook(self, inputs: Tuple[torch.Tensor], output: torch.Tensor) -> torch.Tensor:
    return output + inputs[0] * 1000


class HoldsHooked(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = hooked()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x) * 2


def hooked():
    module = Hooked()
    module.register_forward_pre_hook(pre_hook)
    module.register_forward_hook(hook)
    module.register_forward_hook(hook)
    return module


class Block(nn.Module):
    scale: torch.jit.Final[float]

    def __init__(self, scale: float):
        super().__init__()
        self.scale = scale
        self.linear = nn.Linear(4, 4)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(torch.relu(self.linear(x))) * self.scale


class Tree(nn.Module):
    """A hierarchy: lists, dicts, a shared child, names that are no identifiers, mangled classes."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(0.5), Block(2.0)])
        self.named = nn.ModuleDict({"first": nn.Linear(4, 2), "second": nn.Linear(4, 3)})
        self.sequence = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.ReLU())
        self.again = self.sequence[0]
        self.register_buffer("steps", torch.zeros(1, dtype=torch.long))

    def forward(self, x: torch.Tensor) -> Dict[str, torch.Tensor]:
        self.steps += 1
        for block in self.blocks:
            x = block(x)
        x = self.again(self.sequence(x))
        return {name: layer(x) for name, layer in self.named.items()}

    @torch.jit.export
    def count(self) -> int:
        return int(self.steps.item()) + len(self.blocks)


class Choice(NamedTuple):
    index: int
    score: float


@torch.jit.script
class Recorder:
    def __init__(self, names: List[str]):
        self.names = names
        self.depth = 0

    def __enter__(self) -> List[str]:
        self.depth += 1
        return self.names

    def __exit__(self, type: Any, value: Any, trace: Any) -> None:
        self.depth -= 1


def parallel(x: torch.Tensor, n: int) -> torch.Tensor:
    return x * n


class Words(nn.Module):
    """What only source files have: objects, with, fork, unions, text that is not ASCII, constants."""

    maybe: Union[int, str, None]

    def __init__(self):
        super().__init__()
        self.maybe = "start"
        self.table: Dict[str, List[Optional[int]]] = {"a": [1, None]}
        self.anchor = torch.arange(4, dtype=torch.float32)

    def forward(self, x: torch.Tensor, n: int = 2) -> Tuple[torch.Tensor, int]:
        names = ["\u00e9t\u00e9"]
        recorder = Recorder(names)
        with recorder as known:
            known.append("b")
            total = len(known) + recorder.depth
        futures = [torch.jit.fork(parallel, x, i) for i in range(n)]
        y = self.anchor + torch.tensor([0.5, 1.0, 1.5, 2.0])
        for future in futures:
            y = y + torch.jit.wait(future)
        return y, total + recorder.depth

    @torch.jit.export
    def best(self, scores: List[float]) -> Choice:
        best = Choice(-1, float("-inf"))
        for i, score in enumerate(scores):
            if score > best.score:
                best = Choice(i, score)
        return best

    @torch.jit.export
    def union(self, n: int) -> str:
        maybe = self.maybe
        if n > 0:
            self.maybe = n
        if isinstance(maybe, str):
            return maybe
        elif isinstance(maybe, int):
            return str(maybe + 1)
        return "none"

    @torch.jit.export
    def fail(self, x: torch.Tensor) -> torch.Tensor:
        if x.size(0) > 3:
            raise ValueError("too many rows: {}".format(x.size(0)))
        return x.view(7)


class Traced(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 3, 3, padding=1)
        self.norm = nn.BatchNorm2d(3)
        self.out = nn.Linear(3, 2)

    def forward(self, x):
        y = torch.relu(self.norm(self.conv(x)))
        y = nn.functional.interpolate(y, scale_factor=2.0, mode="nearest")
        return self.out(y.mean([2, 3])), y[:, 1:, ::2].reshape(x.shape[0], -1)


class Old(nn.Module):
    def forward(self, x, y):
        return torch.div(x, y)

    @torch.jit.export
    def filled(self, n: int):
        return torch.full([n], 3.5)

    @torch.jit.export
    def activation(self, x):
        return nn.functional.gelu(x)


class Even(nn.Module):
    """Written as format 8 for linspace(), and the code is good for any format."""

    def forward(self, n: int):
        return torch.linspace(0, 1, n), torch.full([n], 2.5), torch.div(torch.arange(n), 2, rounding_mode="floor")


class Powers(nn.Module):
    """Written as format 9."""

    def forward(self, n: int):
        return torch.logspace(0, 1, n)


class Roles(nn.Module):
    """A parameter that does not learn, a buffer, and a tensor that is neither."""

    def __init__(self):
        super().__init__()
        self.learns = nn.Parameter(torch.ones(2))
        self.fixed = nn.Parameter(torch.ones(3), requires_grad=False)
        self.register_buffer("count", torch.zeros(4))
        self.plain = torch.zeros(5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.learns.sum() + self.fixed.sum() + self.count.sum() + self.plain.sum()


def plain(value):
    return tuple(plain(v) for v in value) if isinstance(value, tuple) else value


def script(module):
    return module if isinstance(module, torch.jit.ScriptModule) else torch.jit.script(module)


class Nested(nn.Module):
    """Lists that hold one tensor a thousand million times."""

    def forward(self, x):
        y = [x] * 1000
        z = [y] * 1000
        return [z] * 1000


def save(name, module, calls, **options):
    path = os.path.join(HERE, name + ".pt")
    torch.jit.save(script(module), path, **options)
    loaded = torch.jit.load(path)
    cases = []
    for method, args in calls:
        result = (getattr(loaded, method) if method else loaded)(*copy.deepcopy(args))
        cases.append((method, args, plain(result)))
    torch.save(cases, os.path.join(HERE, name + ".cases.pt"))
    return path


def edited(source, target, edit):
    """A copy of an archive with the bytes of its records changed: edit(record, bytes) -> bytes."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.namelist():
            root, record = entry.split("/", 1)
            new.writestr(entry, edit(record, old.read(entry)))


def on_cuda(record, data):
    """As a file that was saved from a GPU."""
    if record.endswith(".pkl"):
        return data.replace(b"X\x03\x00\x00\x00cpu", b"X\x06\x00\x00\x00cuda:0")
    return data.replace(b'"cpu"', b'"cuda:0"') if record.endswith(".py") else data


def as_version(number):
    def edit(record, data):
        return b"%d\n" % number if record in ("version", ".data/version") else data
    return edit


def main():
    torch.manual_seed(1)
    x, v = torch.arange(12, dtype=torch.float32).view(3, 4) / 4 - 1, torch.tensor([2.0])
    save("hooks", hooked(), [("", (v,)), ("forward", (v,))])
    save("inner_hooks", HoldsHooked(), [("", (v,)), ("forward", (v,))])
    tree = Tree()
    path = save("tree", copy.deepcopy(tree).eval(), [("", (x,)), ("count", ()), ("forward", (x,)), ("count", ())],
                _extra_files={"labels.txt": "one\ntwo\n"})
    edited(path, os.path.join(HERE, "tree_cuda.pt"), on_cuda)
    training = copy.deepcopy(tree)
    for block in training.blocks:
        block.drop.p = 0.0
    save("tree_training", training, [("", (x,)), ("", (x,))])
    save("tree_frozen", torch.jit.freeze(script(copy.deepcopy(tree).eval())), [("", (x,))])
    save("words", Words(), [("", (torch.ones(4),)), ("", (torch.ones(4), 3)), ("best", ([0.5, 2.0, 1.0],)),
                            ("union", (0,)), ("union", (4,)), ("union", (5,))])
    picture = torch.linspace(-1, 1, 50).view(2, 1, 5, 5)
    save("traced", torch.jit.trace(Traced().eval(), picture), [("", (picture,))])
    a, b = torch.tensor([7, -7, 8]), torch.tensor([2, 2, -3])
    path = save("old", Old(), [("", (a, b)), ("", (a / 2, b)), ("filled", (3,)), ("activation", (x,))])
    if HERE.endswith("two"):
        return
    save("roles", Roles(), [("", (v,))])
    torch.jit.save(script(Nested()), os.path.join(HERE, "nested.pt"))
    save("format_9", Powers(), [("", (5,))])
    path = save("format_8", Even(), [("", (5,))])
    for number in (6, 7):
        target = path.replace("_8", "_%d" % number)
        edited(path, target, as_version(number))
        torch.save([("", (5,), plain(torch.jit.load(target)(5)))], target.replace(".pt", ".cases.pt"))
    edited(path.replace("format_8", "old"), os.path.join(HERE, "old_v3.pt"), as_version(3))
    torch.save([("", (a, b), torch.div(a, b, rounding_mode="trunc")), ("", (a / 2, b), a / 2 / b),
                ("filled", (3,), torch.full([3], 3.5))], os.path.join(HERE, "old_v3.cases.pt"))


if __name__ == "__main__":
    main()
