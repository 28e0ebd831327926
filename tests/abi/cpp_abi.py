#!/usr/bin/env python3
"""cpp_abi.py [--check | --record] LIBRARY...: the binary interface of the public C++ headers.

What a program that was compiled earlier relies on is recorded in wick_cpp_abi.txt: the functions of the public headers
that the libraries define, by their symbols, and the layout of the classes that the headers define.

--record  writes the list, of the headers (clang reads them) and of the libraries
--check   every recorded symbol is defined by the libraries, and every recorded class has its layout

Something recorded that is gone or different breaks programs: the soname changes (SOVERSION), or the change is taken
back. What is new is recorded with `make abi`. --list, --include and --header are for other headers than Wick's."""
import argparse
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl", "VarDecl"}
RECORDS = ("class", "struct", "union")


def clang(options, source, *words):
    command = [options.clang, "-x", "c++", "-std=c++20", "-fsyntax-only", *(f"-I{folder}" for folder in options.include), *words, "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"cpp_abi.py: {options.clang} failed:\n{result.stderr[:2000]}")
    return result.stdout


def includes(options):
    return "".join(f'#include "{header}"\n' for header in options.header)


def declarations(options):
    """The symbols that the headers declare in namespace wick, and the names of the classes they define there."""
    text = clang(options, includes(options), "-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter=wick")
    symbols, records, decoder, at = set(), set(), json.JSONDecoder(), 0

    def walk(node, scope):
        kind, name = node.get("kind"), node.get("name")
        if kind in FUNCTIONS and "mangledName" in node:
            symbols.add(node["mangledName"])
        if kind in ("ClassTemplateDecl", "FunctionTemplateDecl"):
            return
        if kind == "CXXRecordDecl" and name and node.get("completeDefinition"):
            records.add("::".join([*scope, name]))
        if kind in ("NamespaceDecl", "LinkageSpecDecl", "CXXRecordDecl"):
            inside = [*scope, name] if kind == "NamespaceDecl" else None
            for child in node.get("inner", []):
                if inside is not None or kind == "LinkageSpecDecl":
                    walk(child, inside or scope)
                elif child.get("kind") != "CXXRecordDecl":  # classes in classes are laid out with these
                    walk(child, scope)

    while (start := text.find("{", at)) >= 0:
        node, at = decoder.raw_decode(text, start)
        if node.get("kind") == "NamespaceDecl" and node.get("name") == "wick":
            walk(node, [])
    # A constructor or destructor is declared once and defined as the complete object's and the base's.
    for symbol in list(symbols):
        for one, other in (("C1E", "C2E"), ("D1E", "D2E")):
            symbols.add(symbol.replace(one, other))
    return symbols, records


def layouts(options, records):
    """A line for each class: size, alignment, and where its members and bases are."""
    source = includes(options) + "".join(f"static_assert(sizeof({name}) > 0);\n" for name in sorted(records))
    text = clang(options, source, "-Xclang", "-fdump-record-layouts-simple")
    found = {}
    for block in text.split("*** Dumping AST Record Layout")[1:]:
        name = re.search(r"Type: (?:class |struct |union )?(.*)", block)
        size = re.search(r"\n\s*Size:(\d+)", block)
        align = re.search(r"\n\s*Alignment:(\d+)", block)
        fields = re.search(r"FieldOffsets: \[(.*?)\]", block)
        if name and size and align and (clean := name.group(1).strip()) in records:
            offsets = fields.group(1).replace(" ", "") if fields else ""
            found[clean] = f"class {clean} size {int(size.group(1)) // 8} align {int(align.group(1)) // 8} bits {offsets}"
    if missing := records - set(found):
        sys.exit(f"cpp_abi.py: no layout of {', '.join(sorted(missing))}")
    return set(found.values())


def defined(libraries):
    symbols = set()
    for library in libraries:
        words = ["nm", "--defined-only", "-D" if ".so" in pathlib.Path(library).name else "-g", str(library)]
        for line in subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines():
            parts = line.split()
            if len(parts) == 3 and parts[1] in "TDBRV":
                symbols.add(parts[2].split("@")[0])
    return symbols


def demangled(symbols):
    return subprocess.run(["c++filt"], input="\n".join(symbols), capture_output=True, text=True).stdout.splitlines()


def record(options):
    declared, records = declarations(options)
    there = defined(options.libraries)
    # What exceptions are caught by, and what virtual calls go through.
    tables = {f"_Z{kind}N{''.join(f'{len(part)}{part}' for part in name.split('::'))}E" for name in records for kind in ("TI", "TV")}
    symbols = sorted((declared | tables) & there)
    if not symbols:
        sys.exit("cpp_abi.py: the libraries define nothing that the headers declare")
    options.list.write_text("\n".join([*symbols, *sorted(layouts(options, records))]) + "\n")
    print(f"{len(symbols)} symbols, {len(records)} classes")


def check(options):
    lines = options.list.read_text().splitlines()
    classes = {line for line in lines if line.startswith("class ")}
    symbols = [line for line in lines if line not in classes]
    there = defined(options.libraries)
    gone = [symbol for symbol in symbols if symbol not in there]
    declared, records = declarations(options)
    recorded = {line.split()[1] for line in classes}
    now = layouts(options, records & recorded)
    changed = sorted(classes - now)
    problems = [f"gone: {name}" for name in demangled(gone)] if gone else []
    for line in changed:
        name = line.split()[1]
        new = next((other for other in now if other.split()[1] == name), "not defined any more")
        problems.append(f"changed: {line}\n    now: {new}")
    if problems:
        print("\n".join(problems))
        sys.exit("cpp_abi.py: programs that were compiled earlier would break: change the soname, or take it back")
    new = len((declared & there) - set(symbols)) + len(records - recorded)
    print(f"{len(symbols)} symbols, {len(classes)} classes{f'; {new} new, which make abi records' if new else ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true")
    what.add_argument("--record", action="store_true")
    parser.add_argument("--list", type=pathlib.Path, default=HERE / "wick_cpp_abi.txt")
    parser.add_argument("--clang", default="clang++")
    parser.add_argument("--include", action="append")
    parser.add_argument("--header", action="append")
    parser.add_argument("libraries", nargs="+")
    options = parser.parse_args()
    options.include = options.include or [str(ROOT / "include"), str(ROOT / "build/generated/include")]
    options.header = options.header or sorted(f"wick/{path.name}" for path in (ROOT / "include/wick").glob("*.h"))
    record(options) if options.record else check(options)


if __name__ == "__main__":
    main()
