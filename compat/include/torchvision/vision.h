// torchvision's operators, which Wick has: programs that link the library for models that call them.
#pragma once

#include <torchvision/ops/ops.h>

namespace vision {
// The version of CUDA: -1, there is none.
inline int64_t cuda_version() { return -1; }
}  // namespace vision
