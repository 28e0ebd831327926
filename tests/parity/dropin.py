#!/usr/bin/python3
"""The drop-in tools against PyTorch's: the same words, the same lines.

  dropin.py                     lines recorded from PyTorch 1.13's tools
  dropin.py --real FOLDER       also run the tools in FOLDER, built from PyTorch's binaries/*.cc with libtorch, and check
                                that they print the recorded lines

Times stand as # in the recorded lines. Where a run fails, PyTorch's tools abort with a trace of the stack; the message in
it must be in what ours print.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings
from typing import Optional

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
os.environ.setdefault("GLOG_minloglevel", "2")

import torch  # noqa: E402
from torch import Tensor, nn  # noqa: E402
from torch.utils.bundled_inputs import bundle_inputs  # noqa: E402


class Scale(nn.Module):
    def forward(self, x):
        return x.relu() * 1.5


class Everything(nn.Module):
    def forward(self, x, n: Optional[Tensor] = None):
        return (x, [x, x], {"a": x, "b": x + 1}, 3, 2.5, "hi", None, True, [1, 2], (1.5,), torch.tensor(3), [0.5, 1.0], ["a", "b"])


class Nothing(nn.Module):
    def forward(self):
        return torch.arange(6).view(2, 3)


class Sum(nn.Module):
    def forward(self, x, y):
        return x.sum() + y.sum()


class Layout(nn.Module):
    def forward(self, x):
        return x.is_contiguous(), x.dtype, x.shape


class Wide(nn.Module):
    def forward(self, x):
        return x[:, :1] * torch.tensor([1e-3, 1.0, 1234.5]), x.to(torch.double) / 3, x > 0, x.to(torch.uint8), x[:0]


class Training(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x)


class Shift(nn.Module):
    def __init__(self, by: float):
        super().__init__()
        self.by = by

    def forward(self, x):
        return x + self.by


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 3), nn.ReLU())

    def forward(self, x, n: int):
        y = self.body(x)
        y = y * n if n > 2 and y.dim() == 2 else y + n
        return y.mean([1])

    @torch.jit.export
    def other(self, a: int, b: int):
        return a * b + len([a, b]), (a, b)


class Pair(nn.Module):
    def forward(self, x):
        return x, x


def make_models(folder):
    modules = {"scale": Scale(), "everything": Everything(), "nothing": Nothing(), "sum": Sum(), "layout": Layout(),
               "wide": Wide(), "training": Training(), "shift": Shift(0.0), "shifted": Shift(0.5), "pair": Pair(), "nested": Nested(),
               "linear": nn.Linear(3, 2).eval()}
    for name, module in modules.items():
        torch.jit.script(module).save(str(folder / f"{name}.pt"))
    bundled = bundle_inputs(torch.jit.script(Scale()), [(torch.ones(2, 3),), (torch.zeros(1),)])
    bundled.save(str(folder / "bundled.pt"))
    torch.jit.script(Scale())._save_for_lite_interpreter(str(folder / "scale.ptl"))
    (folder / "text.pt").write_text("not a model")


START = ["Starting benchmark.", "Running warmup runs.", "Main runs."]
END = "Main run finished. Microseconds per iter: #. Iters per second: #"
PEP = 'PyTorchObserver {"type": "NET", "unit": "us", "metric": "latency", "value": "#"}'
X = "--input_dims=2,3 --input_type=float"
SCALED = [" 1.5000  1.5000  1.5000", " 1.5000  1.5000  1.5000", "[ CPUFloatType{2,3} ]"]
ONES = [" 1  1  1", " 1  1  1", "[ CPUFloatType{2,3} ]"]

# tool, words, what it prints, what it says when it fails
CASES = [
    ("speed_benchmark_torch", f"--model=scale.pt {X}", START + [END], None),
    ("speed_benchmark_torch", f"--model scale.pt --input_dims 2,3 --input_type float --warmup 2 --iter 3 --report_pep true",
     START + [PEP] * 3 + [END], None),
    ("speed_benchmark_torch", f"--model=scale.pt {X} --report_pep --noprint_output --iter=1", START + [PEP, END], None),
    ("speed_benchmark_torch", f"--model=scale.pt {X} --print_output=true --iter=0",
     SCALED + START + ["Main run finished. Microseconds per iter: inf. Iters per second: 0"], None),
    ("speed_benchmark_torch", f"--model=scale.pt {X} --use_caching_allocator=true --iter 2", START + [END], None),
    ("speed_benchmark_torch", f"--model=everything.pt {X} --print_output=1 --iter=1",
     ["(" + ONES[0], *ONES[1:2], "[ CPUFloatType{2,3} ], [ 1  1  1", ONES[1], "[ CPUFloatType{2,3} ],  1  1  1", ONES[1],
      "[ CPUFloatType{2,3} ]], {a:  1  1  1", ONES[1], "[ CPUFloatType{2,3} ], b:  2  2  2", " 2  2  2",
      "[ CPUFloatType{2,3} ]}, 3, 2.5, hi, None, True, [1, 2], (1.5,), 3",
      "[ CPULongType{} ], [0.5, 1.], [a, b])", *START, END], None),
    ("speed_benchmark_torch", "--model=nothing.pt --no_inputs=true --print_output=true --iter 1",
     [" 0  1  2", " 3  4  5", "[ CPULongType{2,3} ]", *START, END], None),
    ("speed_benchmark_torch", "--model=layout.pt --input_dims=1,3,4,5; --input_type=uint8_t --print_output=true --iter=1",
     ["(True, 0, [1, 3, 4, 5])", *START, END], None),
    ("speed_benchmark_torch", "--model=wide.pt --input_dims=2,3 --input_type=float --print_output=true --iter=1",
     ["( 1.0000e-03  1.0000e+00  1.2345e+03", " 1.0000e-03  1.0000e+00  1.2345e+03", "[ CPUFloatType{2,3} ],  0.3333  0.3333  0.3333",
      " 0.3333  0.3333  0.3333", "[ CPUDoubleType{2,3} ],  1  1  1", " 1  1  1", "[ CPUBoolType{2,3} ],  1  1  1", " 1  1  1",
      "[ CPUByteType{2,3} ], [ CPUFloatType{0,3} ])", *START, END], None),
    ("speed_benchmark_torch", f"--model=training.pt {X} --print_output=1 --iter=1", ONES + START + [END], None),
    ("speed_benchmark_torch", "--model=sum.pt --input_dims=2,3;4 --input_type=float;int64 --print_output=1 --iter=1 "
     "--input_memory_format=contiguous_format;contiguous_format", ["10", "[ CPUFloatType{} ]", *START, END], None),
    ("speed_benchmark_torch", f"--model=sum.pt {X} --pytext_len 3 --print_output true --iter 1",
     ["9", "[ CPUFloatType{} ]", *START, END], None),
    ("speed_benchmark_torch", "--model=bundled.pt --use_bundled_input=0 --iter 1 --print_output 1", SCALED + START + [END], None),
    ("speed_benchmark_torch", "--model=bundled.pt --use_bundled_input=1 --iter 1 --print_output 1",
     [" 0", "[ CPUFloatType{1} ]", *START, END], None),
    ("speed_benchmark_torch", "--model=bundled.pt --use_bundled_input=2", [], "Model has only 2 bundled inputs."),
    ("speed_benchmark_torch", "--model=scale.pt --use_bundled_input=0", [],
     "Model does not have bundled inputs.  Before saving,\nuse torch.utils.bundled_inputs.augment_model_with_bundled_inputs."),
    ("speed_benchmark_torch", "--model=scale.pt", [], "0 vs 1. Input dims and format should have the same number of items."),
    ("speed_benchmark_torch", "--model=scale.pt --input_dims=2,3", [],
     "1 vs 0. Input dims and type should have the same number of items."),
    ("speed_benchmark_torch", "--model=sum.pt --input_dims=2,3;4 --input_type=float;int64", [],
     "2 vs 1. Input dims and format should have the same number of items."),
    ("speed_benchmark_torch", "--model=scale.pt --input_dims=2,3 --input_type=double", [], "Unsupported input type: double"),
    ("speed_benchmark_torch", f"--model=scale.pt {X} --input_memory_format=channels_last", [],
     "channels_last memory format only available on 4D tensors!"),
    ("speed_benchmark_torch", f"--model=scale.pt {X} --input_memory_format=rows", [], "Unsupported input memory format: rows"),
    ("speed_benchmark_torch", "--model=scale.pt --input_dims=2,x --input_type=float", [], "stoi"),
    ("speed_benchmark_torch", "--model=scale.pt --input_dims=-2 --input_type=float", [],
     "Trying to create tensor with negative dimension -2: [-2]"),
    ("speed_benchmark_torch", f"--model=scale.pt {X} --warmup=-1", START[:2],
     "Number of warm up runs should be non negative, provided -1."),
    ("speed_benchmark_torch", f"--model=scale.pt {X} --iter=-1", START, "Number of main runs should be non negative, provided -1."),
    ("speed_benchmark_torch", f"--model=sum.pt {X}", START, "forward() is missing value for argument 'y'"),
    ("speed_benchmark_torch", f"--model=none.pt {X}", [], "none.pt"),
    ("speed_benchmark_torch", f"--model=text.pt {X}", [], ""),
    ("speed_benchmark_torch", "--input_dim=1", [], "ERROR: unknown command line flag 'input_dim'"),
    ("speed_benchmark_torch", "--iter=abc", [], "ERROR: illegal value 'abc' specified for int32 flag 'iter'"),
    ("speed_benchmark_torch", "--print_output=maybe", [], "ERROR: illegal value 'maybe' specified for bool flag 'print_output'"),
    ("speed_benchmark_torch", "--iter", [], "ERROR: flag '--iter' is missing its argument"),
    ("load_benchmark_torch", "--model=scale.pt --iter=2", ["Starting benchmark.", PEP, PEP, END], None),
    ("load_benchmark_torch", "--model=scale.pt --iter=1 --report_pep=false", ["Starting benchmark.", END], None),
    ("load_benchmark_torch", "--model=scale.pt --noreport_pep", ["Starting benchmark.", END], None),
    ("load_benchmark_torch", "--model=scale.pt --iter=-3", ["Starting benchmark."],
     "Number of main runs should be non negative, provided -3."),
    ("load_benchmark_torch", "--model=none.pt", ["Starting benchmark."], "none.pt"),
    ("lite_interpreter_model_load", "--model=scale.ptl", [], None),
    ("lite_interpreter_model_load", "", [], ":Model file is not provided"),
    ("lite_interpreter_model_load", "--model=none.ptl", [], "none.ptl"),
    ("lite_interpreter_model_load", "--model=scale.pt", [], "PytorchStreamReader failed locating file bytecode.pkl: file not found"),
    ("compare_models_torch", f"--refmodel=shift.pt --model=shift.pt {X}",
     ["tolerance: 1e-05", "Running check on thread #.", "Output was equal within tolerance 10/10 times. Pass rate: 100%"], None),
    ("compare_models_torch", f"--refmodel=shift.pt --model=shifted.pt {X} --iter=1 --tolerance=0.001",
     ["tolerance: 0.001", "Running check on thread #.", "Check FAILED!      Max diff allowed: ~     max diff:        0.5",
      " (Iteration 0 failed)", "Output was equal within tolerance 0/1 times. Pass rate: 0%"], None),
    ("compare_models_torch", f"--refmodel=shift.pt --model=shifted.pt {X} --iter=3 --report_failures=false --report_freq=2",
     ["tolerance: 1e-05", "Running check on thread #.", "Output was equal within tolerance 0/2 times. Pass rate: 0%",
      "Output was equal within tolerance 0/3 times. Pass rate: 0%"], None),
    ("compare_models_torch", "--refmodel=nothing.pt --model=nothing.pt --no_inputs=true --iter 2 --nthreads 1",
     ["tolerance: 1e-05", "Running check on thread #.", "Output was equal within tolerance 2/2 times. Pass rate: 100%"], None),
    ("compare_models_torch", f"--refmodel=pair.pt --model=pair.pt {X}", ["tolerance: 1e-05", "Running check on thread #."],
     "Expected Tensor but got Tuple"),
    ("compare_models_torch", "--input_min=2 --input_max=2", [], "Input min: 2 should be less than input max: 2"),
    ("compare_models_torch", "--refmodel=none.pt --model=none.pt", ["tolerance: 1e-05"], "none.pt"),
    ("dump_operator_names", "--model=nested.pt --output=ops.yaml",
     ["function name: forward", "    aten::gt.int", "    aten::eq.int", "    aten::mul.Scalar", "    aten::add.Scalar",
      "    aten::mean.dim",
      "function name: other", "    aten::mul.int", "    aten::len.t", "    aten::add.int",
      "sub module name: __torch__.torch.nn.modules.container.Sequential", "function name: forward", "function name: __len__",
      "sub module name: __torch__.torch.nn.modules.linear.Linear", "function name: forward", "    aten::linear",
      "sub module name: __torch__.torch.nn.modules.activation.ReLU", "function name: forward",
      "-- Final List --", *("?" + name for name in (
          "aten::add.Scalar", "aten::add.int", "aten::eq.int", "aten::gt.int", "aten::len.t", "aten::linear",
          "aten::mean.dim", "aten::mul.Scalar", "aten::mul.int"))], None),
    ("optimize_for_mobile", "--model=linear.pt --output=linear.ptl",
     ["", "pt_operator_library(", '\tname = "old_op_library",', "\tops = [", '\t\t"aten::linear",', "\t],", ")", "", "",
      "pt_operator_library(", '\tname = "new_op_library",', "\tops = [", '\t\t"prepacked::linear_clamp_run",', "\t],", ")", "",
      "The optimized model for lite interpreter was saved to linear.ptl"], None),
    ("optimize_for_mobile", "--model=linear.pt --backend=npu",
     ["", "pt_operator_library(", '\tname = "old_op_library",', "\tops = [", '\t\t"aten::linear",', "\t],", ")", ""],
     "Unknown backend: npu"),
    ("optimize_for_mobile", "--model=none.pt", [], "none.pt"),
    ("dump_operator_names", "--model=scale.pt --output=ops.yaml",
     ["function name: forward", "    aten::relu", "    aten::mul.Scalar", "-- Final List --", "?aten::mul.Scalar", "?aten::relu"], None),
]

# PyTorch 1.13's tool accepts the layout and makes the input without it.
OURS = [
    ("speed_benchmark_torch", "--model=layout.pt --input_dims=1,3,4,5 --input_type=int64 --print_output=true --iter=1 "
     "--input_memory_format=channels_last", ["(False, 4, [1, 3, 4, 5])", *START, END], None),
]


def on_gpu(folder):
    """--vulkan runs the model where there is a device, and says what is missing elsewhere."""
    words = f"--model=scale.pt {X} --vulkan=true --print_output=true --iter=1"
    there = subprocess.run([str(folder / "wick"), "info", "--devices"], capture_output=True).returncode == 0
    return [("speed_benchmark_torch", words, SCALED + START + [END] if there else [], None if there else "GPU")]


def masked(line):
    line = re.sub(r'(iter: |second: |"value": "|thread )[0-9][0-9.e+]*[0-9]', r"\1#", line)
    line = re.sub(r'("value": "|thread )[0-9]\b', r"\1#", line)
    return re.sub(r"allowed: .{10} ", "allowed: ~ ", line)


def normal(lines):
    """Lines whose order does not matter (marked ?) sorted at the end."""
    plain = [line for line in lines if not line.startswith("?")]
    return plain, sorted(line[1:] for line in lines if line.startswith("?"))


def problem_of(program, words, want, message, folder, real):
    done = subprocess.run([str(program), *words], capture_output=True, text=True, cwd=folder, timeout=120)
    got = [masked(line) for line in done.stdout.splitlines()]
    plain, loose = normal(want)
    if got[:len(plain)] != plain or sorted(got[len(plain):]) != loose:
        return f"printed {got}\n     instead of {want}"
    if (done.returncode != 0) != (message is not None):
        return f"exit {done.returncode}: {done.stderr[:400]}"
    if message is not None and message not in done.stderr and not (real and message == "none.pt"):
        return f"says {done.stderr[:400]!r}\n     instead of {message!r}"
    if not real and "terminate called" in done.stderr:
        return f"aborted: {done.stderr[:400]}"
    return None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bin", type=pathlib.Path, default=TOP / "build" / "bin", help="where Wick's tools are")
    p.add_argument("--real", type=pathlib.Path, default=None, metavar="FOLDER", help="where PyTorch's tools are")
    p.add_argument("--filter", default="", help="only cases whose words hold this text")
    options = p.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        make_models(folder)
        ours = OURS + on_gpu(options.bin)
        for tool, words, want, message in CASES + ours:
            if options.filter not in f"{tool} {words}":
                continue
            ours_only = (tool, words, want, message) in ours
            for where in [options.bin] + [options.real] * (options.real is not None and not ours_only):
                real = where == options.real
                problem = problem_of(where.resolve() / tool, words.split(), want, message, folder, real)
                passed, failed = passed + (problem is None), failed + (problem is not None)
                if problem:
                    print(f"FAIL {'PyTorch: ' if real else ''}{tool} {words}\n     {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
