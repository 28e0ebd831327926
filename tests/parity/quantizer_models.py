"""The models of quantizer.py: small, seeded, of every kind of code the quantizer meets."""
from typing import Dict, List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import nn


class Case:
    def __init__(self, name, module, shapes, least_db=25, traced=False, fx=True, outputs=(".ptl",), options=(),
                 operators=(), mentions=(), inputs=6, make=None, most_size=1.0):
        generator = torch.Generator().manual_seed(7)
        make = make or (lambda shape: torch.randn(shape, generator=generator))
        self.name, self.module, self.least_db, self.traced, self.fx = name, module, least_db, traced, fx
        self.outputs, self.options, self.operators, self.mentions = outputs, options, operators, mentions
        self.most_size = most_size
        self.quantizable = None  # the same model with stubs, where PyTorch's eager mode is what to compare with
        self.calibration = [tuple(make(s) for s in shapes) for _ in range(inputs)]
        self.test = tuple(make(s) for s in shapes)

    def trace(self):
        return torch.jit.trace(self.module.eval(), self.test, check_trace=False)


def seeded(module):
    """Weights and statistics as training leaves them: spread, not as initialized."""
    generator = torch.Generator().manual_seed(3)
    for m in module.modules():
        if isinstance(m, (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)):
            m.running_mean.copy_(torch.randn(m.running_mean.shape, generator=generator) * 0.2)
            m.running_var.copy_(torch.rand(m.running_var.shape, generator=generator) + 0.5)
            if m.weight is not None:
                m.weight.data.copy_(torch.rand(m.weight.shape, generator=generator) + 0.5)
                m.bias.data.copy_(torch.randn(m.bias.shape, generator=generator) * 0.2)
    return module.eval()


