// What the GPU backend keeps on the device: constants as long as a plan has them, plans as long as their memory allows.
#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "gpu/weights.h"
#include "unit/gpu/compare.h"

namespace wick::gpu {
namespace {

// A device of the test's own, whose memory is counted.
struct Counted {
  std::mutex mutex;
  std::map<VkDeviceMemory, uint64_t> allocations;
  uint64_t live = 0, most = 0;
  int submissions = 0, failing = 0;  // so many submissions fail
  Api real;
};
Counted* counted;

class GpuMemory : public testing::Test {
 protected:
  void SetUp() override {
    counted = &counted_;
    Limits none;
    none.half = true;
    on = device(false, &none);
    if (!on) GTEST_SKIP() << "no Vulkan device";
    counted_.real = on->vk;
    on->vk.vkAllocateMemory = [](VkDevice d, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* a,
                                 VkDeviceMemory* memory) {
      const VkResult result = counted->real.vkAllocateMemory(d, info, a, memory);
      const std::lock_guard lock(counted->mutex);
      if (result == VK_SUCCESS) counted->live += counted->allocations[*memory] = info->allocationSize;
      counted->most = std::max(counted->most, counted->live);
      return result;
    };
    on->vk.vkFreeMemory = [](VkDevice d, VkDeviceMemory memory, const VkAllocationCallbacks* a) {
      {
        const std::lock_guard lock(counted->mutex);
        const auto it = counted->allocations.find(memory);
        if (it != counted->allocations.end()) {
          counted->live -= it->second;
          counted->allocations.erase(it);
        }
      }
      counted->real.vkFreeMemory(d, memory, a);
    };
    on->vk.vkQueueSubmit = [](VkQueue queue, uint32_t n, const VkSubmitInfo* info, VkFence fence) {
      ++counted->submissions;
      if (counted->failing > 0 && counted->failing-- > 0) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
      return counted->real.vkQueueSubmit(queue, n, info, fence);
    };
  }
  void TearDown() override {
    on = nullptr;
    EXPECT_EQ(counted_.live, 0u);
  }

  static Constant put(Weights& weights, const Tensor& t) {
    return weights.get(plan::PackKey({t}, {1}), static_cast<size_t>(t.numel()),
                       [&](float* to) { std::copy_n(t.data_ptr<float>(), t.numel(), to); });
  }

