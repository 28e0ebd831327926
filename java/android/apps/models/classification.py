"""The models of HelloWorld and of the camera classification: ten kinds of figures, their names stored in the files."""
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.ao.quantization import QuantStub, DeQuantStub, fuse_modules, get_default_qconfig, prepare, convert
from torch.utils.mobile_optimizer import optimize_for_mobile

import common
from pictures import KINDS, draw


class Classifier(nn.Module):
    """Pictures of any size; it looks at 32 x 32 pixels of them."""

    def __init__(self, width=16):
        super().__init__()
        w = width
        self.quant, self.dequant = QuantStub(), DeQuantStub()
        self.features = nn.Sequential(common.convolution(3, w, 1), common.convolution(w, 2 * w, 2),
                                      common.convolution(2 * w, 2 * w, 2), common.convolution(2 * w, 3 * w, 2))
        self.classifier = nn.Linear(3 * w, len(KINDS))

    def forward(self, image):
        x = self.quant(F.adaptive_avg_pool2d(image, (32, 32)))
        x = self.features(x).mean([2, 3])
        return self.dequant(self.classifier(x))


def batch(rng, count):
    pictures, kinds = draw(rng, count)
    return common.normalized(np.clip(pictures.transpose(0, 2, 3, 1) * 0.5 + 0.5, 0, 1)), torch.from_numpy(kinds)


def accuracy(model):
    x, y = batch(np.random.default_rng(5), 500)
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def quantized(model, rng):
    torch.backends.quantized.engine = "qnnpack" if "qnnpack" in torch.backends.quantized.supported_engines else "fbgemm"
    model.qconfig = get_default_qconfig(torch.backends.quantized.engine)
    fuse_modules(model, [[f"features.{i}.{j}" for j in range(3)] for i in range(4)], inplace=True)
    prepared = prepare(model)
    for _ in range(8):
        prepared(batch(rng, 32)[0])
    return convert(prepared)


def large(kind, size, seed):
    """One picture of `kind`, drawn with many pixels."""
    rng = np.random.default_rng(seed)
    while True:
        pictures, kinds = draw(rng, 1, size)
        if KINDS[kinds[0]] == kind:
            return np.clip(pictures[0].transpose(1, 2, 0) * 0.5 + 0.5, 0, 1)


def main(steps):
    rng = np.random.default_rng(0)
    model = Classifier()

    def loss_of(_):
        x, y = batch(rng, 48)
        return F.cross_entropy(model(x), y)

    common.train("classification", model, steps, 8e-3, loss_of)
    print(f"classification: {accuracy(model):.3f} right")
    labels = {"labels.txt": "\n".join(KINDS)}
    hello = common.assets("HelloWorld")
    traced = torch.jit.trace(model, torch.rand(1, 3, 224, 224))
    optimize_for_mobile(traced)._save_for_lite_interpreter(str(hello / "model.pt"), _extra_files=labels)
    common.save_picture(hello / "image.jpg", large("plus", 400, 2))
    demo = common.assets("PyTorchDemo")
    torch.jit.script(model).save(str(demo / "resnet18.pt"), _extra_files=labels)
    smaller = quantized(model, rng)
    print(f"classification, 8 bits: {accuracy(smaller):.3f} right")
    torch.jit.script(smaller).save(str(demo / "mobilenet_v2.pt"), _extra_files=labels)
