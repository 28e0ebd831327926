"""What the counting plugin wrote (plugin.c): instructions by kind, multiply-adds, cycles estimated by llvm-mca.

    counts.py FILE [--section N] [--cpus cortex-a55,neoverse-n1] [--functions N] [--blocks N]
"""
import argparse
import collections
import functools
import hashlib
import json
import pathlib
import re
import shutil
import subprocess

FEATURES = "+v8.6a,+fp16,+fullfp16,+bf16,+i8mm,+dotprod,+sve2,+sme2"
MULTIPLY_ADDS = re.compile(r"(fmla|fmls|[su]dot|usdot|sudot|[su]mmla|usmmla|fmlal2?|fmlsl2?|bfmmla|bfdot|[su]mlal2?|mla)$")
# llvm-mca's model of each core; that of A76 and A78 is N1's, of X1 V1's, of X3 V2's: under their own names LLVM 19 answers
# as for a Cortex-A57.
CORES = {"A55": "cortex-a55", "A510": "cortex-a510", "A76": "neoverse-n1", "X1": "neoverse-v1", "X3": "neoverse-v2", "M1": "apple-m1"}


@functools.lru_cache(None)
def tool(name):
    """LLVM's program of that name, the newest."""
    for version in ("-19", "-18", "-17", ""):
        if shutil.which(name + version):
            return name + version
    raise SystemExit(f"{name} is missing: scripts/deps.sh bench-arm64 installs it")


class Block:
    def __init__(self, count, symbol, words):
        self.count, self.symbol, self.words = count, symbol, words

    @property
    def instructions(self):
        return self.count * len(self.words)


def read(path, section):
    """Blocks that ran in a section."""
    blocks, current = [], None
    with open(path) as file:
        for line in file:
            fields = line.split()
            if fields[0] == "section":
                # A section's line comes before its blocks.
                current = int(fields[1])
            elif current == section:
                blocks.append(Block(int(fields[0]), fields[2], [int(word, 16) for word in fields[3:]]))
    return blocks


def disassembled(words):
    """The text of each word."""
    words = list(words)
    if not words:
        return {}
    text = "\n".join(" ".join(f"0x{word >> shift & 255:02x}" for shift in (0, 8, 16, 24)) for word in words)
    answer = subprocess.run([tool("llvm-mc"), "--disassemble", "-triple=aarch64", f"-mattr={FEATURES}"], input=text,
                            capture_output=True, text=True).stdout
    lines = [line.strip() for line in answer.splitlines() if line.strip() and not line.strip().startswith(".")]
    if len(lines) == len(words):
        return dict(zip(words, lines))
    if len(words) == 1:  # data, or an instruction that is not known
        return {words[0]: "udf\t#0"}
    half = len(words) // 2
    return {**disassembled(words[:half]), **disassembled(words[half:])}


def kind(text):
    """A class of instructions."""
    name, _, operands = text.partition("\t")
    is_vector = bool(re.search(r"\bv\d+\.|\{ ?v\d|\bz\d+\.", operands))
    if MULTIPLY_ADDS.match(name) and is_vector:
        return "multiply-add"
    if name.startswith("prf"):
        return "prefetch"
    if name.startswith(("ld", "st")):
        what = "load" if name.startswith("ld") else "store"
        if re.match(r"\{ ?v|q\d", operands):
            return "vector " + what
        return what + (" of a float" if re.match(r"[dshb]\d", operands) else "")
    if is_vector and name in ("mov", "movi", "fmov", "ins", "umov", "smov", "dup"):
        return "vector move"
    if is_vector and re.match(r"(zip|uzp|trn|ext|tbl|tbx|rev|xtn|[su]qxtu?n|[su]shll|[su]xtl|fcvtl|fcvtn)", name):
        return "permute, narrow or widen"
    if is_vector:
        return "vector arithmetic"
    if name.startswith("b.") or name in ("b", "bl", "blr", "br", "ret", "cbz", "cbnz", "tbz", "tbnz"):
        return "branch"
    return "float" if name.startswith("f") else "integer"


