"""The models of programs.py: networks around loops, lists and operators whose results' sizes depend on elements.

Weights are random with a fixed seed. Layers that score and move boxes are scaled until their results have the size of a
trained model's, so that thresholds, non-maximum suppression and heads have as much to do as they have there.
"""
from typing import List

import torch
import torchvision
from torch import nn
from torchvision.models import detection

# Layers by the end of their name, in the order in which they are run, and the standard deviation of their results.
SCALED = (("rpn.head.cls_logits", 2.0), ("rpn.head.bbox_pred", 0.2), ("box_predictor.cls_score", 2.0),
          ("box_predictor.bbox_pred", 1.0), ("classification_head.cls_logits", 0.8), ("regression_head.bbox_reg", 0.3))
PLAIN = {"weights": None, "weights_backbone": None}
SMALL = {**PLAIN, "min_size": 320, "max_size": 480}


class Detector(nn.Module):
    """One image in; boxes, scores and labels out."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, image: torch.Tensor):
        found = self.net([image])[1][0]
        return found["boxes"], found["scores"], found["labels"]


class SelectiveScan(nn.Module):
    """A Mamba block: projections, a causal convolution, and a state that is carried from step to step by a loop."""

    def __init__(self, width=256, states=16):
        super().__init__()
        inner = 2 * width
        self.norm = nn.LayerNorm(width)
        self.project, self.out = nn.Linear(width, 2 * inner), nn.Linear(inner, width)
        self.conv = nn.Conv1d(inner, inner, 4, groups=inner, padding=3)
        self.select, self.step = nn.Linear(inner, 2 * states + 16), nn.Linear(16, inner)
        self.decay = nn.Parameter(torch.log(torch.arange(1.0, states + 1)).repeat(inner, 1))
        self.skip = nn.Parameter(torch.ones(inner))
        self.states = states

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        u, gate = self.project(self.norm(x)).chunk(2, -1)
        u = nn.functional.silu(self.conv(u.transpose(1, 2))[:, :, :x.size(1)].transpose(1, 2))
        step, b, c = self.select(u).split([16, self.states, self.states], -1)
        step = nn.functional.softplus(self.step(step))
        decay = torch.exp(step.unsqueeze(-1) * -torch.exp(self.decay))
        given = (step * u).unsqueeze(-1) * b.unsqueeze(2)
        state = torch.zeros(u.size(0), u.size(2), self.states)
        outs: List[torch.Tensor] = []
        for t in range(u.size(1)):
            state = decay[:, t] * state + given[:, t]
            outs.append((state * c[:, t].unsqueeze(1)).sum(-1))
        y = torch.stack(outs, 1) + u * self.skip
        return x + self.out(y * nn.functional.silu(gate))


def settled(net):
    """Statistics and scales as after training."""
    for layer in net.modules():
        if isinstance(layer, nn.BatchNorm2d):
            for tensor, low, high in ((layer.running_mean, -0.1, 0.1), (layer.running_var, 0.8, 1.2),
                                      (layer.weight.data, 0.8, 1.2), (layer.bias.data, -0.1, 0.1)):
                tensor.uniform_(low, high)
        if hasattr(layer, "layer_scale"):
            layer.layer_scale.data.uniform_(0.1, 0.5)
    return net.eval()


def scaled(net, image):
    """The layers of SCALED, and SSD's, give results of the size wanted."""
    layers = [(layer, size) for end, size in SCALED for name, layer in net.named_modules() if name.endswith(end)]
    if isinstance(net, detection.ssd.SSD):
        layers = [(layer, size) for head, size in ((net.head.classification_head, 1.5), (net.head.regression_head, 0.5))
                  for layer in head.module_list.modules() if isinstance(layer, nn.Conv2d) and layer.groups == 1]
    for layer, size in layers:
        seen = []
        hook = layer.register_forward_hook(lambda _, __, result: seen.append(result.flatten()))
        net([image])
        hook.remove()
        if seen and torch.cat(seen).std() > 0:
            layer.weight.data *= size / torch.cat(seen).std()
    return net


DETECTORS = {
    "faster_rcnn_mobilenet_320": (detection.fasterrcnn_mobilenet_v3_large_320_fpn, PLAIN, (3, 320, 320)),
    "faster_rcnn_mobilenet": (detection.fasterrcnn_mobilenet_v3_large_fpn, {**PLAIN, "min_size": 480, "max_size": 640},
                              (3, 480, 640)),
    "faster_rcnn_resnet50": (detection.fasterrcnn_resnet50_fpn, SMALL, (3, 320, 480)),
    "mask_rcnn_resnet50": (detection.maskrcnn_resnet50_fpn, SMALL, (3, 320, 480)),
    "keypoint_rcnn_resnet50": (detection.keypointrcnn_resnet50_fpn, SMALL, (3, 320, 480)),
    "retinanet_resnet50": (detection.retinanet_resnet50_fpn, SMALL, (3, 320, 480)),
    "fcos_resnet50": (detection.fcos_resnet50_fpn, SMALL, (3, 320, 480)),
    "ssdlite320": (detection.ssdlite320_mobilenet_v3_large, PLAIN, (3, 320, 320)),
    "ssd300": (detection.ssd300_vgg16, PLAIN, (3, 300, 300)),
}
NAMES = [*DETECTORS, "convnext_tiny", "selective_scan"]


def build(name):
    """(scripted module, arguments)"""
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(3)
    if name in DETECTORS:
        maker, options, sizes = DETECTORS[name]
        image = torch.rand(sizes, generator=generator)
        return torch.jit.script(Detector(scaled(settled(maker(**options)), image)).eval()), (image,)
    if name == "convnext_tiny":
        return torch.jit.script(settled(torchvision.models.convnext_tiny(weights=None))), (torch.rand(1, 3, 224, 224, generator=generator),)
    return torch.jit.script(nn.Sequential(SelectiveScan(), SelectiveScan()).eval()), (torch.rand(1, 128, 256, generator=generator),)
