"""Whole quantized models: torchvision's families after calibration on seeded data with the mobile engine (qnnpack),
and models with dynamic quantization. Integers, and so results, are equal.

WICK_PARITY_FULL=1 adds the large ones, per-channel weights for all, and 224x224 pictures.
"""
import os

import torch
import torchvision
from torch import nn
from torch.ao import quantization
from torch.utils.mobile_optimizer import optimize_for_mobile

from lib.case import *
from lib.tensors import make

torch.backends.quantized.engine = "qnnpack"

FULL = os.environ.get("WICK_PARITY_FULL") == "1"
NETS = ["mobilenet_v2", "mobilenet_v3_large", "resnet18", "shufflenet_v2_x0_5", "googlenet", "inception_v3"]
LARGE_NETS = ["resnet50", "shufflenet_v2_x1_0", "resnext101_32x8d"]
PER_CHANNEL = quantization.QConfig(activation=quantization.HistogramObserver.with_args(reduce_range=False),
                                   weight=quantization.default_per_channel_weight_observer)


def picture(size, seed=2):
    return torch.rand(1, 3, size, size, generator=torch.Generator().manual_seed(seed)) * 2 - 1


def calibrated(net, qconfig, size):
    net.qconfig = qconfig
    quantization.prepare(net, inplace=True)
    for seed in range(2):
        net(picture(size, seed))
    return quantization.convert(net, inplace=True)


def vision(name, qconfig, size):
    torch.manual_seed(1)
    options = {"aux_logits": False, "init_weights": False} if name in ("googlenet", "inception_v3") else {}
    net = getattr(torchvision.models.quantization, name)(weights=None, quantize=False, **options).eval()
    for m in net.modules():  # statistics as after training
        if isinstance(m, nn.BatchNorm2d):
            nn.init.uniform_(m.running_mean, -0.1, 0.1)
            nn.init.uniform_(m.running_var, 0.8, 1.2)
    net.fuse_model(is_qat=False)
    return calibrated(net, qconfig, size)


class Text(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(24, 48)
        self.second = nn.Linear(48, 7)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


class Recurrent(nn.Module):
    def __init__(self, kind, **options):
        super().__init__()
        self.layer = kind(16, 24, **options)
        self.out = nn.Linear(48 if options.get("bidirectional") else 24, 5)

    def forward(self, x):
        y, state = self.layer(x)
        return self.out(y), state


def dynamic():
    torch.manual_seed(4)
    net = quantization.quantize_dynamic(Text().eval(), {nn.Linear}, torch.qint8)
    yield model("dynamic linear", torch.jit.script(net), make((5, 24)))
    yield model("dynamic linear, three dims", torch.jit.script(net), make((2, 5, 24)))
    for name, kind in (("lstm", nn.LSTM), ("gru", nn.GRU)):
        for options in ({}, {"num_layers": 2, "bidirectional": True}, {"batch_first": True}):
            torch.manual_seed(5)
            net = quantization.quantize_dynamic(Recurrent(kind, **options).eval(), {nn.Linear, kind}, torch.qint8)
            yield model(f"dynamic {name} {options}", torch.jit.script(net), make((6, 3, 16)))


class Mixed(nn.Module):
    """What FX's flow makes of layers, sums, products, joins, activations, pools and upsampling."""

    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU())
        self.depthwise = nn.Sequential(nn.Conv2d(16, 16, 3, padding=1, groups=16), nn.BatchNorm2d(16), nn.ReLU())
        self.project = nn.Conv2d(16, 16, 1)
        self.spread = nn.ConvTranspose2d(16, 8, 2, stride=2)
        self.out = nn.Linear(24, 10)

    def forward(self, x):
        x = self.first(x)
        y = self.project(self.depthwise(x))
        x = x + nn.functional.hardswish(y)
        x = torch.cat([x, torch.sigmoid(y) * y], 1)[:, 8:24]
        x = nn.functional.max_pool2d(x, 2)
        y = self.spread(nn.functional.adaptive_avg_pool2d(x, (8, 8)))
        x = torch.cat([x, nn.functional.interpolate(y, size=[16, 16])], 1)
        return self.out(torch.flatten(nn.functional.adaptive_avg_pool2d(x, 1), 1))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inputs = nn.Linear(32, 96)
        self.outputs = nn.Linear(32, 32)
        self.wide, self.narrow = nn.Linear(32, 128), nn.Linear(128, 32)
        self.norm = nn.LayerNorm(32)

    def forward(self, x):
        q, k, v = self.inputs(x).chunk(3, -1)
        x = self.norm(x + self.outputs(torch.softmax(q @ k.transpose(-1, -2) / 5.0, -1) @ v))
        return self.norm(x + self.narrow(nn.functional.gelu(self.wide(x))))


def graph_mode():
    from torch.ao.quantization import quantize_fx
    torch.manual_seed(6)
    for name in ("qnnpack", "fbgemm"):  # the second: weights per channel, activations of seven bits
        mapping = quantization.get_default_qconfig_mapping(name)
        net = quantize_fx.prepare_fx(Mixed().eval(), mapping, (picture(32),))
        net(picture(32, 0))
        net = quantize_fx.convert_fx(net)
        yield model(f"graph mode, {name}'s settings", torch.jit.trace(net, picture(32)), picture(32))
    net = quantization.quantize_dynamic(Encoder().eval(), {nn.Linear}, torch.qint8)
    # Float rounding in between moves some activations by a quantum.
    yield model("dynamic encoder", torch.jit.trace(net, make((2, 7, 32))), make((2, 7, 32)), rtol=1e-2, atol=1e-2)


def cases():
    default = quantization.get_default_qconfig("qnnpack")
    size = 224 if FULL else 96
    for name in NETS + (LARGE_NETS if FULL else []):
        scripted = torch.jit.script(vision(name, default, size))
        yield model(name, scripted, picture(size), eager=True)
        yield model(f"{name} optimized", optimize_for_mobile(scripted), picture(size), eager=True)
    for name in NETS + LARGE_NETS if FULL else ["mobilenet_v2", "resnet18"]:
        yield model(f"{name} per channel", torch.jit.script(vision(name, PER_CHANNEL, size)), picture(size), eager=True)
    yield from dynamic()
    yield from graph_mode()
