// Models of half precision in plans: floats inside, rounded where the interpreter rounds.
#include <gtest/gtest.h>

#include <cmath>

#include "core/copy.h"
#include "plan/planned.h"
#include "plan/profile.h"
#include "unit/frontend/script/run.h"

namespace wick::script {
namespace {

Tensor waves(IntVec sizes, float step, DType dtype, float size = 1) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = size * std::sin(step * static_cast<float>(i) + 0.3F);
  return to_dtype(t, dtype);
}

// Runs f by the interpreter and by plans: results are equal to within one unit in the last place of the dtype, and the
// profile names the expected steps.
void expect_agreement(const std::string& text, const std::vector<IValue>& constants, const std::vector<IValue>& inputs,
                      DType dtype, const std::vector<std::string>& steps) {
  Text plain(text, constants), planned(text, constants);
  ir::Function& f = plain.function("f");
  ir::Function& g = planned.function("f");
  const double unit = dtype == DType::kHalf ? 1.0 / 1024 : 1.0 / 128;
  for (int run = 0; run < 3; ++run) {
    const IValue want = plain.executor->run(f, inputs);
    plan::Profile profile;
    const plan::ProfileScope scope(profile);
    const IValue got = planned.planner.run(g, inputs);
    const Tensor a = contiguous(to_dtype(want.to_tensor(), DType::kFloat));
    const Tensor b = contiguous(to_dtype(got.to_tensor(), DType::kFloat));
    ASSERT_EQ(got.to_tensor().dtype(), want.to_tensor().dtype());
    ASSERT_TRUE(got.to_tensor().sizes() == want.to_tensor().sizes());
    ASSERT_TRUE(got.to_tensor().strides() == want.to_tensor().strides());
    for (int64_t i = 0; i < a.numel(); ++i) {
      const float x = a.data<float>()[i], y = b.data<float>()[i];
      if (x == y || (std::isnan(x) && std::isnan(y))) continue;
      ASSERT_NEAR(x, y, unit * std::max(0.02, 2.0 * std::abs(x))) << "element " << i << " in run " << run;
    }
    if (run == 0) continue;
    std::string names;
    for (const plan::StepTime& step : profile.steps) names += step.name + "\n";
    for (const std::string& step : steps) EXPECT_NE(names.find(step), std::string::npos) << step << " in\n" << names;
  }
}

TEST(PlanHalf, ConvolutionsNormsAndSums) {
  for (const DType dtype : {DType::kHalf, DType::kBFloat16}) {
    const std::vector<IValue> constants = {waves({24, 8, 3, 3}, 0.7F, dtype, 0.2F), waves({24}, 0.9F, dtype),
                                           waves({24}, 0.4F, dtype), to_dtype(waves({24}, 0.1F, DType::kFloat), dtype),
                                           waves({24, 24, 1, 1}, 0.3F, dtype, 0.2F)};
    expect_agreement(
        "def f(x: Tensor) -> Tensor:\n"
        "  a = torch.relu(torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [1, 1], [1, 1], [1, 1], 1))\n"
        "  v = torch.add(torch.mul(CONSTANTS.c3, CONSTANTS.c3), 0.5)\n"
        "  b = torch.batch_norm(a, CONSTANTS.c2, CONSTANTS.c1, CONSTANTS.c2, v, False, 0.1, 1e-05, True)\n"
        "  c = torch.conv2d(torch.max_pool2d(b, [2, 2], [2, 2], [0, 0], [1, 1], False), CONSTANTS.c4, None, [1, 1], "
        "[0, 0], [1, 1], 1)\n"
        "  d = torch.relu(torch.add(c, torch.max_pool2d(a, [2, 2])))\n"
        "  return torch.flatten(torch.adaptive_avg_pool2d(d, [1, 1]), 1)\n",
        constants, {waves({2, 8, 10, 12}, 0.6F, dtype)}, dtype, {"conv 3x3", "relu", "conv 1x1", "to float"});
  }
}

TEST(PlanHalf, DenseLayersAndAttention) {
  for (const DType dtype : {DType::kHalf, DType::kBFloat16}) {
    const std::vector<IValue> constants = {waves({48, 16}, 0.7F, dtype, 0.3F), waves({48}, 0.9F, dtype),
                                           waves({16}, 0.4F, dtype), waves({16, 16}, 0.3F, dtype, 0.3F)};
    expect_agreement(
        "def f(x: Tensor) -> Tensor:\n"
        "  n = torch.layer_norm(x, [16], CONSTANTS.c2, CONSTANTS.c2, 1e-05, True)\n"
        "  q, k, v = torch.chunk(torch.linear(n, CONSTANTS.c0, CONSTANTS.c1), 3, -1)\n"
        "  w = torch.softmax(torch.div(torch.matmul(q, torch.transpose(k, -1, -2)), 4.0), -1)\n"
        "  y = torch.add(x, torch.linear(torch.matmul(w, v), CONSTANTS.c3, None))\n"
        "  return torch.gelu(y)\n",
        constants, {waves({2, 7, 16}, 0.6F, dtype)}, dtype, {"linear", "layer_norm", "to half precision"});
  }
}

TEST(PlanHalf, ViewsOfWhatOthersNeedInHalfPrecision) {
  expect_agreement(
      "def f(x: Tensor) -> Tensor:\n"
      "  a = torch.mul(torch.slice(x, 1, 2), 1.5)\n"
      "  b = torch.transpose(torch.view(a, [2, 3, 4]), 1, 2)\n"
      "  c = torch.cumsum(b, 1)\n"
      "  return torch.add(torch.slice(b, 2, 1), torch.slice(c, 2, 0, 2))\n",
      {}, {waves({2, 14}, 0.6F, DType::kHalf)}, DType::kHalf, {"aten::cumsum"});
}

TEST(PlanHalf, OverflowAndDenormalsRoundAsTheDtypeDoes) {
  expect_agreement(
      "def f(x: Tensor) -> Tensor:\n"
      "  return torch.sub(torch.mul(torch.mul(x, 0.001), 3e-05), torch.div(torch.relu(torch.mul(x, 200.0)), 100.0))\n",
      {}, {waves({1000}, 0.37F, DType::kHalf, 700)}, DType::kHalf, {"mul"});
}

}  // namespace
}  // namespace wick::script
