// Vectorized functions and conversions against the C library, over vectors long enough for every path.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/cpu.h"
#include "kernels/functions.h"
#include "kernels/math.h"

namespace wick::kernels {
namespace {

using Kernel = void (*)(void* const*, int64_t, const void*);

constexpr double kInf = std::numeric_limits<double>::infinity();

// Whole vectors of negative zeros, evenly spaced numbers from low to high, and at the end what is out of the ordinary.
template <class T>
std::vector<T> arguments(double low, double high) {
  std::vector<T> x(64, static_cast<T>(-0.0));
  constexpr int kCount = 10007;
  for (int i = 0; i < kCount; ++i) x.push_back(static_cast<T>(low + (high - low) * i / (kCount - 1)));
  for (double v : {0.0, -0.0, 1e-40, -1e-40, 1e-300, 1e30, -1e30, 1e38, kInf, -kInf, std::nan("")}) {
    x.push_back(static_cast<T>(v));
  }
  return x;
}

// `tolerance` is relative, in units of the type's epsilon.
template <class T>
void expect_close(Kernel kernel, double (*reference)(double), double low, double high, double tolerance) {
  const std::vector<T> x = arguments<T>(low, high);
  std::vector<T> y(x.size());
  void* p[] = {y.data(), const_cast<T*>(x.data())};
  kernel(p, static_cast<int64_t>(x.size()), nullptr);
  for (size_t i = 0; i < x.size(); ++i) {
    const double want = static_cast<double>(static_cast<T>(reference(static_cast<double>(x[i]))));
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(y[i])) << x[i];
    } else if (std::isinf(want) || want == 0) {
      ASSERT_EQ(y[i], want) << x[i];
      ASSERT_EQ(std::signbit(y[i]), std::signbit(want)) << x[i];
    } else {
      ASSERT_LE(std::fabs(y[i] - want), tolerance * std::numeric_limits<T>::epsilon() * std::fabs(want)) << x[i];
    }
  }
}

#define EXPECT_FLOATS(name, low, high, tolerance) \
  expect_close<float>(                            \
      name##_f32, [](double x) { return std::name(x); }, low, high, tolerance)
#define EXPECT_DOUBLES(name, low, high, tolerance) \
  expect_close<double>(                            \
      name##_f64, [](double x) { return std::name(x); }, low, high, tolerance)

TEST(KernelFunctions, FloatsAreTheCLibrarys) {
  EXPECT_FLOATS(exp2, -130, 130, 4);
  EXPECT_FLOATS(expm1, -90, 90, 4);
  EXPECT_FLOATS(expm1, -1e-3, 1e-3, 4);
  EXPECT_FLOATS(log1p, -2, 100, 4);
  EXPECT_FLOATS(log1p, 0, 1e-3, 4);
  EXPECT_FLOATS(log2, 0, 10, 4);
  EXPECT_FLOATS(log10, 0, 10, 4);
  EXPECT_FLOATS(tan, -20, 20, 6);
  EXPECT_FLOATS(asin, -1.1, 1.1, 4);
  EXPECT_FLOATS(acos, -1.1, 1.1, 6);
  EXPECT_FLOATS(atan, -50, 50, 4);
  EXPECT_FLOATS(sinh, -100, 100, 6);
  EXPECT_FLOATS(sinh, -1e-2, 1e-2, 6);
  EXPECT_FLOATS(cosh, -100, 100, 6);
  expect_close<float>(
      round_f32, [](double x) { return std::nearbyint(x); }, -10, 10, 0);
}

TEST(KernelFunctions, OddFunctionsKeepTheSignOfZero) {
  const std::vector<float> x(64, -0.0f);
  std::vector<float> y(x.size());
  void* p[] = {y.data(), const_cast<float*>(x.data())};
  for (const Kernel kernel : {sin_f32, tanh_f32, erf_f32}) {
    kernel(p, static_cast<int64_t>(x.size()), nullptr);
    for (float result : y) ASSERT_TRUE(result == 0 && std::signbit(result));
  }
}

TEST(KernelFunctions, DoublesAreTheCLibrarys) {
  EXPECT_DOUBLES(exp, -750, 750, 8);
  EXPECT_DOUBLES(expm1, -90, 90, 8);
  EXPECT_DOUBLES(log, 0, 10, 8);
  EXPECT_DOUBLES(log1p, -2, 100, 8);
  EXPECT_DOUBLES(log2, 0, 10, 8);
  EXPECT_DOUBLES(log10, 0, 10, 8);
  EXPECT_DOUBLES(asin, -1.1, 1.1, 8);
  EXPECT_DOUBLES(acos, -1.1, 1.1, 8);
  EXPECT_DOUBLES(atan, -50, 50, 8);
  EXPECT_DOUBLES(sinh, -100, 100, 8);
  EXPECT_DOUBLES(tanh, -30, 30, 8);
  expect_close<double>(
      sigmoid_f64, [](double x) { return 1 / (1 + std::exp(-x)); }, -800, 800, 8);
  expect_close<double>(
      round_f64, [](double x) { return std::nearbyint(x); }, -10, 10, 0);
}

TEST(KernelFunctions, SinesOfDoublesAreWithinAnAbsoluteBound) {
  const std::vector<double> x = arguments<double>(-1000, 1000);
  std::vector<double> y(x.size());
  void* p[] = {y.data(), const_cast<double*>(x.data())};
  for (const bool cosine : {false, true}) {
    (cosine ? cos_f64 : sin_f64)(p, static_cast<int64_t>(x.size()), nullptr);
    for (size_t i = 0; i < x.size(); ++i) {
      const double want = cosine ? std::cos(x[i]) : std::sin(x[i]);
      if (std::isnan(want)) {
        ASSERT_TRUE(std::isnan(y[i]));
      } else {
        ASSERT_NEAR(y[i], want, 1e-14) << x[i];
      }
    }
  }
}

TEST(KernelFunctions, AnglesAndSizesOfPairs) {
  const float values[] = {0.0f, -0.0f, 1.0f, -1.0f, 3e-20f, -2e20f, 1e-45f, INFINITY, -INFINITY, NAN, 0.3f, -7.5f};
  std::vector<float> y, x;
  std::vector<std::complex<float>> z;
  for (int repeat = 0; repeat < 40; ++repeat) {
    y.push_back(0.1f * static_cast<float>(repeat - 20) + 0.01f);
    x.push_back(0.07f * static_cast<float>(17 - repeat) + 0.01f);
  }
  for (float a : values) {
    for (float b : values) {
      y.push_back(a);
      x.push_back(b);
    }
  }
  for (size_t i = 0; i < x.size(); ++i) z.emplace_back(x[i], y[i]);
  std::vector<float> out(x.size()), angle(x.size()), size(x.size());
  void* pair[] = {out.data(), y.data(), x.data()};
  void* to_angle[] = {angle.data(), z.data()};
  void* to_size[] = {size.data(), z.data()};
  const auto n = static_cast<int64_t>(x.size());
  atan2_f32(pair, n, nullptr);
  angle_c64(to_angle, n, nullptr);
  abs_c64(to_size, n, nullptr);
  const auto expect = [](float got, float want) {
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(got));
    } else if (std::isinf(want)) {
      EXPECT_EQ(got, want);
    } else {
      EXPECT_NEAR(got, want, std::fabs(want) * 6e-7f);
      EXPECT_EQ(std::signbit(got), std::signbit(want));
    }
  };
  for (size_t i = 0; i < x.size(); ++i) {
    expect(out[i], std::atan2(y[i], x[i]));
    expect(angle[i], std::atan2(y[i], x[i]));
    expect(size[i], std::hypot(x[i], y[i]));
  }
}

