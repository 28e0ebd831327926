from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor

from lib.language import runs


@runs(([3, 1, 2],))
def enumerate_start(x: List[int]) -> List[int]:
    return [i * v for i, v in enumerate(x, 1)]


@runs(([1, 2, 3], ["a", "b"]))
def zip_lists(x: List[int], y: List[str]) -> List[str]:
    return [b + str(a) for a, b in zip(x, y)]


@runs(([1, 2], [3, 4], [5, 6, 7]))
def zip_three(a: List[int], b: List[int], c: List[int]) -> int:
    total = 0
    for i, (x, y, z) in enumerate(zip(a, b, c)):
        total += (i + 1) * x * y * z
    return total


@runs((10, 0, -3), (0, 10, 4), (5, 5, 1), (3, -3, -2))
def ranges(a: int, b: int, c: int) -> List[int]:
    out: List[int] = []
    for i in range(a, b, c):
        out.append(i)
    return out


@runs((0,))
def range_step_zero(n: int) -> int:
    total = 0
    for i in range(0, 5, n):
        total += i
    return total


@runs(((1, "a", 2.5),))
def over_a_tuple(t: Tuple[int, str, float]) -> str:
    out = ""
    for item in t:
        out += str(item) + ";"
    return out


@runs((torch.arange(6).view(3, 2),))
def over_a_tensor(x: Tensor) -> List[int]:
    out: List[int] = []
    for row in x:
        out.append(int(row.sum()))
    return out


@runs(({"b": 2, "a": 1},))
def over_a_dict(d: Dict[str, int]) -> List[str]:
    out: List[str] = []
    for k in d:
        out.append(k + str(d[k]))
    for k, v in d.items():
        out.append(str(v) + k)
    for v in d.values():
        out.append(str(v))
    return out


@runs(("hello",))
def over_a_string(s: str) -> str:
    out = ""
    for c in s:
        if c != "l":
            out = c + out
    return out


@runs((4,))
def nested_comprehensions(n: int) -> List[List[int]]:
    return [[i * j for j in range(i)] for i in range(n)]


@runs((5,))
def comprehension_with_condition(n: int) -> List[int]:
    return [i if i % 2 == 0 else -i for i in range(n)]


@runs((3,))
def dict_comprehension(n: int) -> Dict[int, str]:
    return {i: str(i) + "!" for i in range(n)}


@runs(([[1, 2], [3], [0], [4]],))
def nested_break_continue(rows: List[List[int]]) -> int:
    total = 0
    for row in rows:
        if row[0] == 0:
            break
        for v in row:
            if v == 2:
                continue
            total += v * 10
        else_ = total
        total = else_ + 1
    return total


@runs((7,), (100,))
def return_from_nested_loops(n: int) -> Tuple[int, int]:
    for i in range(5):
        for j in range(5):
            if i * j > n:
                return i, j
    return -1, -1


@runs((20,))
def collatz(n: int) -> List[int]:
    out = [n]
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        out.append(n)
        if len(out) > 50:
            break
    return out


@runs((3,))
def variables_after_the_loop(n: int) -> Tuple[int, int]:
    i = -1
    last = 0
    for i in range(n):
        last = i * i
    return i, last


@runs((5,))
def while_with_and(n: int) -> int:
    i = 0
    s = 0
    while i < 100 and s < n:
        i += 1
        s += i
    return i * 1000 + s


@runs((3,), (0,))
def loop_may_not_run(n: int) -> int:
    x = 7
    for i in range(n):
        x = i
    return x


@runs(([5, 3, 9, 1],))
def selection_sort(x: List[int]) -> List[int]:
    n = len(x)
    for i in range(n):
        m = i
        for j in range(i + 1, n):
            if x[j] < x[m]:
                m = j
        x[i], x[m] = x[m], x[i]
    return x


@runs((6,))
def tuple_swap_in_loop(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@runs(([1, 2, 3, 4, 5, 6],))
def list_slices(x: List[int]) -> List[List[int]]:
    return [x[1:3], x[:-2], x[::2], x[-3:], x[10:], x[1:5:3], x[:]]


@runs(("abcdef",))
def string_slices(s: str) -> List[str]:
    return [s[1:3], s[:-2], s[-3:], s[10:], s[2], s[-1]]


@runs(((1, "a", 2.5, 4),))
def tuple_slices(t: Tuple[int, str, float, int]) -> Tuple[str, float]:
    a = t[1:3]
    b = t[-4:]
    assert len(b) == 4 and b[0] == 1
    return a


@runs((torch.arange(24.0).view(2, 3, 4),))
def tensor_indices(x: Tensor) -> List[Tensor]:
    i = torch.tensor([0, 1])
    return [x[0], x[:, 1], x[..., 2], x[:, None, 1:], x[0, ..., None], x[i], x[:, i], x[x > 12], x[0, :, i], x[None],
            x[:, :, -1], x[..., 1:3], x[[0, 1, 1]], x[i, i, i], x[-1, ::2]]


@runs((torch.zeros(3, 4),))
def tensor_stores(x: Tensor) -> Tensor:
    x[0] = 1
    x[1, 2] = 2.5
    x[:, 3] = torch.tensor([7.0, 8.0, 9.0])
    x[2, :2] += 4
    x[x > 8] = -1
    x[torch.tensor([0, 1]), torch.tensor([1, 0])] = 3.0
    x[2][1] *= 2
    return x


@runs((torch.ones(2, 2),))
def augmented_tensor(x: Tensor) -> Tensor:
    y = x
    y += 2
    y *= 3
    y -= 1
    y /= 2
    return x


@runs(([1, 2, 3],))
def augmented_items(x: List[int]) -> List[int]:
    x[0] += 10
    x[-1] *= 5
    x += [7]
    return x


@runs(({"a": 1},))
def delete_items(d: Dict[str, int]) -> int:
    d["b"] = 5
    del d["a"]
    x = [1, 2, 3]
    del x[1]
    return len(d) * 100 + len(x) * 10 + x[1]


@runs(([4, 5, 6],))
def starred_target(x: List[int]) -> int:
    a, *b = (x[0], x[1], x[2])
    return a * 100 + len(b) * 10 + b[1]


@runs((3,), (12,))
def elif_chain(n: int) -> str:
    if n < 0:
        return "negative"
    elif n == 0:
        return "zero"
    elif n < 10:
        word = "small"
    else:
        word = "large"
    return word + str(n)


@runs((5,), (0,), (-3,))
def nested_returns(n: int) -> int:
    if n > 0:
        for i in range(n):
            if i == 3:
                return 33
            elif i == 10:
                return 1010
        return n
    else:
        if n == 0:
            return 0
    return -1