def conv_bn(i, o, k=3, s=1, g=1, act=nn.ReLU):
    layers = [nn.Conv2d(i, o, k, s, k // 2, groups=g, bias=False), nn.BatchNorm2d(o)]
    return nn.Sequential(*layers, *([act(inplace=True)] if act else []))


class Residual(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.a, self.b = conv_bn(c, c), conv_bn(c, c, act=None)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        y = self.b(self.a(x))
        y += x
        return self.relu(y)


class SqueezeExcite(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.down, self.up = nn.Conv2d(c, 4, 1), nn.Conv2d(4, c, 1)

    def forward(self, x):
        s = F.adaptive_avg_pool2d(x, 1)
        return x * torch.sigmoid(self.up(F.relu(self.down(s))))


class Mobile(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = conv_bn(3, 16, s=2, act=nn.Hardswish)
        self.expand, self.depth = conv_bn(16, 32, 1, act=nn.ReLU6), conv_bn(32, 32, g=32, act=nn.ReLU6)
        self.se, self.project = SqueezeExcite(32), conv_bn(32, 16, 1, act=None)
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        x = self.stem(x)
        x = x + self.project(self.se(self.depth(self.expand(x))))
        return self.head(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))


class Dense(nn.Module):
    """Norms before convolutions, concatenations."""
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1)
        self.n1, self.c1 = nn.BatchNorm2d(8), nn.Conv2d(8, 8, 3, padding=1)
        self.n2, self.c2 = nn.BatchNorm2d(16), nn.Conv2d(16, 8, 1)
        self.head = nn.Linear(24, 6)

    def forward(self, x):
        x = self.stem(x)
        y = self.c1(F.relu(self.n1(x)))
        x = torch.cat([x, y], 1)
        y = self.c2(F.relu(self.n2(x)))
        x = F.max_pool2d(torch.cat([x, y], 1), 2)
        return self.head(x.mean([2, 3]))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2 = conv_bn(3, 8), conv_bn(8, 16, s=2)
        self.up, self.merge, self.out = nn.ConvTranspose2d(16, 8, 2, 2), conv_bn(16, 8), nn.Conv2d(8, 2, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.up(self.down2(a))
        y = self.merge(torch.cat([a, b], dim=1))
        return F.interpolate(self.out(y), scale_factor=2.0, mode="bilinear", align_corners=False)


class Shuffle(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.branch = conv_bn(3, 16), conv_bn(8, 8)
        self.out = nn.Conv2d(16, 4, 1)

    def forward(self, x):
        x = self.stem(x)
        a, b = x.chunk(2, dim=1)
        x = torch.cat((a, self.branch(b)), 1)
        n, c, h, w = x.size()
        x = x.view(n, 2, c // 2, h, w).transpose(1, 2).contiguous().view(n, c, h, w)
        return self.out(x)


class Branches(nn.Module):
    """Control flow: branches by value and by shape, loops, a branch calibration never takes."""
    def __init__(self):
        super().__init__()
        self.a, self.b, self.never = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8)
        self.steps: int = 3

    def forward(self, x):
        for i in range(self.steps):
            if i % 2 == 0:
                x = F.relu(self.a(x))
            else:
                x = torch.tanh(self.b(x))
        if x.shape[0] > 100:
            x = self.never(x)
        if bool(x.sum() > 1e6):
            x = -x
        return x


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 3, padding=1)
        self.other = self.conv

    def forward(self, x):
        return self.other(F.relu(self.conv(x)) + x)


class Functional(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(6, 3, 3, 3) * 0.3)
        self.v = nn.Parameter(torch.randn(6, 5) * 0.5)
        self.scale = nn.Parameter(torch.rand(6, 1, 1, 1) + 0.5)

    def forward(self, x):
        y = F.conv2d(x, self.w * self.scale, None, stride=2, padding=1)
        y = F.leaky_relu(y, 0.1)
        z = torch.matmul(y.mean([2, 3]), self.v)
        return F.linear(F.gelu(z), self.v * 2)


class Mutating(nn.Module):
    """Writes into tensors that other code sees: those must stay float."""
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(3, 4, 1), nn.Conv2d(4, 4, 1)
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x):
        y = self.a(x)
        part = y[:, :2]
        part.mul_(2)
        self.count.add_(1)
        y[:, 3] = 1.0
        return self.b(y), part, self.count + 0


class Containers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Conv2d(3, 3, 3, padding=1) for _ in range(3)])

    def forward(self, x) -> Tuple[Dict[str, torch.Tensor], List[torch.Tensor]]:
        seen: List[torch.Tensor] = []
        for layer in self.layers:
            x = F.relu(layer(x))
            seen.append(x)
        return {"last": x, "sum": seen[0] + seen[2]}, seen


class Optional_(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 6), nn.Linear(6, 3)

    def forward(self, x, mask: Optional[torch.Tensor] = None):
        y = self.a(x)
        if mask is not None:
            y = y.masked_fill(mask > 0, -float("inf"))
            y = torch.softmax(y, -1)
        return self.b(y)


class Odd(nn.Module):
    """Operators without an 8-bit form between layers that have one."""
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv1d(4, 8, 5, padding=2), nn.Conv1d(8, 8, 3, padding="same", dilation=2)
        self.norm, self.act, self.out = nn.GroupNorm(2, 8), nn.PReLU(8), nn.Linear(8, 4)

    def forward(self, x):
        y = self.act(self.norm(self.a(x)))
        y = F.silu(self.b(y)) * 0.5 - y.abs().sqrt() + torch.cumsum(y, -1) / 7
        return self.out(y.transpose(1, 2)).sin()


class Volume(nn.Module):
    def __init__(self):
        super().__init__()
        self.c, self.n, self.d = nn.Conv3d(2, 4, 3, padding=1), nn.BatchNorm3d(4), nn.Conv3d(4, 2, 1)

    def forward(self, x):
        return self.d(F.relu(self.n(self.c(x))))


class Rows(nn.Module):
    """Linear layers with norms: over rows, and over the middle of three dims."""
    def __init__(self):
        super().__init__()
        self.a, self.n, self.b, self.m = nn.Linear(8, 12), nn.BatchNorm1d(12), nn.Linear(12, 12), nn.BatchNorm1d(3)

    def forward(self, x):
        y = F.relu(self.n(self.a(x)))
        return self.m(self.b(y).unsqueeze(1).repeat(1, 3, 1))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
        self.encoder, self.head = nn.TransformerEncoder(layer, 2), nn.Linear(32, 5)

    def forward(self, x):
        return self.head(self.encoder(x))


class Blocks(nn.Module):
    """A transformer written out."""
    def __init__(self, d=32, h=4):
        super().__init__()
        self.h = h
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.up, self.down = nn.Linear(d, 2 * d), nn.Linear(2 * d, d)

    def forward(self, x):
        n, t, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(n, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4).unbind(0)
        a = torch.softmax(q @ k.transpose(-2, -1) / (d // self.h) ** 0.5, -1)
        x = x + self.out((a @ v).transpose(1, 2).reshape(n, t, d))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class Recurrent(nn.Module):
    def __init__(self, kind=nn.LSTM, **kw):
        super().__init__()
        self.rnn = kind(16, 24, **kw)
        width = 24 * (2 if kw.get("bidirectional") else 1)
        self.head = nn.Linear(width, 5)

    def forward(self, x):
        y, h = self.rnn(x)
        return self.head(y)


class Cells(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.LSTMCell(16, 24), nn.GRUCell(24, 20), nn.RNNCell(20, 12)

    def forward(self, x):
        h, c = self.a(x)
        return self.c(self.b(h))


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 16)
        self.net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 8, bias=False))

    def forward(self, i):
        return self.net(self.emb(i))


def static_models():
    torch.manual_seed(11)
    image = [(2, 3, 24, 24)]
    integers = torch.Generator().manual_seed(1)
    both = (".ptl", ".pt")
    return [
        Case("residual", seeded(nn.Sequential(conv_bn(3, 8), Residual(8), Residual(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                                              nn.Linear(8, 5))), image, outputs=both,
             operators=["quantized::conv2d_relu.new", "quantized::add_relu", "quantized::linear"]),
        Case("residual traced", seeded(nn.Sequential(conv_bn(3, 8), Residual(8))), image, traced=True),
        Case("mobile", seeded(Mobile()), image, outputs=both, operators=["quantized::hardswish", "quantized::mul"]),
        Case("mobile per tensor", seeded(Mobile()), image, options=["--per-tensor"]),
        Case("mobile minmax", seeded(Mobile()), image, options=["--observer", "minmax"], fx=False),
        Case("mobile moving average", seeded(Mobile()), image, options=["--observer", "moving-average"], fx=False),
        Case("dense", seeded(Dense()), image, operators=["quantized::batch_norm2d_relu", "quantized::cat"]),
        Case("unet", seeded(UNet()), image, operators=["quantized::conv_transpose2d"]),
        Case("shuffle", seeded(Shuffle()), image, fx=False, outputs=both, operators=["quantized::cat"]),
        Case("branches", Branches(), [(4, 8)], fx=False, outputs=both, mentions=["never came here"],
             inputs=24),
        Case("shared", Shared(), [(1, 4, 9, 9)], fx=False, outputs=both),
        Case("functional", Functional(), image, outputs=both, operators=["quantized::linear"], fx=False),
        Case("leaky", nn.Sequential(nn.Conv2d(3, 8, 3), nn.LeakyReLU(0.1), nn.Conv2d(8, 4, 1)), image,
             operators=["quantized::leaky_relu"]),
        Case("mutating", Mutating(), image, fx=False, outputs=both, mentions=["code writes into"]),
        Case("containers", Containers(), image, fx=False, outputs=both),
        Case("optional", Optional_(), [(5, 6), (5, 6)], fx=False, outputs=both),
        Case("odd", Odd(), [(2, 4, 20)], fx=False, outputs=both, mentions=["no 8-bit form of aten::group_norm"]),
        Case("volume", seeded(Volume()), [(1, 2, 5, 6, 7)], fx=False, mentions=["does not load 3-d"], least_db=60),
        Case("rows", seeded(Rows()), [(6, 8)], fx=False, operators=["quantized::linear_relu"]),
        Case("grouped", nn.Sequential(nn.Conv2d(4, 8, 3, groups=2, stride=2), nn.ReLU6(),
                                      nn.ConvTranspose2d(8, 4, 3, groups=2, stride=2, output_padding=1)),
             [(2, 4, 11, 11)]),
        Case("pools", nn.Sequential(nn.Conv2d(3, 8, 3), nn.MaxPool2d(3, 2, 1), nn.Conv2d(8, 8, 1), nn.AvgPool2d(2),
                                    nn.Conv2d(8, 8, 1), nn.AvgPool2d(3, 1, 1, count_include_pad=False),
                                    nn.Conv2d(8, 8, 1), nn.AdaptiveAvgPool2d(2), nn.Conv2d(8, 4, 1)), image, fx=False),
        Case("shapes", nn.Sequential(nn.Conv2d(4, 8, 3), nn.ZeroPad2d(1), nn.Conv2d(8, 8, 1), nn.PixelShuffle(2),
                                     nn.Conv2d(2, 4, 1), nn.Upsample(scale_factor=2), nn.Conv2d(4, 4, 1),
                                     nn.Hardtanh(-0.5, 0.5), nn.Conv2d(4, 4, 1), nn.Flatten(), nn.Linear(3136, 3)),
             [(2, 4, 7, 7)], fx=False),
        Case("beyond the range", nn.Sequential(nn.Conv2d(3, 4, 1), nn.ConstantPad2d(1, 50.0), nn.Conv2d(4, 4, 1)), image,
             fx=False, mentions=["beyond the range"]),
        Case("one channel is nothing", dead_channel(), image),
        Case("attention", Attention(), [(2, 7, 32)], fx=False, least_db=20),
        Case("blocks", Blocks(), [(2, 7, 32)], fx=False, outputs=both),
        Case("embedding", Mlp(), [(4, 6)], fx=False, make=lambda s: torch.randint(0, 20, s, generator=integers),
             mentions=["aten::embedding"]),
        Case("recurrent", Recurrent(), [(6, 2, 16)], fx=False, mentions=["aten::lstm"]),
        Case("skipped", seeded(Mobile()), image, fx=False, options=["--skip", "stem", "--skip", "head"],
             mentions=["skipped as asked"]),
        Case("small loss", seeded(Mobile()), image, fx=False, options=["--max-loss", "0.003"], least_db=45,
             mentions=["to meet the greatest loss"]),
    ]


def dead_channel():
    """Weights of zero with a bias, as pruned channels have."""
    model = seeded(nn.Sequential(conv_bn(3, 8), nn.Conv2d(8, 4, 1)))
    with torch.no_grad():
        model[0][1].weight[2] = 0
        model[0][1].bias[2] = 3
    return model


def vision_models(full):
    import torchvision.models as zoo
    torch.manual_seed(5)
    names = ["mobilenet_v3_small"]
    if full:
        names += ["mobilenet_v2", "mobilenet_v3_large", "resnet18", "resnet50", "shufflenet_v2_x1_0", "squeezenet1_1",
                  "googlenet", "inception_v3", "mnasnet0_5", "efficientnet_b0", "densenet121", "regnet_y_400mf"]
    cases = []
    for name in names:
        options = {"weights": None}
        if name in ("googlenet", "inception_v3"):  # scripted ones give a named tuple, which Python can not take from a .ptl
            options.update(init_weights=False, aux_logits=False)
        size = 80 if name == "inception_v3" else 64
        case = Case(name, seeded(getattr(zoo, name)(**options)), [(1, 3, size, size)], inputs=3, least_db=20,
                    most_size=0.30, traced="init_weights" in options)
        if name == "shufflenet_v2_x1_0":  # the graph mode does not trace it
            case.quantizable = zoo.quantization.shufflenet_v2_x1_0(weights=None)
            case.quantizable.load_state_dict(case.module.state_dict())
        cases.append(case)
    return cases


def dynamic_models():
    torch.manual_seed(13)
    integers = torch.Generator().manual_seed(1)
    return [
        Case("mlp", Mlp(), [(4, 6)], least_db=35, make=lambda s: torch.randint(0, 20, s, generator=integers)),
        Case("lstm", Recurrent(nn.LSTM, num_layers=2, bidirectional=True), [(6, 2, 16)], least_db=35),
        Case("lstm without bias", Recurrent(nn.LSTM, bias=False, batch_first=True), [(2, 6, 16)], least_db=35),
        Case("gru traced", Recurrent(nn.GRU, num_layers=2), [(6, 2, 16)], least_db=35, traced=True),
        Case("cells", Cells(), [(3, 16)], least_db=35),
        Case("transformer", Attention(), [(2, 7, 32)], least_db=30, traced=True),
        Case("blocks", Blocks(), [(2, 7, 32)], least_db=30),
    ]