TEST(KernelConvert, BrainFloatsRoundTripAndRoundToEven) {
  std::vector<uint16_t> all(65536), back(65536);
  std::vector<float> wide(65536);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint16_t>(i);
  bfloat16_to_float(all.data(), wide.data(), 65536);
  float_to_bfloat16(wide.data(), back.data(), 65536);
  for (size_t i = 0; i < all.size(); ++i) {
    if (std::isnan(wide[i])) continue;
    ASSERT_EQ(back[i], all[i]);
  }
  std::vector<float> x;
  for (float v = 1e-40f; v < 3e38f; v *= 1.0037f) x.push_back(x.size() % 2 ? v : -v);
  std::vector<uint16_t> y(x.size());
  float_to_bfloat16(x.data(), y.data(), static_cast<int64_t>(x.size()));
  std::vector<float> near(x.size());
  bfloat16_to_float(y.data(), near.data(), static_cast<int64_t>(x.size()));
  for (size_t i = 0; i < x.size(); ++i) {
    uint32_t bits;
    std::memcpy(&bits, &x[i], sizeof bits);
    const uint32_t rest = bits & 0xffff, kept = bits >> 16;
    ASSERT_EQ(y[i], kept + (rest > 0x8000 || (rest == 0x8000 && kept % 2 == 1))) << x[i];
    ASSERT_NEAR(near[i], x[i], std::fabs(x[i]) / 256 + 1e-40f);
  }
}

TEST(KernelConvert, IntegersWrapAndNaNIsTheLeast) {
  std::vector<float> x;
  for (int i = -100; i < 100; ++i) x.push_back(static_cast<float>(i) * 3.7f);
  for (float v : {300.9f, -300.9f, 3e9f, -3e9f, 1e19f, -1e19f, INFINITY, -INFINITY, NAN, 2147483648.0f}) x.push_back(v);
  const auto n = static_cast<int64_t>(x.size());
  std::vector<int64_t> wide(x.size());
  std::vector<int32_t> narrow(x.size());
  std::vector<int8_t> chars(x.size());
  std::vector<uint8_t> bytes(x.size());
  float_to_int64(x.data(), wide.data(), n);
  float_to_int32(x.data(), narrow.data(), n);
  float_to_int8(x.data(), chars.data(), n);
  float_to_uint8(x.data(), bytes.data(), n);
  for (size_t i = 0; i < x.size(); ++i) {
    const bool fits = x[i] >= -9223372036854775808.0f && x[i] < 9223372036854775808.0f;
    const int64_t want = fits ? static_cast<int64_t>(x[i]) : INT64_MIN;
    ASSERT_EQ(wide[i], want) << x[i];
    const int32_t signed_want = want == static_cast<int32_t>(want) ? static_cast<int32_t>(want) : INT32_MIN;
    ASSERT_EQ(narrow[i], signed_want) << x[i];
    ASSERT_EQ(chars[i], static_cast<int8_t>(signed_want)) << x[i];
    ASSERT_EQ(bytes[i], static_cast<uint8_t>(want)) << x[i];
  }
}

}  // namespace
}  // namespace wick::kernels
