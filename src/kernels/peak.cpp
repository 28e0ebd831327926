// Measures the multiply-add peak and the memory rates of a machine.
#include "kernels/peak.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "kernels/half_rows.h"
#include "kernels/targets.h"
#include "kernels/workers.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/peak.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
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

// Reads everything once, in order.
float sum_of(const float* data, int64_t n) {
  constexpr int kChains = 8;
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  V sum[kChains];
  WICK_UNROLL
  for (int i = 0; i < kChains; ++i) sum[i] = hn::Zero(d);
  for (int64_t at = 0; at + kChains * lanes <= n; at += kChains * lanes) {
    WICK_UNROLL
    for (int i = 0; i < kChains; ++i) sum[i] = hn::Add(sum[i], hn::LoadU(d, data + at + i * lanes));
  }
  WICK_UNROLL
  for (int i = 1; i < kChains; ++i) sum[0] = hn::Add(sum[0], sum[i]);
  return hn::GetLane(sum[0]);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(multiply_adds);
HWY_EXPORT(sum_of);

float read_all(const float* data, int64_t n) { return HWY_DYNAMIC_DISPATCH(sum_of)(data, n); }

double read_rate(int64_t bytes) {
  const int64_t n = bytes / static_cast<int64_t>(sizeof(float));
  kernels::Scratch<float> data(static_cast<size_t>(n));
  std::fill(data.data(), data.data() + n, 1.0f);
  double best = 0;
  volatile float kept = 0;
  for (int64_t i = 0; i < std::max<int64_t>(10, (int64_t{1} << 30) / bytes); ++i) {
    const auto start = std::chrono::steady_clock::now();
    kept = read_all(data.data(), n);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::max(best, static_cast<double>(bytes) / time.count() * 1e-9);
  }
  return kept > 0 ? best : 0;
}

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

double on_all(int threads, double (*measure)()) {
  const auto count = static_cast<size_t>(std::max(1, threads));
  std::vector<double> rates(count);
  std::vector<std::exception_ptr> errors(count);
  const auto work = [&](size_t k) {
    try {
      rates[k] = measure();
    } catch (...) {
      errors[k] = std::current_exception();
    }
  };
  {
    struct Threads {
      std::vector<std::thread> all;
      ~Threads() {
        for (std::thread& t : all) t.join();
      }
    } others;
    others.all.reserve(count - 1);
    for (size_t k = 1; k < count; ++k) others.all.emplace_back(work, k);
    work(0);
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  double sum = 0;
  for (double rate : rates) sum += rate;
  return sum;
}

double multiply_add_peak(int threads) { return on_all(threads, &fma_peak); }

double half_multiply_add_peak(int threads) { return computes_half() ? on_all(threads, &half_fma_peak) : 0; }

double memory_rate(int threads) {
  return on_all(threads, [] { return read_rate(int64_t{64} << 20); });
}

}  // namespace wick::kernels
#endif
