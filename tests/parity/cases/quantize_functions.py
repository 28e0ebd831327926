"""quantized:: operators that compute in floats, embedding tables of few bits, sparse layers, and numbers in tensors."""
import torch

from lib.case import *
from lib.tensors import *

torch.backends.quantized.engine = "qnnpack"

PARAMS = ((0.05, 10), (0.02, 128), (0.1, 0), (0.013, 255))


def quantized(shape, scale=0.05, zero=10, dtype=torch.quint8, layout=CONTIGUOUS, seed=0):
    return torch.quantize_per_tensor(make(shape, layout=layout, seed=seed), scale, zero, dtype)


def inputs(shape, layout=CONTIGUOUS):
    for scale, zero in PARAMS:
        yield quantized(shape, scale, zero, layout=layout)
    yield quantized(shape, 0.03, -7, torch.qint8, layout)


ONE = 1  # what vectorized and plain builds of PyTorch differ by


def norms():
    for x in inputs((3, 4, 6)):
        for w, b in ((make((6,)), make((6,), seed=1)), (None, None)):
            yield case("quantized::layer_norm", x, [6], w, b, 1e-5, 0.04, 100, quanta=ONE)
        yield case("quantized::layer_norm", x, [4, 6], None, None, 1e-5, 0.04, 100, quanta=ONE)
    for layout in (CONTIGUOUS, CHANNELS_LAST):
        for x in inputs((2, 6, 4, 5), layout):
            for w, b in ((make((6,)), make((6,), seed=1)), (None, None)):
                yield case("quantized::group_norm", x, 3, w, b, 1e-5, 0.04, 100, quanta=ONE)
                yield case("quantized::instance_norm", x, w, b, 1e-5, 0.04, 100, quanta=ONE)
    yield from errors("quantized::group_norm", (quantized((2, 6)), 3, None, None, 1e-5, 0.04, 100),
                      (quantized((2, 6, 4)), 4, None, None, 1e-5, 0.04, 100))


def functions():
    for x in inputs((3, 4, 5)):
        for scale, zero in ((0.1, 20), (1 / 256, 0)):
            if x.dtype == torch.qint8 and zero > 127:
                continue
            yield case("quantized::softmax", x, 2, scale, zero, quanta=ONE)
            yield case("quantized::softmax", x, 1, scale, zero, quanta=ONE, exact_strides=False)
        yield case("quantized::prelu", x, quantized((4,), dtype=x.dtype, seed=2), 0.04, 50, quanta=ONE)
        yield case("quantized::prelu", x, quantized((1,), dtype=x.dtype, seed=2), 0.04, 50, quanta=ONE)
        yield case("quantized::celu", x, 0.04, 50, 1.5, quanta=ONE)
        yield case("quantized::elu", x, 0.04, 50, 1.2, 0.9, 1.1, quanta=ONE)
        yield case("quantized::dropout", x, 0.04, 50, 0.5, False, aliases=False)
        yield case("quantized::threshold", x, 0.2, 0.7)
        yield case("quantized::matmul", x, quantized((3, 5, 6), x.q_scale(), x.q_zero_point(), x.dtype, seed=3), 0.08, 60,
                   quanta=ONE)
    yield from errors("quantized::celu", (quantized((3,)), 0.1, 3, 0.0))
    yield from errors("quantized::matmul", (quantized((2, 3)), quantized((4, 5)), 0.1, 3),
                      (quantized((2, 3)), quantized((3, 5), dtype=torch.qint8), 0.1, 3))


def numbers():
    for x in inputs((3, 5)):
        for value in (0.7, -0.7, 20.0, -20.0, 0.0):
            for op in ("add_scalar", "mul_scalar", "add_scalar_relu", "mul_scalar_relu"):
                yield case(f"quantized::{op}", x, value)
                yield case(f"quantized::{op}.Tensor", x, torch.tensor(value))


