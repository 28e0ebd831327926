#!/usr/bin/env python3
"""cross_wheel.py --module FILE --tag TAG --output FOLDER: a wheel of python/ around an extension module that was
cross-built (scripts/python.sh wheel-for).

TAG is that of the machine the module is for: cp312-abi3-linux_aarch64. The metadata is what scikit-build-core makes of
python/pyproject.toml; this interpreter needs scikit-build-core and nanobind."""
import argparse
import base64
import hashlib
import os
import pathlib
import tempfile
import zipfile

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "python"


def metadata(folder):
    """Name of the distribution with its version, and the files of its .dist-info."""
    from scikit_build_core.build import prepare_metadata_for_build_wheel

    here = os.getcwd()
    os.chdir(PACKAGE)
    try:
        made = pathlib.Path(folder) / prepare_metadata_for_build_wheel(str(folder))
    finally:
        os.chdir(here)
    return made.name.removesuffix(".dist-info"), {path.name: path.read_bytes() for path in made.iterdir() if path.is_file()}


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--module", type=pathlib.Path, required=True)
    parser.add_argument("--tag", required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        name, info = metadata(folder)
    info["WHEEL"] = f"Wheel-Version: 1.0\nGenerator: cross_wheel.py\nRoot-Is-Purelib: false\nTag: {options.tag}\n".encode()
    files = {f"wick/{path.name}": path.read_bytes() for path in sorted((PACKAGE / "wick").iterdir())
             if path.suffix in (".py", ".pyi") or path.name == "py.typed"}
    files[f"wick/{options.module.name}"] = options.module.read_bytes()
    files.update((f"{name}.dist-info/{file}", data) for file, data in sorted(info.items()) if file != "RECORD")
    record = "".join(f"{path},{digest(data)},{len(data)}\n" for path, data in files.items())
    record += f"{name}.dist-info/RECORD,,\n"
    options.output.mkdir(parents=True, exist_ok=True)
    wheel = options.output / f"{name}-{options.tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            one = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            one.external_attr = (0o755 if path.endswith(".so") else 0o644) << 16
            one.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(one, data)
        archive.writestr(f"{name}.dist-info/RECORD", record)
    print(wheel)


if __name__ == "__main__":
    main()
