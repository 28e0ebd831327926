// Recurrent layers with constant weights.
#include <cstring>

#include "kernels/divide.h"
#include "kernels/gemm.h"
#include "kernels/product.h"
#include "kernels/recurrent.h"
#include "plan/patterns/patterns.h"
#include "plan/record/read.h"
#include "plan/steps/product_workers.h"

namespace wick::plan {
namespace {

using kernels::Recurrent;
using kernels::RecurrentCell;

struct Cell {
  Packed w_ih, w_hh, b_ih, b_hh;
};

// [..., row, element] of which the last two strides count.
struct States {
  int64_t index = 0, row = 0;
};

struct Layers {
  RecurrentCell cell;
  int64_t batch = 0, steps = 0, inputs = 0, hidden = 0;
  int64_t directions = 1;
  std::vector<Cell> cells;  // layer by layer, forward and backward
  kernels::Sequence<const float> x;
  kernels::Sequence<float> out;
  States h0, c0;

  int64_t width() const { return hidden * directions; }
  int64_t states() const { return static_cast<int64_t>(cells.size()) * batch * hidden; }
};

class RecurrentStep : public Step {
 public:
  // Writes: the outputs, and the last states as far as `has_state`, `has_memory`.
  RecurrentStep(const ir::Node* node, Layers layers, bool has_state, bool has_memory, StepName name)
      : Step(node), l_(std::move(layers)), has_state_(has_state), has_memory_(has_memory), name_(std::move(name)) {
    const int64_t count = static_cast<int64_t>(l_.cells.size()) / l_.directions;
    between_ = count > 1 ? kernels::round_up(l_.steps * l_.batch * l_.width(), 16) : 0;
    states_ = kernels::round_up(l_.states(), 16);
    for (int64_t layer = 0; layer < std::min<int64_t>(count, 2); ++layer) {
      kernel_ = std::max(kernel_, kernels::recurrent_scratch_size(layer_of(layer)));
    }
  }

  void run(Workspace& w) const override {
    const kernels::FlushDenormals flush;
    // States first, then what lies between the layers, then the kernel's own.
    const auto fixed = static_cast<size_t>(2 * states_ + 2 * between_);
    w.kernel_scratch.reserve(fixed + kernel_);
    float* const h = w.kernel_scratch.data();
    float* const c = h + states_;
    float* const between = c + states_;
    const bool is_lstm = l_.cell == RecurrentCell::kLstm;
    load_states(input<float>(w, 1), l_.h0, h);
    if (is_lstm) load_states(input<float>(w, 2), l_.c0, c);
    const int64_t count = static_cast<int64_t>(l_.cells.size()) / l_.directions;
    for (int64_t layer = 0; layer < count; ++layer) {
      Recurrent r = layer_of(layer);
      r.x.data = layer == 0 ? input<float>(w, 0) : between + (layer - 1) % 2 * between_;
      float* out = layer + 1 == count ? output<float>(w, 0) : between + layer % 2 * between_;
      for (int64_t d = 0; d < l_.directions; ++d) {
        const int64_t index = layer * l_.directions + d;
        const Cell& cell = l_.cells[static_cast<size_t>(index)];
        r.reverse = d == 1;
        r.w_ih = cell.w_ih.get();
        r.w_hh = cell.w_hh.get();
        r.b_ih = cell.b_ih.get();
        r.b_hh = cell.b_hh.get();
        r.out.data = out + d * l_.hidden;
        r.state = h + index * l_.batch * l_.hidden;
        r.memory = is_lstm ? c + index * l_.batch * l_.hidden : nullptr;
        const double work = static_cast<double>(r.batch * r.steps) * static_cast<double>(r.hidden + r.inputs) *
                            static_cast<double>(r.hidden);
        kernels::recurrent(r, between + 2 * between_, product_workers(work));
      }
    }
    size_t written = 1;
    const auto bytes = static_cast<size_t>(l_.states()) * sizeof(float);
    if (has_state_) std::memcpy(output<float>(w, written++), h, bytes);
    if (has_memory_) std::memcpy(output<float>(w, written), c, bytes);
  }

