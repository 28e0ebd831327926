"""Small modules that isolate each pass of the mobile optimizer, and families of models for the whole of it."""
import torch
from torch import nn
from torch.nn import functional as F
from torchvision import models as tv
from torchvision.models.detection.image_list import ImageList
from typing import Dict, List, Optional, Tuple


def image(*shape):
    return lambda: (torch.randn(*shape),)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 3, padding=1)

    def forward(self, x):
        return F.relu(self.conv(x) + x)


class InPlaceResidual(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 3, padding=1)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        y = self.conv(x)
        y += x
        return self.relu(y)


class InPlaceSeen(nn.Module):
    """What add_ wrote is read before relu_ changes it again."""

    def forward(self, x, b):
        x = x * 1.0
        y = x.add_(b)
        z = x * 2
        return y.relu_(), z


class Everything(nn.Module):
    """The module whose operators mobile_optimizer documents."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, bias=False)
        self.bn = nn.BatchNorm2d(8)
        self.relu6 = nn.ReLU6()
        self.depthwise = nn.Conv2d(8, 8, 3, groups=8, padding=1)
        self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.conv1d = nn.Conv1d(4, 6, 3)
        self.linear = nn.Linear(6, 5)
        self.drop = nn.Dropout()

    def forward(self, x):
        x = self.relu6(self.bn(self.conv(x)))
        x = F.relu(self.depthwise(x))
        y = self.up(x)
        y = F.relu(y + y)
        z = self.conv1d(y.flatten(2))
        return self.drop(F.relu(self.linear(z.mean([2]))))


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = nn.Linear(4, 4)
        self.flag = True

    def forward(self, x, n: int):
        if n > 2:
            y = F.relu(self.a(x))
        elif self.flag:
            y = self.b(x)
        else:
            y = self.a(x) * 2
        for i in range(n):
            y = torch.tanh(self.b(y)) + i
        return y


class Loops(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.cell = nn.LSTMCell(4, 4)

    def forward(self, x):
        outs: List[torch.Tensor] = []
        for layer in self.layers:
            x = F.relu(layer(x))
            outs.append(x)
        h, c = torch.zeros_like(x), torch.zeros_like(x)
        i = 0
        while i < 3:
            h, c = self.cell(x, (h, c))
            i += 1
        return torch.stack(outs), h, {"c": c}


class Counted(nn.Module):
    """Loops whose turns are known: written out, they need no arithmetic with their index."""

    def __init__(self):
        super().__init__()
        self.fc, self.n = nn.Linear(4, 4), 3

    def forward(self, x):
        total = 0.0
        for i in range(self.n):
            if i % 2 == 0:
                x = F.relu(self.fc(x))
            else:
                x = x * 2 + i
            for j in range(2):
                x = x - j
        for a in [1.0, 2.0, 3.0]:
            total += a
        for k, v in {"a": 1, "b": 2}.items():
            total += v
        return x * total


class Endless(nn.Module):
    """Too many turns, an unknown number of them, one that may stop early."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        for i in range(1000):
            x = x * 0.999
        for i in range(x.size(0)):
            x = torch.tanh(self.fc(x))
        for i in range(5):
            if bool(x.sum() > 100):
                break
            x = x + i
        return x


