// Convolution kernels against plain loops, with every instruction set of this machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "kernels/conv.h"
#include "unit/kernels/kernel_targets.h"

namespace wick::kernels {
namespace {

template <class T>
std::vector<T> values(int64_t n, unsigned seed) {
  std::mt19937 rng(seed);
  std::uniform_real_distribution<T> dist(-1, 1);
  std::vector<T> v(static_cast<size_t>(n));
  for (T& x : v) x = dist(rng);
  return v;
}

ConvShape shape(int64_t batch, int64_t in_channels, int64_t out_channels, int64_t groups, std::vector<int64_t> in,
                std::vector<int64_t> kernel, int64_t stride, int64_t pad, int64_t dilation) {
  ConvShape s;
  s.batch = batch;
  s.in_channels = in_channels;
  s.out_channels = out_channels;
  s.groups = groups;
  const size_t skip = 3 - in.size();
  for (size_t i = 0; i < in.size(); ++i) {
    s.in[skip + i] = in[i];
    s.kernel[skip + i] = kernel[i];
    s.stride[skip + i] = stride;
    s.pad[skip + i] = pad;
    s.dilation[skip + i] = dilation;
    s.out[skip + i] = (in[i] + 2 * pad - dilation * (kernel[i] - 1) - 1) / stride + 1;
  }
  return s;
}

// y[image][out channel][out pixel] += x[image][in channel][in pixel] * w for every pair a tap connects.
template <class T, class Visit>
void for_each_tap(const ConvShape& s, const int64_t* walked, const int64_t* reached, Visit&& visit) {
  for (int64_t d = 0; d < walked[0]; ++d)
    for (int64_t h = 0; h < walked[1]; ++h)
      for (int64_t w = 0; w < walked[2]; ++w)
        for (int64_t tap = 0; tap < s.taps(); ++tap) {
          const int64_t kw = tap % s.kernel[2], kh = tap / s.kernel[2] % s.kernel[1],
                        kd = tap / s.kernel[2] / s.kernel[1];
          const int64_t rd = d * s.stride[0] - s.pad[0] + kd * s.dilation[0];
          const int64_t rh = h * s.stride[1] - s.pad[1] + kh * s.dilation[1];
          const int64_t rw = w * s.stride[2] - s.pad[2] + kw * s.dilation[2];
          if (rd < 0 || rh < 0 || rw < 0 || rd >= reached[0] || rh >= reached[1] || rw >= reached[2]) continue;
          visit((d * walked[1] + h) * walked[2] + w, (rd * reached[1] + rh) * reached[2] + rw, tap);
        }
}

template <class T>
std::vector<double> expected(const Conv<T>& c, bool transposed) {
  const ConvShape& s = c.shape;
  std::vector<double> y(static_cast<size_t>(s.batch * s.out_channels * s.out_pixels()));
  const int64_t gi = s.group_in(), go = s.group_out();
  for (int64_t i = 0; i < s.batch; ++i)
    for (int64_t o = 0; o < s.out_channels; ++o) {
      double* plane = y.data() + (i * s.out_channels + o) * s.out_pixels();
      std::fill(plane, plane + s.out_pixels(), c.bias ? static_cast<double>(c.bias[o]) : 0.0);
      for (int64_t k = 0; k < gi; ++k) {
        const int64_t channel = o / go * gi + k;
        const T* x = c.x + (i * s.in_channels + channel) * s.in_pixels();
        const T* w = transposed ? c.weight + (channel * go + o % go) * s.taps() : c.weight + (o * gi + k) * s.taps();
        for_each_tap<T>(s, transposed ? s.in : s.out, transposed ? s.out : s.in,
                        [&](int64_t walked, int64_t reached, int64_t tap) {
                          const int64_t in = transposed ? walked : reached, out = transposed ? reached : walked;
                          plane[out] += static_cast<double>(x[in]) * static_cast<double>(w[tap]);
                        });
      }
      if (c.clamp)
        for (int64_t p = 0; p < s.out_pixels(); ++p)
          plane[p] = std::clamp(plane[p], static_cast<double>(c.low), static_cast<double>(c.high));
    }
  return y;
}

// [outer][channels][pixels] -> [outer][pixels][channels]
template <class T>
std::vector<T> channels_last(const std::vector<T>& v, int64_t outer, int64_t channels, int64_t pixels) {
  std::vector<T> r(v.size());
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t p = 0; p < pixels; ++p)
        r[static_cast<size_t>((o * pixels + p) * channels + c)] =
            v[static_cast<size_t>((o * channels + c) * pixels + p)];
  return r;
}

template <class A, class B>
void expect_near(const std::vector<A>& got, const std::vector<B>& want) {
  ASSERT_EQ(got.size(), want.size());
  const double tolerance = sizeof(A) == 4 ? 2e-4 : 1e-11;
  for (size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], tolerance) << "element " << i;
}

