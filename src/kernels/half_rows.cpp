// Pooling and channel-wise products of float16, on 64-bit ARM with FEAT_FP16.
#include "kernels/half_rows.h"

#ifdef WICK_HALF_KERNELS
#include <arm_neon.h>

#include <algorithm>
#include <chrono>

#include "kernels/targets.h"

namespace wick::kernels {
namespace {

constexpr int64_t kLanes = 8;

template <class F>
void for_window(const WindowWalk& w, F&& body) {
  for (int64_t i = 0; i < w.count[0]; ++i)
    for (int64_t j = 0; j < w.count[1]; ++j) {
      const int64_t at = i * w.step[0] + j * w.step[1];
      for (int64_t k = 0; k < w.count[2]; ++k) body(at + k * w.step[2]);
    }
}

// Elements that fill no vector are the first lanes of one.
float16x8_t load_first(const Half* from, int64_t count) {
  Half edge[kLanes] = {};
  std::copy(from, from + count, edge);
  return vld1q_f16(edge);
}
void store_first(float16x8_t v, Half* to, int64_t count) {
  Half edge[kLanes];
  vst1q_f16(edge, v);
  std::copy(edge, edge + count, to);
}
void store_first(float32x4_t low, float32x4_t high, float* to, int64_t count) {
  float edge[kLanes];
  vst1q_f32(edge, low);
  vst1q_f32(edge + 4, high);
  std::copy(edge, edge + count, to);
}
void store_first(float32x4_t low, float32x4_t high, Half* to, int64_t count) {
  store_first(vcvt_high_f16_f32(vcvt_f16_f32(low), high), to, count);
}

// The results of so many vectors stay in registers while the window passes.
template <int kVectors>
void max_vectors(Half* dst, const Half* src, const WindowWalk& walk) {
  const float16x8_t lowest = vreinterpretq_f16_u16(vdupq_n_u16(0xfc00));
  float16x8_t v[kVectors];
  WICK_UNROLL
  for (int u = 0; u < kVectors; ++u) v[u] = lowest;
  for_window(walk, [&](int64_t at) {
    WICK_UNROLL
    for (int u = 0; u < kVectors; ++u) v[u] = vmaxq_f16(v[u], vld1q_f16(src + at + u * kLanes));
  });
  WICK_UNROLL
  for (int u = 0; u < kVectors; ++u) vst1q_f16(dst + u * kLanes, v[u]);
}

struct Sum {
  float32x4_t low = vdupq_n_f32(0), high = vdupq_n_f32(0);
  void add(float16x8_t x) {
    low = vaddq_f32(low, vcvt_f32_f16(vget_low_f16(x)));
    high = vaddq_f32(high, vcvt_high_f32_f16(x));
  }
  template <class To>
  void store(float32x4_t by, To* to, int64_t count) const {
    store_first(vdivq_f32(low, by), vdivq_f32(high, by), to, count);
  }
};

template <int kVectors, class To>
void mean_vectors(To* dst, const Half* src, const WindowWalk& walk, float32x4_t by) {
  Sum sum[kVectors];
  for_window(walk, [&](int64_t at) {
    WICK_UNROLL
    for (int u = 0; u < kVectors; ++u) sum[u].add(vld1q_f16(src + at + u * kLanes));
  });
  WICK_UNROLL
  for (int u = 0; u < kVectors; ++u) sum[u].store(by, dst + u * kLanes, kLanes);
}

}  // namespace

template <>
void max_of_window<Half>(Half* dst, const Half* src, const WindowWalk& walk, int64_t n) {
  int64_t c = 0;
  for (; c + 4 * kLanes <= n; c += 4 * kLanes) max_vectors<4>(dst + c, src + c, walk);
  for (; c + kLanes <= n; c += kLanes) max_vectors<1>(dst + c, src + c, walk);
  if (c == n) return;
  float16x8_t v = vreinterpretq_f16_u16(vdupq_n_u16(0xfc00));
  for_window(walk, [&](int64_t at) { v = vmaxq_f16(v, load_first(src + at + c, n - c)); });
  store_first(v, dst + c, n - c);
}

template <class To>
void mean_of_window(To* dst, const Half* src, const WindowWalk& walk, float divisor, int64_t n) {
  const float32x4_t by = vdupq_n_f32(divisor);
  int64_t c = 0;
  for (; c + 4 * kLanes <= n; c += 4 * kLanes) mean_vectors<4>(dst + c, src + c, walk, by);
  for (; c + kLanes <= n; c += kLanes) mean_vectors<1>(dst + c, src + c, walk, by);
  if (c == n) return;
  Sum sum;
  for_window(walk, [&](int64_t at) { sum.add(load_first(src + at + c, n - c)); });
  sum.store(by, dst + c, n - c);
}
template void mean_of_window<float>(float*, const Half*, const WindowWalk&, float, int64_t);
template void mean_of_window<Half>(Half*, const Half*, const WindowWalk&, float, int64_t);

void scale_channels(const Half* x, const Half* factor, int64_t pixels, int64_t channels, Half* y) {
  for (int64_t p = 0; p < pixels; ++p, x += channels, y += channels) {
    int64_t c = 0;
    for (; c + kLanes <= channels; c += kLanes) vst1q_f16(y + c, vmulq_f16(vld1q_f16(x + c), vld1q_f16(factor + c)));
    if (c == channels) continue;
    const int64_t rest = channels - c;
    store_first(vmulq_f16(load_first(x + c, rest), load_first(factor + c, rest)), y + c, rest);
  }
}

double half_fma_peak() {
  constexpr int kChains = 10;
  constexpr int64_t kSteps = 200000;
  // One try is a fraction of a millisecond, but where the processor is emulated.
  constexpr double kLongest = 0.2;
  double best = 0, spent = 0;
  volatile float kept = 0;
  for (int i = 0; i < 40 && spent < kLongest; ++i) {
    const auto start = std::chrono::steady_clock::now();
    float16x8_t sum[kChains];
    const float16x8_t x = vdupq_n_f16(static_cast<Half>(0.5f + 0.001f * kept));
    WICK_UNROLL
    for (int j = 0; j < kChains; ++j) sum[j] = vdupq_n_f16(static_cast<Half>(0.1f * static_cast<float>(j)));
    for (int64_t s = 0; s < kSteps; ++s) WICK_UNROLL
    for (int j = 0; j < kChains; ++j) sum[j] = vfmaq_f16(x, sum[j], x);
    WICK_UNROLL
    for (int j = 1; j < kChains; ++j) sum[0] = vaddq_f16(sum[0], sum[j]);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    spent += time.count();
    kept = static_cast<float>(vgetq_lane_f16(sum[0], 0)) * 1e-3f;
    best = std::max(best, 2.0 * kChains * kLanes * kSteps / time.count() * 1e-9);
  }
  return best;
}

}  // namespace wick::kernels
#else
namespace wick::kernels {

double half_fma_peak() { return 0; }

}  // namespace wick::kernels
#endif
