// Transposed convolutions against plain loops in double, with every instruction set of this machine.
#include "kernels/transposed2d.h"

#include <gtest/gtest.h>

#include <algorithm>
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
  int64_t batch, in_channels, out_channels, height, width, kernel, stride, pad, dilation, output_padding;
  bool relu;
};

void check(const Case& c) {
  ConvShape s;
  s.batch = c.batch, s.in_channels = c.in_channels, s.out_channels = c.out_channels;
  s.in[1] = c.height, s.in[2] = c.width;
  for (int d = 1; d <= 2; ++d) {
    s.kernel[d] = c.kernel, s.stride[d] = c.stride, s.pad[d] = c.pad, s.dilation[d] = c.dilation;
    s.out[d] = (s.in[d] - 1) * c.stride - 2 * c.pad + c.dilation * (c.kernel - 1) + c.output_padding + 1;
  }
  const auto x = values(s.batch * s.in_pixels() * s.in_channels, 1);
  const auto w = values(s.in_channels * s.out_channels * s.taps(), 2), bias = values(s.out_channels, 3);
  std::vector<float> y(static_cast<size_t>(s.batch * s.out_pixels() * s.out_channels), 7.0F);
  const Scratch<float> packed(packed_transposed_size(s));
  pack_transposed(s, w.data(), packed.data());
  Transposed2d t;
  t.shape = s;
  t.weights = packed.data();
  t.bias = bias.data();
  t.x = dense_view(x.data(), s.in[1], s.in[2], s.in_channels);
  t.y = dense_view(y.data(), s.out[1], s.out[2], s.out_channels);
  if (c.relu) t.epilogue.low = 0;
  run_transposed(t, Workers{});

  std::vector<double> want(y.size());
  for (size_t i = 0; i < want.size(); ++i) want[i] = bias[i % bias.size()];
  for (int64_t b = 0; b < s.batch; ++b)
    for (int64_t h = 0; h < s.in[1]; ++h)
      for (int64_t v = 0; v < s.in[2]; ++v)
        for (int64_t tap = 0; tap < s.taps(); ++tap) {
          const int64_t oh = h * c.stride - c.pad + tap / c.kernel * c.dilation;
          const int64_t ow = v * c.stride - c.pad + tap % c.kernel * c.dilation;
          if (oh < 0 || ow < 0 || oh >= s.out[1] || ow >= s.out[2]) continue;
          for (int64_t o = 0; o < s.out_channels; ++o)
            for (int64_t i = 0; i < s.in_channels; ++i)
              want[static_cast<size_t>(((b * s.out[1] + oh) * s.out[2] + ow) * s.out_channels + o)] +=
                  static_cast<double>(x[static_cast<size_t>(((b * s.in[1] + h) * s.in[2] + v) * s.in_channels + i)]) *
                  w[static_cast<size_t>((i * s.out_channels + o) * s.taps() + tap)];
        }
  for (size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], c.relu ? std::max(0.0, want[i]) : want[i], 2e-5) << i;
}

TEST(KernelTransposed, MatchesPlainLoops) {
  with_each_target([] {
    for (const Case& c : {Case{1, 3, 5, 4, 6, 2, 2, 0, 1, 0, true}, Case{2, 16, 20, 5, 3, 4, 2, 1, 1, 0, true},
                          Case{1, 7, 33, 3, 4, 3, 2, 1, 1, 1, false}, Case{1, 4, 3, 5, 5, 3, 1, 2, 1, 0, false},
                          Case{1, 2, 70, 3, 3, 3, 2, 0, 2, 1, false}, Case{1, 2, 3, 4, 4, 2, 3, 0, 1, 0, true}}) {
      SCOPED_TRACE(testing::Message() << c.kernel << "x" << c.kernel << " stride " << c.stride << " pad " << c.pad);
      check(c);
    }
  });
}

}  // namespace
}  // namespace wick::kernels
