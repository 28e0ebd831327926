// The GPU backend where values and shapes are at the edge: NaN and infinities beside constants, ranges of integers,
// large quotients, rows without anything in them, images of one pixel, views that reach beyond what they are taken of.
#include <gtest/gtest.h>

#include <cmath>

#include "unit/gpu/compare.h"

namespace wick::gpu {
namespace {

Tensor odd_numbers() {
  Tensor x = waves({2, 9});
  const float odd[] = {NAN, INFINITY, -INFINITY, 0.0F, -0.0F, 1.0F, -1.0F, 1e30F};
  std::copy(std::begin(odd), std::end(odd), x.data<float>() + 3);
  return x;
}

// A step that writes to its argument ends the stretch that it reads from, though nobody uses its result.
TEST(GpuEdges, WritesWhoseResultNobodyUses) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  const Tensor written = waves({4, 4});
  const Outcome out = run_text(on,
                               "def f(x: Tensor, y: Tensor) -> Tensor:\n"
                               "  z = torch.add_(y, torch.mul(x, 2.0))\n"
                               "  return torch.sqrt(torch.abs(x))\n",
                               {}, {IValue(waves({4, 4})), IValue(written)});
  EXPECT_LE(out.worst, 2e-5);
  EXPECT_EQ(out.counts.stretches, 2u);
  // The interpreter has run once, and the plan twice.
  const Tensor before = waves({4, 4});
  for (int64_t i = 0; i < 16; ++i) EXPECT_NEAR(written.data<float>()[i], 7 * before.data<float>()[i], 1e-4);
}

// Part of an image may be what one dispatch writes into a larger image: where the pixels are one, too.
TEST(GpuEdges, CatOfImagesOfOnePixel) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  for (const std::string pool : {"torch.adaptive_avg_pool2d(x, [1, 1])", "torch.mean(x, [2, 3], True)",
                                 "torch.max_pool2d(x, [5, 5], [5, 5], [0, 0], [1, 1], False)"}) {
    const Outcome out = run_text(on,
                                 function("  p = " + pool +
                                          "\n  q = torch.relu(torch.conv2d(p, CONSTANTS.c0, None))\n"
                                          "  return torch.cat([p, q], 1)\n"),
                                 {waves({8, 8, 1, 1})}, {IValue(waves({8, 8, 5, 5}))});
    EXPECT_LE(out.worst, 2e-5) << pool;
    EXPECT_EQ(out.counts.stretches, 1u) << pool;
  }
  const Outcome line = run_text(on,
                                function("  p = torch.mean(x, [2], True)\n  q = torch.conv1d(p, CONSTANTS.c0, None)\n"
                                         "  return torch.cat([p, q], 1)\n"),
                                {waves({8, 8, 1})}, {IValue(waves({8, 8, 6}))});
  EXPECT_LE(line.worst, 2e-5);
}

// Numbers of the program are not constants that a driver may fold: NaN and infinities times zero are NaN.
TEST(GpuEdges, NumbersBesideNanAndInfinity) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  for (const std::string call :
       {"torch.mul(x, 0.)", "torch.div(x, torch.mul(x, 0.))", "torch.clamp_max(torch.div(x, torch.mul(x, 0.)), 1.)",
        "torch.clamp_min(torch.clamp_max(torch.div(x, torch.mul(x, 0.)), 1.), -1.)",
        "torch.clamp(torch.log(x), -1., 1.)", "torch.mul(torch.div(x, torch.sub(x, 1.)), 0.)",
        "torch.add(x, x, alpha=0)", "torch.elu(x, 0.)", "torch.leaky_relu(x, 0.)", "torch.clamp(x, 2., 1.)",
        "torch.hardtanh(x, -1., 1.)", "torch.clamp_max(x, 0.5)", "torch.clamp_min(x, 0.5)",
        "torch.remainder(torch.mul(x, 0.), 3.)"}) {
    const Outcome out = run_text(on, function("  return " + call + "\n"), {}, {IValue(odd_numbers())});
    EXPECT_LE(out.worst, 2e-5) << call;
    EXPECT_EQ(out.counts.stretches, 1u) << call;
  }
}

TEST(GpuEdges, SmallValuesKeepTheirDigits) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  for (const std::string call : {"torch.elu(torch.mul(x, 0.0001))", "torch.celu(torch.mul(x, 0.0001))",
                                 "torch.selu(torch.mul(x, 0.0001))", "torch.expm1(torch.mul(x, 0.0001))"}) {
    EXPECT_LE(run_text(on, function("  return " + call + "\n"), {}, {IValue(waves({64}))}).worst, 2e-6) << call;
  }
}

