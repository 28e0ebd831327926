// The order in which PyTorch's elementwise operators go through the dims, and the strides of their results.
#pragma once

#include <vector>

#include "wick/span.h"

namespace wick::ops {

// Dims from the innermost outwards, ordered by the operands' strides, the first operand that tells two dims apart
// deciding. Operand strides are in any unit, 0 for a broadcast dim.
std::vector<size_t> elementwise_order(IntSpan sizes, const std::vector<IntVec>& operands);

// Dense strides (in elements) for `sizes` in that order.
IntVec elementwise_strides(IntSpan sizes, const std::vector<IntVec>& operands);

}  // namespace wick::ops
