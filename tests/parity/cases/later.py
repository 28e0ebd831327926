"""Operators that PyTorch 1.13 lacks: the reference is what 2.x (or an older one) says of them, in terms of what 1.13 has."""
import math

import torch

from lib.case import *
from lib.schemas import later
from lib.tensors import *

F = torch.nn.functional


def into(formula):
    """The `out=` form: the last argument is resized and written to."""
    def write(*args):
        result = formula(*args[:-1])
        out = args[-1]
        return (out if out.shape == result.shape else out.resize_(result.shape)).copy_(result)
    return write


def squeeze_dims(x, dims):
    wrapped = []
    for d in dims:
        x.size(d) if x.dim() else torch.zeros(1).size(d)
        d = d % max(x.dim(), 1)
        if d in wrapped:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
        wrapped.append(d)
    for d in sorted(wrapped, reverse=True):
        x = x.squeeze(d)
    return x


def squeeze_dims_(x, dims):
    y = squeeze_dims(x, dims)
    return x.as_strided_(y.shape, y.stride())


later("aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)", squeeze_dims)
later("aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)", squeeze_dims_)
later("aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor", lambda x, d: squeeze_dims(x, d).clone())
later("aten::squeeze_copy.dims_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)", into(squeeze_dims))


def squeezing():
    x = make((2, 1, 3, 1, 1))
    for given in (x, x.transpose(0, 4), make((1, 1)), make(()), make((0, 1, 2))):
        for dims in ([1], [1, 3], [-1, 1], [0, 2], [], [0, 0], [-1, 0], [7]):
            yield case("aten::squeeze.dims", given, dims, message=True)
            yield case("aten::squeeze_copy.dims", given, dims, message=True)
            yield case("aten::squeeze_.dims", given.clone(), dims, message=True)
        yield case("aten::squeeze_copy.dims_out", given.contiguous(), [0], out=torch.empty(0))


def reduce_dims(whole, one):
    def formula(x, dims, keepdim):
        if dims is None or not dims:
            flat = whole(x).view([1] * x.dim()) if keepdim else whole(x)
            return flat if dims is None else one_each(x)
        positions = sorted((d % max(x.dim(), 1) for d in dims), reverse=True)
        for d in dims:
            one(x, d)
        if len(set(positions)) != len(positions):
            raise RuntimeError(f"dim {max(p for p in positions if positions.count(p) > 1)} appears multiple times in the list of dims")
        for d in positions:
            x = one(x, d, keepdim)
        return x

    def one_each(x):
        return x.bool().to(torch.uint8 if x.dtype == torch.uint8 else torch.bool).clone(memory_format=torch.contiguous_format)
    return formula


for name, whole in (("all", torch.all), ("any", torch.any)):
    formula = reduce_dims(whole, whole)
    later(f"aten::{name}.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", formula)
    later(f"aten::{name}.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
          into(formula))


def truth():
    for name in ("all", "any"):
        for dtype in (torch.bool, torch.uint8, torch.int32, torch.float32):
            for shape in ((2, 3, 4), (3, 1), (), (2, 0, 3)):
                x = make(shape, dtype, 0, 3)
                for keepdim in (False, True):
                    for dims in (None, [], [0], [-1], [0, -1] if len(shape) > 1 else [0], [5]):
                        yield case(f"aten::{name}.dims", x, dims, keepdim)
        x = make((3, 4, 5), torch.bool)
        for layout in (TRANSPOSED, SLICED):
            yield case(f"aten::{name}.dims", make((3, 4, 5), torch.bool, layout=layout), [0, 2])
        yield case(f"aten::{name}.dims", x, [1, 1])
        yield case(f"aten::{name}.dims_out", x, [0, 2], out=torch.empty(0, dtype=torch.bool))
        yield case(f"aten::{name}.dims_out", x, None, True, out=torch.empty(0, dtype=torch.bool))


later("aten::_cat(Tensor[] tensors, int dim=0) -> Tensor", torch.cat)
later("aten::_cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)",
      lambda t, d, out: torch.cat(t, d, out=out))
later("aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", torch.ops.aten.index.Tensor)
later("aten::_unsafe_index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor", torch.ops.aten.index.Tensor)
PUT = "(Tensor self, Tensor{}[] indices, Tensor values, bool accumulate=False) -> Tensor"
later("aten::_unsafe_index_put" + PUT.format("?"), torch.ops.aten.index_put)
later("aten::_unsafe_index_put.hacked_twin" + PUT.format(""), torch.ops.aten.index_put)


