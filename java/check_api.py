#!/usr/bin/env python3
"""check_api.py [CLASSES...]: every public member of PyTorch's Java classes is in ours, with the same signature.

CLASSES are jars or folders of classes; without any, those that `mvn verify` has made. The lists are api/*.txt: a line
for a class as `javap -public` writes it, below it, indented, its members, and after ` # ` the descriptor of each. Ours
may have more: members, interfaces, and a superclass of ours that has some of them. Ends with "N passed, M failed".

check_api.py --record JAVAP_OUTPUT: prints such a list of what `javap -public -s` has printed."""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
BUILT = ["pytorch_android/target/classes", "torchvision/target/classes"]
SUPERCLASSES = ["org.pytorch.ModulePeer"]
PYTORCHS = set()  # names of the lists


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


def parts(line):
    """What a class is and its name, its superclass (or None), its interfaces."""
    head, superclass, interfaces = re.fullmatch(r"(.*?(?:class|interface) \S+)(?: extends (\S+))?(?: implements (.*))?",
                                                line).groups()
    return head, superclass, set((interfaces or "").split(", ")) - {""}


def with_inherited(name, classes):
    """Superclass, interfaces and members of one of ours, with those of superclasses of ours that PyTorch has not."""
    line, members = classes[name]
    _, superclass, interfaces = parts(line)
    if superclass in classes and superclass not in PYTORCHS:
        superclass, more, inherited = with_inherited(superclass, classes)
        return superclass, interfaces | more, members | inherited
    return superclass, interfaces, members


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
    names = [class_name(line) for line in wanted]
    PYTORCHS.update(names)
    found, errors = disassemble(places, names + SUPERCLASSES)
    ours = {class_name(line): (line, members) for line, members in found.items()}
    passed = failed = 0
    for line, members in wanted.items():
        name = class_name(line)
        missing, own = [line], set()
        if name in ours:
            superclass, interfaces, own = with_inherited(name, ours)
            head, wanted_superclass, wanted_interfaces = parts(line)
            if parts(ours[name][0])[0] == head and superclass == wanted_superclass and wanted_interfaces <= interfaces:
                missing = []
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
