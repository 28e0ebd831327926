// Plans of a module that several threads run at once.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace wick::script
