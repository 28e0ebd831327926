// Recurrent layers: the products of all inputs at once, then a product and a step of gates for each moment.
#include <algorithm>

#include "gpu/lowering.h"
#include "ops/conv/gpu_contexts.h"
#include "plan/record/read.h"

namespace wick::gpu {

using plan::TracedStep;
using plan::TracedTensor;
using plan::TracedValue;

namespace {

// By the kinds of shaders/rnn.comp.
enum class Cell : uint32_t { kLstm, kGru, kTanh, kRelu };

int64_t gates_of(Cell cell) { return cell == Cell::kLstm ? 4 : cell == Cell::kGru ? 3 : 1; }

// Beyond it the processor is faster, whatever the GPU.
constexpr int64_t kMaxMoments = 1024;

struct Layers {
  Cell cell = Cell::kLstm;
  TensorId input = kNoTensor;
  std::vector<TensorId> states;  // h, and c of an LSTM
  std::vector<Tensor> params;
  bool biases = false, both_ways = false, batch_first = false;
  int64_t count = 0;
  int64_t directions() const { return both_ways ? 2 : 1; }
};

// What "optimize_for_mobile" for Vulkan makes of them: the state's tensors are arguments, the rest is in an object.
bool read_context(const plan::Builder& b, const TracedStep& step, Layers& out) {
  const bool lstm = step.op->schema.name == "vulkan_prepack::run_lstm_context";
  const size_t states = lstm ? 2 : 1;
  if (step.args.size() != states + 2 || !step.args[states + 1].value.is_custom()) return false;
  const auto* context = cast_to<const ops::VulkanRnnContext>(&step.args[states + 1].value.to_custom());
  if (context == nullptr) return false;
  const std::vector<IValue>& a = context->arguments();
  if (a.size() != 7 || (a[4].to_bool() && a[3].to_scalar().to_double() > 0)) return false;
  out.cell = lstm ? Cell::kLstm : Cell::kGru;
  out.input = plan::tensor_arg(step, 0);
  for (size_t k = 0; k < states; ++k) {
    const TensorId id = plan::tensor_arg(step, 1 + k);
    if (id == kNoTensor || !b.is_float(id) || b.tensor(id).sizes.size() != 3) return false;
    out.states.push_back(id);
  }
  out.params = a[0].to_tensor_vec();
  for (const Tensor& t : out.params) {
    if (!t.defined() || t.dtype() != DType::kFloat) return false;
  }
  out.biases = a[1].to_bool();
  out.count = a[2].to_int();
  out.both_ways = a[5].to_bool();
  out.batch_first = a[6].to_bool();
  return out.input != kNoTensor && out.count > 0 && out.count < kMaxMoments &&
         static_cast<int64_t>(out.params.size()) == out.count * out.directions() * (out.biases ? 4 : 2);
}

bool read_layers(const plan::Builder& b, const TracedStep& step, Layers& out) {
  const std::string_view name = step.op->schema.name;
  if (name == "vulkan_prepack::run_lstm_context" || name == "vulkan_prepack::run_gru_context") {
    return read_context(b, step, out);
  }
  if (step.op->schema.overload != "input" || step.args.size() != 9) return false;
  if (name == "aten::lstm") {
    out.cell = Cell::kLstm;
  } else if (name == "aten::gru") {
    out.cell = Cell::kGru;
  } else if (name == "aten::rnn_tanh") {
    out.cell = Cell::kTanh;
  } else if (name == "aten::rnn_relu") {
    out.cell = Cell::kRelu;
  } else {
    return false;
  }
  out.input = plan::tensor_arg(step, 0);
  out.states = step.args[1].ids;
  const std::optional<int64_t> count = plan::int_arg(step, 4);
  const bool drops = plan::bool_arg(step, 6) && plan::number_arg(step, 5).value_or(1) > 0;
  if (out.input == kNoTensor || out.states.size() != (out.cell == Cell::kLstm ? 2u : 1u) || !count || drops ||
      step.args[2].kind != TracedValue::Kind::kTensorList) {
    return false;
  }
  out.count = *count;
  out.biases = plan::bool_arg(step, 3);
  out.both_ways = plan::bool_arg(step, 7);
  out.batch_first = plan::bool_arg(step, 8);
  for (TensorId id : out.states) {
    if (id == kNoTensor || !b.is_float(id) || b.tensor(id).sizes.size() != 3) return false;
  }
  for (TensorId id : step.args[2].ids) {
    TracedValue v;
    v.kind = TracedValue::Kind::kTensor;
    v.ids = {id};
    Tensor t;
    if (id == kNoTensor || !plan::read_constant(b, v, t)) return false;
    out.params.push_back(std::move(t));
  }
  // With projections there are more.
  return static_cast<int64_t>(out.params.size()) == out.count * out.directions() * (out.biases ? 4 : 2);
}

Value part_of(const Value& v, IntVec sizes, IntVec strides, int64_t at) {
  Value out = v;
  out.sizes = std::move(sizes);
  out.strides = std::move(strides);
  out.at = v.at + at;
  return out;
}

class Recurrence {
 public:
  Recurrence(Lowering& g, const Layers& layers, const ir::Node* node) : g_(g), l_(layers), node_(node) {}

