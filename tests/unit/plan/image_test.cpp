// Planned networks on images: every step gives what the operators give one by one, in their layout.
#include <gtest/gtest.h>

#include <cmath>

#include "core/copy.h"
#include "kernels/compact.h"
#include "plan/planned.h"
#include "plan/profile.h"
#include "unit/frontend/script/run.h"

namespace wick::script {
namespace {

Tensor waves(const IntVec& sizes, float scale = 0.5F, float offset = 0) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) {
    t.data<float>()[i] = offset + scale * std::sin(0.37F * static_cast<float>(i) + 0.5F);
  }
  return t;
}

// Runs f by the interpreter and by plans; results are within 1e-4 and have equal strides. Returns the names of the
// steps.
std::vector<std::string> steps_of(const std::string& text, const std::vector<IValue>& constants, const Tensor& x) {
  Text plain(text, constants), planned(text, constants);
  const Tensor want = plain.executor->run(plain.function("f"), {IValue(x)}).to_tensor();
  ir::Function& f = planned.function("f");
  plan::Profile profile;
  for (int run = 0; run < 3; ++run) {
    profile = {};
    const plan::ProfileScope scope(profile);
    const Tensor got = planned.planner.run(f, {IValue(x)}).to_tensor();
    EXPECT_EQ(got.sizes(), want.sizes());
    EXPECT_EQ(got.strides(), want.strides());
    const Tensor a = contiguous(got), b = contiguous(want);
    for (int64_t i = 0; i < a.numel(); ++i) {
      EXPECT_NEAR(a.data<float>()[i], b.data<float>()[i], 1e-4) << "element " << i << " of\n" << text;
      if (testing::Test::HasFailure()) return {};
    }
  }
  std::vector<std::string> names;
  for (const auto& step : profile.steps) names.push_back(step.name);
  return names;
}

int64_t count_of(const std::vector<std::string>& names, const std::string& part) {
  int64_t count = 0;
  for (const std::string& name : names) count += name.find(part) != std::string::npos;
  return count;
}

TEST(PlanImage, PoolsAndMeans) {
  for (const std::string call :
       {"torch.max_pool2d(a, [3, 2], [2, 1], [1, 0], [1, 2], True)", "torch.avg_pool2d(a, [3, 3], [2, 2], [1, 1])",
        "torch.avg_pool2d(a, [3, 3], [2, 2], [1, 1], True, False)",
        "torch.avg_pool2d(a, [2, 2], [], [0, 0], False, True, 3)", "torch.adaptive_avg_pool2d(a, [3, 5])",
        "torch.mean(a, [2, 3])", "torch.mean(a, [-1, -2], True)"}) {
    const std::string text =
        "def f(x: Tensor) -> Tensor:\n  a = torch.conv2d(x, CONSTANTS.c0, None)\n  return torch.relu(" + call + ")\n";
    const auto names = steps_of(text, {waves({20, 3, 2, 2})}, waves({2, 3, 12, 11}));
    EXPECT_EQ(count_of(names, "aten::"), 0) << text;
    // Of planes, as they come.
    EXPECT_EQ(
        count_of(steps_of("def f(a: Tensor) -> Tensor:\n  return torch.neg(" + call + ")\n", {}, waves({2, 3, 12, 11})),
                 "change of layout"),
        0)
        << call;
  }
}

TEST(PlanImage, JoinsAreWrittenInPlace) {
  const auto names = steps_of(
      "def f(x: Tensor) -> Tensor:\n"
      "  a = torch.relu(torch.conv2d(x, CONSTANTS.c0, None))\n"
      "  b = torch.conv2d(a, CONSTANTS.c1, None)\n"
      "  c = torch.relu(torch.conv2d(a, CONSTANTS.c2, None, [1, 1], [1, 1]))\n"
      "  d = torch.max_pool2d(a, [3, 3], [1, 1], [1, 1])\n"
      "  e = torch.cat([b, c, d], 1)\n"
      "  g = torch.cat([e, a], 1)\n"
      "  return torch.conv2d(g, CONSTANTS.c3, None)\n",
      {waves({8, 3, 1, 1}), waves({5, 8, 1, 1}), waves({7, 8, 3, 3}), waves({4, 28, 1, 1})}, waves({1, 3, 9, 9}));
  // Only what was there before, for others too, is copied.
  EXPECT_EQ(count_of(names, "cat"), 1);
  EXPECT_EQ(count_of(names, "aten::"), 0);
}