def indexing():
    x = make((4, 5, 6))
    rows, columns = indices((3,), 4, negative=True), indices((3,), 5)
    for given in ([rows], [rows, columns], [rows.view(3, 1), columns]):
        yield case("aten::_unsafe_index.Tensor_hacked_twin", x, given)
        for accumulate in (False, True):
            put = make((1,))
            yield case("aten::_unsafe_index_put.hacked_twin", x, given, put, accumulate)
            yield case("aten::_unsafe_index_put", x, given, put, accumulate)
    for given in ([None, columns], [rows], [None, None, rows], [x[0, 0] > 0] + [None], [rows, None, rows]):
        given = [columns if g is not None and g.dtype == torch.bool else g for g in given]
        yield case("aten::_unsafe_index.Tensor", x, given)
        yield case("aten::_unsafe_index.Tensor", x.transpose(0, 2), given)
        yield case("aten::_unsafe_index_put", x, given, torch.tensor(2.0))
    yield case("aten::_unsafe_index.Tensor", x, [torch.tensor([4])], message="out of bounds")
    for parts in ([make((2, 3)), make((1, 3))], [make((2, 3)), make((2, 3), torch.int64)]):
        yield case("aten::_cat", parts)
        yield case("aten::_cat.out", parts, 0, out=torch.empty(0))


NORM = "Tensor? weight, Tensor? bias, "
later("aten::_native_batch_norm_legit(Tensor input, " + NORM + "Tensor(a!) running_mean, Tensor(b!) running_var, "
      "bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)", torch.native_batch_norm)
later("aten::_native_batch_norm_legit.no_stats(Tensor input, " + NORM + "bool training, float momentum, float eps) "
      "-> (Tensor, Tensor, Tensor)", lambda x, w, b, *rest: torch.native_batch_norm(x, w, b, None, None, *rest))
later("aten::_native_batch_norm_legit_no_training(Tensor input, " + NORM + "Tensor running_mean, Tensor running_var, "
      "float momentum, float eps) -> (Tensor, Tensor, Tensor)",
      lambda x, w, b, m, v, momentum, eps: torch.native_batch_norm(x, w, b, m, v, False, momentum, eps))
later("aten::native_batch_norm.out(Tensor input, " + NORM + "Tensor? running_mean, Tensor? running_var, bool training, "
      "float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) save_invstd) "
      "-> (Tensor(a!), Tensor(b!), Tensor(c!))",
      lambda *a: tuple(o.resize_(r.shape).copy_(r) for o, r in zip(a[8:], torch.native_batch_norm(*a[:8]))))
later("aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor".replace(
    "SymInt", "int"), lambda x, shape, weight, eps: rms_norm(x, shape, weight, eps))


def rms_norm(x, shape, weight, eps):
    wide = x.double() if x.dtype == torch.float64 else x.float()
    eps = torch.finfo(wide.dtype).eps if eps is None else eps
    dims = list(range(x.dim() - len(shape), x.dim()))
    scaled = wide * torch.rsqrt(wide.pow(2).mean(dims, True) + eps)
    return (scaled if weight is None else scaled * weight).to(x.dtype).contiguous()


def norms():
    for shape in ((4, 3), (2, 3, 4), (2, 3, 4, 5)):
        for dtype in FLOATS:
            x, w, b = make(shape, dtype), make((3,), dtype), make((3,), dtype, seed=1)
            mean, variance = make((3,), dtype, seed=2), make((3,), dtype, 0.5, 2)
            for training in (False, True):
                yield case("aten::_native_batch_norm_legit", x, w, b, mean.clone(), variance.clone(), training, 0.1, 1e-5)
            yield case("aten::_native_batch_norm_legit.no_stats", x, w, b, True, 0.1, 1e-5)
            yield case("aten::_native_batch_norm_legit.no_stats", x, None, None, True, 0.1, 1e-3)
            yield case("aten::_native_batch_norm_legit_no_training", x, w, b, mean, variance, 0.1, 1e-5)
            yield case("aten::_native_batch_norm_legit_no_training", x, None, None, mean, variance, 0.1, 1e-5)
            outs = {k: torch.empty(0, dtype=dtype) for k in ("out", "save_mean", "save_invstd")}
            yield case("aten::native_batch_norm.out", x, w, b, mean.clone(), variance.clone(), True, 0.1, 1e-5, **outs)
    for dtype in FLOATING:
        for shape, over_ in (((4, 6), [6]), ((2, 3, 4), [3, 4]), ((2, 3, 4), [4]), ((0, 5), [5])):
            for eps in (None, 1e-5):
                yield case("aten::rms_norm", make(shape, dtype), over_, None, eps)
                yield case("aten::rms_norm", make(shape, dtype), over_, make(over_, dtype, seed=1), eps)
        yield case("aten::rms_norm", make((6, 4), dtype, layout=TRANSPOSED), [4])


