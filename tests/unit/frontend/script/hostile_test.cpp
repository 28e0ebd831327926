// Source that lies about types, grows without bound, or never ends.
#include <gtest/gtest.h>

#include "core/check.h"
#include "unit/frontend/script/run.h"

namespace wick::script {
namespace {

// Refused, while lowering or running, with an Error of this code.
void expect_refused(const std::string& text, ErrorCode code, std::vector<IValue> args = {}) {
  try {
    Text(text).run("f", std::move(args));
    ADD_FAILURE() << "accepted: " << text.substr(0, 300);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << std::string(e.what()).substr(0, 300);
  }
}

std::string repeat(const std::string& line, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += line;
  return out;
}

TEST(ScriptHostile, CastsThatLie) {
  const ErrorCode mismatch = ErrorCode::kTypeMismatch;
  expect_refused("def f() -> Tensor:\n  return torch.add(unchecked_cast(Tensor, 5), 1)\n", mismatch);
  expect_refused("def f() -> int:\n  return torch.len(unchecked_cast(List[int], \"abc\"))\n", mismatch);
  expect_refused("def f() -> int:\n  return torch.len(unchecked_cast(Dict[str, int], 7))\n", mismatch);
  expect_refused("def f() -> int:\n  return torch.add(uninitialized(int), 1)\n", mismatch);
  expect_refused("def f() -> int:\n  a, b, = unchecked_cast(Tuple[int, int], (1, 2, 3))\n  return a\n", mismatch);
  expect_refused("def f() -> int:\n  return unchecked_cast(Tuple[int, int], (1,))[1]\n", ErrorCode::kIndexOutOfRange);
  expect_refused("def f() -> bool:\n  if unchecked_cast(bool, \"x\"):\n    return True\n  return False\n", mismatch);
  expect_refused("def f() -> int:\n  s = 0\n  for i in range(unchecked_cast(int, \"x\")):\n    s = i\n  return s\n",
                 mismatch);
  expect_refused(
      "class A:\n"
      "  x : Tensor\n"
      "  def get(self: __torch__.A) -> Tensor:\n"
      "    return torch.neg(self.x)\n"
      "class B:\n"
      "  a : int\n"
      "  def __init__(self: __torch__.B) -> NoneType:\n"
      "    self.a = 7\n"
      "def f() -> Tensor:\n"
      "  b = __torch__.B()\n"
      "  return (unchecked_cast(__torch__.A, b)).get()\n",
      mismatch);
  expect_refused(
      "class A:\n"
      "  x : int\n"
      "  y : int\n"
      "class B:\n"
      "  a : int\n"
      "def f() -> int:\n"
      "  b = __torch__.B.__new__(__torch__.B)\n"
      "  return unchecked_cast(__torch__.A, b).y\n",
      ErrorCode::kIndexOutOfRange);
  expect_refused(
      "class I(Interface):\n"
      "  def go(self) -> int:\n"
      "    pass\n"
      "def f() -> int:\n"
      "  return unchecked_cast(__torch__.I, 3).go()\n",
      mismatch);
}

TEST(ScriptHostile, EndlessRecursion) {
  expect_refused("def f() -> int:\n  return __torch__.f()\n", ErrorCode::kLimitExceeded);
  expect_refused("def f():\n  return __torch__.f()\n", ErrorCode::kUnsupported);
  std::string chain = "def f():\n  return __torch__.f0()\n";
  for (int i = 0; i < 5000; ++i) {
    chain += cat("def f", i, "():\n  return __torch__.f", i + 1, "()\n");
  }
  expect_refused(chain + "def f5000():\n  return 1\n", ErrorCode::kLimitExceeded);
  expect_refused("def f() -> int:\n  def g():\n    return __torch__.f()\n  return torch.wait(fork(g))\n",
                 ErrorCode::kLimitExceeded);
}

TEST(ScriptHostile, TypesThatGrow) {
  expect_refused("def f() -> int:\n  a = (1, 2)\n" + repeat("  a = (a, a)\n", 60) + "  return 1\n",
                 ErrorCode::kLimitExceeded);
  std::string classes = "class P0(NamedTuple):\n  a : int\n  b : int\n";
  for (int i = 1; i < 60; ++i) {
    classes += cat("class P", i, "(NamedTuple):\n  a : __torch__.P", i - 1, "\n  b : __torch__.P", i - 1, "\n");
  }
  expect_refused(classes + "def f() -> int:\n  a = uninitialized(__torch__.P59)\n  return 1\n",
                 ErrorCode::kLimitExceeded);
}

TEST(ScriptHostile, CodeThatGrows) {
  std::string loops = "def f() -> int:\n  s = 0\n";
  std::string indent = "  ";
  for (int i = 0; i < 12; ++i) {
    loops += cat(indent, "for x", i, " in (1, 2, 3, 4, 5, 6, 7, 8):\n");
    indent += "  ";
  }
  expect_refused(loops + indent + "s += 1\n  return s\n", ErrorCode::kLimitExceeded);

  std::string deep = "def f(c: bool) -> int:\n";
  indent = "  ";
  for (int i = 0; i < 400; ++i) {
    deep += indent + "if c:\n";
    indent += " ";
  }
  expect_refused(deep + indent + "pass\n  return 1\n", ErrorCode::kLimitExceeded, {true});

  std::string nested = "1";
  for (int i = 0; i < 5000; ++i) nested = "(" + nested + ")";
  try {
    Text("def f() -> int:\n  return " + nested + "\n").run("f");
  } catch (const Error&) {
  }
  std::string sum = "1" + repeat(" + 1", 20000);
  try {
    Text("def f() -> int:\n  return " + sum + "\n").run("f");
  } catch (const Error&) {
  }
}

TEST(ScriptHostile, BreaksOutsideLoops) {
  expect_refused("def f() -> int:\n  break\n  return 1\n", ErrorCode::kCorruptFile);
  expect_refused("def f() -> int:\n  for x in (1, 2):\n    break\n  return 1\n", ErrorCode::kCorruptFile);
}

// Pieces of valid source, cut and joined at random: never a crash.
TEST(ScriptHostile, Scrambled) {
  const std::string base =
      "class A:\n  n : int\n  t : Tensor\n  def __init__(self: __torch__.A, n: int) -> NoneType:\n    self.n = n\n"
      "class P(NamedTuple):\n  x : int\n  y : Optional[Tensor]\n"
      "def g(x: Tensor, n: int=3) -> Tuple[Tensor, int]:\n  return (torch.add(x, n), n)\n"
      "def f(x: Tensor, n: int) -> Tensor:\n"
      "  a, b = __torch__.g(x, n, )\n"
      "  l = annotate(List[Tensor], [])\n"
      "  for i in range(n):\n    if torch.gt(i, 2):\n      l.append(x[i:, 0])\n    else:\n      l.append(a)\n"
      "  o = unchecked_cast(Optional[int], b)\n"
      "  if o is not None:\n    x = x.view(-1)\n    x[0] = o\n"
      "  while bool(torch.sum(x) < 3):\n    x += 1.5\n"
      "  d = {\"k\": l, \"j\": [x]}\n"
      "  p = __torch__.P(1, None)\n"
      "  c = __torch__.A(p.x)\n"
      "  return torch.cat(d[\"k\"] + [x], 0) if c.n == 1 else x\n";
  uint64_t state = 12345;
  auto random = [&](size_t n) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<size_t>((state >> 33) % n);
  };
  for (int round = 0; round < 3000; ++round) {
    std::string text = base;
    for (size_t k = 1 + random(4); k > 0; --k) {
      const size_t at = random(text.size());
      switch (random(4)) {
        case 0:
          text.erase(at, 1 + random(6));
          break;
        case 1:
          text.insert(at, base.substr(random(base.size()), 1 + random(20)));
          break;
        case 2:
          text[at] = base[random(base.size())];
          break;
        default:
          std::swap(text[at], text[random(text.size())]);
      }
    }
    try {
      Text code(text);
      const IValue x = call_operator("aten::ones", {IValue::int_list(std::vector<int64_t>{4, 2})})[0];
      code.function("f");
      if (text.find("while") == std::string::npos) code.run("f", {x, 3});
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace wick::script
