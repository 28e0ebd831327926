// 8-bit convolutions and dense layers, one thread: MobileNetV2's and ResNet50's shapes, XNNPACK's beside.
#ifdef WICK_BENCH_XNNPACK
#include <xnnpack.h>
#endif

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

ConvShape shape_of(const Layer& l) {
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
  return s;
}

void report(benchmark::State& state, const ConvShape& s, const Best& best) {
  const double operations = 2.0 * static_cast<double>(s.out_pixels()) * static_cast<double>(s.out_channels) *
                            static_cast<double>(s.taps() * s.group_in());
  state.counters["GOP/s"] = operations / best.seconds() * 1e-9;
  state.counters["best_us"] = best.seconds() * 1e6;
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
  report(state, s, best);
}

#ifdef WICK_BENCH_XNNPACK
// Signed bytes with a scale for each channel: what its quantised models use.
void run_xnnpack(benchmark::State& state, const Layer& l) {
  const ConvShape s = shape_of(l);
  const auto kernel = static_cast<uint32_t>(l.kernel), pad = kernel / 2, stride = static_cast<uint32_t>(l.stride);
  const auto groups = static_cast<uint32_t>(l.groups);
  const auto in = static_cast<size_t>(l.in), out = static_cast<size_t>(l.out), size = static_cast<size_t>(l.size);
  const std::vector<int8_t> w(out * in / groups * kernel * kernel, 3);
  const std::vector<int32_t> bias(out, 1);
  const std::vector<float> scale(out, 0.001f);
  const std::vector<int8_t> x(size * size * in + XNN_EXTRA_BYTES, 100);
  std::vector<int8_t> y(static_cast<size_t>(s.out_pixels()) * out);
  xnn_operator_t op = nullptr;
  if (xnn_initialize(nullptr) != xnn_status_success ||
      xnn_create_convolution2d_nhwc_qc8(pad, pad, pad, pad, kernel, kernel, stride, stride, 1, 1, groups, in / groups,
                                        out / groups, in, out, 0, 1.0f, scale.data(), w.data(), bias.data(), 0, 1.0f,
                                        -128, 127, 0, &op) != xnn_status_success ||
      xnn_setup_convolution2d_nhwc_qc8(op, 1, size, size, x.data(), y.data(), nullptr) != xnn_status_success) {
    state.SkipWithError("XNNPACK refuses the layer");
    return;
  }
  Best best;
  for (auto _ : state) state.SetIterationTime(best.time([&] { xnn_run_operator(op, nullptr); }));
  xnn_delete_operator(op);
  report(state, s, best);
}
#endif

}  // namespace

void register_int8() {
  for (const Layer& l : kLayers) {
    const std::string name = std::string("int8 ") + l.name + " " + std::to_string(l.size) + " " + std::to_string(l.in) +
                             "-" + std::to_string(l.out);
    auto add = [&](const char* suffix, auto run) {
      benchmark::RegisterBenchmark((name + suffix).c_str(), run)->UseManualTime();
    };
    if (best_int8_form() != Int8Form::kPairs) {
      add("/dot", [&l](benchmark::State& state) { run_layer(state, l, best_int8_form()); });
    }
    add("/pairs", [&l](benchmark::State& state) { run_layer(state, l, Int8Form::kPairs); });
#ifdef WICK_BENCH_XNNPACK
    add("/xnnpack", [&l](benchmark::State& state) { run_xnnpack(state, l); });
#endif
  }
}

}  // namespace wick::bench
