from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import torch
from torch import Tensor

from lib.language import runs


@runs(("hello", "wick"), ("", "x"))
def concatenate(a: str, b: str) -> str:
    return a + " " + b + "!"


@runs(("hello", 1), ("hello", -1), ("hello", 7), ("", 0))
def index_string(s: str, i: int) -> str:
    return s[i]


@runs(("hello world",), ("ab",))
def slices(s: str) -> List[str]:
    return [s[1:4], s[:2], s[-2:], s[::2], s[::-1], s[3:1], s[:]]


@runs(("hello",), ("",))
def reverse_by_loop(s: str) -> str:
    out = ""
    for i in range(len(s)):
        out = s[i] + out
    return out


@runs(("banana",), ("",))
def count_letters(s: str) -> Dict[str, int]:
    counts: Dict[str, int] = {}
    for i in range(len(s)):
        c = s[i]
        if c in counts:
            counts[c] += 1
        else:
            counts[c] = 1
    return counts


@runs(("racecar",), ("wick",))
def palindrome(s: str) -> bool:
    return s == s[::-1]


@runs(("abc", "abd"), ("a", "a"), ("b", "a"))
def compare(a: str, b: str) -> List[bool]:
    return [a == b, a != b, a < b, a > b, a <= b, a >= b]


@runs(("Hello World",), ("ALL UP",), ("mixed123",), ("",))
def cases_of(s: str) -> List[str]:
    return [s.upper(), s.lower(), s.title(), s.capitalize(), s.swapcase()]


@runs(("abc",), ("ABC",), ("123",), ("a1",), ("  ",), ("Title Case",), ("",))
def predicates(s: str) -> List[bool]:
    return [s.isalpha(), s.isdigit(), s.isalnum(), s.isspace(), s.isupper(), s.islower(), s.istitle(), s.isnumeric(),
            s.isdecimal(), s.isidentifier(), s.isprintable()]


@runs(("  pad  ",), ("xxhixx",), ("none",), ("\t toffee five \v\f\n",), ("tvf",))
def stripping(s: str) -> List[str]:
    return [s.strip(), s.lstrip(), s.rstrip(), s.strip("x"), s.lstrip("x"), s.rstrip("x")]


@runs(("a,b,,c",), ("one",), ("",))
def splitting(s: str) -> List[List[str]]:
    return [s.split(","), s.split(",", 1), s.split(), s.rsplit(","), s.rsplit(",", 1), s.splitlines()]


@runs(("  several   words here ",), ("",))
def words(s: str) -> List[str]:
    return s.split()


@runs(("k=v=w",), ("none",))
def partitions(s: str) -> Tuple[Tuple[str, str, str], Tuple[str, str, str]]:
    return s.partition("="), s.rpartition("=")


@runs(("hello", "l"), ("hello", "z"), ("aaa", "aa"))
def finding(s: str, t: str) -> List[int]:
    return [s.find(t), s.rfind(t), s.count(t), s.find(t, 3), s.find(t, 0, 3)]


@runs(("hello", "l"), ("hello", "z"))
def index_of(s: str, t: str) -> Tuple[int, int]:
    return s.index(t), s.rindex(t)


@runs(("hello", "he"), ("hello", "lo"), ("", ""))
def affixes(s: str, t: str) -> List[bool]:
    return [s.startswith(t), s.endswith(t), s.startswith(t, 1), t in s]


@runs(("one two one",))
def replacing(s: str) -> List[str]:
    return [s.replace("one", "1"), s.replace("one", "1", 1), s.replace("x", "y"), s.replace(" ", "")]


@runs(("ab",), ("abcdefgh",))
def padding(s: str) -> List[str]:
    return [s.center(6), s.center(7, "*"), s.ljust(5, "-"), s.rjust(5, "-"), s.zfill(5), s.expandtabs()]


@runs((["a", "b", "c"],), (["x"],))
def joining(x: List[str]) -> List[str]:
    return [",".join(x), "".join(x), " - ".join(x)]


