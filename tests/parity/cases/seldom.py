"""Overloads that models seldom hold: older names, internal forms, what only a device or a sparse layout needs."""
import torch

from lib.case import *
from lib.schemas import later
from lib.tensors import *

F, I, B = torch.float32, torch.int64, torch.bool


def to(dtype=F):
    return torch.empty(0, dtype=dtype)


def in_place():
    y = make((3, 4), F, 1.1, 4)
    for layout in (CONTIGUOUS, TRANSPOSED, SLICED):
        z = make((4, 5), F, 2.1, 5, layout=layout)
        yield case("aten::mvlgamma_", z, 2)
        yield case("aten::polygamma_", z, 1)
        yield case("aten::round_.decimals", z, decimals=1)
        yield case("aten::round_.decimals", z * 100, decimals=-1)
        yield case("aten::_add_relu_.Scalar", z - 4, 0.25)
        yield case("aten::_add_relu_.Scalar", z - 4, 1, 2)
    for training in (False, True):
        for x in (make((3, 4)), make((3, 4), torch.float64), make((4, 5), layout=TRANSPOSED)):
            yield case("aten::rrelu_with_noise_", x.clone(), torch.zeros(x.shape, dtype=x.dtype), 0.1, 0.3, training)
    yield case("aten::rrelu_with_noise.out", y - 2, torch.zeros(3, 4), 0.1, 0.3, out=to())
    yield case("aten::mvlgamma_", y - 3, 2)
    weight = make((6, 4))
    for norm in (1.0, 2.0, 3.0):
        yield case("aten::_no_grad_embedding_renorm_", weight.clone(), torch.tensor([0, 2, 2, 5]), 1.5, norm)


# PyTorch runs these in its static runtime only.
later("prim::unsqueeze_copy(Tensor self, int dim) -> Tensor", lambda x, d: x.unsqueeze(d).clone())
later("prim::squeeze_copy(Tensor self) -> Tensor", lambda x: x.squeeze().clone())
later("prim::squeeze_copy.dim(Tensor self, int dim) -> Tensor", lambda x, d: x.squeeze(d).clone())
later("prim::flatten_copy(Tensor self, int start_dim, int end_dim) -> Tensor", lambda x, a, b: x.flatten(a, b).clone())
later("prim::reshape_copy(Tensor self, int[] shape) -> Tensor", lambda x, s: x.reshape(s).clone())
later("prim::view_copy(Tensor self, int[] size) -> Tensor", lambda x, s: x.view(s).clone())
later("prim::expand_copy(Tensor self, int[] size, *, bool implicit=False) -> Tensor", lambda x, s, _: x.expand(s).clone())
later("prim::expand_as_copy(Tensor self, Tensor other) -> Tensor", lambda x, y: x.expand_as(y).clone())


def views():
    x = make((2, 3, 4))
    for t in (x, make((3, 4)), make((2, 3, 4, 5), layout=CHANNELS_LAST), make((2, 3), torch.complex64)):
        yield case("aten::mT.a", t)
        yield case("aten::mH.a", t, aliases=not t.is_complex())
        yield case("aten::numpy_T.a", t)
        yield case("aten::matrix_H.a", t, aliases=not t.is_complex())
        t = t.contiguous()
        yield case("prim::unsqueeze_copy", t, 1)
        yield case("prim::unsqueeze_copy", t, -1)
        yield case("prim::squeeze_copy", t.unsqueeze(1))
        yield case("prim::squeeze_copy.dim", t.unsqueeze(1), 1)
        yield case("prim::squeeze_copy.dim", t, -1)
        yield case("prim::flatten_copy", t, 0, -1)
        yield case("prim::flatten_copy", t, 0, 1)
        yield case("prim::reshape_copy", t, [-1])
        yield case("prim::view_copy", t, [-1, t.size(0)])
        yield case("prim::expand_copy", t.unsqueeze(0), [3, *t.shape])
        yield case("prim::expand_as_copy", t.unsqueeze(0), torch.zeros(2, *t.shape))
    yield case("prim::view_copy", x.transpose(0, 2), [24], message="view size is not compatible")
    for t in (make(()), make((5,))):
        yield case("aten::mT.a", t)
        yield case("aten::numpy_T.a", t)
        yield case("aten::matrix_H.a", t)
    for sizes, dim in (([1, 2], 0), ([1, 1, 1], -2), ([3], 0), ([2, 2], 0), ([-1, 4], 0), ([1, 2], 5)):
        yield case("aten::split", make((3, 3, 4)), sizes, dim)
    for kind in (None, torch.contiguous_format, torch.preserve_format, torch.channels_last):
        for source in (x, make((2, 3, 4, 5), layout=CHANNELS_LAST), make((4, 5), layout=TRANSPOSED)):
            if kind != torch.channels_last or source.dim() == 4:
                yield case("aten::_to_copy.out", source, memory_format=kind, out=torch.zeros(source.shape))


