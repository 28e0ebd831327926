// Convolutions with channels last at the shapes of well-known networks, one thread, XNNPACK's in turns with ours.
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "kernels/conv_chain.h"
#include "kernels/measure.h"
#include "kernels/winograd.h"
#include "kernels/xnnpack.h"

namespace wick::bench {
namespace {

using namespace kernels;

struct Layer {
  const char* name;
  int64_t size, in, out, kernel, stride, dilation = 1, groups = 1;
};
Layer depthwise(const char* name, int64_t size, int64_t channels, int64_t kernel, int64_t stride) {
  return {name, size, channels, channels, kernel, stride, 1, channels};
}

std::vector<Layer> layers() {
  return {
      {"mobilenet_v2/first", 224, 3, 32, 3, 2},
      {"mobilenet_v2/pw", 112, 32, 16, 1, 1},
      {"mobilenet_v2/pw", 112, 16, 96, 1, 1},
      {"mobilenet_v2/pw", 56, 96, 24, 1, 1},
      {"mobilenet_v2/pw", 56, 24, 144, 1, 1},
      {"mobilenet_v2/pw", 28, 144, 32, 1, 1},
      {"mobilenet_v2/pw", 28, 32, 192, 1, 1},
      {"mobilenet_v2/pw", 14, 64, 384, 1, 1},
      {"mobilenet_v2/pw", 14, 384, 96, 1, 1},
      {"mobilenet_v2/pw", 7, 160, 960, 1, 1},
      {"mobilenet_v2/pw", 7, 960, 320, 1, 1},
      {"mobilenet_v2/pw", 7, 320, 1280, 1, 1},
      depthwise("mobilenet_v2/dw", 112, 32, 3, 1),
      depthwise("mobilenet_v2/dw", 112, 96, 3, 2),
      depthwise("mobilenet_v2/dw", 56, 144, 3, 1),
      depthwise("mobilenet_v2/dw", 28, 192, 3, 1),
      depthwise("mobilenet_v2/dw", 14, 576, 3, 1),
      depthwise("mobilenet_v2/dw", 14, 576, 3, 2),
      depthwise("mobilenet_v2/dw", 7, 960, 3, 1),
      depthwise("mobilenet_v3/dw", 28, 120, 5, 1),
      depthwise("mobilenet_v3/dw", 14, 672, 5, 2),
      depthwise("mobilenet_v3/dw", 7, 960, 5, 1),
      {"resnet/first", 224, 3, 64, 7, 2},
      {"resnet/3x3", 56, 64, 64, 3, 1},
      {"resnet/3x3", 28, 128, 128, 3, 1},
      {"resnet/3x3", 14, 256, 256, 3, 1},
      {"resnet/3x3", 7, 512, 512, 3, 1},
      {"resnet/3x3 s2", 56, 128, 128, 3, 2},
      {"resnet/1x1", 56, 64, 256, 1, 1},
      {"resnet/1x1", 28, 512, 128, 1, 1},
      {"resnet/1x1", 14, 1024, 256, 1, 1},
      {"resnet/1x1", 7, 512, 2048, 1, 1},
      {"resnet/1x1 s2", 14, 1024, 2048, 1, 2},
      {"resnext/3x3 g32", 28, 256, 256, 3, 1, 1, 32},
      {"resnext/3x3 g32", 56, 128, 128, 3, 1, 1, 32},
      {"resnext/3x3 g32 s2", 28, 512, 512, 3, 2, 1, 32},
      {"resnext/3x3 g32", 14, 512, 512, 3, 1, 1, 32},
      {"resnext/3x3 g32", 7, 1024, 1024, 3, 1, 1, 32},
      {"regnet/3x3 g24", 14, 336, 336, 3, 1, 1, 14},
      {"resnext/3x3 g32 s2", 56, 256, 256, 3, 2, 1, 32},
      {"deeplab/3x3 d2", 50, 256, 256, 3, 1, 2},
      {"deeplab/aspp d12", 50, 2048, 256, 3, 1, 12},
  };
}

ConvShape shape_of(const Layer& layer) {
  ConvShape s;
  s.in_channels = layer.in;
  s.out_channels = layer.out;
  s.groups = layer.groups;
  for (int d = 1; d < 3; ++d) {
    s.in[d] = layer.size;
    s.kernel[d] = layer.kernel;
    s.stride[d] = layer.stride;
    s.dilation[d] = layer.dilation;
    s.pad[d] = layer.kernel / 2 * layer.dilation;
    s.out[d] = (layer.size + 2 * s.pad[d] - layer.dilation * (layer.kernel - 1) - 1) / layer.stride + 1;
  }
  return s;
}
double flops(const ConvShape& s) {
  return 2.0 * static_cast<double>(s.out_channels * s.out_pixels() * s.group_in() * s.taps());
}

// A layer with its memory, ready to run.
struct Bound {
  Scratch<float> x, y, weight, bias, packed, scratch;
  Conv2d conv;

