// Convolutions with channels last against a plain loop in double, with every method that takes the shape and every
// instruction set of this machine.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "kernels/conv2d.h"
#include "kernels/prefetch.h"
#include "kernels/winograd.h"
#include "unit/kernels/kernel_targets.h"
#include "unit/kernels/kernel_workers.h"

namespace wick::kernels {
namespace {

std::vector<float> values(int64_t n, unsigned seed, float low = -1) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<float> dist(low, 1);
  std::vector<float> v(static_cast<size_t>(n));
  for (float& x : v) x = dist(rng);
  return v;
}

struct Case {
  int64_t batch, in, out, groups, h, w, kernel, stride, pad, dilation;
};

ConvShape shape_of(const Case& c) {
  ConvShape s;
  s.batch = c.batch;
  s.in_channels = c.in;
  s.out_channels = c.out;
  s.groups = c.groups;
  for (int d = 1; d < 3; ++d) {
    s.in[d] = d == 1 ? c.h : c.w;
    s.kernel[d] = c.kernel;
    s.stride[d] = c.stride;
    s.pad[d] = c.pad;
    s.dilation[d] = c.dilation;
    s.out[d] = (s.in[d] + 2 * c.pad - c.dilation * (c.kernel - 1) - 1) / c.stride + 1;
  }
  return s;
}

double activated(const Epilogue& e, double v) {
  const double sixth = std::min(6.0, std::max(0.0, v + 3)) / 6;
  switch (e.activation) {
    case Activation::kNone:
      return v;
    case Activation::kHardSwish:
      return v * sixth;
    case Activation::kHardSigmoid:
      return sixth;
    case Activation::kSilu:
      return v / (1 + std::exp(-v));
    case Activation::kSigmoid:
      return 1 / (1 + std::exp(-v));
    case Activation::kTanh:
      return std::tanh(v);
    case Activation::kGelu:
      return 0.5 * v * (1 + std::erf(v / std::sqrt(2.0)));
    case Activation::kMish:
      return v * std::tanh(std::log1p(std::exp(v)));
    case Activation::kGeluTanh:
      return 0.5 * v * (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v)));
  }
  return v;
}

struct Options {
  Epilogue epilogue;
  bool bias = true;
  bool residual = false;
  bool residual_in_place = false;
  int64_t gap = 0;  // elements between pixels of input and output, beyond the channels
};

void check(const Case& c, ConvMethod method, const Options& o, int workers = 1) {
  const ConvShape s = shape_of(c);
  const int64_t x_pixel = c.in + o.gap, y_pixel = c.out + o.gap;
  const auto x = values(c.batch * s.in_pixels() * x_pixel, 1), bias = values(c.out, 2);
  const auto w = values(c.out * s.group_in() * s.taps(), 3);
  auto y = values(c.batch * s.out_pixels() * y_pixel, 4);
  const auto before = y, residual = o.residual_in_place ? y : values(c.batch * s.out_pixels() * y_pixel, 5);
  const Scratch<float> packed(packed_conv_size(s, method)), scratch(conv_scratch_size(s, method, workers));
  pack_conv(s, method, w.data(), nullptr, packed.data());

  Conv2d conv;
  conv.shape = s;
  conv.method = method;
  conv.weights = packed.data();
  conv.bias = o.bias ? bias.data() : nullptr;
  std::vector<float> planes(x.size());
  if (reads_planes(method)) {
    for (int64_t i = 0; i < c.batch * c.in * s.in_pixels(); ++i) {
      const int64_t pixel = i / (c.in * s.in_pixels()) * s.in_pixels() + i % s.in_pixels();
      planes[static_cast<size_t>(i)] = x[static_cast<size_t>(pixel * x_pixel + i / s.in_pixels() % c.in)];
    }
    conv.read_dense(planes.data());
  } else {
    conv.x = dense_view(x.data(), s.in[1], s.in[2], x_pixel);
  }
  conv.y = dense_view(y.data(), s.out[1], s.out[2], y_pixel);
  const float* added = o.residual_in_place ? y.data() : residual.data();
  if (o.residual || o.residual_in_place) conv.residual = dense_view(added, s.out[1], s.out[2], y_pixel);
  conv.epilogue = o.epilogue;
  run_conv(conv, scratch.data(), backwards(workers));

  const bool winograd = method == ConvMethod::kWinograd2 || method == ConvMethod::kWinograd4;
  const double tolerance = (winograd ? 3e-5 : 2e-6) * std::sqrt(static_cast<double>(s.group_in() * s.taps())) + 1e-5;
  for (int64_t n = 0; n < c.batch; ++n)
    for (int64_t oh = 0; oh < s.out[1]; ++oh)
      for (int64_t ow = 0; ow < s.out[2]; ++ow)
        for (int64_t oc = 0; oc < y_pixel; ++oc) {
          const size_t at = static_cast<size_t>(((n * s.out[1] + oh) * s.out[2] + ow) * y_pixel + oc);
          if (oc >= c.out) {
            ASSERT_EQ(y[at], before[at]) << "written between pixels";
            continue;
          }
          double sum = o.bias ? bias[static_cast<size_t>(oc)] : 0;
          const int64_t group = oc / s.group_out();
          for (int64_t kh = 0; kh < c.kernel; ++kh)
            for (int64_t kw = 0; kw < c.kernel; ++kw) {
              const int64_t ih = oh * c.stride - c.pad + kh * c.dilation, iw = ow * c.stride - c.pad + kw * c.dilation;
              if (ih < 0 || ih >= c.h || iw < 0 || iw >= c.w) continue;
              for (int64_t ic = 0; ic < s.group_in(); ++ic)
                sum += static_cast<double>(
                           x[static_cast<size_t>(((n * c.h + ih) * c.w + iw) * x_pixel + group * s.group_in() + ic)]) *
                       w[static_cast<size_t>(((oc * s.group_in() + ic) * c.kernel + kh) * c.kernel + kw)];
            }
          const bool adds = o.residual || o.residual_in_place;
          if (adds && !o.epilogue.residual_last) sum += residual[at];
          sum = std::min<double>(std::max<double>(activated(o.epilogue, sum), o.epilogue.low), o.epilogue.high);
          if (adds && o.epilogue.residual_last) sum += residual[at];
          ASSERT_NEAR(y[at], sum, tolerance) << method_name(method) << " channel " << oc << " at " << oh << "," << ow;
        }
}

