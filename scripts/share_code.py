#!/usr/bin/env python3
"""Smaller code: share_code.py IN.s OUT.s

IN.s is GCC's assembly of a whole library for x86-64 or 64-bit Arm. Where several functions set up the same call
(`movq %rbx, %rdi; call f`), the instructions go to one place, and the functions call that: it ends in a jump to f, so
that f returns to them, and for an error on its way everything is as before. Where several end alike (`popq %rbx;
popq %rbp; ret`), they jump to the end of one. Where several that load a model have the same instructions in their
midst, they call those; and there a register is copied by way of the stack, where that is shorter. Kernels and the loop
that runs programs stay as they are: they must be fast.
"""
import collections
import enum
import heapq
import re
import sys

FAST = re.compile(r"4wick7kernels|4wick7runtime(5Frame|4call)|3ops8Iterator")
# What runs once for a model: reading its file, and what that is made of.
LOADING = re.compile(r"4wick(4lite|2ir|4text|5types)|Pickle|Zip|Parser|Loader|LoadOptions|Builder|Inference|Liveness|"
                     r"Compiler|ByteSource|12_GLOBAL__N_1(7Mapping|6Buffer|5Entry)|bind_arguments|TypePtr|type_tag|"
                     r"[sS]chema|open_descriptor|Callback|code_of|find_operator|append_argument|is_subtype|same_type|"
                     r"4Type3str|NoTensors|read_bytes|5raise|raise_corrupt|sort_by_key|basic_type_named")
MOST = 16  # instructions in a shared piece
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

    # Registers of one byte in push and pop.
    copy = re.compile(r"\tmovq\t(%r[abcd]x|%r[sb]p|%r[sd]i), (%r[abcd]x|%rbp|%r[sd]i)$")

    @staticmethod
    def shorter(line):
        """The lines that do the same, in fewer bytes where there are such."""
        match = X86.copy.match(line)
        return [f"\tpushq\t{match[1]}", f"\tpopq\t{match[2]}"] if match else [line]

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
        if X86.copy.match(line):
            return 2
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
    def shorter(line):
        return [line]

    @staticmethod
    def below(line):
        return line

    @staticmethod
    def size(line):
        return 4


class Kind(enum.Enum):
    CALL = 0  # ends in a call of a function, which becomes a jump to it
    END = 1   # ends where the function does; others jump to it
    PART = 2  # is called, and returns


def unthrowing_calls(lines, with_tables):
    """The calls that no error passes: those of functions without tables for unwinding, and those that the tables of a
    function that frees something do not list."""
    found, own, inside, tabled, frees = set(), [], False, False, False
    for at, line in enumerate(lines):
        if line.startswith(".LFB"):
            own, tabled, frees = [], line[:-1] in with_tables, False
        elif line.startswith(".LEHB"):
            inside = True
        elif line.startswith(".LEHE"):
            inside = False
        elif line.startswith(".LLSDA") and line[6].isdigit():
            frees = True
        elif line.startswith("\t.size\t"):
            if frees or not tabled:
                found.update(own)
            own = []
        elif not inside and line.startswith(("\tcall\t", "\tbl\t")):
            own.append(at)
    return found


def read_functions(lines):
    """The places of instructions in functions that need not be fast, and of those in functions that load a model and
    keep nothing below the stack pointer."""
    function, slow, loading, inside = "", set(), set(), []
    for at, line in enumerate(lines):
        if line.endswith(":") and not line.startswith("."):
            function = line
        if line.startswith(".LFB"):
            inside = [] if FAST.search(function) else [slow]
            if inside and LOADING.search(function) and ".cold" not in function and not uses_red_zone(lines, at):
                inside.append(loading)
        elif line.startswith(".LFE"):
            inside = []
        elif inside and re.match(r"\t[a-z]", line):
            for places in inside:
                places.add(at)
    return slow, loading


