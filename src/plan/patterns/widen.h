// Models of half precision (float16, bfloat16), computed in floats.
#pragma once

#include "plan/builder.h"

namespace wick::plan {

// Operators on tensors of half precision that PyTorch computes in floats and rounds once become operators on floats
// that are followed by a rounding to the dtype, so that the plan's kernels take them and every result is rounded where
// PyTorch rounds it. Other operators get their arguments in half precision, as before. Not `rounds`: results of float16
// are not rounded.
void widen_half(Trace& trace, bool rounds = true);

// A conversion between floats and half precision that build_cast has deferred.
bool is_cast(const Builder& builder, size_t s);
void emit_cast(Builder& builder, size_t s);

// The kernel that rounds floats to a dtype, when the step is such a rounding.
using RoundingKernel = void (*)(void* const* p, int64_t n, const void* params);
RoundingKernel rounding_of(const TracedStep& step);

}  // namespace wick::plan
