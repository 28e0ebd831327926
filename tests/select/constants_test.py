#!/usr/bin/env python3
"""A selective build's configuration has the constants of src/config/build.h, and what lists and options make of some."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTS = ROOT / "tests/select/lists"


def configuration(name, *options, text=None):
    """Constants of the build of a list, by name; `text`: of this list instead."""
    with tempfile.TemporaryDirectory() as folder:
        path = LISTS / f"{name}.yaml"
        if text is not None:
            path = pathlib.Path(folder, "list.yaml")
            path.write_text(text)
        subprocess.run([sys.executable, ROOT / "scripts/select_build.py", "--output", folder, *options, path], check=True,
                       stdout=subprocess.DEVNULL)
        header = pathlib.Path(folder, "build_config.h").read_text()
    return dict(re.findall(r"inline constexpr [\w:]+ (k\w+)(?:\[\])? = (.*?);\n", header, re.S))


class Constants(unittest.TestCase):
    def test_every_constant_is_in_both(self):
        whole = (ROOT / "src/config/build.h").read_text().split("#else")[1].split("#endif")[0]
        constants = set(re.findall(r"inline constexpr [\w:]+ (k\w+)", whole))
        constants.add("kGpu")  # plan/targets.h
        self.assertEqual(constants, set(configuration("mobilenet_v2")))

    def test_gpu_is_an_option_of_the_build(self):
        self.assertEqual(configuration("mobilenet_v2")["kGpu"], "false")
        self.assertEqual(configuration("mobilenet_v2", "--gpu")["kGpu"], "true")


if __name__ == "__main__":
    unittest.main()
