// XNNPACK as a backend, in builds with WICK_XNNPACK: the same numbers as the library's own kernels.
#include "kernels/xnnpack.h"

#include <gtest/gtest.h>

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

TEST(Xnnpack, GivesWhatOwnKernelsGive) {
  const Layer layers[] = {{14, 24, 40, 1, 1},        {14, 24, 40, 1, 2},       {9, 16, 20, 3, 1},
                          {9, 16, 20, 3, 2},         {11, 8, 12, 3, 1, 2},     {9, 16, 32, 3, 1, 1, 4},
                          {13, 24, 24, 3, 1, 1, 24}, {13, 24, 24, 5, 2, 1, 24}};
  for (const Layer& l : layers) {
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
    const auto x = waves(s.batch * s.in_pixels() * l.in, 0.7F), weight = waves(l.out * s.group_in() * s.taps(), 0.3F);
    const auto scale = waves(l.out, 0.5F), bias = waves(l.out, 0.9F);
    auto own = waves(s.batch * s.out_pixels() * l.out, 0), other = own;
    const std::unique_ptr<XnnpackConv> peer =
        XnnpackConv::make(s, weight.data(), scale.data(), bias.data(), -1.5F, 2.5F);
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
    for (int repeat = 0; repeat < 2; ++repeat) {
      peer->run(x.data(), other.data());
      for (size_t i = 0; i < own.size(); ++i) ASSERT_NEAR(own[i], other[i], 1e-4) << "element " << i;
    }
  }
}

}  // namespace
}  // namespace wick::kernels
