#!/usr/bin/env python3
"""Models quantized by `wick quantize`, loaded and run by PyTorch's lite interpreter (qnnpack) and by Wick.

Both must give the same answer, close to the float model's; static quantization must be at least as close as PyTorch's own
(prepare_fx and convert_fx with the default qnnpack configuration, same calibration data). The last line is
"N passed, M failed".

    tests/parity/quantizer.py                     everything
    tests/parity/quantizer.py --filter lstm       models whose name holds the text
"""
import argparse
import copy
import os
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("GLOG_minloglevel", "2")
import torch  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from quantizer_models import dynamic_models, static_models, vision_models  # noqa: E402

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
torch.backends.quantized.engine = "qnnpack"

FX_MARGIN_DB = 0.5    # what rounding may take from a model that is as good
SAME_DB = 50          # Wick against PyTorch where float arithmetic around the integers rounds differently
FLOAT16_DB = 50


def newest_wick():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    found = [os.path.join(root, d, "bin", "wick") for d in os.listdir(root) if d.startswith("build")]
    found = [p for p in found if os.path.exists(p)]
    if not found:
        sys.exit("no build*/bin/wick: build first, or give --wick")
    return max(found, key=os.path.getmtime)


def tensors(value):
    if torch.is_tensor(value):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [t for v in value for t in tensors(v)] if isinstance(value, (list, tuple)) else []


def snr(expected, actual):
    signal = noise = 0.0
    for a, b in zip(tensors(expected), tensors(actual)):
        if a.is_floating_point():
            signal += float((a.double() ** 2).sum())
            noise += float(((a.double() - b.double()) ** 2).sum())
    if noise == 0:
        return float("inf")
    return 10 * torch.log10(torch.tensor(max(signal, 1e-30) / noise)).item()


def equal(a, b):
    a, b = tensors(a), tensors(b)
    return len(a) == len(b) and all(x.dtype == y.dtype and torch.equal(x, y) for x, y in zip(a, b))


def load(path):
    if not path.endswith(".ptl"):
        return torch.jit.load(path)
    from torch.jit.mobile import _load_for_lite_interpreter
    return _load_for_lite_interpreter(path)


class Failure(Exception):
    pass


class Suite:
    def __init__(self, wick, folder):
        self.wick, self.folder = wick, folder
        self.passed = self.failed = 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def call(self, *words):
        return subprocess.run([self.wick, *words], capture_output=True, text=True)

    def quantize(self, model, out, *options):
        result = self.call("quantize", model, out, *options)
        if result.returncode:
            raise Failure("wick quantize: " + result.stderr.strip())
        return result.stdout

    def run_in_wick(self, model, args):
        torch.save(tuple(args), self.path("in.pt"))
        result = self.call("run", model, "--input", self.path("in.pt"), "--output", self.path("out.pt"))
        if result.returncode:
            raise Failure("wick run: " + result.stderr.strip())
        return torch.load(self.path("out.pt"))

    def both(self, model, args):
        """The answer of PyTorch, after comparing it with Wick's."""
        torch.manual_seed(0)
        with torch.no_grad():
            expected = load(model)(*copy.deepcopy(args))
        actual = self.run_in_wick(model, args)
        if not equal(expected, actual) and snr(expected, actual) < SAME_DB:
            raise Failure(f"Wick differs from PyTorch: {snr(expected, actual):.1f} dB")
        return expected

    def check(self, name, body):
        try:
            text = body() or ""
            self.passed += 1
            print(f"ok    {name}  {text}", flush=True)
        except Exception as e:  # a crash of PyTorch's loader is a failure of the file
            self.failed += 1
            print(f"FAIL  {name}: {type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}", flush=True)

    def save(self, model, name):
        script = model if isinstance(model, torch.jit.ScriptModule) else torch.jit.script(model)
        path = self.path(name + ".pt")
        script.save(path)
        return path

    def static(self, case):
        model = case.module.eval()
        calibration = []
        for i, args in enumerate(case.calibration):
            torch.save(tuple(args), self.path(f"c{i}.pt"))
            calibration += ["--calibrate", self.path(f"c{i}.pt")]
        source = self.save(case.trace() if case.traced else model, "float")
        with torch.no_grad():
            reference = model(*copy.deepcopy(case.test))
        text = []
        for out in case.outputs:
            path = self.path("quantized" + out)
            report = self.quantize(source, path, "--static", *calibration, "--no-report" if not case.mentions else
                                   "--per-channel", *case.options)
            for part in case.mentions:
                if part not in report:
                    raise Failure(f"the report does not say '{part}'")
            answer = self.both(path, case.test)
            text.append(f"{snr(reference, answer):.1f} dB")
            if snr(reference, answer) < case.least_db:
                raise Failure(f"{snr(reference, answer):.1f} dB against float, wanted {case.least_db}")
            size = os.path.getsize(path) / os.path.getsize(source)
            if size > case.most_size:
                raise Failure(f"the file has {size:.2f} of the float one's size, wanted {case.most_size}")
            operators = self.call("info", path).stdout
            for operator in case.operators:
                if operator not in operators:
                    raise Failure(f"{operator} is not among the operators")
        if case.fx:
            everything = [*case.calibration, case.test]
            with torch.no_grad():
                exact = [model(*args) for args in everything]
                ours = snr(exact, [load(path)(*args) for args in everything])
                theirs = snr(exact, [self.by_pytorch(case)(*args) for args in everything])
            text.append(f"{ours:.1f} dB where PyTorch's own has {theirs:.1f} dB")
            if ours < theirs - FX_MARGIN_DB:
                raise Failure(f"{ours:.1f} dB, PyTorch's quantizer {theirs:.1f} dB")
        return ", ".join(text)

    @staticmethod
    def by_pytorch(case):
        from torch.ao.quantization import get_default_qconfig_mapping
        from torch.ao.quantization.quantize_fx import convert_fx, prepare_fx
        if case.quantizable:
            return Suite.by_pytorch_eager(case)
        mapping = get_default_qconfig_mapping("qnnpack")
        prepared = prepare_fx(copy.deepcopy(case.module).eval(), mapping, tuple(case.test))
        with torch.no_grad():
            for args in case.calibration:
                prepared(*args)
            return convert_fx(prepared)

    @staticmethod
    def by_pytorch_eager(case):
        from torch.ao.quantization import convert, get_default_qconfig, prepare
        model = copy.deepcopy(case.quantizable).eval()
        model.fuse_model(is_qat=False)
        model.qconfig = get_default_qconfig("qnnpack")
        prepare(model, inplace=True)
        with torch.no_grad():
            for args in case.calibration:
                model(*args)
        return convert(model)

    def dynamic(self, case, options, least_db, extension):
        source = self.save(case.trace() if case.traced else case.module.eval(), "float")
        path = self.path("quantized" + extension)
        self.quantize(source, path, *options)
        with torch.no_grad():
            reference = case.module.eval()(*copy.deepcopy(case.test))
        quality = snr(reference, self.both(path, case.test))
        if quality < least_db:
            raise Failure(f"{quality:.1f} dB against float, wanted {least_db}")
        return f"{quality:.1f} dB, {os.path.getsize(path) / os.path.getsize(source):.2f} of the size"

    def refused(self, words, text):
        out = self.path("refused.ptl")
        if os.path.exists(out):
            os.remove(out)
        result = self.call("quantize", words[0], out, *words[1:])
        if result.returncode == 0 or text not in result.stderr:
            raise Failure(f"exit {result.returncode}, {result.stderr.strip()!r}, wanted {text!r}")
        if os.path.exists(out):
            raise Failure("a file was written")


