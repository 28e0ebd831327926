// Models of half precision in plans: floats inside, rounded where the interpreter rounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "core/copy.h"
#include "kernels/half.h"
#include "kernels/math.h"
#include "plan/half_layers.h"
#include "plan/planned.h"
#include "plan/profile.h"
#include "plan/steps/pointwise_step.h"
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

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// As a part of the largest number; infinite where one of the numbers is not finite.
double largest_difference(const Tensor& a, const Tensor& b) {
  double most = 0, largest = 0;
  for (int64_t i = 0; i < a.numel(); ++i) {
    const double each = static_cast<double>(a.data<float>()[i]) - static_cast<double>(b.data<float>()[i]);
    if (!std::isfinite(each)) return std::numeric_limits<double>::infinity();
    most = std::max(most, std::abs(each));
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
  Tensor by_itself, rounded, fast;
  // Of itself nothing computes in float16: its sums are further off than one rounding of each result.
  EXPECT_EQ(steps_of(text, inputs, by_itself).find("fp16"), std::string::npos);
  text.planner.set_precision(Precision::kFloat32);
  const std::string with_roundings = steps_of(text, inputs, rounded);
  EXPECT_EQ(largest_difference(by_itself, rounded), 0);
  text.planner.set_precision(Precision::kFloat16);
  const std::string without = steps_of(text, inputs, fast);
  EXPECT_LT(std::count(without.begin(), without.end(), '\n'),
            std::count(with_roundings.begin(), with_roundings.end(), '\n'))
      << without << "beside\n"
      << with_roundings;
  EXPECT_LE(largest_difference(rounded, fast), 1e-2);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// All steps that begin with a name compute in float16, or none does; there is one.
void expect_fp16(const std::string& names, const std::vector<std::pair<std::string, bool>>& steps) {
  for (const auto& [name, is_half] : steps) {
    bool any = false;
    for (const std::string& line : lines_of(names)) {
      if (!line.starts_with(name)) continue;
      any = true;
      EXPECT_EQ(line.ends_with(" fp16"), is_half && kernels::computes_half()) << line << " in\n" << names;
    }
    // Without float16 steps may be fused.
    EXPECT_TRUE(any || !kernels::computes_half()) << name << " in\n" << names;
  }
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
  const std::string names = steps_of(text, inputs, got);
  EXPECT_LE(largest_difference(plain, got), 1e-2);
  // The second layer's input does not fit either.
  expect_fp16(names, {{"conv 3x3", false}, {"conv 1x1", false}});
}

// Runs f in floats and in float16: the results are close, and where the processor computes in float16, the steps that
// begin with the names given do so or not, and numbers come to it and leave it `conversions` times.
void expect_half(const std::string& text, const std::vector<IValue>& constants, const std::vector<IValue>& inputs,
                 const std::vector<std::pair<std::string, bool>>& steps, size_t conversions) {
  Text model(text, constants);
  Tensor plain, got;
  steps_of(model, inputs, plain);
  ASSERT_TRUE(std::isfinite(largest_difference(plain, plain)));
  model.planner.set_precision(Precision::kFloat16);
  const std::string names = steps_of(model, inputs, got);
  EXPECT_LE(largest_difference(plain, got), kernels::computes_half() ? 1e-2 : 0.0) << names;
  expect_fp16(names, steps);
  if (kernels::computes_half()) {
    EXPECT_EQ(count_of(names, "to float16") + count_of(names, "from float16"), conversions) << names;
  }
}

// Pseudo-random numbers from `low` to `high`, whose sums do not cancel as those of waves do.
IValue floats(IntVec sizes, float low, float high) {
  Tensor t = Tensor::empty(sizes);
  uint32_t state = 12345u + static_cast<uint32_t>(t.numel());
  for (int64_t i = 0; i < t.numel(); ++i) {
    state = state * 1664525u + 1013904223u;
    t.data<float>()[i] = low + (high - low) * static_cast<float>(state >> 8) / static_cast<float>(1 << 24);
  }
  return t;
}

TEST(PlanHalf, PoolsBetweenLayers) {
  expect_half(
      "def f(x: Tensor) -> Tensor:\n"
      "  a = torch.relu(torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [1, 1], [1, 1], 1))\n"
      "  m = torch.max_pool2d(a, [3, 3], [2, 2], [1, 1], [1, 1], False)\n"
      "  b = torch.conv2d(m, CONSTANTS.c1, None, [1, 1], [0, 0], [1, 1], 1)\n"
      "  p = torch.avg_pool2d(b, [2, 2], [2, 2], [0, 0], False, True, None)\n"
      "  return torch.conv2d(p, CONSTANTS.c2, None, [1, 1], [0, 0], [1, 1], 1)\n",
      {floats({24, 8, 3, 3}, -0.2F, 0.2F), floats({16, 24, 1, 1}, -0.3F, 0.3F), floats({8, 16, 1, 1}, -1.0F, 1.0F)},
      {floats({2, 8, 14, 12}, 0.0F, 1.0F)}, {{"max_pool2d", true}, {"avg_pool2d", true}, {"conv", true}}, 2);
}

TEST(PlanHalf, MeansThatLeaveStayFloats) {
  expect_half(
      "def f(x: Tensor) -> Tensor:\n"
      "  a = torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [1, 1], [1, 1], 1)\n"
      "  return torch.flatten(torch.adaptive_avg_pool2d(a, [1, 1]), 1)\n",
      {floats({24, 8, 3, 3}, -0.2F, 0.2F)}, {floats({2, 8, 14, 12}, 0.0F, 1.0F)}, {{"adaptive_avg_pool2d", true}}, 1);
}

constexpr const char* kSqueeze =
    "def f(x: Tensor) -> Tensor:\n"
    "  a = torch.relu(torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [0, 0], [1, 1], 1))\n"
    "  d = torch.hardswish(torch.conv2d(a, CONSTANTS.c1, None, [1, 1], [1, 1], [1, 1], 24))\n"
    "  m = torch.adaptive_avg_pool2d(d, [1, 1])\n"
    "  s = torch.relu(torch.conv2d(m, CONSTANTS.c2, None, [1, 1], [0, 0], [1, 1], 1))\n"
    "  h = torch.hardsigmoid(torch.conv2d(s, CONSTANTS.c3, None, [1, 1], [0, 0], [1, 1], 1))\n"
    "  return torch.conv2d(torch.mul(h, d), CONSTANTS.c4, None, [1, 1], [0, 0], [1, 1], 1)\n";

TEST(PlanHalf, SqueezeAndExcitation) {
  // So few channels between that they fill no vector are no reason to leave float16.
  for (const auto& [batch, few] : {std::pair<int64_t, int64_t>{2, 8}, {1, 8}, {1, 6}}) {
    expect_half(
        kSqueeze,
        {floats({24, 8, 1, 1}, -0.4F, 0.4F), floats({24, 1, 3, 3}, -0.5F, 0.5F), floats({few, 24, 1, 1}, -1.0F, 1.0F),
         floats({24, few, 1, 1}, -1.0F, 1.0F), floats({16, 24, 1, 1}, -0.3F, 0.3F)},
        {floats({batch, 8, 9, 7}, 0.0F, 1.0F)},
        {{"conv", true}, {"adaptive_avg_pool2d", true}, {"mul of channels", true}}, 2);
  }
}

TEST(PlanHalf, SumsAndActivationsBetweenLayers) {
  expect_half(
      "def f(x: Tensor) -> Tensor:\n"
      "  a = torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [0, 0], [1, 1], 1)\n"
      "  d = torch.conv2d(a, CONSTANTS.c1, None, [1, 1], [1, 1], [1, 1], 24)\n"
      "  b = torch.hardswish(torch.add(d, a))\n"
      "  c = torch.leaky_relu(torch.mul(a, CONSTANTS.c3), 0.1)\n"
      "  e = torch.conv2d(b, CONSTANTS.c2, None, [1, 1], [0, 0], [1, 1], 1)\n"
      "  return torch.add(torch.conv2d(c, CONSTANTS.c2, None, [1, 1], [0, 0], [1, 1], 1), e)\n",
      {floats({24, 8, 1, 1}, -0.4F, 0.4F), floats({24, 1, 3, 3}, -0.5F, 0.5F), floats({16, 24, 1, 1}, -0.3F, 0.3F),
       floats({24, 1, 1}, -1.0F, 1.0F)},
      {floats({2, 8, 9, 7}, 0.0F, 1.0F)}, {{"add hardswish", true}, {"mul leaky_relu", true}, {"conv", true}}, 2);
}

TEST(PlanHalf, DenseLayers) {
  const std::string text =
      "def f(x: Tensor) -> Tensor:\n"
      "  a = torch.linear(x, CONSTANTS.c0, CONSTANTS.c1)\n"
      "  b = torch.linear(torch.mul(torch.tanh(a), a), CONSTANTS.c2, None)\n"
      "  return torch.add(torch.addmm(CONSTANTS.c1, b, CONSTANTS.c3), a)\n";
  // A depth beyond what is added up in float16, rows that fill no tile, and a single one.
  for (const int64_t rows : {1, 37}) {
    expect_half(text,
                {floats({48, 600}, -0.05F, 0.05F), floats({48}, -1.0F, 1.0F), floats({600, 48}, -0.2F, 0.2F),
                 floats({600, 48}, -0.1F, 0.1F)},
                {floats({rows, 600}, 0.0F, 1.0F)}, {{"linear", true}, {"tanh mul", true}}, 2);
  }
}

TEST(PlanHalf, EveryStepThatOverflowsStaysInFloat) {
  struct Case {
    const char* text;
    std::vector<IValue> constants;
    std::vector<std::pair<std::string, bool>> steps;
  };
  const std::string begin =
      "def f(x: Tensor, y: Tensor) -> Tensor:\n"
      "  a = torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [0, 0], [1, 1], 1)\n";
  const IValue image = floats({24, 8, 1, 1}, -2.0F, 2.0F);
  const Case cases[] = {
      {"  return torch.conv2d(torch.leaky_relu(torch.mul(a, 300000.0), 0.5), CONSTANTS.c1, None, [1, 1], [0, 0], [1, "
       "1], 1)\n",
       {image, floats({16, 24, 1, 1}, -1e-4F, 1e-4F)},
       {{"mul leaky_relu", false}, {"conv", true}}},
      {"  return torch.conv2d(torch.mul(a, y), CONSTANTS.c1, None, [1, 1], [0, 0], [1, 1], 1)\n",
       {image, floats({16, 24, 1, 1}, -1e-4F, 1e-4F)},
       {{"mul of channels", false}}},
      {"  b = torch.linear(torch.flatten(a, 2), CONSTANTS.c1, None)\n"
       "  return torch.mul(torch.linear(b, CONSTANTS.c2, None), 2.0)\n",
       {image, floats({16, 63}, -30000.0F, 30000.0F), floats({8, 16}, -1e-4F, 1e-4F)},
       {{"linear", false}}},
  };
  for (const Case& c : cases) {
    Text model(begin + c.text, c.constants);
    const std::vector<IValue> inputs = {floats({1, 8, 9, 7}, 0.0F, 1.0F), floats({1, 24, 1, 1}, 40000.0F, 50000.0F)};
    Tensor plain, got;
    steps_of(model, inputs, plain);
    model.planner.set_precision(Precision::kFloat16);
    const std::string names = steps_of(model, inputs, got);
    EXPECT_LE(largest_difference(plain, got), 1e-2) << names;
    if (!kernels::computes_half()) continue;
    for (const auto& [name, is_half] : c.steps) {
      bool any = false;
      for (const std::string& step : lines_of(names))
        any = any || (step.starts_with(name) && step.ends_with("fp16") == is_half);
      EXPECT_TRUE(any) << name << (is_half ? " in" : " not in") << " float16 in\n" << names;
    }
  }
}

// A bias that float16 does not have keeps a layer in float, whatever layout its method reads.
TEST(PlanHalf, WeightsThatDoNotFitStayFloats) {
  expect_half(
      "def f(x: Tensor) -> Tensor:\n"
      "  return torch.relu(torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [2, 2], [3, 3], [1, 1], 1))\n",
      {floats({16, 3, 7, 7}, -1.0F, 1.0F), floats({16}, 70000.0F, 90000.0F)}, {floats({1, 3, 32, 32}, 0.0F, 1.0F)},
      {{"conv 7x7", false}}, 0);
}

// What joins a layer's results may be too large for it.
TEST(PlanHalf, LargeNumbersAreJoinedAsFloats) {
  Text model(
      "def f(x: Tensor, y: Tensor) -> Tensor:\n"
      "  a = torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [1, 1], [1, 1], 1)\n"
      "  return torch.conv2d(torch.cat([a, y], 1), CONSTANTS.c1, None, [1, 1], [0, 0], [1, 1], 1)\n",
      {floats({24, 8, 3, 3}, -1.0F, 1.0F), floats({16, 32, 1, 1}, 0.0F, 1.0F)});
  const std::vector<IValue> inputs = {floats({1, 8, 10, 12}, 0.0F, 1.0F), floats({1, 8, 10, 12}, 100000.0F, 200000.0F)};
  Tensor plain, got;
  steps_of(model, inputs, plain);
  model.planner.set_precision(Precision::kFloat16);
  const std::string names = steps_of(model, inputs, got);
  EXPECT_LE(largest_difference(plain, got), 1e-2) << names;
}

// A run with effects is not repeated: what does not fit float16 is right at once, and the effects are there once.
TEST(PlanHalf, RunsWithEffectsDoNotOverflow) {
  Text model(
      "def f(x: Tensor, y: Tensor) -> Tensor:\n"
      "  a = torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [1, 1], [1, 1], 1)\n"
      "  y0 = torch.sub_(y, 1.0)\n"
      "  return torch.mul(a, 2.0)\n",
      {floats({24, 8, 3, 3}, 30000.0F, 60000.0F)});
  const Tensor y = floats({4}, 100.0F, 100.0F).to_tensor();
  model.planner.set_precision(Precision::kFloat16);
  for (int run = 1; run <= 3; ++run) {
    const Tensor got = model.planner.run(model.function("f"), {floats({1, 8, 10, 12}, 0.5F, 1.0F), y}).to_tensor();
    EXPECT_TRUE(std::isfinite(largest_difference(got, got)));
    EXPECT_EQ(y.data<float>()[0], 100.0F - static_cast<float>(run));
  }
}

// What comes after a layer that is kept in float computes in float16 again.
TEST(PlanHalf, LayersAfterOneThatOverflows) {
  expect_half(
      "def f(x: Tensor) -> Tensor:\n"
      "  a = torch.relu(torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [1, 1], [1, 1], 1))\n"
      "  b = torch.mul(torch.add(a, 1.0), 0.00001)\n"
      "  return torch.conv2d(b, CONSTANTS.c1, None, [1, 1], [0, 0], [1, 1], 1)\n",
      {floats({16, 8, 3, 3}, -30000.0F, 60000.0F), floats({24, 16, 1, 1}, -1.0F, 1.0F)},
      {floats({1, 8, 10, 12}, 0.0F, 1.0F)}, {{"conv 3x3", false}, {"conv 1x1", true}}, 2);
}

// Operations are counted, and weights are among the bytes, half as many as those of floats.
TEST(PlanHalf, ProfilesCountWhatFloat16Computes) {
  const std::vector<IValue> inputs = {floats({1, 64, 4, 4}, 0.0F, 1.0F)};
  Text text("def f(x: Tensor) -> Tensor:\n  return torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [0, 0], [1, 1], 1)\n",
            {floats({512, 64, 1, 1}, -1.0F, 1.0F)});
  double operations[2] = {}, bytes[2] = {};
  for (const bool half : {false, true}) {
    text.planner.set_precision(half ? Precision::kFloat16 : Precision::kFloat32);
    ir::Function& f = text.function("f");
    text.planner.run(f, inputs);
    plan::Profile profile;
    const plan::ProfileScope scope(profile);
    text.planner.run(f, inputs);
    for (const plan::StepTime& step : profile.steps) {
      if (!step.name.starts_with("conv")) continue;
      operations[half] += step.operations;
      bytes[half] += step.bytes;
    }
  }
  EXPECT_EQ(operations[0], 2.0 * 512 * 64 * 16);
  EXPECT_EQ(operations[1], operations[0]);
  EXPECT_EQ(bytes[1], kernels::computes_half() ? bytes[0] / 2 : bytes[0]);
}

// A pass over float16, on any machine: x * 2 + 1 of halves, by floats that repeat.
class HalfPass {
 public:
  HalfPass(bool gives_half, std::shared_ptr<plan::HalfLayers> layers, int64_t rows, int64_t columns)
      : x_(waves({rows, columns}, 0.37F, DType::kHalf, 100)),
        by_(waves({rows, 1}, 0.9F, DType::kFloat)),
        y_(Tensor::empty({rows, columns}, gives_half ? DType::kHalf : DType::kFloat)) {
    plan::TileProgram program;
    program.sizes = {rows, columns};
    program.inputs.resize(2);
    program.inputs[0].is_half = true;
    program.inputs[0].strides = {columns, 1};
    program.inputs[1].strides = {1, 0};
    program.gives_half = gives_half;
    program.layers = std::move(layers);
    plan::TileInstruction product;
    product.kernel = kernels::mul_f32;
    product.operands = {0, 1};
    product.operand_count = 2;
    plan::TileInstruction relu;
    relu.kernel = kernels::relu_f32;
    relu.operands = {2, 0};
    program.instructions = {product, relu};
    step_ = plan::pointwise_step(nullptr, std::move(program), "mul relu");
    step_->set_slots({0, 1}, {2});
  }
  Tensor& x() { return x_; }
  void run(bool can_repeat = true) {
    plan::Workspace w;
    w.tensors = {x_, by_, y_};
    w.can_repeat = can_repeat;
    step_->run(w);
  }
  void expect_result() {
    const Tensor x = to_dtype(x_, DType::kFloat), got = to_dtype(y_, DType::kFloat);
    Tensor want = Tensor::empty(x.sizes());
    const int64_t columns = x.size(1);
    for (int64_t i = 0; i < x.numel(); ++i)
      want.data<float>()[i] = std::max(0.0F, x.data<float>()[i] * by_.data<float>()[i / columns]);
    if (y_.dtype() == DType::kHalf) want = to_dtype(to_dtype(want, DType::kHalf), DType::kFloat);
    for (int64_t i = 0; i < x.numel(); ++i) ASSERT_EQ(got.data<float>()[i], want.data<float>()[i]) << i;
  }

 private:
  Tensor x_, by_, y_;
  std::unique_ptr<plan::Step> step_;
};

TEST(PlanHalf, PassesOverFloat16) {
  for (const bool gives_half : {false, true}) {
    for (const int64_t columns : {1, 7, 512, 1300}) {
      HalfPass pass(gives_half, std::make_shared<plan::HalfLayers>(), 5, columns);
      pass.run();
      pass.expect_result();
    }
  }
}

TEST(PlanHalf, PassesLookForOverflow) {
  const auto layers = std::make_shared<plan::HalfLayers>();
  HalfPass to_float(false, layers, 3, 40), to_half(true, layers, 3, 40);
  for (HalfPass* pass : {&to_float, &to_half}) {
    pass->run();
    static_cast<uint16_t*>(pass->x().raw_data())[50] = 0x7c00;
  }
  // What leaves float16 is looked at, unless the run cannot be repeated; what stays, where the layer is looked for.
  EXPECT_THROW(to_float.run(), plan::HalfOverflow);
  EXPECT_NO_THROW(to_float.run(false));
  EXPECT_NO_THROW(to_half.run());
  layers->search();
  EXPECT_NO_THROW(to_float.run());
  EXPECT_THROW(to_half.run(), plan::HalfOverflow);
  plan::HalfLayers::end_search();
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