def safe_softmax(x, dim, dtype):
    result = torch.softmax(x, dim, dtype=dtype)
    return result.masked_fill(x.eq(-math.inf).all(dim, True), 0) if x.dim() else result


def attention(q, k, v, mask, dropout, causal, scale, gqa):
    if gqa:
        k, v = (t.repeat_interleave(q.size(-3) // t.size(-3), -3) for t in (k, v))
    factor = 1 / math.sqrt(q.size(-1)) if scale is None else scale
    scores = (q.double() @ k.double().transpose(-2, -1)) * factor
    if causal:
        mask = torch.ones(q.size(-2), k.size(-2), dtype=torch.bool).tril()
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf) if mask.dtype == torch.bool else scores + mask
    result = (safe_softmax(scores, -1, None) @ v.double()).to(q.dtype)
    return result if q.is_contiguous() else result.transpose(1, 2).contiguous().transpose(1, 2)


later("aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", safe_softmax)
later("aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
      "float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor", attention)


def attending():
    x = make((3, 4))
    x[1] = -math.inf
    x[2, 0] = -math.inf
    for dim in (0, 1, -1):
        yield case("aten::_safe_softmax", x, dim)
    yield case("aten::_safe_softmax", x, 1, torch.float64)
    op = "aten::scaled_dot_product_attention"
    for batch in ((2,), (2, 3), ()):
        for lq, lk, width in ((4, 4, 8), (3, 5, 8), (1, 7, 4)):
            q, k, v = make((*batch, lq, width)), make((*batch, lk, width), seed=1), make((*batch, lk, 6), seed=2)
            tight = dict(rtol=2e-5, atol=2e-6, aliases=False)
            yield case(op, q, k, v, **tight)
            yield case(op, q, k, v, scale=0.3, **tight)
            yield case(op, q, k, v, is_causal=True, **tight)
            yield case(op, q, k, v, make((lq, lk), seed=3), **tight)
            keep = make((lq, lk), torch.bool, seed=4)
            keep[:, 0] = True
            yield case(op, q, k, v, keep, **tight)
    q, k = make((2, 4, 3, 8)), make((2, 2, 5, 8), seed=1)
    yield case(op, q, k, k, enable_gqa=True, rtol=2e-5, atol=2e-6, aliases=False)
    swapped = make((2, 5, 4, 8)).transpose(1, 2)
    yield case(op, swapped, swapped, swapped, rtol=2e-5, atol=2e-6, aliases=False)


SPACE = "int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"


def spaces():
    for kinds in (("Scalar", "Tensor"), ("Tensor", "Scalar"), ("Tensor", "Tensor")):
        given = f"({kinds[0]} start, {kinds[1]} end, "
        name = "_".join(kinds)
        yield f"aten::linspace.{name}{given}{SPACE}", lambda a, b, n, d, *_: torch.linspace(float(a), float(b), n, dtype=d)
        yield (f"aten::linspace.{name}_out{given}int steps, *, Tensor(a!) out) -> Tensor(a!)",
               lambda a, b, n, out: torch.linspace(float(a), float(b), n, out=out))
        yield (f"aten::logspace.{name}{given}" + SPACE.replace("steps,", "steps, float base=10.,"),
               lambda a, b, n, base, d, *_: torch.logspace(float(a), float(b), n, base, dtype=d))
        yield (f"aten::logspace.{name}_out{given}int steps, float base=10., *, Tensor(a!) out) -> Tensor(a!)",
               lambda a, b, n, base, out: torch.logspace(float(a), float(b), n, base, out=out))


for text, formula in spaces():
    later(text, formula)


def steps():
    def ends(kinds, a, b):
        return (torch.tensor(a) if kinds[0] == "T" else a), (torch.tensor(b) if kinds[1] == "T" else b)

    for name, kinds in (("Scalar_Tensor", "ST"), ("Tensor_Scalar", "TS"), ("Tensor_Tensor", "TT")):
        for n in (0, 1, 2, 7):
            yield case(f"aten::linspace.{name}", *ends(kinds, 0.5, 3.0), n)
            yield case(f"aten::linspace.{name}", *ends(kinds, 3.0, -2.0), n, dtype=torch.float64)
            yield case(f"aten::linspace.{name}_out", *ends(kinds, 0.5, 3.0), n, out=torch.empty(0))
            yield case(f"aten::logspace.{name}", *ends(kinds, 0.5, 2.0), n)
            yield case(f"aten::logspace.{name}", *ends(kinds, 0.0, 3.0), n, 2.0, dtype=torch.float64)
            yield case(f"aten::logspace.{name}_out", *ends(kinds, 0.5, 2.0), n, out=torch.empty(0))
        yield case(f"aten::linspace.{name}", *ends(kinds, 0, 8), 5, dtype=torch.int64)
        yield case(f"aten::linspace.{name}", *ends(kinds, 0.0, 1.0), -1)


def nonzero_static(x, size, fill):
    found = x.nonzero()[:size]
    rest = torch.full((size - found.size(0), x.dim()), fill, dtype=torch.int64)
    return torch.cat([found, rest])


later("aten::nonzero_static(Tensor self, *, int size, int fill_value=-1) -> Tensor", nonzero_static)
later("aten::nonzero_static.out(Tensor self, *, int size, int fill_value=-1, Tensor(a!) out) -> Tensor(a!)",
      into(nonzero_static))
later("aten::broadcast_shapes(int[] a, int[] b) -> int[]", lambda a, b: list(torch.broadcast_shapes(a, b)))
later("aten::empty_permuted(int[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? layout=None, "
      "Device? device=None, bool? pin_memory=None) -> Tensor",
      lambda size, order, dtype, *_: torch.empty([size[d] for d in order], dtype=dtype).permute(
          [order.index(d) for d in range(len(order))]))


def asserted(x, message):
    if not x.item():
        raise RuntimeError(message)


later("aten::_assert_async.msg(Tensor self, str assert_msg) -> ()", asserted)
for kind in ("maia", "mtia", "xla"):
    later(f"prim::is_{kind}(Tensor a) -> bool", lambda x: False)
later("prim::itemsize(Tensor a) -> int", torch.Tensor.element_size)
later("prim::nbytes(Tensor a) -> int", lambda x: x.element_size() * x.numel())


def others():
    for dtype in (torch.float32, torch.bool, torch.int16):
        for size in (0, 2, 20):
            for shape in ((3, 4), (5,), (2, 2, 3)):
                yield case("aten::nonzero_static", make(shape, dtype, 0, 2), size=size)
                yield case("aten::nonzero_static", make(shape, dtype, 0, 2), size=size, fill_value=7)
    yield case("aten::nonzero_static", make((4, 3), layout=TRANSPOSED), size=15)
    yield case("aten::nonzero_static.out", make((3, 4)), size=13, out=torch.empty(0, dtype=torch.int64))
    for a, b in (([2, 1], [3]), ([4, 1, 3], [5, 1]), ([], [2]), ([0], [1]), ([2, 3], [2, 3])):
        yield case("aten::broadcast_shapes", a or TypedList("int"), b)
    yield case("aten::broadcast_shapes", [2], [3], message=False)
    for size, order in (([2, 3, 4], [0, 1, 2]), ([2, 3, 4], [2, 0, 1]), ([2, 3, 4, 5], [0, 2, 3, 1]), ([3], [0])):
        yield case("aten::empty_permuted", size, order, compare="meta")
        yield case("aten::empty_permuted", size, order, dtype=torch.int16, compare="meta")
    yield case("aten::_assert_async.msg", torch.tensor(True), "never")
    yield case("aten::_assert_async.msg", torch.tensor(0), "it is zero", message=True)
    for dtype in ALL:
        x = make((2, 3), dtype)
        yield case("prim::itemsize", x)
        yield case("prim::nbytes", x)
        yield case("prim::nbytes", x[:, :1])
    for kind in ("maia", "mtia", "xla"):
        yield case(f"prim::is_{kind}", make((2,)))


def cases():
    yield from squeezing()
    yield from truth()
    yield from indexing()
    yield from norms()
    yield from attending()
    yield from steps()
    yield from others()