// A range whose ends are the wrong way round is its upper end, in a layer as by itself.
TEST(GpuEdges, RangesTheWrongWayRound) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  for (const std::string body :
       {"  return torch.clamp(torch.mul(x, 4.), 2., 1.)\n", "  return torch.hardtanh(torch.mul(x, 4.), 2., 1.)\n",
        "  return torch.clamp(torch.linear(x, CONSTANTS.c0, None), 2., 1.)\n"}) {
    const Outcome out = run_text(on, function(body), {waves({5, 8})}, {IValue(waves({6, 8}))});
    EXPECT_EQ(out.worst, 0) << body;
  }
}

// What is left of a division is exact, however large the quotient.
TEST(GpuEdges, RemaindersOfLargeQuotients) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  Tensor x = waves({64}, 0.91F);
  const float odd[] = {0.0F, -0.0F, 1e30F, -1e30F, 1e-40F, 3.0F, -3.0F, 6.0F, INFINITY, NAN};
  std::copy(std::begin(odd), std::end(odd), x.data<float>());
  for (const std::string call :
       {"torch.remainder(torch.mul(x, 100000000.), 3.)", "torch.fmod(torch.mul(x, 100000000.), 3.)",
        "torch.remainder(torch.mul(x, 1000000.), 6.2831853)", "torch.remainder(torch.mul(x, 1000000.), -6.2831853)",
        "torch.fmod(torch.mul(x, 1e30), 0.7)", "torch.fmod(x, 0.25)", "torch.fmod(x, x)"}) {
    const Outcome out = run_text(on, function("  return " + call + "\n"), {}, {IValue(x)});
    EXPECT_EQ(out.worst, 0) << call;
    EXPECT_EQ(out.counts.stretches, 1u) << call;
  }
  for (const std::string call : {"torch.floor_divide(torch.mul(x, 100000000.), torch.add(torch.abs(x), 0.1))",
                                 "torch.div(torch.mul(x, 30.), 0.1, rounding_mode=\"trunc\")"}) {
    const Outcome out = run_text(on, function("  return " + call + "\n"), {}, {IValue(waves({64}, 0.91F))});
    EXPECT_LE(out.worst, 2e-7) << call;
  }
}

// Deviations of numbers whose squares overflow.
TEST(GpuEdges, DeviationsOfLargeNumbers) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  Tensor x = waves({4, 6});
  for (int64_t i = 0; i < 24; ++i) x.data<float>()[i] *= i / 6 == 1 ? 1e30F : i / 6 == 2 ? 1e-3F : 1.0F;
  x.data<float>()[19] = INFINITY;
  for (const std::string call : {"torch.std(x, [1], True, False)", "torch.std(x, [0], False, True)"}) {
    const Outcome out = run_text(on, function("  return " + call + "\n"), {}, {IValue(x)});
    EXPECT_LE(out.worst, 2e-5) << call;
    EXPECT_EQ(out.calls, 0u) << call;
  }
}

// Windows of adaptive pools whose place does not fit a word before it is divided.
TEST(GpuEdges, LongAdaptivePools) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  const Tensor x = waves({1, 1, 100000}, 0.7F);
  EXPECT_LE(
      run_text(on, function("  return torch.adaptive_avg_pool1d(torch.mul(x, 2.), [50000])\n"), {}, {IValue(x)}).worst,
      2e-5);
  EXPECT_LE(
      run_text(on, function("  return torch.adaptive_avg_pool1d(torch.mul(x, 2.), [33])\n"), {}, {IValue(x)}).worst,
      2e-5);
}

// A query that may look at nothing gives zeros, as PyTorch's softmax of attention does, and nothing else does.
TEST(GpuEdges, AttentionRowsThatAreMasked) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  Tensor numbers = waves({5, 5}), flags = Tensor::empty({5, 5}, DType::kBool);
  for (int64_t i = 0; i < 25; ++i) {
    flags.data<bool>()[i] = i % 3 != 0 && i / 5 != 3;
    if (i / 5 == 1 || i % 4 == 0) numbers.data<float>()[i] = -INFINITY;
  }
  const Tensor x = waves({2, 3, 5, 8});
  for (const Tensor& mask : {numbers, flags}) {
    const Outcome out =
        run_text(on, function("  return torch.mul(torch.scaled_dot_product_attention(x, x, x, CONSTANTS.c0), 2.)\n"),
                 {mask}, {IValue(x)});
    EXPECT_LE(out.worst, 2e-5);
    EXPECT_EQ(out.calls, 0u);
  }
  const Outcome computed =
      run_text(on,
               function("  return torch.scaled_dot_product_attention(x, x, x, torch.gt(torch.matmul(x, "
                        "torch.transpose(x, -2, -1)), 1.))\n"),
               {}, {IValue(x)});
  EXPECT_LE(computed.worst, 2e-5);
  EXPECT_EQ(computed.calls, 0u);
  // A plain softmax gives NaN there.
  Tensor row = waves({3, 4});
  std::fill_n(row.data<float>() + 4, 4, -INFINITY);
  EXPECT_LE(run_text(on, function("  return torch.softmax(x, 1)\n"), {}, {IValue(row)}).worst, 2e-5);
}