def linear_algebra():
    a = make((4, 4))
    symmetric, batch = a @ a.t() + torch.eye(4), make((2, 5, 3))
    eigh = "def forward(self, a):\n  {}\n  return w, v @ torch.diag_embed(w) @ v.mH"
    svd = "def forward(self, a):\n  {}\n  return s, u @ torch.diag_embed(s).to(u.dtype) @ {}"
    empties = "e, f, g = torch.empty(0, dtype=a.dtype), torch.empty(1, dtype=a.abs().dtype), torch.empty(2, dtype=a.dtype)\n  "
    tight = dict(rtol=1e-4, atol=1e-5)
    lite = dict(form="lite", **tight)  # PyTorch's full interpreter crashes on some of these
    for given in (symmetric, symmetric.double(), torch.stack([symmetric, symmetric * 2])):
        for name, body in (("_linalg_eigh", "w, v = torch.ops.aten._linalg_eigh(a, 'L', True)"),
                           ("_linalg_eigh.eigenvalues", empties + "w, v = torch.ops.aten._linalg_eigh(a, 'U', True, eigenvalues=f, eigenvectors=e)"),
                           ("linalg_eigh.eigvals", empties + "w, v = torch.linalg.eigh(a, 'L', eigvals=f, eigvecs=e)")):
            yield program(f"{name} {list(given.shape)} {short(given.dtype)}", eigh.format(body), given, **lite)
        yield case("aten::_linalg_eigh", given, "L", False, **tight)
    for given in (batch, batch.double(), batch.mT, make((4, 4)), make((3, 4), torch.complex64)):
        for name, body, last in (
                ("_linalg_svd", "u, s, v = torch.ops.aten._linalg_svd(a, False, True)", "v"),
                ("_linalg_svd.U", empties + "u, s, v = torch.ops.aten._linalg_svd(a, False, True, U=e, S=f, Vh=g)", "v"),
                ("linalg_svd.U", empties + "u, s, v = torch.linalg.svd(a, False, U=e, S=f, Vh=g)", "v"),
                ("svd.U", empties + "u, s, v = torch.svd(a, U=e, S=f, V=g)", "v.mH")):
            yield program(f"{name} {list(given.shape)} {short(given.dtype)}", svd.format(body, last), given, **lite)
        yield case("aten::_linalg_svd", given, False, False, **tight)
    for kind in (F, torch.float64):
        outs = dict(solution=torch.zeros(3, 2, dtype=kind), residuals=to(kind), rank=to(I), singular_values=to(kind))
        yield case("aten::linalg_lstsq.out", make((5, 3), kind), make((5, 2), kind), **outs, **tight)
    yield program("linalg_eigvals.out", "def forward(self, a):\n  e = torch.empty(0, dtype=torch.complex64)\n"
                  "  return torch.linalg.eigvals(a, out=e).abs().sort()[0], e.shape", a, **lite)


def convolutions():
    for layout in (CONTIGUOUS, CHANNELS_LAST):
        x, w = make((2, 4, 7, 9), layout=layout), make((8, 1, 3, 3))
        later_2d = (x, w, [3, 3])
        for bias in (None, make((8,))):
            for stride, padding, dilation in (([1, 1], [1, 1], [1, 1]), ([2, 1], [0, 1], [1, 2])):
                yield case("aten::_conv_depthwise2d", *later_2d, bias, stride, padding, dilation)
                if layout == CONTIGUOUS:
                    yield case("aten::_conv_depthwise2d.out", *later_2d, bias, stride, padding, dilation, out=to())
    x, w = make((2, 4, 5, 6, 7)), make((4, 1, 2, 3, 2))
    for bias in (None, make((4,))):
        for stride, padding, dilation in (([1, 1, 1], [1, 1, 0], [1, 1, 1]), ([2, 1, 2], [0, 1, 1], [1, 2, 1])):
            yield case("aten::conv_depthwise3d", x, w, [2, 3, 2], bias, stride, padding, dilation)
            yield case("aten::conv_depthwise3d.out", x, w, [2, 3, 2], bias, stride, padding, dilation, out=to())
    yield case("prepacked::conv2d_transpose_clamp_prepack", make((4, 3, 3, 3)), None, [2, 2], [1, 1], [0, 0], [1, 1], 1)


