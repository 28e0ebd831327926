// One direction of an LSTM, GRU or RNN layer over whole sequences.
#include "kernels/recurrent.h"

#include <algorithm>
#include <cstring>

#include "kernels/bounds.h"
#include "kernels/gates.h"
#include "kernels/product.h"

namespace wick::kernels {
namespace {

// Gates of the inputs that are computed at once: enough rows for the product, few enough for the caches.
constexpr int64_t kChunkElements = 1 << 18;
constexpr int64_t kChunkRows = 48;
// Multiplications of a step from which on it is divided among the threads.
constexpr double kWorthSharing = 2e5;
// Weights of the state that do not stay in the second-level cache from step to step.
constexpr int64_t kLargeWeights = 512 << 10;

int64_t gate_elements(const Recurrent& r) { return recurrent_gates(r.cell) * r.hidden; }

int64_t chunk_steps(const Recurrent& r) {
  const int64_t rows = std::max(kChunkRows, kChunkElements / gate_elements(r));
  return std::clamp<int64_t>(rows / r.batch, 1, r.steps);
}

void advance(const Recurrent& r, const float* x, const float* h, float* state, float* memory) {
  switch (r.cell) {
    case RecurrentCell::kLstm:
      return lstm_step_f32(x, h, state, memory, r.hidden);
    case RecurrentCell::kGru:
      return gru_step_f32(x, h, state, r.hidden);
    case RecurrentCell::kTanh:
      return tanh_step_f32(x, h, state, r.hidden);
    case RecurrentCell::kRelu:
      for (int64_t i = 0; i < r.hidden; ++i) {
        const float v = x[i] + h[i];
        state[i] = v < 0 ? 0.0f : v;
      }
  }
}

// One product of the state. Each thread has panels of its own, and takes them in turns forwards and backwards: those at
// the end of a step are still in its cache when the next one begins with them.
void multiply_state(const Product& p, bool backwards, const Workers& workers) {
  if (p.n * p.k * static_cast<int64_t>(sizeof(float)) <= kLargeWeights) return product(p, workers);
  const int64_t panels = product_panels(p.n), parts = std::min<int64_t>(panels, std::max(workers.count, 1));
  workers.each(parts, [&](int64_t first, int64_t last) {
    for (int64_t part = first; part < last; ++part) {
      const int64_t begin = part * panels / parts, end = (part + 1) * panels / parts;
      if (!backwards) product_run(p, 0, p.pixels, begin, end);
      for (int64_t panel = end; backwards && panel-- > begin;) product_run(p, 0, p.pixels, panel, panel + 1);
    }
  });
}

// An LSTM of one sequence with interleaved gates. Each thread computes the states of its groups of units: one division
// of work a step. A state is read from the result of the step before.
void run_lstm(const Recurrent& r, const Product& in_gates, float* from_input, const Workers& workers,
              const Workers& step_workers) {
  const int64_t width = gate_elements(r), chunk = chunk_steps(r), groups = r.hidden / product_lanes();
  const int64_t parts = std::min<int64_t>(groups, std::max(step_workers.count, 1));
  Product in = in_gates;
  LstmRow row;
  row.hidden = r.hidden;
  row.weights = r.w_hh;
  row.panel = product_panel(width, 0).width;
  row.bias = r.b_hh;
  row.state = r.state;
  row.memory = r.memory;
  for (int64_t done = 0; done < r.steps; done += chunk) {
    check_bounds();
    const int64_t count = std::min(chunk, r.steps - done);
    const int64_t first = r.reverse ? r.steps - done - count : done;
    in.a.base = r.x.data + first * r.x.step;
    in.pixels = count;
    product(in, workers);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t t = r.reverse ? count - 1 - i : i;
      row.x = from_input + t * width;
      row.next = r.out.data + (first + t) * r.out.step;
      // Groups come in turns forwards and backwards: those at the end of a step are still in the thread's cache when
      // the next one begins with them.
      step_workers.each(parts, [&](int64_t begin, int64_t end) {
        for (int64_t part = begin; part < end; ++part) {
          lstm_row_f32(row, part * groups / parts, (part + 1) * groups / parts, (done + i) % 2 != 0);
        }
      });
      row.state = row.next;
    }
  }
  std::memcpy(r.state, row.state, static_cast<size_t>(r.hidden) * sizeof(float));
}

}  // namespace

bool interleaves_gates(RecurrentCell cell, int64_t batch, int64_t hidden) {
  return cell == RecurrentCell::kLstm && batch == 1 && hidden % product_lanes() == 0;
}

int64_t interleaved_column(int64_t i, int64_t hidden) {
  const int64_t lanes = product_lanes(), vector = i / lanes;
  return vector % 4 * hidden + vector / 4 * lanes + i % lanes;
}

int64_t recurrent_gates(RecurrentCell cell) {
  return cell == RecurrentCell::kLstm ? 4 : cell == RecurrentCell::kGru ? 3 : 1;
}

size_t recurrent_scratch_size(const Recurrent& r) {
  return static_cast<size_t>((chunk_steps(r) + 1) * r.batch * gate_elements(r));
}

void recurrent(const Recurrent& r, float* scratch, const Workers& workers) {
  const int64_t width = gate_elements(r), chunk = chunk_steps(r);
  float* const from_state = scratch;
  float* const from_input = scratch + r.batch * width;
  Segment input_segments[kRowSegments], state_segments[kRowSegments];

  Product in;
  in.width = r.batch;
  in.a = {nullptr, r.x.step, r.x.row};
  in.c = {from_input, r.batch * width, width};
  in.segments = input_segments;
  in.segment_count = row_segments(r.inputs, input_segments);
  in.b = r.w_ih;
  in.bias = r.b_ih;
  in.n = width;
  in.k = r.inputs;

  const double step_work = static_cast<double>(r.batch) * static_cast<double>(width) * static_cast<double>(r.hidden);
  const Workers step_workers = step_work >= kWorthSharing ? workers : Workers{};
  if (r.interleaved) return run_lstm(r, in, from_input, workers, step_workers);

  Product rec;
  rec.pixels = rec.width = r.batch;
  rec.a = {r.state, 0, r.hidden};
  rec.c = {from_state, 0, width};
  rec.segments = state_segments;
  rec.segment_count = row_segments(r.hidden, state_segments);
  rec.b = r.w_hh;
  rec.bias = r.b_hh;
  rec.n = width;
  rec.k = r.hidden;

  for (int64_t done = 0; done < r.steps; done += chunk) {
    check_bounds();
    const int64_t count = std::min(chunk, r.steps - done);
    const int64_t first = r.reverse ? r.steps - done - count : done;
    in.a.base = r.x.data + first * r.x.step;
    in.pixels = count * r.batch;
    product(in, workers);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t t = r.reverse ? count - 1 - i : i;
      multiply_state(rec, (done + i) % 2 != 0, step_workers);
      for (int64_t b = 0; b < r.batch; ++b) {
        float* state = r.state + b * r.hidden;
        advance(r, from_input + (t * r.batch + b) * width, from_state + b * width, state,
                r.memory == nullptr ? nullptr : r.memory + b * r.hidden);
        std::memcpy(r.out.data + (first + t) * r.out.step + b * r.out.row, state,
                    static_cast<size_t>(r.hidden) * sizeof(float));
      }
    }
  }
}

}  // namespace wick::kernels
