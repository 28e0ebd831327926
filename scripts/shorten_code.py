#!/usr/bin/env python3
"""Shorter instructions: shorten_code.py IN.s OUT.s

IN.s is GCC's assembly of a whole library for x86-64; that of another machine stays as it is. Here

- a frame pointer points to the middle of what is used most: one byte of distance reaches 128 bytes below it and 127
  above, and GCC, which has it point to the frame's end, uses those below alone;
- functions whose addresses nobody takes may begin anywhere;
- constants of eight bytes that come often are loaded from memory.
"""
import collections
import re
import sys

FRAME = re.compile(r"(-?\d*)\(%rbp\b")
# What a function with a frame pointer does to it.
FRAME_USES = re.compile(r"\t(pushq|popq)\t%rbp$|\tmovq\t%rsp, %rbp$|\tleave$")
NEAR = range(-128, 128)
STEP = 8


def functions(lines):
    """(name's line, .LFB's label, first line, last line) of each function."""
    found, start = [], None
    for at, line in enumerate(lines):
        if line.startswith(".LFB"):
            start = at
        elif line.startswith(".LFE") and start is not None:
            found.append((start - 1, lines[start][:-1], start, at))
            start = None
    return found


def frame_shift(lines):
    """By how much the frame pointer of a function with these lines should move, or 0."""
    if sum(line == "\tmovq\t%rsp, %rbp" for line in lines) != 1:
        return 0
    at = lines.index("\tmovq\t%rsp, %rbp")
    if [line for line in lines[:at] if re.match(r"\t[a-z]", line)] != ["\tpushq\t%rbp"]:
        return 0
    distances, leaves = collections.Counter(), 0
    for line in lines:
        rest = FRAME.sub("", line)
        if re.search(r"%(rbp|ebp|bp|bpl)\b", rest) and not FRAME_USES.match(rest):
            return 0
        leaves += line == "\tleave"
        for match in FRAME.finditer(line):
            distances[int(match[1] or 0)] += 1

    def cost(shift):
        far = sum(3 * count for distance, count in distances.items() if distance - shift not in NEAR)
        return far + (shift != 0) * (2 + 3 * (shift not in NEAR) + leaves * (4 + 3 * (-shift not in NEAR)))

    lowest = min(distances, default=0)
    return min(range(0, min(lowest, 0) - STEP, -STEP), key=cost)


def move_frame(lines, shift):
    """The function with its frame pointer `shift` bytes from where it was."""
    out = []
    for line in lines:
        if line == "\tmovq\t%rsp, %rbp":
            out.append(f"\tleaq\t{shift}(%rsp), %rbp")
        elif line == "\tleave":
            out += [f"\tleaq\t{-shift}(%rbp), %rsp", "\tpopq\t%rbp"]
        else:
            out.append(FRAME.sub(lambda m: f"{int(m[1] or 0) - shift}(%rbp", line))
    return out


def move_in_tables(table, shifts):
    """The tables for unwinding, where functions' frame pointers are `shifts` bytes from where they were, by .LFB's label."""
    out, shift = [], 0
    at = 0
    while at < len(table):
        line = table[at]
        if match := re.match(r"\t\.long\t(\.LFB\d+)-\.$", line):
            shift = shifts.get(match[1], 0)
        elif line.startswith(".LE"):
            shift = 0
        if shift and line == "\t.byte\t0xd" and table[at + 1] == "\t.uleb128 0x6":
            out += ["\t.byte\t0xc", "\t.uleb128 0x6", f"\t.uleb128 {16 - shift:#x}"]
            at += 2
            continue
        out.append(line)
        at += 1
    return out


def move_frames(lines, start):
    shifts, changed = {}, {}
    parted = {line.split(".cold")[0] for line in lines[:start] if ".cold" in line and line.endswith(":")}
    for name, label, first, last in functions(lines[:start]):
        if lines[name].removesuffix(":").split(".cold")[0] in parted:  # its parts have one frame
            continue
        body = lines[first:last]
        if shift := frame_shift(body):
            shifts[label] = shift
            changed[first] = (last, move_frame(body, shift))
    out, at = [], 0
    while at < start:
        if at in changed:
            at, body = changed[at]
            out += body
        else:
            out.append(lines[at])
            at += 1
    return out + move_in_tables(lines[start:], shifts)


def drop_alignment(lines):
    """A pointer to a member function tells by its lowest bit that the function is virtual; without pointers to it, a
    function may have any address."""
    taken = set()
    for line in lines:
        if line.startswith("\t") and not re.match(r"\t(call|jmp|j[a-z]+|\.size|\.type|\.globl|\.hidden)\t", line):
            taken.update(re.findall(r"\b_Z[\w.$]+", line))
    shown = {line.split("\t")[2] for line in lines if line.startswith("\t.globl\t")}
    dropped = set()
    for name, _, first, _ in functions(lines):
        at = name
        while re.match(r"\t\.(globl|hidden|type|weak)\b", lines[at - 1]):
            at -= 1
        if lines[at - 1] == "\t.align 2" and lines[name][:-1] not in taken | shown:
            dropped.add(at - 1)
    return [line for at, line in enumerate(lines) if at not in dropped]


def load_constants(lines):
    load = re.compile(r"\tmovabsq\t\$(-?\d+), (%r\w+)$")
    count = collections.Counter(m[1] for line in lines if (m := load.match(line)))
    often = {value: f".LWORD{number}" for number, value in enumerate(v for v, n in count.items() if 3 * n > 8)}
    if not often:
        return lines
    out = []
    for line in lines:
        match = load.match(line)
        out.append(f"\tmovq\t{often[match[1]]}(%rip), {match[2]}" if match and match[1] in often else line)
    out.append("\t.section\t.rodata.cst8,\"aM\",@progbits,8")
    out.append("\t.align 8")
    for value, label in often.items():
        out += [f"{label}:", f"\t.quad\t{value}"]
    return out


def main():
    with open(sys.argv[1]) as source:
        lines = source.read().split("\n")
    start = next((i for i, line in enumerate(lines) if re.match(r"\t\.section\s+\.eh_frame,", line)), None)
    if start is not None and any("%rsp" in line for line in lines):
        lines = load_constants(drop_alignment(move_frames(lines, start)))
    with open(sys.argv[2], "w") as target:
        target.write("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
