from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor

from lib.language import runs


@runs((0,), (5,), (-3,))
def sum_of_range(n: int) -> int:
    total = 0
    for i in range(n):
        total += i
    return total


@runs((0, 10, 3), (10, 0, -3), (5, 5, 1), (3, 1, 1), (-4, 4, 2), (0, 5, 0))
def stepped_range(a: int, b: int, s: int) -> List[int]:
    out: List[int] = []
    for i in range(a, b, s):
        out.append(i)
    return out


@runs((10,), (1,), (27,))
def collatz(n: int) -> int:
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@runs((7,), (0,), (100,))
def early_return(n: int) -> str:
    if n == 0:
        return "zero"
    for i in range(n):
        if i * i > 30:
            return "found " + str(i)
    return "none"


@runs((10,), (3,))
def break_and_continue(n: int) -> List[int]:
    out: List[int] = []
    for i in range(100):
        if i % 2 == 0:
            continue
        if i > n:
            break
        out.append(i)
    return out


@runs((4, 5), (0, 3), (3, 0))
def nested_loops(a: int, b: int) -> List[Tuple[int, int]]:
    out: List[Tuple[int, int]] = []
    for i in range(a):
        for j in range(b):
            if i == j:
                continue
            if j > i + 2:
                break
            out.append((i, j))
    return out


@runs((5,), (12,), (0,))
def while_with_break(n: int) -> Tuple[int, bool]:
    i = 0
    hit = False
    while True:
        if i * i >= n:
            hit = i * i == n
            break
        i += 1
        if i > 50:
            break
    return i, hit


@runs((1,), (2,), (3,), (-1,))
def elif_chain(n: int) -> str:
    if n == 1:
        x = "one"
    elif n == 2:
        x = "two"
    elif n > 2:
        x = "many"
    else:
        x = "negative"
    return x


@runs((3, None), (3, 4), (0, None))
def optional_refinement(a: int, b: Optional[int]) -> int:
    if b is not None:
        return a + b
    return a


@runs((None,), (2,))
def optional_result(a: Optional[int]) -> Optional[str]:
    if a is None:
        return None
    return str(a * 2)


@runs((True, False), (True, True), (False, False))
def logic(a: bool, b: bool) -> List[bool]:
    return [a and b, a or b, not a, a != b, a == b, (a and not b) or (b and not a)]


@runs((0,), (5,))
def short_circuit(n: int) -> bool:
    return n != 0 and 10 // n > 1


@runs((3,), (0,), (-2,))
def ternary(n: int) -> int:
    return n * 2 if n > 0 else (-n if n < 0 else 99)


@runs((1, 5, 3), (3, 4, 4), (2, 2, 2))
def chained_comparison(a: int, b: int, c: int) -> bool:
    return a < b and b >= c and a <= c


@runs(([1, 2, 3],))
def enumerate_list(x: List[int]) -> int:
    total = 0
    for i, v in enumerate(x):
        total += i * v
    return total


@runs(([1, 2, 3], ["a", "b"]))
def zip_lists(x: List[int], y: List[str]) -> List[str]:
    return [b + str(a) for a, b in zip(x, y)]


@runs((3,), (0,))
def comprehension(n: int) -> List[int]:
    return [i * i for i in range(n)]


@runs(([1, -2, 3, -4],))
def comprehension_over_list(x: List[int]) -> List[int]:
    return [v * 2 for v in x]


@runs((4,), (1,))
def dict_comprehension(n: int) -> Dict[int, int]:
    return {i: i * i for i in range(n)}


@runs((torch.tensor([1., 2., 3.]),), (torch.tensor([-1., -2.]),))
def tensor_condition(x: Tensor) -> str:
    if x.sum() > 0:
        return "positive"
    return "not positive"


@runs((torch.ones(3), 4), (torch.ones(2, 2), 0))
def tensor_loop(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = x * 2 + i
    return x


@runs((torch.arange(6).view(2, 3),), (torch.zeros(0, 2),))
def loop_over_tensor(x: Tensor) -> List[int]:
    out: List[int] = []
    for row in x:
        out.append(int(row.sum().item()))
    return out


@runs((8,), (1,), (20,))
def fibonacci(n: int) -> List[int]:
    a, b = 0, 1
    out: List[int] = []
    for _ in range(n):
        out.append(a)
        a, b = b, a + b
    return out


@runs((30,), (2,))
def primes(n: int) -> List[int]:
    found: List[int] = []
    for i in range(2, n):
        ok = True
        for p in found:
            if p * p > i:
                break
            if i % p == 0:
                ok = False
                break
        if ok:
            found.append(i)
    return found


@runs((48, 18), (7, 3), (0, 5))
def gcd_loop(a: int, b: int) -> int:
    while b != 0:
        a, b = b, a % b
    return a


@runs(([5, 2, 9, 1],), ([1],))
def bubble_sort(x: List[int]) -> List[int]:
    n = len(x)
    for i in range(n):
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
    return x


@runs(([1, 3, 5, 7, 9], 7), ([1, 3], 2))
def binary_search(x: List[int], v: int) -> int:
    low, high = 0, len(x) - 1
    while low <= high:
        middle = (low + high) // 2
        if x[middle] == v:
            return middle
        elif x[middle] < v:
            low = middle + 1
        else:
            high = middle - 1
    return -1


@runs((3,), (11,))
def loop_else_free_carry(n: int) -> Tuple[int, float, str]:
    a = 1
    b = 0.5
    c = ""
    i = 0
    while i < n:
        if i % 3 == 0:
            a *= 2
        elif i % 3 == 1:
            b += 0.25
        else:
            c += chr(97 + i)
        i += 1
    return a, b, c


@runs((5,))
def unused_results(n: int) -> int:
    x = [n]
    x.append(n + 1)
    y = n * 100
    del x[0]
    return x[0]


@runs((2, 3),)
def tuple_swap(a: int, b: int) -> Tuple[int, int]:
    a, b = b, a
    return (a, b)


@runs((3,), (5,))
def ragged_returns(n: int) -> int:
    for i in range(10):
        for j in range(10):
            if i * j == n:
                return i * 10 + j
    return -1


@runs(([3, 1, 2], True), ([3, 1, 2], False))
def mutated_argument(x: List[int], grow: bool) -> Tuple[List[int], int]:
    if grow:
        x.append(4)
    else:
        x.pop()
    return x, len(x)


@runs((3,), (0,))
def while_condition_call(n: int) -> int:
    x: List[int] = [n]
    while len(x) < 5 and x[0] > 0:
        x.append(x[-1] + 1)
    return len(x)


@runs((1.5,), (None,))
def union_like(x: Optional[float]) -> float:
    if x is None:
        return -1.0
    return x + 1.0
