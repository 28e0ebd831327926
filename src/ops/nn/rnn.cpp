// Recurrent layers. A padded batch is a packed sequence whose steps all have the same number of rows.
#include "ops/nn/rnn.h"

#include "ops/matmul/matmul.h"
#include "ops/nn/common.h"
#include "ops/nn/rnn_cells.h"
#include "ops/random/random.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

struct LayerParams {
  Tensor w_ih, w_hh;
  OptTensor b_ih, b_hh, w_hr;
};

struct LayerSpec {
  RnnCell cell;
  bool has_biases, projected;
  int64_t num_layers;
  double dropout;
  bool train, bidirectional;
  int64_t directions() const { return bidirectional ? 2 : 1; }
};

// Rows of each time step in the packed data.
struct Steps {
  std::vector<int64_t> rows, first;
  int64_t batch = 0;
};

struct Result {
  Tensor output, state, memory;
};

std::vector<LayerParams> gather_params(const TensorList& params, const LayerSpec& spec) {
  const size_t per_cell = 2 + (spec.has_biases ? 2 : 0) + (spec.projected ? 1 : 0);
  WICK_CHECK(
      spec.num_layers > 0 && params.size() == per_cell * static_cast<size_t>(spec.num_layers * spec.directions()),
      kInvalidArgument, "got an incorrect number of RNN parameters");
  std::vector<LayerParams> out;
  for (size_t i = 0; i < params.size(); i += per_cell) {
    LayerParams p{params[i], params[i + 1], {}, {}, {}};
    size_t k = i + 2;
    if (spec.has_biases) {
      p.b_ih = params[k++];
      p.b_hh = params[k++];
    }
    if (spec.projected) p.w_hr = params[k];
    out.push_back(std::move(p));
  }
  return out;
}

void check_layer(const LayerParams& p, const LayerSpec& spec, int64_t hidden, int64_t output, DType dtype) {
  const int64_t gates = gate_count(spec.cell) * hidden;
  WICK_CHECK(p.w_ih.dim() == 2 && p.w_hh.dim() == 2 && p.w_ih.size(0) == gates && p.w_hh.size(0) == gates &&
                 p.w_hh.size(1) == output,
             kShapeMismatch, "RNN weights of shapes ", p.w_ih.sizes(), " and ", p.w_hh.sizes(),
             " do not fit a hidden state of size ", output);
  WICK_CHECK(!has(p.w_hr) || (p.w_hr->dim() == 2 && p.w_hr->size(0) == output && p.w_hr->size(1) == hidden),
             kShapeMismatch, "the projection weight should have shape [", output, ", ", hidden, "]");
  WICK_CHECK(p.w_ih.dtype() == dtype && p.w_hh.dtype() == dtype, kTypeMismatch, "expected scalar type ", name_of(dtype),
             " but found ", name_of(p.w_ih.dtype() == dtype ? p.w_hh.dtype() : p.w_ih.dtype()));
}

// One direction of one layer. state and memory are updated in place; `column` is where its outputs start in a row.
template <class T>
void run_direction(const Tensor& input, const LayerParams& p, const LayerSpec& spec, const Steps& steps, bool reverse,
                   const Tensor& state, const Tensor& memory, const Tensor& output, int64_t column) {
  const int64_t hidden = memory.defined() ? memory.size(1) : state.size(1);
  const int64_t size = state.size(1);
  const int64_t width = gate_count(spec.cell) * hidden;
  const Tensor gates = contiguous(linear(input, p.w_ih, p.b_ih));
  Tensor unprojected = has(p.w_hr) ? Tensor::empty({state.size(0), hidden}, state.dtype()) : Tensor();
  const int64_t count = static_cast<int64_t>(steps.rows.size());
  for (int64_t i = 0; i < count; ++i) {
    const size_t t = static_cast<size_t>(reverse ? count - 1 - i : i);
    const int64_t rows = steps.rows[t];
    const Tensor current = state.as_strided({rows, size}, {size, 1}, 0);
    const Tensor from_state = contiguous(linear(current, p.w_hh, p.b_hh));
    T* to = has(p.w_hr) ? unprojected.data_ptr<T>() : state.data_ptr<T>();
    rnn_step<T>(spec.cell, gates.data_ptr<T>() + steps.first[t] * width, from_state.data_ptr<T>(), rows, hidden, to,
                memory.defined() ? memory.data_ptr<T>() : nullptr);
    if (has(p.w_hr)) {
      copy_into(current, linear(unprojected.as_strided({rows, hidden}, {hidden, 1}, 0), *p.w_hr, {}));
    }
    for (int64_t r = 0; r < rows; ++r) {
      std::copy_n(state.data_ptr<T>() + r * size, size,
                  output.data_ptr<T>() + (steps.first[t] + r) * output.size(1) + column);
    }
  }
}

