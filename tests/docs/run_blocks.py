#!/usr/bin/env python3
"""run_blocks.py [--build FOLDER] [PAGE...]: does what the pages of docs/start and docs/mobile say, as a reader would.

Each page has a new folder. Blocks with a title are files, shell blocks are run one after another, Python blocks are run
together, Java is compiled, with the names that the pages speak of around it, Kotlin too where a compiler of it can be had.
C++ is compile_blocks.py's. A comment `<!-- not run: why -->` before a block leaves it out; why is printed.

What the reader has and this machine need not: pictures (made here) and trained weights (models get random ones).
Ends with "N passed, M failed"."""
import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

from pages import ROOT, blocks

PAGES = [str(p.relative_to(ROOT)) for folder in ("start", "mobile")
         for p in sorted((ROOT / "docs" / folder).glob("*.md"))]
PAGES += ["docs/java.md", "python/README.md"]
PICTURES = ("dog.jpg", "deeplab.jpg", "cat.jpg")  # PNGs by content, which is what readers of pictures look at
JAVA = """import android.content.Context;
import android.graphics.Bitmap;
import android.media.Image;
import java.nio.FloatBuffer;
import org.pytorch.*;
import org.pytorch.Module;
import org.pytorch.torchvision.TensorImageUtils;

class Block {
  static class MainActivity { static String assetFilePath(Context context, String name) { return name; } }
  Context getApplicationContext() { return null; }
  Module mModule;

  void run(%s) throws Exception {
%s
  }
}
"""
GIVEN = (("Module", "module"), ("Image", "image"), ("int", "rotationDegrees"), ("byte[]", "bytes"), ("String", "path"),
         ("Tensor", "output"), ("Tensor", "tensor"))

# Inputs that a page calls its own.
PYTHON = "import numpy\nx1, x2 = numpy.random.default_rng(0).random((2, 1, 3, 224, 224), 'float32')\n"


