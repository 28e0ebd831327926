"""Values and arguments at the edge of what operators take: NaN bounds, numbers that do not fit, dtypes that differ."""
import torch

from lib.case import *
from lib.tensors import *

NAN, INF = float("nan"), float("inf")


def conversions():
    values = [NAN, INF, -INF, 1e10 + 255, -1e10 - 3, 5e9 + 7, 3e9, -3e9, 1e30, 65537.5, -2.5, 300.0, 40000.0,
              2147483647.0, 2147483648.0, -2147483648.0, -2147483649.0]
    for source in FLOATING + COMPLEX:
        for count in (1, 7, 17, 68):
            x = torch.tensor((values * 4)[:count], dtype=torch.float64).to(source)
            for dtype in INTS:
                yield case("aten::to.dtype", x, dtype)
                yield case("aten::copy_", torch.zeros(count, dtype=dtype), x)
        for dtype in INTS:
            yield case("aten::to.dtype", torch.tensor(values, dtype=torch.float64).to(source)[::2], dtype)


def bounds():
    for dtype in FLOATING:
        x = make((3, 4), dtype, special=True)
        for op in ("aten::clamp_min", "aten::clamp_max"):
            yield from with_variants(op, x, NAN)
        yield case("aten::clamp", x, NAN, None)
        yield case("aten::clamp", x, None, NAN)
        yield case("aten::clamp", x, 0.5, NAN)


        yield from with_variants("aten::hardtanh", x, 0, NAN)
        yield from with_variants("aten::hardtanh", x, NAN, 1)


def sixteen_bits():
    whole = [2049, 2049, 257, 70001, 257, 2**30]
    for dtype in HALVES:
        x = torch.tensor([1.0, 2048.0, 0.5, -3.0, 256.0, INF], dtype=dtype)
        for kind in (torch.int32, torch.int64, torch.int16):
            y = torch.tensor([v % 2**15 for v in whole] if kind == torch.int16 else whole, dtype=kind)
            for op in ("add", "sub", "mul", "div", "eq", "ne", "lt", "ge", "fmod", "remainder"):
                yield case(f"aten::{op}.Tensor", x, y)
                yield case(f"aten::{op}.Tensor", y, x)
                yield case(f"aten::{op}.Tensor", x[:, None], y[None])
                yield case(f"aten::{op}.Tensor", y[::2], x[::2])
                yield case(f"aten::{op}.Tensor", x.repeat(200)[None], y[:, None])


    for dtype in HALVES:
        source = "def forward(self, x, i):\n  return x * i + i, (x - i) * (x == i), torch.abs(x) * i"
        yield program(f"integers in {short(dtype)}", source, make((4, 40), dtype), torch.arange(2000, 2160).view(4, 40))


def numbers():
    for a in (8 + 1j, -2 - 1j):
        for b in (-2, 2, 0):
            yield case("aten::log.complex_int", a, b)
            yield case("aten::log.int_complex", b, a)
            yield case("aten::log.complex_float", a, float(b))
            yield case("aten::log.float_complex", float(b), a)


def scans():
    for op in ("aten::cumsum", "aten::cumprod"):
        for dtype in (torch.float32, torch.int32, torch.int8, torch.complex64):
            x = make((3, 4), dtype)
            for other in (torch.float32, torch.float64, torch.int64, torch.int32, torch.complex64):
                if dtype.is_complex and not other.is_complex:
                    continue
                yield case(op + "_", x.clone(), 1, dtype=other, message=True)
                yield case(op + ".out", x, 1, dtype=other, out=torch.empty(3, 4, dtype=dtype), message=True)
                yield case(op + ".out", x, 1, out=torch.empty(0, dtype=other))
            yield case(op + "_", x.clone(), 0)


def gammas():
    whole = make((4,), torch.int64, 1, 5)
    for op in ("aten::igamma", "aten::igammac"):
        yield from errors(op, (whole, whole), (whole, make((4,), torch.bool)), message=True)
        yield case(op, whole, make((4,), low=1, high=3))


def draws():
    for mean, std in ((torch.float32, torch.float64), (torch.float64, torch.float32)):
        yield case("aten::normal.Tensor_Tensor", make((40,), mean), make((40,), std, 0, 2))


def joins():
    empty = torch.empty(0)
    for dim in (-2, 1, 5):
        yield case("aten::cat", [empty], dim)
        yield case("aten::concat", [empty, empty], dim)
    yield case("aten::cat", [empty, make((2, 3))], 5)
    yield case("aten::flatten_dense_tensors", [make((2, 3))])
    yield case("aten::flatten_dense_tensors", [make((4,))])


