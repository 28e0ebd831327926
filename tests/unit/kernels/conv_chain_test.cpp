// Convolutions fused in row tiles against the same convolutions one by one, and the choice of algorithm.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/conv_chain.h"
#include "unit/kernels/kernel_targets.h"
#include "unit/kernels/kernel_workers.h"

namespace wick::kernels {
namespace {

std::vector<float> values(int64_t n, unsigned seed) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<float> dist(-1, 1);
  std::vector<float> v(static_cast<size_t>(n));
  for (float& x : v) x = dist(rng);
  return v;
}

ConvShape shape_of(int64_t batch, int64_t h, int64_t w, int64_t in, int64_t out, int64_t groups, int64_t kernel,
                   int64_t stride, int64_t dilation = 1) {
  ConvShape s;
  s.batch = batch;
  s.in_channels = in;
  s.out_channels = out;
  s.groups = groups;
  for (int d = 1; d < 3; ++d) {
    s.in[d] = d == 1 ? h : w;
    s.kernel[d] = kernel;
    s.stride[d] = stride;
    s.dilation[d] = dilation;
    s.pad[d] = kernel / 2 * dilation;
    s.out[d] = (s.in[d] + 2 * s.pad[d] - dilation * (kernel - 1) - 1) / stride + 1;
  }
  return s;
}

struct Layer {
  Conv2d conv;
  std::vector<float> bias;
  Scratch<float> weights;

  Layer(const ConvShape& s, ConvMethod method, unsigned seed, float low, float high)
      : bias(values(s.out_channels, seed)), weights(packed_conv_size(s, method)) {
    const auto w = values(s.out_channels * s.group_in() * s.taps(), seed + 1);
    pack_conv(s, method, w.data(), nullptr, weights.data());
    conv.shape = s;
    conv.method = method;
    conv.weights = weights.data();
    conv.bias = bias.data();
    conv.epilogue.low = low;
    conv.epilogue.high = high;
  }
};

// [batch][channels][pixels] of [batch][pixels][channels].
std::vector<float> planes_of(const std::vector<float>& x, int64_t batch, int64_t channels, int64_t pixels) {
  std::vector<float> planes(x.size());
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t p = 0; p < pixels; ++p)
      for (int64_t c = 0; c < channels; ++c)
        planes[static_cast<size_t>((b * channels + c) * pixels + p)] =
            x[static_cast<size_t>((b * pixels + p) * channels + c)];
  return planes;
}

struct Case {
  int64_t batch, h, w, in, hidden, out, first_kernel, first_stride, kernel, stride;
  bool residual;
};
constexpr Case kCases[] = {
    {1, 28, 28, 16, 96, 24, 1, 1, 3, 2, false}, {2, 15, 13, 24, 144, 24, 1, 1, 3, 1, true},
    {1, 64, 40, 24, 144, 24, 1, 1, 3, 1, true}, {1, 65, 60, 3, 32, 16, 3, 2, 3, 1, false},
    {1, 7, 7, 20, 120, 20, 1, 1, 5, 1, true},   {1, 40, 40, 24, 200, 40, 1, 1, 5, 2, false},
    {1, 140, 130, 3, 16, 8, 3, 2, 3, 2, false}, {2, 70, 150, 4, 8, 8, 7, 2, 3, 1, false},
    {1, 1, 1, 8, 16, 8, 1, 1, 3, 1, true},      {3, 5, 90, 10, 300, 10, 1, 1, 3, 1, false},
};

void expect_means(const ConvShape& s, const std::vector<float>& image, const std::vector<float>& means) {
  for (int64_t i = 0; i < s.batch * s.out_channels; ++i) {
    const int64_t first = i / s.out_channels * s.out_pixels() * s.out_channels + i % s.out_channels;
    double sum = 0;
    for (int64_t p = 0; p < s.out_pixels(); ++p) sum += image[static_cast<size_t>(first + p * s.out_channels)];
    ASSERT_NEAR(means[static_cast<size_t>(i)], sum / static_cast<double>(s.out_pixels()), 1e-3) << "mean " << i;
  }
}

