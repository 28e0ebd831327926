#!/usr/bin/env python3
"""make_pod.py LibTorch-Lite|LibTorch FOLDER --include FOLDER --framework FRAMEWORK: writes a pod's zip and podspec.

The zip has the layout of PyTorch's pods: install/include, src/<umbrella>.h, version.txt, LICENSE; the libraries are an
xcframework. In a Podfile: pod 'LibTorch-Lite', :podspec => 'FOLDER/LibTorch-Lite.podspec'
"""
import argparse
import re
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UMBRELLAS = {
    "LibTorch": ["torch/script.h"],
    "LibTorch-Lite": ["torch/csrc/jit/mobile/import.h", "torch/csrc/jit/mobile/module.h", "torch/script.h"],
}


def add_folder(archive, folder, place):
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            archive.write(path, f"{place}/{path.relative_to(folder)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=UMBRELLAS)
    parser.add_argument("output", type=Path)
    parser.add_argument("--include", type=Path, required=True)
    parser.add_argument("--framework", type=Path, required=True)
    arguments = parser.parse_args()
    for folder in (arguments.include / "torch", arguments.framework):
        if not folder.is_dir():
            parser.error(f"there is no folder {folder}")
    arguments.output.mkdir(parents=True, exist_ok=True)
    podspec = (ROOT / "apple/pods" / f"{arguments.name}.podspec").read_text()
    version = re.search(r"s\.version = '([^']+)'", podspec)[1]
    with zipfile.ZipFile(arguments.output / f"{arguments.name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(ROOT / "LICENSE", "LICENSE")
        archive.write(ROOT / "apple/Sources/Wick/PrivacyInfo.xcprivacy", "PrivacyInfo.xcprivacy")
        archive.writestr("version.txt", version + "\n")
        includes = "".join(f"#import <{header}>\n" for header in UMBRELLAS[arguments.name])
        archive.writestr(f"src/{arguments.name}.h", f"#pragma once\n{includes}")
        add_folder(archive, arguments.include, "install/include")
        add_folder(archive, arguments.framework, "install/LibTorch.xcframework")
    (arguments.output / f"{arguments.name}.podspec").write_text(podspec)
    print(arguments.output / f"{arguments.name}.zip")


if __name__ == "__main__":
    main()
