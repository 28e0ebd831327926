#!/usr/bin/env python3
"""cpp_abi_test.py: the check of the C++ interface sees a function that is gone and a class that is laid out differently,
and lets what is new pass; last line "N passed, M failed"."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parent / "cpp_abi.py"
HEADER = """#pragma once
namespace wick {
class Thing {
 public:
  Thing();
  int size() const;
 private:
  int size_ = 0;
};
void start(const Thing& thing);
int stop(int count);
}
"""
SOURCE = """#include "thing.h"
namespace wick {
Thing::Thing() = default;
int Thing::size() const { return size_; }
void start(const Thing&) {}
int stop(int count) { return count; }
}
"""


class Interface(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.build(HEADER, SOURCE)
        self.run_check("--record")

    def tearDown(self):
        self.scratch.cleanup()

    def build(self, header, source):
        (self.folder / "thing.h").write_text(header)
        (self.folder / "thing.cpp").write_text(source)
        subprocess.run(["g++", "-std=c++20", "-shared", "-fPIC", "thing.cpp", "-o", "libthing.so"], cwd=self.folder, check=True)

    def run_check(self, what):
        result = subprocess.run(
            [sys.executable, CHECK, what, "--list", self.folder / "list.txt", "--include", self.folder, "--header", "thing.h",
             self.folder / "libthing.so"], capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr

    def test_what_is_as_recorded_passes(self):
        self.assertEqual(self.run_check("--check"), (0, "5 symbols, 1 classes\n"))

    def test_a_function_that_is_gone_fails(self):
        self.build(HEADER.replace("int stop(int count);\n", ""), SOURCE.replace("int stop(int count) { return count; }\n", ""))
        status, said = self.run_check("--check")
        self.assertEqual(status, 1)
        self.assertIn("gone: wick::stop(int)", said)

    def test_a_changed_parameter_fails(self):
        self.build(HEADER.replace("stop(int", "stop(long"), SOURCE.replace("stop(int", "stop(long"))
        self.assertIn("gone: wick::stop(int)", self.run_check("--check")[1])

    def test_a_new_member_fails(self):
        self.build(HEADER.replace("  int size_ = 0;", "  int size_ = 0;\n  int more_ = 0;"), SOURCE)
        status, said = self.run_check("--check")
        self.assertEqual(status, 1)
        self.assertIn("changed: class wick::Thing size 4 align 4 bits 0\n    now: class wick::Thing size 8 align 4 bits 0,32", said)

    def test_what_is_new_passes(self):
        self.build(HEADER.replace("int stop(", "int pause();\nint stop("), SOURCE.replace("int stop(", "int pause() { return 0; }\nint stop("))
        self.assertEqual(self.run_check("--check"), (0, "5 symbols, 1 classes; 1 new, which make abi records\n"))


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed > 0)