def into():
    for x in inputs((3, 5)):
        for value in (0.7, -20.0):
            for name in ("add", "mul"):
                # PyTorch leaves the result of mul_relu with a positive number where it was.
                for relu in ("", "_relu") if name == "add" or value < 0 else ("",):
                    yield case(f"quantized::{name}{relu}.Scalar_out", x, value, quantized((3, 5), dtype=x.dtype, seed=1))
                    yield case(f"quantized::{name}_scalar{relu}_out", x, value, quantized((3, 5), dtype=x.dtype, seed=1))
                    yield case(f"quantized::{name}_scalar{relu}_out.Tensor", x, torch.tensor(value),
                               quantized((3, 5), dtype=x.dtype, seed=1))


def second_names():
    """What the namespace _quantized says again."""
    q = lambda shape: torch.quantize_per_tensor(make(shape), 0.03, 0, torch.qint8)
    x = quantized((2, 4, 6, 5))
    yield case("_quantized::add", x, quantized((2, 4, 6, 5), 0.02, 3, seed=2), 0.07, 30)
    packed = Call("_quantized::conv2d_prepack", q((8, 4, 3, 3)), make((8,)), [1, 1], [1, 1], [1, 1], 1)
    yield case("_quantized::conv2d", x, packed, 0.1, 40)
    yield case("_quantized::conv2d_relu", x, packed, 0.1, 40)
    packed = Call("_quantized::conv3d_prepack", q((8, 4, 3, 3, 3)), make((8,)), [1] * 3, [1] * 3, [1] * 3, 1)
    yield case("quantized::conv3d.new", quantized((2, 4, 5, 5, 5)), packed, 0.1, 40)
    for d in (1, 2):
        packed = Call(f"_quantized::conv_transpose{d}d_prepack", q((4, 6) + (3,) * d), make((6,)), [1] * d, [1] * d, [0] * d, [1] * d, 1)
        yield case(f"_quantized::conv_transpose{d}d", quantized((2, 4) + (5,) * d), packed, 0.1, 40)
        yield from errors(f"_quantized::conv_transpose{d}d_prepack", (make((4, 6) + (3,) * d), None, [1] * d, [1] * d, [0] * d, [1] * d, 1))
    for d in (2, 3):
        yield from errors(f"_quantized::conv{d}d_prepack", (make((8, 4) + (3,) * d), None, [1] * d, [1] * d, [1] * d, 1))
    yield from errors("_quantized::linear_prepack", (make((7, 12)),), (q((7, 12, 1)),))
    packed = Call("_quantized::linear_prepack", q((7, 12)), make((7,)))
    yield case("_quantized::linear", quantized((3, 12)), packed, 0.1, 40)
    yield case("_quantized::linear_dynamic", make((3, 12)), packed)
    yield case("aten::quantized_batch_norm", x, make((4,), low=0.5, high=2), make((4,)), make((4,)), make((4,), low=0.5, high=2), 1e-5,
               0.05, 60)


def embedding():
    w = make((6, 8))
    rows = torch.tensor([0, 5, 2, 2])
    bags = (torch.tensor([0, 5, 2, 2, 1]), torch.tensor([0, 2, 2]))
    weights = make((5,), seed=4)
    for name in ("byte", "4bit", "2bit"):
        packed = Call(f"quantized::embedding_bag_{name}_prepack", w)
        yield case(f"quantized::embedding_bag_{name}_prepack", w)
        yield case(f"quantized::embedding_bag_{name}_prepack", torch.full((3, 8), 0.25))
        if name != "byte":
            yield case(f"quantized::embedding_bag_{name}_prepack", make((3, 8), torch.float16))
            yield case(f"quantized::embedding_bag_{name}_prepack", make((5, 24)), True)
            yield case(f"quantized::embedding_bag_{name}_prepack", make((5, 24)), True, 50, 0.4)
        yield case(f"quantized::embedding_bag_{name}_unpack", packed)
        yield case(f"quantized::embedding_bag_{name}_rowwise_offsets", packed, *bags)
        yield case(f"quantized::embedding_bag_{name}_rowwise_offsets", packed, *bags, False, 0, False, weights)
        yield from errors(f"quantized::embedding_bag_{name}_rowwise_offsets", (packed, torch.tensor([0, 9]), torch.tensor([0])))
    yield from errors("quantized::embedding_bag_4bit_prepack", (make((3, 5)),))
    yield from errors("quantized::embedding_bag_2bit_prepack", (make((3, 6)),))


