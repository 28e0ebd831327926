#!/usr/bin/python3
"""Wick beside other engines: time, memory and load time of whole models, and what the targets ask.

  bench.py [--quick | --short] [--models A,B] [--engines A,B] [--rounds N] [--seconds S] [--threads 1,2] [--list]

Every engine has its own process for each model; they run interleaved for some rounds, so that other load on the machine
affects all alike. PyTorch 1.13 is Debian's; `make bench-peers` installs the others. Models are written once, to
build/bench. Results go to bench/results: table.md, results.json and plots.
"""
import argparse
import datetime
import os
import pathlib
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH))
import figures
import models
import peers
import prepare
import report
import interleave

TOP = BENCH.parent
PACKAGES = {"onnxruntime": "onnxruntime", "pytorch2": "torch", "executorch": "executorch", "litert": "ai-edge-litert",
            "ncnn": "ncnn", "openvino": "openvino"}  # by the engine's file


def machine():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else os.uname().machine}, {os.cpu_count()} cores"


def versions():
    """{engine: version} of the peers that are installed."""
    code = ("import importlib.metadata as m, sys\ntry: print(m.version(sys.argv[1]))\n"
            "except m.PackageNotFoundError: pass")
    out = {}
    for engine in peers.ENGINES:
        if engine.file not in PACKAGES:
            continue
        try:
            done = subprocess.run([interleave.python_of(engine), "-c", code, PACKAGES[engine.file]], capture_output=True, text=True)
        except interleave.Refused:
            continue
        if done.stdout.strip():
            out[engine.name] = done.stdout.strip()
    return out


def chosen(text, all_of, what):
    if not text:
        return all_of
    names = text.split(",")
    unknown = [n for n in names if n not in [x.name for x in all_of]]
    if unknown:
        sys.exit(f"bench.py: no {what} '{unknown[0]}'; there are {', '.join(x.name for x in all_of)}")
    return [x for x in all_of if x.name in names]


def prepare_models(picked, folder, progress):
    for model in picked:
        if prepare.is_prepared(folder / model.name):
            continue
        progress.line(f"writing {model.title} in the forms the engines read")
        subprocess.run([sys.executable, str(BENCH / "prepare.py"), model.name, str(folder / model.name)], check=True,
                       stderr=subprocess.DEVNULL)


def print_model(model, threads, rows, progress):
    wick = rows.get("wick", {})
    texts = []
    for engine in peers.ENGINES:
        r = rows.get(engine.name)
        if r is None:
            continue
        if "reason" in r:
            texts.append(f"    {engine.title:40} {r['reason']}")
            continue
        times = "" if engine.name == "wick" or "median_ms" not in wick else \
            f"{r['median_ms'] / wick['median_ms']:7.2f} x {r['best_ms'] / wick['best_ms']:7.2f} x {r['cpu_ms'] / wick['cpu_ms']:7.2f} x"
        texts.append(f"    {engine.title:40} {r['median_ms']:9.2f} {r['best_ms']:9.2f} {r['cpu_ms']:9.2f} ms {times}")
    progress.line(f"{model.title}, {threads} thread{'s' * (threads > 1)} (median, best, processor; times slower than Wick)\n" + "\n".join(texts))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--quick", action="store_true", help="Wick, PyTorch 1.13 and ONNX Runtime, few rounds (about 8 minutes)")
    p.add_argument("--short", action="store_true", help="every engine, few rounds (about 15 minutes)")
    p.add_argument("--models", help="names, separated by commas")
    p.add_argument("--engines", help="names, separated by commas; Wick is always in the run")
    p.add_argument("--rounds", type=int)
    p.add_argument("--seconds", type=float, help="of a turn")
    p.add_argument("--threads", default="1,2")
    p.add_argument("--bin", type=pathlib.Path, default=TOP / "build/bin", help="where Wick's programs are")
    p.add_argument("--results", type=pathlib.Path, default=BENCH / "results")
    p.add_argument("--list", action="store_true", help="print the names of models and engines")
    options = p.parse_args()
    if options.list:
        for model in models.MODELS:
            print(f"model   {model.name:24} {model.title}")
        for engine in peers.ENGINES:
            print(f"engine  {engine.name:24} {engine.title}")
        return
    names = options.engines or (",".join(["wick", *peers.PYTORCH, "onnxruntime", "onnxruntime-1.23"]) if options.quick else None)
    if names and "wick" not in names.split(","):
        names = "wick," + names
    picked, engines = chosen(options.models, models.MODELS, "model"), chosen(names, peers.ENGINES, "engine")
    rounds = options.rounds or (5 if options.quick else 4 if options.short else 10)
    seconds = options.seconds or (0.15 if options.quick or options.short else 0.4)
    threads = [int(n) for n in options.threads.split(",")]
    folder, wick, progress = TOP / "build/bench", options.bin / "wick_bench_worker", interleave.Progress()

    prepare_models(picked, folder, progress)
    results = {"date": datetime.date.today().isoformat(), "machine": machine(), "versions": versions(), "rounds": rounds,
               "seconds": seconds, "threads": threads, "load": [os.getloadavg()[0]], "models": {}}
    for model in picked:
        results["models"][model.name] = {"threads": {}}
        for count in threads:
            rows = interleave.measure(model, engines, folder / model.name, count, rounds, seconds, wick, progress)
            results["models"][model.name]["threads"][str(count)] = rows
            print_model(model, count, rows, progress)
    try:
        results["figures"] = figures.measure(picked, folder, wick, progress)
    except interleave.Refused as refused:
        results["figures"] = {}
        progress.line(f"overhead, memory, planning and denormals: {refused}")
    for line in figures.lines(results["figures"]):
        progress.line(line)
    results["load"].append(os.getloadavg()[0])
    report.write(results, picked, options.results, progress.line)


if __name__ == "__main__":
    main()