// batch, in, out, groups, h, w, kernel, stride, pad, dilation
constexpr Case kDense[] = {
    // Dilated: phases of two lengths, and phases without a second position.
    {1, 20, 17, 1, 13, 11, 3, 1, 4, 4},
    {2, 5, 6, 1, 5, 6, 3, 1, 7, 7},
    {1, 1, 1, 1, 1, 1, 1, 1, 0, 1},
    {1, 5, 7, 1, 4, 3, 1, 1, 0, 1},
    {2, 16, 24, 1, 5, 5, 1, 1, 0, 1},
    {1, 33, 65, 1, 7, 7, 1, 1, 0, 1},
    {1, 900, 70, 1, 3, 3, 1, 1, 0, 1},
    {1, 8, 12, 1, 9, 9, 1, 2, 0, 1},
    {1, 3, 32, 1, 23, 19, 3, 2, 1, 1},
    {1, 3, 16, 1, 15, 15, 7, 2, 3, 1},
    {1, 4, 20, 1, 8, 8, 3, 1, 1, 1},
    {2, 17, 33, 1, 6, 11, 3, 1, 1, 1},
    {1, 64, 48, 1, 7, 7, 3, 1, 1, 1},
    {1, 160, 20, 1, 6, 6, 3, 1, 1, 1},
    {1, 8, 8, 1, 1, 1, 3, 1, 1, 1},
    {1, 6, 10, 1, 2, 2, 5, 1, 2, 1},
    {1, 12, 16, 1, 13, 13, 3, 1, 2, 2},
    {1, 9, 20, 1, 10, 7, 3, 1, 6, 6},
    {1, 9, 20, 1, 5, 5, 3, 1, 12, 12},
    {1, 8, 8, 1, 12, 12, 3, 2, 2, 2},
    {1, 16, 24, 4, 6, 6, 3, 1, 1, 1},
    {1, 12, 6, 3, 5, 5, 1, 1, 0, 1},
    {2, 64, 64, 2, 5, 4, 3, 2, 1, 1},
    {1, 4, 4, 1, 3, 3, 3, 1, 4, 1},
    {1, 10, 130, 1, 4, 9, 4, 3, 2, 1},
    {1, 96, 24, 1, 12, 12, 1, 1, 0, 1},
    {1, 2, 200, 1, 30, 30, 3, 1, 1, 1},
    // Planes: several images, padding wider than the kernel, dilated rows, and deeper than one pass.
    {2, 3, 40, 1, 12, 17, 5, 2, 2, 1},
    {1, 1, 6, 1, 3, 3, 2, 1, 3, 1},
    {1, 4, 17, 1, 20, 18, 16, 2, 5, 1},
    // A vector and a half, two and a half; deep and shallow.
    {1, 200, 24, 1, 11, 9, 1, 1, 0, 1},
    {1, 800, 40, 1, 12, 12, 1, 1, 0, 1},
    {1, 20, 72, 1, 9, 9, 1, 1, 0, 1},
    {1, 30, 40, 1, 12, 12, 1, 1, 0, 1},
};
constexpr Case kDepthwise[] = {
    {1, 16, 16, 16, 14, 14, 3, 1, 1, 1}, {2, 33, 33, 33, 7, 7, 3, 1, 1, 1},   {1, 24, 24, 24, 15, 11, 3, 2, 1, 1},
    {1, 40, 40, 40, 9, 8, 5, 1, 2, 1},   {1, 20, 20, 20, 13, 17, 5, 2, 2, 1}, {1, 3, 3, 3, 6, 6, 3, 1, 1, 1},
    {1, 17, 17, 17, 1, 1, 3, 1, 1, 1},   {1, 64, 64, 64, 3, 2, 5, 1, 2, 1},   {1, 32, 32, 32, 12, 30, 3, 1, 0, 1},
    {1, 18, 18, 18, 11, 11, 3, 1, 2, 2}, {1, 18, 18, 18, 9, 9, 3, 1, 12, 12}, {1, 18, 18, 18, 11, 11, 3, 2, 2, 2},
    {1, 48, 48, 48, 9, 10, 7, 1, 3, 1},  {1, 48, 48, 48, 8, 9, 4, 3, 1, 1},   {1, 96, 96, 96, 28, 28, 3, 2, 1, 1},
    {1, 7, 7, 7, 20, 5, 2, 1, 0, 1},     {1, 16, 16, 16, 4, 23, 3, 1, 3, 1},
};

