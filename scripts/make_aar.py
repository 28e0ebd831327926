#!/usr/bin/env python3
"""make_aar.py OUT.aar --package org.pytorch --classes JAR|FOLDER [OPTIONS]: an Android library, without Android's tools.

  --jni FOLDER          its ABI/*.so become jni/ABI/*.so
  --prefab NAME         offers lib NAME of every ABI to native code of apps (find_package(... CONFIG) in their CMake)
  --headers FOLDER...   of that library; also in headers/, where apps look that unpack the AAR themselves
  --proguard FILE       rules for the apps that shrink their code
  --depends COORDINATE  group:artifact:version of another library, for the POM that is written beside the AAR
  --maven FOLDER        also GROUP/ARTIFACT/VERSION/ARTIFACT-VERSION.aar and .pom in it, and maven-metadata.xml: a
                        repository that Gradle and Maven read (maven { url 'file://FOLDER' })
  --coordinate, --min-sdk, --target-sdk, --ndk  what the metadata say

The same inputs give the same bytes."""
import argparse
import hashlib
import io
import json
import pathlib
import sys
import zipfile

ABIS = {"armeabi-v7a": 32, "arm64-v8a": 64, "x86": 32, "x86_64": 64}
METADATA = """aarFormatVersion=1.0
aarMetadataVersion=1.0
minCompileSdk=1
minCompileSdkExtension=0
minAndroidGradlePluginVersion=1.0.0
coreLibraryDesugaringEnabled=false
"""


class Archive:
    """A zip file whose entries have no times of their own, in the order they are added."""

    def __init__(self):
        self.bytes = io.BytesIO()
        self.zip = zipfile.ZipFile(self.bytes, "w", zipfile.ZIP_DEFLATED)

    def add(self, name, data):
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        self.zip.writestr(entry, data)

    def add_folder(self, prefix, folder, keep=lambda path: True):
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and keep(p)):
            self.add(prefix + path.relative_to(folder).as_posix(), path.read_bytes())

    def finish(self):
        self.zip.close()
        return self.bytes.getvalue()


def classes_jar(source):
    """Of a folder or a jar: classes alone. Native libraries inside of a server's jar have no business in an app."""
    jar = Archive()
    if source.is_dir():
        jar.add_folder("", source, lambda path: path.suffix == ".class")
    else:
        with zipfile.ZipFile(source) as whole:
            for name in sorted(n for n in whole.namelist() if n.endswith(".class")):
                jar.add(name, whole.read(name))
    if not jar.zip.namelist():
        raise SystemExit(f"make_aar.py: there are no classes in {source}")
    return jar.finish()


def libraries_of(folder):
    """[(ABI, file)] of FOLDER/ABI/*.so; another folder in it is a mistake."""
    found = []
    for abi in sorted(p for p in folder.iterdir() if p.is_dir()):
        if abi.name not in ABIS:
            raise SystemExit(f"make_aar.py: {abi} is none of Android's ABIs ({', '.join(ABIS)})")
        files = sorted(abi.glob("*.so"))
        if not files:
            raise SystemExit(f"make_aar.py: there are no libraries in {abi}")
        found += [(abi.name, path) for path in files]
    return found


def check_machine(abi, path):
    data = path.read_bytes()[:20]
    machine = {"armeabi-v7a": 40, "arm64-v8a": 183, "x86": 3, "x86_64": 62}[abi]
    if data[:4] != b"\x7fELF" or int.from_bytes(data[18:20], "little") != machine:
        raise SystemExit(f"make_aar.py: {path} is not a library for {abi}")


def add_prefab(aar, options, libraries):
    name = options.coordinate.split(":")[1]
    aar.add("prefab/prefab.json", json.dumps(
        {"name": name, "schema_version": 2, "dependencies": [], "version": options.coordinate.split(":")[2]}, indent=2))
    module = f"prefab/modules/{options.prefab}"
    aar.add(f"{module}/module.json", json.dumps({"export_libraries": [], "android": {}}, indent=2))
    for folder in options.headers:
        aar.add_folder(f"{module}/include/", folder)
    file = f"lib{options.prefab}.so"
    offered = [(abi, path) for abi, path in libraries if path.name == file]
    if not offered:
        raise SystemExit(f"make_aar.py: --prefab {options.prefab}: there is no {file} in {options.jni}")
    for abi, path in offered:
        # "none": the C++ library inside is hidden, so that any of the app's own goes with it.
        about = {"abi": abi, "api": options.min_sdk, "ndk": options.ndk, "stl": "none", "static": False}
        aar.add(f"{module}/libs/android.{abi}/abi.json", json.dumps(about, indent=2))
        aar.add(f"{module}/libs/android.{abi}/{file}", path.read_bytes())


