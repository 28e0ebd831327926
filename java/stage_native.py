#!/usr/bin/env python3
"""stage_native.py OUT FOLDER...: puts native libraries where NativeLibraries.java looks for them inside of a jar.

Each FOLDER holds libpytorch_jni.so for one architecture, which the file itself tells. The libraries it needs that not
every Linux has come along, from beside it or from this machine, and are named in libpytorch_jni.so.needs."""
import pathlib
import re
import shutil
import subprocess
import sys

NAMES = ["libpytorch_jni.so", "libpytorch_vision_jni.so"]
MACHINES = {"X86-64": "x86_64", "AArch64": "aarch64"}
SYSTEM = re.compile(r"lib(c|m|z|dl|rt|pthread|gcc_s|stdc\+\+)\.so|ld-linux")


def readelf(option, path):
    return subprocess.run(["readelf", option, "-W", path], check=True, capture_output=True, text=True).stdout


def find_library(name, beside):
    if (beside / name).exists():
        return beside / name
    for line in subprocess.run(["ldd", beside / NAMES[0]], capture_output=True, text=True).stdout.splitlines():
        match = re.match(rf"\s*{re.escape(name)} => (\S+)", line)
        if match:
            return pathlib.Path(match.group(1))
    raise SystemExit(f"stage_native.py: {name}, which {NAMES[0]} needs, is not in {beside}")


def copy(source, target):
    shutil.copy(source.resolve(), target)
    target.chmod(0o644)


def stage(folder, out):
    machine = re.search(r"Machine:.*?(X86-64|AArch64)", readelf("-h", folder / NAMES[0]))
    if not machine:
        raise SystemExit(f"stage_native.py: {folder / NAMES[0]} is for a machine that no jar is made for")
    target = out / f"linux-{MACHINES[machine.group(1)]}"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in NAMES:
        if not (folder / name).exists():
            continue
        copy(folder / name, target / name)
        if machine.group(1) == "X86-64":
            subprocess.run(["strip", "--strip-unneeded", target / name], check=True)
        needed = [n for n in re.findall(r"NEEDED.*\[(.+)\]", readelf("-d", folder / name)) if not SYSTEM.match(n)]
        for library in needed:
            copy(find_library(library, folder), target / library)
        (target / f"{name}.needs").write_text("".join(n + "\n" for n in needed))
    print(f"{target}: {', '.join(sorted(p.name for p in target.iterdir()))}")


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    for folder in sys.argv[2:]:
        stage(pathlib.Path(folder), pathlib.Path(sys.argv[1]))


if __name__ == "__main__":
    main()
