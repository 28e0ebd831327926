#!/usr/bin/env python3
"""Shorter texts: pack_texts.py IN.s OUT.s

IN.s is GCC's assembly of a whole library for x86-64 or 64-bit Arm. Literals of its messages are those whose addresses
are taken with OFFSET added (src/core/check.h). The pairs of characters that come most often in them become one
character from 0x80 on, pairs of those included; the table of pairs goes where error.cpp has it.
"""
import collections
import re
import sys

OFFSET = 1 << 18
TABLE = "_ZN4wick4text6kPairsE"
TABLE_SIZE = 256
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


def replace(lines):
    lines = [re.sub(rf"\b{OFFSET}\+(\.LC\d+)", rf"\1+{OFFSET}", line) for line in lines]  # as GCC writes it for x86
    marked = re.compile(rf"(\.LC\d+)\+{OFFSET}\b")
    table = next((i for i, line in enumerate(lines) if line == f"{TABLE}:"), None)
    literals = read_literals(lines)
    used = {label for line in lines for label in marked.findall(line) if label in literals}
    used = sorted(label for label in used if all(0 < c < 0x80 for c in literals[label][0]))
    if table is None or not used:
        return lines
    texts = sorted({literals[label][0] for label in used})
    packed, pairs = pack(texts)
    place = {text: f".LTEXT{number}" for number, text in enumerate(texts)}
    renamed = {label: place[literals[label][0]] for label in used}
    plain = {label for line in lines if not line.endswith(":")
             for label in re.findall(r"\.LC\d+", marked.sub("", line))}
    dropped = {at for label in used if label not in plain for at in literals[label][1]}
    # What the table has now, and no more: the padding of what follows stands behind it where objects are found by
    # their distance from others (Arm).
    end, size = table + 1, 0
    while size < TABLE_SIZE:
        dropped.add(end)
        size += bytes_of(lines[end])
        end += 1
    if size != TABLE_SIZE:
        raise ValueError(f"{TABLE} is not the only thing in its lines")
    out = []
    for at, line in enumerate(lines):
        if at in dropped:
            continue
        out.append(marked.sub(lambda m: f"{renamed.get(m[1], m[1])}+{OFFSET}", line))
        if at == table:
            filled = [c for pair in pairs for c in pair] + [0] * (256 - 2 * len(pairs))
            out += ["\t.byte\t" + ", ".join(map(str, filled[i:i + 16])) for i in range(0, 256, 16)]
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
