#!/usr/bin/env python3
"""python.py [--output TABLE.md] [--json FILE] [--calls N]: Wick in Python beside onnxruntime, executorch and
ai-edge-litert.

Of each, for the same task (MobileNetV2, one picture): lines of code, size of the wheel and of what it installs with all
that it needs, processor time to import, time to load and to run. Wick is the package of build/python (scripts/python.sh
build) and the wheel of dist/ (make wheel); the others are those of build/peers (make bench-peers, with LARGE=1 for
executorch and the converters). What is not there is said to be missing. Of Wick besides: what a call costs beside C++,
the growth of memory over N calls, and whether NumPy's memory is used in place."""
import argparse
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCH, PEERS, MODEL = ROOT / "bench", ROOT / "build/peers/bin/python", "mobilenet_v2"
sys.path.insert(0, str(BENCH))

# import -> distribution, what makes its file, and the task as its users write it: import, load, run.
ENGINES = {
    "wick": (re.search(r'^name = "(.*)"$', (ROOT / "python/pyproject.toml").read_text(), re.M)[1], None, "import wick", """
model = wick.load("model.ptl")
""", """
scores = model(x)
best = scores.argmax()
"""),
    "onnxruntime": ("onnxruntime", None, "import onnxruntime", """
session = onnxruntime.InferenceSession("model.onnx", providers=["CPUExecutionProvider"])
name = session.get_inputs()[0].name
""", """
scores = session.run(None, {name: x})[0]
best = scores.argmax()
"""),
    "executorch": ("executorch", "executorch", "import torch\nfrom executorch.runtime import Runtime", """
program = Runtime.get().load_program("model.pte")
method = program.load_method("forward")
""", """
scores = method.execute([torch.from_numpy(x)])[0]
best = scores.argmax()
"""),
    "ai_edge_litert": ("ai-edge-litert", "litert", "from ai_edge_litert.interpreter import Interpreter", """
model = Interpreter("model.tflite")
model.allocate_tensors()
given, wanted = model.get_input_details()[0], model.get_output_details()[0]
""", """
model.set_tensor(given["index"], x)
model.invoke()
scores = model.get_tensor(wanted["index"])
best = scores.argmax()
"""),
}
FILES = {"wick": "model.ptl", "onnxruntime": "model.onnx", "executorch": "model.pte", "ai_edge_litert": "model.tflite"}

# Run by each engine's interpreter in the folder of the models. The first load and run are not counted.
WORKER = """
import json, sys, time
import numpy
task = json.loads(sys.argv[1])
x = numpy.load("input_0.npy")
names = {"x": x}
exec(task["import"], names)
load, run = compile(task["load"], "load", "exec"), compile(task["run"], "run", "exec")
def timed(code, count):
    wall, spent = [], []
    for _ in range(count):
        a, b = time.perf_counter(), time.process_time()
        exec(code, names)
        wall.append((time.perf_counter() - a) * 1e3)
        spent.append((time.process_time() - b) * 1e3)
    return sorted(wall)[count // 2], sorted(spent)[count // 2]
timed(load, 1)
loads = timed(load, 5)
timed(run, 3)
runs = timed(run, 30)
print(json.dumps({"load_ms": loads[0], "run_ms": runs[0], "run_cpu_ms": runs[1], "best": int(names["best"].item())}))
"""


def environment(engine):
    return {**os.environ, "PYTHONPATH": str(ROOT / "build/python")} if engine == "wick" else dict(os.environ)


def interpreter(engine):
    return sys.executable if engine == "wick" else str(PEERS)


def output_of(engine, code, *arguments, folder=None):
    """What the engine's interpreter prints; None where it fails."""
    if engine != "wick" and not PEERS.exists():
        return None
    done = subprocess.run([interpreter(engine), "-c", code, *arguments], capture_output=True, text=True, cwd=folder,
                          env=environment(engine))
    return done.stdout.strip().split("\n")[-1] if done.returncode == 0 and done.stdout.strip() else None


def import_ms(engine, code):
    timed = f"import time; t = time.process_time()\n{code}\nprint((time.process_time() - t) * 1e3)"
    times = [float(said) for said in (output_of(engine, timed) for _ in range(5)) if said]
    return statistics.median(times) if times else None


def sizes(engine, distribution):
    """MB of the wheel, and of everything that it installs, dependencies too."""
    wheels = ROOT / "dist" if engine == "wick" else ROOT / "build/bench-wheels"
    if engine != "wick" and PEERS.exists() and not list(wheels.glob(distribution.replace("-", "_") + "-*.whl")):
        version = output_of(engine, f"import importlib.metadata as m; print(m.version({distribution!r}))")
        if version:
            subprocess.run([PEERS, "-m", "pip", "download", "-q", "--no-deps", "-d", wheels, f"{distribution}=={version}"],
                           capture_output=True)
    found = sorted(wheels.glob(distribution.replace("-", "_") + "-*.whl"), key=lambda path: path.stat().st_mtime)
    wheel = found[-1].stat().st_size / 1e6 if found else None
    if engine == "wick":
        import zipfile

        return wheel, sum(one.file_size for one in zipfile.ZipFile(found[-1]).infolist()) / 1e6 if found else None
    return wheel, float(output_of(engine, INSTALLED, distribution) or 0) or None