def bad_input(suite):
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.Flatten(), torch.nn.Linear(4 * 36, 5)).eval()
    good = suite.save(model, "good")
    torch.save((torch.zeros(1, 3, 8, 8),), suite.path("right.pt"))
    torch.save((torch.zeros(1, 5, 8, 8),), suite.path("wrong.pt"))
    torch.save((torch.zeros(1, 3, 8, 8), 3), suite.path("many.pt"))
    nan = copy.deepcopy(model)
    nan[2].weight.data[0, 0] = float("nan")
    nan_path = suite.save(nan, "nan")
    done = suite.path("done.ptl")
    suite.quantize(good, done, "--static", "--calibrate", suite.path("right.pt"))
    static = ["--static", "--calibrate"]
    cases = [
        ("calibration of the wrong shape", [good, *static, suite.path("wrong.pt")], "calibration input 1"),
        ("calibration with too many arguments", [good, *static, suite.path("many.pt")], "calibration input 1"),
        ("no calibration file", [good, *static, suite.path("none.pt")], "no calibration file"),
        ("no bundled inputs", [good, *static, "bundled"], "no bundled inputs"),
        ("static without calibration", [good, "--static"], "--calibrate"),
        ("NaN in a weight", [nan_path, *static, suite.path("right.pt")], "NaN"),
        ("NaN in a dynamic weight", [nan_path, "--dynamic"], "NaN"),
        ("a quantized model", [done, *static, suite.path("right.pt")], "quantized already"),
        ("a quantized model, dynamically", [done, "--dynamic"], "quantized already"),
        ("a quantized model in half precision", [done, "--float16"], "quantized already"),
        ("an unknown layer to skip", [good, "--dynamic", "--skip", "nowhere"], "nowhere"),
        ("no way given", [good], "--dynamic"),
    ]
    for name, words, text in cases:
        suite.check("refused: " + name, lambda: suite.refused(words, text))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wick", help="the wick command (default: of the newest build folder)")
    parser.add_argument("--filter", default="", help="only models whose name holds the text")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(options.wick or newest_wick(), folder)
        vision = vision_models(full=os.environ.get("WICK_PARITY_FULL") == "1")
        for case in static_models() + vision:
            if options.filter in case.name:
                suite.check("static " + case.name, lambda: suite.static(case))
        for case in dynamic_models():
            if options.filter not in case.name:
                continue
            for label, words, least in [("dynamic", ["--dynamic"], case.least_db),
                                        ("dynamic per tensor", ["--dynamic", "--per-tensor"], case.least_db - 8),
                                        ("dynamic float16", ["--dynamic", "--dtype", "float16"], FLOAT16_DB),
                                        ("float16", ["--float16"], FLOAT16_DB)]:
                extension = ".pt" if label == "dynamic per tensor" else ".ptl"
                suite.check(f"{label} {case.name}", lambda: suite.dynamic(case, words, least, extension))
        if options.filter in "refused":
            bad_input(suite)
    print(f"{suite.passed} passed, {suite.failed} failed")
    return suite.failed != 0


if __name__ == "__main__":
    sys.exit(main())