  StepName name() const override { return name_; }

 private:
  Recurrent layer_of(int64_t layer) const {
    const int64_t count = static_cast<int64_t>(l_.cells.size()) / l_.directions, width = l_.width();
    Recurrent r;
    r.cell = l_.cell;
    r.batch = l_.batch;
    r.steps = l_.steps;
    r.inputs = layer == 0 ? l_.inputs : width;
    r.hidden = l_.hidden;
    r.interleaved = kernels::interleaves_gates(r.cell, r.batch, r.hidden);
    r.x = l_.x;
    if (layer > 0) r.x = {nullptr, l_.batch * width, width};
    r.out = l_.out;
    if (layer + 1 < count) r.out = {nullptr, l_.batch * width, width};
    return r;
  }

  void load_states(const float* from, const States& s, float* to) const {
    for (int64_t i = 0; i < static_cast<int64_t>(l_.cells.size()); ++i) {
      for (int64_t b = 0; b < l_.batch; ++b, to += l_.hidden) {
        std::memcpy(to, from + i * s.index + b * s.row, static_cast<size_t>(l_.hidden) * sizeof(float));
      }
    }
  }

  const Layers l_;
  const bool has_state_, has_memory_;
  const StepName name_;
  int64_t between_ = 0, states_ = 0;
  size_t kernel_ = 0;
};

struct Named {
  std::string_view name;
  RecurrentCell cell;
};
constexpr Named kNamed[] = {{"aten::lstm", RecurrentCell::kLstm},
                            {"aten::gru", RecurrentCell::kGru},
                            {"aten::rnn_tanh", RecurrentCell::kTanh},
                            {"aten::rnn_relu", RecurrentCell::kRelu}};

bool is_float_operand(const Builder& b, TensorId id) { return id != kNoTensor && b.is_float(id) && b.is_stable(id); }

bool has_dense_rows(const TracedTensor& t) {
  return t.sizes.size() == 3 && checked_numel(t.sizes) > 0 && (t.sizes[2] == 1 || t.strides[2] == 1);
}

// A state of the layers: [cells, batch, hidden].
bool read_states(const Builder& b, TensorId id, const Layers& l, int64_t cells, States& out) {
  if (!is_float_operand(b, id) || b.tensor(id).sizes != IntVec{cells, l.batch, l.hidden} ||
      !has_dense_rows(b.tensor(id))) {
    return false;
  }
  out = {b.tensor(id).strides[0], b.tensor(id).strides[1]};
  return true;
}

bool read_weight(const Builder& b, TensorId id, const IntVec& sizes, Tensor& out) {
  if (id == kNoTensor || b.tensor(id).sizes != sizes) return false;
  return read_constant(b, TracedValue{TracedValue::Kind::kTensor, {}, {id}, nullptr}, out);
}

struct CellWeights {
  Tensor w_ih, w_hh, b_ih, b_hh;
};

// Packs a dense matrix [gates * hidden][k], its rows in the order of interleaved gates, a group of units at a time.
void pack_interleaved(const Tensor& w, int64_t hidden, float* dst) {
  const int64_t n = w.size(0), k = w.size(1), group = 4 * kernels::product_lanes();
  const kernels::Scratch<float> rows(static_cast<size_t>(group * k));
  for (int64_t first = 0; first < n; first += group) {
    for (int64_t i = 0; i < group; ++i) {
      std::memcpy(rows.data() + i * k, w.data_ptr<float>() + kernels::interleaved_column(first + i, hidden) * k,
                  static_cast<size_t>(k) * sizeof(float));
    }
    kernels::pack_b<float>(rows.data(), 1, k, group, k, dst + first * k);
  }
}

Cell pack_cell(Builder& b, const CellWeights& w, bool interleaved) {
  constexpr int64_t kRows = -2, kInterleaved = -3;  // the forms a key names
  const int64_t hidden = w.w_hh.size(1);
  const auto matrix = [&](const Tensor& t) {
    const int64_t n = t.size(0), k = t.size(1);
    return b.packed(PackKey({t}, {interleaved ? kInterleaved : kRows}), kernels::packed_b_size<float>(n, k),
                    [&](float* dst) {
                      const Tensor w = as_floats(t);
                      if (interleaved) return pack_interleaved(w, hidden, dst);
                      kernels::pack_b<float>(w.data_ptr<float>(), w.stride(1), w.stride(0), n, k, dst);
                    });
  };
  const auto vector = [&](const Tensor& t) -> Packed {
    if (!interleaved || !t.defined()) return b.packed_vector(t);
    return b.packed(PackKey({t}, {kInterleaved}), static_cast<size_t>(t.size(0)), [&](float* dst) {
      const Tensor v = as_floats(t);
      for (int64_t i = 0; i < v.size(0); ++i) dst[i] = v.data_ptr<float>()[kernels::interleaved_column(i, hidden)];
    });
  };
  return {matrix(w.w_ih), matrix(w.w_hh), vector(w.b_ih), vector(w.b_hh)};
}

// The tensor that output k is; kNoTensor when it is unused.
TensorId output_of(const TracedStep& step, size_t k) {
  return k < step.outs.size() && step.outs[k].kind == TracedValue::Kind::kTensor ? step.outs[k].ids[0] : kNoTensor;
}

// A recurrent operator's arguments and results.
struct RecurrentCall {
  const Named* named = nullptr;
  Layers layers;
  int64_t layer_count = 0;
  bool biased = false, batch_first = false;
  TensorId in = kNoTensor, out = kNoTensor;
  TensorId state = kNoTensor, memory = kNoTensor;  // when they are used
  const std::vector<TensorId>* hx = nullptr;
  const std::vector<TensorId>* params = nullptr;

