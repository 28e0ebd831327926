// The operator list of recurrent layers.
#include "ops/families.h"
#include "ops/nn/rnn.h"

namespace wick {

namespace {

using namespace ops;
using namespace traits;

constexpr OpEntry kEntries[] = {
    OP("aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, "
       "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)",
       lstm, nondeterministic_seeded, shapes_only),
    OP("aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, "
       "int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor, Tensor)",
       lstm_packed, nondeterministic_seeded, shapes_only),
    OP("aten::gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, "
       "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
       gru, nondeterministic_seeded, shapes_only),
    OP("aten::gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, "
       "int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
       gru_packed, nondeterministic_seeded, shapes_only),
    OP("aten::rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, "
       "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
       rnn_tanh, nondeterministic_seeded, shapes_only),
    OP("aten::rnn_tanh.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, "
       "int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
       rnn_tanh_packed, nondeterministic_seeded, shapes_only),
    OP("aten::rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, "
       "float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)",
       rnn_relu, nondeterministic_seeded, shapes_only),
    OP("aten::rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, "
       "int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)",
       rnn_relu_packed, nondeterministic_seeded, shapes_only),
    OP("aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
       "Tensor? b_hh=None) -> (Tensor, Tensor)",
       lstm_cell, shapes_only),
    OP("aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
       "Tensor? b_hh=None) -> Tensor",
       gru_cell, shapes_only),
    OP("aten::rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
       "Tensor? b_hh=None) -> Tensor",
       rnn_tanh_cell, deterministic),
    OP("aten::rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
       "Tensor? b_hh=None) -> Tensor",
       rnn_relu_cell, deterministic),
    OP("aten::_thnn_fused_lstm_cell(Tensor input_gates, Tensor hidden_gates, Tensor cx, Tensor? "
       "input_bias=None, Tensor? hidden_bias=None) -> (Tensor, Tensor, Tensor)",
       fused_lstm_cell, deterministic),
    OP_OUT("aten::_thnn_fused_lstm_cell.out(Tensor input_gates, Tensor hidden_gates, Tensor cx, Tensor? "
           "input_bias=None, Tensor? hidden_bias=None, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> "
           "(Tensor(a!), Tensor(b!), Tensor(c!))",
           fused_lstm_cell, deterministic),
    OP("aten::_thnn_fused_gru_cell(Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? input_bias=None, "
       "Tensor? hidden_bias=None) -> (Tensor, Tensor)",
       fused_gru_cell, deterministic),
    OP_OUT("aten::_thnn_fused_gru_cell.out(Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? "
           "input_bias=None, Tensor? hidden_bias=None, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), "
           "Tensor(b!))",
           fused_gru_cell, deterministic),
    OP("aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)",
       pack_padded_sequence, dynamic_output_shape),
    OP_OUT("aten::_pack_padded_sequence.out(Tensor input, Tensor lengths, bool batch_first, *, Tensor(a!) out0, "
           "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
           pack_padded_sequence, dynamic_output_shape),
    OP("aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, "
       "int total_length) -> (Tensor, Tensor)",
       pad_packed_sequence, dynamic_output_shape),
};

}  // namespace

WICK_OP_FAMILY(kRnnOps, kEntries)

}  // namespace wick
