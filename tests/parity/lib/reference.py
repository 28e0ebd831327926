"""What PyTorch answers to a case."""
import copy
import io
import re

import torch
from torch.jit.mobile import _export_operator_list, _load_for_lite_interpreter

from . import schemas
from .wire import encode, encode_args, live, plain

# 16-bit floats that this PyTorch refuses and later ones take: the reference is then computed in float32.
_REFUSED_16_BIT = re.compile(r"not implemented for '(Half|BFloat16)'|not supported for (Half|BFloat16)")
SEED = 20


def _tensors(value, out):
    if isinstance(value, torch.Tensor):
        out.append(value)
    elif isinstance(value, (list, tuple)):
        for v in value:
            _tensors(v, out)
    elif isinstance(value, dict):
        for v in value.values():
            _tensors(v, out)
    return out


def _storage(tensor):
    return tensor.storage().data_ptr() if tensor.layout == torch.strided else 0


def aliases(result, args):
    inputs = [{_storage(t) for t in _tensors(a, [])} - {0} for a in args]
    return [[i for i, held in enumerate(inputs) if _storage(t) in held] for t in _tensors(result, [])]


def _map_tensors(value, fn):
    if isinstance(value, torch.Tensor):
        return fn(value)
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(_map_tensors(v, fn) for v in value) if type(value) in (list, tuple) else tuple(
            _map_tensors(v, fn) for v in value)
    return value


def _through_float(op, full):
    """(outcome, dtype) of the operator on float32 copies, its floating results rounded back."""
    seen = {t.dtype for t in _tensors(full, []) if t.dtype in (torch.float16, torch.bfloat16)}
    if len(seen) != 1:
        return None
    dtype = seen.pop()
    widened = _map_tensors(full, lambda t: t.float() if t.dtype == dtype else t)
    try:
        result = schemas.call(op, widened)
    except Exception:
        return None
    narrow = lambda t: t.to(dtype) if t.dtype == torch.float32 else t  # noqa: E731
    return {"status": "ok", "value": _map_tensors(plain(result), narrow), "through_float": True,
            "mutated": [(i, _map_tensors(plain(widened[i]), narrow)) for i in schemas.written(op)], "aliases": None}


def answer_operator(case):
    """(encoded arguments, outcome)"""
    try:
        full = schemas.fill(case.op, case.args, case.kwargs)
        encoded = encode_args(case.op, full)
    except (KeyError, TypeError) as e:
        return [], {"status": "bad case", "message": str(e)}
    before = None
    if schemas.written(case.op):
        encoded = copy.deepcopy(encoded)
    torch.manual_seed(SEED)
    try:
        with torch.no_grad():
            ready = [live(v) for v in full]
            before = copy.deepcopy(ready) if _has_16_bit(ready) else None
            result = schemas.call(case.op, ready)
            return encoded, {"status": "ok", "value": copy.deepcopy(plain(result)),
                             "mutated": [(i, copy.deepcopy(plain(ready[i]))) for i in schemas.written(case.op)],
                             "aliases": aliases(result, ready)}
    except Exception as e:
        if isinstance(e, TypeError) or "Expected a value of type" in str(e):
            return encoded, {"status": "bad case", "message": str(e)}
        outcome = {"status": "error", "message": str(e), "type": type(e).__name__}
        if before is not None and _REFUSED_16_BIT.search(str(e)):
            with torch.no_grad():
                other = _through_float(case.op, before)
            if other:
                other["message"] = str(e)
                outcome = other
        return encoded, outcome


def _has_16_bit(values):
    return any(t.dtype in (torch.float16, torch.bfloat16) for t in _tensors(values, []))


def can_be_saved(values):
    """torch.save takes no complex half; sparse tensors are not Wick's."""
    return all(t.dtype != torch.complex32 and t.layout == torch.strided for t in _tensors(values, []))


def lite_bytes(module):
    """The .ptl PyTorch writes for a module; bytes are taken as they are."""
    if isinstance(module, (bytes, bytearray)):
        return bytes(module)
    if not isinstance(module, torch.jit.ScriptModule):
        module = torch.jit.script(module.eval())
    return module._save_to_buffer_for_lite_interpreter()


def _operators(module, lite):
    """Operators the methods call: from the program where there is one, as PyTorch cannot read all it writes."""
    found = set(_export_operator_list(lite)) if lite else set()
    return sorted(found | set(torch.jit.export_opnames(module)) if isinstance(module, torch.jit.ScriptModule) else found)


def answer_model(case):
    """(encoded arguments, outcome, bytes of the .ptl, operators it uses)"""
    data = lite_bytes(case.model)
    encoded = [encode(v) for v in copy.deepcopy(case.args)]
    try:
        lite = _load_for_lite_interpreter(io.BytesIO(data))
    except RuntimeError:  # some types that PyTorch writes it does not read again
        if isinstance(case.model, bytes):
            raise
        lite = None
    torch.manual_seed(SEED)
    try:
        with torch.no_grad():
            args = copy.deepcopy([live(v) for v in case.args])
            result = getattr(case.model, case.method)(*args) if case.eager or lite is None else lite.run_method(case.method, *args)
            outcome = {"status": "ok", "value": copy.deepcopy(plain(result)), "mutated": [], "aliases": None}
    except Exception as e:
        outcome = {"status": "error", "message": str(e), "type": type(e).__name__}
    return encoded, outcome, data, _operators(case.model, lite)


# The last line of what the full interpreter says is the message; before it stand the places in the code.
_LAST_LINE = re.compile(r"\n[\w.]*(?:Error|Exception|Warning|Iteration)\w*: ")


def _message_of(error):
    text = str(error)
    if not text.startswith("The following operation failed in the TorchScript interpreter."):
        return text
    ends = [m.end() for m in _LAST_LINE.finditer(text)]
    return text[ends[-1]:].rstrip("\n") if ends else text


def script_bytes(module):
    """The .pt PyTorch writes for a module."""
    if not isinstance(module, torch.jit.ScriptModule):
        module = torch.jit.script(module.eval())
    buffer = io.BytesIO()
    torch.jit.save(module, buffer)
    return buffer.getvalue()


def _operators_of(loaded):
    try:
        return sorted(torch.jit.export_opnames(loaded))
    except RuntimeError:  # with statements and forks: PyTorch lists operators only of what it can write in lite form
        return []


def answer_script(case):
    """(encoded arguments, outcome, bytes of the .pt, operators it uses); the reference is the .pt loaded again."""
    data = script_bytes(case.model)
    encoded = [encode(v) for v in copy.deepcopy(case.args)]
    loaded = torch.jit.load(io.BytesIO(data))
    torch.manual_seed(SEED)
    try:
        with torch.no_grad():
            args = copy.deepcopy([live(v) for v in case.args])
            result = loaded(*args) if case.method == "forward" else getattr(loaded, case.method)(*args)
            outcome = {"status": "ok", "value": copy.deepcopy(plain(result)), "mutated": [], "aliases": None}
    except Exception as e:
        outcome = {"status": "error", "message": _message_of(e), "type": type(e).__name__}
    return encoded, outcome, data, _operators_of(loaded)
