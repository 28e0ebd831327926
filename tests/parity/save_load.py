#!/usr/bin/python3
"""Files of torch.save read by Wick, written again by Wick, and read by torch.load: everything must be as before.

  save_load.py [--runner wick_parity_runner]
"""
import argparse
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile
from collections import OrderedDict, namedtuple

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
os.environ.setdefault("GLOG_minloglevel", "2")

import torch  # noqa: E402

DTYPES = [
    torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64,
    torch.complex64, torch.complex128, torch.bool, torch.bfloat16,
]  # fmt: skip


Named = namedtuple("Named", "first second")


def values():
    """Pairs of a name and a value that torch.save takes and Wick can hold."""
    a = torch.arange(24, dtype=torch.float32).reshape(2, 3, 4)
    for dtype in DTYPES:
        yield str(dtype), torch.arange(6).reshape(2, 3).to(dtype)
    yield "scalar", torch.tensor(2.5)
    yield "empty", [torch.empty(0), torch.empty(2, 0, 3), torch.empty(0, 5)[:, 2:]]
    yield "transposed", a.transpose(0, 2)
    yield "sliced", (a[1], a[:, 1:], a[..., ::2], a[1, 2, 3])
    yield "expanded", torch.ones(1, 3).expand(4, 3)
    yield "channels last", torch.rand(2, 3, 4, 5).to(memory_format=torch.channels_last)
    yield "small view of a large storage", torch.arange(100000)[50000:50010]
    yield "parameter", torch.nn.Parameter(a.clone())
    yield "requires grad", torch.ones(2, requires_grad=True)
    yield "quantized", [torch.quantize_per_tensor(a, 0.1, 3, d) for d in (torch.quint8, torch.qint8, torch.qint32)]
    yield "per channel", torch.quantize_per_channel(
        a, torch.tensor([0.1, 0.2], dtype=torch.float64), torch.tensor([0, 1]), 0, torch.qint8
    )
    yield "numbers", [0, 255, 256, 65536, -1, 2**31, -(2**31) - 1, 2**63 - 1, -(2**63), 1.5, float("inf"), True, None, 1 + 2j]
    yield "strings", ["", "text", "t\u00e4xt \U0001f600", "x" * 70000]
    yield "containers", ((), (1,), (1, (2, [3, {"k": (4,)}])), [], {}, {1: 2, 2.5: "x", "y": [None]})
    yield "ordered dict", OrderedDict([("b", 1), ("a", torch.ones(1))])
    yield "state dict", torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3)).state_dict()
    yield "long", list(range(5000))
    yield "many tensors", {str(i): torch.full((3,), float(i)) for i in range(300)}
    yield "device", torch.device("cuda:1")
    yield "named tuple", [Named(1, a), {"k": Named(a[0], Named(2.5, None))}]
    shared = [1, 2]
    yield "shared list", [shared, shared, {"again": shared}]
    yield "shared storage", (a, a.t() if a.dim() == 2 else a[0], a.view(-1)[5:])


def same_tensor(a, b):
    if (a.dtype, a.shape, a.stride(), a.requires_grad) != (b.dtype, b.shape, b.stride(), b.requires_grad):
        return False
    if a.is_quantized:
        if a.qscheme() != b.qscheme() or not torch.equal(a.int_repr(), b.int_repr()):
            return False
        if a.qscheme() == torch.per_tensor_affine:
            return a.q_scale() == b.q_scale() and a.q_zero_point() == b.q_zero_point()
        return torch.equal(a.q_per_channel_scales(), b.q_per_channel_scales()) and torch.equal(
            a.q_per_channel_zero_points(), b.q_per_channel_zero_points()
        )
    return torch.equal(a.detach(), b.detach())


def same(a, b):
    if isinstance(a, torch.Tensor):
        return isinstance(b, torch.Tensor) and same_tensor(a, b)
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        kind = tuple if isinstance(a, Named) else type(a)  # Python's classes are not Wick's: the items come back
        return kind is type(b) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def tensors_in(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for v in value.values():
            yield from tensors_in(v)
    elif isinstance(value, (list, tuple)):
        for v in value:
            yield from tensors_in(v)


def sharing(value):
    """For each tensor the number of the first one with the same storage."""
    storages = [t.storage().data_ptr() if t.numel() else -i - 1 for i, t in enumerate(tensors_in(value))]
    return [storages.index(s) for s in storages]


def deflated(path):
    """The same records as a common zip program would pack them."""
    out = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    path.write_bytes(out.getvalue())


def accepts_weights_only(path):
    try:
        torch.load(path, weights_only=True)
        return True
    except Exception:
        return False


def check(name, value, form, folder, runner):
    """None, or what is wrong."""
    source, result = folder / "in.pt", folder / "out.pt"
    torch.save(value, source, _use_new_zipfile_serialization=form != "legacy")
    if form == "deflated":
        deflated(source)
    done = subprocess.run([runner, "--resave", str(source), str(result)], capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.strip()
    back = torch.load(result)
    if not same(value, back):
        return f"differs: {value!r:.200} became {back!r:.200}"
    if sharing(value) != sharing(back):
        return f"storages are shared differently: {sharing(value)} became {sharing(back)}"
    if form == "zip" and accepts_weights_only(source) and not accepts_weights_only(result):
        return "torch.load(weights_only=True) refuses it"
    with zipfile.ZipFile(result) as archive:
        if archive.testzip() is not None:
            return "zipfile finds it damaged"
        for entry in archive.infolist():
            head = result.read_bytes()[entry.header_offset : entry.header_offset + 30]
            start = entry.header_offset + 30 + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
            if start % 64 != 0:
                return f"record {entry.filename} is not aligned"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runner", help="wick_parity_runner to use (default: the newest build's)")
    options = parser.parse_args()
    runner = options.runner
    if not runner:
        found = list(TOP.glob("build*/bin/wick_parity_runner"))
        if not found:
            raise SystemExit("no wick_parity_runner: build it first (make build), or give --runner")
        runner = str(max(found, key=lambda p: p.stat().st_mtime))
    torch.set_num_threads(1)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, value in values():
            for form in ("zip", "deflated", "legacy"):
                wrong = check(name, value, form, pathlib.Path(folder), runner)
                passed += wrong is None
                failed += wrong is not None
                if wrong:
                    print(f"FAIL {name} ({form}): {wrong}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