// Groups of two to eight channels, some with a last vector that overlaps the one before.
constexpr Case kGrouped[] = {
    {1, 32, 32, 16, 9, 9, 3, 1, 1, 1},  {2, 40, 40, 10, 7, 13, 3, 1, 1, 1},  {1, 64, 64, 8, 14, 7, 3, 1, 1, 1},
    {1, 40, 40, 5, 11, 30, 3, 1, 0, 1}, {1, 64, 64, 16, 12, 15, 3, 2, 1, 1}, {1, 48, 48, 6, 9, 5, 3, 2, 1, 1},
    {1, 64, 64, 8, 1, 2, 3, 1, 1, 1},   {1, 32, 32, 8, 4, 6, 3, 1, 3, 1},
};

std::vector<ConvMethod> methods_of(const Case& c) {
  const ConvShape s = shape_of(c);
  if (c.groups == c.in && c.groups > 1) return {ConvMethod::kDepthwise, ConvMethod::kDirect};
  if (is_grouped_conv(s)) return {ConvMethod::kGrouped, ConvMethod::kDirect};
  std::vector<ConvMethod> methods{ConvMethod::kDirect};
  if (supports_nchw_input(s)) methods.push_back(ConvMethod::kDirectNchw);
  if (takes_planes(s)) methods.push_back(ConvMethod::kPlanes);
  if (winograd_supports(s)) methods.insert(methods.end(), {ConvMethod::kWinograd2, ConvMethod::kWinograd4});
  return methods;
}

TEST(KernelConv2d, EveryMethodMatchesPlainLoops) {
  with_each_target([] {
    for (const auto& list : {std::vector<Case>(std::begin(kDense), std::end(kDense)),
                             std::vector<Case>(std::begin(kDepthwise), std::end(kDepthwise)),
                             std::vector<Case>(std::begin(kGrouped), std::end(kGrouped))})
      for (const Case& c : list)
        for (const ConvMethod method : methods_of(c)) {
          SCOPED_TRACE(testing::Message() << "case " << &c - list.data());
          check(c, method, {});
          Options o;
          o.bias = false;
          o.epilogue.low = 0;
          o.epilogue.high = 0.7f;
          o.gap = 3;
          check(c, method, o, 3);
        }
  });
}

// Tiles of depthwise layers read whole rows of an image but for its edge: every width and height up to several tiles.
TEST(KernelConv2d, DepthwiseOfEverySize) {
  with_each_target([] {
    for (const int64_t kernel : {3, 5})
      for (const int64_t stride : {1, 2})
        for (const int64_t pad : {int64_t{0}, kernel / 2, kernel - 1, kernel})
          for (int64_t w = 1; w <= 19; ++w) {
            const int64_t h = 1 + w * 7 % 11;
            if (std::min(h, w) + 2 * pad < kernel) continue;
            SCOPED_TRACE(testing::Message()
                         << kernel << " by " << stride << ", " << pad << " around " << h << "x" << w);
            check({1, 20, 20, 20, h, w, kernel, stride, pad, 1}, ConvMethod::kDepthwise, {},
                  static_cast<int>(w % 3) + 1);
          }
  });
}

