#!/usr/bin/env python3
"""reference_test.py: the generators of the API reference find what headers and sources declare.
Ends with "N passed, M failed"."""
import re
import sys
import unittest

from pages import ROOT

sys.path.insert(0, str(ROOT / "scripts/site"))
import headers  # noqa: E402
import python_api  # noqa: E402

HEADER = """// What it is for.
#pragma once
#include <string>
namespace wick {
class Other;
namespace detail {
void hidden();
}
// Adds.
//
//   add(1, 2);
int add(int a, int b = 1);
int add(double a);  // the same

// A thing.
class Thing {
 public:
  // Makes: it isn't free.
  explicit Thing(int x) : x_(x) { use({1, 2}); }
  bool operator()(std::string s = "{") const;

 private:
  void secret();
  int x_;
};
template <>
struct Of<int> {};
using Name = std::string;
}  // namespace wick
"""


class Headers(unittest.TestCase):
    def setUp(self):
        self.text, self.names = headers.page(HEADER, "wick/x.h")

    def test_names(self):
        self.assertEqual(self.names, {"add", "Thing", "operator()", "Name"})

    def test_contracts_stand_above_declarations(self):
        self.assertIn("## `add`\n\nAdds.\n\n\n```cpp\nadd(1, 2);\n```\n\n```cpp\nint add(int a, int b = 1);\nint add(double a);",
                      self.text)

    def test_bodies_and_private_members_are_left_out(self):
        self.assertIn("explicit Thing(int x);\nbool operator()", self.text)
        for word in ("secret", "hidden", "x_", "Other", "Of<int>"):
            self.assertNotIn(word, self.text)

    def test_every_function_of_the_c_api(self):
        recorded = set((ROOT / "tests/abi/wick_c_symbols.txt").read_text().split())
        _, names = headers.page((ROOT / "include/wick_c/wick.h").read_text(), "wick_c/wick.h")
        self.assertGreater(len(recorded), 50)
        self.assertEqual({name for name in recorded if name.startswith("wick_")} - names, set())

    def test_every_class_of_the_headers(self):
        for path in sorted((ROOT / "include/wick").glob("*.h")):
            text = path.read_text()
            _, names = headers.page(text, path.name)
            outside = re.sub(r"namespace (detail|internal) \{.*?\n\}  // namespace \1\n", "", text, flags=re.S)
            for name in re.findall(r"^(?:class|struct) (\w+)(?: final)?(?: : [^;{]*)? \{", outside, re.M):
                self.assertIn(name, names, path.name)


class Python(unittest.TestCase):
    def test_all_that_is_public(self):
        text, found, public = python_api.page(ROOT / "python/wick")
        self.assertEqual(found, public)
        self.assertIn("load(", text)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    wrong = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - wrong} passed, {wrong} failed")
    sys.exit(1 if wrong else 0)
