// The families of operators. A family is one list of entries; adding one is one line here.
#pragma once

#include "ops/op_entry.h"

#ifdef WICK_WITH_LINALG
#define WICK_LINALG_FAMILY(X) X(kLinalgOps)
#else
#define WICK_LINALG_FAMILY(X)
#endif

// clang-format off
#define WICK_OP_FAMILIES(X)                                                                    \
  X(kPointwiseOps) X(kBitwiseOps) X(kFunctionOps) X(kSpecialOps) X(kActivationOps) X(kCompareOps) X(kReduceOps) X(kScanOps) \
  X(kViewOps) X(kRearrangeOps) X(kJoinOps) X(kCopyOps) X(kCreationOps) X(kIndexOps) X(kSortOps)   \
  X(kRandomOps)                                                                                     \
  X(kMatmulOps) X(kConvOps) X(kPoolOps) X(kPrepackedOps) X(kGpuContextOps)                                           \
  X(kNormOps) X(kSoftmaxOps) X(kRnnOps) X(kEmbeddingOps) X(kUpsampleOps) X(kLossOps)               \
  X(kAttentionOps) X(kVisionOps) X(kPadOps) X(kDistanceOps)                                        \
  X(kNumberOps) X(kListOps) X(kDictOps) X(kStringOps) X(kPrimOps) X(kTensorInfoOps) X(kQuantizeOps) X(kQuantizedPackedOps) X(kQuantizedLayerOps) X(kQuantizedRnnOps) X(kQuantizedDecomposedOps) X(kFftOps) \
  X(kForeachOps) WICK_LINALG_FAMILY(X)
// clang-format on

namespace wick {
#define X(family) extern const OpFamily family;
WICK_OP_FAMILIES(X)
#undef X
}  // namespace wick
