"""Whether Wick's answer is PyTorch's."""
import dataclasses
import math

import torch

# Integers of a quantized result that may differ by a case's quanta; one may in any case.
QUANTA_PART = 0.02
RTOL = {torch.float32: 1e-5, torch.float64: 1e-10, torch.float16: 2e-3, torch.bfloat16: 1.6e-2,
        torch.complex64: 1e-5, torch.complex128: 1e-10}
ATOL = {torch.float32: 1e-6, torch.float64: 1e-12, torch.float16: 1e-3, torch.bfloat16: 8e-3,
        torch.complex64: 1e-6, torch.complex128: 1e-12}


def _strides(tensor, exact):
    if exact:
        return list(tensor.stride())
    if tensor.numel() == 0:
        return []
    return [st if n > 1 else None for n, st in zip(tensor.shape, tensor.stride())]


def _real(tensor):
    return torch.view_as_real(tensor.contiguous()) if tensor.is_complex() else tensor


def _close(got, want, rtol, atol):
    """Index of the first element that differs, or None."""
    g, w = _real(got).double().reshape(-1), _real(want).double().reshape(-1)
    finite = w[torch.isfinite(w)]
    scale = max(1.0, finite.abs().max().item()) if finite.numel() else 1.0
    good = (g == w) | (torch.isnan(g) & torch.isnan(w)) | ((g - w).abs() <= rtol * w.abs() + atol * scale)
    bad = torch.nonzero(~good)
    return int(bad[0]) if bad.numel() else None


def _quantizer(tensor):
    """The parameters, which for equal integers make equal numbers."""
    if tensor.qscheme() == torch.per_tensor_affine:
        return tensor.q_scale(), tensor.q_zero_point()
    scales, zeros = tensor.q_per_channel_scales(), tensor.q_per_channel_zero_points()
    return tensor.q_per_channel_axis(), scales.dtype, scales.tolist(), zeros.dtype, zeros.tolist()


def tensors(got, want, case, where):
    if got.dtype != want.dtype:
        return f"{where}: dtype {got.dtype}, PyTorch {want.dtype}"
    if got.shape != want.shape:
        return f"{where}: shape {list(got.shape)}, PyTorch {list(want.shape)}"
    if got.is_quantized:
        if got.qscheme() != want.qscheme():
            return f"{where}: {got.qscheme()}, PyTorch {want.qscheme()}"
        if _strides(got, case.exact_strides) != _strides(want, case.exact_strides):
            return f"{where}: strides {list(got.stride())} for {list(got.shape)}, PyTorch {list(want.stride())}"
        if case.compare == "meta":
            return None
        if _quantizer(got) != _quantizer(want):
            return f"{where}: quantized by {_quantizer(got)}, PyTorch {_quantizer(want)}"
        apart = (got.int_repr().int() - want.int_repr().int()).abs()
        few = max(1, QUANTA_PART * apart.numel())
        if case.quanta and apart.le(case.quanta).all() and (apart > 0).sum() <= few:
            return tensors(torch.zeros_like(got.int_repr()), torch.zeros_like(want.int_repr()), case, where)
        return tensors(got.int_repr(), want.int_repr(), case, where)
    if _strides(got, case.exact_strides) != _strides(want, case.exact_strides):
        return f"{where}: strides {list(got.stride())} for {list(got.shape)}, PyTorch {list(want.stride())}"
    if case.compare == "meta" or want.numel() == 0:
        return None
    if case.compare == "random":
        return _distribution(got, want, where)
    if want.dtype in RTOL:
        rtol = RTOL[want.dtype] if case.rtol is None else case.rtol
        atol = ATOL[want.dtype] if case.atol is None else case.atol
        at = _close(got, want, rtol, atol)
    else:
        bad = torch.nonzero((got != want).reshape(-1))
        at = int(bad[0]) if bad.numel() else None
    if at is None:
        return None
    g, w = _real(got).reshape(-1)[at].item(), _real(want).reshape(-1)[at].item()
    return f"{where}: element {at} is {g!r}, PyTorch {w!r}"


def _distribution(got, want, where):
    """Mean and spread within six standard errors of each other."""
    g, w = _real(got).double(), _real(want).double()
    if g.numel() < 2:
        return None
    error = 6 * max(w.std().item(), 1e-9) / math.sqrt(w.numel())
    if abs(g.mean().item() - w.mean().item()) > 2 * error:
        return f"{where}: mean {g.mean().item():.6g}, PyTorch {w.mean().item():.6g}"
    if abs(g.std().item() - w.std().item()) > 3 * error:
        return f"{where}: spread {g.std().item():.6g}, PyTorch {w.std().item():.6g}"
    return None


