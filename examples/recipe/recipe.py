#!/usr/bin/python3
"""The performance recipe for mobile models, step by step, with the time after each.

  recipe.py [--tools build/bin] [--size 224] [--iter 20] [--keep FOLDER]

PyTorch makes the model: it fuses the layers, quantizes and scripts them. Wick does the rest: it optimizes the files,
checks that the answers stay, and times every step with speed_benchmark_torch. Wick can quantize, too: the last part takes
the plain script to 8 bits without PyTorch. The model is torchvision's MobileNetV2 with random weights: the time does not
depend on their values. The difference is the largest one, as a part of the largest value, from the answers of step 1.
"""
import argparse
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import torch
from torchvision.models.quantization import mobilenet_v2

TOP = pathlib.Path(__file__).resolve().parent.parent.parent


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.sizes = f"1,3,{options.size},{options.size}"

    def tool(self, name, *words):
        command = [str(self.options.tools / name), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def milliseconds(self, model, memory_format="contiguous_format"):
        """Of one run: the best of the benchmark's iterations."""
        out = self.tool("speed_benchmark_torch", f"--model={model}", f"--input_dims={self.sizes}", "--input_type=float",
                        f"--input_memory_format={memory_format}", "--warmup=3", f"--iter={self.options.iter}",
                        "--report_pep=true")
        return min(int(t) for t in re.findall(r'"value": "(\d+)"', out)) / 1000

    def difference(self, reference, model):
        """The largest difference of two models' answers, as a part of the largest value."""
        out = subprocess.run([str(self.options.tools / "wick"), "compare", str(reference), str(model), "--json",
                              "--input-dims", self.sizes, "--iter", "1"], capture_output=True, text=True).stdout
        return json.loads(out)["relative_difference"]

    def report(self, step, model, reference, memory_format="contiguous_format"):
        print(f"{step:<34}{self.milliseconds(model, memory_format):9.2f} ms {model.stat().st_size / 1e6:8.2f} MB "
              f"{self.difference(reference, model):12.1e}", flush=True)


def with_statistics(model):
    """Batch norm that has seen some pictures, as after training, so that signals neither vanish nor explode."""
    with torch.no_grad():
        for _ in range(20):
            model.train()(torch.rand(4, 3, 64, 64))
    return model.eval()


def quantized(fused, sizes):
    torch.backends.quantized.engine = "qnnpack"
    model = copy.deepcopy(fused)
    model.qconfig = torch.ao.quantization.get_default_qconfig("qnnpack")
    torch.ao.quantization.prepare(model, inplace=True)
    with torch.no_grad():
        for _ in range(2):
            model(torch.rand(sizes))
    return torch.ao.quantization.convert(model, inplace=True)


def script(model, path):
    torch.jit.script(model).save(str(path))
    return path


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--tools", type=pathlib.Path, default=TOP / "build" / "bin", help="where Wick's programs are")
    p.add_argument("--size", type=int, default=224, help="sides of the picture")
    p.add_argument("--iter", type=int, default=20, help="timed runs of each step")
    p.add_argument("--keep", type=pathlib.Path, default=None, metavar="FOLDER", help="keep the files of the steps")
    options = p.parse_args()
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        bench = Bench(options, folder)
        print(f"{'step':<34}{'one run':>12}{'file':>12}{'difference':>13}")

        model = with_statistics(mobilenet_v2(weights=None))
        plain = script(model, folder / "1_scripted.pt")
        bench.report("1 script the model", plain, plain)

        model.fuse_model()
        fused = script(model, folder / "2_fused.pt")
        bench.report("2 fuse conv, batch norm and relu", fused, plain)

        integers = script(quantized(model, [1, 3, options.size, options.size]), folder / "3_quantized.pt")
        bench.report("3 quantize to 8 bits", integers, plain)

        for source, name in ((fused, "float"), (integers, "8 bits")):
            optimized = folder / f"4_optimized_{name.replace(' ', '_')}.ptl"
            bench.tool("wick", "optimize", source, optimized)
            bench.report(f"4 wick optimize, {name}", optimized, plain)
            bench.report(f"5 channels last, {name}", optimized, plain, "channels_last")

        samples, without = folder / "samples.pt", folder / "6_quantized_by_wick.ptl"
        torch.save([(torch.rand(1, 3, options.size, options.size),) for _ in range(2)], samples)
        bench.tool("wick", "quantize", plain, without, "--static", "--calibrate", samples, "--no-report")
        bench.report("6 wick quantize of step 1 instead", without, plain)
    return 0


if __name__ == "__main__":
    sys.exit(main())
