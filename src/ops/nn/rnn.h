// Recurrent layers and cells, and packed sequences.
#pragma once

#include <tuple>

#include "ops/boxing.h"

namespace wick::ops {

// Layers over a padded batch. `params` holds, for each layer and direction, w_ih, w_hh, [b_ih, b_hh], [w_hr].
// Results: the outputs of the last layer and the final state(s).
std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, const TensorList& hx, const TensorList& params,
                                        bool has_biases, int64_t num_layers, double dropout, bool train,
                                        bool bidirectional, bool batch_first);
std::tuple<Tensor, Tensor> gru(const Tensor& input, const Tensor& hx, const TensorList& params, bool has_biases,
                               int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first);
std::tuple<Tensor, Tensor> rnn_tanh(const Tensor& input, const Tensor& hx, const TensorList& params, bool has_biases,
                                    int64_t num_layers, double dropout, bool train, bool bidirectional,
                                    bool batch_first);
std::tuple<Tensor, Tensor> rnn_relu(const Tensor& input, const Tensor& hx, const TensorList& params, bool has_biases,
                                    int64_t num_layers, double dropout, bool train, bool bidirectional,
                                    bool batch_first);
// Over the data of a packed sequence.
std::tuple<Tensor, Tensor, Tensor> lstm_packed(const Tensor& data, const Tensor& batch_sizes, const TensorList& hx,
                                               const TensorList& params, bool has_biases, int64_t num_layers,
                                               double dropout, bool train, bool bidirectional);
std::tuple<Tensor, Tensor> gru_packed(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                                      const TensorList& params, bool has_biases, int64_t num_layers, double dropout,
                                      bool train, bool bidirectional);
std::tuple<Tensor, Tensor> rnn_tanh_packed(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                                           const TensorList& params, bool has_biases, int64_t num_layers,
                                           double dropout, bool train, bool bidirectional);
std::tuple<Tensor, Tensor> rnn_relu_packed(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                                           const TensorList& params, bool has_biases, int64_t num_layers,
                                           double dropout, bool train, bool bidirectional);

std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, const TensorList& hx, const Tensor& w_ih, const Tensor& w_hh,
                                     const OptTensor& b_ih, const OptTensor& b_hh);
Tensor gru_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const OptTensor& b_ih,
                const OptTensor& b_hh);
Tensor rnn_tanh_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     const OptTensor& b_ih, const OptTensor& b_hh);
Tensor rnn_relu_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     const OptTensor& b_ih, const OptTensor& b_hh);

// Cells from gates that are multiplied already: (hidden, cell, gates) and (hidden, gates).
std::tuple<Tensor, Tensor, Tensor> fused_lstm_cell(const Tensor& input_gates, const Tensor& hidden_gates,
                                                   const Tensor& cx, const OptTensor& input_bias,
                                                   const OptTensor& hidden_bias);
std::tuple<Tensor, Tensor> fused_gru_cell(const Tensor& input_gates, const Tensor& hidden_gates, const Tensor& hx,
                                          const OptTensor& input_bias, const OptTensor& hidden_bias);

// (data, batch sizes)
std::tuple<Tensor, Tensor> pack_padded_sequence(const Tensor& input, const Tensor& lengths, bool batch_first);
// (padded, lengths); total_length 0 or less: as long as the longest.
std::tuple<Tensor, Tensor> pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes, bool batch_first,
                                               const Scalar& padding_value, int64_t total_length);

}  // namespace wick::ops
