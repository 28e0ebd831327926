// The GPU backend when things go wrong, and over many runs: damaged caches, drivers that run out of memory or lose the
// device at any call, shapes that change on several threads.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "gpu/target.h"
#include "unit/frontend/script/run.h"

namespace wick::gpu {
namespace {

using script::Text;

Tensor ramp(IntVec sizes) {
  Tensor t = Tensor::empty(sizes);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<float>()[i] = static_cast<float>(i % 17) / 8 - 1;
  return t;
}

// Devices that are opened with lowered limits are the test's own.
DevicePtr own_device() {
  static const Limits kNone = [] {
    Limits limits;
    limits.half = true;
    return limits;
  }();
  Settings settings;
  settings.lower = &kNone;
  try {
    return Device::open(settings);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kUnsupported) << e.what();
    return nullptr;
  }
}

const char* const kText =
    "def f(x: Tensor) -> Tensor:\n"
    "  y = torch.relu(torch.conv2d(x, CONSTANTS.c0, CONSTANTS.c1, [1, 1], [1, 1]))\n"
    "  return torch.softmax(torch.mean(y, [2, 3]), 1)\n";
std::vector<IValue> weights() { return {ramp({8, 4, 3, 3}), ramp({8})}; }

void expect_near(const Tensor& want, const Tensor& got) {
  ASSERT_EQ(want.sizes(), got.sizes());
  for (int64_t i = 0; i < want.numel(); ++i) EXPECT_NEAR(want.data<float>()[i], got.data<float>()[i], 1e-4) << i;
}

class CacheFolder {
 public:
  CacheFolder() : path_(std::filesystem::temp_directory_path() / ("wick-gpu-cache-" + std::to_string(::getpid()))) {
    if (const char* before = std::getenv("WICK_CACHE")) before_ = before;
    std::filesystem::remove_all(path_);
    ::setenv("WICK_CACHE", path_.c_str(), 1);
  }
  ~CacheFolder() {
    std::filesystem::remove_all(path_);
    if (before_.empty()) {
      ::unsetenv("WICK_CACHE");
    } else {
      ::setenv("WICK_CACHE", before_.c_str(), 1);
    }
  }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> out;
    if (!std::filesystem::exists(path_)) return out;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) out.push_back(entry.path());
    return out;
  }

 private:
  std::filesystem::path path_;
  std::string before_;
};

// A file that was cut, damaged or is another's is as good as none.
TEST(GpuRobustness, DamagedPipelineCachesAreIgnored) {
  const CacheFolder folder;
  const auto run = [] {
    const DevicePtr on = own_device();
    if (!on) return false;
    Text gpu(kText, weights()), plain(kText, weights());
    gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
    const std::vector<IValue> input{ramp({1, 4, 6, 6})};
    expect_near(plain.executor->run(plain.function("f"), input).to_tensor(),
                gpu.planner.run(gpu.function("f"), input).to_tensor());
    return true;
  };
  if (!run()) GTEST_SKIP() << "no Vulkan device";
  ASSERT_EQ(folder.files().size(), 1u);
  const std::filesystem::path file = folder.files()[0];
  std::string whole;
  {
    std::ifstream in(file, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
  }
  ASSERT_GT(whole.size(), 40u);  // a header, and what the driver has, which may be a header alone
  std::vector<std::string> damaged{"", "x", whole.substr(0, whole.size() / 2), whole + "more",
                                   std::string(5000, '\xff')};
  for (const size_t at : {size_t{0}, size_t{9}, size_t{30}, whole.size() / 2, whole.size() - 1}) {
    damaged.push_back(whole);
    damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ 0x55);
  }
  for (const std::string& bytes : damaged) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    EXPECT_TRUE(run());
  }
}

// Counts calls of the driver, and fails the one whose turn it is.
struct Injected {
  int calls = 0, failing = -1;
  int64_t live = 0;  // allocations
  VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  bool fails() { return calls++ == failing; }
};
Injected injected;
Api real;

template <auto kMember>
struct Hook;
template <class... Args, VkResult (*Api::*kMember)(Args...)>
struct Hook<kMember> {
  static VkResult call(Args... args) { return injected.fails() ? injected.result : (real.*kMember)(args...); }
};