Tensor layer_state(const Tensor& all, int64_t index, DType dtype) {
  return clone(to_dtype(select(all, 0, index), dtype), MemoryFormat::kContiguous);
}

// data: one row for each element of the packed sequence; h0, c0: [layers * directions, batch, size].
Result run_layers(const Tensor& data, const Steps& steps, const Tensor& h0, const Tensor& c0, const TensorList& params,
                  const LayerSpec& spec) {
  check_dtype(is_floating(data.dtype()), "rnn", data.dtype());
  const std::vector<LayerParams> layers = gather_params(params, spec);
  const int64_t cells = static_cast<int64_t>(layers.size());
  for (const Tensor& s : {h0, c0}) {
    WICK_CHECK(!s.defined() || (s.dim() == 3 && s.size(0) == cells && s.size(1) == steps.batch), kShapeMismatch,
               "Expected hidden size (", cells, ", ", steps.batch, ", ", s.defined() && s.dim() == 3 ? s.size(2) : 0,
               "), got ", s.sizes());
  }
  const int64_t size = h0.size(2);
  const int64_t hidden = c0.defined() ? c0.size(2) : size;
  WICK_CHECK(spec.projected || hidden == size, kShapeMismatch, "Expected hidden[1] size to be ", size, ", got ",
             hidden);
  const DType dtype = data.dtype();
  const DType work = widened_dtype(dtype);
  auto wide = [&](const OptTensor& t) { return has(t) ? OptTensor(to_dtype(*t, work)) : OptTensor(); };

  Tensor input = contiguous(to_dtype(data, work));
  Tensor states = Tensor::empty({cells, steps.batch, size}, work);
  Tensor memories = c0.defined() ? Tensor::empty({cells, steps.batch, hidden}, work) : Tensor();
  for (int64_t layer = 0; layer < spec.num_layers; ++layer) {
    Tensor output = Tensor::empty({input.size(0), size * spec.directions()}, work);
    for (int64_t d = 0; d < spec.directions(); ++d) {
      const int64_t index = layer * spec.directions() + d;
      const LayerParams& p = layers[static_cast<size_t>(index)];
      check_layer(p, spec, hidden, size, dtype);
      const LayerParams wide_params{to_dtype(p.w_ih, work), to_dtype(p.w_hh, work), wide(p.b_ih), wide(p.b_hh),
                                    wide(p.w_hr)};
      Tensor state = layer_state(h0, index, work);
      Tensor memory = c0.defined() ? layer_state(c0, index, work) : Tensor();
      for_float(work, "rnn", dtype, [&](auto zero) {
        run_direction<decltype(zero)>(input, wide_params, spec, steps, d == 1, state, memory, output, d * size);
      });
      copy_into(select(states, 0, index), state);
      if (memory.defined()) copy_into(select(memories, 0, index), memory);
    }
    input = output;
    if (spec.train && spec.dropout != 0 && layer + 1 < spec.num_layers) input = dropout(input, spec.dropout, true);
  }
  return {to_dtype(input, dtype), to_dtype(states, dtype), memories.defined() ? to_dtype(memories, dtype) : Tensor()};
}

Result run_padded(const Tensor& given, const Tensor& h0, const Tensor& c0, const TensorList& params,
                  const LayerSpec& spec, bool batch_first) {
  WICK_CHECK(given.dim() == 3, kShapeMismatch, "input must have 3 dimensions, got ", given.dim());
  const Tensor input = batch_first ? transpose(given, 0, 1) : given;
  const int64_t length = input.size(0), batch = input.size(1);
  WICK_CHECK(length > 0, kShapeMismatch, "Expected sequence length to be larger than 0 in RNN");
  Steps steps;
  steps.batch = batch;
  for (int64_t t = 0; t < length; ++t) {
    steps.rows.push_back(batch);
    steps.first.push_back(t * batch);
  }
  Result r = run_layers(reshaped(contiguous(input), {length * batch, input.size(2)}), steps, h0, c0, params, spec);
  r.output = reshaped(r.output, {length, batch, r.output.size(1)});
  if (batch_first) r.output = transpose(r.output, 0, 1);
  return r;
}