def values(got, want, case, where="result"):
    if isinstance(want, torch.Tensor):
        if not isinstance(got, torch.Tensor):
            return f"{where}: {type(got).__name__}, PyTorch a tensor"
        return tensors(got, want, case, where)
    if type(got) is not type(want):
        return f"{where}: {type(got).__name__} {got!r:.60}, PyTorch {type(want).__name__} {want!r:.60}"
    if isinstance(want, tuple) and want and want[0] == "#opaque":
        return None if got[:1] == want[:1] else f"{where}: {got!r:.60}, PyTorch {want!r:.60}"
    if isinstance(want, tuple) and want and want[0] == "#enum":
        return values(got[-1], want[-1], case, where + ".value")
    if isinstance(want, (list, tuple)):
        if len(got) != len(want):
            return f"{where}: {len(got)} items, PyTorch {len(want)}"
        for i, (g, w) in enumerate(zip(got, want)):
            problem = values(g, w, case, f"{where}[{i}]")
            if problem:
                return problem
        return None
    if isinstance(want, dict):
        return values(list(got.items()), list(want.items()), case, f"items of {where}")
    if isinstance(want, float):
        rtol = 1e-10 if case.rtol is None else case.rtol
        same = got == want or (math.isnan(got) and math.isnan(want)) or case.compare != "values" or (
            math.isfinite(want) and abs(got - want) <= rtol * max(1.0, abs(want)))
        return None if same else f"{where}: {got!r}, PyTorch {want!r}"
    if case.compare != "values":
        return None
    return None if got == want else f"{where}: {got!r:.60}, PyTorch {want!r:.60}"


# PyTorch's own error, of the largest value, beyond which the double-precision answer is that of another model.
LARGEST_ROUNDING = 1e-4


def _double_pair(got, want, exact, case, where):
    if isinstance(want, torch.Tensor):
        if want.dtype != torch.float32 or exact.shape != want.shape:
            return tensors(got, want, case, where)
        g, w, e = got.double(), want.double(), exact.double()
        if not (torch.isfinite(g).all() and torch.isfinite(w).all() and torch.isfinite(e).all()):
            return tensors(got, want, case, where)
        scale = max(1.0, e.abs().max().item()) if e.numel() else 1.0
        theirs = (w - e).abs().max().item() if e.numel() else 0.0
        if theirs > LARGEST_ROUNDING * scale:
            return f"{where}: PyTorch's float32 is {theirs:.3g} from the answer in double: not rounding"
        rtol = RTOL[torch.float32] if case.rtol is None else case.rtol
        atol = ATOL[torch.float32] if case.atol is None else case.atol
        allowed = (rtol * e.abs() + atol * scale).clamp(min=2 * theirs)
        ours = (g - e).abs()
        if (ours <= allowed).all():
            return None
        return f"{where}: {ours.max().item():.3g} from the answer in double, PyTorch's float32 {theirs:.3g}"
    if isinstance(want, dict):
        return _double_pair(list(got.values()), list(want.values()), list(exact.values()), case, f"values of {where}")
    if isinstance(want, (list, tuple)):
        if len(exact) != len(want):
            return f"{where}: {len(exact)} items in double, PyTorch {len(want)}"
        for i, (g, w, e) in enumerate(zip(got, want, exact)):
            problem = _double_pair(g, w, e, case, f"{where}[{i}]")
            if problem:
                return problem
        return None
    return values(got, want, case, where)


def against_double(got, want, exact, case):
    """For float32 answers that differ by more than the tolerance: None when both are roundings of `exact`, the answer in
    double precision. Wick's error to it must be within the tolerance, or twice PyTorch's own largest."""
    if got[0] != "ok" or want["status"] != "ok" or case.compare != "values":
        return outcome(got, want, case)
    shape_only = dataclasses.replace(case, compare="meta")
    return outcome(got, want, shape_only) or _double_pair(got[1], want["value"], exact, case, "result")


def outcome(got, want, case):
    """None when they agree, else one line that says how they differ. `got` is the runner's tuple."""
    if want["status"] == "bad case":
        return f"bad case: {first_line(want['message'])}"
    if want["status"] == "error" and "INTERNAL ASSERT FAILED" in want["message"]:
        return None  # a defect of this PyTorch: any answer but a crash will do
    if got[0] == "error":
        code, text = got[1], got[2]
        if code in ("not_a_wick_error", "internal", "harness"):
            return f"threw {code}: {first_line(text)}"
        if code == "missing_operator":
            return f"missing operator: {first_line(text)}"
        if want["status"] == "ok":
            if want.get("through_float") and code == "unsupported":
                return None
            return f"error {code}: {first_line(text)}; PyTorch gives a result"
        if case.message is True and first_line(want["message"]) not in text:
            return f"message {first_line(text)!r}, PyTorch {first_line(want['message'])!r}"
        if isinstance(case.message, str) and case.message not in text:
            return f"message {first_line(text)!r} lacks {case.message!r}"
        return None
    if want["status"] == "error":
        return f"gives a result; PyTorch raises {want['type']}: {first_line(want['message'])}"
    _, value, mutated, aliases = got
    problem = values(value, want["value"], case)
    if problem:
        return problem
    wanted = dict(want["mutated"])
    for index, after in mutated:
        if index in wanted:
            problem = values(after, wanted[index], case, f"argument {index} afterwards")
            if problem:
                return problem
    if case.aliases and want["aliases"] is not None and [list(a) for a in aliases] != want["aliases"]:
        return f"results share storage with arguments {[list(a) for a in aliases]}, PyTorch {want['aliases']}"
    return None


def first_line(text):
    lines = text.strip().splitlines()
    return lines[0][:160] if lines else ""
