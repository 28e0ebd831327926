// Layers as the optimizers for Vulkan and Metal store them run on the GPU, whatever device that is, and are the
// processor's; and how many barriers programs have.
#include <gtest/gtest.h>

#include "ops/conv/gpu_contexts.h"
#include "unit/gpu/compare.h"

namespace wick::gpu {
namespace {

Tensor small(IntVec sizes, float step = 0.37F) {
  Tensor t = waves(std::move(sizes), step);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] *= 0.25F;
  return t;
}

std::vector<IValue> rnn_params(int64_t gates, int64_t inputs, int64_t hidden, bool both_ways) {
  std::vector<IValue> out;
  for (int64_t layer = 0; layer < 2; ++layer) {
    const int64_t width = layer == 0 ? inputs : hidden * (both_ways ? 2 : 1);
    for (int way = 0; way < (both_ways ? 2 : 1); ++way) {
      out.push_back(small({gates * hidden, width}, 0.31F));
      out.push_back(small({gates * hidden, hidden}, 0.23F));
      out.push_back(small({gates * hidden}));
      out.push_back(small({gates * hidden}, 0.53F));
    }
  }
  return out;
}

void expect_on_gpu(const std::string& text, const IValue& context, const std::vector<IValue>& inputs) {
  const DevicePtr on = device();
  NEEDS_DEVICE(on);
  const Outcome out = run_text(on, text, {context}, inputs);
  EXPECT_LE(out.worst, 2e-5) << text;
  EXPECT_EQ(out.counts.stretches, 1u) << text;
  EXPECT_EQ(out.calls, 0u) << text;
  if (on->limits().half) {
    EXPECT_LE(run_text(on, text, {context}, inputs, true).worst, 2e-2) << text;
  }
}

std::string layer(const std::string& op) {
  return function("  return torch.add(ops." + op + "(torch.mul(x, 0.5), CONSTANTS.c0), 0.25)\n");
}

TEST(GpuPrepacked, Convolutions) {
  const Tensor image = waves({2, 6, 9, 8});
  const Tensor weight = small({12, 6, 3, 3}), bias = small({12}), grouped = small({12, 2, 3, 3}),
               depthwise = small({6, 1, 3, 3});
  for (const bool ranged : {false, true}) {
    const IValue low = ranged ? IValue(-0.2) : IValue(), high = ranged ? IValue(0.3) : IValue();
    expect_on_gpu(layer("vulkan_prepack.run_conv2d_context"),
                  ops::create_conv2d_context(weight, bias, {2, 1}, {1, 2}, {1, 1}, 1, low, high), {image});
    expect_on_gpu(layer("vulkan_prepack.run_conv2d_context"),
                  ops::create_conv2d_context(grouped, bias, {1, 1}, {1, 1}, {2, 1}, 3, low, high), {image});
    expect_on_gpu(layer("vulkan_prepack.run_conv2d_context"),
                  ops::create_conv2d_context(depthwise, std::nullopt, {1, 1}, {1, 1}, {1, 1}, 6, low, high), {image});
    expect_on_gpu(layer("vulkan_prepack.conv2d_clamp_run"),
                  ops::vulkan_old_conv2d_prepack(weight, bias, {1, 1}, {1, 1}, {1, 1}, 1, low, high), {image});
    expect_on_gpu(layer("metal_prepack.conv2d_run"),
                  ops::metal_conv2d_prepack(weight, bias, {1, 2}, {0, 1}, {1, 1}, 1, low, high), {image});
    expect_on_gpu(
        layer("vulkan_prepack.run_tconv2d_context"),
        ops::create_tconv2d_context(small({6, 5, 3, 3}), small({5}), {2, 2}, {1, 1}, {1, 0}, {1, 1}, 1, low, high),
        {image});
  }
}

TEST(GpuPrepacked, DenseLayers) {
  const Tensor weight = small({10, 14}), bias = small({10});
  for (const int64_t rows : {1, 7}) {
    const Tensor x = waves({rows, 14});
    // The context of Vulkan has the weights the other way round.
    expect_on_gpu(layer("vulkan_prepack.run_linear_context"), ops::create_linear_context(small({14, 10}), bias), {x});
    expect_on_gpu(layer("metal_prepack.linear_run"), ops::metal_linear_prepack(weight, bias, IValue(), IValue()), {x});
    expect_on_gpu(layer("metal_prepack.linear_run"), ops::metal_linear_prepack(weight, bias, IValue(-0.1), IValue(0.4)),
                  {x});
  }
}

TEST(GpuPrepacked, RecurrentLayers) {
  const auto tensors = [](const std::vector<IValue>& values) {
    std::vector<Tensor> out;
    for (const IValue& v : values) out.push_back(v.to_tensor());
    return out;
  };
  const Tensor x = waves({2, 5, 6}), h = small({4, 2, 3}), c = small({4, 2, 3}, 0.41F);
  expect_on_gpu(
      "def f(x: Tensor, h: Tensor, c: Tensor) -> Tuple[Tensor, Tensor, Tensor]:\n"
      "  a, b, d = ops.vulkan_prepack.run_lstm_context(torch.neg(x), h, c, CONSTANTS.c0)\n"
      "  return (torch.neg(a), torch.neg(b), torch.neg(d))\n",
      ops::create_lstm_context(tensors(rnn_params(4, 6, 3, true)), true, 2, 0.0, false, true, true), {x, h, c});
  expect_on_gpu(
      "def f(x: Tensor, h: Tensor) -> Tuple[Tensor, Tensor]:\n"
      "  a, b = ops.vulkan_prepack.run_gru_context(torch.neg(x), h, CONSTANTS.c0)\n"
      "  return (torch.neg(a), torch.neg(b))\n",
      ops::create_gru_context(tensors(rnn_params(3, 6, 3, true)), true, 2, 0.0, false, true, true), {x, h});
}

// Transfers that PyTorch's models have in them are nothing here.
TEST(GpuPrepacked, TransfersInTheModel) {
  const IValue context =
      ops::metal_conv2d_prepack(small({4, 6, 1, 1}), std::nullopt, {1, 1}, {0, 0}, {1, 1}, 1, IValue(), IValue());
  for (const std::string back : {"ops.metal.copy_to_host(y)", "torch.cpu(y)"}) {
    expect_on_gpu(function("  y = ops.metal_prepack.conv2d_run(torch.to(x, torch.device(\"vulkan\"), None, False, "
                           "False), CONSTANTS.c0)\n  return torch.relu(" +
                           back + ")\n"),
                  context, {waves({1, 6, 5, 4})});
  }
}

// Between dispatches of which one reads what the other writes, and nowhere else.
TEST(GpuBarriers, AsFewAsAreNeeded) {
  static size_t barriers;
  static Api real;
  struct Wanted {
    std::string body;
    size_t dispatches, barriers;
  };
  const std::vector<IValue> constants{waves({8, 4, 1, 1}), waves({8, 4, 3, 3})};
  for (const Wanted& w : std::vector<Wanted>{
           {"  return torch.softmax(torch.softmax(torch.softmax(x, 1), 2), 3)\n", 3, 2},
           {"  return torch.add(torch.softmax(x, 1), torch.softmax(x, 2))\n", 3, 1},
           {"  a = torch.softmax(x, 1)\n  return torch.add(torch.softmax(a, 3), torch.softmax(a, 2))\n", 4, 2},
           // Both write into one image, which is then copied into the order that the program has.
           {"  return torch.cat([torch.conv2d(x, CONSTANTS.c0, None), torch.conv2d(x, CONSTANTS.c1, None, [1, 1], [1, "
            "1])], 1)\n",
            3, 1},
           {"  return torch.cat([torch.softmax(x, 1), torch.softmax(x, 2)], 0)\n", 4, 1},
       }) {
    Limits none;
    none.half = true;
    const DevicePtr on = device(false, &none);  // the test's own
    NEEDS_DEVICE(on);
    real = on->vk;
    barriers = 0;
    on->vk.vkCmdPipelineBarrier = [](VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                     VkDependencyFlags flags, uint32_t n, const VkMemoryBarrier* memory, uint32_t m,
                                     const VkBufferMemoryBarrier* buffers, uint32_t i,
                                     const VkImageMemoryBarrier* images) {
      barriers += from == VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT && to == from;
      real.vkCmdPipelineBarrier(commands, from, to, flags, n, memory, m, buffers, i, images);
    };
    Text gpu(function(w.body), constants);
    auto target = std::make_shared<GpuTarget>(on, false);
    gpu.planner.set_target(target, false);
    for (int k = 0; k < 2; ++k) gpu.planner.run(gpu.function("f"), {IValue(waves({1, 4, 5, 6}))});
    EXPECT_EQ(target->counts().dispatches, w.dispatches) << w.body;
    EXPECT_EQ(barriers, w.barriers) << w.body;
  }
}

}  // namespace
}  // namespace wick::gpu
