// Transforms of many lines against the sum that defines them.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "kernels/fft_lines.h"

namespace wick::kernels {
namespace {

constexpr double kPi = 3.14159265358979323846;
using Line = std::vector<std::complex<double>>;

Line by_definition(const Line& x, bool forward) {
  const auto n = static_cast<int64_t>(x.size());
  Line y(x.size());
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t j = 0; j < n; ++j) {
      y[k] +=
          x[j] * std::polar(1.0, (forward ? -2 : 2) * kPi * static_cast<double>(j * k % n) / static_cast<double>(n));
    }
  }
  return y;
}

// Lines side by side with a gap, each a little different.
template <class T>
struct Input {
  Input(int64_t n, int64_t count) : step(count + 1), values(static_cast<size_t>(n * step)) {
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = {static_cast<T>(std::sin(0.37 * static_cast<double>(i))),
                   static_cast<T>(std::cos(1.7 * static_cast<double>(i)))};
    }
    for (int64_t b = 0; b < count; ++b) lines.push_back(2 * b);
  }
  Line line(int64_t b, int64_t n) const {
    Line out;
    for (int64_t k = 0; k < n; ++k) out.emplace_back(values[b + k * step]);
    return out;
  }
  int64_t step;
  std::vector<std::complex<T>> values;
  std::vector<int64_t> lines;
};

template <class T>
void expect_transforms(double tolerance) {
  for (int64_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 20, 31, 32, 49, 60}) {
    ASSERT_TRUE(FftSteps<T>::takes(n));
    const FftSteps<T> steps(n);
    std::vector<T> memory(static_cast<size_t>(fft_work<T>(n)) + 64);
    T* work = memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64) / sizeof(T);
    for (int64_t count : {int64_t{1}, fft_lanes<T>() - 1, fft_lanes<T>()}) {
      const Input<T> x(2 * n + 1, count);
      const auto* in = reinterpret_cast<const T*>(x.values.data());
      for (bool forward : {true, false}) {
        Input<T> y(n, count);
        fft_complex<T>(steps,
                       {in, reinterpret_cast<T*>(y.values.data()), x.lines.data(), y.lines.data(), 2 * x.step,
                        2 * y.step, count, T(0.5), forward},
                       work);
        for (int64_t b = 0; b < count; ++b) {
          const Line want = by_definition(x.line(b, n), forward);
          for (int64_t k = 0; k < n; ++k) {
            ASSERT_LE(std::abs(std::complex<double>(y.values[b + k * y.step]) - 0.5 * want[k]),
                      tolerance * static_cast<double>(n))
                << n << " " << k;
          }
        }
      }
      // The real parts as real lines of 2n numbers, both sides kept, and back.
      Input<T> y(2 * n, count);
      fft_from_real<T>(steps,
                       {in, reinterpret_cast<T*>(y.values.data()), x.lines.data(), y.lines.data(), 2 * x.step,
                        2 * y.step, count, T(1), true},
                       2 * n, work);
      std::vector<T> back(static_cast<size_t>(2 * n * count));
      std::vector<int64_t> places;
      for (int64_t b = 0; b < count; ++b) places.push_back(b * 2 * n);
      fft_to_real<T>(steps,
                     {reinterpret_cast<const T*>(y.values.data()), back.data(), y.lines.data(), places.data(),
                      2 * y.step, 1, count, static_cast<T>(0.5 / static_cast<double>(n)), false},
                     work);
      for (int64_t b = 0; b < count; ++b) {
        Line real = x.line(b, 2 * n);
        for (auto& v : real) v = v.real();
        const Line want = by_definition(real, true);
        for (int64_t k = 0; k < 2 * n; ++k) {
          ASSERT_LE(std::abs(std::complex<double>(y.values[b + k * y.step]) - want[k]),
                    tolerance * static_cast<double>(n))
              << n << " " << k;
          ASSERT_NEAR(back[b * 2 * n + k], real[k].real(), tolerance * 4) << n << " " << k;
        }
      }
    }
  }
}

TEST(KernelFft, LinesAreTheDefinitionsSums) {
  expect_transforms<float>(1e-6);
  expect_transforms<double>(1e-14);
}

TEST(KernelFft, LargePrimeFactorsAreAnothersWork) {
  EXPECT_FALSE(FftSteps<float>::takes(37));
  EXPECT_FALSE(FftSteps<float>::takes(2 * 1009));
  EXPECT_FALSE(FftSteps<float>::takes(0));
}

}  // namespace
}  // namespace wick::kernels
