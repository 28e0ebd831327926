#!/usr/bin/env python3
"""Shorter texts: pack_texts.py IN.s OUT.s

IN.s is GCC's assembly of a whole library for x86-64 or 64-bit Arm. Literals of its messages are those whose addresses
are taken with OFFSET added (src/core/check.h). For x86-64, a call that makes a message of literals and other parts comes
to pass the place of a recipe: the literals and the kinds of the parts in one text. The pairs of characters that come
most often in literals and recipes become one character from 0x80 on, pairs of those included; recipes and the table of
pairs go where error.cpp has them.
"""
import collections
import re
import sys

OFFSET = 1 << 18
TABLE = "_ZN4wick4text6kPairsE"
TABLE_SIZE = 256
RECIPES = "_ZN4wick4text8kRecipesE"
RECIPES_SIZE = 4
# Functions that take kinds of parts and the parts; by name, the argument with the kinds and whether the lowest four
# bits are a code of an error.
MAKERS = {"_ZN4wick4text5raiseEmz": (0, True), "_ZN4wick4text4joinB5cxx11Emz": (1, False),
          "_ZNK4wick13PickleContext5raiseEmz": (1, True), "_ZN4wick12_GLOBAL__N_113raise_corruptEmmz": (1, False),
          "_ZNK4wick4lite6Lifter9malformedEmz": (1, False),
          "_ZN4wick4lite12_GLOBAL__N_18raise_atERKNS0_16BytecodeFunctionEmmz": (2, False)}
# Kinds of parts (src/core/check.h): those of one word in a general register, of two, of one in another register.
LITERAL, RECIPE = 11, 15
WORDS = {1: 1, 2: 1, 3: 2, 4: 1, 5: 1, 6: 0, 7: 2, 8: 1, LITERAL: 1, 12: 1, 14: 1}
# By argument, what its register is called in instructions.
ARGUMENTS = ["di", "si", "dx", "cx", "8", "9"]
CHARACTERS = {9, 10, 13, *range(16, 0x80)}  # others stand for kinds and pairs
SIZES = {"byte": 1, "value": 2, "short": 2, "hword": 2, "long": 4, "word": 4, "quad": 8, "xword": 8}
CODES = range(0x80, 0x100)
STRING = re.compile(r'\t\.(string|ascii)\t"(.*)"$')
ESCAPES = {"n": 10, "t": 9, "r": 13, "b": 8, "f": 12, '"': 34, "\\": 92}


def characters(text):
    """The bytes of a text as the assembler reads it."""
    out, at = bytearray(), 0
    while at < len(text):
        if text[at] != "\\":
            out += text[at].encode()
            at += 1
        elif octal := re.match(r"\\([0-7]{1,3})", text[at:]):
            out.append(int(octal[1], 8))
            at += len(octal[0])
        else:
            out.append(ESCAPES[text[at + 1]])
            at += 2
    return bytes(out)


def bytes_of(line):
    """How many bytes a line of data has."""
    if string := STRING.match(line):
        return len(characters(string[2])) + (string[1] == "string")
    word, values = re.match(r"\t\.(\w+)\t(.*)$", line).groups()
    return int(values) if word in ("zero", "skip") else SIZES[word] * len(values.split(","))


def read_literals(lines):
    """By label, the bytes of a string that stands in a section of strings, and the lines it takes."""
    found, in_strings = {}, False
    for at, line in enumerate(lines):
        if re.match(r"\t\.(section|text|data|bss)\b", line):
            in_strings = bool(re.match(r"\t\.section\t\.rodata\.\S*str1\.\d", line) or
                              re.match(r'\t\.section\t\.rodata\S*,"aMS"', line))
        label = re.match(r"(\.LC\d+):$", line)
        if not in_strings or not label:
            continue
        text, last = b"", at + 1
        while part := STRING.match(lines[last]):
            text += characters(part[2])
            last += 1
            if part[1] == "string":
                found[label[1]] = (text, range(at, last))
                break
    return found


