"""Operators on strings. An empty separator, and an empty text to count or replace without limit, are left out: PyTorch
never comes back from them, nor from a negative width of center()."""
import itertools

import torch

from lib.case import TypedList, case

TEXTS = ["", "a", "abc", "ABC", "Abc Def", "Hello wOrld  foo", "a1", "12", "  \t", "1a_", "_a1", "a_b", "x\ty\tz",
         "They're BILL's", "A", "1A", "A1b", "AbC", "foo-bar_baz", " lead", "trail ", "\x7f", "~!", "a\nb", "0x1F", "\x01",
         "If Then", "IF", "Ab cD", "\t\n\v\f\r ", "12.5", "-3"]
SEARCHES = [("abcabc", "b"), ("abcabc", "z"), ("abcabc", "c", 0, -1), ("abcabc", "c", 0, 5), ("abcabc", "a", 1),
            ("abcabc", "a", -3), ("abcabc", "abc", 2, 4), ("", "a"), ("abc", "a", 5), ("aaaa", "aa"), ("abc", "c", 0, 100),
            ("abc", "c", 0, -2), ("abc", "a", -10), ("abcabc", "c", -2, -1), ("abc", "a", 3, 1), ("aaaaa", "aa", 1),
            ("abc", "abc"), ("abc", "abcd"), ("a\0b\0", "\0")]
EMPTY = [("abcabc", ""), ("", ""), ("abc", "", 5), ("abc", "", 1, 2), ("abc", "", -10, -1), ("abc", "", 3, 1), ("abc", "", 2)]


def characters():
    for op in ("capitalize", "title", "swapcase", "upper", "lower", "isupper", "islower", "istitle", "isalnum", "isalpha",
               "isdigit", "isdecimal", "isnumeric", "isspace", "isidentifier", "isprintable"):
        for s in TEXTS:
            yield case(f"aten::{op}", s)
    for op in ("capitalize", "title", "swapcase", "upper", "lower", "isalpha", "isprintable", "isalnum", "isupper", "islower"):
        yield case(f"aten::{op}", "h\u00e9LLO \u00c9t\u00e9")


def padding():
    for op in ("center", "ljust", "rjust"):
        for s, width in itertools.product(["", "a", "ab", "abc"], [0, 2, 3, 5, 6, 7, 8]):
            yield case(f"aten::{op}", s, width)
            yield case(f"aten::{op}", s, width, "*")
        yield case(f"aten::{op}", "abc", 7, "ab", message=True)
        yield case(f"aten::{op}", "abc", 7, "", message=True)
    for s, width in itertools.product(["", "42", "-42", "+42", "abc"], [-1, 0, 2, 5, 6]):
        yield case("aten::zfill", s, width)
    for s in ("", "\t", "a\tb", "\ta\nb\tc", "abcdefgh\ti", "abcdefghi\tj", "ab\t\tc", "a\r\tb", "a\n\n\tb"):
        for size in (8, 4, 1, 0, -1, 3):
            yield case("aten::expandtabs", s, size)
    for op in ("strip", "lstrip", "rstrip"):
        for s in ("", "  abc  ", "\t\n abc \r\n", "xxabcxx", "   ", "abc", "xyxabcyx", "\v\fa\v"):
            yield case(f"aten::{op}", s)
            yield case(f"aten::{op}", s, "x")
            yield case(f"aten::{op}", s, "xy")
            yield case(f"aten::{op}", s, "")


def searching():
    yield case("aten::count", "", "")
    yield case("aten::count", "abc", "", 3)
    for op in ("find", "rfind", "index.str", "rindex", "count"):
        for args in SEARCHES + ([] if op == "count" else EMPTY):
            yield case(f"aten::{op}", *args, message=True)
    windows = [(), (1,), (1, 2), (0, 2), (0, -1), (-1,), (0, 100), (1, -1), (0, -2), (2, 1), (5,), (-5, 2), (3,), (3, 3)]
    for op in ("startswith", "endswith"):
        for part, window in itertools.product(["a", "", "c", "bc", "ab", "abcd", "b"], windows):
            yield case(f"aten::{op}", "abc", part, *window, message=True)