def pieces(lines, machine, unthrowing, slow, loading):
    """By their kind and text, the places of pieces: (first, last) in lines."""
    found = collections.defaultdict(list)
    for at in sorted(slow):
        line = lines[at]
        kind = Kind.CALL if machine.is_call(line) else Kind.END if machine.ends.match(line) else Kind.PART
        if kind == Kind.PART and (machine is not X86 or at not in loading or not may_move(line, machine.fixed)):
            continue
        if "@" in line and not re.search(r"@(PLT|GOTPCREL)", line):
            continue
        words, first = [line], at
        for before in range(at - 1, -1, -1):
            text = lines[before]
            if MARK.match(text) and (kind == Kind.END or not text.startswith(".LCFI")):
                continue
            if not re.match(r"\t[a-z]", text):
                break
            if kind == Kind.END and before in unthrowing and machine.is_call(text):
                pass
            elif not may_move(text, machine.fixed_at_end if kind == Kind.END else machine.fixed):
                break
            words.append(text)
            first = before
            if len(words) > MOST:
                break
            found[kind, tuple(words)].append((first, at))
    return found


def may_move(line, fixed):
    return not fixed.search(line.replace("@PLT", "").replace("@GOTPCREL", ""))


def uses_red_zone(lines, at):
    """Whether the function that begins there keeps values below the stack pointer, where a call would write."""
    while not lines[at].startswith(".LFE"):
        if re.search(r"-\d+\(%rsp", lines[at]):
            return True
        at += 1
    return False


def choose(found, machine):
    """The pieces to share and their places: those first that save most."""
    sizes = {key: sum(map(machine.size, key[1])) for key, places in found.items() if len(places) > 1}

    def gain(key, count):
        saved = (count - (key[0] == Kind.END)) * (sizes[key] - machine.call_size)
        return saved - (0 if key[0] == Kind.END else sizes[key] + (key[0] == Kind.PART))

    heap = [(-gain(key, len(found[key])), number, key) for number, key in enumerate(sizes)
            if gain(key, len(found[key])) > 0]
    heapq.heapify(heap)
    taken, chosen = set(), []
    while heap:
        before, number, key = heapq.heappop(heap)
        places, last = [], -1
        for place in found[key]:
            if place[0] > last and taken.isdisjoint(range(place[0], place[1] + 1)):
                places.append(place)
                last = place[1]
        now = gain(key, len(places))
        if now <= 0:
            continue
        if now < -before:
            heapq.heappush(heap, (-now, number, key))
            continue
        for first, last in places:
            taken.update(range(first, last + 1))
        chosen.append((*key, places))
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
    with_tables = {m[1] for line in lines[start:] if (m := re.search(r"\t(\.LFB\d+)-\.$", line))}
    unthrowing = unthrowing_calls(lines[:start], with_tables)
    places_before, before_line = heads(lines[:start]), {}
    changed, dropped, added = {}, set(), ["\t.text"]
    slow, loading = read_functions(lines[:start])
    found = pieces(lines[:start], machine, unthrowing, slow, loading)
    for number, (kind, piece, places) in enumerate(choose(found, machine)):
        label = f".LSHARED{number}"
        end, *before = piece
        if kind == Kind.END:
            before_line[places.pop()[0]] = [f"{label}:"]
        else:
            moved = [machine.below(line) for line in reversed(before)]
            if all(last in loading for _, last in places):
                moved = [short for line in moved for short in machine.shorter(line)]
            moved.insert(0, f"{label}:")
            head = places_before.pop(end.split("\t")[2].removesuffix("@PLT"), None) if kind == Kind.CALL else None
            if head is not None:
                before_line[head] = moved  # and on to the function, without a jump
            elif kind == Kind.CALL:
                added += [*moved, machine.shared_call(end)]
            else:
                added += [*moved, machine.below(end), "\tret"]
        for first, last in places:
            changed[last] = (machine.jump if kind == Kind.END else machine.call) + label
            dropped.update(at for at in range(first, last) if not MARK.match(lines[at]))
    for at, line in enumerate(lines):
        # Names of types are read a character at a time; GCC lays them out for vectors.
        if line.startswith("_ZTS") and line.endswith(":"):
            dropped.update(i for i in range(at - 4, at) if re.match(r"\t\.align\s", lines[i]))
    out = []
    for at, line in enumerate(lines[:start]):
        out += before_line.get(at, [])
        if at in changed:
            out.append(changed[at])
        elif at not in dropped:
            out += machine.shorter(line) if at in loading else [line]
    return out + added + lines[start:]


def main():
    with open(sys.argv[1]) as source:
        lines = share(source.read().split("\n"))
    with open(sys.argv[2], "w") as target:
        target.write("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
