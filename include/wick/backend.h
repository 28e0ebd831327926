// Where a model runs: on the processor or on a GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wick {

enum class Backend : uint8_t {
  kCpu,
  kGpu,   // every operator that the GPU has runs there, the others on the processor
  kAuto,  // as kGpu or kCpu, whichever is measured to be faster for inputs of these shapes; kCpu where there is no GPU
};

// How elements are kept on a GPU. Sums are computed in float32 either way.
enum class GpuPrecision : uint8_t { kFloat32, kFloat16 };

// See Module::set_backend.
struct BackendOptions {
  GpuPrecision precision = GpuPrecision::kFloat32;
  int device = -1;  // of gpu_devices(); -1: the fastest kind that there is
};

// A GPU as its driver describes it; its place in gpu_devices() is BackendOptions::device.
struct GpuDevice {
  std::string name;     // "NVIDIA H200"
  std::string kind;     // "discrete", "integrated", "virtual", "processor" or "other"
  std::string driver;   // "llvmpipe, Vulkan 1.3.230"
  uint64_t memory = 0;  // bytes of its own
  bool has_float16 = false;
};

// The GPUs that Vulkan finds. Throws kUnsupported, with what to install, when there is no Vulkan in this build or on
// this machine.
std::vector<GpuDevice> gpu_devices();
// Whether Backend::kGpu works: there is a device.
bool is_gpu_available() noexcept;

}  // namespace wick
