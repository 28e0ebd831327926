// What a selective build changes in kernels beside the parts it leaves out (config/build.h).
#pragma once

#include "config/build.h"

namespace wick::kernels {

// Tiles that few layers have: of two rows, of seven by one vector, of narrow images, and of first layers without a
// stride.
inline constexpr bool kAllTiles = !build::kIsSelective;

}  // namespace wick::kernels

// What is called so often that it is inlined, but for a selective build.
#ifdef WICK_SELECTION
#define WICK_INLINE_IF_LARGE HWY_NOINLINE
#else
#define WICK_INLINE_IF_LARGE HWY_INLINE
#endif
// A function that runs where a plan is made, or in a few plans: in a selective build it is compiled for size.
#ifdef WICK_SELECTION
#define WICK_RARELY_RUN __attribute__((cold))
#else
#define WICK_RARELY_RUN
#endif
