// Attributes that share memory: a change through one is seen through the other, planned as interpreted.
#include <gtest/gtest.h>

#include <string>

#include "core/copy.h"
#include "wick/wick.h"

namespace wick {
namespace {

std::vector<float> three_runs(bool planned) {
  Module module = load(std::string(WICK_TEST_DATA) + "/lite/aliases.ptl");
  module.set_planning(planned);
  const Tensor x = Tensor::zeros({6});
  fill(x, Scalar(1));
  std::vector<float> out;
  for (int run = 0; run < 3; ++run) {
    const Tensor y = contiguous(module.forward({x}).to_tensor());
    out.insert(out.end(), y.data_ptr<const float>(), y.data_ptr<const float>() + y.numel());
  }
  return out;
}

// The model adds x to one attribute in place and returns a sum with a view of it that is another.
TEST(AliasedAttributes, AChangeInPlaceIsSeenThroughTheOther) {
  const std::vector<float> interpreted = three_runs(false);
  EXPECT_NE(interpreted[0], interpreted[4]);
  EXPECT_EQ(interpreted, three_runs(true));
}

}  // namespace
}  // namespace wick
