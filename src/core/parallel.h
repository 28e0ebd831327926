// The thread pool, the library's only threads besides fork/wait tasks.
#pragma once

#include <cstdint>

#include "kernels/cpu.h"

namespace wick {

// Number of threads parallel_for may use, the calling one included. 0 or less: the default
// (the performance cores of the machine). Takes effect at the next parallel_for.
void set_num_threads(int n);
int num_threads();

// Calls body(first, last) over disjoint ranges that cover [begin, end), from several threads when the range
// has more than `grain` elements. Nested calls run on the calling thread. The first exception is rethrown.
void parallel_for(int64_t begin, int64_t end, int64_t grain, const kernels::RangeBody& body);

}  // namespace wick
