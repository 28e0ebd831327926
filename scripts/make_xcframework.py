#!/usr/bin/env python3
"""Makes an xcframework of static libraries, without Xcode.

make_xcframework.py OUTPUT.xcframework --headers FOLDER LIBRARY.a...

Platform and architectures are read from the libraries themselves: one a platform (simulators are platforms of their own;
architectures of one are joined by lipo before). The folder of headers goes beside each.
"""
import argparse
import plistlib
import shutil
import struct
import sys
from pathlib import Path

ARCHS = {(0x0100000C, 0): "arm64", (0x0100000C, 2): "arm64e", (0x01000007, 3): "x86_64", (0x0200000C, 1): "arm64_32",
         (12, 12): "armv7k"}
# Of LC_BUILD_VERSION: platform and variant.
PLATFORMS = {1: ("macos", None), 2: ("ios", None), 3: ("tvos", None), 4: ("watchos", None), 7: ("ios", "simulator"),
             8: ("tvos", "simulator"), 9: ("watchos", "simulator"), 11: ("xros", None), 12: ("xros", "simulator")}
# Of the older commands.
OLDER = {0x24: ("macos", None), 0x25: ("ios", None), 0x2F: ("tvos", None), 0x30: ("watchos", None)}
LC_BUILD_VERSION = 0x32


class Problem(Exception):
    pass


def objects(data):
    """The members of an archive."""
    if data[:8] != b"!<arch>\n":
        raise Problem("it is no archive")
    place = 8
    while place + 60 <= len(data):
        name, size = data[place:place + 16], data[place + 48:place + 58]
        try:
            size = int(size)
        except ValueError:
            raise Problem(f"a member's size is {size!r}") from None
        body = data[place + 60:place + 60 + size]
        if name.startswith(b"#1/"):  # BSD: the name stands before the content
            body = body[int(name[3:].strip()):]
        yield body
        place += 60 + size + size % 2


def describe_object(data):
    """(architecture, platform) of a Mach-O object; None for what is none."""
    if len(data) < 32 or struct.unpack_from("<I", data)[0] not in (0xFEEDFACF, 0xFEEDFACE):
        return None
    wide = struct.unpack_from("<I", data)[0] == 0xFEEDFACF
    cpu, subtype, _, commands = struct.unpack_from("<iiII", data, 4)
    arch = ARCHS.get((cpu & 0xFFFFFFFF, subtype & 0xFFFFFF))
    if not arch:
        raise Problem(f"it has an object for processor {cpu:#x}, {subtype:#x}, which is not known")
    place, platform = 32 if wide else 28, None
    for _ in range(commands):
        if place + 8 > len(data):
            raise Problem("it has an object that is cut off")
        command, size = struct.unpack_from("<II", data, place)
        if command == LC_BUILD_VERSION:
            platform = PLATFORMS.get(struct.unpack_from("<I", data, place + 8)[0])
        elif command in OLDER:
            platform = OLDER[command]
        if size < 8:
            raise Problem("it has an object with a command without a size")
        place += size
    return arch, platform


def describe(library):
    """Architectures and platform of a static library."""
    data = library.read_bytes()
    parts = [data]
    if data[:4] == b"\xca\xfe\xba\xbe":
        count = struct.unpack_from(">I", data, 4)[0]
        parts = []
        for index in range(count):
            offset, size = struct.unpack_from(">II", data, 8 + 20 * index + 8)
            parts.append(data[offset:offset + size])
    archs, platforms = [], set()
    for part in parts:
        found = {kind for kind in map(describe_object, objects(part)) if kind}
        here = {arch for arch, _ in found}
        if len(here) != 1:
            raise Problem(f"{library}: a part of it is for {sorted(here) or 'no processor'}")
        archs += here
        platforms |= {platform for _, platform in found if platform}
    if len(platforms) != 1:
        raise Problem(f"{library}: its objects are for {len(platforms)} platforms")
    return archs, platforms.pop()


def make(output, headers, libraries):
    entries = {}
    for library in libraries:
        archs, (platform, variant) = describe(library)
        name = "-".join([platform, "_".join(sorted(archs)), *([variant] if variant else [])])
        if any((e["SupportedPlatform"], e.get("SupportedPlatformVariant")) == (platform, variant) for e in entries.values()):
            raise Problem(f"{library}: there is another library for {platform} {variant or ''}: join them with lipo")
        entries[name] = {"BinaryPath": library.name, "HeadersPath": "Headers", "LibraryIdentifier": name,
                         "LibraryPath": library.name, "SupportedArchitectures": sorted(archs),
                         "SupportedPlatform": platform, **({"SupportedPlatformVariant": variant} if variant else {})}
    if output.exists():
        shutil.rmtree(output)
    for library, (name, entry) in zip(libraries, entries.items()):
        (output / name).mkdir(parents=True)
        shutil.copy(library, output / name / library.name)
        shutil.copytree(headers, output / name / "Headers")
    information = {"AvailableLibraries": list(entries.values()), "CFBundlePackageType": "XFWK",
                   "XCFrameworkFormatVersion": "1.0"}
    (output / "Info.plist").write_bytes(plistlib.dumps(information))
    return list(entries)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--headers", type=Path, required=True)
    parser.add_argument("libraries", type=Path, nargs="+")
    arguments = parser.parse_args()
    if arguments.output.suffix != ".xcframework":
        parser.error(f"{arguments.output} does not end with .xcframework")
    try:
        print(f"{arguments.output}: {', '.join(make(arguments.output, arguments.headers, arguments.libraries))}")
    except (Problem, OSError, struct.error) as problem:
        sys.exit(f"make_xcframework.py: {problem}")


if __name__ == "__main__":
    main()
