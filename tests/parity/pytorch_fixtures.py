#!/usr/bin/python3
"""The quantized models in PyTorch's own tests (test/quantization/serialized of its source, written by releases from 1.4
on), run by Wick and by PyTorch's qnnpack engine, and compared with the answers stored beside them.

    tests/parity/pytorch_fixtures.py FOLDER

PyTorch itself, with either engine, does not give the stored answer of the LSTM; there its own answer counts. The last line
is "N passed, M failed".
"""
import argparse
import glob
import os
import sys
import tempfile
import warnings

os.environ.setdefault("GLOG_minloglevel", "2")
import torch  # noqa: E402

from quantizer import Suite, newest_wick, tensors  # noqa: E402

warnings.filterwarnings("ignore")
torch.set_grad_enabled(False)
TOLERANCE = 1e-6


def apart(expected, actual):
    """The largest difference; of integers where there are some."""
    most = 0.0
    for a, b in zip(tensors(expected), tensors(actual)):
        if a.is_quantized:
            a, b = a.int_repr(), b.int_repr()
        if a.dtype != b.dtype or a.shape != b.shape:
            return float("inf")
        most = max(most, (a.double() - b.double()).abs().max().item())
    return most


def check(suite, path, base):
    given = torch.load(base + ".input.pt")
    args = tuple(given) if isinstance(given, (tuple, list)) else (given,)
    answer = suite.run_in_wick(path, args)
    if apart(torch.load(base + ".expected.pt"), answer) <= TOLERANCE:
        return "the stored answer"
    difference = apart(torch.jit.load(path)(*args), answer)
    if difference > TOLERANCE:
        raise ValueError(f"differs from PyTorch by {difference}")
    return "PyTorch's answer"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--wick", help="the wick command (default: of the newest build folder)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        suite = Suite(options.wick or newest_wick(), scratch)
        for path in sorted(glob.glob(os.path.join(options.folder, "*.scripted.pt")) + glob.glob(os.path.join(options.folder, "*.traced.pt"))):
            base = path.rsplit(".", 2)[0]
            if os.path.exists(base + ".expected.pt"):
                suite.check(os.path.basename(path), lambda: check(suite, path, base))
    print(f"{suite.passed} passed, {suite.failed} failed")
    return suite.failed != 0


if __name__ == "__main__":
    sys.exit(main())
