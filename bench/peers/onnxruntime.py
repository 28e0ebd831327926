"""ONNX Runtime's CPU provider, all graph optimizations on."""


def prepare(threads):
    import onnxruntime  # noqa: F401


def load(folder, model, inputs, threads, form):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    feed = {argument.name: value for argument, value in zip(session.get_inputs(), inputs)}
    return lambda: session.run(None, feed)[0]
