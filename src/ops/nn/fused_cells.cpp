// Recurrent cells whose gates are multiplied already; models traced on a GPU may hold them.
#include "ops/nn/common.h"
#include "ops/nn/rnn.h"
#include "ops/pointwise/pointwise.h"
#include "ops/shape/join.h"
#include "ops/shape/view.h"

namespace wick::ops {

namespace {

Tensor with_bias(const Tensor& gates, const OptTensor& bias) { return has(bias) ? add(gates, *bias) : gates; }

TensorList split_gates(const Tensor& gates, const Tensor& state, int64_t count, const char* op) {
  WICK_CHECK(
      gates.dim() == 2 && state.dim() == 2 && gates.size(0) == state.size(0) && gates.size(1) == count * state.size(1),
      kShapeMismatch, op, ": expected gates of sizes [", state.dim() == 2 ? state.size(0) : 0, ", ",
      state.dim() == 2 ? count * state.size(1) : 0, "], but got ", gates.sizes());
  return split_with_sizes(gates, IntVec(static_cast<size_t>(count), state.size(1)), 1);
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> fused_lstm_cell(const Tensor& input_gates, const Tensor& hidden_gates,
                                                   const Tensor& cx, const OptTensor& input_bias,
                                                   const OptTensor& hidden_bias) {
  const TensorList gates = split_gates(add(with_bias(input_gates, input_bias), with_bias(hidden_gates, hidden_bias)),
                                       cx, 4, "_thnn_fused_lstm_cell");
  const Tensor in = sigmoid(gates[0]), forget = sigmoid(gates[1]), cell = tanh(gates[2]), out = sigmoid(gates[3]);
  const Tensor cy = add(mul(forget, cx), mul(in, cell));
  return {mul(out, tanh(cy)), cy, concat({in, forget, cell, out}, 1)};
}

std::tuple<Tensor, Tensor> fused_gru_cell(const Tensor& input_gates, const Tensor& hidden_gates, const Tensor& hx,
                                          const OptTensor& input_bias, const OptTensor& hidden_bias) {
  const TensorList x = split_gates(with_bias(input_gates, input_bias), hx, 3, "_thnn_fused_gru_cell");
  const TensorList h = split_gates(with_bias(hidden_gates, hidden_bias), hx, 3, "_thnn_fused_gru_cell");
  const Tensor reset = sigmoid(add(x[0], h[0])), update = sigmoid(add(x[1], h[1]));
  const Tensor fresh = tanh(add(x[2], mul(reset, h[2])));
  return {add(fresh, mul(update, sub(hx, fresh))), concat({reset, update, fresh, hx, h[2]}, 1)};
}

}  // namespace wick::ops
