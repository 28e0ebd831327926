"""The functions of the command, as functions: they take models or files, and return objects."""

from __future__ import annotations

import os

from wick import _wick
from wick._errors import Error, InvalidArgumentError, NotFoundError, UnsupportedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterable, Mapping, Sequence, TypeVar, Union

    from wick._wick import (
        Difference, GraphNode, LayerReport, Method, Module, OperatorUse, OptimizeReport, PassReport, ProfileStep,
        QuantizeReport, Tensor, TraceResult,
    )

    Path = Union[str, os.PathLike[str]]
    Model = Union[Module, Path, bytes]  # bytes: of a model's file
    Function = TypeVar("Function", bound=Callable[..., Any])


def _module(model: Model, *, allow_missing: bool = False) -> Module:
    if isinstance(model, _wick.Module):
        return model
    return _wick.load(model, allow_missing_operators=allow_missing)


def _argument_error(message: str) -> InvalidArgumentError:
    error = InvalidArgumentError(message)
    error.code, error.summary = "invalid_argument", message
    return error


def _is_lite(path: str, format: str | None) -> bool:
    if format is None:
        suffix = os.path.splitext(path)[1]
        if suffix not in (".pt", ".ptl", ".pth"):
            raise _argument_error(f"{path or 'bytes'}: give format='lite' or 'torchscript', or a name that ends in .ptl or .pt")
        return suffix == ".ptl"
    if format not in ("lite", "torchscript"):
        raise _argument_error(f"format is 'lite' or 'torchscript', not {format!r}")
    return format == "lite"


def _is_array(value: Any) -> bool:
    if hasattr(value, "__dlpack__") or hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
        return True
    try:
        memoryview(value).release()
    except TypeError:
        return False
    return True


def _examples(inputs: Iterable[Any]) -> list[Any]:
    """Lists of arguments, as a list. One array is refused, which as an iterable is its rows."""
    if isinstance(inputs, (str, dict)) or not hasattr(inputs, "__iter__") or _is_array(inputs):
        raise _argument_error(f"inputs are a list of lists of arguments, [(x,), ...], not one {type(inputs).__name__}")
    return list(inputs)


def _bytes_of(module: Module) -> bytes:
    """The model as the kind of file it came from."""
    lite = _wick.inspect_model(module).kind != "torchscript"
    data = _wick.save_module(module, None, lite, 8, True, True, False)
    assert data is not None
    return data


def _restore_method(module: Module, name: str) -> Method:
    return module.get_method(name)


def _names_of(module: Module) -> list[str]:
    """What dir() lists, and so what editors complete: the methods and the parts of this model besides the members."""
    parts = {name.partition(".")[0] for tensors in (module.parameters, module.buffers) for name in tensors}
    return sorted({*object.__dir__(module), *module.methods, *(part for part in parts if part.isidentifier())})


def _signature_of(arguments: list[tuple[str, str, bool, Any]], returns: str) -> Any:
    """inspect.Signature of a model's method: its arguments, with their types in the model as annotations."""
    from inspect import Parameter, Signature

    parameters = [
        Parameter(
            name if name.isidentifier() else f"argument_{i}", Parameter.POSITIONAL_OR_KEYWORD,
            default=default if has_default else Parameter.empty, annotation=kind,
        )
        for i, (name, kind, has_default, default) in enumerate(arguments)
    ]
    return Signature(parameters, return_annotation=returns or Signature.empty)


def _restore_module(data: bytes) -> Module:
    return _wick.load(data, allow_missing_operators=True)


def _restore_tensor(data: bytes, shape: tuple[int, ...], dtype: str) -> Tensor:
    return _wick.tensor_of_bytes(data, shape, dtype)