template <class T>
struct Problem {
  std::vector<T> x, w, b, y;
  Conv<T> conv;
  Problem(const ConvShape& s, bool transposed, bool bias, bool clamp)
      : x(values<T>(s.batch * s.in_channels * s.in_pixels(), 1)),
        w(values<T>((transposed ? s.in_channels * s.group_out() : s.out_channels * s.group_in()) * s.taps(), 2)),
        b(values<T>(s.out_channels, 3)),
        y(static_cast<size_t>(s.batch * s.out_channels * s.out_pixels())) {
    conv.shape = s;
    conv.x = x.data();
    conv.weight = w.data();
    conv.bias = bias ? b.data() : nullptr;
    conv.y = y.data();
    conv.clamp = clamp;
    conv.low = T(-0.3);
    conv.high = T(0.6);
  }
};

// Threads that run the ranges one after the other, last first.
const Workers kReversed{3, [](int64_t tasks, const Workers::Body& body) {
                          for (int64_t t = tasks - 1; t >= 0; --t) body(t, t + 1);
                        }};

template <class T>
void check_forward(const ConvShape& s, bool bias, bool clamp) {
  Problem<T> p(s, false, bias, clamp);
  const std::vector<double> want = expected(p.conv, false);
  conv_nchw(p.conv, kReversed);
  expect_near(p.y, want);
  const bool depthwise = s.groups == s.in_channels && s.in[0] == 1 && s.kernel[0] == 1;
  if (depthwise) {
    std::fill(p.y.begin(), p.y.end(), T(-7));
    depthwise_nchw(p.conv, kReversed);
    expect_near(p.y, want);
  }

  const auto x = channels_last(p.x, s.batch, s.in_channels, s.in_pixels());
  const auto w = channels_last(p.w, s.out_channels, s.group_in(), s.taps());
  const auto want_last = channels_last(want, s.batch, s.out_channels, s.out_pixels());
  Conv<T> last = p.conv;
  last.x = x.data();
  last.weight = w.data();
  conv_nhwc<T>(last, nullptr, kReversed);
  expect_near(p.y, want_last);
  const Scratch<T> packed(packed_nhwc_weight_size<T>(s));
  pack_nhwc_weight(s, w.data(), packed.data());
  std::fill(p.y.begin(), p.y.end(), T(-7));
  conv_nhwc<T>(last, packed.data(), kReversed);
  expect_near(p.y, want_last);
  if (depthwise && s.in_channels == s.out_channels) {
    const auto taps_first = channels_last(p.w, 1, s.out_channels, s.taps());
    last.weight = taps_first.data();
    std::fill(p.y.begin(), p.y.end(), T(-7));
    depthwise_nhwc(last, kReversed);
    expect_near(p.y, want_last);
  }
}

std::vector<ConvShape> forward_shapes() {
  return {
      shape(1, 1, 1, 1, {1, 1}, {1, 1}, 1, 0, 1),    shape(2, 3, 8, 1, {13, 17}, {3, 3}, 1, 1, 1),
      shape(1, 3, 32, 1, {33, 35}, {3, 3}, 2, 1, 1), shape(1, 17, 33, 1, {9, 9}, {1, 1}, 1, 0, 1),
      shape(2, 17, 33, 1, {9, 9}, {1, 1}, 2, 0, 1),  shape(1, 6, 8, 2, {10, 11}, {5, 3}, 2, 2, 2),
      shape(1, 8, 8, 8, {14, 15}, {3, 3}, 1, 1, 1),  shape(2, 5, 5, 5, {14, 67}, {3, 3}, 2, 1, 1),
      shape(1, 70, 70, 70, {7, 7}, {5, 5}, 1, 2, 1), shape(1, 4, 12, 4, {9, 40}, {3, 5}, 1, 2, 2),
      shape(1, 3, 3, 3, {300, 20}, {3, 3}, 1, 1, 1), shape(1, 2, 2, 2, {40, 41}, {7, 7}, 3, 3, 1),
      shape(2, 4, 6, 1, {19}, {5}, 2, 2, 1),         shape(1, 4, 6, 2, {6, 7, 8}, {3, 2, 3}, 2, 1, 1),
      shape(1, 130, 20, 1, {6, 6}, {3, 3}, 1, 1, 1), shape(1, 5, 5, 5, {3, 3}, {3, 3}, 2, 1, 3),
  };
}

TEST(KernelConv, ForwardMatchesPlainLoops) {
  with_each_target([] {
    for (const ConvShape& s : forward_shapes()) {
      SCOPED_TRACE(s.in[2]);
      check_forward<float>(s, false, false);
      check_forward<float>(s, true, true);
      check_forward<double>(s, true, false);
    }
  });
}

TEST(KernelConv, TransposedMatchesPlainLoops) {
  for (const int64_t groups : {1, 2})
    for (const int64_t stride : {1, 2, 3})
      for (const int64_t dilation : {1, 2}) {
        ConvShape s = shape(2, 4, 6, groups, {5, 7}, {3, 4}, stride, 1, dilation);
        for (int d = 1; d < 3; ++d)
          s.out[d] = (s.in[d] - 1) * stride - 2 * s.pad[d] + dilation * (s.kernel[d] - 1) + 1 + (stride - 1);
        for (const bool clamp : {false, true}) {
          Problem<float> p(s, true, true, clamp);
          const std::vector<double> want = expected(p.conv, true);
          conv_transpose_nchw(p.conv, kReversed);
          expect_near(p.y, want);
        }
      }
}

}  // namespace
}  // namespace wick::kernels