@runs((3, 2.5, "s"), (-1, 1.0, ""))
def formatting(a: int, b: float, c: str) -> str:
    return "{} {} {}".format(a, b, c)


@runs((3, 2.5, "s"), (-1, 0.1, "t"))
def percent_formatting(a: int, b: float, c: str) -> str:
    return "%d|%f|%s|%i|%e|%%" % (a, b, c, a, b)


@runs((3, "x"),)
def f_string(a: int, b: str) -> str:
    return f"a={a}, b={b}!"


@runs(([1, 2], {"k": 1.5}, (1, "a")),)
def text_of_containers(a: List[int], b: Dict[str, float], c: Tuple[int, str]) -> List[str]:
    return [str(a), str(b), str(c), "{}".format(a), "%s" % str(b)]


@runs((torch.tensor([1.5, 2.0]),), (torch.arange(4).view(2, 2),), (torch.tensor(7),), (torch.zeros(0),), (torch.tensor([True]),))
def text_of_tensor(x: Tensor) -> str:
    return str(x) + "|" + "{}".format(x)


@runs((torch.tensor([1.5]),))
def text_of_tensor_facts(x: Tensor) -> str:
    return str(x.size()) + str(x.dtype) + str(x.device) + str(x.dim()) + str(x.is_cuda)


@runs((None,), (3,))
def text_of_optional(x: Optional[int]) -> str:
    return str(x)


@runs(("abc",), ("",))
def chars(s: str) -> List[str]:
    return list(s)


@runs(("abc",))
def ordinals(s: str) -> List[int]:
    return [ord(c) for c in list(s)]


@runs(("attack at dawn", 3), ("xyz", 5))
def caesar(s: str, k: int) -> str:
    out: List[str] = []
    for c in list(s):
        if c.isalpha():
            out.append(chr((ord(c) - 97 + k) % 26 + 97))
        else:
            out.append(c)
    return "".join(out)


@runs(("a=1;b=2;c=x",), ("",))
def parse_pairs(s: str) -> Dict[str, str]:
    out: Dict[str, str] = {}
    for part in s.split(";"):
        k, _, v = part.partition("=")
        out[k] = v
    return out


@runs(("3 + 4",), ("10 - 2",), ("6 * 7",))
def tiny_calculator(s: str) -> int:
    parts = s.split(" ")
    a, b = int(parts[0]), int(parts[2])
    if parts[1] == "+":
        return a + b
    elif parts[1] == "-":
        return a - b
    elif parts[1] == "*":
        return a * b
    raise RuntimeError("unknown operator " + parts[1])


@runs(("h\u00e9llo",), ("plain",))
def bytes_count(s: str) -> Tuple[int, str]:
    return len(s), s.upper()


@runs((["pear", "fig", "apple"],))
def sort_strings(x: List[str]) -> Tuple[List[str], List[str]]:
    y = sorted(x)
    x.sort(reverse=True)
    return x, y


@runs((["a", "b"], "b"), (["a"], "z"))
def membership(x: List[str], s: str) -> Tuple[bool, int]:
    return s in x, x.count(s)


@runs(("2a3b",))
def run_length_decode(s: str) -> str:
    out = ""
    n = 0
    for c in list(s):
        if c.isdigit():
            n = n * 10 + int(c)
        else:
            for _ in range(n):
                out += c
            n = 0
    return out


@runs(("the cat the dog the end",))
def word_histogram(s: str) -> List[Tuple[str, int]]:
    counts: Dict[str, int] = {}
    for w in s.split(" "):
        counts[w] = counts.get(w, 0) + 1
    return sorted(list(counts.items()))


@runs(("line one\nline two\n\nlast",), ("",))
def lines(s: str) -> List[str]:
    return s.splitlines()


@runs((5, 3), (0, 0))
def grid(a: int, b: int) -> str:
    out = ""
    for i in range(a):
        for j in range(b):
            out += "#" if (i + j) % 2 == 0 else "."
        out += "\n"
    return out