  Bound(const ConvShape& s, ConvMethod method)
      : x(values(s.in_pixels() * s.in_channels)),
        y(values(s.out_pixels() * s.out_channels)),
        weight(values(s.out_channels * s.group_in() * s.taps())),
        bias(values(s.out_channels)),
        packed(packed_conv_size(s, method)),
        scratch(conv_scratch_size(s, method, 1)) {
    pack_conv(s, method, weight.data(), nullptr, packed.data());
    conv.shape = s;
    conv.method = method;
    conv.weights = packed.data();
    conv.bias = bias.data();
    conv.x = dense_view<const float>(x.data(), s.in[1], s.in[2], s.in_channels);
    conv.y = dense_view(y.data(), s.out[1], s.out[2], s.out_channels);
    conv.epilogue.low = 0;
    conv.epilogue.high = 6;
  }
  void run() { run_conv(conv, scratch.data(), Workers{}); }
};

// XNNPACK's method for a layer; empty where the library is not installed, or has none.
std::function<void(const float*, float*)> xnnpack(const ConvShape& s, const float* weight, const float* bias) {
#ifdef WICK_BENCH_XNNPACK
  if (std::shared_ptr<XnnpackLayer> layer = XnnpackLayer::conv(s, weight, nullptr, bias, 0, 6)) {
    return [layer](const float* x, float* y) { layer->run(x, y, nullptr, 1); };
  }
#endif
  return nullptr;
}

void run_layer(benchmark::State& state, const ConvShape& s, ConvMethod method) {
  Bound layer(s, method);
  const auto peer = xnnpack(s, layer.weight.data(), layer.bias.data());
  Best ours, theirs;
  for (auto _ : state) {
    state.SetIterationTime(ours.time([&] { layer.run(); }));
    if (peer) theirs.time([&] { peer(layer.x.data(), layer.y.data()); });
  }
  report_flops(state, flops(s), ours);
  if (peer) state.counters["xnnpack_GF/s"] = flops(s) / theirs.seconds() * 1e-9;
}

// An inverted residual block in bands, and layer after layer.
void run_block(benchmark::State& state, int64_t size, int64_t in, int64_t hidden, int64_t out, int64_t stride) {
  const ConvShape first = shape_of({"", size, in, hidden, 1, 1});
  const ConvShape second = shape_of(depthwise("", size, hidden, 3, stride));
  const ConvShape third = shape_of({"", second.out[1], hidden, out, 1, 1});
  Bound expand(first, ConvMethod::kDirect), middle(second, ConvMethod::kDepthwise), project(third, ConvMethod::kDirect);
  project.conv.epilogue = {};
  middle.conv.x.data = expand.y.data();
  project.conv.x.data = middle.y.data();
  const ConvChain chain{expand.conv, middle.conv, project.conv};
  const Scratch<float> scratch(chain_scratch_size(chain, 1));
  Best fused, separate;
  for (auto _ : state) {
    state.SetIterationTime(fused.time([&] { run_chain(chain, scratch.data(), Workers{}); }));
    separate.time([&] {
      expand.run();
      middle.run();
      project.run();
    });
  }
  report_flops(state, flops(first) + flops(second) + flops(third), fused);
  state.counters["separate_us"] = separate.seconds() * 1e6;
  state.counters["chain_pays"] = chain_pays(first);
}

}  // namespace

void register_convs() {
  for (const Layer& layer : layers()) {
    const ConvShape s = shape_of(layer);
    std::vector<ConvMethod> methods = {choose_conv(s, false, 1)};
    if (is_grouped_conv(s)) methods.push_back(ConvMethod::kDirect);
    if (winograd_supports(s)) {
      for (const ConvMethod m : {ConvMethod::kDirect, ConvMethod::kWinograd2, ConvMethod::kWinograd4})
        if (m != methods[0]) methods.push_back(m);
    }
    for (const ConvMethod method : methods) {
      const std::string name = std::string(layer.name) + " " + std::to_string(layer.size) + " " +
                               std::to_string(layer.in) + "-" + std::to_string(layer.out) + " s" +
                               std::to_string(layer.stride) + "/" + method_name(method) +
                               (method == methods[0] ? " (chosen)" : "");
      benchmark::RegisterBenchmark(name.c_str(), run_layer, s, method)->UseManualTime();
    }
  }
  const int64_t blocks[][5] = {{112, 16, 96, 24, 2}, {56, 24, 144, 24, 1}, {56, 24, 144, 32, 2},
                               {28, 32, 192, 32, 1}, {14, 64, 384, 64, 1}, {7, 160, 960, 160, 1}};
  for (const auto& b : blocks) {
    const std::string name = "inverted residual " + std::to_string(b[0]) + " " + std::to_string(b[1]) + "-" +
                             std::to_string(b[2]) + "-" + std::to_string(b[3]) + " s" + std::to_string(b[4]);
    benchmark::RegisterBenchmark(name.c_str(), run_block, b[0], b[1], b[2], b[3], b[4])->UseManualTime();
  }
}

}  // namespace wick::bench
