#!/usr/bin/python3
"""Every torchvision model family, saved by any PyTorch and run by Wick.

  families.py write FOLDER [NAME ...]    with the PyTorch at hand: scripted and traced files with inputs and answers
  families.py run FOLDER [--wick WICK]   runs what was written and compares; PyTorch only reads the answers
              --lite                     also converts each file to .ptl: Wick and PyTorch's lite interpreter run that
              --record docs/families.md  keeps the outcome, a line a model

The two steps may use different releases of PyTorch (`chroot ROOT python3 families.py write FOLDER`). NAME keeps the
models of which `kind.name` or the name starts so. What the PyTorch at hand cannot script or trace itself is noted and
left out. Detection runs in double: with random weights, scores closer than float's rounding would change places.
"""
import argparse
import io
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch

PICTURE, VIDEO = (1, 3, 96, 96), (1, 3, 8, 64, 64)
# Fixed by the model: patches, windows, or layers that shrink the picture too often.
SIZES = {"vit": (1, 3, 224, 224), "swin": (1, 3, 64, 64), "maxvit": (1, 3, 224, 224), "inception": (1, 3, 128, 128),
         "mvit": (1, 3, 4, 64, 64), "s3d": (1, 3, 16, 224, 224), "swin3d": VIDEO}
# One of each size of a family is enough.
LARGE = ("b1", "b2", "b3", "b4", "b5", "b6", "b7", "_16gf", "_32gf", "_128gf", "_8gf", "vgg13", "vgg16", "vgg19",
         "101", "152", "161", "201", "vit_l", "vit_h", "convnext_base", "convnext_large", "swin_b", "swin_v2_b",
         "swin3d_b", "_m", "_l", "169", "3_2gf")
# PyTorch's own writer refuses them too.
NOT_LITE = "lite files do not hold classes that are not modules"
HEAD = """# torchvision's models

Each model written by PyTorch as `.pt`, scripted and traced, run by Wick and compared with PyTorch's answer; written by
`tests/parity/families.py`. `-`: this PyTorch can not script (or trace) the model itself. Empty: not tried, or not in
this torchvision; detection and optical flow are not traced, their loops depend on the data.

"""


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
        few = {"weights_backbone": None, "num_classes": 5}
        if name.startswith("ssd"):
            return {**few, "score_thresh": 0.1, "detections_per_img": 10}
        few.update(min_size=96, max_size=128)
        if name.startswith(("retinanet", "fcos")):
            return {**few, "score_thresh": 0.002, "detections_per_img": 10}
        return {**few, "box_detections_per_img": 10, "rpn_pre_nms_top_n_test": 100, "rpn_post_nms_top_n_test": 50}
    return {"init_weights": False} if name in ("inception_v3", "googlenet") else {}


def calibrated(net, random):
    """A quantizable network quantized for the mobile engine, the one that every PyTorch has."""
    from torch.ao import quantization
    torch.backends.quantized.engine = "qnnpack"
    net.fuse_model(is_qat=False)
    net.qconfig = quantization.get_default_qconfig("qnnpack")
    quantization.prepare(net, inplace=True)
    net(torch.rand(1, 3, 128, 128, generator=random) * 2 - 1)
    return quantization.convert(net, inplace=True)


def is_wanted(name, kind, maker):
    if name.startswith(("_", "get_", "list_", "register_")) or not name.islower() or isinstance(maker, type):
        return False
    if not callable(maker) or not maker.__module__.startswith("torchvision.models."):
        return False
    large = kind == "classification" and name.endswith(LARGE)
    larger = ("152", "vit_l", "vit_h") if kind == "quantization" else ("101", "152", "vit_l", "vit_h")
    return not large and not any(part in name for part in larger)


def families():
    """(name, kind, maker) of every model, the larger sizes of a family left out."""
    import torchvision
    models = torchvision.models
    for kind in ("classification", "segmentation", "detection", "video", "quantization", "optical_flow"):
        makers = vars(models if kind == "classification" else getattr(models, kind))
        yield from ((name, kind, makers[name]) for name in sorted(makers) if is_wanted(name, kind, makers[name]))


def shrink(module, name):
    """MViT's factories fix the size of the clip; the class does not."""
    cls = getattr(module, name)
    if isinstance(cls, type):
        setattr(module, name, lambda **options: cls(**{**options, "spatial_size": (64, 64), "temporal_size": 4}))


def build(name, kind, maker):
    """A network with random weights and its arguments."""
    torch.manual_seed(1)
    if name.startswith("mvit"):
        shrink(sys.modules[maker.__module__], "MViT")
    net = settle(maker(weights=None, **options_of(name, kind)))
    random = torch.Generator().manual_seed(2)
    if kind == "detection":
        return net.double(), ([torch.rand(3, 96, 128, generator=random, dtype=torch.float64)],)
    if kind == "optical_flow":
        return net, tuple(torch.rand(1, 3, 128, 128, generator=random) * 2 - 1 for _ in range(2))
    if kind == "quantization":
        net = calibrated(net, random)
    return net, (torch.rand(size_of(name, VIDEO if kind == "video" else PICTURE), generator=random) * 2 - 1,)


def write_one(folder, name, kind, maker):
    net, args = build(name, kind, maker)
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
            path.with_suffix(".refused").write_text(first_line(e))
            print(f"{path.name}: PyTorch says: {first_line(e)}", flush=True)
            continue
        torch.save(args, f"{path}.in")
        torch.save(plain(answer), f"{path}.out")


def first_line(error):
    return (str(error).strip().splitlines() or [""])[0][:160]


def plain(value):
    return tuple(plain(v) for v in value) if isinstance(value, tuple) else value


