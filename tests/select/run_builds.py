#!/usr/bin/env python3
"""Selective builds for the machine at hand, run on their models: run_builds.py [--rounds N] NAME...

Builds the list of each NAME (tests/select/lists) with the default compiler in build-selected, keeps library and runner
in build-selected/kept/NAME, and runs build/selected-models/NAME.ptl (tests/select/models.py; "segment": the example's). The
answers must be those of the whole library (build/bin/wick_runner) at the same instruction set, bit by bit, planned and by
the interpreter. Only where a list with a planner does not keep the interpreter's kernels (wick.kernel.interpreter), which
leaves it the planner's, the interpreter's answers may differ by rounding. Another model must be refused with an error that
names the list. With several rounds, says how fast a build is beside the whole library.
"""
import argparse
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build-selected"
MODELS = ROOT / "build/selected-models"
WHOLE = ROOT / "build/bin"
ISA = {"x86_64": "avx2", "aarch64": "neon"}[platform.machine()]
# The whole library takes these int8 products where a processor has them.
MORE_ISA = {"mobilenet_v2_quantized": ",avxvnni"} if ISA == "avx2" else {}


def command(*words):
    subprocess.run([str(w) for w in words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def list_of(name):
    return ROOT / f"tests/select/lists/{name}.yaml"


def has_planners_kernels_only(name):
    text = list_of(name).read_text()
    return "- wick.planner\n" in text and "- wick.kernel.interpreter\n" not in text


def build(name):
    command("cmake", "--preset", "select", "-B", BUILD, f"-DWICK_SELECTED_OP_LIST={list_of(name)}",
            f"-DWICK_ISA={ISA}{MORE_ISA.get(name, '')}")
    command("cmake", "--build", BUILD, "-j", os.environ.get("JOBS", "2"), "--target", "wick_runtime", "wick_runner")
    kept = BUILD / "kept" / name
    kept.mkdir(parents=True, exist_ok=True)
    for file in ("lib/libwick_runtime.so.0", "bin/wick_runner"):
        shutil.copy(BUILD / file, kept)
    return kept


def run(folder, model, *words):
    return subprocess.run([str(w) for w in (folder / "wick_runner", model, *words)], text=True, capture_output=True,
                          env={**os.environ, "LD_LIBRARY_PATH": str(folder)})


def model_of(name):
    return ROOT / "examples/segment/segment.ptl" if name == "segment" else MODELS / f"{name}.ptl"


def arguments_of(name):
    if name == "segment":
        return ["--bundled", "0"]
    values = MODELS / f"{name}.txt"  # numbers and strings, for a build that reads no tensors
    return ["--values", values.read_text().strip()] if values.exists() else ["--input", MODELS / f"{name}.pt"]


def answer_of(result):
    return result.stdout.split("best of")[0].strip() if result.returncode == 0 else f"error: {result.stderr.strip()}"


def within_rounding(answers):
    """Whether answers have the same words, and numbers that differ by at most 1e-5 of the largest value."""
    if len(answers) == 1:
        return True
    one, other = (answer.split() for answer in answers)
    largest = max((abs(float(b)) for a, b in zip(one, one[1:]) if a == "largest"), default=0.0)

    def alike(a, b):
        try:
            return a == b or abs(float(a) - float(b)) <= 1e-5 * max(largest, abs(float(b)))
        except ValueError:
            return False

    return len(one) == len(other) and all(map(alike, one, other))


def compare(name, kept, rounds):
    """Whether planned and interpreted runs answer as the whole library does."""
    same, times = True, {kept: [], WHOLE: []}
    for mode in [], ["--no-plan"]:
        answers = {}  # a set in order
        for _ in range(1 if mode else rounds):
            for folder in kept, WHOLE:
                result = run(folder, model_of(name), *arguments_of(name), "--threads", "1", "--isa", ISA, "--iter",
                             "1" if mode or rounds == 1 else "20", *mode)
                answers[answer_of(result)] = True
                if not mode and (match := re.search(r"best of \d+ runs: ([\d.]+) ms", result.stdout)):
                    times[folder].append(float(match[1]))
        alike = within_rounding(answers) if mode and has_planners_kernels_only(name) else len(answers) == 1
        answered = alike and not any(answer.startswith("error") for answer in answers)
        between = "; the whole library, within rounding: " if answered else "; DIFFERS from "
        print(f"{name}{''.join(' ' + word for word in mode)}: {between.join(answers)}")
        same = same and answered
    if rounds > 1 and all(times.values()):
        own, whole = (statistics.median(times[folder]) for folder in (kept, WHOLE))
        print(f"{name}: {own:.4g} ms, the whole library {whole:.4g} ms: {whole / own:.4g} of its speed")
    return same


def is_refused(name, kept):
    other = MODELS / ("lstm_classifier.ptl" if name != "lstm_classifier" else "mobilenet_v2.ptl")
    result = run(kept, other)
    named = re.search("cannot be found|does not have", result.stderr) and f"{name}.yaml" in result.stderr
    clear = result.returncode == 1 and bool(named)
    print(f"{name}: another model is {'refused: ' if clear else 'NOT refused clearly: '}" + result.stderr.split("\n")[0][:100])
    return clear


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    checks = []
    for name in options.names:
        kept = build(name)
        checks += [compare(name, kept, options.rounds), is_refused(name, kept)]
    print(f"{sum(checks)} passed, {len(checks) - sum(checks)} failed")
    return 0 if all(checks) else 1


sys.exit(main())
