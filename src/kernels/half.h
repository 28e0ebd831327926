// float16 as kernels compute in it (FEAT_FP16 of 64-bit ARM): products, convolutions and what comes after them.
//
// Sums are kept in float16 as far as a piece of the depth goes (kMaxDepthOf), those of the pieces in floats;
// activations other than ranges are computed in floats.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "config/build.h"

namespace wick::kernels {

#if defined(__aarch64__)
using Half = __fp16;
#else
struct Half {
  uint16_t bits;
};
#endif

// Whether the build has kernels that compute in float16: those of 64-bit ARM that hold models of that dtype.
#if defined(__aarch64__) && !defined(WICK_WITHOUT_FP16)
#define WICK_HALF_KERNELS            // templates of kernels are instantiated for Half, too
inline constexpr int kHalfCode = 5;  // DType::kHalf
inline constexpr bool kHasHalfKernels =
    build::kAllDTypes ||
    std::find(std::begin(build::kDTypes), std::end(build::kDTypes), kHalfCode) != std::end(build::kDTypes);
#else
inline constexpr bool kHasHalfKernels = false;
#endif
// Whether this processor can run them.
bool computes_half();

// The depth of what is added up in one go, in floats and in float16, whose sums lose more with each step.
template <class T>
inline constexpr int64_t kMaxDepthOf = sizeof(T) == 2 ? 256 : 768;

}  // namespace wick::kernels
