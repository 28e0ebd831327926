#!/usr/bin/python3
"""The mobile optimizer against PyTorch's.

  optimize.py                 small modules, and a sample of the families of models
  optimize.py --full          all of them, and the models of the case tables (or WICK_PARITY_FULL=1)
  optimize.py --filter TEXT   only cases whose name holds the text

For each model: Wick's optimized file runs in PyTorch's lite interpreter and in Wick with the answer of the plain model;
PyTorch's optimized file runs in Wick; without the extra fusions the operators are those of PyTorch's own optimizer. Every
name of the blocklist switches its pass off. Bad input is refused and leaves no file.
"""
import argparse
import copy
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
os.environ.setdefault("GLOG_minloglevel", "2")

import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.jit.mobile import _load_for_lite_interpreter  # noqa: E402
from torch.utils import bundled_inputs  # noqa: E402
from torch.utils.mobile_optimizer import MobileOptimizerType, optimize_for_mobile  # noqa: E402

import optimize_models as models  # noqa: E402
from round_trip import find_wick, table_models  # noqa: E402

TABLES = ["models_small", "models_text", "models_audio", "models_decoders", "models_field"]

# PyTorch's optimizer packs weights there each time the model runs, which fails for doubles, or fuses what it must not.
OWN_OPERATORS = {"double", "text", "functional", "in place seen", "vision transformer"}
# Arithmetic with numbers of dimensions: Wick knows those of packed convolutions and needs none of it.
ON_DIMENSIONS = {"aten::eq.int", "aten::ne.int", "aten::sub.int"}
# PyTorch's folding misses batch norm in some containers there; Wick's goes by the graph.
MORE_FOLDED = {"fcn": {"aten::batch_norm", "aten::relu_"}, "r3d": {"aten::batch_norm"}}
NEED_INPUTS = set()  # models whose inputs cannot be guessed
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
    return a == b or (a != a and b != b)


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


def operators(path, loads=True):
    if not loads:  # PyTorch has no such backend here
        return wick("info", path, "--opnames")[1].replace("- ", "").split()
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
    check_script(name, scripted(seeded(build), inputs, how), inputs, with_operators)


def check_script(name, script, inputs, with_operators):
    plain = FOLDER / "plain.pt"
    script.save(str(plain))
    try:
        script._save_for_lite_interpreter(str(FOLDER / "plain.ptl"))
        expected = in_pytorch(FOLDER / "plain.ptl", inputs)
    except Exception:
        return  # PyTorch writes no lite file of it, or does not run that
    twice = in_pytorch(FOLDER / "plain.ptl", inputs, times=2)
    problems = []
    for source in ["plain.pt", "plain.ptl"]:
        out = FOLDER / "out.ptl"
        out.unlink(missing_ok=True)
        torch.save(tuple(inputs), FOLDER / "given.pt")
        words = ["--input", FOLDER / "given.pt"] if name in NEED_INPUTS else []
        code, text, error = wick("optimize", FOLDER / source, out, *words)
        if code != 0:
            problems.append(f"{source}: {error}")
            continue
        if "not compared" in error:
            problems.append(f"{source}: {error}")
        problems += check_answer(f"{source} to lite", out, inputs, expected, twice)
        code, text, error = wick("explain", FOLDER / source, out)
        if code != 0 or "operators: " not in text:
            problems.append(f"explain: {error}")
    code, _, error = wick("optimize", plain, FOLDER / "out.pt")
    if code != 0:
        problems.append("to .pt: " + error)
    else:
        try:
            torch.jit.load(str(FOLDER / "out.pt"))._save_for_lite_interpreter(str(FOLDER / "again.ptl"))
            problems += check_answer("through .pt", FOLDER / "again.ptl", inputs, expected, twice)
        except Exception as e:
            problems.append(f"to .pt: PyTorch: {str(e)[:600]}")
    try:
        theirs = optimize_for_mobile(script)
        theirs._save_for_lite_interpreter(str(FOLDER / "theirs.ptl"))
        in_pytorch(FOLDER / "theirs.ptl", inputs)
    except Exception:
        theirs = None
    if theirs is not None:
        try:
            if not close(in_pytorch(FOLDER / "theirs.ptl", inputs), in_wick(FOLDER / "theirs.ptl", inputs)):
                problems.append("PyTorch's optimized file gives another answer in Wick")
        except RuntimeError as e:
            problems.append(f"PyTorch's optimized file: {str(e)[:300]}")
        if with_operators and name not in OWN_OPERATORS:
            code, _, error = wick("optimize", plain, FOLDER / "exact.ptl", "--blocklist", "EXTRA_FUSIONS")
            if code != 0:
                problems.append("without extra fusions: " + error)
            else:
                ours, want = operators(FOLDER / "exact.ptl"), sorted(torch.jit.export_opnames(theirs))
                if ours != want:
                    only, missing = sorted(set(ours) - set(want)), sorted(
                        set(want) - set(ours) - ON_DIMENSIONS - MORE_FOLDED.get(name, set()))
                    if only or missing:
                        problems.append(f"operators: {only} instead of {missing}")
    note(name, problems)


