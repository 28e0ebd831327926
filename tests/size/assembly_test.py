#!/usr/bin/env python3
"""What selective builds do to GCC's assembly (pack_texts.py, shorten_code.py, share_code.py, pack_unwinding.py,
link_calls.py) keeps a library's meaning: assembly_test.py [COMPILER [RUNNER ...]], by default g++ and no runner; for another machine
aarch64-linux-gnu-g++ qemu-aarch64 -L /usr/aarch64-linux-gnu

A library throws errors through functions of many shapes: with much and nothing to free, with few and many registers and
arguments, caught in between, rethrown. Its output must be the same before and after, its tables smaller, and nothing
is called through a table of jumps. Messages must be the same from packed texts.
"""
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COMPILER = sys.argv[1] if len(sys.argv) > 1 else "g++"
RUNNER = sys.argv[2:]
SIZE = COMPILER.removesuffix("g++") + "size"
ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPTS = ROOT / "scripts"
FLAGS = ["-std=c++20", "-fPIC", "-Oz", "-fno-strict-aliasing", "-fexceptions", "-fno-asynchronous-unwind-tables",
         "-fno-dwarf2-cfi-asm", "-gdwarf-2", "-g0"]
HEAD = """
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
namespace wick::lite {  // of what loads a model more is shared
static long freed = 0;
static thread_local long entered = 0;
struct Held {
  explicit Held(long n) : n(n) {}
  ~Held() { freed = freed * 31 + n; }
  long n;
};
struct Other : std::runtime_error { using runtime_error::runtime_error; };
[[gnu::noinline]] static long leaf(long a, const std::string& s) {
  if (++entered % 9 == 0) freed ^= entered;
  if (a % 7 == 3) throw std::runtime_error(s + std::to_string(a));
  if (a % 11 == 5) throw Other(s);
  return a * 3 + static_cast<long>(s.size());
}
// Arguments on the stack: who calls it and frees something has a frame pointer.
[[gnu::noinline]] static long many(long a, long* list, long c, long d, long e, long f, const std::string& s, long g, long h) {
  list[a % 40 & 31] += g ^ h;
  return leaf((a + c + d + e + f + list[7]) % 1000, s);
}
"""


def function(number, rng):
    """C++ of a function that calls two earlier ones."""
    callees = [f"f{rng.randrange(number)}" if number else "leaf" for _ in range(2)]
    lines = [f"[[gnu::noinline]] static long f{number}(long a, const std::string& s) {{"]
    values = rng.randrange(1, 9)
    for v in range(values):
        lines.append(f"  long v{v} = a * {rng.randrange(1, 99)} + {rng.randrange(99)};")
    for held in range(rng.randrange(3)):
        lines.append(f"  Held h{held}(a + {rng.randrange(99)});")
    if rng.random() < 0.4:
        lines.append("  std::vector<long> list(static_cast<size_t>(a % 5 + 5), v0);  v0 += list.back();")
    if rng.random() < 0.4:
        lines.append("  std::string text = s + std::to_string(v0 % 10);")
    if rng.random() < 0.3:
        lines += ["  long row[40] = {v0, a};", f"  std::string far(s, 0, static_cast<size_t>({rng.randrange(1, 30)}));",
                  f"  v0 += many(a & 63, row, v0, row[9], {rng.randrange(9)}, a, far, v0, a * {rng.randrange(9)}) + row[5];",
                  "  row[3] = v0;  v0 ^= many(v0 & 15, row + 1, 1, 2, 3, 4, far, 5, 6);"]
    name = "text" if "  std::string text" in "\n".join(lines) else "s"
    first = f"  long r = {callees[0]}(v0 % 1000, {name});"
    shape = rng.randrange(4)
    if shape == 0:
        lines += ["  long r = 0;", f"  try {{ r = {callees[0]}(v0 % 1000, {name}); }} catch (const Other& e) {{ r = 17; }}"]
    elif shape == 1:
        lines += ["  long r = 0;",
                  f"  try {{ r = {callees[0]}(v0 % 1000, {name}); }} catch (...) {{ freed ^= a; if (a % 3) throw; r = 5; }}"]
    elif shape == 2:
        lines += [first, f"  if (r % 2) return {callees[1]}(r % 1000, {name});"]
    else:
        lines.append(first)
    lines.append(f"  r += {callees[1]}((r + v{values - 1}) % 1000, {name});")
    return "\n".join([*lines, "  return r" + "".join(f" + v{v}" for v in range(values)) + ";", "}"])


WORDS = ["the record", "is not", "a tensor of", "expected", "zzzzzzz", "'", "\\n  ", "100 %", "\\\\", '\\"', "an item"]


def run(*words):
    return subprocess.run([str(w) for w in words], check=True, capture_output=True, text=True).stdout


