#!/usr/bin/python3
"""Models converted by Wick, loaded by PyTorch: the answers must be those of the original.

  round_trip.py                         the models and programs of the case tables, every bytecode version
  round_trip.py --sample 5              every 5th of them, and one version each
  round_trip.py --files a.ptl b.ptl     files, on their bundled inputs
  round_trip.py --from torchscript      from what torch.jit.save writes
  round_trip.py --from bare             from lite files without source
  round_trip.py --to torchscript        to .pt, opened by torch.jit.load
  round_trip.py --keep FOLDER           keep what was converted, with PyTorch's answers, for
  round_trip.py --replay FOLDER         another PyTorch to load

A case is first run with PyTorch's own file and then with the one Wick wrote; both must give the same value or the same
error. Files that PyTorch itself cannot load are only loaded by Wick again.
"""
import argparse
import copy
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings
import zlib

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(HERE))

os.environ.setdefault("GLOG_minloglevel", "2")

import torch  # noqa: E402
from torch.jit.mobile import _load_for_lite_interpreter  # noqa: E402

TABLES = ["language", "models_small", "models_text", "models_vision", "models_decoders", "models_audio", "models_field",
          "models_detection", "models_forms", "quantize_models", "prepacked", "vision"]
# PyTorch writes no lite file of these either.
REFUSED = "lite files do not hold classes that are not modules"
VERSIONS = [8, 7, 6, 5, 4]


def find_wick():
    found = list(TOP.glob("build*/bin/wick"))
    if not found:
        raise SystemExit("no wick: build it first (make build), or give --wick")
    return str(max(found, key=lambda p: p.stat().st_mtime))


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--cases", nargs="*", default=TABLES, metavar="TABLE", help="tables whose models are converted")
    p.add_argument("--files", nargs="*", default=None, help="files instead of tables")
    p.add_argument("--from", dest="origin", choices=["lite", "torchscript", "bare"], default="lite")
    p.add_argument("--to", choices=["lite", "torchscript"], default="lite")
    p.add_argument("--filter", default=None, help="only cases whose name holds this text")
    p.add_argument("--sample", type=int, default=1, metavar="N", help="only every Nth case, one version each")
    p.add_argument("--one-version", action="store_true", help="one version each, whatever the sample")
    p.add_argument("--keep", type=pathlib.Path, default=None, metavar="FOLDER")
    p.add_argument("--replay", type=pathlib.Path, default=None, metavar="FOLDER")
    p.add_argument("--wick", default=None, help="the program to use (default: the newest build's)")
    p.add_argument("--cache", default=str(TOP / "build" / "parity"), help="where the tables' models are kept")
    return p.parse_args()


def outcome(load, data, method, args):
    """("value", v), ("error", first line), or ("load", first line) when the file cannot be loaded."""
    try:
        module = load(io.BytesIO(data))
    except Exception as e:
        return "load", first_line(e)
    torch.manual_seed(20)
    if method is None:
        return "value", None
    try:
        with torch.no_grad():
            return "value", module.run_method(method, *args) if load is _load_for_lite_interpreter else getattr(
                module, method)(*args)
    except Exception as e:
        return "error", first_line(e)


def first_line(error):
    return (str(error).strip().splitlines() or [""])[0]


def same(a, b, rtol=1e-6):
    if isinstance(a, torch.Tensor):
        if not isinstance(b, torch.Tensor) or (a.dtype, a.shape, a.stride()) != (b.dtype, b.shape, b.stride()):
            return False
        if a.is_quantized:
            return torch.equal(a.int_repr(), b.int_repr())
        return a.layout == b.layout and torch.allclose(a, b, rtol=rtol, atol=rtol / 10, equal_nan=True)
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and isinstance(a, list) == isinstance(b, list) and len(a) == len(b) and all(same(x, y, rtol) for x, y in zip(a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k], rtol) for k in a)
    return a == b or a != a


def is_script(name):
    """Whether a case's file is a .pt (lib/case.py)."""
    return " .pt" in name


class Converter:
    def __init__(self, wick, to):
        self.wick, self.to = wick, to
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def origin(self, name, data, kind):
        """A lite file's model as a file of the kind to convert from, or the error's text."""
        if kind == "torchscript" and not is_script(name):
            return torch.jit.load(io.BytesIO(data)).save_to_buffer(), None
        return self.run(data, "--format", "lite", "--no-source", "--strip-debug") if kind == "bare" else (data, None)

    def convert(self, data, *options):
        return self.run(data, "--format", self.to, *options)

    def run(self, data, *options):
        """The converted bytes, or the error's text."""
        source, target = self.folder / "in.ptl", self.folder / "out.bin"
        source.write_bytes(data)
        done = subprocess.run([self.wick, "convert", source, target, *options], capture_output=True, text=True)
        if done.returncode != 0:
            return None, done.stderr.strip()
        checked = subprocess.run([self.wick, "check", target], capture_output=True, text=True)
        if checked.returncode != 0:
            return None, "wick check: " + checked.stderr.strip()
        return target.read_bytes(), None


def variants(name, to, one):
    if to == "torchscript":
        return [[]]
    every = [["--bytecode-version", str(v)] for v in VERSIONS] + [["--no-source", "--strip-debug"]]
    return [every[zlib.crc32(name.encode()) % len(every)]] if one else every


