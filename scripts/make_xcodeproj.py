#!/usr/bin/env python3
"""Writes the Xcode projects of apple/, each from the project.json beside it.

make_xcodeproj.py [--check] FOLDER...     or --all: every folder below apple/ with a project.json

project.json:
  name, bundle_id, deployment_target
  sources      folders whose .swift, .m and .mm files are compiled
  resources    a folder whose files go into the app (its README.txt says which those are)
  bridging     headers that Swift sees: a bridging header is written
  frameworks   of the system; libraries: static ones below `library_path`
  pod          the pod that the Podfile names
  package      a local Swift package (path) and the products that are used
  settings     build settings beside the usual ones
  tests        {name, sources, resources}: a target with unit tests

--check writes nothing and fails when a project is not what its project.json says.
"""
import argparse
import hashlib
import json
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = {".swift": "sourcecode.swift", ".mm": "sourcecode.cpp.objcpp", ".m": "sourcecode.c.objc", ".h": "sourcecode.c.h",
         ".a": "archive.ar", ".framework": "wrapper.framework", ".app": "wrapper.application",
         ".xctest": "wrapper.cfbundle", ".json": "text.json", ".pt": "file", ".ptl": "file"}
PLAIN = re.compile(r"[A-Za-z0-9_./$]+\Z")


def quoted(text):
    text = str(text)
    if PLAIN.match(text) and "//" not in text:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def written(value, depth):
    indent = "\t" * depth
    if isinstance(value, dict):
        return "{\n" + "".join(f"{indent}\t{quoted(k)} = {written(v, depth + 1)};\n" for k, v in value.items()) + indent + "}"
    if isinstance(value, list):
        return "(\n" + "".join(f"{indent}\t{written(v, depth + 1)},\n" for v in value) + indent + ")"
    return quoted(value)


