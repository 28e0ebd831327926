"""run_peer.py ENGINE FOLDER: a model in another engine, with marks around one run for the counting plugin (plugin.c).

Runs in the emulated Python; numpy and the engine are all it has. Prints how far the result is off PyTorch's, as a part
of the largest value; one in float32 that is off by more than rounding has failed.
"""
import os
import pathlib
import sys

import numpy

TOLERANCE = 1e-3


def mark(label):
    """A system call that fails, and that the plugin sees."""
    try:
        os.getpriority(0x5749, label)
    except OSError:
        pass


def ncnn(folder, x, half=False):
    import ncnn as engine

    net = engine.Net()
    net.opt.num_threads = 1
    net.opt.use_vulkan_compute = False
    net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = half
    net.opt.use_bf16_storage = False
    if net.load_param(str(folder / "ncnn.param")) or net.load_model(str(folder / "ncnn.bin")):
        raise RuntimeError("ncnn refuses what pnnx wrote")

    def run():
        extractor = net.create_extractor()
        extractor.input("in0", engine.Mat(x[0]).clone())
        failed, out = extractor.extract("out0")
        if failed:
            raise RuntimeError("ncnn cannot run the model")
        return numpy.array(out)

    return run


def ncnn_fp16(folder, x):
    return ncnn(folder, x, half=True)


def onnxruntime(folder, x):
    import onnxruntime as engine

    options = engine.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = engine.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda: session.run(None, {name: x})[0]


def litert(folder, x):
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=str(folder / "model.tflite"), num_threads=1)
    interpreter.allocate_tensors()
    result = interpreter.get_output_details()[0]["index"]

    def run():
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x)
        interpreter.invoke()
        return interpreter.get_tensor(result)

    return run


def main():
    engine, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    x, want = numpy.load(folder / "input_0.npy"), numpy.load(folder / "expected.npy")
    run = {f.__name__: f for f in (ncnn, ncnn_fp16, onnxruntime, litert)}[engine](folder, x)
    y = run()
    run()
    mark(1)
    run()
    mark(2)
    off = numpy.abs(y.reshape(want.shape) - want).max() / numpy.abs(want).max()
    print(f"{off:.1e}")
    if not off <= TOLERANCE and not engine.endswith("fp16"):
        raise RuntimeError(f"{engine} is off by {off:.2g} of the largest value")


if __name__ == "__main__":
    main()
