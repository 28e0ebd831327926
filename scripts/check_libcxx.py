#!/usr/bin/env python3
"""check_libcxx.py [PART OF A PATH...]: compiles sources with LLVM's C++ library, for what it lacks; nothing is built.

Android's NDK 27 has that of LLVM 18, Xcode one as old; LLVM 19's lacks the same (std::from_chars of doubles, say).
Takes the commands of build/compile_commands.json, of src/ and java/jni/. Ends with "N passed, M failed"."""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPILER = ["clang++-19", "-stdlib=libc++", "-fsyntax-only", "-Wno-everything", "-ferror-limit=5"]


def command_of(entry):
    words, kept = iter(shlex.split(entry["command"])), []
    for word in words:
        if word == "-o":
            next(words)
        elif word not in ("-c", "-Werror") and not word.startswith("-fvect-cost-model"):
            kept.append(word)
    while not kept[0].startswith("-"):  # the compiler, with a cache before it
        kept.pop(0)
    return COMPILER + kept


def main():
    parts = sys.argv[1:]
    entries = {}
    for entry in json.loads((ROOT / "build/compile_commands.json").read_text()):
        path = os.path.relpath(entry["file"], ROOT)
        if path.startswith(("src/", "java/jni/")) and (not parts or any(part in path for part in parts)):
            entries.setdefault(path, entry)

    def check(item):
        path, entry = item
        return path, subprocess.run(command_of(entry), cwd=entry["directory"], capture_output=True, text=True)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        for path, done in pool.map(check, sorted(entries.items())):
            if done.returncode:
                failed += 1
                print(f"{path}\n{done.stderr}")
    print(f"{len(entries) - failed} passed, {failed} failed")
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