def check_tables(sample):
    """The models of the case tables, as they are written there; those that PyTorch optimized are left out."""
    tables = argparse.Namespace(cases=TABLES, cache=str(HERE.parent.parent / "build" / "parity"), filter=OPTIONS.filter, sample=sample)
    seen = set()
    for name, data, method, args in table_models(tables):
        if method != "forward" or zlib.crc32(data) in seen:
            continue
        seen.add(zlib.crc32(data))
        try:
            script = torch.jit.load(io.BytesIO(data)).eval()
        except Exception:  # what the full loader refuses
            continue
        if not hasattr(script, "mobile_optimized"):
            NEED_INPUTS.add(name)
            check_script(name, script, tuple(args()), False)


def save(module, name="plain.pt", inputs=None):
    """A scripted copy in the folder; with inputs, these are bundled."""
    script = torch.jit.script(module)
    if inputs is not None:
        script = bundled_inputs.bundle_inputs(script, inputs)
    script.save(str(FOLDER / name))
    return FOLDER / name


def optimized(source, *options, out="out.ptl"):
    (FOLDER / out).unlink(missing_ok=True)
    code, text, error = wick("optimize", source, FOLDER / out, *options)
    if code != 0:
        raise RuntimeError(error)
    return FOLDER / out


def check_blocklist():
    """Each name: an operator that is there only when the pass is left out."""
    source = save(seeded(models.Everything))
    quantized = save(models.quantized(), "quantized.pt")
    torch.manual_seed(1)
    inputs = (torch.randn(1, 3, 12, 12),)
    expected = torch.jit.load(str(source))(*inputs)
    for name, operator in [("CONV_BN_FUSION", "aten::batch_norm"), ("INSERT_FOLD_PREPACK_OPS", "aten::conv2d"),
                           ("REMOVE_DROPOUT", "aten::dropout"), ("FUSE_ADD_RELU", "aten::add.Tensor"),
                           ("CONV_1D_TO_2D", "aten::conv1d")]:
        problems = []
        out = optimized(source, "--blocklist", name)
        if operator not in operators(out):
            problems.append(f"{operator} is not there: {operators(out)}")
        if operator in operators(optimized(source, out="all.ptl")):
            problems.append(f"{operator} is there with every pass")
        if hasattr(MobileOptimizerType, name):
            theirs = optimize_for_mobile(torch.jit.load(str(source)), {getattr(MobileOptimizerType, name)})
            exact = optimized(source, "--blocklist", f"EXTRA_FUSIONS,{name}", out="exact.ptl")
            if operators(exact) != sorted(torch.jit.export_opnames(theirs)):
                problems.append(f"operators {operators(exact)} instead of {sorted(torch.jit.export_opnames(theirs))}")
        problems += check_answer(name, out, inputs, expected)
        note("blocklist " + name, problems)
    problems = []
    with_pass, without = optimized(quantized), optimized(quantized, "--blocklist", "HOIST_CONV_PACKED_PARAMS", out="kept.ptl")
    image = (torch.randn(1, 3, 8, 8),)
    for path, kept in [(with_pass, False), (without, True)]:
        if ("conv" in attributes(path)) != kept:
            problems.append(f"attributes {attributes(path)}")
        problems += check_answer(path.name, path, image, torch.jit.load(str(quantized))(*image))
    note("blocklist HOIST_CONV_PACKED_PARAMS", problems)
    moved = operators(optimized(source, "--backend", "vulkan"), loads=False)
    kept = operators(optimized(source, "--backend", "vulkan", "--blocklist", "VULKAN_AUTOMATIC_GPU_TRANSFER"), loads=False)
    note("blocklist VULKAN_AUTOMATIC_GPU_TRANSFER",
         [] if "aten::to.prim_Device" in moved and "aten::to.prim_Device" not in kept else [f"{moved} and {kept}"])


def attributes(path):
    """Names in data.pkl of a lite file."""
    import pickletools
    import zipfile
    with zipfile.ZipFile(path) as z:
        record = next(n for n in z.namelist() if n.endswith("/data.pkl"))
        return [a for op, a, _ in pickletools.genops(z.read(record)) if op.name in ("BINUNICODE", "SHORT_BINUNICODE")]


