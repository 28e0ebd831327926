#!/usr/bin/python3
"""The gate of bench/arm64/bench.py: counts may be off by 1 % in either direction, and have to be recorded."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench/arm64"))
import bench
import models


class Compared(unittest.TestCase):
    def wrong(self, **totals):
        return [text.split(":")[0] for text in bench.compared(totals, {"a": 10000, "b": 20000})]

    def test_within(self):
        self.assertEqual(self.wrong(a=10099, b=19801), [])

    def test_more_and_less(self):
        self.assertEqual(self.wrong(a=10101, b=20000), ["a"])
        self.assertEqual(self.wrong(a=10000, b=19799), ["b"])

    def test_not_recorded(self):
        self.assertEqual(self.wrong(a=10000, c=5), ["c"])


class Names(unittest.TestCase):
    def test_forms(self):
        self.assertEqual(models.form("resnet18_fp16"), models.Form("resnet18", "float", "fp16"))
        self.assertEqual(models.form("resnet18_half"), models.Form("resnet18_half", "half", "auto"))
        self.assertEqual(models.form("resnet18_int8"), models.Form("resnet18_int8", "float", "auto"))

    def test_known(self):
        self.assertLessEqual(set(models.TARGETS) | set(models.GATED), set(models.NAMES))
        self.assertEqual(len(models.named("gated")), 3)


if __name__ == "__main__":
    unittest.main(verbosity=0)
