#!/usr/bin/env python3
"""The options of docs/tools.md, made of the table that `wick --commands` prints.

  tools_doc.py [--wick build/bin/wick]           writes them
  tools_doc.py [--wick build/bin/wick] --check   says whether the page is up to date; ends with "N passed, M failed"

One part of the page, between two markers, is made here: a table for each command, and one for what all of them take. A
command that the hand-written table above it leaves out is a complaint, too.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/tools.md"
BEGIN, END = "<!-- options: made by scripts/tools_doc.py -->\n", "<!-- end of options -->\n"


def cell(text):
    """Text as a cell of a table shows it: one line, and no character that Markdown would take."""
    return re.sub(r"([|<*])", r"\\\1", " ".join(text.split()))


def row(option):
    name = option["name"] + (" " + option["value"] if "value" in option else "")
    return f"| `{name.replace('|', chr(92) + '|')}` | {cell(option['help'])} |"


def table(options):
    return ["| option | |", "| --- | --- |", *map(row, options)]


def options_of(commands):
    """The lines of the part that is made: what every command takes with the same words, then each one's own."""
    common = [option for option in commands[0]["options"] if all(option in command["options"] for command in commands)]
    lines = ["### every command", "", *table(common)]
    for command in commands:
        own = [option for option in command["options"] if option not in common]
        lines += ["", f"### wick {command['name']}", "", f"`wick {command['name']} {command['operands']} [options]`"]
        lines += ["", *table(own)] if own else []
    return lines


def page(old, commands):
    before, rest = old.split(BEGIN)
    after = rest.split(END)[1]
    return before + BEGIN + "\n" + "\n".join(options_of(commands)) + "\n\n" + END + after


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wick", default=ROOT / "build/bin/wick")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    said = subprocess.run([arguments.wick, "--commands"], check=True, capture_output=True, text=True).stdout
    commands = json.loads(said)["commands"]
    old = PAGE.read_text()
    new = page(old, commands)
    if not arguments.check:
        PAGE.write_text(new)
        return 0
    complaints = [f"docs/tools.md does not say what 'wick {command['name']}' does" for command in commands
                  if f"\n| `wick {command['name']} {command['operands']}` | " not in old]
    if new != old:
        complaints.append("run scripts/tools_doc.py and commit docs/tools.md")
    for complaint in complaints:
        print("FAIL ", complaint)
    print(f"{len(commands) + 1 - len(complaints)} passed, {len(complaints)} failed")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
