// Matrix products, attention, row kernels and layout changes, one thread.
#include <cmath>
#include <limits>
#include <string>

#include "kernels/attention.h"
#include "kernels/gemm.h"
#include "kernels/layout.h"
#include "kernels/measure.h"
#include "kernels/norm.h"
#include "kernels/product.h"
#include "kernels/recurrent.h"
#include "kernels/weight_only.h"
#include "kernels/xnnpack.h"

namespace wick::bench {
namespace {

using namespace kernels;

double as_double(int64_t n) { return static_cast<double>(n); }

void run_packed(benchmark::State& state, int64_t m, int64_t n, int64_t k) {
  const auto a = values(m * k), b = values(k * n), bias = values(n);
  const auto c = values(m * n);
  const Scratch<float> packed(packed_b_size<float>(n, k));
  pack_b(b.data(), 1, k, n, k, packed.data());
  Segment segments[kRowSegments];
  Product p;
  p.pixels = p.width = m;
  p.a = {a.data(), 0, k};
  p.c = {c.data(), 0, n};
  p.segments = segments;
  p.segment_count = row_segments(k, segments);
  p.b = packed.data();
  p.n = n;
  p.k = k;
  p.bias = bias.data();
  const double operations = 2.0 * as_double(m) * as_double(n) * as_double(k);
  Best best;
#ifdef WICK_BENCH_XNNPACK
  const float none = std::numeric_limits<float>::infinity();
  const auto peer = XnnpackLayer::dense(m, k, n, k, n, b.data(), bias.data(), -none, none);
  Best theirs;
  for (auto _ : state) {
    state.SetIterationTime(best.time([&] { product(p, Workers{}); }));
    if (peer) theirs.time([&] { peer->run(a.data(), c.data(), nullptr, 1); });
  }
  if (peer) state.counters["xnnpack_GF/s"] = operations / theirs.seconds() * 1e-9;
#else
  for (auto _ : state) state.SetIterationTime(best.time([&] { product(p, Workers{}); }));
#endif
  report_flops(state, operations, best);
  if (m == 1) state.counters["GB/s"] = 4.0 * as_double(n) * as_double(k) / best.seconds() * 1e-9;
}

void run_plain(benchmark::State& state, int64_t m, int64_t n, int64_t k, bool transposed) {
  const auto a = values(m * k), b = values(k * n);
  const auto c = values(m * n);
  Gemm<float> g;
  g.m = m, g.n = n, g.k = k;
  g.a = a.data(), g.a_row = k;
  g.b = b.data(), g.b_row = transposed ? 1 : n, g.b_col = transposed ? k : 1;
  g.c = c.data(), g.c_row = n;
  Best best;
  for (auto _ : state) state.SetIterationTime(best.time([&] { gemm(g, Workers{}); }));
  report_flops(state, 2.0 * as_double(m) * as_double(n) * as_double(k), best);
}

// Weights of `bits` bits, groups of 32 columns having scales; beside the same product of floats, as they lie in a
// model.
void run_weight_only(benchmark::State& state, int bits, int64_t m, int64_t n, int64_t k) {
  constexpr int64_t kGroup = 32;
  const auto x = values(m * k), w = values(k * n), y = values(m * n), scales = values(k / kGroup * n * 2);
  const Scratch<uint8_t> bytes(static_cast<size_t>(n * k * bits / 8));
  for (size_t i = 0; i < bytes.size(); ++i) bytes.data()[i] = static_cast<uint8_t>(i * 2654435761u >> 24);
  const Int8WeightProduct of8{x.data(),      m,       n, k, reinterpret_cast<const int8_t*>(bytes.data()),
                              scales.data(), y.data()};
  const Int4WeightProduct of4{x.data(), m, n, k, kGroup, bytes.data(), scales.data(), y.data()};
  Gemm<float> g;
  g.m = m, g.n = n, g.k = k;
  g.a = x.data(), g.a_row = k;
  g.b = w.data(), g.b_row = 1, g.b_col = k;
  g.c = y.data(), g.c_row = n;
  Best best, floats;
  for (auto _ : state) {
    state.SetIterationTime(
        best.time([&] { bits == 8 ? int8_weight_product(of8, 0, n) : int4_weight_product(of4, 0, int4_blocks(n)); }));
    floats.time([&] { gemm(g, Workers{}); });
  }
  report_flops(state, 2.0 * as_double(m) * as_double(n) * as_double(k), best);
  state.counters["GB/s"] = as_double(n * k * bits / 8) / best.seconds() * 1e-9;
  state.counters["times_float"] = floats.seconds() / best.seconds();
}

void run_attention(benchmark::State& state, int64_t tokens, int64_t heads, int64_t depth) {
  const int64_t width = heads * depth;
  const auto q = values(tokens * width), k = values(tokens * width), v = values(tokens * width);
  const auto out = values(tokens * width);
  Attention a;
  a.heads = heads, a.queries = a.keys = tokens, a.depth = a.value_depth = depth;
  a.q = {q.data(), 0, depth, width};
  a.k = {k.data(), 0, depth, width};
  a.v = {v.data(), 0, depth, width};
  a.out = {out.data(), 0, depth, width};
  a.scale = 1 / std::sqrt(static_cast<float>(depth));
  const Scratch<float> scratch(attention_scratch_size(a, 1));
  Best best;
  for (auto _ : state) state.SetIterationTime(best.time([&] { attention(a, scratch.data(), Workers{}); }));
  report_flops(state, 4.0 * as_double(tokens * tokens) * as_double(width), best);
}

void run_softmax(benchmark::State& state, int64_t rows, int64_t n) {
  const auto x = values(rows * n), y = values(rows * n);
  Best best;
  for (auto _ : state) state.SetIterationTime(best.time([&] { softmax_rows(x.data(), n, 1, y.data(), n, rows, n); }));
  report_bytes(state, 8.0 * as_double(rows * n), best);
}
void run_layer_norm(benchmark::State& state, int64_t rows, int64_t n) {
  const auto x = values(rows * n), y = values(rows * n), w = values(n);
  Best best;
  for (auto _ : state)
    state.SetIterationTime(
        best.time([&] { layer_norm_rows(x.data(), n, w.data(), w.data(), 1e-5f, y.data(), n, rows, n); }));
  report_bytes(state, 8.0 * as_double(rows * n), best);
}
void run_activation(benchmark::State& state, Activation activation, int64_t n) {
  const auto x = values(n), y = values(n);
  Epilogue e;
  e.activation = activation;
  Best best;
  for (auto _ : state) state.SetIterationTime(best.time([&] { apply_epilogue(e, x.data(), y.data(), n); }));
  report_bytes(state, 8.0 * as_double(n), best);
}
void run_layout(benchmark::State& state, int64_t channels, int64_t pixels, bool back) {
  const auto x = values(channels * pixels), y = values(channels * pixels);
  Best best;
  for (auto _ : state)
    state.SetIterationTime(best.time([&] {
      back ? channels_last_to_planes(x.data(), channels, 1, channels, pixels, y.data(), Workers{})
           : planes_to_channels_last(x.data(), 1, channels, pixels, y.data(), channels, Workers{});
    }));
  report_bytes(state, 8.0 * as_double(channels * pixels), best);
}

void run_stream(benchmark::State& state, int64_t bytes) {
  const auto x = values(bytes / 4);
  Best best;
  for (auto _ : state) {
    state.SetIterationTime(best.time([&] { benchmark::DoNotOptimize(kernels::read_all(x.data(), bytes / 4)); }));
  }
  report_bytes(state, as_double(bytes), best);
}
// A layer whose weights come from the last-level cache in every step.
void run_lstm(benchmark::State& state, int64_t hidden, int64_t steps) {
  const int64_t width = 4 * hidden;
  const auto w = values(width * hidden), x = values(steps * hidden), y = values(steps * hidden);
  const auto h = values(hidden), c = values(hidden);
  const Scratch<float> packed(packed_b_size<float>(width, hidden));
  pack_b(w.data(), 1, hidden, width, hidden, packed.data());
  Recurrent r;
  r.steps = steps;
  r.inputs = r.hidden = hidden;
  r.w_ih = r.w_hh = packed.data();
  r.interleaved = interleaves_gates(r.cell, r.batch, hidden);
  r.x = {x.data(), hidden, hidden};
  r.out = {y.data(), hidden, hidden};
  r.state = h.data(), r.memory = c.data();
  const Scratch<float> scratch(recurrent_scratch_size(r));
  Best best;
  for (auto _ : state) state.SetIterationTime(best.time([&] { recurrent(r, scratch.data(), Workers{}); }));
  report_flops(state, 4.0 * as_double(steps) * as_double(width) * as_double(hidden), best);
}

template <class... Args>
void add(const std::string& name, Args... args) {
  benchmark::RegisterBenchmark(name.c_str(), args...)->UseManualTime();
}

}  // namespace

void register_dense() {
  const auto text = [](int64_t n) { return std::to_string(n); };
  const int64_t products[][3] = {{384, 384, 384}, {197, 768, 768}, {128, 3072, 768}, {16, 1000, 2048}, {1, 1000, 1280}};
  for (const auto& p : products) {
    const std::string size = text(p[0]) + "x" + text(p[1]) + "x" + text(p[2]);
    add("product packed " + size, run_packed, p[0], p[1], p[2]);
    add("gemm " + size, run_plain, p[0], p[1], p[2], false);
    add("gemm B^T " + size, run_plain, p[0], p[1], p[2], true);
  }
  for (const int bits : {8, 4}) {
    for (const int64_t rows : {1, 8, 64}) {
      add("weights of " + text(bits) + " bits " + text(rows) + "x4096x4096", run_weight_only, bits, rows, 4096, 4096);
    }
  }
  add("attention 197 tokens 12 heads", run_attention, 197, 12, 64);
  add("attention 128 tokens 8 heads", run_attention, 128, 8, 64);
  add("attention 1024 tokens 4 heads", run_attention, 1024, 4, 64);
  add("lstm 512, 100 steps", run_lstm, 512, 100);
  add("stream 256 KB", run_stream, 256 << 10);
  add("stream 4 MB", run_stream, 4 << 20);
  add("stream 256 MB", run_stream, 256 << 20);
  add("softmax 197x197", run_softmax, 197, 197);
  add("layer norm 197x768", run_layer_norm, 197, 768);
  add("gelu", run_activation, Activation::kGelu, 16384);
  add("silu", run_activation, Activation::kSilu, 16384);
  add("hardswish", run_activation, Activation::kHardSwish, 16384);
  add("planes to channels last 3x50176", run_layout, 3, 50176, false);
  add("planes to channels last 64x3136", run_layout, 64, 3136, false);
  add("channels last to planes 64x3136", run_layout, 64, 3136, true);
}

}  // namespace wick::bench
