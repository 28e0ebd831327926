"""Operators on quantized tensors and on packed weights, with PyTorch's mobile engine (qnnpack) as the reference."""
import torch

from lib.case import *
from lib.tensors import *

torch.backends.quantized.engine = "qnnpack"

ACTIVATIONS = ((0.05, 10), (0.02, 128), (0.1, 0), (0.013, 255))


def quantized(shape, scale=0.05, zero=10, dtype=torch.quint8, layout=CONTIGUOUS):
    return torch.quantize_per_tensor(make(shape, layout=layout), scale, zero, dtype)


def weight(shape, axis=None, scale=0.03):
    values = make(shape)
    if axis is None:
        return torch.quantize_per_tensor(values, scale, 0, torch.qint8)
    n = shape[axis]
    return torch.quantize_per_channel(values, torch.linspace(0.01, 0.05, n), torch.zeros(n, dtype=torch.long), axis,
                                      torch.qint8)


def linear():
    for bias in (None, make((20,))):
        for axis in (None, 0):
            packed = Call("quantized::linear_prepack", weight((20, 30), axis), bias)
            for shape in ((1, 30), (7, 30), (33, 30), (2, 4, 30), (0, 30)):
                for scale, zero in ACTIVATIONS:
                    yield case("quantized::linear", quantized(shape, scale, zero), packed, 0.1, 100)
                    yield case("quantized::linear_relu", quantized(shape, scale, zero), packed, 0.07, 3)
                yield case("quantized::linear_dynamic", make(shape), packed)
                yield case("quantized::linear_relu_dynamic", make(shape), packed)
            yield case("quantized::linear_dynamic", make((30, 7)).t(), packed)
            yield case("quantized::linear_unpack", packed)
    packed = Call("quantized::linear_prepack", weight((20, 30)), make((20,)))
    yield case("quantized::linear", quantized((3, 30)), packed, 0.001, 0)
    yield from errors("quantized::linear_prepack", (make((20, 30)),), (weight((20, 30, 1)),))


