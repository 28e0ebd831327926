#!/usr/bin/env python3
"""Bad files in a selective build: bad_files.py LIBRARY_FOLDER WHOLE_RUNNER MODEL COUNT [ARGUMENT...]

Changes the pickles of MODEL at random (a fixed seed), runs each file in the build under LIBRARY_FOLDER and in the whole
library, and fails where the build ends otherwise than with an error or the whole library's answer.
"""
import collections
import os
import random
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path


def changed(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = rng.randrange(max(1, len(data)))
        kind = rng.random()
        if kind < 0.5:
            data[at:at + 1] = bytes([rng.randrange(256)])
        elif kind < 0.7:
            del data[at:at + rng.randrange(1, 9)]
        elif kind < 0.85:
            data[at:at] = data[max(0, at - rng.randrange(1, 30)):at]
        else:
            del data[max(at, 1):]
    return bytes(data)


def run(runner, model, arguments):
    libraries = {"LD_LIBRARY_PATH": str(runner.parent)}
    return subprocess.run([str(runner), str(model), *arguments], capture_output=True, text=True, errors="replace",
                          env={**os.environ, **libraries}, timeout=60)


def main():
    folder, whole, model, count, *arguments = sys.argv[1:]
    folder, whole, count = Path(folder), Path(whole), int(count)
    with zipfile.ZipFile(model) as archive:
        records = {i.filename: archive.read(i) for i in archive.infolist()}
    pickles = [name for name in records if name.endswith(".pkl")]
    rng = random.Random(7)
    ends, texts, failures = collections.Counter(), set(), 0
    with tempfile.TemporaryDirectory() as scratch:
        for k in range(count):
            name = rng.choice(pickles)
            bad = Path(scratch) / "bad.ptl"
            with zipfile.ZipFile(bad, "w") as archive:
                for record, data in records.items():
                    archive.writestr(record, changed(data, rng) if record == name else data)
            result = run(folder / "wick_runner", bad, arguments)
            text = result.stderr.split("\n")[0]
            ends[result.returncode] += 1
            texts.add(re.sub(r"\d+", "N", text))
            if result.returncode == 0:
                expected = run(whole, bad, arguments)
                wrong = expected.returncode != 0 or expected.stdout != result.stdout
            else:
                wrong = result.returncode != 1 or not text
            if wrong:
                failures += 1
                print(f"file {k}, {name} changed: ended with {result.returncode}: {result.stdout[:200]}{text}")
    print(f"{model}: {count} bad files, {ends[1]} refused with {len(texts)} different messages")
    if len(texts) < 10:  # then nothing was tested
        failures += 1
    print(f"{count - failures} passed, {failures} failed")
    return 1 if failures else 0


sys.exit(main())
