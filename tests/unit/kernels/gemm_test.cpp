// The matrix product against a plain triple loop, with every instruction set of this machine.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/gemm.h"
#include "kernels/product.h"
#include "unit/kernels/kernel_targets.h"

namespace wick::kernels {
namespace {

template <class T>
std::vector<T> values(size_t n, unsigned seed) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<T> dist(-1, 1);
  std::vector<T> v(n);
  for (T& x : v) x = dist(rng);
  return v;
}

enum class Operand { kRows, kColumns, kStrided, kPacked };

struct Case {
  int64_t m, n, k;
};
constexpr Case kCases[] = {{1, 1, 1},   {1, 7, 5},    {3, 16, 9},    {6, 64, 384},  {7, 65, 385}, {12, 100, 40},
                           {13, 33, 0}, {5, 130, 17}, {20, 200, 50}, {1, 300, 700}, {64, 49, 90}, {4, 70, 1000}};

template <class T>
void check(const Case& c, Operand a_kind, Operand b_kind, T alpha, T beta, bool row_bias, bool column_bias, bool clamp,
           int workers) {
  const int64_t a_step = a_kind == Operand::kStrided ? 2 : 1, b_step = b_kind == Operand::kStrided ? 3 : 1;
  const auto a = values<T>(static_cast<size_t>(c.m * c.k * a_step + 1), 1);
  const auto b = values<T>(static_cast<size_t>(c.k * c.n * b_step + 1), 2);
  const auto rb = values<T>(static_cast<size_t>(c.m), 3), cb = values<T>(static_cast<size_t>(c.n), 4);
  const int64_t c_row = c.n + 3;
  auto result = values<T>(static_cast<size_t>(c.m * c_row), 5);
  const auto before = result;

  Gemm<T> g;
  g.m = c.m, g.n = c.n, g.k = c.k;
  g.a = a.data();
  g.a_row = a_kind == Operand::kColumns ? 1 : c.k * a_step;
  g.a_col = a_kind == Operand::kColumns ? c.m : a_step;
  g.b = b.data();
  g.b_row = b_kind == Operand::kColumns ? 1 : c.n * b_step;
  g.b_col = b_kind == Operand::kColumns ? c.k : b_step;
  const Scratch<T> packed(packed_b_size<T>(c.n, c.k));
  if (b_kind == Operand::kPacked) {
    pack_b(g.b, g.b_row, g.b_col, c.n, c.k, packed.data());
    g.b_packed = packed.data();
  }
  g.c = result.data();
  g.c_row = c_row;
  g.alpha = alpha;
  g.beta = beta;
  if (row_bias) g.row_bias = rb.data();
  if (column_bias) g.column_bias = cb.data();
  if (clamp) g.clamp = true, g.low = T(-0.5), g.high = T(0.75);
  // Tasks in reverse order, one by one: they must not depend on each other.
  const int64_t tasks = gemm_tasks(g, workers);
  for (int64_t t = tasks - 1; t >= 0; --t) gemm_run(g, tasks, t, t + 1);

  const double tolerance = (sizeof(T) == 4 ? 1e-5 : 1e-13) * std::sqrt(static_cast<double>(c.k + 1)) * 4;
  for (int64_t i = 0; i < c.m; ++i) {
    for (int64_t j = 0; j < c_row; ++j) {
      const T old = before[static_cast<size_t>(i * c_row + j)], got = result[static_cast<size_t>(i * c_row + j)];
      if (j >= c.n) {
        ASSERT_EQ(got, old) << "written outside the matrix";
        continue;
      }
      double sum = 0;
      for (int64_t k = 0; k < c.k; ++k)
        sum +=
            static_cast<double>(g.a[i * g.a_row + k * g.a_col]) * static_cast<double>(g.b[k * g.b_row + j * g.b_col]);
      sum = alpha * sum + beta * old + (row_bias ? rb[static_cast<size_t>(i)] : 0) +
            (column_bias ? cb[static_cast<size_t>(j)] : 0);
      if (clamp) sum = std::min(std::max(sum, -0.5), 0.75);
      ASSERT_NEAR(got, sum, tolerance) << "row " << i << " column " << j << " of " << c.m << "x" << c.n << "x" << c.k;
    }
  }
}

template <class T>
void check_all() {
  with_each_target([] {
    for (const Case& c : kCases) {
      for (const Operand a : {Operand::kRows, Operand::kColumns, Operand::kStrided})
        for (const Operand b : {Operand::kRows, Operand::kColumns, Operand::kStrided, Operand::kPacked})
          check<T>(c, a, b, 1, 0, false, false, false, 1);
      check<T>(c, Operand::kRows, Operand::kColumns, T(0.5), 2, true, true, true, 1);
      check<T>(c, Operand::kRows, Operand::kRows, T(0.5), 1, true, false, false, 4);
      check<T>(c, Operand::kRows, Operand::kPacked, 1, 0, false, true, true, 3);
    }
  });
}

TEST(KernelGemm, FloatMatchesPlainLoop) { check_all<float>(); }
TEST(KernelGemm, DoubleMatchesPlainLoop) { check_all<double>(); }

TEST(KernelGemm, BetaZeroDoesNotReadTheResult) {
  const std::vector<float> a = {1, 2}, b = {3, 4};
  std::vector<float> c = {NAN};
  Gemm<float> g;
  g.m = g.n = 1, g.k = 2;
  g.a = a.data(), g.a_row = 2, g.b = b.data(), g.b_row = 1, g.b_col = 1;
  g.c = c.data(), g.c_row = 1;
  gemm(g, Workers{});
  EXPECT_EQ(c[0], 11);
}

// A single row has its own kernel.
TEST(KernelProduct, OneRowAgainstPlainLoops) {
  with_each_target([] {
    for (const int64_t n : {1, 15, 64, 65, 130, 208, 1000}) {
      for (const int64_t k : {1, 17, 700, 1700}) {
        const auto a = values<float>(static_cast<size_t>(k), 1), b = values<float>(static_cast<size_t>(k * n), 2),
                   bias = values<float>(static_cast<size_t>(n), 3);
        const Scratch<float> packed(packed_b_size<float>(n, k));
        pack_b<float>(b.data(), n, 1, n, k, packed.data());
        Segment segments[kRowSegments];
        for (const bool biased : {false, true}) {
          for (const Activation activation : {Activation::kNone, Activation::kHardSwish}) {
            std::vector<float> c(static_cast<size_t>(n) + 1, 77.0F);
            Product p;
            p.pixels = p.width = 1;
            p.a = {a.data(), 0, k};
            p.c = {c.data(), 0, n};
            p.segments = segments;
            p.segment_count = row_segments(k, segments);
            p.b = packed.data();
            p.n = n, p.k = k;
            if (biased) p.bias = bias.data();
            p.epilogue.activation = activation;
            if (activation == Activation::kNone) p.epilogue.low = -3;
            product(p, Workers{});
            for (int64_t j = 0; j < n; ++j) {
              double want = biased ? bias[static_cast<size_t>(j)] : 0;
              for (int64_t i = 0; i < k; ++i) {
                want += static_cast<double>(a[static_cast<size_t>(i)]) * b[static_cast<size_t>(i * n + j)];
              }
              want = activation == Activation::kNone ? std::max(want, -3.0)
                                                     : want * std::min(std::max(want + 3, 0.0), 6.0) / 6;
              ASSERT_NEAR(c[static_cast<size_t>(j)], want, 3e-5 * (1 + std::abs(want))) << n << " by " << k;
            }
            ASSERT_EQ(c.back(), 77.0F);
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace wick::kernels
