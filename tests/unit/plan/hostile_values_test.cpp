// Plans beside values that hold themselves, nest deeply or share their parts.
#include <gtest/gtest.h>

#include "core/limits.h"
#include "plan/record/guard.h"
#include "unit/frontend/script/run.h"
#include "unit/hostile_values.h"
#include "unit/small_stack.h"

namespace wick::script {
namespace {

using test::deep;
using test::doubled;
using test::Kind;
using test::SelfHeld;

constexpr Kind kContainers[] = {Kind::kList, Kind::kTuple, Kind::kDict};

TEST(PlanGuard, NeverMatchesWhatHoldsItselfOrTooMuch) {
  for (const Kind kind : kContainers) {
    SCOPED_TRACE(static_cast<int>(kind));
    const SelfHeld self(kind);
    EXPECT_FALSE(plan::Guard::of(self.value).can_match());
    EXPECT_FALSE(plan::Guard::of(deep(kind, 200000)).can_match());
    EXPECT_FALSE(plan::Guard::of(doubled(kind, 15)).can_match());
    EXPECT_FALSE(plan::Guard::of(doubled(kind, 60)).can_match());
  }
}

TEST(PlanGuard, CountsItemsWhereverTheyAreHeld) {
  const IValue row = IValue::int_list(IntVec(1000, 1));
  const IValue fits = IValue::list(types::any(), {row, row, row, row});
  const IValue too_much = IValue::list(types::any(), {row, row, row, row, row});
  EXPECT_TRUE(plan::Guard::of(fits).can_match());
  EXPECT_TRUE(plan::Guard::of(fits).matches(fits));
  EXPECT_FALSE(plan::Guard::of(too_much).can_match());
  EXPECT_FALSE(plan::Guard::of(IValue::int_list(IntVec(limits::kMaxGuardParts + 1, 1))).can_match());
}

TEST(PlanGuard, GivesAsManyTensorsForSharedPartsAsForOthers) {
  const auto pair = [] { return IValue::tensor_list({Tensor::zeros({2}), Tensor::zeros({2})}); };
  const IValue once = pair();
  const IValue apart = IValue::list(types::any(), {pair(), pair()}), shared = IValue::list(types::any(), {once, once});
  EXPECT_TRUE(plan::Guard::of(apart).matches(shared));
  const auto count = [](const IValue& v) {
    size_t tensors = 0;
    plan::visit_guarded_tensors(v, [&](const Tensor&) { ++tensors; });
    return tensors;
  };
  EXPECT_EQ(count(apart), 4u);
  EXPECT_EQ(count(shared), 4u);
}

// The same answer from plans as from the interpreter, on a thread with little stack.
void expect_agreement(const std::string& text, const std::vector<IValue>& args) {
  std::string plain, planned;
  test::run_on_stack(512 << 10, [&] {
    Text a(text), b(text);
    plain = repr(a.run("f", args));
    ir::Function& f = b.function("f");
    for (int i = 0; i < 3; ++i) planned = repr(b.planner.run(f, args));
  });
  EXPECT_EQ(plain, planned) << text;
}

TEST(PlanHostileValues, AliveInAPlannedStretch) {
  const std::string text =
      "def f(x: Tensor, v: Any) -> Tensor:\n"
      "  y = torch.relu(torch.add(x, 1.))\n"
      "  w = [v, v]\n"
      "  z = torch.mul(y, 2.)\n"
      "  return torch.add(z, torch.len(w))\n";
  for (const Kind kind : kContainers) {
    const SelfHeld self(kind);
    expect_agreement(text, {IValue(Tensor::zeros({3})), self.value});
    expect_agreement(text, {IValue(Tensor::zeros({3})), deep(kind, 200000)});
    expect_agreement(text, {IValue(Tensor::zeros({3})), doubled(kind, 60)});
  }
}

TEST(PlanHostileValues, MadeInAPlannedStretch) {
  expect_agreement(
      "def f(x: Tensor) -> Tensor:\n"
      "  y = torch.relu(torch.add(x, 1.))\n"
      "  l = annotate(List[Any], [])\n"
      "  _0 = torch.append(l, l)\n"
      "  for i in range(40):\n"
      "    m = annotate(List[Any], [l, l])\n"
      "    l = m\n"
      "  z = torch.mul(y, 2.)\n"
      "  return torch.add(z, torch.len(l))\n",
      {IValue(Tensor::zeros({3}))});
}

TEST(PlanHostileValues, TensorsInSharedParts) {
  const std::string text =
      "def f(v: List[List[Tensor]]) -> Tensor:\n"
      "  a = v[0][0]\n"
      "  b = v[1][0]\n"
      "  c = torch.add(torch.mul(a, 2.), b)\n"
      "  return torch.relu(c)\n";
  const auto list = [](float a) {
    Tensor t = Tensor::empty({2});
    std::fill_n(t.data<float>(), 2, a);
    return IValue::tensor_list({t});
  };
  const TypePtr inner = types::list(types::tensor());
  const IValue one = list(3);
  Text plain(text), planned(text);
  ir::Function& f = planned.function("f");
  for (const IValue& v : {IValue::list(inner, {list(1), list(2)}), IValue::list(inner, {one, one}),
                          IValue::list(inner, {list(5), list(7)})}) {
    EXPECT_EQ(repr(planned.planner.run(f, {v})), repr(plain.run("f", {v})));
  }
}

}  // namespace
}  // namespace wick::script