def check_fusions():
    """Every way to write a clamp goes into the packed layer before it."""
    for name, layer, shape, expected in models.clamped():
        torch.manual_seed(4)
        module, inputs = seeded(lambda: models.Clamped(layer)), (torch.randn(*shape),)
        for how in ["script", "trace"]:
            scripted(module, inputs, how).save(str(FOLDER / "plain.pt"))
            out = optimized(FOLDER / "plain.pt", "--input-dims", ",".join(map(str, shape)))
            got = sorted(set(operators(out)) - {"aten::cat", "aten::append.t"})
            problems = [] if got == expected else [f"operators {got}"]
            note(f"fused {name} {how}", problems + check_answer(name, out, inputs, module(*inputs)))


def check_gpu():
    """The operator list of the tutorial's MobileNetV2, which ends in size and reshape."""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            m = models.tv.mobilenet_v2(weights=None, width_mult=0.35)
            self.features, self.fc = m.features, nn.Linear(1280, 10)
            self.w, self.b = nn.Parameter(torch.randn(1280, 10) * 0.01), nn.Parameter(torch.randn(10))

        def forward(self, x):
            x = torch._C._nn.adaptive_avg_pool2d(self.features(x), [1, 1])
            return torch.addmm(self.b, x.reshape(x.size(0), -1), self.w)

    torch.manual_seed(2)
    inputs = (torch.randn(1, 3, 64, 64),)
    net = seeded(Net)
    source = save(net)
    expected = net(*inputs)
    want = {"metal": ["aten::adaptive_avg_pool2d", "aten::add.Tensor", "aten::addmm", "aten::reshape", "aten::size.int",
                      "metal::copy_to_host", "metal_prepack::conv2d_run"],
            "vulkan": ["aten::adaptive_avg_pool2d", "aten::add.Tensor", "aten::reshape", "aten::size.int",
                       "aten::to.prim_Device", "vulkan_prepack::run_conv2d_context", "vulkan_prepack::run_linear_context"]}
    for backend, names in want.items():
        out = optimized(source, "--backend", backend.upper())
        got = operators(out, loads=False)
        problems = [] if got == names else [f"operators {got}"]
        if not close(expected, in_wick(out, inputs)):
            problems.append("another answer")
        out = optimized(source, "--backend", backend, out="out.pt")
        if not close(expected, in_wick(out, inputs)):
            problems.append("another answer through .pt")
        note("backend " + backend, problems)


def check_gpu_values():
    """Lists, tuples, numbers and None go through unmoved; the model runs here and gives its answer."""
    net = seeded(models.GpuValues)
    source = save(net)
    x = torch.randn(1, 3, 8, 8)
    for inputs in [(x, [x, x * 2], 2, None), (x, [x], 3, torch.randn(1, 4, 1, 1))]:
        for backend in ["vulkan", "metal"]:
            out = optimized(source, "--backend", backend)
            problems = [] if close(net(*inputs), in_wick(out, inputs)) else ["another answer"]
            note(f"values for {backend}", problems)


def check_methods():
    module = seeded(models.Methods)
    x = torch.randn(2, 4)
    source = save(module)
    problems = []
    out = optimized(source)
    if _load_for_lite_interpreter(str(out)).find_method("encode"):
        problems.append("encode is kept without being asked for")
    out = optimized(source, "--preserve-methods", "encode,decode,labels")
    code = module.encode(x).detach()
    for method, inputs in [("forward", (x,)), ("encode", (x,)), ("decode", (code, 3.0)), ("labels", ())]:
        if not close(getattr(module, method)(*inputs), in_pytorch(out, inputs, method)):
            problems.append(f"{method} gives another answer")
    note("preserved methods", problems)

    net = seeded(models.Everything)
    examples = [(torch.randn(1, 3, 12, 12),), (torch.randn(2, 3, 14, 12),)]
    out = optimized(save(net, inputs=[tuple(map(bundled_inputs.bundle_large_tensor, e)) for e in examples]))
    lite = _load_for_lite_interpreter(str(out))
    problems = [] if close(examples, lite.run_method("get_all_bundled_inputs")) else ["bundled inputs changed"]
    if lite.run_method("get_num_bundled_inputs") != 2:
        problems.append("their number changed")
    lite.run_method("get_bundled_inputs_functions_and_info")
    for example in examples:
        problems += check_answer("bundled", out, example, net(*example))
    theirs = optimize_for_mobile(torch.jit.load(str(FOLDER / "plain.pt")))
    exact = optimized(FOLDER / "plain.pt", "--blocklist", "EXTRA_FUSIONS")
    if operators(exact) != sorted(torch.jit.export_opnames(theirs)):
        problems.append(f"operators {operators(exact)} instead of {sorted(torch.jit.export_opnames(theirs))}")
    note("bundled inputs", problems)

    net = seeded(models.Everything)
    expected = net(*examples[0])
    code, _, error = wick("optimize", save(net.train()), FOLDER / "out.ptl")
    problems = [] if code == 0 and "training mode" in error else [f"exit {code}: {error}"]
    problems += check_answer("trained", FOLDER / "out.ptl", examples[0], expected)
    note("training mode", problems)


