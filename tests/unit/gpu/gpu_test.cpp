// The GPU backend on whatever Vulkan device there is (in CI Mesa's, on the processor): its results are the processor's,
// within rounding; the validation layer has nothing to say; failures of the driver become errors.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "unit/gpu/compare.h"

namespace wick::gpu {
namespace {

struct Case {
  std::string body;
  std::vector<IValue> constants;
  Tensor input;
};

std::vector<Case> cases() {
  std::vector<Case> out;
  const auto add = [&](const std::string& body, std::vector<IValue> constants, Tensor input) {
    out.push_back({function(body), std::move(constants), std::move(input)});
  };
  // Convolutions: kernels, strides, paddings, dilations, groups, few and many channels, images of one pixel.
  add("  return torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [2, 2], [1, 1], [1, 1], 1)\n",
      {waves({16, 3, 3, 3}), waves({16})}, waves({1, 3, 17, 15}));
  add("  return torch.relu(torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [1, 1], [1, 2], [1, 2], 1))\n",
      {waves({13, 8, 3, 3}), waves({13})}, waves({2, 8, 9, 11}));
  add("  y = torch.conv2d(x, CONSTANTS.c0, None)\n  return torch.hardtanh(torch.conv2d(y, CONSTANTS.c1, None), 0., "
      "6.)\n",
      {waves({20, 12, 1, 1}), waves({70, 20, 1, 1})}, waves({1, 12, 10, 10}));
  add("  y = torch.conv2d(x, CONSTANTS.c0, None)\n"
      "  z = torch.conv2d(y, CONSTANTS.c1, CONSTANTS.c2, [2, 1], [1, 1], [1, 1], 24)\n"
      "  return torch.hardswish(z)\n",
      {waves({24, 4, 1, 1}), waves({24, 1, 3, 3}), waves({24})}, waves({2, 4, 12, 13}));
  add("  return torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [1, 1], [1, 1], 3)\n", {waves({9, 2, 3, 3})},
      waves({1, 6, 7, 7}));
  add("  y = torch.conv2d(x, CONSTANTS.c0, None, [1, 1], [1, 1])\n  return torch.relu(torch.add(y, x))\n",
      {waves({8, 8, 3, 3})}, waves({1, 8, 9, 9}));
  add("  return torch.conv_transpose2d(x, CONSTANTS.c0, CONSTANTS.c1, [2, 2], [1, 1], [1, 1], 2, [1, 1])\n",
      {waves({6, 5, 3, 3}), waves({10})}, waves({1, 6, 7, 6}));
  add("  return torch.silu(torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1))\n", {waves({30, 50, 1, 1}), waves({30})},
      waves({2, 50, 1, 1}));
  add("  return torch.conv1d(x, CONSTANTS.c0, CONSTANTS.c1, [2], [3], [1], 1)\n", {waves({7, 5, 4}), waves({7})},
      waves({2, 5, 31}));
  // A long sum over few pixels: split.
  add("  return torch.relu(torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [1, 1], [1, 1]))\n",
      {waves({40, 128, 3, 3}, 0.11F), waves({40})}, waves({1, 128, 5, 5}));
  add("  y = torch.conv2d(x, CONSTANTS.c0, None)\n"
      "  y = torch.batch_norm(y, CONSTANTS.c1, CONSTANTS.c2, CONSTANTS.c2, CONSTANTS.c3, False, 0.1, 0.001, True)\n"
      "  return torch.relu(y)\n",
      {waves({8, 4, 1, 1}), waves({8}), waves({8}, 0.2F), positive({8})}, waves({1, 4, 6, 6}));
  add("  return torch.relu(torch.batch_norm(x, CONSTANTS.c0, CONSTANTS.c1, CONSTANTS.c1, CONSTANTS.c2, False, 0.1, "
      "0.001, "
      "True))\n",
      {waves({4}), waves({4}, 0.2F), positive({4})}, waves({2, 4, 6, 5}));
  // Dense layers of one row and of many.
  for (int64_t rows : {1, 3, 37}) {
    add("  return torch.gelu(torch.linear(x, CONSTANTS.c0, CONSTANTS.c1))\n", {waves({51, 66}), waves({51})},
        waves({rows, 66}));
  }
  add("  return torch.add(torch.linear(x, CONSTANTS.c0, CONSTANTS.c1), x)\n", {waves({24, 24}), waves({24})},
      waves({2, 9, 24}));
  // Pointwise chains, with broadcasting.
  add("  y = torch.mul(torch.sigmoid(x), CONSTANTS.c0)\n  return torch.div(torch.sub(y, 2.5), torch.exp(x))\n",
      {waves({5, 1})}, waves({3, 5, 7}));
  for (const std::string call :
       {"abs", "neg", "square", "floor", "ceil", "trunc", "exp", "sin", "cos", "tanh", "sigmoid", "erf", "relu", "silu",
        "mish", "hardswish", "hardsigmoid", "log_sigmoid", "gelu"}) {
    add("  return torch." + call + "(torch.mul(x, 5.))\n", {}, waves({4, 33}));
  }
  for (const std::string call : {"sqrt", "rsqrt", "log", "reciprocal"}) {
    add("  return torch." + call + "(torch.add(torch.abs(x), 0.1))\n", {}, waves({4, 33}));
  }
  add("  return torch.leaky_relu(torch.clamp(x, -0.5, 0.7), 0.1)\n", {}, waves({130}));
  add("  return torch.elu(torch.softplus(torch.mul(x, 30.), 1, 20))\n", {}, waves({130}));
  // Pools, means, resampling.
  add("  return torch.max_pool2d(x, [3, 3], [2, 2], [1, 1], [1, 1], True)\n", {}, waves({2, 3, 10, 12}));
  add("  return torch.avg_pool2d(x, [3, 2], [2, 2], [1, 1], True, False, None)\n", {}, waves({1, 3, 10, 11}));
  add("  return torch.avg_pool2d(x, [3, 2], [2, 2], [1, 1], True, True, None)\n", {}, waves({1, 3, 10, 11}));
  add("  return torch.adaptive_avg_pool2d(x, [3, 4])\n", {}, waves({1, 5, 10, 11}));
  add("  y = torch.conv2d(x, CONSTANTS.c0, None)\n  return torch.flatten(torch.adaptive_avg_pool2d(y, [1, 1]), 1)\n",
      {waves({40, 3, 1, 1})}, waves({2, 3, 9, 9}));
  add("  return torch.upsample_nearest2d(x, [14, 9], None, None)\n", {}, waves({1, 5, 7, 4}));
  add("  return torch.upsample_bilinear2d(x, [14, 9], False, None, None)\n", {}, waves({1, 5, 7, 4}));
  add("  return torch.upsample_bilinear2d(x, [14, 9], True, None, None)\n", {}, waves({1, 5, 7, 4}));
  for (const std::string call : {"torch.mean(x, [2, 3], True)", "torch.sum(x, [1])", "torch.amax(x, [0, 2])",
                                 "torch.amin(x, [-1])", "torch.mean(x)", "torch.mean(x, [1, 3])"}) {
    add("  return " + call + "\n", {}, waves({2, 5, 7, 4}));
  }
  // Rows.
  add("  return torch.softmax(x, -1)\n", {}, waves({3, 4, 77}));
  add("  return torch.log_softmax(x, 1)\n", {}, waves({3, 40, 7}));
  add("  return torch.layer_norm(x, [50], CONSTANTS.c0, CONSTANTS.c1, 0.00001)\n", {waves({50}), waves({50})},
      waves({3, 4, 50}));
  add("  return torch.group_norm(x, 2, CONSTANTS.c0, CONSTANTS.c1, 0.00001)\n", {waves({6}), waves({6})},
      waves({2, 6, 5, 7}));
  // Shapes.
  add("  a = torch.permute(x, [0, 2, 3, 1])\n  return torch.add(torch.reshape(a, [2, -1]), 1.)\n", {},
      waves({2, 3, 4, 5}));
  add("  y = torch.conv2d(x, CONSTANTS.c0, None)\n  a, b = torch.chunk(y, 2, 1)\n  return torch.mul(a, "
      "torch.sigmoid(b))\n",
      {waves({12, 3, 1, 1})}, waves({1, 3, 6, 5}));
  add("  y = torch.conv2d(x, CONSTANTS.c0, None)\n  z = torch.view(y, [1, 2, 6, 6, 5])\n"
      "  w = torch.reshape(torch.transpose(z, 1, 2), [1, 12, 6, 5])\n  return torch.conv2d(w, CONSTANTS.c1, None)\n",
      {waves({12, 3, 1, 1}), waves({5, 12, 1, 1})}, waves({1, 3, 6, 5}));
  add("  a = torch.relu(torch.conv2d(x, CONSTANTS.c0, None))\n"
      "  b = torch.relu(torch.conv2d(x, CONSTANTS.c1, None, [1, 1], [1, 1]))\n  return torch.cat([a, b, x], 1)\n",
      {waves({8, 4, 1, 1}), waves({6, 4, 3, 3})}, waves({1, 4, 7, 6}));
  add("  return torch.cat([x, torch.mul(x, 2.)], 2)\n", {}, waves({2, 3, 4}));
  add("  return torch.relu(torch.constant_pad_nd(x, [1, 2, 0, 3], 0.5))\n", {}, waves({1, 2, 4, 5}));
  add("  return torch.relu(torch.reflection_pad2d(x, [1, 2, 2, 1]))\n", {}, waves({1, 2, 4, 5}));
  add("  return torch.relu(torch.slice(torch.select(x, 1, 2), 1, 1, 5, 2))\n", {}, waves({3, 4, 6}));
  // Products of computed matrices.
  add("  y = torch.matmul(x, torch.transpose(x, -2, -1))\n  return torch.matmul(torch.softmax(y, -1), x)\n", {},
      waves({2, 3, 17, 20}));
  return out;
}

TEST(Gpu, EqualsTheProcessor) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  for (const Case& c : cases()) {
    const Outcome out = run_text(on, c.body, c.constants, {IValue(c.input)});
    EXPECT_LE(out.worst, 2e-5) << c.body;
    EXPECT_EQ(out.counts.stretches, 1u) << c.body;
    EXPECT_LE(out.calls, 1u) << c.body;  // a view that is given back
  }
}

TEST(Gpu, HalfStorageIsNear) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  if (!on->limits().half) GTEST_SKIP() << "no float16 in buffers";
  size_t k = 0;
  for (const Case& c : cases()) {
    // Every third; functions with jumps are left out.
    if (++k % 3 != 0 || c.body.find("floor") != std::string::npos) continue;
    EXPECT_LE(run_text(on, c.body, c.constants, {IValue(c.input)}, true).worst, 2e-2) << c.body;
  }
}

