"""Cases of `out=` overloads, made from the cases that other tables have of the functional overload."""
import collections
import copy
import functools
import importlib
import re

import torch

from . import batch, schemas
from .case import _describe, case
from .wire import live

# Programs and models, not operator calls; calls that are mostly refused.
_NOT_BORROWED = re.compile("models_|lang|smoke|edges")
_TENSOR_OPTIONS = ("dtype", "layout", "device", "pin_memory")  # the destination has them instead
_WIDER = {torch.float32: torch.float64, torch.int64: torch.float32, torch.bool: torch.int64,
          torch.complex64: torch.complex128, torch.float64: torch.float32, torch.int32: torch.int64}


def _is_out(argument):
    return argument.alias_info is not None and argument.alias_info.is_write and argument.kwarg_only


def _shape_of(arguments):
    left_out = _TENSOR_OPTIONS if any(a.name == "pin_memory" for a in arguments) else ()
    return tuple((a.name, str(a.type)) for a in arguments if a.name not in left_out)


@functools.lru_cache(maxsize=None)
def siblings():
    """functional overload -> its `out=` overloads: the same arguments without the destinations."""
    for family in batch.families():
        importlib.import_module(f"cases.{family}")  # tables may add operators
    plain = {}
    for op, schema in schemas.all_schemas().items():
        if not any(a.alias_info is not None and a.alias_info.is_write for a in schema.arguments):
            plain[(schema.name, _shape_of(schema.arguments))] = op
    found = collections.defaultdict(list)
    for op, schema in schemas.all_schemas().items():
        outs = [a for a in schema.arguments if _is_out(a)]
        inputs = [a for a in schema.arguments if not _is_out(a)]
        functional = plain.get((schema.name, _shape_of(inputs)))
        if outs and functional and all(str(a.type) == "Tensor" for a in outs):
            found[functional].append(op)
    return found


def _tensors(args):
    for value in args:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)


def _kind(item):
    """What makes two cases of an operator worth having both."""
    held = list(_tensors(list(item.args) + list(item.kwargs.values())))
    if [] in item.args[:1]:  # some list operators crash PyTorch on no tensors
        return None
    if any(t.dtype in (torch.float16, torch.bfloat16, torch.complex32) for t in held):
        return None
    dtype = str(held[0].dtype) if held else ""
    return (dtype, any(t.numel() == 0 for t in held), any(not t.is_contiguous() for t in held),
            bool(held) and held[0].dim() == 0)


def borrowed(each):
    """For every functional operator with `out=` forms: up to `each` cases that differ in kind, the fullest first."""
    chosen = collections.defaultdict(dict)
    for family in batch.families():
        if _NOT_BORROWED.match(family) or family.startswith("out_"):
            continue
        for item in importlib.import_module(f"cases.{family}").cases():
            if item.kind == "op" and item.op in siblings():
                kind = _kind(item)
                if kind is not None:
                    chosen[item.op].setdefault(kind, item)
    for op in sorted(chosen):
        order = sorted(chosen[op].items(), key=lambda kv: (kv[0][1], kv[0][3], kv[0][0] != "torch.float32"))
        yield op, [item for _, item in order[:each]]


def _strided_like(result):
    base = torch.zeros([2 * n + 1 for n in result.shape], dtype=result.dtype)
    return base[tuple(slice(1, 2 * n + 1, 2) for n in result.shape)]


def _destinations(results):
    """(label, tensors to write to)"""
    yield "fits", [torch.ones_like(r, memory_format=torch.contiguous_format) for r in results]
    yield "empty", [torch.empty(0, dtype=r.dtype) for r in results]
    yield "too large", [torch.ones(r.numel() + 3, dtype=r.dtype) for r in results]
    yield "wrong shape", [torch.ones([2] + list(r.shape), dtype=r.dtype) for r in results]
    if any(r.dim() > 0 for r in results):
        yield "strided", [_strided_like(r) for r in results]
    if any(r.dim() > 1 for r in results):
        yield "transposed", [torch.ones_like(r.mT).contiguous().mT if r.dim() > 1 else torch.ones_like(r)
                             for r in results]
    yield "other dtype", [torch.ones(r.shape, dtype=_WIDER.get(r.dtype, torch.float32)) for r in results]
    yield "smaller dtype", [torch.ones(r.shape, dtype=torch.uint8) for r in results]


def _call(out_op, args, kwargs):
    torch.manual_seed(20)
    with torch.no_grad():
        full = [live(v) for v in schemas.fill(out_op, copy.deepcopy(args), copy.deepcopy(kwargs))]
        result = schemas.call(out_op, full)
    return list(result) if isinstance(result, tuple) else [result]


def _same(got, want):
    fits = got.shape == want.shape and (got.dtype != want.dtype or not got.numel() or got.equal(want)
                                        or torch.allclose(got, want, equal_nan=True))
    return fits and (got.dtype == want.dtype or torch.can_cast(want.dtype, got.dtype) and torch.allclose(
        got, want.to(got.dtype), rtol=1e-5, atol=1e-6, equal_nan=True))


def _sound(kind, out_op, args, kwargs, results, compare):
    """Options for the case, or None where PyTorch's own answer is not to be had or not worth having: kernels that
    ignore the destination's strides, `out=` forms that lose the result's memory format, take no destination of another
    size, or want or ignore a dtype that promotion would convert."""
    try:
        got = _call(out_op, args, kwargs)
    except Exception as e:
        refusal = "can't be cast to the desired output type"
        return {"message": refusal} if refusal in str(e) else None
    outs = list(kwargs.values())[-len(results):]
    if not all(g.dtype == o.dtype and (compare == "meta" or _same(g, w)) for g, w, o in zip(got, results, outs)):
        return None
    if kind in ("fits", "strided", "transposed") and any(
            g.numel() > 1 and g.stride() != o.stride() for g, o in zip(got, outs)):
        return None
    if kind in ("empty", "too large", "wrong shape") and any(
            g.numel() > 1 and g.stride() != w.stride() for g, w in zip(got, results)):
        return None
    return {"rtol": 1e-5, "atol": 1e-6} if kind == "other dtype" else {}


def out_cases(op, out_op, args, kwargs, **options):
    """One case for each kind of destination."""
    try:
        results = _call(op, args, kwargs)
    except Exception:
        return
    if not all(isinstance(r, torch.Tensor) and not r.is_quantized for r in results):
        return
    names = [a.name for a in schemas.schema_of(out_op).arguments if _is_out(a)]
    taken = {a.name for a in schemas.schema_of(out_op).arguments}
    kwargs = {k: v for k, v in kwargs.items() if k in taken or k not in _TENSOR_OPTIONS}
    label = _describe(list(args)) + "".join(f", {k}={_describe(v)}" for k, v in kwargs.items())
    for kind, outs in _destinations(results):
        given = {**kwargs, **dict(zip(names, outs))}
        more = _sound(kind, out_op, args, given, results, options.get("compare"))
        if more is not None:
            yield case(out_op, *copy.deepcopy(args), **copy.deepcopy(given), **{**options, **more},
                       label=f"{label}, out {kind}")


def own_options(item):
    return {k: getattr(item, k) for k in ("compare", "rtol", "atol") if getattr(item, k) is not None}
