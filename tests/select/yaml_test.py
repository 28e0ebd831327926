#!/usr/bin/env python3
"""What scripts/select_build.py makes of the YAML in tests/data/select/yaml_cases.txt, which tests/unit/select/yaml_test.cpp
reads with src/select/yaml.cpp: both are to give the same."""
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from select_build import ListError, mistyped, parse_yaml  # noqa: E402

# Of a list, what is named beside a suggestion.
NAMES = (
    ({"aten::reluu"}, [("aten::reluu", "aten::relu")]),
    ({"aten::conv2d", "aten::add.Tensor", "aten::add.*", "my_ops::relu", "aten::frobnicate", "prim::TupleIndex"}, []),
    ({"aten::upsample_bilinaer2d.vec", "aten::relu"}, [("aten::upsample_bilinaer2d.vec", "aten::upsample_bilinear2d.vec")]),
)


def cases(text):
    """(name, text, what is expected of it) of each."""
    name, lines = None, []
    for line in text.splitlines():
        if not line.startswith("### "):
            lines.append(line)
        elif line.startswith(("### gives ", "### refuses ")):
            yield name, "\n".join(lines) + "\n", line.removeprefix("### ")
        else:
            name, lines = line.removeprefix("### "), []


def outcome(text):
    try:
        return "gives " + json.dumps(parse_yaml(text), ensure_ascii=False, separators=(",", ":"))
    except ListError as error:
        return "refuses " + str(error).split(":")[0]


def main():
    failures = count = 0
    for name, text, expected in cases((ROOT / "tests/data/select/yaml_cases.txt").read_text()):
        count += 1
        for form in (text, text.replace("\n", "\r\n"), text.rstrip("\n")):
            found = outcome(form)
            if found != expected:
                print(f"FAIL {name}: {found}, not {expected}")
                failures += 1
                break
    for ops, expected in NAMES:
        count += 1
        found = list(mistyped(ops))
        if found != expected:
            print(f"FAIL {ops}: {found}, not {expected}")
            failures += 1
    print(f"{count - failures} passed, {failures} failed")
    return failures != 0 or count == 0


if __name__ == "__main__":
    sys.exit(main())