TEST(PlanImage, BandsOfInvertedResiduals) {
  const auto names = steps_of(
      "def f(x: Tensor) -> Tensor:\n"
      "  s = torch.hardtanh(torch.conv2d(x, CONSTANTS.c0, None, [2, 2], [1, 1]), 0., 6.)\n"
      "  s = torch.hardtanh(torch.conv2d(s, CONSTANTS.c1, None, [1, 1], [1, 1], [1, 1], 16), 0., 6.)\n"
      "  s = torch.conv2d(s, CONSTANTS.c2, None)\n"
      "  a = torch.hardtanh(torch.conv2d(s, CONSTANTS.c3, None), 0., 6.)\n"
      "  b = torch.hardtanh(torch.conv2d(a, CONSTANTS.c4, None, [1, 1], [1, 1], [1, 1], 48), 0., 6.)\n"
      "  c = torch.add(torch.conv2d(b, CONSTANTS.c5, None), s)\n"
      "  d = torch.conv2d(c, CONSTANTS.c3, None)\n"
      "  return torch.add(torch.conv2d(d, CONSTANTS.c4, None, [1, 1], [1, 1], [1, 1], 48), d)\n",
      {waves({16, 3, 3, 3}), waves({16, 1, 3, 3}), waves({8, 16, 1, 1}), waves({48, 8, 1, 1}), waves({48, 1, 3, 3}),
       waves({8, 48, 1, 1})},
      waves({1, 3, 200, 200}));
  EXPECT_EQ(count_of(names, "row tiles"), 2);
  EXPECT_EQ(count_of(names, "depthwise"), 3);
}

// A separable convolution whose image others read too begins with its depthwise layer.
TEST(PlanImage, BandsOfSeparableConvolutions) {
  for (const int64_t batch : {1, 2}) {
    const auto names = steps_of(
        "def f(x: Tensor) -> Tensor:\n"
        "  s = torch.hardswish(torch.conv2d(x, CONSTANTS.c0, None, [2, 2], [1, 1]))\n"
        "  a = torch.relu(torch.conv2d(s, CONSTANTS.c1, None, [1, 1], [1, 1], [1, 1], 16))\n"
        "  return torch.add(torch.conv2d(a, CONSTANTS.c2, None), s)\n",
        {waves({16, 3, 3, 3}), waves({16, 1, 3, 3}), waves({16, 16, 1, 1})}, waves({batch, 3, 200, 190}));
    EXPECT_EQ(count_of(names, "row tiles: conv 3x3 depthwise"), 1);
    EXPECT_EQ(count_of(names, "depthwise"), 1);
  }
}

// The first layer reads an NCHW image of few channels in place; where other steps read it too, it is converted to NHWC.
TEST(PlanImage, FirstLayersReadPlanes) {
  const auto names_of = [](int64_t kernel, int64_t stride, const IntVec& sizes, const std::string& result) {
    const std::string text =
        cat("def f(x: Tensor) -> Tensor:\n  a = torch.hardswish(torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [", stride,
            ", ", stride, "], [1, 1]))\n  return ", result, "\n");
    return steps_of(text, {waves({40, sizes[1], kernel, kernel}), waves({40})}, waves(sizes));
  };
  for (const IntVec& sizes : {IntVec{1, 3, 33, 47}, IntVec{2, 1, 5, 3}, IntVec{3, 4, 16, 30}, IntVec{1, 2, 3, 90}}) {
    for (const int64_t stride : {1, 2, 3}) {
      const auto names = names_of(3, stride, sizes, "torch.neg(a)");
      // With one channel NCHW and NHWC are the same.
      EXPECT_EQ(count_of(names, "planes"), stride < 3 && sizes[1] > 1 ? 1 : 0) << stride;
      EXPECT_EQ(count_of(names, "change of layout"), 1) << stride;  // of the result
    }
    EXPECT_EQ(count_of(names_of(2, 1, sizes, "torch.neg(a)"), "change of layout"), 1);
  }
  EXPECT_EQ(count_of(names_of(3, 1, {1, 5, 9, 9}, "torch.neg(a)"), "planes"), 0);
}

