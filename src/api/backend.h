// The GPU as the target of plans.
#pragma once

#include <memory>

#include "plan/target.h"
#include "wick/backend.h"

namespace wick {

// Null: the processor. See Module::set_backend.
std::shared_ptr<plan::Target> gpu_target(Backend backend, const BackendOptions& options);

}  // namespace wick
