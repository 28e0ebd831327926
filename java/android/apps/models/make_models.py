#!/usr/bin/python3
"""make_models.py [NAME...]: trains the models of the apps on drawn pictures and made-up words and sounds, and writes
them, with pictures to try, into the apps' assets. All of them by default; some minutes each on one core.

Names: segmentation, classification, topics, speech, detection. Seeds are fixed. Needs PyTorch and Pillow (Debian:
python3-torch python3-pil)."""
import importlib
import sys

import torch

STEPS = {"segmentation": 220, "classification": 300, "topics": 400, "speech": 80, "detection": 280}


def main():
    torch.set_num_threads(1)
    for name in sys.argv[1:] or STEPS:
        if name not in STEPS:
            raise SystemExit(__doc__)
        torch.manual_seed(1)
        importlib.import_module(name).main(STEPS[name])


if __name__ == "__main__":
    main()