  DevicePtr on;
  Counted counted_;
};

constexpr uint64_t kMegabyte = uint64_t{1} << 20;

TEST_F(GpuMemory, ConstantsThatNobodyHasAreGivenUp) {
  Weights weights(on, false);
  const Tensor kept = waves({1000}), first = waves({1 << 18});
  const Constant constant = put(weights, kept);
  for (int k = 0; k < 100; ++k) {
    // A megabyte each, at times with a buffer of its own.
    const Tensor t = k == 0 ? first : waves({k % 10 == 0 ? 1 << 21 : 1 << 18});
    const Constant used = put(weights, t);
    EXPECT_EQ(put(weights, t).buffer, used.buffer);
    weights.upload();
    EXPECT_GE(weights.bytes(), t.nbytes() + kept.nbytes());
  }
  weights.upload();
  EXPECT_EQ(weights.bytes(), 4096u);
  EXPECT_EQ(first.impl()->use_count(), 1);
  EXPECT_EQ(put(weights, kept).offset, constant.offset);
  EXPECT_LE(counted_.live, 16 * kMegabyte);
  EXPECT_LE(counted_.most, 42 * kMegabyte);  // with what an upload needs
}

// Places of one buffer are joined again, whatever the order they are given back in.
TEST_F(GpuMemory, PlacesAreUsedAgain) {
  Weights weights(on, false);
  const Tensor pin = waves({10});
  const Constant pinned = put(weights, pin);
  for (int round = 0; round < 3; ++round) {
    std::vector<Constant> held;
    for (int k = 0; k < 12; ++k) held.push_back(put(weights, waves({1 << 18}, 0.1F + static_cast<float>(k))));
    weights.upload();
    for (size_t k : {3u, 1u, 2u, 7u, 5u, 6u}) held[k] = {};
    const Constant large = put(weights, waves({700000}));
    EXPECT_EQ(large.buffer->handle(), pinned.buffer->handle());
    weights.upload();
    EXPECT_LE(counted_.live, 16 * kMegabyte);
  }
}

// Another plan may count on a constant whose upload has failed for the plan that asked first.
TEST_F(GpuMemory, UploadsThatFailAreTriedAgain) {
  Weights weights(on, false);
  const Tensor t = waves({1000}), other = waves({1000}, 0.2F);
  const Constant of_second = put(weights, t);
  {
    const Constant of_first = put(weights, t), own = put(weights, other);
    counted_.failing = 1;
    EXPECT_THROW(weights.upload(), Error);
  }
  counted_.submissions = 0;
  weights.upload();
  EXPECT_EQ(counted_.submissions, 1);
  EXPECT_EQ(put(weights, t).offset, of_second.offset);
  weights.upload();
  EXPECT_EQ(counted_.submissions, 1);
}

// Every shape has constants of its own, and large results: both are kept for as many plans as their memory allows.
TEST_F(GpuMemory, ShapesDoNotAddUp) {
  const std::string text = function(
      "  h = torch.zeros([torch.size(x, 0), 4096], dtype=6, layout=None, device=None, pin_memory=False)\n"
      "  return torch.mul(torch.sigmoid(torch.add(h, x)), 2.)\n");
  Text gpu(text);
  gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
  ir::Function& f = gpu.function("f");
  for (int64_t n = 100; n < 160; ++n) {
    const Tensor y = gpu.planner.run(f, {IValue(waves({n, 1}))}).to_tensor();
    EXPECT_NEAR(y.data<float>()[5], 2 / (1 + std::exp(-std::sin(0.1F))), 1e-4);
  }
  EXPECT_LE(counted_.live, 64 * kMegabyte);
}

TEST_F(GpuMemory, TheBoundOfPlansIsOneOfTheDeviceToo) {
  Text gpu(function("  return torch.relu(torch.mul(x, 2.))\n"));
  gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
  gpu.planner.set_max_memory(8 * kMegabyte);
  ir::Function& f = gpu.function("f");
  for (int64_t n = 100; n < 130; ++n) {
    const Tensor y = gpu.planner.run(f, {IValue(waves({n, 1024}))}).to_tensor();
    EXPECT_EQ(y.size(0), n);
    EXPECT_LE(counted_.live, 9 * kMegabyte) << n;
  }
  EXPECT_GT(counted_.live, 0u);
}

// Transfers are in the profile by themselves, with what they move.
TEST(GpuProfile, HasTransfers) {
  const DevicePtr on = device(false);
  NEEDS_DEVICE(on);
  Text gpu(function("  return torch.softmax(torch.mean(x, [1]), 1)\n"));
  gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
  gpu.planner.run(gpu.function("f"), {IValue(waves({2, 3, 5}))});
  plan::Profile profile;
  {
    const plan::ProfileScope scope(profile);
    gpu.planner.run(gpu.function("f"), {IValue(waves({2, 3, 5}))});
  }
  std::vector<std::string> names;
  for (const plan::StepTime& step : profile.steps) {
    names.push_back(step.name);
    EXPECT_GE(step.duration_ns, 0) << step.name;
    if (step.name == "gpu: upload") {
      EXPECT_EQ(step.bytes, 120);
    } else if (step.name == "gpu: download") {
      EXPECT_EQ(step.bytes, 40);
      EXPECT_EQ(step.output, "1 tensor, 0.0 kB");
    }
  }
  ASSERT_EQ(names.size(), 5u);
  EXPECT_EQ(names.front(), "gpu: upload");
  EXPECT_EQ(names[3], "gpu: download");
  EXPECT_EQ(names[4], "gpu: submission, 2 dispatches");
}

}  // namespace
}  // namespace wick::gpu
