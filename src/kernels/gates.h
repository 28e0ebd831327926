// Float kernels of softmax and of recurrent cells, vectorised for the machine they run on.
#pragma once

#include <cstdint>

namespace wick::kernels {

// y[i] = exp(x[i] - peak); returns the sum. y may be x.
float exp_minus_f32(const float* x, float peak, float* y, int64_t n);
// The sum of exp(x[i] - peak) alone.
float sum_exp_minus_f32(const float* x, float peak, int64_t n);
// y[i] = exp(x[i] - peak[i]), added to sum[i].
void exp_minus_each_f32(const float* x, const float* peak, float* y, float* sum, int64_t n);

// One LSTM step of n units: gates from the input (x) and the state (h) lie as input, forget, cell, output, n each.
void lstm_step_f32(const float* x, const float* h, float* state, float* memory, int64_t n);
// One GRU step: reset, update, new.
void gru_step_f32(const float* x, const float* h, float* state, int64_t n);
// state = tanh(x + h)
void tanh_step_f32(const float* x, const float* h, float* state, int64_t n);

}  // namespace wick::kernels
