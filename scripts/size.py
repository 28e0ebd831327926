#!/usr/bin/env python3
"""Sizes of selective builds, as phones get them, and by component.

size.py [--check] [--gcc] [NAME...]

Builds the runtime library for each list in tests/select/lists (NAME, default: all; "everything" has every operator)
with clang and lld for 64-bit ARM, -Oz, link-time optimization and pages of 16 KB, and prints a table. "bytes" is the
stripped library; "deflated" (zlib, level 9) is what it adds to an .apk or .aar, the size that other runtimes publish.
The C and C++ libraries and zlib are linked dynamically and not counted.

--check  fails when a library is larger than its gate in tests/select/sizes.json
--gcc    shows GCC's size for the machine at hand beside it
"""
import argparse
import collections
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTS = ROOT / "tests/select/lists"
GATES = ROOT / "tests/select/sizes.json"
ARM64_ROOT = ROOT / "build-arm64/root"
COMPONENTS = ["core", "archive", "frontend", "ir", "runtime", "plan", "ops", "kernels", "templates", "exceptions",
              "linking"]
NATIVE_ISA = {"x86_64": "avx2", "aarch64": "neon"}
# For functions of one file, which objects of link-time optimization do not list.
NAMESPACES = {"kernels": "kernels", "plan": "plan", "ops": "ops", "lite": "frontend", "script": "frontend", "ir": "ir",
              "runtime": "runtime"}


def run(*words, **options):
    result = subprocess.run([str(w) for w in words], text=True, capture_output=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{result.stdout[-4000:]}{result.stderr[-4000:]}")
    return result.stdout


def tool(name):
    """An LLVM tool, of the newest version there is."""
    for version in ("-19", "-18", "-17", "-16", ""):
        if found := shutil.which(f"llvm-{name}{version}"):
            return found
    sys.exit(f"size.py: there is no llvm-{name}; scripts/deps.sh size installs it")


def build(folder, name, options):
    run("cmake", "--preset", "select", "-B", folder, f"-DWICK_SELECTED_OP_LIST={LISTS / name}.yaml", *options, cwd=ROOT)
    run("cmake", "--build", folder, "-j", os.environ.get("JOBS", "2"), "--target", "wick_runtime")
    return folder / "lib/libwick_runtime.so.0"


def build_for_phones(name):
    run(ROOT / "scripts/debian_root.sh", "arm64", ARM64_ROOT)
    return build(ROOT / "build-size", name, [
        f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake/arm64-clang.cmake'}", f"-DWICK_ARM64_ROOT={ARM64_ROOT}",
        "-DCMAKE_SKIP_RPATH=ON", "-DWICK_PAGE_SIZE=16384", f"-DWICK_ISA={'' if name == 'everything' else 'neon'}"])


def build_with_gcc(name):
    isa = "" if name == "everything" else NATIVE_ISA[platform.machine()]
    return build(ROOT / "build-size-gcc", name, ["-DCMAKE_CXX_COMPILER=g++", f"-DWICK_ISA={isa}"])


def stripped(library):
    out = library.with_suffix(".stripped")
    run(tool("strip"), "-o", out, library)
    return out.read_bytes()


def components_of_symbols(folder):
    """The components whose objects define a symbol."""
    objects = sorted(str(p) for p in (folder / "CMakeFiles").rglob("*.o"))
    found, component = collections.defaultdict(set), ""
    for line in run(tool("nm"), *objects).splitlines():
        if line.endswith(":") and "/" in line:
            match = re.search(r"/src/(\w+)/", line)
            component = match[1] if match else "other"
        elif len(words := line.split()) >= 2 and words[-2] not in ("U", "w"):
            found[words[-1].split(".")[0]].add(component)
    return found


def component_by_name(symbol):
    match = re.match(r"(?:\w[\w ]*? |\w+ for )?wick::(\w+)", symbol)
    if not match:
        return "templates"
    if re.match(r"Zip|Pickle|TensorBuilder|ByteSource|Legacy", match[1]):
        return "archive"
    return NAMESPACES.get(match[1], "core")


def components(folder, library):
    """Bytes of each component. Templates of the C++ library, and those that several components instantiate, are
    `templates`; what belongs to no function is by section: tables of exceptions, of the dynamic linker."""
    owners = components_of_symbols(folder)
    plain = run(tool("nm"), "-S", library).splitlines()
    readable = run(tool("nm"), "-S", "-C", library).splitlines()
    sums, seen = collections.Counter(), set()
    for line, demangled in zip(plain, readable):
        words = line.split()
        if len(words) != 4 or words[2] in "bB" or words[0] in seen:
            continue
        seen.add(words[0])
        owner = owners.get(words[3].split(".")[0], set())
        owner = next(iter(owner)) if len(owner) == 1 else component_by_name(demangled.split(" ", 3)[3])
        sums[owner] += int(words[1], 16)
    for name, size in re.findall(r"^(\.\S+)\s+(\d+)", run(tool("size"), "-A", library), re.M):
        if name.startswith((".eh_frame", ".gcc_except")):
            sums["exceptions"] += int(size)
        elif name.startswith((".dyn", ".rel", ".gnu", ".hash", ".plt", ".got")) and name != ".relro_padding":
            sums["linking"] += int(size)
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--gcc", action="store_true")
    options = parser.parse_args()
    gates = json.loads(GATES.read_text())
    names = options.names or list(gates)
    columns = ["bytes", "gate", "deflated", "gate"] + (["GCC"] if options.gcc else []) + COMPONENTS + ["rest"]
    print(f"{'clang, arm64':24}" + "".join(f"{c:>11}" for c in columns), flush=True)
    failed = 0
    for at, name in enumerate(names, 1):
        start = time.monotonic()
        print(f"building {name} ({at} of {len(names)})", end="\r", file=sys.stderr, flush=True)
        library = build_for_phones(name)
        content = stripped(library)
        sizes = {"bytes": len(content), "deflated": len(zlib.compress(content, 9))}
        limits = gates.get(name, {})
        cells = [text for key, size in sizes.items() for text in (size, limits.get(key, "-"))]
        if options.gcc:
            cells.append(len(stripped(build_with_gcc(name))))
        sums = components(library.parent.parent, library)
        parts = [sums[c] for c in COMPONENTS]
        cells += parts + [sizes["bytes"] - sum(parts)]
        print(f"{name:24}" + "".join(f"{cell:>11}" for cell in cells) + f"  ({time.monotonic() - start:.0f} s)", flush=True)
        for key, size in sizes.items():
            if size > limits.get(key, size):
                failed += 1
                print(f"{name}: {size} bytes{' deflated' if key == 'deflated' else ''}, the gate is {limits[key]}")
    if options.check:
        checked = sum(len(gates.get(name, {})) for name in names)
        print(f"{checked - failed} passed, {failed} failed")
    return 1 if options.check and failed else 0


sys.exit(main())
