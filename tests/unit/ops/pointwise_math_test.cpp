// Accuracy of the vectorized float functions against the C library in double.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/cpu.h"
#include "kernels/math.h"
#include "wick/dtype.h"

namespace wick::kernels {
namespace {

using Kernel = void (*)(void* const*, int64_t, const void*);

double error_in_ulps(float got, double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : 1e9;
  if (got == static_cast<float>(want)) return 0;
  if (std::isinf(got) || std::isinf(static_cast<float>(want))) return 1e9;
  int exponent = 0;
  std::frexp(want, &exponent);
  return std::fabs(got - want) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

void expect_close(Kernel kernel, double (*reference)(double), float low, float high, double ulps) {
  constexpr int kCount = 20011;
  std::vector<float> x(kCount), y(kCount);
  for (int i = 0; i < kCount; ++i) x[i] = low + (high - low) * static_cast<float>(i) / (kCount - 1);
  void* p[] = {y.data(), x.data()};
  kernel(p, kCount, nullptr);
  for (int i = 0; i < kCount; ++i) ASSERT_LE(error_in_ulps(y[i], reference(x[i])), ulps) << x[i];
}

TEST(PointwiseMath, ExpAndLog) {
  expect_close(
      exp_f32, [](double x) { return std::exp(x); }, -104, 90, 1.5);
  expect_close(
      log_f32, [](double x) { return std::log(x); }, 1e-30f, 10, 1.5);
  expect_close(
      log_f32, [](double x) { return std::log(x); }, 1e-44f, 1e-38f, 1.5);
}

TEST(PointwiseMath, SineAndCosine) {
  expect_close(
      sin_f32, [](double x) { return std::sin(x); }, -100, 100, 2);
  expect_close(
      cos_f32, [](double x) { return std::cos(x); }, -100, 100, 2);
  expect_close(
      sin_f32, [](double x) { return std::sin(x); }, -1e6f, 1e6f, 2.5);
}

TEST(PointwiseMath, Activations) {
  expect_close(
      tanh_f32, [](double x) { return std::tanh(x); }, -12, 12, 2.5);
  expect_close(
      sigmoid_f32, [](double x) { return 1 / (1 + std::exp(-x)); }, -80, 80, 2.5);
  expect_close(
      erf_f32, [](double x) { return std::erf(x); }, -5, 5, 2);
  expect_close(
      silu_f32, [](double x) { return x / (1 + std::exp(-x)); }, -80, 80, 2.5);
}

TEST(PointwiseMath, SpecialValuesInEveryLane) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (int64_t n = 1; n < 40; ++n) {
    std::vector<float> x(static_cast<size_t>(n), 1.0f), y(x);
    x.back() = nan;
    void* p[] = {y.data(), x.data()};
    exp_f32(p, n, nullptr);
    EXPECT_TRUE(std::isnan(y.back()));
    if (n > 1) {
      EXPECT_FLOAT_EQ(y.front(), std::exp(1.0f));
    }
    x.back() = inf;
    exp_f32(p, n, nullptr);
    EXPECT_EQ(y.back(), inf);
    x.back() = -inf;
    exp_f32(p, n, nullptr);
    EXPECT_EQ(y.back(), 0.0f);
    EXPECT_EQ(max_of_f32(x.data(), n), n > 1 ? 1.0f : -inf);
    x.back() = nan;
    EXPECT_TRUE(std::isnan(max_of_f32(x.data(), n)));
    EXPECT_TRUE(std::isnan(min_of_f32(x.data(), n)));
  }
}

TEST(PointwiseMath, HalvesRoundTripAndRoundToEven) {
  std::vector<uint16_t> all(65536), back(65536);
  std::vector<float> wide(65536);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint16_t>(i);
  half_to_float(all.data(), wide.data(), 65536);
  float_to_half(wide.data(), back.data(), 65536);
  for (size_t i = 0; i < all.size(); ++i) {
    Half h;
    h.bits = all[i];
    if (std::isnan(static_cast<float>(h))) {
      ASSERT_TRUE(std::isnan(wide[i]));
      continue;
    }
    ASSERT_EQ(wide[i], static_cast<float>(h)) << i;
    ASSERT_EQ(back[i], all[i]);
  }
  std::vector<float> x;
  for (float v = 1e-9f; v < 1e6f; v *= 1.00037f) x.push_back(x.size() % 2 ? v : -v);
  std::vector<uint16_t> y(x.size());
  float_to_half(x.data(), y.data(), static_cast<int64_t>(x.size()));
  for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[i], Half(x[i]).bits) << x[i];
}

TEST(PointwiseMath, SumsDoNotLoseSmallTerms) {
  std::vector<float> x(100003, 1e-3f);
  x[0] = 1e8f;
  EXPECT_NEAR(sum_f32(x.data(), static_cast<int64_t>(x.size())), 1e8 + 100.002, 1e-3);
}

}  // namespace
}  // namespace wick::kernels
