// What the kernel benchmarks share: test data, and the best time of calls that take turns.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

#include "kernels/peak.h"
#include "kernels/workers.h"

namespace wick::bench {

// Values in [-1, 1), with some padding after them.
inline kernels::Scratch<float> values(int64_t n) {
  kernels::Scratch<float> v(static_cast<size_t>(n) + 64);
  for (size_t i = 0; i < v.size(); ++i) v.data()[i] = static_cast<float>(i * 2654435761u % 1000) / 500.0f - 1.0f;
  return v;
}

// Seconds of the fastest call so far.
class Best {
 public:
  template <class F>
  double time(F&& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best_ = std::min(best_, seconds);
    return seconds;
  }
  double seconds() const { return best_; }

 private:
  double best_ = 1e9;
};

inline double measured_peak() {
  static const double peak = kernels::fma_peak();
  return peak;
}

// GF/s and the part of the peak, of the best call.
inline void report_flops(benchmark::State& state, double operations, const Best& best) {
  const double rate = operations / best.seconds() * 1e-9;
  state.counters["GF/s"] = rate;
  state.counters["of_peak"] = rate / measured_peak();
  state.counters["best_us"] = best.seconds() * 1e6;
}
inline void report_bytes(benchmark::State& state, double bytes, const Best& best) {
  state.counters["GB/s"] = bytes / best.seconds() * 1e-9;
  state.counters["best_us"] = best.seconds() * 1e6;
}

// Registers the benchmarks of a file.
void register_convs();
void register_dense();
void register_int8();

}  // namespace wick::bench