// Shallow products run in strips of pixels, which end with lines, panels and the image.
TEST(KernelConv2d, ShallowProductsOfEverySize) {
  with_each_target([] {
    for (const int64_t out : {3, 8, 16, 24, 40, 64, 72, 130})
      for (const int64_t in : {1, 17, 48, 129})
        for (const int64_t w : {1, 4, 5, 13, 23}) {
          SCOPED_TRACE(testing::Message() << in << " to " << out << ", width " << w);
          for (const int64_t stride : {1, 2}) {
            const Case c{1, in, out, 1, 7, w, 1, stride, 0, 1};
            check(c, ConvMethod::kDirect, {});
            Options o;
            o.gap = 5;
            o.epilogue.activation = stride == 1 ? Activation::kHardSwish : Activation::kSilu;
            check(c, ConvMethod::kDirect, o);
            o.residual_in_place = true;
            o.epilogue = {};
            o.epilogue.low = 0;
            check(c, ConvMethod::kDirect, o, 2);
          }
        }
  });
}

// Panels whose last vector is half empty take two steps of k at a time, which are taps of one pixel here.
TEST(KernelConv2d, HalfPanelsOfEveryKernel) {
  with_each_target([] {
    for (const int64_t out : {20, 24, 40, 72})
      for (const int64_t in : {2, 15, 16, 80})
        for (const int64_t dilation : {1, 3}) {
          SCOPED_TRACE(testing::Message() << in << " to " << out << ", dilation " << dilation);
          for (const int64_t kernel : {1, 3}) {
            const Case c{2, in, out, 1, 11, 12, kernel, 1, kernel / 2 * dilation, dilation};
            check(c, ConvMethod::kDirect, {});
            Options o;
            o.epilogue.activation = Activation::kHardSwish;
            check(c, ConvMethod::kDirect, o, 2);
            o.epilogue.residual_last = o.residual = true;
            check(c, ConvMethod::kDirect, o);
          }
        }
  });
}

// The same while weights of later steps are fetched: each line of them once, and none beyond the limit.
TEST(KernelConv2d, ShallowProductsThatPrefetch) {
  if (!kPrefetches) GTEST_SKIP();
  with_each_target([] {
    const std::vector<char> memory(int64_t{8} << 10);
    const Prefetcher::Piece pieces[] = {
        {memory.data(), 200, 0}, {memory.data() + 1024, 3000, 200}, {nullptr, 64, 3200}};
    for (const int64_t out : {24, 64, 130})
      for (const int64_t w : {1, 5, 23}) {
        SCOPED_TRACE(testing::Message() << "to " << out << ", width " << w);
        Prefetcher prefetcher(pieces, 3);
        prefetcher.set(0, 3200);
        t_prefetcher = &prefetcher;
        // The first has output pixels whose taps are all on padding: empty sums.
        for (int i = 0; i < 8; ++i) check({1, 17, out, 1, 40, w, 1, 1, i == 0 ? 1 : 0, 1}, ConvMethod::kDirect, {});
        t_prefetcher = nullptr;
        // Narrow panels may fetch nothing; wide ones fetch the first two pieces, and stop.
        if (out < 130) continue;
        EXPECT_EQ(prefetcher.left(), 0);
        EXPECT_EQ(prefetcher.at(), nullptr);
      }
  });
}

TEST(KernelConv2d, ActivationsAndResiduals) {
  with_each_target([] {
    for (const Case& c : {Case{1, 20, 37, 1, 6, 5, 3, 1, 1, 1}, Case{1, 800, 37, 1, 3, 3, 1, 1, 0, 1}}) {
      for (const ConvMethod method : methods_of(c)) {
        for (const Activation activation : kActivations) {
          Options o;
          o.epilogue.activation = activation;
          check(c, method, o);
          o.residual = true;
          check(c, method, o, 2);
          o.epilogue.residual_last = true;
          o.epilogue.low = 0;
          check(c, method, o);
        }
        Options o;
        o.residual_in_place = true;
        o.epilogue.low = 0;
        check(c, method, o);
      }
    }
    Options o;
    o.epilogue.activation = Activation::kHardSwish;
    check({1, 20, 20, 20, 6, 9, 3, 1, 1, 1}, ConvMethod::kDepthwise, o);
    o.gap = 5;
    check({1, 20, 20, 20, 6, 9, 3, 1, 1, 1}, ConvMethod::kDepthwise, o);
    const Case pairs{1, 20, 20, 10, 6, 9, 3, 1, 1, 1};
    EXPECT_TRUE(is_grouped_conv(shape_of(pairs)));
    EXPECT_EQ(choose_conv(shape_of(pairs), true, 1), ConvMethod::kGrouped);
    check(pairs, ConvMethod::kGrouped, o);
  });
}

