// Attributes that code changes are no constants of a plan, however the change comes about.
#include <gtest/gtest.h>

#include "plan/planned.h"
#include "unit/frontend/script/run.h"

namespace wick::script {
namespace {

Tensor numbers(std::vector<float> values) {
  Tensor t = Tensor::empty({static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), t.data<float>());
  return t;
}

// A module M whose attributes are tensors `sum` and `scale`, and the methods given; forward(self, x) runs four times by
// the interpreter and four times by plans, on separate modules.
void expect_agreement(const std::string& methods) {
  const std::string text =
      "class M(Module):\n"
      "  __parameters__ = []\n"
      "  __buffers__ = []\n"
      "  sum : Tensor\n"
      "  scale : Tensor\n" +
      methods;
  const auto run = [&](bool planned) {
    Text code(text);
    code.importer.class_named("__torch__.M");
    code.importer.lower_all();
    Ref<ObjectImpl> root = make_ref<ObjectImpl>();
    root->cls = *code.program->classes.find("__torch__.M");
    root->set(0, IValue(numbers({1, 2, 3})));
    root->set(1, IValue(numbers({2, 2, 2})));
    code.program->root = IValue(root);
    ir::Function* forward = code.program->find_method("forward");
    std::string out;
    for (int i = 0; i < 4; ++i) {
      const std::vector<IValue> args{code.program->root, IValue(numbers({1, 0.5F, static_cast<float>(i)}))};
      const IValue result = planned ? code.planner.run(*forward, args) : code.executor->run(*forward, args);
      out += repr(result) + "\n";
    }
    return out;
  };
  EXPECT_EQ(run(true), run(false)) << methods;
}

TEST(PlanChanged, SetAttributes) {
  expect_agreement(
      "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
      "    y = torch.mul(self.sum, x)\n"
      "    self.sum = torch.add(self.sum, x)\n"
      "    return torch.add(y, self.scale)\n");
}

TEST(PlanChanged, InPlaceAndThroughViews) {
  expect_agreement(
      "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
      "    _0 = torch.add_(self.sum, x)\n"
      "    return torch.mul(torch.relu(self.sum), self.scale)\n");
  expect_agreement(
      "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
      "    row = torch.slice(torch.view(self.sum, [3]), 0, 1, 2)\n"
      "    _0 = torch.add_(row, 1)\n"
      "    return torch.mul(torch.relu(self.sum), x)\n");
}

TEST(PlanChanged, ThroughContainersAndBranches) {
  expect_agreement(
      "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
      "    both = [self.sum, self.scale]\n"
      "    _0 = torch.add_(both[1], x)\n"
      "    return torch.mul(torch.relu(self.sum), self.scale)\n");
  expect_agreement(
      "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
      "    if torch.gt(torch.len(x), 2):\n"
      "      changed = self.sum\n"
      "    else:\n"
      "      changed = x\n"
      "    _0 = torch.mul_(changed, 2)\n"
      "    return torch.add(torch.neg(self.sum), x)\n");
}

TEST(PlanChanged, ThroughCallsAndArgumentsGivenBack) {
  expect_agreement(
      "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
      "    _0 = (self).change(self.sum, x, )\n"
      "    return torch.mul(torch.relu(self.sum), self.scale)\n"
      "  def change(self: __torch__.M, t: Tensor, by: Tensor) -> Tensor:\n"
      "    return torch.add_(t, by)\n");
  expect_agreement(
      "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
      "    same = torch.dropout(self.sum, 0.5, False)\n"
      "    _0 = torch.add_(same, x)\n"
      "    return torch.mul(torch.relu(self.sum), self.scale)\n");
}

}  // namespace
}  // namespace wick::script
