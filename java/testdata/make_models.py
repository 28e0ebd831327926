#!/usr/bin/env python3
"""make_models.py: writes the models of the Java tests and what PyTorch answers, into the folder of this script.

NAME.pt and NAME.ptl are a model; NAME.cases has a line for each call: method, arguments and result, with tabs
between. Values are written as Values.java reads them. Needs PyTorch 1.13; the files are kept in the tree, so that tests
do not."""
import base64
import os
import pathlib
from typing import Dict, List, Optional, Tuple

import torch
import torch._sources
import torch.jit.frontend
from torch import Tensor, nn

FOLDER = pathlib.Path(__file__).resolve().parent
DTYPES = [torch.uint8, torch.int8, torch.int32, torch.float32, torch.int64, torch.float64]


def source_without_folder(*args, lines_and_file=torch._sources.get_source_lines_and_file):
    """Models name their source; where it was when they were made is nobody's business."""
    lines, first, path = lines_and_file(*args)
    return lines, first, path and os.path.basename(path)


torch._sources.get_source_lines_and_file = source_without_folder
torch.jit.frontend.get_source_lines_and_file = source_without_folder


def quoted(text):
    return base64.b64encode(text.encode()).decode()


def number(x):
    return float(x).hex() if isinstance(x, float) else str(int(x))


def tensor(t):
    form = "c"
    if t.dim() == 4 and t.is_contiguous(memory_format=torch.channels_last):
        form, t = "l", t.permute(0, 2, 3, 1)
        shape = [t.shape[0], t.shape[3], t.shape[1], t.shape[2]]
    elif t.dim() == 5 and t.is_contiguous(memory_format=torch.channels_last_3d):
        form, t = "d", t.permute(0, 2, 3, 4, 1)
        shape = [t.shape[0], t.shape[4], t.shape[1], t.shape[2], t.shape[3]]
    else:
        shape = list(t.shape)
    flat = [number(x) for x in t.reshape(-1).tolist()]
    return f"t{form}:{str(t.dtype)[6:]}[{' '.join(map(str, shape))}][{' '.join(flat)}]"


def text(v, kind=None):
    """As Values.java reads it; kind "list" asks for a generic list."""
    if v is None:
        return "n"
    if isinstance(v, Tensor):
        return tensor(v)
    if isinstance(v, bool):
        return f"b:{int(v)};"
    if isinstance(v, int):
        return f"i:{v};"
    if isinstance(v, float):
        return f"f:{v.hex()};"
    if isinstance(v, str):
        return f"s:{quoted(v)};"
    if isinstance(v, tuple):
        return "T(" + "".join(text(x) for x in v) + ")"
    if isinstance(v, Typed):
        items = " ".join(number(x) for x in v.items)
        return f"{v.kind}{{{items}}}" if v.kind == "I" else f"{v.kind}[{items}]"
    if isinstance(v, list):
        if v and all(isinstance(x, Tensor) for x in v):
            return "X(" + "".join(map(text, v)) + ")"
        return "L(" + "".join(map(text, v)) + ")"
    if isinstance(v, dict):
        is_text = all(isinstance(k, str) for k in v)
        return ("S{" if is_text else "I{") + "".join(text(k) + text(x) for k, x in sorted(v.items())) + "}"
    raise TypeError(type(v))


class Typed:
    """A List[bool] (B), List[int] (J) or List[float] (D), or an empty dict with int keys (I)."""

    def __init__(self, kind, items):
        self.kind, self.items = kind, items