INSTALLED = """
import importlib.metadata as m, re, sys
seen, rest, total = set(), [sys.argv[1]], 0
while rest:
    name = rest.pop()
    key = re.sub(r"[-_.]+", "-", name).lower()
    if key in seen: continue
    seen.add(key)
    try: one = m.distribution(name)
    except m.PackageNotFoundError: continue
    for file in one.files or []:
        path = file.locate()
        total += path.stat().st_size if path.is_file() else 0
    for needed in one.requires or []:
        if "extra ==" not in needed: rest.append(re.match(r"[\\w.-]+", needed)[0])
print(total / 1e6)
"""


def make_models(folder):
    """model.ptl and model.onnx with PyTorch 1.13, the others with their converters where they are installed."""
    subprocess.run([sys.executable, str(BENCH / "prepare.py"), MODEL, str(folder)], check=True)
    for engine, (_, maker, *_) in ENGINES.items():
        if maker and PEERS.exists() and not (folder / FILES[engine]).exists():
            code = (f"import sys, pathlib; sys.path.insert(0, {str(BENCH)!r}); import models; from peers import {maker}; "
                    f"{maker}.convert(pathlib.Path({str(folder)!r}), models.model_named({MODEL!r}))")
            subprocess.run([PEERS, "-c", code], capture_output=True)


def figures(engine, folder):
    distribution, _, imported, load, run = ENGINES[engine]
    out = {"lines": len([line for line in (imported + load + run).splitlines() if line.strip()])}
    out["wheel_mb"], out["installed_mb"] = sizes(engine, distribution)
    out["import_cpu_ms"] = import_ms(engine, imported)
    version = f"import importlib.metadata as m; print(m.version({distribution!r}))"
    out["version"] = None if engine == "wick" else output_of(engine, version)
    if (folder / FILES[engine]).exists():
        said = output_of(engine, WORKER, json.dumps({"import": imported, "load": load, "run": run}), folder=folder)
        out.update(json.loads(said) if said else {})
    return out


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

    sys.path[:0] = [str(ROOT / "build/python"), str(ROOT / "python/tests")]
    import numpy as np
    import wick
    from small_models import torchscript

    source = "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return torch.add(x, 1)\n"
    model, x = wick.load(torchscript(source)), np.ones(16, "float32")
    in_cpp = min(wick._wick.times_of(model, None, (x,), 20000)) * 1e6
    in_python = best_us(lambda: model(x))
    echo = wick.load(torchscript("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return x\n"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(calls):
        model(x)
    return {
        "a call in C++, microseconds": in_cpp,
        "a call in Python, microseconds": in_python,
        "more in Python, microseconds": in_python - in_cpp,
        "NumPy's memory is used in place": echo(x).data_ptr() == x.ctypes.data,
        f"growth in {calls} calls, KB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before,
    }


COLUMNS = (("lines", "lines of code", 0), ("wheel_mb", "wheel MB", 1), ("installed_mb", "installed MB", 1),
           ("import_cpu_ms", "import, processor ms", 0), ("load_ms", "load ms", 1), ("run_ms", "run ms", 2),
           ("run_cpu_ms", "run, processor ms", 2))


def page(results):
    def cell(row, key, digits):
        value = row.get(key)
        return "missing" if value is None else f"{value:.{digits}f}"

    load = results["load"]
    lines = ["# Wick in Python beside other engines", "",
             f"MobileNetV2, batch 1, float32, each engine's own number of threads; {results['processor']}, "
             f"{os.cpu_count()} cores; {results['date']}; load of the machine {load[0]:.1f} before and {load[1]:.1f} "
             "after" + (": **it was busy, and times other than the processor's say little**." if max(load) > 1.5 else "."),
             "", "| engine | " + " | ".join(title for _, title, _ in COLUMNS) + " |", "|" + " --- |" * (len(COLUMNS) + 1)]
    for engine, row in results["engines"].items():
        name = f"{engine} {row['version']}" if row.get("version") else engine
        lines.append(f"| {name} | " + " | ".join(cell(row, key, digits) for key, _, digits in COLUMNS) + " |")
    lines += ["", "\"installed\" counts what the wheel needs too (NumPy and, of executorch, PyTorch); Wick needs nothing, and "
              "uses NumPy where it is. Times are medians. `bench/python.py` has each engine's lines.", ""]
    for key, value in results["wick calls"].items():
        shown = f"{value:.2f}" if isinstance(value, float) else {True: "yes", False: "NO"}.get(value, value) \
            if isinstance(value, bool) else value
        lines.append(f"- {key}: {shown}")
    return "\n".join(lines) + "\n"


def processor():
    found = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return found[1] if found else platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--calls", type=int, default=1_000_000)
    options = parser.parse_args()
    folder, before = ROOT / "build/bench" / MODEL, os.getloadavg()[0]
    make_models(folder)
    results = {"date": time.strftime("%Y-%m-%d"), "processor": processor(), "engines": {}}
    for engine in ENGINES:
        results["engines"][engine] = figures(engine, folder)
    answers = {row["best"] for row in results["engines"].values() if "best" in row}
    if len(answers) > 1:
        sys.exit(f"the engines answer differently: {results['engines']}")
    results["wick calls"] = wick_figures(options.calls)
    results["load"] = [before, os.getloadavg()[0]]
    print(page(results), end="")
    if options.output:
        options.output.write_text(page(results))
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
