"""Whole torchvision models as .ptl files, plain and after optimize_for_mobile, on small pictures.

WICK_PARITY_FULL=1 adds the large ones and 224x224 pictures.
"""
import functools
import os

import torch
import torchvision
from torch.utils.mobile_optimizer import optimize_for_mobile

from lib.case import *
from lib.wire import plain

FULL = os.environ.get("WICK_PARITY_FULL") == "1"
SMALL_NETS = ["mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large", "resnet18", "squeezenet1_1",
              "shufflenet_v2_x1_0", "mnasnet0_5", "efficientnet_b0", "densenet121", "regnet_y_400mf"]
LARGE_NETS = ["alexnet", "vgg11_bn", "resnet50", "resnext50_32x4d", "wide_resnet50_2", "inception_v3", "googlenet",
              "efficientnet_v2_s", "regnet_x_800mf", "convnext_tiny", "vit_b_32", "swin_t", "shufflenet_v2_x0_5",
              "squeezenet1_0", "mnasnet1_0", "densenet169"]
SEGMENTATION = ["lraspp_mobilenet_v3_large", "deeplabv3_mobilenet_v3_large"]
LARGE_SEGMENTATION = ["fcn_resnet50", "deeplabv3_resnet50"]


def settle(net):
    """Batch-norm statistics of random size, as a trained network has; the default ones hide mistakes."""
    for m in net.modules():
        if isinstance(m, torch.nn.modules.batchnorm._BatchNorm):
            torch.nn.init.uniform_(m.running_mean, -0.1, 0.1)
            torch.nn.init.uniform_(m.running_var, 0.8, 1.2)
            torch.nn.init.uniform_(m.weight, 0.8, 1.2)
            torch.nn.init.uniform_(m.bias, -0.1, 0.1)
    return net.eval()


def build(maker, name, **options):
    torch.manual_seed(1)
    return settle(getattr(maker, name)(**options))


def picture(size, batch=1):
    return torch.rand(batch, 3, size, size, generator=torch.Generator().manual_seed(2)) * 2 - 1


def forms(name, net, x, **options):
    scripted = torch.jit.script(net)
    yield model(name, scripted, x, rtol=1e-4, **options)
    yield model(f"{name} optimized", optimize_for_mobile(scripted)._save_to_buffer_for_lite_interpreter(), x, rtol=1e-4,
                **options)
    traced = torch.jit.trace(net, x, strict=False, check_trace=False)  # vit's trace differs from run to run
    yield model(f"{name} traced", traced, x, rtol=1e-4, form="script", **options)


class Logits(torch.nn.Module):
    """The scores alone: PyTorch 1.13's lite interpreter cannot hand these nets' named tuples to Python."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        scores = self.net(x)
        if torch.jit.is_scripting():
            return scores[0]
        else:
            return scores


def network(name):
    """(the net, its picture) of the forms called after it."""
    if name in SEGMENTATION + LARGE_SEGMENTATION:
        net = build(torchvision.models.segmentation, name, weights_backbone=None, num_classes=5)
        return net, picture(160 if FULL else 96)
    size = 224 if FULL or name.startswith(("vit", "swin")) else 96
    if name in ("inception_v3", "googlenet"):
        return Logits(build(torchvision.models, name, init_weights=True)).eval(), picture(size)
    return build(torchvision.models, name), picture(size)


@functools.lru_cache(maxsize=2)
def answer_in_double(name, scripted):
    net, x = network(name)
    net = torch.jit.script(net.double()) if scripted else net.double()  # their results may be of different classes
    with torch.no_grad():
        return plain(net(x.double()))


def in_double(case_name):
    """What the net of a case answers in double precision, not optimized; None for other cases."""
    name, _, form = case_name.partition(" ")
    return answer_in_double(name, form != "traced .pt") if form in ("", ".pt", "optimized", "traced .pt") else None


def cases():
    models = torchvision.models
    for name in SMALL_NETS + (LARGE_NETS if FULL else []) + SEGMENTATION + (LARGE_SEGMENTATION if FULL else []):
        yield from forms(name, *network(name))

    if FULL:
        net = torch.jit.script(build(models, "googlenet", init_weights=True))
        yield model("googlenet with its named tuple", net, picture(224), rtol=1e-4, form="script")
    net = build(models, "mobilenet_v2")
    yield model("mobilenet_v2 channels last, batch 2", torch.jit.script(net),
                picture(64, 2).contiguous(memory_format=torch.channels_last), rtol=1e-4)
    yield model("mobilenet_v2 traced", torch.jit.trace(net, picture(64)), picture(64), rtol=1e-4)
    yield model("resnet18 frozen", torch.jit.freeze(torch.jit.script(build(models, "resnet18"))), picture(64), rtol=1e-4)
    # Statistics over 16 values a channel amplify rounding: both sides are equally far from the answer in double.
    yield model("resnet18 in training mode", torch.jit.script(build(models, "resnet18").train()), picture(64, 4), rtol=1e-4,
                atol=2e-5)
