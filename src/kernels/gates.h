// Float kernels of softmax and of recurrent cells, vectorized and dispatched at run time.
#pragma once

#include <cstdint>

namespace wick::kernels {

// y[i] = exp(x[i] - peak); returns the sum. y may be x.
float exp_minus_f32(const float* x, float peak, float* y, int64_t n);
// The sum of exp(x[i] - peak) alone.
float sum_exp_minus_f32(const float* x, float peak, int64_t n);
// y[i] = exp(x[i] - peak[i]), added to sum[i].
void exp_minus_each_f32(const float* x, const float* peak, float* y, float* sum, int64_t n);

// One LSTM step of n units: gates from the input (x) and the state (h) are input, forget, cell, output, n each.
void lstm_step_f32(const float* x, const float* h, float* state, float* memory, int64_t n);
// The same with the product of the state, for one sequence. Units come in groups of `lanes` (product_lanes() of
// product.h, of which `hidden` is a multiple): columns of the weights, `bias` and `x` are input, forget, cell and
// output gates of a group, then those of the next.
struct LstmRow {
  int64_t hidden = 0;
  const float* weights = nullptr;  // pack_b<float>(4 * hidden, hidden)
  int64_t panel = 0;               // columns of its panels: two or four groups of lanes
  const float* bias = nullptr;     // may be null
  const float* x = nullptr;        // gates from the input
  const float* state = nullptr;
  float* next = nullptr;  // the new state, apart from the old one
  float* memory = nullptr;
};
// Groups [first, last), from the last to the first when `backwards`.
void lstm_row_f32(const LstmRow& row, int64_t first, int64_t last, bool backwards);
// One GRU step: reset, update, new.
void gru_step_f32(const float* x, const float* h, float* state, int64_t n);
// state = tanh(x + h)
void tanh_step_f32(const float* x, const float* h, float* state, int64_t n);

}  // namespace wick::kernels
