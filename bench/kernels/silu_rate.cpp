// Measures the rate of activations of this machine.
#include "kernels/silu_rate.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "kernels/epilogue.h"
#include "kernels/workers.h"

namespace wick::bench {

double silu_rate() {
  constexpr int64_t kCount = 4096;
  kernels::Scratch<float> x(kCount), y(kCount);
  for (int64_t i = 0; i < kCount; ++i) x.data()[i] = static_cast<float>(i) / 512.0f - 4.0f;
  kernels::Epilogue silu;
  silu.activation = kernels::Activation::kSilu;
  double best = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto start = std::chrono::steady_clock::now();
    kernels::apply_epilogue(silu, x.data(), y.data(), kCount);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::max(best, kCount / time.count() * 1e-9);
  }
  return best;
}

}  // namespace wick::bench