// Truth values are counted from 0 to 1: indices made of them are checked.
TEST(GpuEdges, IndicesMadeOfTruthValues) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  const std::string text =
      function("  n = torch.to(torch.gt(x, 0.5), 4)\n  return torch.embedding(CONSTANTS.c0, torch.cumsum(n, 0))\n");
  Tensor few = Tensor::zeros({10}, DType::kFloat), many = Tensor::zeros({10}, DType::kFloat);
  few.data<float>()[2] = few.data<float>()[7] = 1;
  std::fill_n(many.data<float>(), 10, 1.0F);
  // Large enough for whatever they are.
  const Outcome large = run_text(on, text, {waves({11, 3})}, {IValue(many)});
  EXPECT_EQ(large.worst, 0);
  EXPECT_EQ(large.calls, 0u);
  EXPECT_EQ(run_text(on, text, {waves({4, 3})}, {IValue(few)}).worst, 0);
  Text gpu(text, {waves({4, 3})});
  gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(gpu.planner.run(gpu.function("f"), {IValue(few)}).to_tensor().size(1), 3);
    EXPECT_THROW(gpu.planner.run(gpu.function("f"), {IValue(many)}), Error);
  }
}

// Where float16 ends, a run is the processor's.
TEST(GpuEdges, OverflowOfFloat16) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  if (!on->limits().half) GTEST_SKIP() << "no float16 in buffers";
  for (const std::string body :
       {"  return torch.mul(torch.mul(x, 300.), 300.)\n",
        "  y = torch.mul(x, 300.)\n  return torch.sqrt(torch.mean(torch.mul(y, y), [1]))\n",
        "  y = torch.exp(torch.mul(x, 20.))\n  return torch.div(y, torch.sum(y, [1], True))\n"}) {
    const Outcome out = run_text(on, function(body), {}, {IValue(waves({3, 40}))}, true);
    EXPECT_LE(out.worst, 1e-6) << body;
    EXPECT_EQ(out.counts.stretches, 1u) << body;
  }
  // Infinities that were there before are no reason.
  Tensor odd = waves({3, 40});
  odd.data<float>()[7] = INFINITY;
  const Outcome out = run_text(on, function("  return torch.mul(x, 2.)\n"), {}, {IValue(odd)}, true);
  EXPECT_EQ(out.calls, 0u);
}

// A module that may choose leaves such a model to the processor.
TEST(GpuEdges, OverflowOfFloat16IsNotTriedAgainWhereThereIsAChoice) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  if (!on->limits().half) GTEST_SKIP() << "no float16 in buffers";
  Text gpu(function("  return torch.mul(torch.softmax(torch.mul(x, 30.), 1), 900000.)\n"));
  gpu.planner.set_target(std::make_shared<GpuTarget>(on, true), true);
  ir::Function& f = gpu.function("f");
  const Tensor x = waves({3, 40});
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(std::isfinite(gpu.planner.run(f, {IValue(x)}).to_tensor().data<float>()[0]));
  plan::Profile profile;
  const plan::ProfileScope scope(profile);
  gpu.planner.run(f, {IValue(x)});
  EXPECT_FALSE(profile.steps.empty());
  for (const plan::StepTime& step : profile.steps) {
    EXPECT_NE(step.kind, "gpu") << step.name;
    EXPECT_TRUE(step.is_planned) << step.name;
  }
}

// A view may reach beyond what it was taken of, within the same memory. The GPU has only what it was taken of.
TEST(GpuEdges, ViewsBeyondTheirBase) {
  const DevicePtr on = device(false);
  NEEDS_DEVICE(on);
  for (const std::string view : {"torch.as_strided(z, [3, 4], [4, 1], 0)", "torch.as_strided(z, [2, 4], [4, 1], 4)",
                                 "torch.as_strided(z, [2, 2], [1, 4], 1)"}) {
    const Outcome out =
        run_text(on,
                 function("  y, _0 = torch.sort(x, 1, False)\n  z = torch.slice(y, 0, 1, 2)\n  v = " + view +
                          "\n  return torch.relu(torch.add(v, 1.))\n"),
                 {}, {IValue(waves({3, 4}))});
    EXPECT_EQ(out.worst, 0) << view;
  }
}

}  // namespace
}  // namespace wick::gpu
