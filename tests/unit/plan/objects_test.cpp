// Objects that a program makes anew in every run, tensors that arguments share, and regions that are cut short.
#include <gtest/gtest.h>

#include "plan/plan.h"
#include "plan/profile.h"
#include "unit/frontend/script/run.h"

namespace wick::script {
namespace {

Tensor ramp(IntVec sizes, float start = 1) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = start + 0.5F * static_cast<float>(i);
  return t;
}

constexpr const char* kBox =
    "class Box:\n"
    "  content : Tensor\n"
    "  factor : int\n"
    "  def __init__(self: __torch__.Box, content: Tensor, factor: int) -> NoneType:\n"
    "    self.content = content\n"
    "    self.factor = factor\n";

// Two programs of one text: one is interpreted, the other planned.
class Pair {
 public:
  explicit Pair(const std::string& text) : plain_(text), planned_(text) {}

  // The result of both, which must be the same, on arguments that `make` gives; what the planned run did.
  plan::Profile run(const std::function<std::vector<IValue>()>& make) {
    const std::vector<IValue> a = make(), b = make();
    const std::string want = repr(plain_.executor->run(plain_.function("f"), a));
    plan::Profile profile;
    {
      const plan::ProfileScope scope(profile);
      EXPECT_EQ(repr(planned_.planner.run(planned_.function("f"), b)), want);
    }
    for (size_t k = 0; k < a.size(); ++k) EXPECT_EQ(repr(b[k]), repr(a[k])) << "argument " << k;
    return profile;
  }

