#!/usr/bin/python3
"""Size and start-up of Wick, PyTorch's lite interpreter beside it.

  startup.py [--rounds N] [--iter N] [--threads N] [--bin FOLDER]

Every measurement is a separate process, the two are interleaved for some rounds; the best and the median of all are
printed. The model is torchvision's MobileNetV2 on 1 x 3 x 224 x 224, plain and after optimize_for_mobile; then the time
to load large TorchScript files, torch.jit.load beside.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
BIN = TOP / "build/bin"
DIMS = "1,3,224,224"


def write_models(folder):
    import torch
    import torchvision
    from torch.utils.mobile_optimizer import optimize_for_mobile

    torch.manual_seed(0)
    script = torch.jit.script(torchvision.models.mobilenet_v2(weights=None).eval())
    plain, optimized = folder / "mobilenet_v2.ptl", folder / "mobilenet_v2_optimized.ptl"
    script._save_for_lite_interpreter(str(plain))
    optimize_for_mobile(script)._save_for_lite_interpreter(str(optimized))
    return [("MobileNetV2", plain), ("MobileNetV2 optimized", optimized)]


def time_pytorch(path, iterations, threads):
    """Runs in a separate process; the same figures as `wick bench --json`."""
    import re
    import time

    import torch
    from torch.jit.mobile import _load_for_lite_interpreter

    torch.set_num_threads(threads)
    start = time.perf_counter()
    module = _load_for_lite_interpreter(path)
    load = time.perf_counter() - start
    image = torch.ones([int(n) for n in DIMS.split(",")])
    times = []
    with torch.inference_mode():
        for _ in range(iterations + 1):
            start = time.perf_counter()
            module(image)
            times.append((time.perf_counter() - start) * 1000)
    print(json.dumps({"load_ms": load * 1000, "first_ms": times[0], "times": times[1:],
                      "median_ms": statistics.median(times[1:]), "best_ms": min(times[1:]),
                      "peak_rss_kb": int(re.search(r"VmHWM:\s*(\d+)", pathlib.Path("/proc/self/status").read_text())[1])}))


def write_large_models(folder):
    import torch
    import torchvision

    made = {"DeepLabV3-ResNet50": lambda: torchvision.models.segmentation.deeplabv3_resnet50(weights=None,
                                                                                             weights_backbone=None),
            "ViT-B/16": lambda: torchvision.models.vit_b_16(weights=None)}
    for name, make in made.items():
        torch.manual_seed(0)
        path = folder / (name.replace("/", "_") + ".pt")
        torch.jit.script(make().eval()).save(str(path))
        yield name, path


def time_pytorch_load(path):
    import time

    import torch

    start = time.perf_counter()
    torch.jit.load(path)
    print(json.dumps({"load_ms": (time.perf_counter() - start) * 1000}))


def compare_loads(folder, rounds):
    print("load of a TorchScript file, ms")
    for name, path in write_large_models(folder):
        rows = {"Wick": [], "PyTorch": []}
        for _ in range(rounds):
            rows["Wick"].append(run([str(BIN / "wick"), "bench", str(path), "--load-only", "--json"])["load_ms"])
            rows["PyTorch"].append(run([sys.executable, __file__, "--pytorch-load", str(path)])["load_ms"])
        for label, pick in (("best", min), ("median", statistics.median)):
            ours, theirs = pick(rows["Wick"]), pick(rows["PyTorch"])
            title = f"{name} ({path.stat().st_size / 1e6:.0f} MB), {label}"
            print(f"  {title:32} {ours:12.2f} {theirs:12.2f}   {theirs / ours:.1f} x")
        path.unlink()


def run(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure(path, options):
    rows = {"Wick": [], "PyTorch": []}
    threads, count = str(options.threads), str(options.iter)
    for _ in range(options.rounds):
        rows["Wick"].append(run([str(BIN / "wick"), "bench", str(path), "--input-dims", DIMS, "--warmup", "1",
                                 "--iter", count, "--threads", threads, "--json"]))
        rows["PyTorch"].append(run([sys.executable, __file__, "--pytorch", str(path), "--iter", count,
                                    "--threads", threads]))
    return rows


def stripped_size(path):
    with tempfile.TemporaryDirectory() as scratch:
        copy = shutil.copy(path, scratch)
        subprocess.run(["strip", copy], check=True)
        return os.path.getsize(copy)


def library_sizes():
    """A program that links the whole of Wick, and PyTorch's CPU library."""
    import torch

    folders = [pathlib.Path(torch.__file__).parent / "lib", pathlib.Path("/usr/lib/x86_64-linux-gnu"),
               pathlib.Path("/usr/lib/aarch64-linux-gnu")]
    peers = [p for f in folders for p in f.glob("libtorch_cpu.so*") if p.is_file()]
    return stripped_size(BIN / "minimal"), peers[0].stat().st_size if peers else None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--iter", type=int, default=10)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--pytorch", metavar="MODEL", help=argparse.SUPPRESS)
    p.add_argument("--pytorch-load", metavar="MODEL", help=argparse.SUPPRESS)
    options = p.parse_args()
    if options.pytorch_load:
        return time_pytorch_load(options.pytorch_load)
    if options.pytorch:
        return time_pytorch(options.pytorch, options.iter, options.threads)

    ours, theirs = library_sizes()
    print(f"{'':34} {'Wick':>12} {'PyTorch':>12}")
    print(f"{'stripped library, MB':34} {ours / 1e6:12.2f} {theirs / 1e6 if theirs else float('nan'):12.2f}")
    with tempfile.TemporaryDirectory() as scratch:
        for name, path in write_models(pathlib.Path(scratch)):
            rows = measure(path, options)
            print(f"{name}, {options.threads} thread{'s' if options.threads > 1 else ''}")

            def line(label, pick):
                print(f"  {label:32} {pick(rows['Wick']):12.2f} {pick(rows['PyTorch']):12.2f}")

            line("load, best ms", lambda r: min(x["load_ms"] for x in r))
            line("load, median ms", lambda r: statistics.median(x["load_ms"] for x in r))
            line("first run, best ms", lambda r: min(x["first_ms"] for x in r))
            line("first run, median ms", lambda r: statistics.median(x["first_ms"] for x in r))
            line("following runs, best ms", lambda r: min(x["best_ms"] for x in r))
            line("following runs, median ms", lambda r: statistics.median(x["median_ms"] for x in r))
            line("peak memory of the process, MB", lambda r: statistics.median(x["peak_rss_kb"] for x in r) * 1.024e-3)
        compare_loads(pathlib.Path(scratch), options.rounds)
    print("PyTorch's process is Python with the torch package; Wick's is the wick command.")
    return None


if __name__ == "__main__":
    main()
