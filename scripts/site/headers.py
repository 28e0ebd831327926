"""Pages of the API reference from the headers: what stands above a declaration is its contract.

A comment and the declarations that follow it without an empty line are one entry. Bodies, private members and
namespaces for the library's own use are left out."""
import dataclasses
import re

OWN_USE = {"detail", "internal"}


@dataclasses.dataclass
class Entry:
    comment: list  # lines
    code: list     # declarations, each a text
    names: list
    members: list  # of a class: entries
    head: str = ""


def code_only(line):
    """The line without its comment and the contents of its strings."""
    line = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'', '""', line)
    return re.sub(r"//.*|/\*.*?\*/", "", line)


def statement_end(lines, start):
    """The line after the declaration that begins at `start`."""
    depth = 0
    for at in range(start, len(lines)):
        code = code_only(lines[at])
        depth += sum(code.count(c) for c in "([{") - sum(code.count(c) for c in ")]}")
        if depth <= 0 and code.rstrip().endswith((";", "}")):
            return at + 1
    return len(lines)


def comment_of(lines):
    """The text of a comment in either form."""
    text = "\n".join(line.strip() for line in lines)
    text = re.sub(r"^/\*\s?|\s*\*/$", "", text)
    return [re.sub(r"^(//|\*) ?", "", line).rstrip() for line in text.split("\n")]


def masked(text):
    """The text with comments and strings blank, every character in its place."""
    hidden = r'//[^\n]*|/\*.*?\*/|"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\\n])*\''
    return re.sub(hidden, lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.S)


def declaration(text):
    """The declaration without its body and a constructor's initializers."""
    code, depth, end = masked(text), 0, None
    for at, letter in enumerate(code):
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth -= 1
        elif depth == 0 and ")" in code[:at]:
            if letter == ":" and code[at - 1] != ":" and code[at + 1] != ":" and code[:at].rstrip()[-1] == ")":
                end = end or at
            elif letter == "{" and code[:at].rstrip()[-1] != "=":
                return text[:end or at].rstrip() + ";"
    return text


def name_of(text):
    code = re.sub(r"(?s)^\s*template <.*?>\s*(?=\w)", "", "\n".join(code_only(line) for line in text.split("\n")))
    code = re.sub(r"requires\([^)]*\) ?", "", code)
    code = re.sub(r"__attribute__\(\(.*?\)\)|\bWICK_\w*API\b|\[\[.*?\]\]", "", code)
    aggregate = re.search(r"\b(?:class|struct|enum(?: class)?|concept)\s+(\w+)\s*(?:final\s*)?(?::[^:].*)?(?:[{=]|$)",
                          code.split("{")[0] + "{", re.S)
    if aggregate and not re.match(r"\s*(friend|typedef)", code):
        return aggregate[1]
    alias = re.match(r"\s*using (\w+) =", code)
    if alias:
        return alias[1]
    pointer = re.match(r"\s*typedef .*\(\*(\w+)\)", code)
    if pointer:
        return pointer[1]
    function = re.search(r"(operator\s?(?:\(\)|\[\]|\"\"\s*\w+|[^\s(\w]+|\w+)|~?\w+)\s*\(", code)
    if function and "=" not in code[:function.start()].replace("operator", ""):
        return function[1]
    variable = re.search(r"(\w+)\s*(?:\[[^\]]*\])?\s*(?:=[^=].*|\{.*)?;", code, re.S)
    return variable[1] if variable else ""


def entries(lines, access="public"):
    """The entries of the lines of a header, or of the body of a class."""
    found, comment, joined, at = [], [], False, 0
    while at < len(lines):
        line = lines[at].strip()
        if not line or line.startswith(("#", "extern \"C\"")) or re.match(r"\}( *//.*)?;?$", line):
            while line.endswith("\\") and at + 1 < len(lines):
                at += 1
                line = lines[at].strip()
            comment, joined, at = [], False, at + 1
        elif line.startswith(("//", "/*")):
            start = at
            if line.startswith("/*"):
                while "*/" not in lines[at]:
                    at += 1
                at += 1
            else:
                while at < len(lines) and lines[at].strip().startswith("//"):
                    at += 1
            comment, joined = comment_of(lines[start:at]), False
        elif re.match(r"(inline )?namespace ([\w:]+ )?\{", line):
            if set(re.findall(r"\w+", line)) & OWN_USE or line == "namespace {":
                at = statement_end(lines, at)
            else:
                at += 1
            comment, joined = [], False
        elif re.match(r"(public|private|protected):", line):
            access, comment, joined, at = line.split(":")[0], [], False, at + 1
        else:
            end = statement_end(lines, at)
            text = "\n".join(lines[at:end])
            at = end
            if access != "public" or re.match(r"\s*(friend|template <>|extern template|static_assert)", text) or \
                    re.match(r"\s*(class|struct|enum class) \w+( : \w+)?;", text):
                comment = []
                continue
            indent = len(text) - len(text.lstrip())
            text = "\n".join(part[indent:] if part[:indent].isspace() else part for part in text.split("\n"))
            entry = Entry(comment, [declaration(text)], [name_of(text)], [])
            if not entry.names[0] and not comment and not joined:  # specializations
                continue
            kind = re.match(r"(?s)(?:template <.*?>\s*(?:requires.*?)?)?(class|struct)\s[^;{]*\{(.*)\n\};", text)
            if kind:
                inner = entries(kind[2].split("\n"), "private" if kind[1] == "class" else "public")
                if any("(" in code for member in inner for code in member.code):
                    entry.members, entry.head = inner, text[:text.index("{")].strip()
            if joined and not comment and found and not entry.members and not found[-1].members:
                found[-1].code += entry.code
                found[-1].names += entry.names
            else:
                found.append(entry)
            comment, joined = [], True
    return found


def prose(comment):
    """A comment as Markdown: indented lines are code."""
    out, code = [], []
    for line in comment + [""]:
        if line.startswith("  ") or (code and not line):
            code.append(line[2:])
            continue
        if code:
            while not code[-1]:
                code.pop()
            out += ["", "```cpp", *code, "```", ""]
            code = []
        out.append("`".join(re.sub(r"([<>*\[\]|])", r"\\\1", part) if i % 2 == 0 else part
                            for i, part in enumerate(line.split("`"))))
    if code:
        out += ["", "```cpp", *[part for part in code if part], "```", ""]
    return "\n".join(out).strip()


def unique(names):
    return list(dict.fromkeys(name for name in names if name))


def section(entry, level):
    names = unique(entry.names)
    out = ["#" * level + " " + (", ".join(f"`{name}`" for name in names) or "`…`"), ""]
    out += [prose(entry.comment), "", "```cpp", entry.head or "\n".join(entry.code), "```", ""]
    for member in entry.members:
        out.append(section(member, level + 1))
    return "\n".join(out)


def page(text, include):
    """The Markdown of one header, and the names that it declares."""
    lines = text.split("\n")
    first = 0
    if lines[0].startswith("/*"):
        while "*/" not in lines[first]:
            first += 1
    else:
        while lines[first + 1].startswith("//"):
            first += 1
    head = comment_of(lines[:first + 1])
    found = entries(lines[first + 1:])
    out = [f"# {include}", "", f"`#include <{include}>`", "", prose(head), ""]
    out += [section(entry, 2) for entry in found]
    names = set()

    def collect(of):
        for entry in of:
            names.update(unique(entry.names))
            collect(entry.members)
    collect(found)
    return "\n".join(out), names
