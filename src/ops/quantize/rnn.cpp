// Quantized LSTM and GRU layers and their packed parameters.
#include "ops/quantize/rnn.h"

#include <functional>

#include "kernels/gates.h"
#include "ops/nn/common.h"
#include "ops/pointwise/activation.h"
#include "ops/pointwise/pointwise.h"
#include "ops/random/random.h"
#include "ops/shape/join.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

constexpr std::string_view kDynamic = "quantized_dynamic";
constexpr std::string_view kHalf = "quantized_fp16";

[[noreturn]] void bad_state() {
  fail_with<ErrorCode::kCorruptFile>("the stored state of ", CellPacked::kClass, " is not as the class writes it");
}

Tensor apply(const CustomObject& packed, const Tensor& x) {
  const LinearPacked& weights = linear_packed(packed);
  return weights.is_int8() ? weights.run_dynamic(x, false) : weights.run_half(x, false);
}

const CellPacked& cell_packed(const IValue& value) {
  const auto* cell = value.is_custom() ? cast_to<const CellPacked>(&value.to_custom()) : nullptr;
  WICK_CHECK(cell, kTypeMismatch, "expected an object of class ", CellPacked::kClass, ", got ", value.tag_name());
  return *cell;
}

Tensor gate(const Tensor& gates, int64_t index, int64_t count) {
  const int64_t last = gates.dim() - 1, width = gates.size(last) / count;
  return narrow(gates, last, index * width, width);
}

void check_gates(const Tensor& gates, const Tensor& hidden, int64_t count) {
  WICK_CHECK(gates.size(-1) == hidden.size(-1) * count, kShapeMismatch, "a quantized cell of hidden size ",
             hidden.size(-1), " needs ", hidden.size(-1) * count, " gates, the weights have ", gates.size(-1));
}

struct LstmState {
  Tensor h, c;
};

// Rows of gates of one batch, as the fused steps take them.
bool are_gate_rows(const Tensor& from_input, const Tensor& from_hidden, const Tensor& state, int64_t count) {
  for (const Tensor* t : {&from_input, &from_hidden, &state}) {
    if (t->dtype() != DType::kFloat || t->dim() != 2 || t->size(0) != state.size(0)) return false;
  }
  return from_input.size(1) == count * state.size(1) && from_hidden.size(1) == count * state.size(1);
}

LstmState lstm_step(const Tensor& from_input, const Tensor& from_hidden, const Tensor& c) {
  if (are_gate_rows(from_input, from_hidden, c, 4)) {
    const Tensor x = contiguous(from_input), h = contiguous(from_hidden);
    const LstmState next{Tensor::empty(c.sizes()), clone(contiguous(c))};
    const int64_t n = c.size(1);
    for (int64_t r = 0; r < c.size(0); ++r) {
      kernels::lstm_step_f32(x.data_ptr<float>() + r * 4 * n, h.data_ptr<float>() + r * 4 * n,
                             next.h.data_ptr<float>() + r * n, next.c.data_ptr<float>() + r * n, n);
    }
    return next;
  }
  const Tensor gates = add(from_hidden, from_input);
  check_gates(gates, c, 4);
  const Tensor in = sigmoid(gate(gates, 0, 4)), forget = sigmoid(gate(gates, 1, 4));
  const Tensor cell = tanh(gate(gates, 2, 4)), out = sigmoid(gate(gates, 3, 4));
  const Tensor next = add(mul(forget, c), mul(in, cell));
  return {mul(out, tanh(next)), next};
}

Tensor gru_step(const Tensor& from_input, const Tensor& from_hidden, const Tensor& h) {
  if (are_gate_rows(from_input, from_hidden, h, 3)) {
    const Tensor x = contiguous(from_input), gates = contiguous(from_hidden), next = clone(contiguous(h));
    const int64_t n = h.size(1);
    for (int64_t r = 0; r < h.size(0); ++r) {
      kernels::gru_step_f32(x.data_ptr<float>() + r * 3 * n, gates.data_ptr<float>() + r * 3 * n,
                            next.data_ptr<float>() + r * n, n);
    }
    return next;
  }
  check_gates(from_input, h, 3);
  check_gates(from_hidden, h, 3);
  const Tensor reset = sigmoid(add(gate(from_hidden, 0, 3), gate(from_input, 0, 3)));
  const Tensor keep = sigmoid(add(gate(from_hidden, 1, 3), gate(from_input, 1, 3)));
  const Tensor fresh = tanh(add(gate(from_input, 2, 3), mul(gate(from_hidden, 2, 3), reset)));
  return add(mul(sub(h, fresh), keep), fresh);
}