def conv():
    for x, w, stride, padding, dilation, groups in (
        ((2, 4, 7, 9), (8, 4, 3, 3), 1, 0, 1, 1), ((2, 4, 7, 9), (8, 4, 3, 3), 2, 1, 1, 1), ((2, 4, 7, 9), (8, 2, 3, 3), 1, 1, 1, 2),
        ((2, 6, 7, 9), (6, 1, 3, 3), 1, 1, 1, 6), ((1, 40, 9, 21), (40, 1, 5, 5), 2, 2, 1, 40), ((2, 6, 7, 9), (12, 1, 3, 3), 1, 1, 2, 6),
        ((1, 17, 5, 6), (33, 17, 1, 1), 1, 0, 1, 1), ((2, 3, 20, 20), (5, 3, 7, 7), 2, 3, 1, 1),
    ):
        for axis in (None, 0):
            for bias in (None, make((w[0],))):
                packed = Call("quantized::conv2d_prepack", weight(w, axis), bias, [stride] * 2, [padding] * 2, [dilation] * 2, groups)
                for scale, zero in ACTIVATIONS[:3]:
                    yield case("quantized::conv2d.new", quantized(x, scale, zero), packed, 0.1, 120)
                    yield case("quantized::conv2d_relu.new", quantized(x, scale, zero, layout=CHANNELS_LAST), packed, 0.05, 7)
                yield case("quantized::conv2d_dynamic", make(x), packed)
                yield case("quantized::conv2d_unpack", packed)
                yield case("quantized::conv_unpack", packed)
                yield case("quantized::conv2d_unpack_sizes", packed)
    packed = Call("quantized::conv_prepack", weight((8, 4, 3, 3)), make((8,)), [2, 1], [1, 0], [1, 2], 1)
    yield case("quantized::conv2d", quantized((2, 4, 9, 9)), packed, [2, 1], [1, 0], [1, 2], 1, 0.1, 30)
    yield case("quantized::conv2d_relu", quantized((2, 4, 9, 9)), packed, [2, 1], [1, 0], [1, 2], 1, 0.1, 30)
    for part in ("stride", "padding", "output_padding", "dilation", "groups", "transpose"):
        yield case("quantized::conv2d_" + part, packed)
    for w, groups in (((8, 4, 3), 1), ((8, 2, 3), 2), ((4, 1, 5), 4)):
        packed = Call("quantized::conv1d_prepack", weight(w), make((w[0],)), [2], [1], [1], groups)
        yield case("quantized::conv1d", quantized((2, 4, 11)), packed, 0.1, 20)
        yield case("quantized::conv1d_relu", quantized((2, 4, 11)), packed, 0.1, 20)
        yield case("quantized::conv1d_dynamic", make((2, 4, 11)), packed)
        yield case("quantized::conv1d_unpack", packed)
        pairs = Call("quantized::conv1d_prepack", weight(w), None, [1, 2], [0, 1], [1, 1], groups)
        yield case("quantized::conv1d", quantized((2, 4, 11)), pairs, 0.1, 20)
    for w, groups in (((8, 4, 3, 3, 3), 1), ((4, 1, 3, 3, 3), 4)):
        packed = Call("quantized::conv3d_prepack", weight(w), make((w[0],)), [1, 2, 1], [1, 1, 0], [1, 1, 1], groups)
        x = quantized((2, 4, 5, 6, 7))
        yield case("quantized::conv3d.new", x, packed, 0.1, 20)
        yield case("quantized::conv3d_relu.new", x, packed, 0.1, 20)
        yield case("quantized::conv3d", x, packed, [1, 2, 1], [1, 1, 0], [1, 1, 1], groups, 0.1, 20)
        yield case("quantized::conv3d_relu", x, packed, [1, 2, 1], [1, 1, 0], [1, 1, 1], groups, 0.1, 20)
        yield case("quantized::conv3d_dynamic", make((2, 4, 5, 6, 7)), packed)
        for part in ("stride", "padding", "output_padding", "dilation", "groups", "transpose"):
            yield case("quantized::conv3d_" + part, packed)
    packed = Call("quantized::conv2d_prepack", weight((8, 4, 3, 3)), None, [1, 1], [0, 0], [1, 1], 1)
    yield from errors("quantized::conv2d.new", (quantized((2, 3, 7, 9)), packed, 0.1, 0), (quantized((2, 4, 2, 2)), packed, 0.1, 0))
    yield from errors("quantized::conv2d_prepack", (make((8, 4, 3, 3)), None, [1, 1], [0, 0], [1, 1], 1),
                      (weight((8, 4, 3, 3)), make((7,)), [1, 1], [0, 0], [1, 1], 1))


def transposed():
    for stride, padding, extra, dilation, groups in ((1, 0, 0, 1, 1), (2, 1, 1, 1, 1), (2, 0, 0, 1, 2), (3, 1, 2, 2, 1)):
        bias = make((3 * groups,))
        for b in (None, bias):
            packed = Call("quantized::conv_transpose2d_prepack", weight((4, 3, 3, 3)), b, [stride] * 2, [padding] * 2, [extra] * 2,
                          [dilation] * 2, groups)
            for layout in (CONTIGUOUS, CHANNELS_LAST):
                yield case("quantized::conv_transpose2d", quantized((2, 4, 5, 6), layout=layout), packed, 0.1, 60)
            yield case("quantized::conv_transpose2d_dynamic", make((2, 4, 5, 6)), packed)
            yield case("quantized::conv_transpose2d_unpack", packed)
        packed = Call("quantized::conv_transpose1d_prepack", weight((4, 3, 3)), bias, [stride], [padding], [extra], [dilation], groups)
        yield case("quantized::conv_transpose1d", quantized((2, 4, 6)), packed, 0.1, 60)
        yield case("quantized::conv_transpose1d_dynamic", make((2, 4, 6)), packed)
        yield case("quantized::conv_transpose1d_unpack", packed)
    packed = Call("quantized::conv_transpose2d_prepack", weight((4, 3, 3, 3)), None, [2, 1], [1, 0], [1, 0], [1, 1], 1)
    for part in ("stride", "padding", "output_padding", "dilation", "groups", "transpose"):
        yield case("quantized::conv_transpose2d_" + part, packed)
    packed = Call("quantized::conv_transpose3d_prepack", weight((4, 3, 2, 3, 3)), make((3,)), [2, 1, 1], [1, 0, 0], [1, 0, 0], [1, 1, 1], 1)
    for part in ("stride", "padding", "output_padding", "dilation", "groups", "transpose"):
        yield case("quantized::conv_transpose3d_" + part, packed)