def depthwise(convolve):
    def formula(x, w, kernel, bias, stride, padding, dilation, out=None):
        result = convolve(x, w, bias, stride, padding, dilation, x.size(1))
        return result if out is None else out.resize_(result.shape).copy_(result)
    return formula


DEPTHWISE = "(Tensor self, Tensor weight, int[{0}] kernel_size, Tensor? bias, int[{0}] stride, int[{0}] padding, int[{0}] dilation"
for _name, _n, _convolve in (("_conv_depthwise2d", 2, torch.conv2d), ("conv_depthwise3d", 3, torch.conv3d)):
    # PyTorch has them on GPUs only.
    later(f"aten::{_name}" + DEPTHWISE.format(_n) + ") -> Tensor", depthwise(_convolve))
    later(f"aten::{_name}.out" + DEPTHWISE.format(_n) + ", *, Tensor(a!) out) -> Tensor(a!)", depthwise(_convolve))


def layers():
    log_probabilities = torch.log_softmax(make((6, 2, 4)), 2)
    targets = torch.tensor([[1, 2, 1], [2, 3, 3]])
    for lengths in ((6, 6), (3, 3)),:
        for zero in (False, True):
            yield case("aten::_ctc_loss.Tensor", log_probabilities, targets, *map(torch.tensor, lengths), 0, zero)
    table, rows, starts = make((7, 5)), torch.tensor([1, 3, 3, 0, 6, 2]), torch.tensor([0, 2, 2, 5])
    four = dict(zip(("out0", "out1", "out2", "out3"), (to(), to(I), to(I), to(I))))
    for mode in (0, 1, 2):
        for last in (False, True) if mode < 2 else (False,):  # PyTorch crashes on the other
            starts = torch.tensor([0, 2, 2, 6 if last else 5])
            yield case("aten::_embedding_bag_forward_only", table, rows, starts, False, mode, False, None, last)
            yield case("aten::_embedding_bag_forward_only.out", table, rows, starts, False, mode, False, None, last,
                       label=f"out {mode} {last}", **four)
    yield case("aten::_embedding_bag_forward_only", table, rows, starts, False, 0, False, make((6,)), False, 3)
    for p in (0.0, 1.0, 2.0, 3.5, float("inf")):
        for x in (make((5, 3)), make((1, 3)), make((6, 2), torch.float64), make((5, 4), layout=TRANSPOSED).contiguous()):
            yield case("aten::_pdist_forward", x, p)
            yield case("aten::_pdist_forward.out", x, p, out=to(x.dtype))
    for shape, dim in (((4, 3), 0), ((4, 3), 1), ((4, 3, 2), 0), ((4, 3, 2), 2)):
        v = make(shape)
        yield case("aten::_weight_norm_interface", v, make([n if d == dim else 1 for d, n in enumerate(shape)]), dim)
    q, k, v = make((2, 4, 8)), make((2, 5, 8), seed=1), make((2, 5, 8), seed=2)
    for weights in (False, True):
        yield case("aten::_scaled_dot_product_attention_forward", q, k, v, None, 0.0, weights)
        yield case("aten::_scaled_dot_product_attention_forward", q, k, v, make((4, 5)), 0.0, weights)
        yield case("aten::_scaled_dot_product_attention_forward", q, k, v, None, 0.0, weights, True)
    for size, factor in (([6, 8], None), (None, [2, 2]), (None, [2, 3])):
        yield case("aten::__upsample_bilinear.size_list_scale_list", make((2, 3, 4, 5)), size, factor)


