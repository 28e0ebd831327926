#!/usr/bin/python3
"""prepare.py MODEL FOLDER: writes a model in the forms the engines read, with PyTorch 1.13.

  model.pt         TorchScript            model.ptl   the same for the lite interpreter
  optimized.ptl    after optimize_for_mobile
  model.onnx       opset 17
  traced.pt        for converters that want a traced model
  state.pt         the parameters, for engines that build the model with a newer PyTorch
  inputs.pt, input_0.npy ..., expected.npy
"""
import hashlib
import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import models


def prepare(model, folder):
    import numpy
    import torch
    from torch.utils.mobile_optimizer import optimize_for_mobile

    torch.set_num_threads(2)
    folder.mkdir(parents=True, exist_ok=True)
    net = models.calibrated(model)
    inputs = models.example_inputs(model)
    torch.save(tuple(inputs), folder / "inputs.pt")
    for i, value in enumerate(inputs):
        numpy.save(folder / f"input_{i}.npy", value.numpy())
    torch.save(net.state_dict(), folder / "state.pt")
    with torch.no_grad():
        numpy.save(folder / "expected.npy", net(*inputs).numpy())
    # With gradients on, attention is traced as the operators it is made of: exporters know no fused one.
    torch.onnx.export(net, tuple(inputs), str(folder / "model.onnx"), opset_version=17)
    torch.jit.trace(net, tuple(inputs), check_trace=False).save(str(folder / "traced.pt"))
    script = torch.jit.script(net)
    script.save(str(folder / "model.pt"))
    script._save_for_lite_interpreter(str(folder / "model.ptl"))
    optimize_for_mobile(script)._save_for_lite_interpreter(str(folder / "optimized.ptl"))


def digest():
    """Of what the models are made by: a folder that was written by something else is written again."""
    return hashlib.sha1(pathlib.Path(models.__file__).read_bytes()).hexdigest()


def is_prepared(folder):
    return (folder / "done").exists() and (folder / "done").read_text() == digest()


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    where = pathlib.Path(sys.argv[2])
    if not is_prepared(where):
        prepare(models.model_named(sys.argv[1]), where)
        (where / "done").write_text(digest())
