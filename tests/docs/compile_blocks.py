#!/usr/bin/env python3
"""Compiles the C++ of README.md and docs/: every block must be what a user can paste.

compile_blocks.py [--build FOLDER] [--compiler g++]

A block with main is compiled as it is, another one as the body of a function in which the names that the pages speak of
(module, model, image, x) are there. Only syntax and types are checked. Ends with "N passed, M failed".
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/api_cpp.md", "docs/quantize.md", "docs/libtorch.md")
BLOCK = re.compile(r"^```cpp\n(.*?)^```", re.M | re.S)
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
    given = {"wick::Module module": "module", "wick::Module model": "model", "wick::Tensor image": "image",
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
    for page in PAGES:
        text = (ROOT / page).read_text()
        for match in BLOCK.finditer(text):
            line = text[:match.start()].count("\n") + 1
            result = subprocess.run([arguments.compiler, "-std=c++20", "-fsyntax-only", "-w", f"-I{ROOT}/include",
                                     f"-I{arguments.build}/generated/include", "-x", "c++", "-"],
                                    input=program(match[1]), text=True, capture_output=True)
            if result.returncode:
                failed += 1
                errors = [e for e in result.stderr.splitlines() if "error" in e][:5]
                print(f"FAIL  {page}:{line}\n    " + "\n    ".join(errors))
            else:
                passed += 1
                print(f"ok    {page}:{line}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
