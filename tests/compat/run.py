#!/usr/bin/env python3
"""Compiles C++ sources written for LibTorch against Wick's compat/, runs them and compares with LibTorch.

run.py --build FOLDER [--work FOLDER] [--record] [--upstream] [--only NAME,...] [--jobs N] [--wick-flags FLAGS]
       [--compiler COMPILER]

The programs of tests/compat/programs run on models that PyTorch makes (make_models.py); their outputs must be those that
LibTorch gave (expected/), numbers within 1e-4. --record compiles the programs against Debian's LibTorch and writes these
outputs anew. With --upstream, PyTorch's own sources are fetched from Debian (apt-get source) and compiled
unchanged: test files are run case by case on both sides, the benchmark tools on a model. Nothing of them is kept.

Then clang++ parses the umbrella headers, the programs and the sources of compat/: Apple's compiler accepts no less.
--compiler compiles and runs the programs with another compiler than g++.

FOLDER is a build of Wick with the target wick_compat. Ends with "N passed, M failed"; upstream cases that fail with Wick
and pass with LibTorch are listed, and fail the run unless upstream_known.txt names them.
"""
import argparse
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import pytorch_source
PYTHON = "/usr/bin/python3"  # the one that Debian's PyTorch is installed for
REFERENCE = ["-I/usr/include/torch/csrc/api/include", "-ltorch", "-ltorch_cpu", "-lc10", "-lgflags", "-lglog"]
# Source of PyTorch, helpers that are compiled with it, and how it is run.
UPSTREAM_TESTS = {
    "list": "aten/src/ATen/core/List_test.cpp",
    "dict": "aten/src/ATen/test/Dict_test.cpp",
    "scalar": "aten/src/ATen/test/scalar_test.cpp",
    "tensor": "test/cpp/api/tensor.cpp",
    "tensor_indexing": "test/cpp/api/tensor_indexing.cpp",
    "ivalue": "aten/src/ATen/test/ivalue_test.cpp",
    "lite_interpreter": "test/cpp/jit/test_lite_interpreter.cpp",
    **{f"api_{name.replace('-', '_')}": f"test/cpp/api/{name}.cpp"
       for name in ("tensor_options", "module", "any", "sequential", "moduledict", "ordered_dict", "expanding-array",
                    "init", "fft", "special", "grad_mode", "operations", "namespace")},
}
# Sources that need only compile: programs that take files that are not in the package.
UPSTREAM_PARSED = ["test/mobile/custom_build/predictor.cpp"]
UMBRELLAS = ("torch/script.h", "torch/torch.h", "torch/extension.h", "torch/all.h", "LibTorch/LibTorch.h",
             "LibTorch-Lite/LibTorch-Lite.h", "ATen/ATen.h", "torch/csrc/jit/mobile/import.h", "torch/library.h",
             "torch/custom_class.h", "torchvision/vision.h", "ATen/TensorUtils.h", "c10/util/hash.h",
             "c10/cuda/CUDAGuard.h", "ATen/cuda/CUDAEvent.h", "ATen/DLConvertor.h", "c10/util/variant.h",
             "c10/util/order_preserving_flat_hash_map.h")
UPSTREAM_TOOLS = {
    "speed_benchmark": ("binaries/speed_benchmark_torch.cc",
                        ["--model={models}/classifier.pt", "--input_dims=1,3,64,64", "--input_type=float", "--warmup=1",
                         "--iter=2", "--report_pep=true"], r"Main runs|Main run finished|PyTorchObserver"),
    "load_benchmark": ("binaries/load_benchmark_torch.cc", ["--model={models}/classifier.pt", "--iter=2"], r"Main run"),
    "compare_models": ("binaries/compare_models_torch.cc",
                       ["--refmodel={models}/classifier.pt", "--model={models}/classifier.pt", "--input_dims=1,3,64,64",
                        "--input_type=float", "--iter=2"], r"Pass rate: 100%"),
    "lite_model_load": ("binaries/lite_interpreter_model_load.cc", ["--model={models}/classifier.ptl"], None),
}
CASE = re.compile(r"^\[ +(OK|FAILED|SKIPPED) +\] (\S+)", re.M)
NUMBER = re.compile(r"^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$", re.I)


