#!/usr/bin/env python3
"""test.py [--native FOLDER] [MAVEN OPTIONS...]: builds the jars and runs every Java test; counts them.

Besides what `mvn verify` says, fails for what -Xcheck:jni warns of in our native methods, and for public members of
PyTorch's classes that ours lack (check_api.py). Ends with "N passed, M failed"."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

import surefire

JAVA = pathlib.Path(__file__).resolve().parent
MODULES = ["pytorch_android", "torchvision", "server", "../examples/server"]
SAID = re.compile(r"Stream '(.*)'\.$")


def jni_warnings(report):
    """What -Xcheck:jni has printed, where the innermost Java method is one of ours."""
    found, warning = [], None
    for line in report.read_text(errors="replace").splitlines():
        said = SAID.search(line)
        if not said:
            continue
        text = said.group(1).strip()
        if text.startswith(("WARNING", "FATAL")):
            warning = text
        elif warning and text.startswith("at "):
            if text.startswith("at org.pytorch."):
                found.append(f"{warning} {text}")
            warning = None
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--native", default=str(JAVA.parent / "build/lib"), help="folder of libpytorch_jni.so")
    arguments, maven = parser.parse_known_args()
    reports = [JAVA / module / "target/surefire-reports" for module in MODULES]
    for folder in reports:
        shutil.rmtree(folder, ignore_errors=True)
    native = pathlib.Path(arguments.native).resolve()
    done = subprocess.run(["mvn", "-q", "-B", "-ntp", "verify", "-fae", f"-Dwick.native={native}", *maven], cwd=JAVA)
    passed, failed = surefire.counts(reports)
    for folder in reports:
        for report in folder.glob("*.dumpstream"):
            for warning in jni_warnings(report):
                print(warning)
                failed += 1
    if done.returncode != 0 and failed == 0:
        failed = 1
    api = subprocess.run([sys.executable, JAVA / "check_api.py"], capture_output=True, text=True).stdout
    print(api.rsplit("\n", 2)[0] if " 0 failed" not in api else "")
    right, wrong = map(int, re.search(r"(\d+) passed, (\d+) failed", api).groups())
    print(f"{passed + right} passed, {failed + wrong} failed")
    return 1 if failed + wrong else 0


if __name__ == "__main__":
    sys.exit(main())
