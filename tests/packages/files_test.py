#!/usr/bin/env python3
"""files_test.py: the files of packages and workflows name what the project has; last line "N passed, M failed"."""
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import manual  # noqa: E402


def read(path):
    return (ROOT / path).read_text()


class Files(unittest.TestCase):
    def programs(self):
        """The programs with PyTorch's names, as tools/CMakeLists.txt builds them."""
        return re.search(r"set\(WICK_DROPIN_TOOLS ([a-z_\s]+?)\)", read("tools/dropin/CMakeLists.txt")).group(1).split()

    def test_every_program_has_a_manual_page(self):
        self.assertEqual(sorted(manual.PYTORCH_TOOLS), sorted(self.programs()))

    def test_the_vcpkg_port_has_every_program(self):
        names = re.search(r"TOOL_NAMES\s+([a-z_\s]+?)\s+AUTO_CLEAN", read("packaging/vcpkg/ports/wick/portfile.cmake")).group(1)
        self.assertEqual(sorted(names.split()), sorted(["wick", *self.programs()]))

    def test_every_installed_library_has_a_debian_package(self):
        sources = read("CMakeLists.txt") + read("cmake/image.cmake")
        libraries = set(re.findall(r"set_target_properties\(wick_(\w+) PROPERTIES VERSION", sources))
        packages = set(re.findall(r"^Package: libwick-(\w+)0$", read("packaging/debian/control"), re.MULTILINE))
        self.assertEqual(packages, libraries)
        rules = read("packaging/debian/rules")
        for library in libraries:
            self.assertIn(f"usr/lib/*/libwick_{library}.so.*", read(f"packaging/debian/libwick-{library}0.install"))
            self.assertIn(f"dh_makeshlibs -plibwick-{library}0", rules)

    def test_debian_packages_name_files_that_exist(self):
        for name in ("wick.docs", "libwick-dev.docs", "libwick-dev.examples"):
            for path in read(f"packaging/debian/{name}").split():
                self.assertTrue((ROOT / path).exists(), f"{name}: {path}")

    def test_the_copyright_file_has_the_license(self):
        license_text = read("LICENSE").split("\n", 4)[4].split()
        text = [word for word in read("packaging/debian/copyright").split("License: BSD-3-Clause\n")[-1].split() if word != "."]
        self.assertEqual(text, license_text)

    def test_packages_set_options_that_the_project_has(self):
        known = set()
        for path in ["CMakeLists.txt", "tools/CMakeLists.txt", *(str(p.relative_to(ROOT)) for p in (ROOT / "cmake").glob("*.cmake"))]:
            known |= set(re.findall(r"(?:option|set)\((WICK_[A-Z_]+)", read(path)))
        for path in ("packaging/debian/rules", "packaging/conan/conanfile.py", "packaging/vcpkg/ports/wick/portfile.cmake"):
            used = set(re.findall(r"\bWICK_[A-Z_]+", read(path)))
            self.assertLessEqual(used, known, path)

    def test_steps_of_workflows_are_targets_of_make(self):
        phony = set(re.findall(r"^([a-z][a-z0-9-]*):", read("Makefile"), re.MULTILINE))
        matrix = r"\$\{\{ matrix\.target \}\}"
        seen = 0
        for path in sorted((ROOT / ".github/workflows").glob("*.yml")):
            text = path.read_text()
            targets = [words.split()[0] for line in re.findall(r"^ +target: \[(.*)\]$", text, re.MULTILINE) for words in line.split(", ")]
            for step in re.findall(r"^ +(?:- )?run: (.*)$", text, re.MULTILINE):
                if step.startswith("uv "):
                    continue
                made = re.match(rf"make (?:({matrix})|([a-z0-9-]+))", step)
                self.assertIsNotNone(made, f"{path.name}: {step}")
                for target in targets if made.group(1) else [made.group(2)]:
                    self.assertIn(target, phony, f"{path.name}: {step}")
                    seen += 1
        self.assertGreater(seen, 20)

    def test_scripts_are_executable(self):
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--stage", "packaging", "tests/packages"], capture_output=True, text=True)
        for line in listed.stdout.splitlines():
            mode, path = line.split()[0], line.split("\t")[1]
            if (ROOT / path).exists() and (ROOT / path).read_bytes().startswith(b"#!"):
                self.assertEqual(mode, "100755", path)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed > 0)