 private:
  Text plain_, planned_;
};

size_t count_named(const plan::Profile& profile, std::string_view name) {
  size_t count = 0;
  for (const plan::StepTime& step : profile.steps) count += step.name.find(name) != std::string::npos ? 1 : 0;
  return count;
}

TEST(PlanObjects, CodeAfterTheMakingOfAnObjectIsPlanned) {
  Pair pair(std::string(kBox) +
            "def f(x: Tensor, n: int) -> Tensor:\n"
            "  box = __torch__.Box(torch.relu(x), n)\n"
            "  y = torch.mul(torch.sigmoid(box.content), box.factor)\n"
            "  return torch.sub(torch.tanh(y), x)\n");
  const auto args = [](int64_t n) { return [n] { return std::vector<IValue>{ramp({2, 3}, -2), IValue(n)}; }; };
  pair.run(args(2));
  const plan::Profile again = pair.run(args(2));
  EXPECT_EQ(count_named(again, plan::kPlanning), 0U);
  for (const plan::StepTime& step : again.steps) EXPECT_TRUE(step.is_planned) << step.name;
  // What is read of the object counts.
  pair.run(args(3));
  EXPECT_EQ(count_named(pair.run(args(3)), plan::kPlanning), 0U);
  EXPECT_EQ(count_named(pair.run(args(2)), plan::kPlanning), 0U);
}

TEST(PlanObjects, ObjectsInListsAndInObjects) {
  Pair pair(std::string(kBox) +
            "class Pile:\n"
            "  boxes : List[__torch__.Box]\n"
            "  def __init__(self: __torch__.Pile, boxes: List[__torch__.Box]) -> NoneType:\n"
            "    self.boxes = boxes\n"
            "def f(x: Tensor) -> Tensor:\n"
            "  a = __torch__.Box(x, 2)\n"
            "  b = __torch__.Box(torch.neg(x), 3)\n"
            "  pile = __torch__.Pile([a, b])\n"
            "  sum = torch.zeros_like(x)\n"
            "  for i in range(torch.len(pile.boxes)):\n"
            "    box = pile.boxes[i]\n"
            "    sum = torch.add(sum, torch.mul(box.content, box.factor))\n"
            "  return torch.relu(sum)\n");
  for (int i = 0; i < 4; ++i) {
    pair.run([i] { return std::vector<IValue>{ramp({4}, static_cast<float>(i))}; });
  }
}

// The plan of a run in which two places held one object, or one tensor, is no plan for two.
TEST(PlanObjects, OneObjectOrTwo) {
  Pair pair(std::string(kBox) +
            "def f(x: Tensor, same: bool) -> Tensor:\n"
            "  a = __torch__.Box(x, 2)\n"
            "  b = a\n"
            "  if same:\n"
            "    pass\n"
            "  else:\n"
            "    b = __torch__.Box(torch.neg(x), 2)\n"
            "  pair = [a, b]\n"
            "  c = __torch__.Box(x, 5)\n"
            "  return torch.sub(torch.relu(pair[0].content), torch.relu(pair[1].content))\n");
  for (const bool same : {true, false, true, false, false, true}) {
    pair.run([same] { return std::vector<IValue>{ramp({3}, -1), IValue(same)}; });
  }
}

TEST(PlanObjects, OneTensorOrTwo) {
  Pair pair("def f(x: Tensor, y: Tensor) -> Tensor:\n  return torch.sub(torch.relu(x), torch.sigmoid(y))\n");
  for (const bool same : {true, false, true, false}) {
    pair.run([same] {
      const Tensor x = ramp({3}, -1);
      return std::vector<IValue>{x, same ? x : ramp({3}, 4)};
    });
  }
}

// What `is` gave holds for the arguments it was asked of only.
TEST(PlanObjects, IdentityOfTensors) {
  for (const char* op : {"torch.__is__", "torch.__isnot__"}) {
    Pair pair("def f(x: Tensor, y: Tensor) -> Tensor:\n  if " + std::string(op) +
              "(x, y):\n    z = torch.mul(torch.relu(x), 2.)\n  else:\n    z = torch.mul(torch.relu(y), 3.)\n"
              "  return torch.add(z, 1.)\n");
    for (const bool same : {false, true, false, true, true}) {
      pair.run([same] {
        const Tensor x = ramp({3}, -1);
        return std::vector<IValue>{x, same ? x : ramp({3}, 4)};
      });
    }
    const auto different = [] { return std::vector<IValue>{ramp({3}, -1), ramp({3}, 4)}; };
    EXPECT_EQ(count_named(pair.run(different), plan::kPlanning), 0U);
  }
}

TEST(PlanObjects, IdentityOfLists) {
  Pair pair(
      "def f(a: List[Tensor], b: List[Tensor], x: Tensor) -> Tensor:\n"
      "  if torch.__is__(a, b):\n"
      "    z = torch.mul(torch.relu(x), 2.)\n"
      "  else:\n"
      "    z = torch.mul(torch.relu(x), 3.)\n"
      "  return torch.add(z, 1.)\n");
  for (const bool same : {false, true, false, true, true}) {
    pair.run([same] {
      const IValue a = IValue::list(types::tensor(), {IValue(ramp({2}))});
      return std::vector<IValue>{a, same ? a : IValue::list(types::tensor(), {IValue(ramp({2}))}), ramp({3}, -1)};
    });
  }
}

TEST(PlanObjects, IdentityWithATensorOfTheProgram) {
  const Tensor constant = ramp({3}, 1);
  const auto of = [&constant] {
    return std::make_unique<Text>(
        "def f(x: Tensor) -> Tensor:\n"
        "  y = torch.relu(x)\n"
        "  if torch.__is__(x, CONSTANTS.c0):\n"
        "    z = torch.mul(y, 2.)\n"
        "  else:\n"
        "    z = torch.mul(y, 3.)\n"
        "  return torch.add(z, 1.)\n",
        std::vector<IValue>{IValue(constant)});
  };
  for (const bool first : {true, false}) {
    const std::unique_ptr<Text> plain = of(), planned = of();
    for (int k = 0; k < 6; ++k) {
      const IValue x(k % 2 == (first ? 0 : 1) ? constant : ramp({3}, 1));
      EXPECT_EQ(repr(planned->planner.run(planned->function("f"), {x})),
                repr(plain->executor->run(plain->function("f"), {x})))
          << k;
    }
  }
}

// The weights of a list that no code changes are constants of a plan, of the object that holds that very list.
TEST(PlanObjects, AnotherObjectsWeightsOfTheSameShapes) {
  const std::string text = std::string(kBox) +
                           "class Layer:\n"
                           "  weights : List[Tuple[Tensor, __torch__.Box]]\n"
                           "def f(layer: __torch__.Layer, x: Tensor) -> Tensor:\n"
                           "  weight, box, = (layer.weights)[0]\n"
                           "  y = torch.linear(x, weight, None)\n"
                           "  if torch.__is__(box, box):\n"
                           "    y = torch.relu(y)\n"
                           "  return torch.mul(y, box.factor)\n";
  Text plain(text), planned(text);
  plain.function("f");
  planned.function("f");
  const auto run = [](Text& code, bool with_plan, float start, const IValue& box) {
    const TypePtr pair = types::tuple({types::tensor(), types::any()});
    auto layer = make_ref<ObjectImpl>();
    layer->cls = *code.program->classes.find("__torch__.Layer");
    layer->set(0, IValue::list(pair, {IValue::tuple({IValue(ramp({2, 3}, start)), box})}));
    const std::vector<IValue> args = {IValue(layer), IValue(ramp({4, 3}))};
    const ir::Function& f = code.function("f");
    return repr(with_plan ? code.planner.run(f, args) : code.executor->run(f, args));
  };
  const auto box_of = [](Text& code) {
    auto box = make_ref<ObjectImpl>();
    box->cls = *code.program->classes.find("__torch__.Box");
    box->set(0, IValue(ramp({1})));
    box->set(1, IValue(2));
    return IValue(box);
  };
  const IValue a = box_of(plain), b = box_of(planned);
  for (const float start : {1.0F, 1.0F, 5.0F, 1.0F, 5.0F}) {
    EXPECT_EQ(run(planned, true, start, b), run(plain, false, start, a)) << start;
  }
}

// What is written to one argument is seen in another that shares its memory, in that run only.
TEST(PlanObjects, ArgumentsThatShareMemory) {
  Pair pair(
      "def f(x: Tensor, y: Tensor) -> Tensor:\n"
      "  a = torch.mul(y, 2.)\n"
      "  _0 = torch.add_(x, 1.)\n"
      "  b = torch.mul(y, 3.)\n"
      "  return torch.add(a, b)\n");
  for (const int kind : {0, 1, 2, 0, 2, 1, 0, 1}) {
    pair.run([kind] {
      const Tensor all = ramp({6}, -1);
      const Tensor x = all.as_strided({3}, {1}, 0);
      if (kind == 0) return std::vector<IValue>{x, ramp({3}, 4)};
      return std::vector<IValue>{x, kind == 1 ? x : all.as_strided({3}, {1}, 1)};
    });
  }
}

TEST(PlanProfile, ListsOperatorsBetweenPlans) {
  Pair pair(
      "def f(x: Tensor) -> Tensor:\n"
      "  i = torch.nonzero(torch.relu(x))\n"
      "  return torch.add(torch.select(x, 0, 0), torch.sum(i))\n");
  const auto make = [] { return std::vector<IValue>{ramp({4, 3}, -2)}; };
  pair.run(make);
  const plan::Profile profile = pair.run(make);
  size_t found = 0;
  for (const plan::StepTime& step : profile.steps) {
    if (step.is_planned) continue;
    ++found;
    EXPECT_EQ(step.name, "aten::nonzero");
    EXPECT_EQ(step.output, "7x2");
    EXPECT_GT(step.bytes, 0);
  }
  EXPECT_EQ(found, 1U);
  EXPECT_EQ(profile.regions, 2U);
}

// A tensor that is changed in place is read by kernels once nothing changes it any more.
TEST(PlanObjects, ATensorThatIsComplete) {
  Text text(
      "def f(x: Tensor, at: Tensor) -> Tensor:\n"
      "  y = torch.zeros([4, 8])\n"
      "  _0 = torch.index_put_(y, [at], torch.mul(x, 2.))\n"
      "  _1 = torch.index_put_(y, [torch.add(at, 1)], x)\n"
      "  return torch.relu(torch.linear(y, CONSTANTS.c0, None))\n",
      {IValue(ramp({5, 8}))});
  ir::Function& f = text.function("f");
  Tensor at = Tensor::empty({2}, DType::kLong);
  at.data<int64_t>()[0] = 0;
  at.data<int64_t>()[1] = 2;
  const std::vector<IValue> args{ramp({2, 8}, -3), at};
  const std::string want = repr(text.executor->run(f, args));
  plan::Profile profile;
  for (int i = 0; i < 3; ++i) {
    profile = {};
    const plan::ProfileScope scope(profile);
    EXPECT_EQ(repr(text.planner.run(f, args)), want);
  }
  EXPECT_EQ(profile.regions, 1U);
  EXPECT_EQ(count_named(profile, "linear relu"), 1U);
}

}  // namespace
}  // namespace wick::script
