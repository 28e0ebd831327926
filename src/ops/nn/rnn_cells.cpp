// One step of a recurrent cell on rows.
#include "ops/nn/rnn_cells.h"

#include <cmath>

#include "core/parallel.h"
#include "kernels/gates.h"
#include "ops/matmul/matmul.h"
#include "ops/nn/common.h"
#include "ops/nn/rnn.h"

namespace wick::ops {

namespace {

template <class T>
T logistic(T x) {
  return T(1) / (T(1) + std::exp(-x));
}

template <class T>
void lstm_row(const T* x, const T* h, int64_t n, T* state, T* memory) {
  if constexpr (std::is_same_v<T, float>) return kernels::lstm_step_f32(x, h, state, memory, n);
  for (int64_t i = 0; i < n; ++i) {
    const T in = logistic(x[i] + h[i]);
    const T forget = logistic(x[n + i] + h[n + i]);
    const T cell = std::tanh(x[2 * n + i] + h[2 * n + i]);
    const T out = logistic(x[3 * n + i] + h[3 * n + i]);
    memory[i] = forget * memory[i] + in * cell;
    state[i] = out * std::tanh(memory[i]);
  }
}

template <class T>
void gru_row(const T* x, const T* h, int64_t n, T* state) {
  if constexpr (std::is_same_v<T, float>) return kernels::gru_step_f32(x, h, state, n);
  for (int64_t i = 0; i < n; ++i) {
    const T reset = logistic(x[i] + h[i]);
    const T update = logistic(x[n + i] + h[n + i]);
    const T fresh = std::tanh(x[2 * n + i] + reset * h[2 * n + i]);
    state[i] = (state[i] - fresh) * update + fresh;
  }
}

template <class T>
void tanh_row(const T* x, const T* h, int64_t n, T* state) {
  if constexpr (std::is_same_v<T, float>) return kernels::tanh_step_f32(x, h, state, n);
  for (int64_t i = 0; i < n; ++i) state[i] = std::tanh(x[i] + h[i]);
}

}  // namespace

template <class T>
void rnn_step(RnnCell cell, const T* x, const T* h, int64_t rows, int64_t size, T* state, T* memory) {
  const int64_t width = gate_count(cell) * size;
  parallel_for(0, rows, grain_for(width * 8), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const T* xr = x + r * width;
      const T* hr = h + r * width;
      T* s = state + r * size;
      switch (cell) {
        case RnnCell::kLstm:
          lstm_row(xr, hr, size, s, memory + r * size);
          break;
        case RnnCell::kGru:
          gru_row(xr, hr, size, s);
          break;
        case RnnCell::kTanh:
          tanh_row(xr, hr, size, s);
          break;
        case RnnCell::kRelu:
          for (int64_t i = 0; i < size; ++i) {
            const T v = xr[i] + hr[i];
            s[i] = v < T(0) ? T(0) : v;
          }
          break;
      }
    }
  });
}

template void rnn_step<float>(RnnCell, const float*, const float*, int64_t, int64_t, float*, float*);
template void rnn_step<double>(RnnCell, const double*, const double*, int64_t, int64_t, double*, double*);

namespace {

void check_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, RnnCell cell,
                int hidden_label) {
  check_dtype(is_floating(input.dtype()), "rnn_cell", input.dtype());
  WICK_CHECK(input.dim() == 2 && hx.dim() == 2 && w_ih.dim() == 2 && w_hh.dim() == 2, kShapeMismatch,
             "a recurrent cell needs two-dimensional input, hidden state and weights");
  WICK_CHECK(input.size(1) == w_ih.size(1), kShapeMismatch, "input has inconsistent input_size: got ", input.size(1),
             " expected ", w_ih.size(1));
  WICK_CHECK(input.size(0) == hx.size(0), kShapeMismatch, "Input batch size ", input.size(0), " doesn't match hidden",
             hidden_label, " batch size ", hx.size(0));
  WICK_CHECK(hx.size(1) == w_hh.size(1), kShapeMismatch, "hidden", hidden_label, " has inconsistent hidden_size: got ",
             hx.size(1), ", expected ", w_hh.size(1));
  const int64_t gates = gate_count(cell) * w_hh.size(1);
  WICK_CHECK(w_ih.size(0) == gates && w_hh.size(0) == gates, kShapeMismatch, "cell weights need ", gates, " rows, got ",
             w_ih.size(0), " and ", w_hh.size(0));
}

// Runs one step; returns (state, memory).
std::tuple<Tensor, Tensor> run_cell(RnnCell cell, const Tensor& input, const Tensor& hx, const Tensor& cx,
                                    const Tensor& w_ih, const Tensor& w_hh, const OptTensor& b_ih,
                                    const OptTensor& b_hh) {
  check_cell(input, hx, w_ih, w_hh, cell, 0);
  const Tensor x = contiguous(widened(linear(input, w_ih, b_ih)));
  const Tensor h = contiguous(widened(linear(hx, w_hh, b_hh)));
  Tensor state = clone(widened(hx), MemoryFormat::kContiguous);
  Tensor memory = cx.defined() ? clone(to_dtype(cx, state.dtype()), MemoryFormat::kContiguous) : Tensor();
  for_float(state.dtype(), "rnn_cell", input.dtype(), [&](auto zero) {
    using T = decltype(zero);
    rnn_step<T>(cell, x.data_ptr<T>(), h.data_ptr<T>(), state.size(0), state.size(1), state.data_ptr<T>(),
                memory.defined() ? memory.data_ptr<T>() : nullptr);
  });
  return {to_dtype(state, input.dtype()), memory.defined() ? to_dtype(memory, input.dtype()) : Tensor()};
}

}  // namespace

std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, const TensorList& hx, const Tensor& w_ih, const Tensor& w_hh,
                                     const OptTensor& b_ih, const OptTensor& b_hh) {
  WICK_CHECK(hx.size() == 2, kInvalidArgument, "lstm_cell expects two hidden states");
  check_cell(input, hx[0], w_ih, w_hh, RnnCell::kLstm, 0);
  check_cell(input, hx[1], w_ih, w_hh, RnnCell::kLstm, 1);
  return run_cell(RnnCell::kLstm, input, hx[0], hx[1], w_ih, w_hh, b_ih, b_hh);
}

Tensor gru_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const OptTensor& b_ih,
                const OptTensor& b_hh) {
  return std::get<0>(run_cell(RnnCell::kGru, input, hx, {}, w_ih, w_hh, b_ih, b_hh));
}
Tensor rnn_tanh_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     const OptTensor& b_ih, const OptTensor& b_hh) {
  return std::get<0>(run_cell(RnnCell::kTanh, input, hx, {}, w_ih, w_hh, b_ih, b_hh));
}
Tensor rnn_relu_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     const OptTensor& b_ih, const OptTensor& b_hh) {
  return std::get<0>(run_cell(RnnCell::kRelu, input, hx, {}, w_ih, w_hh, b_ih, b_hh));
}

}  // namespace wick::ops
