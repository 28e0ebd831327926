"""OpenVINO's CPU device, float32, from the ONNX file."""


def prepare(threads):
    import openvino  # noqa: F401


def load(folder, model, inputs, threads, form):
    import openvino

    core = openvino.Core()
    compiled = core.compile_model(core.read_model(str(folder / "model.onnx")), "CPU",
                                  {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32",
                                   "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1})
    request = compiled.create_infer_request()
    values = {i: value for i, value in enumerate(inputs)}
    return lambda: next(iter(request.infer(values).values()))
