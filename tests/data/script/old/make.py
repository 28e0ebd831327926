#!/usr/bin/env python3
"""Writes the files of this folder: models saved by old releases of PyTorch, with the answers that the release itself
gave. Each NAME_RELEASE.pt has NAME_RELEASE.cases.pt beside it, a torch.save of [(method, args tuple, expected), ...].

    PYTHONPATH=... python3 make.py     with PyTorch 1.4, 1.5, 1.6 and 1.7, one after the other (Python 3.7)

The releases write file formats 1 to 4; `make.py check` with PyTorch 1.13 says whether that release still gives these
answers.
"""
import copy
import glob
import os
import sys
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
from torch import nn



def keep_folders_out(module):
    """Debug records name the files the code came from, without their folder on this machine."""
    original = module.get_source_lines_and_file

    def short(*args, **kwargs):
        lines, number, path = original(*args, **kwargs)
        return lines, number, os.path.basename(path) if path else path
    module.get_source_lines_and_file = short


keep_folders_out(torch.jit.frontend)
HERE = os.path.dirname(os.path.abspath(__file__))
RELEASE = "_".join(torch.__version__.split(".")[:2])


class Divisions(nn.Module):
    """Integers: truncated by 1.4 and 1.5, refused by 1.6, as floats by 1.7."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.div(x, y)

    @torch.jit.export
    def divided_in_place(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        z = x.clone()
        z.div_(y)
        z /= 2
        return z

    @torch.jit.export
    def divided_by_numbers(self, x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return x / 2, x / 2.0, x.float() / 4

    @torch.jit.export
    def divided_into(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        torch.div(x, y, out=out)
        return out



class Filled(nn.Module):
    def forward(self, n: int) -> Tuple[torch.Tensor, torch.Tensor]:
        return torch.full([n], 3.5), torch.full([n], 3, dtype=torch.long)



class Steps(nn.Module):
    def forward(self, n: int) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return torch.linspace(0, 1), torch.logspace(0, 1, n), torch.arange(0, n, 2)



class Activation(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.functional.gelu(x)


class Block(nn.Module):
    __constants__ = ["scale"]

    def __init__(self, width, scale):
        super(Block, self).__init__()
        self.scale = scale
        self.conv = nn.Conv2d(width, width, 3, padding=1, groups=width)
        self.norm = nn.BatchNorm2d(width)

    def forward(self, x):
        return x + nn.functional.relu6(self.norm(self.conv(x))) * self.scale


class Picture(nn.Module):
    """Layers, a list of modules, a dict as result, a buffer that counts."""

    def __init__(self):
        super(Picture, self).__init__()
        self.first = nn.Conv2d(3, 4, 3, stride=2, padding=1)
        self.blocks = nn.ModuleList([Block(4, 0.5), Block(4, 2.0)])
        self.last = nn.Sequential(nn.Dropout(0.2), nn.Linear(4, 5))
        self.register_buffer("runs", torch.zeros(1, dtype=torch.long))

    def forward(self, x: torch.Tensor) -> Dict[str, torch.Tensor]:
        self.runs += 1
        x = self.first(x)
        for block in self.blocks:
            x = block(x)
        big = nn.functional.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
        pooled = nn.functional.adaptive_avg_pool2d(x, 1).flatten(1)
        return {"scores": self.last(pooled), "map": big, "runs": self.runs.clone()}


class Plain(nn.Module):
    """What torch.jit.trace follows."""

    def __init__(self):
        super(Plain, self).__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.out = nn.Linear(4, 2)

    def forward(self, x):
        y = nn.functional.max_pool2d(torch.relu(self.norm(self.conv(x))), 2)
        y = nn.functional.interpolate(y, size=[6, 6], mode="nearest")
        return self.out(y.mean([2, 3])), y[:, 1:, ::2].reshape(x.size(0), -1)


class Tagger(nn.Module):
    """Embedding, LSTM, padding, transposes."""

    def __init__(self):
        super(Tagger, self).__init__()
        self.embedding = nn.Embedding(11, 6)
        self.lstm = nn.LSTM(6, 5, batch_first=True, bidirectional=True)
        self.gru = nn.GRU(10, 4)
        self.out = nn.Linear(4, 3)

    def forward(self, tokens: torch.Tensor, state: Optional[Tuple[torch.Tensor, torch.Tensor]] = None):
        y, state = self.lstm(self.embedding(tokens), state)
        z, _ = self.gru(y.transpose(0, 1))
        return torch.log_softmax(self.out(z), dim=-1).transpose(0, 1)


Span = NamedTuple("Span", [("start", int), ("end", int)])


@torch.jit.script
class Counter(object):
    def __init__(self, start: int):
        self.count = start
        self.seen = torch.jit.annotate(List[str], [])

    def add(self, word: str) -> int:
        self.count = self.count + 1
        self.seen.append(word)
        return self.count


class Words(nn.Module):
    """Containers, strings, optionals, loops, named tuples, exceptions."""

    def __init__(self):
        super(Words, self).__init__()
        self.table = torch.jit.annotate(Dict[str, int], {"a": 1, "b": 2})
        self.limits = [3, 5]

    def forward(self, words: List[str]) -> Tuple[List[int], Dict[str, int]]:
        counts = torch.jit.annotate(Dict[str, int], {})
        ids = torch.jit.annotate(List[int], [])
        for word in words:
            key = word.lower().strip()
            if key == "stop":
                break
            if key not in self.table:
                continue
            counts[key] = counts.get(key, 0) + 1
            ids.append(self.table[key])
        return ids, counts

    @torch.jit.export
    def longest(self, x: List[int]) -> Span:
        best = Span(0, 0)
        start = 0
        for i in range(len(x)):
            if i > 0 and x[i] < x[i - 1]:
                start = i
            if i + 1 - start > best.end - best.start:
                best = Span(start, i + 1)
        return best

    @torch.jit.export
    def counted(self, words: List[str]) -> Tuple[int, List[str]]:
        counter = Counter(10)
        for word in words:
            counter.add(word)
        return counter.count, counter.seen

    @torch.jit.export
    def parts(self, x: torch.Tensor) -> torch.Tensor:
        out = []
        for i in range(x.size(0)):
            out.append(x[i] * i)
        return torch.cat(out)

    @torch.jit.export
    def maybe(self, x: Optional[torch.Tensor], scale: float = 2.0) -> torch.Tensor:
        if x is None:
            return torch.zeros([2]) * scale
        else:
            return x * scale

    @torch.jit.export
    def text(self, n: int, x: float) -> str:
        out = ""
        while n > 0:
            out = out + str(n) + ","
            n -= 1
        return out + "{} {}".format(n, int(x)) + out.upper()

    @torch.jit.export
    def numbers(self, a: int, b: float) -> Tuple[int, int, float, float, bool]:
        return a // 3, a % 3, a / 4, b ** 2, a > b


def plain(value):
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    return dict(value) if isinstance(value, dict) else value


def answers(path, calls):
    loaded = torch.jit.load(path)
    return [(method, args, plain((getattr(loaded, method) if method != "forward" else loaded)(*copy.deepcopy(args))))
            for method, args in calls]


def save(name, module, calls):
    path = os.path.join(HERE, "%s_%s.pt" % (name, RELEASE))
    torch.jit.save(module, path)
    torch.save(answers(path, calls), path.replace(".pt", ".cases.pt"))


def write():
    torch.manual_seed(1)
    a, b = torch.tensor([7, -7, 8]), torch.tensor([2, 2, -3])
    numbers = (a,) if RELEASE in ("1_4", "1_5") else (a.float(),)
    calls = [("forward", (a.float() / 2, b)), ("divided_in_place", (a.float(), b)), ("divided_by_numbers", numbers),
             ("divided_into", (a.float(), b))]
    if RELEASE in ("1_4", "1_5"):
        calls += [("forward", (a, b)), ("divided_in_place", (a, b)), ("divided_into", (a, b))]
    if RELEASE == "1_7":
        calls += [("forward", (a, b)), ("divided_by_numbers", (a,))]
    save("divisions", torch.jit.script(Divisions()), calls)
    save("filled", torch.jit.script(Filled()), [("forward", (3,))])
    save("steps", torch.jit.script(Steps()), [("forward", (5,))])
    save("activation", torch.jit.script(Activation()), [("forward", (a.float() / 4,))])
    picture = torch.linspace(-1, 1, 2 * 3 * 8 * 8).view(2, 3, 8, 8)
    save("picture", torch.jit.script(Picture().eval()), [("forward", (picture,)), ("forward", (picture * 2,))])
    save("traced", torch.jit.trace(Plain().eval(), picture), [("forward", (picture,))])
    tokens = torch.tensor([[1, 5, 2, 9], [0, 3, 10, 4]])
    state = (torch.linspace(-1, 1, 20).view(2, 2, 5), torch.linspace(1, -1, 20).view(2, 2, 5))
    save("tagger", torch.jit.script(Tagger().eval()), [("forward", (tokens,)), ("forward", (tokens, state))])
    save("words", torch.jit.script(Words()),
         [("forward", (["A", " b", "x", "a", "Stop", "b"],)), ("longest", ([1, 2, 3, 0, 4, 5, 6, 1],)),
          ("counted", (["a", "b"],)), ("parts", (torch.ones(3, 2),)), ("maybe", (None,)), ("maybe", (torch.ones(2), 0.5)), ("text", (3, 2.5)), ("numbers", (17, 2.5))])


def same(a, b):
    if isinstance(a, torch.Tensor):
        return a.dtype == b.dtype and a.shape == b.shape and torch.allclose(a, b, atol=1e-6)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, dict):
        return set(a) == set(b) and all(same(a[k], b[k]) for k in a)
    return a == b


def check():
    for path in sorted(glob.glob(os.path.join(HERE, "*.cases.pt"))):
        cases = torch.load(path)
        results = answers(path.replace(".cases", ""), [case[:2] for case in cases])
        for (method, _, expected), (_, _, result) in zip(cases, results):
            if not same(result, expected):
                print(os.path.basename(path), method, "differs")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    check() if sys.argv[1:] == ["check"] else write()
