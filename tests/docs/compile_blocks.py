#!/usr/bin/env python3
"""Compiles the C++ of README.md, SECURITY.md and docs/: every block must be what a user can paste.

compile_blocks.py [--build FOLDER] [--compiler g++]

A block with main is compiled as it is, another one as the body of a function in which the names that the pages speak of
(module, model, image, x) are there. Only syntax and types are checked. Ends with "N passed, M failed".
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

from pages import ROOT, blocks, pages

# Pages for those who change Wick show its inside.
INSIDE = ("CONTRIBUTING.md", "docs/ir.md", "docs/executor.md", "docs/planner.md", "docs/kernels.md", "docs/frontends.md")
PRELUDE = """#include <wick/async.h>
#include <wick/image.h>
#include <wick/optimize.h>
#include <wick/quantize.h>
#include <wick/registry.h>
#include <wick/save.h>
#include <wick/wick.h>
#include <chrono>
#include <iostream>
using namespace std::chrono_literals;
struct Counter : wick::CustomObject {
  explicit Counter(int64_t start);
  std::string_view class_name() const override;
  wick::IValue get_state() const override;
};
"""


def program(block):
    if "int main(" in block:
        return block
    # What a page leaves to the reader.
    block = re.sub(r"= \.\.\.;", "{};", block).replace("{ ... }", "{}")
    given = {"const char* path": "path", "wick::Module module": "module", "wick::Module model": "model", "wick::Tensor image": "image",
             "wick::Tensor x": "x"}
    parameters = [text for text, name in given.items()
                  if not re.search(rf"^(const )?(wick::\w+|auto) {name}\b", block, re.M)]
    return PRELUDE + f"void page({', '.join(parameters)}) {{\n{block}}}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--compiler", default="g++")
    arguments = parser.parse_args()
    passed = failed = 0
    for block in (b for page in pages() if page not in INSIDE for b in blocks(page) if b.language == "cpp"):
        result = subprocess.run([arguments.compiler, "-std=c++20", "-fsyntax-only", "-w", f"-I{ROOT}/include",
                                 f"-I{arguments.build}/generated/include", "-x", "c++", "-"],
                                input=program(block.code), text=True, capture_output=True)
        if result.returncode:
            failed += 1
            errors = [e for e in result.stderr.splitlines() if "error" in e][:5]
            print(f"FAIL  {block.place}\n    " + "\n    ".join(errors))
        else:
            passed += 1
            print(f"ok    {block.place}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
