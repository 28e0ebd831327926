#!/usr/bin/python3
"""Trains the segmentation model of the demo on pictures that shapes.py draws, and writes segment.ptl and sample.png.

  train.py [--steps N] [--threads N]

Needs PyTorch and Pillow (Debian: python3-torch python3-pil). Seeds are fixed; it takes about fifteen minutes on one core.
"""
import argparse
import pathlib
import time

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.nn import functional as F
from torch.utils.bundled_inputs import InflatableArg, augment_model_with_bundled_inputs

from shapes import CLASSES, draw

HERE = pathlib.Path(__file__).resolve().parent
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


class Separable(nn.Sequential):
    def __init__(self, inputs, outputs, stride=1, dilation=1):
        super().__init__(
            nn.Conv2d(inputs, inputs, 3, stride, dilation, dilation, groups=inputs, bias=False),
            nn.BatchNorm2d(inputs), nn.ReLU6(inplace=True),
            nn.Conv2d(inputs, outputs, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Segmenter(nn.Module):
    """A small U-Net: four levels down, skip connections back up, scores for every pixel."""

    def __init__(self, classes=len(CLASSES), width=24):
        super().__init__()
        w = width
        self.stem = nn.Sequential(nn.Conv2d(3, w, 3, 2, 1, bias=False), nn.BatchNorm2d(w), nn.ReLU(inplace=True),
                                  Separable(w, w))
        self.down1 = nn.Sequential(Separable(w, 2 * w, 2), Separable(2 * w, 2 * w))
        self.down2 = nn.Sequential(Separable(2 * w, 4 * w, 2), Separable(4 * w, 4 * w))
        self.down3 = nn.Sequential(Separable(4 * w, 6 * w, 2), Separable(6 * w, 6 * w, dilation=2),
                                   Separable(6 * w, 6 * w, dilation=3))
        self.up2 = Separable(10 * w, 4 * w)
        self.up1 = Separable(6 * w, 2 * w)
        self.up0 = Separable(3 * w, 2 * w)
        self.head = nn.Conv2d(2 * w, classes, 1)

    def forward(self, image):
        a = self.stem(image)
        b = self.down1(a)
        c = self.down2(b)
        d = self.down3(c)
        c = self.up2(torch.cat([F.interpolate(d, size=c.shape[-2:], mode="nearest"), c], 1))
        b = self.up1(torch.cat([F.interpolate(c, size=b.shape[-2:], mode="nearest"), b], 1))
        a = self.up0(torch.cat([F.interpolate(b, size=a.shape[-2:], mode="nearest"), a], 1))
        return F.interpolate(self.head(a), size=image.shape[-2:], mode="bilinear", align_corners=False)


def normalized(pictures):
    x = torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2).float()
    return (x - torch.tensor(MEAN).view(1, 3, 1, 1)) / torch.tensor(STD).view(1, 3, 1, 1)


def batch(rng, count, size):
    pairs = [draw(rng, size, size, int(rng.integers(2, 7))) for _ in range(count)]
    return normalized([p for p, _ in pairs]), torch.from_numpy(np.stack([l for _, l in pairs]))


def overlap(model, rng, count=32, size=128):
    """Mean intersection over union of the classes on fresh pictures."""
    x, y = batch(rng, count, size)
    model.eval()
    with torch.no_grad():
        guess = model(x).argmax(1)
    model.train()
    scores = [((guess == c) & (y == c)).sum().item() / max(1, ((guess == c) | (y == c)).sum().item())
              for c in range(len(CLASSES))]
    return sum(scores) / len(scores)


def train(steps):
    rng = np.random.default_rng(1)
    torch.manual_seed(1)
    model = Segmenter()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 6e-3, total_steps=steps)
    start = time.time()
    for step in range(steps):
        x, y = batch(rng, 8, 128)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 100 == 99:
            print(f"step {step + 1}: loss {loss.item():.3f}, overlap {overlap(model, np.random.default_rng(2)):.3f}, "
                  f"{time.time() - start:.0f} s", flush=True)
    return model.eval()


def export(model):
    picture, _ = draw(np.random.default_rng(7), 288, 384, 14, 0.07, 0.115)
    pixels = (picture * 255).round().astype(np.uint8)
    Image.fromarray(pixels).save(HERE / "sample.png", optimize=True)

    script = torch.jit.script(model)
    small = torch.from_numpy(pixels[:128, 160:320].copy()).permute(2, 0, 1).unsqueeze(0)
    fmt = "({}.to(torch.float) / 255 - torch.tensor(%s).view(1, 3, 1, 1)) / torch.tensor(%s).view(1, 3, 1, 1)" % (
        list(MEAN), list(STD))
    augment_model_with_bundled_inputs(script, [(InflatableArg(value=small, fmt=fmt),)])
    script._save_for_lite_interpreter(str(HERE / "segment.ptl"), _extra_files={"labels.txt": "\n".join(CLASSES)})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    export(train(options.steps))


if __name__ == "__main__":
    main()
