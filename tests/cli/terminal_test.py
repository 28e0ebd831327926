#!/usr/bin/env python3
"""terminal_test.py WICK: what the command does on a terminal and not elsewhere: progress and colors.

Each command runs on a pseudo-terminal of its own. Ends with "N passed, M failed"."""
import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WICK = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/bin/wick")
SEGMENT = str(ROOT / "examples/segment/segment.ptl")
LONG = ["bench", SEGMENT, "--input-dims", "1,3,512,512", "--no-plan", "--threads", "1"]


def on_terminal(words, columns=80, **environment):
    """What the program writes to a terminal, and its exit code."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    running = subprocess.Popen([WICK, *words], stdin=subprocess.DEVNULL, stdout=child, stderr=child,
                               env={**os.environ, "TERM": "xterm", **environment})
    os.close(child)
    out = b""
    while True:
        ready, _, _ = select.select([parent], [], [], 120)
        try:
            data = os.read(parent, 65536) if ready else b""
        except OSError:  # the other side is closed
            data = b""
        if not data:
            break
        out += data
    os.close(parent)
    return out.decode(), running.wait()


def drawn(text):
    """The lines of progress, each as it was drawn."""
    return [part.split("\x1b[K")[0] for part in text.split("\r") if "\x1b[K" in part and part.split("\x1b[K")[0]]


class Terminal(unittest.TestCase):
    def test_long_work_says_rate_and_time_left(self):
        said, code = on_terminal([*LONG, "--iter", "400", "--timeout", "3s"])
        lines = drawn(said)
        self.assertEqual(code, 1)  # the time limit
        self.assertTrue(any(re.search(r"^running +\[#*\.*\] \d+/403  [\d.]+(/s| s each), .+ left$", one) for one in lines), lines)
        # Taken away before the error.
        self.assertRegex(said, r"\r\x1b\[K[^\r]*took longer than its time limit")

    def test_short_work_says_nothing(self):
        for words in (["info", SEGMENT], ["check", SEGMENT], ["run", SEGMENT, "--bundled", "0"]):
            said, code = on_terminal(words)
            self.assertEqual((code, drawn(said)), (0, []), words)

    def test_lines_fit_the_terminal(self):
        for columns in (24, 60, 200):
            said, _ = on_terminal([*LONG, "--iter", "400", "--timeout", "2s"], columns)
            lines = drawn(said)
            self.assertTrue(lines and all(len(one) < columns for one in lines), (columns, lines))

    def test_every_command_that_may_take_long(self):
        with tempfile.TemporaryDirectory() as folder:
            picture, many = str(ROOT / "examples/segment/sample.png"), f"{folder}/many.ptl"
            subprocess.run([WICK, "convert", SEGMENT, f"{folder}/plain.ptl", "--strip-bundled", "--quiet"], check=True)
            subprocess.run([WICK, "bundle", f"{folder}/plain.ptl", many, *["--randn", "1,3,512,512"] * 40, "--quiet"], check=True)
            plain = [SEGMENT, "--input-dims", "1,3,768,768", "--threads", "1"]
            for words, what in (
                (["profile", *plain, "--iter", "100"], "running"),
                (["compare", SEGMENT, *plain, "--iter", "100"], "comparing"),
                (["trace", many, "--output", f"{folder}/ops.yaml"], "tracing"),
                (["run", SEGMENT, *["--image", picture] * 90, "--size", "1024", "--threads", "1", "--no-plan"], "running"),
            ):
                said, _ = on_terminal([*words, "--timeout", "3s"])
                self.assertTrue(any(one.startswith(what) and re.search(r"\d+/\d+", one) for one in drawn(said)),
                                (words[0], said[-2000:]))

    def test_nothing_is_drawn_elsewhere(self):
        words = [*LONG, "--iter", "400", "--timeout", "2s"]
        done = subprocess.run([WICK, *words], capture_output=True, text=True, env={**os.environ, "TERM": "xterm"})
        self.assertNotIn("\x1b", done.stdout + done.stderr)
        self.assertNotIn("\r", done.stdout + done.stderr)
        for more, environment in ((["--quiet"], {}), ([], {"TERM": "dumb"})):
            said, _ = on_terminal([*words, *more], **environment)
            self.assertEqual(drawn(said), [], more)

    def test_colors_are_for_terminals(self):
        words = ["run", "no-such-model.ptl"]
        self.assertIn("\x1b[31mwick:\x1b[0m", on_terminal(words)[0])
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", on_terminal(words, **environment)[0])
        done = subprocess.run([WICK, *words], capture_output=True, text=True)
        self.assertNotIn("\x1b", done.stdout + done.stderr)


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed > 0 or result.testsRun == 0)
