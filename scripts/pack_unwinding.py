#!/usr/bin/env python3
"""Shorter tables for unwinding: pack_unwinding.py IN.s OUT.s

IN.s is GCC's assembly of a whole library, with tables that GCC wrote itself (-fno-dwarf2-cfi-asm): an entry (FDE) for
each function that an error may pass through, which says where registers are after each instruction that moves one, and a
table of the places that free what the function holds (LSDA). Here

- what is true at calls is kept, and nothing in between: errors pass through calls only;
- functions are laid out by what is true at their calls, and neighbors share one entry and one table of places;
- functions that have nothing to free name no handler.
"""
import re
import sys

CALL = re.compile(r"\t(call|lcall|bl|blr|blra[ab]z?)\b")
DIFFERENCE = re.compile(r"\s(\.L\w+)-(\.L\w+)$")
BEFORE_FUNCTION = re.compile(r"\t\.(globl|hidden|type|weak|local|protected|internal|align|p2align|balign)\b"
                             r"|\t\.(text|section\s+\.text)\b")
TEXT_SECTION = re.compile(r"\t\.(text$|section\s+\.text)")
SAME_VALUE, DEF_CFA, DEF_CFA_REGISTER, DEF_CFA_OFFSET, ARGS_SIZE = 0x8, 0xC, 0xD, 0xE, 0x2E
# An entry is read from its beginning to the place looked for. Offsets of two bytes reach 16 KB.
MOST_FUNCTIONS, MOST_LINES = 64, 3500
MOST_SUBSECTIONS = 8000  # the assembler's limit is 8192


class Unknown(Exception):
    """A form that is not handled here: what has it stays as it is."""


class State:
    """Where the caller's frame is, which registers are saved at what multiples from it, and the bytes of arguments."""

    def __init__(self, cfa, saved=None, args=0):
        self.cfa, self.saved, self.args = cfa, dict(saved or {}), args

    def copy(self):
        return State(self.cfa, self.saved, self.args)

    def key(self):
        return (sorted(self.saved.items()), self.cfa, self.args)


def changes(old, new):
    """Instructions that make `new` of `old`."""
    lines = []

    def add(code, *operands):
        lines.append(f"\t.byte\t{code:#x}")
        lines.extend(f"\t.uleb128 {o:#x}" for o in operands)

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
    return lines


def number(line, directive):
    match = re.match(r"\t\." + directive + r"\s+(-?(?:0x)?[0-9a-f]+)$", line)
    if not match:
        raise Unknown(line)
    return int(match[1], 0)


def difference(line):
    match = DIFFERENCE.search(line)
    if not match:
        raise Unknown(line)
    return match.groups()


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
            rows.append((label, state.copy()))
            label = difference(lines[at])[0]
            at += 1
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


class Code:
    """The assembly, with the places of labels and the number of calls before each line."""

    def __init__(self, lines):
        self.lines, self.places, self.calls = lines, {}, [0]
        for index, line in enumerate(lines):
            if line.startswith(".L") and line.endswith(":"):
                self.places[line[:-1]] = index
            self.calls.append(self.calls[-1] + bool(CALL.match(line)))

    def calls_between(self, begin, end):
        return self.calls[self.places[end]] - self.calls[self.places[begin]]


class Function:
    """A function's lines, from what precedes its name to its size."""

    def __init__(self, code, begin):
        lines, at = code.lines, code.places[begin]
        self.first = at - 1
        if lines[self.first].startswith((".", "\t")):
            raise Unknown(begin)
        name = lines[self.first][:-1]
        while BEFORE_FUNCTION.match(lines[self.first - 1]):
            self.first -= 1
        if re.match(r"\t[a-z]", lines[self.first - 1]):  # code that goes on to the function (share_code.py)
            while not lines[self.first].startswith(".LSHARED"):
                self.first -= 1
            while BEFORE_FUNCTION.match(lines[self.first - 1]):
                self.first -= 1
        self.last = at
        while not lines[self.last].startswith(f"\t.size\t{name}, "):
            self.last += 1
        sections = {line.split(",")[0] for line in lines[at:self.last] if TEXT_SECTION.match(line)}
        if len(sections) > 1 or any(line.startswith(".LFB") for line in lines[at + 1:self.last]):
            raise Unknown(begin)


class Site:
    """Calls from `begin` to `end`: an error goes to `pad` ("0": to the caller)."""

    def __init__(self, begin, end, pad):
        self.begin, self.end, self.pad = begin, end, pad


