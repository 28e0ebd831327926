#!/usr/bin/env python3
"""make_models.py: writes the models of the Swift package's tests with PyTorch 1.13; they are kept in the tree."""
import pathlib
from typing import Dict, List, Optional, Tuple

import torch


class Linear(torch.nn.Module):
    """One tensor in, one out, with weights that the test knows."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 2)
        with torch.no_grad():
            self.layer.weight.copy_(torch.tensor([[1.0, 2.0, 3.0], [-1.0, 0.5, 0.25]]))
            self.layer.bias.copy_(torch.tensor([10.0, -10.0]))

    def forward(self, x):
        return self.layer(x)


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0
        self.state: Dict[str, torch.Tensor] = {"a": torch.zeros(2)}

    def forward(self, step: int = 1) -> int:
        self.count += step
        return self.count


class Values(torch.nn.Module):
    """Every kind of value in and out."""

    def __init__(self):
        super().__init__()
        self.counter = Counter()

    def forward(self, x: torch.Tensor) -> Dict[str, torch.Tensor]:
        return {"out": x * 2, "aux": x.permute(1, 0)}

    @torch.jit.export
    def words(self, text: str, times: int) -> List[str]:
        out: List[str] = []
        for i in range(times):
            out.append(text + str(i))
        return out

    @torch.jit.export
    def total(self, items: List[float], scale: Optional[float] = None, more: Optional[Dict[str, int]] = None) -> float:
        total = 0.0
        for item in items:
            total += item
        if more is not None:
            for name, value in more.items():
                total += value
        return total if scale is None else total * scale

    @torch.jit.export
    def nested(self, x: torch.Tensor) -> Tuple[str, List[Tuple[int, torch.Tensor]], Dict[int, List[bool]], Optional[int]]:
        empty: List[bool] = []
        return "text", [(1, x), (2, x + 1)], {7: [True, False], 3: empty}, None

    @torch.jit.export
    def state(self, held: Optional[Tuple[List[int], List[torch.Tensor]]] = None) -> Tuple[List[int], List[torch.Tensor]]:
        if held is None:
            empty: List[int] = []
            tensors: List[torch.Tensor] = []
            return empty, tensors
        numbers, tensors = held
        return numbers + [len(numbers)], tensors + [torch.full([2], float(len(tensors)))]

    @torch.jit.export
    def twice(self, value: complex, flag: bool) -> Tuple[complex, bool, torch.device]:
        return value * 2, not flag, torch.device("cpu")

    @torch.jit.export
    def forever(self) -> int:
        n = 0
        while n >= 0:
            n = (n + 1) % 1000
        return n

    @torch.jit.export
    def fails(self, x: torch.Tensor) -> torch.Tensor:
        if x.size(0) > 1:
            raise ValueError("more than one row")
        return x

    @torch.jit.export
    def typed(self, x: torch.Tensor) -> List[torch.Tensor]:
        return [x.to(torch.uint8), x.to(torch.int8), x.to(torch.int16), x.to(torch.int32), x.to(torch.int64),
                x.to(torch.float16), x.to(torch.float32), x.to(torch.float64), x > 1.5,
                torch.quantize_per_tensor(x, 0.5, 3, torch.quint8)]


class Resize(torch.nn.Module):
    """PyTorch's interpolation, with which the tests of WickVision compare theirs."""

    def forward(self, x: torch.Tensor, size: List[int], mode: str, antialias: bool) -> torch.Tensor:
        if mode == "nearest":
            return torch.nn.functional.interpolate(x, size, mode="nearest")
        return torch.nn.functional.interpolate(x, size, mode="bilinear", align_corners=False, antialias=antialias)


def main():
    here = pathlib.Path(__file__).resolve().parent
    models = {"linear": Linear(), "values": Values(), "resize": Resize()}
    for name, model in models.items():
        folder = here / ("WickVisionTests" if name == "resize" else "WickTests") / "Models"
        folder.mkdir(exist_ok=True)
        scripted = torch.jit.script(model.eval())
        scripted._save_for_lite_interpreter(str(folder / f"{name}.ptl"), _extra_files={"labels.txt": "cat\ndog\n"})
    torch.jit.script(models["linear"]).save(str(here / "WickTests/Models/linear.pt"))


if __name__ == "__main__":
    main()
