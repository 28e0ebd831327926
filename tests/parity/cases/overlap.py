"""Writes to tensors whose elements share memory, and to tensors that share memory with an input."""
import torch

from lib.case import *
from lib.tensors import *

WRITES = ["index_fill_(0, torch.tensor([0]), 3)", "index_add_(0, torch.tensor([0]), y[:1])", "index_copy_(0, torch.tensor([0]), y[:1])",
          "scatter_(0, torch.zeros_like(y, dtype=torch.int64), 3)", "masked_fill_(y > 0, 1)", "index_put_([torch.tensor([0])], y[0, 0])",
          "copy_(y)", "fill_(2)", "zero_()", "add_(1)", "add_(y)", "scatter_add_(0, torch.zeros_like(y, dtype=torch.int64), y)",
          "masked_scatter_(y > 0, y)", "clamp_(0, 1)", "put_(torch.tensor([0]), y[0, :1])", "mul_(y)", "neg_()",
          "sigmoid_()", "relu_()", "addcmul_(y, y)", "bitwise_not_()", "floor_()", "lerp_(y, 0.5)",
          "logical_not_()", "eq_(y)", "pow_(2)", "div_(2)", "fmod_(2)", "erfinv_()"]

# (self, other) as views of one tensor of 12 elements.
PAIRS = {"the same": ("x", "x"), "shifted": ("x[1:]", "x[:-1]"), "transposed": ("x[:9].view(3, 3)", "x[:9].view(3, 3).t()"),
         "apart": ("x[:6]", "x[6:]"), "interleaved": ("x[::2]", "x[1::2]"), "row to all": ("x.view(3, 4)", "x.view(3, 4)[0]"),
         "same view again": ("x.view(3, 4)", "x.view(3, 4)")}


def cases():
    for write in WRITES:
        for dtype in (torch.float32, torch.int32):
            yield program(f"expanded {short(dtype)} {write}", f"def forward(self, x, y):\n  z = x.expand(3, 4)\n  z.{write}\n  return x, z",
                          make((4,), dtype), make((3, 4), dtype))
    for label, (target, other) in PAIRS.items():
        for write in ("add_({})", "copy_({})", "mul_({})", "sub_({}, alpha=2)", "maximum({})", "div_({})", "atan2_({})", "lerp_({}, 0.5)",
                      "addcmul_({0}, {0})", "masked_fill_({} > 0, 0.5)", "clamp_(max={})"):
            yield program(f"{label} {write}", f"def forward(self, x):\n  {target}.{write.format(other)}\n  return x", make((12,)))
        if label == "row to all":
            continue  # the destination is resized
        yield program(f"{label} out", f"def forward(self, x):\n  torch.add({other}, {other}, out={target})\n  return x", make((12,)))
        yield program(f"{label} sigmoid out", f"def forward(self, x):\n  torch.sigmoid({other}, out={target})\n  return x", make((12,)))