def _inputs(model: Module, inputs: Any, method: str) -> tuple[Any, ...]:
    """One list of arguments: those given, or the model's first bundled input."""
    if inputs is not None:
        return tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    found = model.get_method(method).bundled_inputs
    if found:
        return found[0]
    if not model.get_method(method).arguments:
        return ()
    error = NotFoundError(f"the model has no bundled inputs for {method!r}: give inputs, or store some with wick.bundle")
    error.code = "not_found"
    raise error


def save(
    model: Module,
    path: Path | None = None,
    *,
    format: str | None = None,
    bytecode_version: int = 8,
    debug_info: bool = True,
    source: bool = True,
) -> bytes | None:
    """Writes the model as a lite-interpreter file (.ptl) or a TorchScript file (.pt), by the path's ending or `format`.

    Without a path it returns the bytes. PyTorch loads what it writes."""
    lite = _is_lite("" if path is None else os.fspath(path), format)
    return _wick.save_module(model, path, lite, bytecode_version, debug_info, source, False)


def convert(
    model: Model,
    path: Path | None = None,
    *,
    format: str | None = None,
    bytecode_version: int = 8,
    debug_info: bool = True,
    source: bool = True,
    strip_bundled: bool = False,
) -> bytes | None:
    """Writes a model as another kind of file; see save(). `strip_bundled`: without its bundled inputs.

    A Module that is given is not changed."""
    lite = _is_lite("" if path is None else os.fspath(path), format)
    module = _module(model)
    stored = not isinstance(model, _wick.Module)
    if strip_bundled:
        if module is model:
            module = _restore_module(_bytes_of(module))
        if _wick.strip_bundled(module):
            stored = False
    return _wick.save_module(module, path, lite, bytecode_version, debug_info, source, stored)


class Optimized:
    """An optimized model and what was done to it."""

    __slots__ = ("module", "report")

    def __init__(self, module: Module, report: OptimizeReport) -> None:
        self.module = module
        self.report = report

    @property
    def passes(self) -> list[PassReport]:
        return self.report.passes

    def __repr__(self) -> str:
        done = ", ".join(f"{p.name} {p.changes}" for p in self.report.passes if p.changes)
        return f"<wick.Optimized: {done or 'no changes'}{'' if self.report.verified else '; not verified'}>"

    def _repr_html_(self) -> str:
        from wick import _display

        return _display.optimized_html(self)


def optimize(
    model: Model,
    output: Path | None = None,
    *,
    backend: str = "cpu",
    blocklist: Sequence[str] = (),
    preserve_methods: Sequence[str] = (),
    verify: bool = True,
    tolerance: float = 1e-3,
    strict: bool = False,
    inputs: Iterable[Any] = (),
    seed: int = 0,
    progress: Callable[[str, int, int], None] | None = None,
    format: str | None = None,
) -> Optimized:
    """What optimize_for_mobile does: folds, fuses and packs, and compares the outputs after every pass.

    `inputs`: lists of arguments of forward to compare on (default: the bundled ones, else random ones). `output`: a file
    to write the new model to. `progress`: called with the pass that begins, how many are done, and how many there may
    be. The model itself is not changed."""
    if output is not None:
        _is_lite(os.fspath(output), format)
    made, report = _wick.optimize_module(
        _module(model), backend, list(blocklist), list(preserve_methods), verify, tolerance, strict, _examples(inputs),
        seed, progress,
    )
    if output is not None:
        save(made, output, format=format)
    return Optimized(made, report)


class Quantized:
    """A quantized model and what that cost."""

    __slots__ = ("module", "report")

    def __init__(self, module: Module, report: QuantizeReport) -> None:
        self.module = module
        self.report = report

    @property
    def layers(self) -> list[LayerReport]:
        return self.report.layers

    def __repr__(self) -> str:
        layers = self.report.layers
        done = sum(layer.quantized for layer in layers)
        measured = f", {self.report.output_snr:.1f} dB" if self.report.measured else ""
        return f"<wick.Quantized: {done} of {len(layers)} layers{measured}>"

    def _repr_html_(self) -> str:
        from wick import _display

        return _display.quantized_html(self)


