// Convolutions and dense layers by XNNPACK, in builds with WICK_XNNPACK, where it was measured to be faster.
#pragma once

#include "kernels/conv2d.h"
#include "plan/builder.h"

namespace wick::plan {

#ifdef WICK_WITH_XNNPACK
inline constexpr bool kHasXnnpack = true;
#else
inline constexpr bool kHasXnnpack = false;
#endif

// Whether XNNPACK's method is the faster one for a layer on one thread, by the figures of docs/performance.md.
bool prefers_xnnpack(const kernels::ConvShape& shape, const kernels::Epilogue& epilogue);

// Weights and scale as kernels::pack_conv takes them. Null when XNNPACK has nothing for it. The step reads a few bytes
// behind its input, which must be in the arena.
std::unique_ptr<Step> xnnpack_step(const ir::Node* node, const kernels::ConvShape& shape, const float* weight,
                                   const float* scale, const float* bias, const kernels::Epilogue& epilogue,
                                   std::string name);

}  // namespace wick::plan