struct Layers {
  int64_t count;
  double dropout;
  bool train, bidirectional;
};

// How long each time step's batch is, of a packed sequence [all steps' rows, feature]; none for one of [time, batch,
// feature].
using Batches = std::optional<std::vector<int64_t>>;

// Runs the layers over a sequence. step(direction's number, input gates, rows of the state, cell) gives the next hidden
// state of those rows and keeps what else it needs.
using Step = std::function<Tensor(int64_t direction, const Tensor& gates, int64_t rows, const CellPacked& cell)>;

Tensor run_direction(const Tensor& x, const Batches& batches, int64_t number, bool backward, const CellPacked& cell,
                     const Step& step) {
  const Tensor gates = cell.input_gates(x);  // once for the whole sequence: all of it is rounded alike
  const int64_t length = batches ? static_cast<int64_t>(batches->size()) : gates.size(0);
  std::vector<int64_t> starts;
  for (int64_t t = 0, start = 0; batches && t < length; ++t) {
    starts.push_back(start);
    start += (*batches)[static_cast<size_t>(t)];
  }
  TensorList outputs(static_cast<size_t>(length));
  for (int64_t i = 0; i < length; ++i) {
    const auto t = static_cast<size_t>(backward ? length - 1 - i : i);
    const int64_t rows = batches ? (*batches)[t] : gates.size(1);
    const Tensor now = batches ? narrow(gates, 0, starts[t], rows) : select(gates, 0, static_cast<int64_t>(t));
    outputs[t] = step(number, now, rows, cell);
  }
  return batches ? concat(outputs, 0) : stack(outputs, 0);
}

Tensor run_layers(Tensor x, const Batches& batches, ListImpl& params, const Layers& layers, const Step& step) {
  const int64_t directions = layers.bidirectional ? 2 : 1;
  for (int64_t layer = 0; layer < layers.count; ++layer) {
    TensorList sides;
    for (int64_t d = 0; d < directions; ++d) {
      const int64_t number = layer * directions + d;
      const CellPacked& cell = cell_packed(params.items[static_cast<size_t>(number)]);
      sides.push_back(run_direction(x, batches, number, d == 1, cell, step));
    }
    x = directions == 1 ? sides[0] : concat(sides, sides[0].dim() - 1);
    if (layers.dropout > 0 && layers.train && layer + 1 < layers.count) x = dropout(x, layers.dropout, true);
  }
  return x;
}

Tensor first_rows(const Tensor& state, int64_t rows) {
  return rows == state.size(0) ? state : narrow(state, 0, 0, rows);
}
// The state with its first rows replaced.
Tensor updated(const Tensor& state, const Tensor& rows) {
  const int64_t n = rows.size(0), all = state.size(0);
  return n == all ? rows : concat({rows, narrow(state, 0, n, all - n)}, 0);
}

// Sizes of the steps of a packed sequence: positive, not growing, and together all its rows.
std::vector<int64_t> checked_batches(const Tensor& data, const Tensor& batch_sizes) {
  WICK_CHECK(
      data.dim() == 2 && batch_sizes.dim() == 1 && batch_sizes.dtype() == DType::kLong && batch_sizes.numel() > 0,
      kShapeMismatch, "a packed sequence has rows of 2 dimensions and a list of batch sizes");
  std::vector<int64_t> sizes = param_values<int64_t>(batch_sizes, batch_sizes.numel(), 0);
  int64_t left = data.size(0), last = data.size(0);
  for (const int64_t size : sizes) {
    WICK_CHECK(size > 0 && size <= last && size <= left, kInvalidArgument,
               "the batch sizes of a packed sequence should not grow and add up to its ", data.size(0), " rows");
    left -= size;
    last = size;
  }
  WICK_CHECK(left == 0, kInvalidArgument, "the batch sizes of a packed sequence should add up to its ", data.size(0),
             " rows");
  return sizes;
}

void check_layers(const Tensor& x, const Batches& batches, const Tensor& hidden, const ListImpl& params,
                  const Layers& layers) {
  const int64_t directions = layers.bidirectional ? 2 : 1;
  const auto given = static_cast<int64_t>(params.items.size());
  WICK_CHECK(layers.count > 0 && given % directions == 0 && layers.count == given / directions, kInvalidArgument,
             "a quantized recurrent layer of ", layers.count, " layers got ", given, " sets of weights");
  WICK_CHECK(batches || (x.dim() == 3 && x.size(0) > 0), kShapeMismatch,
             "a quantized recurrent layer takes a sequence of 3 dimensions that is not empty, got ", x.sizes());
  const int64_t batch = batches ? batches->front() : x.size(1);
  WICK_CHECK(hidden.dim() == 3 && hidden.size(0) == given && hidden.size(1) == batch, kShapeMismatch,
             "a quantized recurrent layer got a hidden state of sizes ", hidden.sizes(), " for ", given,
             " directions and a batch of ", batch);
}

