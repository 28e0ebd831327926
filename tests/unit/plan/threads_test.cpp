// Plans of a module that several threads run at once.
#include <gtest/gtest.h>

#include "plan/half_layers.h"
#include "plan/profile.h"
#include "unit/runtime/shared_module.h"
#include "wick/ivalue.h"

namespace wick::script {
namespace {

// A cache that grows and starts again: a plan made for one length must not run on the tensor of another, which another
// thread may set at any time.
TEST(PlanThreads, RunOnTheAttributesThatTheirGuardsHaveSeen) {
  SharedModule module(
      "class M(Module):\n"
      "  __parameters__ = []\n"
      "  __buffers__ = []\n"
      "  cache : Tensor\n"
      "  def forward(self: __torch__.M, x: Tensor) -> Tuple[Tensor, int]:\n"
      "    seen = self.cache\n"
      "    sum = torch.sum(torch.relu(torch.mul(seen, 2.)))\n"
      "    length = torch.numel(seen)\n"
      "    if torch.gt(length, 60000):\n"
      "      self.cache = x\n"
      "    else:\n"
      "      self.cache = torch.cat([seen, x])\n"
      "    return (sum, length)\n",
      {filled_with(1, {16000})});
  const Tensor x = filled_with(1, {16000});
  at_once(2, [&](int) {
    for (int run = 0; run < 1000; ++run) {
      const IValue result = module.call("forward", /*planned=*/true, {x});
      const std::vector<IValue>& items = result.to_tuple().items;
      ASSERT_EQ(items[0].to_tensor().data<float>()[0], 2.0F * static_cast<float>(items[1].to_int()));
    }
  });
}

// A profile notes what instructions read and give, while other threads append to the lists and reshape the tensors.
TEST(PlanThreads, ProfilesOfWhatOtherThreadsChange) {
  SharedModule module(
      "class M(Module):\n"
      "  __parameters__ = []\n"
      "  __buffers__ = []\n"
      "  items : List[Tensor]\n"
      "  held : Tensor\n"
      "  def forward(self: __torch__.M, x: Tensor) -> int:\n"
      "    items = self.items\n"
      "    _0 = torch.append(items, x)\n"
      "    if torch.gt(torch.len(items), 40):\n"
      "      torch.clear(items)\n"
      "    held = torch.resize_(self.held, [torch.add(torch.len(items), 1), 2])\n"
      "    both = torch.cat([held, held])\n"
      "    return torch.len(items)\n",
      {IValue::list(types::tensor(), {}), filled_with(1, {50, 2})});
  ASSERT_NE(module.code.executor->value_lock(), nullptr);
  const Tensor x = filled_with(1, {2});
  at_once(3, [&](int) {
    for (int run = 0; run < 300; ++run) {
      plan::Profile profile;
      const plan::ProfileScope scope(profile);
      module.call("forward", /*planned=*/true, {x});
      ASSERT_FALSE(profile.steps.empty());
    }
  });
}

// The first profile names layers by what attributes hold.
TEST(PlanThreads, NamesOfLayersWhileAttributesChange) {
  for (int round = 0; round < 20; ++round) {
    SharedModule module(
        "class M(Module):\n"
        "  __parameters__ = []\n"
        "  __buffers__ = []\n"
        "  items : List[Tensor]\n"
        "  def grow(self: __torch__.M, x: Tensor) -> int:\n"
        "    for i in range(300):\n"
        "      _0 = torch.append(self.items, x)\n"
        "    return torch.len(self.items)\n"
        "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
        "    return torch.relu(x)\n",
        {IValue::list(types::tensor(), {})});
    const Tensor x = filled_with(1, {2});
    at_once(2, [&](int k) {
      plan::Profile profile;
      const plan::ProfileScope scope(profile);
      module.call(k == 0 ? "grow" : "forward", /*planned=*/k != 0, {x});
    });
  }
}

// Who looks for a layer that does not fit float16 does so for itself.
TEST(PlanThreads, SearchesOfThreadsAreTheirOwn) {
  plan::HalfLayers layers, others;
  layers.search();
  EXPECT_TRUE(layers.is_searching());
  EXPECT_FALSE(others.is_searching());
  at_once(1, [&](int) {
    EXPECT_FALSE(layers.is_searching());
    layers.search();
    plan::HalfLayers::end_search();
  });
  EXPECT_TRUE(layers.is_searching());
  plan::HalfLayers::end_search();
  EXPECT_FALSE(layers.is_searching());
}

}  // namespace
}  // namespace wick::script