def quantize(
    model: Model,
    output: Path | None = None,
    *,
    mode: str = "dynamic",
    calibration: Iterable[Any] | None = None,
    weights: str = "int8",
    per_channel: bool = True,
    observer: str = "histogram",
    skip: Sequence[str] = (),
    max_loss: float | None = None,
    report_inputs: int = 4,
    progress: Callable[[str, int, int], None] | None = None,
    force: bool = False,
    format: str | None = None,
) -> Quantized:
    """Post-training quantization. The model itself is not changed.

    mode         "dynamic": linear, LSTM and GRU layers; "static": forward in 8-bit integers, with scales from
                 `calibration`; "float16": weights stored in half precision
    calibration  lists of arguments of forward (static); default: the model's bundled inputs
    weights      "int8" or "float16" (dynamic)
    observer     "histogram", "minmax" or "moving-average" (static)
    skip         layers, or modules, that stay float
    max_loss     leaves the worst layers in float until the outputs' relative error is at most this (static)
    progress     called with what is being done, how much of it is done, and how much there is
    force        writes `output` although its outputs have little to do with the model's, on the calibration inputs"""
    for name, value, known in (
        ("mode", mode, ("dynamic", "static", "float16")),
        ("weights", weights, ("int8", "float16")),
        ("observer", observer, ("histogram", "minmax", "moving-average")),
    ):
        if value not in known:
            raise _argument_error(f"{name} is one of {', '.join(map(repr, known))}, not {value!r}")
    if output is not None:
        _is_lite(os.fspath(output), format)
    module = _module(model)
    data: list[Any] = []
    if mode == "static":
        data = module.bundled_inputs if calibration is None else _examples(calibration)
        if not data:
            raise _argument_error("static quantization needs calibration inputs, or a model with bundled inputs")
    made, report = _wick.quantize_module(
        module, mode, data, per_channel, observer, weights == "float16", list(skip),
        -1.0 if max_loss is None else max_loss, report_inputs, progress,
    )
    if output is not None:
        if _is_useless(report, max_loss) and not force:
            error = UnsupportedError(
                f"quantized, its outputs are off by {100 * report.loss:.0f} % ({report.output_snr:.1f} dB) on the "
                "calibration inputs: nothing is written. Calibrate with inputs like those it will see, leave the most "
                "harmful layers in float (skip, max_loss), or write it all the same (force=True); without an output "
                "the model and the report are returned"
            )
            error.code, error.summary = "unsupported", str(error)
            raise error
        save(made, output, format=format)
    return Quantized(made, report)


def _is_useless(report: QuantizeReport, max_loss: float | None) -> bool:
    """Whether the outputs' error is half of them or more (6 dB): the rule of the command."""
    return report.measured and not report.loss <= max(0.5, -1.0 if max_loss is None else max_loss)


class Bundled:
    """A model with inputs stored in it."""

    __slots__ = ("module", "inputs")

    def __init__(self, module: Module, inputs: int) -> None:
        self.module = module
        self.inputs = inputs

    def __repr__(self) -> str:
        return f"<wick.Bundled: {self.inputs} inputs>"


def bundle(
    model: Model,
    output: Path | None = None,
    *,
    inputs: Iterable[Any] = (),
    random: Iterable[Sequence[Sequence[int]]] = (),
    method: str = "forward",
    info: Sequence[str] = (),
    format: str | None = None,
) -> Bundled:
    """Stores inputs with a model, where PyTorch's get_all_bundled_inputs finds them.

    inputs   lists of arguments
    random   lists of shapes: arguments of these shapes with new random numbers at each use
    A Module that is given is changed itself; a file is not."""
    if output is not None:
        _is_lite(os.fspath(output), format)
    module = _module(model)
    stored, shapes = _examples(inputs), [[list(shape) for shape in one] for one in random]
    _wick.bundle_module(module, stored, shapes, method, list(info))
    if output is not None:
        save(module, output, format=format)
    return Bundled(module, len(stored) + len(shapes))