std::tuple<Tensor, Tensor, Tensor> run_lstm(const Tensor& x, const Batches& batches, const TensorList& hx,
                                            ListImpl& params, bool has_biases, const Layers& layers) {
  WICK_CHECK(hx.size() == 2, kInvalidArgument, "lstm expects two hidden states");
  WICK_CHECK(has_biases, kInvalidArgument, "quantized LSTM requires biases");
  WICK_CHECK(hx[0].sizes() == hx[1].sizes(), kShapeMismatch, "quantized LSTM with projections is not supported");
  check_layers(x, batches, hx[0], params, layers);
  TensorList h, c;
  for (int64_t i = 0; i < hx[0].size(0); ++i) {
    h.push_back(select(hx[0], 0, i));
    c.push_back(select(hx[1], 0, i));
  }
  const Tensor y = run_layers(
      x, batches, params, layers, [&](int64_t number, const Tensor& gates, int64_t rows, const CellPacked& cell) {
        Tensor &hidden = h[static_cast<size_t>(number)], &kept = c[static_cast<size_t>(number)];
        const LstmState next = lstm_step(gates, cell.hidden_gates(first_rows(hidden, rows)), first_rows(kept, rows));
        hidden = updated(hidden, next.h);
        kept = updated(kept, next.c);
        return next.h;
      });
  return {y, stack(h, 0), stack(c, 0)};
}

std::tuple<Tensor, Tensor> run_gru(const Tensor& x, const Batches& batches, const Tensor& hx, ListImpl& params,
                                   bool has_biases, const Layers& layers) {
  WICK_CHECK(has_biases, kInvalidArgument, "quantized GRU requires biases");
  check_layers(x, batches, hx, params, layers);
  TensorList h;
  for (int64_t i = 0; i < hx.size(0); ++i) h.push_back(select(hx, 0, i));
  const Tensor y = run_layers(x, batches, params, layers,
                              [&](int64_t number, const Tensor& gates, int64_t rows, const CellPacked& cell) {
                                Tensor& hidden = h[static_cast<size_t>(number)];
                                const Tensor before = first_rows(hidden, rows);
                                const Tensor next = gru_step(gates, cell.hidden_gates(before), before);
                                hidden = updated(hidden, next);
                                return next;
                              });
  return {y, stack(h, 0)};
}

}  // namespace

CellPacked::CellPacked(Ref<CustomObject> w_ih, Ref<CustomObject> w_hh, OptTensor b_ih, OptTensor b_hh,
                       bool reduce_range)
    : w_ih_(std::move(w_ih)),
      w_hh_(std::move(w_hh)),
      b_ih_(std::move(b_ih)),
      b_hh_(std::move(b_hh)),
      reduce_range_(reduce_range) {
  linear_packed(*w_ih_);
  linear_packed(*w_hh_);
}

Tensor CellPacked::input_gates(const Tensor& x) const { return apply(*w_ih_, x); }
Tensor CellPacked::hidden_gates(const Tensor& h) const { return apply(*w_hh_, h); }

IValue CellPacked::get_state() const {
  const bool dynamic = b_ih_.has_value();
  TensorList tensors;
  IntVec ints;
  if (dynamic) {
    tensors = {*b_ih_, *b_hh_};
    ints.push_back(reduce_range_);
  }
  IValue packed = IValue::list(types::class_type(std::string(LinearPacked::kClass)), {IValue(w_ih_), IValue(w_hh_)});
  return IValue::tuple({IValue(std::string(dynamic ? kDynamic : kHalf)), IValue::tensor_list(std::move(tensors)),
                        IValue::double_list(std::vector<double>()), IValue::int_list(ints), std::move(packed)});
}

Ref<CustomObject> cell_packed_from_state(IValue state) {
  if (!state.is_tuple() || state.to_tuple().items.size() != 5) bad_state();
  const std::vector<IValue>& items = state.to_tuple().items;
  if (!items[0].is_string() || !items[1].is_list() || !items[3].is_list() || !items[4].is_list()) bad_state();
  const std::vector<IValue>& packed = items[4].to_list().items;
  if (packed.size() != 2 || !packed[0].is_custom() || !packed[1].is_custom()) bad_state();
  const Ref<CustomObject> w_ih(&packed[0].to_custom()), w_hh(&packed[1].to_custom());
  if (items[0].to_string() == kHalf) return make_ref<CellPacked>(w_ih, w_hh, std::nullopt, std::nullopt, false);
  WICK_CHECK(items[0].to_string() == kDynamic, kUnsupported, "the model holds quantized cell parameters of the kind '",
             items[0].to_string(), "', which this build does not have");
  const TensorList biases = items[1].to_tensor_vec();
  const IntVec ints = items[3].to_int_vec();
  if (biases.size() != 2) bad_state();
  return make_ref<CellPacked>(w_ih, w_hh, biases[0], biases[1], !ints.empty() && ints[0] != 0);
}