// What the least device has: small workgroups, little shared memory, small buffers.
TEST(Gpu, LowLimits) {
  Limits low;
  low.max_invocations = 128;
  low.max_shared_bytes = 16384;
  low.max_workgroups = {65535, 65535, 65535};
  low.max_buffer_range = uint64_t{128} << 20;
  Limits lower = low;
  lower.max_invocations = 16;
  lower.max_shared_bytes = 2048;
  for (const Limits* limits : {&low, &lower}) {
    const DevicePtr on = device(true, limits);
    NEEDS_DEVICE(on);
    size_t k = 0;
    for (const Case& c : cases()) {
      if (++k % 4 != 0) continue;
      EXPECT_LE(run_text(on, c.body, c.constants, {IValue(c.input)}).worst, 2e-5) << c.body;
    }
  }
}

// A tensor that is larger than a buffer may be: the processor has it.
TEST(Gpu, ShapesBeyondTheLimitsFallBack) {
  Limits low;
  low.max_buffer_range = 4096;
  const DevicePtr on = device(false, &low);
  NEEDS_DEVICE(on);
  const Outcome out = run_text(on, function("  return torch.relu(torch.mul(x, 2.))\n"), {}, {IValue(waves({40, 40}))});
  EXPECT_EQ(out.counts.stretches, 0u);
  EXPECT_EQ(out.worst, 0);
}