void install(Device& device) {
  real = device.vk;
  device.vk.vkAllocateMemory = [](VkDevice d, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* a,
                                  VkDeviceMemory* memory) {
    if (injected.fails()) return injected.result;
    const VkResult result = real.vkAllocateMemory(d, info, a, memory);
    injected.live += result == VK_SUCCESS;
    return result;
  };
  device.vk.vkFreeMemory = [](VkDevice d, VkDeviceMemory memory, const VkAllocationCallbacks* a) {
    injected.live -= memory != VK_NULL_HANDLE;
    real.vkFreeMemory(d, memory, a);
  };
#define HOOK(name) device.vk.name = Hook<&Api::name>::call
  HOOK(vkCreateBuffer);
  HOOK(vkBindBufferMemory);
  HOOK(vkMapMemory);
  HOOK(vkCreateDescriptorPool);
  HOOK(vkAllocateDescriptorSets);
  HOOK(vkCreateCommandPool);
  HOOK(vkAllocateCommandBuffers);
  HOOK(vkCreateFence);
  HOOK(vkBeginCommandBuffer);
  HOOK(vkEndCommandBuffer);
  HOOK(vkCreateShaderModule);
  HOOK(vkCreateComputePipelines);
  HOOK(vkQueueSubmit);
#undef HOOK
}

// Whichever call fails, the run gives an error that says so, nothing is leaked, and the processor goes on.
TEST(GpuRobustness, MemoryRunsOutAtAnyCall) {
  const std::vector<IValue> input{ramp({1, 4, 6, 6})};
  Text plain(kText, weights());
  const Tensor want = plain.executor->run(plain.function("f"), input).to_tensor();
  for (int failing = 0;; ++failing) {
    ASSERT_LT(failing, 500);
    const DevicePtr on = own_device();
    if (!on) GTEST_SKIP() << "no Vulkan device";
    injected = Injected();
    injected.failing = failing;
    install(*on);
    bool failed = false;
    {
      Text gpu(kText, weights());
      gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
      ir::Function& f = gpu.function("f");
      try {
        expect_near(want, gpu.planner.run(f, input).to_tensor());
      } catch (const Error& e) {
        failed = true;
        EXPECT_EQ(e.code(), ErrorCode::kOutOfMemory) << failing << ": " << e.what();
        EXPECT_NE(std::string(e.what()).find("CPU backend"), std::string::npos) << e.what();
      }
      injected.failing = -1;
      gpu.planner.set_target(nullptr, false);
      expect_near(want, gpu.planner.run(f, input).to_tensor());
      // And the GPU has recovered.
      gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
      expect_near(want, gpu.planner.run(f, input).to_tensor());
    }
    EXPECT_EQ(injected.live, 0) << "after call " << failing << " failed";
    if (!failed) break;
  }
}

// A device that is lost while a run waits for it stays lost; a module that may choose goes on with the processor.
TEST(GpuRobustness, DeviceIsLostWhileRunning) {
  const DevicePtr on = own_device();
  if (!on) GTEST_SKIP() << "no Vulkan device";
  const std::vector<IValue> input{ramp({1, 4, 6, 6})};
  Text gpu(kText, weights()), plain(kText, weights());
  ir::Function& f = gpu.function("f");
  const Tensor want = plain.executor->run(plain.function("f"), input).to_tensor();
  gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
  expect_near(want, gpu.planner.run(f, input).to_tensor());
  static int waits;
  waits = 0;
  real = on->vk;
  on->vk.vkWaitForFences = [](VkDevice d, uint32_t n, const VkFence* fences, VkBool32 all, uint64_t time) {
    real.vkWaitForFences(d, n, fences, all, time);
    ++waits;
    return VK_ERROR_DEVICE_LOST;
  };
  on->vk.vkGetFenceStatus = [](VkDevice, VkFence) { return VK_NOT_READY; };
  for (int k = 0; k < 3; ++k) {
    try {
      gpu.planner.run(f, input);
      ADD_FAILURE() << "no error";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kIo) << e.what();
    }
  }
  EXPECT_EQ(waits, 1);  // nothing is given to it any more
  gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), true);
  for (int k = 0; k < 3; ++k) expect_near(want, gpu.planner.run(f, input).to_tensor());
}

