#!/usr/bin/env python3
"""Sizes of stripped shared libraries, whole and by room of the house.

size.py [--arch x86_64|arm64] [--check] [--update] [--run] [NAME...]

Builds the library for each list in tests/size/lists (NAME, default: all of them and "everything") and prints a table.
All builds share one folder, so that only what a list concerns is compiled again.

--check   fails when a size is more than 2 % above or below what tests/size/sizes.json records
--update  records the sizes
--run     runs each build on its model (build/size/models, see tests/size/models.py): the answer must be that of the
          whole library, and another model must be refused; arm64 runs under qemu-aarch64
"""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTS = ROOT / "tests/size/lists"
RECORD = ROOT / "tests/size/sizes.json"
MODELS = ROOT / "build/size/models"
ARM64_ROOT = ROOT / "build-arm64/root"  # scripts/test_arm64.sh makes it
TOLERANCE = 0.02
ISA = {"x86_64": "avx2", "arm64": "neon"}
ROOMS = ["core", "archive", "frontend", "ir", "runtime", "plan", "ops"]


def command(*words, **options):
    return subprocess.run([str(w) for w in words], check=True, text=True, **options)


def build(arch, name):
    """The stripped library and the link map of a build, kept under the build folder's sizes/NAME."""
    folder = ROOT / ("build-size" if arch == "x86_64" else f"build-size-{arch}")
    everything = name == "everything"
    lists = LISTS / "everything.yaml" if everything else LISTS / f"{name}.yaml"
    words = ["cmake", "--preset", "select", "-B", folder, f"-DWICK_SELECTED_OP_LIST={lists}",
             f"-DWICK_ISA={'' if everything else ISA[arch]}"]
    if arch == "arm64":
        words += [f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake/arm64-linux.cmake'}", f"-DWICK_ARM64_ROOT={ARM64_ROOT}"]
    command(*words, cwd=ROOT, stdout=subprocess.DEVNULL)
    command("cmake", "--build", folder, "-j", os.environ.get("JOBS", "2"), "--target", "wick_runtime", "wick_runner",
            stdout=subprocess.DEVNULL)
    kept = folder / "sizes" / name
    kept.mkdir(parents=True, exist_ok=True)
    strip = "aarch64-linux-gnu-strip" if arch == "arm64" else "strip"
    command(strip, "--strip-unneeded", "-o", kept / "libwick_runtime.so.0", folder / "lib/libwick_runtime.so.0")
    shutil.copy(folder / "bin/wick_runner", kept / "wick_runner")
    shutil.copy(folder / "lib/libwick_runtime.map", kept / "map")
    return kept


def room_of(path, section):
    match = re.search(r"/src/(\w+)/", path)
    if not match:
        return "selection" if "selected" in path else "other"
    if match[1] != "kernels":
        return match[1]
    isa = re.search(r"N_(SSE4|AVX2|AVX3_DL|AVX3_ZEN4|AVX3|NEON|EMU128)", section)
    return f"kernels {isa[1]}" if isa else "kernels"


def rooms(link_map):
    """Bytes that each room has in the library, from the linker's map."""
    text = link_map.read_text(errors="replace").split("Linker script and memory map", 1)[1]
    sums = collections.Counter()
    pattern = re.compile(r"^ (\.[^\s]+)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S+\.o\S*)$", re.M)
    for section, address, size, path in pattern.findall(re.sub(r"\n {16,}0x", " 0x", text)):
        if int(address, 16) and not section.startswith((".comment", ".debug", ".note", ".bss")):
            sums[room_of(path, section)] += int(size, 16)
    return sums


def run(arch, kept, model, *words):
    line = [kept / "wick_runner", model, *words]
    environment = dict(os.environ)
    if arch == "arm64":
        libraries = f"{kept}:{ARM64_ROOT}/usr/lib/aarch64-linux-gnu:{ARM64_ROOT}/lib/aarch64-linux-gnu"
        line = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-E", f"LD_LIBRARY_PATH={libraries}", *line]
    else:
        environment["LD_LIBRARY_PATH"] = str(kept)
    return subprocess.run([str(w) for w in line], text=True, capture_output=True, env=environment)


def try_builds(arch, built):
    """Each build on its own model and on another one; returns the number of failures."""
    failures = 0
    for name, kept in built.items():
        model, arguments = MODELS / f"{name}.ptl", MODELS / f"{name}.pt"
        if not model.exists():
            continue
        own = run(arch, kept, model, "--input", arguments)
        whole = run(arch, built["everything"], model, "--input", arguments) if "everything" in built else own
        same = own.returncode == 0 and own.stdout == whole.stdout
        print(f"{name}: {own.stdout.strip() or own.stderr.strip()}{'' if same else '  DIFFERS: ' + whole.stdout}")
        other = MODELS / ("lstm_classifier.ptl" if name != "lstm_classifier" else "mobilenet_v2.ptl")
        refused = run(arch, kept, other)
        clear = refused.returncode == 1 and "cannot be found" in refused.stderr and f"{name}.yaml" in refused.stderr
        print(f"{name}: another model is {'refused: ' if clear else 'NOT refused clearly: '}"
              + refused.stderr.split("\n")[0][:100])
        failures += (not same) + (not clear)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--arch", choices=sorted(ISA), default="x86_64")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--run", action="store_true")
    options = parser.parse_args()

    names = options.names or [p.stem for p in sorted(LISTS.glob("*.yaml"))]
    recorded = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    record = recorded.setdefault(options.arch, {})
    built, failures = {}, 0
    columns = None
    for name in names:
        built[name] = kept = build(options.arch, name)
        size = (kept / "libwick_runtime.so.0").stat().st_size
        sums = rooms(kept / "map")
        kernels = sum(n for room, n in sums.items() if room.startswith("kernels"))
        if columns is None:
            columns = ROOMS + ["kernels", "rest"]
            print(f"{options.arch:24}{'bytes':>10}" + "".join(f"{c:>10}" for c in columns))
        cells = [sums[r] for r in ROOMS] + [kernels]
        print(f"{name:24}{size:>10}" + "".join(f"{n:>10}" for n in cells + [size - sum(cells)]), flush=True)
        by_isa = {room[8:]: n for room, n in sums.items() if room.startswith("kernels ")}
        if len(by_isa) > 1:
            print(f"{'':24}{'':10}" + "kernels: " + ", ".join(f"{isa} {n}" for isa, n in sorted(by_isa.items())))
        if options.check:
            before = record.get(name)
            if before is None:
                print(f"{name}: {size} bytes, not recorded yet")
            elif abs(size - before) > TOLERANCE * before:
                failures += 1
                print(f"{name}: {size} bytes, recorded {before}; if that is meant: make size UPDATE=1")
        if options.update:
            record[name] = size
    if options.update:
        RECORD.write_text(json.dumps(recorded, indent=2, sort_keys=True) + "\n")
    if options.run:
        failures += try_builds(options.arch, built)
    return 1 if failures else 0


sys.exit(main())
