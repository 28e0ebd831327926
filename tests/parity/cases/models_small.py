"""Families of models in a small size: the torchvision classes whose stock sizes are large, and text models built of
loops, attention and bags. Plain and after optimize_for_mobile; weights are random from a fixed seed."""
import torch
import torchvision
from torch import nn
from torch.utils.mobile_optimizer import optimize_for_mobile
from torchvision import models as tv

from lib.case import model
from lib.tensors import indices, make

DEEP = {"rtol": 1e-4, "atol": 1e-5}
HALF = {"rtol": 2e-2, "atol": 2e-2}  # every layer rounds to 8 bits


def seeded(build):
    torch.manual_seed(3)
    module = build().eval()
    for layer in module.modules():  # running statistics as after training, not the initial 0 and 1
        if isinstance(layer, nn.BatchNorm2d):
            layer.running_mean.uniform_(-0.1, 0.1)
            layer.running_var.uniform_(0.8, 1.2)
    return module


def vision():
    """(name, builder, input shape, also optimized)"""
    small = (1, 3, 64, 64)
    yield "resnet with bottlenecks", lambda: tv.ResNet(tv.resnet.Bottleneck, [1, 1, 1, 1]), small, True
    yield "resnext", lambda: tv.ResNet(tv.resnet.Bottleneck, [1, 1, 1, 1], groups=8, width_per_group=4), small, True
    yield "densenet", lambda: tv.DenseNet(16, (2, 3, 2), 32), small, True
    yield "googlenet", lambda: tv.googlenet(weights=None, init_weights=False, aux_logits=False), small, True
    yield "vgg with batch norm", lambda: tiny_vgg(), small, True
    yield "convnext", lambda: tiny_convnext(), small, True
    yield "vision transformer", lambda: tv.VisionTransformer(32, 8, 2, 2, 32, 64, num_classes=10), (2, 3, 32, 32), False
    yield "swin transformer", lambda: tiny_swin(), small, False
    yield "fcn on a small resnet", lambda: tiny_fcn(), small, False
    yield "r3d with one block a stage", lambda: tiny_video(), (1, 3, 4, 32, 32), False


def tiny_vgg():
    features = tv.vgg.make_layers([8, "M", 16, "M", 32, 32, "M"], batch_norm=True)
    module = tv.VGG(features, num_classes=10, init_weights=False)
    module.classifier = nn.Sequential(nn.Linear(32 * 49, 64), nn.ReLU(True), nn.Dropout(), nn.Linear(64, 10))
    return module


def tiny_convnext():
    setting = [tv.convnext.CNBlockConfig(16, 32, 2), tv.convnext.CNBlockConfig(32, None, 2)]
    return tv.ConvNeXt(setting, num_classes=10)


def tiny_swin():
    return tv.SwinTransformer(patch_size=[4, 4], embed_dim=24, depths=[2, 2], num_heads=[2, 4], window_size=[4, 4],
                              num_classes=10)


def tiny_fcn():
    backbone = torchvision.models._utils.IntermediateLayerGetter(
        tv.ResNet(tv.resnet.Bottleneck, [1, 1, 1, 1], replace_stride_with_dilation=[False, True, True]),
        return_layers={"layer4": "out", "layer3": "aux"})
    return tv.segmentation.FCN(backbone, tv.segmentation.fcn.FCNHead(2048, 5), tv.segmentation.fcn.FCNHead(1024, 5))


def tiny_video():
    video = torchvision.models.video.resnet
    return video.VideoResNet(video.BasicBlock, [video.Conv3DSimple] * 4, [1, 1, 1, 1], video.BasicStem, 10)


class Decoder(nn.Module):
    """Greedy decoding in a loop, with attention over the source."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 16)
        self.encoder = nn.GRU(16, 16, batch_first=True)
        self.cell = nn.GRUCell(32, 16)
        self.out = nn.Linear(16, 30)

    def forward(self, words: torch.Tensor, steps: int):
        memory, last = self.encoder(self.embed(words))
        state, word = last[0], torch.zeros(words.size(0), dtype=torch.long)
        said = []
        for _ in range(steps):
            weights = torch.softmax(torch.bmm(memory, state.unsqueeze(2)), 1)
            state = self.cell(torch.cat([self.embed(word), (weights * memory).sum(1)], 1), state)
            word = self.out(state).argmax(1)
            said.append(word)
            if bool((word == 0).all()):
                break
        return torch.stack(said, 1), state


class BagClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(60, 8, mode="mean")
        self.out = nn.Linear(8, 4)

    def forward(self, words: torch.Tensor, offsets: torch.Tensor):
        return self.out(self.bag(words, offsets))


class Speech(nn.Module):
    """Strided 1-D convolutions over a waveform, normalized, then scores over time."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv1d(1, 16, 10, 5), nn.GroupNorm(4, 16), nn.GELU(), nn.Conv1d(16, 24, 8, 4),
                                    nn.BatchNorm1d(24), nn.Hardtanh(0.0, 20.0), nn.Conv1d(24, 24, 3, 1, 2, dilation=2))
        self.out = nn.Linear(24, 12)

    def forward(self, wave):
        wave = (wave - wave.mean(-1, keepdim=True)) / (wave.std(-1, keepdim=True) + 1e-5)
        return torch.log_softmax(self.out(self.layers(wave).transpose(1, 2)), -1)


def text():
    """(name, builder, arguments)"""
    yield "greedy decoder", Decoder, [indices((3, 7), 30, seed=2), 6]
    yield "transformer encoder", lambda: nn.TransformerEncoder(
        nn.TransformerEncoderLayer(16, 4, 32, activation="gelu", norm_first=True), 2), [make((6, 2, 16))]
    yield "multihead attention", lambda: nn.MultiheadAttention(16, 4), [make((5, 2, 16), seed=s) for s in range(3)]
    yield "bag of words", BagClassifier, [indices((11,), 60), torch.tensor([0, 4, 4, 9])]
    yield "speech", Speech, [make((2, 1, 800))]


def cases():
    for name, build, shape, optimized in vision():
        module = seeded(build)
        script = torch.jit.script(module)
        eager = name == "googlenet"  # PyTorch's lite interpreter does not give its named tuple back to Python
        yield model(name, script, make(shape), eager=eager, **DEEP)
        if optimized:
            yield model(name + " optimized", optimize_for_mobile(script), make(shape), eager=eager, **DEEP)
        if name in ("resnext", "vgg with batch norm", "vision transformer"):
            half = torch.jit.script(seeded(build).bfloat16())
            yield model(name + " of bfloat16", half, make(shape, torch.bfloat16), **HALF)
    for name, build, args in text():
        script = torch.jit.script(seeded(build))
        yield model(name, script, *args, **DEEP)
        yield model(name + " optimized", optimize_for_mobile(script), *args, **DEEP)