def trace(
    path: Path | Sequence[Path],
    output: Path | None = None,
    *,
    inputs: Iterable[Any] = (),
    method: str = "forward",
    merge: Sequence[Path] = (),
    isa: Sequence[str] = (),
    progress: Callable[[str, int, int], None] | None = None,
) -> TraceResult:
    """Runs the model of a file, or of each of several files, and lists what a selective build for them must hold.

    output  a YAML file to write
    inputs  lists of arguments of `method`, besides the models' bundled inputs
    merge   YAML files of lists to unite it with
    isa     instruction sets of the build, as WICK_ISA has them (default: all)
    progress  called before each run with what is done, how many runs of the file are, and how many there will be"""
    files = [path] if isinstance(path, (str, bytes, os.PathLike)) else list(path)
    if not files:
        raise _argument_error("trace needs a file")
    texts = []
    for name in merge:
        with open(name, encoding="utf-8") as file:
            texts.append(file.read())
    result = _wick.trace_files(files, _examples(inputs), method, texts, list(isa), progress)
    if output is not None:
        with open(output, "w", encoding="utf-8") as file:
            file.write(result.yaml)
    return result


class CheckReport:
    """Whether a model will run here; true when it will."""

    __slots__ = ("path", "missing", "missing_parts", "problem", "operators")

    def __init__(
        self, path: str, operators: list[OperatorUse], problem: Error | None, missing_parts: Sequence[str] = ()
    ) -> None:
        self.path = path
        self.operators = operators
        self.missing = [use for use in operators if not use.available]
        self.missing_parts = list(missing_parts)
        self.problem = problem

    @property
    def ok(self) -> bool:
        return self.problem is None and not self.missing and not self.missing_parts

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        if self.problem is not None:
            return f"<wick.CheckReport: {self.problem}>"
        if not self.ok:
            missing = [
                use.name + (f" (did you mean {near}?)" if (near := _wick.nearest_operator(use.name)) else "")
                for use in self.missing
            ] + self.missing_parts
            return f"<wick.CheckReport: missing {', '.join(missing)}>"
        return f"<wick.CheckReport: will run, all {len(self.operators)} operators are there>"


def check(path: Path, *, ops: Path | None = None, custom: Path | None = None) -> CheckReport:
    """Whether the model of a file will run here: its checksums, its structure, and its operators.

    ops     a list of a selective build (YAML): whether it will run in that build
    custom  a file of the operators and classes that the application registers: a schema or 'class NAMESPACE.NAME' a
            line. What is registered here and now is known without."""
    name = os.fspath(path)
    if not isinstance(name, str):
        raise TypeError("check takes the path of a file, a str or an os.PathLike")
    try:
        _wick.check_records(name)
        if ops is not None or custom is not None:
            return _check_elsewhere(name, ops, custom)
        module = _wick.load(name, allow_missing_operators=True)
        return CheckReport(name, _wick.inspect_model(module).operators, None)
    except Error as error:
        return CheckReport(name, [], error)


def _check_elsewhere(name: str, ops: Path | None, custom: Path | None) -> CheckReport:
    """By the command in a process of its own, as what `custom` names is registered for good."""
    import json
    import subprocess
    import sys

    for file in (ops, custom):
        if file is not None:
            open(file, "rb").close()  # whose errors are not the model's
    words = ["check", name, "--json"]
    words += [] if ops is None else ["--ops", os.fspath(ops)]
    words += [] if custom is None else ["--custom", os.fspath(custom)]
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    code = f"import sys; sys.path.insert(0, {folder!r}); from wick.__main__ import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    if not done.stdout.strip():
        error = Error(done.stderr.strip() or f"the check ended with {done.returncode}")
        error.summary = str(error)
        raise error
    said = json.loads(done.stdout)
    missing = [_wick.OperatorUse(one["name"], one["count"], False, one["where"]) for one in said["missing"]]
    return CheckReport(name, missing, None, said["missing_parts"])


