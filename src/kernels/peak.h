// What the machine can do at most, measured: the yardstick of profiles and benchmarks.
#pragma once

#include <cstdint>

namespace wick::kernels {

// Multiply-adds of one core with the best instruction set, in GF/s (two operations each), best of several tries.
double fma_peak();

// Reads the values once, in order; returns something of them.
float read_all(const float* data, int64_t n);
// GB/s of one core reading so many bytes over and over: from the cache they fit, or from memory.
double read_rate(int64_t bytes);

// The sum of what `measure` gives on so many threads at once. What it throws on one of them is thrown when all have
// ended.
double on_all(int threads, double (*measure)());

// The sums of so many threads at once; GB/s from memory. About a tenth of a second each.
double multiply_add_peak(int threads);
// The same of float16; 0 where the processor or the build does not compute in that.
double half_multiply_add_peak(int threads);
double memory_rate(int threads);

}  // namespace wick::kernels
