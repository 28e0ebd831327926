// Opening the GPU for a module.
#include "api/backend.h"

#include "gpu/gpu.h"
#include "wick/error.h"

namespace wick {

std::shared_ptr<plan::Target> gpu_target(Backend backend, const BackendOptions& options) {
  if (backend == Backend::kCpu) return nullptr;
  try {
    return gpu::open(options);
  } catch (const Error& e) {
    if (backend != Backend::kAuto || e.code() != ErrorCode::kUnsupported) throw;
    return nullptr;
  }
}

std::vector<GpuDevice> gpu_devices() { return gpu::list_devices(); }

bool is_gpu_available() noexcept {
  try {
    return !gpu_devices().empty();
  } catch (...) {
    return false;
  }
}

}  // namespace wick
