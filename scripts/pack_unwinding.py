#!/usr/bin/env python3
"""Shorter tables for unwinding: pack_unwinding.py IN.s OUT.s

IN.s is GCC's assembly of a whole library, with tables that GCC wrote itself (-fno-dwarf2-cfi-asm). They say where a
function's registers are after each instruction that moves one. Errors pass through calls only, so this keeps what holds
at calls and nothing in between; registers that many functions save alike go to the common entries (CIE), and functions
that have nothing to do for an error name no handler. A function's entry takes 20 to 28 bytes instead of 57.
"""
import collections
import re
import sys

CALL = re.compile(r"\t(call|lcall|bl|blr|blra[ab]z?)\b")
ADVANCE = re.compile(r"(\.L\w+)-(\.L\w+)$")
SAME_VALUE, DEF_CFA, DEF_CFA_REGISTER, DEF_CFA_OFFSET, ARGS_SIZE = 0x8, 0xC, 0xD, 0xE, 0x2E
MOST_ENTRIES = 24


class Unknown(Exception):
    """An instruction of the tables that is not handled here; the entry stays as it is."""


class State:
    """Where the caller's frame is, which registers are saved at what multiples from it, and the bytes of arguments."""

    def __init__(self, cfa, saved=None, args=0):
        self.cfa, self.saved, self.args = cfa, dict(saved or {}), args

    def copy(self):
        return State(self.cfa, self.saved, self.args)

    def __eq__(self, other):
        return (self.cfa, self.saved, self.args) == (other.cfa, other.saved, other.args)