def write(folder, names):
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pytorch").write_text(".".join(torch.__version__.split("+")[0].split(".")[:2]))
    for name, kind, maker in families():
        if not names or f"{kind}.{name}".startswith(tuple(names)) or name.startswith(tuple(names)):
            try:
                write_one(folder, name, kind, maker)
            except Exception as e:
                print(f"{kind}.{name}: PyTorch says: {first_line(e)}", flush=True)


def difference(want, got, where, tolerance=2e-4):
    """What differs, or None. Floats may be `tolerance` of the largest value apart."""
    if isinstance(want, torch.Tensor):
        if (want.dtype, want.shape) != (got.dtype, got.shape):
            return f"{where}: {got.dtype}{list(got.shape)} instead of {want.dtype}{list(want.shape)}"
        if not want.is_floating_point():
            return None if torch.equal(want, got) else f"{where}: integers differ"
        a, b = want.double(), got.double()
        apart = ~((a == b) | (a.isnan() & b.isnan()))
        if not apart.any():
            return None
        far, largest = float((a - b)[apart].abs().max()), float(a.nan_to_num().abs().max())
        return None if far <= tolerance * max(largest, 1e-3) else f"{where}: {far} apart of {largest}"
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
    return next(filter(None, (difference(w, g, f"{where}[{key}]", tolerance) for key, w, g in parts)), None)


def tolerance_of(path):
    return 1e-5 if path.name.startswith("quantization") else 2e-4  # integers are equal


def size_of_answer(value):
    if isinstance(value, torch.Tensor):
        return value.numel()
    if not isinstance(value, (list, tuple, dict)):
        return 0
    return sum(map(size_of_answer, value.values() if isinstance(value, dict) else value))


def problem_of(wick, model, path, scratch):
    """What is wrong with Wick's answer for `model`, a form of the file `path`; None where it is PyTorch's."""
    out = f"{scratch}/out.pt"
    done = subprocess.run([wick, "run", str(model), "--input", f"{path}.in", "--output", out], capture_output=True,
                          text=True)
    if done.returncode:
        return done.stderr.strip()[:300]
    want = torch.load(f"{path}.out")
    if path.name.startswith("detection") and not size_of_answer(want):
        return "an empty answer says nothing"
    return difference(want, torch.load(out), "answer", tolerance_of(path))


def lite_problem(wick, path, scratch):
    """What is wrong with the file converted to .ptl, in Wick or in PyTorch's lite interpreter; "" where there is none."""
    from torch.jit.mobile import _load_for_lite_interpreter
    lite = f"{scratch}/model.ptl"
    done = subprocess.run([wick, "convert", str(path), lite], capture_output=True, text=True)
    if done.returncode:
        return "" if NOT_LITE in done.stderr else f"convert: {done.stderr.strip()[:300]}"
    problem = problem_of(wick, lite, path, scratch)
    if problem:
        return f"as .ptl: {problem}"
    args = torch.load(f"{path}.in")
    try:
        answer = plain(_load_for_lite_interpreter(lite)(*args))
    except Exception as e:
        try:
            own = torch.jit.load(str(path))._save_to_buffer_for_lite_interpreter()
            _load_for_lite_interpreter(io.BytesIO(own))(*args)
        except Exception:
            return ""  # its own lite file fails too: named tuples as results, in PyTorch 1.13
        return f"PyTorch, of the .ptl: {first_line(e)}"
    problem = difference(torch.load(f"{path}.out"), answer, "answer", tolerance_of(path))
    return f"PyTorch, of the .ptl: {problem}" if problem else ""


def run(folder, wick, lite, record):
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    if lite:
        import torchvision  # noqa: F401  its operators
        torch.backends.quantized.engine = "qnnpack"
    passed = failed = 0
    outcomes = {p.stem: "-" for p in folder.glob("*.refused")}
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted(folder.glob("*.pt")):
            problem = problem_of(wick, path, path, scratch) or (lite and lite_problem(wick, path, scratch))
            passed, failed = passed + (not problem), failed + bool(problem)
            outcomes[path.stem] = problem or "ok"
            if problem:
                print(f"FAIL {path.name}\n     {problem}", flush=True)
    if record:
        keep(record, (folder / "pytorch").read_text(), outcomes)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def keep(path, release, outcomes):
    """Adds the outcomes to the table: a row a model, two columns a release of PyTorch."""
    rows = {}
    if path.exists():
        lines = [[cell.strip() for cell in line.strip("|\n ").split("|")]
                 for line in path.read_text().splitlines() if line.startswith("|")]
        rows = {line[0]: dict(zip(lines[0][1:], line[1:])) for line in lines[2:]} if lines else {}
    for stem, outcome in outcomes.items():
        model, form = stem.rsplit(".", 1)
        rows.setdefault(model.replace(".", " "), {})[f"{release} {form}"] = outcome.replace("|", "/").replace("\n", " ")
    columns = sorted({column for row in rows.values() for column in row})
    lines = [["model", *columns], ["---"] * (len(columns) + 1)]
    lines += [[model, *(rows[model].get(column, "") for column in columns)] for model in sorted(rows)]
    path.write_text(HEAD + "".join(f"| {' | '.join(line)} |\n" for line in lines))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=["write", "run"])
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("names", nargs="*")
    p.add_argument("--wick", default=None)
    p.add_argument("--lite", action="store_true")
    p.add_argument("--record", type=pathlib.Path, default=None)
    options = p.parse_args()
    warnings.simplefilter("ignore")
    if options.what == "write":
        return write(options.folder, options.names)
    if not options.wick:
        from round_trip import find_wick
        options.wick = find_wick()
    return run(options.folder, options.wick, options.lite, options.record)


if __name__ == "__main__":
    sys.exit(main())
