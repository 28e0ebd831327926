// Kernels that compute in float16, against plain loops in double precision; on machines that compute in it.
#include "kernels/half.h"

#include <gtest/gtest.h>

#include "kernels/peak.h"

#ifdef WICK_HALF_KERNELS
#include <cmath>
#include <string>
#include <vector>

#include "kernels/conv2d.h"
#include "kernels/gemm.h"
#include "kernels/half_rows.h"
#include "kernels/pool.h"
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
    {"3x3 of a large depth", kDirect, 520, 40, 1, 4, 3, 1, 1, 3e-3},
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
    {"winograd 2x2 of a large depth", kWinograd2, 320, 24, 1, 6, 3, 1, 1, 4e-3},
    {"winograd 4x4", kWinograd4, 32, 32, 1, 13, 3, 1, 1, 1.5e-2},
    {"winograd 4x4 of a large depth", kWinograd4, 320, 24, 1, 13, 3, 1, 1, 1.5e-2},
    {"winograd 4x4 of few tiles", kWinograd4, 64, 96, 1, 5, 3, 1, 1, 1.5e-2},
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

// A product of `pixels` rows of `depth` halves with n columns; `b` by k, then by column.
std::vector<Half> product_of(const std::vector<Half>& a, const std::vector<Half>& b, int64_t pixels, int64_t depth,
                             int64_t n, const std::vector<Half>& bias, const std::vector<Half>& residual,
                             const Epilogue& e) {
  std::vector<Half> packed(packed_b_size<Half>(n, depth)), y(static_cast<size_t>(pixels * n));
  pack_b<Half>(b.data(), n, 1, n, depth, packed.data());
  Segment segments[kRowSegments];
  ProductOf<Half> p;
  p.pixels = p.width = pixels;
  p.a = {a.data(), depth * pixels, depth};
  p.c = {y.data(), n * pixels, n};
  if (!residual.empty()) p.add = {residual.data(), n * pixels, n};
  p.segments = segments;
  p.segment_count = row_segments<Half>(depth, segments);
  p.b = packed.data();
  p.n = n;
  p.k = depth;
  p.bias = bias.data();
  p.epilogue = e;
  product(p, Workers());
  return y;
}

constexpr int64_t kDeep = 4096;
// Pixels, columns: one row, blocks and panels that are not full, more than one block.
constexpr std::pair<int64_t, int64_t> kProducts[] = {{1, 8}, {1, 100}, {3, 40}, {70, 32}, {131, 100}};

// Each piece of the depth has one product that is not 0: their sums are exact, and what is added to the large one of
// the first piece is below its last place in float16. Nothing of that is lost but at the end.
TEST_F(KernelHalf, DeepProductsAddUpPiecesInFloats) {
  for (const auto& [pixels, n] : kProducts) {
    std::vector<Half> a(static_cast<size_t>(pixels * kDeep)),
        b(static_cast<size_t>(kDeep * n), static_cast<Half>(0.5F));
    for (int64_t i = 0; i < pixels; ++i)
      for (int64_t k = 0; k < kDeep; k += kMaxDepthOf<Half>)
        a[static_cast<size_t>(i * kDeep + k)] = static_cast<Half>(k == 0 ? 4096.0F : 1.0F + static_cast<float>(i % 2));
    const std::vector<Half> bias(static_cast<size_t>(n)), y = product_of(a, b, pixels, kDeep, n, bias, {}, {});
    for (int64_t i = 0; i < pixels; ++i) {
      const float exact =
          2048.0F + 0.5F * static_cast<float>(kDeep / kMaxDepthOf<Half> - 1) * (1.0F + static_cast<float>(i % 2));
      for (int64_t j = 0; j < n; ++j)
        ASSERT_EQ(static_cast<float>(y[static_cast<size_t>(i * n + j)]), static_cast<float>(static_cast<Half>(exact)))
            << pixels << " by " << n << ", pixel " << i << ", column " << j;
    }
  }
}

TEST_F(KernelHalf, DeepProductsMatchPlainLoops) {
  Epilogue range, swish, last;
  range.low = -0.5F;
  range.high = 0.75F;
  swish.activation = Activation::kHardSwish;
  last.low = 0;
  last.residual_last = true;
  for (const auto& [pixels, n] : kProducts) {
    // A depth that pieces do not divide.
    const int64_t depth = kDeep + 13;
    const std::vector<Half> a = numbers(pixels * depth, 1, 1.0F), b = numbers(depth * n, 2, 1.0F / 32);
    const std::vector<Half> bias = numbers(n, 3, 0.5F), residual = numbers(pixels * n, 4, 1.0F);
    for (const Epilogue& e : {Epilogue(), range, swish, last}) {
      const std::vector<Half> y = product_of(a, b, pixels, depth, n, bias, residual, e);
      for (int64_t i = 0; i < pixels * n; ++i) {
        double sum = static_cast<double>(bias[static_cast<size_t>(i % n)]);
        for (int64_t k = 0; k < depth; ++k) {
          sum += static_cast<double>(a[static_cast<size_t>(i / n * depth + k)]) *
                 static_cast<double>(b[static_cast<size_t>(k * n + i % n)]);
        }
        const auto add = static_cast<double>(residual[static_cast<size_t>(i)]);
        if (!e.residual_last) sum += add;
        if (e.activation == Activation::kHardSwish) sum *= std::clamp(sum + 3, 0.0, 6.0) / 6;
        sum = std::clamp(sum, static_cast<double>(e.low), static_cast<double>(e.high));
        if (e.residual_last) sum += add;
        ASSERT_NEAR(static_cast<double>(y[static_cast<size_t>(i)]), sum, 0.01) << pixels << " by " << n << ", " << i;
      }
    }
  }
}

