#!/usr/bin/python3
"""Trains the classifier of this example on drawn pictures and writes classifier.pt.

  train.py [--steps N] [--threads N]

Needs PyTorch (Debian: python3-torch). Seeds are fixed; it takes a few minutes on one core.
"""
import argparse
import pathlib

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from pictures import KINDS, draw

HERE = pathlib.Path(__file__).resolve().parent


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x):
        return F.relu(self.norm(self.conv(x)))


class Classifier(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        w = width
        self.stem, self.down, self.deep = Block(3, w, 2), Block(w, 2 * w, 2), Block(2 * w, 2 * w, 1)
        self.last, self.head = Block(2 * w, 2 * w, 2), nn.Linear(2 * w, len(KINDS))

    def forward(self, x):
        x = self.down(self.stem(x))
        x = self.last(x + self.deep(x))
        return self.head(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))


def batch(rng, count):
    pictures, kinds = draw(rng, count)
    return torch.from_numpy(pictures), torch.from_numpy(kinds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    model = Classifier()
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, options.steps)
    for step in range(options.steps):
        x, y = batch(rng, 64)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if (step + 1) % 50 == 0:
            print(f"step {step + 1}: loss {loss.item():.3f}", flush=True)
    model.eval()
    x, y = batch(np.random.default_rng(1), 1000)
    with torch.no_grad():
        print(f"accuracy on new pictures: {(model(x).argmax(1) == y).float().mean().item():.4f}")
    torch.jit.script(model).save(str(HERE / "classifier.pt"))


if __name__ == "__main__":
    main()