  bool is_lstm() const { return layers.cell == RecurrentCell::kLstm; }
  int64_t cells() const { return layer_count * layers.directions; }
  size_t params_of_cell() const { return biased ? 4 : 2; }
  // The dim of time; the other of the first two is the batch.
  size_t time() const { return batch_first ? 1 : 0; }
};

// The step's arguments, without the shapes of tensors; false when the step is none, or one that a plan can't compute.
bool read_arguments(const TracedStep& step, RecurrentCall& r) {
  for (const Named& n : kNamed) {
    if (step.op->schema.name == n.name && step.op->schema.overload == "input") r.named = &n;
  }
  if (r.named == nullptr || step.args.size() != 9 || step.args[2].kind != TracedValue::Kind::kTensorList) return false;
  // Dropout in training.
  if (bool_arg(step, 6) && number_arg(step, 5).value_or(1) != 0) return false;
  r.layers.cell = r.named->cell;
  r.in = tensor_arg(step, 0);
  r.out = output_of(step, 0);
  r.state = output_of(step, 1);
  r.memory = r.is_lstm() ? output_of(step, 2) : kNoTensor;
  r.hx = &step.args[1].ids;
  r.params = &step.args[2].ids;
  r.biased = bool_arg(step, 3);
  r.layer_count = int_arg(step, 4).value_or(0);
  r.layers.directions = bool_arg(step, 7) ? 2 : 1;
  r.batch_first = bool_arg(step, 8);
  return r.hx->size() == (r.is_lstm() ? 2 : 1) && r.layer_count > 0 &&
         r.params->size() == r.params_of_cell() * static_cast<size_t>(r.cells());
}

// The extents and strides of the input and the first states; false when the kernel can't read them.
bool read_inputs(const Builder& b, RecurrentCall& r) {
  if (!is_float_operand(b, r.in) || !has_dense_rows(b.tensor(r.in))) return false;
  Layers& l = r.layers;
  const std::vector<TensorId>& hx = *r.hx;
  const TracedTensor& x = b.tensor(r.in);
  const size_t time = r.time();
  l.steps = x.sizes[time];
  l.batch = x.sizes[1 - time];
  l.inputs = x.sizes[2];
  l.x = {nullptr, x.strides[time], x.strides[1 - time]};
  if (hx[0] == kNoTensor || b.tensor(hx[0]).sizes.size() != 3) return false;
  l.hidden = b.tensor(hx[0]).sizes[2];
  return read_states(b, hx[0], l, r.cells(), l.h0) && (!r.is_lstm() || read_states(b, hx[1], l, r.cells(), l.c0));
}

// The strides of the result; false when the kernel can't write the results.
bool read_outputs(const Builder& b, RecurrentCall& r) {
  if (r.out == kNoTensor || !b.can_define_plain(r.out) || !b.is_float(r.out)) return false;
  Layers& l = r.layers;
  const TracedTensor& y = b.tensor(r.out);
  const size_t time = r.time();
  if (!has_dense_rows(y) || y.sizes[time] != l.steps || y.sizes[1 - time] != l.batch || y.sizes[2] != l.width()) {
    return false;
  }
  l.out = {nullptr, y.strides[time], y.strides[1 - time]};
  for (TensorId id : {r.state, r.memory}) {
    if (id != kNoTensor &&
        (!b.is_float(id) || !b.can_define_plain(id) || !is_contiguous(b.tensor(id).sizes, b.tensor(id).strides))) {
      return false;
    }
  }
  return true;
}

// The weights of all cells; false when they are no constants of the right sizes.
bool read_weights(const Builder& b, const RecurrentCall& r, std::vector<CellWeights>& weights) {
  const Layers& l = r.layers;
  weights.resize(static_cast<size_t>(r.cells()));
  const int64_t gates = kernels::recurrent_gates(l.cell) * l.hidden;
  for (size_t i = 0; i < weights.size(); ++i) {
    CellWeights& w = weights[i];
    const TensorId* p = r.params->data() + i * r.params_of_cell();
    const int64_t inputs = i < static_cast<size_t>(l.directions) ? l.inputs : l.width();
    if (!read_weight(b, p[0], {gates, inputs}, w.w_ih) || !read_weight(b, p[1], {gates, l.hidden}, w.w_hh))
      return false;
    if (r.biased && (!read_weight(b, p[2], {gates}, w.b_ih) || !read_weight(b, p[3], {gates}, w.b_hh))) return false;
  }
  return true;
}

}  // namespace

bool build_rnn(Builder& b, size_t s) {
  const TracedStep& step = b.step(s);
  RecurrentCall r;
  std::vector<CellWeights> weights;
  if (!read_arguments(step, r) || !read_inputs(b, r) || !read_outputs(b, r) || !read_weights(b, r, weights)) {
    return false;
  }
  Layers& l = r.layers;
  for (const CellWeights& w : weights) {
    l.cells.push_back(pack_cell(b, w, kernels::interleaves_gates(l.cell, l.batch, l.hidden)));
  }
  std::vector<Slot> reads{b.plain(r.in)};
  for (TensorId id : *r.hx) reads.push_back(b.plain(id));
  std::vector<Slot> writes{b.define_plain(r.out)};
  if (r.state != kNoTensor) writes.push_back(b.define_plain(r.state));
  if (r.memory != kNoTensor) writes.push_back(b.define_plain(r.memory));
  StepName name(r.named->name.substr(6), " ", r.layer_count, "x", l.hidden, l.directions == 2 ? " bidirectional" : "");
  b.emit(std::make_unique<RecurrentStep>(step.node, std::move(l), r.state != kNoTensor, r.memory != kNoTensor,
                                         std::move(name)),
         std::move(reads), std::move(writes));
  return true;
}

}  // namespace wick::plan