def splitting():
    for args in [("a b  c",), (" a b ",), ("a,b,,c", ","), ("a,b,c", ",", 1), ("", ","), ("",), ("a,b,c", ",", 0),
                 ("a b c", None, 1), ("  a  b  c ", None, 1), ("a--b--c", "--"), ("a--b--c", "--", -5), ("a---b", "--"),
                 ("a\tb\nc\vd\fe\rf",), (",a,", ","), (",", ","), ("abc", "abc"), ("a,b,c", ",", 5), ("   ",)]:
        yield case("aten::split.str", *args)
    yield case("aten::split.str", "abc", "", message=True)
    for args in [("a b  c",), ("a,b,c", ",", 1), ("", ","), ("",), ("a,b,c", ",", 0), ("a--b--c", "--", 1), (",a,", ","),
                 ("a---b", "--"), ("a,b,c", ",", 7), ("aaaa", "aa")]:
        yield case("aten::rsplit", *args)
    for s in ("", "a", "a\n", "\n", "a\nb\r\nc\n\nd", "a\rb", "a\vb\fc\x1cd\x1de\x1ef", "\r\n", "a\n\n"):
        yield case("aten::splitlines", s)
        yield case("aten::splitlines", s, True)
    for op in ("partition", "rpartition"):
        for s, separator in itertools.product(["a.b.c", "abc", "", ".", "..", "a.."], [".", "b", ".."]):
            yield case(f"aten::{op}", s, separator)
        yield case(f"aten::{op}", "abc", "")
    for parts in (["a", "b"], ["x"], ["", ""], TypedList("str"), ["a", "", "b"]):
        yield case("aten::join", ", ", parts)
        yield case("aten::join", "", parts)
    for args in [("aaa", "a", "b"), ("aaa", "a", "b", 2), ("abc", "z", "y"), ("aaa", "a", "aa", 1), ("aaa", "a", "b", 0),
                 ("aaa", "", "-", 2), ("aaaa", "aa", "b"), ("aaaaa", "aa", ""), ("abcabc", "bc", "xyz"), ("", "a", "b"),
                 ("abc", "abc", "")]:
        yield case("aten::replace", *args)


def indexing():
    for i in (0, 2, -1, -3, 3, -4, 100):
        yield case("aten::__getitem__.str", "abc", i, message=True)
        yield case("prim::StringIndex", "abc", i, message=True)
    for start, end, step in itertools.product([None, 0, 2, -2, 10, -10], [None, 0, 4, -1, 10, -10], [1, 2, -1, -2]):
        yield case("aten::slice.str", "abcdef", start, end, step)
    yield case("aten::slice.str", "", None, None, -1)
    yield case("aten::slice.str", "abc", 0, 3, 0, message=True)
    for s in ("", "a", "abc"):
        yield case("aten::list", s)
        yield case("aten::len.str", s)
    yield case("aten::len.str", "h\u00e9")
    words = ["", "a", "b", "ab", "B", "aa", "\x7f"]
    for op in ("eq", "ne", "lt", "le", "gt", "ge", "add"):
        for a, b in itertools.product(words, words):
            yield case(f"aten::{op}.str", a, b)


def numerals():
    for v in (0, 1, -1, 5, -5, 255, -255, 8, 2**63 - 1, -2**63, 10**12):
        yield case("aten::hex", v)
        yield case("aten::oct", v)
        yield case("aten::bin", v)
    for v in (0, 9, 65, 97, 127, -1, 0x110000):
        yield case("aten::chr", v, message=True)
    for s in ("A", "z", " ", "ab", "", "\u00e9", "\x7f"):
        yield case("aten::ord", s, message=True)


