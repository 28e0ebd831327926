#!/usr/bin/env python3
"""Writes the models that the programs of tests/compat run, with PyTorch.

make_models.py FOLDER
make_models.py --custom LIBRARY FILE     the one that calls the operators of programs/custom.cpp, built as LIBRARY
"""
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.BatchNorm2d(16), nn.ReLU6(),
                                      nn.Conv2d(16, 16, 3, 1, 1, groups=16), nn.BatchNorm2d(16), nn.Hardswish(),
                                      nn.Conv2d(16, 32, 1), nn.AdaptiveAvgPool2d(1))
        self.classifier = nn.Linear(32, 100)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


class Detector(nn.Module):
    """Rows of x, y, w, h, objectness and class scores, as YOLO's."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3 * 9, 8, 8)

    def forward(self, x) -> Tuple[torch.Tensor, List[torch.Tensor]]:
        y = self.conv(x)
        n, _, h, w = y.shape
        y = y.view(n, 3, 9, h, w).permute(0, 1, 3, 4, 2).contiguous().sigmoid()
        out = y.view(n, -1, 9)
        out = torch.cat([out[..., :4] * x.shape[-1], out[..., 4:]], -1)
        return out, [y]


class Segmenter(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(3, 8, 3, 2, 1)
        self.head = nn.Conv2d(8, 21, 1)

    def forward(self, x) -> Dict[str, torch.Tensor]:
        y = self.head(torch.relu(self.down(x)))
        out = nn.functional.interpolate(y, size=x.shape[-2:], mode="bilinear", align_corners=False)
        return {"out": out, "aux": y}


class Text(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(64, 16)
        self.lstm = nn.LSTM(16, 12, batch_first=True, bidirectional=True)
        self.out = nn.Linear(24, 4)
        self.labels = ["world", "sports", "business", "science"]
        self.threshold = 0.25

    def forward(self, batch: Dict[str, torch.Tensor], names: Optional[List[str]] = None) -> Dict[str, torch.Tensor]:
        x, _ = self.lstm(self.embed(batch["tokens"]) * batch["mask"].unsqueeze(-1))
        scores = self.out(x.mean(1)).softmax(-1)
        return {"scores": scores, "best": scores.argmax(-1)}

    @torch.jit.export
    def get_labels(self) -> List[str]:
        return self.labels

    @torch.jit.export
    def describe(self, index: int, score: float = 0.5) -> str:
        return "class " + self.labels[index] + " with " + str(score)


class Speech(nn.Module):
    """Greedy decoding, with state that goes in and out."""

    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(20, 16, batch_first=True)
        self.out = nn.Linear(16, 6)
        self.letters = ["", "a", "b", "c", "|", "d"]

    def forward(self, audio, state: Optional[torch.Tensor] = None) -> Tuple[str, torch.Tensor, List[float]]:
        frames = audio.view(1, -1, 20)
        y, state = self.rnn(frames, state)
        scores = self.out(y).log_softmax(-1)[0]
        text = ""
        last = -1
        ids: List[int] = scores.argmax(-1).tolist()
        for index in ids:
            if index != last:
                text += self.letters[index]
            last = index
        return text, state, [float(scores.max()), float(scores.min())]


class Parts(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(6, 4), nn.Tanh())
        self.decoder = nn.Linear(4, 6)
        self.register_buffer("scale", torch.tensor([2.0]))
        self.version = 3

    def forward(self, x, flip: bool = False):
        y = self.decoder(self.encoder(x)) * self.scale
        return y.flip(0) if flip else y

    @torch.jit.export
    def encode(self, x):
        return self.encoder(x)


class Fails(nn.Module):
    def forward(self, x, kind: int):
        if kind == 0:
            return torch.mm(x, x)
        if kind == 1:
            raise ValueError("kind is 1")
        assert kind == 2, "unknown kind"
        return x


class Generator(nn.Module):
    """Next-token scores, with the state of an LSTM as a tuple."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(32, 16)
        self.lstm = nn.LSTM(16, 24, num_layers=2, batch_first=True)
        self.out = nn.Linear(24, 32)

    def forward(self, tokens, state: Optional[Tuple[torch.Tensor, torch.Tensor]] = None):
        y, state = self.lstm(self.embed(tokens), state)
        return self.out(y) * 4, state

    @torch.jit.export
    def start(self, batch: int) -> Tuple[torch.Tensor, torch.Tensor]:
        return torch.zeros(2, batch, 24), torch.ones(2, batch, 24)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(16)
        self.qkv = nn.Linear(16, 48)
        self.out = nn.Linear(16, 16)
        self.mlp = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16))

    def forward(self, x, mask, past: Optional[Tuple[torch.Tensor, torch.Tensor]]):
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        n, t = x.shape[0], x.shape[1]
        q, k, v = [y.view(n, t, 2, 8).transpose(1, 2) for y in (q, k, v)]
        if past is not None:
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        scores = q @ k.transpose(-1, -2) / 8 ** 0.5
        causal = torch.ones(t, k.shape[2], dtype=torch.bool).tril(k.shape[2] - t)
        scores = scores.masked_fill(~causal, -1e9)
        if mask.shape[1] == k.shape[2]:
            scores = scores.masked_fill(mask[:, None, None] == 0, -1e9)
        y = scores.softmax(-1) @ v
        x = x + self.out(y.transpose(1, 2).reshape(n, t, 16))
        return x + self.mlp(x), (k, v)