def pack(texts):
    """The texts packed, and the pairs that the codes stand for."""
    packed, pairs = [list(t) for t in texts], []
    for code in CODES:
        count = collections.Counter()
        for text in packed:
            last = None
            for i in range(len(text) - 1):
                pair = (text[i], text[i + 1])
                if pair != last or text[i] != text[i + 1]:
                    count[pair] += 1
                    last = pair
                else:
                    last = None  # of three alike, the first two are a pair
        pair, times = count.most_common(1)[0] if count else (None, 0)
        if times < 2:
            break
        pairs.append(pair)
        for number, text in enumerate(packed):
            out, i = [], 0
            while i < len(text):
                if i + 1 < len(text) and (text[i], text[i + 1]) == pair:
                    out.append(code)
                    i += 2
                else:
                    out.append(text[i])
                    i += 1
            packed[number] = out
    return packed, pairs


def written(line):
    """The name of the general register that an instruction writes as a whole, or None."""
    match = re.search(r"%[re]?(1?\d|[abcd]x|[sd]i|bp|sp)d?$", line)
    return match[1] if match else None


def mentions(line, register):
    return re.search(rf"%[re]?{register}([dwbl]?\b)|%{register[0]}[lh]\b", line)


class Call:
    """A call of a function that makes a message: the lines from the block's beginning, last first."""

    def __init__(self, lines, at, maker):
        self.lines, self.at, self.block = lines, at, []
        position, self.coded = MAKERS[maker]
        for before in range(at - 1, -1, -1):
            if re.match(r"\.L(EHB|EHE|CFI)\d+:$", lines[before]):
                continue
            if not re.match(r"\t[a-z]", lines[before]) or re.match(r"\t(j|call|ret)", lines[before]):
                break
            self.block.append(before)
        self.kinds_at = self.read_kinds(ARGUMENTS[position])
        self.literals = self.find_literals(position + 1) if self.kinds_at else None

    def last_write(self, register, block):
        """The line of the block that a register's value comes from, if nothing reads it on the way."""
        for at in block:
            line = self.lines[at]
            if mentions(line, register):
                return at if written(line) == register and not line.startswith(("\tcmp", "\ttest", "\tpush")) else None
        return None

    def read_kinds(self, register):
        """The lines that load the kinds."""
        at = self.last_write(register, self.block)
        if at is None:
            return None
        if match := re.match(r"\tmov(l|q|absq)\t\$(\d+), ", self.lines[at]):
            self.kinds = int(match[2])
            return [at]
        if self.lines[at].startswith("\tpopq") and (match := re.match(r"\tpushq\t\$(\d+)$", self.lines[at - 1])):
            self.kinds = int(match[1])
            return [at - 1, at]
        return None

    def parts(self):
        kinds, out = self.kinds >> (4 if self.coded else 0), []
        while kinds:
            out.append(kinds & 15)
            kinds >>= 4
        return out

    def pushed(self):
        """The lines that push arguments, the first argument first; constants go by the stack to registers too."""
        out = []
        for at in self.block:
            if self.lines[at].startswith("\tpop"):
                out.append(None)
            elif self.lines[at].startswith("\tpush"):
                if out and out[-1] is None:
                    out.pop()
                else:
                    out.append(at)
        return out

    def find_literals(self, used):
        """The lines that load the literals, in order; None where they are not all in the block."""
        found, stack, pushed = [], 0, self.pushed()
        for kind in self.parts():
            words = WORDS.get(kind)
            if words is None:
                return None
            at = None
            if words and used + words <= len(ARGUMENTS):
                if kind == LITERAL:
                    at = self.last_write(ARGUMENTS[used], self.block)
                used += words
            else:
                if kind == LITERAL and stack < len(pushed) and pushed[stack] is not None:
                    push = pushed[stack]
                    register = written(self.lines[push])
                    at = register and self.last_write(register, [a for a in self.block if a < push])
                    if at and any(mentions(self.lines[a], register) and written(self.lines[a]) != register
                                  for a in range(push + 1, self.at)):
                        at = None
                stack += words
            if kind == LITERAL:
                match = at and re.match(r"\tleaq\t(\.LC\d+)\+\d+\(%rip\), ", self.lines[at])
                if not match or OFFSET_TEXT not in self.lines[at]:
                    return None
                found.append((at, match[1]))
        return found


OFFSET_TEXT = f"+{OFFSET}("