class Entry:
    """What the tables have of a function."""

    def __init__(self, lines, base, code):
        # Four lines of labels and lengths; the function's place and length; size and place of the handler's table.
        place, length, size, handler = lines[4:8]
        self.end, self.begin = difference(length)
        if not place.endswith(f"\t{self.begin}-.") or number(size, "uleb128") != 4:
            raise Unknown(place)
        self.long = length.split()[0]
        handler = handler.split()[1]
        self.handler = None if handler == "0" else handler.removesuffix("-.")
        rows = read_rows(lines[8:-2], self.begin, base)
        starts = [code.places[label] for label, _ in rows] + [code.places[self.end]]
        if starts != sorted(starts):
            raise Unknown(self.begin)
        self.rows = []
        for (label, state), low, high in zip(rows, starts, starts[1:]):
            if code.calls[high] > code.calls[low] or not self.rows and high == starts[-1]:
                self.rows.append((label if self.rows else self.begin, state))
        self.function = self.sites = None
        self.read_layout(code)

    def read_layout(self, code):
        """The function and its table of places, if they are of the plain form that can be moved and united."""
        try:
            function = Function(code, self.begin)
            if self.handler:
                self.read_sites(code)
            self.function = function
        except Unknown:
            pass

    def read_sites(self, code):
        lines, at = code.lines, code.places[self.handler]
        if [number(line, "byte") for line in lines[at + 1:at + 4]] != [0xFF, 0xFF, 0x1]:
            raise Unknown(self.handler)
        end = code.places[difference(lines[at + 4])[0]]
        sites = []
        for first in range(at + 6, end, 4):
            begin, length, pad, action = lines[first:first + 4]
            if difference(begin)[1] != self.begin or number(action, "uleb128"):
                raise Unknown(begin)
            pad = "0" if pad.endswith(" 0") else difference(pad)[0]
            sites.append(Site(difference(begin)[0], difference(length)[0], pad))
        self.sites = sites
        self.table = range(at, end + 1)


def united_sites(entries, code):
    """The places of several functions; neighbors that do alike become one where nothing is called in between."""
    sites = []
    for entry in entries:
        for index, site in enumerate(entry.sites):
            if sites and sites[-1].pad == site.pad == "0":
                last = sites[-1]
                between = (code.calls_between(last.end, site.begin) if index else
                           code.calls_between(last.end, last_entry.end) + code.calls_between(entry.begin, site.begin))
                if between == 0:
                    sites[-1] = Site(last.begin, site.end, "0")
                    continue
            sites.append(site)
        last_entry = entry
    return sites


def groups_of(entries):
    """Entries in their new order, in groups that share one."""
    groups = []
    for entry in sorted(entries, key=lambda e: (e.rows[0][1].key(), len(e.rows))):
        lines = entry.function.last - entry.function.first
        if groups and len(groups[-1]) < MOST_FUNCTIONS and size + lines < (MOST_LINES if entry.handler else 1 << 30):
            groups[-1].append(entry)
            size += lines
        else:
            groups.append([entry])
            size = lines
    return groups


class Tables:
    def __init__(self, head, base):
        self.head, self.base, self.out = head, base, []

    def common(self, with_handlers):
        """A CIE: the head of GCC's, without what concerns handlers where there are none."""
        name = f"p{int(with_handlers)}"
        head = self.head
        if not with_handlers:
            at = next(i for i, line in enumerate(head) if "zPLR" in line)
            # Three lines on, the augmentation: its length, encoding and reference of the personality, encodings of
            # handlers' and functions' places. Only the last one stays.
            name_line = head[at].replace("zPLR", "zR")
            head = head[:at] + [name_line] + head[at + 1:at + 4] + ["\t.uleb128 0x1"] + head[at + 8:]
        self.out.append(f".Lframe{name}:")
        self.out += [line.replace("CIE1", f"CIE{name}") for line in head[1:]]
        self.out += changes(State((None, None)), self.base) + ["\t.balign 4", f".LECIE{name}:"]

    def entry(self, entries, handler):
        first, last, tag = entries[0], entries[-1], entries[0].begin[2:]
        long = first.long
        self.out += [f"\t{long}\t.LEPFDE{tag}-.LPFDE{tag}", f".LPFDE{tag}:",
                     f"\t{long}\t.LPFDE{tag}-.Lframep{int(bool(handler))}", f"\t{long}\t{first.begin}-.",
                     f"\t{long}\t{last.end}-{first.begin}"]
        self.out += ["\t.uleb128 0x4", f"\t{long}\t{handler}-."] if handler else ["\t.uleb128 0"]
        state, place = self.base, first.begin
        for label, after in (row for entry in entries for row in entry.rows):
            if state.key() == after.key():
                continue
            if label != place:
                self.out += ["\t.byte\t0x4", f"\t{long}\t{label}-{place}"]
                place = label
            self.out += changes(state, after)
            state = after
        self.out += ["\t.balign 4", f".LEPFDE{tag}:"]


