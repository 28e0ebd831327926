#!/usr/bin/python3
"""What 8-bit integers cost: accuracy of the classifier of this example, and mean overlap of the demo's segmentation model,
before and after `wick quantize --static`, on pictures neither training nor calibration saw; and the sizes of the files.

  accuracy.py [--wick COMMAND] [--keep FOLDER]

Fails when more than 0.5 points are lost or a file is larger than 0.30 of the float one. Needs PyTorch to read and write
tensors only (Debian: python3-torch); models are quantized and run by Wick.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent
SEGMENT = HERE.parent / "segment"
sys.path[:0] = [str(HERE), str(SEGMENT)]
from pictures import draw as draw_figure  # noqa: E402
from shapes import CLASSES, draw as draw_scene  # noqa: E402

MOST_POINTS, MOST_SIZE = 0.5, 0.30
MEAN, STD = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])


class Wick:
    def __init__(self, command, folder):
        self.command, self.folder = command, folder

    def __call__(self, *words):
        done = subprocess.run([self.command, *map(str, words)], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
        return done.stdout

    def quantize(self, model, name, inputs):
        torch.save([(x,) for x in inputs], self.folder / "calibration.pt")
        out = self.folder / (name + ".ptl")
        report = self("quantize", model, out, "--static", "--calibrate", self.folder / "calibration.pt")
        return out, report.splitlines()[-2]

    def run(self, model, x):
        torch.save((x,), self.folder / "in.pt")
        self("run", model, "--input", self.folder / "in.pt", "--output", self.folder / "out.pt")
        return torch.load(self.folder / "out.pt")


def figures(seed, count):
    pictures, kinds = draw_figure(np.random.default_rng(seed), count)
    return torch.from_numpy(pictures), torch.from_numpy(kinds)


def scenes(seed, count, size=128):
    rng = np.random.default_rng(seed)
    pairs = [draw_scene(rng, size, size, int(rng.integers(2, 7))) for _ in range(count)]
    pictures = (np.stack([p for p, _ in pairs]).astype(np.float32) - MEAN) / STD
    return torch.from_numpy(pictures).permute(0, 3, 1, 2).contiguous(), torch.from_numpy(np.stack([l for _, l in pairs]))


def accuracy(scores, kinds):
    return (scores.argmax(1) == kinds).double().mean().item()


def overlap(scores, labels):
    guess = scores.argmax(1)
    parts = [((guess == c) & (labels == c)).sum().item() / max(1, ((guess == c) | (labels == c)).sum().item())
             for c in range(len(CLASSES))]
    return sum(parts) / len(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wick", default=str(HERE.parent.parent / "build" / "bin" / "wick"))
    parser.add_argument("--keep", help="folder for the quantized models")
    options = parser.parse_args()
    torch.set_num_threads(1)
    failed = False
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        wick = Wick(options.wick, folder)
        cases = [("classifier", HERE / "classifier.pt", accuracy, "accuracy", figures(100, 32)[0].split(1),
                  figures(200, 4000)),
                 ("segment", SEGMENT / "segment.ptl", overlap, "mean overlap", scenes(100, 24)[0].split(1), scenes(200, 96))]
        for name, model, score, what, inputs, (x, y) in cases:
            small, summary = wick.quantize(model, name, inputs)
            before, after = 100 * score(wick.run(model, x), y), 100 * score(wick.run(small, x), y)
            size = small.stat().st_size / model.stat().st_size
            ok = before - after <= MOST_POINTS and size <= MOST_SIZE
            failed = failed or not ok
            print(f"{name}: {what} {before:.2f} in float, {after:.2f} in 8 bits ({before - after:+.2f} lost); file "
                  f"{small.stat().st_size / 1000:.0f} kB of {model.stat().st_size / 1000:.0f} kB ({size:.3f}); "
                  f"{'ok' if ok else 'TOO MUCH'}\n  {summary}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
