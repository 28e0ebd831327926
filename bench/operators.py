#!/usr/bin/env python3
"""Operators one by one: Wick and PyTorch interleaved on one thread; the slowest relative to PyTorch come first.

  operators.py [--filter TEXT ...] [--rounds N] [--plan] [--worker build/bin/wick_bench_worker] [--output TABLE.md]

A case is an expression over tensors x, y, z, w; it is scripted, saved and run by bench/worker.cpp operator by operator
(--plan: with the planner), and by PyTorch as it stands. Times are of processors, which others on the machine do not lengthen.
"""
import argparse
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import torch

from operators_list import cases

TOP = pathlib.Path(__file__).resolve().parent.parent


class Wick:
    def __init__(self, worker, model, inputs, options, threads=1):
        self.process = subprocess.Popen([worker, model, inputs, str(threads), "/dev/null", *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def ask(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(self.process.stderr.read().strip().splitlines()[-1])
        return json.loads(answer)

    def close(self):
        self.process.kill()
        self.process.communicate()


def torch_times(function, inputs, count, each):
    times = []
    for _ in range(count):
        start = time.process_time()
        for _ in range(each):
            function(*inputs)
        times.append((time.process_time() - start) * 1000 / each)
    return times


def median(values):
    return sorted(values)[len(values) // 2]


def module_of(expression, names, folder):
    """A module that computes the expression; from a file, as torch.jit.script reads sources."""
    arguments = "".join(f", {n}: torch.Tensor" for n in names)
    file = folder / f"case_{abs(hash(expression + names))}.py"
    file.write_text(f"import torch\n\n\nclass Case(torch.nn.Module):\n    def forward(self{arguments}):\n        return {expression}\n")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    code = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(code)
    return code.Case()


def measure(expression, inputs, folder, options):
    """(Wick's times, PyTorch's times) in ms."""
    names = "xyzw"[:len(inputs)]
    function = module_of(expression, names, folder)
    torch.jit.script(function)._save_for_lite_interpreter(str(folder / "model.ptl"))
    function = function.forward
    torch.save(tuple(inputs), folder / "inputs.pt")
    wick = Wick(options.worker, str(folder / "model.ptl"), str(folder / "inputs.pt"), [] if options.plan else ["--no-plan"])
    try:
        wick.ask("load")
        function(*inputs)
        once = max(1e-3, min(torch_times(function, inputs, 2, 1)))
        each = max(1, min(50, int(2 / once)))
        ours, theirs = [], []
        for _ in range(options.rounds):
            ours += wick.ask(f"run 3 2 {each}")["cpu"]
            theirs += torch_times(function, inputs, 3, each)
        return ours, theirs
    finally:
        wick.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filter", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--worker", default=str(TOP / "build/bin/wick_bench_worker"))
    parser.add_argument("--output")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, expression, inputs in cases():
            if options.filter and not any(f in name for f in options.filter):
                continue
            try:
                ours, theirs = measure(expression, inputs, pathlib.Path(folder), options)
            except Exception as error:
                print(f"{name}: {str(error).splitlines()[0]}", file=sys.stderr)
                continue
            rows.append((min(ours) / min(theirs), median(ours) / median(theirs), name, min(ours), min(theirs)))
            if sys.stderr.isatty():
                print(f"\r\033[K{len(rows)} {name}", end="", file=sys.stderr, flush=True)
    rows.sort(reverse=True)
    lines = ["| operator | Wick / PyTorch, best | median | Wick ms | PyTorch ms |", "| --- | ---: | ---: | ---: | ---: |"]
    lines += [f"| {name} | {best:.2f} | {middle:.2f} | {a:.3f} | {b:.3f} |" for best, middle, name, a, b in rows]
    print("\n".join(lines))
    slow = sum(r[0] > 2 for r in rows)
    print(f"\n{len(rows)} cases, {sum(r[0] > 1 for r in rows)} slower than PyTorch, {slow} more than twice")
    if options.output:
        title = "# Operators beside PyTorch " + torch.__version__.split("+")[0] + ", one thread\n\n"
        pathlib.Path(options.output).write_text(title + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