def sites_table(label, sites, begin):
    lines = [f"{label}:", "\t.byte\t0xff", "\t.byte\t0xff", "\t.byte\t0x1", f"\t.uleb128 {label}E-{label}B"]
    lines.append(f"{label}B:")
    for site in sites:
        lines += [f"\t.uleb128 {site.begin}-{begin}", f"\t.uleb128 {site.end}-{site.begin}",
                  f"\t.uleb128 {site.pad}" + (f"-{begin}" if site.pad != "0" else ""), "\t.uleb128 0"]
    return lines + [f"{label}E:"]


def lay_out(code, order):
    """The assembly with functions in subsections of .text, in the given order, without tables of places that were
    united. Functions that have no entry, or one of their own, stay in their sections."""
    number_of, dropped = {}, set()
    for index, entry in enumerate(order):
        function = entry.function
        number_of[function.first] = (index + 1, function.last)
        if entry.sites is not None:
            dropped.update(entry.table)
    out, section, subsection, last = [], "\t.text", 0, -1
    for at, line in enumerate(code.lines):
        if at in number_of:
            subsection, last = number_of[at]
            out.append(f"\t.text\t{subsection}")
        if at in dropped:
            continue
        if TEXT_SECTION.match(line):
            section = line
            out.append(f"\t.text\t{subsection}" if subsection else line)
        else:
            out.append(line)
        if at == last:
            out.append(section)
            subsection = 0
    return out


def pack(lines):
    start = next((i for i, line in enumerate(lines) if re.match(r"\t\.section\s+\.eh_frame,", line)), None)
    if start is None:
        return lines
    after = re.compile(r"\t\.(section|text|data|hidden|weak|ident)")
    end = next(i for i in range(start + 1, len(lines)) if after.match(lines[i]))
    code = Code(lines[:start])
    table = lines[start + 1:end]
    ends = [i for i, line in enumerate(table) if re.match(r"\.LE(CIE|FDE)\d+:$", line)]
    pieces = [table[a + 1:b + 1] for a, b in zip([-1, *ends], ends)]
    cie = pieces[0]
    if ends[-1] != len(table) - 1 or sum("CIE" in p[-1] for p in pieces) != 1 or not any('"zPLR"' in p for p in cie):
        raise Unknown("its common entries are of another form")
    first = next(i for i, line in enumerate(cie) if re.match(r"\t\.byte\s+0xc$", line))
    base = read_rows(cie[first:-2], "", State((0, 0)))[0][1]

    entries, unknown = [], []
    for piece in pieces[1:]:
        try:
            entries.append(Entry(piece, base, code))
        except Unknown:
            unknown += piece
    tables, order, places = Tables(cie[:first], base), [], []
    for with_handlers in (False, True):
        own = [e for e in entries if bool(e.handler) == with_handlers]
        tables.common(with_handlers)
        for entry in [e for e in own if e.function][MOST_SUBSECTIONS - len(order):]:
            entry.function = None
        for group in groups_of([e for e in own if e.function]):
            handler = None
            if with_handlers:
                handler = f".LPLSDA{group[0].begin[2:]}"
                places += sites_table(handler, united_sites(group, code), group[0].begin)
            tables.entry(group, handler)
            order += group
        for entry in own:
            if not entry.function:
                tables.entry([entry], entry.handler)
    out = lay_out(code, order)
    out += ["\t.section\t.gcc_except_table,\"a\",@progbits", *places] if places else []
    return out + [lines[start]] + (cie + unknown if unknown else []) + tables.out + lines[end:]


def main():
    with open(sys.argv[1]) as source:
        lines = source.read().split("\n")
    try:
        lines = pack(lines)
    except (Unknown, LookupError, StopIteration) as what:
        print(f"{sys.argv[1]}: tables for unwinding stay as they are: {what}", file=sys.stderr)
    with open(sys.argv[2], "w") as target:
        target.write("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
