"""models.py FOLDER: the small models of this test, with PyTorch 1.13."""
import sys

import torch
from torch.utils import bundled_inputs, mobile_optimizer


class Recorded(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3)
        self.linear = torch.nn.Linear(4, 5)

    def forward(self, x):
        x = torch.relu(self.conv(x)).mean([2, 3])
        return torch.softmax(self.linear(x), 1)


class Branches(torch.nn.Module):
    def forward(self, x, flip: bool = False):
        if flip:
            x = x - 1
        for _ in range(2):
            x = x + 1
        return x


def main():
    torch.manual_seed(0)
    model = mobile_optimizer.optimize_for_mobile(torch.jit.script(Recorded().eval()))
    inputs = [(torch.zeros(1, 3, 8, 8),), (torch.ones(1, 3, 8, 8),)]
    bundled_inputs.augment_model_with_bundled_inputs(model, inputs)
    model._save_for_lite_interpreter(f"{sys.argv[1]}/recorded.ptl")
    model = torch.jit.script(Branches())
    bundled_inputs.augment_model_with_bundled_inputs(model, [(torch.ones(2), False)])
    model._save_for_lite_interpreter(f"{sys.argv[1]}/branches.ptl")


main()
