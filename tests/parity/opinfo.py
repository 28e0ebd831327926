#!/usr/bin/python3
"""Sweeps PyTorch's own table of operators (OpInfo): every sample input, traced, written as .ptl, run in Wick.

  opinfo.py                     everything (long)
  opinfo.py --sample 8          about one sample in eight, always the same ones
  opinfo.py --ops add conv2d    some operators
  opinfo.py --dtypes float32    some dtypes

Operators in opinfo_known.txt are known to differ in some sample; their differences are shown, not counted as failures.
A sample whose .ptl names an operator this build does not have is counted as missing, not as failed.
"""
import argparse
import collections
import pathlib
import re
import shutil
import sys
import tempfile
import types
import unittest
import warnings
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
# PyTorch's test tables import this package for its test class only; Debian does not have it.
sys.modules.setdefault("expecttest", types.SimpleNamespace(TestCase=unittest.TestCase, ACCEPT=True))

import torch  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.utils._pytree import tree_flatten, tree_unflatten  # noqa: E402

from lib import batch, compare  # noqa: E402
from lib.case import Case  # noqa: E402
from lib.tensors import seed_of, short  # noqa: E402
from run import find_runner  # noqa: E402

DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.uint8, torch.int8, torch.int16,
          torch.int32, torch.int64, torch.bool, torch.complex64]
RANDOM = {"bernoulli", "multinomial", "normal", "rand_like", "randint_like", "randn", "randn_like", "uniform",
          "nn.functional.dropout", "nn.functional.dropout2d", "nn.functional.dropout3d",
          "nn.functional.alpha_dropout", "nn.functional.feature_alpha_dropout", "nn.functional.rrelu"}
# 16-bit composites round between their steps in PyTorch; Wick may round once, at the end.
LOOSE = {torch.float16: (1e-2, 1e-2), torch.bfloat16: (5e-2, 5e-2)}
# Vectors are unique up to their signs, eigenvalues up to their order; the tables compare what they multiply to.
AMBIGUOUS = {"svd", "linalg.svd", "svd_lowrank", "pca_lowrank", "linalg.eig", "linalg.eigvals"}
UNSET = {"empty", "empty_like", "new_empty", "new_empty_strided", "empty_strided"}


class Traced(torch.nn.Module):
    """Calls the operator with the tensors given; every other argument is fixed."""

    def __init__(self, op, leaves, spec):
        super().__init__()
        self.op, self.leaves, self.spec = op, leaves, spec

    def forward(self, *tensors):
        given = iter(tensors)
        leaves = [next(given) if isinstance(v, torch.Tensor) else v for v in self.leaves]
        args, kwargs = tree_unflatten(leaves, self.spec)
        return self.op(*args, **kwargs)


def trace(info, sample):
    """(module, tensors), or None when PyTorch cannot trace it."""
    leaves, spec = tree_flatten(((sample.input, *sample.args), sample.kwargs))
    tensors = [v.detach().clone() for v in leaves if isinstance(v, torch.Tensor)]
    if not tensors or any(t.layout != torch.strided for t in tensors):
        return None
    try:
        with torch.no_grad():
            module = torch.jit.trace(Traced(info.op, leaves, spec).eval(), tuple(tensors),
                                     check_trace=False, strict=False)
            return module, tensors
    except Exception:
        return None


def samples(options):
    for info in op_db:
        name = info.name + ("." + info.variant_test_name if info.variant_test_name else "")
        if name.startswith(("_refs.", "sparse.", "jiterator")):
            continue
        if options.ops and info.name not in options.ops:
            continue
        for dtype in DTYPES:
            if dtype not in info.dtypes or (options.dtypes and short(dtype) not in options.dtypes):
                continue
            torch.manual_seed(seed_of(name, str(dtype)))
            try:
                found = list(info.sample_inputs("cpu", dtype, requires_grad=False))
            except Exception:
                continue
            for i, sample in enumerate(found):
                label = f"{name} {short(dtype)} #{i}"
                if zlib.crc32(label.encode()) % options.sample == 0:
                    yield info, name, label, dtype, sample


def is_defined(info, sample):
    """False where PyTorch's own answer is an accident: poles of polygamma, the order of unsorted unique values."""
    if info.name == "polygamma":
        x = sample.args[0] if sample.args and isinstance(sample.args[0], torch.Tensor) else sample.input
        return not isinstance(x, torch.Tensor) or not bool(((x <= 0) & (x == x.round() if x.is_floating_point() else True)).any())
    return not (info.name == "unique" and sample.kwargs.get("sorted", True) is False)


def cases(options):
    for info, name, label, dtype, sample in samples(options):
        traced = trace(info, sample) if is_defined(info, sample) else None
        if traced is None:
            continue
        how = "meta" if info.name in RANDOM | UNSET | AMBIGUOUS else "values"
        rtol, atol = LOOSE.get(dtype, (None, None))
        yield Case(label, name, traced[1], kind="model", model=traced[0], compare=how, aliases=False, eager=True,
                   rtol=rtol, atol=atol)


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--ops", nargs="*", help="OpInfo names to run")
    p.add_argument("--dtypes", nargs="*", help="dtypes to run, e.g. float32 int64")
    p.add_argument("--sample", type=int, default=1, metavar="N", help="about one sample in N")
    p.add_argument("--runner", default=None)
    p.add_argument("--failures", type=int, default=40)
    p.add_argument("--table", action="store_true", help="print the pass rate of every operator")
    return p.parse_args()


def main():
    options = parse_arguments()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    runner = options.runner or find_runner()
    tally = collections.defaultdict(lambda: [0, 0, 0])
    missing, failures = collections.Counter(), []
    root = pathlib.Path(tempfile.mkdtemp(prefix="wick-opinfo-"))

    def judge(folder):
        chunk = batch.Chunk(folder)
        for case, want, got in zip(chunk.cases, chunk.wants(), chunk.run(runner)):
            problem = got[1] if got[0] == "crash" else compare.outcome(got, want, case)
            if got[0] == "error" and got[1] == "missing_operator":
                tally[case.op][2] += 1
                missing.update(re.findall(r"\b\w+::[\w.]+", got[2].splitlines()[0]))
            else:
                tally[case.op][problem is not None] += 1
                if problem:
                    failures.append((case.name, problem))
        shutil.rmtree(folder)

    writer = batch.ChunkWriter(root)
    try:
        for case in cases(options):
            try:
                writer.add(case)
            except Exception:  # PyTorch cannot write or load it as a lite model
                continue
            for folder in root.glob("chunk-*"):
                judge(folder)
        writer.finish()
        for folder in root.glob("chunk-*"):
            judge(folder)
    finally:
        shutil.rmtree(root)

    for op in sorted(tally):
        passed, failed, absent = tally[op]
        if options.table or failed:
            print(f"  {op:48} {passed:5} passed {failed:5} failed {absent:5} missing")
    for op, count in missing.most_common(200 if options.table else 20):
        print(f"missing {op:40} {count:5} samples")
    for name, problem in failures[: options.failures]:
        print(f"FAIL {name}\n     {problem}")
    known = set((HERE / "opinfo_known.txt").read_text().split())
    excused = [name for name, _ in failures if name.split()[0] in known]
    absent = sum(t[2] for t in tally.values())
    print(f"{absent} samples need operators that are not in this build")
    print(f"{len(excused)} samples differ of operators in opinfo_known.txt")
    print(f"{sum(t[0] for t in tally.values())} passed, {len(failures) - len(excused)} failed")
    return 1 if len(failures) > len(excused) else 0


if __name__ == "__main__":
    sys.exit(main())