class Info:
    """What a model holds."""

    __slots__ = (
        "kind", "bytecode_version", "operator_version", "producer", "operators", "methods", "bundled_inputs",
        "extra_files", "parameters", "buffers", "parameter_bytes", "buffer_bytes", "file_bytes",
    )

    def __init__(self, module: Module, file_bytes: int | None) -> None:
        raw = _wick.inspect_model(module)
        self.kind: str = raw.kind
        self.bytecode_version: int = raw.bytecode_version
        self.operator_version: int = raw.operator_version
        self.producer: str = raw.producer
        self.operators: list[OperatorUse] = raw.operators
        self.methods: list[str] = module._signatures()
        self.bundled_inputs: dict[str, int] = dict(raw.bundled_inputs)
        self.extra_files: list[str] = sorted(module.extra_files)
        parameters, buffers = module.parameters.values(), module.buffers.values()
        self.parameters: int = sum(tensor.size for tensor in parameters)
        self.buffers: int = sum(tensor.size for tensor in buffers)
        self.parameter_bytes: int = sum(tensor.nbytes for tensor in parameters)
        self.buffer_bytes: int = sum(tensor.nbytes for tensor in buffers)
        self.file_bytes = file_bytes

    def __repr__(self) -> str:
        return (
            f"<wick.Info: {self.kind} model, {self.parameters} parameters, {len(self.operators)} operators; "
            + "; ".join(self.methods) + ">"
        )


def info(model: Model) -> Info:
    """What a model, or a file, holds: kind, versions, methods, operators, sizes."""
    if isinstance(model, _wick.Module):
        return Info(model, None)
    module = _module(model, allow_missing=True)
    return Info(module, len(model) if isinstance(model, bytes) else os.stat(model).st_size)


class Benchmark:
    """Times of runs, in milliseconds."""

    __slots__ = ("load_ms", "first_ms", "times_ms", "threads")

    def __init__(self, load_ms: float | None, first_ms: float, times_ms: list[float], threads: int) -> None:
        self.load_ms = load_ms
        self.first_ms = first_ms
        self.times_ms = times_ms
        self.threads = threads

    @property
    def best_ms(self) -> float:
        return min(self.times_ms)

    @property
    def mean_ms(self) -> float:
        return sum(self.times_ms) / len(self.times_ms)

    @property
    def median_ms(self) -> float:
        times, half = sorted(self.times_ms), len(self.times_ms) // 2
        return times[half] if len(times) % 2 else (times[half - 1] + times[half]) / 2

    def __repr__(self) -> str:
        return (
            f"<wick.Benchmark: median {self.median_ms:.3f} ms, best {self.best_ms:.3f} ms of {len(self.times_ms)} "
            f"runs, {self.threads} threads>"
        )

    def _repr_html_(self) -> str:
        from wick import _display

        return _display.benchmark_html(self)


def bench(
    model: Model,
    inputs: Any = None,
    *,
    method: str | None = None,
    warmup: int = 3,
    iterations: int = 20,
) -> Benchmark:
    """Times runs of a model on arguments (default: its first bundled input)."""
    from time import perf_counter

    start = perf_counter()
    module = _module(model)
    load_ms = None if isinstance(model, _wick.Module) else (perf_counter() - start) * 1e3
    if iterations < 1 or warmup < 0:
        raise _argument_error("iterations is at least 1 and warmup at least 0")
    args = _inputs(module, inputs, method or "forward")
    times = [seconds * 1e3 for seconds in _wick.times_of(module, method, args, warmup + iterations)]
    return Benchmark(load_ms, times[0], times[warmup:], _wick.num_threads())


