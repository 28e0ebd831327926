from __future__ import annotations

import math
from typing import Dict, List, Tuple

import torch
from torch import Tensor

from lib.language import runs


@runs(("kitten", "sitting"), ("", "abc"), ("same", "same"))
def edit_distance(a: str, b: str) -> int:
    row = [j for j in range(len(b) + 1)]
    for i in range(1, len(a) + 1):
        last = row[0]
        row[0] = i
        for j in range(1, len(b) + 1):
            kept = row[j]
            cost = 0 if a[i - 1] == b[j - 1] else 1
            row[j] = min(min(row[j] + 1, row[j - 1] + 1), last + cost)
            last = kept
    return row[len(b)]


@runs(([[0, 1], [0, 2], [1, 3], [2, 3], [3, 4]], 0),)
def breadth_first(edges: List[List[int]], start: int) -> Dict[int, int]:
    near: Dict[int, List[int]] = {}
    for e in edges:
        if e[0] not in near:
            none: List[int] = []
            near[e[0]] = none
        near[e[0]].append(e[1])
    seen = {start: 0}
    queue = [start]
    while len(queue) > 0:
        v = queue.pop(0)
        if v in near:
            for w in near[v]:
                if w not in seen:
                    seen[w] = seen[v] + 1
                    queue.append(w)
    return seen


@runs(([[2.0, 1.0], [1.0, 3.0]], [3.0, 5.0]))
def gauss(a: List[List[float]], b: List[float]) -> List[float]:
    n = len(b)
    for i in range(n):
        for k in range(i + 1, n):
            f = a[k][i] / a[i][i]
            for j in range(i, n):
                a[k][j] -= f * a[i][j]
            b[k] -= f * b[i]
    x = [0.0 for _ in range(n)]
    for r in range(n):
        i = n - 1 - r
        s = b[i]
        for j in range(i + 1, n):
            s -= a[i][j] * x[j]
        x[i] = s / a[i][i]
    return x


@runs(("3 4 + 2 *",), ("5 1 2 + 4 * + 3 -",), ("1 +",))
def reverse_polish(s: str) -> int:
    stack: List[int] = []
    for t in s.split(" "):
        if t == "+":
            stack.append(stack.pop() + stack.pop())
        elif t == "*":
            stack.append(stack.pop() * stack.pop())
        elif t == "-":
            b = stack.pop()
            stack.append(stack.pop() - b)
        else:
            stack.append(int(t))
    return stack[-1]


@runs((["a b c", "b c d", "c d e"],))
def tokenize(lines: List[str]) -> Tuple[Dict[str, int], List[List[int]]]:
    vocabulary: Dict[str, int] = {}
    out: List[List[int]] = []
    for line in lines:
        row: List[int] = []
        for w in line.split(" "):
            if w not in vocabulary:
                vocabulary[w] = len(vocabulary)
            row.append(vocabulary[w])
        out.append(row)
    return vocabulary, out


@runs(([[1, 2, 3], [4], [5, 6]], 4), ([[1]], 1))
def pad_and_stack(x: List[List[int]], width: int) -> Tensor:
    rows: List[Tensor] = []
    for row in x:
        padded = row[:width] + [0] * max(0, width - len(row))
        rows.append(torch.tensor(padded))
    return torch.stack(rows)


@runs((torch.tensor([[0.1, 0.7, 0.2], [0.5, 0.2, 0.3]]), ["cat", "dog", "emu"]))
def top_labels(scores: Tensor, names: List[str]) -> List[str]:
    out: List[str] = []
    for i in range(scores.size(0)):
        best = int(scores[i].argmax())
        out.append(names[best])
    return out


@runs((torch.tensor([[0.6, 0.4], [0.1, 0.9], [0.5, 0.5]]),))
def greedy_path(p: Tensor) -> Tuple[List[int], float]:
    path: List[int] = []
    log_probability = 0.0
    for t in range(p.size(0)):
        best = 0
        for k in range(p.size(1)):
            if float(p[t, k]) > float(p[t, best]):
                best = k
        path.append(best)
        log_probability += math.log(float(p[t, best]))
    return path, log_probability


@runs(([0, 1, 1, 2, 0, 0, 3, 3],), ([0, 0],))
def ctc_collapse(x: List[int]) -> List[int]:
    out: List[int] = []
    last = -1
    for v in x:
        if v != last and v != 0:
            out.append(v)
        last = v
    return out


@runs((torch.tensor([[0., 0., 2., 2.], [0., 0., 2., 1.9], [5., 5., 6., 6.]]), torch.tensor([0.9, 0.8, 0.7]), 0.5))
def non_maximum_suppression(boxes: Tensor, scores: Tensor, threshold: float) -> List[int]:
    order: List[int] = scores.argsort(descending=True).tolist()
    kept: List[int] = []
    for i in order:
        ok = True
        for j in kept:
            w = min(float(boxes[i, 2]), float(boxes[j, 2])) - max(float(boxes[i, 0]), float(boxes[j, 0]))
            h = min(float(boxes[i, 3]), float(boxes[j, 3])) - max(float(boxes[i, 1]), float(boxes[j, 1]))
            both = max(0.0, w) * max(0.0, h)
            a = float((boxes[i, 2] - boxes[i, 0]) * (boxes[i, 3] - boxes[i, 1]))
            b = float((boxes[j, 2] - boxes[j, 0]) * (boxes[j, 3] - boxes[j, 1]))
            if both / (a + b - both) > threshold:
                ok = False
                break
        if ok:
            kept.append(i)
    return kept


@runs((6,), (1,))
def tower_of_hanoi(n: int) -> int:
    work: List[Tuple[int, int, int]] = [(n, 0, 2)]
    moves = 0
    while len(work) > 0:
        k, a, b = work.pop()
        if k == 1:
            moves += 1
        else:
            c = 3 - a - b
            work.append((k - 1, c, b))
            work.append((1, a, b))
            work.append((k - 1, a, c))
    return moves


@runs(("([]{})",), ("([)]",), ("((",))
def brackets_match(s: str) -> bool:
    partner = {")": "(", "]": "[", "}": "{"}
    stack: List[str] = []
    for c in list(s):
        if c in partner:
            if len(stack) == 0 or stack.pop() != partner[c]:
                return False
        else:
            stack.append(c)
    return len(stack) == 0


@runs((1994,), (3999,), (4,))
def roman(n: int) -> str:
    values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
    names = ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"]
    out = ""
    for v, name in zip(values, names):
        while n >= v:
            out += name
            n -= v
    return out


@runs((100,), (7,))
def linear_congruence(n: int) -> List[int]:
    state = 12345
    out: List[int] = []
    for _ in range(n % 10):
        state = (state * 6364136223846793005 + 1442695040888963407) & 9223372036854775807
        out.append(state % 100)
    return out


@runs(([5, 3, 8, 1, 9, 2],))
def quick_sort(x: List[int]) -> List[int]:
    work: List[Tuple[int, int]] = [(0, len(x) - 1)]
    while len(work) > 0:
        low, high = work.pop()
        if low < high:
            pivot = x[high]
            i = low
            for j in range(low, high):
                if x[j] < pivot:
                    x[i], x[j] = x[j], x[i]
                    i += 1
            x[i], x[high] = x[high], x[i]
            work.append((low, i - 1))
            work.append((i + 1, high))
    return x
