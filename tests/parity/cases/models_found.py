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
    "mish add": lambda a, y: F.mish(a) + y,
    "twice": lambda a, y: a + a,
}


def sums_after_convolutions():
    torch.manual_seed(1)
    shapes = ((48, 3, 2, 48), (5, 3, 1, 5), (20, 5, 2, 20), (48, 1, 2, 48), (16, 3, 1, 1))
    for channels, kernel, stride, groups in shapes:
        x, y = make((2, channels, 17, 16)), make((2, channels, (16 + stride) // stride, 16 // stride), seed=1)
        for name, join in JOINS.items():
            net = LayerAndSum(channels, kernel, stride, groups, join).eval()
            title = f"conv {kernel}x{kernel} of {channels} in {groups} groups, {name}"
            yield model(title, torch.jit.trace(net, (x, y)), x, y)


class Joined(nn.Module):
    """Images of several widths joined by channels, with a change in place before."""

    def __init__(self, widths):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv2d(4, width, 3, padding=1) for width in widths)

    def forward(self, x):
        x.mul_(0.5)
        parts = [conv(x) for conv in self.convs]
        return torch.cat(parts, 1), torch.cat(parts[::-1] + [x], 1) * 2, torch.cat([parts[0], parts[0]], -3)


class SinglePixel(nn.Module):
    """A pixel has either layout; what is made larger of it may get the other one than its neighbors."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 6, 3)

    def forward(self, x):
        pixel = self.conv(F.adaptive_avg_pool2d(x, 3))
        return (F.adaptive_avg_pool2d(pixel, (3, 2)), F.max_pool2d(pixel, 2, 1, 1), F.avg_pool2d(pixel, 2, 1, 1),
                F.interpolate(pixel, size=(4, 5)), F.avg_pool2d(pixel, 1))


def layouts():
    torch.manual_seed(2)
    for widths in ((8, 1), (1, 1), (1, 5, 3), (8, 16)):
        x = make((2, 4, 7, 9))
        yield model(f"images of {widths} channels joined", torch.jit.trace(Joined(widths).eval(), x.clone()), x)
        yield model(f"images of {widths} channels joined, one pixel", torch.jit.trace(Joined(widths).eval(), x.clone()),
                    make((1, 4, 1, 1)))
    yield model("images made of one pixel", torch.jit.script(SinglePixel().eval()), make((2, 4, 9, 9)))


class ChangedConstant(nn.Module):
    """Traced, the matrix is a constant that every run changes, through a view."""

    def forward(self, x):
        c = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        c[0, 0] = c[0, 0] * 2 / (x.size(0) + 1)
        return x + c, x @ torch.linalg.inv(c.unsqueeze(0)), c.sum() * 3


def constants():
    x = make((2, 2))
    yield model("a constant that is changed", torch.jit.trace(ChangedConstant(), x, check_trace=False), x)


def cases():
    yield from constants()
    yield from layouts()
    yield from sums_after_convolutions()
