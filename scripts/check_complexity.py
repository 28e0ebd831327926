#!/usr/bin/env python3
"""check_complexity.py [ROOT]: holds every function of src/ and tools/ below a limit of cyclomatic complexity.

One more than its decisions: if, for, while, catch, && and ||, and ?, lambdas in it included; a switch is one decision,
however many cases it has. Reads text that clang-format has laid out, without a compiler. Ends with "N passed, M failed"."""
import pathlib
import re
import sys

LIMIT = 25
# Above it when the check came; to be split, none to be added.
KNOWN = {"src/core/schema.h": {"has_plain_types"}, "src/kernels/product-inl.h": {"run_block"}}
SUFFIXES = {".h", ".cpp"}
# What is no code: comments, strings, characters, preprocessor lines with those that continue them.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
                     r'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
# An rvalue reference has no blank in front.
DECISION = re.compile(r"\b(?:if|for|while|catch|switch)\b|(?<=\s)&&|\|\||\?")
SCOPE = re.compile(r"\b(?:namespace|class|struct|union|enum)\b")
NAME = re.compile(r"(~?\w+|operator\s*(?:\(\)|[^\s\w(]+))\s*$")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def opens_scope(header):
    """Whether a brace after this text is of a namespace or a type: no function whose result or argument is one."""
    return bool(SCOPE.search(header)) and "(" not in re.sub(r"\b(?:alignas|__attribute__|requires)\s*\(.*?\)+", "", header)


def closing(text, at):
    """Behind the brace that closes the one at `at`."""
    depth = 0
    for match in re.finditer(r"[{}]", text[at:]):
        depth += 1 if match.group(0) == "{" else -1
        if depth == 0:
            return at + match.end()
    return len(text)


def functions(text):
    """(line, name, complexity) of each function: what is between braces in a namespace or a type, from its header on."""
    text = NO_CODE.sub(blank, text)
    start, at = 0, 0  # start: of the declaration
    while match := re.compile(r"[;{}]").search(text, at):
        at = match.end()
        if match.group(0) != "{":
            start = at
            continue
        header = text[start:match.start()]
        if opens_scope(header):
            start = at
            continue
        at = closing(text, match.start())
        # Members set in braces: the body, or another member, comes next.
        if re.match(r"\s*[,{]", text[at:]):
            continue
        body = text[start:at]
        if name := NAME.search(header.split("(")[0]):
            first = start + len(body) - len(body.lstrip())
            yield text.count("\n", 0, first) + 1, name.group(1), 1 + len(DECISION.findall(body))
        start = at


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    passed, failed = 0, 0
    for path in sorted(p for part in ("src", "tools") for p in (root / part).rglob("*") if p.suffix in SUFFIXES):
        for line, name, complexity in functions(path.read_text()):
            if complexity <= LIMIT or name in KNOWN.get(str(path.relative_to(root)), ()):
                passed += 1
                continue
            failed += 1
            print(f"{path.relative_to(root)}:{line}: {name} has a complexity of {complexity}, the limit is {LIMIT}: "
                  "split what mixes subjects")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
