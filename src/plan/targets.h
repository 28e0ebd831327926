// Whether plans of the build may have targets.
#pragma once

#include "config/build.h"

namespace wick::plan {

// A selective build without Vulkan has none (WICK_VULKAN).
#ifdef WICK_SELECTION
inline constexpr bool kHasTargets = build::kGpu;
#else
inline constexpr bool kHasTargets = true;
#endif

}  // namespace wick::plan
