"""Tensors quantized per channel: copies keep their integers, views keep each channel's scale, the rest is refused."""
import torch

from lib.case import *
from lib.tensors import *

torch.backends.quantized.engine = "qnnpack"
DTYPES = (torch.qint8, torch.quint8, torch.qint32)


def quantized(shape, axis, dtype=torch.qint8, layout=CONTIGUOUS):
    n = shape[axis]
    scales = torch.linspace(0.01, 0.05, n) if n > 1 else torch.full((n,), 0.03)
    return torch.quantize_per_channel(make(shape, layout=layout), scales, torch.arange(n), axis, dtype)


def tensors():
    for dtype in DTYPES:
        for axis in range(3):
            yield quantized((2, 3, 4), axis, dtype)
    yield quantized((2, 3, 4, 5), 1, layout=CHANNELS_LAST)
    yield quantized((2, 3, 4), 1, layout=TRANSPOSED)
    yield quantized((0, 3, 4), 1)
    yield quantized((1, 3, 1), 1)


def copies():
    for x in tensors():
        yield case("aten::clone", x)
        yield case("aten::clone", x, memory_format=torch.contiguous_format)
        yield case("aten::clone", x, memory_format=torch.preserve_format)
        yield case("aten::contiguous", x)
        yield case("aten::contiguous", x[..., ::2])
        yield case("aten::clone", x[..., 1:])
        yield case("aten::clone", x[:1])
        yield case("aten::_to_copy", x)
        yield case("aten::detach", x)
        yield case("aten::alias", x)
        yield case("aten::empty_like", x, compare="meta")
        yield case("aten::int_repr", x)
        yield case("aten::dequantize.self", x)
        yield case("aten::copy_", x.clone(), x.dequantize().contiguous() + 0.1)
        yield case("aten::copy_", x.clone(), quantized(tuple(x.shape), 1, x.dtype))
        yield case("aten::fill_.Scalar", x.clone(), 0.3)
        yield case("aten::fill_.Tensor", x.clone(), torch.tensor(0.3))
        yield case("aten::equal", x, x.clone())
        yield case("aten::equal", x, quantized(tuple(x.shape), 1, x.dtype))
    x = quantized((2, 3, 4, 5), 1, layout=CHANNELS_LAST)
    yield case("aten::clone", x, memory_format=torch.channels_last)
    yield case("aten::contiguous", x, memory_format=torch.channels_last)
    yield case("aten::contiguous", quantized((2, 3, 4, 5), 1), memory_format=torch.channels_last)
    yield case("aten::clone", quantized((2, 3, 4, 5), 1), memory_format=torch.channels_last)


def views():
    for x in tensors():
        for dim in range(x.dim() + 1):
            yield case("aten::unsqueeze", x, dim)
        yield case("aten::unsqueeze", x, -1)
        for dim in range(x.dim()):
            if x.shape[dim] > 1:
                if dim <= x.q_per_channel_axis():  # behind the axis PyTorch moves it although it stays
                    yield case("aten::select.int", x, dim, 1)
                    yield case("aten::select.int", x, dim, -1)
                    yield case("aten::unbind.int", x, dim)
                yield case("aten::slice.Tensor", x, dim, 1)
                yield case("aten::slice.Tensor", x, dim, None, -1)
                yield case("aten::slice.Tensor", x, dim, 0, 9, 2)
                yield case("aten::slice.Tensor", x, dim, 1, 2)
                yield case("aten::narrow", x, dim, 0, 2)
                yield case("aten::split.Tensor", x, 2, dim)
                yield case("aten::chunk", x, 2, dim)
            yield case("aten::slice.Tensor", x, dim, 1, 1)
            yield case("aten::squeeze.dim", x, dim)
        yield case("aten::squeeze", x)
        yield case("aten::view", x, list(x.shape))
        yield case("aten::view", x, list(x.shape) + [1])
        yield case("aten::reshape", x, list(x.shape) + [1])
        yield case("aten::flatten.using_ints", x, 1, 1)
    yield case("aten::squeeze", quantized((1, 3, 1, 4), 1))
    yield case("aten::squeeze", quantized((1, 3, 1, 4), 3))
    yield case("aten::squeeze.dim", quantized((1, 3, 1, 4), 3), 0)
    yield case("aten::squeeze.dim", quantized((1, 3, 1, 4), 1), 2)
    yield case("aten::squeeze", quantized((1, 3, 1), 0))
    yield case("aten::squeeze.dim", quantized((1, 3, 1), 0), 0)
    yield case("aten::select.int", quantized((1, 3, 1), 0), 0, 0)
    yield case("aten::select.int", quantized((3, 4), 1), 0, 1)
    yield case("aten::select.int", quantized((3,), 0), 0, 1)
    # What a view of a view reads back.
    for dtype in DTYPES:
        yield program("channels of views", """
def forward(self, x: Tensor, scales: Tensor, zeros: Tensor) -> List[Tensor]:
    q = torch.quantize_per_channel(x, scales, zeros, 1, %d)
    return [q[1].dequantize(), q[:, 1:].dequantize(), q[:, 1].dequantize(), q.unsqueeze(0).dequantize(),
            q[:, 1:].clone().dequantize(), q[..., 1:].contiguous().dequantize(), q[0, 1:, 2].int_repr(),
            q.unsqueeze(1)[0].squeeze(0).q_per_channel_scales()]
""" % {torch.qint8: 12, torch.quint8: 13, torch.qint32: 14}[dtype], make((2, 3, 4)), torch.tensor([0.01, 0.02, 0.05]), torch.tensor([3, 0, 7]))


