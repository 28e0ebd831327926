#!/usr/bin/python3
"""Sweeps PyTorch's own table of operators (OpInfo): every sample input, traced, written as .ptl, run in Wick.

  opinfo.py                     everything (long the first time: PyTorch's answers are kept in build/parity/opinfo)
  opinfo.py --sample 8          about one sample in eight, always the same ones
  opinfo.py --slice 1/4         the second quarter of the operators
  opinfo.py --ops add conv2d    some operators
  opinfo.py --dtypes float32    some dtypes
  opinfo.py --record            writes the pass rates to opinfo_results.txt, from which docs/operators.md is made

A float answer must be within the tolerances of compare.py of PyTorch's, or of PyTorch's answer in double precision
rounded to its dtype: where PyTorch itself rounds between steps, the better answer is not a failure.
Operators in opinfo_known.txt are known to differ in some sample, for the reason given; their differences are shown, not counted as failures.
A sample whose .ptl names an operator this build does not have is counted as missing, not as failed.
"""
import argparse
import collections
import hashlib
import pathlib
import re
import shutil
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import torch  # noqa: E402

from lib import batch, compare, opinfo_samples  # noqa: E402
from run import find_runner  # noqa: E402

RESULTS = HERE / "opinfo_results.txt"


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--ops", nargs="*", help="OpInfo names to run")
    p.add_argument("--dtypes", nargs="*", help="dtypes to run, e.g. float32 int64")
    p.add_argument("--sample", type=int, default=1, metavar="N", help="about one sample in N")
    p.add_argument("--slice", default="0/1", metavar="I/N", help="every N-th operator, from the I-th on")
    p.add_argument("--runner", default=None)
    p.add_argument("--failures", type=int, default=40)
    p.add_argument("--table", action="store_true", help="print the pass rate of every operator")
    p.add_argument("--record", action="store_true", help="merge the pass rates into opinfo_results.txt")
    p.add_argument("--cache", default=str(HERE.parent.parent / "build" / "parity" / "opinfo"))
    return p.parse_args()


def answers_folder(options):
    """Where PyTorch's answers are kept; those made by older sources are removed."""
    digest = hashlib.sha256(torch.__version__.encode())
    for name in ("opinfo_samples", "case", "reference", "tensors", "wire"):
        digest.update((HERE / "lib" / f"{name}.py").read_bytes())
    kind = "-".join([f"1in{options.sample}", *sorted(options.dtypes or [])])
    root = pathlib.Path(options.cache) / f"{kind}-{digest.hexdigest()[:16]}"
    for old in root.parent.glob(f"{kind}-????????????????"):
        if old != root:
            shutil.rmtree(old, ignore_errors=True)
    return root


def chunks(info, options, root):
    """The operator's chunk folders; made with PyTorch when they are not there."""
    folder = root / opinfo_samples.name_of(info)
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        writer = batch.ChunkWriter(folder)
        for case in opinfo_samples.cases(info, options.dtypes, options.sample):
            try:
                writer.add(case)
            except Exception:  # PyTorch cannot write or load it as a lite model
                continue
        writer.finish()
        (folder / "done").touch()
    return sorted(folder.glob("chunk-*"))


def narrowed(wide, like):
    """The answer in double precision, rounded to the dtypes of the other."""
    if isinstance(like, torch.Tensor) and isinstance(wide, torch.Tensor):
        return torch.empty_like(like).copy_(wide) if wide.shape == like.shape else wide
    if isinstance(like, (list, tuple)) and isinstance(wide, (list, tuple)) and len(like) == len(wide):
        return type(like)(narrowed(w, l) for w, l in zip(wide, like))
    return wide


class Tally:
    """passed, failed and missing samples of each "NAME DTYPE"."""

    def __init__(self):
        self.counts = collections.defaultdict(lambda: [0, 0, 0])
        self.missing, self.failures = collections.Counter(), []

    def judge(self, folder, runner):
        chunk = batch.Chunk(folder)
        for case, want, got in zip(chunk.cases, chunk.wants(), chunk.run(runner)):
            problem = "crash: " + got[1] if got[0] == "crash" else compare.outcome(got, want, case)
            if problem and got[0] not in ("crash", "error") and case.wide is not None and want["status"] == "ok":
                problem = compare.values(got[1], narrowed(case.wide, want["value"]), case) and problem
            if got[0] == "error" and got[1] == "missing_operator":
                self.counts[case.op][2] += 1
                self.missing.update(re.findall(r"\b\w+::[\w.]+", got[2].splitlines()[0]))
            else:
                self.counts[case.op][problem is not None] += 1
                if problem:
                    self.failures.append((case.name, problem))

    def by_operator(self):
        out = collections.defaultdict(lambda: [0, 0, 0])
        for op, counts in self.counts.items():
            for i, n in enumerate(counts):
                out[op.rsplit(" ", 1)[0]][i] += n
        return out

    def record(self):
        old = RESULTS.read_text().splitlines() if RESULTS.exists() else []
        lines = {line.rsplit(" ", 3)[0]: line for line in old}
        for op, (passed, failed, absent) in self.counts.items():
            lines[op] = f"{op} {passed} {failed} {absent}"
        RESULTS.write_text("".join(lines[op] + "\n" for op in sorted(lines)))


def main():
    options = parse_arguments()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    runner = options.runner or find_runner()
    first, step = map(int, options.slice.split("/"))
    tally = Tally()
    root = answers_folder(options)
    for info in list(opinfo_samples.table(options.ops))[first::step]:
        for folder in chunks(info, options, root):
            tally.judge(folder, runner)

    for op, (passed, failed, absent) in sorted(tally.by_operator().items()):
        if options.table or failed:
            print(f"  {op:48} {passed:5} passed {failed:5} failed {absent:5} missing")
    for op, count in tally.missing.most_common(200 if options.table else 20):
        print(f"missing {op:40} {count:5} samples")
    for name, problem in tally.failures[: options.failures]:
        print(f"FAIL {name}\n     {problem}")
    if options.record:
        tally.record()
    known = {line.split()[0] for line in (HERE / "opinfo_known.txt").read_text().splitlines()}
    excused = [name for name, _ in tally.failures if name.split()[0] in known]
    counts = tally.counts.values()
    print(f"{sum(c[2] for c in counts)} samples need operators that are not in this build")
    print(f"{len(excused)} samples differ of operators in opinfo_known.txt")
    print(f"{sum(c[0] for c in counts)} passed, {len(tally.failures) - len(excused)} failed")
    return 1 if len(tally.failures) > len(excused) else 0


if __name__ == "__main__":
    sys.exit(main())
