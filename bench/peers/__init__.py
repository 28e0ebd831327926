"""The engines of the benchmark, one a file.

A file has convert(folder, model), which writes what the engine reads (in a separate process; may be absent), and
load(folder, model, threads, form), which returns a function that runs the model once and returns its result as a numpy
array. Both may raise: the reason is in the table then.
"""
import dataclasses


@dataclasses.dataclass
class Engine:
    name: str
    title: str
    file: str  # of this folder, without .py; empty for Wick, which is no Python
    form: str = ""
    is_peer: bool = False  # installed by `make bench-peers`
    environment: str = "peers"  # of a peer: the virtual environment, a folder of build
    images_only: bool = False


ENGINES = [
    Engine("wick", "Wick", ""),
    Engine("pytorch", "PyTorch 1.13, plain", "pytorch", "model.ptl"),
    Engine("pytorch-optimized", "PyTorch 1.13, optimized", "pytorch", "optimized.ptl"),
    Engine("pytorch-channels-last", "PyTorch 1.13, optimized, channels last", "pytorch", "optimized.ptl channels_last",
           images_only=True),
    Engine("onnxruntime", "ONNX Runtime", "onnxruntime", is_peer=True),
    Engine("onnxruntime-1.23", "ONNX Runtime (older)", "onnxruntime", is_peer=True, environment="peers-1.23"),
    Engine("pytorch2", "PyTorch 2", "pytorch2", is_peer=True),
    Engine("executorch", "ExecuTorch (XNNPACK)", "executorch", is_peer=True),
    Engine("litert", "LiteRT (XNNPACK)", "litert", is_peer=True),
    Engine("ncnn", "ncnn", "ncnn", is_peer=True),
    Engine("openvino", "OpenVINO", "openvino", is_peer=True),
]
PYTORCH = [e.name for e in ENGINES if e.file == "pytorch"]
