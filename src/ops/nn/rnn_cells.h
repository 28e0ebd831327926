// One step of a recurrent cell on raw rows.
#pragma once

#include <cstdint>

namespace wick::ops {

enum class RnnCell { kLstm, kGru, kTanh, kRelu };

constexpr int64_t gate_count(RnnCell cell) { return cell == RnnCell::kLstm ? 4 : cell == RnnCell::kGru ? 3 : 1; }

// Updates `rows` states of `size` values in place. x and h are the gate pre-activations from the input and from the
// state, rows of gate_count(cell) * size. `state` is the hidden state; `memory` the cell state (LSTM only).
template <class T>
void rnn_step(RnnCell cell, const T* x, const T* h, int64_t rows, int64_t size, T* state, T* memory);

}  // namespace wick::ops
