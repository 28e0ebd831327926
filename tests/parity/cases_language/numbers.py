from __future__ import annotations

import math
from typing import List, Tuple

import torch
from torch import Tensor

from lib.language import runs


@runs((7, 3), (-7, 3), (7, -3), (-7, -3), (0, 5), (9223372036854775807, 2))
def int_arithmetic(a: int, b: int) -> List[int]:
    return [a + b, a - b, a * b, a // b, a % b, -a, abs(a), a & b, a | b, a ^ b]


@runs((7, 3), (-7, 2), (1, 0), (0, 0))
def true_division(a: int, b: int) -> float:
    return a / b


@runs((7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (1.0, 0.0), (0.0, 0.0), (1e308, 1e-10))
def float_arithmetic(a: float, b: float) -> List[float]:
    return [a + b, a - b, a * b, a / b, a // b, a % b, -a, abs(a), a ** 2.0]


@runs((7, 2.5), (-3, 0.5))
def mixed_arithmetic(a: int, b: float) -> List[float]:
    return [a + b, b + a, a - b, b - a, a * b, b * a, a / b, b / a, a // b, b // a, a % b, b % a]


@runs((2, 10), (2, -2), (-3, 3), (0, 0), (10, 20))
def int_power(a: int, b: int) -> float:
    return a ** b


@runs((0, -1))
def zero_to_negative_power(a: int, b: int) -> float:
    return a ** b


@runs((2.0, 0.5), (-8.0, 3.0), (-8.0, 0.5))
def float_power(a: float, b: float) -> float:
    return a ** b


@runs((1, 4), (5, 0), (-8, 2), (1, 62))
def shifts(a: int, b: int) -> Tuple[int, int]:
    return a << b, a >> b


@runs((9223372036854775807,), (-9223372036854775808,))
def overflow_wraps(a: int) -> List[int]:
    return [a + 1, a - 1, a * 2, -a, abs(a)]


@runs((7, 0))
def division_by_zero(a: int, b: int) -> int:
    return a // b


@runs((7, 2), (-7, 2))
def divmod_ints(a: int, b: int) -> Tuple[int, int]:
    return divmod(a, b)


@runs((7.5, 2.0), (-7.5, 2.0), (7.5, 0.0))
def divmod_floats(a: float, b: float) -> Tuple[float, float]:
    return divmod(a, b)


@runs((2.5,), (3.5,), (-2.5,), (0.5,), (2.675,), (-0.4,))
def rounding(a: float) -> Tuple[float, int, int, int]:
    return round(a), math.floor(a), math.ceil(a), int(a)


@runs((math.inf,), (math.nan,))
def floor_of_infinity(a: float) -> int:
    return math.floor(a)


@runs((0.5,), (1.0,), (-0.25,))
def trigonometry(a: float) -> List[float]:
    return [math.sin(a), math.cos(a), math.tan(a), math.asin(a), math.acos(a), math.atan(a), math.sinh(a), math.cosh(a),
            math.tanh(a), math.asinh(a), math.atanh(a)]


@runs((0.5,), (10.0,), (1e-10,))
def exponentials(a: float) -> List[float]:
    return [math.exp(a), math.log(a), math.log10(a), math.log1p(a), math.expm1(a), math.sqrt(a), math.gamma(a), math.lgamma(a),
            math.erf(a), math.erfc(a), math.degrees(a), math.radians(a), math.fabs(-a)]


@runs((5,), (3,))
def exponentials_of_ints(a: int) -> List[float]:
    return [math.exp(a), math.log(a), math.sqrt(a), math.gamma(a), math.degrees(a), math.log(a, 2), math.log(a, 2.5)]


@runs((7.5, -2.0), (5.0, 3.0))
def float_pairs(a: float, b: float) -> List[float]:
    return [math.fmod(a, b), math.copysign(a, b), math.atan2(a, b), math.pow(a, 2.0), math.remainder(a, b)]


@runs((48, 18), (-12, 18), (0, 0))
def gcd(a: int, b: int) -> int:
    return math.gcd(a, b)


@runs((5,), (0,), (20,), (-1,))
def factorial(n: int) -> int:
    return math.factorial(n)


@runs((2.75,), (-0.5,), (0.0,))
def parts(a: float) -> Tuple[Tuple[float, float], Tuple[float, int], float]:
    return math.modf(a), math.frexp(a), math.ldexp(a, 3)


@runs((1.0,), (math.inf,), (math.nan,))
def classify(a: float) -> List[bool]:
    return [math.isnan(a), math.isinf(a), math.isfinite(a), a == a * 1.0]


@runs(())
def constants() -> List[float]:
    return [math.pi, math.e, math.inf, -math.inf, math.tau]


@runs((1, 2), (2, 2), (3, 2))
def int_comparisons(a: int, b: int) -> List[bool]:
    return [a < b, a <= b, a > b, a >= b, a == b, a != b]


@runs((1.5, 2.0), (math.nan, 1.0))
def float_comparisons(a: float, b: float) -> List[bool]:
    return [a < b, a <= b, a > b, a >= b, a == b, a != b]


@runs((1, 1.0), (2, 1.5))
def mixed_comparisons(a: int, b: float) -> List[bool]:
    return [a < b, a <= b, a > b, a >= b, a == b, a != b, b < a]


@runs((3, -5), (2, 2))
def min_max_ints(a: int, b: int) -> List[int]:
    return [min(a, b), max(a, b), min(a, b, 0), max(a, b, 1)]


@runs((3.5, -5.0), (2.0, math.nan), (math.nan, 2.0))
def min_max_floats(a: float, b: float) -> List[float]:
    return [min(a, b), max(a, b)]


@runs((3, 2.5), (1, 2.5))
def min_max_mixed(a: int, b: float) -> List[float]:
    return [min(a, b), max(a, b), min(b, a)]


@runs(([3, 1, 2],))
def list_extremes(x: List[int]) -> Tuple[int, int]:
    return min(x), max(x)


@runs((3,), (0,), (-1,))
def int_conversions(a: int) -> Tuple[float, bool, str, complex]:
    return float(a), bool(a), str(a), complex(a)


@runs((3.75,), (-3.75,), (0.0,))
def float_conversions(a: float) -> Tuple[int, bool, str]:
    return int(a), bool(a), str(a)


@runs(("12",), ("-7",), ("x",), ("1.5",), ("",), ("12 ",))
def parse_int(s: str) -> int:
    return int(s)


@runs(("1.5",), ("1e3",), ("inf",), ("x",), ("1.5 ",), ("",))
def parse_float(s: str) -> float:
    return float(s)


@runs((True,), (False,))
def bool_conversions(a: bool) -> Tuple[int, float, str]:
    return int(a), float(a), str(a)


@runs((True, False), (True, True))
def bool_bits(a: bool, b: bool) -> List[bool]:
    return [a & b, a | b, a ^ b]


@runs((1 + 2j, 3 - 1j), (1j, 1j), (2 + 0j, 0.5j))
def complex_arithmetic(a: complex, b: complex) -> List[complex]:
    return [a + b, a - b, a * b, a / b, -a, a ** b]


@runs((1 + 2j,), (-3 + 4j,))
def complex_parts(a: complex) -> Tuple[float, float, bool]:
    return abs(a), torch.angle(a), a == a


@runs((1.5, 2), (0.0, -1))
def make_complex(a: float, b: int) -> Tuple[complex, complex]:
    return complex(a, b), complex(b, a)


@runs((255,), (-8,), (0,))
def bases(a: int) -> Tuple[str, str, str]:
    return hex(a), oct(a), bin(a)


@runs((65,), (97,))
def characters(a: int) -> Tuple[str, int]:
    return chr(a), ord(chr(a))


@runs(([1, 2, 3],))
def sum_ints(x: List[int]) -> int:
    return sum(x)


@runs(([1.5, 2.5],))
def sum_floats(x: List[float]) -> float:
    return sum(x)


@runs((torch.tensor(2.5),), (torch.tensor([3]),), (torch.tensor([1, 2]),), (torch.tensor(1 + 2j),))
def numbers_of_tensor(x: Tensor) -> Tuple[int, float, bool]:
    return int(x), float(x), bool(x)


@runs((torch.tensor(2.5),), (torch.tensor(3),))
def item_arithmetic(x: Tensor) -> float:
    return float(x.item()) * 2 + 1


@runs((torch.tensor(3),), (torch.tensor(-2),))
def item_negated(x: Tensor) -> Tuple[int, float]:
    v = x.item()
    return int(-v), float(v)


@runs((torch.tensor(3), [1, 2, 3, 4]), (torch.tensor(1.5), [1]), (torch.tensor([1]), [1, 2]))
def implicit_int(i: Tensor, x: List[int]) -> int:
    return x[int(i)]


@runs((3,), (2**40,))
def number_to_tensor(n: int) -> Tuple[Tensor, Tensor]:
    return torch.tensor(n), torch.tensor(n * 0.5)


@runs((5, 3),)
def augmented(a: int, b: int) -> List[float]:
    x = float(a)
    x += b
    x -= 1.5
    x *= 2.0
    x /= 4.0
    y = a
    y = y // 2
    y *= y
    z = a
    z = z % b
    z = z << 3
    z |= 1
    z ^= 5
    z &= 13
    z = z >> 1
    return [x, float(y), float(z)]


@runs((10,), (255,))
def digits(n: int) -> List[int]:
    out: List[int] = []
    while n > 0:
        out.append(n % 10)
        n = n // 10
    out.reverse()
    return out


@runs((0.1,), (1e-7,), (123456.789,), (1e22,), (5.0,), (-0.0,))
def float_text(a: float) -> str:
    return str(a) + " " + str(a * 3) + " " + str(a == 0)


@runs((3, 4), (5, 12))
def hypotenuse(a: int, b: int) -> float:
    return math.sqrt(a * a + b * b)


@runs((100,))
def series(n: int) -> float:
    total = 0.0
    for i in range(1, n):
        total += 1.0 / (i * i)
    return math.sqrt(total * 6)