Result run_packed(const Tensor& data, const Tensor& batch_sizes, const Tensor& h0, const Tensor& c0,
                  const TensorList& params, const LayerSpec& spec) {
  WICK_CHECK(data.dim() == 2, kShapeMismatch, "the data of a packed sequence must have 2 dimensions, got ", data.dim());
  WICK_CHECK(batch_sizes.dim() == 1 && batch_sizes.dtype() == DType::kLong && batch_sizes.numel() > 0, kTypeMismatch,
             "batch_sizes should be a non-empty 1D int64 tensor");
  const Tensor sizes = contiguous(batch_sizes);
  const int64_t* rows = sizes.data_ptr<int64_t>();
  Steps steps;
  steps.batch = rows[0];
  int64_t total = 0;
  for (int64_t t = 0, count = sizes.numel(); t < count; ++t) {
    WICK_CHECK(rows[t] > 0 && (t == 0 || rows[t] <= rows[t - 1]) && rows[t] <= data.size(0) - total, kInvalidArgument,
               "batch_sizes must be positive, not increasing, and sum up to the length of the data");
    steps.rows.push_back(rows[t]);
    steps.first.push_back(total);
    total += rows[t];
  }
  WICK_CHECK(total == data.size(0), kShapeMismatch, "batch_sizes sum up to ", total, ", but the data has ",
             data.size(0), " rows");
  return run_layers(data, steps, h0, c0, params, spec);
}

void check_lstm_states(const TensorList& hx) {
  WICK_CHECK(hx.size() == 2, kInvalidArgument, "lstm expects two hidden states");
  WICK_CHECK(hx[0].dim() == 3 && hx[1].dim() == 3, kShapeMismatch, "lstm hidden states must have 3 dimensions");
}

std::tuple<Tensor, Tensor> simple_padded(RnnCell cell, const Tensor& input, const Tensor& hx, const TensorList& params,
                                         bool has_biases, int64_t num_layers, double dropout, bool train,
                                         bool bidirectional, bool batch_first) {
  Result r = run_padded(input, hx, {}, params, {cell, has_biases, false, num_layers, dropout, train, bidirectional},
                        batch_first);
  return {r.output, r.state};
}

std::tuple<Tensor, Tensor> simple_packed(RnnCell cell, const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                                         const TensorList& params, bool has_biases, int64_t num_layers, double dropout,
                                         bool train, bool bidirectional) {
  Result r = run_packed(data, batch_sizes, hx, {}, params,
                        {cell, has_biases, false, num_layers, dropout, train, bidirectional});
  return {r.output, r.state};
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, const TensorList& hx, const TensorList& params,
                                        bool has_biases, int64_t num_layers, double dropout, bool train,
                                        bool bidirectional, bool batch_first) {
  check_lstm_states(hx);
  const bool projected = hx[0].size(2) != hx[1].size(2);
  Result r =
      run_padded(input, hx[0], hx[1], params,
                 {RnnCell::kLstm, has_biases, projected, num_layers, dropout, train, bidirectional}, batch_first);
  return {r.output, r.state, r.memory};
}

std::tuple<Tensor, Tensor, Tensor> lstm_packed(const Tensor& data, const Tensor& batch_sizes, const TensorList& hx,
                                               const TensorList& params, bool has_biases, int64_t num_layers,
                                               double dropout, bool train, bool bidirectional) {
  check_lstm_states(hx);
  const bool projected = hx[0].size(2) != hx[1].size(2);
  Result r = run_packed(data, batch_sizes, hx[0], hx[1], params,
                        {RnnCell::kLstm, has_biases, projected, num_layers, dropout, train, bidirectional});
  return {r.output, r.state, r.memory};
}

#define WICK_SIMPLE_RNN(name, cell)                                                                                    \
  std::tuple<Tensor, Tensor> name(const Tensor& input, const Tensor& hx, const TensorList& params, bool has_biases,    \
                                  int64_t num_layers, double dropout, bool train, bool bidirectional,                  \
                                  bool batch_first) {                                                                  \
    return simple_padded(cell, input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first); \
  }                                                                                                                    \
  std::tuple<Tensor, Tensor> name##_packed(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,            \
                                           const TensorList& params, bool has_biases, int64_t num_layers,              \
                                           double dropout, bool train, bool bidirectional) {                           \
    return simple_packed(cell, data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional);  \
  }
WICK_SIMPLE_RNN(gru, RnnCell::kGru)
WICK_SIMPLE_RNN(rnn_tanh, RnnCell::kTanh)
WICK_SIMPLE_RNN(rnn_relu, RnnCell::kRelu)
#undef WICK_SIMPLE_RNN

}  // namespace wick::ops