class Shared(nn.Module):
    """One layer called twice, one weight in two layers, one layer under two norms."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 3, padding=1)
        self.bn1, self.bn2 = nn.BatchNorm2d(3), nn.BatchNorm2d(3)
        self.fc = nn.Linear(3, 3)
        self.tied = nn.Linear(3, 3)
        self.tied.weight = self.fc.weight

    def forward(self, x):
        x = self.bn1(self.conv(x)) + self.bn2(self.conv(x))
        return self.tied(self.fc(x.mean([2, 3])))


class Stateful(nn.Module):
    """Attributes that methods change stay attributes."""
    history: List[int]

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.register_buffer("sum", torch.zeros(4))
        self.register_buffer("table", torch.zeros(3, 4))
        self.calls = 0
        self.history = []

    def forward(self, x):
        self.calls += 1
        self.sum.add_(x.sum(0))
        self.table[self.calls % 3] = x[0]
        self.history.append(self.calls)
        return self.fc(x) + self.sum, self.table + 0, self.calls, len(self.history)


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(1))
        self.scale = nn.Parameter(torch.full((4,), 2.0))

    def forward(self, x):
        self.count += 1
        return x * self.scale + self.count


class StatefulChild(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.other = Inner()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.inner(self.fc(x)) + self.inner(x)


class Methods(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(4, 3)
        self.dec = nn.Linear(3, 4)
        self.names = ["a", "b"]
        self.sizes: Dict[str, int] = {"a": 1}

    @torch.jit.export
    def encode(self, x):
        return F.relu(self.enc(x))

    @torch.jit.export
    def decode(self, x, scale: float = 2.0):
        return self.dec(x) * scale

    @torch.jit.export
    def labels(self) -> List[str]:
        return self.names

    def forward(self, x):
        return self.decode(self.encode(x), 2.0)


class Returns(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 4))
        self.items = [1, 2, 3]

    def forward(self, x, mask: Optional[torch.Tensor] = None) -> Tuple[torch.Tensor, List[int], torch.Tensor]:
        if mask is not None:
            x = x * mask
        if x.dim() != 2:
            raise ValueError("expected 2 dimensions")
        return x @ self.weight.t(), self.items, self.weight


class AddMM(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(5, 4))
        self.b = nn.Parameter(torch.randn(5))

    def forward(self, x):
        y = torch.addmm(self.b, x, self.w.t())
        return F.relu(y), torch.matmul(x, self.w.t()) + self.b, torch.matmul(x, self.w.t())


class Clamps(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.ModuleList([nn.Conv2d(3, 4, 3) for _ in range(6)])
        self.fc = nn.Linear(4, 4)
        self.up = nn.ConvTranspose2d(4, 4, 2)

    def forward(self, x):
        c = self.c
        a = F.relu6(c[0](x)) + torch.clamp(c[1](x), -0.5, 0.5) + F.hardtanh(c[2](x), -0.25, 0.75)
        b = F.hardsigmoid(c[3](x)) + F.hardswish(c[4](x)) + torch.clamp(c[5](x), min=0.1)
        y = F.relu(self.up(a + b))
        return F.hardtanh(self.fc(y.mean([2, 3])), -0.1, 0.1)


class ByFunction(nn.Module):
    """One of the ways to write a clamp."""

    def forward(self, x):
        return F.relu(x)


class ByFunctionInPlace(ByFunction):
    def forward(self, x):
        return F.relu(x, inplace=True)


class ByMethod(ByFunction):
    def forward(self, x):
        return x.relu()


class ByMethodInPlace(ByFunction):
    def forward(self, x):
        return x.relu_()


class ByTorch(ByFunction):
    def forward(self, x):
        return torch.relu(x)


class ClampMethod(ByFunction):
    def forward(self, x):
        return x.clamp(-0.25, 0.5)


class ClampLow(ByFunction):
    def forward(self, x):
        return torch.clamp(x, min=0)


class ClampInPlace(ByFunction):
    def forward(self, x):
        return x.clamp_(max=0.5)


class ClampMin(ByFunction):
    def forward(self, x):
        return x.clamp_min(0.1)


class ClampMax(ByFunction):
    def forward(self, x):
        return torch.clamp_max(x, 0.3)


class Clip(ByFunction):
    def forward(self, x):
        return torch.clip(x, -0.1, 0.2)


class Relu6Function(ByFunction):
    def forward(self, x):
        return F.relu6(x)


class HardtanhFunction(ByFunction):
    def forward(self, x):
        return F.hardtanh(x, -0.5, 0.5, inplace=True)


def clamps():
    """What a packed layer's bounds can say, however it is written."""
    return [nn.ReLU(), nn.ReLU(True), nn.ReLU6(), nn.ReLU6(True), nn.Hardtanh(-0.3, 0.4), nn.Hardtanh(-0.3, 0.4, inplace=True),
            nn.Hardsigmoid(), nn.Hardsigmoid(True), nn.Threshold(0.0, 0.0), ByFunction(), ByFunctionInPlace(), ByMethod(),
            ByMethodInPlace(), ByTorch(), ClampMethod(), ClampLow(), ClampInPlace(), ClampMin(), ClampMax(), Clip(),
            Relu6Function(), HardtanhFunction()]


