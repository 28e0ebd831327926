#!/usr/bin/env python3
"""Writes the fixtures of this folder with PyTorch 2.14: small models as .ptl (and .ff), each with NAME.cases.pt, a
torch.save of [(method, args tuple, expected), ...]. What they use is new in PyTorch 2 or has changed with it."""
import os
from typing import Optional

import torch
import torch.nn.functional as F
from torch import nn

_source_of = torch._sources.get_source_lines_and_file


def _source_with_short_name(*args, **kwargs):
    """Keeps the folder of this script out of the files' debug records."""
    lines, number, path = _source_of(*args, **kwargs)
    return lines, number, os.path.basename(path) if path else path


torch._sources.get_source_lines_and_file = _source_with_short_name
torch.jit.frontend.get_source_lines_and_file = _source_with_short_name

HERE = os.path.dirname(os.path.abspath(__file__))
torch.set_num_threads(1)
torch.set_grad_enabled(False)
torch.manual_seed(2)


class Attention(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v)

    @torch.jit.export
    def masked(self, q, k, v, mask):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)

    @torch.jit.export
    def causal(self, q, k, v, scale: Optional[float]):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale)

    @torch.jit.export
    def grouped(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerDecoderLayer(8, 2, 8, batch_first=True)
        self.norm = nn.RMSNorm(8)

    def forward(self, x):
        return self.norm(self.layer(x, x.flip(1)))


class Overloads(nn.Module):
    def forward(self, x):
        return x.squeeze((0, 2)), torch.any(x > 1, [0, 2]), torch.all(x > -1, [1, 2], True), torch.all(x < 9, None)

    @torch.jit.export
    def squeezed_in_place(self, x):
        return x.clone().squeeze_([0, 2])

    @torch.jit.export
    def moments(self, x):
        return torch.var(x, dim=1, correction=0.5), torch.std(x, correction=0), torch.var_mean(x, [0], correction=2)

    @torch.jit.export
    def spaces(self, a, b):
        return torch.linspace(a, b, 5), torch.linspace(0, b, 3), torch.linspace(a, 1, 3), torch.logspace(a, b, 4)

    @torch.jit.export
    def indices(self, x):
        return torch.nonzero_static(x, size=3), torch.nonzero_static(x, size=9, fill_value=-7)

    @torch.jit.export
    def unsafe(self, x, i):
        return torch._unsafe_index(x, [i]), torch._unsafe_index_put(x, [i], x[:2], True)

    @torch.jit.export
    def safe_softmax(self, x):
        return torch._safe_softmax(x, -1)

    @torch.jit.export
    def permuted(self, x):
        return torch.empty_permuted([2, 3, 4], [0, 2, 1]).copy_(x)

    @torch.jit.export
    def summed(self, x):
        return x.sum_to_size([1, 4]), x.sum_to_size([4]), x.sum_to_size([3, 4]), x.nbytes

    @torch.jit.export
    def in_place(self, x, y):
        return x.clone().pow_(y), x.clone().pow_(2), x.clone().floor_divide_(y), x.clone().ldexp_(y)

    @torch.jit.export
    def signals(self, x, w):
        return (torch.stft(x, 8, 2, 4, w, center=False, return_complex=True, align_to_window=True),
                torch.stft(x, 8, 2, 4, w, return_complex=True))

    @torch.jit.export
    def sequences(self, x, y):
        return (torch._C._nn.pad_sequence([x, y], True, 0.5, "left"), torch._C._nn.pad_sequence([x, y]))

    @torch.jit.export
    def bytes_resized(self, x):
        return (torch._C._nn.upsample_bilinear2d(x, [5, 3], False), torch._C._nn._upsample_bicubic2d_aa(x, [3, 9], False))


class Dtypes(nn.Module):
    def __init__(self):
        super().__init__()
        for name in ("uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2"):
            self.register_buffer(name, torch.arange(6).to(getattr(torch, name)))

    def forward(self, x):
        return x + self.uint16.float(), x + self.uint32.float(), x + self.uint64.float()

    @torch.jit.export
    def eighths(self, x):
        return x + self.float8_e4m3fn.float(), x + self.float8_e5m2.float()

    @torch.jit.export
    def to_eighths(self, x):
        return x.to(torch.float8_e4m3fn).float(), x.to(torch.float8_e5m2).float()


def save(name, module, calls, flatbuffer=False):
    scripted = module if isinstance(module, torch.jit.ScriptModule) else torch.jit.script(module.eval())
    scripted._save_for_lite_interpreter(os.path.join(HERE, name + ".ptl"))
    if flatbuffer:
        scripted._save_for_lite_interpreter(os.path.join(HERE, name + ".ff"), _use_flatbuffer=True)
    cases = [(method, args, getattr(scripted, method)(*args)) for method, args in calls]
    torch.save(cases, os.path.join(HERE, name + ".cases.pt"))


def main():
    r = torch.randn
    q, k, v = r(1, 4, 3, 2), r(1, 4, 5, 2), r(1, 4, 5, 2)
    transposed = r(1, 3, 4, 2).transpose(1, 2)
    mask = torch.tensor([[True] * 5, [False] * 5, [True, False, True, False, False]])
    save("attention", Attention(), [
        ("forward", (q, k, v)), ("forward", (transposed, k, v)), ("forward", (transposed, k, v[..., :1].contiguous())),
        ("masked", (q, k, v, mask)), ("masked", (transposed, k, v, torch.where(mask, 0.0, -float("inf")))),
        ("causal", (q, k, v, None)), ("causal", (q, k, v, 0.25)),
        ("grouped", (transposed, k[:, :2].contiguous(), v[:, :2].contiguous())),
    ], flatbuffer=True)
    # Traced: scripted layers carry every path they might take.
    x = r(2, 3, 8)
    save("transformer", torch.jit.trace(Transformer().eval(), x, check_trace=False), [("forward", (x,))])
    x = r(3, 4)
    save("overloads", Overloads(), [
        ("forward", (r(1, 2, 1),)), ("squeezed_in_place", (r(1, 2, 1),)), ("moments", (x,)),
        ("spaces", (torch.tensor(0.5), torch.tensor(3.0))), ("indices", ((x > 0),)),
        ("unsafe", (x, torch.tensor([2, 0]))), ("safe_softmax", (torch.tensor([[1.0, 2.0], [-float("inf")] * 2]),)),
        ("permuted", (r(2, 3, 4),)), ("summed", (x,)), ("in_place", (x.abs(), x.round())),
        ("signals", (r(20), torch.hann_window(4))), ("sequences", (r(2, 3), r(4, 3))),
        ("bytes_resized", (torch.randint(0, 256, (1, 2, 6, 7), dtype=torch.uint8),)),
        ("bytes_resized", (torch.randint(0, 256, (1, 2, 6, 7), dtype=torch.uint8).contiguous(memory_format=torch.channels_last),)),
    ], flatbuffer=True)
    save("dtypes", Dtypes(), [("forward", (r(6),)), ("eighths", (r(6),)),
                              ("to_eighths", (torch.tensor([0.1, -3.3, 448.0, 464.0, 17.0, 2e-3, -1e-5]),))])


if __name__ == "__main__":
    main()