def programs():
    for dtype in (12, 13, 14):
        for shape, axis in (((8, 3, 5, 5), 0), ((2, 6, 4, 3), 1), ((64, 40), 1)):
            for form in ("q.clone()", "q.contiguous()", "q.contiguous(memory_format=torch.channels_last)", "q.clone(memory_format=torch.channels_last)",
                         "q[..., 1:].contiguous()", "q[..., ::2].clone()", "q.reshape(q.size(0), q.size(1), -1)", "q.to('cpu', copy=True)", "q.detach().clone()"):
                if "channels_last" in form and len(shape) != 4:
                    continue
                yield program(f"{form} of channels", f"""
def forward(self, x: Tensor, scales: Tensor, zeros: Tensor) -> List[Tensor]:
    q = torch.quantize_per_channel(x, scales, zeros, {axis}, {dtype})
    y = {form}
    z = {form}
    return [y.int_repr(), z.dequantize(), y]
""", make(shape), torch.linspace(0.01, 0.05, shape[axis]), torch.arange(shape[axis]) % 7)


def refused():
    for dtype in DTYPES:
        x = quantized((2, 3, 4), 1, dtype)
        for op, args in (
                ("aten::transpose.int", (0, 1)), ("aten::transpose.int", (0, 2)), ("aten::permute", ([2, 0, 1],)),
                ("aten::permute", ([0, 1, 2],)), ("aten::movedim.int", (0, 1)), ("aten::numpy_T", ()), ("aten::mT", ()),
                ("aten::swapaxes", (0, 1)), ("aten::expand", ([4, 2, 3, 4],)), ("aten::expand", ([2, 3, 4],)),
                ("aten::expand_as", (make((2, 3, 4)),)), ("aten::broadcast_to", ([2, 2, 3, 4],)),
                ("aten::as_strided", ([2, 2], [1, 1])), ("aten::unfold", (2, 2, 1)), ("aten::diagonal", (0, 0, 2)),
                ("aten::repeat", ([1, 1, 2],)), ("aten::tile", ([1, 1, 2],)), ("aten::flip", ([0],)), ("aten::flip", ([1],)),
                ("aten::index_select", (0, torch.tensor([1]))), ("aten::index_select", (1, torch.tensor([1, 0]))),
                ("aten::index.Tensor", ([torch.tensor([1])],)), ("aten::index.Tensor", ([None, torch.tensor([2, 1, 0])],)),
                ("aten::relu", ()), ("aten::clamp", (0, 1)), ("aten::sort", (1,)), ("aten::topk", (1,)), ("aten::max", ()),
                ("aten::min.dim", (0,)), ("aten::mean.dim", ([0],)), ("aten::q_scale", ()), ("aten::q_zero_point", ()),
                ("aten::masked_fill_.Scalar", (make((2, 3, 4)) > 0, 0.5)), ("aten::resize_", ([2, 2],)),
                ("aten::index_put_", ([torch.tensor([0])], torch.tensor(0.5))), ("aten::hardtanh", ()), ("aten::sigmoid", ()),
                ("aten::tanh", ()), ("aten::leaky_relu", ()), ("aten::gelu", ()), ("aten::prelu", (make((1,)),)),
                ("aten::channel_shuffle", (1,)), ("aten::slice.Tensor", (1, 2, 2)), ("aten::squeeze.dim", (3,))):
            yield from errors(op, (x, *args))
        yield from errors("aten::cat", ([x, x], 0))
        yield from errors("aten::stack", ([x, x], 0))
        yield from errors("aten::copy_", (x.clone(), torch.quantize_per_tensor(make((2, 3, 4)), 0.1, 0, dtype)))


def cases():
    for group in (copies, views, programs, refused):
        yield from group()
