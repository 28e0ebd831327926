#!/usr/bin/env python3
"""Smaller code: share_code.py IN.s OUT.s

IN.s is GCC's assembly of a whole library for x86-64 or 64-bit Arm. Where several functions set up the same call
(`movq %rbx, %rdi; call f`), the instructions go to one place, and the functions call that: it ends in a jump to f, so
that f returns to them, and for an error on its way everything is as before. Where several end alike (`popq %rbx;
popq %rbp; ret`), they jump to one end. Kernels and the loop that runs programs stay as they are: they must be fast.
"""
import collections
import heapq
import re
import sys

FAST = re.compile(r"4wick7kernels|4wick7runtime(5Frame|4call)|3ops8Iterator")
MOST = 12  # instructions in a shared piece
# Labels that no jump goes to.
MARK = re.compile(r"\.L(EHB|EHE|CFI)\d+:$")


class X86:
    jump, call, call_size = "\tjmp\t", "\tcall\t", 5
    ends = re.compile(r"\tret$|\tjmp\t[^*.]")
    # What may not move: other jumps and calls, prefixes, code for thread-local variables, whatever reads or moves the
    # stack pointer but for operands relative to it.
    fixed_at_end = re.compile(r"\t(j|call|ret|push|rep|lock|data16|rex|ud2|hlt|loop|enter|xbegin|int|sys|notrack)"
                              r"|@[a-z]|tls|%fs:|%gs:|\$\.L|-\d+\(%rsp")
    fixed = re.compile(fixed_at_end.pattern + r"|\t(pop|leave)|%r?sp\b(?!\)|,%)|%esp|%spl")

    @staticmethod
    def is_call(line):
        return line.startswith("\tcall\t") and "%fs:" not in line and "__tls_get_addr" not in line

    @staticmethod
    def shared_call(line):
        return X86.below(line.replace("\tcall\t", "\tjmp\t", 1))

    @staticmethod
    def below(line):
        """The line where the stack has one more address."""
        return re.sub(r"(\d*)\(%rsp", lambda m: f"{int(m[1] or 0) + 8}(%rsp", line)

    @staticmethod
    def size(line):
        """About as many bytes as it takes."""
        words = line.split("\t")
        name, operands = words[1], words[2] if len(words) > 2 else ""
        if name == "ret":
            return 1
        if name in ("call", "jmp"):
            return 5 if "*" not in operands else 2 + X86.address(operands)
        if name.startswith(("push", "pop")):
            return 2 if re.search(r"%r\d", operands) else 1
        wide = bool(re.search(r"%r", operands)) or name.endswith("q")
        immediate = 0
        if match := re.match(r"\$(-?\d+)?", operands):
            value = int(match[1]) if match[1] else 1 << 20
            immediate = 1 if -128 <= value < 128 and not name.startswith("mov") else 4
        longer = name.startswith(("movz", "movs", "v", "cmov", "set"))
        return 2 + wide + longer + immediate + X86.address(operands)

    @staticmethod
    def address(operands):
        match = re.search(r"([^,$*]*)\(([^)]*)\)", operands)
        if not match:
            return 0
        if "rip" in match[2]:
            return 4
        offset = 0 if not match[1] else 1 if re.match(r"-?\d+$", match[1]) and -128 <= int(match[1]) < 128 else 4
        return offset + ("," in match[2] or "%rsp" in match[2] or "%r12" in match[2])


class Arm64:
    jump, call, call_size = "\tb\t", "\tbl\t", 4
    ends = re.compile(r"\tret$|\tb\t[^.]")
    fixed_at_end = re.compile(r"\t(b|bl|blr|br|b\.\w+|cbn?z|tbn?z|ret|brk|svc|hint|paci|auti|bti|mrs|msr)\b"
                              r"|\t(ld|st)\w*xr|tls|tprel|, \.L\d")
    fixed = re.compile(fixed_at_end.pattern + r"|\b[xw]30\b|\]!|\], |\t\w+\tsp,")

    @staticmethod
    def is_call(line):
        return line.startswith(("\tbl\t", "\tblr\t"))

    @staticmethod
    def shared_call(line):
        return line.replace("\tbl\t", "\tb\t", 1).replace("\tblr\t", "\tbr\t", 1)

    @staticmethod
    def below(line):
        return line

    @staticmethod
    def size(line):
        return 4


