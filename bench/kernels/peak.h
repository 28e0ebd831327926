// What the machine can do at most, measured: the yardstick of the kernel benchmarks.
#pragma once

#include <cstdint>

namespace wick::bench {

// Multiply-adds of one core with the best instruction set, in GF/s (two operations each), best of several tries.
double fma_peak();

// Reads the values once, in order; returns something of them.
float read_all(const float* data, int64_t n);
// GB/s of one core reading so many bytes over and over: from the cache they fit, or from memory.
double read_rate(int64_t bytes);

// Billions of x * sigmoid(x) in a second, of values in the first-level cache: an exponential and a division each.
double silu_rate();

}  // namespace wick::bench
