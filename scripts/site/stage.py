#!/usr/bin/env python3
"""stage.py FOLDER: the pages of the site, from what the project has: docs/, files of the root, headers, results.

Nothing is written twice in the tree: pages are copied with their links set right, the API reference is made of headers
and Python sources, plots of bench/results. mkdocs.yml takes them from there."""
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import headers  # noqa: E402
import plots  # noqa: E402
import python_api  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Pages that are not in docs/, and where the site has them.
ELSEWHERE = {
    "SECURITY.md": "security.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md",
    "ROADMAP.md": "roadmap.md", "CODE_OF_CONDUCT.md": "conduct.md", "python/README.md": "python.md",
    "tests/fuzz/results.md": "fuzz_results.md", "tests/parity/README.md": "parity.md",
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2 *$", re.M | re.S)


def pages():
    """Path in the tree -> path in the site."""
    found = {f"docs/{path.relative_to(ROOT / 'docs')}": str(path.relative_to(ROOT / "docs"))
             for path in sorted((ROOT / "docs").rglob("*.md"))}
    found.update({page: place for page, place in ELSEWHERE.items() if (ROOT / page).exists()})
    found.update({f"bench/results/{path.name}": f"benchmarks/{path.name}"
                  for path in sorted((ROOT / "bench/results").glob("*.md"))})
    return found


def up(place):
    return "../" * place.count("/")




def with_links(text, page, places):
    """Links between pages as the site needs them; of files that are no pages only the name stays."""
    folder = (ROOT / page).parent

    def link(match):
        picture, title, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, _, anchor = target.partition("#")
        file = (folder / path).resolve()
        name = str(file.relative_to(ROOT)) if file.is_relative_to(ROOT) else ""
        if name in places:
            return f"{picture}[{title}]({up(places[page])}{places[name]}{'#' + anchor if anchor else ''})"
        if file.suffix in (".svg", ".png") and file.exists():
            return f"{picture}[{title}]({up(places[page])}{name.removeprefix('docs/')})"
        return title if title.strip("`") == name else f"{title} (`{name}`)"

    # A title may hold a span of code, so links are found in the whole, and blocks left alone.
    out, last = [], 0
    for block in FENCE.finditer(text):
        out += [LINK.sub(link, text[last:block.start()]), block[0]]
        last = block.end()
    return "".join(out) + LINK.sub(link, text[last:])


def write(folder, place, text):
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def reference(folder):
    """Pages of the API; returns what they name, by page."""
    names, rows = {}, []
    for path in sorted((ROOT / "include").glob("*/*.h")):
        include = f"{path.parent.name}/{path.name}"
        place = f"reference/{path.parent.name}/{path.stem}.md"
        text, names[place] = headers.page(path.read_text(), include)
        if not names[place]:
            continue
        write(folder, place, text)
        first = re.search(r"`#include.*?`\n\n(.*?)(?:\n\n|\Z)", text, re.S)[1].replace("\n", " ")
        first = re.match(r".*?[.:](?= |$)|.*", first)[0].rstrip(":")
        rows.append((path.parent.name, f"| [{include}]({path.parent.name}/{path.stem}.md) | {first} |"))
    text = ["# API reference", "", "Made of the headers and sources: the contracts that stand there.", "",
            "| language | |", "| --- | --- |", "| C++ | the headers below; [an overview](../api_cpp.md) |",
            "| C | [wick_c/wick.h](wick_c/wick.md) |", "| Python | [wick](python.md) |"]
    if (folder / "reference/java").exists():
        text.append("| Java | <a href=\"../reference/java/index.html\">org.pytorch, org.pytorch.torchvision</a> |")
    text += ["", "## Headers of C++", "", "| header | |", "| --- | --- |"]
    text += [row for kind, row in rows if kind == "wick"]
    write(folder, "reference/index.md", "\n".join(text) + "\n")
    page, names["reference/python.md"], _ = python_api.page(ROOT / "python/wick")
    write(folder, "reference/python.md", page)
    return names


def main():
    folder = pathlib.Path(sys.argv[1])
    kept = [folder / "reference/java", folder / "pictures"]  # made by others
    for path in folder.glob("*"):
        if path.is_dir() and not any(k.is_relative_to(path) for k in kept):
            shutil.rmtree(path)
    places = pages()
    for page, place in places.items():
        write(folder, place, with_links((ROOT / page).read_text(), page, places))
    for picture in [*(ROOT / "docs").rglob("*.svg"), *(ROOT / "docs").rglob("*.png")]:
        place = folder / picture.relative_to(ROOT / "docs")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, place)
    names = reference(folder)
    write(folder, "benchmarks/index.md", plots.page(ROOT / "bench/results", folder / "benchmarks"))
    print(f"{len(places)} pages of the tree, {sum(map(len, names.values()))} names in {len(names)} pages of reference")


if __name__ == "__main__":
    main()
