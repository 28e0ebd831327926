#!/usr/bin/env python3
"""Compiles the Objective-C++ of the apps in apple/apps under ARC on GNUstep, runs it and compares with LibTorch.

run.py [--build FOLDER] [--work FOLDER] [--only NAME,...] [--record] [--upstream]

Each driver of drivers/ calls an app's model class as the app does, with models that PyTorch makes (make_models.py); what
it prints must be what it printed with LibTorch (expected/), numbers within 1e-4. --record compiles the same sources
against Debian's LibTorch 1.13.1 and writes these files anew. `FOLDER` is a build with the target pytorch_layout, whose
install tree (scripts/build_ios.sh's) is what the sources are compiled with. The benchmark of apple/TestApp must log
PyTorch's lines; with --upstream PyTorch's own Benchmark.mm is fetched with Debian's source package and compiled
unchanged, too. Ends with "N passed, M failed".
"""
import argparse
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import pytorch_source

_rules = importlib.util.spec_from_file_location("compat_run", ROOT / "tests/compat/run.py")
compat = importlib.util.module_from_spec(_rules)
_rules.loader.exec_module(compat)
compare = compat.compare  # numbers within 1e-4

APPS = ROOT / "apple/apps"
PYTHON = "/usr/bin/python3"
# The non-fragile ABI of GNUstep is the one that ARC needs; runtime.c makes it work with Debian's libobjc.
OBJC = ["-fobjc-arc", "-fobjc-runtime=gnustep-1.9", "-fobjc-legacy-dispatch", "-fexceptions", "-fobjc-exceptions",
        "-D_NATIVE_OBJC_EXCEPTIONS", "-DGNUSTEP", "-DGNUSTEP_BASE_LIBRARY=1", "-DGNU_RUNTIME=1",
        "-fconstant-string-class=NSConstantString", "-I/usr/include/GNUstep"]
LINK = ["-rdynamic", "-lgnustep-base", "-lobjc", "-ldl", "-pthread"]
# With Debian's LibTorch `.metal()` throws: the same model on the CPU is what it is compared with.
EXPECTED_OF = {"HelloWorld-Metal": "HelloWorld"}


class Failure(Exception):
    pass


def execute(command, **options):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, errors="replace",
                          **({"stderr": subprocess.STDOUT} | options))


def checked(command, what):
    result = execute(command)
    if result.returncode:
        lines = [line for line in result.stdout.splitlines() if "error" in line or "undefined" in line]
        raise Failure(f"{what}:\n    " + "\n    ".join(lines[:8] or result.stdout.splitlines()[-8:]))


