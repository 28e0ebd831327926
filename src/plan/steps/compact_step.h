// Dense layers of one row with weights of 28 bits (kernels/compact.h).
#pragma once

#include "kernels/epilogue.h"
#include "plan/builder.h"

namespace wick::plan {

inline constexpr bool kHasCompact = selects_step("compact");

// The weights, their outputs and inputs two dims of the tensor, where that is faster: they come from further away than
// the second-level cache, and few of their exponents are small. Null otherwise.
Packed compact_weights(Builder& builder, const Tensor& weight, int64_t out_dim, int64_t in_dim);
void emit_compact(Builder& builder, const ir::Node* node, const Packed& weights, int64_t outputs, int64_t inputs,
                  const Packed& bias, Slot in, Slot out, const kernels::Epilogue& epilogue, const StepName& name);

}  // namespace wick::plan
