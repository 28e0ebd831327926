#!/usr/bin/python3
"""What is called rounding of float32 answers that differ by more than the tolerance (README.md), and what is not."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import torch  # noqa: E402

from lib import compare  # noqa: E402
from lib.case import Case  # noqa: E402

CASE = Case("net", "model:net", kind="model", rtol=1e-4)


def noise(seed, size):
    return (torch.rand(1000, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)) - 0.5) * 2 * size


def judge(got, want, exact):
    """(whether the tolerance alone lets it pass, whether the rule does)"""
    got, want = ("ok", got, [], []), {"status": "ok", "value": want, "mutated": [], "aliases": None}
    return compare.outcome(got, want, CASE) is None, compare.against_double(got, want, exact, CASE) is None


def main():
    exact = noise(0, 20)
    theirs = (exact + noise(1, 3e-5)).float()
    rounded = (exact + noise(2, 4e-5)).float()
    one_wrong = theirs.clone()
    one_wrong[17] += 2e-3
    elsewhere = (exact + noise(2, 2e-2)).float()
    checks = {
        "an answer as near as PyTorch's passes": judge(rounded, theirs, exact) == (False, True),
        "so does one within a tuple and a dict": judge(({"out": rounded}, 3), ({"out": theirs}, 3), ({"out": exact}, 3)) == (False, True),
        "PyTorch's own answer passes": judge(theirs, theirs, exact) == (True, True),
        "a wrong element fails": judge(one_wrong, theirs, exact) == (False, False),
        "three times PyTorch's error fails": judge((exact + noise(2, 1e-4)).float(), theirs, exact) == (False, False),
        "the answer of another net fails": judge(noise(9, 20).float(), theirs, exact) == (False, False),
        "NaN fails": judge(theirs.clone().fill_(float("nan")), theirs, exact) == (False, False),
        "another shape fails": judge(rounded.reshape(10, 100), theirs, exact) == (False, False),
        "another dtype fails": judge(rounded.double(), theirs, exact) == (False, False),
        "a wrong number beside the tensor fails": judge((rounded, 4), (theirs, 3), (exact, 3)) == (False, False),
        "an error is not an answer": compare.against_double(
            ("error", "internal", "x"), {"status": "ok", "value": theirs, "mutated": [], "aliases": None}, exact, CASE) is not None,
        "a reference that PyTorch is far from excuses nothing": judge(rounded, elsewhere, exact) == (False, False),
    }
    for name, good in checks.items():
        if not good:
            print(f"FAIL {name}")
    failed = sum(not good for good in checks.values())
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