class Decoder(nn.Module):
    """A small transformer that takes a dict and gives one, with keys and values of the steps before."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(40, 16)
        self.position = nn.Embedding(64, 16)
        self.blocks = nn.ModuleList([Block(), Block()])
        self.head = nn.Linear(16, 40, bias=False)

    def forward(self, inputs: Dict[str, torch.Tensor],
                past_key_values: Optional[List[Tuple[torch.Tensor, torch.Tensor]]] = None):
        ids = inputs["input_ids"]
        seen = 0 if past_key_values is None else past_key_values[0][0].shape[2]
        x = self.embed(ids) + self.position(torch.arange(seen, seen + ids.shape[1]))
        out: List[Tuple[torch.Tensor, torch.Tensor]] = []
        for i, block in enumerate(self.blocks):
            past = None if past_key_values is None else past_key_values[i]
            x, kv = block(x, inputs["attention_mask"], past)
            out.append(kv)
        return self.pack(self.head(x) * 3, out)

    def pack(self, logits, cache: List[Tuple[torch.Tensor, torch.Tensor]]):
        result: Dict[str, Any] = {}
        result["logits"] = logits
        result["past_key_values"] = cache
        return result


class Container(nn.Module):
    """Values that C++ programs read."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.arange(4.0).view(2, 2))
        self.register_buffer("anchors", torch.ones(3, 2))
        self.name = "container"
        self.table: Dict[str, int] = {"k": 5}

    def forward(self):
        return self.name


class Quantized(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant = torch.ao.quantization.QuantStub()
        self.conv = nn.Conv2d(3, 4, 3, 2)
        self.relu = nn.ReLU()
        self.fc = nn.Linear(4, 5)
        self.dequant = torch.ao.quantization.DeQuantStub()

    def forward(self, x):
        x = self.relu(self.conv(self.quant(x)))
        return self.dequant(self.fc(x.mean([2, 3])))


def make_quantized(folder):
    torch.backends.quantized.engine = "qnnpack"
    model = Quantized().eval()
    model.qconfig = torch.ao.quantization.get_default_qconfig("qnnpack")
    torch.ao.quantization.prepare(model, inplace=True)
    model(torch.linspace(-1, 1, 3 * 16 * 16).view(1, 3, 16, 16))
    torch.ao.quantization.convert(model, inplace=True)
    torch.jit.save(torch.jit.script(model), str(folder / "quantized.pt"))
    dynamic = torch.ao.quantization.quantize_dynamic(nn.Sequential(nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, 3)).eval(),
                                                     {nn.Linear}, dtype=torch.qint8)
    torch.jit.save(torch.jit.script(dynamic), str(folder / "dynamic.pt"))


def make_custom(path, library):
    """A model that calls the operators and the class of programs/custom.cpp, which `library` is for PyTorch."""
    torch.ops.load_library(library)

    class Custom(nn.Module):
        def __init__(self):
            super().__init__()
            self.counter = torch.classes.compat_test.Counter(10)

        def forward(self, x):
            first, count = torch.ops.compat_test.split_first(x, [2, 1])
            joined = torch.ops.compat_test.join([first, torch.ops.compat_test.negate(x)], None)
            return torch.ops.compat_test.scale(x), torch.ops.compat_test.scale(joined, 0.5), count

        @torch.jit.export
        def count(self, by: int):
            self.counter.add(by)
            return self.counter.describe("is "), self.counter.twice()

        @torch.jit.export
        def with_counter(self, counter: torch.classes.compat_test.Counter):
            return counter.add(2)

        @torch.jit.export
        def fails(self, x):
            return torch.ops.compat_test.refuse(x)

    torch.jit.save(torch.jit.script(Custom().eval()), str(path))


def main():
    if sys.argv[1] == "--custom":
        make_custom(sys.argv[3], sys.argv[2])
        return
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    extra = {"labels.txt": "\n".join(f"label{i}" for i in range(100)), "note.json": '{"size": 64}'}
    for cls in (Classifier, Detector, Segmenter, Text, Speech, Parts, Fails):
        module = torch.jit.script(cls().eval())
        name = cls.__name__.lower()
        torch.jit.save(module, str(folder / f"{name}.pt"), _extra_files=extra)
        module._save_for_lite_interpreter(str(folder / f"{name}.ptl"), _extra_files=extra)
    torch.save({"a": torch.arange(6.0).view(2, 3), "b": [1, 2.5, "x"]}, folder / "values.pt")
    # What std::from_blob'ed inputs hold.
    (torch.rand(3 * 64 * 64) * 255).to(torch.uint8).numpy().tofile(folder / "image.bin")
    (torch.randn(4000) * 0.1).numpy().tofile(folder / "audio.bin")
    for cls in (Generator, Decoder, Container):
        torch.jit.save(torch.jit.script(cls().eval()), str(folder / f"{cls.__name__.lower()}.pt"))
    make_quantized(folder)


if __name__ == "__main__":
    main()