class Clamped(nn.Module):
    """The layer before every clamp."""

    def __init__(self, layer):
        super().__init__()
        self.acts = nn.ModuleList(clamps())
        self.layers = nn.ModuleList([layer() for _ in self.acts])

    def forward(self, x):
        out: List[torch.Tensor] = []
        for layer, act in zip(self.layers, self.acts):
            out.append(act(layer(x)))
        return torch.cat(out)


def clamped():
    """(name, layer, input's shape, operators besides cat)"""
    conv, transposed, dense = "prepacked::conv2d_clamp_run", "prepacked::conv2d_transpose_clamp_run", "prepacked::linear_clamp_run"
    image_shape, row_shape, sound_shape = (1, 3, 6, 6), (2, 8), (1, 3, 9)
    flat = ["aten::squeeze.dim", "aten::unsqueeze", conv]
    yield "conv2d", lambda: nn.Conv2d(3, 4, 3), image_shape, [conv]
    yield "conv2d bn", lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)), image_shape, [conv]
    yield "conv1d", lambda: nn.Conv1d(3, 4, 3), sound_shape, flat
    yield "conv1d bn", lambda: nn.Sequential(nn.Conv1d(3, 4, 3), nn.BatchNorm1d(4)), sound_shape, flat
    yield "transposed", lambda: nn.ConvTranspose2d(3, 4, 3), image_shape, [transposed]
    yield "transposed bn", lambda: nn.Sequential(nn.ConvTranspose2d(3, 4, 3), nn.BatchNorm2d(4)), image_shape, [transposed]
    yield "linear", lambda: nn.Linear(8, 4), row_shape, [dense]
    yield "linear bn", lambda: nn.Sequential(nn.Flatten(), nn.Linear(8, 4), nn.BatchNorm1d(4)), row_shape, ["aten::flatten.using_ints", dense]


class NearTies(nn.Module):
    """Two channels that are equal within rounding: which of them is larger is undetermined."""

    def __init__(self):
        super().__init__()
        self.conv, self.bn = nn.Conv2d(3, 2, 3, bias=False), nn.BatchNorm2d(2)
        with torch.no_grad():
            self.conv.weight[1] = self.conv.weight[0] * 3
            self.bn.weight[1] = self.bn.weight[0] / 3

    def forward(self, x):
        y = self.bn(self.conv(x))
        return y.argmax(1), y


class Detector(nn.Module):
    """As torchvision's detectors: an object carries the images and their sizes from part to part."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU())

    def batch(self, images: List[torch.Tensor]) -> ImageList:
        sizes: List[Tuple[int, int]] = []
        for image in images:
            sizes.append((image.size(1), image.size(2)))
        return ImageList(torch.stack(images), sizes)

    def forward(self, images: List[torch.Tensor]) -> Tuple[torch.Tensor, List[Tuple[int, int]]]:
        batch = self.batch(images)
        return self.conv(batch.tensors), batch.image_sizes


class GpuValues(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, x, more: List[torch.Tensor], n: int, shift: Optional[torch.Tensor]):
        y = F.relu(self.conv(x)) * n
        if shift is not None:
            y = y + shift
        return y, [self.conv(m) for m in more], {"n": n}, shift


class Text(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(50, 16)
        self.enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), 2, enable_nested_tensor=False)
        self.gru = nn.GRU(16, 8, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(16, 4)

    def forward(self, x):
        y, _ = self.gru(self.enc(self.emb(x)))
        return F.log_softmax(self.fc(y[:, -1]), -1)


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 5, 2, dropout=0.3)
        self.fc = nn.Linear(5, 2)

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        return self.fc(y), h, c


class Functional(nn.Module):
    """Layers by functions: their weights are attributes of the module itself."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 3, 3, 3))
        self.g = nn.Parameter(torch.rand(4) + 0.5)
        self.register_buffer("m", torch.randn(4))
        self.register_buffer("v", torch.rand(4) + 0.5)

    def forward(self, x):
        y = F.conv2d(x, self.w, None, padding=1)
        y = F.batch_norm(y, self.m, self.v, self.g, None, False)
        w = self.w * x.mean()
        return F.relu(y), F.conv2d(x, w)


