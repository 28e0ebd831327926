// torch::nn: RNN, LSTM, GRU and their cells.
#include <torch/nn/init.h>
#include <torch/nn/modules/rnn.h>

#include <cmath>

#include "nn_print.h"

namespace torch {
namespace nn {

using at::Tensor;
using utils::rnn::PackedSequence;
using wick_compat::Printed;

namespace detail {
namespace {

void uniform_weights(at::ArrayRef<Tensor> weights, int64_t hidden_size) {
  const double bound = hidden_size > 0 ? 1 / std::sqrt(hidden_size) : 0;
  for (const Tensor& t : weights) {
    if (t.defined()) init::uniform_(t, -bound, bound);
  }
}
Tensor reordered(const Tensor& state, const Tensor& order) {
  return order.defined() && state.defined() ? state.index_select(1, order) : state;
}
int64_t state_size(const RNNOptionsBase& o) { return o.proj_size() > 0 ? o.proj_size() : o.hidden_size(); }

}  // namespace

void Recurrent::make(Module& module) {
  const RNNOptionsBase& o = options_base;
  const int64_t gates = (o.mode() == kLSTM ? 4 : o.mode() == kGRU ? 3 : 1) * o.hidden_size();
  const int64_t directions = o.bidirectional() ? 2 : 1, out = state_size(o);
  TORCH_CHECK(0 <= o.dropout() && o.dropout() <= 1,
              "dropout should be a number in range [0, 1] representing the "
              "probability of an element being zeroed");
  flat_weights_.clear();
  for (int64_t layer = 0; layer < o.num_layers(); ++layer) {
    for (int64_t direction = 0; direction < directions; ++direction) {
      const std::string end = "_l" + std::to_string(layer) + (direction ? "_reverse" : "");
      const int64_t in = layer == 0 ? o.input_size() : out * directions;
      const auto add = [&](const char* name, at::IntArrayRef sizes) {
        flat_weights_.push_back(module.register_parameter(name + end, at::empty(sizes)));
      };
      add("weight_ih", {gates, in});
      add("weight_hh", {gates, out});
      if (o.bias()) {
        add("bias_ih", {gates});
        add("bias_hh", {gates});
      }
      if (o.proj_size() > 0) add("weight_hr", {o.proj_size(), o.hidden_size()});
    }
  }
  reset_weights();
}
void Recurrent::reset_weights() { uniform_weights(flat_weights_, options_base.hidden_size()); }

Tensor Recurrent::zero_state(const Tensor& input, const Tensor& batch_sizes, int64_t size) const {
  const RNNOptionsBase& o = options_base;
  const int64_t batch = batch_sizes.defined() ? batch_sizes[0].item<int64_t>() : input.size(o.batch_first() ? 0 : 1);
  return at::zeros({o.num_layers() * (o.bidirectional() ? 2 : 1), batch, size}, input.options());
}
void Recurrent::check(const Tensor& input, const Tensor& batch_sizes, const States& states) const {
  const RNNOptionsBase& o = options_base;
  const int64_t dims = batch_sizes.defined() ? 2 : 3;
  TORCH_CHECK(input.dim() == dims, "input must have ", dims, " dimensions, got ", input.dim());
  TORCH_CHECK(o.input_size() == input.size(-1), "input.size(-1) must be equal to input_size. Expected ", o.input_size(),
              ", got ", input.size(-1));
  for (size_t i = 0; i < states.size(); ++i) {
    const Tensor expected = zero_state(input, batch_sizes, i == 0 ? state_size(o) : o.hidden_size());
    const char* what = states.size() == 1 ? "Expected hidden size "
                       : i == 0           ? "Expected hidden[0] size "
                                          : "Expected hidden[1] size ";
    TORCH_CHECK(states[i].sizes() == expected.sizes(), what, "(", expected.size(0), ", ", expected.size(1), ", ",
                expected.size(2), "), got ", states[i].sizes());
  }
}
std::pair<Tensor, States> Recurrent::run(const Tensor& input, const Tensor& batch_sizes, const Tensor& sorted,
                                         const Tensor& unsorted, States states, bool training) const {
  const RNNOptionsBase& o = options_base;
  if (states.empty()) {
    states.push_back(zero_state(input, batch_sizes, state_size(o)));
    if (o.mode() == kLSTM) states.push_back(zero_state(input, batch_sizes, o.hidden_size()));
  } else {
    for (Tensor& t : states) t = reordered(t, sorted);
  }
  check(input, batch_sizes, states);
  const bool packed = batch_sizes.defined();
  std::pair<Tensor, States> out;
  if (o.mode() == kLSTM) {
    out.second.resize(2);
    std::tie(out.first, out.second[0], out.second[1]) =
        packed ? at::lstm(input, batch_sizes, states, flat_weights_, o.bias(), o.num_layers(), o.dropout(), training,
                          o.bidirectional())
               : at::lstm(input, states, flat_weights_, o.bias(), o.num_layers(), o.dropout(), training,
                          o.bidirectional(), o.batch_first());
  } else {
    out.second.resize(1);
#define WICK_RUN(function)                                                                                             \
  packed ? at::function(input, batch_sizes, states[0], flat_weights_, o.bias(), o.num_layers(), o.dropout(), training, \
                        o.bidirectional())                                                                             \
         : at::function(input, states[0], flat_weights_, o.bias(), o.num_layers(), o.dropout(), training,              \
                        o.bidirectional(), o.batch_first())
    std::tie(out.first, out.second[0]) = o.mode() == kGRU        ? (WICK_RUN(gru))
                                         : o.mode() == kRNN_RELU ? (WICK_RUN(rnn_relu))
                                                                 : (WICK_RUN(rnn_tanh));
#undef WICK_RUN
  }
  for (Tensor& t : out.second) t = reordered(t, unsorted);
  return out;
}
void Recurrent::print(std::ostream& stream, const char* name) const {
  const RNNOptionsBase& o = options_base;
  Printed p(stream, name);
  p.field("input_size", o.input_size()).field("hidden_size", o.hidden_size()).field("num_layers", o.num_layers());
  p.field("bias", o.bias()).field("batch_first", o.batch_first()).field("dropout", o.dropout());
  p.field("bidirectional", o.bidirectional());
  p.field_if(o.proj_size() > 0, "proj_size", o.proj_size());
}

void RecurrentCell::make(Module& module, int64_t input_size, int64_t hidden_size, bool bias, int64_t chunks) {
  weight_ih = module.register_parameter("weight_ih", at::empty({chunks * hidden_size, input_size}));
  weight_hh = module.register_parameter("weight_hh", at::empty({chunks * hidden_size, hidden_size}));
  bias_ih = module.register_parameter("bias_ih", bias ? at::empty({chunks * hidden_size}) : Tensor(), bias);
  bias_hh = module.register_parameter("bias_hh", bias ? at::empty({chunks * hidden_size}) : Tensor(), bias);
  reset_weights();
}
void RecurrentCell::reset_weights() { uniform_weights({weight_ih, weight_hh, bias_ih, bias_hh}, weight_hh.size(1)); }
Tensor RecurrentCell::state_for(const Tensor& input, const Tensor& given, const char* label) const {
  TORCH_CHECK(input.size(1) == weight_ih.size(1), "input has inconsistent input_size: got ", input.size(1),
              " expected ", weight_ih.size(1));
  if (!given.defined()) return at::zeros({input.size(0), weight_hh.size(1)}, input.options());
  TORCH_CHECK(input.size(0) == given.size(0), "Input batch size ", input.size(0), " doesn't match hidden", label,
              " batch size ", given.size(0));
  TORCH_CHECK(given.size(1) == weight_hh.size(1), "hidden", label, " has inconsistent hidden_size: got ", given.size(1),
              ", expected ", weight_hh.size(1));
  return given;
}

namespace {
template <class Options>
RNNOptionsBase common(enumtype::Name mode, const Options& o) {
  RNNOptionsBase out(mode, o.input_size(), o.hidden_size());
  return out.num_layers(o.num_layers())
      .bias(o.bias())
      .batch_first(o.batch_first())
      .dropout(o.dropout())
      .bidirectional(o.bidirectional());
}
States given_state(const Tensor& hx) { return hx.defined() ? States{hx} : States(); }
States given_state(const c10::optional<LSTMImpl::State>& hx) {
  return hx ? States{std::get<0>(*hx), std::get<1>(*hx)} : States();
}
PackedSequence packed_like(const PackedSequence& p, const Tensor& data) {
  return PackedSequence(data, p.batch_sizes(), p.sorted_indices(), p.unsorted_indices());
}
}  // namespace
}  // namespace detail

RNNImpl::RNNImpl(const RNNOptions& o)
    : RNNImplBase(detail::common(o.nonlinearity() == kReLU ? enumtype::Name(kRNN_RELU) : enumtype::Name(kRNN_TANH), o)),
      options(o) {}
GRUImpl::GRUImpl(const GRUOptions& o) : RNNImplBase(detail::common(kGRU, o)), options(o) {}
LSTMImpl::LSTMImpl(const LSTMOptions& o) : RNNImplBase(detail::common(kLSTM, o).proj_size(o.proj_size())), options(o) {}

#define WICK_RNN(Name)                                                                                           \
  std::tuple<Tensor, Tensor> Name##Impl::forward(const Tensor& input, Tensor hx) {                               \
    auto out = run(input, {}, {}, {}, detail::given_state(hx), is_training());                                   \
    return std::make_tuple(out.first, out.second[0]);                                                            \
  }                                                                                                              \
  std::tuple<PackedSequence, Tensor> Name##Impl::forward_with_packed_input(const PackedSequence& p, Tensor hx) { \
    auto out = run(p.data(), p.batch_sizes(), p.sorted_indices(), p.unsorted_indices(), detail::given_state(hx), \
                   is_training());                                                                               \
    return std::make_tuple(detail::packed_like(p, out.first), out.second[0]);                                    \
  }
