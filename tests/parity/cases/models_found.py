"""Small nets with what larger models of public packages showed to go wrong."""
import torch
from torch import nn
from torch.nn import functional as F

from lib.case import *
from lib.tensors import *


class LayerAndSum(nn.Module):
    """A convolution, another tensor and an activation, in the order that `join` says."""

    def __init__(self, channels, kernel, stride, groups, join):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, kernel, stride, kernel // 2, groups=groups)
        self.join = join

    def forward(self, x, y):
        return self.join(self.conv(x), y)


JOINS = {
    "add": lambda a, y: a + y,
    "add relu": lambda a, y: F.relu(a + y),
    "relu add": lambda a, y: F.relu(a) + y,
    "silu add": lambda a, y: y + F.silu(a),
    "add gelu": lambda a, y: F.gelu(a + y),
    "twice": lambda a, y: a + a,
}


def sums_after_convolutions():
    torch.manual_seed(1)
    for channels, kernel, stride, groups in ((48, 3, 2, 48), (5, 3, 1, 5), (20, 5, 2, 20), (48, 1, 2, 48), (16, 3, 1, 1)):
        x, y = make((2, channels, 17, 16)), make((2, channels, (16 + stride) // stride, 16 // stride), seed=1)
        for name, join in JOINS.items():
            net = LayerAndSum(channels, kernel, stride, groups, join).eval()
            yield model(f"conv {kernel}x{kernel} of {channels} in {groups} groups, {name}", torch.jit.trace(net, (x, y)), x, y)


def cases():
    yield from sums_after_convolutions()
