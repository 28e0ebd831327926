#!/usr/bin/env python3
"""Shorter ways to other libraries: link_calls.py IN.s OUT.s LIBRARY OPTIONS

IN.s is GCC's assembly of a whole library for x86-64 or 64-bit Arm, LIBRARY what a first link made of it. Functions of
other libraries are called through the table of their addresses (GOT), in place or by one jump where there are many
calls: the linker makes no table of jumps (PLT), whose entries are longer, nor the sections that go with it.
Thread-local variables are looked up in one place each.

OPTIONS is a file for the compiler's command line: a library that registers nothing to be done when it is unloaded is
linked without the files that would do it.
"""
import collections
import re
import sys

# A label, or another name of one.
LABEL = re.compile(r"([A-Za-z_.$][\w.$]*):|\t\.set\t([\w.$]+),")
# GCC pads the code that looks up a variable, so that a linker may replace it in an executable.
LOOKUP = ("\tdata16\tleaq\t", "\t.value\t0x6666", "\trex64", "\tcall\t__tls_get_addr@PLT")


def defined(lines):
    return {match[1] or match[2] for line in lines if (match := LABEL.match(line))}


def shorten_x86(lines):
    """The lines with calls through the GOT, and those to add at the end."""
    own, added, variables, out = defined(lines), ["\t.text"], {}, []
    at = 0
    while at < len(lines):
        group = lines[at:at + len(LOOKUP)]
        if len(group) == len(LOOKUP) and all(g.startswith(w) for g, w in zip(group, LOOKUP)):
            load = group[0].replace("data16\t", "", 1)
            if load not in variables:
                variables[load] = f".LLOOKUP{len(variables)}"
                added += [f"{variables[load]}:", load, "\tjmp\t__tls_get_addr@PLT"]
            out.append(f"\tcall\t{variables[load]}")
            at += len(LOOKUP)
        else:
            out.append(lines[at])
            at += 1
    call = re.compile(r"\t(call|jmp)\t([\w.$]+)@PLT$")
    count = collections.Counter(m[2] for line in out + added if (m := call.match(line)) and m[2] not in own)
    often = {name: f".LLINK{number}" for number, name in enumerate(n for n, c in count.items() if c > 6)}

    def shorter(line):
        match = call.match(line)
        if not match or match[2] not in count:
            return line
        return f"\t{match[1]}\t" + (often.get(match[2]) or f"*{match[2]}@GOTPCREL(%rip)")

    added = [shorter(line) for line in added]
    for name, label in often.items():
        added += [f"{label}:", f"\tjmp\t*{name}@GOTPCREL(%rip)"]
    return [shorter(line) for line in out], added


def shorten_arm64(lines):
    own, links, added = defined(lines), {}, ["\t.text", "\t.align\t2"]
    call, out = re.compile(r"\t(bl|b)\t([A-Za-z_][\w$]*)$"), []
    for line in lines:
        if (match := call.match(line)) and match[2] not in own and not match[2].startswith("__aarch64_"):  # libgcc.a's
            links.setdefault(match[2], f".LLINK{len(links)}")
            line = f"\t{match[1]}\t{links[match[2]]}"
        out.append(line)
    for name, label in links.items():
        added += [f"{label}:", f"\tadrp\tx16, :got:{name}", f"\tldr\tx16, [x16, :got_lo12:{name}]", "\tbr\tx16"]
    return out, added


def main():
    source, target, library, options = sys.argv[1:]
    with open(source) as file:
        lines = file.read().split("\n")
    out, added = (shorten_x86 if any("%rsp" in line for line in lines) else shorten_arm64)(lines)
    with open(target, "w") as file:
        file.write("\n".join(out + added) + "\n")
    with open(library, "rb") as file:
        registers = b"_atexit\0" in file.read()
    with open(options, "w") as file:
        file.write("" if registers else "-nostartfiles\n")


if __name__ == "__main__":
    sys.exit(main())
