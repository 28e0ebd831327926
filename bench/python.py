#!/usr/bin/env python3
"""python.py [--json FILE]: Wick in Python beside onnxruntime, executorch and ai-edge-litert, where they are installed.

For each that is installed: lines of code to classify an input, processor time to import, size of the installed package.
Of Wick besides: what a call costs beside C++, the growth of memory over a million calls, and whether NumPy's memory is
used in place."""
import argparse
import importlib.metadata
import importlib.util
import json
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python" / "tests"))

OURS = re.search(r'^name = "(.*)"$', (ROOT / "python" / "pyproject.toml").read_text(), re.M)[1]
ENGINES = {  # import -> distribution, and the same task in each
    "wick": (OURS, """
import wick
model = wick.load("model.ptl")
scores = model(x)
best = scores.argmax()
"""),
    "onnxruntime": ("onnxruntime", """
import onnxruntime
session = onnxruntime.InferenceSession("model.onnx", providers=["CPUExecutionProvider"])
name = session.get_inputs()[0].name
scores = session.run(None, {name: x})[0]
best = scores.argmax()
"""),
    "executorch": ("executorch", """
import torch
from executorch.runtime import Runtime
program = Runtime.get().load_program("model.pte")
method = program.load_method("forward")
scores = method.execute([torch.from_numpy(x)])[0]
best = scores.argmax()
"""),
    "ai_edge_litert.interpreter": ("ai-edge-litert", """
from ai_edge_litert.interpreter import Interpreter
model = Interpreter("model.tflite")
model.allocate_tensors()
given, wanted = model.get_input_details()[0], model.get_output_details()[0]
model.set_tensor(given["index"], x)
model.invoke()
scores = model.get_tensor(wanted["index"])
best = scores.argmax()
"""),
}


def import_ms(name):
    code = f"import time; t = time.process_time(); import {name}; print((time.process_time() - t) * 1e3)"
    times = []
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        if done.returncode != 0:
            return None
        times.append(float(done.stdout.split()[-1]))
    return statistics.median(times)


def installed_mb(distribution):
    try:
        files = importlib.metadata.files(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    paths = [pathlib.Path(f.locate()) for f in files]
    return sum(p.stat().st_size for p in paths if p.is_file()) / 1e6


def best_us(call, rounds=300, calls=100):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        times.append((time.perf_counter() - start) / calls * 1e6)
    return min(times)


def wick_figures(calls):
    import resource

    import numpy as np
    import wick
    from conftest import torchscript

    source = "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return torch.add(x, 1)\n"
    model, x = wick.load(torchscript(source)), np.ones(16, "float32")
    in_cpp = statistics.median(wick._wick.times_of(model, None, (x,), 20000)) * 1e6
    in_python = best_us(lambda: model(x))
    echo = wick.load(torchscript("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return x\n"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(calls):
        model(x)
    return {
        "call in C++ (us)": in_cpp,
        "call in Python (us)": in_python,
        "more in Python (us)": in_python - in_cpp,
        "NumPy's memory in place": echo(x).data_ptr() == x.ctypes.data,
        f"growth in {calls} calls (KB)": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--calls", type=int, default=1_000_000)
    options = parser.parse_args()
    rows = {}
    print(f"{'engine':28} {'lines':>5} {'import ms (CPU)':>16} {'installed MB':>13}")
    for name, (distribution, task) in ENGINES.items():
        lines = len([line for line in task.strip().splitlines() if line.strip()])
        there = importlib.util.find_spec(name.split(".")[0]) is not None
        rows[name] = {"lines": lines, "import_ms": import_ms(name) if there else None,
                      "installed_mb": installed_mb(distribution) if there else None}
        shown = [f"{v:.1f}" if v is not None else "not installed" for v in (rows[name]["import_ms"], rows[name]["installed_mb"])]
        print(f"{name:28} {lines:5} {shown[0]:>16} {shown[1]:>13}")
    rows["wick calls"] = wick_figures(options.calls)
    for key, value in rows["wick calls"].items():
        print(f"{key}: {value:.2f}" if isinstance(value, float) else f"{key}: {value}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
