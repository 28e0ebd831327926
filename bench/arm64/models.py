#!/usr/bin/python3
"""models.py FOLDER [NAMES|gated]: the models that `make bench-arm64` counts, written with PyTorch 1.13 where they are missing.

The float ones are those of `make bench` (bench/models.py); NAME_half is the same after .half(), NAME_fp16 the float file
run with that precision, NAME_int8 torchvision's quantizable form, calibrated for qnnpack.
"""
import copy
import dataclasses
import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import models

FLOAT = ["mobilenet_v2", "mobilenet_v3_small", "squeezenet1_1", "efficientnet_b0", "resnet18"]
HALF = ["mobilenet_v2", "resnet18"]
INT8 = ["mobilenet_v2", "resnet18"]
NAMES = (FLOAT + [name + "_fp16" for name in HALF] + [name + "_half" for name in HALF] +
         [name + "_int8" for name in INT8])
# Those whose counts every change must keep (`make test-arm64-counts`): one of each kind of arithmetic.
GATED = ["mobilenet_v2", "mobilenet_v2_fp16", "mobilenet_v2_int8"]
# The millions of instructions that a run is to take at most, on a Neoverse N1.
TARGETS = {"mobilenet_v2": 100, "mobilenet_v3_small": 24, "efficientnet_b0": 175, "squeezenet1_1": 75, "resnet18": 235,
           "mobilenet_v2_fp16": 52, "resnet18_fp16": 125, "mobilenet_v2_int8": 45}


@dataclasses.dataclass
class Form:
    """How a named model is run."""

    file: str
    dtype: str = "float"  # of the input
    precision: str = "auto"


def form(name):
    if name.endswith("_fp16"):
        return Form(name[:-len("_fp16")], precision="fp16")
    return Form(name, dtype="half" if name.endswith("_half") else "float")


def named(text):
    """The names in a list with commas; "gated" means those whose counts are kept."""
    return NAMES if text == "all" else GATED if text == "gated" else text.split(",")


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
    wanted = named(sys.argv[2] if len(sys.argv) > 2 else "all")
    for each in FLOAT:
        if any(not (where / f"{form(name).file}.ptl").exists() for name in wanted if name.startswith(each)):
            write(each, where)
