// Integer division as tiling needs it.
#pragma once

#include <cstdint>

namespace wick::kernels {

// Rounded up; the divisor is positive.
constexpr int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b > 0); }
// The least multiple of `to`, which is positive, that is not below n, which is not negative.
constexpr int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

}  // namespace wick::kernels
