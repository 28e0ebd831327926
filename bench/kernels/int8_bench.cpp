// 8-bit convolutions and dense layers, one thread: MobileNetV2's and ResNet50's shapes, XNNPACK's in turns with ours,
// with one scale for the weights and with one for each channel.
#include <functional>
#include <string>
#include <vector>

#include "kernels/int8.h"
#include "kernels/measure.h"
#include "kernels/xnnpack.h"

namespace wick::bench {
namespace {

using namespace kernels;

struct Layer {
  const char* name;
  int64_t in, out, groups, size, kernel, stride;
};
constexpr Layer kLayers[] = {{"stem 3x3 s2", 3, 32, 1, 224, 3, 2},
                             {"1x1", 32, 16, 1, 112, 1, 1},
                             {"1x1", 16, 96, 1, 112, 1, 1},
                             {"1x1", 144, 24, 1, 56, 1, 1},
                             {"1x1", 24, 144, 1, 56, 1, 1},
                             {"1x1", 96, 576, 1, 14, 1, 1},
                             {"1x1", 960, 160, 1, 7, 1, 1},
                             {"1x1", 320, 1280, 1, 7, 1, 1},
                             {"3x3", 64, 64, 1, 56, 3, 1},
                             {"3x3", 256, 256, 1, 14, 3, 1},
                             {"3x3", 512, 512, 1, 7, 3, 1},
                             {"depthwise", 32, 32, 32, 112, 3, 1},
                             {"depthwise s2", 96, 96, 96, 112, 3, 2},
                             {"depthwise", 144, 144, 144, 56, 3, 1},
                             {"depthwise", 384, 384, 384, 14, 3, 1},
                             {"depthwise", 960, 960, 960, 7, 3, 1},
                             {"depthwise 5x5", 120, 120, 120, 28, 5, 1},
                             {"dense", 1280, 1000, 1, 1, 1, 1},
                             {"dense 128 rows", 768, 3072, 1, -128, 1, 1}};

ConvShape shape_of(const Layer& l) {
  ConvShape s;
  s.in_channels = l.in;
  s.out_channels = l.out;
  s.groups = l.groups;
  if (l.size < 0) s.in[2] = s.out[2] = -l.size;  // rows
  for (size_t d : {1u, 2u}) {
    if (l.size < 0) break;
    s.in[d] = l.size;
    s.kernel[d] = l.kernel;
    s.stride[d] = l.stride;
    s.pad[d] = l.kernel / 2;
    s.out[d] = (l.size + 2 * s.pad[d] - l.kernel) / l.stride + 1;
  }
  return s;
}

double operations(const ConvShape& s) {
  return 2.0 * static_cast<double>(s.out_pixels()) * static_cast<double>(s.out_channels) *
         static_cast<double>(s.taps() * s.group_in());
}

// XNNPACK's method for a layer; empty where the library is not installed, or has none.
std::function<void()> xnnpack(const ConvShape& s, bool per_channel) {
#ifdef WICK_BENCH_XNNPACK
  struct Peer {
    std::vector<uint8_t> x, y, scratch;
    std::unique_ptr<XnnpackLayer> layer;
  };
  const auto channels = static_cast<size_t>(s.out_channels);
  const std::vector<int8_t> weight(channels * static_cast<size_t>(s.taps() * s.group_in()), 3);
  const std::vector<int32_t> zeros(channels, 0), bias(channels, 1);
  std::vector<float> scale(channels, 0.001f);
  if (per_channel) scale[0] = 0.002f;
  const auto peer = std::make_shared<Peer>();
  peer->x.assign(static_cast<size_t>(s.in_pixels() * s.in_channels) + kXnnpackExtraBytes, 100);
  peer->y.resize(static_cast<size_t>(s.out_pixels() * s.out_channels));
  peer->layer = XnnpackLayer::byte_conv(s, {0, 0, 0, 255, scale.data(), weight.data(), zeros.data(), bias.data()});
  if (peer->layer) {
    peer->scratch.resize(peer->layer->scratch_size());
    return [peer] { peer->layer->run(peer->x.data(), peer->y.data(), peer->scratch.data(), 1); };
  }
#else
  (void)s, (void)per_channel;
#endif
  return nullptr;
}

void run_layer(benchmark::State& state, const Layer& l, Int8Form form) {
  const ConvShape s = shape_of(l);
  const bool depthwise = is_int8_depthwise(s);
  const int64_t words = depthwise ? 0 : int8_conv_words(s);
  const std::vector<int16_t> w(static_cast<size_t>(depthwise ? l.in * s.taps() : l.out * words * kInt8Word), 3);
  const Scratch<uint8_t> weights(depthwise ? int8_depthwise_size(s, form) : int8_weights_size(l.out, words, form));
  const auto columns = static_cast<size_t>(depthwise ? int8_depthwise_columns(l.in) : int8_columns(l.out));
  if (depthwise) {
    pack_int8_depthwise(w.data(), s, form, weights.data());
  } else {
    pack_int8_weights(w.data(), l.out, words, form, Int8Order::kNarrowing, weights.data());
  }
  const std::vector<int32_t> start(columns, 1);
  const std::vector<float> scale(columns, 0.001f);
  const std::vector<uint8_t> x(static_cast<size_t>(s.in_pixels() * l.in), 100);
  std::vector<uint8_t> y(static_cast<size_t>(s.out_pixels() * l.out));
  const Scratch<uint8_t> scratch(int8_conv_scratch(s) + static_cast<size_t>(l.in));
  Int8Conv conv;
  conv.shape = s;
  conv.form = form;
  conv.x = x.data();
  conv.weights = weights.data();
  conv.result.start = start.data();
  conv.result.scale = scale.data();
  conv.y = y.data();
  const auto one_scale = xnnpack(s, false), scales = xnnpack(s, true);
  Best best, peer_one, peer_scales;
  for (auto _ : state) {
    state.SetIterationTime(best.time([&] {
      if (depthwise) {
        int8_depthwise(conv, scratch.data(), Workers{});
      } else {
        int8_conv(conv, scratch.data(), Workers{});
      }
    }));
    if (one_scale) peer_one.time(one_scale);
    if (scales) peer_scales.time(scales);
  }
  state.counters["GOP/s"] = operations(s) / best.seconds() * 1e-9;
  state.counters["best_us"] = best.seconds() * 1e6;
  if (one_scale) state.counters["xnnpack_GOP/s"] = operations(s) / peer_one.seconds() * 1e-9;
  if (scales) state.counters["xnnpack_scales_GOP/s"] = operations(s) / peer_scales.seconds() * 1e-9;
}

}  // namespace

void register_int8() {
  for (const Layer& l : kLayers) {
    const std::string name = std::string("int8 ") + l.name + " " + (l.size > 0 ? std::to_string(l.size) + " " : "") +
                             std::to_string(l.in) + "-" + std::to_string(l.out);
    auto add = [&](const char* suffix, auto run) {
      benchmark::RegisterBenchmark((name + suffix).c_str(), run)->UseManualTime();
    };
    if (best_int8_form() != Int8Form::kPairs) {
      add("/dot", [&l](benchmark::State& state) { run_layer(state, l, best_int8_form()); });
    }
    add("/pairs", [&l](benchmark::State& state) { run_layer(state, l, Int8Form::kPairs); });
  }
}

}  // namespace wick::bench
