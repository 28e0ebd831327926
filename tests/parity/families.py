#!/usr/bin/python3
"""Every torchvision model family, saved by any PyTorch and run by Wick.

  families.py write FOLDER [NAME ...]    with the PyTorch at hand: scripted and traced files with inputs and answers
  families.py run FOLDER [--wick WICK]   runs what was written and compares; PyTorch only reads the answers

The two steps may use different releases of PyTorch (`chroot ROOT python3 families.py write FOLDER`). NAME keeps the
models whose name starts so. What the PyTorch at hand cannot script or trace itself is named and left out.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch

PICTURE, VIDEO = (1, 3, 96, 96), (1, 3, 8, 64, 64)
# Fixed by the model: patches, windows, or layers that shrink the picture too often.
SIZES = {"vit": (1, 3, 224, 224), "swin": (1, 3, 64, 64), "maxvit": (1, 3, 224, 224), "inception": (1, 3, 128, 128),
         "mvit": (1, 3, 16, 224, 224), "s3d": (1, 3, 16, 224, 224), "swin3d": VIDEO}
# One of each size of a family is enough.
LARGE = ("b1", "b2", "b3", "b4", "b5", "b6", "b7", "_16gf", "_32gf", "_128gf", "_8gf", "vgg13", "vgg16", "vgg19",
         "101", "152", "161", "201", "vit_l", "vit_h", "convnext_base", "convnext_large", "swin_b", "swin_v2_b",
         "swin3d_b", "_m", "_l", "169", "3_2gf")


def settle(net):
    """Batch-norm statistics of random size, as a trained network has; the default ones hide mistakes."""
    for m in net.modules():
        if isinstance(m, torch.nn.modules.batchnorm._BatchNorm):
            torch.nn.init.uniform_(m.running_mean, -0.1, 0.1)
            torch.nn.init.uniform_(m.running_var, 0.8, 1.2)
            torch.nn.init.uniform_(m.weight, 0.8, 1.2)
            torch.nn.init.uniform_(m.bias, -0.1, 0.1)
    return net.eval()


def size_of(name, default):
    fitting = [prefix for prefix in SIZES if name.startswith(prefix)]
    return SIZES[max(fitting, key=len)] if fitting else default


def options_of(name, kind):
    if kind == "segmentation":
        return {"weights_backbone": None, "num_classes": 5}
    if kind == "detection":
        return {"weights_backbone": None, "num_classes": 5, **({} if name.startswith("ssd") else
                                                              {"min_size": 96, "max_size": 128})}
    if kind == "quantization":
        return {"quantize": True, **({"init_weights": False} if name in ("inception_v3", "googlenet") else {})}
    return {"init_weights": False} if name in ("inception_v3", "googlenet") else {}


def is_wanted(name, kind, maker):
    if name.startswith(("_", "get_", "list_", "register_")) or not name.islower() or isinstance(maker, type):
        return False
    if not callable(maker) or not maker.__module__.startswith("torchvision.models."):
        return False
    large = kind == "classification" and name.endswith(LARGE)
    return not large and not any(part in name for part in ("101", "152", "vit_l", "vit_h"))


def families():
    """(name, kind, maker) of every model, the larger sizes of a family left out."""
    import torchvision
    models = torchvision.models
    for kind in ("classification", "segmentation", "detection", "video", "quantization", "optical_flow"):
        makers = vars(models if kind == "classification" else getattr(models, kind))
        yield from ((name, kind, makers[name]) for name in sorted(makers) if is_wanted(name, kind, makers[name]))


def write_one(folder, name, kind, maker):
    torch.manual_seed(1)
    net = settle(maker(weights=None, **options_of(name, kind)))
    random = torch.Generator().manual_seed(2)
    if kind == "detection":
        args = ([torch.rand(3, 96, 128, generator=random)],)
    elif kind == "optical_flow":
        args = tuple(torch.rand(1, 3, 128, 128, generator=random) * 2 - 1 for _ in range(2))
    else:
        args = (torch.rand(size_of(name, VIDEO if kind == "video" else PICTURE), generator=random) * 2 - 1,)
    for form in ("scripted", "traced"):
        if form == "traced" and kind in ("detection", "optical_flow"):
            continue
        path = folder / f"{kind}.{name}.{form}.pt"
        try:
            module = torch.jit.script(net) if form == "scripted" else torch.jit.trace(net, args, strict=False)
            torch.jit.save(module, str(path))
            torch.manual_seed(20)
            answer = torch.jit.load(str(path))(*args)
        except Exception as e:
            path.unlink(missing_ok=True)
            print(f"{path.name}: PyTorch says: {(str(e).strip().splitlines() or [''])[0][:160]}", flush=True)
            continue
        torch.save(args, f"{path}.in")
        torch.save(plain(answer), f"{path}.out")


def plain(value):
    return tuple(plain(v) for v in value) if isinstance(value, tuple) else value


def write(folder, names):
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    folder.mkdir(parents=True, exist_ok=True)
    for name, kind, maker in families():
        if not names or name.startswith(tuple(names)):
            try:
                write_one(folder, name, kind, maker)
            except Exception as e:
                print(f"{kind}.{name}: PyTorch says: {(str(e).strip().splitlines() or [''])[0][:160]}", flush=True)


def difference(want, got, where, steps):
    """What differs, or None. `steps`: a quantised model; its answers may be a few steps of the last scale apart."""
    if isinstance(want, torch.Tensor):
        if (want.dtype, want.shape) != (got.dtype, got.shape):
            return f"{where}: {got.dtype}{list(got.shape)} instead of {want.dtype}{list(want.shape)}"
        if not want.numel() or torch.equal(want, got):
            return None
        if not want.is_floating_point():
            return f"{where}: integers differ"
        far, largest = float((want.double() - got.double()).abs().max()), float(want.abs().max())
        return None if far <= (0.1 if steps else 2e-4) * max(largest, 1e-3) else f"{where}: {far} apart of {largest}"
    if isinstance(want, (list, tuple)):
        if len(want) != len(got):
            return f"{where}: {len(got)} instead of {len(want)}"
        parts = zip(range(len(want)), want, got)
    elif isinstance(want, dict):
        if list(want) != list(got):
            return f"{where}: keys {list(got)} instead of {list(want)}"
        parts = ((key, want[key], got[key]) for key in want)
    else:
        return None if want == got else f"{where}: {got} instead of {want}"
    return next(filter(None, (difference(w, g, f"{where}[{key}]", steps) for key, w, g in parts)), None)


def run(folder, wick):
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        out = f"{scratch}/out.pt"
        for path in sorted(folder.glob("*.pt")):
            done = subprocess.run([wick, "run", str(path), "--input", f"{path}.in", "--output", out],
                                  capture_output=True, text=True)
            problem = done.stderr.strip()[:300] if done.returncode else difference(
                torch.load(f"{path}.out"), torch.load(out), "answer", path.name.startswith("quantization"))
            passed, failed = passed + (not problem), failed + bool(problem)
            if problem:
                print(f"FAIL {path.name}\n     {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=["write", "run"])
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("names", nargs="*")
    p.add_argument("--wick", default=None)
    options = p.parse_args()
    warnings.simplefilter("ignore")
    if options.what == "write":
        return write(options.folder, options.names)
    if not options.wick:
        from round_trip import find_wick
        options.wick = find_wick()
    return run(options.folder, options.wick)


if __name__ == "__main__":
    sys.exit(main())
