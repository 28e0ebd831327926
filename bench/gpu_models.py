#!/usr/bin/python3
"""gpu_models.py FOLDER [NAME ...]: writes the models of bench/gpu.py as traced TorchScript files, with random weights.

Needs PyTorch and torchvision (scripts/deps.sh parity). Input: 1x3x224x224.
"""
import pathlib
import sys

import torch
import torchvision

NAMES = ["mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large", "resnet18", "resnet50", "squeezenet1_1",
         "efficientnet_b0", "vit_b_16"]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or NAMES:
        torch.manual_seed(0)
        model = getattr(torchvision.models, name)(weights=None).eval()
        # Random weights, but statistics that keep the activations of deep networks in range.
        for module in model.modules():
            if isinstance(module, torch.nn.BatchNorm2d):
                module.running_mean.uniform_(-0.1, 0.1)
                module.running_var.uniform_(0.5, 1.5)
            elif isinstance(module, torch.nn.Linear) and not module.weight.any():  # ViT's last layer
                torch.nn.init.normal_(module.weight, std=0.02)
        with torch.no_grad():
            # A traced fast path of attention is not in every version's operators: trace the plain one.
            if hasattr(torch.backends, "mha"):
                torch.backends.mha.set_fastpath_enabled(False)
            traced = torch.jit.trace(model, torch.rand(1, 3, 224, 224), check_trace=False)
        traced.save(str(folder / f"{name}.pt"))
        print(f"wrote {folder / name}.pt")


if __name__ == "__main__":
    main()