  // Of the layer's input [moments][batch][width]; false when it does not fit.
  bool run(Value x) {
    moments_ = x.sizes[0];
    batch_ = x.sizes[1];
    const Value h0 = g_.value(l_.states[0]);
    hidden_ = h0.sizes[2];
    const int64_t all = l_.count * l_.directions();
    if (moments_ * all > kMaxMoments || h0.sizes[0] != all || h0.sizes[1] != batch_) return false;
    // All first states in one memory: h, then c.
    const bool cells = l_.cell == Cell::kLstm;
    const IntVec shape = h0.sizes;
    first_ = g_.make_dense({cells ? 2 : 1, all, batch_, hidden_});
    last_h_ = g_.make_dense(shape);
    if (cells) last_c_ = g_.make_dense(shape);
    for (size_t k = 0; k < l_.states.size(); ++k) {
      const Value state = g_.value(l_.states[k]);
      if (state.sizes != shape) return false;
      g_.copy(state, part_of(first_, shape, dense_strides(shape), static_cast<int64_t>(k) * checked_numel(shape)), true,
              node_);
    }
    for (int64_t layer = 0; layer < l_.count; ++layer) {
      const int64_t width = l_.directions() * hidden_, size = moments_ * batch_ * width;
      // Results of all moments, and behind them cells.
      const Value own = g_.make_dense({cells ? 2 : 1, moments_, batch_, width});
      for (int64_t way = 0; way < l_.directions(); ++way) {
        if (!run_one(x, own, layer, way, width, size)) return false;
      }
      x = part_of(own, {moments_, batch_, width}, {batch_ * width, width, 1}, 0);
    }
    output_ = x;
    return true;
  }

  const Value& output() const { return output_; }
  const Value& last_h() const { return last_h_; }
  const Value& last_c() const { return last_c_; }

