#!/usr/bin/env python3
"""Models on a GPU: Wick by Vulkan, and PyTorch by CUDA where it is there, interleaved.

  gpu.py FOLDER [--wick WICK] [--models A,B] [--rounds N] [--iter N] [--output FILE]

FOLDER holds what gpu_models.py writes. Times are wall clock in milliseconds for one 1x3x224x224 input, with its upload
and the result's download; each is the best of the rounds' medians, the median of the medians in brackets. `difference`
is the largest one from the CPU's output, as a part of its largest value.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

import gpu_models

DIMS = ["--input-dims", "1,3,224,224"]


def wick(command, *words):
    done = subprocess.run([command, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or done.stdout.strip())
    return done.stdout


def torch_runner(path):
    """A function that gives the median of some runs by TorchScript on CUDA, or None."""
    try:
        import torch
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    model = torch.jit.freeze(torch.jit.load(str(path)).cuda().eval())
    x = torch.rand(1, 3, 224, 224)

    def run(count):
        times = []
        with torch.no_grad():
            for _ in range(count):
                start = time.perf_counter()
                model(x.cuda()).cpu()
                times.append((time.perf_counter() - start) * 1e3)
        return statistics.median(times)

    run(20)
    return run


def measure(args, path):
    columns = {f"Wick {precision}": (lambda p=precision: json.loads(wick(
        args.wick, "bench", path, *DIMS, "--backend", "gpu", "--precision", p, "--warmup", 20, "--iter", args.iter,
        "--json"))["median_ms"]) for precision in ("fp32", "fp16")}
    other = torch_runner(path)
    if other:
        columns["TorchScript frozen, CUDA"] = lambda: other(args.iter)
    times = {name: [] for name in columns}
    for _ in range(args.rounds):
        for name, run in columns.items():
            times[name].append(run())
    return {name: f"{min(t):.2f} ({statistics.median(t):.2f})" for name, t in times.items()}


def difference(args, path, precision):
    text = wick(args.wick, "compare", path, path, *DIMS, "--backend", "gpu", "--reference-backend", "cpu", "--precision",
                precision, "--tolerance", 1, "--json")
    return f"{json.loads(text)['relative_difference']:.1e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--wick", default="build/bin/wick")
    parser.add_argument("--models", default=",".join(gpu_models.NAMES))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--iter", type=int, default=50)
    parser.add_argument("--output", type=pathlib.Path)
    args = parser.parse_args()

    lines = []
    failed = False
    for name in args.models.split(","):
        path = args.folder / f"{name}.pt"
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            row = measure(args, path)
            row.update({f"difference {p}": difference(args, path, p) for p in ("fp32", "fp16")})
        except RuntimeError as error:
            failed = True
            print(f"{name}: {error}", file=sys.stderr)
            continue
        if not lines:
            lines = [" | ".join(["| model", *row]) + " |", "| --- " * (len(row) + 1) + "|"]
        lines.append(" | ".join([f"| {name}", *row.values()]) + " |")
    text = f"# Models on a GPU\n\n{wick(args.wick, 'info', '--devices')}\n" + "\n".join(lines) + "\n"
    print(text)
    if args.output:
        args.output.write_text(text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
