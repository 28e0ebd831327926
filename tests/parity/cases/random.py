"""Random operators: the same seed gives PyTorch's numbers."""
import torch

from lib.case import Generator, case, errors
from lib.tensors import ALL, CHANNELS_LAST, FLOATING, FLOATS, LAYOUTS, REAL, SLICED, TRANSPOSED, make

SIZES = [[], [1], [3], [15], [16], [17], [31], [32], [33], [100], [2, 3], [4, 5], [3, 0], [2, 3, 4, 5], [1000]]


def _created():
    for dtype in FLOATING + [torch.complex64, torch.complex128]:
        for size in SIZES:
            yield case("aten::rand", size, dtype=dtype)
            yield case("aten::randn", size, dtype=dtype)
    for dtype in REAL:
        for size in SIZES:
            yield case("aten::randint", 2, size, dtype=dtype)
        if dtype != torch.bool:
            yield case("aten::randint.low", 3, 100, [40], dtype=dtype)
    yield case("aten::randint.low", -5, 2 ** 40, [20])
    yield case("aten::randint", 2 ** 32, [20])
    yield case("aten::randint", 2 ** 32 - 1, [20])
    for n in (0, 1, 2, 10, 100, 1000):
        for dtype in (torch.int64, torch.int32, torch.float32, torch.float64):
            yield case("aten::randperm", n, dtype=dtype)
    for op, args in (("rand", ([20],)), ("randn", ([20],)), ("randint", (9, [20])), ("randint.low", (2, 9, [20])), ("randperm", (20,))):
        generator = "_generator" if "." in op else ".generator"
        yield case(f"aten::{op}{generator}", *args, generator=Generator(7))
        out = torch.empty(0, dtype=torch.int64 if "randp" in op else torch.float32)
        yield case(f"aten::{op}{generator}_out", *args, generator=Generator(7), out=out)
        yield case(f"aten::{op}{'_out' if '.' in op else '.out'}", *args, out=out)
    for layout in LAYOUTS:
        t = make((2, 3, 4, 5), layout=layout)
        for op, args in (("rand_like", ()), ("randn_like", ()), ("randint_like", (9,)), ("randint_like.low_dtype", (3, 9))):
            yield case("aten::" + op, t, *args)
            yield case("aten::" + op, t, *args, dtype=torch.float64)
            yield case("aten::" + op, t, *args, memory_format=torch.channels_last)
    for op, args in (("rand_like.out", ()), ("randn_like.out", ()), ("randint_like.out", (9,)), ("randint_like.low_dtype_out", (3, 9))):
        yield case("aten::" + op, make((4, 5)), *args, out=torch.empty(0))
    yield from errors("aten::randperm", (-1,), message=True)
    yield case("aten::randperm", 3000, dtype=torch.float16, message=True)
    yield from errors("aten::randint.low", (5, 5, [2]), message=True)
    yield case("aten::randint", 300, [2], dtype=torch.int8, message=True)
    yield case("aten::rand", [2], dtype=torch.int64, message=True)
    yield case("aten::randn", [2], dtype=torch.int64, message=True)