 private:
  bool run_one(const Value& x, const Value& own, int64_t layer, int64_t way, int64_t width, int64_t size) {
    const int64_t gates = gates_of(l_.cell) * hidden_, index = layer * l_.directions() + way;
    const size_t each = l_.biases ? 4 : 2, at = static_cast<size_t>(index) * each;
    const Tensor& w_in = l_.params[at];
    const Tensor& w_state = l_.params[at + 1];
    const Tensor b_in = l_.biases ? l_.params[at + 2] : Tensor(), b_state = l_.biases ? l_.params[at + 3] : Tensor();
    if (w_in.dim() != 2 || w_in.size(0) != gates || w_in.size(1) != x.sizes[2] || w_state.dim() != 2 ||
        w_state.size(0) != gates || w_state.size(1) != hidden_) {
      return false;
    }
    for (const Tensor* t : {&b_in, &b_state}) {
      if (t->defined() && (t->dim() != 1 || t->numel() != gates)) return false;
    }
    const Value products = g_.make_dense({moments_, batch_, gates});
    add_dense(g_, x, pack_dense(g_, w_in, b_in, true), b_in.defined(), gates, products, Finish(), node_,
              "linear of inputs");
    const Value packed = pack_dense(g_, w_state, b_state, true);
    const int64_t state = batch_ * hidden_, cell_of_first = first_.sizes[1] * state;
    Value before = part_of(first_, {batch_, hidden_}, {hidden_, 1}, index * state);
    int64_t before_row = hidden_, before_cell = cell_of_first;
    for (int64_t k = 0; k < moments_; ++k) {
      const int64_t t = way == 0 ? k : moments_ - 1 - k;
      const Value recurrent = g_.make_dense({batch_, gates});
      add_dense(g_, before, packed, b_state.defined(), gates, recurrent, Finish(), node_, "linear of the state");
      const Value after = part_of(own, {batch_, hidden_}, {width, 1}, t * batch_ * width + way * hidden_);
      Dispatch d;
      d.shader = Shader::k_rnn;
      d.constants = {g_.element_threads(), static_cast<uint32_t>(l_.cell)};
      d.push.all_of(state, hidden_, products.at + t * batch_ * gates, gates, before.at, before_row, before_cell,
                    after.at, width, size);
      d.reads = {products.memory, recurrent.memory, before.memory};
      d.write = own.memory;
      d.writes_part = true;
      d.name = "recurrent step";
      d.node = node_;
      g_.add(std::move(d), state);
      before = after;
      before_row = width;
      before_cell = size;
    }
    const IntVec sizes{batch_, hidden_};
    g_.copy(before, part_of(last_h_, sizes, {hidden_, 1}, index * state), true, node_);
    if (l_.cell == Cell::kLstm) {
      Value cell = before;
      cell.at += before_cell;
      g_.copy(cell, part_of(last_c_, sizes, {hidden_, 1}, index * state), true, node_);
    }
    return true;
  }

  Lowering& g_;
  const Layers& l_;
  const ir::Node* const node_;
  int64_t moments_ = 0, batch_ = 0, hidden_ = 0;
  Value first_, last_h_, last_c_, output_;
};

}  // namespace

bool lower_rnn(Lowering& g, size_t s) {
  const plan::Builder& b = g.builder();
  const TracedStep& step = b.step(s);
  Layers layers;
  if (!read_layers(b, step, layers) || !g.is_plain(s)) return false;
  for (const TracedValue& out : step.outs) {
    for (TensorId id : out.ids) {
      if (id != kNoTensor && !b.can_define_plain(id)) return false;
    }
  }
  Value x = g.value(layers.input);
  if (x.sizes.size() != 3) return false;
  const auto swap = [](Value& v) {
    std::swap(v.sizes[0], v.sizes[1]);
    std::swap(v.strides[0], v.strides[1]);
  };
  if (layers.batch_first) swap(x);
  Recurrence recurrence(g, layers, step.node);
  if (!recurrence.run(x)) return false;
  Value y = recurrence.output();
  if (layers.batch_first) swap(y);
  const Value* values[] = {&y, &recurrence.last_h(), &recurrence.last_c()};
  for (size_t k = 0; k < step.outs.size() && k < 3; ++k) {
    if (step.outs[k].kind != TracedValue::Kind::kTensor || step.outs[k].ids[0] == kNoTensor) continue;
    if (values[k]->sizes != b.tensor(step.outs[k].ids[0]).sizes) throw Declined();
    g.set(step.outs[k].ids[0], *values[k]);
  }
  return true;
}

}  // namespace wick::gpu
