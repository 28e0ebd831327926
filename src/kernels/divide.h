// Integer division as tiling needs it.
#pragma once

#include <cstdint>

namespace wick::kernels {

// Rounded up; the divisor is positive.
constexpr int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b > 0); }

}  // namespace wick::kernels
