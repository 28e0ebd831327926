// Conversions between float and 16-bit floats, against the definition, for every instruction set.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernel_targets.h"
#include "kernels/cpu.h"
#include "kernels/rounding.h"

namespace wick::kernels {
namespace {

uint32_t bits_of(float v) {
  uint32_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}
float float_of(uint32_t bits) {
  float v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

// The value of a float16 that is no NaN.
double half_value(uint16_t h) {
  const int exponent = h >> 10 & 31, fraction = h & 1023;
  const double sign = h >> 15 ? -1 : 1;
  if (exponent == 31) return sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}
bool is_half_nan(uint16_t h) { return (h & 0x7fff) > 0x7c00; }

// Every float16 in order, and between each and the next: the middle, and the floats next to it.
std::vector<float> around_halves() {
  std::vector<float> x;
  for (uint32_t h = 0; h < 0x7c00; ++h) {
    const double here = half_value(static_cast<uint16_t>(h));
    const double next = h == 0x7bff ? 65536.0 : half_value(static_cast<uint16_t>(h + 1));
    const auto middle = static_cast<float>((here + next) / 2);
    for (const float v :
         {static_cast<float>(here), middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)}) {
      x.push_back(v);
      x.push_back(-v);
    }
  }
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const float v : {1e-45f, 1e-30f, 65520.0f, 65519.996f, 1e6f, 3e38f, kInf}) {
    x.push_back(v);
    x.push_back(-v);
  }
  return x;
}
// The nearest float16, ties to the even one, by search.
uint16_t nearest_half(float v) {
  const double a = std::fabs(static_cast<double>(v));
  const auto sign = static_cast<uint16_t>(std::signbit(v) ? 0x8000 : 0);
  if (a >= 65520.0) return sign | 0x7c00;
  uint16_t low = 0, high = 0x7c00;  // value(low) <= a < value(high), which stands for 65536
  while (high - low > 1) {
    const auto middle = static_cast<uint16_t>((low + high) / 2);
    (half_value(middle) <= a ? low : high) = middle;
  }
  const double below = a - half_value(low), above = (high == 0x7c00 ? 65536.0 : half_value(high)) - a;
  const bool is_upper = above < below || (above == below && low % 2 == 1);
  return static_cast<uint16_t>(sign | (is_upper ? high : low));
}

TEST(Convert, WidensEveryHalf) {
  std::vector<uint16_t> halves(65536);
  for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(i);
  with_each_target([&] {
    // One less than all, so that vectors end within them.
    std::vector<float> wide(65536);
    half_to_float(halves.data(), wide.data(), 65535);
    half_to_float(halves.data() + 65535, wide.data() + 65535, 1);
    for (size_t i = 0; i < halves.size(); ++i) {
      if (is_half_nan(halves[i])) {
        ASSERT_TRUE(std::isnan(wide[i])) << i;
        ASSERT_EQ(std::signbit(wide[i]), halves[i] >> 15 != 0) << i;
      } else {
        ASSERT_EQ(bits_of(wide[i]), bits_of(static_cast<float>(half_value(halves[i])))) << i;
      }
    }
    // And back: all but signaling NaN are what they were.
    std::vector<uint16_t> back(65536);
    float_to_half(wide.data(), back.data(), 65536);
    for (size_t i = 0; i < halves.size(); ++i) {
      if (is_half_nan(halves[i])) {
        ASSERT_TRUE(is_half_nan(back[i])) << i;
      } else {
        ASSERT_EQ(back[i], halves[i]);
      }
    }
  });
}

TEST(Convert, NarrowsToTheNearestEvenHalf) {
  const std::vector<float> x = around_halves();
  const auto n = static_cast<int64_t>(x.size());
  std::vector<uint16_t> expected(x.size());
  for (size_t i = 0; i < x.size(); ++i) expected[i] = nearest_half(x[i]);
  with_each_target([&] {
    std::vector<uint16_t> narrow(x.size());
    float_to_half(x.data(), narrow.data(), n);
    for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(narrow[i], expected[i]) << x[i];
    std::vector<float> rounded(x);
    round_to_half(rounded.data(), rounded.data(), n);
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(bits_of(rounded[i]), bits_of(static_cast<float>(half_value(expected[i])))) << x[i];
  });
}

TEST(Convert, KeepsNaN) {
  const float nans[] = {float_of(0x7fc00000), float_of(0xffc00000), float_of(0x7f800001),
                        float_of(0xff800001), float_of(0x7fffffff), float_of(0x7f802000)};
  with_each_target([&] {
    for (const float nan : nans) {
      // In a whole turn of vectors, in one, and in the rest.
      for (const int64_t n : {67, 5, 1}) {
        const std::vector<float> x(static_cast<size_t>(n), nan);
        std::vector<float> y(x);
        std::vector<uint16_t> h(x.size());
        float_to_half(x.data(), h.data(), n);
        for (const uint16_t v : h) ASSERT_TRUE(is_half_nan(v) && v >> 15 == bits_of(nan) >> 31) << v;
        round_to_half(x.data(), y.data(), n);
        for (const float v : y) ASSERT_TRUE(std::isnan(v));
        round_to_bfloat16(x.data(), y.data(), n);
        for (const float v : y) ASSERT_TRUE(std::isnan(v));
      }
    }
  });
}

TEST(Convert, RoundsToBFloat16) {
  std::vector<float> x;
  for (uint32_t high = 0; high < 0x7f80; high += 7)
    for (const uint32_t low : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) x.push_back(float_of(high << 16 | low));
  const auto n = static_cast<int64_t>(x.size());
  with_each_target([&] {
    std::vector<uint16_t> narrow(x.size());
    std::vector<float> wide(x.size()), rounded(x.size());
    float_to_bfloat16(x.data(), narrow.data(), n);
    bfloat16_to_float(narrow.data(), wide.data(), n);
    round_to_bfloat16(x.data(), rounded.data(), n);
    for (size_t i = 0; i < x.size(); ++i) {
      const uint32_t bits = bits_of(x[i]), up = (bits & 0xffff) > 0x8000 || ((bits & 0x1ffff) == 0x18000);
      ASSERT_EQ(narrow[i], (bits >> 16) + up) << x[i];
      ASSERT_EQ(bits_of(rounded[i]), bits_of(wide[i])) << x[i];
    }
  });
}

}  // namespace
}  // namespace wick::kernels
