// Rounding of requantized values.
#pragma once

#include <cstdint>

namespace wick::ops {

// round(value) as a 16-bit integer, to nearest even as the 8-bit kernels of PyTorch's mobile engine do; a NaN becomes
// the lowest.
int32_t round_to_int16(float value);

}  // namespace wick::ops
