// Plans within a bound on the memory they keep.
#include <gtest/gtest.h>

#include "plan/profile.h"
#include "unit/frontend/script/run.h"

namespace wick::plan {
namespace {

TEST(PlanMemory, CountsNoWeightsThatWerePackedForPlansThatAreGone) {
  script::Text text(
      "def f(x: Tensor) -> Tensor:\n"
      "  if torch.gt(torch.size(x, 0), 20):\n"
      "    y = torch.linear(x, CONSTANTS.c0, None)\n"
      "  else:\n"
      "    y = torch.linear(x, CONSTANTS.c1, None)\n"
      "  return torch.relu(y)\n",
      {IValue(Tensor::zeros({256, 256})), IValue(Tensor::zeros({256, 256}))});
  ir::Function& f = text.function("f");
  const auto is_planned = [&](int64_t rows) {
    Profile profile;
    {
      const ProfileScope scope(profile);
      text.planner.run(f, {IValue(Tensor::zeros({rows, 256}))});
    }
    return profile.regions == 1;
  };
  constexpr uint64_t kOne = 256 * 256 * sizeof(float);
  text.planner.set_max_memory(kOne + kOne / 2);  // the weights of one layer, and what is computed with them
  for (int i = 0; i < 3; ++i) {
    for (const int64_t rows : {32, 16}) {
      is_planned(rows);  // the weights of the other layer may stand in its way
      EXPECT_TRUE(is_planned(rows)) << rows << ", round " << i;
      EXPECT_TRUE(is_planned(rows)) << rows << ", round " << i;
    }
  }
  text.planner.set_max_memory(kOne / 2);
  EXPECT_FALSE(is_planned(32));
  EXPECT_FALSE(is_planned(32));
}

}  // namespace
}  // namespace wick::plan
