"""Cases, and the short ways case tables write many of them."""
import dataclasses
import itertools

import torch

from . import schemas
from .tensors import (ALL, BROADCAST, CONTIGUOUS, FLOATS, LAYOUTS, REAL, SMALL, STANDARD, fits, make, seed_of, short)
from .wire import Call, Generator, TypedList  # noqa: F401  (for case tables)


@dataclasses.dataclass
class Case:
    name: str
    op: str                   # "aten::add.Tensor", or a label for a model case
    args: list = dataclasses.field(default_factory=list)
    kwargs: dict = dataclasses.field(default_factory=dict)
    kind: str = "op"          # "op" or "model"
    model: object = None      # a module (scripted when it is not yet) or the bytes of a .ptl
    method: str = "forward"
    form: str = "both"        # how a model is saved: "lite" (.ptl), "script" (.pt), or "both": a case each
    eager: bool = False       # a model's reference is the module itself, not PyTorch's lite interpreter
    compare: str = "values"   # "values"; "meta": dtype, shape, strides only; "random": meta, and mean and spread
    rtol: float = None        # overrides the dtype's tolerance
    atol: float = None
    quanta: int = 0           # how far the integers of quantized tensors may differ
    message: object = None    # True: PyTorch's first line must be in the error text; a string: this must be
    aliases: bool = True      # results share storage with the same arguments as PyTorch's
    exact_strides: bool = False  # also of dimensions of size 0 and 1


def forms_of(item):
    """The cases a case stands for: a model is run from a .ptl and from a .pt."""
    if item.kind != "model" or isinstance(item.model, (bytes, bytearray)):
        return [item]
    script = dataclasses.replace(item, name=item.name + " .pt", op=item.op + " .pt", form="script")
    if item.form == "both":
        return [dataclasses.replace(item, form="lite"), script]
    return [script if item.form == "script" else item]


_OPTIONS = {f.name for f in dataclasses.fields(Case)} - {"name", "op", "args", "kwargs", "kind", "model"}


def _describe(value):
    if isinstance(value, torch.Tensor):
        text = short(value.dtype) + "[" + ",".join(map(str, value.shape)) + "]"
        return text if value.is_contiguous() else text + "/" + ",".join(map(str, value.stride()))
    if isinstance(value, (list, tuple)):
        return "(" + ",".join(_describe(v) for v in value[:6]) + (",.." if len(value) > 6 else "") + ")"
    if isinstance(value, Call):
        return value.op + "(..)"
    if isinstance(value, dict):
        return "{" + ",".join(f"{_describe(k)}:{_describe(v)}" for k, v in list(value.items())[:4]) + "}"
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def case(op, *args, **kwargs):
    """One case. Keywords that are options of Case are taken as such; the rest are the operator's own."""
    options = {k: kwargs.pop(k) for k in list(kwargs) if k in _OPTIONS}
    label = kwargs.pop("label", None)
    if label is None:
        label = ", ".join([_describe(a) for a in args] + [f"{k}={_describe(v)}" for k, v in kwargs.items()])
    return Case(f"{op}({label})", op, list(args), kwargs, **options)


def model(name, module, *args, **options):
    """A whole model: a Module or ScriptModule is written by PyTorch as .ptl and as .pt; bytes are a .ptl already."""
    return Case(name, "model:" + name, list(args), kind="model", model=module, **options)


def program(name, source, *args, attributes=None, **options):
    """A module made of TorchScript source text ("def forward(self, x): ..."), run on the arguments."""
    module = type("Program", (torch.jit.ScriptModule,), {})()  # a new class, because methods belong to the class
    for key, value in (attributes or {}).items():
        setattr(module, key, value)
    module.define(source.rstrip("\n") + "\n")
    return model(name, module, *args, **options)


def variants(op, inplace=True, out=True):
    """(operator, "inplace" or "out") for the variants of a functional operator that PyTorch has."""
    name, _, overload = op.partition(".")
    suffix = "." + overload if overload else ""
    found = []
    if inplace and schemas.exists(name + "_" + suffix):
        found.append((name + "_" + suffix, "inplace"))
    if out:
        outs = [f"{name}.{overload}_out"] + ([f"{name}.out"] if overload in ("", "Tensor") else [])
        found += [(o, "out") for o in outs if schemas.exists(o)][:1]
    return found


def with_variants(op, *args, out_like=None, **kwargs):
    """The functional case, and the in-place and out cases that PyTorch has for it.

    The out tensors are empty ones of the dtype PyTorch gives (resized by the operator), and one that fits."""
    yield case(op, *args, **kwargs)
    own = {k: v for k, v in kwargs.items() if k not in _OPTIONS}
    for variant, kind in variants(op):
        if kind == "inplace":
            yield case(variant, _fresh(args[0]), *args[1:], **kwargs)
            continue
        try:
            with torch.no_grad():
                result = schemas.call(op, schemas.fill(op, args, own))
        except Exception:
            continue
        results = result if isinstance(result, tuple) else (result,)
        if not all(isinstance(r, torch.Tensor) for r in results):
            continue
        names = [a.name for a in schemas.schema_of(variant).arguments if a.is_out]
        for label, like in (("fits", torch.zeros_like), ("empty", lambda r: torch.empty(0, dtype=r.dtype))):
            outs = dict(zip(names, [like(r) for r in results]))
            yield case(variant, *args, label=f"{_describe(list(args))}, out {label}", **kwargs, **outs)


