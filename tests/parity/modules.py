#!/usr/bin/python3
"""Every module of torch.nn with PyTorch's own sample inputs (its ModuleInfo table), saved by any PyTorch.

  modules.py FOLDER [NAME ...]    with the PyTorch at hand: scripted and traced files with inputs and answers
  families.py run FOLDER          runs them with Wick and compares

What the PyTorch at hand cannot script or trace itself is left out.
"""
import copy
import inspect
import pathlib
import sys
import types
import unittest
import warnings

# PyTorch's test tables import this package for its test class only.
sys.modules.setdefault("expecttest", types.SimpleNamespace(TestCase=unittest.TestCase, ACCEPT=True))

import torch  # noqa: E402
from torch.testing._internal.common_modules import module_db  # noqa: E402

from families import plain  # noqa: E402


def positional(module, given):
    """The arguments of a call in the order of the module's parameters, None at the end left out."""
    names = list(inspect.signature(module.forward).parameters.values())[len(given.args):]
    args = list(given.args) + [given.kwargs.get(p.name, p.default) for p in names if given.kwargs]
    while args and args[-1] is None:
        args.pop()
    return tuple(args)


def samples(info):
    try:
        return list(info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=False,
                                            training=False))
    except Exception:
        return []


def write(folder, info, index, sample):
    torch.manual_seed(3)
    made = sample.constructor_input
    module = info.module_cls(*made.args, **made.kwargs).eval()
    args = positional(module, sample.forward_input)
    written = 0
    for form in ("scripted", "traced"):
        path = folder / f"{info.module_cls.__name__}.{index}.{form}.pt"
        try:
            saved = torch.jit.script(module) if form == "scripted" else torch.jit.trace(module, args, strict=False)
            torch.jit.save(saved, str(path))
            torch.manual_seed(20)
            answer = torch.jit.load(str(path))(*copy.deepcopy(args))
            torch.save(args, f"{path}.in")
            torch.save(plain(answer), f"{path}.out")
            written += 1
        except Exception:
            path.unlink(missing_ok=True)
    return written


def main():
    folder, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for info in module_db:
        if not names or info.module_cls.__name__ in names:
            for index, sample in enumerate(samples(info)):
                try:
                    written += write(folder, info, index, sample)
                except Exception as e:
                    print(f"{info.module_cls.__name__} {index}: PyTorch says: {str(e)[:120]}")
    print(f"{written} files")


if __name__ == "__main__":
    main()