def ranges():
    for bits in (2, 4, 8):
        for bins, ratio in ((200, 0.16), (30, 0.5), (10, 0.0)):
            yield case("aten::choose_qparams_optimized", make((40,)), 40, bins, ratio, bits)
    yield case("aten::choose_qparams_optimized", make((6, 9)), 20, 100, 0.2, 4)
    yield case("aten::choose_qparams_optimized", torch.full((8,), 0.5), 8, 200, 0.16, 4)
    yield from errors("aten::choose_qparams_optimized", (make((4,)), 5, 200, 0.16, 4), (make((4,), torch.float64), 4, 200, 0.16, 4))


def sparse():
    w = make((12, 16))
    w[2:6] = 0
    w[:, 8:12] = 0
    q = torch.quantize_per_tensor(w, 0.03, 0, torch.qint8)
    yield from errors("sparse::qlinear_prepack", (w, None, 1, 4), (q.reshape(12, 16, 1), None, 1, 4))
    c = torch.quantize_per_channel(w, torch.linspace(0.01, 0.05, 12), torch.zeros(12, dtype=torch.long), 0, torch.qint8)
    for weight in (q, c):
        for bias in (make((12,)), None):
            for block in ((1, 4),):
                packed = Call("sparse::qlinear_prepack", weight, bias, *block)
                yield case("sparse::qlinear_unpack", packed)
                for shape in ((1, 16), (5, 16), (2, 3, 16)):
                    yield case("sparse::qlinear_dynamic", make(shape), packed, rtol=1e-5, atol=1e-5)
                    yield case("sparse::qlinear_relu_dynamic", make(shape), packed, rtol=1e-5, atol=1e-5)


def observers():
    for on, fake in ((1, 1), (1, 0), (0, 1)):
        for symmetric in (False, True):
            for low, high in ((float("inf"), float("-inf")), (-1.0, 2.0)):
                if on == 0 and low > high:
                    continue
                for x in (make((4, 5)), make((2, 3, 4))):
                    state = lambda: (torch.tensor([low]), torch.tensor([high]), torch.tensor([1.0]), torch.tensor([0], dtype=torch.int32))
                    yield case("aten::fused_moving_avg_obs_fake_quant", x, torch.tensor([on]), torch.tensor([fake]), *state(), 0.01,
                               0, 255, 0, False, symmetric)
                    yield case("aten::_fused_moving_avg_obs_fq_helper", x, torch.tensor([on]), torch.tensor([fake]), *state(), 0.1,
                               -128, 127, 0, False, symmetric)
                    n = x.shape[0]
                    rows = (torch.full((n,), low), torch.full((n,), high), torch.ones(n), torch.zeros(n, dtype=torch.int32))
                    yield case("aten::fused_moving_avg_obs_fake_quant", x, torch.tensor([on]), torch.tensor([fake]), *rows, 0.01,
                               -128, 127, 0, True, symmetric)
    for zero in (3.4, -300.0, 300.0):
        yield case("aten::_fake_quantize_learnable_per_tensor_affine", make((3, 4)), torch.tensor([0.05]), torch.tensor([zero]), 0, 255)
    yield case("aten::_fake_quantize_learnable_per_channel_affine", make((3, 4)), torch.tensor([0.05, 0.1, 0.02]),
               torch.tensor([1.4, 100.0, 300.0]), 0, 0, 255)


