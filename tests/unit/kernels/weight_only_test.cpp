// Products with weights of eight and four bits against double loops, with every instruction set of this machine.
#include "kernels/weight_only.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "unit/kernels/kernel_targets.h"

namespace wick::kernels {
namespace {

std::vector<float> values(int64_t n, unsigned seed) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<float> dist(-1, 1);
  std::vector<float> v(static_cast<size_t>(n));
  for (float& x : v) x = dist(rng);
  return v;
}

struct Case {
  int64_t rows, n, k, group;
};

// The bits of weight [j, c], by the layout that the header states.
int int4_at(const std::vector<uint8_t>& bytes, const Case& c, int64_t j, int64_t column) {
  const int64_t start = j / kInt4Block * kInt4Block, size = std::min(kInt4Block, c.n - start), half = size / 2;
  const int64_t d = size == kInt4Block ? (j - start) % half : (j - start) / 2;
  const bool high = size == kInt4Block ? j - start >= half : (j - start) % 2 == 1;
  const int byte = bytes[static_cast<size_t>(start * (c.k / 2) + column * half + d)];
  return high ? byte >> 4 : byte & 15;
}

constexpr Case kCases[] = {{1, 16, 32, 32},    {1, 64, 64, 32},    {3, 48, 128, 64},   {4, 96, 96, 32},
                           {5, 128, 512, 128}, {1, 208, 768, 256}, {17, 192, 256, 64}, {2, 32, 64, 64}};

// y after `bound`, which is what rounding of floats may be off by, a sum in another order included.
void expect_near(const std::vector<float>& y, const std::vector<double>& want, const std::vector<double>& size,
                 int64_t k) {
  ASSERT_EQ(y.size(), want.size());
  for (size_t i = 0; i < y.size(); ++i) {
    const double bound = size[i] * std::numeric_limits<float>::epsilon() * (4 + std::sqrt(static_cast<double>(k)));
    ASSERT_NEAR(y[i], want[i], bound) << "element " << i;
  }
}

void check_int4(const Case& c) {
  SCOPED_TRACE(testing::Message() << c.rows << "x" << c.n << "x" << c.k << ", groups of " << c.group);
  const auto x = values(c.rows * c.k, 1), params = values(c.k / c.group * c.n * 2, 2);
  std::vector<uint8_t> bytes(static_cast<size_t>(c.n * c.k / 2));
  std::mt19937 rng(3);
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(rng());
  std::vector<double> want, size;
  for (int64_t i = 0; i < c.rows; ++i) {
    for (int64_t j = 0; j < c.n; ++j) {
      double sum = 0, largest = 0;
      for (int64_t at = 0; at < c.k; ++at) {
        const float* sz = params.data() + ((at / c.group) * c.n + j) * 2;
        const double weight = (int4_at(bytes, c, j, at) - 8) * static_cast<double>(sz[0]) + static_cast<double>(sz[1]);
        const double term = static_cast<double>(x[static_cast<size_t>(i * c.k + at)]) * weight;
        sum += term;
        // Of the parts that a weight is made of: they may be added up apart.
        largest += std::fabs(static_cast<double>(x[static_cast<size_t>(i * c.k + at)])) *
                   (8 * std::fabs(static_cast<double>(sz[0])) + std::fabs(static_cast<double>(sz[1])));
      }
      want.push_back(sum);
      size.push_back(largest);
    }
  }
  std::vector<float> y(want.size() + 1, 7.0f);
  const Int4WeightProduct p{x.data(), c.rows, c.n, c.k, c.group, bytes.data(), params.data(), y.data()};
  // Blocks in two calls, as threads divide them.
  const int64_t blocks = int4_blocks(c.n);
  int4_weight_product(p, blocks / 2, blocks);
  int4_weight_product(p, 0, blocks / 2);
  EXPECT_EQ(y.back(), 7.0f);
  y.pop_back();
  expect_near(y, want, size, c.k);
}

void check_int8(const Case& c, int64_t k) {
  SCOPED_TRACE(testing::Message() << c.rows << "x" << c.n << "x" << k);
  const auto x = values(c.rows * k, 1), scales = values(c.n, 2);
  std::vector<int8_t> bytes(static_cast<size_t>(c.n * k));
  std::mt19937 rng(3);
  for (int8_t& b : bytes) b = static_cast<int8_t>(rng());
  std::vector<double> want, size;
  for (int64_t i = 0; i < c.rows; ++i) {
    for (int64_t j = 0; j < c.n; ++j) {
      double sum = 0, largest = 0;
      for (int64_t at = 0; at < k; ++at) {
        const double term =
            static_cast<double>(x[static_cast<size_t>(i * k + at)]) * bytes[static_cast<size_t>(j * k + at)];
        sum += term;
        largest += std::fabs(term);
      }
      const double scale = scales[static_cast<size_t>(j)];
      want.push_back(sum * scale);
      size.push_back(largest * std::fabs(scale));
    }
  }
  std::vector<float> y(want.size() + 1, 7.0f);
  const Int8WeightProduct p{x.data(), c.rows, c.n, k, bytes.data(), scales.data(), y.data()};
  int8_weight_product(p, c.n / 3, c.n);
  int8_weight_product(p, 0, c.n / 3);
  EXPECT_EQ(y.back(), 7.0f);
  y.pop_back();
  expect_near(y, want, size, k);
}

TEST(WeightOnly, Int4) {
  with_each_target([] {
    for (const Case& c : kCases) check_int4(c);
  });
}

TEST(WeightOnly, Int8) {
  with_each_target([] {
    for (const Case& c : kCases) {
      check_int8(c, c.k);
      check_int8(c, c.k - 1);
      check_int8(c, 5);
    }
  });
}

// Bits of 8 are a weight of zero, but for their group's zero: an infinite input stays one, as in PyTorch.
TEST(WeightOnly, Int4OfInfinity) {
  with_each_target([] {
    constexpr int64_t kColumns = 80;  // a full block and one that is not
    std::vector<float> x(64, 0.0f), params(static_cast<size_t>(2 * kColumns * 2), 1.0f),
        y(static_cast<size_t>(kColumns));
    x[35] = std::numeric_limits<float>::infinity();
    const std::vector<uint8_t> bytes(static_cast<size_t>(kColumns * 32), 0x88);
    int4_weight_product({x.data(), 1, kColumns, 64, 32, bytes.data(), params.data(), y.data()}, 0, 2);
    for (const float v : y) EXPECT_EQ(v, std::numeric_limits<float>::infinity());
  });
}

}  // namespace
}  // namespace wick::kernels
