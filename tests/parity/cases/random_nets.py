"""Random nets of the layers that models for images and sequences are made of, with branches, sums and writes in place.

Plans fuse and re-lay such layers; what they do to one another in unforeseen orders shows here. WICK_PARITY_FULL=1 makes
ten times as many.
"""
import os
import random

import torch
from torch import nn
from torch.nn import functional as F

from lib.case import *

NETS = 400 if os.environ.get("WICK_PARITY_FULL") else 40
STEPS = 16
# 190: PyTorch's optimizer joins two cats across a change in place; 271: a norm of equal values, which is all rounding.
LEFT_OUT = {190, 271}

ACTIVATIONS = [
    F.relu, F.relu6, F.silu, F.gelu, F.hardswish, F.hardsigmoid, torch.sigmoid, torch.tanh, F.elu, F.softplus,
    torch.abs,
    lambda x: F.gelu(x, approximate="tanh"), lambda x: F.leaky_relu(x, 0.1), lambda x: torch.clamp(x, -0.5, 0.7),
    lambda x: torch.clamp(x, min=0.1), lambda x: x * torch.sigmoid(1.7 * x), lambda x: F.relu(x, inplace=True),
    lambda x: F.silu(x, inplace=True), lambda x: x.clamp_(-1, 1), lambda x: F.hardtanh(x, -1, 2, inplace=True),
    lambda x: x * 0.5, lambda x: 1.0 - x, lambda x: (x + 3).clamp(0, 6) / 6, lambda x: x.mul_(1.5), lambda x: x + 1.0]
PAIRS = [
    torch.add, torch.add, torch.add, torch.mul, torch.sub, torch.maximum, lambda a, b: torch.add(a, b, alpha=0.3),
    lambda a, b: a.add_(b), lambda a, b: a.mul_(b), lambda a, b: torch.where(a > 0, a, b), lambda a, b: F.relu(a + b),
    lambda a, b: a * torch.sigmoid(b), lambda a, b: torch.lerp(a, b, 0.3), lambda a, b: F.silu(a) * b,
    lambda a, b: b + a]
POOLS = [
    lambda x: F.max_pool2d(x, 3, 2, 1), lambda x: F.avg_pool2d(x, 2), lambda x: F.adaptive_avg_pool2d(x, 1),
    lambda x: F.avg_pool2d(x, 3, 1, 1, count_include_pad=False), lambda x: F.adaptive_avg_pool2d(x, (3, 2)),
    lambda x: F.max_pool2d(x, 2, ceil_mode=True), lambda x: F.adaptive_max_pool2d(x, 2),
    lambda x: F.max_pool2d(x, 5, 1, 2)]
SIZES = [
    lambda x: F.interpolate(x, scale_factor=2.0), lambda x: F.interpolate(x, size=(12, 12)),
    lambda x: F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False),
    lambda x: F.interpolate(x, size=(7, 9), mode="bilinear", align_corners=True), lambda x: F.pixel_shuffle(x, 2),
    lambda x: F.pixel_unshuffle(x, 2), lambda x: F.pad(x, (1, 1, 1, 1)),
    lambda x: F.pad(x, (1, 0, 2, 1), mode="reflect"),
    lambda x: x[:, :, 1:, :-1], lambda x: x[:, ::2], lambda x: x[..., ::2, ::2]]
IMAGE_VIEWS = [
    lambda x: x.permute(0, 2, 3, 1), lambda x: x.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2),
    lambda x: x.flatten(2).transpose(1, 2), lambda x: x.mean([2, 3], keepdim=True),
    lambda x: x.amax((2, 3), keepdim=True),
    lambda x: x.contiguous(memory_format=torch.channels_last), lambda x: x.chunk(2, 1),
    lambda x: x.view(x.shape[0], 2, -1, *x.shape[2:]).transpose(1, 2).reshape(x.shape)]
SEQUENCE_VIEWS = [
    lambda x: F.glu(x, -1), lambda x: x[:, 1:], lambda x: x[:, :1], lambda x: x.mean(1, keepdim=True),
    lambda x: x.unsqueeze(1),
    lambda x: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-3), lambda x: x.transpose(1, 2),
    lambda x: torch.cat([-x[..., 1::2], x[..., ::2]], -1), lambda x: F.avg_pool1d(x, 3, 1, 1)]