// A wait that fails for want of memory does not end the work: what the device still uses is not given up before.
TEST(GpuRobustness, WaitsThatFailAreWaitedOut) {
  const DevicePtr on = own_device();
  if (!on) GTEST_SKIP() << "no Vulkan device";
  const std::vector<IValue> input{ramp({1, 4, 6, 6})};
  Text gpu(kText, weights()), plain(kText, weights());
  ir::Function& f = gpu.function("f");
  const Tensor want = plain.executor->run(plain.function("f"), input).to_tensor();
  gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
  expect_near(want, gpu.planner.run(f, input).to_tensor());
  static bool at_work;
  static int asked;
  at_work = false;
  asked = 0;
  real = on->vk;
  on->vk.vkQueueSubmit = [](VkQueue queue, uint32_t n, const VkSubmitInfo* info, VkFence fence) {
    at_work = true;
    return real.vkQueueSubmit(queue, n, info, fence);
  };
  on->vk.vkWaitForFences = [](VkDevice, uint32_t, const VkFence*, VkBool32, uint64_t) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  };
  on->vk.vkGetFenceStatus = [](VkDevice d, VkFence fence) {
    if (++asked < 4) return asked == 2 ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_NOT_READY;
    const VkResult result = real.vkGetFenceStatus(d, fence);
    if (result == VK_SUCCESS) at_work = false;
    return result;
  };
  on->vk.vkFreeMemory = [](VkDevice d, VkDeviceMemory memory, const VkAllocationCallbacks* a) {
    EXPECT_FALSE(at_work);
    real.vkFreeMemory(d, memory, a);
  };
  try {
    gpu.planner.run(f, input);
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kOutOfMemory) << e.what();
  }
  EXPECT_FALSE(at_work);
  EXPECT_GE(asked, 4);
  on->vk = real;
  expect_near(want, gpu.planner.run(f, input).to_tensor());
}

// The best device and the same one by its number are one.
TEST(GpuRobustness, ADeviceIsOpenedOnce) {
  DevicePtr best;
  try {
    best = Device::open(Settings());
  } catch (const Error&) {
    GTEST_SKIP() << "no Vulkan device";
  }
  size_t same = 0;
  const auto count = static_cast<int>(list_devices().size());
  for (int k = 0; k < count; ++k) {
    Settings settings;
    settings.device = k;
    try {
      same += Device::open(settings) == best;
    } catch (const Error&) {
      continue;  // one that does not compute
    }
  }
  EXPECT_EQ(same, 1u);
  EXPECT_EQ(Device::open(Settings()), best);
}

// Shapes that change on several threads: memory on the device stays what the plans that are kept need. WICK_GPU_RUNS
// sets how many runs.
TEST(GpuRobustness, ManyShapesDoNotAddUp) {
  const DevicePtr on = own_device();
  if (!on) GTEST_SKIP() << "no Vulkan device";
  injected = Injected();
  static std::atomic<int64_t> live, most;
  live = most = 0;
  real = on->vk;
  on->vk.vkAllocateMemory = [](VkDevice d, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* a,
                               VkDeviceMemory* memory) {
    const int64_t now = ++live;
    int64_t before = most;
    while (now > before && !most.compare_exchange_weak(before, now)) {
    }
    return real.vkAllocateMemory(d, info, a, memory);
  };
  on->vk.vkFreeMemory = [](VkDevice d, VkDeviceMemory memory, const VkAllocationCallbacks* a) {
    live -= memory != VK_NULL_HANDLE;
    real.vkFreeMemory(d, memory, a);
  };
  const char* given = std::getenv("WICK_GPU_RUNS");
  const int runs = given != nullptr ? std::atoi(given) : 90;
  {
    Text gpu(kText, weights());
    gpu.planner.set_target(std::make_shared<GpuTarget>(on, false), false);
    ir::Function& f = gpu.function("f");
    int64_t at_half = 0;
    for (int part = 0; part < 2; ++part) {
      std::vector<std::thread> threads;
      for (int t = 0; t < 3; ++t) {
        threads.emplace_back([&, t] {
          for (int k = 0; k < runs / 6; ++k) {
            const int64_t n = 3 + (k * (t + 1) + t) % 70;
            const Tensor y = gpu.planner.run(f, {IValue(ramp({1, 4, n, n}))}).to_tensor();
            float sum = 0;
            for (int64_t i = 0; i < y.numel(); ++i) sum += y.data<float>()[i];
            EXPECT_NEAR(sum, 1, 1e-3);
          }
        });
      }
      for (std::thread& t : threads) t.join();
      if (part == 0) at_half = most;
    }
    // The plans that are kept, three replays each at most, of at most five buffers.
    EXPECT_LE(most, 64 * 3 * 5 + 8);
    if (runs >= 2000) {
      EXPECT_LE(most, at_half + at_half / 4);
    }
  }
  EXPECT_EQ(live, 0);
}

}  // namespace
}  // namespace wick::gpu