def make(options):
    libraries = libraries_of(options.jni) if options.jni else []
    for abi, path in libraries:
        check_machine(abi, path)
    aar = Archive()
    aar.add("AndroidManifest.xml", '<?xml version="1.0" encoding="utf-8"?>\n'
            '<manifest xmlns:android="http://schemas.android.com/apk/res/android"\n'
            f'    package="{options.package}"\n    android:versionName="{options.coordinate.split(":")[2]}">\n'
            f'    <uses-sdk android:minSdkVersion="{options.min_sdk}" '
            f'android:targetSdkVersion="{options.target_sdk}" />\n</manifest>\n')
    aar.add("classes.jar", classes_jar(options.classes))
    aar.add("R.txt", "")  # it has no resources
    aar.add("META-INF/com/android/build/gradle/aar-metadata.properties", METADATA)
    if options.proguard:
        aar.add("proguard.txt", options.proguard.read_bytes())
    for abi, path in libraries:
        aar.add(f"jni/{abi}/{path.name}", path.read_bytes())
    if options.prefab:
        add_prefab(aar, options, libraries)
        for folder in options.headers:
            aar.add_folder("headers/", folder)
    return aar.finish()


def pom(options):
    group, artifact, version = options.coordinate.split(":")
    dependencies = ""
    for coordinate in options.depends:
        other = coordinate.split(":")
        dependencies += (f"    <dependency>\n      <groupId>{other[0]}</groupId>\n      <artifactId>{other[1]}</artifactId>\n"
                         f"      <version>{other[2]}</version>\n      <type>aar</type>\n      <scope>compile</scope>\n"
                         "    </dependency>\n")
    if dependencies:
        dependencies = f"  <dependencies>\n{dependencies}  </dependencies>\n"
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<project xmlns="http://maven.apache.org/POM/4.0.0">\n'
            f"  <modelVersion>4.0.0</modelVersion>\n  <groupId>{group}</groupId>\n  <artifactId>{artifact}</artifactId>\n"
            f"  <version>{version}</version>\n  <packaging>aar</packaging>\n{dependencies}</project>\n")


def write_repository(folder, data, options):
    group, artifact, version = options.coordinate.split(":")
    home = folder.joinpath(*group.split("."), artifact)
    (home / version).mkdir(parents=True, exist_ok=True)
    files = {home / version / f"{artifact}-{version}.aar": data,
             home / version / f"{artifact}-{version}.pom": pom(options).encode()}
    versions = sorted(p.name for p in home.iterdir() if p.is_dir())
    files[home / "maven-metadata.xml"] = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<metadata>\n  <groupId>{group}</groupId>\n'
        f"  <artifactId>{artifact}</artifactId>\n  <versioning>\n    <release>{version}</release>\n    <versions>\n"
        + "".join(f"      <version>{v}</version>\n" for v in versions)
        + "    </versions>\n  </versioning>\n</metadata>\n").encode()
    for path, content in files.items():
        path.write_bytes(content)
        path.with_name(path.name + ".sha1").write_text(hashlib.sha1(content).hexdigest())


def coordinate(text):
    if text.count(":") != 2 or not all(text.split(":")):
        raise argparse.ArgumentTypeError(f"'{text}' is not group:artifact:version")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--package", required=True)
    parser.add_argument("--classes", required=True, type=pathlib.Path)
    parser.add_argument("--coordinate", required=True, type=coordinate)
    parser.add_argument("--jni", type=pathlib.Path)
    parser.add_argument("--prefab")
    parser.add_argument("--headers", nargs="*", default=[], type=pathlib.Path)
    parser.add_argument("--proguard", type=pathlib.Path)
    parser.add_argument("--depends", nargs="*", default=[], type=coordinate)
    parser.add_argument("--min-sdk", type=int, default=21)
    parser.add_argument("--target-sdk", type=int, default=34)
    parser.add_argument("--maven", type=pathlib.Path)
    parser.add_argument("--ndk", type=int, default=0)
    options = parser.parse_args()
    if options.prefab and not options.jni:
        parser.error("--prefab needs --jni")
    data = make(options)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_bytes(data)
    options.out.with_suffix(".pom").write_text(pom(options))
    if options.maven:
        write_repository(options.maven, data, options)
    print(f"{options.out}: {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
