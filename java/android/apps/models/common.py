"""What the training scripts of the apps share: where examples are drawn, where assets go, how a loop of training runs."""
import pathlib
import sys

import numpy as np
import torch
from PIL import Image
from torch import nn

APPS = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(APPS.parents[2] / "examples" / name) for name in ("segment", "quantize")]
MEAN = torch.tensor((0.485, 0.456, 0.406)).view(1, 3, 1, 1)
STD = torch.tensor((0.229, 0.224, 0.225)).view(1, 3, 1, 1)


def assets(app):
    folder = APPS / app / "app/src/main/assets"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def normalized(pictures):
    """Pictures [N, H, W, 3] in [0, 1] as TensorImageUtils makes them for torchvision's models."""
    return (torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2).float() - MEAN) / STD


def convolution(inputs, outputs, stride=1, groups=1):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, groups=groups, bias=False), nn.BatchNorm2d(outputs),
                         nn.ReLU())


def train(name, model, steps, rate, loss_of):
    """loss_of(step) gives the loss of a fresh batch."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps)
    for step in range(steps):
        loss = loss_of(step)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if (step + 1) % 50 == 0:
            print(f"{name}, step {step + 1}: loss {loss.item():.3f}", flush=True)
    return model.eval()


def save_picture(path, picture):
    """A picture [H, W, 3] in [0, 1]."""
    Image.fromarray((np.clip(picture, 0, 1) * 255).round().astype(np.uint8)).save(path, quality=50)
