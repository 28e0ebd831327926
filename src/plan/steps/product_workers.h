// Threads for steps that are sums of products. Denormal numbers count as zero in them, on all threads: what they change
// is below anything such a sum keeps, and they make it slow. Steps that compute element by element keep them.
#pragma once

#include "kernels/float_mode.h"
#include "ops/workers.h"

namespace wick::plan {

// To be used while a kernels::FlushDenormals lives, which sees to the calling thread.
inline kernels::Workers product_workers(double operations) {
  kernels::Workers workers = ops::workers_for(operations);
  if (workers.run != nullptr) {
    workers.run = [](int64_t tasks, const kernels::Workers::Body& body) {
      parallel_for(0, tasks, 1, [&body](int64_t first, int64_t last) {
        const kernels::FlushDenormals flush;
        body(first, last);
      });
    };
  }
  return workers;
}

}  // namespace wick::plan
