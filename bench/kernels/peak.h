// What the machine can do at most, measured: the yardstick of the kernel benchmarks.
#pragma once

namespace wick::bench {

// Multiply-adds of one core with the best instruction set, in GF/s (two operations each), best of several tries.
double fma_peak();

}  // namespace wick::bench