class Profile:
    """The steps of a run and their times, and `seconds` of the whole run; in a notebook, a picture."""

    __slots__ = ("steps", "seconds", "regions", "arena_bytes", "packed_bytes", "name")

    def __init__(self, raw: _wick.RawProfile, name: str) -> None:
        self.steps: list[ProfileStep] = raw.steps
        self.seconds: float = raw.seconds
        self.regions: int = raw.regions
        self.arena_bytes: int = raw.arena_bytes
        self.packed_bytes: int = raw.packed_bytes
        self.name = name

    def by_kind(self) -> dict[str, float]:
        """Seconds by name of step, the longest first."""
        out: dict[str, float] = {}
        for step in self.steps:
            out[step.name] = out.get(step.name, 0.0) + step.seconds
        return dict(sorted(out.items(), key=lambda item: -item[1]))

    def __repr__(self) -> str:
        most = ", ".join(f"{name} {1e3 * s:.3f} ms" for name, s in list(self.by_kind().items())[:3])
        return f"<wick.Profile: {len(self.steps)} steps in {1e3 * self.seconds:.3f} ms; most: {most}>"

    def _repr_svg_(self) -> str:
        from wick import _display

        return _display.profile_svg(self)

    def _repr_html_(self) -> str:
        from wick import _display

        return _display.profile_html(self)


def profile(
    model: Model,
    inputs: Any = None,
    *,
    method: str = "forward",
    iterations: int = 10,
    progress: Callable[[str, int, int], None] | None = None,
) -> Profile:
    """Where the time of the fastest of several runs goes: the steps of plans, and the operators between them.

    `progress`: called before each run with what is done, how many runs are, and how many there will be."""
    module = _module(model)
    if iterations < 1:
        raise _argument_error("iterations is at least 1")
    raw = _wick.profile_module(module, _inputs(module, inputs, method), method, iterations, progress)
    return Profile(raw, method if isinstance(model, (_wick.Module, bytes)) else os.path.basename(os.fspath(model)))


class Comparison:
    """The differences of two models' outputs; true when all are within the tolerance."""

    __slots__ = ("differences", "tolerance")

    def __init__(self, differences: list[Difference], tolerance: float) -> None:
        self.differences = differences
        self.tolerance = tolerance

    @property
    def equal(self) -> bool:
        return all(d.within(self.tolerance) for d in self.differences)

    @property
    def relative(self) -> float:
        return max((d.relative if not d.problem else float("inf") for d in self.differences), default=0.0)

    def __bool__(self) -> bool:
        return self.equal

    def __repr__(self) -> str:
        state = "equal" if self.equal else "DIFFERENT"
        return f"<wick.Comparison: {state} within {self.tolerance:g}, largest relative difference {self.relative:.3g}>"

    def _repr_html_(self) -> str:
        from wick import _display

        return _display.comparison_html(self)


def compare(
    a: Model, b: Model, inputs: Iterable[Any] | None = None, *, method: str = "forward", tolerance: float = 1e-5
) -> Comparison:
    """Runs two models on the same lists of arguments (default: the bundled ones of a, or of b)."""
    first, second = _module(a), _module(b)
    examples = _examples(inputs) if inputs is not None else (
        first.get_method(method).bundled_inputs or second.get_method(method).bundled_inputs
    )
    if not examples:
        raise _argument_error(f"neither model has bundled inputs for {method!r}: give inputs")
    out: list[Difference] = []
    for i, example in enumerate(examples):
        args = tuple(example) if isinstance(example, (tuple, list)) else (example,)
        results = []
        for model in (first, second):
            _wick.manual_seed(0)
            results.append(model.run(_wick.deep_copy(args), method=method))
        out += _wick.compare_values(results[0], results[1], f"input {i}: result")
    return Comparison(out, tolerance)


class Graph:
    """The code of a method; str() is TorchScript's form of it, in a notebook it is a picture."""

    __slots__ = ("name", "inputs", "input_types", "outputs", "nodes", "text")

    def __init__(self, raw: _wick.RawGraph, text: str) -> None:
        self.name: str = raw.name
        self.inputs: list[str] = raw.inputs
        self.input_types: list[str] = raw.input_types
        self.outputs: list[str] = raw.outputs
        self.nodes: list[GraphNode] = raw.nodes
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<wick.Graph {self.name}: {len(self.nodes)} nodes>"

    def _repr_svg_(self) -> str:
        from wick import _display

        return _display.graph_svg(self)


