"""Recurrent layers, cells and packed sequences."""
import torch

from lib.case import *
from lib.tensors import *

GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}


def weights(kind, inputs, hidden, layers, directions, biases, projection=0, dtype=torch.float32):
    out, size = [], projection or hidden
    for layer in range(layers):
        for direction in range(directions):
            width = inputs if layer == 0 else size * directions
            gates = GATES[kind] * hidden
            shapes = [(gates, width), (gates, size)] + ([(gates,), (gates,)] if biases else []) + ([(size, hidden)] if projection else [])
            out += [make(s, dtype, -0.5, 0.5, seed=len(out) + i) for i, s in enumerate(shapes)]
    return out


def state(kind, layers, batch, hidden, projection=0, dtype=torch.float32):
    h = make((layers, batch, projection or hidden), dtype, -1, 1)
    return [h, make((layers, batch, hidden), dtype, -1, 1, seed=1)] if kind == "lstm" else h


def cases():
    batch_sizes = torch.tensor([4, 4, 3, 1, 1])
    for kind in GATES:
        for layers, bidirectional, biases in ((1, False, True), (2, False, False), (1, True, True), (2, True, True), (3, True, False)):
            directions = 2 if bidirectional else 1
            for dtype in (torch.float32, torch.float64):
                w = weights(kind, 5, 6, layers, directions, biases, dtype=dtype)
                for length, batch in ((1, 1), (4, 3)):
                    for batch_first in (False, True):
                        x = make((batch, length, 5) if batch_first else (length, batch, 5), dtype)
                        yield case(f"aten::{kind}.input", x, state(kind, layers * directions, batch, 6, dtype=dtype), w, biases, layers, 0.0, False, bidirectional,
                                   batch_first, aliases=False)
                yield case(f"aten::{kind}.data", make((13, 5), dtype), batch_sizes, state(kind, layers * directions, 4, 6, dtype=dtype), w, biases, layers, 0.0, False,
                           bidirectional, aliases=False)
        w = weights(kind, 5, 6, 1, 1, True)
        yield case(f"aten::{kind}.input", make((4, 3, 5), layout=SLICED), state(kind, 1, 3, 6), w, True, 1, 0.0, True, False, False, aliases=False)
        x, h = make((3, 5)), state(kind, 1, 3, 6)
        h = [s[0] for s in h] if kind == "lstm" else h[0]
        yield case(f"aten::{kind}_cell", x, h, *w)
        yield case(f"aten::{kind}_cell", x, h, *w[:2])
        yield from errors(f"aten::{kind}_cell", (x[:, :4], h, *w), message=True)
        yield from errors(f"aten::{kind}_cell", (x[:2], h, *w), message=True)
        yield from errors(f"aten::{kind}.input", (make((4, 3, 5)), state(kind, 1, 3, 6), w[:3], True, 1, 0.0, False, False, False))
    for layers, bidirectional in ((1, False), (2, True)):
        directions = 2 if bidirectional else 1
        w = weights("lstm", 5, 6, layers, directions, True, projection=2)
        yield case("aten::lstm.input", make((4, 3, 5)), state("lstm", layers * directions, 3, 6, 2), w, True, layers, 0.0, False, bidirectional, False, aliases=False)
        yield case("aten::lstm.data", make((13, 5)), batch_sizes, state("lstm", layers * directions, 4, 6, 2), w, True, layers, 0.0, False, bidirectional, aliases=False)

    for kind in GATES:
        w = weights(kind, 5, 6, 3, 2, True)
        yield case(f"aten::{kind}.input", make((4, 3, 5)), state(kind, 6, 3, 6), w, True, 3, 0.4, True, True, False, aliases=False)
        yield case(f"aten::{kind}.data", make((13, 5)), batch_sizes, state(kind, 6, 4, 6), w, True, 3, 0.4, True, True, aliases=False)

    for batch_first in (False, True):
        for dtype in (torch.float32, torch.int64):
            padded = make((3, 5, 2) if batch_first else (5, 3, 2), dtype)
            yield case("aten::_pack_padded_sequence", padded, torch.tensor([5, 3, 1]), batch_first)
            yield case("aten::_pack_padded_sequence", padded, torch.tensor([4, 4, 4]), batch_first)
        for total in (0, 5, 8):
            yield case("aten::_pad_packed_sequence", make((9, 2)), torch.tensor([3, 2, 2, 1, 1]), batch_first, -1.5, total, aliases=False)
    yield case("aten::_pad_packed_sequence", make((9,)), torch.tensor([3, 2, 2, 1, 1]), False, 0, 0)
    padded = make((5, 3, 2))
    for bad in (torch.tensor([1, 3, 5]), torch.tensor([5, 3, 0]), torch.tensor([5, 3]), torch.tensor([5.0, 3.0, 1.0])):
        yield from errors("aten::_pack_padded_sequence", (padded, bad, False), message=True)
    yield from errors("aten::_pad_packed_sequence", (make((9, 2)), torch.tensor([3, 2, 2, 1, 1]), False, 0, 3), message=True)