def quantized():
    x, scales, zeros = make((3, 4)), torch.tensor([0.1, 0.02, 0.3]), torch.tensor([1, 0, 5])
    one, zero = torch.tensor([0.05]), torch.tensor([3], dtype=torch.int32)
    for enabled in (0, 1):
        on = torch.tensor([enabled])
        op = "aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams"
        yield case(op, x, one, zero, on, 0, 255)
        yield case(op + ".out", x, one, zero, on, 0, 255, out0=to(), out1=to(B))
    for dtype, plain in ((torch.quint8, torch.uint8), (torch.qint8, torch.int8), (torch.qint32, torch.int32)):
        per_tensor = torch.quantize_per_tensor(torch.zeros(3, 4), 0.05, 10, dtype)
        per_channel = torch.quantize_per_channel(torch.zeros(3, 4), scales, zeros, 0, dtype)
        yield case("aten::quantize_per_tensor.out", x, 0.05, 10, dtype, out=per_tensor)
        yield case("aten::quantize_per_tensor.tensor_qparams_out", x, torch.tensor(0.05), torch.tensor(10), dtype, out=per_tensor)
        if dtype != torch.qint32:
            yield case("aten::quantize_per_tensor_dynamic.out", x, dtype, False, out=per_tensor)
        yield case("aten::quantize_per_channel.out", x, scales, zeros, 0, dtype, out=per_channel)
        ints = make((3, 4), plain)
        yield case("aten::_make_per_tensor_quantized_tensor.out", ints, 0.05, 10, out=per_tensor)
        yield case("aten::_make_per_channel_quantized_tensor.out", ints, scales, zeros, 0, out=per_channel)
        yield case("aten::_empty_per_channel_affine_quantized", [3, 4], scales=scales, zero_points=zeros, axis=0, dtype=dtype, compare="meta")
        filled = torch.quantize_per_tensor(x, 0.05, 10, dtype)
        yield case("aten::dequantize.list", [filled, filled])
        yield case("aten::dequantize.any", [filled, filled])
        yield case("aten::dequantize.any", (filled, 3, (filled,)))


# There is one device: tensors are on it.
later("aten::cuda(Tensor(a) self) -> Tensor(a)", lambda x: x)
later("aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)", lambda x, device: x)
later("aten::_pin_memory(Tensor self, Device? device=None) -> Tensor", lambda x, device: x)
later("aten::sparse_dim(Tensor self) -> int", lambda x: 0)
later("aten::dense_dim(Tensor self) -> int", lambda x: x.dim())
later("aten::retain_grad(Tensor(a!) self) -> ()", lambda x: None)


def of_the_device():
    x = make((3, 4))
    for op in ("cudnn_is_acceptable", "dense_dim", "sparse_dim", "is_coalesced", "coalesce", "to_dense", "retain_grad"):
        yield case(f"aten::{op}", x)
    yield case("aten::_has_compatible_shallow_copy_type", x, make((2,)))
    yield case("aten::_nnpack_available", compare="meta")
    for op in ("cuda", "pin_memory", "_pin_memory"):
        yield case(f"aten::{op}", x)
    yield case("prim::grad", x)
    yield program("chalf", "def forward(self, x):\n  return x.chalf().to(torch.complex64)", make((3, 4), torch.complex64))


later("prim::tolist(...) -> ...", lambda x, dim, kind: x.tolist())
later("aten::warn(str message, int stacklevel=2) -> ()", lambda message, level: None)  # an instruction there


def of_the_language():
    yield case("aten::warn", "a warning of the model", 2)
    for given in (["a", "b", "c"], [(1, 2)], [[1], [2]]):
        yield case("aten::len.any", given)
    for x, kind in ((make((2, 3), I), 0), (make((2, 3)), 1), (make((2, 3), B), 2), (make((2, 0, 3)), 1), (torch.tensor(4), 0), (torch.tensor(True), 2)):
        yield case("prim::tolist", x, x.dim(), kind)
    yield case("prim::tolist", make((4, 5), I, layout=TRANSPOSED), 2, 0)
    yield case("prim::tolist", make((4, 5), torch.float64, layout=SLICED), 2, 1)


class AddOne(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + 1


class Double(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


@torch.jit.interface
class Step(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass


class Chosen(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = torch.nn.ModuleList([AddOne(), Double()])
        self.named = torch.nn.ModuleDict({"add": AddOne(), "twice": Double()})

    def forward(self, x: torch.Tensor, index: int, name: str):
        first: Step = self.steps[index]
        second: Step = self.named[name]
        return second.forward(first.forward(x))


def cases():
    for part in (in_place, views, linear_algebra, convolutions, layers, quantized, of_the_device, of_the_language):
        yield from part()
    for index, name in ((0, "twice"), (1, "add"), (-1, "add"), (2, "add"), (0, "none")):
        yield model(f"modules by index {index} {name}", Chosen(), torch.tensor([1.0, 2]), index, name)
