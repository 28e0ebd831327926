#!/usr/bin/env python3
"""check_pages.py [--wick build/bin/wick] [PAGE...]: what the pages say is there, without running it.

Links lead to files and headings; options of `wick` and flags of PyTorch's tools are known to them; targets of make,
scripts and their variables exist; names in spans of code are words of the sources; lines of prose have at most 100
columns. Ends with "N passed, M failed"."""
import argparse
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

from pages import ROOT, blocks, pages, spans, without_blocks

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
# Names of others, which no source of the project has: what Wick lacks is said by its name, too.
FOREIGN = set((Path(__file__).parent / "foreign_names.txt").read_text().split())
COLUMNS = 100
# The list of changes speaks of what was, the one of operators of what Wick lacks (operators_doc.py checks it).
OTHER_NAMES = ("CHANGELOG.md", "docs/operators.md")


def slug(heading):
    """The anchor of a heading, as GitHub and Markdown's table of contents make it."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[ ]", "-", re.sub(r"[^\w\- ]", "", heading.strip().lower()))


def anchors(path):
    return {slug(line.lstrip("#")) for line in without_blocks(path.read_text()).splitlines() if line.startswith("#")}


def check_links(page, text):
    for match in LINK.finditer(without_blocks(text)):
        target = match[1]
        line = text[:match.start()].count("\n") + 1
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = ((ROOT / page).parent / name).resolve() if name else ROOT / page
        if not path.exists():
            yield line, f"the link {target} leads nowhere"
        elif anchor and path.suffix == ".md" and anchor not in anchors(path):
            yield line, f"{path.relative_to(ROOT)} has no heading #{anchor}"


def check_lines(text):
    """Tables and code may be wider, and what cannot be broken, such as an address."""
    for line, content in enumerate(without_blocks(text).splitlines(), 1):
        if len(content) > COLUMNS and not content.lstrip().startswith("|") and " " in content[:COLUMNS].strip(" -"):
            yield line, f"a line of {len(content)} columns; prose has at most {COLUMNS}"


def commands_of(code):
    """The commands of a block or span, lines joined and pipes apart."""
    for line in code.replace("\\\n", " ").splitlines():
        line = re.sub(r"(^|\s)#.*", "", line).strip().removeprefix("$ ")
        yield from (part.strip() for part in re.split(r"\s*(?:&&|\|\||;|(?<!\\)\|)\s*", line))


class Known:
    """What commands, scripts and make know."""

    def __init__(self, wick):
        table = json.loads(subprocess.run([wick, "--commands"], check=True, capture_output=True, text=True).stdout)
        common = {option["name"] for option in table.get("options", [])}
        self.options = {c["name"]: {o["name"] for o in c["options"]} | common | {"--help"} for c in table["commands"]}
        self.flags = {path.stem: set(re.findall(r'\{"(\w+)", FlagKind', path.read_text()))
                      for path in (ROOT / "tools/dropin").glob("*_*.cpp")}
        self.flags["model_tracer"] = self.flags.get("model_tracer", set())
        self.targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))
        self.variables = set(re.findall(r"\b[A-Z][A-Z0-9_]+\b", (ROOT / "Makefile").read_text()))

    def complaints(self, command):
        try:
            words = shlex.split(command)
        except ValueError:  # prose, with an apostrophe
            words = command.split()
        while words and re.match(r"[A-Z_]+=", words[0]):
            words.pop(0)
        if not words:
            return
        program = Path(words[0]).name
        options = [option[1] for w in words[1:] if (option := re.match(r"[\[(]*(--[a-z][\w-]*)", w))]
        if program == "wick" and len(words) > 1 and re.match(r"[a-z]+$", words[1]):
            if words[1] not in self.options:
                yield f"wick has no command {words[1]}"
                return
            for option in options:
                if option not in self.options[words[1]]:
                    yield f"wick {words[1]} has no option {option}"
        elif program in self.flags and words[0] in (program, f"build/bin/{program}"):
            for option in options:
                name = option[2:]
                if not {name, name.removeprefix("no")} & (self.flags[program] | {"help"}):
                    yield f"{program} has no flag {option}"
        elif program == "make" and words[0] == "make":
            for word in words[1:]:
                if re.match(r"[A-Z]+=", word):
                    if word.split("=")[0] not in self.variables:
                        yield f"make knows no {word}"
                elif re.match(r"[a-z][\w-]*$", word) and word not in self.targets:
                    yield f"make has no target {word}"
        folders = "scripts|bench|examples|tests|java|apple"
        script = re.match(rf"(?:\$WICK/|\./)?((?:{folders})/[\w/.-]+\.(?:sh|py))$", words[0])
        if script and not (ROOT / script[1]).exists():
            yield f"there is no {script[1]}"
        if script and (ROOT / script[1]).exists():
            text = (ROOT / script[1]).read_text()
            for variable in re.findall(r"\b([A-Z][A-Z_]+)=", command.split(words[0])[0]):
                others = (path.read_text() for path in (ROOT / "scripts").glob("build*"))
                if variable not in text and not any(variable in other for other in others):
                    yield f"{script[1]} knows no {variable}"


def source_words():
    """Every word of the tracked files that are no pages."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    words = set()
    for name in files:
        path = ROOT / name
        if not name or name.endswith((".md", "foreign_names.txt")) or not path.is_file() or path.stat().st_size > 2_000_000:
            continue
        words.update(re.findall(rb"\w+", name.encode()))
        words.update(re.findall(rb"[A-Za-z_]\w+", path.read_bytes()))
    return {word.decode(errors="replace") for word in words}


def names_in(code):
    """Identifiers that cannot be plain words: with an underscore or a capital inside, or a scope."""
    code = re.sub(r"<[A-Z_]+>|\$\w+|https?:\S+", " ", code)
    for word in re.findall(r"[A-Za-z_]\w{2,}", code):
        if ("_" in word.strip("_") or re.search(r"[a-z][A-Z]", word)) and not re.fullmatch(r"[A-Z][A-Z_]*", word):
            yield word


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wick", default=ROOT / "build/bin/wick")
    parser.add_argument("pages", nargs="*")
    arguments = parser.parse_args()
    known, words = Known(str(arguments.wick)), source_words()
    passed = failed = 0
    for page in arguments.pages or pages():
        text = (ROOT / page).read_text()
        found = [*check_links(page, text), *check_lines(text)]
        for block in blocks(page, text):
            if block.language in ("sh", "bash", "console") or block.code.lstrip("$ ").startswith("wick "):
                found += [(block.line, c) for command in commands_of(block.code) for c in known.complaints(command)]
        for line, code in spans(text) if page not in OTHER_NAMES else ():
            found += [(line, c) for command in commands_of(code) for c in known.complaints(command)]
            found += [(line, f"no source has the name {name}") for name in names_in(code)
                      if name not in words and name not in FOREIGN]
        for line, complaint in sorted(set(found)):
            print(f"FAIL  {page}:{line}: {complaint}")
        failed += len(set(found))
        passed += not found
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


if __name__ == "__main__":
    main()