def check_refusals():
    source = save(seeded(models.Residual))
    done = optimized(source, out="done.ptl")
    out = FOLDER / "refused.ptl"
    readonly = FOLDER / "missing" / "out.ptl"
    for name, arguments, text in [
            ("backend", [source, out, "--backend", "cuda"], "Unknown backend"),
            ("pass", [source, out, "--blocklist", "CONV_BN"], "CONV_BN_FUSION"),
            ("method", [source, out, "--preserve-methods", "nothing"], "nothing"),
            ("path", [source, readonly], str(readonly)),
            ("extension", [source, FOLDER / "out.bin"], "extension"),
            ("optimized already", [done, out], "already"),
            ("missing file", [FOLDER / "none.pt", out], "none.pt"),
            ("tolerance", [source, out, "--tolerance", "-1"], "tolerance"),
            ("difference", [save(seeded(models.Shared), "shared.pt"), out, "--tolerance", "0"], "pass CONV_BN_FUSION")]:
        code, _, error = wick("optimize", *arguments)
        problems = [] if code != 0 and text in error and len(error.splitlines()) == 1 else [f"exit {code}: {error}"]
        left = [p.name for p in FOLDER.iterdir() if "refused" in p.name or p.name.endswith(".tmp")]
        note("refused: " + name, problems + ([f"left {left}"] if left else []))


def check_near_ties():
    """A difference that rounding alone makes is told and not refused, unless that is asked for."""
    torch.manual_seed(6)
    net = models.NearTies().eval()
    net.bn.running_mean.copy_(torch.tensor([0.1, 0.3]))
    net.bn.running_var.fill_(1.1)
    source = save(net)
    out = FOLDER / "out.ptl"
    code, text, error = wick("optimize", source, out, "--input-dims", "1,3,64,64")
    problems = [] if code == 0 and "forward[0] is not judged" in error and "forward[1] is not" not in error else [f"exit {code}: {error}"]
    if not re.search(r"\b1 +forward\[0\] \(not judged\)", text):
        problems.append(text)
    out.unlink(missing_ok=True)
    code, _, error = wick("optimize", source, out, "--input-dims", "1,3,64,64", "--strict")
    if code != 1 or "forward[0] differs" not in error or out.exists():
        problems.append(f"strict: exit {code}: {error}")
    note("values within rounding", problems)


def check_objects():
    """Objects inside a model: PyTorch keeps them and writes no lite file, Wick needs none."""
    net = seeded(models.Detector)
    source = save(net)
    images = [torch.randn(3, 8, 9), torch.randn(3, 8, 9)]
    out = optimized(source)
    problems = check_answer("objects", out, (images,), net(images))
    try:
        optimize_for_mobile(torch.jit.load(str(source)))._save_for_lite_interpreter(str(FOLDER / "theirs.ptl"))
        problems.append("PyTorch writes it, too")
    except RuntimeError:
        pass
    note("objects inside", problems)


def check_explain():
    source = save(seeded(models.Everything))
    out = optimized(source)
    code, text, error = wick("explain", source, out, "--html", FOLDER / "page.html")
    problems = [] if code == 0 else [error]
    for line in ["1 batch norm", "5 layers of 5 prepacked", "3 activations", "1 sum", "1 dropout", "multiply-adds", "weights:",
                 "prepacked::conv2d_clamp_run"]:
        if line not in text:
            problems.append(f"'{line}' is not said")
    if "<svg" not in (FOLDER / "page.html").read_text():
        problems.append("the page has no picture")
    note("explain", problems + ([text] if problems else []))


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
        for check in [check_blocklist, check_fusions, check_gpu, check_gpu_values, check_methods, check_refusals, check_near_ties,
                      check_objects, check_explain]:
            if OPTIONS.filter and OPTIONS.filter not in check.__name__:
                continue
            try:
                check()
            except Exception as e:
                note(check.__name__, [str(e)[:500]])
        for name, build, make, how in models.extra():
            check_model(name, build, make, how, False)
        for i, (name, build, make) in enumerate(models.families()):
            if OPTIONS.full or OPTIONS.filter or i % 4 == 0:
                check_model(name, build, make, "script", True)
        check_tables(1 if OPTIONS.full or OPTIONS.filter else 12)
    print(f"{RESULTS['passed']} passed, {RESULTS['failed']} failed")
    return 1 if RESULTS["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
