// Row operations and pooling kernels against plain loops, with every instruction set of this machine.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/pool.h"
#include "kernels/rows.h"
#include "unit/kernels/kernel_targets.h"

namespace wick::kernels {
namespace {

template <class T>
void check_rows() {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  for (int64_t n = 0; n < 40; ++n) {
    std::vector<T> a, b;
    for (int64_t i = 0; i < n; ++i) {
      a.push_back(i % 7 == 3 ? nan : T(i % 5));
      b.push_back(i % 6 == 1 ? nan : T(i % 3));
    }
    std::vector<T> most = a, sum = b, half = b;
    max_into(most.data(), b.data(), n);
    add_into(sum.data(), sum.data(), n);
    divide_by(half.data(), T(2), n);
    for (size_t i = 0; i < most.size(); ++i) {
      if (std::isnan(a[i]) || std::isnan(b[i])) {
        EXPECT_TRUE(std::isnan(most[i]));
      } else {
        EXPECT_EQ(most[i], std::max(a[i], b[i]));
      }
      if (!std::isnan(b[i])) {
        EXPECT_EQ(sum[i], 2 * b[i]);
        EXPECT_EQ(half[i], b[i] / 2);
      }
    }
  }
}

TEST(KernelRows, MatchPlainLoops) {
  with_each_target([] {
    check_rows<float>();
    check_rows<double>();
  });
}

// A 5x6 plane of two channels pooled by 3x2 windows, in both layouts.
TEST(KernelPool, LayoutsAgree) {
  constexpr int64_t kHeight = 5, kWidth = 6, kChannels = 21;
  const std::vector<Window> rows = {{0, 2, 3}, {1, 3, 3}, {3, 2, 3}, {5, 0, 1}},
                            columns = {{0, 2, 2}, {2, 2, 2}, {4, 2, 2}};
  Pool pool;
  pool.channels = kChannels;
  pool.dim[0] = kWholeDim;
  pool.dim[1] = {rows.data(), 4, kHeight, 1};
  pool.dim[2] = {columns.data(), 3, kWidth, 1};
  std::vector<float> x, last(kChannels * kHeight * kWidth);
  for (int64_t i = 0; i < kChannels * kHeight * kWidth; ++i) x.push_back(static_cast<float>(i * 37 % 101));
  for (size_t c = 0; c < kChannels; ++c)
    for (size_t p = 0; p < kHeight * kWidth; ++p) last[p * kChannels + c] = x[c * kHeight * kWidth + p];
  std::vector<float> y(kChannels * 12), y_last(y.size()), by_index(y.size()), avg(y.size()), avg_last(y.size());
  std::vector<int64_t> at(y.size());
  max_pool(pool, x.data(), y.data(), nullptr, Workers{});
  max_pool(pool, x.data(), by_index.data(), at.data(), Workers{});
  avg_pool(pool, x.data(), avg.data(), 0, Workers{});
  pool.channels_last = true;
  max_pool(pool, last.data(), y_last.data(), nullptr, Workers{});
  avg_pool(pool, last.data(), avg_last.data(), 0, Workers{});
  for (size_t c = 0; c < kChannels; ++c) {
    for (size_t p = 0; p < 12; ++p) {
      const Window &h = rows[p / 3], &w = columns[p % 3];
      float best = -std::numeric_limits<float>::infinity(), sum = 0;
      for (int64_t i = h.first; i < h.first + h.count; ++i)
        for (int64_t j = w.first; j < w.first + w.count; ++j) {
          const float v = x[c * kHeight * kWidth + static_cast<size_t>(i * kWidth + j)];
          best = std::max(best, v);
          sum += v;
        }
      const size_t here = c * 12 + p;
      EXPECT_EQ(y[here], best);
      EXPECT_EQ(by_index[here], best);
      EXPECT_EQ(y_last[p * kChannels + c], best);
      if (h.count > 0) {
        EXPECT_EQ(x[c * kHeight * kWidth + static_cast<size_t>(at[here])], best);
      }
      const float mean = h.count > 0 ? sum / static_cast<float>(h.extent * w.extent) : 0;
      EXPECT_FLOAT_EQ(avg[here], mean);
      EXPECT_FLOAT_EQ(avg_last[p * kChannels + c], mean);
    }
  }
}

// The last NaN of a window wins, else the first of the greatest, also of zeros: in both layouts, with every vector.
TEST(KernelPool, ValuesThatAreNoOrdinaryNumbers) {
  constexpr int64_t kHeight = 7, kWidth = 7, kChannels = 147;
  constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kValues[] = {0.0f, -0.0f, -1.0f, -kInf, kInf, kNan, 2.0f};
  const std::vector<Window> windows = {{0, 3, 3}, {2, 3, 3}, {4, 3, 3}};
  Pool pool;
  pool.channels = kChannels;
  pool.dim[0] = kWholeDim;
  pool.dim[1] = {windows.data(), 3, kHeight, 1};
  pool.dim[2] = {windows.data(), 3, kWidth, 1};
  pool.channels_last = true;
  std::vector<float> x(kHeight * kWidth * kChannels), y(9 * kChannels);
  // Every channel has some of the values, each set of them more than once.
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t channel = i % kChannels, pick = (i * 2654435761u >> 7) % 7;
    x[i] = (channel >> pick & 1) != 0 ? kValues[pick] : kValues[(channel * 5 + i) % 3];
  }
  with_each_target([&] {
    max_pool(pool, x.data(), y.data(), nullptr, Workers{});
    for (size_t p = 0; p < 9; ++p)
      for (size_t c = 0; c < kChannels; ++c) {
        float best = -kInf;
        for (size_t k = 0; k < 9; ++k) {
          const float v = x[((p / 3 * 2 + k / 3) * kWidth + p % 3 * 2 + k % 3) * kChannels + c];
          if (v > best || v != v) best = v;
        }
        const float got = y[p * kChannels + c];
        ASSERT_TRUE(std::isnan(best) ? std::isnan(got) : got == best && std::signbit(got) == std::signbit(best))
            << got << " instead of " << best;
      }
  });
}

TEST(KernelPool, LeastIntegerDividedByMinusOne) {
  const int64_t x = INT64_MIN;
  int64_t y = 0;
  Pool pool;
  for (PoolDim& dim : pool.dim) dim = kWholeDim;
  avg_pool(pool, &x, &y, -1, Workers{});
  EXPECT_EQ(y, INT64_MIN);
}

}  // namespace
}  // namespace wick::kernels
