#!/usr/bin/python3
"""The mobile optimiser against PyTorch's.

  optimize.py                 small modules, and a sample of the families of models
  optimize.py --full          all of them, and the models of the case tables (or WICK_PARITY_FULL=1)
  optimize.py --filter TEXT   only cases whose name holds the text

For each model: Wick's optimised file runs in PyTorch's lite interpreter and in Wick with the answer of the plain model;
PyTorch's optimised file runs in Wick; without the extra fusions the operators are those of PyTorch's own optimiser. Every
name of the blocklist switches its pass off. Bad input is refused and leaves no file.
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

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
os.environ.setdefault("GLOG_minloglevel", "2")

import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.jit.mobile import _load_for_lite_interpreter  # noqa: E402
from torch.utils import bundled_inputs  # noqa: E402
from torch.utils.mobile_optimizer import MobileOptimizerType, optimize_for_mobile  # noqa: E402

import optimize_models as models  # noqa: E402
from round_trip import find_wick  # noqa: E402

OPTIONS = None
FOLDER = None
RESULTS = {"passed": 0, "failed": 0}


def note(name, problems):
    RESULTS["failed" if problems else "passed"] += 1
    for problem in problems:
        print(f"FAIL {name}: {problem}", flush=True)


def wick(*arguments):
    done = subprocess.run([OPTIONS.wick, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr.strip()


def seeded(build):
    torch.manual_seed(3)
    module = build().eval()
    for layer in module.modules():
        if isinstance(layer, nn.modules.batchnorm._BatchNorm):
            layer.running_mean.uniform_(-0.1, 0.1)
            layer.running_var.uniform_(0.8, 1.2)
    return module


def scripted(module, inputs, how):
    return torch.jit.trace(module, inputs) if how == "trace" else torch.jit.script(module)


def close(a, b, rtol=1e-3):
    if isinstance(a, torch.Tensor):
        if not isinstance(b, torch.Tensor) or a.dtype != b.dtype or a.shape != b.shape:
            return False
        if a.numel() == 0 or not a.is_floating_point():
            return torch.equal(a, b)
        return torch.allclose(a, b, rtol=rtol, atol=rtol * max(1.0, float(a.abs().max())) / 10, equal_nan=True)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(close(x, y, rtol) for x, y in zip(a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(close(a[k], b[k], rtol) for k in a)
    return a == b


def in_pytorch(path, inputs, method="forward", times=1):
    module = _load_for_lite_interpreter(str(path))
    torch.manual_seed(5)
    with torch.no_grad():
        return [module.run_method(method, *copy.deepcopy(inputs)) for _ in range(times)][-1]


def in_wick(path, inputs, method="forward"):
    torch.save(tuple(inputs), FOLDER / "in.pt")
    code, _, error = wick("run", path, "--method", method, "--input", FOLDER / "in.pt", "--output", FOLDER / "out.pt")
    if code != 0:
        raise RuntimeError("wick run: " + error)
    return torch.load(FOLDER / "out.pt")


def operators(path):
    return sorted(torch.jit.mobile._export_operator_list(_load_for_lite_interpreter(str(path))))


def check_answer(what, path, inputs, expected, twice=None):
    try:
        got = in_pytorch(path, inputs)
    except Exception as e:
        return [f"{what}: PyTorch: {str(e)[:300]}"]
    problems = [] if close(expected, got) else [f"{what}: PyTorch gives another answer"]
    try:
        if not close(expected, in_wick(path, inputs)):
            problems.append(f"{what}: Wick gives another answer")
    except RuntimeError as e:
        problems.append(f"{what}: {str(e)[:300]}")
    if twice is not None and not close(twice, in_pytorch(path, inputs, times=2)):
        problems.append(f"{what}: the second run gives another answer")
    return problems


def check_model(name, build, make, how, with_operators):
    if OPTIONS.filter and OPTIONS.filter not in name:
        return
    torch.manual_seed(7)
    inputs = make()
    module = seeded(build)
    script = scripted(module, inputs, how)
    plain = FOLDER / "plain.pt"
    script.save(str(plain))
    script._save_for_lite_interpreter(str(FOLDER / "plain.ptl"))
    expected = in_pytorch(FOLDER / "plain.ptl", inputs)
    twice = in_pytorch(FOLDER / "plain.ptl", inputs, times=2)
    problems = []
    for source in ["plain.pt", "plain.ptl"]:
        out = FOLDER / "out.ptl"
        out.unlink(missing_ok=True)
        code, text, error = wick("optimize", FOLDER / source, out)
        if code != 0:
            problems.append(f"{source}: {error}")
            continue
        if "not compared" in error:
            problems.append(f"{source}: {error}")
        problems += check_answer(f"{source} to lite", out, inputs, expected, twice)
    code, _, error = wick("optimize", plain, FOLDER / "out.pt")
    if code != 0:
        problems.append("to .pt: " + error)
    else:
        torch.jit.load(str(FOLDER / "out.pt"))._save_for_lite_interpreter(str(FOLDER / "again.ptl"))
        problems += check_answer("by way of .pt", FOLDER / "again.ptl", inputs, expected, twice)
    try:
        theirs = optimize_for_mobile(script)
        theirs._save_for_lite_interpreter(str(FOLDER / "theirs.ptl"))
        in_pytorch(FOLDER / "theirs.ptl", inputs)
    except Exception:
        theirs = None
    if theirs is not None:
        try:
            if not close(in_pytorch(FOLDER / "theirs.ptl", inputs), in_wick(FOLDER / "theirs.ptl", inputs)):
                problems.append("PyTorch's optimised file gives another answer in Wick")
        except RuntimeError as e:
            problems.append(f"PyTorch's optimised file: {str(e)[:300]}")
        if with_operators:
            code, _, error = wick("optimize", plain, FOLDER / "exact.ptl", "--blocklist", "EXTRA_FUSIONS")
            if code != 0:
                problems.append("without extra fusions: " + error)
            else:
                ours, want = operators(FOLDER / "exact.ptl"), sorted(torch.jit.export_opnames(theirs))
                if ours != want:
                    only, missing = sorted(set(ours) - set(want)), sorted(set(want) - set(ours))
                    problems.append(f"operators: {only} instead of {missing}")
    note(name, problems)


def main():
    global OPTIONS, FOLDER
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--full", action="store_true", default=bool(os.environ.get("WICK_PARITY_FULL")))
    p.add_argument("--filter", default=None)
    p.add_argument("--wick", default=None)
    OPTIONS = p.parse_args()
    OPTIONS.wick = OPTIONS.wick or find_wick()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as scratch:
        FOLDER = pathlib.Path(scratch)
        for name, build, make, how in models.small():
            check_model(name, build, make, how, True)
        for name, build, make, how in models.extra():
            check_model(name, build, make, how, False)
        for i, (name, build, make) in enumerate(models.families()):
            if OPTIONS.full or OPTIONS.filter or i % 4 == 0:
                check_model(name, build, make, "script", True)
    print(f"{RESULTS['passed']} passed, {RESULTS['failed']} failed")
    return 1 if RESULTS["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
