// Whether the memory that an operator writes overlaps what it reads.
#pragma once

#include "wick/tensor.h"

namespace wick::ops {

// kUnknown: in one storage and range of bytes, with strides that do not tell.
enum class Overlap { kNone, kFull, kPartial, kUnknown };
Overlap overlap_of(const Tensor& a, const Tensor& b);

}  // namespace wick::ops
