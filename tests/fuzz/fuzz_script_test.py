#!/usr/bin/env python3
"""What scripts/fuzz.py writes down of its searches: every stretch, also one that was interrupted, and the table."""

import importlib.util
import os
import pathlib
import signal
import stat
import sys
import tempfile
import threading
import time
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "fuzz.py"

# Stands for a libFuzzer target: works until its time is over or it is interrupted.
TARGET = """#!/usr/bin/env python3
import signal, sys, time
end = time.monotonic() + next(int(a.split("=")[1]) for a in sys.argv if a.startswith("-max_total_time="))
def stop(*_):
    global end
    end = 0
signal.signal(signal.SIGINT, stop)
print("#8\\tINITED cov: 120 ft: 340 corp: 1/1b", flush=True)
count = 8
open("started", "w").close()
while time.monotonic() < end:
    count += 1
print(f"#{count}\\tDONE   cov: 123 ft: 345 corp: 1/1b")
print(f"stat::number_of_executed_units: {count}", flush=True)
"""


class Stretches(unittest.TestCase):
    def setUp(self):
        spec = importlib.util.spec_from_file_location("fuzz", SCRIPT)
        self.fuzz = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.fuzz)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        (root / "bin").mkdir()
        for name in ("archive", "yaml"):
            target = root / "bin" / f"fuzz_{name}"
            target.write_text(TARGET)
            target.chmod(target.stat().st_mode | stat.S_IXUSR)
        self.fuzz.BUILD = root
        self.fuzz.FINDINGS = root / "findings"
        self.fuzz.RESULTS = root / "results.md"
        self.fuzz.STRETCHES = root / "stretches.csv"
        self.fuzz.build = lambda preset, what, jobs: None
        self.fuzz.say = lambda text: None

    def row_of(self, target):
        return next(line for line in self.fuzz.RESULTS.read_text().splitlines() if line.startswith(f"| {target} "))

    def test_adds_up(self):
        for _ in range(2):
            self.assertEqual(self.fuzz.search_all(["archive", "yaml"], 2, 1, 0), 0)
        rows = self.fuzz.read_stretches()
        self.assertEqual([row["target"] for row in rows].count("archive"), 2)
        self.assertEqual({row["ended"] for row in rows}, {"whole"})
        executions = sum(int(row["executions"]) for row in rows if row["target"] == "yaml")
        self.assertIn(f"| {executions:,} | 123 | 345 | 0 |", self.row_of("yaml"))
        self.assertIn("| 0.00 | 0 | 0 | 0 | 0 |", self.row_of("script"))
        self.assertEqual(self.fuzz.make_table(check=True), 0)
        self.fuzz.RESULTS.write_text("old")
        self.assertEqual(self.fuzz.make_table(check=True), 1)

    def test_an_interrupted_stretch_is_written_down(self):
        before = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
        started = self.fuzz.BUILD / "started"

        def interrupt():
            while not started.exists():
                time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGTERM)

        threading.Thread(target=interrupt).start()
        start = time.monotonic()
        self.fuzz.search_all(["archive", "yaml"], 1, 600, 0)
        self.assertLess(time.monotonic() - start, 60)
        for number, handler in zip((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), before):
            signal.signal(number, handler)
        rows = self.fuzz.read_stretches()
        self.assertEqual([(row["target"], row["ended"]) for row in rows], [("archive", "interrupted")])
        self.assertGreater(int(rows[0]["executions"]), 8)

    def test_lists_of_two_machines_join_line_by_line(self):
        line = "2026-01-01T00:00Z,abc,yaml,3600,10,{},7,1,whole\n"
        head = ",".join(self.fuzz.FIELDS) + "\n"
        self.fuzz.STRETCHES.write_text(head + line.format(5) + head + line.format(6))
        self.fuzz.make_table(check=False)
        self.assertEqual(self.row_of("yaml"), "| yaml | 2.00 | 20 | 6 | 7 | 2 |")


if __name__ == "__main__":
    result = unittest.main(exit=False, argv=sys.argv[:1]).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