TEST(KernelConvChain, BandsMatchSeparateLayers) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  with_each_target([] {
    for (const Case& c : kCases) {
      SCOPED_TRACE(&c - kCases);
      const ConvShape first = shape_of(c.batch, c.h, c.w, c.in, c.hidden, 1, c.first_kernel, c.first_stride);
      const ConvShape second =
          shape_of(c.batch, first.out[1], first.out[2], c.hidden, c.hidden, c.hidden, c.kernel, c.stride);
      const ConvShape third = shape_of(c.batch, second.out[1], second.out[2], c.hidden, c.out, 1, 1, 1);
      Layer expand(first, ConvMethod::kDirect, 1, 0, 6), depthwise(second, ConvMethod::kDepthwise, 3, 0, 6);
      Layer turned(first, ConvMethod::kDirectNchw, 1, 0, 6), of_planes(first, ConvMethod::kPlanes, 1, 0, 6);
      Layer project(third, ConvMethod::kDirect, 5, -kInf, kInf);
      const auto x = values(c.batch * first.in_pixels() * c.in, 7);
      const auto planes = planes_of(x, c.batch, c.in, first.in_pixels());
      std::vector<float> a(static_cast<size_t>(c.batch * first.out_pixels() * c.hidden));
      std::vector<float> b(static_cast<size_t>(c.batch * second.out_pixels() * c.hidden));
      std::vector<float> y(static_cast<size_t>(c.batch * third.out_pixels() * c.out)), fused(y.size());
      expand.conv.x = dense_view<const float>(x.data(), c.h, c.w, c.in);
      expand.conv.y = dense_view(a.data(), first.out[1], first.out[2], c.hidden);
      depthwise.conv.x = dense_view<const float>(a.data(), first.out[1], first.out[2], c.hidden);
      depthwise.conv.y = dense_view(b.data(), second.out[1], second.out[2], c.hidden);
      project.conv.x = dense_view<const float>(b.data(), second.out[1], second.out[2], c.hidden);
      project.conv.y = dense_view(y.data(), third.out[1], third.out[2], c.out);
      if (c.residual) project.conv.residual = expand.conv.x;
      run_conv(expand.conv, nullptr, Workers{});
      run_conv(depthwise.conv, nullptr, Workers{});
      run_conv(project.conv, nullptr, Workers{});
      for (const int threads : {1, 3}) {
        ConvChain chain{expand.conv, depthwise.conv, project.conv};
        chain.expand.y = {};
        chain.depthwise.x = {};
        chain.depthwise.y = {};
        chain.project.x = {};
        chain.project.y = dense_view(fused.data(), third.out[1], third.out[2], c.out);
        for (const Layer* layer : {&expand, &turned, &of_planes}) {
          const ConvMethod method = layer->conv.method;
          if (method == ConvMethod::kDirectNchw ? !supports_nchw_input(first)
                                                : method == ConvMethod::kPlanes && !takes_planes(first))
            continue;
          chain.expand.method = method;
          chain.expand.weights = layer->conv.weights;
          chain.expand.read_dense(reads_planes(method) ? planes.data() : x.data());
          const Scratch<float> scratch(chain_scratch_size(chain, threads));
          std::fill(fused.begin(), fused.end(), NAN);
          run_chain(chain, scratch.data(), backwards(threads));
          for (size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(fused[i], y[i], 1e-3) << i << " with " << threads;
        }
        // Without the expansion.
        ConvChain separable = chain;
        separable.has_expand = false;
        separable.depthwise.x = depthwise.conv.x;
        std::fill(fused.begin(), fused.end(), NAN);
        const Scratch<float> separable_scratch(chain_scratch_size(separable, threads));
        run_chain(separable, separable_scratch.data(), backwards(threads));
        for (size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(fused[i], y[i], 1e-3) << i << " with " << threads;
        // Without the projection.
        ConvChain two = chain;
        two.has_project = false;
        std::vector<float> middle(b.size(), NAN);
        two.depthwise.y = dense_view(middle.data(), second.out[1], second.out[2], c.hidden);
        const Scratch<float> two_scratch(chain_scratch_size(two, threads));
        std::vector<float> sums(conv_sums_size(second, threads)), means(conv_sums_size(second, 1), NAN);
        two.depthwise.sums = sums.data();
        run_chain(two, two_scratch.data(), backwards(threads));
        for (size_t i = 0; i < b.size(); ++i) ASSERT_NEAR(middle[i], b[i], 1e-3) << i << " with " << threads;
        means_of_sums(second, sums.data(), threads, means.data());
        expect_means(second, b, means);
        // The depthwise layer alone.
        Conv2d alone = depthwise.conv;
        std::fill(sums.begin(), sums.end(), 0.0f);
        alone.sums = sums.data();
        run_conv(alone, nullptr, backwards(threads));
        means_of_sums(second, sums.data(), threads, means.data());
        expect_means(second, b, means);
      }
    }
  });
}

TEST(KernelConvChoice, FollowsShapeAndExactness) {
  EXPECT_EQ(choose_conv(shape_of(1, 28, 28, 96, 96, 96, 3, 1), false, 1), ConvMethod::kDepthwise);
  EXPECT_EQ(choose_conv(shape_of(1, 56, 56, 64, 64, 1, 3, 1), true, 1), ConvMethod::kDirect);
  EXPECT_EQ(choose_conv(shape_of(1, 56, 56, 64, 64, 1, 3, 2), false, 1), ConvMethod::kDirect);
  EXPECT_EQ(choose_conv(shape_of(1, 56, 56, 64, 64, 1, 1, 1), false, 1), ConvMethod::kDirect);
  EXPECT_EQ(choose_conv(shape_of(1, 56, 56, 64, 64, 1, 3, 1), false, 1), ConvMethod::kWinograd4);
  EXPECT_EQ(choose_conv(shape_of(1, 224, 224, 3, 64, 1, 3, 1), false, 1), ConvMethod::kDirect);
  EXPECT_EQ(choose_conv(shape_of(1, 1, 1, 512, 512, 1, 3, 1), false, 1), ConvMethod::kDirect);
  EXPECT_NE(choose_conv(shape_of(1, 50, 50, 256, 256, 1, 3, 1, 2), false, 1), ConvMethod::kDirect);
}

}  // namespace
}  // namespace wick::kernels
