#!/usr/bin/env python3
"""java_images.py: bitmaps to tensors in Java, beside PyTorch's published classes in the same virtual machine.

Fetches those from Maven (java/run_published.py). Needs libpytorch_vision_jni.so in build/lib ('make java')."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "java"))
import run_published


def main():
    run_published.fetch()
    done = subprocess.run(
        ["mvn", "-B", "-ntp", "-pl", "pytorch_android,torchvision", "test", "-Dtest=PublishedBenchmark",
         "-Dsurefire.failIfNoSpecifiedTests=false", f"-Dwick.native={ROOT / 'build/lib'}",
         "-Dwick.check=-Xshare:auto",  # no -Xcheck:jni, which copies arrays
         f"-Dwick.jvm=-Dwick.published={run_published.WORK / 'classes.jar'} --add-opens=java.base/java.io=ALL-UNNAMED"],
        cwd=ROOT / "java", capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if " times as fast" in line]
    print("\n".join(lines) if done.returncode == 0 else done.stdout)
    return done.returncode if lines else 1


if __name__ == "__main__":
    sys.exit(main())
