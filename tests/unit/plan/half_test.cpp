// Models of half precision in plans: floats inside, rounded where the interpreter rounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/copy.h"
#include "kernels/half.h"
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

// The names of the steps of the second run of f, and its result as floats.
std::string steps_of(Text& text, const std::vector<IValue>& inputs, Tensor& result) {
  ir::Function& f = text.function("f");
  text.planner.run(f, inputs);
  plan::Profile profile;
  const plan::ProfileScope scope(profile);
  result = contiguous(to_dtype(text.planner.run(f, inputs).to_tensor(), DType::kFloat));
  std::string names;
  for (const plan::StepTime& step : profile.steps) names += step.name + "\n";
  return names;
}

double largest_difference(const Tensor& a, const Tensor& b) {
  double most = 0, largest = 0;
  for (int64_t i = 0; i < a.numel(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a.data<float>()[i]) - static_cast<double>(b.data<float>()[i])));
    largest = std::max(largest, std::abs(static_cast<double>(a.data<float>()[i])));
  }
  return most / largest;
}

constexpr const char* kTwoLayers =
    "def f(x: Tensor) -> Tensor:\n"
    "  a = torch.relu(torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [1, 1], [1, 1], [1, 1], 1))\n"
    "  return torch.relu(torch.conv2d(a, CONSTANTS.c2, None, [1, 1], [0, 0], [1, 1], 1))\n";

TEST(PlanHalf, PrecisionOfAModelOfFloats) {
  const std::vector<IValue> constants = {waves({16, 8, 3, 3}, 0.7F, DType::kFloat, 0.2F),
                                         waves({16}, 0.9F, DType::kFloat), waves({24, 16, 1, 1}, 0.3F, DType::kFloat)};
  const std::vector<IValue> inputs = {waves({1, 8, 10, 12}, 0.6F, DType::kFloat)};
  Text text(kTwoLayers, constants);
  Tensor plain, as_floats, as_halves;
  EXPECT_EQ(steps_of(text, inputs, plain).find("fp16"), std::string::npos);
  text.planner.set_precision(Precision::kFloat32);
  EXPECT_EQ(steps_of(text, inputs, as_floats).find("fp16"), std::string::npos);
  EXPECT_EQ(largest_difference(plain, as_floats), 0);
  text.planner.set_precision(Precision::kFloat16);
  const std::string names = steps_of(text, inputs, as_halves);
  EXPECT_EQ(names.find("fp16") != std::string::npos, kernels::computes_half()) << names;
  EXPECT_LE(largest_difference(plain, as_halves), kernels::computes_half() ? 1e-2 : 0.0);
  // Exact results come first.
  text.planner.set_exact(true);
  EXPECT_EQ(steps_of(text, inputs, as_floats).find("fp16"), std::string::npos);
}

TEST(PlanHalf, PrecisionOfAModelOfHalves) {
  const std::vector<IValue> constants = {waves({16, 8, 3, 3}, 0.7F, DType::kHalf, 0.2F),
                                         waves({16}, 0.9F, DType::kHalf), waves({24, 16, 1, 1}, 0.3F, DType::kHalf)};
  const std::vector<IValue> inputs = {waves({1, 8, 10, 12}, 0.6F, DType::kHalf)};
  Text text(kTwoLayers, constants);
  Tensor rounded, fast;
  text.planner.set_precision(Precision::kFloat32);
  const std::string with_roundings = steps_of(text, inputs, rounded);
  text.planner.set_precision(Precision::kFloat16);
  const std::string without = steps_of(text, inputs, fast);
  EXPECT_LT(std::count(without.begin(), without.end(), '\n'),
            std::count(with_roundings.begin(), with_roundings.end(), '\n'))
      << without << "beside\n"
      << with_roundings;
  EXPECT_LE(largest_difference(rounded, fast), 1e-2);
}

// The first layer's results are beyond float16, the second one's are not.
TEST(PlanHalf, LayersThatOverflowStayInFloat) {
  const std::vector<IValue> constants = {waves({16, 8, 3, 3}, 0.7F, DType::kFloat, 3000.0F),
                                         waves({16}, 0.9F, DType::kFloat),
                                         waves({24, 16, 1, 1}, 0.3F, DType::kFloat, 1e-3F)};
  const std::vector<IValue> inputs = {waves({1, 8, 10, 12}, 0.6F, DType::kFloat, 10)};
  Text text(kTwoLayers, constants);
  Tensor plain, got;
  steps_of(text, inputs, plain);
  ASSERT_TRUE(std::isfinite(largest_difference(plain, plain)));
  text.planner.set_precision(Precision::kFloat16);
  steps_of(text, inputs, got);
  EXPECT_LE(largest_difference(plain, got), 1e-2);
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
