#!/usr/bin/python3
"""wick info --opnames against torch.jit.export_opnames.

  opnames.py                    the models and programs of the case tables, and those of the optimizer's tests
  opnames.py --sample 5         every 5th of them
  opnames.py --filter lstm      those whose name holds this text

Each model is written by torch.jit.save, by _save_for_lite_interpreter and, where PyTorch's optimizer takes it, optimized;
the names Wick prints for each file must be those that PyTorch gives for it.
"""
import argparse
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
from torch.utils.mobile_optimizer import optimize_for_mobile  # noqa: E402

import optimize_models  # noqa: E402
from round_trip import find_wick, table_models  # noqa: E402

OPTIMIZER = "optimizer"  # the models of optimize_models.py
TABLES = [OPTIMIZER, "language", "models_small", "models_text", "models_vision", "models_detection", "models_decoders", "models_audio",
          "models_field", "quantize_models", "prepacked", "vision"]


def optimizer_models(options):
    """The modules of the optimizer's own tests, scripted and traced."""
    torch.manual_seed(5)
    families = [(name, build, make, "script") for name, build, make in optimize_models.families()]
    for name, build, make, how in [*optimize_models.small(), *optimize_models.extra(), *families]:
        if not wanted(name, options):
            continue
        module = build().eval()
        yield name, torch.jit.script(module)
        try:
            yield name + " traced", torch.jit.trace(module, make(), check_trace=False)
        except Exception:  # arguments or results that a trace does not take
            continue


def wanted(name, options):
    if options.filter and options.filter not in name:
        return False
    return options.sample <= 1 or zlib.crc32(name.encode()) % options.sample == 0


def every_model(options):
    seen = set()
    if OPTIMIZER in options.cases:
        yield from optimizer_models(options)
        options.cases.remove(OPTIMIZER)
    for name, data, _, _ in table_models(options):
        if zlib.crc32(data) in seen:
            continue
        seen.add(zlib.crc32(data))
        try:
            yield name, torch.jit.load(io.BytesIO(data))
        except Exception:  # what the full loader refuses has no list
            continue


def forms(module):
    """(kind, how its file is written, what PyTorch says of the file)"""
    of_script = lambda path: torch.jit.export_opnames(torch.jit.load(path))  # noqa: E731
    yield "pt", lambda path: module.save(path), of_script
    yield "ptl", lambda path: module._save_for_lite_interpreter(path), lambda path: torch.jit.export_opnames(module)
    try:
        optimized = optimize_for_mobile(module)
    except Exception:  # its optimizer has no way with this model
        return
    yield "optimized pt", lambda path: optimized.save(path), of_script


def check(wick, module, folder):
    """Problems of one model, one a form; None for a form without."""
    for kind, write, names in forms(module):
        path = folder / ("model.ptl" if kind == "ptl" else "model.pt")
        try:
            write(str(path))
            want = sorted(names(str(path)))
        except Exception:  # PyTorch writes no bytecode for it
            continue
        done = subprocess.run([wick, "info", str(path), "--opnames"], capture_output=True, text=True)
        got = done.stdout.split()
        if done.returncode != 0:
            yield f"{kind}: {done.stderr.strip()}"
        elif got != want:
            yield f"{kind}: {sorted(set(got) - set(want))} too many, {sorted(set(want) - set(got))} lacking"
        else:
            yield None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--cases", nargs="*", default=TABLES, metavar="TABLE", help="tables whose models are taken")
    p.add_argument("--filter", default=None, help="only models whose name holds this text")
    p.add_argument("--sample", type=int, default=1, metavar="N", help="only every Nth model")
    p.add_argument("--wick", default=None, help="the program to use (default: the newest build's)")
    p.add_argument("--cache", default=str(TOP / "build" / "parity"), help="where the tables' models are kept")
    options = p.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    wick = options.wick or find_wick()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, module in every_model(options):
            for problem in check(wick, module, pathlib.Path(scratch)):
                passed, failed = passed + (problem is None), failed + (problem is not None)
                if problem:
                    print(f"FAIL {name}\n     {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
