// Attention, softmax, layer normalization and layout changes against plain loops, with every instruction set of this
// machine.
#include "kernels/attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/layout.h"
#include "kernels/norm.h"
#include "unit/kernels/kernel_targets.h"

namespace wick::kernels {
namespace {

std::vector<float> values(int64_t n, unsigned seed, float size = 1) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<float> dist(-size, size);
  std::vector<float> v(static_cast<size_t>(n));
  for (float& x : v) x = dist(rng);
  return v;
}

enum class Mask { kNone, kFull, kSharedRow, kCausal };

struct Case {
  int64_t batch, heads, queries, keys, depth, value_depth;
};

// q, k, v as [batch][row][head][depth], the form a linear layer leaves them in.
void check(const Case& c, Mask kind, int workers) {
  Attention a;
  a.batch = c.batch, a.heads = c.heads, a.queries = c.queries, a.keys = c.keys;
  a.depth = c.depth, a.value_depth = c.value_depth;
  const auto q = values(c.batch * c.queries * c.heads * c.depth, 1, 2),
             k = values(c.batch * c.keys * c.heads * c.depth, 2, 2);
  const auto v = values(c.batch * c.keys * c.heads * c.value_depth, 3);
  std::vector<float> out(static_cast<size_t>(c.batch * c.queries * c.heads * c.value_depth));
  const auto heads_of = [&](auto* data, int64_t rows, int64_t depth) {
    return Heads<std::remove_pointer_t<decltype(data)>>{data, rows * c.heads * depth, depth, c.heads * depth};
  };
  a.q = heads_of(q.data(), c.queries, c.depth);
  a.k = heads_of(k.data(), c.keys, c.depth);
  a.v = heads_of(v.data(), c.keys, c.value_depth);
  a.out = heads_of(out.data(), c.queries, c.value_depth);
  a.scale = 1 / std::sqrt(static_cast<float>(c.depth));
  auto mask = values(c.queries * c.keys, 4);
  for (size_t i = 0; i < mask.size(); i += 3) mask[i] = -INFINITY;
  if (kind == Mask::kFull) a.mask = {mask.data(), 0, 0, c.keys};
  if (kind == Mask::kSharedRow) a.mask = {mask.data(), 0, 0, 0};
  a.causal = kind == Mask::kCausal;
  const Scratch<float> scratch(attention_scratch_size(a, workers));
  Workers pool;
  pool.count = workers;
  pool.run = [](int64_t tasks, const Workers::Body& body) {
    for (int64_t t = tasks - 1; t >= 0; --t) body(t, t + 1);
  };
  attention(a, scratch.data(), pool);

  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t h = 0; h < c.heads; ++h)
      for (int64_t i = 0; i < c.queries; ++i) {
        std::vector<double> p(static_cast<size_t>(c.keys));
        double sum = 0;
        for (int64_t j = 0; j < c.keys; ++j) {
          double s = 0;
          for (int64_t e = 0; e < c.depth; ++e)
            s += static_cast<double>(a.q.data[b * a.q.batch + h * a.q.head + i * a.q.row + e]) *
                 a.k.data[b * a.k.batch + h * a.k.head + j * a.k.row + e];
          s *= a.scale;
          if (a.mask.data) s += a.mask.data[i * a.mask.row + j];
          if (a.causal && j > i) s = -INFINITY;
          sum += p[static_cast<size_t>(j)] = std::exp(s);
        }
        for (int64_t e = 0; e < c.value_depth; ++e) {
          double mean = 0;
          for (int64_t j = 0; j < c.keys; ++j)
            mean += p[static_cast<size_t>(j)] / sum * a.v.data[b * a.v.batch + h * a.v.head + j * a.v.row + e];
          const float got = a.out.data[b * a.out.batch + h * a.out.head + i * a.out.row + e];
          if (std::isnan(mean)) {
            ASSERT_TRUE(std::isnan(got));
          } else {
            ASSERT_NEAR(got, mean, 1e-5) << "query " << i << " of head " << h;
          }
        }
      }
}

