// From TorchScript source to the IR: statements, control flow, types, overloads.
#include <gtest/gtest.h>

#include "unit/frontend/script/run.h"

namespace wick::script {
namespace {

IValue ints(std::vector<int64_t> values) { return IValue::int_list(values); }

TEST(ScriptLower, ArithmeticAndNames) {
  EXPECT_EQ(result_of("def f(a: int, b: int) -> int:\n"
                      "  c = torch.add(a, b)\n"
                      "  d = torch.mul(c, 2)\n"
                      "  return torch.sub(d, 1)\n",
                      {2, 3}),
            "9");
  EXPECT_EQ(result_of("def f(a: int) -> float:\n  return a / 2 + 1.5\n", {3}), "3.");
  EXPECT_EQ(result_of("def f(a: int) -> int:\n  return -a // 2 + a % 2 * a ** 1 - 1\n", {3}),
            "error: code/__torch__.py:2: expected a value of type 'int' but found type 'float'");
  EXPECT_EQ(result_of("def f(a: int) -> bool:\n  return not a == 3 or a > 2 and a != 4\n", {3}), "True");
  EXPECT_EQ(result_of("def f() -> float:\n  return -inf\n"), "-inf");
  EXPECT_EQ(result_of("def f() -> complex:\n  return 1.+2.j\n"), "1.+2.j");
}

TEST(ScriptLower, TuplesAndTargets) {
  EXPECT_EQ(result_of("def f() -> Tuple[int, int]:\n  a, b = 1, 2\n  a, b = b, a\n  return (a, b)\n"), "(2, 1)");
  EXPECT_EQ(result_of("def f(x: List[int]) -> int:\n  a, b, = x\n  return a * 10 + b\n", {ints({4, 2})}), "42");
  EXPECT_EQ(result_of("def f(x: List[int]) -> int:\n  a, b, = x\n  return a\n", {ints({4})}),
            "error: Expected 2 elements in a list but found 1");
  EXPECT_EQ(result_of("def f() -> int:\n  a, *b = (1, 2, 3)\n  return a + b[0] * b[-1]\n"), "7");
  EXPECT_EQ(result_of("def f() -> Tuple[int, str]:\n  t = (1, \"a\", 2.5)\n  return (t[0], t[1])\n"), "(1, a)");
  EXPECT_EQ(result_of("def f() -> Tuple[str, float]:\n  t = (1, \"a\", 2.5)\n  return t[1:]\n"), "(a, 2.5)");
  EXPECT_EQ(result_of("def f() -> Tuple[float, str, int]:\n  t = (1, \"a\", 2.5)\n  return t[::-1]\n"), "(2.5, a, 1)");
  EXPECT_EQ(result_of("def f() -> int:\n  t = (1, 2)\n  return t[2]\n"),
            "error: code/__torch__.py:3: Tuple index out of range. Tuple is length 2");
}

TEST(ScriptLower, IfJoinsTypes) {
  const std::string text =
      "def f(c: bool) -> Optional[int]:\n"
      "  if c:\n"
      "    x = 1\n"
      "  else:\n"
      "    x = None\n"
      "  return x\n";
  EXPECT_EQ(result_of(text, {true}), "1");
  EXPECT_EQ(result_of(text, {false}), "None");
  EXPECT_EQ(result_of("def f(c: bool) -> int:\n"
                      "  if c:\n"
                      "    x = 1\n"
                      "  else:\n"
                      "    pass\n"
                      "  return x\n",
                      {true}),
            "error: code/__torch__.py:6: x is not defined in every branch of the if before it");
  EXPECT_EQ(result_of("def f(c: bool) -> int:\n"
                      "  if c:\n"
                      "    x = 1\n"
                      "  else:\n"
                      "    x = \"a\"\n"
                      "  return x\n",
                      {true}),
            "error: code/__torch__.py:6: Type mismatch: x is set to type int in the true branch and type str in the "
            "false branch");
}

TEST(ScriptLower, Refinement) {
  const std::string text =
      "def f(x: Optional[int]) -> int:\n"
      "  if x is None:\n"
      "    x = 5\n"
      "  return x + 1\n";
  EXPECT_EQ(result_of(text, {IValue()}), "6");
  EXPECT_EQ(result_of(text, {7}), "8");
  const std::string early =
      "def f(x: Optional[int]) -> int:\n"
      "  if x is None:\n"
      "    return -1\n"
      "  return x + 1\n";
  EXPECT_EQ(result_of(early, {IValue()}), "-1");
  EXPECT_EQ(result_of(early, {7}), "8");
  const std::string both =
      "def f(x: Optional[int], y: Optional[int]) -> int:\n"
      "  if x is not None and y is not None:\n"
      "    return x + y\n"
      "  else:\n"
      "    return 0\n";
  EXPECT_EQ(result_of(both, {1, 2}), "3");
  EXPECT_EQ(result_of(both, {1, IValue()}), "0");
  EXPECT_EQ(result_of("def f(x: Optional[int]) -> int:\n  assert x is not None\n  return x * 2\n", {4}), "8");
  EXPECT_EQ(result_of("def f(x: Optional[int]) -> int:\n  return 0 if x is None else x\n", {4}), "4");
  const std::string instance =
      "def f(x: Union[int, str, List[int]]) -> str:\n"
      "  if isinstance(x, int):\n"
      "    r = str(x + 1)\n"
      "  elif isinstance(x, str):\n"
      "    r = x + \"!\"\n"
      "  else:\n"
      "    r = str(x[0])\n"
      "  return r\n";
  EXPECT_EQ(result_of(instance, {1}), "2");
  EXPECT_EQ(result_of(instance, {"a"}), "a!");
  EXPECT_EQ(result_of(instance, {ints({9})}), "9");
}

TEST(ScriptLower, DeadBranchesAreNotChecked) {
  EXPECT_EQ(result_of("def f(x: int) -> int:\n"
                      "  if x is None:\n"
                      "    y = no_such_thing(x)\n"
                      "  else:\n"
                      "    y = x\n"
                      "  return y\n",
                      {3}),
            "3");
  EXPECT_EQ(result_of("def f(x: int) -> int:\n"
                      "  if isinstance(x, str):\n"
                      "    return x.upper()\n"
                      "  if False:\n"
                      "    return undefined\n"
                      "  return x\n",
                      {3}),
            "3");
}

TEST(ScriptLower, LoopsAndEarlyExits) {
  EXPECT_EQ(result_of("def f(n: int) -> int:\n"
                      "  s = 0\n"
                      "  for i in range(n):\n"
                      "    if i == 2:\n"
                      "      continue\n"
                      "    if i == 5:\n"
                      "      break\n"
                      "    s += i\n"
                      "  return s\n",
                      {10}),
            "8");
  const std::string search =
      "def f(x: List[int], y: int) -> int:\n"
      "  for i, v in enumerate(x):\n"
      "    for w in range(3):\n"
      "      if v * 10 + w == y:\n"
      "        return i * 100 + w\n"
      "  return -1\n";
  EXPECT_EQ(result_of(search, {ints({1, 2, 3}), 22}), "102");
  EXPECT_EQ(result_of(search, {ints({1, 2, 3}), 99}), "-1");
  EXPECT_EQ(result_of("def f(n: int) -> int:\n"
                      "  i = 0\n"
                      "  while True:\n"
                      "    i += 1\n"
                      "    if i > n:\n"
                      "      break\n"
                      "    if i % 2 == 0:\n"
                      "      continue\n"
                      "    if i == 7:\n"
                      "      return 700\n"
                      "  return i\n",
                      {5}),
            "6");
  EXPECT_EQ(result_of("def f() -> int:\n  s = 0\n  for i in range(10, 0, -3):\n    s = s * 10 + i\n  return s\n"),
            "10741");
  EXPECT_EQ(result_of("def f() -> str:\n  s = \"\"\n  for c in \"abc\":\n    s = c + s\n  return s\n"), "cba");
  EXPECT_EQ(result_of("def f() -> float:\n"
                      "  s = 0.\n"
                      "  for a, b in zip([1, 2, 3], [1.5, 2.5]):\n"
                      "    s = s + a * b\n"
                      "  for x in (1, 2.5):\n"
                      "    s = s + x\n"
                      "  return s\n"),
            "10.");
  EXPECT_EQ(result_of("def f() -> int:\n"
                      "  x = 1\n"
                      "  for i in range(2):\n"
                      "    x = \"a\"\n"
                      "  return x\n"),
            "error: code/__torch__.py:3: Variable 'x' previously had type int but is now being assigned to a value of "
            "type str");
}

TEST(ScriptLower, PrintedLoop) {
  EXPECT_EQ(result_of("def f(n: int) -> int:\n"
                      "  y = 0\n"
                      "  _0 = torch.lt(y, n)\n"
                      "  y0 = y\n"
                      "  _1 = _0\n"
                      "  while _1:\n"
                      "    y1 = torch.add(y0, 3)\n"
                      "    _2 = torch.lt(y1, n)\n"
                      "    _1, y0 = _2, y1\n"
                      "  return y0\n",
                      {10}),
            "12");
}

TEST(ScriptLower, Containers) {
  EXPECT_EQ(result_of("def f() -> List[int]:\n"
                      "  l = annotate(List[int], [])\n"
                      "  _0 = torch.append(l, 1)\n"
                      "  l.append(5)\n"
                      "  l.extend([7, 8])\n"
                      "  l[0] = 4\n"
                      "  l[1] += 10\n"
                      "  del l[2]\n"
                      "  return l + [x * x for x in l][1:]\n"),
            "[4, 15, 8, 225, 64]");
  EXPECT_EQ(result_of("def f() -> Dict[str, int]:\n"
                      "  d = annotate(Dict[str, int], {})\n"
                      "  torch._set_item(d, \"a\", 1)\n"
                      "  d[\"b\"] = 2\n"
                      "  d[\"a\"] += 5\n"
                      "  e = {k: v + 1 for k, v in d.items()}\n"
                      "  if \"zz\" not in e and \"a\" in e:\n"
                      "    e[\"n\"] = len(d)\n"
                      "  return e\n"),
            "{a: 7, b: 3, n: 2}");
  EXPECT_EQ(result_of("def f() -> List[Optional[int]]:\n  return annotate(List[Optional[int]], [None, 3])\n"),
            "[None, 3]");
  EXPECT_EQ(result_of("def f(n: int) -> bool:\n  return n in (1, 2, 3)\n", {2}), "True");
  EXPECT_EQ(result_of("def f() -> List[Tuple[int, str]]:\n  return list(zip([1, 2], [\"a\", \"b\"]))\n"),
            "[(1, a), (2, b)]");
  EXPECT_EQ(result_of("def f() -> int:\n  return min(3, 2) + max([4, 9]) + sum([1, 2]) + abs(-5) + len(\"abc\")\n"),
            "22");
  EXPECT_EQ(result_of("def f() -> List[int]:\n  return sorted([3, 1, 2])\n"), "[1, 2, 3]");
}

TEST(ScriptLower, Strings) {
  EXPECT_EQ(result_of("def f(n: int) -> str:\n  return \"%d-%s\" % (n, \"x\") + \"{} {}\".format(n, 2.5)\n", {3}),
            "3-x3 2.5");
  EXPECT_EQ(result_of("def f(s: str) -> str:\n  return s.upper().replace(\"B\", \"c\")[1:] + s[0] + s[-1]\n", {"abb"}),
            "ccab");
  EXPECT_EQ(
      result_of("def f(s: str) -> List[str]:\n  return s.split(\",\") + [str(len(s)), str(\"a\" in s)]\n", {"a,b"}),
      "[a, b, 3, True]");
}

TEST(ScriptLower, Functions) {
  EXPECT_EQ(result_of("def g(x: int, y: int=10, *, z: int=100) -> int:\n"
                      "  return x + y + z\n"
                      "def f() -> int:\n"
                      "  h = __torch__.g\n"
                      "  return h(1, 2, ) + __torch__.g(x=1, z=3) + __torch__.g(*(1, 2))\n"),
            "220");
  EXPECT_EQ(result_of("def fib(n: int) -> int:\n"
                      "  if n < 2:\n"
                      "    return n\n"
                      "  return __torch__.fib(n - 1, ) + __torch__.fib(n - 2, )\n"
                      "def f() -> int:\n"
                      "  return __torch__.fib(10, )\n"),
            "55");
  EXPECT_EQ(result_of("def g(x: int):\n  return x + 1\ndef f() -> int:\n  return __torch__.g(1)\n"), "2");
  EXPECT_EQ(result_of("def f(x: int) -> int:\n"
                      "  y = 10\n"
                      "  def __forked():\n"
                      "    return x + y\n"
                      "  a = fork(__forked)\n"
                      "  return torch.wait(a)\n",
                      {5}),
            "15");
}

constexpr const char* kClasses =
    "class P(NamedTuple):\n"
    "  x : int\n"
    "  y : float\n"
    "class Color(Enum):\n"
    "  RED = 1\n"
    "  BLUE = 2\n"
    "class I(Interface):\n"
    "  def get(self, n: int) -> int:\n"
    "    pass\n"
    "class A:\n"
    "  n : int\n"
    "  log : List[str]\n"
    "  def __init__(self: __torch__.A, n: int) -> NoneType:\n"
    "    self.n = n\n"
    "    self.log = annotate(List[str], [])\n"
    "  def get(self: __torch__.A, n: int) -> int:\n"
    "    return torch.add(self.n, n)\n"
    "  def __add__(self: __torch__.A, o: int) -> __torch__.A:\n"
    "    _0 = __torch__.A.__new__(__torch__.A)\n"
    "    _1 = (_0).__init__(torch.add(self.n, o), )\n"
    "    return _0\n"
    "  def __len__(self: __torch__.A) -> int:\n"
    "    return self.n\n"
    "  def __enter__(self: __torch__.A) -> int:\n"
    "    self.log.append(\"in\")\n"
    "    return self.n\n"
    "  def __exit__(self: __torch__.A, a: Any, b: Any, c: Any) -> NoneType:\n"
    "    self.log.append(\"out\")\n"
    "  def __twice_getter(self: __torch__.A) -> int:\n"
    "    return torch.mul(self.n, 2)\n"
    "class B:\n"
    "  def get(self: __torch__.B, n: int) -> int:\n"
    "    return 1000\n"
    "def call(i: __torch__.I) -> int:\n"
    "  return (i).get(7, )\n";

TEST(ScriptLower, Classes) {
  auto with = [](const std::string& text) { return result_of(kClasses + text); };
  EXPECT_EQ(with("def f() -> int:\n  a = __torch__.A(3)\n  b = a + 4\n  return b.get(1) + len(b) + b.twice\n"), "29");
  EXPECT_EQ(with("def f() -> int:\n  return __torch__.call(__torch__.A(3), ) + __torch__.call(__torch__.B(), )\n"),
            "1010");
  EXPECT_EQ(with("def f() -> float:\n  p = __torch__.P(1, 2.5)\n  return p.y + (p)[0]\n"), "3.5");
  EXPECT_EQ(with("def f() -> str:\n  c = __torch__.Color.BLUE\n  return c.name + str(c.value) + "
                 "str(c == __torch__.Color.RED)\n"),
            "BLUE2False");
  EXPECT_EQ(with("def f() -> int:\n  return getattr(__torch__.A(3), \"n\")\n"), "3");
  EXPECT_EQ(with("def f() -> bool:\n  return hasattr(__torch__.A(3), \"zz\")\n"), "False");
  EXPECT_EQ(with("def f() -> int:\n  return __torch__.A(3).zz\n"),
            "error: code/__torch__.py:37: '__torch__.A' object has no attribute or method 'zz'");
  EXPECT_EQ(with("def f() -> List[str]:\n"
                 "  a = __torch__.A(3)\n"
                 "  with a as n:\n"
                 "    a.log.append(str(n))\n"
                 "  return a.log\n"),
            "[in, 3, out]");
}

TEST(ScriptLower, WithIsLeftWhenTheBodyRaises) {
  Text text(std::string(kClasses) +
            "def g(a: __torch__.A) -> int:\n"
            "  with a:\n"
            "    raise ValueError(\"no\")\n"
            "  return 1\n"
            "def make() -> __torch__.A:\n"
            "  return __torch__.A(3)\n");
  const IValue a = text.run("make");
  try {
    text.run("g", {a});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("ValueError: no"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("code/__torch__.py:38"), std::string::npos) << e.what();
  }
  EXPECT_EQ(repr(a.to_object().attr("log")), "[in, out]");
}

TEST(ScriptLower, TensorsAndOverloads) {
  const Tensor x = call_operator("aten::arange", {6})[0].to_tensor();
  const IValue m = call_operator("aten::view", {IValue(x), ints({2, 3})})[0];
  auto shape = [&](const std::string& body) {
    return result_of("def f(x: Tensor) -> List[int]:\n  y = " + body + "\n  return y.size()\n", {m});
  };
  EXPECT_EQ(shape("x[0]"), "[3]");
  EXPECT_EQ(shape("x[:, 1:]"), "[2, 2]");
  EXPECT_EQ(shape("x[None, ..., 0]"), "[1, 2]");
  EXPECT_EQ(shape("x[..., None]"), "[2, 3, 1]");
  EXPECT_EQ(shape("x[x > 2]"), "[3]");
  EXPECT_EQ(shape("x[:, [0, 0, 1, 2]]"), "[2, 4]");
  EXPECT_EQ(shape("x.view(3, 2)"), "[3, 2]");
  EXPECT_EQ(shape("x.view(-1)"), "[6]");
  EXPECT_EQ(shape("torch.transpose(x, 0, 1).contiguous()"), "[3, 2]");
  EXPECT_EQ(shape("torch.cat((x, x), 1)"), "[2, 6]");
  EXPECT_EQ(shape("torch.zeros([2, 5], dtype=6, layout=None, device=torch.device(\"cpu\"), pin_memory=False)"),
            "[2, 5]");
  auto total = [&](const std::string& body) {
    return result_of("def f(x: Tensor) -> float:\n" + body + "  return float(torch.sum(x))\n", {m});
  };
  EXPECT_EQ(total("  x = 2 - x\n"), "-3.");
  EXPECT_EQ(total("  x = x.clone()\n  x[0] = 10\n"), "42.");
  EXPECT_EQ(total("  x = x.clone()\n  x[:, 0] += 1\n"), "17.");
  EXPECT_EQ(total("  x = x.clone()\n  x[x > 3] = 0\n"), "6.");
  EXPECT_EQ(total("  values, indices = torch.max(x, 1)\n  x = values\n"), "7.");
  EXPECT_EQ(total("  x = torch.max(x, 1).indices\n"), "4.");
  EXPECT_EQ(total("  x = x.float() * x.dtype\n"), "60.");
  EXPECT_EQ(result_of("def f(x: Tensor) -> List[List[int]]:\n  return annotate(List[List[int]], x.tolist())\n", {m}),
            "[[0, 1, 2], [3, 4, 5]]");
  EXPECT_EQ(result_of("def f(x: Tensor) -> int:\n  n = 0\n  for row in x:\n    n += int(row[0])\n  return n\n", {m}),
            "3");
  EXPECT_EQ(result_of("def f(x: Tensor) -> int:\n  return annotate(int, torch.sum(x))\n", {m}), "15");
  EXPECT_EQ(result_of("def f(x: Tensor) -> bool:\n  return bool(torch.lt(torch.sum(x), 100))\n", {m}), "True");
}

TEST(ScriptLower, WrongCallsNameTheCandidates) {
  const std::string text = result_of("def f(x: str) -> int:\n  return torch.neg(x)\n", {"a"});
  EXPECT_EQ(text,
            "error: code/__torch__.py:2: Arguments for call are not valid. The following variants are available:");
  EXPECT_EQ(result_of("def f(x: int) -> int:\n  return ops.prim.rangelist(x, 1, 2)\n", {1}),
            "error: code/__torch__.py:2: prim::rangelist(int n) -> List[int]: it takes 1 arguments, 3 are given");
}

TEST(ScriptLower, MissingOperatorsStay) {
  Text text(
      "def f(x: Tensor) -> Tensor:\n"
      "  a, b = ops.nowhere.thing(x, 2, k=\"v\")\n"
      "  c = torch.add(torch.mul(a, 2), b.size(0))\n"
      "  if torch.no_such_test(c):\n"
      "    c = c[0]\n"
      "  return c\n");
  const ir::Function& f = text.function("f");
  const auto used = ir::operators_used(*text.program);
  EXPECT_TRUE(used.contains("nowhere::thing"));
  EXPECT_EQ(used.at("nowhere::thing").op, nullptr);
  EXPECT_TRUE(used.contains("aten::no_such_test"));
  EXPECT_EQ(f.graph.body()->nodes.size() > 3, true);
}

TEST(ScriptLower, OldOperatorVersions) {
  const std::string divide = "def f(a: Tensor, b: int) -> Tensor:\n  return torch.div(a, b)\n";
  const IValue seven = call_operator("aten::tensor.int", {7})[0];
  auto value = [&](int64_t version) { return repr(Text(divide, {}, version).run("f", {seven, 2})); };
  EXPECT_NE(value(3).find("CPULongType"), std::string::npos);
  EXPECT_NE(value(4).find("CPUFloatType"), std::string::npos);
  const std::string steps = "def f() -> int:\n  return torch.len(torch.linspace(0, 1, None))\n";
  EXPECT_EQ(result_of(steps, {}, 7), "100");
  EXPECT_TRUE(result_of(steps, {}, 8).starts_with("error: "));
  const std::string full = "def f() -> int:\n  return ops.prim.dtype(torch.full([2], 1))\n";
  EXPECT_EQ(result_of(full, {}, 4), "6");
  EXPECT_EQ(result_of(full, {}, 5), "4");
}

TEST(ScriptLower, Constants) {
  Text text("def f() -> int:\n  return torch.add(CONSTANTS.c0, CONSTANTS.c1)\n", {IValue(4), IValue(5)});
  EXPECT_EQ(repr(text.run("f")), "9");
  EXPECT_TRUE(result_of("def f() -> int:\n  return CONSTANTS.c5\n").starts_with("error: "));
}

}  // namespace
}  // namespace wick::script
