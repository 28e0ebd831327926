// Recurrent layers against plain loops in double, with every instruction set of this machine.
#include "kernels/recurrent.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/gemm.h"
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

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

struct Case {
  RecurrentCell cell;
  int64_t batch, steps, inputs, hidden;
  bool reverse, biased;
};

// w: [gates * hidden][k]
double gate(const std::vector<float>& w, const std::vector<float>& b, int64_t row, const double* x, int64_t k) {
  double sum = b.empty() ? 0 : b[static_cast<size_t>(row)];
  for (int64_t i = 0; i < k; ++i) sum += static_cast<double>(w[static_cast<size_t>(row * k + i)]) * x[i];
  return sum;
}

void check(const Case& c) {
  const int64_t n = c.hidden, width = recurrent_gates(c.cell) * n;
  const auto x = values(c.steps * c.batch * c.inputs, 1), w_ih = values(width * c.inputs, 2, 0.5F),
             w_hh = values(width * n, 3, 0.3F);
  const auto b_ih = values(c.biased ? width : 0, 4), b_hh = values(c.biased ? width : 0, 5);
  auto state = values(c.batch * n, 6), memory = values(c.batch * n, 7);
  std::vector<double> h(state.begin(), state.end()), m(memory.begin(), memory.end());
  const Scratch<float> packed_ih(packed_b_size<float>(width, c.inputs)), packed_hh(packed_b_size<float>(width, n));
  const bool interleaved = interleaves_gates(c.cell, c.batch, n);
  const auto ordered = [&](const std::vector<float>& rows, int64_t k) {
    std::vector<float> to(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const int64_t row = static_cast<int64_t>(i) / k;
      to[i] =
          rows[static_cast<size_t>((interleaved ? interleaved_column(row, n) : row) * k) + i % static_cast<size_t>(k)];
    }
    return to;
  };
  pack_b<float>(ordered(w_ih, c.inputs).data(), 1, c.inputs, width, c.inputs, packed_ih.data());
  pack_b<float>(ordered(w_hh, n).data(), 1, n, width, n, packed_hh.data());
  const std::vector<float> bias_ih = ordered(b_ih, 1), bias_hh = ordered(b_hh, 1);
  std::vector<float> out(static_cast<size_t>(c.steps * c.batch * 2 * n));
  Recurrent r;
  r.cell = c.cell;
  r.batch = c.batch, r.steps = c.steps, r.inputs = c.inputs, r.hidden = n;
  r.reverse = c.reverse;
  r.w_ih = packed_ih.data(), r.w_hh = packed_hh.data();
  r.interleaved = interleaved;
  if (c.biased) r.b_ih = bias_ih.data(), r.b_hh = bias_hh.data();
  // Batch outermost, and results with a gap between them.
  r.x = {x.data(), c.inputs, c.steps * c.inputs};
  r.out = {out.data() + n, 2 * n, c.steps * 2 * n};
  r.state = state.data(), r.memory = memory.data();
  const Scratch<float> scratch(recurrent_scratch_size(r));
  recurrent(r, scratch.data(), Workers{});

  for (int64_t i = 0; i < c.steps; ++i) {
    const int64_t t = c.reverse ? c.steps - 1 - i : i;
    for (int64_t b = 0; b < c.batch; ++b) {
      std::vector<double> in(x.begin() + (b * c.steps + t) * c.inputs, x.begin() + (b * c.steps + t + 1) * c.inputs);
      double* hb = h.data() + b * n;
      double* mb = m.data() + b * n;
      std::vector<double> next(static_cast<size_t>(n));
      for (int64_t u = 0; u < n; ++u) {
        const auto xs = [&](int64_t k) { return gate(w_ih, b_ih, k * n + u, in.data(), c.inputs); };
        const auto hs = [&](int64_t k) { return gate(w_hh, b_hh, k * n + u, hb, n); };
        double& y = next[static_cast<size_t>(u)];
        switch (c.cell) {
          case RecurrentCell::kLstm:
            mb[u] = logistic(xs(1) + hs(1)) * mb[u] + logistic(xs(0) + hs(0)) * std::tanh(xs(2) + hs(2));
            y = logistic(xs(3) + hs(3)) * std::tanh(mb[u]);
            break;
          case RecurrentCell::kGru: {
            const double fresh = std::tanh(xs(2) + logistic(xs(0) + hs(0)) * hs(2)), update = logistic(xs(1) + hs(1));
            y = (1 - update) * fresh + update * hb[u];
            break;
          }
          case RecurrentCell::kTanh:
            y = std::tanh(xs(0) + hs(0));
            break;
          case RecurrentCell::kRelu:
            y = std::max(0.0, xs(0) + hs(0));
        }
      }
      for (int64_t u = 0; u < n; ++u) {
        hb[u] = next[static_cast<size_t>(u)];
        const float got = out[static_cast<size_t>((b * c.steps + t) * 2 * n + n + u)];
        ASSERT_NEAR(got, hb[u], 2e-5 * (1 + std::abs(hb[u]))) << "step " << t << " row " << b << " unit " << u;
        ASSERT_EQ(out[static_cast<size_t>((b * c.steps + t) * 2 * n + u)], 0.0F);
      }
    }
  }
  for (size_t i = 0; i < h.size(); ++i) {
    ASSERT_NEAR(state[i], h[i], 2e-5 * (1 + std::abs(h[i])));
    if (c.cell == RecurrentCell::kLstm) {
      ASSERT_NEAR(memory[i], m[i], 2e-5 * (1 + std::abs(m[i])));
    }
  }
}

TEST(KernelRecurrent, MatchesPlainLoops) {
  with_each_target([] {
    for (const Case& c :
         {Case{RecurrentCell::kLstm, 1, 1, 1, 1, false, true}, Case{RecurrentCell::kLstm, 1, 9, 7, 48, false, true},
          Case{RecurrentCell::kLstm, 1, 5, 40, 16, true, false}, Case{RecurrentCell::kLstm, 1, 2, 3, 800, false, true},
          Case{RecurrentCell::kLstm, 3, 60, 5, 21, false, true}, Case{RecurrentCell::kLstm, 1, 9, 33, 64, true, false},
          Case{RecurrentCell::kGru, 2, 7, 6, 17, true, true}, Case{RecurrentCell::kGru, 1, 5, 16, 40, false, false},
          Case{RecurrentCell::kTanh, 2, 6, 3, 20, false, true}, Case{RecurrentCell::kRelu, 2, 4, 3, 9, true, true}}) {
      SCOPED_TRACE(testing::Message() << "cell " << static_cast<int>(c.cell) << " of " << c.hidden);
      check(c);
    }
  });
}

}  // namespace
}  // namespace wick::kernels
