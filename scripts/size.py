#!/usr/bin/env python3
"""Sizes of stripped shared libraries, whole and by room of the house.

size.py [--arch x86_64|arm64] [--check] [--update] [--run] [NAME...]

Builds the library for each list in tests/size/lists (NAME, default: all of them and "everything") and prints a table.
"deflated" is what the library adds to an .apk or .aar, which is the size that other runtimes publish.
All builds share one folder, so that only what a list concerns is compiled again.

--check   fails when a size is more than 2 % above or below what tests/size/sizes.json records
--update  records the sizes
--run     runs each build on its model (build/size/models, see tests/size/models.py), turn by turn with the whole
          library ("everything", else build/bin/wick_runner) at the same instruction set, --rounds times: the answer
          must be the same, and another model must be refused; says the ratio of the best and of the median times.
          arm64 runs under qemu-aarch64
"""
import argparse
import collections
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTS = ROOT / "tests/size/lists"
RECORD = ROOT / "tests/size/sizes.json"
MODELS = ROOT / "build/size/models"
ARM64_ROOT = ROOT / "build-arm64/root"  # scripts/test_arm64.sh makes it
TOLERANCE = 0.02
ISA = {"x86_64": "avx2", "arm64": "neon"}
# What a build is compiled for beside that: the whole library takes these products of bytes where a processor has them.
MORE_ISA = {("x86_64", "mobilenet_v2_quantized"): ",avxvnni"}
ROOMS = ["core", "archive", "frontend", "ir", "runtime", "plan", "ops", "kernels", "shared", "exceptions", "linking"]


def command(*words, **options):
    return subprocess.run([str(w) for w in words], check=True, text=True, **options)


def build(arch, name):
    """The stripped library of a build and its runner, kept under the build folder's sizes/NAME; and its rooms."""
    folder = ROOT / ("build-size" if arch == "x86_64" else f"build-size-{arch}")
    everything = name == "everything"
    lists = LISTS / "everything.yaml" if everything else LISTS / f"{name}.yaml"
    words = ["cmake", "--preset", "select", "-B", folder, f"-DWICK_SELECTED_OP_LIST={lists}",
             f"-DWICK_ISA={'' if everything else ISA[arch] + MORE_ISA.get((arch, name), '')}"]
    if arch == "arm64":
        words += [f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake/arm64-linux.cmake'}", f"-DWICK_ARM64_ROOT={ARM64_ROOT}",
                  "-DWICK_PAGE_SIZE=16384"]  # Android's
    command(*words, cwd=ROOT, stdout=subprocess.DEVNULL)
    command("cmake", "--build", folder, "-j", os.environ.get("JOBS", "2"), "--target", "wick_runtime", "wick_runner",
            stdout=subprocess.DEVNULL)
    kept = folder / "sizes" / name
    kept.mkdir(parents=True, exist_ok=True)
    strip = "aarch64-linux-gnu-strip" if arch == "arm64" else "strip"
    command(strip, "--strip-unneeded", "-o", kept / "libwick_runtime.so.0", folder / "lib/libwick_runtime.so.0")
    shutil.copy(folder / "bin/wick_runner", kept / "wick_runner")
    (kept / "rooms.json").write_text(json.dumps(rooms(arch, folder, folder / "lib/libwick_runtime.so.0")))
    return kept


def room_of(path):
    match = re.search(r"/src/(\w+)/", path)
    return match[1] if match else "selection" if "selected" in path else "other"


def isa_of(symbol):
    isa = re.search(r"N_(SSE4|AVX2|AVX3_DL|AVX3_ZEN4|AVX3|NEON|EMU128)", symbol)
    return isa[1] if isa else ""


def symbol_rooms(arch, folder):
    """The rooms whose objects define a symbol. Objects of link-time optimization are read through GCC's plugin."""
    nm = shutil.which("aarch64-linux-gnu-gcc-nm" if arch == "arm64" else "gcc-nm") or "nm"
    objects = sorted(str(p) for p in (folder / "CMakeFiles").glob("wick_runtime_*.dir/**/*.o"))
    found, room = collections.defaultdict(set), ""
    for line in command(nm, *objects, capture_output=True).stdout.splitlines():
        if line.endswith(":") and "/" in line:
            room = room_of(line)
        elif (words := line.split()) and words[-2:-1] and words[-2] not in ("U", "w"):
            found[words[-1].split(".")[0]].add(room)
    return found


NAMESPACES = {"kernels": "kernels", "plan": "plan", "ops": "ops", "lite": "frontend", "script": "frontend", "ir": "ir",
              "runtime": "runtime"}


def room_by_name(symbol):
    """For functions of one file, which objects for link-time optimization do not list: what their namespace says."""
    match = re.match(r"(?:\w[\w ]*? |\w+ for )?wick::(\w+)", symbol)
    if not match:
        return "shared"
    if re.match(r"Zip|Pickle|TensorBuilder|ByteSource|Legacy", match[1]):
        return "archive"
    return NAMESPACES.get(match[1], "core")