class Suite:
    def __init__(self, arguments):
        self.record, self.only, self.with_upstream = arguments.record, arguments.only, arguments.upstream
        self.work = arguments.work.resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.passed = self.failed = 0
        install = self.work / "install"
        checked(["cmake", "--install", arguments.build, "--component", "pytorch_layout", "--prefix", install],
                "the libraries are not built")
        self.sides = {"wick": ([f"-I{install}/include"], [f"-L{install}/lib", "-ltorch", "-ltorch_cpu", "-lc10",
                                                          "-Wl,--gc-sections", "-lhwy", "-lz"])}
        if self.record:
            self.sides["torch"] = ([f"-I{self.umbrellas()}", "-I/usr/include/torch/csrc/api/include"],
                                   ["-ltorch", "-ltorch_cpu", "-lc10"])
        self.headers = self.objc_headers()
        self.runtime = self.work / "runtime.o"
        checked(["clang", "-O1", "-c", HERE / "runtime.c", "-o", self.runtime], "runtime.c")
        self.models = self.work / "models"
        if not (self.models / "answers.ptl").exists():
            checked([PYTHON, HERE / "make_models.py", self.models], "make_models.py")

    def umbrellas(self):
        """The pods' headers, which LibTorch's package for Linux does not have."""
        folder = self.work / "umbrellas"
        lite = ["torch/csrc/jit/mobile/import.h", "torch/csrc/jit/mobile/module.h", "torch/script.h"]
        for name, headers in {"LibTorch-Lite/LibTorch-Lite.h": lite, "Libtorch-Lite/Libtorch-Lite.h": lite,
                              "LibTorch-Lite.h": lite, "LibTorch-Lite-Nightly/LibTorch-Lite.h": lite,
                              "LibTorch/LibTorch.h": ["torch/script.h"]}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text("".join(f"#include <{header}>\n" for header in headers))
        return folder

    def objc_headers(self):
        """GCC's headers of libobjc; object_getClass() is a function there that clang cannot compile."""
        source = Path(execute(["gcc", "-print-file-name=include"]).stdout.strip()) / "objc"
        folder = self.work / "objc_headers/objc"
        folder.mkdir(parents=True, exist_ok=True)
        for header in source.glob("*.h"):
            text = header.read_text()
            if header.name == "runtime.h":
                text = re.sub(r"static inline Class\s*\nobject_getClass \(id object\)\s*\n\{.*?\n\}",
                              "objc_EXPORT Class object_getClass (id object);", text, flags=re.S)
            (folder / header.name).write_text(text)
        return folder.parent

    def compile(self, sources, binary, side, includes=(), options=()):
        flags, libraries = self.sides[side]
        objects = []
        for source in sources:
            item = binary.parent / f"{binary.name}-{Path(source).stem}.o"
            checked(["clang++", "-x", "objective-c++", "-std=gnu++14", "-O0", "-w", *OBJC, "-isystem", self.headers,
                     "-include", HERE / "shim/prefix.h", f"-I{HERE}/shim", f"-I{HERE}/drivers",
                     *(f"-I{folder}" for folder in includes), *flags, *options, "-c", source, "-o", item],
                    f"{Path(source).name} does not compile with {side}")
            objects.append(item)
        checked(["clang++", *objects, self.runtime, *libraries, *LINK, "-o", binary], f"does not link with {side}")

    def run(self, binary, *words):
        result = execute([binary, *words], stderr=subprocess.PIPE, timeout=120)
        if result.returncode:
            raise Failure(f"{binary.name} ends with {result.returncode}: {result.stderr[-800:]}")
        return result.stdout

    def app(self, driver):
        folder = APPS / driver.stem / "App"
        sources = [*folder.glob("*.mm"), driver]
        expected = HERE / "expected" / f"{EXPECTED_OF.get(driver.stem, driver.stem)}.txt"
        if self.record:
            binary = self.work / f"{driver.stem}.torch"
            self.compile(sources, binary, "torch", [folder])
            if driver.stem not in EXPECTED_OF:
                expected.parent.mkdir(exist_ok=True)
                expected.write_text(self.run(binary, self.models))
        binary = self.work / f"{driver.stem}.wick"
        self.compile(sources, binary, "wick", [folder])
        return compare(expected.read_text(), self.run(binary, self.models))

    # What PyTorch's TestApp logs; the product of the two numbers is 1000.
    BENCHMARK = re.compile(r"Running warmup runs\nMain runs\nMain run finished\. Milliseconds per iter: (\d+\.\d{3})\n"
                           r"Iters per second: : (\d+\.\d{3})\nDone\.\n\Z")

    def benchmark(self, folder):
        binary = self.work / f"benchmark-{'upstream' if self.work in folder.parents else 'own'}"
        self.compile([folder / "Benchmark.mm", HERE / "benchmark/driver.mm"], binary, "wick", [folder],
                     ["-DBUILD_LITE_INTERPRETER"])
        resources = self.work / "bundle"
        resources.mkdir(exist_ok=True)
        (resources / "model_lite.ptl").unlink(missing_ok=True)
        config = json.loads((ROOT / "apple/TestApp/benchmark/config.json").read_text()) | {"warmup": 2, "iter": 20}
        (resources / "config.json").write_text(json.dumps(config))
        if self.run(binary, resources) != "no setup\n":
            return "it is set up without a model"
        shutil.copy(self.models / "classifier.ptl", resources / "model_lite.ptl")
        found = self.BENCHMARK.match(text := self.run(binary, resources))
        if not found:
            return f"logs\n{text}"
        product = float(found[1]) * float(found[2])
        if not 990 < product < 1010:  # three decimals of a small number are few digits
            return f"{found[1]} ms an iteration, {found[2]} iterations a second"
        (resources / "config.json").write_text(json.dumps(config | {"print_output": True, "iter": 1}))
        text = self.run(binary, resources)
        if "[ CPUFloatType{1,1000} ]" not in text or "Done.\n" not in text:
            return f"prints\n{text[-300:]}"
        return None

    def upstream(self):
        sources = self.work / "pytorch"
        if not (sources / "ios/TestApp").is_dir():
            sources.mkdir(exist_ok=True)
            archive = pytorch_source.fetch(self.work / "download")
            checked(["tar", "xf", archive, "-C", sources, "--strip-components=1", "--wildcards", "*/ios/TestApp/*"], "tar")
        return self.benchmark(sources / "ios/TestApp/TestApp")

    OBSERVED = ["1", "enter load", "files 1 1 1", "exit load 1 2", "yes", "enter run", "exit run of forward 1 classifier",
                "enter run", "failed run of forward 1 1 1", "caught", "enter load", "files 1 1 1", "exit load 1 2", "111"]

    def observer(self):
        binary = self.work / "observer"
        self.compile([HERE / "benchmark/observer.mm"], binary, "wick")
        found = self.run(binary, self.models).splitlines()
        return None if found == self.OBSERVED else f"prints {found}"

    def projects(self):
        """GNUstep's reader of property lists reads the projects, too."""
        for path in sorted((ROOT / "apple").rglob("project.pbxproj")):
            found = execute(["plparse", path]).stdout
            if "a dictionary" not in found:
                return f"{path.relative_to(ROOT)}: {found}"
        return None

    def report(self, name, check):
        if self.only and name not in self.only:
            return
        try:
            problem = check()
        except (Failure, OSError, subprocess.TimeoutExpired) as failure:
            problem = failure
        if problem is None:
            self.passed += 1
            print(f"ok    {name}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL  {name}: {problem}", flush=True)

    def all(self):
        for driver in sorted((HERE / "drivers").glob("*.mm")):
            self.report(driver.stem, lambda: self.app(driver))
        self.report("TestApp", lambda: self.benchmark(ROOT / "apple/TestApp/App"))
        self.report("observer", self.observer)
        self.report("projects", self.projects)
        if self.with_upstream:
            self.report("PyTorch's Benchmark.mm", self.upstream)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--work", type=Path, default=ROOT / "build/objc")
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--upstream", action="store_true")
    try:
        suite = Suite(parser.parse_args())
    except Failure as failure:
        sys.exit(f"run.py: {failure}")
    suite.all()
    print(f"{suite.passed} passed, {suite.failed} failed")
    sys.exit(suite.failed != 0)


if __name__ == "__main__":
    main()
