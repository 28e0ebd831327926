#!/usr/bin/env python3
"""check_layers.py [ROOT]: holds every #include of src/ and tools/ against the table of layers in docs/layers.md.

Reports includes the table does not allow, cycles of layers and of headers, folders without a line in the table, and
libraries of cmake/layers.cmake that are linked otherwise than the table says. Ends with "N passed, M failed"."""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)
SUFFIXES = {".h", ".cpp", ".inc"}
PUBLIC = "wick"  # include/wick


def read_table(path):
    """Layer -> what it may include: layers, and single headers ("kernels/cpu.h")."""
    table = {}
    for line in path.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 2:
            for layer in re.findall(r"`([^`]+)`", cells[0]):
                if layer in table:
                    raise SystemExit(f"{path}: '{layer}' stands in the table twice")
                table[layer] = re.findall(r"`([^`]+)`", cells[1])
    if not table:
        raise SystemExit(f"{path}: no table of layers")
    return table


def read_libraries(path):
    """Layer -> layers it links, from the lines wick_layer(NAME USES ...)."""
    text = re.sub(r"#.*", "", path.read_text())
    return {name: set(uses.split()) for name, uses in re.findall(r"wick_layer\(\s*(\w+)(?:\s+USES\s+([\w\s]*))?\)", text)}


def find_cycle(edges):
    """A cycle as a list that begins and ends with the same name, or None."""
    done, path = set(), []

    def visit(name):
        if name in path:
            return path[path.index(name):] + [name]
        if name in done:
            return None
        path.append(name)
        for target in sorted(edges.get(name, ())):
            found = visit(target)
            if found:
                return found
        path.pop()
        done.add(name)
        return None

    for name in sorted(edges):
        found = visit(name)
        if found:
            return found
    return None


class Checker:
    def __init__(self, root):
        self.root = root
        self.table = read_table(root / "docs/layers.md")
        self.problems = []
        self.includes = 0
        self.layer_edges = {}
        self.file_edges = {}

    def run(self):
        for layer, allowed in self.table.items():
            for name in allowed:
                if name.split("/")[0] not in self.table:
                    self.problems.append(f"docs/layers.md: '{layer}' may include '{name}', which is no layer")
        for folder in sorted(p for p in (self.root / "src").iterdir() if p.is_dir()):
            self.check_folder(folder, folder.name)
        if (self.root / "tools").is_dir():
            self.check_folder(self.root / "tools", "tools")
        self.check_cycles()
        self.check_libraries()
        return self.problems

    def check_folder(self, folder, layer):
        if layer not in self.table:
            self.problems.append(f"{folder.relative_to(self.root)}: not in the table of docs/layers.md")
            return
        for path in sorted(p for p in folder.rglob("*") if p.suffix in SUFFIXES):
            text = path.read_text()
            for match in INCLUDE.finditer(text):
                self.check_include(path, layer, match.group(1), text.count("\n", 0, match.start()) + 1)

    def check_include(self, path, layer, target, line):
        self.includes += 1
        name = path.relative_to(self.root)
        if ".." in pathlib.PurePosixPath(target).parts:
            self.problems.append(f"{name}:{line}: \"{target}\": an include is written from src/ on, without '..'")
            return
        other = target.split("/")[0]
        if (self.root / "src" / target).is_file():
            self.file_edges.setdefault(str(name), set()).add(f"src/{target}")
        if "/" not in target or other == PUBLIC or not (self.root / "src" / other).is_dir() or other == layer:
            return
        self.layer_edges.setdefault(layer, set()).add(other)
        if other not in self.table[layer] and target not in self.table[layer]:
            self.problems.append(f"{name}:{line}: {layer} may not include \"{target}\" (docs/layers.md)")

    def check_cycles(self):
        tabled = {layer: {name.split("/")[0] for name in allowed} for layer, allowed in self.table.items()}
        for what, edges in (("the table", tabled), ("layers", self.layer_edges), ("headers", self.file_edges)):
            cycle = find_cycle(edges)
            if cycle:
                self.problems.append(f"a cycle of {what}: " + " -> ".join(cycle))

    def check_libraries(self):
        path = self.root / "cmake/layers.cmake"
        if not path.is_file():
            return
        libraries = read_libraries(path)
        for layer, allowed in self.table.items():
            if layer == "tools":
                continue
            wanted = {name.split("/")[0] for name in allowed}
            if libraries.get(layer) != wanted:
                found = "is missing" if layer not in libraries else "USES " + " ".join(sorted(libraries[layer]))
                self.problems.append(f"cmake/layers.cmake: {layer} {found}; the table has: {' '.join(sorted(wanted))}")
        for layer in libraries.keys() - self.table.keys():
            self.problems.append(f"cmake/layers.cmake: {layer} is not in the table of docs/layers.md")


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    checker = Checker(root)
    problems = checker.run()
    for problem in problems:
        print(problem)
    print(f"{checker.includes - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
