#!/usr/bin/python3
"""Quantized models, one core: Wick beside PyTorch's lite interpreter (qnnpack) on the same file, and beside Wick's own run
of the float model. Times are of the processor, so that a busy machine does not spoil them; the best of some rounds.

    bench/quantized.py                                    torchvision's quantized families, LSTM, GRU, an encoder
    bench/quantized.py --wick build/bin/wick resnet18     some of them
"""
import argparse
import os
import resource
import subprocess
import tempfile
import time
import warnings

os.environ.setdefault("GLOG_minloglevel", "2")
warnings.filterwarnings("ignore")
import torch  # noqa: E402
import torchvision  # noqa: E402
from torch import nn  # noqa: E402
from torch.ao import quantization  # noqa: E402
from torch.jit.mobile import _load_for_lite_interpreter  # noqa: E402

VISION = ["mobilenet_v2", "mobilenet_v3_large", "resnet18", "resnet50", "shufflenet_v2_x1_0", "googlenet", "inception_v3"]
DYNAMIC = ["lstm", "gru", "encoder"]
ROUNDS = 3


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layers, self.last = kind(256, 256, 2), nn.Linear(256, 64)

    def forward(self, x):
        return self.last(self.layers(x)[0])


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.queries, self.keys, self.values, self.out = (nn.Linear(width, width) for _ in range(4))
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x):
        def split(t):
            return t.view(t.size(0), t.size(1), self.heads, -1).transpose(1, 2)
        q, k, v = split(self.queries(x)), split(self.keys(x)), split(self.values(x))
        seen = torch.softmax(q @ k.transpose(-2, -1) / q.size(-1) ** 0.5, -1) @ v
        x = self.first(x + self.out(seen.transpose(1, 2).reshape(x.shape)))
        return self.second(x + self.narrow(nn.functional.gelu(self.wide(x))))


def vision(name, x):
    options = {"aux_logits": False, "init_weights": False} if name in ("googlenet", "inception_v3") else {}
    plain = getattr(torchvision.models, name)(weights=None, **options).eval()
    net = getattr(torchvision.models.quantization, name)(weights=None, quantize=False, **options).eval()
    net.fuse_model(is_qat=False)
    net.qconfig = quantization.get_default_qconfig("qnnpack")
    quantization.prepare(net, inplace=True)
    net(x)
    quantization.convert(net, inplace=True)
    return plain, net


def models(name):
    """The float model, the quantized one, an input."""
    torch.manual_seed(1)
    if name in VISION:
        size = 299 if name == "inception_v3" else 224
        x = torch.rand(1, 3, size, size) * 2 - 1
        return (*vision(name, x), x)
    if name == "encoder":
        plain, x = nn.Sequential(*[Block(512, 8) for _ in range(4)]).eval(), torch.rand(1, 128, 512)
    else:
        plain, x = Recurrent(nn.LSTM if name == "lstm" else nn.GRU).eval(), torch.rand(40, 1, 256)
    return plain, quantization.quantize_dynamic(plain, {nn.LSTM, nn.GRU, nn.Linear}), x


def processor_time(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def wick_ms(wick, path, x, few, many):
    """What a run costs, from the difference between many and few."""
    dims = ",".join(map(str, x.shape))
    call = [wick, "bench", path, "--input-dims", dims, "--input-type", "float", "--threads", "1", "--warmup", "3", "--iter"]
    return min(processor_time(call + [str(many)]) - processor_time(call + [str(few)]) for _ in range(ROUNDS)) / (many - few) * 1e3


def pytorch_ms(path, x, runs):
    model = _load_for_lite_interpreter(path)
    model(x)
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        model(x)
        best = min(best, time.process_time() - start)
    return best * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wick", default="build/bin/wick")
    parser.add_argument("names", nargs="*", default=VISION + DYNAMIC, metavar="NAME")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    torch.backends.quantized.engine = "qnnpack"
    print("| model | Wick, 8 bits, ms | PyTorch, ms | times | Wick, float, ms | times |\n| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        small, whole = os.path.join(folder, "small.ptl"), os.path.join(folder, "float.pt")
        for name in options.names:
            plain, net, x = models(name)
            torch.jit.trace(plain, x, check_trace=False).save(whole)
            torch.jit.trace(net, x, check_trace=False)._save_for_lite_interpreter(small)
            ours, theirs, full = wick_ms(options.wick, small, x, 5, 45), pytorch_ms(small, x, 12), wick_ms(options.wick, whole, x, 3, 18)
            print(f"| {name} | {ours:.2f} | {theirs:.1f} | {theirs / ours:.1f} | {full:.1f} | {full / ours:.1f} |", flush=True)


if __name__ == "__main__":
    main()
