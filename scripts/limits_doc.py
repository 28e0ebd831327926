#!/usr/bin/python3
"""The tables of docs/limits.md, made of the headers that set the limits.

  limits_doc.py           writes them
  limits_doc.py --check   says whether the page is up to date

src/core/limits.h has the constants, include/wick/options.h what a caller may set. The comment right above a constant
or field, or behind it, is its row's text.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/limits.md"
CONSTANT = re.compile(r"inline constexpr \w+ (k\w+) = ([^;]+);(?:\s*// (.*))?$")
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
    for found, above in commented((ROOT / "src/core/limits.h").read_text().splitlines(), CONSTANT):
        name, value, behind = found.groups()
        text = (behind or above).rstrip(".")
        if not text:
            raise SystemExit(f"src/core/limits.h: {name} has no comment")
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
        up_to_date = new == old
        print(f"{int(up_to_date)} passed, {int(not up_to_date)} failed" +
              ("" if up_to_date else ": run scripts/limits_doc.py and commit docs/limits.md"))
        return 0 if up_to_date else 1
    PAGE.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
