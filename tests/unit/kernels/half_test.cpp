// Kernels that compute in float16, against plain loops in double precision; on machines that compute in it.
#include "kernels/half.h"

#include <gtest/gtest.h>

#ifdef WICK_HALF_KERNELS
#include <cmath>
#include <string>
#include <vector>

#include "kernels/conv2d.h"
#include "kernels/product.h"

namespace wick::kernels {
namespace {

// Pseudo-random numbers between -size and size.
std::vector<Half> numbers(int64_t n, uint32_t seed, float size) {
  std::vector<Half> out;
  for (int64_t i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    out.push_back(static_cast<Half>(size * (static_cast<float>(seed >> 8) / static_cast<float>(1 << 23) - 1.0f)));
  }
  return out;
}
std::vector<float> floats_of(const std::vector<Half>& x) { return {x.begin(), x.end()}; }

struct Case {
  const char* name;
  ConvMethod method;
  int64_t in_channels, out_channels, groups, size, kernel, stride, pad;
  double tolerance;  // of the largest sum
};
constexpr ConvMethod kDirect = ConvMethod::kDirect, kDepthwise = ConvMethod::kDepthwise, kPlanes = ConvMethod::kPlanes;
constexpr ConvMethod kWinograd2 = ConvMethod::kWinograd2, kWinograd4 = ConvMethod::kWinograd4;
constexpr Case kCases[] = {
    {"1x1", kDirect, 32, 64, 1, 9, 1, 1, 0, 3e-3},
    {"1x1 of an odd depth", kDirect, 13, 24, 1, 7, 1, 1, 0, 3e-3},
    {"1x1 of a large depth", kDirect, 1000, 40, 1, 5, 1, 1, 0, 6e-3},
    {"3x3", kDirect, 16, 32, 1, 11, 3, 1, 1, 4e-3},
    {"3x3 of stride 2", kDirect, 16, 24, 1, 12, 3, 2, 1, 4e-3},
    {"groups", kDirect, 32, 64, 4, 8, 3, 1, 1, 4e-3},
    {"columns that fill no vector", kDirect, 16, 20, 1, 6, 3, 1, 1, 4e-3},
    {"first layer", kPlanes, 3, 32, 1, 35, 3, 2, 1, 3e-3},
    {"depthwise", kDepthwise, 40, 40, 40, 15, 3, 1, 1, 3e-3},
    {"depthwise of stride 2", kDepthwise, 40, 40, 40, 16, 3, 2, 1, 3e-3},
    {"depthwise 5x5", kDepthwise, 24, 24, 24, 14, 5, 1, 2, 3e-3},
    {"depthwise of channels that fill no vector", kDepthwise, 13, 13, 13, 9, 3, 1, 1, 3e-3},
    {"depthwise 7x7", kDepthwise, 16, 16, 16, 9, 7, 1, 3, 4e-3},
    {"winograd 2x2", kWinograd2, 32, 32, 1, 13, 3, 1, 1, 4e-3},
    {"winograd 4x4", kWinograd4, 32, 32, 1, 13, 3, 1, 1, 4e-2},
};

ConvShape shape_of(const Case& c) {
  ConvShape s;
  s.batch = 2;
  s.in_channels = c.in_channels;
  s.out_channels = c.out_channels;
  s.groups = c.groups;
  for (int d = 1; d < 3; ++d) {
    s.in[d] = c.size + d;
    s.kernel[d] = c.kernel;
    s.stride[d] = c.stride;
    s.pad[d] = c.pad;
    s.out[d] = (s.in[d] + 2 * c.pad - c.kernel) / c.stride + 1;
  }
  return s;
}

// By pixels with channels last, whatever the method reads; `largest` of the sums.
std::vector<double> expected(const ConvShape& s, const std::vector<Half>& x, const std::vector<float>& w,
                             const std::vector<Half>& bias, const std::vector<Half>& residual, const Epilogue& e,
                             double& largest) {
  std::vector<double> y;
  const int64_t in = s.group_in(), out = s.group_out();
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t oh = 0; oh < s.out[1]; ++oh)
      for (int64_t ow = 0; ow < s.out[2]; ++ow)
        for (int64_t o = 0; o < s.out_channels; ++o) {
          double sum = static_cast<double>(bias[static_cast<size_t>(o)]);
          for (int64_t kh = 0; kh < s.kernel[1]; ++kh)
            for (int64_t kw = 0; kw < s.kernel[2]; ++kw)
              for (int64_t c = 0; c < in; ++c) {
                const int64_t h = oh * s.stride[1] - s.pad[1] + kh, v = ow * s.stride[2] - s.pad[2] + kw;
                if (h < 0 || h >= s.in[1] || v < 0 || v >= s.in[2]) continue;
                const int64_t channel = o / out * in + c;
                const auto at = static_cast<size_t>(((n * s.in[1] + h) * s.in[2] + v) * s.in_channels + channel);
                const auto k = static_cast<size_t>(((o * in + c) * s.kernel[1] + kh) * s.kernel[2] + kw);
                sum += static_cast<double>(x[at]) * static_cast<double>(static_cast<Half>(w[k]));
              }
          if (!residual.empty()) sum += static_cast<double>(residual[y.size()]);
          largest = std::max(largest, std::abs(sum));
          if (e.activation == Activation::kHardSwish) sum *= std::clamp(sum + 3, 0.0, 6.0) / 6;
          if (e.activation == Activation::kSilu) sum /= 1 + std::exp(-sum);
          y.push_back(std::clamp(sum, static_cast<double>(e.low), static_cast<double>(e.high)));
        }
  return y;
}

void expect_close(const Case& c, bool with_residual, const Epilogue& e) {
  const ConvShape s = shape_of(c);
  const int64_t k = s.group_in() * s.taps();
  const std::vector<Half> x = numbers(s.batch * s.in_pixels() * s.in_channels, 1, 1.0f);
  const std::vector<float> w = floats_of(numbers(s.out_channels * k, 2, 2.0f / std::sqrt(static_cast<float>(k))));
  const std::vector<Half> bias = numbers(s.out_channels, 3, 0.5f);
  const int64_t results = s.batch * s.out_pixels() * s.out_channels;
  const std::vector<Half> residual = with_residual ? numbers(results, 4, 1.0f) : std::vector<Half>();
  std::vector<Half> packed(packed_conv_size<Half>(s, c.method)), y(static_cast<size_t>(results)), planes;
  pack_conv_half(s, c.method, w.data(), nullptr, packed.data());
  Conv2dOf<Half> conv;
  conv.shape = s;
  conv.method = c.method;
  conv.weights = packed.data();
  conv.bias = bias.data();
  conv.epilogue = e;
  if (reads_planes(c.method)) {
    const int64_t pixels = s.in_pixels();
    planes.resize(x.size());
    for (int64_t n = 0; n < s.batch; ++n)
      for (int64_t p = 0; p < pixels; ++p)
        for (int64_t i = 0; i < s.in_channels; ++i)
          planes[static_cast<size_t>((n * s.in_channels + i) * pixels + p)] =
              x[static_cast<size_t>((n * pixels + p) * s.in_channels + i)];
  }
  conv.read_dense(planes.empty() ? x.data() : planes.data());
  conv.y = dense_view(y.data(), s.out[1], s.out[2], s.out_channels);
  if (with_residual) conv.residual = dense_view(residual.data(), s.out[1], s.out[2], s.out_channels);
  Scratch<Half> scratch(conv_scratch_size<Half>(s, c.method, 1));
  run_conv(conv, scratch.data(), Workers());
  double largest = 0, error = 0;
  const std::vector<double> want = expected(s, x, w, bias, residual, e, largest);
  for (size_t i = 0; i < want.size(); ++i) {
    ASSERT_FALSE(std::isnan(static_cast<float>(y[i])));
    error = std::max(error, std::abs(want[i] - static_cast<double>(y[i])));
  }
  EXPECT_LE(error, c.tolerance * largest) << c.name;
}

class KernelHalf : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!computes_half()) GTEST_SKIP() << "this processor does not compute in float16";
  }
};

TEST_F(KernelHalf, ConvolutionsMatchPlainLoops) {
  for (const Case& c : kCases) expect_close(c, false, {});
}

TEST_F(KernelHalf, ActivationsRangesAndResiduals) {
  for (const Case& c : kCases) {
    Epilogue range;
    range.low = 0;
    range.high = 1;
    expect_close(c, false, range);
    expect_close(c, false, {.activation = Activation::kHardSwish});
    expect_close(c, false, {.activation = Activation::kSilu});
    if (c.method == kDepthwise || c.method == kPlanes) continue;
    expect_close(c, true, {});
    expect_close(c, true, range);
  }
}

}  // namespace
}  // namespace wick::kernels
#else
namespace wick::kernels {
namespace {

TEST(KernelHalf, OnlyArmComputesInFloat16) {
  EXPECT_FALSE(kHasHalfKernels);
  EXPECT_FALSE(computes_half());
}

}  // namespace
}  // namespace wick::kernels
#endif
