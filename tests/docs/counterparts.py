#!/usr/bin/env python3
"""counterparts.py: docs/mobile/counterparts.md against the sources. Ends with "N passed, M failed".

Programs have the flags that stand there and no others; scripts know their variables; every public class and member of
PyTorch's Java API (java/api) has its place; names of C++ are in the headers of compat/ and include/; commands and
functions of Python exist."""
import re
import sys

from pages import ROOT

PAGE = ROOT / "docs/mobile/counterparts.md"
# Made of lists when the library is built, so in no header: operators as functions.
MADE = {"rand", "ones"}
checked = {True: 0, False: 0}


def check(holds, what):
    checked[bool(holds)] += 1
    if not holds:
        print(f"FAIL  {what}")


def tables(section):
    """The rows of the tables below a heading, each a list of cells' spans of code."""
    text = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.M | re.S)[1]
    rows = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("| ---")]
    return [[re.findall(r"`([^`]+)`", cell) for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


def words_of(*folders, kinds=("h", "inc")):
    return {word for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix[1:] in kinds
            for word in re.findall(r"\w+", path.read_text())}


def check_tools():
    for program, flags, more in (row for row in tables("Tools") if row[0]):
        source = ROOT / f"tools/dropin/{program[0]}.cpp"
        known = set(re.findall(r'\{"(\w+)",\s*FlagKind', source.read_text())) if source.exists() else set()
        check(known == set(flags), f"{program[0]}: the page and the program differ by {sorted(known ^ set(flags))}")
    listed = {row[0][0] for row in tables("Tools") if row[0]}
    there = {path.stem for path in (ROOT / "tools/dropin").glob("*.cpp")} - {"flags", "tool"}
    check(listed == there, f"tools: the page and the folder differ by {sorted(listed ^ there)}")


def check_scripts():
    for script, variables in (row for row in tables("Scripts and their variables") if row[0]):
        path = ROOT / script[0]
        check(path.exists(), f"there is no {script[0]}")
        text = path.read_text() if path.exists() else ""
        for name in variables:
            check(name.startswith("scripts/") or name.lstrip("-") in text, f"{script[0]} knows no {name}")


def check_java():
    rows = {row[0][0]: set(row[1]) for row in tables("Java") if len(row[0]) == 1}
    name = None
    for line in (line for path in sorted((ROOT / "java/api").glob("*.txt")) for line in path.read_text().splitlines()):
        if not line.startswith(" "):
            found = re.match(r"public .*?(?:class|interface) org\.pytorch\.([\w.]+)(?![\w.$])", line)
            name = found[1] if found else None
            if name:
                check(name in rows, f"the class {name} is not in the page")
        elif name:
            member = re.search(r"([\w$]+)(?:\(|$)", line.split(" # ")[0].strip())[1]
            if member not in (name.split(".")[-1], "values", "valueOf"):
                check(member in rows.get(name, ()), f"{name}.{member} is not in the page")
    source = {word for path in (ROOT / "java").glob("*/src/main/**/*.java") for word in re.findall(r"\w+", path.read_text())}
    for name, members in rows.items():
        if "." not in name or name.startswith("torchvision."):
            for member in members if name[0].isupper() or name.startswith("torchvision.") else ():
                check(member in source, f"no source of Java has {name}.{member}")


def check_cpp():
    compat, own = words_of("compat/include") | MADE, words_of("include") | MADE
    for theirs, same, ours in (row for row in tables("C++ and Objective-C++") if row[0]):
        for name in theirs:
            if name.endswith(".h"):
                check(list((ROOT / "compat/include").rglob(name.split("/")[-1])), f"compat/ has no {name}")
            elif not name.startswith(("LibTorch", "compat")):
                check(re.findall(r"\w+", name)[-1] in compat, f"the headers of compat/ have no {name}")
        for name in ours:
            if not name.startswith(("std::", "wick/")):
                check(re.findall(r"\w+", name.replace("<T>()", ""))[-1] in own, f"the headers have no {name}")
            elif name.startswith("wick/"):
                check((ROOT / "include" / name).exists(), f"there is no {name}")


def check_python():
    public = re.search(r"__all__ = \[(.*?)\]", (ROOT / "python/wick/__init__.py").read_text(), re.S)[1]
    for row in tables("In Python, to make models"):
        for name in (name for cell in row[1:] for name in cell):
            if name.startswith("wick."):
                check(f'"{name[5:]}"' in public, f"Python has no {name}")
            elif name.startswith(("wick ", "python -m wick ")):
                command = name.split("wick ")[1].split()[0]
                check((ROOT / f"tools/{command}.cpp").exists(), f"there is no command {name}")


def main():
    check_tools()
    check_scripts()
    check_java()
    check_cpp()
    check_python()
    print(f"{checked[True]} passed, {checked[False]} failed")
    sys.exit(checked[False] > 0 or checked[True] < 100)


if __name__ == "__main__":
    main()
