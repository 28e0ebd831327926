#!/usr/bin/python3
"""The tables of docs/limits.md, made of the headers that set the limits.

  limits_doc.py           writes them
  limits_doc.py --check   says whether the page is up to date, and whether limits stand elsewhere

src/core/limits.h and src/image/image.cpp have the constants, include/wick/options.h what a caller may set. The comment right above a constant
or field, or behind it, is its row's text.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/limits.md"
CONSTANTS = ("src/core/limits.h", "src/image/image.cpp")
CONSTANT = re.compile(r"(?:inline )?constexpr \w+ (k\w+) = ([^;]+);(?:\s*// (.*))?$")
FIELD = re.compile(r"  (?:std::)?[\w:<>]+ (\w+)(?:\{([^}]*)\}| = ([^;]+));$")


def number(text):
    """What a C++ constant expression is, with commas."""
    plain = re.sub(r"\b(?:size_t|u?int\d+_t)\{(\w+)\}", r"\1", text).replace("'", "")
    value = eval(plain, {"__builtins__": {}})  # of a header of this project: numbers and shifts
    return f"{value:,}"


def commented(lines, pattern):
    """The matches of the lines, each with the comment above it."""
    above = []
    for line in lines:
        found = pattern.match(line)
        if found:
            yield found, " ".join(above)
        comment = re.match(r"\s*// (.*)$", line)
        above = above + [comment[1]] if comment else []


def constants():
    rows = ["| limit | value | constant |", "| --- | --- | --- |"]
    for header, (found, above) in ((h, row) for h in CONSTANTS
                                   for row in commented((ROOT / h).read_text().splitlines(), CONSTANT)):
        name, value, behind = found.groups()
        text = (behind or above).rstrip(".")
        if not text:
            raise SystemExit(f"{header}: {name} has no comment")
        rows.append(f"| {text[0].lower() + text[1:]} | {number(value)} | `{name}` |")
    return rows


def options(struct):
    rows = [f"| `{struct}` | default | |", "| --- | --- | --- |"]
    text = (ROOT / "include/wick/options.h").read_text()
    body = re.search(rf"struct {struct} \{{\n(.*?)\n\}};", text, re.S)[1]
    for found, above in commented(body.splitlines(), FIELD):
        name, braces, value = found.groups()
        default = {"std::nullopt": "none", "false": "off"}.get(value) or (braces or value).replace("'", "")
        default = number(default) if re.search(r"\d", default) else default
        rows.append(f"| `{name}` | {default} | {above} |")
    return rows


def strays():
    """Constants elsewhere in src/ that a kLimitExceeded is about: limits that the page does not list."""
    for path in sorted((ROOT / "src").rglob("*.cpp")) + sorted((ROOT / "src").rglob("*.h")):
        name = path.relative_to(ROOT).as_posix()
        if name in CONSTANTS:
            continue
        text = path.read_text()
        own = set(re.findall(r"constexpr [\w:]+ (k[A-Z]\w*) = (?!limits::)", text))
        for check in re.findall(r"WICK_CHECK\((?:[^;\"]|\"[^\"]*\")*kLimitExceeded", text):
            yield from (f"{name}: the limit {limit} is not in {CONSTANTS[0]}" for limit in own & set(re.findall(r"\w+", check)))


def page(old):
    for name, rows in (("constants", constants()), ("RunOptions", options("RunOptions")),
                       ("LoadOptions", options("LoadOptions"))):
        begin, end = f"<!-- {name}: made by scripts/limits_doc.py -->\n", f"<!-- end of {name} -->\n"
        before, rest = old.split(begin)
        after = rest.split(end)[1]
        old = before + begin + "\n" + "\n".join(rows) + "\n\n" + end + after
    return old


def main():
    old = PAGE.read_text()
    new = page(old)
    if sys.argv[1:] == ["--check"]:
        complaints = list(strays())
        if new != old:
            complaints.append("run scripts/limits_doc.py and commit docs/limits.md")
        for complaint in complaints:
            print("FAIL ", complaint)
        print(f"{int(not complaints)} passed, {len(complaints)} failed")
        return 1 if complaints else 0
    PAGE.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
