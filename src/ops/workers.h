// The thread pool in the form that kernels take.
#pragma once

#include "core/parallel.h"
#include "kernels/workers.h"

namespace wick::ops {

// Threads for work of about `operations` scalar operations; one when it is too little to share.
inline kernels::Workers workers_for(double operations) {
  constexpr double kWorthSharing = 2e5;
  kernels::Workers workers;
  if (operations >= kWorthSharing) {
    workers.count = num_threads();
    workers.run = [](int64_t tasks, const kernels::Workers::Body& body) { parallel_for(0, tasks, 1, body); };
  }
  return workers;
}

}  // namespace wick::ops
