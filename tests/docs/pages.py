"""The project's pages, as the checks of tests/docs read them."""
import dataclasses
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^( *)```(\w*)([^\n]*)\n(.*?)^\1```[ ]*$", re.M | re.S)
NOT_RUN = re.compile(r"<!-- not run: ([^<>]+) -->\s*\Z")


def pages():
    """All pages, as paths from the root."""
    found = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "python/README.md"]
    return [str(path.relative_to(ROOT)) for path in found]


@dataclasses.dataclass
class Block:
    page: str
    line: int       # of its first line of code
    language: str
    title: str      # the file that it is, or empty
    not_run: str    # why it is not run, or empty
    code: str

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def blocks(page, text=None):
    text = (ROOT / page).read_text() if text is None else text
    found = []
    for match in FENCE.finditer(text):
        indent, language, info, code = match.groups()
        title = re.search(r'title="([^"]+)"', info)
        before = NOT_RUN.search(text[:match.start()])
        code = re.sub(rf"^{indent}", "", code, flags=re.M) if indent else code
        found.append(Block(page, text[:match.start(4)].count("\n") + 1, language, title[1] if title else "",
                           before[1] if before else "", code))
    return found


def without_blocks(text):
    """The text with its blocks of code blank, every line in its place."""
    return FENCE.sub(lambda match: "\n" * match[0].count("\n"), text)


def spans(text):
    """(line, code) of every span of code outside of blocks."""
    text = without_blocks(text)
    return [(text[:match.start()].count("\n") + 1, match[2]) for match in
            re.finditer(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", text, re.S)]
