"""What a program with types sees of the package: mypy and pyright check this file (scripts/python.sh), nothing runs it."""

import array
import pathlib
from typing import Any

import wick

model = wick.load("model.ptl", timeout=2.0, max_memory=1 << 28)
scores: wick.Tensor = model(array.array("f", [1.0]), flag=True)
shape: tuple[int, ...] = scores[0].shape
values, classes = scores.softmax().topk(5)
best: list[int] = classes.tolist()
same: wick.Tensor = (scores + 1) * values @ classes

method: wick.Method = model.get_method("forward")
names: list[str] = [argument["name"] for argument in method.arguments]
weights: dict[str, wick.Tensor] = model.parameters
files: dict[str, bytes] = model.extra_files
again: Any = model.encode(scores)

stop = wick.Cancellation()
model.run((scores,), method="forward", max_threads=1, cancellation=stop)

optimized = wick.optimize(model, "fast.ptl", backend="vulkan", blocklist=["CONV_BN_FUSION"])
fast: wick.Module = optimized.module
watched = wick.optimize(model, progress=lambda what, done, total: print(what, done / total))
passes: list[tuple[str, int]] = [(one.name, one.changes) for one in optimized.passes]
quantized = wick.quantize(model, mode="static", calibration=[(scores,)], max_loss=0.01)
kept: list[str] = [layer.reason for layer in quantized.layers if not layer.quantized]
written: bytes | None = wick.convert(model, format="lite")
count: int = wick.bundle(model, random=[[(1, 3, 8, 8)]]).inputs
listed: list[str] = wick.trace(["model.ptl", pathlib.Path("other.ptl")]).operators
fine: bool = bool(wick.check("model.ptl", ops="ops.yaml", custom=pathlib.Path("custom.txt")))
wick.save_tensors(scores, pathlib.Path("out.pt"))
where_to_run: list[str] = [gpu.name for gpu in wick.gpu_devices()]
model.set_backend("auto", precision="float16", device=0)
device: wick.Device = wick.Device("cuda:0")
masked: wick.Tensor = ~(scores > 0) & (2 ** scores // 3 % 5 == 1)
kind: str = wick.info(model).kind
median: float = wick.bench(model, scores).median_ms
steps: list[str] = [step.name for step in wick.profile(model, scores).steps]
picture: wick.Tensor = wick.image("cat.jpg", size=256, crop=224)


@wick.operator("my_ops::scale(Tensor x, float by=2.) -> Tensor")
def scale(x: wick.Tensor, by: float) -> wick.Tensor:
    return x * by


scaled: wick.Tensor = scale(scores, 2.0)

try:
    model(scores)
except wick.DeadlineError as error:
    timed_out: TimeoutError = error
    code: str = error.code
except wick.Error as error:
    where: tuple[str | None, int | None] = (error.file, error.line)