def make_recipes(lines, literals):
    """The lines without literals in calls that have recipes, and the recipes by the mark that their places have."""
    dropped, changed, marks = set(), {}, {}
    call = re.compile(r"\t(?:call|jmp)\t(\w+)(?:@PLT)?$")
    for at, line in enumerate(lines):
        match = call.match(line)
        if not match or match[1] not in MAKERS:
            continue
        made = Call(lines, at, match[1])
        if not made.literals or any(label not in literals for _, label in made.literals):
            continue
        texts = iter(made.literals)
        recipe = bytearray()
        for kind in made.parts():
            recipe.append(kind)
            if kind == LITERAL:
                recipe += literals[next(texts)[1]][0]
        mark = marks.setdefault(bytes(recipe), f".LRECIPE{len(marks)}")
        *more, first = reversed(made.kinds_at)
        dropped.update(more)
        dropped.update(place for place, _ in made.literals)
        code = f"{made.kinds & 15 | RECIPE << 4}+256*" if made.coded else f"{RECIPE}+16*"
        register = written(lines[made.kinds_at[-1]])
        changed[first] = f"\tmovl\t${code}{mark}, %{'r' + register + 'd' if register.isdigit() else 'e' + register}"
    return [changed.get(at, line) for at, line in enumerate(lines) if at not in dropped], marks


def clear(lines, label, size):
    """The lines after a label that hold an object's bytes."""
    at = next(i for i, line in enumerate(lines) if line == f"{label}:")
    end, have = at + 1, 0
    while have < size:
        have += bytes_of(lines[end])
        end += 1
    if have != size:
        raise ValueError(f"{label} is not the only thing in its lines")
    return at, range(at + 1, end)


def byte_lines(data):
    return ["\t.byte\t" + ", ".join(map(str, data[i:i + 16])) for i in range(0, len(data), 16)]


def replace(lines):
    lines = [re.sub(rf"\b{OFFSET}\+(\.LC\d+)", rf"\1+{OFFSET}", line) for line in lines]  # as GCC writes it for x86
    marked = re.compile(rf"(\.LC\d+)\+{OFFSET}\b")
    literals = read_literals(lines)
    used = {label for line in lines for label in marked.findall(line) if label in literals}
    if f"{TABLE}:" not in lines or not used:
        return lines
    for label in used:
        if not CHARACTERS.issuperset(literals[label][0]):
            raise ValueError(f"characters of a message that have another meaning there: {literals[label][0]}")
    marks = {}
    if any("%rsp" in line for line in lines):
        lines, marks = make_recipes(lines, literals)
        literals = read_literals(lines)
        used = {label for line in lines for label in marked.findall(line)}
    used = sorted(used)
    texts = sorted({literals[label][0] for label in used})
    recipes = sorted(marks)
    packed, pairs = pack(texts + recipes)
    place = {text: f".LTEXT{number}" for number, text in enumerate(texts)}
    renamed = {label: place[literals[label][0]] for label in used}
    plain = {label for line in lines if not line.endswith(":")
             for label in re.findall(r"\.LC\d+", marked.sub("", line))}
    dropped = {at for label, (_, places) in literals.items() if label not in plain for at in places}
    # What the table has now, and no more: the padding of what follows stands behind it where objects are found by
    # their distance from others (Arm).
    table, own = clear(lines, TABLE, TABLE_SIZE)
    dropped.update(own)
    filled = [c for pair in pairs for c in pair] + [0] * (TABLE_SIZE - 2 * len(pairs))
    added = {table: byte_lines(filled)}
    offsets = {}
    if recipes:
        at, own = clear(lines, RECIPES, RECIPES_SIZE)
        dropped.update(own)
        data = []
        for recipe, codes in zip(recipes, packed[len(texts):]):
            offsets[marks[recipe]] = len(data)
            data += [*codes, 0]
        added[at] = byte_lines(data)
    out = []
    for at, line in enumerate(lines):
        if at in dropped:
            continue
        line = re.sub(r"\$(\d+)\+(\d+)\*(\.LRECIPE\d+)",
                      lambda m: f"${int(m[1]) + int(m[2]) * offsets[m[3]]}", line)
        out.append(marked.sub(lambda m: f"{renamed.get(m[1], m[1])}+{OFFSET}", line))
        out += added.get(at, [])
    out.append('\t.section\t.rodata.str1.1,"aMS",@progbits,1')
    for text, codes in zip(texts, packed):
        out += [f"{place[text]}:", "\t.byte\t" + ", ".join(map(str, [*codes, 0]))]
    return out


def main():
    with open(sys.argv[1]) as source:
        lines = source.read().split("\n")
    with open(sys.argv[2], "w") as target:
        target.write("\n".join(replace(lines)) + "\n")


if __name__ == "__main__":
    sys.exit(main())
