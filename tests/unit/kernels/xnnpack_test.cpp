// XNNPACK as a backend, in builds with WICK_XNNPACK: the same numbers as the library's own kernels.
#include "kernels/xnnpack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace wick::kernels {
namespace {

std::vector<float> waves(int64_t count, float step) {
  std::vector<float> out(static_cast<size_t>(count) + kXnnpackExtraBytes / sizeof(float));
  for (size_t i = 0; i < out.size(); ++i) out[i] = std::sin(step * static_cast<float>(i) + 0.3F);
  return out;
}

struct Layer {
  int64_t size, in, out, kernel, stride, dilation = 1, groups = 1;
};
constexpr Layer kLayers[] = {{14, 24, 40, 1, 1},        {14, 24, 40, 1, 2},       {9, 16, 20, 3, 1},
                             {9, 16, 20, 3, 2},         {11, 8, 12, 3, 1, 2},     {9, 16, 32, 3, 1, 1, 4},
                             {13, 24, 24, 3, 1, 1, 24}, {13, 24, 24, 5, 2, 1, 24}};

ConvShape shape_of(const Layer& l) {
  ConvShape s;
  s.batch = 2;
  s.in_channels = l.in;
  s.out_channels = l.out;
  s.groups = l.groups;
  for (int d = 1; d < 3; ++d) {
    s.in[d] = l.size;
    s.kernel[d] = l.kernel;
    s.stride[d] = l.stride;
    s.dilation[d] = l.dilation;
    s.pad[d] = l.kernel / 2 * l.dilation;
    s.out[d] = (l.size + 2 * s.pad[d] - l.dilation * (l.kernel - 1) - 1) / l.stride + 1;
  }
  return s;
}

TEST(Xnnpack, ConvolvesAsOwnKernels) {
  for (const Layer& l : kLayers) {
    const ConvShape s = shape_of(l);
    const auto x = waves(s.batch * s.in_pixels() * l.in, 0.7F), weight = waves(l.out * s.group_in() * s.taps(), 0.3F);
    const auto scale = waves(l.out, 0.5F), bias = waves(l.out, 0.9F);
    auto own = waves(s.batch * s.out_pixels() * l.out, 0), other = own;
    const auto peer = XnnpackLayer::conv(s, weight.data(), scale.data(), bias.data(), -1.5F, 2.5F);
    ASSERT_NE(peer, nullptr);
    Conv2d conv;
    conv.shape = s;
    conv.method = choose_conv(s, true, 1);
    const Scratch<float> packed(packed_conv_size(s, conv.method));
    pack_conv(s, conv.method, weight.data(), scale.data(), packed.data());
    conv.weights = packed.data();
    conv.bias = bias.data();
    conv.x = dense_view(x.data(), s.in[1], s.in[2], l.in);
    conv.y = dense_view(own.data(), s.out[1], s.out[2], l.out);
    conv.epilogue.low = -1.5F;
    conv.epilogue.high = 2.5F;
    run_conv(conv, nullptr, Workers{});
    for (const int threads : {1, 2, 3, 1}) {
      peer->run(x.data(), other.data(), nullptr, threads);
      for (size_t i = 0; i < own.size(); ++i) ASSERT_NEAR(own[i], other[i], 1e-4) << "element " << i;
    }
  }
}

TEST(Xnnpack, MultipliesRowsThatLieApart) {
  constexpr int64_t kRows = 7, kIn = 37, kOut = 21, kInStep = 40, kOutStep = 23;
  const auto x = waves(kRows * kInStep, 0.7F), weight = waves(kOut * kIn, 0.3F), bias = waves(kOut, 0.9F);
  const auto peer = XnnpackLayer::dense(kRows, kIn, kOut, kInStep, kOutStep, weight.data(), bias.data(), -1.0F, 2.0F);
  ASSERT_NE(peer, nullptr);
  for (const int threads : {1, 2}) {
    auto y = waves(kRows * kOutStep, 0);
    peer->run(x.data(), y.data(), nullptr, threads);
    for (int64_t r = 0; r < kRows; ++r)
      for (int64_t o = 0; o < kOut; ++o) {
        double sum = bias[static_cast<size_t>(o)];
        for (int64_t k = 0; k < kIn; ++k) {
          sum +=
              static_cast<double>(x[static_cast<size_t>(r * kInStep + k)]) * weight[static_cast<size_t>(o * kIn + k)];
        }
        ASSERT_NEAR(y[static_cast<size_t>(r * kOutStep + o)], std::clamp(sum, -1.0, 2.0), 1e-4);
      }
  }
}

// Integers as Wick's own kernels define them: round(float(sum) * multiplier) + zero within a range, ties to even.
std::vector<uint8_t> byte_reference(const ConvShape& s, const XnnpackBytes& b, const std::vector<uint8_t>& x) {
  std::vector<uint8_t> y;
  const int64_t in = s.group_in(), per_group = s.group_out();
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t p = 0; p < s.out_pixels(); ++p)
      for (int64_t o = 0; o < s.out_channels; ++o) {
        int32_t sum = b.bias[o];
        for (int64_t t = 0; t < s.taps(); ++t) {
          const int64_t row = p / s.out[2] * s.stride[1] - s.pad[1] + t / s.kernel[2] * s.dilation[1];
          const int64_t column = p % s.out[2] * s.stride[2] - s.pad[2] + t % s.kernel[2] * s.dilation[2];
          if (row < 0 || row >= s.in[1] || column < 0 || column >= s.in[2]) continue;
          for (int64_t c = 0; c < in; ++c) {
            const int64_t at = ((n * s.in[1] + row) * s.in[2] + column) * s.in_channels + o / per_group * in + c;
            sum +=
                (x[static_cast<size_t>(at)] - b.in_zero) * (b.weight[(o * s.taps() + t) * in + c] - b.weight_zeros[o]);
          }
        }
        const float value = std::nearbyint(static_cast<float>(sum) * b.multipliers[o]) + static_cast<float>(b.out_zero);
        y.push_back(static_cast<uint8_t>(std::clamp(value, static_cast<float>(b.low), static_cast<float>(b.high))));
      }
  return y;
}

