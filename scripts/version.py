#!/usr/bin/env python3
"""version.py [--check [--tag TAG] | --set VERSION]: the version of the project, which project() of CMakeLists.txt says.

--check  the files that repeat it, because their readers do not run CMake, have the same; so has TAG, with a v before it
--set    writes it to all of them"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSION = r"(\d+\.\d+\.\d+)"

# Where it stands: a file, and what is before it.
PLACES = [
    ("CMakeLists.txt", r"project\(wick VERSION "),
    ("CITATION.cff", r"^version: "),
    ("java/pom.xml", r"<artifactId>wick-java</artifactId>\s*<version>"),
    *((f"java/{module}/pom.xml", r"<artifactId>wick-java</artifactId>\s*<version>")
      for module in ("pytorch_android", "torchvision", "server", "upstream", "published")),
    ("packaging/debian/changelog", r"^wick \("),
    ("packaging/vcpkg/ports/wick/vcpkg.json", r'"version": "'),
]


def version_in(text, before):
    found = re.search(f"({before}){VERSION}", text, re.MULTILINE)
    return found.group(2) if found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--tag")
    parser.add_argument("--set", metavar="VERSION")
    options = parser.parse_args()
    if options.set and not re.fullmatch(VERSION, options.set):
        sys.exit(f"version.py: expected a version such as 1.2.3, got '{options.set}'")

    texts = {path: (ROOT / path).read_text() for path, _ in PLACES}
    version = version_in(texts["CMakeLists.txt"], PLACES[0][1])
    if options.set:
        for path, before in PLACES:
            (ROOT / path).write_text(re.sub(f"({before}){VERSION}", rf"\g<1>{options.set}", texts[path], count=1, flags=re.MULTILINE))
        print(f"{options.set} in {len(PLACES)} files; say what is new in CHANGELOG.md and packaging/debian/changelog")
    elif options.check:
        others = [f"{path}: {found or 'no version'}" for path, before in PLACES
                  if (found := version_in(texts[path], before)) != version]
        if options.tag and options.tag != f"v{version}":
            others.append(f"the tag: {options.tag}")
        if others:
            sys.exit("\n".join([f"version.py: CMakeLists.txt says {version}, but:", *others]))
        print(f"{version} in {len(PLACES)} files")
    else:
        print(version)


if __name__ == "__main__":
    main()