class Failure(Exception):
    pass


def execute(command, **options):
    return subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options)


def compile_with(source, binary, flags, standard, compiler="g++"):
    result = execute([compiler, f"-std=c++{standard}", "-O0", "-w", source, "-o", binary, *flags])
    if result.returncode:
        errors = [line for line in result.stdout.splitlines() if "error" in line or "undefined" in line]
        raise Failure("does not compile:\n    " + "\n    ".join(errors[:8] or result.stdout.splitlines()[-8:]))


def same_word(a, b):
    if a == b:
        return True
    if not (NUMBER.match(a) and NUMBER.match(b)):
        return False
    x, y = float(a), float(b)
    return abs(x - y) <= 1e-4 + 1e-4 * max(abs(x), abs(y))


# What of an error's text says where in LibTorch's own code, or memory, something is.
PLACES = re.compile(r"\S+ INTERNAL ASSERT FAILED at .*?please report a bug to PyTorch\. |"
                    r" \(of Python compilation unit at: 0x[0-9a-f]+\)")


def compare(expected, found):
    """None, or the first line that differs."""
    a, b = PLACES.sub("", expected).splitlines(), PLACES.sub("", found).splitlines()
    for number in range(max(len(a), len(b))):
        x = a[number] if number < len(a) else "(end)"
        y = b[number] if number < len(b) else "(end)"
        words_x, words_y = re.split(r"[\s,\[\]()]+", x), re.split(r"[\s,\[\]()]+", y)
        if len(words_x) != len(words_y) or not all(map(same_word, words_x, words_y)):
            return f"line {number + 1}:\n    LibTorch: {x}\n    Wick:     {y}"
    return None


