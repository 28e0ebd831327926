"""Operators that PyTorch's own modules, tracers and passes write rather than people."""
import torch

from lib.case import *
from lib.tensors import *


def cases():
    for d in FLOATS:
        a, b, c = make((2, 3), d), make((4, 3), d), make((5, 4), d)
        yield from with_variants("aten::_trilinear", make((2, 3), d), make((4, 3, 5), d), make((2, 5), d), [1, 3], [0], [1, 2], [2, 3])
        yield case("aten::_trilinear", a, b, c, [0, 2], [0, 1], [3, 2], [], 0)
        yield case("aten::_trilinear", a, a, a, [], [], [], [0, 1])
        x = make((3, 4), d)
        yield from with_variants("aten::_logcumsumexp", x, 1)
        yield case("aten::_weight_norm_interface.out", x, make((3, 1), d), 0, out0=torch.empty(0, dtype=d), out1=torch.empty(0, dtype=d))
        yield case("aten::_no_grad_fill_", x.clone(), 2.5)
        yield case("aten::_no_grad_zero_", x.clone())
        yield case("aten::_no_grad_uniform_", make((50, 20), d), -1.0, 3.0, compare="random")
        yield case("aten::_no_grad_normal_", make((50, 20), d), -1.0, 3.0, compare="random")
    for d in (torch.float32, torch.int64):
        yield case("aten::resize", make((3, 4), d), [2, 6])
        yield case("aten::resize_as", make((3, 4), d), make((2, 3), d))
        yield case("aten::to_padded_tensor", make((3, 4), d), 0.0)
    for d in FLOATING:
        for cpu in (True, False):
            yield case("aten::_autocast_to_full_precision", make((3,), d), False, cpu, aliases=False)
            yield case("aten::_autocast_to_reduced_precision", make((3,), d), False, cpu, torch.float16, torch.bfloat16, aliases=False)
    for order in (None, torch.tensor([1, 0])):
        yield case("aten::_pack_sequence", make((5, 2)), torch.tensor([2, 2, 1]), order, order)
    for name in ("enter", "enter_new"):
        yield program(f"a span for the profiler: {name}", f"""
def forward(self, x):
    span = torch.ops.profiler._record_function_{name}("span", None)
    y = x + 1
    torch.ops.profiler._record_function_exit(span)
    return y
""", make((3,)))
    q = make((2, 3, 8))
    yield case("aten::_native_multi_head_attention.out", q, q, q, 8, 2, make((24, 8)), make((24,)), make((8, 8)), make((8,)),
               out0=torch.empty(0), out1=torch.empty(0))
