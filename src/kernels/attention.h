// softmax(scale * Q K^T + mask) V for many heads, in blocks, so that the scores of only a few queries exist at a time.
//
// Contract: extents are positive; all addresses are inside the caller's buffers; the result overlaps no operand.
#pragma once

#include <cstddef>

#include "kernels/workers.h"

namespace wick::kernels {

// A matrix per head: row r of head (b, h) at data + b * batch + h * head + r * row, its elements consecutive.
template <class T>
struct Heads {
  T* data = nullptr;
  int64_t batch = 0, head = 0, row = 0;
};

struct Attention {
  int64_t batch = 1, heads = 1;
  int64_t shared = 1;  // so many heads of q in a row use one head of k and v
  int64_t queries = 1, keys = 1;
  int64_t depth = 1, value_depth = 1;
  Heads<const float> q, k, v;
  Heads<float> out;
  Heads<const float> mask;     // added to the scores; data null: none. Strides may be 0.
  bool causal = false;         // query i sees the keys up to i
  bool zero_if_blind = false;  // a query that sees no key gives 0 instead of NaN
  float scale = 1.0f;
};

size_t attention_scratch_size(const Attention& a, int workers);  // elements, 64-byte aligned
void attention(const Attention& a, float* scratch, const Workers& workers);

}  // namespace wick::kernels