class Api(nn.Module):
    def forward(self, x: Optional[Tensor] = None) -> Optional[Tensor]:
        return x

    @torch.jit.export
    def none(self) -> Optional[int]:
        return None

    @torch.jit.export
    def same_bool(self, x: bool) -> bool:
        return x

    @torch.jit.export
    def same_int(self, x: int) -> int:
        return x

    @torch.jit.export
    def same_float(self, x: float) -> float:
        return x

    @torch.jit.export
    def same_str(self, x: str) -> str:
        return x

    @torch.jit.export
    def twice_str(self, x: str) -> Tuple[str, int]:
        return x + x, len(x)

    @torch.jit.export
    def same_tensor(self, x: Tensor) -> Tensor:
        return x

    @torch.jit.export
    def double(self, x: Tensor) -> Tensor:
        return x * 2

    @torch.jit.export
    def add_to(self, x: Tensor) -> int:
        x.add_(1)
        return x.numel()

    @torch.jit.export
    def bools(self, x: List[bool]) -> List[bool]:
        return [not y for y in x]

    @torch.jit.export
    def ints(self, x: List[int]) -> List[int]:
        return [y + 1 for y in x]

    @torch.jit.export
    def floats(self, x: List[float]) -> List[float]:
        return [y / 2 for y in x]

    @torch.jit.export
    def tensors(self, x: List[Tensor]) -> List[Tensor]:
        return [y + i for i, y in enumerate(x)]

    @torch.jit.export
    def strings(self, x: List[str]) -> List[str]:
        return [y.upper() for y in x]

    @torch.jit.export
    def lists(self, x: List[List[int]]) -> List[List[int]]:
        return x[::-1]

    @torch.jit.export
    def tuples(self, x: Tuple[int, Tuple[str, Tensor]]) -> Tuple[Tuple[Tensor, str], int, float]:
        return (x[1][1], x[1][0]), x[0], 0.5

    @torch.jit.export
    def by_name(self, x: Dict[str, int]) -> Dict[str, int]:
        return {k + "!": v for k, v in x.items()}

    @torch.jit.export
    def by_number(self, x: Dict[int, Tensor]) -> Dict[int, Tensor]:
        return {k * 2: v + k for k, v in x.items()}

    @torch.jit.export
    def deep(self, x: Dict[str, List[Tuple[int, Tensor]]]) -> Dict[str, List[Tuple[int, Tensor]]]:
        return x

    @torch.jit.export
    def optionals(self, a: Optional[int], b: Optional[Tensor] = None, c: float = 1.5) -> str:
        return ("none" if a is None else str(a)) + ("" if b is None else str(b.numel())) + str(c)

    @torch.jit.export
    def mixed(self) -> List[Optional[Tensor]]:
        return [torch.ones(1), None]

    @torch.jit.export
    def empty_dict(self) -> Dict[int, float]:
        d: Dict[int, float] = {}
        return d

    @torch.jit.export
    def views(self) -> List[Tensor]:
        x = torch.arange(12)
        return [x[0], x[1], x[::2], x.view(3, 4).t(), x[:0], x.view(1, 3, 2, 2)[:, :, :, 1:]]

    @torch.jit.export
    def channels_last(self, x: Tensor) -> Tensor:
        return x.contiguous(memory_format=torch.channels_last)

    @torch.jit.export
    def channels_last_3d(self, x: Tensor) -> Tensor:
        return x.contiguous(memory_format=torch.channels_last_3d)

    @torch.jit.export
    def contiguous(self, x: Tensor) -> Tensor:
        return x.contiguous()

    @torch.jit.export
    def scalar(self, x: Tensor) -> Tensor:
        return torch.tensor(int(x.item()) + 1)

    # Results Java does not have.

    @torch.jit.export
    def bool_tensor(self) -> Tensor:
        return torch.ones(2) > 0

    @torch.jit.export
    def half_tensor(self) -> Tensor:
        return torch.ones(2).half()

    @torch.jit.export
    def float_keys(self) -> Dict[float, int]:
        return {1.5: 2}

    @torch.jit.export
    def device(self) -> torch.device:
        return torch.device("cpu")

    @torch.jit.export
    def complex(self) -> complex:
        return complex(1.0, 2.0)

    # Failures.

    @torch.jit.export
    def raises(self, x: int) -> int:
        if x > 0:
            raise ValueError("x is too large")
        return x

    @torch.jit.export
    def wrong_shapes(self) -> Tensor:
        return torch.mm(torch.ones(2, 3), torch.ones(2, 3))

    @torch.jit.export
    def wrong_index(self, x: List[int]) -> int:
        return x[len(x)]

    # For tests of bounds.

    @torch.jit.export
    def long_loop(self, n: int) -> int:
        total = 0
        for i in range(n):
            total += i % 7
        return total

    @torch.jit.export
    def large(self, n: int) -> Tensor:
        return torch.zeros(n, 1024)


class State(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = torch.zeros(1)
        self.count = 0

    def forward(self, x: Tensor) -> Tensor:
        old = self.last
        self.last = x
        self.count += 1
        return old

    @torch.jit.export
    def calls(self) -> int:
        return self.count

    @torch.jit.export
    def is_training(self) -> bool:
        return self.training


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(3)
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU6(),
                                      nn.Conv2d(8, 8, 3, 1, 1, groups=8), nn.Hardswish(), nn.AdaptiveAvgPool2d(2))
        self.lstm = nn.LSTM(8, 6, batch_first=True)
        self.last = nn.Linear(6, 5)

    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        y = self.features(x)
        z, (h, c) = self.lstm(y.flatten(2).transpose(1, 2))
        return {"out": self.last(z[:, -1]).softmax(-1), "map": y, "state": c}


