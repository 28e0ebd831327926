// Matrices of floats in 28 bits: nothing is lost, and what does not suit them is refused.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/compact.h"
#include "unit/kernels/kernel_workers.h"

namespace wick::kernels {
namespace {

// [n][k], normal; some are zero, of either sign, and some far too small.
std::vector<float> weights(int64_t n, int64_t k) {
  std::mt19937 rng(11);
  std::normal_distribution<float> normal(0, 0.05f);
  std::vector<float> w(static_cast<size_t>(n * k));
  for (float& v : w) {
    v = normal(rng);
    const unsigned kind = rng() % 4000;
    if (kind < 200) v = kind % 2 == 0 ? 0.0f : -0.0f;
    if (kind == 200) v *= 1e-20f;
  }
  return w;
}

TEST(KernelCompact, NothingIsLost) {
  if (!has_compact_products()) GTEST_SKIP() << "no VBMI";
  for (const auto& [n, k] : {std::pair<int64_t, int64_t>{64, 100}, {1000, 40}, {97, 800}, {33, 1700}, {130, 65}}) {
    SCOPED_TRACE(testing::Message() << n << " by " << k);
    const std::vector<float> w = weights(n, k);
    ASSERT_TRUE(suits_compact(w.data(), 1, k, n, k));
    const Scratch<float> form(compact_size(n, k) / sizeof(float) + 1);
    ASSERT_TRUE(pack_compact(w.data(), 1, k, n, k, form.data(), nullptr));
    std::vector<float> a(static_cast<size_t>(k)), c(static_cast<size_t>(n));
    CompactRow row;
    row.n = n;
    row.k = k;
    row.weights = form.data();
    row.a = a.data();
    row.c = c.data();
    // One number after the other.
    for (int64_t i = 0; i < k; i += 7) {
      a[static_cast<size_t>(i)] = 1;
      compact_row(row, backwards(1 + static_cast<int>(i % 3)));
      for (int64_t j = 0; j < n; ++j) ASSERT_EQ(c[static_cast<size_t>(j)], w[static_cast<size_t>(j * k + i)]) << j;
      a[static_cast<size_t>(i)] = 0;
    }
    // What is not finite meets every number as it is.
    for (int64_t i = 0; i < k; i += 3) {
      a[static_cast<size_t>(i)] = INFINITY;
      compact_row(row, Workers{});
      for (int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (int64_t r = 0; r < k; ++r) sum += a[static_cast<size_t>(r)] * w[static_cast<size_t>(j * k + r)];
        ASSERT_EQ(std::isnan(c[static_cast<size_t>(j)]), std::isnan(sum)) << j;
        if (std::isnan(sum)) continue;
        ASSERT_EQ(c[static_cast<size_t>(j)], sum) << j;
      }
      a[static_cast<size_t>(i)] = 0;
    }
    // Sums, by columns of the matrix that lie side by side, with a bias and an activation.
    std::vector<float> transposed(w.size()), bias(static_cast<size_t>(n));
    for (int64_t j = 0; j < n; ++j) {
      bias[static_cast<size_t>(j)] = std::sin(static_cast<float>(j));
      for (int64_t i = 0; i < k; ++i) transposed[static_cast<size_t>(i * n + j)] = w[static_cast<size_t>(j * k + i)];
    }
    ASSERT_TRUE(suits_compact(transposed.data(), n, 1, n, k));
    ASSERT_TRUE(pack_compact(transposed.data(), n, 1, n, k, form.data(), nullptr));
    for (size_t i = 0; i < a.size(); ++i) a[i] = std::cos(static_cast<float>(i));
    row.bias = bias.data();
    row.epilogue.activation = Activation::kHardSwish;
    compact_row(row, Workers{});
    for (int64_t j = 0; j < n; ++j) {
      double sum = bias[static_cast<size_t>(j)];
      for (int64_t i = 0; i < k; ++i)
        sum += static_cast<double>(a[static_cast<size_t>(i)]) * w[static_cast<size_t>(j * k + i)];
      ASSERT_NEAR(c[static_cast<size_t>(j)], sum * std::min(6.0, std::max(0.0, sum + 3)) / 6, 2e-5) << j;
    }
  }
}

TEST(KernelCompact, RefusesWhatDoesNotFit) {
  if (!has_compact_products()) GTEST_SKIP() << "no VBMI";
  constexpr int64_t kN = 128, kK = 64;
  const auto refused = [](const std::vector<float>& w) {
    const Scratch<float> form(compact_size(kN, kK) / sizeof(float) + 1);
    return std::pair(!suits_compact(w.data(), 1, kK, kN, kK),
                     !pack_compact(w.data(), 1, kK, kN, kK, form.data(), nullptr));
  };
  // Numbers of all sizes, and one that is not finite among others.
  std::vector<float> w(kN * kK);
  for (size_t i = 0; i < w.size(); ++i) w[i] = std::ldexp(1.0f, -static_cast<int>(i % 60));
  EXPECT_EQ(refused(w), std::pair(true, true));
  w = weights(kN, kK);
  for (size_t i = 0; i < w.size(); i += 50) w[i] = INFINITY;
  EXPECT_EQ(refused(w), std::pair(true, true));
  w = weights(kN, kK);
  EXPECT_EQ(refused(w), std::pair(false, false));
}

}  // namespace
}  // namespace wick::kernels
