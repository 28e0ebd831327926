#!/usr/bin/env python3
"""build_apk.py APP... [--aar FILE...] [--out FOLDER]: builds apps of this folder into signed APKs, without Gradle and
Android's SDK: with Debian's aapt2, a JDK, and what tools/pom.xml names.

Writes FOLDER/APP.apk, signed (v1, v2, v3) with a key for debugging that is made once. --aar: the AARs of org.pytorch and
org.pytorch.torchvision; by default those that scripts/build_pytorch_android.sh has left in android/. Without native
libraries in them there is nothing that a phone could run: then it is APP-incomplete.apk.
FOLDER/APP/ keeps what the tests need: classes, resources.apk, AndroidManifest.xml."""
import argparse
import io
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

from gradle_project import GradleProject

APPS = pathlib.Path(__file__).resolve().parent
ROOT = APPS.parents[2]
PAGE = 16384
WEIGHTS = 64
PASSWORD = "android"
FRAMEWORK = pathlib.Path("/usr/share/android-framework-res/framework-res.apk")


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"build_apk.py: {' '.join(map(str, command))[:300]}\n{done.stdout}{done.stderr}")
    return done.stdout


class Tools:
    """Jars of tools/pom.xml, found once."""

    def __init__(self, out):
        pom, known = APPS / "tools/pom.xml", out / "tools.classpath"
        if not known.exists() or known.stat().st_mtime < pom.stat().st_mtime:
            run("mvn", "-q", "-B", "-ntp", "-f", pom, "dependency:build-classpath", f"-Dmdep.outputFile={known}")
        self.jars = [pathlib.Path(p) for p in known.read_text().strip().split(":")]
        self.android = self.jar("android-all")
        self.kotlin_library = self.jar("kotlin-stdlib")
        self.java = ["java", "-cp", ":".join(str(j) for j in self.jars if j != self.android)]
        self.keys = out / "debug.keystore"
        if not self.keys.exists():
            run("keytool", "-genkeypair", "-keystore", self.keys, "-storetype", "PKCS12", "-storepass", PASSWORD, "-alias",
                "androiddebugkey", "-keyalg", "RSA", "-keysize", "2048", "-validity", "10000", "-dname", "CN=Android Debug")

    def jar(self, name):
        return next(j for j in self.jars if re.match(rf"{name}-\d", j.name))


def read_aars(files):
    """(jars of classes, {(ABI, name): bytes}) of AARs."""
    classes, libraries = [], {}
    for file in files:
        with zipfile.ZipFile(file) as aar:
            classes.append(aar.read("classes.jar"))
            for name in aar.namelist():
                match = re.fullmatch(r"jni/([\w-]+)/(lib\w+\.so)", name)
                if match:
                    libraries[match.groups()] = aar.read(name)
    return classes, libraries


def link_resources(project, work):
    """resources.apk and R.java."""
    manifest = (project.main / "AndroidManifest.xml").read_text()
    named = manifest.replace("<manifest ", f'<manifest package="{project.namespace}" ', 1)
    (work / "AndroidManifest.xml").write_text(named)
    run("aapt2", "compile", "--dir", project.main / "res", "-o", work / "res.zip")
    renamed = [] if project.application_id == project.namespace else [
        "--rename-manifest-package", project.application_id, "--custom-package", project.namespace]
    run("aapt2", "link", "-o", work / "resources.apk", "-I", FRAMEWORK, "--manifest", work / "AndroidManifest.xml",
        "--java", work / "generated", "-A", project.main / "assets", "--min-sdk-version", project.min_sdk,
        "--target-sdk-version", project.target_sdk, "--version-code", project.version_code, "--version-name",
        project.version_name, *renamed, work / "res.zip")


def compile_classes(project, work, tools, libraries):
    java = [*project.files(".java"), *(work / "generated").rglob("*.java")]
    kotlin = project.files(".kt")
    classes = work / "classes"
    path = [tools.android, *libraries]
    if kotlin:
        path.append(tools.kotlin_library)
        run(*tools.java, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect", "-jvm-target", "1.8",
            "-Werror", "-cp", ":".join(map(str, path)), "-d", classes, *kotlin, *java)
    run("javac", "-Xlint:all,-options,-classfile,-serial,-deprecation", "-Werror", "--release", "8", "-encoding", "UTF-8",
        "-cp", ":".join(map(str, [*path, classes])), "-d", classes, *java)
    return bool(kotlin)