// Each dimension has its own limit: a long one takes what is spread out.
TEST(Gpu, LimitsOfWorkgroupsByDimension) {
  Limits low;
  low.max_workgroups = {4096, 2, 2};
  const DevicePtr on = device(true, &low);
  NEEDS_DEVICE(on);
  const Outcome out = run_text(on, function("  return torch.relu(torch.conv2d(x, CONSTANTS.c0, None))\n"),
                               {waves({8, 4, 1, 1})}, {IValue(waves({1, 4, 40, 40}))});
  EXPECT_LE(out.worst, 2e-5);
  EXPECT_EQ(out.counts.stretches, 1u);
}

// A result that can be computed, but not given back in the program's order, is the processor's.
TEST(Gpu, ResultsThatCannotBeGivenBackFallBack) {
  Limits low;
  low.max_workgroups = {1, 1, 1};
  const DevicePtr on = device(false, &low);
  NEEDS_DEVICE(on);
  const Outcome out = run_text(on, function("  return torch.conv2d(x, CONSTANTS.c0, None)\n"), {waves({32, 4, 1, 1})},
                               {IValue(waves({1, 4, 4, 8}))});
  EXPECT_EQ(out.worst, 0);
  EXPECT_EQ(out.counts.stretches, 0u);
}

TEST(Gpu, NanInfinityAndEmpty) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  Tensor odd = waves({1, 4, 6, 6});
  odd.data<float>()[3] = NAN;
  odd.data<float>()[40] = INFINITY;
  odd.data<float>()[77] = -INFINITY;
  for (const std::string call :
       {"torch.relu(x)", "torch.hardtanh(x, -1., 1.)", "torch.max_pool2d(x, [2, 2], [2, 2], [0, 0], [1, 1], False)",
        "torch.softmax(x, 1)", "torch.amax(x, [1])", "torch.tanh(x)", "torch.sigmoid(x)", "torch.gelu(x)",
        "torch.hardswish(x)", "torch.mish(x)", "torch.mean(x, [2])"}) {
    const Outcome out = run_text(on, function("  return " + call + "\n"), {}, {IValue(odd)});
    EXPECT_LE(out.worst, 2e-5) << call;
    EXPECT_EQ(out.counts.stretches, 1u) << call;
  }
  EXPECT_EQ(run_text(on, function("  return torch.relu(torch.conv2d(x, CONSTANTS.c0, None))\n"), {waves({5, 4, 1, 1})},
                     {IValue(waves({0, 4, 6, 6}))})
                .worst,
            0);
}

