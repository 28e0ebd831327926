#!/usr/bin/env python3
"""Makes the files in this folder with PyTorch 1.13. They are checked in; run this to make them anew."""
import io
import pathlib
import zipfile
from collections import OrderedDict
from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Tuple

import numpy
import torch

HERE = pathlib.Path(__file__).resolve().parent


class Color(Enum):
    RED = 1
    GREEN = 2


class Point(NamedTuple):
    x: int
    y: torch.Tensor


class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(4.0).reshape(2, 2))

    def forward(self, x):
        return x @ self.weight


class Everything(torch.nn.Module):
    """One attribute of each kind that the TorchScript pickler writes."""

    names: List[str]
    ints: List[int]
    floats: List[float]
    bools: List[bool]
    tensors: List[torch.Tensor]
    nested: List[List[int]]
    table: Dict[str, List[float]]
    maybe: Optional[int]
    pair: Tuple[int, str, float]
    empty: List[str]
    numbered: Dict[int, torch.Tensor]

    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.again = self.inner
        self.register_buffer("buf", torch.arange(4))
        self.names = ["x", "y"]
        self.ints = [1, 2, 300, -5, 2**40]
        self.floats = [1.5, -2.0]
        self.bools = [True, False]
        self.tensors = [torch.ones(2), self.buf]
        self.nested = [[1, 2], [], [3]]
        self.table = {"k": [1.0], "z": []}
        self.maybe = None
        self.pair = (1, "a", 2.5)
        self.empty = []
        self.numbered = {3: torch.zeros(1), 1: torch.ones(1)}
        self.color = Color.GREEN
        self.device = torch.device("cpu")
        self.number = 1 + 2j
        self.quantized = torch.quantize_per_tensor(torch.arange(4.0), 0.5, 2, torch.quint8)
        self.by_channel = torch.quantize_per_channel(
            torch.arange(6.0).reshape(2, 3), torch.tensor([0.5, 0.25], dtype=torch.float64), torch.tensor([1, 2]), 0, torch.qint8
        )

    def forward(self, x):
        return self.inner(x)


def save(value, name, **options):
    torch.save(value, HERE / name, **options)


def main():
    torch.manual_seed(0)
    a = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    save(
        (
            a,
            a.t(),
            torch.tensor([1, 2, 3]),
            torch.tensor([1.5, 2.5], dtype=torch.bfloat16),
            torch.tensor([True, False]),
            torch.tensor(1 + 2j),
        ),
        "tuple.pt",
    )
    shared = [1, 2]
    save(
        {
            "list": [1, 2.5, "text", None, True],
            "ints": [1, 2, 3],
            "tuple": (1, (2,), ()),
            "shared": [shared, shared],
            "size": torch.Size([1, 2]),
            "dtype": torch.float16,
            "device": torch.device("cuda:1"),
            "complex": 1 + 2j,
            "big": 2**40,
            "negative": -(2**33),
            "smallest": -(2**63),
            "parameter": torch.nn.Parameter(a),
            "slice": a[1],
            "empty": torch.empty(0, 3),
            "far_empty": torch.empty(0, 5)[:, 2:],
            "expanded": torch.tensor([7.0]).expand(2, 3),
            "long": list(range(2500)),
            "half": torch.tensor([0.5], dtype=torch.float16),
            "ordered": OrderedDict([("a", 1), ("b", 2)]),
            5: 6,
        },
        "dict.pt",
    )
    save(torch.nn.Linear(2, 3).state_dict(), "state_dict.pt")
    q4 = torch.quantize_per_channel(a, torch.ones(2), torch.zeros(2), 0, torch.quint4x2)
    q8 = torch.quantize_per_tensor(a, 0.1, 3, torch.quint8)
    qc = torch.quantize_per_channel(
        a, torch.tensor([0.5, 0.25], dtype=torch.float64), torch.tensor([0, 1]), 0, torch.qint8
    )
    save((q8, qc, q4, torch.quantize_per_tensor(a, 0.1, 0, torch.qint32)), "quantized.pt")
    save([a, a[1], {"x": a}, torch.tensor([True])], "legacy.pt", _use_new_zipfile_serialization=False)
    save(a.to_sparse(), "sparse.pt")
    save(numpy.zeros(2), "numpy.pt")
    torch.jit.save(torch.jit.script(Everything()), HERE / "everything.pt")

    # The same records as tuple.pt, packed again by a common zip program: deflated, with folder entries.
    with zipfile.ZipFile(HERE / "tuple.pt") as original, zipfile.ZipFile(
        HERE / "rezipped.pt", "w", zipfile.ZIP_DEFLATED
    ) as again:
        again.writestr("any name/", b"")
        again.writestr("any name/data/", b"")
        for name in original.namelist():
            again.writestr("any name/" + name.split("/", 1)[1], original.read(name))


if __name__ == "__main__":
    main()