IValue make_quantized_cell_params_dynamic(const IValue& w_ih, const IValue& w_hh, const Tensor& b_ih,
                                          const Tensor& b_hh, bool reduce_range) {
  return IValue(Ref<CustomObject>(make_ref<CellPacked>(
      Ref<CustomObject>(&w_ih.to_custom()), Ref<CustomObject>(&w_hh.to_custom()), b_ih, b_hh, reduce_range)));
}

IValue make_quantized_cell_params_fp16(const IValue& w_ih, const IValue& w_hh) {
  return IValue(Ref<CustomObject>(make_ref<CellPacked>(
      Ref<CustomObject>(&w_ih.to_custom()), Ref<CustomObject>(&w_hh.to_custom()), std::nullopt, std::nullopt, false)));
}

std::tuple<Tensor, Tensor, Tensor> quantized_lstm_input(const Tensor& input, const TensorList& hx, ListImpl& params,
                                                        bool has_biases, int64_t num_layers, double dropout, bool train,
                                                        bool bidirectional, bool batch_first, std::optional<DType>,
                                                        bool) {
  const Tensor x = batch_first ? transpose(input, 0, 1) : input;
  auto [y, h, c] = run_lstm(x, std::nullopt, hx, params, has_biases, {num_layers, dropout, train, bidirectional});
  return {batch_first ? transpose(y, 0, 1) : y, h, c};
}

std::tuple<Tensor, Tensor, Tensor> quantized_lstm_data(const Tensor& data, const Tensor& batch_sizes,
                                                       const TensorList& hx, ListImpl& params, bool has_biases,
                                                       int64_t num_layers, double dropout, bool train,
                                                       bool bidirectional, std::optional<DType>, bool) {
  return run_lstm(data, checked_batches(data, batch_sizes), hx, params, has_biases,
                  {num_layers, dropout, train, bidirectional});
}

std::tuple<Tensor, Tensor> quantized_gru_input(const Tensor& input, const Tensor& hx, ListImpl& params, bool has_biases,
                                               int64_t num_layers, double dropout, bool train, bool bidirectional,
                                               bool batch_first) {
  const Tensor x = batch_first ? transpose(input, 0, 1) : input;
  auto [y, h] = run_gru(x, std::nullopt, hx, params, has_biases, {num_layers, dropout, train, bidirectional});
  return {batch_first ? transpose(y, 0, 1) : y, h};
}

std::tuple<Tensor, Tensor> quantized_gru_data(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                                              ListImpl& params, bool has_biases, int64_t num_layers, double dropout,
                                              bool train, bool bidirectional) {
  return run_gru(data, checked_batches(data, batch_sizes), hx, params, has_biases,
                 {num_layers, dropout, train, bidirectional});
}

std::tuple<Tensor, Tensor> quantized_lstm_cell_dynamic(const Tensor& input, const TensorList& hx, CustomObject& w_ih,
                                                       CustomObject& w_hh, const Tensor&, const Tensor&) {
  WICK_CHECK(hx.size() == 2, kInvalidArgument, "lstm cell expects two hidden states");
  const LstmState state = lstm_step(apply(w_ih, input), apply(w_hh, hx[0]), hx[1]);
  return {state.h, state.c};
}

Tensor quantized_gru_cell_dynamic(const Tensor& input, const Tensor& hx, CustomObject& w_ih, CustomObject& w_hh,
                                  const Tensor&, const Tensor&) {
  return gru_step(apply(w_ih, input), apply(w_hh, hx), hx);
}

Tensor quantized_rnn_relu_cell_dynamic(const Tensor& input, const Tensor& hx, CustomObject& w_ih, CustomObject& w_hh,
                                       const Tensor&, const Tensor&) {
  return relu(add(apply(w_hh, hx), apply(w_ih, input)));
}

Tensor quantized_rnn_tanh_cell_dynamic(const Tensor& input, const Tensor& hx, CustomObject& w_ih, CustomObject& w_hh,
                                       const Tensor&, const Tensor&) {
  return tanh(add(apply(w_hh, hx), apply(w_ih, input)));
}

}  // namespace wick::ops