TEST(KernelAttention, MatchesPlainLoops) {
  with_each_target([] {
    for (const Case& c : {Case{1, 1, 1, 1, 1, 1}, Case{2, 3, 7, 5, 8, 6}, Case{1, 2, 50, 197, 64, 64},
                          Case{1, 1, 3, 1100, 20, 17}, Case{1, 2, 97, 600, 16, 33}, Case{1, 1, 5, 4, 800, 3}})
      for (const Mask mask : {Mask::kNone, Mask::kFull, Mask::kSharedRow, Mask::kCausal})
        for (const int workers : {1, 3}) {
          SCOPED_TRACE(testing::Message()
                       << c.queries << " queries " << c.keys << " keys, mask " << static_cast<int>(mask));
          check(c, mask, workers);
        }
  });
}

TEST(KernelNorm, RowsMatchPlainLoops) {
  with_each_target([] {
    for (const int64_t n : {1, 3, 16, 31, 50, 768}) {
      const auto x = values(3 * (n + 2), 5, 4), w = values(n, 6), b = values(n, 7);
      std::vector<float> soft(x.size()), norm(x.size());
      softmax_rows(x.data(), n + 2, 0.5f, soft.data(), n + 2, 3, n);
      layer_norm_rows(x.data(), n + 2, w.data(), b.data(), 1e-5f, norm.data(), n + 2, 3, n);
      for (int64_t r = 0; r < 3; ++r) {
        const float* row = x.data() + r * (n + 2);
        double sum = 0, mean = 0, variance = 0;
        for (int64_t i = 0; i < n; ++i) sum += std::exp(0.5 * row[i]), mean += row[i] / static_cast<double>(n);
        for (int64_t i = 0; i < n; ++i) variance += (row[i] - mean) * (row[i] - mean) / static_cast<double>(n);
        for (int64_t i = 0; i < n; ++i) {
          const size_t at = static_cast<size_t>(r * (n + 2) + i), c = static_cast<size_t>(i);
          ASSERT_NEAR(soft[at], std::exp(0.5 * row[i]) / sum, 1e-6);
          ASSERT_NEAR(norm[at], (row[i] - mean) / std::sqrt(variance + 1e-5) * w[c] + b[c], 2e-5) << n;
        }
        ASSERT_EQ(soft[static_cast<size_t>(r * (n + 2) + n)], 0.0f);
      }
    }
  });
}

TEST(KernelNorm, NotANumberFillsItsRowOnly) {
  with_each_target([] {
    std::vector<float> x(40, 1.0f), y(40);
    x[7] = NAN;
    x[30] = -INFINITY;
    softmax_rows(x.data(), 20, 1, y.data(), 20, 2, 20);
    for (size_t i = 0; i < 20; ++i) ASSERT_TRUE(std::isnan(y[i]));
    for (size_t i = 20; i < 40; ++i) ASSERT_NEAR(y[i], i == 30 ? 0 : 1.0f / 19, 1e-7);
    ASSERT_EQ(y[30], 0.0f);
  });
}

TEST(KernelLayout, TransposesAndScales) {
  with_each_target([] {
    for (const int64_t channels : {1, 3, 4, 17, 64})
      for (const int64_t pixels : {1, 5, 49, 1030}) {
        const int64_t pixel = channels == 17 ? 20 : channels;
        const auto planes = values(2 * channels * pixels, 8), factor = values(channels, 9);
        std::vector<float> last(static_cast<size_t>(2 * pixels * pixel)), back(planes.size());
        planes_to_channels_last(planes.data(), 2, channels, pixels, last.data(), pixel, Workers{});
        channels_last_to_planes(last.data(), pixel, 2, channels, pixels, back.data(), Workers{});
        ASSERT_EQ(planes, back);
        auto scaled = last;
        scale_channels(last.data(), pixel, factor.data(), 2 * pixels, channels, scaled.data(), pixel);
        for (int64_t i = 0; i < 2 * pixels; ++i)
          for (int64_t c = 0; c < pixel; ++c) {
            const size_t at = static_cast<size_t>(i * pixel + c);
            if (c < channels) {
              const int64_t image = i / pixels;
              ASSERT_EQ(last[at], planes[static_cast<size_t>((image * channels + c) * pixels + i % pixels)]);
            }
            ASSERT_EQ(scaled[at], c < channels ? last[at] * factor[static_cast<size_t>(c)] : 0.0f);
          }
      }
  });
}

}  // namespace
}  // namespace wick::kernels
