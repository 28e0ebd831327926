#!/usr/bin/env python3
"""The complexity checker finds functions above its limit, wherever they stand, and counts nothing but decisions."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).resolve().parents[2] / "scripts/check_complexity.py"


def function(decisions, head="int f(int a)"):
    return f"{head} {{\n" + "  if (a) return 1;\n" * decisions + "  return 0;\n}\n"


class CheckComplexity(unittest.TestCase):
    def check(self, text, name="src/core/part.cpp"):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True)
            path.write_text(text)
            run = subprocess.run([sys.executable, CHECKER, folder], capture_output=True, text=True)
            return run.returncode, run.stdout + run.stderr

    def assert_passes(self, text, count):
        self.assertEqual(self.check(text), (0, f"{count} passed, 0 failed\n"))

    def assert_finds(self, text, found, name="src/core/part.cpp"):
        status, output = self.check(text, name)
        self.assertEqual(status, 1, output)
        self.assertIn(found, output)

    def test_the_limit_is_met(self):
        self.assert_passes(function(24), 1)

    def test_one_decision_too_many(self):
        self.assert_finds("namespace wick {\n\n" + function(25) + "}\n",
                          "src/core/part.cpp:3: f has a complexity of 26, the limit is 25")

    def test_every_kind_of_decision(self):
        body = "for (;;) while (a && b || c) { try { x = a ? b : c; } catch (const E&) {} }"
        self.assert_finds(f"void f() {{\n{body}\n{'if (a) b();' * 19}\n}}\n", "f has a complexity of 26")

    def test_members_of_classes_and_headers_of_tools(self):
        self.assert_finds("struct A : B {\n" + function(25, "  int C::g(int a) const override") + "};\n",
                          "tools/a.h:2: g has", "tools/a.h")

    def test_constructors_with_members_in_braces(self):
        self.assert_finds("A::A(int a) : x_{a}, y_(a) {\n" + "  if (a) b();\n" * 25 + "}\n", "A has a complexity of 26")

    def test_lambdas_count_where_they_stand(self):
        self.assert_finds("void f() {\n  auto g = [&] {\n" + "  if (a) b();\n" * 25 + "  };\n}\n", "f has a complexity of 26")

    def test_a_switch_is_one_decision(self):
        cases = "".join(f"    case {i}:\n      return {i};\n" for i in range(40))
        self.assert_passes(f"int f(int a) {{\n  switch (a) {{\n{cases}  }}\n}}\n", 1)

    def test_comments_strings_macros_and_references_are_no_decisions(self):
        lines = ['// if (a) && ? for', '/* while (a) { */', 'x = "if ? && {";', "c = '{';", "auto&& r = g(T&& b);",
                 'y = R"(if { ? )";', "n = 1'000'000;"]
        self.assert_passes("#define M(a) if (a) { \\\n  if (b)\nvoid f() {\n" + "\n".join(lines * 9) + "\n}\n" + function(3), 2)

    def test_functions_next_to_each_other_are_apart(self):
        self.assert_passes(function(20) + "int table[] = {1, 2};\n" + function(20, "int g(int a)"), 2)


if __name__ == "__main__":
    unittest.main()
