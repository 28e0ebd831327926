#!/usr/bin/env python3
"""Tests of scripts/make_aar.py, check_elf.py and the Android build scripts' messages. Ends with "N passed, M failed"."""
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"


def run(script, *words, **more):
    command = [sys.executable, SCRIPTS / script] if script.endswith(".py") else [SCRIPTS / script]
    return subprocess.run([*map(str, command), *map(str, words)], capture_output=True, text=True, **more)


class Case(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def library(self, name, *flags, source="int answer(void) { return 42; }", page=16384):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["gcc", "-shared", "-fPIC", "-nostdlib", "-x", "c", "-", "-o", path, "-x", "none",
                        f"-Wl,-z,max-page-size={page}", *flags], input=source, text=True, check=True)
        return path


class CheckElf(Case):
    def test_a_right_library(self):
        done = run("check_elf.py", self.library("libright.so"), "--exports", "answer")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("x86_64", done.stdout)

    def test_small_pages(self):
        done = run("check_elf.py", self.library("libsmall.so", page=4096))
        self.assertEqual(done.returncode, 1)
        self.assertIn("is aligned to 0x1000, pages of 0x4000 need as much", done.stdout)

    def test_a_library_that_android_lacks(self):
        other = self.library("libother.so", "-Wl,-soname,libother.so")
        user = self.library("libuser.so", other, source="int answer(void); int twice(void) { return 2 * answer(); }")
        alone = run("check_elf.py", user)
        self.assertEqual(alone.returncode, 1)
        self.assertIn("needs libother.so", alone.stdout)
        self.assertEqual(run("check_elf.py", user, other).returncode, 0)  # in the same package

    def test_imported_symbols(self):
        user = self.library("libuser.so", source="int newer(void); int f(void) { return newer(); }")
        allowed = self.folder / "symbols.txt"
        allowed.write_text("malloc free\n")
        done = run("check_elf.py", user, "--symbols", allowed)
        self.assertEqual(done.returncode, 1)
        self.assertIn("imports newer", done.stdout)
        stubs = self.folder / "stubs"
        self.library("stubs/libc.so", source="int newer(void) { return 0; }")
        self.assertEqual(run("check_elf.py", user, "--sysroot", stubs).returncode, 0)

    def test_weak_imports_may_be_missing(self):
        user = self.library("libuser.so",
                            source="__attribute__((weak)) int newer(void); int f(void) { return newer ? newer() : 0; }")
        allowed = self.folder / "symbols.txt"
        allowed.write_text("malloc\n")
        self.assertEqual(run("check_elf.py", user, "--symbols", allowed).returncode, 0)

    def test_exports(self):
        done = run("check_elf.py", self.library("libquiet.so"), "--exports", "JNI_OnLoad")
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not export JNI_OnLoad", done.stdout)

    def test_an_executable_stack(self):
        done = run("check_elf.py", self.library("libstack.so", "-Wl,-z,execstack"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("executable stack", done.stdout)

    def test_what_is_no_library(self):
        for name, data in [("text", b"hello"), ("short", b"\x7fELF\x02\x01"), ("empty", b""),
                           ("cut", self.library("libcut.so").read_bytes()[:300])]:
            path = self.folder / name
            path.write_bytes(data)
            done = run("check_elf.py", path)
            self.assertEqual(done.returncode, 1, name)
            self.assertNotIn("Traceback", done.stderr, name)


class MakeAar(Case):
    def setUp(self):
        super().setUp()
        self.classes = self.folder / "classes.jar"
        with zipfile.ZipFile(self.classes, "w") as jar:
            jar.writestr("org/pytorch/Module.class", b"\xca\xfe\xba\xbe")
            jar.writestr("org/pytorch/native/linux-x86_64/libpytorch_jni.so", b"not for phones")
            jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
        self.words = [self.folder / "out.aar", "--package", "org.pytorch", "--classes", self.classes,
                      "--coordinate", "wick:pytorch_android:0.1.0"]

    def entries(self):
        with zipfile.ZipFile(self.folder / "out.aar") as aar:
            self.assertIsNone(aar.testzip())
            return {name: aar.read(name) for name in aar.namelist()}

    def test_a_whole_library(self):
        self.library("jni/x86_64/libpytorch_jni.so")
        include = self.folder / "include/wick_c"
        include.mkdir(parents=True)
        (include / "wick.h").write_text("int wick_api;\n")
        rules = self.folder / "rules.pro"
        rules.write_text("-keep class org.pytorch.** { *; }\n")
        done = run("make_aar.py", *self.words, "--jni", self.folder / "jni", "--prefab", "pytorch_jni", "--headers",
                   include.parent, "--proguard", rules, "--ndk", 27)
        self.assertEqual(done.returncode, 0, done.stderr)
        entries = self.entries()
        self.assertIn(b'package="org.pytorch"', entries["AndroidManifest.xml"])
        self.assertIn(b'android:minSdkVersion="21"', entries["AndroidManifest.xml"])
        self.assertIn(b'android:targetSdkVersion="34"', entries["AndroidManifest.xml"])
        self.assertEqual(entries["R.txt"], b"")
        self.assertIn(b"-keep class org.pytorch.**", entries["proguard.txt"])
        self.assertIn("META-INF/com/android/build/gradle/aar-metadata.properties", entries)
        library = (self.folder / "jni/x86_64/libpytorch_jni.so").read_bytes()
        self.assertEqual(entries["jni/x86_64/libpytorch_jni.so"], library)
        module = "prefab/modules/pytorch_jni"
        self.assertEqual(entries[f"{module}/libs/android.x86_64/libpytorch_jni.so"], library)
        self.assertEqual(entries[f"{module}/include/wick_c/wick.h"], b"int wick_api;\n")
        self.assertEqual(entries["headers/wick_c/wick.h"], b"int wick_api;\n")
        about = json.loads(entries[f"{module}/libs/android.x86_64/abi.json"])
        self.assertEqual((about["abi"], about["api"], about["ndk"], about["stl"]), ("x86_64", 21, 27, "none"))
        self.assertEqual(json.loads(entries["prefab/prefab.json"])["name"], "pytorch_android")
        with zipfile.ZipFile(io.BytesIO(entries["classes.jar"])) as jar:
            self.assertEqual(jar.namelist(), ["org/pytorch/Module.class"])

    def test_the_maven_repository(self):
        for version in ("0.1.0", "0.2.0"):
            self.words[-1] = f"org.wick:pytorch_android:{version}"
            self.assertEqual(run("make_aar.py", *self.words, "--maven", self.folder / "maven").returncode, 0)
        home = self.folder / "maven/org/wick/pytorch_android"
        aar = (home / "0.2.0/pytorch_android-0.2.0.aar").read_bytes()
        self.assertEqual(aar, (self.folder / "out.aar").read_bytes())
        self.assertIn("<version>0.1.0</version>", (home / "0.1.0/pytorch_android-0.1.0.pom").read_text())
        listed = (home / "maven-metadata.xml").read_text()
        for words in ("<release>0.2.0</release>", "<version>0.1.0</version>", "<version>0.2.0</version>"):
            self.assertIn(words, listed)
        self.assertEqual((home / "maven-metadata.xml.sha1").read_text(), hashlib.sha1(listed.encode()).hexdigest())

    def test_the_same_bytes_again(self):
        run("make_aar.py", *self.words)
        first = (self.folder / "out.aar").read_bytes()
        os.utime(self.classes, (0, 0))
        run("make_aar.py", *self.words)
        self.assertEqual(first, (self.folder / "out.aar").read_bytes())

    def test_the_pom_names_what_it_depends_on(self):
        run("make_aar.py", *self.words, "--depends", "wick:other:1.2")
        pom = (self.folder / "out.pom").read_text()
        self.assertIn("<packaging>aar</packaging>", pom)
        self.assertIn("<artifactId>other</artifactId>", pom)
        self.assertIn("<version>1.2</version>", pom)

    def test_mistakes(self):
        self.library("wrong/arm64-v8a/libpytorch_jni.so")
        self.library("named/arm64/libpytorch_jni.so")
        (self.folder / "none/x86").mkdir(parents=True)
        for words, message in [(["--jni", self.folder / "wrong"], "is not a library for arm64-v8a"),
                               (["--jni", self.folder / "named"], "is none of Android's ABIs"),
                               (["--jni", self.folder / "none"], "there are no libraries"),
                               (["--prefab", "pytorch_jni"], "--prefab needs --jni"),
                               (["--coordinate", "wick"], "is not group:artifact:version")]:
            done = run("make_aar.py", *self.words, *words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)
            self.assertFalse((self.folder / "out.aar").exists())


class Printing(Case):
    """What models print, on Android, with a log of the test's own."""

    def test_the_log(self):
        (self.folder / "android").mkdir()
        (self.folder / "android/log.h").write_text(
            "enum { ANDROID_LOG_DEBUG = 3 };\n"
            'extern "C" int __android_log_write(int level, const char* tag, const char* text);\n')
        (self.folder / "main.cpp").write_text("""#include <android/log.h>
#include <cstdio>
#include <cstring>
#include "ops/lang/printed.h"
int __android_log_write(int level, const char* tag, const char* text) {
  return std::printf("%d %s %zu %.3s\\n", level, tag, std::strlen(text), text);
}
int main() {
  using wick::ops::lang::write_printed;
  write_printed("tensor 1\\n");
  write_printed(std::string(3000, 'a') + "\\n" + std::string(3000, 'b') + "\\n");  // between lines
  write_printed(std::string(9000, 'c'));
}
""")
        source = ROOT / "src/ops/lang/printed.cpp"
        subprocess.run(["g++", "-std=c++20", "-D__ANDROID__", "-I", self.folder, "-I", ROOT / "src", source,
                        self.folder / "main.cpp", "-o", self.folder / "main"], check=True)
        said = subprocess.run([self.folder / "main"], capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual(said, [f"3 pytorch-print {size} {start}" for size, start in
                                [(9, "ten"), (3001, "aaa"), (3001, "bbb"), (4000, "ccc"), (4000, "ccc"), (1000, "ccc")]])


class BuildScripts(Case):
    """What they say before anything is built; PyTorch's words, which tools look for."""

    def environment(self, **more):
        ours = ("ANDROID", "SELECTED", "BUILD_LITE", "WICK_")
        words = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
        return {**words, **{key: str(value) for key, value in more.items()}}

    def test_without_an_ndk(self):
        done = run("build_android.sh", env=self.environment())
        self.assertEqual(done.returncode, 1)
        self.assertIn("ANDROID_NDK not set; please set it to the Android NDK directory", done.stdout + done.stderr)

    def test_a_folder_that_is_no_ndk(self):
        done = run("build_android.sh", env=self.environment(ANDROID_NDK=self.folder / "missing"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("ANDROID_NDK not a directory; did you install it under", done.stdout + done.stderr)

    def test_a_list_that_is_missing(self):
        done = run("build_android.sh", env=self.environment(ANDROID_NDK=self.folder, SELECTED_OP_LIST="none.yaml"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("Error: SELECTED_OP_LIST file none.yaml not found.", done.stdout + done.stderr)

    def test_the_command_for_an_abi(self):
        toolchain = self.folder / "build/cmake/android.toolchain.cmake"
        toolchain.parent.mkdir(parents=True)
        toolchain.write_text("")
        ops = self.folder / "ops.yaml"
        ops.write_text("- aten::add.Tensor\n")
        done = run("build_android.sh", "-DMORE=1", env=self.environment(
            ANDROID_NDK=self.folder, ANDROID_ABI="arm64-v8a", SELECTED_OP_LIST=ops, TRACING_BASED=1,
            BUILD_LITE_INTERPRETER=0, BUILD_ROOT=self.folder / "out", DRY_RUN=1))
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in [f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", "-DANDROID_ABI=arm64-v8a", "-DANDROID_PLATFORM=android-21",
                     "-DANDROID_STL=c++_static", f"-DWICK_SELECTED_OP_LIST={ops}", "-DWICK_PAGE_SIZE=16384", "-DMORE=1"]:
            self.assertIn(word, done.stdout)

    def test_which_files_a_library_reads(self):
        toolchain = self.folder / "build/cmake/android.toolchain.cmake"
        toolchain.parent.mkdir(parents=True)
        toolchain.write_text("")
        ops = self.folder / "ops.yaml"
        ops.write_text("- aten::add.Tensor\n")
        for lite_alone, words in [(False, {}), (False, {"BUILD_LITE_INTERPRETER": 1}),
                                  (False, {"BUILD_LITE_INTERPRETER": 0}), (True, {"WICK_TORCHSCRIPT": 0}),
                                  (True, {"SELECTED_OP_LIST": ops}),
                                  (False, {"SELECTED_OP_LIST": ops, "BUILD_LITE_INTERPRETER": 0}),
                                  (False, {"SELECTED_OP_LIST": ops, "WICK_TORCHSCRIPT": 1})]:
            done = run("build_android.sh", env=self.environment(
                ANDROID_NDK=self.folder, BUILD_ROOT=self.folder / "out", DRY_RUN=1, **words))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("-DWICK_TORCHSCRIPT=OFF" in done.stdout, lite_alone, words)

    def test_the_command_for_programs(self):
        toolchain = self.folder / "build/cmake/android.toolchain.cmake"
        toolchain.parent.mkdir(parents=True)
        toolchain.write_text("")
        done = run("build_android.sh", "-DBUILD_BINARY=ON", env=self.environment(
            ANDROID_NDK=self.folder, ANDROID_ABI="arm64-v8a", BUILD_ROOT=self.folder / "out", DRY_RUN=1))
        library, programs = done.stdout.strip().split("\n")
        self.assertIn("-DWICK_RUNTIME_ONLY=ON", library)
        self.assertIn(f"-B {self.folder / 'out'}/programs", programs)
        self.assertIn(f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", programs)
        self.assertLess(programs.index("-DWICK_RUNTIME_ONLY=ON"), programs.index("-DWICK_RUNTIME_ONLY=OFF"))
        self.assertIn("-DWICK_PYTORCH_TOOLS=ON", programs)

    def test_the_closing_lines(self):
        """Of a build whose tools do nothing, in a copy of the scripts: the lines that PyTorch's log ends with."""
        tools, root = self.folder / "tools", self.folder / "root"
        for folder in (tools, root / "scripts", root / "java"):
            folder.mkdir(parents=True)
        shutil.copy(SCRIPTS / "build_pytorch_android.sh", root / "scripts")
        (root / "CMakeLists.txt").write_text("project(wick VERSION 0.1.0)\n")
        for name, words in [("tools/cmake", ""), ("tools/mvn", ""),
                            ("root/scripts/make_aar.py", 'mkdir -p "$(dirname "$1")"; touch "$1"')]:
            (self.folder / name).write_text(f"#!/bin/sh\n{words}\n")
            (self.folder / name).chmod(0o755)
        path = f"{tools}:{os.environ['PATH']}"
        done = subprocess.run([root / "scripts/build_pytorch_android.sh", "x86"], capture_output=True, text=True,
                              env=self.environment(PATH=path))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^BUILD SUCCESSFUL in (\d+m )?\d+s$")
        self.assertIn("pytorch_android/build/outputs/aar/pytorch_android-incomplete.aar", done.stdout)
        self.assertRegex(done.stderr, r"(?m)^\+ find android -type f -name '\*aar'")
        self.assertRegex(done.stderr, r"(?m)^\+ xargs ls -lah$")

    def test_unknown_abis(self):
        done = run("build_pytorch_android.sh", "arm64", env=self.environment())
        self.assertEqual(done.returncode, 1)
        self.assertIn("arm64 is none of armeabi-v7a, arm64-v8a, x86, x86_64", done.stdout + done.stderr)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    wrong = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - wrong} passed, {wrong} failed")
    sys.exit(1 if wrong else 0)
