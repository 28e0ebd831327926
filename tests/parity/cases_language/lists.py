from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor

from lib.language import runs


@runs(([1, 2, 3], 4), ([9], -1))
def grow(x: List[int], v: int) -> List[int]:
    x.append(v)
    x.extend([v, v + 1])
    x.insert(0, v)
    x.insert(-1, 100)
    x.insert(50, 200)
    x += [7]
    return x


@runs(([1, 2, 3, 4],), ([1, 2, 3],))
def shrink(x: List[int]) -> Tuple[List[int], int, int]:
    a = x.pop()
    b = x.pop(0)
    x.remove(x[0])
    return x, a, b


@runs(([1, 2, 3], 1), ([1, 2, 3], -1), ([1, 2, 3], 3), ([1, 2, 3], -4))
def get(x: List[int], i: int) -> int:
    return x[i]


@runs(([1, 2, 3], 1), ([1, 2, 3], -3), ([1, 2, 3], 5))
def put(x: List[int], i: int) -> List[int]:
    x[i] = 99
    x[0] += 1
    return x


@runs(([1, 2, 3], 1), ([1, 2, 3], 9))
def delete(x: List[int], i: int) -> List[int]:
    del x[i]
    return x


@runs(([1, 2, 3, 4, 5, 6],), ([1],))
def slices(x: List[int]) -> List[List[int]]:
    return [x[1:3], x[:2], x[-2:], x[::2], x[::-1], x[4:1:-1], x[10:], x[:], x[-100:100]]


@runs(([1, 2, 3], 0))
def zero_step(x: List[int], s: int) -> List[int]:
    return x[::s]


@runs(([3, 1, 2],), ([1],))
def ordering(x: List[int]) -> List[List[int]]:
    y = sorted(x)
    z = x.copy()
    z.sort(reverse=True)
    w = list(x)
    w.reverse()
    x.sort()
    return [x, y, z, w]


@runs(([3.5, -1.0, 2.0],))
def order_floats(x: List[float]) -> Tuple[List[float], float, float]:
    return sorted(x), min(x), max(x)


@runs(([(2, "b"), (1, "z"), (2, "a")],))
def order_tuples(x: List[Tuple[int, str]]) -> List[Tuple[int, str]]:
    return sorted(x)


@runs(([1, 2, 2, 3], 2), ([1, 2], 5))
def search(x: List[int], v: int) -> Tuple[int, bool, bool]:
    return x.count(v), v in x, v not in x


@runs(([1, 2, 3], 3), ([1, 2, 3], 4))
def index_of(x: List[int], v: int) -> int:
    return x.index(v)


@runs(([1, 2, 3], 4))
def remove_absent(x: List[int], v: int) -> List[int]:
    x.remove(v)
    return x


@runs(([1.5], 2.5))
def index_absent_float(x: List[float], v: float) -> int:
    return x.index(v)


@runs((["a"], "b"))
def index_absent_string(x: List[str], v: str) -> int:
    return x.index(v)


@runs((0,))
def pop_empty(n: int) -> int:
    x: List[int] = []
    return x.pop()


@runs((0,))
def index_empty(n: int) -> int:
    x: List[int] = []
    return x[n]


@runs((0,))
def max_of_empty(n: int) -> int:
    x: List[int] = []
    return max(x)


@runs(([1, 2], [1, 2]), ([1, 2], [2, 1]), ([1], [1, 2]))
def equality(x: List[int], y: List[int]) -> Tuple[bool, bool]:
    return x == y, x != y


@runs((["a"], ["a"], [1.5], [1.5]))
def equality_of_others(a: List[str], b: List[str], c: List[float], d: List[float]) -> List[bool]:
    return [a == b, a != b, c == d, [True] == [False]]


@runs(([1, 2], 3), ([5], 0))
def repeat(x: List[int], n: int) -> Tuple[List[int], List[int]]:
    y = x * n
    x *= n
    return x, y


@runs(([1, 2], [3]))
def concatenate(x: List[int], y: List[int]) -> List[int]:
    return x + y + [0]


@runs((3,))
def aliasing(n: int) -> Tuple[List[int], List[int]]:
    a = [n]
    b = a
    c = a.copy()
    b.append(n + 1)
    return a, c


@runs((3,))
def nested(n: int) -> List[List[int]]:
    grid: List[List[int]] = []
    for i in range(n):
        row: List[int] = []
        for j in range(n):
            row.append(i * n + j)
        grid.append(row)
    grid[0][1] = 100
    grid[1] = grid[2]
    grid[1].append(-1)
    return grid


@runs(([1, 2, 3],))
def unpack(x: List[int]) -> int:
    a, b, c = x
    return a * 100 + b * 10 + c


@runs(([1, 2, 3],))
def unpack_wrong_length(x: List[int]) -> int:
    a, b = x
    return a + b


@runs(([True, False],), ([True, True],))
def folds(x: List[bool]) -> List[bool]:
    return [any(x), all(x)]


@runs(([0, 1],), ([0, 0],), ([2, 3],))
def fold_ints(x: List[int]) -> Tuple[bool, bool, int]:
    return any(x), all(x), sum(x)