def check(converter, options, name, data, method, args):
    """Problems of one model: (options, text)."""
    load = torch.jit.load if options.to == "torchscript" else _load_for_lite_interpreter
    # A .pt is no file of the lite interpreter: its answer is the full one's.
    expected = outcome(torch.jit.load if is_script(name) else load, data, method, args())
    original = data
    data, problem = converter.origin(name, data, options.origin)
    if problem:
        if REFUSED not in problem:
            yield [], problem
        return
    if options.origin == "torchscript" and expected[0] == "value":
        # PyTorch's lite files keep the constant tensors that traces have for numbers, its TorchScript does not: where
        # the two answers differ, that of the file converted from counts.
        own = outcome(torch.jit.load, data, method, args())
        expected = own if own[0] == "value" else expected
    for flags in variants(name, options.to, options.one_version or options.sample > 1):
        converted, problem = converter.convert(data, *flags)
        if problem:
            # Names of enum members stand in the source only.
            nameless = options.origin == "bare" and "does not tell the names of the members" in problem
            if not nameless and REFUSED not in problem:
                yield flags, problem
            continue
        if options.keep and expected[0] == "value" and method:
            keep(options, converted, name, method, args(), expected[1])
        got = outcome(load, converted, method, args())
        if expected[0] == "load":
            continue
        # The full interpreter's messages begin with where in the source they come from.
        if (options.to == "torchscript" or is_script(name)) and got[0] == expected[0] == "error":
            continue
        if not same_outcome(got, expected):
            if options.to == "lite" and is_script(name) and not works_in_lite_form(original, method, args, expected):
                continue
            yield flags, f"{got[0]} {str(got[1])[:300]}\n     instead of {expected[0]} {str(expected[1])[:300]}"


def works_in_lite_form(data, method, args, expected):
    """Whether the lite file that PyTorch itself makes of a .pt gives the full interpreter's answer."""
    try:
        own = torch.jit.load(io.BytesIO(data))._save_to_buffer_for_lite_interpreter()
    except Exception:
        return False
    got = outcome(_load_for_lite_interpreter, own, method, args())
    return same_outcome(got, expected)


def same_outcome(a, b):
    return a[0] == b[0] and same(a[1], b[1])


def keep(options, converted, name, method, args, value):
    options.keep.mkdir(parents=True, exist_ok=True)
    stem = f"{len(list(options.keep.iterdir())):05}"
    (options.keep / f"{stem}.{options.to}").write_bytes(converted)
    torch.save((name, method, args, value), options.keep / f"{stem}.case")


def replay(folder):
    passed = failed = 0
    for path in sorted(folder.glob("*.case")):
        name, method, args, want = torch.load(path)
        lite = path.with_suffix(".lite")
        data = lite.read_bytes() if lite.exists() else path.with_suffix(".torchscript").read_bytes()
        kind, got = outcome(_load_for_lite_interpreter if lite.exists() else torch.jit.load, data, method, args)
        good = kind == "value" and same(got, want, 1e-4)
        passed, failed = passed + good, failed + (not good)
        if not good:
            print(f"FAIL {name} {path.stem}\n     {kind} {str(got)[:300]}\n     instead of {str(want)[:300]}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def table_models(options):
    from lib import batch
    for table in options.cases:
        lite = None  # the model before, in lite form: PyTorch has it twice, and .pt files are made of it
        for folder in batch.load_or_make(table, options.cache):
            for name, kind, method, encoded in torch.load(folder / "batch.pt"):
                again = kind == "call" and lite is not None and name.startswith(lite + " .pt")
                lite = name if kind == "model" else None
                if kind in ("model", "call") and not again and wanted(name, options):
                    yield name, bytes(encoded[0].numpy()), method, lambda e=encoded: [decode(v) for v in e[1:]]


def decode(value):
    """A value of a batch (lib/wire.py) as PyTorch takes it; a fresh copy each time."""
    if isinstance(value, torch.Tensor):
        return copy.deepcopy(value)
    if isinstance(value, tuple) and value and value[0] == "#complex":
        return complex(value[1], value[2])
    if isinstance(value, tuple) and value and value[0] == "#device":
        return torch.device(value[1])
    if isinstance(value, tuple) and value and value[0] == "#list":
        return [decode(v) for v in value[2]]
    if isinstance(value, (list, tuple)):
        return type(value)(map(decode, value))
    if isinstance(value, dict):
        return {decode(k): decode(v) for k, v in value.items()}
    return value


def file_models(options):
    for path in options.files:
        data = pathlib.Path(path).read_bytes()
        try:
            inputs = _load_for_lite_interpreter(io.BytesIO(data)).run_method("get_all_bundled_inputs")[0]
        except Exception:
            inputs = () if takes_nothing(data) else None
        # The lite interpreter does not check how many arguments it is given: without inputs nothing is run.
        yield path, data, "forward" if inputs is not None else None, lambda inputs=inputs: copy.deepcopy(inputs or ())


def takes_nothing(data):
    try:
        return len(torch.jit.load(io.BytesIO(data)).forward.schema.arguments) == 1
    except Exception:
        return False


def wanted(name, options):
    if options.filter and options.filter not in name:
        return False
    return options.sample <= 1 or zlib.crc32(name.encode()) % options.sample == 0


def main():
    options = parse_arguments()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    if options.replay:
        return replay(options.replay)
    converter = Converter(options.wick or find_wick(), options.to)
    passed = failed = 0
    for name, data, method, args in file_models(options) if options.files else table_models(options):
        problems = list(check(converter, options, name, data, method, args))
        passed += not problems
        failed += bool(problems)
        for flags, text in problems[:3]:
            print(f"FAIL {name} {' '.join(flags)}\n     {text}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