class Linear3d(nn.Module):
    """Batch norm of three dimensions counts channels where the layer does not."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.bn = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.bn(self.fc(x))


class Interface(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"a": nn.Linear(4, 4), "b": nn.Tanh()})
        self.final: Optional[nn.Linear] = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for name, part in self.parts.items():
            x = part(x)
        if self.final is not None:
            x = self.final(x)
        return x


class Half(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4).double()

    def forward(self, x):
        return F.relu(self.fc(x.double())).float()


class Padding(nn.Module):
    def __init__(self):
        super().__init__()
        self.same = nn.Conv2d(3, 4, 3, padding="same")
        self.valid = nn.Conv2d(4, 4, 3, padding="valid")
        self.reflect = nn.Conv2d(4, 4, 3, padding=1, padding_mode="reflect")

    def forward(self, x):
        return self.reflect(self.valid(F.relu(self.same(x))))


def quantized():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.quant, self.dequant = torch.quantization.QuantStub(), torch.quantization.DeQuantStub()
            self.conv, self.relu, self.fc = nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Linear(4, 3)

        def forward(self, x):
            x = self.relu(self.conv(self.quant(x)))
            return self.dequant(self.fc(x.mean([2, 3])))

    torch.backends.quantized.engine = "qnnpack"
    net = Net().eval()
    net.qconfig = torch.quantization.get_default_qconfig("qnnpack")
    torch.quantization.fuse_modules(net, [["conv", "relu"]], inplace=True)
    torch.quantization.prepare(net, inplace=True)
    net(torch.randn(2, 3, 8, 8))
    return torch.quantization.convert(net)


def dynamic():
    return torch.quantization.quantize_dynamic(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)).eval(), {nn.Linear})


def seq(*layers):
    return lambda: nn.Sequential(*layers)


def small():
    """(name, builder, inputs, how: "script" or "trace")"""
    x4 = image(2, 4)
    yield "conv bn", seq(nn.Conv2d(3, 5, 3, bias=False), nn.BatchNorm2d(5)), image(1, 3, 8, 8), "script"
    yield "conv bn traced", seq(nn.Conv2d(3, 5, 3), nn.BatchNorm2d(5), nn.ReLU(True)), image(2, 3, 8, 8), "trace"
    yield "conv3d bn", seq(nn.Conv3d(2, 3, 3), nn.BatchNorm3d(3)), image(1, 2, 5, 6, 7), "script"
    yield "conv relu", seq(nn.Conv2d(3, 5, 3, stride=2, padding=1), nn.ReLU()), image(1, 3, 9, 9), "script"
    yield "conv relu6 in place", seq(nn.Conv2d(4, 4, 3, groups=4), nn.ReLU6(True)), image(1, 4, 9, 9), "script"
    yield "dropout", seq(nn.Dropout(0.5), nn.Dropout2d(0.5), nn.Linear(4, 4), nn.Dropout(0.1, True)), image(2, 3, 4, 4), "script"
    yield "conv1d", seq(nn.Conv1d(3, 4, 3, padding=2, dilation=2, stride=2), nn.ReLU()), image(2, 3, 16), "script"
    yield "conv1d traced", seq(nn.Conv1d(4, 4, 3, groups=2)), image(2, 4, 16), "trace"
    yield "conv transpose", seq(nn.ConvTranspose2d(3, 4, 3, stride=2, padding=1, output_padding=1, groups=1)), image(1, 3, 5, 6), "script"
    yield "linear relu", seq(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 3, bias=False)), x4, "script"
    yield "add relu", Residual, image(1, 4, 6, 6), "script"
    yield "add relu in place", InPlaceResidual, image(1, 4, 6, 6), "script"
    yield "everything", Everything, image(1, 3, 12, 12), "script"
    yield "padding", Padding, image(1, 3, 8, 8), "script"
    yield "double", Half, x4, "script"
    yield "text", Text, lambda: (torch.randint(0, 50, (2, 7)),), "script"
    yield "lstm", Lstm, image(3, 2, 6), "script"
    yield "shared", Shared, image(1, 3, 6, 6), "script"
    yield "branches", Branches, lambda: (torch.randn(2, 4), 3), "script"
    yield "loops", Loops, x4, "script"
    yield "known loops", Counted, x4, "script"
    yield "other loops", Endless, x4, "script"
    yield "child state", StatefulChild, x4, "script"
    yield "state", Stateful, image(2, 4), "script"
    yield "returns", Returns, x4, "script"
    yield "module dict", Interface, x4, "script"
    yield "in place seen", InPlaceSeen, lambda: (torch.randn(3), torch.randn(3)), "script"
    yield "functional", Functional, image(1, 3, 6, 6), "script"
    yield "bn of three dimensions", Linear3d, image(2, 4, 4), "script"
    yield "quantized", quantized, image(1, 3, 8, 8), "script"
    yield "dynamic", dynamic, x4, "script"


def extra():
    """What PyTorch's optimizer leaves: only the answers are compared."""
    yield "linear bn", seq(nn.Flatten(), nn.Linear(12, 5), nn.BatchNorm1d(5), nn.ReLU()), image(2, 3, 4), "script"
    yield "linear bn of the input", seq(nn.Linear(12, 5), nn.BatchNorm1d(5)), image(2, 12), "script"
    yield "conv transpose bn", seq(nn.ConvTranspose2d(4, 6, 3, groups=2), nn.BatchNorm2d(6), nn.ReLU()), image(1, 4, 5, 5), "script"
    yield "conv1d bn", seq(nn.Conv1d(3, 4, 3), nn.BatchNorm1d(4), nn.ReLU()), image(2, 3, 16), "script"
    yield "addmm", AddMM, image(2, 4), "script"
    yield "clamps", Clamps, image(1, 3, 8, 8), "script"


