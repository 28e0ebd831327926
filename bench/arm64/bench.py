#!/usr/bin/python3
"""Instructions and estimated cycles of whole models on 64-bit ARM, counted under emulation: no ARM machine is needed, and
the counts are the same in every run.

    bench.py --programs clang=FOLDER,gcc=FOLDER --models FOLDER [--names A,B|gated] [--cpus neoverse-n1,max] [--cycles]
             [--check FILE] [--save FILE] [--errors IMAGES] [--output FILE]

Each folder has a wick_count_runs and a wick_precision_error. --save writes the first program's counts; --check compares
them with those of an earlier run and fails where one is off by more than 1 %, more or less, or was not recorded.
--output writes the table, with how far results in float16 are off those in float32 (--errors), what peers.py wrote, and
what the instructions of the models go to that take more than they are to (models.py).
"""
import argparse
import json
import os
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
FUNCTIONS = 8  # that a model's section lists


def plugin():
    """The counting plugin, built when it is older than its source."""
    library, source = ARM / "libcount.so", HERE / "plugin.c"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        subprocess.run(["cc", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-o", library, source], check=True)
    return library


def machine(folder=ARM / "machine"):
    """The folder that qemu looks for files in before it takes this machine's: Debian's libraries, and cores with a
    second-level cache of 512 KB, so that counts are the same on every machine."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "lib").exists():
        (folder / "lib").symlink_to("/usr/aarch64-linux-gnu/lib")
    for cpu in os.sched_getaffinity(0):
        core = folder / "sys/devices/system/cpu" / f"cpu{cpu}"
        files = {"cpu_capacity": 1024, "topology/thread_siblings": f"{1 << cpu:x}"}
        for i in range(8):
            files[f"cache/index{i}/level"] = 2 if i == 2 else 0
        files.update({"cache/index2/size": "512K", "cache/index2/shared_cpu_map": f"{1 << cpu:x}"})
        for name, text in files.items():
            (core / name).parent.mkdir(parents=True, exist_ok=True)
            (core / name).write_text(f"{text}\n")
    return folder


def emulated(cpu, plugin=()):
    """The command before a program's name."""
    libraries = ":".join(str(ARM / "root" / folder) for folder in ("usr/lib/aarch64-linux-gnu", "lib/aarch64-linux-gnu"))
    return ["qemu-aarch64", "-cpu", CPUS[cpu], *plugin, "-L", machine(), "-E", f"LD_LIBRARY_PATH={libraries}"]


def count(program, folder, name, cpu):
    written = ARM / f"counts-{name}-{cpu}.txt"
    of = models.form(name)
    subprocess.run(emulated(cpu, ["-plugin", f"{plugin()},out={written}"]) +
                   [program, folder / f"{of.file}.ptl", "1", "1,3,224,224", of.dtype, of.precision],
                   check=True, stdout=subprocess.DEVNULL)
    result = counts.Counts(written)
    written.unlink()
    return result


def errors(program, folder, names, images):
    """The section on what float16 is off by."""
    rows = []
    for name in names:
        answer = subprocess.run(emulated("neoverse-n1") + [program, folder / f"{name}.ptl", str(images), "1,3,224,224"],
                                check=True, capture_output=True, text=True).stdout
        count, same, mean, worst = answer.split()
        rows.append([name, f"{same} of {count}", mean, worst])
        print(" | ".join(rows[-1]), flush=True)
    return ("\n\n## float16 beside float32\n\nOver pseudo-random images, with the random weights of `make bench`; "
            "differences as a part of the largest result.\n\n" +
            table(["model", "same first class", "mean difference", "largest"], rows))


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def missed(name, of):
    """The section of a model that takes more than it is to: what is known of the reasons, and its functions."""
    rows = [[f"`{function[:100]}`", f"{total / 1e6:.1f}", f"{(total - adds) / 1e6:.1f}", f"{100 * adds / total:.0f} %"]
            for function, total, adds in of.functions()[:FUNCTIONS]]
    parts = [f"### {name}: {of.total / 1e6:.1f}, at most {models.TARGETS[name]:g}"]
    notes = HERE / "notes" / f"{name}.md"
    if notes.exists():
        parts.append(notes.read_text().strip())
    parts.append(table(["function", "M instructions", "other than multiply-adds", "multiply-adds"], rows))
    return "\n\n" + "\n\n".join(parts)


def compared(totals, before):
    """What is wrong with counts, beside recorded ones."""
    wrong = []
    for key, total in totals.items():
        if key not in before:
            wrong.append(f"{key}: {total} instructions, none were recorded")
        elif abs(total - before[key]) > before[key] * TOLERANCE:
            wrong.append(f"{key}: {total} instructions, {before[key]} were recorded ({100 * total / before[key] - 100:+.1f} %)")
    return wrong


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--programs", required=True)
    options.add_argument("--models", type=pathlib.Path, default=ARM / "models")
    options.add_argument("--names", default="all")
    options.add_argument("--cpus", default="neoverse-n1")
    options.add_argument("--cycles", action="store_true")
    options.add_argument("--check", type=pathlib.Path)
    options.add_argument("--save", type=pathlib.Path)
    options.add_argument("--errors", type=int, default=0)
    options.add_argument("--output", type=pathlib.Path)
    given = options.parse_args()
    programs = dict(pair.split("=", 1) for pair in given.programs.split(","))
    cores = list(counts.CORES) if given.cycles else []
    estimates = counts.Estimates(ARM / "mca.json")
    rows, totals, sections = [], {}, []
    for name in models.named(given.names):
        most = models.TARGETS.get(name)
        for cpu in given.cpus.split(","):
            for build, folder in programs.items():
                of = count(pathlib.Path(folder) / "wick_count_runs", given.models, name, cpu)
                totals.setdefault(f"{name}/{cpu}", of.total)
                rows.append([name, build, cpu, f"{of.total / 1e6:.1f}", f"{most:g}" if most else "-",
                             f"{100 * of.multiply_adds / of.total:.0f} %"] +
                            [f"{of.cycles(counts.CORES[core], estimates) / 1e6:.1f}" for core in cores])
                print(" | ".join(rows[-1]), flush=True)
                estimates.save()
                if most and of.total > most * 1e6 and cpu == "neoverse-n1" and build == next(iter(programs)):
                    sections.append(missed(name, of))
    if given.errors:
        program = pathlib.Path(next(iter(programs.values()))) / "wick_precision_error"
        names = [name for name in models.named(given.names) if name in models.FLOAT]
        precision = errors(program, given.models, names, given.errors)
    else:
        precision = ""
    if given.output:
        head = ["model", "build", "core emulated", "M instructions", "at most", "multiply-adds"]
        text = (HERE / "results_head.md").read_text() + "\n" + table(head + [f"M cycles, {core}" for core in cores], rows)
        text += precision
        if (HERE / "peers.md").exists():
            text += "\n\n## Other engines\n\n" + (HERE / "peers.md").read_text().rstrip("\n")
        if sections:
            text += "\n\n## More than they are to take\n\nWhat bounds them, and the functions that most of the instructions are in."
        given.output.write_text(text + "".join(sections) + "\n")
    if given.save:
        given.save.write_text(json.dumps(totals, indent=1) + "\n")
    if given.check:
        wrong = compared(totals, json.loads(given.check.read_text()))
        if wrong:
            raise SystemExit(f"not the counts of {given.check} (make bench-arm64 RECORD=1 writes it anew):\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()
