"""make_assets.py SOURCE OUT: the models of PyTorch's Android tests, made by PyTorch's own generators.

SOURCE is the folder test/mobile/model_test of PyTorch. What its gen_test_model.py does, but for two models:
mobilenet_v2 has random weights, which the test does not look at; of dynamic_quant_ops, which this PyTorch cannot
script (its generator leaves it out), the transformers are not quantized."""
import pathlib
import sys

import torch
import torchvision

source, out = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, source)
untrained = torchvision.models.mobilenet_v2
torchvision.models.mobilenet_v2 = lambda **_: untrained()

import gen_test_model  # noqa: E402
import quantization_ops  # noqa: E402

QUANTIZED = {"rnn", "gru", "lstm", "rnncell", "grucell", "lstmcell", "linears"}


def main():
    modules = dict(gen_test_model.all_modules)
    dynamic = quantization_ops.DynamicQuantModule().module
    modules["dynamic_quant_ops"] = torch.quantization.quantize_dynamic(dynamic, QUANTIZED, dtype=torch.qint8)
    for name, module in modules.items():
        if not isinstance(module, torch.nn.Module):
            module = module.getModule()
        is_traced = name in gen_test_model.models_need_trace
        module = torch.jit.trace(module, []) if is_traced else torch.jit.script(module)
        module._save_for_lite_interpreter(str(out / f"{name}.ptl"))


main()
