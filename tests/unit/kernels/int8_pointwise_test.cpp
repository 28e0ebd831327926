// Loops over bytes against plain ones, with every instruction set of this machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kernels/int8_pointwise.h"
#include "unit/kernels/kernel_targets.h"

namespace wick::kernels {
namespace {

constexpr int64_t kLengths[] = {0, 1, 5, 16, 63, 64, 65, 200};

std::vector<uint8_t> bytes(int64_t n, unsigned seed) {
  std::mt19937 rng(seed);
  std::vector<uint8_t> v(static_cast<size_t>(n));
  for (uint8_t& x : v) x = static_cast<uint8_t>(rng() % 5 == 0 ? (rng() % 2) * 255 : rng() % 256);
  return v;
}

std::vector<float> floats(int64_t n, unsigned seed) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<float> dist(-20, 20);
  std::vector<float> v(static_cast<size_t>(n));
  for (float& x : v) x = dist(rng);
  if (n > 8) {
    v[1] = std::numeric_limits<float>::quiet_NaN();
    v[2] = std::numeric_limits<float>::infinity();
    v[3] = -v[2];
    v[4] = 1e30f;
    v[5] = -1e30f;
    v[6] = 0.25f;  // a tie
    v[7] = 0.75f;
  }
  return v;
}

uint8_t quantized(const Quantize& q, float x) {
  const float v = std::nearbyint(x * q.inverse) + static_cast<float>(q.zero);
  return static_cast<uint8_t>(!(v > 0) ? 0 : std::min(v, 255.0f)) ^ q.flip;
}

TEST(KernelInt8Pointwise, QuantizesToNearestEvenAndSaturates) {
  with_each_target([] {
    for (const int64_t n : kLengths) {
      for (const Quantize& q : {Quantize{2.0f, 10, 0}, Quantize{13.7f, 128, 0x80}, Quantize{0.5f, 255, 0}}) {
        const auto x = floats(n, 3);
        std::vector<uint8_t> y(static_cast<size_t>(n) + 1, 77);
        quantize_bytes(q, x.data(), n, y.data());
        for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(int{y[i]}, int{quantized(q, x[i])}) << x[i];
        ASSERT_EQ(int{y.back()}, 77);
        const auto planes = floats(3 * n, 4);
        std::vector<uint8_t> pixels(static_cast<size_t>(3 * n) + 1, 77);
        quantize_pixels(q, planes.data(), n, n, pixels.data());
        for (size_t i = 0; i < planes.size(); ++i) {
          const size_t c = i / static_cast<size_t>(n), p = i % static_cast<size_t>(n);
          ASSERT_EQ(int{pixels[p * 3 + c]}, int{quantized(q, planes[i])});
        }
        ASSERT_EQ(int{pixels.back()}, 77);
      }
    }
  });
}

TEST(KernelInt8Pointwise, DequantizesAndFindsRanges) {
  with_each_target([] {
    for (const int64_t n : kLengths) {
      const auto x = bytes(n, 1);
      std::vector<float> y(x.size());
      dequantize_bytes(x.data(), n, 0.3f, 130, 0x80, y.data());
      for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[i], static_cast<float>((x[i] ^ 0x80) - 130) * 0.3f);
      const auto values = floats(n, 2);
      float low = 0, high = 0, expected_low = 0, expected_high = 0;
      range_of(values.data(), n, low, high);
      for (const float v : values) {
        if (v < expected_low) expected_low = v;
        if (v > expected_high) expected_high = v;
      }
      ASSERT_EQ(low, expected_low);
      ASSERT_EQ(high, expected_high);
    }
  });
}

TEST(KernelInt8Pointwise, AddsInFixedPoint) {
  with_each_target([] {
    for (const int64_t n : kLengths) {
      const auto x = bytes(n, 5), y = bytes(n, 6);
      for (const AddBytes& add :
           {AddBytes{3000000, 1234567, -500000000, 21, 10, 10, 255},
            AddBytes{4194303, 4194303, -1069547265, 22, 128, 0, 250}, AddBytes{1, 1, -3, 1, 0, 0, 255}}) {
        std::vector<uint8_t> out(x.size());
        add_bytes(add, x.data(), y.data(), n, out.data());
        for (size_t i = 0; i < x.size(); ++i) {
          const int64_t sum = int64_t{add.a} * x[i] + int64_t{add.b} * y[i] + add.offset;
          const int64_t mask = (int64_t{1} << add.shift) - 1, rest = (sum & mask) - (sum < 0 ? 1 : 0);
          const int64_t q = (sum >> add.shift) + (rest > (mask >> 1) ? 1 : 0) + add.zero;
          ASSERT_EQ(int64_t{out[i]}, std::clamp<int64_t>(q, add.low, add.high));
        }
      }
    }
  });
}

TEST(KernelInt8Pointwise, MultipliesAndReduces) {
  with_each_target([] {
    for (const int64_t n : kLengths) {
      const auto x = bytes(n, 7), y = bytes(n, 8);
      for (const MultiplyBytes& m :
           {MultiplyBytes{10, 20, 0.01f, 5, 5, 255, 0}, MultiplyBytes{128, 100, 0.5f, 128, 0, 255, 0x80}}) {
        std::vector<uint8_t> out(x.size());
        multiply_bytes(m, x.data(), y.data(), n, out.data());
        for (size_t i = 0; i < x.size(); ++i) {
          const int product = ((x[i] ^ m.flip) - m.x_zero) * ((y[i] ^ m.flip) - m.y_zero);
          const float v = std::clamp(std::nearbyint(static_cast<float>(product) * m.scale), -32768.0f, 32767.0f);
          ASSERT_EQ(int{out[i]}, std::clamp(static_cast<int>(v) + m.zero, m.low, m.high) ^ m.flip);
        }
      }
      std::vector<uint8_t> most = y;
      max_bytes(x.data(), n, most.data());
      std::vector<int32_t> sums(x.size(), -7);
      sum_bytes(x.data(), n, sums.data());
      for (size_t i = 0; i < x.size(); ++i) {
        ASSERT_EQ(most[i], std::max(x[i], y[i]));
        ASSERT_EQ(sums[i], x[i] - 7);
      }
    }
  });
}

}  // namespace
}  // namespace wick::kernels