// Windows of three with a stride of two, some of them over the edge, for images whose channels fill no vector.
struct Windows {
  std::vector<Window> rows, columns;
  Pool pool;
  Windows(int64_t channels, int64_t height, int64_t width) {
    const auto cut = [](int64_t size, std::vector<Window>& out) {
      for (int64_t at = -1; at < size; at += 2) {
        const int64_t first = std::max<int64_t>(at, 0), last = std::min(size, at + 3);
        out.push_back({first, last - first, 3});
      }
    };
    cut(height, rows);
    cut(width, columns);
    pool.batch = 2;
    pool.channels = channels;
    pool.channels_last = true;
    pool.dim[0] = kWholeDim;
    pool.dim[1] = {rows.data(), static_cast<int64_t>(rows.size()), height, 1};
    pool.dim[2] = {columns.data(), static_cast<int64_t>(columns.size()), width, 1};
  }
  int64_t results() const { return pool.batch * pool.out_pixels() * pool.channels; }
};

TEST_F(KernelHalf, PoolsAreThoseOfFloats) {
  for (const int64_t channels : {5, 8, 40, 67}) {
    Windows windows(channels, 9, 12);
    const std::vector<Half> x = numbers(2 * 9 * 12 * channels, 7, 100.0F);
    const std::vector<float> wide = floats_of(x);
    const auto count = static_cast<size_t>(windows.results());
    std::vector<Half> most(count), mean(count);
    std::vector<float> want_most(count), want_mean(count), wide_mean(count);
    max_pool_half(windows.pool, x.data(), most.data(), Workers());
    max_pool<float>(windows.pool, wide.data(), want_most.data(), nullptr, Workers());
    EXPECT_EQ(floats_of(most), want_most) << channels;
    avg_pool_half(windows.pool, x.data(), mean.data(), 0, Workers());
    avg_pool_half(windows.pool, x.data(), wide_mean.data(), 0, Workers());
    avg_pool<float>(windows.pool, wide.data(), want_mean.data(), 0, Workers());
    EXPECT_EQ(wide_mean, want_mean) << channels;
    for (float& v : want_mean) v = static_cast<float>(static_cast<Half>(v));
    EXPECT_EQ(floats_of(mean), want_mean) << channels;
  }
}

// A sum of float16 would stop growing at 2048.
TEST_F(KernelHalf, MeansOfPlanesAreAddedUpInFloats) {
  constexpr int64_t kChannels = 11, kSide = 112;
  const std::vector<Half> x(static_cast<size_t>(kSide * kSide * kChannels), static_cast<Half>(1.25F));
  const Window whole{0, kSide, kSide};
  Pool pool;
  pool.channels = kChannels;
  pool.channels_last = true;
  pool.dim[0] = kWholeDim;
  pool.dim[1] = pool.dim[2] = {&whole, 1, kSide, 1};
  std::vector<Half> y(kChannels);
  avg_pool_half(pool, x.data(), y.data(), 0, Workers());
  for (const Half v : y) EXPECT_EQ(static_cast<float>(v), 1.25F);
}

TEST_F(KernelHalf, MaximaKeepNanAndInfinities) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  Windows windows(9, 5, 6);
  std::vector<Half> x = numbers(2 * 5 * 6 * 9, 3, 1.0F);
  x[9 * 7] = static_cast<Half>(std::nanf(""));
  x[9 * 7 + 8] = static_cast<Half>(std::nanf(""));
  x[9 * 8 + 1] = static_cast<Half>(kInf);
  for (int64_t i = 0; i < 5 * 6; ++i) x[static_cast<size_t>(9 * i + 2)] = static_cast<Half>(-kInf);
  const std::vector<float> wide = floats_of(x);
  std::vector<Half> got(static_cast<size_t>(windows.results()));
  std::vector<float> want(got.size());
  max_pool_half(windows.pool, x.data(), got.data(), Workers());
  max_pool<float>(windows.pool, wide.data(), want.data(), nullptr, Workers());
  size_t nans = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const auto value = static_cast<float>(got[i]);
    nans += std::isnan(value) ? 1 : 0;
    EXPECT_TRUE(value == want[i] || (std::isnan(value) && std::isnan(want[i]))) << i;
  }
  EXPECT_GT(nans, 0U);
}

TEST_F(KernelHalf, PeakIsMeasured) { EXPECT_GT(half_multiply_add_peak(1), 1e-3); }

TEST_F(KernelHalf, FactorsOfChannels) {
  for (const int64_t channels : {3, 8, 29}) {
    const std::vector<Half> x = numbers(7 * channels, 5, 2.0F), factor = numbers(channels, 6, 2.0F);
    std::vector<Half> y(x.size());
    scale_channels(x.data(), factor.data(), 7, channels, y.data());
    for (size_t i = 0; i < x.size(); ++i) {
      const float want = static_cast<float>(x[i]) * static_cast<float>(factor[i % static_cast<size_t>(channels)]);
      EXPECT_EQ(static_cast<float>(y[i]), static_cast<float>(static_cast<Half>(want)));
    }
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
  EXPECT_EQ(half_multiply_add_peak(1), 0);
}

}  // namespace
}  // namespace wick::kernels
#endif