class Project:
    def __init__(self, folder, overrides=None):
        self.folder = folder
        self.description = json.loads((folder / "project.json").read_text()) | (overrides or {})
        self.name = self.description["name"]
        self.objects = {}

    def add(self, kind, key, **fields):
        """An object of the project, whose number is made of its kind and key."""
        number = hashlib.sha1(f"{self.name}/{kind}/{key}".encode()).hexdigest()[:24].upper()
        assert number not in self.objects, (kind, key)
        self.objects[number] = {"isa": kind, **fields}
        return number

    def file(self, path, tree="SOURCE_ROOT"):
        kind = KINDS.get(Path(path).suffix, "text")
        return self.add("PBXFileReference", path, lastKnownFileType=kind, name=Path(path).name, path=path, sourceTree=tree)

    def build_file(self, reference, key, **fields):
        return self.add("PBXBuildFile", key, fileRef=reference, **fields)

    def sources_of(self, entries):
        """Files of folders, and files that are named."""
        found = []
        for entry in entries:
            path = self.folder / entry
            found += sorted(path.iterdir()) if path.is_dir() else [path]
        return [os.path.relpath(path, self.folder) for path in found
                if path.suffix in (".swift", ".m", ".mm", ".h") and path.name != "Bridging-Header.h"]

    def configurations(self, key, common, debug, release):
        numbers = [self.add("XCBuildConfiguration", f"{key}/{name}", buildSettings=common | own, name=name)
                   for name, own in (("Debug", debug), ("Release", release))]
        return self.add("XCConfigurationList", key, buildConfigurations=numbers, defaultConfigurationIsVisible="0",
                        defaultConfigurationName="Release")

    def target(self, name, kind, product, sources, settings, phases, **fields):
        files = {path: self.file(path) for path in sources if path not in self.files}
        self.files |= files
        compiled = [self.build_file(self.files[path], f"{name}/{path}") for path in sources if not path.endswith(".h")]
        phase = self.add("PBXSourcesBuildPhase", name, buildActionMask="2147483647", files=compiled,
                         runOnlyForDeploymentPostprocessing="0")
        common = {"PRODUCT_BUNDLE_IDENTIFIER": f"{self.description['bundle_id']}{'' if kind == 'application' else '.tests'}",
                  "PRODUCT_NAME": "$(TARGET_NAME)", "SWIFT_VERSION": "5.0", "TARGETED_DEVICE_FAMILY": "1,2",
                  "GENERATE_INFOPLIST_FILE": "YES", "CODE_SIGN_STYLE": "Automatic", "CURRENT_PROJECT_VERSION": "1",
                  "MARKETING_VERSION": "1.0", "LD_RUNPATH_SEARCH_PATHS": ["$(inherited)", "@executable_path/Frameworks"],
                  **settings, **self.description.get("settings", {})}
        reference = self.add("PBXFileReference", product, explicitFileType=KINDS[Path(product).suffix], includeInIndex="0",
                             path=product, sourceTree="BUILT_PRODUCTS_DIR")
        self.products.append(reference)
        return self.add("PBXNativeTarget", name, buildConfigurationList=self.configurations(name, common, {}, {}),
                        buildPhases=[phase, *phases], buildRules=[], name=name, productName=name, productReference=reference,
                        productType=f"com.apple.product-type.{kind}", **fields)

    def copy_phase(self, key, folder):
        return self.add("PBXShellScriptBuildPhase", key, alwaysOutOfDate="1", buildActionMask="2147483647", files=[],
                        inputPaths=[], name="Copy models and pictures", outputPaths=[],
                        runOnlyForDeploymentPostprocessing="0", shellPath="/bin/sh",
                        shellScript=f'mkdir -p "$TARGET_BUILD_DIR/$UNLOCALIZED_RESOURCES_FOLDER_PATH"\nrsync -a --exclude '
                                    f'README.txt "$SRCROOT/{folder}/" '
                                    f'"$TARGET_BUILD_DIR/$UNLOCALIZED_RESOURCES_FOLDER_PATH/"\n')

    def resources_phase(self, key, paths):
        files = []
        for path in paths:
            if path not in self.files:
                self.files[path] = self.file(path)
            files.append(self.build_file(self.files[path], f"{key}/resource/{path}"))
        return self.add("PBXResourcesBuildPhase", key, buildActionMask="2147483647", files=files,
                        runOnlyForDeploymentPostprocessing="0")

    def make(self):
        """The text of project.pbxproj."""
        d = self.description
        self.objects, self.files, self.products = {}, {}, []
        linked, package_products, project_fields = [], [], {}
        frameworks = [self.file(f"System/Library/Frameworks/{name}.framework", "SDKROOT") for name in d.get("frameworks", [])]
        linked += [self.build_file(number, f"framework/{number}") for number in frameworks]
        libraries = [self.file(path) for path in d.get("libraries", [])]
        linked += [self.build_file(number, f"library/{number}") for number in libraries]
        if package := d.get("package"):
            reference = self.add("XCLocalSwiftPackageReference", package["path"], relativePath=package["path"])
            project_fields["packageReferences"] = [reference]
            for product in package["products"]:
                number = self.add("XCSwiftPackageProductDependency", product, package=reference, productName=product)
                package_products.append(number)
                linked.append(self.add("PBXBuildFile", f"package/{product}", productRef=number))
        phases = [self.add("PBXFrameworksBuildPhase", "app", buildActionMask="2147483647", files=linked,
                           runOnlyForDeploymentPostprocessing="0")]
        phases.append(self.resources_phase("app", d.get("resource_files", [])))
        if "resources" in d:
            phases.append(self.copy_phase("app", d["resources"]))
        settings = {"INFOPLIST_KEY_UILaunchScreen_Generation": "YES", "ENABLE_USER_SCRIPT_SANDBOXING": "NO"}
        if "bridging" in d:
            settings["SWIFT_OBJC_BRIDGING_HEADER"] = "App/Bridging-Header.h"
        app = self.target(self.name, "application", f"{self.name}.app", self.sources_of(d["sources"]), settings, phases,
                          dependencies=[], packageProductDependencies=package_products)
        targets, attributes = [app], {app: {"CreatedOnToolsVersion": "15.0"}}
        if tests := d.get("tests"):
            proxy = self.add("PBXContainerItemProxy", "tests", containerPortal="PROJECT", proxyType="1",
                             remoteGlobalIDString=app, remoteInfo=self.name)
            dependency = self.add("PBXTargetDependency", "tests", target=app, targetProxy=proxy)
            test_phases = [self.resources_phase("tests", d.get("resource_files", []))]
            targets.append(self.target(tests["name"], "bundle.unit-test", f"{tests['name']}.xctest",
                                       self.sources_of(tests["sources"]),
                                       {"TEST_HOST": f"$(BUILT_PRODUCTS_DIR)/{self.name}.app/{self.name}",
                                        "BUNDLE_LOADER": "$(TEST_HOST)"}, test_phases, dependencies=[dependency]))
            attributes[targets[1]] = {"CreatedOnToolsVersion": "15.0", "TestTargetID": app}
        products = self.add("PBXGroup", "Products", children=self.products, name="Products", sourceTree="<group>")
        system = self.add("PBXGroup", "Frameworks", children=frameworks + libraries, name="Frameworks", sourceTree="<group>")
        main = self.add("PBXGroup", "main", children=[*self.files.values(), system, products], sourceTree="<group>")
        common = {"ALWAYS_SEARCH_USER_PATHS": "NO", "CLANG_CXX_LANGUAGE_STANDARD": "gnu++14", "CLANG_CXX_LIBRARY": "libc++",
                  "CLANG_ENABLE_MODULES": "YES", "CLANG_ENABLE_OBJC_ARC": "YES", "ENABLE_BITCODE": "NO",
                  "IPHONEOS_DEPLOYMENT_TARGET": d["deployment_target"], "SDKROOT": "iphoneos"}
        configurations = self.configurations(
            "project", common, {"GCC_OPTIMIZATION_LEVEL": "0", "ONLY_ACTIVE_ARCH": "YES",
                                "SWIFT_OPTIMIZATION_LEVEL": "-Onone", "ENABLE_TESTABILITY": "YES"},
            {"SWIFT_OPTIMIZATION_LEVEL": "-O", "VALIDATE_PRODUCT": "YES"})
        project = self.add("PBXProject", "project", attributes={"LastUpgradeCheck": "1500", "TargetAttributes": attributes},
                           buildConfigurationList=configurations, compatibilityVersion="Xcode 14.0", developmentRegion="en",
                           hasScannedForEncodings="0", knownRegions=["en", "Base"], mainGroup=main,
                           productRefGroup=products, projectDirPath="", projectRoot="", targets=targets, **project_fields)
        for item in self.objects.values():
            if item.get("containerPortal") == "PROJECT":
                item["containerPortal"] = project
        ordered = dict(sorted(self.objects.items(), key=lambda entry: (entry[1]["isa"], entry[0])))
        whole = {"archiveVersion": "1", "classes": {}, "objectVersion": "56", "objects": ordered, "rootObject": project}
        return "// !$*UTF8*$!\n" + written(whole, 0) + "\n"

    def outputs(self):
        """Path -> text of all that is written."""
        out = {self.folder / f"{self.name}.xcodeproj/project.pbxproj": self.make()}
        if headers := self.description.get("bridging"):
            out[self.folder / "App/Bridging-Header.h"] = "".join(f'#import "{header}"\n' for header in headers)
        if pod := self.description.get("pod"):
            spec = os.path.relpath(ROOT / "build_ios/pods", self.folder)
            out[self.folder / "Podfile"] = (
                "# `pod install` takes Wick in place of PyTorch's pod; scripts/build_xcframework.sh makes it.\n"
                f"platform :ios, '{self.description['deployment_target']}'\n\ntarget '{self.name}' do\n"
                f"  pod '{pod}', :podspec => '{spec}/{pod}.podspec'\nend\n")
        return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--overrides", type=json.loads, help="JSON that replaces entries of project.json")
    arguments = parser.parse_args()
    folders = [path.resolve() for path in arguments.folders]
    if arguments.all:
        folders += sorted(path.parent for path in (ROOT / "apple").rglob("project.json"))
    different = []
    for folder in folders:
        for path, text in Project(folder, arguments.overrides).outputs().items():
            if arguments.check:
                if not path.exists() or path.read_text() != text:
                    different.append(path)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if different:
        sys.exit("make_xcodeproj.py: not what project.json says: " + ", ".join(map(str, different)))


if __name__ == "__main__":
    main()
