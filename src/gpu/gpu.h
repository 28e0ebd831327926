// The GPU backend's door: what runs stretches of plans, and which devices there are.
#pragma once

#include <memory>
#include <vector>

#include "plan/target.h"
#include "wick/backend.h"

namespace wick::gpu {

// Throws kUnsupported, with what to install, when there is no Vulkan in this build or on this machine, and
// kInvalidArgument for a device that is not there or that lacks the precision.
std::shared_ptr<plan::Target> open(const BackendOptions& options);

std::vector<GpuDevice> list_devices();

}  // namespace wick::gpu