// A step that the GPU lacks stands between two stretches, and views of results are used by both sides.
TEST(Gpu, ProcessorInBetween) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  const std::string text =
      "def f(x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:\n"
      "  a = torch.relu(torch.conv2d(x, CONSTANTS.c0, None))\n"
      "  v = torch.transpose(a, 1, 3)\n"
      "  c, _0 = torch.sort(v, 1, False)\n"
      "  b = torch.mul(torch.add(c, 1.), v)\n"
      "  return (b, v, torch.view(a, [-1]))\n";
  const Outcome out = run_text(on, text, {waves({8, 4, 1, 1})}, {IValue(waves({1, 4, 5, 6}))});
  EXPECT_LE(out.worst, 2e-5);
  EXPECT_EQ(out.counts.stretches, 2u);
  EXPECT_GE(out.calls, 1u);
}

TEST(Gpu, ThreadsAndShapesShareTheDevice) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  const std::string text = function(
      "  y = torch.relu(torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [1, 1], [1, 1]))\n"
      "  return torch.softmax(torch.mean(y, [2, 3]), 1)\n");
  const std::vector<IValue> constants{waves({16, 4, 3, 3}), waves({16})};
  Text gpu(text, constants), plain(text, constants);
  gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
  ir::Function& f = gpu.function("f");
  ir::Function& g = plain.function("f");
  std::vector<Tensor> inputs, wanted;
  for (int64_t n = 3; n < 9; ++n) {
    inputs.push_back(waves({1, 4, n, n + 2}));
    wanted.push_back(plain.executor->run(g, {IValue(inputs.back())}).to_tensor());
  }
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (size_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (size_t k = 0; k < 60; ++k) {
        const size_t i = (k * (t + 1) + t) % inputs.size();
        wrong += !(difference(wanted[i], gpu.planner.run(f, {IValue(inputs[i])}).to_tensor()) <= 2e-5);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  for (const std::string& message : on->complaints()) ADD_FAILURE() << message;
}

ErrorCode code_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("CPU backend"), std::string::npos) << e.what();
    return e.code();
  }
  return ErrorCode::kInternal;
}

// A driver that fails gives an error, and the processor takes over when it is asked to, or by itself.
TEST(Gpu, DriverFailuresBecomeErrors) {
  const std::string text = function("  return torch.relu(torch.mul(x, 2.))\n");
  for (const bool lost : {true, false}) {
    const DevicePtr on = device(false, std::make_unique<Limits>().get());
    NEEDS_DEVICE(on);
    if (lost) {
      on->vk.vkQueueSubmit = [](VkQueue, uint32_t, const VkSubmitInfo*, VkFence) { return VK_ERROR_DEVICE_LOST; };
    } else {
      on->vk.vkAllocateMemory = [](VkDevice, const VkMemoryAllocateInfo*, const VkAllocationCallbacks*,
                                   VkDeviceMemory*) { return VK_ERROR_OUT_OF_DEVICE_MEMORY; };
    }
    Text gpu(text);
    ir::Function& f = gpu.function("f");
    const Tensor x = waves({30});
    gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
    const ErrorCode wanted = lost ? ErrorCode::kIo : ErrorCode::kOutOfMemory;
    for (int k = 0; k < 2; ++k) EXPECT_EQ(code_of([&] { gpu.planner.run(f, {IValue(x)}); }), wanted);
    gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), true);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(gpu.planner.run(f, {IValue(x)}).to_tensor().numel(), 30);
    gpu.planner.set_target(nullptr, false);
    EXPECT_EQ(gpu.planner.run(f, {IValue(x)}).to_tensor().numel(), 30);
  }
}

// The two plans take turns, then the faster one stays; the results agree all along.
TEST(Gpu, MeasuresWhichIsFaster) {
  const DevicePtr on = device(false);
  NEEDS_DEVICE(on);
  Text gpu(function("  return torch.relu(torch.mul(x, 2.))\n"));
  ir::Function& f = gpu.function("f");
  gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), true);
  const Tensor x = waves({30});
  for (int k = 0; k < 20; ++k) {
    const Tensor y = gpu.planner.run(f, {IValue(x)}).to_tensor();
    for (int64_t i = 0; i < 30; ++i) ASSERT_EQ(y.data<float>()[i], std::max(0.0F, 2 * x.data<float>()[i])) << k;
  }
}

}  // namespace
}  // namespace wick::gpu
