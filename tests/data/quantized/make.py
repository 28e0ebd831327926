#!/usr/bin/env python3
"""Writes quantised models with an engine of the PyTorch that runs this script, each with NAME.cases.pt, a torch.save of
[(method, args tuple, expected), ...]; the answers are integers where the result is quantised.

    make.py FOLDER ENGINE      fbgemm, onednn, x86 or qnnpack; FOLDER/ENGINE_RELEASE_NAME.pt
    make.py bad                bad/: float models that are not to be quantised

PyTorch 1.4 or later; what a release or an engine can not make is named and left out.
"""
import os
import sys
import zipfile
from typing import List

import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.set_grad_enabled(False)
Q = torch.quantization


class Layers(nn.Module):
    """Every layer reads the same integers, so that one layer's rounding does not reach the next."""

    def __init__(self):
        super().__init__()
        self.quant = Q.QuantStub()
        self.flat_quant = Q.QuantStub()
        self.dense = nn.Conv2d(8, 24, 3, padding=1)
        self.relu = nn.Sequential(nn.Conv2d(8, 24, 3, stride=2, bias=False), nn.ReLU())
        self.depthwise = nn.Conv2d(8, 8, 5, padding=2, groups=8)
        self.groups = nn.Conv2d(8, 16, 3, padding=2, dilation=2, groups=4)
        self.point = nn.Conv2d(8, 40, 1)
        self.linear = nn.Linear(60, 33)
        self.linear_relu = nn.Sequential(nn.Linear(60, 20), nn.ReLU())
        self.add = nn.quantized.FloatFunctional()
        self.add_relu = nn.quantized.FloatFunctional()
        self.mul = nn.quantized.FloatFunctional()
        self.cat = nn.quantized.FloatFunctional()

    def forward(self, x, flat) -> List[torch.Tensor]:
        x = self.quant(x)
        flat = self.flat_quant(flat)
        d = self.depthwise(x)
        return [self.dense(x), self.relu(x), d, self.groups(x), self.point(x), self.linear(flat), self.linear_relu(flat),
                self.add.add(x, d), self.add_relu.add_relu(x, d), self.mul.mul(x, d), self.cat.cat([x, d], 1),
                F.avg_pool2d(x, 3, 2, 1), F.adaptive_avg_pool2d(x, [1, 1]), F.max_pool2d(x, 3, 2, 1), x.mean([2, 3]),
                F.relu(x), F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)]


class Later(nn.Module):
    """Layers that came after 1.4."""

    def __init__(self):
        super().__init__()
        self.quant = Q.QuantStub()
        self.row_quant = Q.QuantStub()
        self.conv1d = nn.Conv1d(8, 12, 3, padding=1)
        self.hardswish = nn.Hardswish()
        self.elu = nn.ELU()
        self.leaky = nn.LeakyReLU(0.2)
        self.layer_norm = nn.LayerNorm([8, 9, 9])
        self.group_norm = nn.GroupNorm(2, 8)
        self.instance_norm = nn.InstanceNorm2d(8, affine=True)

    def forward(self, x, row) -> List[torch.Tensor]:
        x = self.quant(x)
        row = self.row_quant(row)
        return [self.conv1d(row), self.hardswish(x), self.elu(x), self.leaky(x), self.layer_norm(x),
                self.group_norm(x), self.instance_norm(x), torch.sigmoid(x), torch.tanh(x)]