def uleb_size(value):
    return max(1, (value.bit_length() + 6) // 7)


def changes(old, new):
    """Instructions that make `new` of `old`, each as bytes and numbers, and their length."""
    lines, size = [], 0

    def add(code, *operands):
        nonlocal size
        lines.append(f"\t.byte\t{code:#x}")
        lines.extend(f"\t.uleb128 {o:#x}" for o in operands)
        size += 1 + sum(uleb_size(o) for o in operands)

    if old.cfa != new.cfa:
        if old.cfa[0] == new.cfa[0]:
            add(DEF_CFA_OFFSET, new.cfa[1])
        elif old.cfa[1] == new.cfa[1]:
            add(DEF_CFA_REGISTER, new.cfa[0])
        else:
            add(DEF_CFA, *new.cfa)
    for register in sorted(old.saved.keys() - new.saved.keys()):
        add(SAME_VALUE, register)
    for register, place in sorted(new.saved.items()):
        if old.saved.get(register) != place:
            if register < 64:
                add(0x80 | register, place)
            else:
                add(0x5, register, place)
    if old.args != new.args:
        add(ARGS_SIZE, new.args)
    return lines, size


def number(line, directive):
    match = re.match(r"\t\." + directive + r"\s+(-?(?:0x)?[0-9a-f]+)$", line)
    if not match:
        raise Unknown(line)
    return int(match[1], 0)


def read_rows(lines, begin, initial):
    """(label, state) of each place where the state changes, from instructions without their padding."""
    state, rows, kept, at = initial.copy(), [], [], 0
    label = begin

    def operand():
        nonlocal at
        at += 1
        return number(lines[at - 1], "uleb128")

    while at < len(lines):
        code = number(lines[at], "byte")
        at += 1
        if code == 0x4:
            match = ADVANCE.search(lines[at])
            if not match:
                raise Unknown(lines[at])
            at += 1
            rows.append((label, state.copy()))
            label = match[1]
        elif code == DEF_CFA:
            state.cfa = (operand(), operand())
        elif code == DEF_CFA_REGISTER:
            state.cfa = (operand(), state.cfa[1])
        elif code == DEF_CFA_OFFSET:
            state.cfa = (state.cfa[0], operand())
        elif code == ARGS_SIZE:
            state.args = operand()
        elif code == 0xA:
            kept.append(state.copy())
        elif code == 0xB:
            state = kept.pop()
        elif code & 0xC0 == 0x80:
            state.saved[code & 0x3F] = operand()
        elif code == 0x5:
            register = operand()
            state.saved[register] = operand()
        elif code & 0xC0 == 0xC0:
            if (code & 0x3F) in initial.saved:
                state.saved[code & 0x3F] = initial.saved[code & 0x3F]
            else:
                state.saved.pop(code & 0x3F, None)
        else:
            raise Unknown(lines[at - 1])
    rows.append((label, state))
    return rows


class Entry:
    """What the tables have of a function (an FDE)."""

    def __init__(self, lines):
        # labels and lengths of the entry; the function's place, its length; of the handler's place the length and itself
        place, length, size, handler = lines[4:8]
        match = ADVANCE.search(length)
        if not match or not place.endswith(f"\t{match[2]}-.") or number(size, "uleb128") != 4:
            raise Unknown(place)
        self.end, self.begin = match.groups()
        handler = handler.split()[1]
        self.handler = None if handler == "0" else handler
        self.long = length.split()[0]
        self.code = lines[8:-2]
        self.rows = None

    def keep_rows_at_calls(self, initial, places, calls):
        rows = read_rows(self.code, self.begin, initial)
        starts = [places[label] for label, _ in rows] + [places[self.end]]
        if starts != sorted(starts):
            raise Unknown(self.begin)
        kept = []
        for (label, state), low, high in zip(rows, starts, starts[1:]):
            if calls[high] > calls[low] and (not kept or kept[-1][1] != state):
                kept.append((label, state))
        self.rows = kept

    def encoded(self, common):
        """Lines and length of the instructions, after those of the common entry."""
        lines, size, state, place = [], 0, common, self.begin
        for index, (label, after) in enumerate(self.rows):
            if index:  # the first row holds from the beginning: before it nothing is called
                lines += ["\t.byte\t0x4", f"\t{self.long}\t{label}-{place}"]
                size += 2
                place = label
            more, length = changes(state, after)
            lines, size, state = lines + more, size + length, after
        return lines, size


def padded(size):
    return (size + 3) // 4 * 4


def choose_common(entries, base):
    """States that common entries begin with, so that the tables are shortest."""
    chosen = [base]
    candidates = collections.Counter()
    for entry in entries:
        if entry.rows:
            candidates[tuple(sorted(entry.rows[0][1].saved.items()))] += 1
    states = [State(base.cfa, dict(saved)) for saved, _ in candidates.most_common(60)]
    header = 21 if entries and entries[0].handler else 17
    sizes = {id(s): [padded(header + e.encoded(s)[1]) for e in entries] for s in [base, *states]}
    best = sizes[id(base)]
    while len(chosen) < MOST_ENTRIES:
        gains = [(sum(b - min(b, n) for b, n in zip(best, sizes[id(s)])) - 32 - 2 * len(s.saved), i)
                 for i, s in enumerate(states)]
        gain, index = max(gains, default=(0, 0))
        if gain <= 0:
            break
        chosen.append(states[index])
        best = [min(pair) for pair in zip(best, sizes[id(states[index])])]
    return chosen


def write_common(out, name, head, state, with_handlers):
    """A CIE: the first one's head, without the parts that concern handlers where there are none."""
    if not with_handlers:
        at = next(i for i, line in enumerate(head) if "zPLR" in line)
        head = [line.replace("zPLR", "zR") for line in head]
        # augmentation: length, encoding and reference of the personality, encodings of handlers and functions
        head = head[:at + 4] + ["\t.uleb128 0x1", head[at + 8]] + head[at + 9:]
    body = [line.replace("CIE1", f"CIE{name}") for line in head[1:]]
    out.append(f".Lframe{name}:")
    out += body + changes(State((None, None)), state)[0]
    out += ["\t.balign 4", f".LECIE{name}:"]


def write_tables(groups, head, base, out):
    for with_handlers, entries in groups:
        if not entries:
            continue
        common = choose_common(entries, base)
        names = []
        for index, state in enumerate(common):
            names.append(f"p{int(with_handlers)}_{index}")
            write_common(out, names[-1], head, state, with_handlers)
        for entry in entries:
            (lines, _), name = min(((entry.encoded(s), n) for s, n in zip(common, names)), key=lambda p: p[0][1])
            tag = f"{entry.begin[2:]}"
            out += [f"\t{entry.long}\t.LEPFDE{tag}-.LPFDE{tag}", f".LPFDE{tag}:",
                    f"\t{entry.long}\t.LPFDE{tag}-.Lframe{name}", f"\t{entry.long}\t{entry.begin}-.",
                    f"\t{entry.long}\t{entry.end}-{entry.begin}"]
            out += ["\t.uleb128 0x4", f"\t{entry.long}\t{entry.handler}"] if entry.handler else ["\t.uleb128 0"]
            out += lines + ["\t.balign 4", f".LEPFDE{tag}:"]


def pack(lines):
    start = next((i for i, line in enumerate(lines) if re.match(r"\t\.section\s+\.eh_frame,", line)), None)
    if start is None:
        return lines
    end = next(i for i in range(start + 1, len(lines)) if re.match(r"\t\.(section|text|data|hidden|weak|ident)", lines[i]))
    places, calls = {}, [0]
    for index, line in enumerate(lines):
        if line.startswith(".L") and line.endswith(":"):
            places[line[:-1]] = index
        calls.append(calls[-1] + bool(CALL.match(line)))

    table = lines[start + 1:end]
    ends = [i for i, line in enumerate(table) if re.match(r"\.LE(CIE|FDE)\d+:$", line)]
    pieces = [table[a + 1:b + 1] for a, b in zip([-1, *ends], ends)]
    if ends[-1] != len(table) - 1 or sum(1 for p in pieces if "CIE" in p[-1]) != 1 or not any('"zPLR"' in p for p in pieces[0]):
        raise Unknown("more than one common entry")
    cie = pieces[0]
    first = next(i for i, line in enumerate(cie) if re.match(r"\t\.byte\s+0xc$", line))
    head = cie[:first]
    base = read_rows(cie[first:-2], "", State((0, 0)))[0][1]

    groups, unknown, out = {True: [], False: []}, [], lines[:start + 1]
    for piece in pieces[1:]:
        try:
            entry = Entry(piece)
            entry.keep_rows_at_calls(base, places, calls)
            groups[entry.handler is not None].append(entry)
        except Unknown:
            unknown += piece
    if unknown:
        out += cie + unknown
    write_tables(groups.items(), head, base, out)
    return out + lines[end:]


def main():
    with open(sys.argv[1]) as source:
        lines = source.read().split("\n")
    try:
        lines = pack(lines)
    except Unknown as what:
        print(f"{sys.argv[1]}: tables for unwinding stay as they are: {what}", file=sys.stderr)
    with open(sys.argv[2], "w") as target:
        target.write("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
