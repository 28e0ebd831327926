// Parts of kernels that a selective build keeps; in an ordinary build, all. The header behind WICK_SELECTION is made by
// cmake/select.cmake, apart from the one of core/selection.h: few lists change it, and kernels take long to compile.
#pragma once

#include "kernels/activations.h"

namespace wick::kernels::selected {

#ifdef WICK_SELECTION
#include "selected_kernels.h"
#else
// Activations that a convolution or product applies to its results.
#define X(Name, kernel, flag) inline constexpr bool k##Name = true;
WICK_FUSED_ACTIVATIONS(X)
#undef X
// Depthwise convolutions with loops of their own, by the width of the kernel; others have a general one.
inline constexpr bool kDepthwise3 = true, kDepthwise5 = true;
// A network's first layer with three columns of taps, of an image that lies channel by channel.
inline constexpr bool kPlanes = true;
// Depthwise convolutions that give the means of their channels as well.
inline constexpr bool kMeans = true;
inline constexpr bool kInt8Depthwise3 = true, kInt8Depthwise5 = true;
// Products of bytes whose results are floats: layers that quantize at run time.
inline constexpr bool kInt8Floats = true;
#endif
// Tiles that few layers have: of two rows, of seven by one vector, of narrow images, and of first layers without a
// stride.
#ifdef WICK_SELECTION
inline constexpr bool kAllTiles = false;
#else
inline constexpr bool kAllTiles = true;
#endif

}  // namespace wick::kernels::selected

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
