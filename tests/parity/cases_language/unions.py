from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple, Union

import torch
from torch import Tensor

from lib.language import runs


@runs((1,), ("a",), ([1, 2],), form="script")
def kind_of_union(x: Union[int, str, List[int]]) -> str:
    if isinstance(x, int):
        return "int " + str(x + 1)
    elif isinstance(x, str):
        return "str " + x.upper()
    else:
        return "list " + str(x[0])


@runs((1,), (None,))
def optional_default(x: Optional[int]) -> int:
    if x is None:
        x = 10
    return x * 2


@runs((1, None), (None, 2), (3, 4), (None, None))
def two_optionals(x: Optional[int], y: Optional[int]) -> int:
    if x is not None and y is not None:
        return x + y
    if x is not None:
        return x
    return y if y is not None else -1


@runs((5,), (-5,))
def optional_result(x: int) -> Optional[int]:
    if x > 0:
        return x
    return None


@runs((None,), ("abc",))
def early_return_refines(s: Optional[str]) -> int:
    if s is None:
        return -1
    return len(s)


@runs((None,), (2.5,))
def raise_refines(x: Optional[float]) -> float:
    if x is None:
        raise ValueError("no value")
    return x * 2


@runs((None,), (7,))
def assert_refines(x: Optional[int]) -> int:
    assert x is not None
    return x + 1


@runs((3,))
def loop_makes_optional(n: int) -> Optional[int]:
    best: Optional[int] = None
    for i in range(n):
        if best is None or i > best:
            best = i
    return best


@runs((0,), (1,), (2,))
def union_variable(n: int) -> str:
    x: Union[int, str] = 5
    if n == 1:
        x = "five"
    elif n == 2:
        x = 7
    if isinstance(x, str):
        return x
    return str(x + 1)


@runs((1,), (2.5,), form="script")
def number_union(x: Union[int, float]) -> float:
    if isinstance(x, int):
        return float(x)
    return x + 0.5


@runs(([1, 2],), (None,))
def optional_list(x: Optional[List[int]]) -> int:
    if x is None:
        y: List[int] = []
    else:
        y = x
    return len(y)


@runs((True,), (False,))
def any_value(flag: bool) -> int:
    x: Any = 3
    if flag:
        x = "abc"
    if isinstance(x, int):
        return x
    elif isinstance(x, str):
        return len(x) * 100
    return -1


@runs((1,), (None,))
def optional_in_tuple(x: Optional[int]) -> Tuple[Optional[int], bool]:
    return x, x is None


@runs(())
def list_of_optionals() -> int:
    items: List[Optional[int]] = [1, None, 3]
    total = 0
    for item in items:
        if item is not None:
            total += item
        else:
            total += 100
    return total


@runs(())
def dict_of_unions() -> str:
    d: Dict[str, Union[int, str]] = {"a": 1, "b": "two"}
    out = ""
    for k in ["a", "b"]:
        v = d[k]
        if isinstance(v, int):
            out += str(v)
        else:
            assert isinstance(v, str)
            out += v
    return out


@runs((None,), (torch.ones(2),))
def optional_tensor(x: Optional[Tensor]) -> Tensor:
    if x is None:
        return torch.zeros(1)
    else:
        return x + 1


@runs((4,), (None,))
def ternary_refines(x: Optional[int]) -> int:
    return x + 1 if x is not None else 0


@runs((4,), (None,))
def not_none_or(x: Optional[int]) -> bool:
    return x is None or x > 3


@runs((1,), (2,), (3,))
def isinstance_tuple_of_types(n: int) -> bool:
    x: Union[int, str, float] = 1
    if n == 2:
        x = "a"
    elif n == 3:
        x = 1.5
    return isinstance(x, (str, float))