def formats():
    values = [1, -5, 2.5, 1.0, 0.1, True, None, "s", [1, 2], [1.0, 2.5], ["a", "b"], (1, "x", 2.0), (1,), {"a": 1}, {1: "b"},
              1 + 2j, -0.5j, 1e22, 1e16, float("inf"), float("nan"), torch.tensor([1.5, 2]), torch.tensor(3), [[1], [2, 3]],
              torch.device("cpu"), torch.device("cuda:1"), {"a": {"b": (1, 2)}}, "", 2**63 - 1, -0.0]
    for v in values:
        yield case("aten::format", "<{}>", v)
        yield case("aten::percentFormat", "<%s>", v)
        yield case("aten::str", v)
    for args in [("{} {}", 1, "a"), ("{} {}", 1), ("{}", 1, 2), ("{{}}", 1), ("{0}", 1), ("{", 1), ("}", 1), ("{:d}", 1),
                 ("", 1), ("no fields",), ("{}{}{}", 1, 2.0, "x")]:
        yield case("aten::format", *args, message=True)
    for args in [("%d", 3), ("%d", 3.7), ("%d", -5.7), ("%d", 1e12), ("%d", 10**12), ("%i", 4), ("%f", 2.5), ("%f", 3),
                 ("%f", 0.1), ("%f", 1e20), ("%f", float("inf")), ("%F", float("inf")), ("%f", float("nan")), ("%e", 12345.678),
                 ("%E", 1e-7), ("%e", 0.0), ("%g", 1.5), ("%s", "x"), ("%% %d", 1), ("%5d", 3), ("%.2f", 1.5), ("%d %d", 1),
                 ("%d", (1, 2)), ("abc", 1), ("%c", 65), ("%c", "a"), ("%c", "ab"), ("%c", 2.5), ("%x", 255), ("%d", "a"),
                 ("%f", "a"), ("%", 1), ("a%", 1), ("%r", 1), ("%d-%s-%f", (1, "x", 0.5)), ("%d", None), ("%d", torch.tensor(3)),
                 ("%s %s", ([1], (2.0,))), ("%f", 16777217), ("%d", 2147483647.9), ("%d", 2147483648.5),
                 ("%d", -2147483648.5)]:
        yield case("aten::percentFormat", *args, message=True)


def tensors_as_text():
    t = torch.tensor
    for x in (t([123456789]), t([1234567]), t([12345678901, 1]), t([1.5, float("nan"), float("inf")]), t([float("nan")]),
              t([-5., -100.]), t([-100000.5, 1.]), t([1e-6, 2e-6]), t([1e6 + .5, 1.5]), t([123456.5, 234567.5]), t(1e10),
              t(123456789), t(0.1, dtype=torch.float64), torch.zeros(0), torch.zeros(0, 3), torch.zeros(2, 0, 3),
              torch.zeros(2, 3), torch.arange(8.).view(2, 2, 2), torch.arange(16).view(2, 2, 2, 2), t([True, False]),
              t([1, 2], dtype=torch.uint8), t([1.5, 2.5]).half(), t([1.5]).bfloat16(), torch.arange(40.).view(2, 20) + .5,
              torch.arange(60.).view(1, 2, 30) * 1000000.5, torch.ones(2, 2) * 1e-7, torch.full((2, 2), 1e8) + 0.5,
              torch.ones(1, 2, 2) * 1e-7, t([[1e-6, 1e-6]] * 3), t([0., 0.]), t([float("inf")]), t([1e20]),
              t([1.5e100, 1.], dtype=torch.float64), t([1.5e-200, 1.], dtype=torch.float64), t(float("nan")), t(True), t(1e-10),
              torch.arange(12.).view(3, 4).t()[1:, ::2], t([99999.5]), t([999999.5]), t([0.00001, 0.5]), torch.ones(1, 30) * 1e-7,
              torch.ones(1, 1, 30) * 1e-7, t(2.5, dtype=torch.half), torch.ones(3, 1, 1, 2, 1), t([[0.5, -0.5]]), t([-0.0]),
              t(-0.0), t([5, -123456]), t([1.5, -1e7]), t([1e5, 2.5]), t([1e-5]), t([0.05]), torch.arange(200).view(1, 200),
              torch.arange(6).view(3, 2, 1), t(-7, dtype=torch.int8), t([1 + 2j, 3.5 - 1j]), t(1.5 + 1j)):
        yield case("aten::str", x)
        yield case("aten::str", [x, x])


def cases():
    for part in (characters, padding, searching, splitting, indexing, numerals, formats, tensors_as_text):
        yield from part()
