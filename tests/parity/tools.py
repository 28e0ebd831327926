#!/usr/bin/python3
"""Wick's tools against PyTorch: bundled inputs.

  tools.py                      everything
  tools.py --suite bundle       one suite: bundle, strip
  tools.py --filter lstm        models whose name holds this text

Each suite takes the same models: as torch.jit.save writes them, as _save_for_lite_interpreter does, and as lite files
without source. What Wick writes is read back by PyTorch's own loaders.
"""
import argparse
import copy
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings
from typing import Dict, List, NamedTuple, Optional, Tuple

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
os.environ.setdefault("GLOG_minloglevel", "2")

import torch  # noqa: E402
from torch import Tensor, nn  # noqa: E402
from torch.jit.mobile import _load_for_lite_interpreter  # noqa: E402
from torch.utils.bundled_inputs import bundle_inputs, bundle_large_tensor, bundle_randn  # noqa: E402
from torch.utils.mobile_optimizer import optimize_for_mobile  # noqa: E402

from round_trip import find_wick, same  # noqa: E402


class Two(nn.Module):
    """Two methods, defaults, optional arguments."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x, n: int = 2, d: Optional[Dict[str, Tensor]] = None):
        if d is not None:
            x = x + d["a"]
        return self.linear(x) * n

    @torch.jit.export
    def encode(self, xs: List[Tensor], scale: float):
        return xs[0] * scale, len(xs)


class Point(NamedTuple):
    x: Tensor
    label: str


class Named(nn.Module):
    def forward(self, p: Point, pairs: List[Tuple[int, float]], flag: bool):
        return (p.x * pairs[0][0] if flag else p.x), p.label


class Convolution(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 4, 1), nn.ReLU6())
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x).mean([2, 3]))


class Stateful(nn.Module):
    """Attributes before and after which others stand, one of them changed by a run."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.names = ["a", "b"]
        self.count = 0

    def forward(self, x):
        self.count += 1
        return self.first(x) + self.count, self.names


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 6)

    def forward(self, x, state: Optional[Tuple[Tensor, Tensor]] = None):
        return self.lstm(x, state)


def quantized(build, shape):
    torch.backends.quantized.engine = "qnnpack"
    module = torch.ao.quantization.QuantWrapper(build()).eval()
    torch.ao.quantization.fuse_modules(module.module.body, [["0", "1", "2"]], inplace=True)
    module.qconfig = torch.ao.quantization.get_default_qconfig("qnnpack")
    torch.ao.quantization.prepare(module, inplace=True)
    module(torch.rand(shape))
    return torch.ao.quantization.convert(module, inplace=True)


def dynamic(build, kinds):
    torch.backends.quantized.engine = "qnnpack"
    return torch.ao.quantization.quantize_dynamic(build().eval(), kinds)


def models():
    """name, scripted module, {method: [input, ...]}"""
    script = lambda module: torch.jit.script(module.eval())  # noqa: E731
    x = torch.rand(2, 4)
    yield "two methods", script(Two()), {
        "forward": [(x, 3, None), (torch.ones(5, 4), 1, {"a": torch.rand(4)}), (torch.zeros(40, 4),)],
        "encode": [([torch.rand(3), torch.rand(30)], 0.5)]}
    yield "named tuples", script(Named()), {"forward": [(Point(torch.rand(40), "it's \"one\"\n"), [(2, 0.5)], True)]}
    image = torch.rand(1, 3, 8, 8)
    yield "convolution", script(Convolution()), {"forward": [
        (image,), (image.contiguous(memory_format=torch.channels_last),), (torch.full((1, 3, 9, 9), 0.25),),
        (torch.full((1, 3, 9, 9), 2.0).contiguous(memory_format=torch.channels_last),), (image[:, :, ::2],)]}
    yield "traced", torch.jit.trace(Convolution().eval(), image), {"forward": [(image,)]}
    yield "optimized", optimize_for_mobile(script(Convolution())), {"forward": [(image,), (torch.zeros(2, 3, 8, 8),)]}
    yield "frozen", torch.jit.freeze(script(Convolution())), {"forward": [(image,)]}
    yield "state", script(Stateful()), {"forward": [(torch.rand(2, 3),), (torch.ones(20, 3),)]}
    yield "static int8", script(quantized(Convolution, (1, 3, 8, 8))), {"forward": [(image,)]}
    yield "dynamic linear", script(dynamic(lambda: nn.Sequential(nn.Linear(4, 8), nn.ReLU()), {nn.Linear})), {
        "forward": [(x,)]}
    yield "lstm", script(Recurrent()), {"forward": [(torch.rand(5, 1, 4), None), (torch.zeros(9, 1, 4),)]}
    yield "dynamic lstm", script(dynamic(Recurrent, {nn.LSTM})), {"forward": [(torch.rand(5, 1, 4), None), (torch.zeros(9, 1, 4),)]}
    embedding = nn.Sequential(nn.Embedding(10, 4), nn.Flatten(), nn.Linear(12, 2))
    yield "embedding", script(embedding), {"forward": [(torch.randint(0, 10, (2, 3)),), (torch.ones(9, 3).long(),)]}
    complex_x = torch.full((20,), 1 + 2j)
    yield "complex", script(nn.Identity()), {"forward": [(complex_x,), (torch.ones(3, 8, dtype=torch.bool),)]}


