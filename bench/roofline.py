#!/usr/bin/python3
"""roofline.py MODEL: what a run of a model has to do at least, as JSON, from the operators PyTorch runs for it.

A layer's lower bound is the longer of its arithmetic at the peak and of reading its weights once, which no first- or
second-level cache keeps from run to run; of weights that the layer before has used as well (the steps of a recurrent
layer) the second-level cache may have kept as much as it holds. Activations are taken to stay in the caches. A 3x3 layer of stride 1 has several
algorithms, of which the cheapest counts: direct, or Winograd with its transforms and larger weights. Taps on padding are
not counted. Functions with an exponential (SiLU, sigmoid, GELU, tanh, softmax) are counted separately, and
the instructions of other activations (ACTIVATIONS) run where multiply-adds do, at their rate. Sums and factors of channels
are taken to cost nothing: they may be folded into what comes before or after.

Vectors hold channels, or columns of a matrix; of a last one that is not full the rest is computed for nothing. What that
adds is counted apart ("vectors"): a layer with 24 channels out takes as long as one with 32.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import models

FUNCTIONS = {"silu", "silu_", "sigmoid", "sigmoid_", "gelu", "tanh", "tanh_", "_softmax", "exp"}
# Vector instructions of each: maxima, minima, additions and multiplications.
ACTIVATIONS = {"relu": 1, "relu_": 1, "hardtanh": 2, "hardtanh_": 2, "hardsigmoid": 3, "hardsigmoid_": 3, "hardswish": 4,
               "hardswish_": 4}
# Of a tile of Winograd's method: outputs in a direction, inputs in a direction, and the additions and multiplications
# of transforming one line of a tile; they run at the rate of multiply-adds, so count as two operations each.
WINOGRAD = [(2, 4, 4, 4), (4, 6, 12, 10)]


def lanes():
    """Floats of a vector of this machine."""
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    return 16 if " avx512f" in flags else 8 if " avx2" in flags else 4


def in_vectors(columns):
    """So many columns as whole vectors, as times of them."""
    return -(-columns // lanes()) * lanes() / columns


def taps(size, kernel, stride, padding, dilation, out):
    """Taps of all outputs of a direction that are inside the image."""
    return sum(0 <= o * stride - padding + k * dilation < size for o in range(out) for k in range(kernel))


def convolution_ways(image, weight, stride, padding, dilation, groups, out):
    """[(operations, bytes of weights, operations in whole vectors)] of a convolution."""
    outputs, inputs, height, width = weight.shape
    batch = image.shape[0]
    pairs = outputs * inputs
    rows = taps(image.shape[2], height, stride[0], padding[0], dilation[0], out.shape[2])
    columns = taps(image.shape[3], width, stride[1], padding[1], dilation[1], out.shape[3])
    direct = 2 * batch * pairs * rows * columns
    # A depthwise layer has its channels in vectors, another those of a group.
    fill = in_vectors(outputs if inputs == 1 else outputs // groups)
    ways = [(direct, 4 * weight.numel(), direct * fill)]
    if (height, width, *stride) == (3, 3, 1, 1) and groups == 1:
        for made, read, forth, back in WINOGRAD:
            # A dilated layer is an image for each phase.
            def tiles(n, d):
                return sum(-(-len(range(p, n, d)) // made) for p in range(d))

            count = batch * tiles(out.shape[2], dilation[0]) * tiles(out.shape[3], dilation[1])
            products = 2 * read * read * pairs
            transforms = 2 * (2 * read * forth * inputs + (read + made) * back * outputs)
            ways.append((count * (products + transforms), 4 * read * read * pairs, count * (products * fill + transforms)))
    return ways


def work(model):
    """{"layers": [[[operations, bytes, operations in whole vectors], ... ways], ...], "again": [numbers of layers with the weights of the one before],
    "functions": elements, "activations": instructions times elements, "bytes": of all parameters}"""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    net, inputs = models.calibrated(model), models.example_inputs(model)
    weights = {p.storage().data_ptr() for p in net.parameters()}
    out = {"layers": [], "again": [], "functions": 0, "activations": 0, "bytes": sum(4 * p.numel() for p in net.parameters())}
    last = [None]

    def stored(t):
        return 4 * t.numel() if t.storage().data_ptr() in weights else 0

    class Count(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            result = func(*args, **(kwargs or {}))
            name = func.__name__.split(".")[0]
            if name == "convolution":
                image, weight, _, stride, padding, dilation, _, _, groups = args[:9]
                out["layers"].append(convolution_ways(image, weight, stride, padding, dilation, groups, result))
            elif name in ("mm", "addmm", "bmm"):
                a, b = args[-2:] if name != "addmm" else args[1:3]
                if b.storage().data_ptr() == last[0]:
                    out["again"].append(len(out["layers"]))
                last[0] = b.storage().data_ptr()
                products = 2 * result.numel() * a.shape[-1]
                out["layers"].append([(products, stored(a) + stored(b), products * in_vectors(result.shape[-1]))])
            elif name in FUNCTIONS:
                out["functions"] += result.numel()
            elif name in ACTIVATIONS:
                out["activations"] += ACTIVATIONS[name] * result.numel()
            return result

    # With gradients on, attention and recurrent layers are run as the operators they are made of.
    with Count():
        net(*inputs)
    return out


def lower_bound(work, rates, second_level_bytes, last_level_bytes):
    """{"ms", "arithmetic", "weights", "functions", "activations": ms each, and "vectors" beyond "ms"}; `rates` as the
    worker's "peak" gives them."""
    again = set(work["again"])
    read = rates["cache_gbs"] if work["bytes"] <= last_level_bytes else rates["memory_gbs"]
    arithmetic = more = vectors = 0.0
    for number, ways in enumerate(work["layers"]):
        kept = second_level_bytes if number in again else 0
        times = [(max(ops / rates["peak_gflops"], max(0, size - kept) / read) * 1e-6, ops / rates["peak_gflops"] * 1e-6)
                 for ops, size, _ in ways]
        best, alone = min(times)
        arithmetic += alone
        more += best - alone
        vectors += min(max(ops / rates["peak_gflops"], max(0, size - kept) / read) * 1e-6 for _, size, ops in ways) - best
    functions = work["functions"] / rates["silu_g"] * 1e-6
    activations = 2 * work["activations"] / rates["peak_gflops"] * 1e-6
    return {"ms": arithmetic + more + functions + activations, "arithmetic": arithmetic, "weights": more,
            "functions": functions, "activations": activations, "vectors": vectors}


def cache_bytes():
    """Of the second and of the last level."""
    found = {}
    for index in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        size = (index / "size").read_text().strip()
        found[int((index / "level").read_text())] = int(size.rstrip("KM")) * (1 << 20 if size.endswith("M") else 1 << 10)
    return found.get(2, 1 << 20), max(found.values(), default=32 << 20)


if __name__ == "__main__":
    print(json.dumps(work(models.model_named(sys.argv[1]))))