def graph(model: Model, method: str = "forward") -> Graph:
    """The code of a method as a graph."""
    module = _module(model, allow_missing=True)
    return Graph(_wick.method_graph(module, method), _wick.graph_text(module, method))


IMAGENET_MEAN = (0.485, 0.456, 0.406)
IMAGENET_STD = (0.229, 0.224, 0.225)


def _pixels(source: Any) -> Tensor:
    """[height, width, 3] bytes."""
    if callable(getattr(source, "convert", None)) and hasattr(source, "getbands"):  # Pillow's: palettes, gray, alpha
        source = source.convert("RGB")
    pixels = _wick.asarray(source)
    if pixels.dtype != "uint8" or not (pixels.ndim == 2 or pixels.ndim == 3 and pixels.shape[2] == 3):
        raise _argument_error(f"pixels are [height, width, 3] or [height, width] bytes, not {pixels.dtype} {list(pixels.shape)}")
    return pixels if pixels.ndim == 3 else pixels[:, :, None] + _wick.tensor([0, 0, 0], "uint8")


def _side(value: Any, name: str) -> int:
    from operator import index

    number = index(value)  # TypeError for what is no whole number
    if not 0 < number <= 16384:
        raise _argument_error(f"{name} is a number of pixels from 1 to 16384, not {number}")
    return number


def image(
    source: Any,
    size: int | tuple[int, int] | None = None,
    *,
    crop: int | None = None,
    mean: Sequence[float] | None = IMAGENET_MEAN,
    std: Sequence[float] | None = IMAGENET_STD,
) -> Tensor:
    """A picture as a [1, 3, height, width] tensor, normalized as torchvision's models want it.

    source a PNG or JPEG: a path, bytes or an open file; or its pixels, [height, width, 3] or [height, width] bytes: an
           array, or a picture of Pillow
    size   the shorter side, of which the middle is cut out (torchvision's Resize and CenterCrop), or (width, height)
    crop   the square that is cut out (default: size)
    mean, std  of the three channels; None: values from 0 to 1"""
    shorter, exact = 0, (0, 0)
    if isinstance(size, (tuple, list)):
        if len(size) != 2 or crop is not None:
            raise _argument_error("a size is the shorter side, or (width, height), of which nothing is cut out")
        exact = (_side(size[0], "size"), _side(size[1], "size"))
    elif size is not None:
        shorter = _side(size, "size")
    side = shorter if crop is None else _side(crop, "crop")
    if crop is not None and (not shorter or side > shorter):
        raise _argument_error(f"the crop, {side}, is cut out of the middle of a picture of a size: give one that is at least as large")
    if hasattr(source, "read"):
        source = source.read()
    elif not isinstance(source, (str, bytes, os.PathLike)) and _is_array(source):
        source = _pixels(source)
    pixels = _wick.read_image(source, shorter, side, exact)
    if mean is None or std is None:
        return _wick.image_tensor(pixels, False, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    if len(mean) != 3 or len(std) != 3:
        raise _argument_error("mean and std have three numbers each")
    return _wick.image_tensor(pixels, True, (mean[0], mean[1], mean[2]), (std[0], std[1], std[2]))


def operator(schema: str) -> Callable[[Function], Function]:
    """Registers a Python function as an operator that models may call:

        @wick.operator("my_ops::scale(Tensor x, float by=2.) -> Tensor")
        def scale(x, by):
            return x * by

    Register before loading the models that use it. The function is called by every thread that runs such a model, with
    the GIL; tensors that it is given share the model's memory."""

    def register(function: Function) -> Function:
        _wick.register_operator(schema, function)
        return function

    return register
