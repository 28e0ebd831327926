// Matrix products and convolutions at the shapes of MobileNetV2 and ResNet50, one thread, in GF/s.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "kernels/conv.h"

namespace wick::kernels {
namespace {

std::vector<float> values(int64_t n) {
  std::vector<float> v(static_cast<size_t>(n));
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i * 2654435761u % 1000) / 500.0f - 1.0f;
  return v;
}

void report(benchmark::State& state, double operations) {
  state.counters["GF/s"] =
      benchmark::Counter(operations * 1e-9, benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}

void run_gemm(benchmark::State& state, int64_t m, int64_t n, int64_t k, bool transposed_b) {
  const auto a = values(m * k), b = values(k * n);
  std::vector<float> c(static_cast<size_t>(m * n));
  Gemm<float> g;
  g.m = m;
  g.n = n;
  g.k = k;
  g.a = a.data();
  g.a_row = k;
  g.b = b.data();
  g.b_row = transposed_b ? 1 : n;
  g.b_col = transposed_b ? k : 1;
  g.c = c.data();
  g.c_row = n;
  for (auto _ : state) gemm(g, Workers{});
  report(state, 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k));
}

enum class Layout { kPlanes, kChannelsLast };

struct Layer {
  const char* name;
  int64_t size, in, out, kernel, stride;
  bool depthwise = false;
};

constexpr Layer kLayers[] = {
    {"mobilenet first", 224, 3, 32, 3, 2},      {"mobilenet pw", 112, 32, 16, 1, 1},
    {"mobilenet pw", 112, 16, 96, 1, 1},        {"mobilenet pw", 56, 144, 24, 1, 1},
    {"mobilenet pw", 28, 32, 192, 1, 1},        {"mobilenet pw", 14, 384, 64, 1, 1},
    {"mobilenet pw", 14, 96, 576, 1, 1},        {"mobilenet pw", 7, 960, 320, 1, 1},
    {"mobilenet pw", 7, 320, 1280, 1, 1},       {"mobilenet dw", 112, 32, 32, 3, 1, true},
    {"mobilenet dw", 112, 96, 96, 3, 2, true},  {"mobilenet dw", 56, 144, 144, 3, 1, true},
    {"mobilenet dw", 14, 576, 576, 3, 1, true}, {"mobilenet dw", 7, 960, 960, 3, 1, true},
    {"resnet first", 224, 3, 64, 7, 2},         {"resnet 3x3", 56, 64, 64, 3, 1},
    {"resnet 3x3", 28, 128, 128, 3, 1},         {"resnet 3x3", 14, 256, 256, 3, 1},
    {"resnet 3x3", 7, 512, 512, 3, 1},          {"resnet 1x1", 56, 64, 256, 1, 1},
    {"resnet 1x1", 14, 1024, 256, 1, 1},        {"resnet 1x1 s2", 14, 1024, 2048, 1, 2},
};

void run_conv(benchmark::State& state, const Layer& layer, Layout layout) {
  ConvShape s;
  s.in_channels = layer.in;
  s.out_channels = layer.out;
  s.groups = layer.depthwise ? layer.in : 1;
  for (int d = 1; d < 3; ++d) {
    s.in[d] = layer.size;
    s.kernel[d] = layer.kernel;
    s.stride[d] = layer.stride;
    s.pad[d] = layer.kernel / 2;
    s.out[d] = (layer.size + 2 * s.pad[d] - layer.kernel) / layer.stride + 1;
  }
  const auto x = values(s.in_channels * s.in_pixels()), w = values(s.out_channels * s.group_in() * s.taps());
  const auto bias = values(s.out_channels);
  std::vector<float> y(static_cast<size_t>(s.out_channels * s.out_pixels()));
  const Scratch<float> packed(packed_nhwc_weight_size<float>(s));
  pack_nhwc_weight(s, w.data(), packed.data());
  Conv<float> conv;
  conv.shape = s;
  conv.x = x.data();
  conv.weight = w.data();
  conv.bias = bias.data();
  conv.y = y.data();
  const bool last = layout == Layout::kChannelsLast;
  for (auto _ : state) {
    if (layer.depthwise) {
      last ? depthwise_nhwc(conv, Workers{}) : depthwise_nchw(conv, Workers{});
    } else {
      last ? conv_nhwc<float>(conv, packed.data(), Workers{}) : conv_nchw(conv, Workers{});
    }
  }
  report(state, 2.0 * static_cast<double>(s.out_channels * s.out_pixels() * s.group_in() * s.taps()));
}

}  // namespace
}  // namespace wick::kernels

int main(int argc, char** argv) {
  using namespace wick::kernels;
  const int64_t products[][3] = {{512, 512, 512}, {64, 12544, 64}, {1, 1000, 1280}, {16, 1000, 2048}, {128, 768, 768}};
  for (const auto& p : products)
    for (const bool transposed : {false, true}) {
      const std::string name = "gemm " + std::to_string(p[0]) + "x" + std::to_string(p[1]) + "x" +
                               std::to_string(p[2]) + (transposed ? " B^T" : "");
      benchmark::RegisterBenchmark(name.c_str(), run_gemm, p[0], p[1], p[2], transposed);
    }
  for (const Layer& layer : kLayers)
    for (const Layout layout : {Layout::kPlanes, Layout::kChannelsLast}) {
      const std::string name = std::string(layer.name) + " " + std::to_string(layer.size) + " " +
                               std::to_string(layer.in) + "-" + std::to_string(layer.out) +
                               (layout == Layout::kPlanes ? " NCHW" : " NHWC");
      benchmark::RegisterBenchmark(name.c_str(), run_conv, layer, layout);
    }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