WICK_RNN(RNN)
WICK_RNN(GRU)
#undef WICK_RNN
std::tuple<Tensor, LSTMImpl::State> LSTMImpl::forward(const Tensor& input, c10::optional<State> hx) {
  auto out = run(input, {}, {}, {}, detail::given_state(hx), is_training());
  return std::make_tuple(out.first, std::make_tuple(out.second[0], out.second[1]));
}
std::tuple<PackedSequence, LSTMImpl::State> LSTMImpl::forward_with_packed_input(const PackedSequence& p,
                                                                                c10::optional<State> hx) {
  auto out =
      run(p.data(), p.batch_sizes(), p.sorted_indices(), p.unsorted_indices(), detail::given_state(hx), is_training());
  return std::make_tuple(detail::packed_like(p, out.first), std::make_tuple(out.second[0], out.second[1]));
}

RNNCellImpl::RNNCellImpl(const RNNCellOptions& o) : options(o) { RNNCellImpl::reset(); }
void RNNCellImpl::reset() { make(*this, options.input_size(), options.hidden_size(), options.bias(), 1); }
Tensor RNNCellImpl::forward(const Tensor& input, Tensor hx) {
  hx = state_for(input, hx, "");
  const auto ih = detail::given(bias_ih), hh = detail::given(bias_hh);
  return options.nonlinearity() == kReLU ? at::rnn_relu_cell(input, hx, weight_ih, weight_hh, ih, hh)
                                         : at::rnn_tanh_cell(input, hx, weight_ih, weight_hh, ih, hh);
}
void RNNCellImpl::pretty_print(std::ostream& stream) const {
  Printed p(stream, "RNNCell");
  p.value(options.input_size()).value(options.hidden_size());
  p.field_if(!options.bias(), "bias", options.bias());
  p.field_if(options.nonlinearity() != kTanh, "nonlinearity", "kReLU");
}
GRUCellImpl::GRUCellImpl(const GRUCellOptions& o) : options(o) { GRUCellImpl::reset(); }
void GRUCellImpl::reset() { make(*this, options.input_size(), options.hidden_size(), options.bias(), 3); }
Tensor GRUCellImpl::forward(const Tensor& input, Tensor hx) {
  return at::gru_cell(input, state_for(input, hx, ""), weight_ih, weight_hh, detail::given(bias_ih),
                      detail::given(bias_hh));
}
void GRUCellImpl::pretty_print(std::ostream& stream) const {
  Printed p(stream, "GRUCell");
  p.value(options.input_size()).value(options.hidden_size()).field_if(!options.bias(), "bias", options.bias());
}
LSTMCellImpl::LSTMCellImpl(const LSTMCellOptions& o) : options(o) { LSTMCellImpl::reset(); }
void LSTMCellImpl::reset() { make(*this, options.input_size(), options.hidden_size(), options.bias(), 4); }
LSTMCellImpl::State LSTMCellImpl::forward(const Tensor& input, c10::optional<State> hx) {
  const Tensor h = state_for(input, hx ? std::get<0>(*hx) : Tensor(), "[0]");
  const Tensor c = state_for(input, hx ? std::get<1>(*hx) : Tensor(), "[1]");
  return at::lstm_cell(input, {h, c}, weight_ih, weight_hh, detail::given(bias_ih), detail::given(bias_hh));
}
void LSTMCellImpl::pretty_print(std::ostream& stream) const {
  Printed p(stream, "LSTMCell");
  p.value(options.input_size()).value(options.hidden_size()).field_if(!options.bias(), "bias", options.bias());
}

}  // namespace nn
}  // namespace torch
