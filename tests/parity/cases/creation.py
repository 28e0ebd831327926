"""Creation of tensors: sizes, dtypes, memory formats, ranges, windows, Python values."""
import torch

from lib.case import case, errors, program
from lib.tensors import ALL, CHANNELS_LAST, FLOATING, FLOATS, INTS, LAYOUTS, REAL, make


def _filled():
    for size in ([], [0], [3], [2, 3], [2, 0, 3], [2, 3, 4, 5]):
        yield case("aten::empty.memory_format", size, compare="meta")
        for op in ("aten::zeros", "aten::ones"):
            yield case(op, size)
            yield case(op + ".out", size, out=torch.empty(0))
            yield case(op + ".out", size, out=torch.full((2, 3), 7, dtype=torch.int64))
        yield case("aten::full", size, 2.5)
        yield case("aten::full.out", size, 2.5, out=torch.empty(0))
    yield case("aten::empty.memory_format", [2, 3, 4, 5], memory_format=torch.channels_last, compare="meta")
    yield case("aten::empty.out", [2, 3], out=torch.empty(0), compare="meta")
    yield case("aten::empty_strided", [2, 3], [1, 2], compare="meta")
    yield case("aten::empty_strided", [2, 3], [5, 1], dtype=torch.int64, compare="meta")
    for value in (True, 3, 2.5, 1j):
        yield case("aten::full", [2, 3], value)
        yield case("aten::full_like", make((2, 3), torch.complex64), value)
        yield case("aten::scalar_tensor", value) if value != 1j else case("aten::scalar_tensor", value, dtype=torch.complex64)
    for dtype in ALL:
        for op in ("aten::zeros", "aten::ones"):
            yield case(op, [2, 3], dtype=dtype)
        yield case("aten::full", [2, 3], 1, dtype=dtype)
        if dtype != torch.bfloat16:
            yield case("aten::eye", 3, dtype=dtype)
        yield case("aten::scalar_tensor", 3, dtype=dtype)
        for op in ("aten::zeros_like", "aten::ones_like"):
            yield case(op, make((2, 3), dtype))
            yield case(op, make((2, 3)), dtype=dtype)
        for op in ("aten::new_zeros", "aten::new_ones"):
            yield case(op, make((2, 3), dtype), [4])
            yield case(op, make((2, 3)), [4], dtype=dtype)
        yield case("aten::new_full", make((2, 3), dtype), [4], 1)
        yield case("aten::new_empty", make((2, 3), dtype), [4, 2], compare="meta")
    for layout in LAYOUTS:
        t = make((2, 3, 4, 5), layout=layout)
        for memory_format in (None, torch.contiguous_format, torch.preserve_format, torch.channels_last):
            for op in ("aten::zeros_like", "aten::ones_like"):
                yield case(op, t, memory_format=memory_format)
            yield case("aten::full_like", t, 2, memory_format=memory_format)
            yield case("aten::empty_like", t, memory_format=memory_format, compare="meta")
        yield case("aten::new_empty_strided", t, [2, 3], [1, 2], compare="meta")
    for op, args in (("zeros_like", ()), ("ones_like", ()), ("full_like", (2,))):
        yield case(f"aten::{op}.out", make((2, 3)), *args, out=torch.empty(0))
    for op, args in (("new_zeros", ()), ("new_ones", ()), ("new_full", (2,))):
        yield case(f"aten::{op}.out", make((2, 3)), [3, 2], *args, out=torch.empty(0))
    yield case("aten::scalar_tensor.out", 3, out=torch.empty(0))
    yield from errors("aten::zeros", ([-1],), ([2, -3],), message=True)
    yield from errors("aten::empty.memory_format", ([-1],), message=True)
    yield case("aten::empty.memory_format", [2, 3], memory_format=torch.channels_last, message=True)
    yield case("aten::empty.memory_format", [2, 3], memory_format=torch.preserve_format, message=True)
    yield from errors("aten::empty_strided", ([2, 3], [1]), message=True)
    for n, m in ((3, 3), (2, 4), (4, 2), (0, 3), (0, 0)):
        yield case("aten::eye.m", n, m)
        yield case("aten::eye.m_out", n, m, out=torch.empty(0))
    yield case("aten::eye.out", 3, out=torch.full((3, 3), 9, dtype=torch.int64))
    yield from errors("aten::eye", (-1,), message=True)
    yield from errors("aten::eye.m", (2, -3), message=True)
    for op in ("aten::tril_indices", "aten::triu_indices"):
        for row, col in ((3, 3), (2, 5), (5, 2), (0, 3), (3, 0), (1, 1)):
            for offset in (-6, -2, -1, 0, 1, 3, 6):
                yield case(op, row, col, offset)
        yield case(op, 3, 3, 0, dtype=torch.int32)
        yield case(op + ".out", 3, 3, 0, out=torch.empty(0, dtype=torch.int64))
        yield from errors(op, (-1, 2), (2, -1), message=True)
        yield case(op, 3, 3, 0, dtype=torch.float32, message=True)
    yield case("aten::_shape_as_tensor", make((2, 3, 4)))
    yield case("aten::_shape_as_tensor", make(()))
    yield case("aten::_dim_arange", make((2, 3, 4)), 1)
    for dtype in FLOATS:
        for a, b in (((3,), (3,)), ((3, 1), (4,)), ((), ())):
            yield case("aten::complex", make(a, dtype), make(b, dtype, seed=1))
        yield case("aten::complex.out", make((3,), dtype), make((3,), dtype), out=torch.empty(0, dtype=torch.complex64 if dtype == torch.float32 else torch.complex128))
    yield from errors("aten::complex", (make((2,), torch.int64), make((2,), torch.int64)), (make((2,)), make((2,), torch.float64)), message=True)
    for dtype in REAL:
        if dtype not in (torch.float16, torch.bfloat16):
            yield case("aten::vander", make((4,), dtype))
            yield case("aten::vander", make((4,), dtype), 3, True)
    for n in (0, 1, 2, 6):
        yield case("aten::vander", make((4,)), n)
    yield case("aten::linalg_vander", make((2, 3)), N=5)
    yield case("aten::linalg_vander", make((3,), torch.int32))
    yield from errors("aten::vander", (make((2, 2)),), (make((2,)), -1), message=True)