def dex(project, work, tools, libraries, has_kotlin):
    jar = work / "classes.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for file in sorted((work / "classes").rglob("*.class")):
            archive.write(file, file.relative_to(work / "classes"))
    run(*tools.java, "com.android.tools.r8.D8", "--release", "--min-api", project.min_sdk, "--lib", tools.android,
        "--output", work, jar, *libraries, *([tools.kotlin_library] if has_kotlin else []))
    return sorted(work.glob("classes*.dex"))


class AlignedZip:
    """A zip whose stored entries begin at multiples of a number of bytes, so that they can be mapped."""

    def __init__(self):
        self.bytes = io.BytesIO()
        self.zip = zipfile.ZipFile(self.bytes, "w")

    def add(self, name, data, stored, alignment=4):
        entry = zipfile.ZipInfo(name, (1981, 1, 1, 1, 1, 2))
        entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        if stored:
            begin = self.bytes.tell() + 30 + len(name.encode())
            # An extra field (0xD935, of alignment) of at least 6 bytes.
            padding = 6 + (-(begin + 6)) % alignment
            entry.extra = b"\x35\xd9" + (padding - 4).to_bytes(2, "little") + alignment.to_bytes(2, "little")
            entry.extra += bytes(padding - 6)
        self.zip.writestr(entry, data)

    def finish(self):
        self.zip.close()
        return self.bytes.getvalue()


def package(project, work, dexes, libraries):
    """The APK, not signed. Native libraries are stored at pages and models at multiples of what their weights are
    aligned to inside of them, so that both are used where they lie."""
    apk = AlignedZip()
    with zipfile.ZipFile(work / "resources.apk") as resources:
        for entry in resources.infolist():
            is_model = entry.filename.rpartition(".")[2] in project.no_compress
            apk.add(entry.filename, resources.read(entry), is_model or entry.compress_type == zipfile.ZIP_STORED,
                    WEIGHTS if is_model else 4)
    for file in dexes:
        apk.add(file.name, file.read_bytes(), stored=False)
    for (abi, name), data in sorted(libraries.items()):
        apk.add(f"lib/{abi}/{name}", data, stored=True, alignment=PAGE)
    return apk.finish()


def build(app, aars, out, tools):
    project = GradleProject(APPS / app)
    work = out / app
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "classes").mkdir()
    jars, native = [], {}
    if aars:
        contents, native = read_aars(aars)
        for index, data in enumerate(contents):
            jars.append(work / f"library{index}.jar")
            jars[-1].write_bytes(data)
    link_resources(project, work)
    has_kotlin = compile_classes(project, work, tools, jars)
    unsigned = work / "unsigned.apk"
    unsigned.write_bytes(package(project, work, dex(project, work, tools, jars, has_kotlin), native))
    apk = out / (f"{app}.apk" if native else f"{app}-incomplete.apk")
    schemes = run(*tools.java, APPS / "tools/Sign.java", unsigned, apk, tools.keys, PASSWORD).strip()
    (work / "test_config.properties").write_text(
        f"android_merged_manifest={work}/AndroidManifest.xml\nandroid_merged_assets={project.main}/assets\n"
        f"android_resource_apk={work}/resources.apk\nandroid_custom_package={project.namespace}\n")
    print(f"{apk}: {apk.stat().st_size} bytes, {schemes}" + ("" if native else
          "; without native libraries: the AARs are incomplete (scripts/build_pytorch_android.sh with ANDROID_NDK)"))


def default_aars():
    found = []
    for name in ("pytorch_android", "pytorch_android_torchvision"):
        folder = ROOT / "android" / name / "build/outputs/aar"
        aar = next((f for f in (folder / f"{name}-{kind}.aar" for kind in ("release", "incomplete")) if f.exists()), None)
        if not aar:
            raise SystemExit(f"build_apk.py: there is no AAR in {folder}; run scripts/build_pytorch_android.sh")
        found.append(aar)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("apps", nargs="+", choices=sorted(p.parent.name for p in APPS.glob("*/settings.gradle")))
    parser.add_argument("--aar", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/android-apps")
    options = parser.parse_args()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    tools = Tools(out)
    for app in options.apps:
        build(app, options.aar or default_aars(), out, tools)
    return 0


if __name__ == "__main__":
    sys.exit(main())
