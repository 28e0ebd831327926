#!/usr/bin/env python3
"""run_upstream_tests.py [--native FOLDER] [--source TARBALL]: PyTorch's own Java tests on our classes, unchanged.

Fetches Debian's source package of PyTorch (nothing of it is kept in the tree), makes the models with PyTorch's
generators, and runs the instrumented tests on this machine's JVM with Robolectric. Works in build/upstream. Needs
python3-torch, python3-torchvision, a JDK 17 and Maven. Ends with "N passed, M failed"."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

JAVA = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(JAVA.parent / "scripts"))
import pytorch_source
import surefire
WORK = JAVA.parent / "build/upstream"
TESTS = ("android/pytorch_android/src/androidTest/java/", "android/pytorch_android_torchvision/src/androidTest/java/")
MODELS = "test/mobile/model_test/"


def unpack(tarball):
    """Tests into java/, generators into models/."""
    for folder in ("java", "models", "resources", "assets"):
        (WORK / folder).mkdir(parents=True, exist_ok=True)
    with tarfile.open(tarball) as archive:
        for member in archive:
            name = member.name.split("/", 1)[-1]
            for prefix, folder in [*((t, "java") for t in TESTS), (MODELS, "models")]:
                if member.isfile() and name.startswith(prefix):
                    target = WORK / folder / name[len(prefix):]
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(archive.extractfile(member).read())
    own = WORK / "java/wick/upstream"
    own.mkdir(parents=True, exist_ok=True)
    shutil.copy(JAVA / "upstream/AssetsApplication.java", own)
    (WORK / "resources/robolectric.properties").write_text("sdk=35\napplication=wick.upstream.AssetsApplication\n")


def make_assets():
    if (WORK / "assets/dynamic_quant_ops.ptl").exists():
        return
    environment = {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_BF16", **os.environ}
    subprocess.run([os.environ.get("PYTHON", "/usr/bin/python3"), "-W", "ignore", JAVA / "upstream/make_assets.py",
                    WORK / "models", WORK / "assets"], check=True, env=environment)


def run(native):
    done = subprocess.run(["mvn", "-B", "-ntp", "-P", "upstream", "-pl", "pytorch_android,torchvision,upstream", "test",
                           "-Dtest=*InstrumentedTests", "-Dsurefire.failIfNoSpecifiedTests=false",
                           f"-Dupstream.folder={WORK}", f"-Dwick.native={native}"], cwd=JAVA)
    return surefire.conclude(JAVA / "upstream/target/surefire-reports", done)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--native", default=str(JAVA.parent / "build/lib"), help="folder of libpytorch_jni.so")
    parser.add_argument("--source", help="tarball of PyTorch's sources, instead of Debian's")
    arguments = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    unpack(arguments.source or pytorch_source.fetch(WORK))
    make_assets()
    shutil.rmtree(JAVA / "upstream/target/surefire-reports", ignore_errors=True)
    return run(pathlib.Path(arguments.native).resolve())


if __name__ == "__main__":
    sys.exit(main())
