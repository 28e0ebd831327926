"""models.py FOLDER [NAME...]: the models whose selective builds are measured: NAME.ptl and its arguments, NAME.pt (tensors)
or NAME.txt (numbers and words).

Weights are random: the operators are what matters.
"""
import sys
from pathlib import Path

import torch
import torchvision
from torch.utils import mobile_optimizer


class LstmClassifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(1000, 64)
        self.lstm = torch.nn.LSTM(64, 128, num_layers=2, batch_first=True, bidirectional=True)
        self.output = torch.nn.Linear(256, 8)

    def forward(self, tokens):
        states, _ = self.lstm(self.embedding(tokens))
        return torch.log_softmax(self.output(states[:, -1]), dim=1)


class Core(torch.nn.Module):
    """A program without operators on tensors."""

    def forward(self, count: int, words: str):
        total = 0
        for i in range(count):
            total = total + i * 2 if i != 7 else total - 1
        return total, words


def settled(model):
    """Batch norms get the statistics of random images, so that the answer is not lost on the way."""
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.momentum = None
    with torch.no_grad():
        model.train()(torch.rand(4, 3, 96, 96))
    return model.eval()


def quantized_mobilenet():
    torch.backends.quantized.engine = "qnnpack"
    model = settled(torchvision.models.quantization.mobilenet_v2(weights=None))
    model.fuse_model()
    model.qconfig = torch.ao.quantization.get_default_qconfig("qnnpack")
    torch.ao.quantization.prepare(model, inplace=True)
    with torch.no_grad():
        model(torch.rand(2, 3, 96, 96))
    return torch.ao.quantization.convert(model)


def image(size):
    return (torch.rand(1, 3, size, size),)


MODELS = {
    "core": (Core, lambda: (20, "words")),
    "mobilenet_v2": (lambda: settled(torchvision.models.mobilenet_v2(weights=None)), lambda: image(224)),
    "deeplabv3_resnet50": (
        lambda: torchvision.models.segmentation.deeplabv3_resnet50(weights=None, weights_backbone=None),
        lambda: image(128),
    ),
    "mobilenet_v2_quantized": (quantized_mobilenet, lambda: image(224)),
    "lstm_classifier": (LstmClassifier, lambda: (torch.randint(1000, (1, 32)),)),
}


def main():
    torch.set_num_threads(1)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or MODELS:
        torch.manual_seed(0)
        make, make_input = MODELS[name]
        model = torch.jit.script(make().eval())
        if name != "core":
            model = mobile_optimizer.optimize_for_mobile(model)
        arguments = make_input()
        if any(isinstance(a, torch.Tensor) for a in arguments):
            torch.save(arguments, folder / f"{name}.pt")
        else:
            (folder / f"{name}.txt").write_text(",".join(str(a) for a in arguments))
        model._save_for_lite_interpreter(str(folder / f"{name}.ptl"))
        print(name)


main()
