#!/usr/bin/env python3
"""test.py [--native FOLDER]: builds every app into a signed APK, looks into the APKs, and starts and clicks the apps'
activities under Robolectric. Ends with "N passed, M failed"."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

from build_apk import PAGE, WEIGHTS, AlignedZip
from gradle_project import GradleProject

APPS = pathlib.Path(__file__).resolve().parent
ROOT = APPS.parents[2]
JAVA = ROOT / "java"
sys.path.insert(0, str(JAVA))
import surefire
OUT = ROOT / "build/android-apps"
NAMES = sorted(p.parent.name for p in APPS.glob("*/settings.gradle"))
LIBRARIES = {"pytorch_android": ("pytorch_android", "org.pytorch"),
             "pytorch_android_torchvision": ("torchvision", "org.pytorch.torchvision")}


def run(*command, **options):
    return subprocess.run([str(c) for c in command], check=True, **options)


def build():
    """The AARs, with a file in the place of the native library, and the apps."""
    run("mvn", "-q", "-B", "-ntp", "package", "-DskipTests", "-pl", "pytorch_android,torchvision", cwd=JAVA)
    aars = []
    for artifact, (module, package) in LIBRARIES.items():
        jar = next(j for j in (JAVA / module / "target").glob(f"{artifact}-*.jar") if re.search(r"-[\d.]+\.jar$", j.name))
        aars.append(OUT / "aar" / f"{artifact}-incomplete.aar")
        run(sys.executable, ROOT / "scripts/make_aar.py", aars[-1], "--package", package, "--classes", jar,
            "--coordinate", f"wick:{artifact}:0.0.0")
    run(sys.executable, APPS / "build_apk.py", *NAMES, "--aar", *aars, "--out", OUT)


def data_begins(file, entry):
    with open(file, "rb") as apk:
        apk.seek(entry.header_offset + 26)
        name, extra = (int.from_bytes(apk.read(2), "little") for _ in range(2))
    return entry.header_offset + 30 + name + extra


def wrong_in_apk(name):
    """What is wrong with an APK, in words."""
    file, project = OUT / f"{name}-incomplete.apk", GradleProject(APPS / name)
    badging = subprocess.run(["aapt2", "dump", "badging", file], capture_output=True, text=True).stdout
    if f"package: name='{project.application_id}' versionCode='{project.version_code}'" not in badging:
        yield "the package is not what Gradle says"
    wrapper = APPS / name / "gradle/wrapper/gradle-wrapper.properties"
    if not wrapper.exists() or "/gradle-8.7-bin.zip" not in wrapper.read_text():
        yield "Android Studio is not told which Gradle its plugin needs"
    if f"sdkVersion:'{project.min_sdk}'" not in badging or "launchable-activity" not in badging:
        yield "it has another minSdk, or nothing to launch"
    with zipfile.ZipFile(file) as apk:
        entries = {e.filename: e for e in apk.infolist()}
        if not {"classes.dex", "resources.arsc", "AndroidManifest.xml", "META-INF/MANIFEST.MF"} <= entries.keys():
            yield "it lacks " + str(sorted(entries))
        classes = apk.read("classes.dex")
        for wanted in (f"L{project.namespace.replace('.', '/')}/MainActivity;", "Lorg/pytorch/Module;",
                       "Lorg/pytorch/torchvision/TensorImageUtils;"):
            if wanted.encode() not in classes:
                yield f"there is no {wanted} in classes.dex"
        for asset in (project.main / "assets").iterdir():
            entry = entries.get(f"assets/{asset.name}")
            if not entry or entry.file_size != asset.stat().st_size:
                yield f"assets/{asset.name} is missing or other"
            elif asset.suffix in (".pt", ".ptl") and (entry.compress_type != zipfile.ZIP_STORED or
                                                      data_begins(file, entry) % WEIGHTS):
                yield f"assets/{asset.name} is compressed or not aligned: it can't be used in place"
    if project.dependencies != [f"{a}-release" for a in LIBRARIES]:
        yield f"it depends on {project.dependencies}"


def wrong_in_alignment():
    apk = AlignedZip()
    apk.add("classes.dex", bytes(1001), stored=False)
    apk.add("lib/arm64-v8a/libx.so", bytes(range(256)), stored=True, alignment=PAGE)
    apk.add("lib/x86/libx.so", bytes(3), stored=True, alignment=PAGE)
    file = OUT / "aligned.zip"
    file.write_bytes(apk.finish())
    with zipfile.ZipFile(file) as written:
        if written.testzip():
            yield "the zip is damaged"
        for entry in written.infolist()[1:]:
            if data_begins(file, entry) % PAGE:
                yield f"{entry.filename} begins at {data_begins(file, entry)}"


def run_activities(native):
    reports = APPS / "target/surefire-reports"
    shutil.rmtree(reports, ignore_errors=True)
    done = subprocess.run(["mvn", "-q", "-B", "-ntp", "-P", "apps", "-pl", "pytorch_android,torchvision,android/apps", "test",
                           "-Dtest=*ActivityTest,NavigationTest,TopKTest",
                           "-Dsurefire.failIfNoSpecifiedTests=false", f"-Dwick.native={native}", f"-Dwick.apps={OUT}"],
                          cwd=JAVA)
    passed, failed = surefire.counts([reports])
    return passed, failed or int(done.returncode != 0 or passed == 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--native", type=pathlib.Path, default=ROOT / "build/lib", help="folder of libpytorch_jni.so")
    options = parser.parse_args()
    build()
    passed = failed = 0
    for what, wrongs in [("alignment", wrong_in_alignment()), *((name, wrong_in_apk(name)) for name in NAMES)]:
        found = list(wrongs)
        for wrong in found:
            print(f"{what}: {wrong}")
        passed, failed = passed + (not found), failed + bool(found)
    ran = run_activities(options.native.resolve())
    print(f"{passed + ran[0]} passed, {failed + ran[1]} failed")
    return 1 if failed + ran[1] else 0


if __name__ == "__main__":
    sys.exit(main())