def arithmetic():
    pairs = (((0.05, 10), (0.02, 128), (0.06, 70)), ((0.05, 0), (0.05, 0), (0.05, 0)), ((0.1, 255), (0.011, 3), (0.3, 9)),
             ((0.02, 100), (0.04, 100), (0.01, 100)))
    for op in ("add", "mul"):
        for (sa, za), (sb, zb), (s, z) in pairs:
            for relu in ("", "_relu"):
                name = f"quantized::{op}{relu}"
                for shape in ((7,), (3, 40), (2, 3, 4, 5), (2, 5, 17, 9)):
                    yield case(name, quantized(shape, sa, za), quantized(shape, sb, zb), s, z)
                yield case(name, quantized((2, 3, 4, 5), sa, za, layout=CHANNELS_LAST), quantized((2, 3, 4, 5), sb, zb), s, z)
        for relu in ("", "_relu"):
            name = f"quantized::{op}{relu}"
            a, b = quantized((3, 4)), quantized((3, 4), 0.02, 128)
            for form in (".out", "_out"):
                yield case(name + form, a, b, torch.quantize_per_tensor(torch.zeros(3, 4), 0.06, 70, torch.quint8))
            for number in (0.7, -0.3, 5.0, -20.0, 0.0, 2):
                for x in (quantized((3, 4), 0.03, 120), quantized((3, 4), 0.1, 0)):
                    yield case(name + ".Scalar", x, number)
                    yield case(name + ".Scalar2", number, x)
                    yield case(f"quantized::{op}_scalar{relu}", x, number)
    yield case("quantized::mul", quantized((2, 3, 4, 5), layout=CHANNELS_LAST), quantized((2, 3, 1, 1), 0.004, 0), 0.03, 40)
    for relu in ("", "_relu"):
        name = "quantized::cat" + relu
        a, b, c = quantized((2, 3, 4, 5)), quantized((2, 2, 4, 5), 0.02, 128), quantized((2, 4, 4, 5), 0.06, 70)
        for parts in ([a], [a, a], [a, b, c]):
            yield case(name, parts, 1, 0.05, 10)
            yield case(name, parts, 1, 0.08, 90)
            yield case(name, parts, 1, None, None)
            yield case(name, [p.contiguous(memory_format=torch.channels_last) for p in parts], 1, 0.08, 90)
        yield case(name + "_out", [a, c], 1, torch.quantize_per_tensor(torch.zeros(2, 7, 4, 5), 0.06, 70, torch.quint8))
    yield from errors("quantized::add", (quantized((3, 4)), quantized((3, 5)), 0.1, 0), (make((3, 4)), make((3, 4)), 0.1, 0))


