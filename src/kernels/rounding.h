// Rounding of floats to what 16-bit floats hold.
#pragma once

#include <cstdint>

namespace wick::kernels {

// Narrowed and widened again: what a float becomes when it is stored in 16 bits. x may be out.
void round_to_half(const float* x, float* out, int64_t n);
void round_to_bfloat16(const float* x, float* out, int64_t n);

}  // namespace wick::kernels
