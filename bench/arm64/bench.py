#!/usr/bin/python3
"""Instructions and estimated cycles of whole models on 64-bit ARM, counted under emulation: no ARM machine is needed, and
the counts are the same in every run.

    bench.py --programs clang=FOLDER,gcc=FOLDER --models FOLDER [--names A,B] [--cpus neoverse-n1,max] [--cycles]
             [--check FILE] [--output FILE]

Each folder has a wick_count_runs. --check compares the first program's counts with the JSON file of an earlier run and
fails where one is more than 1 % higher; --save writes that file.
"""
import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
import counts
import models

ARM = ROOT / "build-arm64"
CPUS = {"neoverse-n1": "neoverse-n1", "max": "max,sve=off"}  # the second has I8MM
TOLERANCE = 0.01


def plugin():
    """The counting plugin, built when it is older than its source."""
    library, source = ARM / "libcount.so", HERE / "plugin.c"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        subprocess.run(["cc", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-o", library, source], check=True)
    return library


def count(program, model, cpu):
    libraries = ":".join(str(ARM / "root" / folder) for folder in ("usr/lib/aarch64-linux-gnu", "lib/aarch64-linux-gnu"))
    written = ARM / f"counts-{model.stem}.txt"
    dtype = "half" if model.stem.endswith("_half") else "float"
    subprocess.run(["qemu-aarch64", "-cpu", CPUS[cpu], "-plugin", f"{plugin()},out={written}", "-L", "/usr/aarch64-linux-gnu",
                    "-E", f"LD_LIBRARY_PATH={libraries}", program, model, "1", "1,3,224,224", dtype],
                   check=True, stdout=subprocess.DEVNULL)
    result = counts.Counts(written)
    written.unlink()
    return result


def table(rows, cores):
    head = ["model", "build", "core emulated", "M instructions", "multiply-adds"] + [f"M cycles, {core}" for core in cores]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--programs", required=True)
    options.add_argument("--models", type=pathlib.Path, default=ARM / "models")
    options.add_argument("--names", default=",".join(models.NAMES))
    options.add_argument("--cpus", default="neoverse-n1")
    options.add_argument("--cycles", action="store_true")
    options.add_argument("--check", type=pathlib.Path)
    options.add_argument("--save", type=pathlib.Path)
    options.add_argument("--output", type=pathlib.Path)
    given = options.parse_args()
    programs = dict(pair.split("=", 1) for pair in given.programs.split(","))
    cores = list(counts.CORES) if given.cycles else []
    estimates = counts.Estimates(ARM / "mca.json")
    rows, totals = [], {}
    for name in given.names.split(","):
        for cpu in given.cpus.split(","):
            for build, folder in programs.items():
                of = count(pathlib.Path(folder) / "wick_count_runs", given.models / f"{name}.ptl", cpu)
                totals.setdefault(f"{name}/{cpu}", of.total)
                rows.append([name, build, cpu, f"{of.total / 1e6:.1f}", f"{100 * of.multiply_adds / of.total:.0f} %"] +
                            [f"{of.cycles(counts.CORES[core], estimates) / 1e6:.1f}" for core in cores])
                print(" | ".join(rows[-1]), flush=True)
                estimates.save()
    text = table(rows, cores)
    if given.output:
        given.output.write_text((HERE / "results_head.md").read_text() + "\n" + text + "\n")
    if given.save:
        given.save.write_text(json.dumps(totals, indent=1) + "\n")
    if given.check:
        before = json.loads(given.check.read_text())
        worse = [f"{key}: {totals[key]} instructions, {before[key]} were recorded" for key in totals
                 if key in before and totals[key] > before[key] * (1 + TOLERANCE)]
        if worse:
            raise SystemExit("more instructions than recorded:\n" + "\n".join(worse))


if __name__ == "__main__":
    main()