def texts_agree(base):
    """Whether messages of literals, numbers and strings are the same from packed literals, and those are shorter."""
    rng = random.Random(11)
    lines = ['#include "core/error.cpp"', '#include "core/packed_texts.cpp"',
             "std::string wick::Type::str() const { return {}; }", "int main(int n, char**) {"]
    for number in range(200):
        parts = [f'"{" ".join(rng.choices(WORDS, k=rng.randrange(1, 6)))}"' for _ in range(3)]
        parts[1:1] = [rng.choice([f"n + {number}", 'std::string("\\x80\\xff")', "n * 0.5", '(n > 1 ? "many" : "one")'])]
        lines.append(f"  std::puts(wick::cat({', '.join(parts)}).c_str());")
    (base / "texts.cpp").write_text("\n".join([*lines, "}"]))
    answers, sizes = [], []
    for name, defines in {"plain": [], "packed": ["-DWICK_PACKED_TEXTS"]}.items():
        assembly = base / f"{name}.s"
        folders = ["-I", ROOT / "src", "-I", ROOT / "include"]
        run(COMPILER, *FLAGS, *defines, *folders, "-S", base / "texts.cpp", "-o", assembly)
        if defines:
            run(sys.executable, SCRIPTS / "pack_texts.py", assembly, assembly)
        run(COMPILER, assembly, "-o", base / name)
        answers.append(subprocess.run([*RUNNER, base / name], check=True, capture_output=True).stdout)
        sizes.append(int(re.search(r"^\.rodata\s+(\d+)", run(SIZE, "-A", base / name), re.M)[1]))
    print(f"texts before {sizes[0]}, after {sizes[1]}")
    return answers[0] == answers[1] and sizes[1] < 0.7 * sizes[0]


def main():
    rng = random.Random(7)
    count = 150
    body = [function(n, rng) for n in range(count)]
    calls = "\n".join(f"""  for (long a = 0; a < 12; ++a) {{
    try {{ std::printf("%ld ", f{n}(a, "x") % 100000); }} catch (const std::exception& e) {{ std::printf("%s ", e.what()); }}
  }}""" for n in range(0, count, 3))
    source = HEAD + "\n".join(body) + f"\nvoid run() {{\n{calls}\n  std::printf(\"%ld\\n\", freed + entered);\n}}\n}}\n"
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        (base / "a.cpp").write_text(source)
        (base / "main.cpp").write_text("namespace wick::lite { void run(); }\nint main() { wick::lite::run(); }\n")

        if not texts_agree(base):
            print("FAILED: messages of packed texts differ, or are not shorter")
            return 1
        run(COMPILER, *FLAGS, "-S", base / "a.cpp", "-o", base / "a.s")
        run(sys.executable, SCRIPTS / "shorten_code.py", base / "a.s", base / "b.s")
        moved = len(re.findall(r"\tleaq\t-\d+\(%rsp\), %rbp", (base / "b.s").read_text()))
        run(sys.executable, SCRIPTS / "share_code.py", base / "b.s", base / "b.s")
        run(sys.executable, SCRIPTS / "pack_unwinding.py", base / "b.s", base / "b.s")
        run(COMPILER, "-shared", "-Wl,-Bsymbolic", base / "a.s", "-o", base / "liba.so")
        run(sys.executable, SCRIPTS / "link_calls.py", base / "b.s", base / "b.s", base / "liba.so", base / "options")
        run(COMPILER, "-shared", "-Wl,-Bsymbolic", base / "b.s", f"@{base / 'options'}", "-o", base / "libb.so")
        sizes = {}
        for name in "ab":
            run(COMPILER, base / "main.cpp", base / f"lib{name}.so", f"-Wl,-rpath,{base}", "-o", base / name)
            sections = run(SIZE, "-A", base / f"lib{name}.so")
            sizes[name] = {s: int(re.search(rf"^\.{s}\s+(\d+)", sections, re.M)[1]) for s in ("eh_frame", "text")}
        relocations = [run("readelf", "-rW", base / f"lib{name}.so") for name in "ab"]
        jumps = [bool(re.search("JUMP_SLO.*__cxa_throw", table)) for table in relocations]
        alone = "-nostartfiles" in (base / "options").read_text()
        answers = [run(*RUNNER, base / name) for name in "ab"]
    print(f"before {sizes['a']}, after {sizes['b']}, {moved} frames moved, {len(answers[0])} characters of output")
    if not moved and not RUNNER:
        print("FAILED: no frame pointer was moved")
        return 1
    smaller = sizes["b"]["eh_frame"] < 0.5 * sizes["a"]["eh_frame"] and sizes["b"]["text"] < sizes["a"]["text"]
    if answers[0] != answers[1] or not smaller or "x" not in answers[0] or jumps != [True, False] or not alone:
        print("FAILED: " + ("the answers differ" if answers[0] != answers[1] else
                            "it is not smaller" if not smaller else
                            "it calls through a table of jumps" if jumps[1] else
                            "it is linked with the compiler's own files"))
        return 1
    return 0


sys.exit(main())
