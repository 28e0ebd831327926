// Floats of 8 bits: e5m2 and e4m3fn, and their forms without infinities and negative zero (fnuz).
#pragma once

#include <cstdint>

#include "wick/dtype.h"

namespace wick {

float float8_to_float(uint8_t bits, DType dtype);
// Rounds to the nearest, ties to even. What is too large becomes infinite in e5m2, the largest in e4m3fn, else NaN.
uint8_t float_to_float8(float value, DType dtype);

}  // namespace wick
