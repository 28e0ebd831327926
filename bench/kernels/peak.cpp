#include "kernels/peak.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/peak.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace wick::bench {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Operations of one call; the chains are independent, so only the multipliers limit.
double multiply_adds(int64_t steps, float* out) {
  constexpr int kChains = 10;
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const V x = hn::Set(d, out[0]);
  V sum[kChains];
  WICK_UNROLL
  for (int i = 0; i < kChains; ++i) sum[i] = hn::Set(d, out[i % 4] + static_cast<float>(i));
  for (int64_t s = 0; s < steps; ++s) {
    WICK_UNROLL
    for (int i = 0; i < kChains; ++i) sum[i] = hn::MulAdd(sum[i], x, x);
  }
  V all = sum[0];
  WICK_UNROLL
  for (int i = 1; i < kChains; ++i) all = hn::Add(all, sum[i]);
  out[0] = hn::GetLane(all) * 0.0f;
  return 2.0 * kChains * static_cast<double>(hn::Lanes(d)) * static_cast<double>(steps);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::bench {

HWY_EXPORT(multiply_adds);

double fma_peak() {
  float out[4] = {0.5f, 0.25f, 0.125f, 1.0f};
  double best = 0;
  for (int i = 0; i < 40; ++i) {
    out[0] = 0.5f;
    const auto start = std::chrono::steady_clock::now();
    const double operations = HWY_DYNAMIC_DISPATCH(multiply_adds)(200000, out);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::max(best, operations / time.count() * 1e-9);
  }
  return best;
}

}  // namespace wick::bench
#endif