TEST(KernelConv2d, SigmoidsAreAccurate) {
  with_each_target([] {
    constexpr int kCount = 4000;
    std::vector<float> x(kCount), y(kCount);
    for (int i = 0; i < kCount; ++i) x[static_cast<size_t>(i)] = static_cast<float>(i - kCount / 2) * 0.045f;
    for (const Activation activation : {Activation::kSigmoid, Activation::kSilu}) {
      Epilogue e;
      e.activation = activation;
      apply_epilogue(e, x.data(), y.data(), kCount);
      for (size_t i = 0; i < x.size(); ++i) {
        const double sigmoid = 1 / (1 + std::exp(-static_cast<double>(x[i])));
        const double expected = activation == Activation::kSilu ? sigmoid * x[i] : sigmoid;
        ASSERT_NEAR(y[i], expected, 2e-36 + 4e-7 * std::fabs(expected)) << x[i];
      }
    }
  });
}
TEST(KernelConv2d, NotANumberPassesTheRange) {
  with_each_target([] {
    const Case c{1, 16, 16, 1, 3, 3, 1, 1, 0, 1};
    const ConvShape s = shape_of(c);
    const std::vector<float> x(static_cast<size_t>(9 * 16), NAN), w(16 * 16, 1.0f);
    std::vector<float> y(9 * 16);
    const Scratch<float> packed(packed_conv_size(s, ConvMethod::kDirect));
    pack_conv(s, ConvMethod::kDirect, w.data(), nullptr, packed.data());
    Conv2d conv;
    conv.shape = s;
    conv.weights = packed.data();
    conv.x = dense_view(x.data(), 3, 3, 16);
    conv.y = dense_view(y.data(), 3, 3, 16);
    conv.epilogue.low = 0;
    conv.epilogue.high = 6;
    run_conv(conv, nullptr, Workers{});
    for (const float v : y) ASSERT_TRUE(std::isnan(v));
    for (const Activation activation : kActivations) {
      conv.epilogue.activation = activation;
      apply_epilogue(conv.epilogue, x.data(), y.data(), 50);
      for (size_t i = 0; i < 50; ++i) ASSERT_TRUE(std::isnan(y[i])) << static_cast<int>(activation);
    }
  });
}

// Weights and activations as trained networks have them: normal weights of He's variance, rectified inputs with a few
// large values.
TEST(KernelConv2d, WinogradStaysWithinItsErrorBound) {
  const Case c{1, 128, 64, 1, 20, 20, 3, 1, 1, 1};
  const ConvShape s = shape_of(c);
  std::mt19937 rng(7);
  std::normal_distribution<float> normal;
  std::vector<float> x(static_cast<size_t>(s.in_pixels() * c.in)), w(static_cast<size_t>(c.out * c.in * 9));
  for (float& v : x) v = std::max(0.0f, normal(rng)) * (rng() % 500 == 0 ? 20.0f : 1.0f);
  for (float& v : w) v = normal(rng) * std::sqrt(2.0f / (9 * 128)) * (rng() % 200 == 0 ? 8.0f : 1.0f);
  const auto run = [&](ConvMethod method) {
    std::vector<float> y(static_cast<size_t>(s.out_pixels() * c.out));
    const Scratch<float> packed(packed_conv_size(s, method)), scratch(conv_scratch_size(s, method, 1));
    pack_conv(s, method, w.data(), nullptr, packed.data());
    Conv2d conv;
    conv.shape = s;
    conv.method = method;
    conv.weights = packed.data();
    conv.x = dense_view<const float>(x.data(), s.in[1], s.in[2], c.in);
    conv.y = dense_view(y.data(), s.out[1], s.out[2], c.out);
    run_conv(conv, scratch.data(), Workers{});
    return y;
  };
  const auto exact = run(ConvMethod::kDirect);
  float largest = 0;
  for (const float v : exact) largest = std::max(largest, std::fabs(v));
  for (const ConvMethod method : {ConvMethod::kWinograd2, ConvMethod::kWinograd4}) {
    const auto y = run(method);
    float error = 0;
    for (size_t i = 0; i < y.size(); ++i) error = std::max(error, std::fabs(y[i] - exact[i]));
    EXPECT_LT(error / largest, 2e-5) << method_name(method);
  }
}

}  // namespace
}  // namespace wick::kernels