def functions():
    for dtype, zero in ((torch.quint8, 120), (torch.quint8, 3), (torch.qint8, -5)):
        for shape, layout in (((7,), CONTIGUOUS), ((3, 40), CONTIGUOUS), ((2, 3, 4, 5), CHANNELS_LAST), ((2, 3, 4, 5), TRANSPOSED)):
            x = torch.quantize_per_tensor(make(shape, layout=layout) * 3, 0.05, zero, dtype)
            yield case("aten::relu", x)
            yield case("aten::relu_", x.clone())
            if dtype != torch.quint8 or layout != CHANNELS_LAST:  # there PyTorch's engine takes the elements in another order
                yield case("aten::hardtanh", x, -0.5, 2.0)
                yield case("aten::clamp", x, 0.1, 1.5)
                yield case("quantized::clamp", x, 0.1, 1.5)
                yield case("quantized::relu6", x)
                yield case("aten::relu6", x)
            yield case("aten::hardsigmoid", x)
            if dtype == torch.quint8:
                yield case("quantized::hardswish", x, 0.03, 20)
            yield case("quantized::leaky_relu", x, 0.1, False, 0.0373, 7)
            yield case("aten::sigmoid", x)
            yield case("aten::tanh", x)
            yield case("quantized::elu", x, 0.0373, 30, 1.0, 1.0, 1.0)
            yield case("quantized::sigmoid", x, 1 / 200, 10)


def pools():
    for layout in (CONTIGUOUS, CHANNELS_LAST):
        for scale, zero in ACTIVATIONS:
            x = quantized((2, 5, 12, 8), scale, zero, layout=layout)
            for kernel, stride, padding in (([3, 3], [2, 2], [1, 1]), ([2, 2], [], [0, 0]), ([3, 2], [1, 2], [1, 0])):
                yield case("aten::max_pool2d", x, kernel, stride, padding)
                yield case("quantized::max_pool2d", x, kernel, stride or kernel, padding, [1, 1], False)
                yield case("aten::avg_pool2d", x, kernel, stride, padding)
            yield case("aten::max_pool2d", x, [3, 3], [2, 2], [0, 0], [1, 1], True)
            for size in ([1, 1], [3, 2], [6, 8]):
                yield case("aten::adaptive_avg_pool2d", x, size)
            yield case("aten::mean.dim", x, [2, 3])
            yield case("aten::mean.dim", x, [2, 3], True)


def recurrent():
    def packed(gates, inputs, hidden=12):
        return (Call("quantized::linear_prepack", weight((gates * hidden, inputs)), make((gates * hidden,))),
                Call("quantized::linear_prepack", weight((gates * hidden, hidden)), make((gates * hidden,))))

    def params(gates, inputs):
        return Call("quantized::make_quantized_cell_params_dynamic", *packed(gates, inputs), make((gates * 12,)), make((gates * 12,)), False)

    x = make((4, 5, 7))
    for layers, both in ((1, False), (1, True), (2, False)):
        sets = [7, 7] if both else [7] + [12] * (layers - 1)
        h, c = make((len(sets), 5, 12)), make((len(sets), 5, 12))
        yield case("aten::quantized_lstm.input", x, [h, c], [params(4, n) for n in sets], True, layers, 0.0, False, both, False,
                   dtype=torch.qint8, use_dynamic=True)
        yield case("aten::quantized_gru.input", x, h, [params(3, n) for n in sets], True, layers, 0.0, False, both, False)
        packed_x, batches = make((11, 7)), torch.tensor([5, 3, 2, 1])
        yield case("aten::quantized_lstm.data", packed_x, batches, [h, c], [params(4, n) for n in sets], True, layers, 0.0, False, both,
                   dtype=torch.qint8, use_dynamic=True)
        yield case("aten::quantized_gru.data", packed_x, batches, h, [params(3, n) for n in sets], True, layers, 0.0, False, both)
    yield case("aten::quantized_gru.input", make((5, 4, 7)), make((1, 5, 12)), [params(3, 7)], True, 1, 0.0, False, False, True)
    h, c = make((5, 12)), make((5, 12))
    yield case("quantized::quantized_lstm_cell_dynamic", make((5, 7)), [h, c], *packed(4, 7), make((48,)), make((48,)))
    yield case("quantized::quantized_gru_cell_dynamic", make((5, 7)), h, *packed(3, 7), make((36,)), make((36,)))
    yield case("quantized::quantized_rnn_relu_cell_dynamic", make((5, 7)), h, *packed(1, 7), make((12,)), make((12,)))
    yield case("quantized::quantized_rnn_tanh_cell_dynamic", make((5, 7)), h, *packed(1, 7), make((12,)), make((12,)))


