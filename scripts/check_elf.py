#!/usr/bin/env python3
"""check_elf.py [OPTIONS] LIBRARY.so...: whether shared libraries can be loaded by Android.

Checks that segments are aligned to 16 KB pages, that needed libraries are Android's own or among those given, that
imported symbols are there (with --sysroot, the NDK's folder of stub libraries of an API level; or --symbols, a list),
that nothing relocates code, that the stack is not executable, and with --exports what must be visible. Reads ELF files
of any machine, 32 and 64 bits. Prints a line a problem and exits with 1; else a line a library."""
import argparse
import pathlib
import struct
import sys

ANDROID = {"libc.so", "libm.so", "libdl.so", "liblog.so", "libandroid.so", "libjnigraphics.so", "libz.so"}
MACHINES = {3: "x86", 40: "armeabi-v7a", 62: "x86_64", 183: "arm64-v8a"}
PT_LOAD, PT_DYNAMIC, PT_GNU_STACK = 1, 2, 0x6474E551
DT_NEEDED, DT_STRTAB, DT_SONAME, DT_TEXTREL, DT_FLAGS = 1, 5, 14, 22, 30
DF_TEXTREL = 4
SHT_DYNSYM = 11


class BadElf(Exception):
    pass


class Elf:
    """The dynamic part of a shared library: .abi, .segments, .needed, .soname, .imports, .exports, .text_relocations."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.data = self.path.read_bytes()
        if self.data[:4] != b"\x7fELF" or len(self.data) < 52 or self.data[4] not in (1, 2) or self.data[5] != 1:
            raise BadElf("is not a little-endian ELF file")
        self.wide = self.data[4] == 2
        self.machine = self.unpack("H", 18)[0]
        self.abi = MACHINES.get(self.machine, f"machine {self.machine}")
        if self.wide:
            programs, sections = self.unpack("QQ", 32)
            self.counts = self.unpack("HHHH", 54)
        else:
            programs, sections = self.unpack("II", 28)
            self.counts = self.unpack("HHHH", 42)
        self.segments = [self.segment(programs + i * self.counts[0]) for i in range(self.counts[1])]
        self.read_dynamic()
        self.read_symbols([sections + i * self.counts[2] for i in range(self.counts[3])])

    def unpack(self, form, at):
        try:
            return struct.unpack_from("<" + form, self.data, at)
        except struct.error:
            raise BadElf("ends early") from None

    def segment(self, at):
        """(type, flags, offset, address, size in the file, alignment)"""
        if self.wide:
            kind, flags, offset, address, _, size, _, align = self.unpack("IIQQQQQQ", at)
        else:
            kind, offset, address, _, size, _, flags, align = self.unpack("IIIIIIII", at)
        return kind, flags, offset, address, size, align

    def offset_of(self, address):
        for kind, _, offset, start, size, _ in self.segments:
            if kind == PT_LOAD and start <= address < start + size:
                return offset + address - start
        raise BadElf(f"has nothing at address {address:#x}")

    def text(self, at):
        end = self.data.find(b"\0", self.strings + at)
        return self.data[self.strings + at:end].decode()

    def read_dynamic(self):
        self.needed, self.soname, self.text_relocations = [], None, False
        entries = []
        for kind, _, offset, _, size, _ in self.segments:
            step = 16 if self.wide else 8
            if kind == PT_DYNAMIC:
                entries = [self.unpack("QQ" if self.wide else "II", offset + i) for i in range(0, size - step + 1, step)]
        table = dict(reversed(entries))
        if DT_STRTAB not in table:
            raise BadElf("has no dynamic section: it is not a shared library")
        self.strings = self.offset_of(table[DT_STRTAB])
        for tag, value in entries:
            if tag == 0:
                break
            if tag == DT_NEEDED:
                self.needed.append(self.text(value))
            elif tag == DT_SONAME:
                self.soname = self.text(value)
            elif tag == DT_TEXTREL or (tag == DT_FLAGS and value & DF_TEXTREL):
                self.text_relocations = True

    def read_symbols(self, sections):
        self.imports, self.exports = set(), set()
        for at in sections:
            if self.wide:
                _, kind, _, _, offset, size, _, _, _, entry = self.unpack("IIQQQQIIQQ", at)
            else:
                _, kind, _, _, offset, size, _, _, _, entry = self.unpack("IIIIIIIIII", at)
            if kind != SHT_DYNSYM or entry == 0:
                continue
            for symbol in range(offset + entry, offset + size, entry):
                if self.wide:
                    name, info, _, section = self.unpack("IBBH", symbol)
                else:
                    name, _, _, info, _, section = self.unpack("IIIBBH", symbol)
                weak = info >> 4 == 2
                if section != 0:
                    self.exports.add(self.text(name))
                elif not weak and name != 0:
                    self.imports.add(self.text(name))


def problems(elf, page, known_libraries, known_symbols, exports):
    for kind, flags, _, address, _, align in elf.segments:
        if kind == PT_LOAD and align < page:
            yield f"the segment at {address:#x} is aligned to {align:#x}, pages of {page:#x} need as much"
        if kind == PT_GNU_STACK and flags & 1:
            yield "it wants an executable stack"
    if elf.text_relocations:
        yield "it relocates its code, which Android refuses"
    for name in elf.needed:
        if name not in known_libraries:
            yield f"it needs {name}, which neither Android nor the package has"
    if known_symbols is not None:
        for name in sorted(elf.imports - known_symbols):
            yield f"it imports {name}, which the API level does not have"
    for name in exports:
        if name not in elf.exports:
            yield f"it does not export {name}"


def symbols_of(sysroot, siblings, path):
    """What libraries may import: symbols of the sysroot's libraries, of those checked together and of a list."""
    if not sysroot and not path:
        return None
    known = set()
    for library in sorted(pathlib.Path(sysroot).glob("*.so")) if sysroot else []:
        known |= Elf(library).exports
    if path:
        known |= set(pathlib.Path(path).read_text().split())
    for elf in siblings:
        known |= elf.exports
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="+")
    parser.add_argument("--page", type=lambda text: int(text, 0), default=16384, help="largest pages (16384)")
    parser.add_argument("--sysroot", help="folder of the stub libraries of the least API level")
    parser.add_argument("--symbols", help="file with names of symbols that may be imported")
    parser.add_argument("--exports", default="", help="names, separated by commas, that every library must export")
    arguments = parser.parse_args()
    elves, failed = [], False
    for path in arguments.libraries:
        try:
            elves.append(Elf(path))
        except (BadElf, OSError) as error:
            print(f"{path}: {error}")
            failed = True
    for elf in elves:
        siblings = [e for e in elves if e.machine == elf.machine]
        libraries = ANDROID | {e.soname or e.path.name for e in siblings}
        known = symbols_of(arguments.sysroot, siblings, arguments.symbols)
        exports = [name for name in arguments.exports.split(",") if name]
        found = list(problems(elf, arguments.page, libraries, known, exports))
        for problem in found:
            print(f"{elf.path}: {problem}")
        failed = failed or bool(found)
        if not found:
            print(f"{elf.path}: {elf.abi}, {len(elf.data)} bytes, needs {', '.join(elf.needed) or 'nothing'}; right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
