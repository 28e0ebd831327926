#!/usr/bin/env python3
"""Models on a GPU: Wick by Vulkan, and PyTorch by CUDA where it is there, interleaved.

  gpu.py FOLDER [--wick WICK] [--empty WICK_GPU_EMPTY] [--models A,B] [--rounds N] [--iter N] [--output FILE]

FOLDER holds what gpu_models.py writes. Times are wall clock in milliseconds for one 1x3x224x224 input, with its upload
and the result's download; each is the best of the rounds' medians, the median of the medians in brackets. `difference`
is the largest one from the CPU's output, as a part of its largest value. Behind it: where the time goes, by timestamps
of the device, and how far the largest layers are from what the device can do, which PyTorch's copy and products show.
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import time

import gpu_models

DIMS = ["--input-dims", "1,3,224,224"]
BUSY = """Milliseconds. `dispatches run` is the sum of their times, one after the other; `empty` is the wall clock of a
command buffer with as many dispatches of one element, in a chain with a barrier before each, and without barriers."""
BUSY_HEAD = "| model | precision | dispatches | dispatches run | empty, chained | empty, without barriers |"
LAYER_HEAD = "| model | precision | layer | count | us each | Mflop | MB at least |"


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


def torch_peaks():
    """Bytes a second of a copy, operations a second of a large product by precision; empty without CUDA."""
    try:
        import torch
    except ImportError:
        return {}
    if not torch.cuda.is_available():
        return {}

    def seconds(run, count):
        run()
        torch.cuda.synchronize()
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        times = []
        for _ in range(5):
            start.record()
            for _ in range(count):
                run()
            end.record()
            torch.cuda.synchronize()
            times.append(start.elapsed_time(end) / 1e3 / count)
        return statistics.median(times)

    size = 1 << 30
    a, b = torch.rand(size, device="cuda"), torch.empty(size, device="cuda")
    peaks = {"bytes": 8 * size / seconds(lambda: b.copy_(a), 4)}
    del a, b
    torch.backends.cuda.matmul.allow_tf32 = False
    for name, dtype in (("fp32", torch.float32), ("fp16", torch.float16)):
        x = torch.randn(8192, 8192, device="cuda", dtype=dtype)
        y = torch.randn(8192, 8192, device="cuda", dtype=dtype)
        peaks[name] = 2 * 8192**3 / seconds(lambda: torch.mm(x, y), 4)
    return peaks


def profile(args, path, precision):
    return json.loads(wick(args.wick, "profile", path, *DIMS, "--backend", "gpu", "--precision", precision, "--iter", 20,
                           "--json"))


class Layer:
    """Dispatches of one name and amount of work."""

    def __init__(self, name, mflop, megabytes):
        self.name, self.mflop, self.megabytes = name, float(mflop), float(megabytes)
        self.times = []


def layers_of(steps):
    layers = {}
    for step in steps:
        work = re.fullmatch(r"([\d.]+) Mflop, ([\d.]+) MB", step["output"])
        if work:
            key = (step["name"], *work.groups())
            layers.setdefault(key, Layer(*key)).times.append(step["ms"])
    return sorted(layers.values(), key=lambda layer: -sum(layer.times))


def empty_times(args, counts):
    """Milliseconds of empty command buffers, by the number of dispatches."""
    lines = wick(args.empty, *counts).splitlines()[1:]
    return {line["dispatches"]: line for line in map(json.loads, lines)}


def where_time_goes(args, name, profiles, peaks):
    """Two tables' lines: a model's dispatches, and its largest layers."""
    rows, layers = [], []
    for precision, profiled in profiles.items():
        around = ("gpu: submission", "gpu: upload", "gpu: download")
        steps = [s for s in profiled["steps"] if not s["name"].startswith(around)]
        steps = [s for s in steps if s["name"].startswith("gpu: ")]
        busy = sum(s["ms"] for s in steps)
        empty = empty_times(args, [len(steps)])[len(steps)]
        rows.append(f"| {name} | {precision} | {len(steps)} | {busy:.3f} | {empty['chain']:.3f} | {empty['free']:.3f} |")
        for layer in layers_of(steps)[:4]:
            each = statistics.median(layer.times)
            rate, bandwidth = layer.mflop / each / 1e3, layer.megabytes / each / 1e3  # TFLOP/s, TB/s
            line = [name, precision, layer.name.removeprefix("gpu: "), str(len(layer.times)), f"{each * 1e3:.1f}",
                    f"{layer.mflop:.0f}", f"{layer.megabytes:.1f}"]
            if peaks:
                line += [f"{100e12 * rate / peaks[precision]:.1f} %", f"{100e12 * bandwidth / peaks['bytes']:.1f} %"]
            layers.append("| " + " | ".join(line) + " |")
    return rows, layers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--wick", default="build/bin/wick")
    parser.add_argument("--empty", default="build/bin/wick_gpu_empty")
    parser.add_argument("--models", default=",".join(gpu_models.NAMES))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--iter", type=int, default=50)
    parser.add_argument("--output", type=pathlib.Path)
    args = parser.parse_args()

    lines, rows, layers = [], [], []
    failed = False
    peaks = torch_peaks()
    for name in args.models.split(","):
        path = args.folder / f"{name}.pt"
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            row = measure(args, path)
            row.update({f"difference {p}": difference(args, path, p) for p in ("fp32", "fp16")})
            more = where_time_goes(args, name, {p: profile(args, path, p) for p in ("fp32", "fp16")}, peaks)
        except RuntimeError as error:
            failed = True
            print(f"{name}: {error}", file=sys.stderr)
            continue
        if not lines:
            lines = [" | ".join(["| model", *row]) + " |", "| --- " * (len(row) + 1) + "|"]
        lines.append(" | ".join([f"| {name}", *row.values()]) + " |")
        rows += more[0]
        layers += more[1]
    text = f"# Models on a GPU\n\n{wick(args.wick, 'info', '--devices')}\n" + "\n".join(lines) + "\n"
    text += "\n".join(["", "## Where the time goes", "", BUSY, "", BUSY_HEAD, "| --- " * 6 + "|", *rows, ""])
    head = LAYER_HEAD + (" of arithmetic | of bandwidth |" if peaks else "")
    text += "\n".join(["", "## The largest layers", "", head, "| --- " * (9 if peaks else 7) + "|", *layers, ""])
    if peaks:
        text += (f"\nPeaks by PyTorch's copy and 8192x8192x8192 products: {peaks['bytes'] / 1e12:.2f} TB/s, "
                 f"{peaks['fp32'] / 1e12:.0f} Tflop/s in fp32, {peaks['fp16'] / 1e12:.0f} in fp16.\n")
    print(text)
    if args.output:
        args.output.write_text(text)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