def _fresh(tensor):
    """A copy with the same strides where they do not overlap."""
    return tensor if any(s == 0 for s in tensor.stride()) else torch.empty_strided(
        tensor.shape, tensor.stride(), dtype=tensor.dtype).copy_(tensor)


def unary(op, dtypes=FLOATS, shapes=STANDARD, layouts=LAYOUTS, low=None, high=None, args=(), special=True,
          with_out=True, **options):
    """op(tensor, *args) over dtypes, shapes and strides, with special values; in-place and out forms too."""
    for dtype in dtypes:
        for shape in shapes:
            yield case(op, make(shape, dtype, low, high), *args, **options)
        for layout in layouts:
            for shape in ((4, 6), (2, 3, 4, 5)):
                if layout != CONTIGUOUS and fits(shape, layout):
                    yield case(op, make(shape, dtype, low, high, layout=layout), *args, **options)
        if special:
            yield case(op, make((16,), dtype, low, high, special=True), *args, **options,
                       label=f"special {short(dtype)}" + (", " + _describe(list(args)) if args else ""))
        if with_out:
            for shape in ((3, 4), ()):
                yield from itertools.islice(with_variants(op, make(shape, dtype, low, high), *args, **options), 1, None)


def binary(op, dtypes=REAL, shapes=BROADCAST, mixed=True, low=None, high=None, args=(), layouts=LAYOUTS,
           special=True, right_low=None, right_high=None, with_out=True, **options):
    """op(a, b, *args): broadcasting, type promotion, strides, special values; in-place and out forms too."""
    right_low = low if right_low is None else right_low
    right_high = high if right_high is None else right_high

    def right(shape, dtype, **kw):
        return make(shape, dtype, right_low, right_high, seed=1, **kw)

    for dtype in dtypes:
        for a, b in shapes:
            yield case(op, make(a, dtype, low, high), right(b, dtype), *args, **options)
        for layout in layouts:
            if fits((2, 3, 4, 5), layout):
                yield case(op, make((2, 3, 4, 5), dtype, low, high, layout=layout), right((2, 3, 4, 5), dtype),
                           *args, **options)
                yield case(op, make((2, 3, 4, 5), dtype, low, high), right((2, 3, 4, 5), dtype, layout=layout),
                           *args, **options)
                yield case(op, make((2, 3, 4, 5), dtype, low, high, layout=layout),
                           right((2, 3, 4, 5), dtype, layout=layout), *args, **options)
        if special:
            x = make((16,), dtype, low, high, special=True)
            yield case(op, x.view(16, 1), right((16,), dtype, special=True), *args, **options,
                       label=f"special {short(dtype)}")
        if with_out:
            yield from itertools.islice(
                with_variants(op, make((3, 4), dtype, low, high), right((3, 4), dtype), *args, **options), 1, None)
            yield from itertools.islice(
                with_variants(op, make((3, 4), dtype, low, high), right((4,), dtype), *args, **options), 1, None)
    if mixed:
        for da, db in itertools.permutations(dtypes, 2):
            yield case(op, make((3, 4), da, low, high), right((3, 4), db), *args, **options)
        for da, db in itertools.permutations(dtypes, 2):  # zero-dim tensors promote more weakly
            yield case(op, make((3,), da, low, high), right((), db), *args, **options)


def scalar_binary(op, dtypes=REAL, scalars=(2, -3, 0.5, True), low=None, high=None, args=(), shapes=SMALL,
                  with_out=True, **options):
    """op(tensor, number, *args) over dtypes and kinds of number; in-place and out forms too."""
    for dtype in dtypes:
        for number in scalars:
            for shape in shapes:
                yield case(op, make(shape, dtype, low, high), number, *args, **options)
            if with_out:
                yield from itertools.islice(
                    with_variants(op, make((3, 4), dtype, low, high), number, *args, **options), 1, None)


def over(op, dtypes, argument_lists, **options):
    """For each dtype, and each function of it that gives an argument list: one case."""
    for dtype in dtypes:
        for arguments in argument_lists:
            yield case(op, *arguments(dtype), **options)


def errors(op, *argument_lists, **options):
    """Cases that PyTorch refuses (or not: whatever it does, Wick does too)."""
    for arguments in argument_lists:
        yield case(op, *arguments, **options)


__all__ = ["Case", "Call", "Generator", "TypedList", "case", "model", "program", "variants", "with_variants", "unary", "binary",
           "scalar_binary", "over", "errors", "make", "seed_of", "ALL"]
