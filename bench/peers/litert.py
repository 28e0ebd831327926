"""LiteRT with its XNNPACK delegate; the model is built again with PyTorch 2 and converted by litert-torch."""


def convert(folder, model):
    import litert_torch
    import models
    import torch

    net = model.make().eval()
    net.load_state_dict(torch.load(folder / "state.pt"))
    litert_torch.convert(net, tuple(models.example_inputs(model))).export(str(folder / "model.tflite"))


def prepare(threads):
    from ai_edge_litert import interpreter  # noqa: F401


def load(folder, model, inputs, threads, form):
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=str(folder / "model.tflite"), num_threads=threads)
    interpreter.allocate_tensors()
    # The converter makes int32 of int64.
    arguments = [(detail["index"], value.astype(detail["dtype"]))
                 for detail, value in zip(interpreter.get_input_details(), inputs)]
    result = interpreter.get_output_details()[0]["index"]

    def run():
        for place, value in arguments:
            interpreter.set_tensor(place, value)
        interpreter.invoke()
        return interpreter.get_tensor(result)

    return run
