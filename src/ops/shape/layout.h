// The strides PyTorch gives to the result of an elementwise operator.
#pragma once

#include "wick/span.h"

namespace wick::ops {

// Dense strides (in elements) for `sizes`, the dims ordered by the operands' strides, the first operand that tells two
// dims apart deciding. Operand strides are any unit, 0 for a broadcast dim.
IntVec elementwise_strides(IntSpan sizes, const std::vector<IntVec>& operands);

}  // namespace wick::ops