// A network's first layers: the image of the convolution is pooled in row tiles where it is large, and only there.
TEST(PlanImage, BandsOfPooledConvolutions) {
  for (const std::string pool :
       {"torch.max_pool2d(a, [3, 3], [2, 2], [1, 1], [1, 1], False)",
        "torch.max_pool2d(a, [3, 2], [2, 3], [0, 0], [2, 1], True)", "torch.avg_pool2d(a, [2, 2], [2, 2], [1, 1])",
        "torch.max_pool2d(a, [2, 2], [5, 5], [0, 0], [1, 1], False)"}) {
    const std::string text =
        "def f(x: Tensor) -> Tensor:\n  a = torch.relu(torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [2, 2], [1, 1]))\n"
        "  return torch.relu(torch.conv2d(" +
        pool + ", CONSTANTS.c2, None))\n";
    const std::vector<IValue> constants{waves({24, 3, 3, 3}), waves({24}), waves({8, 24, 1, 1})};
    for (const int64_t batch : {1, 3})
      EXPECT_EQ(count_of(steps_of(text, constants, waves({batch, 3, 190, 170})), "pool2d"), 1) << text;
    EXPECT_EQ(count_of(steps_of(text, constants, waves({1, 3, 190, 170})), "row tiles: "), 1) << text;
    EXPECT_EQ(count_of(steps_of(text, constants, waves({1, 3, 30, 30})), "row tiles: "), 0) << text;
  }
}

TEST(PlanImage, SumsWithReluEndConvolutions) {
  for (const std::string sum : {"torch._add_relu(a, b)", "torch._add_relu(b, a)"}) {
    const auto names = steps_of(
        "def f(x: Tensor) -> Tensor:\n"
        "  a = torch.conv2d(x, CONSTANTS.c0, None)\n"
        "  b = torch.conv2d(x, CONSTANTS.c1, None)\n"
        "  return torch.neg(" +
            sum + ")\n",
        {waves({8, 3, 1, 1}), waves({8, 3, 1, 1}, 0.3F)}, waves({1, 3, 9, 9}));
    EXPECT_EQ(count_of(names, "aten::"), 0);
    EXPECT_EQ(count_of(names, "direct _add_relu"), 1);
  }
  const auto names =
      steps_of("def f(x: Tensor) -> Tensor:\n  return torch.neg(torch._add_relu(x, torch.cos(x), alpha=2))\n", {},
               waves({2, 40}));
  EXPECT_EQ(count_of(names, "aten::"), 0);
  EXPECT_EQ(names.size(), 1U);
}

// An activation that kernels apply before they store takes no step of its own.
TEST(PlanImage, ActivationsArePartOfConvolutions) {
  const auto steps = [](const std::string& result) {
    return steps_of(
               "def f(x: Tensor) -> Tensor:\n  a = torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [1, 1])\n  return " +
                   result + "\n",
               {waves({20, 3, 3, 3})}, waves({2, 3, 9, 7}))
        .size();
  };
  const size_t alone = steps("a");
  for (const std::string name : {"relu", "hardswish", "hardsigmoid", "silu", "sigmoid", "tanh", "gelu", "mish"}) {
    EXPECT_EQ(steps("torch." + name + "(a)"), alone) << name;
  }
  EXPECT_GT(steps("torch.cos(a)"), alone);
}

TEST(PlanImage, GroupAndInstanceNorm) {
  for (const std::string call :
       {"torch.group_norm(a, 4, CONSTANTS.c1, CONSTANTS.c1, 1e-5, False)",
        "torch.group_norm(a, 5, None, None, 1e-3, False)",
        "torch.instance_norm(a, CONSTANTS.c1, CONSTANTS.c1, None, None, True, 0.1, 1e-5, False)"}) {
    const std::string text =
        "def f(x: Tensor) -> Tensor:\n  a = torch.conv2d(x, CONSTANTS.c0, None)\n  return torch.silu(" + call + ")\n";
    const auto names = steps_of(text, {waves({20, 3, 1, 1}), waves({20})}, waves({2, 3, 9, 7}));
    EXPECT_EQ(count_of(names, "aten::"), 0) << text;
  }
}

TEST(PlanImage, Resampling) {
  for (const std::string call :
       {"torch.upsample_nearest2d(a, [13, 20])", "torch.upsample_bilinear2d(a, [13, 20], False)",
        "torch.upsample_bilinear2d(a, [4, 5], True)", "torch.upsample_bicubic2d(a, [13, 20], False)",
        "torch.upsample_bilinear2d(a, None, False, [2.5, 1.5])", "torch.upsample_nearest2d(a, None, [2., 3.])"}) {
    const std::string text =
        "def f(x: Tensor) -> Tensor:\n  a = torch.conv2d(x, CONSTANTS.c0, None)\n  return torch.mul(" + call + ", 2)\n";
    const auto names = steps_of(text, {waves({21, 3, 1, 1})}, waves({2, 3, 9, 7}));
    EXPECT_EQ(count_of(names, "aten::"), 0) << text;
  }
}