struct ByteCase {
  std::vector<int8_t> weight;
  std::vector<int32_t> zeros, bias;
  std::vector<float> multipliers;
  XnnpackBytes bytes;

  ByteCase(int64_t weights, int64_t outputs, bool per_channel, int32_t weight_zero) {
    for (int64_t i = 0; i < weights; ++i) weight.push_back(static_cast<int8_t>(i * 73 % 255 - 127));
    for (int64_t o = 0; o < outputs; ++o) {
      zeros.push_back(weight_zero);
      bias.push_back(static_cast<int32_t>(o * 977 % 4001 - 2000));
      multipliers.push_back(per_channel ? 0.0007F + 0.00003F * static_cast<float>(o) : 0.00113F);
    }
    bytes = {121, 57, 57, 250, multipliers.data(), weight.data(), zeros.data(), bias.data()};
  }
};

std::vector<uint8_t> byte_waves(int64_t count) {
  std::vector<uint8_t> out;
  for (int64_t i = 0; i < count; ++i) out.push_back(static_cast<uint8_t>(i * 2654435761 >> 7));
  return out;
}

void expect_same_bytes(const ConvShape& s, XnnpackLayer* layer, const XnnpackBytes& bytes) {
  ASSERT_NE(layer, nullptr);
  auto x = byte_waves(s.batch * s.in_pixels() * s.in_channels);
  const std::vector<uint8_t> expected = byte_reference(s, bytes, x);
  x.resize(x.size() + kXnnpackExtraBytes);
  const Scratch<uint8_t> scratch(layer->scratch_size());
  for (const int threads : {1, 2, 1}) {
    std::vector<uint8_t> y(expected.size());
    layer->run(x.data(), y.data(), scratch.data(), threads);
    ASSERT_EQ(y, expected);
  }
}

TEST(Xnnpack, ConvolvesBytesToTheSameIntegers) {
  for (const Layer& l : kLayers) {
    const ConvShape s = shape_of(l);
    for (const bool per_channel : {false, true})
      for (const int32_t zero : {0, 5}) {
        const ByteCase c(l.out * s.taps() * s.group_in(), l.out, per_channel, zero);
        const auto layer = XnnpackLayer::byte_conv(s, c.bytes);
        if (per_channel && zero != 0) {
          EXPECT_EQ(layer, nullptr);
        } else {
          expect_same_bytes(s, layer.get(), c.bytes);
        }
      }
  }
}

TEST(Xnnpack, MultipliesRowsOfBytesToTheSameIntegers) {
  for (const int64_t rows : {1, 2, 7})
    for (const bool per_channel : {false, true}) {
      const ByteCase c(int64_t{37} * 21, 21, per_channel, 0);
      ConvShape s;
      s.in_channels = 37;
      s.out_channels = 21;
      s.in[2] = s.out[2] = rows;
      expect_same_bytes(s, XnnpackLayer::byte_dense(rows, 37, 21, c.bytes).get(), c.bytes);
    }
}

}  // namespace
}  // namespace wick::kernels
