from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor

from lib.language import runs


@runs((1,), (0,))
def raise_runtime_error(n: int) -> int:
    if n == 0:
        raise RuntimeError("it went wrong")
    return n


@runs((0,), (1,), (2,), (3,))
def raise_kinds(n: int) -> int:
    if n == 0:
        raise ValueError("bad value")
    elif n == 1:
        raise KeyError("no key")
    elif n == 2:
        raise Exception("plain")
    return n


@runs((5,))
def raise_formatted(n: int) -> int:
    if n > 3:
        raise ValueError("n is {}, too large".format(n))
    return n


@runs((1,), (5,))
def assertion(n: int) -> int:
    assert n > 3, "n must be more than 3"
    return n


@runs((1,), (5,))
def assertion_without_text(n: int) -> int:
    assert n > 3
    return n


@runs((2,))
def assertion_formatted(n: int) -> int:
    assert n == 3, "got %d" % n
    return n


@runs((7,))
def list_out_of_range(i: int) -> int:
    return [1, 2, 3][i]


@runs((7,))
def assign_out_of_range(i: int) -> List[int]:
    x = [1, 2, 3]
    x[i] = 5
    return x


@runs(("z",))
def missing_key(k: str) -> int:
    return {"a": 1}[k]


@runs((7,))
def string_out_of_range(i: int) -> str:
    return "abc"[i]


@runs((5,))
def tuple_out_of_range(i: int) -> int:
    return (1, 2)[i]


@runs(("abc",))
def not_an_int(s: str) -> int:
    return int(s)


@runs((0,))
def divide_by_zero(n: int) -> int:
    return 5 // n


@runs((0.0,))
def divmod_by_zero(x: float) -> Tuple[float, float]:
    return divmod(5.0, x)


@runs((-1,))
def negative_factorial_argument(n: int) -> str:
    return chr(n)


@runs(("ab",))
def ord_of_two(s: str) -> int:
    return ord(s)


@runs(("a", "z"))
def substring_not_found(s: str, t: str) -> int:
    return s.index(t)


@runs(("a",))
def empty_separator(s: str) -> List[str]:
    return s.split("")


@runs(("abc", "xy"))
def bad_fill(s: str, f: str) -> str:
    return s.center(9, f)


@runs((torch.ones(3),))
def ambiguous_truth(x: Tensor) -> int:
    if x > 0:
        return 1
    return 0


@runs((torch.zeros(0),))
def empty_truth(x: Tensor) -> bool:
    return bool(x)


@runs((torch.ones(2, 3),))
def item_of_many(x: Tensor) -> float:
    return float(x.item())


@runs((torch.ones(2, 3), torch.ones(4)), (torch.ones(2, 3), torch.ones(3)))
def shapes_do_not_fit(x: Tensor, y: Tensor) -> Tensor:
    return x + y


@runs((torch.ones(2, 3), torch.ones(2, 3)))
def matrices_do_not_fit(x: Tensor, y: Tensor) -> Tensor:
    return torch.mm(x, y)


@runs((torch.ones(2, 3), 5), (torch.ones(2, 3), -3))
def no_such_dim(x: Tensor, d: int) -> Tensor:
    return x.sum(d)


@runs((torch.ones(2, 3), 9))
def select_out_of_range(x: Tensor, i: int) -> Tensor:
    return x[i]


@runs((torch.ones(2, 3),))
def bad_view(x: Tensor) -> Tensor:
    return x.view(4, 2)


@runs((torch.ones(2, 3),))
def wrong_length_unpack(x: Tensor) -> Tensor:
    a, b, c = x.unbind(0)
    return a + b + c


@runs((torch.tensor([1.5]),))
def wrong_tolist_type(x: Tensor) -> List[int]:
    y: List[int] = x.tolist()
    return y


@runs((torch.ones(2),))
def wrong_tolist_depth(x: Tensor) -> List[List[float]]:
    y: List[List[float]] = x.tolist()
    return y


@runs((None,), (3,))
def unwrap_none(x: Optional[int]) -> int:
    y = torch.jit._unwrap_optional(x)
    return y + 1


@runs(({"a": 1},))
def error_in_loop(d: Dict[str, int]) -> int:
    total = 0
    for i in range(3):
        total += d["a" if i < 2 else "b"]
    return total


@runs((3,), (12,))
def error_in_nested_call(n: int) -> int:
    return checked(n) + 1


def checked(n: int) -> int:
    if n > 10:
        raise RuntimeError("too deep: " + str(n))
    return n * 2


@runs(("%d and %d",), ("%q %d",), ("%d",))
def bad_percent_format(s: str) -> str:
    return s % (1, "x")


@runs(("{} {}",), ("{}",))
def too_few_values(s: str) -> str:
    return s.format(1)


@runs((1,), (2,), (3,), (4,))
def sizes_of_a_pool(n: int) -> List[int]:
    return torch.nn.functional.adaptive_avg_pool2d(torch.ones(1, 3, 4, 4), [2] * n).size()
