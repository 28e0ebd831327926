"""ncnn, float32; the traced model is converted by pnnx."""
import importlib.util
import pathlib
import subprocess


def convert(folder, model):
    short = {"float32": "f32", "int64": "i64"}
    shapes = ",".join(f"[{','.join(map(str, shape))}]{short[dtype]}" for shape, dtype in model.inputs)
    here = {name: str(folder / ("ncnn." + name)) for name in ("param", "bin", "py")}
    package = importlib.util.find_spec("pnnx")
    if package is None:
        raise ModuleNotFoundError("pnnx")
    # The program itself: its Python wrapper imports PyTorch.
    tool = pathlib.Path(package.submodule_search_locations[0]) / "pnnx"
    done = subprocess.run([str(tool), str(folder / "traced.pt"), "inputshape=" + shapes, "fp16=0",
                           "ncnnparam=" + here["param"], "ncnnbin=" + here["bin"], "ncnnpy=" + here["py"]],
                          capture_output=True, text=True)
    if done.returncode != 0 or not (folder / "ncnn.param").exists():
        lines = (done.stderr + done.stdout).strip().splitlines() or ["pnnx failed"]
        raise RuntimeError("pnnx: " + lines[-1])


def prepare(threads):
    import ncnn  # noqa: F401


def load(folder, model, inputs, threads, form):
    import ncnn
    import numpy

    net = ncnn.Net()
    net.opt.num_threads = threads
    net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = False
    net.opt.use_bf16_storage = False
    if net.load_param(str(folder / "ncnn.param")) or net.load_model(str(folder / "ncnn.bin")):
        raise RuntimeError("ncnn refuses what pnnx wrote")
    arrays = [numpy.ascontiguousarray(x[0] if x.dtype == numpy.float32 else x[0].astype(numpy.int32)) for x in inputs]

    def run():
        extractor = net.create_extractor()
        for i, value in enumerate(arrays):
            extractor.input(f"in{i}", ncnn.Mat(value).clone())
        failed, out = extractor.extract("out0")
        if failed:
            raise RuntimeError("ncnn cannot run the model")
        return numpy.array(out)

    return run