TEST(PlanImage, ChannelsAreScaled) {
  for (const std::string product : {"torch.mul(a, s)", "torch.mul(s, a)"}) {
    const auto names = steps_of(
        "def f(x: Tensor) -> Tensor:\n"
        "  a = torch.conv2d(x, CONSTANTS.c0, None)\n"
        "  s = torch.sigmoid(torch.conv2d(torch.adaptive_avg_pool2d(a, [1, 1]), CONSTANTS.c1, None))\n"
        "  return torch.conv2d(" +
            product + ", CONSTANTS.c1, None)\n",
        {waves({20, 3, 1, 1}), waves({20, 20, 1, 1})}, waves({2, 3, 9, 7}));
    EXPECT_EQ(count_of(names, "mul of channels"), 1) << product;
  }
}

// A squeeze-and-excitation block: the two layers before it are row tiles, its factors go to the projection's weights.
TEST(PlanImage, ScaledProjections) {
  const std::vector<IValue> constants{waves({48, 8, 1, 1}),  waves({48, 1, 3, 3}), waves({48, 48, 1, 1}),
                                      waves({20, 48, 1, 1}), waves({20}),          waves({20, 8, 1, 1})};
  for (const std::string end :
       {"return y\n", "return torch.relu(torch.add(y, torch.conv2d(x, CONSTANTS.c5, None)))\n"}) {
    const std::string text =
        "def f(x: Tensor) -> Tensor:\n"
        "  a = torch.silu(torch.conv2d(x, CONSTANTS.c0, None))\n"
        "  b = torch.silu(torch.conv2d(a, CONSTANTS.c1, None, [1, 1], [1, 1], [1, 1], 48))\n"
        "  s = torch.sigmoid(torch.conv2d(torch.adaptive_avg_pool2d(b, [1, 1]), CONSTANTS.c2, None))\n"
        "  y = torch.conv2d(torch.mul(b, s), CONSTANTS.c3, CONSTANTS.c4)\n  " +
        end;
    const auto names = steps_of(text, constants, waves({1, 8, 70, 50}));
    EXPECT_EQ(count_of(names, "mul of channels; conv 1x1"), 1) << text;
    EXPECT_EQ(count_of(names, "row tiles: "), 1) << text;
    // The row tiles give the means.
    EXPECT_EQ(count_of(names, "avg_pool"), 0) << text;
    EXPECT_EQ(count_of(names, "silu means"), 1) << text;
    EXPECT_EQ(count_of(steps_of(text, constants, waves({3, 8, 9, 50})), "avg_pool"), 0) << text;
    Text exact(text, constants);
    exact.planner.set_exact(true);
    plan::Profile profile;
    const plan::ProfileScope scope(profile);
    exact.planner.run(exact.function("f"), {IValue(waves({1, 8, 70, 50}))});
    for (const auto& step : profile.steps) EXPECT_EQ(step.name.find("mul of channels; "), std::string::npos);
    // With fewer pixels than outputs the image is the lesser part.
    EXPECT_EQ(count_of(steps_of(text, constants, waves({1, 8, 4, 4})), "mul of channels; conv"), 0) << text;
  }
}

// A step before the mean that gives nothing.
TEST(PlanImage, MeansAfterChangedConstants) {
  const std::string text =
      "def f(x: Tensor) -> Tensor:\n"
      "  r = torch.zeros([3])\n"
      "  s = torch.mul_(torch.slice(r, 0, 1, 3), 2.)\n"
      "  a = torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [1, 1], [1, 1], 20)\n"
      "  return torch.add(torch.mean(a, [2, 3]), torch.select(r, 0, 0))\n";
  EXPECT_EQ(count_of(steps_of(text, {waves({20, 1, 3, 3})}, waves({2, 20, 9, 8})), "means"), 1);
}

// One row by a matrix that no cache near the core holds.
TEST(PlanImage, RowsOfLargeMatrices) {
  const std::string text =
      "def f(x: Tensor) -> Tensor:\n"
      "  a = torch.relu(torch.linear(x, CONSTANTS.c0, CONSTANTS.c1))\n"
      "  return torch.conv2d(torch.reshape(a, [-1, 1024, 1, 1]), CONSTANTS.c2, None)\n";
  const std::vector<IValue> constants{waves({1024, 1100}, 0.05F), waves({1024}), waves({250, 1024, 1, 1}, 0.05F)};
  EXPECT_EQ(count_of(steps_of(text, constants, waves({1, 1100})), "compact"), kernels::has_compact_products() ? 2 : 0);
  EXPECT_EQ(count_of(steps_of(text, constants, waves({2, 1100})), "compact"), 0);
}