class Volume(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant = Q.QuantStub()
        self.dense = nn.Conv3d(4, 10, 3, padding=1)
        self.relu = nn.Sequential(nn.Conv3d(4, 6, (1, 3, 3), stride=2), nn.ReLU())
        self.depthwise = nn.Conv3d(4, 4, 3, padding=1, groups=4)

    def forward(self, x) -> List[torch.Tensor]:
        x = self.quant(x)
        return [self.dense(x), self.relu(x), self.depthwise(x)]


class Transposed(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant = Q.QuantStub()
        self.dense = nn.ConvTranspose2d(8, 12, 3, stride=2, padding=1, output_padding=1)
        self.groups = nn.ConvTranspose2d(8, 8, 2, stride=2, groups=2)

    def forward(self, x) -> List[torch.Tensor]:
        x = self.quant(x)
        return [self.dense(x), self.groups(x)]


class Network(nn.Module):
    """Layers behind one another, float at both ends."""

    def __init__(self):
        super().__init__()
        self.quant = Q.QuantStub()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.ReLU())
        self.wide = nn.Sequential(nn.Conv2d(16, 48, 1), nn.BatchNorm2d(48), nn.ReLU())
        self.deep = nn.Sequential(nn.Conv2d(48, 48, 3, padding=1, groups=48), nn.BatchNorm2d(48), nn.ReLU())
        self.narrow = nn.Sequential(nn.Conv2d(48, 16, 1), nn.BatchNorm2d(16))
        self.skip = nn.quantized.FloatFunctional()
        self.last = nn.Linear(16, 10)
        self.dequant = Q.DeQuantStub()
        for m in self.modules():
            if isinstance(m, nn.BatchNorm2d):
                nn.init.uniform_(m.running_var, 0.5, 2)
                nn.init.uniform_(m.running_mean, -0.2, 0.2)

    def fuse(self):
        Q.fuse_modules(self, [["stem.0", "stem.1", "stem.2"], ["wide.0", "wide.1", "wide.2"],
                              ["deep.0", "deep.1", "deep.2"], ["narrow.0", "narrow.1"]], inplace=True)

    def forward(self, x) -> List[torch.Tensor]:
        x = self.stem(self.quant(x))
        x = self.skip.add(self.narrow(self.deep(self.wide(x))), x)
        return [self.dequant(self.last(torch.flatten(F.adaptive_avg_pool2d(x, (1, 1)), 1)))]


class Plain(nn.Module):
    """No stubs: for the graph mode, which finds everything by itself."""

    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 12, 3, padding=1)
        self.norm = nn.BatchNorm2d(12)
        self.b = nn.Conv2d(12, 12, 3, padding=1)
        self.c = nn.Linear(24, 7)
        nn.init.uniform_(self.norm.running_var, 0.5, 2)

    def forward(self, x):
        x = F.relu(self.norm(self.a(x)))
        y = F.hardswish(self.b(x)) + x
        y = torch.cat([y, F.max_pool2d(x, 3, 1, 1)], 1)
        return [self.c(F.adaptive_avg_pool2d(y, [1, 1]).flatten(1))]


class Fused(nn.Module):
    """Layers that onednn joins: sums into convolutions, functions into linear layers. It writes a sum over what was
    added, so nothing else reads that."""

    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 8, 3, padding=1)
        self.b = nn.Conv2d(3, 8, 3, padding=1)
        self.c = nn.Conv2d(8, 8, 3, padding=1)
        self.d = nn.Conv2d(8, 8, 1)
        self.e = nn.Linear(8, 12)
        self.leaky = nn.LeakyReLU(0.1)
        self.f = nn.Linear(12, 9)
        self.tanh = nn.Tanh()
        self.relu = nn.ReLU()

    def forward(self, x):
        y = self.a(x)
        z = self.relu(self.c(y) + self.b(x))
        y = self.d(z) + y
        y = self.leaky(self.e(F.adaptive_avg_pool2d(y, [1, 1]).flatten(1)))
        return [self.tanh(self.f(y))]


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(10, 12, bidirectional=True)
        self.linear = nn.Linear(24, 6)
        self.relu = nn.ReLU()

    def forward(self, x) -> List[torch.Tensor]:
        y = self.lstm(x)[0]
        return [y, self.relu(self.linear(y))]