class Tools:
    def __init__(self, options):
        self.wick = options.wick or find_wick()
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def run(self, *words, code=0):
        done = subprocess.run([self.wick, *map(str, words)], capture_output=True, text=True)
        if done.returncode != code:
            raise AssertionError(f"wick {' '.join(map(str, words))}: exit {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def kinds(self, module):
        """Files of the model: (kind, path)."""
        script, lite, bare = (self.folder / n for n in ("source.pt", "lite.ptl", "bare.ptl"))
        torch.jit.save(module, str(script))
        module._save_for_lite_interpreter(str(lite))
        self.run("convert", lite, bare, "--no-source", "--strip-debug")
        return [("pt", script), ("ptl", lite), ("bare", bare)]


def call(module, name, *args):
    return module.run_method(name, *args) if not isinstance(module, torch.jit.ScriptModule) else getattr(module, name)(*args)


def expect(condition, *what):
    if not condition:
        raise AssertionError(" ".join(map(str, what)))


def bundled_by_pytorch(module, inputs):
    """The same inputs in PyTorch's own bundle, large tensors allowed."""
    wrapped = {getattr(module, method): [tuple(
        bundle_large_tensor(a) if isinstance(a, Tensor) else a for a in filled(module, method, args)) for args in list_]
        for method, list_ in inputs.items()}
    return bundle_inputs(module, wrapped)


def filled(module, method, args):
    """The arguments with defaults for those left out."""
    schema = getattr(module, method).schema.arguments[1:]
    return tuple(args) + tuple(a.default_value for a in schema[len(args):])


def check_bundle(tools, module, inputs):
    # Run first: a method may change the module.
    fresh = lambda: copy.deepcopy(module)  # noqa: E731
    want = {m: [call(fresh(), m, *copy.deepcopy(filled(module, m, args))) for args in list_] for m, list_ in inputs.items()}
    for kind, path in tools.kinds(module):
        for suffix in ("pt", "ptl"):
            if (suffix == "ptl" or kind == "bare") and isinstance(inputs["forward"][0][0], Point):
                continue  # PyTorch's lite loader does not know the type, whoever wrote the file
            out = bundle_with_wick(tools, path, suffix, inputs)
            load = torch.jit.load if suffix == "pt" else _load_for_lite_interpreter
            loaded = load(str(out))
            info = call(loaded, "get_bundled_inputs_functions_and_info")
            expect(set(info) == set(inputs), kind, suffix, "functions", info)
            expect(call(loaded, "get_num_bundled_inputs") == len(inputs["forward"]), kind, suffix, "number")
            for method, list_ in inputs.items():
                expect(info[method] == {"info": [f"of {method}", "it's \\ \"2\"\n"],
                                        "get_inputs_function_name": [f"get_all_bundled_inputs_for_{method}"]}, info)
                got = call(loaded, f"get_all_bundled_inputs_for_{method}")
                filled_list = [filled(module, method, args) for args in list_]
                expect(same([tuple(g) for g in got], filled_list), kind, suffix, "inputs", got, "instead of", filled_list)
                if method == "forward":
                    expect(same(call(loaded, "get_all_bundled_inputs"), got), kind, suffix, "get_all_bundled_inputs")
                for i, args in enumerate(got):
                    result = call(load(str(out)), method, *args)
                    expect(same(result, want[method][i], 1e-5), kind, suffix, "result", result, "instead of", want[method][i])
                    answer = tools.folder / "answer.pt"
                    tools.run("run", out, "--method", method, "--bundled", i, "--output", answer, "--threads", 1)
                    # Integers may be off by one step here; tables of their own compare quantized models.
                    exact = "quantized::" not in " ".join(torch.jit.export_opnames(module))
                    answered = same(plain(torch.load(answer)), plain(result), 1e-4)
                    expect(answered or not exact, kind, suffix, "wick run --bundled", i)
            yield
    check_room(tools, module)


def plain(value):
    return tuple(plain(v) for v in value) if isinstance(value, (tuple, list)) else value


def bundle_with_wick(tools, path, suffix, inputs):
    """One run of the command for each method."""
    for n, (method, list_) in enumerate(inputs.items()):
        words = []
        for i, args in enumerate(list_):
            saved = tools.folder / f"in{i}.pt"
            torch.save(tuple(tuple(a) if isinstance(a, Point) else a for a in args), saved)
            words += ["--input", saved]
        out = tools.folder / f"bundled{n}.{suffix}"
        tools.run("bundle", path, out, *words, "--method", method, "--info", f"of {method}", "--info", "it's \\ \"2\"\n")
        path = out
    return path


def check_room(tools, module):
    """A tensor with one value everywhere is stored as one element."""
    if len(module.forward.schema.arguments) != 2:
        return
    source, out, saved = tools.folder / "source.pt", tools.folder / "one_value.ptl", tools.folder / "one_value_in.pt"
    torch.save((torch.zeros(1, 3, 512, 512),), saved)
    tools.run("bundle", source, out, "--input", saved)
    expect(out.stat().st_size < source.stat().st_size + 200000, "a tensor of zeros was stored whole")
    got = _load_for_lite_interpreter(str(out)).run_method("get_all_bundled_inputs")
    expect(same(got, [(torch.zeros(1, 3, 512, 512),)]), "zeros")
    tools.run("bundle", source, out, "--randn", "2,3,4")
    drawn = [_load_for_lite_interpreter(str(out)).run_method("get_all_bundled_inputs")[0][0] for _ in range(2)]
    expect(drawn[0].shape == (2, 3, 4) and not torch.equal(*drawn), "randn")


def check_strip(tools, module, inputs):
    """What PyTorch bundled, Wick removes: the model is as before."""
    want = [call(copy.deepcopy(module), "forward", *copy.deepcopy(filled(module, "forward", a))) for a in inputs["forward"]]
    if isinstance(inputs["forward"][0][0], Point):
        return
    bundled = bundled_by_pytorch(module, inputs)
    for kind, path in tools.kinds(bundled):
        for suffix in ("pt", "ptl"):
            out = tools.folder / f"stripped.{suffix}"
            tools.run("convert", path, out, "--strip-bundled")
            load = torch.jit.load if suffix == "pt" else _load_for_lite_interpreter
            for method in ("get_all_bundled_inputs", "get_bundled_inputs_functions_and_info", "_generate_bundled_inputs_for_forward"):
                expect(not has_method(load(str(out)), method), kind, suffix, method, "is still there")
            for args, expected in zip(inputs["forward"], want):
                result = call(load(str(out)), "forward", *copy.deepcopy(filled(module, "forward", args)))
                expect(same(result, expected, 1e-5), kind, suffix, "result", result, "instead of", expected)
            again = bundle_with_wick(tools, out, suffix, inputs)
            expect(call(load(str(again)), "get_num_bundled_inputs") == len(inputs["forward"]), "bundled again")
            yield


def has_method(module, name):
    return module.find_method(name) if not isinstance(module, torch.jit.ScriptModule) else hasattr(module, name)


SUITES = {"bundle": check_bundle, "strip": check_strip}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--wick", default=None, help="the program to use (default: the newest build's)")
    p.add_argument("--suite", choices=list(SUITES), nargs="*", default=list(SUITES))
    p.add_argument("--filter", default="", help="only models whose name holds this text")
    options = p.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(7)
    tools = Tools(options)
    passed = failed = 0
    for name, module, inputs in models():
        for suite in options.suite:
            if options.filter not in name:
                continue
            try:
                for _ in SUITES[suite](tools, module, inputs):
                    passed += 1
            except Exception as e:  # noqa: BLE001
                failed += 1
                print(f"FAIL {suite} {name}\n     {type(e).__name__}: {str(e)[:1500]}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