def norms():
    stats = [make((5,)), make((5,)), make((5,)), make((5,)).abs() + 0.5, 1e-5]
    for name, shape in (("1d", (4, 5)), ("1d", (4, 5, 6)), ("2d", (2, 5, 7, 3)), ("3d", (2, 5, 3, 4, 3))):
        for relu in ("", "_relu"):
            for dtype, zero in ((torch.quint8, 100), (torch.qint8, 3)):
                x = quantized(shape, 0.031, zero, dtype)
                yield case(f"quantized::batch_norm{name}{relu}", x, *stats, 0.0513, 90)
                yield case(f"quantized::batch_norm{relu}", x, *stats, 0.0513, 90)
    yield case("quantized::batch_norm2d", quantized((2, 5, 7, 3), layout=CHANNELS_LAST), *stats, 0.0513, 90)
    yield from errors("quantized::batch_norm2d", (quantized((2, 4, 7, 3)), *stats, 0.05, 90), (quantized((2, 5, 7)), *stats, 0.05, 90))


def embedding():
    table = torch.quantize_per_channel(make((9, 6)), torch.linspace(0.01, 0.03, 9), torch.linspace(90, 130, 9), 0, torch.quint8)
    packed = Call("quantized::embedding_bag_prepack", table)
    yield case("quantized::embedding_bag_unpack", packed, compare="meta")  # PyTorch's scales die with the packed object
    for dtype in (torch.int32, torch.int64):
        indices = torch.tensor([3, 8, 0, 0, 5, 1, 2], dtype=dtype)
        yield case("quantized::embedding_byte", packed, indices)
        for offsets in ([0], [0, 2, 2, 5]):
            yield case("quantized::embedding_bag_byte", packed, indices, torch.tensor(offsets, dtype=dtype))
        yield case("quantized::embedding_bag_byte", packed, indices, torch.tensor([0, 3, 7], dtype=dtype), include_last_offset=True)
        yield case("quantized::embedding_bag_byte", packed, indices, torch.tensor([0, 3], dtype=dtype), per_sample_weights=make((7,)))
    yield from errors("quantized::embedding_byte", (packed, torch.tensor([9])), (packed, torch.tensor([-1])))


def refused():
    flat, other = make((8, 4)), Call("quantized::conv2d_prepack", weight((8, 4, 3, 3)), None, [1, 1], [0, 0], [1, 1], 1)
    for op in ("conv1d", "conv2d", "conv3d", "conv"):
        yield from errors(f"quantized::{op}_prepack", (flat, None, [1], [0], [1], 1), (weight((8, 4)), None, [1], [0], [1], 1))
    for op in ("conv_transpose1d", "conv_transpose2d", "conv_transpose3d"):
        yield from errors(f"quantized::{op}_prepack", (flat, None, [1], [0], [0], [1], 1), (weight((8, 4)), None, [1], [0], [0], [1], 1))
    yield from errors("quantized::linear_prepack_fp16", (weight((8, 4)),), (make((8, 4, 2)),))
    yield from errors("quantized::embedding_bag_prepack", (weight((8, 4)),), (quantized((8, 4)),))
    yield from errors("quantized::make_quantized_cell_params_dynamic", (other, other, make((8,)), make((8,)), False))
    yield from errors("quantized::make_quantized_cell_params_fp16", (other, other))
    yield from errors("quantized::linear_relu_dynamic_fp16", (flat, other))
    yield from errors("quantized::linear_unpack_fp16", (other,))


def cases():
    yield from refused()
    yield from embedding()
    yield from norms()
    yield from recurrent()
    yield from linear()
    yield from conv()
    yield from transposed()
    yield from arithmetic()
    yield from functions()
    yield from pools()
