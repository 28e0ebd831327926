"""Programs in TorchScript: Python functions and modules, each with the arguments to run it on."""
import builtins
import importlib
import inspect

import torch

from .case import model

FOLDER = "cases_language"


def runs(*argument_lists, form="both"):
    """Decorates a function or an nn.Module: it becomes one program, run once for each list of arguments. `form` is
    "script" for what PyTorch writes in lite form but cannot run from it."""
    def mark(target):
        target.argument_lists = argument_lists
        target.form = form
        return target
    return mark


def _module_of(function):
    """A module whose forward is the function. The file's annotations are strings (`from __future__ import annotations`)."""
    scripted = torch.jit.script(function)
    parameters = inspect.signature(function).parameters.values()
    declared = ", ".join(f"{p.name}: {p.annotation}" for p in parameters)
    given = ", ".join(p.name for p in parameters)
    result = inspect.signature(function).return_annotation

    def resolve(name):
        if name == "program":
            return scripted
        return function.__globals__.get(name, getattr(builtins, name, None))

    module = type("Program", (torch.jit.ScriptModule,), {})()  # methods are defined once a class
    source = f"def forward(self, {declared}) -> {result}:\n  return program({given})\n"
    module._c._define(module._concrete_type, source, resolve)
    return module


def _can_be_lite(module):
    """PyTorch does not write programs with classes of their own, with statements or forks in lite form."""
    try:
        module._save_to_buffer_for_lite_interpreter()
        return True
    except RuntimeError as e:
        if "not supported in lite interpreter" not in str(e) and "not supported in mobile module" not in str(e):
            raise
        return False


def programs(file_name):
    """Cases of one file of the folder, in its order."""
    module = importlib.import_module(f"{FOLDER}.{file_name}")
    for name, target in list(vars(module).items()):
        if "argument_lists" not in getattr(target, "__dict__", {}):
            continue
        compiled = torch.jit.script(target()) if inspect.isclass(target) else _module_of(target)
        form = target.form if _can_be_lite(compiled) else "script"
        for i, arguments in enumerate(target.argument_lists):
            arguments = arguments if isinstance(arguments, tuple) else (arguments,)
            yield model(f"{file_name}.{name}/{i}", compiled, *arguments, message=True, form=form)
