"""The models that are measured, with the figures they are to reach.

Weights are random with a fixed seed; batch norms hold the statistics of the layers they follow, as in a trained model,
so that activations neither die out nor grow.
"""
import dataclasses
import math
from typing import Callable, List, Optional, Tuple


@dataclasses.dataclass
class Model:
    name: str
    title: str
    make: Callable
    inputs: List[Tuple[Tuple[int, ...], str]]  # shape, dtype
    targets: Tuple[float, float]  # times faster than ONNX Runtime, than PyTorch 1.13's best form
    gflops: Tuple[float, float]  # multiply-adds count as two; with what Winograd's method saves on 3x3 layers of stride 1
    is_large: bool = False  # is to run 1.7 times as fast with two threads
    calibrate: Optional[Tuple[int, ...]] = None  # the batch that batch norms take their statistics from

    @property
    def is_image(self):
        return len(self.inputs[0][0]) == 4


def vision(name):
    def make():
        import torchvision

        return getattr(torchvision.models, name)(weights=None)

    return make


def deeplab():
    import torch
    import torchvision

    class Segmentation(torch.nn.Module):
        """The result a phone wants: the scores, not the auxiliary dictionary."""

        def __init__(self):
            super().__init__()
            self.net = torchvision.models.segmentation.deeplabv3_resnet50(weights=None, weights_backbone=None)

        def forward(self, x):
            return self.net(x)["out"]

    return Segmentation()


def encoder():
    import torch
    from torch import nn

    width, heads, inner, layers, words = 768, 12, 3072, 6, 30522

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.heads, self.size = heads, width // heads
            self.query, self.key, self.value = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)
            self.out = nn.Linear(width, width)
            self.grow, self.shrink = nn.Linear(width, inner), nn.Linear(inner, width)
            self.norm1, self.norm2 = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)

        def split(self, x: torch.Tensor) -> torch.Tensor:
            return x.view(x.size(0), x.size(1), self.heads, self.size).permute(0, 2, 1, 3)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            scores = torch.matmul(self.split(self.query(x)), self.split(self.key(x)).transpose(-1, -2))
            weights = torch.softmax(scores / math.sqrt(self.size), dim=-1)
            mixed = torch.matmul(weights, self.split(self.value(x))).permute(0, 2, 1, 3).contiguous()
            x = self.norm1(x + self.out(mixed.view(x.size(0), x.size(1), self.heads * self.size)))
            return self.norm2(x + self.shrink(nn.functional.gelu(self.grow(x))))

    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.positions = nn.Embedding(words, width), nn.Embedding(512, width)
            self.norm = nn.LayerNorm(width, eps=1e-12)
            self.layers = nn.ModuleList([Layer() for _ in range(layers)])

        def forward(self, tokens: torch.Tensor) -> torch.Tensor:
            places = torch.arange(tokens.size(1), device=tokens.device)
            x = self.norm(self.words(tokens) + self.positions(places))
            for layer in self.layers:
                x = layer(x)
            return x

    return Encoder()


def lstm():
    import torch

    class Recurrent(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn = torch.nn.LSTM(512, 512, num_layers=2, batch_first=True)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.rnn(x)[0]

    return Recurrent()


IMAGE = [((1, 3, 224, 224), "float32")]
BATCH = (4, 3, 224, 224)
MODELS = [
    Model("mobilenet_v2", "MobileNetV2", vision("mobilenet_v2"), IMAGE, (1.8, 2.2), (0.6, 0.6), calibrate=BATCH),
    Model("mobilenet_v3_small", "MobileNetV3-small", vision("mobilenet_v3_small"), IMAGE, (1.5, 2.0), (0.11, 0.11), calibrate=BATCH),
    Model("mobilenet_v3_large", "MobileNetV3-large", vision("mobilenet_v3_large"), IMAGE, (1.6, 2.0), (0.43, 0.43), calibrate=BATCH),
    Model("resnet18", "ResNet18", vision("resnet18"), IMAGE, (1.4, 2.5), (3.63, 1.5), True, calibrate=BATCH),
    Model("resnet50", "ResNet50", vision("resnet50"), IMAGE, (1.2, 2.5), (8.2, 6), True, calibrate=BATCH),
    Model("deeplabv3", "DeepLabV3-ResNet50 400x400", deeplab, [((1, 3, 400, 400), "float32")], (1.2, 2.0), (200, 112), True,
          calibrate=(2, 3, 200, 200)),
    Model("squeezenet1_1", "SqueezeNet1.1", vision("squeezenet1_1"), IMAGE, (1.2, 2.0), (0.7, 0.44)),
    Model("efficientnet_b0", "EfficientNet-B0", vision("efficientnet_b0"), IMAGE, (1.6, 2.0), (0.77, 0.77), calibrate=BATCH),
    Model("vit_b_16", "ViT-B/16", vision("vit_b_16"), IMAGE, (1.2, 2.0), (35.1, 35.1), True),
    Model("encoder", "BERT-like encoder, 6 layers, 128 tokens", encoder, [((1, 128), "int64")], (1.2, 2.0), (11.2, 11.2), True),
    Model("lstm", "LSTM 2x512, 100 steps", lstm, [((1, 100, 512), "float32")], (1.1, 1.2), (0.84, 0.84)),
]


def model_named(name):
    return next(m for m in MODELS if m.name == name)


def example_inputs(model):
    import torch

    generator = torch.Generator().manual_seed(1)
    return [torch.randint(0, 30000, shape, generator=generator) if dtype == "int64"
            else torch.randn(shape, generator=generator) for shape, dtype in model.inputs]


def calibrated(model):
    """The model in evaluation mode."""
    import torch

    torch.manual_seed(0)
    net = model.make()
    for layer in net.modules():
        if isinstance(layer, torch.nn.Linear) and not layer.weight.any():
            torch.nn.init.normal_(layer.weight, 0, 0.02)  # a head that starts as zeros would hide differences
    if model.calibrate:
        norms = [m for m in net.modules() if isinstance(m, torch.nn.BatchNorm2d)]
        for norm in norms:
            norm.momentum = None  # the average of all batches
            torch.nn.init.uniform_(norm.weight, 0.5, 1.5)
            torch.nn.init.normal_(norm.bias, 0, 0.2)
        net.train()
        with torch.no_grad():
            net(torch.randn(model.calibrate))
        for norm in norms:
            norm.momentum = 0.1
    return net.eval()