@runs(([1, 2], [1, 3]), ([2], [1, 9]))
def extremes_of_lists(x: List[int], y: List[int]) -> Tuple[List[int], List[int]]:
    return max(x, y), min(x, y)


@runs(([1, None, 3],))
def optional_elements(x: List[Optional[int]]) -> int:
    total = 0
    for v in x:
        if v is not None:
            total += v
    return total


@runs(([torch.tensor([1.0]), torch.tensor([2.0])],))
def tensor_list(x: List[Tensor]) -> Tensor:
    x.append(x[0] + x[1])
    x[0] = x[0] * 10
    return torch.cat(x)


@runs(([torch.tensor(3), torch.tensor(1), torch.tensor(2)],))
def sort_tensors(x: List[Tensor]) -> Tuple[List[Tensor], List[Tensor]]:
    y = sorted(x)
    x.sort(reverse=True)
    return x, y


@runs(([torch.tensor(3), torch.tensor(1)], torch.tensor(1)), ([torch.tensor(3)], torch.tensor(9)))
def find_tensor(x: List[Tensor], t: Tensor) -> int:
    return x.index(t)


@runs(([torch.tensor(3), torch.tensor(1)], torch.tensor(3)), ([torch.tensor([1, 2])], torch.tensor([1, 2])))
def remove_tensor(x: List[Tensor], t: Tensor) -> List[Tensor]:
    x.remove(t)
    return x


@runs(([torch.tensor(1)], [torch.tensor(1)]), ([torch.tensor(1)], [torch.tensor(2)]))
def equal_tensor_lists(x: List[Tensor], y: List[Tensor]) -> Tuple[bool, bool]:
    return x == y, x != y


@runs((torch.tensor([[1, 2], [3, 4]]),), (torch.tensor([1, 2]),), (torch.tensor([[1.5]]),))
def to_nested_list(x: Tensor) -> List[List[int]]:
    y: List[List[int]] = x.tolist()
    return y


@runs((torch.tensor([1.5, 2.0]),), (torch.tensor([0.1], dtype=torch.float64),), (torch.tensor([1]),))
def to_float_list(x: Tensor) -> List[float]:
    y: List[float] = x.tolist()
    return y


@runs((torch.tensor(3),), (torch.tensor([3]),))
def to_int(x: Tensor) -> int:
    y: int = x.tolist()
    return y


@runs((torch.tensor([True, False]),), (torch.zeros(0, dtype=torch.bool),))
def to_bool_list(x: Tensor) -> List[bool]:
    y: List[bool] = x.tolist()
    return y


@runs((torch.zeros(2, 3, 4),), (torch.zeros(5),))
def sizes(x: Tensor) -> Tuple[List[int], int, int]:
    s = x.size()
    return s, len(s), s[-1]


@runs(([1, 2, 3],))
def list_to_tensor(x: List[int]) -> Tuple[Tensor, Tensor]:
    return torch.tensor(x), torch.tensor([[1.5, 2.0], [3.0, 4.0]])


@runs((5,))
def clear(n: int) -> int:
    x = [1, 2, n]
    x.clear()
    return len(x)


@runs(([1, 2, 3, 4],))
def stack_and_queue(x: List[int]) -> List[int]:
    out: List[int] = []
    while len(x) > 0:
        out.append(x.pop())
        if len(x) > 0:
            out.append(x.pop(0))
    return out


@runs(([3, 1, 2, 3, 1],))
def unique(x: List[int]) -> List[int]:
    seen: List[int] = []
    for v in x:
        if v not in seen:
            seen.append(v)
    return seen


@runs(([1, 2, 3], [4, 5, 6]))
def dot(x: List[int], y: List[int]) -> int:
    total = 0
    for a, b in zip(x, y):
        total += a * b
    return total


@runs(([[1, 2], [3], [4, 5, 6]],))
def flatten(x: List[List[int]]) -> List[int]:
    out: List[int] = []
    for row in x:
        out.extend(row)
    return out


@runs((4,))
def pascal(n: int) -> List[List[int]]:
    rows: List[List[int]] = [[1]]
    for i in range(n):
        last = rows[-1]
        row = [1]
        for j in range(len(last) - 1):
            row.append(last[j] + last[j + 1])
        row.append(1)
        rows.append(row)
    return rows


@runs((["a", "b"],))
def enumerate_strings(x: List[str]) -> List[str]:
    return [str(i) + s for i, s in enumerate(x)]


@runs(([1, 2, 3],))
def self_extend(x: List[int]) -> List[int]:
    x.extend(x)
    return x


@runs((3,))
def tuples_in_lists(n: int) -> Tuple[List[Tuple[int, float]], float]:
    x: List[Tuple[int, float]] = []
    for i in range(n):
        x.append((i, i * 0.5))
    total = 0.0
    for a, b in x:
        total += a * b
    return x, total


@runs((1,), (0,), (-1,), (5,), (-4,))
def tuple_index(i: int) -> int:
    t = (10, 20, 30)
    return t[i]


@runs((3,))
def tuple_operations(n: int) -> Tuple[int, Tuple[int, int], bool, bool, int]:
    t = (n, n + 1, n + 2)
    return t[-1], t[1:], t == (3, 4, 5), t != (1, 2, 3), len(t)