def picture(path, size=96):
    """A PNG of a disc on a gradient."""
    rows = b""
    for y in range(size):
        rows += b"\0"
        for x in range(size):
            inside = (x - size / 2) ** 2 + (y - size / 2) ** 2 < (size / 3) ** 2
            rows += bytes((220, 80, 40) if inside else (x * 255 // size, y * 255 // size, 128))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)) +
                     chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def without_downloads(code):
    """Random weights in place of those that torchvision fetches."""
    code = re.sub(r'(segmentation\.\w+\()weights="DEFAULT"', r"\1weights=None, weights_backbone=None", code)
    return code.replace('weights="DEFAULT"', "weights=None")


def java_program(code, name):
    if re.search(r"\bclass \w+", code):
        return code
    given = [f"{kind} {word}" for kind, word in GIVEN
             if re.search(rf"\b{word}\b", code) and not re.search(rf"\b\w+(\[\])? {word} =", code)]
    return JAVA.replace("class Block", f"class {name}") % (", ".join(given), code)


class Reader:
    """Someone who does what the pages say."""

    def __init__(self, build, scratch):
        self.build, self.scratch = build, scratch
        self.passed = self.failed = self.left_out = 0
        programs = scratch / "bin"
        programs.mkdir(parents=True, exist_ok=True)
        if not (programs / "python3").exists():
            (programs / "python3").symlink_to(sys.executable)
        self.environment = {**os.environ, "WICK": str(ROOT), "PATH": f"{build / 'bin'}:{programs}:{os.environ['PATH']}",
                            "ONEDNN_MAX_CPU_ISA": os.environ.get("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16"),
                            "PYTHONWARNINGS": "ignore", "PYTHONPATH": str(build / "python")}
        self.classes = self.kotlin = None

    def run(self, block, command, folder, text=None):
        done = subprocess.run(command, cwd=folder, env=self.environment, input=text, capture_output=True, text=True)
        ok = done.returncode == 0
        self.passed += ok
        self.failed += not ok
        print(f"{'ok  ' if ok else 'FAIL'}  {block.place} {block.title or block.language}")
        if not ok:
            print("    " + "\n    ".join((done.stdout + done.stderr).splitlines()[-12:]))
        return ok

    def leave_out(self, block, why):
        self.left_out += 1
        print(f"--    {block.place} {block.language}: {why}")

    def class_path(self):
        if self.classes is None:
            done = subprocess.run([ROOT / "scripts/site/java_classes.sh"], capture_output=True, text=True)
            own = [str(ROOT / "java" / module / "target/classes") for module in ("pytorch_android", "torchvision")]
            self.classes = ":".join([*own, done.stdout.strip()]) if done.returncode == 0 else ""
        return self.classes

    def kotlin_class_path(self):
        """The compiler, of Maven; empty where it cannot be had."""
        if self.kotlin is None:
            done = subprocess.run([ROOT / "tests/docs/kotlin/classes.sh", self.scratch / "kotlin.txt"], capture_output=True,
                                  text=True)
            self.kotlin = done.stdout.strip() if done.returncode == 0 else ""
        return self.kotlin

    def java(self, block, folder):
        name = block.title.removesuffix(".java") if block.title else f"Block{block.line}"
        code = block.code
        if not block.title and "import " not in code and re.search(r"\bclass \w+", code):
            return self.leave_out(block, "a part of a class")
        path = folder / f"{name}.java"
        path.write_text(java_program(code, name))
        return self.run(block, ["javac", "-Xlint:none", "-nowarn", "-cp", self.class_path(), "-d", folder / "classes",
                                "-sourcepath", folder / "none", path], folder)

    def page(self, page):
        folder = self.scratch / page.replace("/", "_").removesuffix(".md")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in PICTURES:
            picture(folder / name)
        if not page.startswith("docs/mobile") and page != "docs/start/command.md":  # these make what they take
            self.models(folder)
        found = blocks(page)
        python = "\n".join(without_downloads(b.code) for b in found if b.language == "python" and not b.title)
        for block in found:
            if block.not_run:
                self.leave_out(block, block.not_run)
            elif block.language in ("sh", "bash") and page.startswith(("docs/start", "docs/mobile")):
                self.run(block, ["bash", "-euo", "pipefail", "-c", block.code], folder)
            elif block.language == "java":
                self.java(block, folder)
            elif block.language == "kotlin":
                (folder / block.title).write_text(block.code)
                if compiler := self.kotlin_class_path():
                    self.run(block, ["java", "-cp", compiler, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-reflect",
                                     "-nowarn", "-cp", f"{self.class_path()}:{compiler}", "-d", folder / "kotlin", folder / block.title], folder)
                else:
                    self.leave_out(block, "no Kotlin compiler")
            elif block.title:
                (folder / block.title).write_text(without_downloads(block.code))
        if python:
            first = next(b for b in found if b.language == "python" and not b.title)
            if (self.build / "python/wick").exists():
                self.run(first, [sys.executable, "-"], folder, PYTHON + python)
            else:
                self.failed += 1
                print(f"FAIL  {first.place} python\n    there is no Python package: scripts/python.sh build")

    def models(self, folder):
        """The files that pages begin with, made once."""
        made = self.scratch / "models"
        # Random weights, but norms that have seen inputs, as trained ones have: else all answers are the same.
        code = ("import torch, torchvision\ntorch.manual_seed(0)\n"
                "model = torchvision.models.mobilenet_v2(weights=None)\n"
                "for m in model.modules():\n"
                "    if isinstance(m, torch.nn.BatchNorm2d): m.momentum = 1.0\n"
                "with torch.no_grad(): model(torch.rand(8, 3, 224, 224))\n"
                "script = torch.jit.script(model.eval())\n"
                "script.save('model.pt')\nscript._save_for_lite_interpreter('model.ptl')\n")
        maker = made / "make.py"
        if not (made / "model.ptl").exists() or not maker.exists() or maker.read_text() != code:
            made.mkdir(parents=True, exist_ok=True)
            subprocess.run([sys.executable, "-c", code], cwd=made, env=self.environment, check=True)
            maker.write_text(code)
        for name in ("model.pt", "model.ptl"):
            shutil.copyfile(made / name, folder / name)
        shutil.copyfile(made / "model.ptl", folder / "mobilenet_v2.ptl")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("pages", nargs="*")
    arguments = parser.parse_args()
    reader = Reader(arguments.build.resolve(), arguments.build.resolve() / "docs-run")
    for page in arguments.pages or PAGES:
        reader.page(page)
    print(f"{reader.left_out} blocks left out")
    print(f"{reader.passed} passed, {reader.failed} failed")
    sys.exit(reader.failed > 0 or reader.passed == 0)


if __name__ == "__main__":
    main()