def _filled():
    shapes = [make(tuple(s)) for s in ([], [5], [16], [40], [3, 7])] + [make((4, 8), layout=TRANSPOSED), make((4, 8), layout=SLICED),
                                                                         make((2, 3, 4, 5), layout=CHANNELS_LAST)]
    for t in shapes:
        for op, args in (("uniform_", ()), ("uniform_", (-2.0, 3.5)), ("normal_", ()), ("normal_", (1.5, 0.3)), ("exponential_", ()),
                         ("exponential_", (2.5,)), ("geometric_", (0.3,)), ("log_normal_", ()), ("log_normal_", (0.2, 0.7)), ("cauchy_", ()),
                         ("cauchy_", (1.0, 2.0)), ("random_", ()), ("random_.to", (50,)), ("random_.from", (-5, 5)), ("random_.from", (3, None)),
                         ("bernoulli_.float", (0.3,)), ("bernoulli_.float", ())):
            for dtype in FLOATS:
                yield case("aten::" + op, torch.empty_strided(t.shape, t.stride(), dtype=dtype).zero_(), *args)
            yield case("aten::" + op, torch.empty_strided(t.shape, t.stride()).zero_(), *args, generator=Generator(3))
    for op, args in (("uniform", (-2.0, 3.5)), ("exponential", (2.5,)), ("geometric", (0.3,)), ("log_normal", (0.2, 0.7)),
                     ("cauchy", (1.0, 2.0)), ("random", ()), ("random.to", (50,)), ("random.from", (-5, 5))):
        for t in (make((3, 7)), make((20,), torch.float64), make((4, 8), layout=TRANSPOSED)):
            yield case("aten::" + op, t, *args)
            yield case("aten::" + op, t, *args, generator=Generator(3))
    yield case("aten::normal.out", make((3, 7)), 1.0, 2.0, out=torch.empty(0))
    yield case("aten::normal.out", make((3, 7)), 1.0, 2.0, out=make((3, 7)))
    for dtype in REAL:
        yield case("aten::random_", torch.zeros(20, dtype=dtype))
        yield case("aten::bernoulli_.float", torch.zeros(20, dtype=dtype), 0.4)
        yield case("aten::bernoulli_.Tensor", torch.zeros(20, dtype=dtype), make((20,), low=0, high=1))
        if dtype != torch.bool:
            yield case("aten::geometric_", torch.zeros(20, dtype=dtype), 0.4)
            yield case("aten::random_.from", torch.zeros(20, dtype=dtype), 3, None)
    yield case("aten::random_.from", torch.zeros(20, dtype=torch.int64), -2 ** 63, None)
    for dtype in FLOATS:
        p = make((4, 5), dtype, 0, 1)
        yield case("aten::bernoulli", p)
        yield case("aten::bernoulli", make((4, 5), dtype, 0, 1, layout=TRANSPOSED))
        yield case("aten::bernoulli.p", p, 0.7)
        yield case("aten::bernoulli.Tensor", torch.zeros(4, 5), p)
        yield case("aten::bernoulli_.Tensor", torch.zeros(4, 5), make((5,), dtype, 0, 1))
        yield case("aten::bernoulli.out", p, out=torch.empty(0, dtype=dtype))
        yield case("aten::poisson", make((40,), dtype, 0, 9))
        yield case("aten::poisson", make((40,), dtype, 10, 200))
        yield case("aten::binomial", torch.full((40,), 12, dtype=dtype), make((40,), dtype, 0, 1))
        yield case("aten::binomial", torch.full((40,), 200, dtype=dtype), make((40,), dtype, 0, 1))
        yield case("aten::_standard_gamma", make((40,), dtype, 0.1, 6))
        yield case("aten::_sample_dirichlet", make((5, 4), dtype, 0.1, 6))
        for shape in ((7,), (3, 7)):
            w = make(shape, dtype, 0.1, 2)
            for n in (1, 3, 7):
                yield case("aten::multinomial", w, n)
                yield case("aten::multinomial", w, n, True)
            yield case("aten::multinomial", w, 20, True)
        for t in (make((5,), dtype), make((40,), dtype), make((4, 5), dtype)):
            yield case("aten::normal.Tensor_float", t, 0.5)
            yield case("aten::normal.float_Tensor", 0.5, t.abs())
            yield case("aten::normal.Tensor_Tensor", t, t.abs())
        yield case("aten::normal.Tensor_Tensor", make((4, 5), dtype), make((5,), dtype, 0, 2))
        yield case("aten::normal.float_float", 1.0, 2.0, [20], dtype=dtype)
        yield case("aten::normal_functional", make((20,), dtype), 1.0, 2.0)
    yield from errors("aten::uniform_", (make((2,)), 1.0, 0.0), (make((2,), torch.int64),), (make((2,)), -3e38, 3e38), message=True)
    yield from errors("aten::normal_", (make((2,)), 0.0, -1.0), (make((2,), torch.int64),), message=True)
    yield from errors("aten::random_.from", (make((2,)), 5, 5), (make((2,), torch.int8), 0, 300), (make((2,), torch.int8), -200, 3), message=True)
    yield from errors("aten::bernoulli_.float", (make((2,)), 2.0), message=True)
    yield from errors("aten::bernoulli", (make((2,), torch.float32, 2, 3),), (make((2,), torch.int64, 0, 1),), message=True)
    yield from errors("aten::exponential_", (make((2,)), -1.0), (make((2,), torch.int64),), message=True)
    yield from errors("aten::geometric_", (make((2,)), 0.0), (make((2,)), 1.0), message=True)
    yield from errors("aten::log_normal_", (make((2,)), 0.0, 0.0), (make((2,), torch.int64),), message=True)
    yield from errors("aten::multinomial", (make((2, 2, 2)), 1), (make((3,), torch.float32, 0, 1), 4), (torch.tensor([-1., 2.]), 1),
                      (torch.zeros(3), 1), (make((3,), torch.int64, 0, 3), 1), (make((3,), torch.float32, 0, 1), 0), (torch.zeros(3), 2, True),
                      (torch.tensor([-1., 2.]), 2, True), message=True)
    yield from errors("aten::poisson", (torch.tensor([-1.]),), (torch.tensor([1]),), message=True)
    yield from errors("aten::normal.Tensor_Tensor", (make((2,)), torch.tensor([-1., 1.])), message=True)


def _dropped():
    for p in (0.0, 0.3, 0.9, 1.0):
        for train in (True, False):
            for op in ("dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout"):
                for t in (make((3, 4, 5)), make((20, 2), torch.float64), make((2, 3, 4, 5), layout=CHANNELS_LAST)):
                    yield case("aten::" + op, t, p, train)
                    yield case("aten::" + op + "_", t.clone(), p, train)
            yield case("aten::native_dropout", make((3, 4, 5)), p, train)
        yield case("aten::native_dropout", make((3, 4)), p, None)
    yield from errors("aten::dropout", (make((2,)), 2.0, True), (make((2,)), -0.1, False), message=True)
    yield from errors("aten::feature_dropout", (make((2,)), 0.5, True), message=True)
    yield case("aten::dropout", make((0, 3)), 0.5, True)
    yield case("aten::manual_seed", 5)


def cases():
    yield from _created()
    yield from _filled()
    yield from _dropped()
