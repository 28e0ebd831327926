#!/usr/bin/env python3
"""run_published.py [--native FOLDER]: the classes of org.pytorch.torchvision that PyTorch has published, from Maven,
with our main jar and our native libraries; nothing of them is kept in the tree. Ends with "N passed, M failed"."""
import argparse
import pathlib
import shutil
import subprocess
import sys
import zipfile

import surefire

JAVA = pathlib.Path(__file__).resolve().parent
WORK = JAVA.parent / "build/published"
GROUP, ARTIFACT, VERSION = "org.pytorch", "pytorch_android_torchvision_lite", "1.12.2"  # one code under two names


def fetch():
    """The folder of the published classes."""
    classes = WORK / "classes"
    if not classes.is_dir():
        WORK.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mvn", "-q", "-B", "-ntp", "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy",
                        f"-Dartifact={GROUP}:{ARTIFACT}:{VERSION}:aar", f"-DoutputDirectory={WORK}"],
                       cwd=WORK, check=True)
        with zipfile.ZipFile(WORK / f"{ARTIFACT}-{VERSION}.aar") as aar:
            (WORK / "classes.jar").write_bytes(aar.read("classes.jar"))
        with zipfile.ZipFile(WORK / "classes.jar") as jar:
            jar.extractall(WORK / "unpacked")
        (WORK / "unpacked").rename(classes)
    return classes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--native", default=str(JAVA.parent / "build/lib"), help="folder of libpytorch_jni.so")
    arguments = parser.parse_args()
    native = pathlib.Path(arguments.native).resolve()
    reports = JAVA / "published/target/surefire-reports"
    shutil.rmtree(reports, ignore_errors=True)
    done = subprocess.run(["mvn", "-q", "-B", "-ntp", "-P", "published", "-pl", "pytorch_android,published", "test",
                           "-Dtest=PublishedTest", "-Dsurefire.failIfNoSpecifiedTests=false",
                           f"-Dpublished.classes={fetch()}", f"-Dwick.native={native}"], cwd=JAVA)
    return surefire.conclude(reports, done)


if __name__ == "__main__":
    sys.exit(main())
