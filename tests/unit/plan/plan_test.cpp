// The planner on programs from source: planned execution and the interpreter must agree in every run.
#include "plan/planned.h"

#include <gtest/gtest.h>

#include <thread>

#include "plan/profile.h"
#include "unit/frontend/script/run.h"
#include "wick/module.h"

namespace wick::script {
namespace {

using Maker = std::function<std::vector<IValue>(int run)>;

Tensor ramp(IntVec sizes, float start = 1) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = start + 0.5F * static_cast<float>(i);
  return t;
}

std::string outcome(const std::function<IValue()>& run) {
  try {
    return repr(run());
  } catch (const Error& e) {
    return e.what();
  }
}

// Runs f several times by the interpreter and by plans, each on its own arguments; results and arguments must be equal.
// Returns how many regions the last planned run had.
uint32_t expect_agreement(const std::string& text, const Maker& make, int runs = 4) {
  Text plain(text), planned(text);
  ir::Function& f = plain.function("f");
  ir::Function& g = planned.function("f");
  plan::Profile profile;
  for (int i = 0; i < runs; ++i) {
    const std::vector<IValue> a = make(i), b = make(i);
    manual_seed(7);
    const std::string want = outcome([&] { return plain.executor->run(f, a); });
    manual_seed(7);
    profile = {};
    const plan::ProfileScope scope(profile);
    const std::string got = outcome([&] { return planned.planner.run(g, b); });
    EXPECT_EQ(got, want) << "run " << i << " of\n" << text;
    for (size_t k = 0; k < a.size(); ++k) EXPECT_EQ(repr(b[k]), repr(a[k])) << "argument " << k << " in run " << i;
  }
  return profile.regions;
}

Maker same(std::function<std::vector<IValue>()> make) {
  return [make = std::move(make)](int) { return make(); };
}

TEST(Plan, StraightLineIsOneRegion) {
  const uint32_t regions = expect_agreement(
      "def f(x: Tensor, y: Tensor) -> Tensor:\n"
      "  a = torch.relu(torch.add(x, y))\n"
      "  b = torch.mul(torch.sigmoid(a), 2.5)\n"
      "  return torch.sub(b, x)\n",
      same([] {
        return std::vector<IValue>{ramp({2, 3}), ramp({3}, -4)};
      }));
  EXPECT_EQ(regions, 1U);
}

TEST(Plan, Reductions) {
  const std::string text =
      "def f(x: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:\n"
      "  y = torch.mul(x, 3)\n"
      "  a = torch.sum(y, [0, 2])\n"
      "  b = torch.mean(y, [-1, 1], True)\n"
      "  c = torch.amax(torch.transpose(y, 0, 2), [1], True)\n"
      "  d = torch.var(y, [1], True, False)\n"
      "  e = torch.argmax(y, 0, True)\n"
      "  v, i = torch.max(y, 2)\n"
      "  w, j = torch.min(y, 1, True)\n"
      "  g = torch.prod(torch.sigmoid(y), 0)\n"
      "  h = torch.add(torch.sum(y), torch.norm(y, 1, [0], True))\n"
      "  k = torch.argmin(torch.transpose(y, 0, 1))\n"
      "  return (a, b, c, d, e, torch.neg(v), j, g, h, k)\n";
  const auto make = same([] { return std::vector<IValue>{ramp({3, 4, 5}, -7)}; });
  EXPECT_EQ(expect_agreement(text, make), 1U);
  // None of them is called through the operator table.
  Text planned(text);
  plan::Profile profile;
  for (int run = 0; run < 2; ++run) {
    profile = {};
    const plan::ProfileScope scope(profile);
    planned.planner.run(planned.function("f"), make(run));
  }
  for (const plan::StepTime& step : profile.steps) {
    EXPECT_TRUE(step.name == "aten::argmin" || !step.name.starts_with("aten::")) << step.name;
  }
}

TEST(Plan, Joins) {
  const uint32_t regions = expect_agreement(
      "def f(x: Tensor, y: Tensor, n: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:\n"
      "  a = torch.cat([torch.mul(x, 2), y, torch.neg(x)], 1)\n"
      "  b = torch.cat([torch.transpose(x, 0, 1), torch.add(torch.transpose(x, 0, 1), 1)], 0)\n"
      "  c = torch.cat([n, torch.add(n, 1)], -1)\n"
      "  d = torch.cat([torch.slice(y, 1, 0, 0), torch.relu(y)], 1)\n"
      "  return (torch.transpose(a, 0, 1), b, c, d)\n",
      same([] {
        Tensor n = Tensor::empty({2, 2}, DType::kLong);
        for (int64_t i = 0; i < 4; ++i) n.data<int64_t>()[i] = i;
        return std::vector<IValue>{ramp({2, 3}), ramp({2, 5}, -4), n};
      }));
  EXPECT_EQ(regions, 1U);
}

TEST(Plan, EachSetOfShapesHasItsOwn) {
  expect_agreement(
      "def f(x: Tensor) -> Tensor:\n  return torch.view(torch.add(x, 1), [-1])\n",
      [](int run) {
        return std::vector<IValue>{ramp({1 + run % 12, 3})};
      },
      40);
}

TEST(Plan, NumbersThatChangeAreNotFrozen) {
  expect_agreement(
      "def f(x: Tensor, n: int, s: float) -> Tensor:\n"
      "  for i in range(n):\n"
      "    x = torch.add(torch.mul(x, s), i)\n"
      "  return x\n",
      [](int run) {
        return std::vector<IValue>{ramp({4}), run % 5, 0.5 * (run % 3)};
      },
      60);
}

TEST(Plan, ElementsDecide) {
  expect_agreement(
      "def f(x: Tensor) -> Tensor:\n"
      "  y = torch.mul(x, 2)\n"
      "  if bool(torch.gt(torch.sum(y), 3)):\n"
      "    z = torch.relu(y)\n"
      "  else:\n"
      "    z = torch.neg(y)\n"
      "  return torch.add(z, int(torch.sum(x)))\n",
      [](int run) { return std::vector<IValue>{ramp({3}, static_cast<float>(run % 4) - 3)}; }, 16);
}

TEST(Plan, ShapesThatElementsDecide) {
  expect_agreement(
      "def f(x: Tensor) -> Tensor:\n"
      "  i = torch.nonzero(torch.gt(x, 1.))\n"
      "  return torch.add(torch.mul(i, 2), 1)\n",
      [](int run) { return std::vector<IValue>{ramp({6}, static_cast<float>(run % 4) - 2)}; }, 12);
}

TEST(Plan, InPlaceOnResults) {
  const uint32_t regions = expect_agreement(
      "def f(x: Tensor) -> Tensor:\n"
      "  y = torch.add(x, 1)\n"
      "  z = torch.relu_(y)\n"
      "  w = torch.mul_(z, 3.)\n"
      "  return torch.add(w, y)\n",
      same([] {
        return std::vector<IValue>{ramp({2, 2}, -3)};
      }));
  EXPECT_EQ(regions, 1U);
}

// Functional forms that may give an argument back: its memory must not be reused while the result is read.
TEST(Plan, InPlaceOperatorsThatCopy) {
  for (const std::string write : {"torch.copy_(y, a)", "torch.conj_physical_(a)"}) {
    expect_agreement(
        "def f(x: Tensor) -> List[Tensor]:\n"
        "  a = torch.add(torch.mul(torch.relu(x), 2), 1)\n"
        "  y = torch.zeros_like(a)\n"
        "  y0 = " +
            write +
            "\n"
            "  b = torch.mul(torch.sigmoid(x), 3)\n"
            "  c = torch.add(torch.tanh(b), b)\n"
            "  d = torch.add(torch.softmax(c, 1), c)\n"
            "  e = torch.add(torch.matmul(d, d), b)\n"
            "  return [torch.add(y0, e), y0]\n",
        same([] {
          return std::vector<IValue>{ramp({5, 5}, -3)};
        }));
  }
}

TEST(Plan, InPlaceThroughViews) {
  expect_agreement(
      "def f(x: Tensor) -> Tuple[Tensor, Tensor]:\n"
      "  y = torch.add(x, 1)\n"
      "  row = torch.select(y, 0, 0)\n"
      "  flat = torch.view(y, [-1])\n"
      "  _0 = torch.mul_(row, 10)\n"
      "  _1 = torch.add_(torch.slice(flat, 0, 2, 4), 100)\n"
      "  return (torch.add(y, 0.5), row)\n",
      same([] {
        return std::vector<IValue>{ramp({3, 2})};
      }));
}

TEST(Plan, InPlaceWithAViewOfItself) {
  expect_agreement(
      "def f(x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:\n"
      "  y = torch.add(x, 1)\n"
      "  flat = torch.relu_(torch.view(y, [-1]))\n"
      "  doubled = torch.mul_(y, 2)\n"
      "  squares = torch.mul(doubled, torch.sigmoid(x))\n"
      "  transposed = torch.contiguous(torch.transpose(flat, 0, 0))\n"
      "  sum = torch.add_(flat, transposed)\n"
      "  return (torch.mul(torch.sub(sum, sum), transposed), transposed, squares)\n",
      same([] {
        return std::vector<IValue>{ramp({3, 3}, -4)};
      }));
}

TEST(Plan, ViewsBeyondWhatWasChanged) {
  expect_agreement(
      "def f(x: Tensor) -> Tensor:\n"
      "  part = torch.slice(torch.add(x, 1), 0, 0, 2)\n"
      "  _0 = torch.relu_(part)\n"
      "  return torch.mul(torch.as_strided(part, [6], [1], 0), 2)\n",
      same([] { return std::vector<IValue>{ramp({6}, -2)}; }));
}

TEST(Plan, ArgumentsThatAreChanged) {
  expect_agreement(
      "def f(x: Tensor, l: List[Tensor]) -> Tensor:\n"
      "  _0 = torch.add_(x, 1)\n"
      "  y = torch.mul(x, 2)\n"
      "  _1 = torch.append(l, y)\n"
      "  _2 = torch.zero_(torch.select(x, 0, 1))\n"
      "  return torch.add(y, torch.sum(x))\n",
      same([] {
        return std::vector<IValue>{ramp({3}), IValue::tensor_list({ramp({2})})};
      }));
}

TEST(Plan, ResultsAreNotOverwrittenByTheNextRun) {
  Text text(
      "def f(x: Tensor) -> Tuple[Tensor, Tensor]:\n"
      "  y = torch.relu(torch.add(x, 1))\n"
      "  return (y, torch.view(y, [-1]))\n");
  ir::Function& f = text.function("f");
  std::vector<std::string> texts;
  std::vector<IValue> results;
  for (int i = 0; i < 5; ++i) {
    results.push_back(text.planner.run(f, {ramp({2, 2}, static_cast<float>(i))}));
    texts.push_back(repr(results.back()));
  }
  for (size_t i = 0; i < results.size(); ++i) EXPECT_EQ(repr(results[i]), texts[i]);
  // The two results of one run share their memory, as the program says.
  const std::vector<IValue>& pair = results[3].to_tuple().items;
  EXPECT_EQ(pair[0].to_tensor().raw_data(), pair[1].to_tensor().raw_data());
}

TEST(Plan, ContainersAreMadeAnew) {
  expect_agreement(
      "def f(x: Tensor, n: int) -> Tuple[List[Tensor], Dict[str, Tensor], List[int]]:\n"
      "  l = annotate(List[Tensor], [])\n"
      "  d = annotate(Dict[str, Tensor], {})\n"
      "  s = annotate(List[int], [])\n"
      "  for i in range(n):\n"
      "    y = torch.mul(x, i)\n"
      "    _0 = torch.append(l, y)\n"
      "    torch._set_item(d, str(i), y)\n"
      "    _1 = torch.append(s, torch.size(y, 0))\n"
      "  return (l, d, s)\n",
      same([] {
        return std::vector<IValue>{ramp({2}), 3};
      }));
}

TEST(Plan, RandomNumbersAreDrawnEveryTime) {
  expect_agreement("def f(x: Tensor) -> Tensor:\n  return torch.add(torch.rand_like(x), torch.dropout(x, 0.5, True))\n",
                   same([] { return std::vector<IValue>{ramp({8})}; }));
}

TEST(Plan, BroadcastsAndLayouts) {
  for (const IntVec& other : {IntVec{}, IntVec{1}, IntVec{5}, IntVec{4, 1}, IntVec{3, 1, 1}, IntVec{2, 3, 1, 1},
                              IntVec{1, 3, 4, 5}, IntVec{2, 1, 4, 1}}) {
    expect_agreement(
        "def f(x: Tensor, y: Tensor) -> Tensor:\n"
        "  a = torch.mul(x, y)\n"
        "  return torch.tanh(torch.sub(y, torch.add(a, 1)))\n",
        same([other] {
          return std::vector<IValue>{ramp({2, 3, 4, 5}, -20), ramp(other, 0.25F)};
        }));
  }
}

TEST(Plan, LongLoopsAndLargeContainers) {
  expect_agreement(
      "def f(x: Tensor, n: int) -> Tuple[Tensor, List[int]]:\n"
      "  l = annotate(List[int], [])\n"
      "  for i in range(n):\n"
      "    _0 = torch.append(l, i)\n"
      "  y = torch.add(x, torch.sum(torch.tensor(l)))\n"
      "  return (y, torch.slice(l, -3))\n",
      same([] {
        return std::vector<IValue>{ramp({2}), 300'000};
      }),
      2);
  // Every trip makes a tensor whose elements are known beforehand.
  expect_agreement(
      "def f(x: Tensor, n: int) -> Tensor:\n"
      "  for i in range(n):\n"
      "    x = torch.add(x, torch.select(torch.full([1000000], i), 0, 3))\n"
      "  return x\n",
      same([] {
        return std::vector<IValue>{ramp({2}), 60};
      }),
      2);
}

TEST(Plan, EmptyTensors) {
  expect_agreement("def f(x: Tensor) -> Tensor:\n  return torch.relu(torch.mul(torch.add(x, 1), 2.))\n", same([] {
                     return std::vector<IValue>{ramp({0, 3})};
                   }));
}

// The recording computes no elements until the program asks for some; then it begins again.
TEST(Plan, ElementsThatTheRecordingLeftOut) {
  const auto one = same([] { return std::vector<IValue>{ramp({4, 4}, -3)}; });
  const auto two = same([] { return std::vector<IValue>{ramp({4, 4}, -3), ramp({4, 4})}; });
  // An operator that is always computed, after one that need not be.
  expect_agreement(
      "def f(x: Tensor) -> Tensor:\n"
      "  a = torch.relu(torch.matmul(x, x))\n"
      "  return torch.add(torch.cumsum(a, 1), torch.mul(a, 2))\n",
      one);
  // Indices that are computed.
  expect_agreement(
      "def f(x: Tensor) -> Tensor:\n"
      "  n = torch.to(torch.clamp(torch.mul(x, 0.5), 0, 3), 4)\n"
      "  return torch.gather(torch.sigmoid(x), 1, n)\n",
      one);
  // An argument that is changed, and numbers drawn at random, after it.
  expect_agreement(
      "def f(x: Tensor, y: Tensor) -> Tensor:\n"
      "  a = torch.relu(torch.add(x, y))\n"
      "  b = torch.add_(y, a)\n"
      "  return torch.mul(torch.dropout(b, 0.5, True), torch.rand_like(a))\n",
      two);
  // A branch on elements ends the stretch.
  expect_agreement(
      "def f(x: Tensor, y: Tensor) -> Tensor:\n"
      "  a = torch.softmax(torch.linear(x, y), 1)\n"
      "  if bool(torch.gt(torch.sum(a), 3.5)):\n"
      "    b = torch.sub(a, x)\n"
      "  else:\n"
      "    b = torch.mul(a, y)\n"
      "  return b\n",
      two);
}

TEST(Plan, ErrorsSayTheSame) {
  expect_agreement(
      "def g(x: Tensor, y: Tensor) -> Tensor:\n"
      "  return torch.add(x, y)\n"
      "def f(x: Tensor, y: Tensor) -> Tensor:\n"
      "  return __torch__.g(torch.relu(x), y, )\n",
      [](int run) {
        return std::vector<IValue>{ramp({2}), ramp({run == 2 ? 3 : 2})};
      });
  expect_agreement(
      "def f(x: Tensor) -> Tensor:\n"
      "  if torch.eq(torch.dim(x), 1):\n"
      "    ops.prim.RaiseException(\"one dim\")\n"
      "  else:\n"
      "    pass\n"
      "  return torch.neg(x)\n",
      [](int run) {
        return std::vector<IValue>{run % 2 ? ramp({2}) : ramp({2, 1})};
      });
}

TEST(Plan, FailingElementsAreFoundInEveryRun) {
  expect_agreement(
      "def f(x: Tensor, i: Tensor) -> Tensor:\n  return torch.neg(torch.index_select(x, 0, i))\n",
      [](int run) {
        Tensor index = Tensor::empty({1}, DType::kLong);
        index.data<int64_t>()[0] = run % 3 == 2 ? 9 : run % 3;
        return std::vector<IValue>{ramp({3}), index};
      },
      7);
}

TEST(Plan, SeveralThreadsAtOnce) {
  Text text(
      "def f(x: Tensor) -> Tensor:\n"
      "  y = torch.relu(torch.add(x, 1))\n"
      "  return torch.sum(torch.mul(torch.matmul(y, x), 0.5))\n");
  ir::Function& f = text.function("f");
  std::vector<std::thread> threads;
  std::vector<std::string> got(8), want(8);
  for (int i = 0; i < 8; ++i) want[i] = repr(text.executor->run(f, {ramp({16, 16}, i % 3)}));
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 20; ++k) got[i] = repr(text.planner.run(f, {ramp({16, 16}, i % 3)}));
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(got, want);
}

}  // namespace
}  // namespace wick::script
