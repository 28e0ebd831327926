#!/usr/bin/env python3
"""check_api.py [CLASSES...]: every public member of PyTorch's Java classes is in ours, with the same signature.

CLASSES are jars or folders of classes; without any, those that `mvn verify` has made. The lists are api/*.txt: a line
for a class as `javap -public` writes it, below it, indented, its members, and after ` # ` the descriptor of each. Ours
may have more: members, and interfaces of a class. Ends with "N passed, M failed".

check_api.py --record JAVAP_OUTPUT: prints such a list of what `javap -public -s` has printed."""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
BUILT = ["pytorch_android/target/classes", "torchvision/target/classes"]


def parse(text):
    """Class line -> set of (member, descriptor)."""
    classes, members, member = {}, None, None
    for line in text.splitlines():
        if re.match(r"(public |final |abstract |class |interface )+.*\{$", line):
            members = classes.setdefault(line.rstrip(" {"), set())
        elif line.startswith("    descriptor: ") and member:
            members.add((member, line.split(": ", 1)[1]))
            member = None
        elif line.startswith("  public ") and members is not None:
            member = line.strip().rstrip(";")
    return classes


def read_list(path):
    classes, members = {}, None
    for line in path.read_text().splitlines():
        if not line.strip():
            continue
        if line.startswith("  "):
            members.add(tuple(line.strip().split(" # ")))
        else:
            members = classes.setdefault(line, set())
    return classes


def class_name(line):
    return re.search(r"(?:class|interface) ([\w.$]+)", line).group(1)


def disassemble(places, names):
    command = ["javap", "-public", "-s", "-cp", ":".join(map(str, places)), *names]
    done = subprocess.run(command, capture_output=True, text=True)
    return parse(done.stdout), done.stderr


def main():
    if sys.argv[1:2] == ["--record"]:
        for line, members in parse(pathlib.Path(sys.argv[2]).read_text()).items():
            print(line, *(f"  {member} # {descriptor}" for member, descriptor in sorted(members)), sep="\n")
        return 0
    places = [pathlib.Path(p) for p in sys.argv[1:]] or [HERE / p for p in BUILT]
    wanted = {}
    for path in sorted((HERE / "api").glob("*.txt")):
        wanted.update(read_list(path))
    found, errors = disassemble(places, [class_name(line) for line in wanted])
    ours = {class_name(line): (line, members) for line, members in found.items()}
    passed = failed = 0
    for line, members in wanted.items():
        header, own = ours.get(class_name(line), ("", set()))
        missing = [] if header == line or header.startswith((line + " implements ", line + ", ")) else [line]
        missing += [" ".join(m) for m in members - own]
        for what in missing:
            print(f"missing in {class_name(line)}: {what}")
        failed += len(missing)
        passed += 1 + len(members) - len(missing)
    if failed:
        print(errors.strip())
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
