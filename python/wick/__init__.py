"""Wick runs PyTorch model files (.ptl, .pt) without PyTorch.

    import wick
    model = wick.load("mobilenet_v2.ptl")
    scores = model(wick.image("cat.jpg", size=224))
    values, classes = scores[0].softmax().topk(5)

Arguments are NumPy arrays, anything with DLPack or a buffer (PyTorch, JAX), numbers, strings, lists, tuples and dicts;
results are `wick.Tensor`s in the same containers, whose memory NumPy and the others share.
"""

from __future__ import annotations

from wick._api import (
    Benchmark,
    Bundled,
    CheckReport,
    Comparison,
    Graph,
    Info,
    Optimized,
    Profile,
    Quantized,
    bench,
    bundle,
    check,
    compare,
    convert,
    graph,
    image,
    info,
    operator,
    optimize,
    profile,
    quantize,
    save,
    trace,
)
from wick._device import Device
from wick._errors import (
    CancelledError,
    CorruptFileError,
    DeadlineError,
    Error,
    FileError,
    IndexOutOfRangeError,
    InvalidArgumentError,
    LimitExceededError,
    MissingFileError,
    MissingOperatorError,
    ModelError,
    NotFoundError,
    OutOfMemoryError,
    ShapeMismatchError,
    TypeMismatchError,
    UnsupportedError,
    UnsupportedVersionError,
)
from wick._wick import (
    Cancellation,
    GpuDevice,
    Method,
    Module,
    Tensor,
    TraceResult,
    Value,
    asarray,
    gpu_devices,
    is_gpu_available,
    load,
    load_tensors,
    manual_seed,
    num_threads,
    registered_operators,
    remove_operator,
    save_tensors,
    set_num_threads,
    tensor,
    version,
)

__version__: str = version

__all__ = [
    "Benchmark", "Bundled", "CancelledError", "Cancellation", "CheckReport", "Comparison", "CorruptFileError",
    "DeadlineError", "Device", "Error", "FileError", "GpuDevice", "Graph", "IndexOutOfRangeError", "Info", "InvalidArgumentError",
    "LimitExceededError", "Method", "MissingFileError", "MissingOperatorError", "ModelError", "Module",
    "NotFoundError", "Optimized", "OutOfMemoryError", "Profile", "Quantized", "ShapeMismatchError", "Tensor",
    "TraceResult", "TypeMismatchError", "UnsupportedError", "UnsupportedVersionError", "Value", "asarray", "bench",
    "bundle", "check", "compare", "convert", "gpu_devices", "graph", "image", "info", "is_gpu_available", "load", "load_tensors", "manual_seed",
    "num_threads", "operator", "optimize", "profile", "quantize", "registered_operators", "remove_operator", "save",
    "save_tensors", "set_num_threads", "tensor", "trace",
]
