// The GPU backend of a build without it.
#include "core/check.h"
#include "gpu/gpu.h"

namespace wick::gpu {
namespace {

[[noreturn]] void fail_without() {
  fail_with<ErrorCode::kUnsupported>(
      "this build has no GPU backend: it needs Vulkan's headers and glslang (on Debian and Ubuntu libvulkan-dev and "
      "glslang-tools), then configure with -DWICK_VULKAN=ON");
}

}  // namespace

std::shared_ptr<plan::Target> open(const BackendOptions&) { fail_without(); }
std::vector<GpuDevice> list_devices() { fail_without(); }

}  // namespace wick::gpu
