// Threads for kernel tests.
#pragma once

#include "kernels/workers.h"

namespace wick::kernels {

// Workers that are called one after the other, the last first: parts must not depend on each other.
inline Workers backwards(int threads) {
  Workers pool;
  pool.count = threads;
  pool.run = [](int64_t tasks, const Workers::Body& body) {
    for (int64_t t = tasks - 1; t >= 0; --t) body(t, t + 1);
  };
  return pool;
}

}  // namespace wick::kernels
