// One direction of a recurrent layer over whole sequences: the input's part of the gates is one product for many steps,
// the state's part one for each.
//
// Contract: extents are positive; all addresses are inside the caller's buffers, which overlap nowhere.
#pragma once

#include <cstddef>

#include "kernels/workers.h"

namespace wick::kernels {

enum class RecurrentCell : uint8_t { kLstm, kGru, kTanh, kRelu };
// Gates of a cell; those of a unit are `hidden` apart, in PyTorch's order.
int64_t recurrent_gates(RecurrentCell cell);

// Row b of step t at data + t * step + b * row, its elements consecutive.
template <class T>
struct Sequence {
  T* data = nullptr;
  int64_t step = 0, row = 0;
};

struct Recurrent {
  RecurrentCell cell = RecurrentCell::kLstm;
  int64_t batch = 1, steps = 1;
  int64_t inputs = 1, hidden = 1;
  bool reverse = false;         // from the last step to the first
  const float* w_ih = nullptr;  // pack_b<float>(gates * hidden, inputs)
  const float* w_hh = nullptr;  // pack_b<float>(gates * hidden, hidden)
  const float* b_ih = nullptr;  // gates * hidden values each, or null
  const float* b_hh = nullptr;
  // Weights and biases have their columns as interleaved_column says.
  bool interleaved = false;
  Sequence<const float> x;
  Sequence<float> out;
  float* state = nullptr;   // [batch][hidden]: the first one, and then the last
  float* memory = nullptr;  // the same of an LSTM's cells
};

// Whether an LSTM is faster with interleaved gates: then a step is one pass over the weights.
bool interleaves_gates(RecurrentCell cell, int64_t batch, int64_t hidden);
// Which of PyTorch's columns is column `i` then.
int64_t interleaved_column(int64_t i, int64_t hidden);

size_t recurrent_scratch_size(const Recurrent& r);  // elements, 64-byte aligned
void recurrent(const Recurrent& r, float* scratch, const Workers& workers);

}  // namespace wick::kernels