def narrow():
    scales, zeros = torch.tensor([0.1, 0.2, 0.05]), torch.tensor([3, 1.5, 2])
    special = torch.tensor([float("nan"), 3e4, -3e4, 0, 1e6, -1e6, 0.1, -0.1]).repeat(3, 1)
    for dtype in (torch.quint4x2, torch.quint2x4):
        for x in (make((3, 8)), make((3, 10), low=-0.5, high=1.5), make((3, 7)), make((3, 2, 4), layout=TRANSPOSED), make((3, 0)), special):
            yield case("aten::quantize_per_channel", x, scales, zeros, 0, dtype)
            yield case("aten::quantize_per_tensor", x, 0.13, 2, dtype)
            q = torch.quantize_per_channel(x, scales, zeros, 0, dtype)
            yield case("aten::dequantize.self", q)
            yield case("aten::int_repr", q)
            yield case("aten::equal", q, q)
            yield case("aten::q_per_channel_zero_points", q)
            yield case("aten::dequantize.self", torch.quantize_per_tensor(x, 0.13, 2, dtype))
        yield case("aten::quantize_per_channel", make((4, 3)), scales, zeros, 1, dtype)
        yield from errors("aten::quantize_per_channel", (make((3, 8)), scales, torch.arange(3), 0, dtype))
        yield from errors("aten::flip", (torch.quantize_per_channel(make((3, 8)), scales, zeros, 0, dtype), [0]))
    for name, mode in (("embedding_4bit(table, rows)", 16), ("embedding_bag_4bit(table, rows, torch.tensor([0, 2]))", 16),
                       ("embedding_byte(table, rows)", 13), ("embedding_bag_unpack(table).int_repr()", 13), ("embedding_bag_unpack(table).int_repr()", 16)):
        yield program(name, f"""
def forward(self, weight: Tensor, scales: Tensor, zeros: Tensor, rows: Tensor) -> Tensor:
    table = torch.ops.quantized.embedding_bag_prepack(torch.quantize_per_channel(weight, scales, zeros, 0, {mode}))
    return torch.ops.quantized.{name}
""", make((3, 8)), scales, zeros, torch.tensor([0, 2, 1, 1]))


class Table(torch.nn.Module):
    def __init__(self):
        super().__init__()
        table = torch.quantize_per_channel(make((6, 8)), torch.linspace(0.1, 0.2, 6), torch.linspace(3, 9, 6), 0, torch.quint4x2)
        self.table = torch.ops.quantized.embedding_bag_prepack(table)

    def forward(self, rows):
        return (torch.ops.quantized.embedding_4bit(self.table, rows),
                torch.ops.quantized.embedding_bag_4bit(self.table, rows, torch.tensor([0, 2])))


class Sparse(torch.nn.Module):
    def __init__(self, axis):
        super().__init__()
        w = make((12, 16))
        w[2:6] = 0
        q = torch.quantize_per_tensor(w, 0.03, 0, torch.qint8) if axis is None else torch.quantize_per_channel(
            w, torch.linspace(0.01, 0.05, 12), torch.zeros(12, dtype=torch.long), axis, torch.qint8)
        self.packed = torch.ops.sparse.qlinear_prepack(q, make((12,)), 1, 4)

    def forward(self, x):
        return torch.ops.sparse.qlinear_dynamic(x, self.packed)


def stored():
    for axis in (None, 0):
        yield model(f"sparse linear layer, axis {axis}", torch.jit.script(Sparse(axis)), make((3, 16)), rtol=1e-5, atol=1e-5)
    yield model("embedding table of four bits", torch.jit.script(Table()), torch.tensor([0, 5, 2, 2]), rtol=1e-5, atol=1e-5)


def cases():
    for group in (norms, functions, numbers, into, second_names, embedding, stored, observers, ranges, sparse, narrow):
        yield from group()
