#!/usr/bin/python3
"""Runs the case tables in cases/ through PyTorch and through Wick, and says where they differ.

  run.py                            everything
  run.py --cases pointwise view     some tables
  run.py --filter add               cases whose name holds the text
  run.py --coverage                 operators of the build that have no case
  run.py --backend gpu [--precision fp16]
                                    the same cases on a GPU: what ran there must be PyTorch's answer within docs/gpu.md's
                                    tolerances; what ran on the processor is counted as fallback, not as passed
"""
import argparse
import collections
import importlib
import pathlib
import subprocess
import sys
import time
import warnings

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(HERE))

import torch2  # noqa: E402
from lib import batch, compare, gpu  # noqa: E402


def find_runner():
    found = [p for p in TOP.glob("build*/bin/wick_parity_runner")]
    if not found:
        raise SystemExit("no wick_parity_runner: build it first (make build), or give --runner")
    return str(max(found, key=lambda p: p.stat().st_mtime))


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--cases", nargs="*", default=None, metavar="TABLE", help="tables to run (default: all)")
    p.add_argument("--filter", default=None, help="only cases whose name holds this text")
    p.add_argument("--runner", default=None, help="wick_parity_runner to use (default: the newest build's)")
    p.add_argument("--cache", default=str(TOP / "build" / "parity"), help="where PyTorch's answers are kept")
    p.add_argument("--failures", type=int, default=60, help="how many failures to print, three an operator (default 60)")
    p.add_argument("--sample", type=int, default=1, metavar="N", help="run only every Nth case")
    p.add_argument("--backend", choices=["cpu", "gpu"], default="cpu", help="where the cases run (default: cpu)")
    p.add_argument("--precision", choices=["fp32", "fp16"], default="fp32", help="how a GPU keeps elements")
    p.add_argument("--table", action="store_true", help="print passed and failed for each operator")
    p.add_argument("--messages", action="store_true", help="print error texts that differ from PyTorch's")
    p.add_argument("--coverage", action="store_true", help="list the operators without a case; run nothing")
    p.add_argument("--keep-going", action="store_true", help="exit 0 even when cases fail")
    return p.parse_args()


# Operators that have no case yet, mostly out= forms the table derives. New operators may not join them.
WITHOUT_CASES = pathlib.Path(__file__).resolve().parent / "without_cases.txt"


def list_operators(runner):
    lines = subprocess.run([runner, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split("(", 1)[0] for line in lines if line]


def print_coverage(runner, tables, cache):
    used = collections.Counter()
    for family in tables:
        used.update(batch.operators_of(batch.load_or_make(family, cache)))
    operators = list_operators(runner)
    uncovered = {op for op in operators if op not in used} - torch2.operators()
    excused = set(WITHOUT_CASES.read_text().split())
    for op in sorted(uncovered - excused):
        print(f"no case: {op}")
    for op in sorted(excused - uncovered):
        print(f"has cases now, or is gone: take {op} out of {WITHOUT_CASES.name}")
    wrong = len(uncovered ^ excused)
    print(f"{len(operators) - len(uncovered)} of {len(operators)} operators have cases")
    print(f"{len(operators) - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


def wanted(case, options):
    if options.filter and options.filter not in case.name:
        return False
    return options.sample <= 1 or hash_of(case.name) % options.sample == 0


def hash_of(text):
    import zlib
    return zlib.crc32(text.encode())


def run_family(family, options, runner, tally, failures):
    in_double = getattr(importlib.import_module(f"cases.{family}"), "in_double", None)
    for folder in batch.load_or_make(family, options.cache):
        chunk = batch.Chunk(folder)
        chosen = [i for i, c in enumerate(chunk.cases) if wanted(c, options)]
        if not chosen:
            continue
        wants, results = chunk.wants(), chunk.run(runner)
        for i in chosen:
            case, want, got = chunk.cases[i], wants[i], results[i]
            problem = got[1] if got[0] == "crash" else compare.outcome(got, want, case)
            if problem and in_double and got[0] == "ok":
                exact = in_double(case.name)
                if exact is not None:  # still a failure, told apart from a wrong answer
                    other = compare.against_double(got, want, exact, case)
                    problem += f"; {other or 'both are roundings of the answer in double precision'}"
            tally[case.op][problem is not None] += 1
            if problem:
                failures.append((case.name, problem))
            elif options.messages and got[0] == "error" and want["status"] == "error":
                ours, theirs = compare.first_line(got[2]), compare.first_line(want["message"])
                if theirs not in got[2]:
                    print(f"message {case.name}\n    PyTorch: {theirs}\n    Wick:    {ours}")


def main():
    options = parse_arguments()
    warnings.simplefilter("ignore")
    runner = options.runner or find_runner()
    tables = options.cases or batch.families()
    if options.coverage:
        return print_coverage(runner, tables, options.cache)
    if options.backend == "gpu":
        return gpu.main(options, runner, tables, lambda case: wanted(case, options))
    tally = collections.defaultdict(lambda: [0, 0])
    failures = []
    for family in tables:
        start, before = time.time(), (sum(t[0] for t in tally.values()), len(failures))
        try:
            run_family(family, options, runner, tally, failures)
        except batch.BrokenTable as e:
            failures.append((family, str(e)))
        passed, failed = sum(t[0] for t in tally.values()) - before[0], len(failures) - before[1]
        print(f"{family:24} {passed:6} passed {failed:6} failed   {time.time() - start:6.1f} s", flush=True)
    for op in sorted(tally):
        if options.table or (tally[op][1] and len(failures) > options.failures):
            print(f"  {op:48} {tally[op][0]:5} passed {tally[op][1]:5} failed")
    shown = collections.Counter()
    for name, problem in failures:
        op = name.split("(")[0]
        shown[op] += 1
        if (shown[op] <= 3 or options.filter) and sum(min(n, 3) for n in shown.values()) <= options.failures:
            print(f"FAIL {name}\n     {problem}")
    print(f"{sum(t[0] for t in tally.values())} passed, {len(failures)} failed")
    return 1 if failures and not options.keep_going else 0


if __name__ == "__main__":
    sys.exit(main())