def families():
    """Whole models: (name, builder, input)"""
    small_image = image(1, 3, 64, 64)
    yield "mobilenet_v2", lambda: tv.mobilenet_v2(weights=None, width_mult=0.35), small_image
    yield "mobilenet_v3", lambda: tv.mobilenet_v3_small(weights=None), small_image
    yield "resnet18", lambda: tv.resnet18(weights=None, num_classes=10), small_image
    yield "shufflenet", lambda: tv.shufflenet_v2_x0_5(weights=None), small_image
    yield "squeezenet", lambda: tv.squeezenet1_1(weights=None), small_image
    yield "mnasnet", lambda: tv.mnasnet0_5(weights=None), small_image
    yield "efficientnet", lambda: tv.efficientnet_b0(weights=None), small_image
    yield "densenet", lambda: tv.DenseNet(16, (2, 3, 2), 32), small_image
    yield "googlenet", lambda: tv.googlenet(weights=None, init_weights=False, aux_logits=False), small_image
    yield "alexnet", lambda: tv.alexnet(weights=None, num_classes=10), small_image
    yield "regnet", lambda: tv.regnet_y_400mf(weights=None), small_image
    yield "vision transformer", lambda: tv.VisionTransformer(32, 8, 2, 2, 32, 64, num_classes=10), image(2, 3, 32, 32)
    yield "convnext", lambda: tv.convnext_tiny(weights=None), small_image
    yield "deeplab", lambda: tv.segmentation.deeplabv3_mobilenet_v3_large(weights=None, weights_backbone=None), small_image
    yield "vgg", lambda: tv.vgg11_bn(weights=None, num_classes=10), small_image
    yield "resnext", lambda: tv.resnext50_32x4d(weights=None, num_classes=10), small_image
    yield "inception", lambda: tv.inception_v3(weights=None, init_weights=False, aux_logits=False), image(1, 3, 96, 96)
    yield "swin", lambda: tv.swin_t(weights=None, num_classes=10), small_image
    yield "lraspp", lambda: tv.segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None), small_image
    yield "fcn", lambda: tv.segmentation.fcn_resnet50(weights=None, weights_backbone=None), image(1, 3, 32, 32)
    yield "r3d", lambda: tv.video.r3d_18(weights=None), image(1, 3, 4, 32, 32)
    yield "efficientnet v2", lambda: tv.efficientnet_v2_s(weights=None), small_image