def _ranges():
    for dtype in (None,) + tuple(REAL[:-1]):
        for end in (0, 1, 5, 17, 33, 4.5):
            yield case("aten::arange", end, dtype=dtype)
        for start, end in ((1, 5), (-3, 3), (0.5, 4.2)):
            if dtype != torch.uint8 or start >= 0:
                yield case("aten::arange.start", start, end, dtype=dtype)
        for start, end, step in ((0, 10, 3), (10, 0, -3), (0, 1, 0.1), (2.5, -1, -0.7), (0, 100, 0.3)):
            if (dtype is None or dtype.is_floating_point) or step == int(step):
                if dtype != torch.uint8 or step > 0:
                    yield case("aten::arange.start_step", start, end, step, dtype=dtype)
                    if dtype not in (None, torch.float16, torch.bfloat16):
                        yield case("aten::range.step", start, end, step, dtype=dtype)
    yield case("aten::range", 1, 5)
    yield case("aten::range.out_", 1, 5, out=torch.empty(0))
    yield case("aten::range.out", 1, 5, 2, out=torch.empty(0))
    yield case("aten::arange.out", 5, out=torch.empty(0))
    yield case("aten::arange.start_out", 1, 5, 2, out=torch.empty(0, dtype=torch.int64))
    yield from errors("aten::arange.start_step", (1, 5, 0), (5, 1, 1), (1, 5, -1), (0, float("inf"), 1), (0, float("nan"), 1), message=True)
    yield from errors("aten::range.step", (1, 5, 0), (5, 1, 1), message=True)
    for dtype in (None,) + tuple(REAL[:-1]) + (torch.complex64,):
        for steps in (0, 1, 2, 5, 50):
            yield case("aten::linspace", 0 if dtype == torch.uint8 else -3, 10, steps, dtype=dtype)
            if dtype != torch.float16:
                yield case("aten::logspace", 0, 3, steps, dtype=dtype)
        yield case("aten::linspace", 7.5, 2.25, 40, dtype=dtype)
        if dtype != torch.float16:
            yield case("aten::logspace", 0, 4, 9, 2.0, dtype=dtype)
    yield case("aten::linspace", 0, 1j, 5)
    yield case("aten::linspace.out", 0, 1, 5, out=torch.empty(0))
    yield case("aten::logspace.out", 0, 1, 5, out=torch.empty(0))
    yield from errors("aten::linspace", (0, 1, -1), message=True)
    yield from errors("aten::logspace", (0, 1, -1), message=True)


def _windows():
    for name in ("bartlett", "blackman", "hann", "hamming", "kaiser"):
        op = f"aten::{name}_window"
        for n in (0, 1, 2, 3, 8, 25):
            for dtype in (None, torch.float64):
                yield case(op, n, dtype=dtype, atol=1e-6)
                yield case(op + ".periodic", n, False, dtype=dtype, atol=1e-6)
        if name != "kaiser":
            yield case(op + ".out", 8, out=torch.empty(0), atol=1e-6)
        yield case(op, -1, message=True)
        yield case(op, 4, dtype=torch.int64)
    yield case("aten::hamming_window.periodic_alpha", 9, True, 0.6, atol=1e-6)
    yield case("aten::hamming_window.periodic_alpha_beta", 9, False, 0.6, 0.3, atol=1e-6)
    for beta in (0.0, 3.0, 12.0, 30.0):
        yield case("aten::kaiser_window.beta", 16, True, beta, atol=1e-6)


def _values():
    for data in ([1, 2, 3], [1.5, 2.0], [True, False], [[1, 2], [3, 4]], [[[1.0], [2.0]]]):
        yield case("aten::tensor", data)
        yield case("aten::as_tensor.list", data)
    for kind, value in (("int", 3), ("float", 2.5), ("bool", True), ("complex", 1 + 2j)):
        yield case("aten::tensor." + kind, value)
        yield from errors("aten::tensor." + kind, (value, None, None, True), message=True)
        yield case("aten::as_tensor." + kind, value)
        if kind != "complex":
            yield case("aten::tensor." + kind, value, dtype=torch.int32)
    yield case("aten::as_tensor", make((2, 3)))
    yield case("aten::as_tensor", make((2, 3)), dtype=torch.float64)
    yield program("tensors of lists", """
def forward(self, x: List[int], y: List[float], z: List[bool]):
  typed = (torch.tensor(x, dtype=torch.float64), torch.tensor(x, dtype=torch.bool), torch.tensor(y, dtype=torch.int64),
           torch.tensor(y, dtype=torch.float16), torch.tensor(z, dtype=torch.float32), torch.as_tensor(y, dtype=torch.int32))
  return typed
""", [0, 1, 2], [1.5, -2.5], [True, False])


def cases():
    yield from _filled()
    yield from _ranges()
    yield from _windows()
    yield from _values()
