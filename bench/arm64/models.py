#!/usr/bin/python3
"""models.py FOLDER: the models that `make bench-arm64` counts, written with PyTorch 1.13 where they are missing.

The float ones are those of `make bench` (bench/models.py); NAME_half is the same after .half(), NAME_int8 is
torchvision's quantizable form, calibrated for qnnpack.
"""
import copy
import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import models

FLOAT = ["mobilenet_v2", "mobilenet_v3_small", "squeezenet1_1", "efficientnet_b0", "resnet18"]
HALF = ["mobilenet_v2", "resnet18"]
INT8 = ["mobilenet_v2", "resnet18"]
NAMES = FLOAT + [name + "_half" for name in HALF] + [name + "_int8" for name in INT8]


def quantized(name, state):
    """With the parameters of the float model."""
    import torch
    import torchvision
    from torch.ao import quantization

    torch.manual_seed(1)
    net = getattr(torchvision.models.quantization, name)(weights=None, quantize=False).eval()
    net.load_state_dict(state)
    net.fuse_model(is_qat=False)
    net.qconfig = quantization.get_default_qconfig("qnnpack")
    quantization.prepare(net, inplace=True)
    net(torch.rand(1, 3, 224, 224) * 2 - 1)
    return quantization.convert(net)


def write(name, folder):
    import torch

    def save(net, file):
        torch.jit.script(net)._save_for_lite_interpreter(str(folder / (file + ".ptl")))

    net = models.calibrated(models.model_named(name))
    save(net, name)
    if name in HALF:
        save(copy.deepcopy(net).half(), name + "_half")
    if name in INT8:
        save(quantized(name, net.state_dict()), name + "_int8")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    where = pathlib.Path(sys.argv[1])
    where.mkdir(parents=True, exist_ok=True)
    for each in FLOAT:
        if any(not (where / f"{file}.ptl").exists() for file in NAMES if file.startswith(each)):
            write(each, where)