def rooms(arch, folder, library):
    """Bytes that each room has in the library. Templates of the C++ library and those that several rooms instantiate are
    `shared`; what belongs to no function is by section: tables of exceptions, of the dynamic linker."""
    owners = symbol_rooms(arch, folder)
    plain = command("nm", "-S", library, capture_output=True).stdout.splitlines()
    readable = command("nm", "-S", "-C", library, capture_output=True).stdout.splitlines()
    sums, seen = collections.Counter(), set()
    for line, demangled in zip(plain, readable):
        words = line.split()
        if len(words) != 4 or words[2] in "bB" or words[0] in seen:
            continue
        seen.add(words[0])
        name = words[3].split(".")[0]
        room = owners.get(name, set())
        room = next(iter(room)) if len(room) == 1 else room_by_name(demangled.split(" ", 3)[3])
        if room == "kernels" and isa_of(name):
            sums[f"kernels {isa_of(name)}"] += int(words[1], 16)
        sums[room] += int(words[1], 16)
    sections = command("size", "-A", library, capture_output=True).stdout
    for name, size in re.findall(r"^(\.\S+)\s+(\d+)", sections, re.M):
        if name.startswith((".eh_frame", ".gcc_except", ".ARM.ex")):
            sums["exceptions"] += int(size)
        elif name.startswith((".dyn", ".rel", ".gnu", ".hash", ".plt", ".got")) and name != ".relro_padding":
            sums["linking"] += int(size)
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


def arguments_of(name):
    values = MODELS / f"{name}.txt"  # numbers and strings, for a build that reads no tensors
    return ["--values", values.read_text().strip()] if values.exists() else ["--input", MODELS / f"{name}.pt"]


def times_of(result):
    """The best and the median time of a run, in ms."""
    match = re.search(r"best of \d+ runs: ([\d.]+) ms, median ([\d.]+) ms", result.stdout)
    return (float(match[1]), float(match[2])) if match else None


def try_builds(arch, built, rounds):
    """Each build on its own model, beside the whole library, and on another model; returns the number of failures."""
    failures = 0
    whole = built.get("everything")
    if whole is None and arch == "x86_64" and (ROOT / "build/bin/wick_runner").exists():
        whole = ROOT / "build/bin"
    for name, kept in built.items():
        model = MODELS / f"{name}.ptl"
        if not model.exists():
            continue
        answers, times = {}, collections.defaultdict(list)
        isa = [] if name == "everything" else ["--isa", ISA[arch]]
        iterations = ["--iter", "20" if arch == "x86_64" else "1", "--threads", "1"]
        for _ in range(rounds):
            for which, folder in {"own": kept, "whole": whole}.items():
                if folder is None:
                    continue
                result = run(arch, folder, model, *arguments_of(name), *iterations, *isa)
                answers[which] = result.stdout.split("best of")[0] if result.returncode == 0 else result.stderr
                if result.returncode == 0:
                    times[which].append(times_of(result))
        same = answers["own"] == answers.get("whole", answers["own"]) and len(times["own"]) == rounds
        print(f"{name}: {answers['own'].strip()}{'' if same else '  DIFFERS: ' + answers.get('whole', '')}")
        if times["whole"] and times["own"] and min(times["own"])[0] > 0:
            best = {which: min(t[0] for t in times[which]) for which in times}
            median = {which: statistics.median(t[1] for t in times[which]) for which in times}
            print(f"{name}: best {best['own']:.4g} ms, the whole library {best['whole']:.4g} ms: "
                  f"{best['whole'] / best['own']:.4g} of its speed; medians {median['own']:.4g} and "
                  f"{median['whole']:.4g} ms: {median['whole'] / median['own']:.4g}")
        other = MODELS / ("lstm_classifier.ptl" if name != "lstm_classifier" else "mobilenet_v2.ptl")
        refused = run(arch, kept, other)
        named = re.search("cannot be found|does not have", refused.stderr) and f"{name}.yaml" in refused.stderr
        clear = refused.returncode == 1 and bool(named)
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
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()

    names = options.names or [p.stem for p in sorted(LISTS.glob("*.yaml"))]
    recorded = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    record = recorded.setdefault(options.arch, {})
    built, failures = {}, 0
    columns = None
    for name in names:
        built[name] = kept = build(options.arch, name)
        library = (kept / "libwick_runtime.so.0").read_bytes()
        size = len(library)
        sums = collections.Counter(json.loads((kept / "rooms.json").read_text()))
        if columns is None:
            columns = ROOMS + ["rest"]
            print(f"{options.arch:24}{'bytes':>10}{'deflated':>10}" + "".join(f"{c:>11}" for c in columns))
        cells = [sums[r] for r in ROOMS]
        print(f"{name:24}{size:>10}{len(zlib.compress(library, 9)):>10}"
              + "".join(f"{n:>11}" for n in cells + [size - sum(cells)]), flush=True)
        by_isa = {room[8:]: n for room, n in sums.items() if room.startswith("kernels ")}
        if len(by_isa) > 1:
            print(f"{'':24}{'':20}" + "kernels: " + ", ".join(f"{isa} {n}" for isa, n in sorted(by_isa.items())))
        if options.check:
            before = record.get(name)
            if before is None:
                failures += 1
                print(f"{name}: {size} bytes, not recorded; record it with: make size UPDATE=1")
            elif abs(size - before) > TOLERANCE * before:
                failures += 1
                print(f"{name}: {size} bytes, recorded {before}; if that is meant: make size UPDATE=1")
        if options.update:
            record[name] = size
    if options.update:
        RECORD.write_text(json.dumps(recorded, indent=2, sort_keys=True) + "\n")
    if options.run:
        failures += try_builds(options.arch, built, options.rounds)
    return 1 if failures else 0


sys.exit(main())
