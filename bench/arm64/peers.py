#!/usr/bin/python3
"""Instructions of the same models in other engines on 64-bit ARM, counted as bench.py counts Wick's.

    peers.py [--names A,B] [--engines ncnn,ncnn_fp16,onnxruntime] [--cycles] [--output FILE]

bench.py has what --output bench/arm64/peers.md wrote in its results. Under build-arm64/peers: Debian's Python for ARM,
the engines' ARM wheels from PyPI, by name, and pnnx of this machine, which converts for ncnn. An engine or a model that
fails has the reason in its row. LiteRT needs files that litert-torch writes (make bench-peers LARGE=1), and runs the
models that have a model.tflite in build-arm64/peers/models.
"""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import bench
import counts
import models

PEERS = bench.ARM / "peers"
ROOT, SITE, HOST = PEERS / "root", PEERS / "site", PEERS / "host"
# The releases of bench/peers/install.sh.
WHEELS = ["numpy==2.4.6", "onnxruntime==1.31.1", "ncnn==1.0.20261020", "ai-edge-litert==2.3.0"]
CONVERTER = "pnnx==20261020"
DEBIAN = ["python3.11", "python3.11-minimal", "libpython3.11-minimal", "libpython3.11-stdlib", "libc6", "libgcc-s1", "libstdc++6",
          "libexpat1", "zlib1g", "libffi8", "libssl3", "libbz2-1.0", "liblzma5", "libgomp1", "libuuid1"]
HEAD = """Counted in the same way by `bench/arm64/peers.py`, from the ARM wheels of PyPI; "off by" is the difference from
PyTorch's result as a part of its largest value.

"""
ENGINES = ["ncnn", "ncnn_fp16", "onnxruntime", "litert"]
# What engines ask of the processor: a Neoverse N1, as the one that qemu is.
CPUINFO = "".join(f"{line}\n" for line in (
    "processor\t: 0", "BogoMIPS\t: 50.00", "Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid "
    "asimdrdm lrcpc dcpop asimddp", "CPU implementer\t: 0x41", "CPU architecture: 8", "CPU variant\t: 0x3", "CPU part\t: 0xd0b",
    "CPU revision\t: 1"))


def pip(target, packages, *options):
    """One that is missing must not keep the others away."""
    command = [sys.executable, "-m", "pip", "install", "-q", "--target", target, *options]
    if target.exists() or subprocess.run(command + packages).returncode == 0:
        return
    for package in packages:
        subprocess.run(command + [package])


def installed():
    """Makes what is missing of the folders; pip says what it could not install."""
    subprocess.run([HERE.parents[1] / "scripts/debian_root.sh", "arm64", ROOT, *DEBIAN], check=True)
    bench.machine(ROOT)
    (ROOT / "proc").mkdir(exist_ok=True)
    (ROOT / "proc/cpuinfo").write_text(CPUINFO)
    platforms = [f"manylinux{tag}_aarch64" for tag in ("_2_28", "_2_27", "_2_17", "2014")]
    pip(SITE, WHEELS, "--python-version", "3.11", "--only-binary=:all:", *(f"--platform={p}" for p in platforms))
    pip(HOST, [CONVERTER], "--no-deps")


def prepared(name):
    """The folder with a model in every form."""
    folder = PEERS / "models" / name
    subprocess.run([sys.executable, HERE.parent / "prepare.py", name, folder], check=True)
    if not (folder / "ncnn.param").exists():
        subprocess.run([HOST / "pnnx" / "pnnx", folder / "traced.pt", "inputshape=[1,3,224,224]f32", "fp16=0",
                        f"ncnnparam={folder}/ncnn.param", f"ncnnbin={folder}/ncnn.bin", f"ncnnpy={folder}/ncnn.py"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    return folder


def count(engine, folder):
    """What was counted, and what the result is off by."""
    written = PEERS / f"counts-{engine}-{folder.name}.txt"
    variables = {"LD_LIBRARY_PATH": f"{ROOT}/usr/lib/aarch64-linux-gnu:{ROOT}/lib/aarch64-linux-gnu", "PYTHONPATH": SITE,
                 "PYTHONDONTWRITEBYTECODE": 1, "OMP_NUM_THREADS": 1}
    command = ["qemu-aarch64", "-cpu", "neoverse-n1", "-plugin", f"{bench.plugin()},out={written}", "-L", ROOT]
    for variable, value in variables.items():
        command += ["-E", f"{variable}={value}"]
    done = subprocess.run(command + [ROOT / "usr/bin/python3.11", HERE / "run_peer.py", engine, folder],
                          capture_output=True, text=True)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no message"]
        raise RuntimeError(lines[-1])
    result = counts.Counts(written)
    written.unlink()
    return result, done.stdout.split()[-1]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--names", default=",".join(models.FLOAT))
    options.add_argument("--engines", default=",".join(ENGINES))
    options.add_argument("--cycles", action="store_true")
    options.add_argument("--output", type=pathlib.Path)
    given = options.parse_args()
    installed()
    cores = list(counts.CORES) if given.cycles else []
    estimates = counts.Estimates(bench.ARM / "mca.json")
    rows = []
    for name in given.names.split(","):
        folder = prepared(name)
        for engine in given.engines.split(","):
            if engine == "litert" and not (folder / "model.tflite").exists():
                continue
            try:
                of, off = count(engine, folder)
            except RuntimeError as error:
                rows.append([name, engine, str(error).replace("|", "/")[:100], "-", "-"] + ["-"] * len(cores))
            else:
                rows.append([name, engine, f"{of.total / 1e6:.1f}", f"{100 * of.multiply_adds / of.total:.0f} %", off] +
                            [f"{of.cycles(counts.CORES[core], estimates) / 1e6:.1f}" for core in cores])
                estimates.save()
            print(" | ".join(rows[-1]), flush=True)
    if given.output:
        head = ["model", "engine", "M instructions", "multiply-adds", "off by"]
        given.output.write_text(HEAD + bench.table(head + [f"M cycles, {core}" for core in cores], rows) + "\n")


if __name__ == "__main__":
    main()
