#!/usr/bin/env python3
"""The layer checker finds what is planted in a small tree, and nothing in a tree that keeps to its table."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).resolve().parents[2] / "scripts/check_layers.py"
TABLE = """# Layers

| layer | may include |
| --- | --- |
| `kernels` | |
| `core` | `kernels/cpu.h` |
| `ir` | `core` |
| `tools` | `ir` |
"""
TREE = {
    "docs/layers.md": TABLE,
    "cmake/layers.cmake": "wick_layer(kernels)\nwick_layer(core USES kernels)\nwick_layer(ir USES core)\n",
    "src/kernels/cpu.h": "#pragma once\n",
    "src/kernels/gemm.h": "#include <vector>\n#include \"hwy/highway.h\"\n#include \"kernels/cpu.h\"\n",
    "src/core/check.h": "#include \"kernels/cpu.h\"\n#include \"build_config.h\"\n",
    "src/ir/deep/graph.cpp": "#include \"core/check.h\"\n#include \"wick/module.h\"\n",
    "tools/main.cpp": "#include \"command.h\"\n#include \"dropin/flags.h\"\n",
}


class CheckLayers(unittest.TestCase):
    def check(self, changes):
        """Exit status and output for the tree with these files changed; None: without the file."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**TREE, **changes}.items():
                if text is None:
                    continue
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            run = subprocess.run([sys.executable, CHECKER, folder], capture_output=True, text=True)
            return run.returncode, run.stdout + run.stderr

    def assert_finds(self, changes, text):
        status, output = self.check(changes)
        self.assertEqual(status, 1, output)
        self.assertIn(text, output)

    def test_a_tree_that_keeps_to_its_table(self):
        status, output = self.check({})
        self.assertEqual((status, output.splitlines()[-1]), (0, "8 passed, 0 failed"))

    def test_an_include_upwards(self):
        self.assert_finds({"src/core/check.h": "\n#include \"ir/graph.h\"\n", "src/ir/graph.h": ""},
                          "src/core/check.h:2: core may not include \"ir/graph.h\"")

    def test_a_header_other_than_the_one_allowed(self):
        self.assert_finds({"src/core/check.h": "#include \"kernels/gemm.h\"\n"}, "core may not include \"kernels/gemm.h\"")

    def test_an_include_in_a_deeper_folder(self):
        self.assert_finds({"src/ir/deep/graph.cpp": "  #  include \"kernels/cpu.h\"\n"}, "ir may not include")

    def test_an_include_of_tools(self):
        self.assert_finds({"tools/main.cpp": "#include \"core/check.h\"\n"}, "tools may not include \"core/check.h\"")

    def test_a_way_around_by_dots(self):
        self.assert_finds({"src/core/check.h": "#include \"../ir/graph.h\"\n"}, "without '..'")

    def test_a_cycle_in_the_table(self):
        self.assert_finds({"docs/layers.md": TABLE.replace("| `core` | `kernels/cpu.h` |", "| `core` | `ir` |"),
                           "cmake/layers.cmake": None}, "a cycle of the table: core -> ir -> core")

    def test_a_cycle_of_layers(self):
        self.assert_finds({"src/kernels/gemm.h": "#include \"core/check.h\"\n"}, "a cycle of layers: core -> kernels -> core")

    def test_a_cycle_of_headers(self):
        self.assert_finds({"src/ir/a.h": "#include \"ir/b.h\"\n", "src/ir/b.h": "#include \"ir/a.h\"\n"},
                          "a cycle of headers: src/ir/a.h -> src/ir/b.h -> src/ir/a.h")

    def test_a_folder_without_a_line(self):
        self.assert_finds({"src/gpu/device.cpp": ""}, "src/gpu: not in the table")

    def test_a_library_linked_otherwise(self):
        self.assert_finds({"cmake/layers.cmake": TREE["cmake/layers.cmake"].replace("ir USES core", "ir USES core kernels")},
                          "cmake/layers.cmake: ir USES core kernels; the table has: core")

    def test_a_library_that_is_missing(self):
        self.assert_finds({"cmake/layers.cmake": "wick_layer(kernels)\n"}, "cmake/layers.cmake: core is missing")


if __name__ == "__main__":
    program = unittest.main(exit=False)
    failed = len(program.result.failures) + len(program.result.errors)
    print(f"{program.result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