class Suite:
    def __init__(self, arguments):
        self.arguments = arguments
        self.work = arguments.work
        self.work.mkdir(parents=True, exist_ok=True)
        self.wick = arguments.wick_flags or self.wick_flags(arguments.build)
        self.passed = self.failed = 0
        self.known = set((HERE / "upstream_known.txt").read_text().split()) if (HERE / "upstream_known.txt").exists() else set()
        umbrella = self.work / "umbrella/LibTorch-Lite/LibTorch-Lite.h"
        umbrella.parent.mkdir(parents=True, exist_ok=True)
        umbrella.write_text("#include <torch/csrc/jit/mobile/import.h>\n#include <torch/csrc/jit/mobile/module.h>\n"
                            "#include <torch/script.h>\n")

    @staticmethod
    def wick_flags(build):
        libraries = [f"{build}/lib/lib{name}.a" for name in ("wick_compat", "wick_compiler", "wick_runtime")]
        return [f"-I{ROOT}/compat/include", f"-I{build}/compat/generated/include",
                f"-I{build}/compat/generated/include/torch/csrc/api/include", "-Wl,--gc-sections", "-Wl,--start-group",
                *libraries, "-Wl,--end-group", "-lhwy", "-lz", "-lpthread"]

    def report(self, name, problem):
        if problem is None:
            self.passed += 1
            print(f"ok    {name}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL  {name}: {problem}", flush=True)

    def chosen(self, name):
        return not self.arguments.only or name in self.arguments.only

    def make_models(self):
        models = self.work / "models"
        if not (models / "dynamic.pt").exists():
            result = execute([PYTHON, HERE / "make_models.py", models])
            if result.returncode:
                sys.exit(f"make_models.py: {result.stdout[-2000:]}")
        # PyTorch writes these with the operators of programs/NAME.cpp, for which it takes LibTorch's headers.
        for name in ("custom",):
            stored = HERE / f"{name}.pt"
            if self.arguments.record and self.chosen(name):
                library = self.work / f"lib{name}.so"
                compile_with(HERE / f"programs/{name}.cpp", library, ["-shared", "-fPIC", *REFERENCE], 14)
                result = execute([PYTHON, HERE / "make_models.py", "--custom", library, stored])
                if result.returncode:
                    sys.exit(f"make_models.py: {result.stdout[-2000:]}")
            shutil.copy(stored, models / f"{name}.pt")
        return models

    def run_programs(self, models):
        def outcome(source):
            try:
                return self.compare_program(source, models)
            except Failure as problem:
                return problem

        sources = [s for s in sorted((HERE / "programs").glob("*.cpp")) if self.chosen(s.stem)]
        with ThreadPoolExecutor(self.arguments.jobs) as pool:
            for source, problem in zip(sources, pool.map(outcome, sources)):
                self.report(source.stem, problem)

    def folder_of(self, source):
        """Where a program runs and writes its files."""
        folder = self.work / "run" / source.stem
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def compare_program(self, source, models):
        expected_file = HERE / "expected" / f"{source.stem}.txt"
        if self.arguments.record:
            binary = self.work / f"{source.stem}.torch"
            compile_with(source, binary, [f"-I{self.work}/umbrella", *REFERENCE, "-lpthread"], 17)
            result = execute([binary, models], cwd=self.folder_of(source))
            if result.returncode:
                raise Failure(f"fails with LibTorch:\n{result.stdout[-1500:]}")
            expected_file.parent.mkdir(exist_ok=True)
            expected_file.write_text(result.stdout)
        binary = self.work / f"{source.stem}.wick"
        newer = "(C++17)" in source.read_text().splitlines()[0]
        compile_with(source, binary, self.wick, 17 if newer else 14, self.arguments.compiler)
        result = execute([binary, models], cwd=self.folder_of(source))
        difference = compare(expected_file.read_text(), result.stdout)
        if result.returncode:
            return f"ends with {result.returncode}: {result.stdout[-600:]} {difference or ''}"
        return difference

    def parse_with_clang(self):
        """Headers, programs and the library's sources; the programs as C++17, in which Apple's projects are made."""
        umbrellas = self.work / "umbrellas"
        umbrellas.mkdir(exist_ok=True)
        build = self.arguments.build
        includes = [f for f in self.wick if f.startswith("-I")]
        internal = [f"-I{p}" for p in (ROOT / "include", ROOT / "src", ROOT / "compat/src", build / "generated/include")]
        jobs = []
        for header in UMBRELLAS:
            source = umbrellas / (re.sub(r"\W", "_", header) + ".cpp")
            source.write_text(f"#include <{header}>\n")
            jobs.append((f"clang {header}", source, "c++14", includes))
        jobs += [(f"clang {s.name}", s, "c++17", includes) for s in sorted((HERE / "programs").glob("*.cpp"))]
        jobs += [(f"clang compat/src/{s.name}", s, "c++20", includes + internal)
                 for s in sorted((ROOT / "compat/src").glob("*.cpp"))]

        def outcome(job):
            _, source, standard, flags = job
            result = execute(["clang++", f"-std={standard}", "-fsyntax-only", "-w", source, *flags])
            return None if result.returncode == 0 else result.stdout[-800:]

        jobs = [job for job in jobs if self.chosen("clang")]
        with ThreadPoolExecutor(self.arguments.jobs) as pool:
            for job, problem in zip(jobs, pool.map(outcome, jobs)):
                self.report(job[0], problem)

    def fetch_sources(self):
        """PyTorch's source of Debian, unpacked once."""
        folder = self.work / "pytorch"
        if (folder / "binaries").is_dir():
            return folder
        archive = pytorch_source.fetch(self.work / "download")
        folder.mkdir()
        result = execute(["tar", "xf", archive, "-C", folder, "--strip-components=1"])
        if result.returncode:
            shutil.rmtree(folder)
            sys.exit(f"tar: {result.stdout}")
        return folder

    @staticmethod
    def helpers(sources, path):
        """Sources that a test is linked with."""
        return [sources / "test/cpp/api/support.cpp"] if path.startswith("test/cpp/api/") else []

    def cases(self, binary):
        """Case -> passed; run until all have a result, past cases that end the process."""
        listing = execute([binary, "--gtest_list_tests"]).stdout
        names, group = [], ""
        for line in listing.splitlines():
            if line.startswith("  "):
                names.append(group + line.split("#")[0].strip())
            elif line.strip().endswith("."):
                group = line.strip()
        names = [n for n in names if not n.endswith("_CUDA")]
        results = {}
        while len(results) < len(names):
            left = [n for n in names if n not in results]
            out = execute([binary, "--gtest_filter=" + ":".join(left)], cwd=self.work, timeout=600).stdout
            found = {m[2].rstrip(","): m[1] == "OK" for m in CASE.finditer(out)}
            started = re.findall(r"^\[ RUN      \] (\S+)", out, re.M)
            fresh = {n: found[n] for n in left if n in found}
            if started and started[-1] not in found:
                fresh[started[-1]] = False  # it ended the process
            if not fresh:
                fresh = {n: False for n in left}
            results.update(fresh)
        return results

    def run_upstream(self, models):
        sources = self.fetch_sources()
        wick = [f"-idirafter{sources}", *self.wick, "-lgtest", "-lgtest_main", "-lgmock"]
        torch = [f"-idirafter{sources}", *REFERENCE, "-lgtest", "-lgtest_main", "-lgmock", "-lpthread"]
        for name, path in UPSTREAM_TESTS.items():
            if not self.chosen(name):
                continue
            try:
                binary = self.work / f"{name}.test.wick"
                compile_with(sources / path, binary, self.helpers(sources, path) + wick, 14)
                results = self.cases(binary)
            except Failure as problem:
                print(f"      {path}: 0 cases: {problem}")
                if f"{name}:*" not in self.known:
                    self.failed += 1
                continue
            bad = [n for n, good in results.items() if not good]
            print(f"      {path}: {len(results) - len(bad)} of {len(results)} cases", flush=True)
            unknown = [n for n in bad if n not in self.known]
            for case in bad:
                print(f"        {'fails' if case in unknown else 'known'}: {case}")
            self.report(name, None if not unknown else f"{len(unknown)} cases")
            if self.arguments.reference:
                binary = self.work / f"{name}.test.torch"
                compile_with(sources / path, binary, self.helpers(sources, path) + torch, 14)
                good = sum(self.cases(binary).values())
                print(f"        LibTorch itself: {good}")
        for path in UPSTREAM_PARSED:
            if not self.chosen(Path(path).stem):
                continue
            try:
                compile_with(sources / path, self.work / f"{Path(path).stem}.wick", wick, 14)
                self.report(path, None)
            except Failure as problem:
                self.report(path, problem)
        for name, (path, words, pattern) in UPSTREAM_TOOLS.items():
            if not self.chosen(name):
                continue
            try:
                binary = self.work / f"{name}.tool.wick"
                compile_with(sources / path, binary, wick, 14)
                result = execute([binary, *[w.format(models=models) for w in words]], cwd=self.work)
                good = result.returncode == 0 and (pattern is None or re.search(pattern, result.stdout))
                self.report(name, None if good else f"ends with {result.returncode}: {result.stdout[-400:]}")
            except Failure as problem:
                self.report(name, problem)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--work", type=Path, help="where binaries and models go; default: BUILD/compat-tests")
    parser.add_argument("--record", action="store_true", help="write expected/ with LibTorch")
    parser.add_argument("--upstream", action="store_true")
    parser.add_argument("--reference", action="store_true", help="run upstream cases on LibTorch, too")
    parser.add_argument("--jobs", type=int, default=2, help="programs that are compiled and run at the same time")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--wick-flags", type=str.split, help="in place of those for the build")
    arguments = parser.parse_args()
    arguments.build = arguments.build.resolve()
    arguments.work = (arguments.work or arguments.build / "compat-tests").resolve()
    needs_libtorch = arguments.record or arguments.upstream
    if needs_libtorch and not Path("/usr/include/torch/csrc/api/include/torch/torch.h").exists():
        result = execute(["apt-get", "install", "-y", "--no-install-recommends", "libtorch-dev", "libgmock-dev"])
        if result.returncode:
            sys.exit(f"libtorch-dev cannot be installed: {result.stdout[-500:]}")
    suite = Suite(arguments)
    models = suite.make_models()
    suite.run_programs(models)
    suite.parse_with_clang()
    if arguments.upstream:
        suite.run_upstream(models)
    print(f"{suite.passed} passed, {suite.failed} failed")
    sys.exit(suite.failed > 0)


if __name__ == "__main__":
    main()