def dtypes_of_norms():
    for x in (make((3, 4)), make((3, 4), torch.float64), make((3, 4), torch.complex64)):
        for dtype in (torch.float16, torch.float32, torch.float64, torch.complex64, torch.complex128, torch.int64):
            if dtype == torch.float16 and x.dtype == torch.float16:
                continue
            yield case("aten::linalg_vector_norm", x, 2, dtype=dtype, message=True)
            for order in (1, INF, 2):
                yield case("aten::linalg_matrix_norm", x, order, dtype=dtype, message=True)
            for order in ("fro", "nuc"):
                yield case("aten::linalg_matrix_norm.str_ord", x, order, dtype=dtype, message=True)


def losses():
    p, b = make((3, 4), low=0.1, high=0.9), make((3, 4), torch.bool)
    whole = make((3,), torch.int64)
    yield from errors("aten::kl_div", (whole, p[0, :3]), (p[0, :3], whole), message=True)
    yield from errors("aten::l1_loss", (b, p), (p, b), message=True)
    for smoothing in (-0.5, 1.5, INF):
        yield case("aten::cross_entropy_loss", p, p, None, 1, -100, smoothing, message=True)
    for reduction in (-1, 3):
        yield case("aten::cross_entropy_loss", p, p, None, reduction, message=True)
    yield from errors("aten::isin.Tensor_Scalar", (p, True), message=True)
    yield from errors("aten::isin.Scalar_Tensor", (False, p), message=True)


def pools():
    yield from errors("aten::avg_pool3d", (make((2, 3, 1, 7, 8)), [3], [], [1]), (make((2, 3, 4, 2, 8)), [3], [], [1]),
                      message=True)
    yield case("aten::adaptive_avg_pool3d", make((2, 0, 6, 7, 8)), [3, 2, 2])
    yield case("aten::adaptive_avg_pool3d", make((0, 2, 6, 7, 8)), [3, 2, 2])


def products():
    for beta, alpha in ((0, 2), (1, 2), (0.5, 1), (True, 1), (1, False)):
        yield case("aten::addr", make((3, 4), layout=TRANSPOSED), make((3,)), make((4,)), beta=beta, alpha=alpha,
                   message=True)


def least_squares():
    tall, wide, right = make((2, 6, 3), torch.float64), make((2, 3, 6), torch.float64), make((2, 6, 2), torch.float64)
    poor = torch.cat([tall[..., :2], tall[..., :1] - tall[..., 1:2]], -1)
    for driver in (None, "gels", "gelsy", "gelsd", "gelss", "GELSY"):
        for dtype in (torch.float64, torch.float32, torch.complex128):
            yield case("aten::linalg_lstsq", tall.to(dtype), right.to(dtype), driver=driver, rtol=2e-4)
            yield case("aten::linalg_lstsq", wide.to(dtype), right[:, :3].to(dtype), driver=driver, rtol=2e-4)
        yield case("aten::linalg_lstsq", make((40, 20), torch.float64), make((40, 3), torch.float64), driver=driver)
        if driver != "gels":
            yield case("aten::linalg_lstsq", poor, right, driver=driver)
            yield case("aten::linalg_lstsq", tall, right, 1e-3, driver=driver)
    yield case("aten::linalg_lstsq", tall[0], right[0], 3.0)
    yield case("aten::linalg_lstsq", tall[0], right[0], 3.0, "gelss")


def scales():
    x = torch.quantize_per_tensor(make((2, 3)), 0.1, 10, torch.quint8)
    broken = torch._make_per_tensor_quantized_tensor(x.int_repr(), NAN, 10)
    for op in ("quantized::cat", "quantized::cat_relu"):
        yield case(op, [x, x], 1, NAN, 10, compare="meta")
        yield case(op, [broken, x], 1, None, None, compare="meta")
    yield case("aten::cat", [broken, broken], 0, compare="meta")
    yield case("aten::cat", [broken, x], 0, compare="meta")


def determinants():
    for value in (NAN, INF, -INF, 0.0):
        x = make((2, 3, 3), torch.float64)
        x[0] = torch.eye(3) * torch.tensor([2.0, -3.0, value])
        yield case("aten::linalg_slogdet", x)


def destinations():
    x = make((3, 3))
    yield from errors("aten::linalg_inv.out", (x,), out=torch.zeros(3, 1).expand(3, 3), message=True)
    positive = x @ x.t() + torch.eye(3)
    yield from errors("aten::linalg_cholesky.out", (positive,), out=torch.zeros(1, 3).expand(3, 3), message=True)
    wide = torch.ones(3, 1, dtype=torch.float64).expand(3, 4)
    yield from errors("aten::float_power_.Scalar", (wide, 0.5), message=True)


def cases():
    for part in (conversions, bounds, sixteen_bits, numbers, scans, gammas, draws, joins, dtypes_of_norms, losses, pools,
                 products, least_squares, scales, determinants, destinations):
        yield from part()