def pieces(lines, machine):
    """By their text, the places of pieces that end in a call or leave the function: (first, last) in lines."""
    found = collections.defaultdict(list)
    function, fast = "", True
    for at, line in enumerate(lines):
        if line.endswith(":") and not line.startswith("."):
            function = line
        if line.startswith(".LFB"):
            fast = bool(FAST.search(function))
        elif line.startswith(".LFE"):
            fast = True
        if fast:
            continue
        is_call = machine.is_call(line)
        if not is_call and not machine.ends.match(line):
            continue
        fixed = machine.fixed if is_call else machine.fixed_at_end
        if "@" in line and not re.search(r"@(PLT|GOTPCREL)", line):
            continue
        words, first = [line], at
        for before in range(at - 1, -1, -1):
            text = lines[before]
            if MARK.match(text) and (not is_call or not text.startswith(".LCFI")):
                continue
            if not re.match(r"\t[a-z]", text) or fixed.search(text.replace("@PLT", "").replace("@GOTPCREL", "")):
                break
            words.append(text)
            first = before
            if len(words) > MOST:
                break
            found[tuple(words)].append((first, at))
    return found


def choose(found, machine):
    """The pieces to share and their places: those first that save most."""
    sizes = {piece: sum(map(machine.size, piece)) for piece, places in found.items() if len(places) > 1}

    def gain(piece, count):
        return count * (sizes[piece] - machine.call_size) - sizes[piece]

    heap = [(-gain(piece, len(found[piece])), number, piece) for number, piece in enumerate(sizes)
            if gain(piece, len(found[piece])) > 0]
    heapq.heapify(heap)
    taken, chosen = set(), []
    while heap:
        before, number, piece = heapq.heappop(heap)
        places = [place for place in found[piece] if place[1] not in taken]
        now = gain(piece, len(places))
        if now <= 0:
            continue
        if now < -before:
            heapq.heappush(heap, (-now, number, piece))
            continue
        taken.update(last for _, last in places)
        chosen.append((piece, places))
    return chosen


def heads(lines):
    """By a function's name the line before which code that goes on to it may stand."""
    found = {}
    for at, line in enumerate(lines):
        if line.startswith(".LFB") and at and re.match(r"[A-Za-z_].*:$", lines[at - 1]):
            first = at - 1
            while re.match(r"\t\.(globl|hidden|type|weak|align|p2align)\b", lines[first - 1]):
                first -= 1
            found[lines[at - 1][:-1]] = first
    return found


def share(lines):
    start = next((i for i, line in enumerate(lines) if re.match(r"\t\.section\s+\.eh_frame,", line)), None)
    if start is None:
        return lines
    machine = X86 if any("%rsp" in line for line in lines) else Arm64
    places_before, before_line = heads(lines[:start]), {}
    changed, dropped, added = {}, set(), ["\t.text"]
    for number, (piece, places) in enumerate(choose(pieces(lines[:start], machine), machine)):
        label = f".LSHARED{number}"
        end, *before = piece
        calls = machine.is_call(end)
        moved = [f"{label}:", *(machine.below(line) if calls else line for line in reversed(before))]
        head = places_before.pop(end.split("\t")[2].removesuffix("@PLT"), None) if calls else None
        if head is None:
            added += [*moved, machine.shared_call(end) if calls else end]
        else:
            before_line[head] = moved  # and on to the function, without a jump
        for first, last in places:
            changed[last] = (machine.call if calls else machine.jump) + label
            dropped.update(at for at in range(first, last) if not MARK.match(lines[at]))
    for at, line in enumerate(lines):
        # Names of types are read a character at a time; GCC lays them out for vectors.
        if line.startswith("_ZTS") and line.endswith(":"):
            dropped.update(i for i in range(at - 4, at) if re.match(r"\t\.align\s", lines[i]))
    out = []
    for at, line in enumerate(lines[:start]):
        out += before_line.get(at, [])
        if at not in dropped:
            out.append(changed.get(at, line))
    return out + added + lines[start:]


def main():
    with open(sys.argv[1]) as source:
        lines = share(source.read().split("\n"))
    with open(sys.argv[2], "w") as target:
        target.write("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