class Estimates:
    """Cycles of blocks by llvm-mca, remembered in a file: most blocks of two builds are the same."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.known = json.loads(self.path.read_text()) if self.path.exists() else {}

    def cycles(self, lines, core):
        key = hashlib.md5((core + "\n".join(lines)).encode()).hexdigest()
        if key not in self.known:
            command = [tool("llvm-mca"), "-mtriple=aarch64", f"-mcpu={core}", f"-mattr={FEATURES}", "-iterations=50",
                       "--instruction-info=0", "--resource-pressure=0", "-skip-unsupported-instructions=parse-failure"]
            answer = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True).stdout
            total = re.search(r"Total Cycles:\s+(\d+)", answer)
            self.known[key] = int(total.group(1)) / 50 if total else None
        return self.known[key]

    def save(self):
        self.path.write_text(json.dumps(self.known))


class Counts:
    def __init__(self, path, section=2):
        self.blocks = sorted(read(path, section), key=lambda block: -block.instructions)
        if not self.blocks:
            raise SystemExit(f"{path} has no section {section}")
        self.text = disassembled(sorted({word for block in self.blocks for word in block.words}))
        self.kinds = {word: kind(text) for word, text in self.text.items()}
        self.total = sum(block.instructions for block in self.blocks)
        self.mix = collections.Counter()
        for block in self.blocks:
            for word in block.words:
                self.mix[self.kinds[word]] += block.count

    @property
    def multiply_adds(self):
        return self.mix["multiply-add"]

    def cycles(self, core, estimates, covered=0.98):
        """Of all, from the blocks that make up most of the instructions. No caches, no branches taken wrongly."""
        done = cycles = 0
        for block in self.blocks:
            of_block = estimates.cycles([self.text[word] for word in block.words], core)
            if of_block is None:
                continue
            cycles += block.count * of_block
            done += block.instructions
            if done > covered * self.total:
                break
        return cycles * self.total / done

    def functions(self):
        """(name, instructions, multiply-adds), most first."""
        sums = collections.defaultdict(lambda: [0, 0])
        for block in self.blocks:
            sums[block.symbol][0] += block.instructions
            sums[block.symbol][1] += block.count * sum(self.kinds[word] == "multiply-add" for word in block.words)
        order = sorted(sums, key=lambda name: -sums[name][0])
        names = subprocess.run(["c++filt"], input="\n".join(order), capture_output=True, text=True).stdout.splitlines()
        return [(re.sub(r"wick::kernels::|N_NEON::|\(anonymous namespace\)::", "", name), *sums[key])
                for key, name in zip(order, names)]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("file")
    options.add_argument("--section", type=int, default=2)
    options.add_argument("--cpus", default="")
    options.add_argument("--functions", type=int, default=0)
    options.add_argument("--blocks", type=int, default=0)
    given = options.parse_args()
    counts = Counts(given.file, given.section)
    print(f"{counts.total / 1e6:.2f} M instructions, {100 * counts.multiply_adds / counts.total:.1f} % multiply-adds")
    for name, count in counts.mix.most_common():
        print(f"{count / 1e6:9.2f} M {100 * count / counts.total:5.1f} %  {name}")
    estimates = Estimates(pathlib.Path(given.file).with_name("mca.json"))
    for core in filter(None, given.cpus.split(",")):
        print(f"{counts.cycles(CORES.get(core, core), estimates) / 1e6:9.2f} M cycles, {core}")
    estimates.save()
    for name, instructions, multiply_adds in counts.functions()[:given.functions]:
        print(f"{instructions / 1e6:9.2f} M {100 * multiply_adds / instructions:5.1f} % multiply-adds  {name[:150]}")
    for block in counts.blocks[:given.blocks]:
        print(f"-- {block.count} times {len(block.words)} in {block.symbol[:120]}")
        for word in block.words:
            print("   ", counts.text[word])


if __name__ == "__main__":
    main()
