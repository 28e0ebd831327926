#!/usr/bin/env python3
"""Checks what Apple's tools are given, on any system: build_ios.sh's arguments, the toolchain file, podspecs, pods,
xcframeworks, the privacy manifest, Xcode projects, TestApp's setup.rb. Ends with "N passed, M failed"."""
import json
import os
import plistlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import make_xcframework

PYTORCH_VARIABLES = ("IOS_PLATFORM IOS_ARCH IOS_DEPLOYMENT_TARGET SELECTED_OP_LIST TRACING_BASED BUILD_LITE_INTERPRETER "
                     "USE_PYTORCH_METAL USE_COREML_DELEGATE USE_LIGHTWEIGHT_DISPATCH ENABLE_BITCODE VERBOSE BUILD_ROOT "
                     "CCACHE_WRAPPER_PATH WICK_HIGHWAY_SOURCE DRY_RUN").split()


def dry_run(*words, **variables):
    environment = {k: v for k, v in os.environ.items() if k not in PYTORCH_VARIABLES} | variables
    return subprocess.run([ROOT / "scripts/build_ios.sh", "--dry-run", *words], env=environment, capture_output=True,
                          text=True)


class BuildScript(unittest.TestCase):
    def arguments(self, *words, **variables):
        result = dry_run(*words, **variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.splitlines()

    def test_defaults(self):
        found = self.arguments()
        for word in ["-DIOS_PLATFORM=OS", "-DBUILD_LITE_INTERPRETER=ON", "-DTRACING_BASED=OFF", "-DBUILD_SHARED_LIBS=OFF",
                     "-DCMAKE_BUILD_TYPE=MinSizeRel", f"-DCMAKE_INSTALL_PREFIX={ROOT}/build_ios/install",
                     f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/cmake/iOS.cmake", "-DWICK_PYTORCH_LAYOUT=ON", "-DWICK_COMPAT=ON"]:
            self.assertIn(word, found)
        self.assertFalse([w for w in found if w.startswith(("-DIOS_ARCH", "-DSELECTED", "-DUSE_", "-DENABLE"))])

    def test_tutorials(self):
        """The commands of PyTorch's tutorials."""
        found = self.arguments(IOS_ARCH="arm64", USE_PYTORCH_METAL="1")
        self.assertIn("-DIOS_ARCH=arm64", found)
        self.assertIn("-DUSE_PYTORCH_METAL=ON", found)
        found = self.arguments(BUILD_PYTORCH_MOBILE="1", IOS_ARCH="arm64")
        self.assertIn("-DIOS_ARCH=arm64", found)
        with tempfile.TemporaryDirectory() as folder:
            ops = Path(folder) / "deeplabv3_scripted.yaml"
            ops.write_text("- aten::add.Tensor\n")
            found = self.arguments(SELECTED_OP_LIST=str(ops), TRACING_BASED="1", IOS_PLATFORM="SIMULATOR")
            for word in ["-DIOS_PLATFORM=SIMULATOR", "-DTRACING_BASED=ON", f"-DSELECTED_OP_LIST={ops}",
                         f"-DWICK_SELECTED_OP_LIST={ops}"]:
                self.assertIn(word, found)

    def test_switches(self):
        found = self.arguments("-DWICK_LINALG=OFF", "-DIOS_PLATFORM=OS", IOS_PLATFORM="WATCHOS", VERBOSE="1",
                               BUILD_LITE_INTERPRETER="0", USE_LIGHTWEIGHT_DISPATCH="1", BUILD_ROOT="/tmp/x",
                               IOS_ARCH="armv7k;arm64_32", CCACHE_WRAPPER_PATH="/opt/cc")
        for word in ["-DENABLE_BITCODE=ON", "-DCMAKE_VERBOSE_MAKEFILE=1", "-DBUILD_LITE_INTERPRETER=OFF",
                     "-DUSE_LIGHTWEIGHT_DISPATCH=ON", "-DCMAKE_INSTALL_PREFIX=/tmp/x/install", "-DIOS_ARCH=armv7k;arm64_32",
                     "-DCMAKE_CXX_COMPILER=/opt/cc/clang++"]:
            self.assertIn(word, found)
        self.assertEqual(found[-2:], ["-DWICK_LINALG=OFF", "-DIOS_PLATFORM=OS"], "the caller's arguments come last")

    def test_refusals(self):
        for variables, text in [({"USE_COREML_DELEGATE": "1"}, "no Core ML delegate"),
                                ({"IOS_PLATFORM": "TVOS"}, "'TVOS' is none of OS, SIMULATOR, WATCHOS"),
                                ({"SELECTED_OP_LIST": "/no/list.yaml"},
                                 "Error: SELECTED_OP_LIST file /no/list.yaml not found.")]:
            result = dry_run(**variables)
            self.assertEqual(result.returncode, 1)
            self.assertIn(text, result.stderr)

    def test_xcframework_commands(self):
        result = subprocess.run([ROOT / "scripts/build_xcframework.sh", "--dry-run"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        for slice in ["OS IOS_ARCH=arm64", "SIMULATOR IOS_ARCH=arm64", "SIMULATOR IOS_ARCH=x86_64"]:
            self.assertIn(f"IOS_PLATFORM={slice}", result.stdout)


class Toolchain(unittest.TestCase):
    def evaluate(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "try.cmake"
            names = "CMAKE_SYSTEM_NAME CMAKE_OSX_SYSROOT CMAKE_OSX_ARCHITECTURES CMAKE_OSX_DEPLOYMENT_TARGET CMAKE_CXX_FLAGS_INIT"
            script.write_text(f"include({ROOT}/cmake/iOS.cmake)\nforeach(name {names})\nmessage(\"${{${{name}}}}\")\nendforeach()\n")
            return subprocess.run(["cmake", *words, "-P", script], capture_output=True, text=True)

    def test_platforms(self):
        for words, expected in [
                ([], ["iOS", "iphoneos", "arm64", "12.0", ""]),
                (["-DIOS_PLATFORM=SIMULATOR"], ["iOS", "iphonesimulator", "x86_64", "12.0", ""]),
                (["-DIOS_PLATFORM=SIMULATOR", "-DIOS_ARCH=arm64", "-DIOS_DEPLOYMENT_TARGET=15.0"],
                 ["iOS", "iphonesimulator", "arm64", "15.0", ""]),
                (["-DIOS_PLATFORM=WATCHOS", "-DENABLE_BITCODE=ON"],
                 ["watchOS", "watchos", "armv7k;arm64_32", "12.0", " -fembed-bitcode"])]:
            self.assertEqual(self.evaluate(*words).stderr.split("\n")[:5], expected)
        failed = self.evaluate("-DIOS_PLATFORM=MARS")
        self.assertNotEqual(failed.returncode, 0)
        self.assertIn("'MARS' is none of OS, SIMULATOR, WATCHOS", failed.stderr)


SPEC = r"""
require 'json'
# Stands in for CocoaPods: keeps what a specification sets.
class Fields < BasicObject
  def initialize; @fields = {}; @parts = {}; end
  def ios; @ios ||= ::Fields.new; end
  def dependency(name); @fields['dependency'] = name; end
  def subspec(name); part = ::Fields.new; yield part; @parts[name] = part.to_h; end
  def method_missing(name, *values)
    text = name.to_s
    ::Kernel.raise "#{text} is read" unless text.end_with?('=')
    @fields[text.chomp('=')] = values[0]
  end
  def respond_to_missing?(*) = true
  def to_h; @fields.merge('subspecs' => @parts, 'ios' => @ios ? @ios.to_h : {}); end
end
module Pod
  class Spec
    def self.new; fields = Fields.new; yield fields; puts JSON.generate(fields.to_h); end
  end
end
load ARGV[0]
"""


class Pods(unittest.TestCase):
    def test_specifications(self):
        for name in ["LibTorch", "LibTorch-Lite"]:
            path = ROOT / "apple/pods" / f"{name}.podspec"
            result = subprocess.run(["ruby", "-w", "-e", SPEC, path], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            found = json.loads(result.stdout)
            for field in ["name", "version", "summary", "homepage", "license", "author", "source"]:
                self.assertTrue(found[field], field)
            self.assertEqual(found["name"], name)
            self.assertEqual(found["ios"]["deployment_target"], "12.0")
            self.assertEqual(found["default_subspec"], "Core")
            core, torch = found["subspecs"]["Core"], found["subspecs"]["Torch"]
            self.assertEqual(core["dependency"], f"{name}/Torch")
            self.assertEqual(core["public_header_files"], f"src/{name}.h")
            self.assertEqual(torch["vendored_frameworks"], "install/LibTorch.xcframework")
            settings = found["user_target_xcconfig"]
            self.assertIn(f'"$(PODS_ROOT)/{name}/install/include/"', settings["HEADER_SEARCH_PATHS"])
            self.assertEqual(settings["CLANG_CXX_LANGUAGE_STANDARD"], "c++14")
            self.assertEqual(settings["CLANG_CXX_LIBRARY"], "libc++")

    def test_zip(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "include/torch").mkdir(parents=True)
            (folder / "include/torch/script.h").write_text("// here\n")
            (folder / "LibTorch.xcframework").mkdir()
            (folder / "LibTorch.xcframework/Info.plist").write_text("x")
            subprocess.run([sys.executable, ROOT / "scripts/make_pod.py", "LibTorch-Lite", folder / "pods", "--include",
                            folder / "include", "--framework", folder / "LibTorch.xcframework"], check=True,
                           capture_output=True)
            with zipfile.ZipFile(folder / "pods/LibTorch-Lite.zip") as archive:
                names = set(archive.namelist())
                self.assertLessEqual({"LICENSE", "PrivacyInfo.xcprivacy", "version.txt", "src/LibTorch-Lite.h",
                                      "install/include/torch/script.h", "install/LibTorch.xcframework/Info.plist"}, names)
                umbrella = archive.read("src/LibTorch-Lite.h").decode()
            for header in ["torch/csrc/jit/mobile/import.h", "torch/csrc/jit/mobile/module.h", "torch/script.h"]:
                self.assertIn(f"#import <{header}>", umbrella)
            self.assertTrue((folder / "pods/LibTorch-Lite.podspec").exists())


def mach_object(cpu, subtype, platform):
    """An object file without code."""
    command = struct.pack("<IIIIII", 0x32, 24, platform, 0x000C0000, 0x000C0000, 0)
    return struct.pack("<IiiIIIII", 0xFEEDFACF, cpu, subtype, 1, 1, len(command), 0, 0) + command


def archive(*members):
    out = b"!<arch>\n"
    for body in members:
        name = b"object.o"
        out += b"#1/%-13d%-12d%-6d%-6d%-8o%-10d`\n" % (len(name), 0, 0, 0, 0o644, len(name) + len(body)) + name + body
        out += b"\n" * ((len(name) + len(body)) % 2)
    return out


def fat(*parts):
    header, place, body = struct.pack(">II", 0xCAFEBABE, len(parts)), 4096, b""
    for cpu, subtype, content in parts:
        header += struct.pack(">iiIII", cpu, subtype, place + len(body), len(content), 0)
        body += content
    return header + b"\0" * (4096 - len(header)) + body


ARM64, X86_64 = (0x0100000C, 0), (0x01000007, 3)


class Frameworks(unittest.TestCase):
    def test_slices(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "headers").mkdir()
            (folder / "headers/wick.h").write_text("// C\n")
            for name in ["os", "simulator"]:
                (folder / name).mkdir()
            (folder / "os/libwick.a").write_bytes(archive(mach_object(*ARM64, 2), mach_object(*ARM64, 2), b"__.SYMDEF"))
            (folder / "simulator/libwick.a").write_bytes(
                fat((*ARM64, archive(mach_object(*ARM64, 7))), (*X86_64, archive(mach_object(*X86_64, 7)))))
            output = folder / "Wick.xcframework"
            libraries = [folder / "os/libwick.a", folder / "simulator/libwick.a"]
            self.assertEqual(make_xcframework.make(output, folder / "headers", libraries),
                             ["ios-arm64", "ios-arm64_x86_64-simulator"])
            information = plistlib.loads((output / "Info.plist").read_bytes())
            self.assertEqual(information["CFBundlePackageType"], "XFWK")
            self.assertEqual(information["XCFrameworkFormatVersion"], "1.0")
            for entry in information["AvailableLibraries"]:
                place = output / entry["LibraryIdentifier"]
                self.assertTrue((place / entry["LibraryPath"]).is_file())
                self.assertTrue((place / entry["HeadersPath"] / "wick.h").is_file())
            simulator = information["AvailableLibraries"][1]
            self.assertEqual(simulator["SupportedPlatformVariant"], "simulator")
            self.assertEqual(simulator["SupportedArchitectures"], ["arm64", "x86_64"])
            with self.assertRaises(make_xcframework.Problem):
                make_xcframework.make(output, folder / "headers", [libraries[0], libraries[0]])

    def test_what_is_no_library(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "lib.a"
            for content in [b"", b"text", archive(b"no object"), archive(mach_object(*ARM64, 2), mach_object(*X86_64, 2)),
                            archive(mach_object(*ARM64, 2), mach_object(*ARM64, 7)), archive(mach_object(7, 7, 2))]:
                path.write_bytes(content)
                with self.assertRaises(make_xcframework.Problem):
                    make_xcframework.describe(path)


class Privacy(unittest.TestCase):
    # The reasons that Apple's list has for each kind of functions.
    REASONS = {"NSPrivacyAccessedAPICategoryFileTimestamp": {"DDA9.1", "C617.1", "3B52.1", "0A2A.1"},
               "NSPrivacyAccessedAPICategorySystemBootTime": {"35F9.1", "8FFB.1", "3D61.1"},
               "NSPrivacyAccessedAPICategoryDiskSpace": {"85F4.1", "E174.1", "7D9E.1", "B728.1"},
               "NSPrivacyAccessedAPICategoryUserDefaults": {"CA92.1", "1C8F.1", "C56D.1", "AC6B.1"}}
    # What makes a declaration needed, in the library's sources.
    CALLS = {"NSPrivacyAccessedAPICategoryFileTimestamp": ["fstat(", "stat("],
             "NSPrivacyAccessedAPICategorySystemBootTime": ["steady_clock", "mach_absolute_time"],
             "NSPrivacyAccessedAPICategoryDiskSpace": ["statfs(", "statvfs(", "filesystem::space"]}

    def test_manifest(self):
        manifest = plistlib.loads((ROOT / "apple/Sources/Wick/PrivacyInfo.xcprivacy").read_bytes())
        self.assertIs(manifest["NSPrivacyTracking"], False)
        self.assertEqual(manifest["NSPrivacyTrackingDomains"], [])
        self.assertEqual(manifest["NSPrivacyCollectedDataTypes"], [])
        declared = {}
        for entry in manifest["NSPrivacyAccessedAPITypes"]:
            self.assertEqual(set(entry), {"NSPrivacyAccessedAPIType", "NSPrivacyAccessedAPITypeReasons"})
            declared[entry["NSPrivacyAccessedAPIType"]] = set(entry["NSPrivacyAccessedAPITypeReasons"])
        for kind, reasons in declared.items():
            self.assertTrue(reasons and reasons <= self.REASONS[kind], kind)
        sources = "".join(p.read_text() for folder in ["src", "compat/src"] for p in (ROOT / folder).rglob("*.cpp"))
        needed = {kind for kind, calls in self.CALLS.items() if any(call in sources for call in calls)}
        self.assertEqual(set(declared), needed, "declared is what the sources call")


class PropertyList:
    """A reader of the older property lists, which Xcode's projects are."""
    TOKEN = re.compile(r'\s*(?:(//[^\n]*)|(/\*.*?\*/)|("(?:[^"\\]|\\.)*")|([A-Za-z0-9_./$]+)|([{}()=;,]))', re.S)

    def __init__(self, text):
        self.tokens, place = [], 0
        while text[place:].strip():
            match = self.TOKEN.match(text, place)
            if not match:
                raise ValueError(f"at {text[place:place + 40]!r}")
            place = match.end()
            if not match[1] and not match[2]:
                self.tokens.append(match[3] or match[4] or match[5])
        self.tokens.reverse()

    def expect(self, token):
        found = self.tokens.pop()
        if found != token:
            raise ValueError(f"{found!r} where {token!r} is expected")

    def read(self):
        token = self.tokens.pop()
        if token == "{":
            out = {}
            while self.tokens[-1] != "}":
                key = self.read()
                self.expect("=")
                if key in out:
                    raise ValueError(f"{key} twice")
                out[key] = self.read()
                self.expect(";")
            self.expect("}")
            return out
        if token == "(":
            out = []
            while self.tokens[-1] != ")":
                out.append(self.read())
                if self.tokens[-1] == ",":
                    self.tokens.pop()
            self.expect(")")
            return out
        if token in "})=;,":
            raise ValueError(f"{token!r} where a value is expected")
        return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), token[1:-1]) if token[0] == '"' else token


def read_project(path):
    text = path.read_text()
    assert text.startswith("// !$*UTF8*$!\n")
    reader = PropertyList(text)
    project = reader.read()
    assert not reader.tokens
    return project


NUMBER = re.compile(r"[0-9A-F]{24}\Z")


class Projects(unittest.TestCase):
    PATHS = sorted((ROOT / "apple").rglob("project.pbxproj"))

    def numbers(self, value):
        if isinstance(value, dict):
            return {n for k, v in value.items() for n in (self.numbers(k) | self.numbers(v))}
        if isinstance(value, list):
            return {n for v in value for n in self.numbers(v)}
        return {value} if NUMBER.match(value) else set()

    def test_whole(self):
        self.assertEqual({path.parent.stem for path in self.PATHS},
                         {"HelloWorld", "HelloWorld-Metal", "ImageSegmentation", "ObjectDetection", "SpeechRecognition",
                          "QuestionAnswering", "SwiftUIClassifier", "TestApp"})
        for path in self.PATHS:
            project = read_project(path)
            objects = project["objects"]
            folder = path.parent.parent
            used = self.numbers([{k: v for k, v in item.items()} for item in objects.values()]) | {project["rootObject"]}
            self.assertEqual(used, set(objects), f"{path}: objects that are named are those there are")
            self.assertEqual(objects[project["rootObject"]]["isa"], "PBXProject")
            for item in objects.values():
                if item["isa"] == "PBXFileReference" and item["sourceTree"] == "SOURCE_ROOT":
                    self.assertTrue((folder / item["path"]).is_file(), f"{path}: {item['path']}")
                if item["isa"] == "XCLocalSwiftPackageReference":
                    self.assertTrue((folder / item["relativePath"] / "Package.swift").is_file())
                header = item.get("buildSettings", {}).get("SWIFT_OBJC_BRIDGING_HEADER")
                if header:
                    names = re.findall(r'#import "(.+)"', (folder / header).read_text())
                    self.assertTrue(names)
                    for name in names:
                        self.assertTrue((folder / "App" / name).is_file())
            compiled = {objects[objects[number]["fileRef"]]["path"] for item in objects.values()
                        if item["isa"] == "PBXSourcesBuildPhase" for number in item["files"]}
            own = {f"App/{p.name}" for p in (folder / "App").iterdir() if p.suffix in (".swift", ".m", ".mm")}
            self.assertLessEqual(own, compiled, path)

    def test_made_of_their_descriptions(self):
        result = subprocess.run([sys.executable, ROOT / "scripts/make_xcodeproj.py", "--all", "--check"],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_podfiles(self):
        for path in self.PATHS:
            podfile = path.parent.parent / "Podfile"
            if not podfile.exists():
                continue
            stand_in = ("def platform(*words); raise 'platform' unless words[0] == :ios; end\n"
                        "def target(name); puts name; yield; end\n"
                        "def pod(name, from); puts name; puts from[:podspec]; end\nload ARGV[0]")
            result = subprocess.run(["ruby", "-w", "-e", stand_in, podfile], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            target, pod, spec = result.stdout.split("\n")[:3]
            self.assertEqual(target, path.parent.stem)
            self.assertIn(pod, ["LibTorch", "LibTorch-Lite"])
            self.assertEqual((podfile.parent / spec).resolve(), ROOT / "build_ios/pods" / f"{pod}.podspec")


class Setup(unittest.TestCase):
    """TestApp/benchmark/setup.rb, in a copy of what it touches."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copytree(ROOT / "apple/TestApp", self.folder / "apple/TestApp",
                        ignore=shutil.ignore_patterns("*.pt", "*.ptl"))
        (self.folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/make_xcodeproj.py", self.folder / "scripts")
        self.app = self.folder / "apple/TestApp"

    def run_setup(self, *words):
        return subprocess.run(["ruby", "setup.rb", *words], cwd=self.app / "benchmark", capture_output=True, text=True)

    def install(self):
        libraries = self.folder / "build_ios/install/lib"
        libraries.mkdir(parents=True)
        for name in ["libtorch", "libtorch_cpu", "libc10", "libother"]:
            (libraries / f"{name}.a").write_bytes(b"!<arch>\n")

    def test_refusals(self):
        result = self.run_setup()
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(f"path doesn't exist:{self.folder.resolve()}/build_ios/install!", result.stderr)
        self.install()
        (self.app / "benchmark/config.json").unlink()
        result = self.run_setup()
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("config.json can't be found!", result.stderr)
        shutil.rmtree(self.app / "TestApp.xcodeproj")
        self.assertIn(f"path doesn't exist:{self.app.resolve()}/TestApp.xcodeproj!", self.run_setup().stderr)

    def test_flow(self):
        self.install()
        for name in ["model_lite.ptl", "add.ptl", "model.pt", "notes.txt"]:
            (self.app / "models" / name).write_bytes(b"x")
        for words, lite in [(["-l", "1", "-t", "TEAM123"], True), ([], False)]:
            result = self.run_setup(*words)
            self.assertEqual(result.returncode, 0, result.stderr)
            lines = [line for line in result.stdout.splitlines() if not line.startswith("  ")]
            self.assertTrue(lines[0].startswith("{"))
            self.assertTrue(lines[1].startswith("Current directory: "))
            self.assertEqual(lines[2:], ["Setting up TestApp.xcodeproj...", "Installing models...", "Adding test files...",
                                         "Linking static libraries...", "Done."])
            objects = read_project(self.app / "TestApp.xcodeproj/project.pbxproj")["objects"].values()
            paths = {item["path"] for item in objects if item["isa"] == "PBXFileReference"}
            self.assertLessEqual({"benchmark/config.json", "models/model_lite.ptl", "models/add.ptl", "models/model.pt"}, paths)
            self.assertFalse([path for path in paths if "notes" in path or "libother" in path])
            self.assertEqual(len([path for path in paths if path.endswith(".a")]), 3)
            self.assertEqual("TestAppTests/TestLiteInterpreter.mm" in paths, lite)
            self.assertEqual("TestAppTests/TestFullJIT.mm" in paths, not lite)
            settings = [item["buildSettings"] for item in objects
                        if item["isa"] == "XCBuildConfiguration" and "PRODUCT_NAME" in item["buildSettings"]]
            self.assertEqual(len(settings), 4)
            for one in settings:
                self.assertIn("-all_load", one["OTHER_LDFLAGS"])
                self.assertIn(f"{self.folder.resolve()}/build_ios/install/include", one["HEADER_SEARCH_PATHS"])
                self.assertIn(f"{self.folder.resolve()}/build_ios/install/lib", one["LIBRARY_SEARCH_PATHS"])
                self.assertEqual("BUILD_LITE_INTERPRETER=1" in one.get("GCC_PREPROCESSOR_DEFINITIONS", []), lite)
                self.assertEqual(one.get("DEVELOPMENT_TEAM"), "TEAM123" if lite else None)

    def test_configuration(self):
        self.assertEqual(json.loads((self.app / "benchmark/config.json").read_text()),
                         {"input_dims": "1,3,224,224", "input_type": "float", "warmup": 10, "iter": 10,
                          "print_output": False})


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