TEST(PlanImage, PixelShuffle) {
  const auto names = steps_of(
      "def f(x: Tensor) -> Tensor:\n"
      "  return torch.relu(torch.pixel_shuffle(torch.conv2d(x, CONSTANTS.c0, None), 3))\n",
      {waves({18, 3, 1, 1})}, waves({2, 3, 4, 5}));
  EXPECT_EQ(count_of(names, "aten::"), 0);
}

TEST(PlanImage, PlacesOfTheGreatest) {
  for (const std::string call :
       {"torch.argmax(a, 1)", "torch.argmax(a, 1, True)", "torch.argmax(x, -1)", "torch.argmax(x, 2)"}) {
    const auto names = steps_of(
        "def f(x: Tensor) -> Tensor:\n"
        "  a = torch.conv2d(x, CONSTANTS.c0, None)\n"
        "  return torch.to(torch.add(" +
            call + ", 1), 6)\n",
        {waves({7, 3, 1, 1})}, waves({2, 3, 4, 5}));
    EXPECT_EQ(count_of(names, "aten::argmax"), 0) << call;
  }
  Tensor x = waves({6});
  x.data<float>()[3] = x.data<float>()[5] = NAN;
  steps_of("def f(x: Tensor) -> Tensor:\n  return torch.to(torch.argmax(torch.relu(x), 0, True), 6)\n", {}, x);
}

TEST(PlanImage, DropoutInPlaceThatIsOffChangesNothing) {
  const auto names = steps_of(
      "def f(x: Tensor) -> Tensor:\n"
      "  a = torch.flatten(torch.adaptive_avg_pool2d(torch.conv2d(x, CONSTANTS.c0, None), [1, 1]), 1)\n"
      "  b = torch.hardswish_(torch.linear(torch.dropout_(a, 0.2, False), CONSTANTS.c1))\n"
      "  return torch.linear(torch.dropout_(b, 0.2, False), CONSTANTS.c1)\n",
      {waves({8, 3, 1, 1}), waves({8, 8})}, waves({1, 3, 9, 9}));
  EXPECT_EQ(count_of(names, "aten::"), 0);
}

TEST(PlanImage, WeightsOfHalfPrecisionAreWidenedWhenPacked) {
  for (const DType dtype : {DType::kHalf, DType::kBFloat16}) {
    const auto half = [&](const Tensor& t) { return IValue(to_dtype(t, dtype)); };
    const auto names = steps_of(
        "def f(x: Tensor) -> Tensor:\n"
        "  w = torch.to(CONSTANTS.c0, 6)\n"
        "  b = torch.to(CONSTANTS.c1, 6)\n"
        "  a = torch.relu(torch.conv2d(x, w, b, [1, 1], [1, 1]))\n"
        "  a = torch.batch_norm(a, b, b, b, torch.to(CONSTANTS.c2, 6), False, 0.1, 1e-5, False)\n"
        "  a = torch.mul(torch.mean(a, [2, 3]), b)\n"
        "  return torch.linear(a, torch.to(CONSTANTS.c3, 6), b)\n",
        {half(waves({8, 3, 3, 3})), half(waves({8})), half(waves({8}, 0.5F, 2)), half(waves({8, 8}))},
        waves({1, 3, 9, 9}));
    EXPECT_EQ(count_of(names, "aten::to"), 0);
    EXPECT_EQ(count_of(names, "conv 3x3"), 1);
    EXPECT_EQ(count_of(names, "linear"), 1);
    EXPECT_EQ(count_of(names, "aten::linear"), 0);
  }
}

TEST(PlanImage, ExactPlansAvoidWinograd) {
  const std::string text =
      "def f(x: Tensor) -> Tensor:\n  return torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [1, 1])\n";
  const std::vector<IValue> constants{waves({64, 64, 3, 3}, 0.05F)};
  const Tensor x = waves({1, 64, 56, 56});
  EXPECT_EQ(count_of(steps_of(text, constants, x), "winograd"), 1);
  Text exact(text, constants);
  exact.planner.set_exact(true);
  plan::Profile profile;
  const plan::ProfileScope scope(profile);
  exact.planner.run(exact.function("f"), {IValue(x)});
  for (const auto& step : profile.steps) EXPECT_EQ(step.name.find("winograd"), std::string::npos) << step.name;
}

}  // namespace
}  // namespace wick::script
