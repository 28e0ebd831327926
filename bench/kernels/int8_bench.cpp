// 8-bit convolutions and dense layers, one thread: MobileNetV2's and ResNet50's shapes.
#include <string>
#include <vector>

#include "kernels/int8.h"
#include "kernels/measure.h"

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
                             {"depthwise 5x5", 120, 120, 120, 28, 5, 1}};

void run_layer(benchmark::State& state, const Layer& l, Int8Form form) {
  ConvShape s;
  s.in_channels = l.in;
  s.out_channels = l.out;
  s.groups = l.groups;
  for (size_t d : {1u, 2u}) {
    s.in[d] = l.size;
    s.kernel[d] = l.kernel;
    s.stride[d] = l.stride;
    s.pad[d] = l.kernel / 2;
    s.out[d] = (l.size + 2 * s.pad[d] - l.kernel) / l.stride + 1;
  }
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
  Best best;
  for (auto _ : state) {
    state.SetIterationTime(best.time([&] {
      if (depthwise) {
        int8_depthwise(conv, scratch.data(), Workers{});
      } else {
        int8_conv(conv, scratch.data(), Workers{});
      }
    }));
  }
  const double operations = 2.0 * static_cast<double>(s.out_pixels()) * static_cast<double>(l.out) *
                            static_cast<double>(s.taps() * s.group_in());
  state.counters["GOP/s"] = operations / best.seconds() * 1e-9;
  state.counters["best_us"] = best.seconds() * 1e6;
}

}  // namespace

void register_int8() {
  for (const Layer& l : kLayers) {
    for (const Int8Form form : {Int8Form::kQuads, Int8Form::kPairs}) {
      if (form == Int8Form::kQuads && !has_int8_dot()) continue;
      const std::string name = std::string("int8 ") + l.name + " " + std::to_string(l.size) + " " +
                               std::to_string(l.in) + "-" + std::to_string(l.out) +
                               (form == Int8Form::kQuads ? "/dot" : "/pairs");
      benchmark::RegisterBenchmark(name.c_str(), [&l, form](benchmark::State& state) {
        run_layer(state, l, form);
      })->UseManualTime();
    }
  }
}

}  // namespace wick::bench