class Gates(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(10, 12, 2)

    def forward(self, x) -> List[torch.Tensor]:
        y, h = self.gru(x)
        return [y, h]


class Projections(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(20, 30)
        self.b = nn.Linear(30, 9)

    def forward(self, x) -> List[torch.Tensor]:
        y = self.a(x)
        return [y, self.b(torch.relu(y))]


class Ints(nn.Module):
    """The integers of quantised results."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x, y: torch.Tensor) -> List[torch.Tensor]:
        out: List[torch.Tensor] = []
        for t in self.inner(x, y):
            out.append(t.int_repr() if t.is_quantized else t)
        return out


class IntsOfOne(Ints):
    def forward(self, x) -> List[torch.Tensor]:
        out: List[torch.Tensor] = []
        for t in self.inner(x):
            out.append(t.int_repr() if t.is_quantized else t)
        return out


def shrink(path):
    """Without debug records, and compressed."""
    with zipfile.ZipFile(path) as old:
        records = [(i.filename, old.read(i)) for i in old.infolist() if not i.filename.endswith(".debug_pkl")]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in records:
            new.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


def per_tensor(reduce_range):
    return Q.QConfig(activation=Q.HistogramObserver.with_args(reduce_range=reduce_range),
                     weight=Q.MinMaxObserver.with_args(dtype=torch.qint8, qscheme=torch.per_tensor_symmetric))


def static(model, inputs, qconfig):
    model.eval()
    if hasattr(model, "fuse"):
        model.fuse()
    model.qconfig = qconfig
    Q.prepare(model, inplace=True)
    model(*inputs)
    Q.convert(model, inplace=True)
    return model


def write_bad():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bad")
    model = nn.Sequential(nn.Conv2d(3, 4, 1), nn.Flatten(), nn.Linear(16, 2)).eval()
    model[2].weight[1, 3] = float("nan")
    path = os.path.join(folder, "nan_weight.pt")
    torch.jit.save(torch.jit.script(model), path)
    shrink(path)
    torch.save((torch.zeros(1, 3, 2, 2),), os.path.join(folder, "input.pt"))
    # One channel that the result does not depend on is so large that eight bits hold nothing of the others.
    torch.manual_seed(3)
    model = nn.Sequential(nn.Conv2d(3, 4, 1), nn.Flatten(), nn.Linear(16, 2)).eval()
    model[0].bias[0] = 1e6
    model[2].weight[:, :4] = 0
    path = os.path.join(folder, "wide_range.pt")
    torch.jit.save(torch.jit.script(model), path)
    shrink(path)
    torch.save((torch.rand(1, 3, 2, 2),), os.path.join(folder, "wide_range_input.pt"))


def main():
    if sys.argv[1:] == ["bad"]:
        return write_bad()
    folder, engine = sys.argv[1:]
    torch.backends.quantized.engine = engine
    release = "_".join(torch.__version__.split("+")[0].split(".")[:2])
    default = Q.get_default_qconfig("fbgemm" if engine == "onednn" and release == "1_13" else engine)
    os.makedirs(folder, exist_ok=True)

    def write(name, make, inputs):
        torch.manual_seed(sum(map(ord, name)))
        try:
            inputs = tuple(torch.rand(*s) * 4 - 2 for s in inputs)
            model = make(inputs)
            model = torch.jit.script((Ints if len(inputs) == 2 else IntsOfOne)(model).eval())
            path = os.path.join(folder, "%s_%s_%s.pt" % (engine, release, name))
            torch.jit.save(model, path)
            shrink(path)
            torch.save([("forward", inputs, torch.jit.load(path)(*inputs))], path[:-3] + ".cases.pt")
        except Exception as e:
            print("%s %s: no %s: %s" % (engine, release, name, str(e).strip().split("\n")[0][:160]))

    image = (1, 8, 9, 9)
    write("layers", lambda x: static(Layers(), x, default), [image, (7, 60)])
    write("layers_per_tensor", lambda x: static(Layers(), x, per_tensor(False)), [image, (7, 60)])
    write("later", lambda x: static(Later(), x, default), [image, (2, 8, 30)])
    write("volume", lambda x: static(Volume(), x, default), [(1, 4, 4, 5, 6)])
    write("transposed", lambda x: static(Transposed(), x, per_tensor(True)), [(1, 8, 5, 6)])
    write("network", lambda x: static(Network(), x, default), [(2, 3, 15, 15)])
    for reduce_range in (False, True):
        def graph_mode(x, how=per_tensor(reduce_range)):
            from torch.quantization.quantize_fx import convert_fx, prepare_fx
            try:
                model = prepare_fx(Plain().eval(), {"": how}, x)
            except TypeError:
                model = prepare_fx(Plain().eval(), {"": how})
            model(*x)
            return convert_fx(model)
        write("graph_7_bits" if reduce_range else "graph", graph_mode, [(2, 3, 9, 9)])
    def fused(x):
        from torch.ao.quantization.backend_config import get_onednn_backend_config
        from torch.ao.quantization.quantize_fx import convert_fx, prepare_fx
        config = get_onednn_backend_config()
        mapping = torch.ao.quantization.QConfigMapping().set_global(default)
        model = prepare_fx(Fused().eval(), mapping, x, backend_config=config)
        model(*x)
        return convert_fx(model, backend_config=config)
    if engine == "onednn":
        write("fused", fused, [(2, 3, 9, 9)])
    write("lstm", lambda x: Q.quantize_dynamic(Recurrent().eval(), {nn.LSTM, nn.Linear}), [(9, 3, 10)])
    write("gru", lambda x: Q.quantize_dynamic(Gates().eval(), {nn.GRU}), [(9, 3, 10)])
    write("dynamic", lambda x: Q.quantize_dynamic(Projections().eval(), {nn.Linear}), [(11, 20)])
    write("half", lambda x: Q.quantize_dynamic(Projections().eval(), {nn.Linear}, dtype=torch.float16), [(11, 20)])


if __name__ == "__main__":
    main()