def any_view(r, x):
    a, b = r.randrange(x.dim()), r.randrange(x.dim())
    return r.choice([
        lambda x: x.transpose(a, b), lambda x: x.flip(a), lambda x: x.roll(1, a), lambda x: x.softmax(a),
        lambda x: x.clone(),
        lambda x: x.narrow(a, 0, (x.shape[a] + 1) // 2), lambda x: x.mean(a, keepdim=True),
        lambda x: x.sum(a, keepdim=True),
        lambda x: torch.cat([x, x.flip(a)], a), lambda x: x.cumsum(a), lambda x: x.masked_fill(x > 1, 0.0),
        lambda x: x.repeat_interleave(2, a)])


def a_write(r, x):
    a, k = r.randrange(x.dim()), r.randrange(x.shape[-1])
    literal = [round(r.uniform(-1, 1), 2) for _ in range(x.shape[-1])]

    def into_view(x):
        y = x.clone()
        y.select(a, 0).zero_()
        y.transpose(0, -1)[k] *= 2
        return y

    def into_argument(x):
        x.narrow(a, 0, 1).add_(1)
        return x * 1.0

    def into_constant(x):
        c = torch.tensor(literal)
        c[0] = c[0] * 0.5 + 0.1
        return x * c

    def through_both(x):
        y = x + 1
        y.view(-1).relu_()
        return y.mul_(2), y

    return r.choice([into_view, into_argument, into_constant, through_both])


def an_activation(r, channels):
    return r.choice([[], [], [nn.ReLU()], [nn.ReLU(inplace=True)], [nn.SiLU()], [nn.Hardswish()], [nn.GELU()],
                     [nn.PReLU(channels)]])


def an_image_layer(r, x):
    c, kind = x.shape[1], r.random()
    if kind < 0.5:
        kernel, dilation = r.choice([1, 1, 3, 3, 3, 5, 7, (1, 3), (5, 1)]), r.choice([1, 1, 1, 2])
        both = kernel if isinstance(kernel, tuple) else (kernel, kernel)
        groups = r.choice([g for g in (1, 1, 1, c, c, 2, 4) if c % g == 0])
        out = r.choice([n for n in (c, c, c, 2 * c, 8, 16, 24, 5, 1) if n % groups == 0])
        padding = tuple(k // 2 * dilation for k in both) if r.random() < 0.85 else 0
        stride, bias = r.choice([1, 1, 1, 2, (2, 1)]), r.random() < 0.6
        conv = nn.Conv2d(c, out, kernel, stride, padding, dilation, groups, bias)
        return nn.Sequential(conv, *r.choice([[], [nn.BatchNorm2d(out)]]), *an_activation(r, out))
    if kind < 0.6:
        kernel, stride, extra = r.choice([(2, 2, 0), (3, 2, 1), (4, 2, 0), (3, 1, 0)])
        conv = nn.ConvTranspose2d(c, r.choice([c, 8]), kernel, stride, 0, extra)
        return nn.Sequential(conv, *r.choice([[], [nn.ReLU()]]))
    if kind < 0.75:
        return r.choice([nn.BatchNorm2d(c), nn.GroupNorm(1, c), nn.GroupNorm(c, c), nn.InstanceNorm2d(c, affine=True)])
    return nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(c, 4, 1), nn.SiLU(), nn.Conv2d(4, c, 1), nn.Sigmoid())


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.into, self.scale = nn.Linear(width, 3 * width), (width // 4) ** -0.5

    def forward(self, x):
        n, t, c = x.shape
        q, k, v = self.into(x).reshape(n, t, 3, 4, c // 4).permute(2, 0, 3, 1, 4).unbind(0)
        return ((q * self.scale) @ k.transpose(-2, -1)).softmax(-1).matmul(v).transpose(1, 2).reshape(n, t, c)


class First(nn.Module):
    """The first result of a layer that gives several."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        return self.layer(x)[0]


def a_sequence_layer(r, x):
    c, channels, kind = x.shape[-1], x.shape[1], r.random()
    if kind < 0.35:
        out = r.choice([c, c, 2 * c, 12])
        return nn.Sequential(nn.Linear(c, out, bias=r.random() < 0.7), *r.choice([[], [nn.GELU()], [nn.ReLU()]]))
    if kind < 0.5:
        return r.choice([nn.LayerNorm(c), nn.BatchNorm1d(channels), nn.GroupNorm(1, channels)])
    if kind < 0.65 and c % 4 == 0:
        return Attention(c)
    if kind < 0.75:
        return First(r.choice([nn.GRU(c, 8, batch_first=True), nn.LSTM(c, 6, 2, bidirectional=True), nn.RNN(c, 5)]))
    groups, kernel = r.choice([1, 1, channels]), r.choice([1, 3, 5])
    conv = nn.Conv1d(channels, channels, kernel, r.choice([1, 1, 2]), kernel // 2, groups=groups)
    return nn.Sequential(conv, *an_activation(r, channels))


class RandomNet(nn.Module):
    """Grows while it first runs; later runs do the same steps."""

    def __init__(self, seed, inputs):
        super().__init__()
        self.layers, self.steps, self.random = nn.ModuleList(), [], random.Random(seed)
        values = [x.clone() for x in inputs]
        for _ in range(STEPS):
            self.grow(values)
        used = {i for _, ids in self.steps for i in ids}
        self.results = [i for i in range(len(values)) if i not in used or i % 5 == 0]

    def forward(self, *inputs):
        values = list(inputs)
        for step, ids in self.steps:
            self.take(values, step(*[values[i] for i in ids]))
        return tuple(values[i] for i in self.results)

    @staticmethod
    def take(values, result):
        values += list(result) if isinstance(result, tuple) else [result]

    def grow(self, values):
        for _ in range(50):
            # Late values are taken more often than early ones.
            i = len(values) - 1 - min(int(self.random.expovariate(0.5)), len(values) - 1)
            step, ids = self.choose(values, i)
            if isinstance(step, nn.Module):
                settle(step)
            try:
                made = []
                self.take(made, step(*[values[k].clone() for k in ids]))
                if not all(0 < y.numel() < 20000 and 0.05 < float(y.abs().max()) < 50 for y in made):
                    continue
                self.take(values, step(*[values[k] for k in ids]))
            except (RuntimeError, ValueError, IndexError):
                continue
            self.layers += [step] if isinstance(step, nn.Module) else []
            self.steps.append((step, ids))
            return

    def choose(self, values, i):
        r, x = self.random, values[i]
        kind = r.random()
        same = [k for k, v in enumerate(values) if v.shape == x.shape and k != i]
        if same and kind < 0.22:
            other = r.choice(same)
            return r.choice(PAIRS), r.choice([[i, other], [other, i]])
        if kind < 0.36:
            return r.choice(ACTIVATIONS), [i]
        if kind < 0.42:
            return any_view(r, x), [i]
        if kind < 0.48:
            return a_write(r, x), [i]
        if x.dim() == 3:
            return (a_sequence_layer(r, x) if kind < 0.85 else r.choice(SEQUENCE_VIEWS)), [i]
        if x.dim() != 4:
            return any_view(r, x), [i]
        beside = [k for k, v in enumerate(values)
                  if v.dim() == 4 and v.shape[0] == x.shape[0] and v.shape[2:] == x.shape[2:]]
        if kind < 0.56:
            return (lambda *parts: torch.cat(parts, 1)), [i, r.choice(beside)]
        return (an_image_layer(r, x) if kind < 0.82 else r.choice(r.choice([POOLS, SIZES, IMAGE_VIEWS]))), [i]


@torch.no_grad()
def settle(layer):
    """Statistics and scales of random size: those of a new layer hide mistakes."""
    layer.eval()
    for name, value in [*layer.named_parameters(), *layer.named_buffers()]:
        if "running_var" in name or (value.dim() == 1 and "bias" not in name and "mean" not in name):
            value.copy_(torch.rand(value.shape) * 0.4 + 0.8) if value.is_floating_point() else None
        elif value.dim() == 1:
            value.copy_(torch.rand(value.shape) * 0.2 - 0.1)


def cases():
    for seed in set(range(NETS)) - LEFT_OUT:
        r = random.Random(seed)
        torch.manual_seed(seed)
        image = torch.randn(r.choice([1, 1, 2]), r.choice([1, 3, 8, 16]), r.choice([8, 11]), r.choice([8, 13]))
        if r.random() < 0.3:
            image = image.contiguous(memory_format=torch.channels_last)
        sequence = torch.randn(image.shape[0], r.choice([5, 8]), r.choice([8, 12]))
        inputs = r.choice([(image,), (image,), (sequence,), (image, sequence)])
        with torch.no_grad():
            net = torch.jit.trace(RandomNet(seed, inputs).eval(), tuple(x.clone() for x in inputs), check_trace=False)
        yield model(f"random net {seed}", net, *inputs, rtol=1e-4, atol=1e-4)