class Tiny(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x + 1


def ramp(shape, dtype, low=-5):
    n = 1
    for s in shape:
        n *= s
    values = torch.arange(n) % 11 + (0 if dtype == torch.uint8 else low)
    return (values.to(torch.float64) * (0.25 if dtype.is_floating_point else 1)).to(dtype).view(shape)


def api_calls():
    words = ["", "plain", "Привет, мир", "日本語", "😀 beyond the plane 🏴", "nul \0 inside", "\u00e9\u0301\u202e"]
    yield "forward", ()
    yield "forward", (torch.ones(2, 3),)
    yield "none", ()
    for x in (True, False):
        yield "same_bool", (x,)
    for x in (0, 1, -1, 2**63 - 1, -2**63):
        yield "same_int", (x,)
    for x in (0.0, -0.0, 1.5, 1e308, 5e-324, float("inf"), float("-inf"), float("nan")):
        yield "same_float", (x,)
    for x in words:
        yield "same_str", (x,)
        yield "twice_str", (x,)
    for dtype in DTYPES:
        for shape in ((), (1,), (0,), (2, 3), (2, 0, 3), (1, 2, 1, 3), (2, 3, 2, 2), (1, 2, 3, 1, 2)):
            yield "same_tensor", (ramp(shape, dtype),)
            yield "double", (ramp(shape, dtype),)
        x = ramp((2, 3, 4, 5), dtype)
        for form in (x, x.contiguous(memory_format=torch.channels_last)):
            for method in ("double", "channels_last", "contiguous"):
                yield method, (form,)
        x = ramp((1, 2, 3, 2, 2), dtype)
        for form in (x, x.contiguous(memory_format=torch.channels_last_3d)):
            for method in ("double", "channels_last_3d", "contiguous"):
                yield method, (form,)
        yield "scalar", (ramp((1,), dtype),)
    yield "bools", (Typed("B", [True, False]),)
    yield "bools", (Typed("B", []),)
    yield "ints", (Typed("J", [1, -2**63, 3]),)
    yield "ints", (Typed("J", []),)
    yield "floats", (Typed("D", [1.5, -2.25]),)
    yield "floats", (Typed("D", []),)
    yield "tensors", ([torch.ones(2), ramp((2, 2), torch.int64)],)
    yield "strings", (words,)
    yield "lists", ([Typed("J", [1, 2]), Typed("J", [])],)
    yield "tuples", ((7, ("name", ramp((3,), torch.float32))),)
    yield "by_name", ({"a": 1, "Ж": 2, "": 3},)
    yield "by_number", ({0: torch.ones(1), -5: ramp((2,), torch.float32)},)
    yield "deep", ({"k": [(1, torch.ones(2)), (2, torch.zeros(0))], "l": [(3, torch.tensor(4))]},)
    yield "optionals", (None,)
    yield "optionals", (3,)
    yield "optionals", (3, torch.ones(4), 2.5)
    yield "empty_dict", ()
    yield "views", ()
    yield "raises", (0,)


RETURNS = {"bools": "B", "ints": "J", "floats": "D", "lists": "LJ"}


def plain(v):
    """What the script interpreter takes for a value."""
    if isinstance(v, Typed):
        return v.items
    return type(v)(map(plain, v)) if isinstance(v, (list, tuple)) else v


def typed(method, v):
    kind = RETURNS.get(method)
    if method == "empty_dict":
        return Typed("I", [])
    return [Typed("J", x) for x in v] if kind == "LJ" else Typed(kind, v) if kind else v


def write(name, module, calls, extra=None):
    module = torch.jit.script(module)
    torch.jit.save(module, str(FOLDER / f"{name}.pt"), _extra_files=extra or {})
    module._save_for_lite_interpreter(str(FOLDER / f"{name}.ptl"), _extra_files=extra or {})
    lines = []
    for method, args in calls:
        copies = [a.clone() if isinstance(a, Tensor) else plain(a) for a in args]
        result = getattr(module, method)(*copies)
        lines.append("\t".join([method, "".join(map(text, args)), text(typed(method, result))]))
    (FOLDER / f"{name}.cases").write_text("".join(line + "\n" for line in lines))


def main():
    write("api", Api(), api_calls(), {"notes.txt": "kept beside the model: é 😀", "empty": ""})
    write("state", State().train(), [])
    torch.manual_seed(5)
    image = torch.rand(2, 3, 16, 20)
    write("net", Net().eval(),
          [("forward", (image,)), ("forward", (image.contiguous(memory_format=torch.channels_last),))])
    write("tiny", Tiny(), [("forward", (torch.ones(4),))])


if __name__ == "__main__":
    main()
