"""Cases from PyTorch's own table of operators (OpInfo): every sample input, traced, to be written as .ptl."""
import dataclasses
import sys
import types
import unittest
import zlib

# PyTorch's test tables import this package for its test class only; Debian does not have it.
sys.modules.setdefault("expecttest", types.SimpleNamespace(TestCase=unittest.TestCase, ACCEPT=True))

import torch  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402
from torch.utils._pytree import tree_flatten, tree_unflatten  # noqa: E402

from .case import Case  # noqa: E402
from .reference import SEED  # noqa: E402
from .tensors import seed_of, short  # noqa: E402
from .wire import plain  # noqa: E402

DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.uint8, torch.int8, torch.int16,
          torch.int32, torch.int64, torch.bool, torch.complex64]
RANDOM = {"bernoulli", "multinomial", "normal", "rand_like", "randint_like", "randn", "randn_like", "uniform",
          "nn.functional.dropout", "nn.functional.dropout2d", "nn.functional.dropout3d",
          "nn.functional.alpha_dropout", "nn.functional.feature_alpha_dropout", "nn.functional.rrelu"}
# Vectors are unique up to their signs, eigenvalues up to their order; the tables compare what they multiply to.
AMBIGUOUS = {"svd", "linalg.svd", "svd_lowrank", "pca_lowrank", "linalg.eig", "linalg.eigvals", "linalg.eigh", "symeig"}
UNSET = {"empty", "empty_like", "new_empty", "new_empty_strided", "empty_strided"}


WIDE = {torch.float16: torch.float64, torch.bfloat16: torch.float64, torch.float32: torch.float64,
        torch.complex64: torch.complex128}
# What PyTorch's own tests allow in double precision (torch.testing.assert_close).
DOUBLE_TOLERANCE = 1e-7


@dataclasses.dataclass
class Sample(Case):
    wide: object = None  # PyTorch's answer to the same values in double precision, where there is one


class Traced(torch.nn.Module):
    """Calls the operator with the tensors given; every other argument is fixed."""

    def __init__(self, info, leaves, spec):
        super().__init__()
        self.op, self.leaves, self.spec = info.op, leaves, spec
        self.is_unset = info.name in UNSET  # uninitialized memory cannot be compared

    def forward(self, *tensors):
        given = iter(tensors)
        leaves = [next(given) if isinstance(v, torch.Tensor) else v for v in self.leaves]
        args, kwargs = tree_unflatten(leaves, self.spec)
        result = self.op(*args, **kwargs)
        return result.zero_() if self.is_unset else result


def name_of(info):
    return info.name + ("." + info.variant_test_name if info.variant_test_name else "")


def table(names=None):
    """The operators of the table that are about strided tensors on the CPU."""
    for info in op_db:
        if not name_of(info).startswith(("_refs.", "sparse.", "jiterator")):
            if not names or info.name in names or name_of(info) in names:
                yield info


def _trace(info, sample):
    """(module, tensors), or None when PyTorch cannot trace it."""
    leaves, spec = tree_flatten(((sample.input, *sample.args), sample.kwargs))
    tensors = [v.detach().clone() for v in leaves if isinstance(v, torch.Tensor)]
    if not tensors or any(t.layout != torch.strided for t in tensors):
        return None
    try:
        with torch.no_grad():
            module = torch.jit.trace(Traced(info, leaves, spec).eval(), tuple(tensors),
                                     check_trace=False, strict=False)
            return module, tensors
    except Exception:
        return None


def _wide_answer(info, sample):
    """PyTorch's answer in double precision: a narrow one may be off by what it rounds on the way."""
    leaves, spec = tree_flatten(((sample.input, *sample.args), sample.kwargs))
    leaves = [v.to(WIDE.get(v.dtype, v.dtype)) if isinstance(v, torch.Tensor) else v for v in leaves]
    args, kwargs = tree_unflatten(leaves, spec)
    torch.manual_seed(SEED)
    try:
        with torch.no_grad():
            return plain(info.op(*args, **kwargs))
    except Exception:
        return None


def _complex_dot_works():
    """Some builds of PyTorch call a BLAS that returns complex numbers in another way, and get zero."""
    one = torch.ones(1, dtype=torch.complex64)
    return torch.dot(one, one).item() == 1


def _is_defined(info, sample):
    """False where PyTorch's own answer is an accident: poles of polygamma, the order of unsorted unique values."""
    if info.name in ("dot", "vdot", "linalg.vecdot", "matmul", "__rmatmul__", "inner") and sample.input.is_complex():
        return _complex_dot_works()
    if info.name.endswith("polygamma"):
        x = sample.args[0] if sample.args and isinstance(sample.args[0], torch.Tensor) else sample.input
        if isinstance(x, torch.Tensor):
            return not bool(((x <= 0) & (x == x.round() if x.is_floating_point() else True)).any())
    return not (info.name == "unique" and sample.kwargs.get("sorted", True) is False)


def cases(info, dtypes, one_in):
    """The operator's cases, about one sample in `one_in` (always the same ones); `op` is "NAME DTYPE"."""
    name = name_of(info)
    for dtype in DTYPES:
        if dtype not in info.dtypes or (dtypes and short(dtype) not in dtypes):
            continue
        torch.manual_seed(seed_of(name, str(dtype)))
        try:
            found = list(info.sample_inputs("cpu", dtype, requires_grad=False))
        except Exception:
            continue
        for i, sample in enumerate(found):
            vague = info.name in RANDOM | UNSET | AMBIGUOUS or sample.kwargs.get("dropout_p")
            how = "meta" if vague else "values"
            label = f"{name} {short(dtype)} #{i}"
            if zlib.crc32(label.encode()) % one_in == 0 and _is_defined(info, sample):
                wide = _wide_answer(info, sample) if how == "values" and dtype in WIDE else None
                traced = _trace(info, sample)
                if traced:
                    tolerance = DOUBLE_TOLERANCE if dtype == torch.float64 else None
                    yield Sample(label, f"{name} {short(dtype)}", traced[1], kind="model", model=traced[0], compare=how,
                                 aliases=False, eager=True, rtol=tolerance, atol=tolerance, wide=wide)
