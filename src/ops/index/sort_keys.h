// Elements as unsigned words whose order is PyTorch's order of the elements: one sorting code for every dtype.
#pragma once

#include <functional>
#include <vector>

#include "wick/tensor.h"

namespace wick::ops {

struct Keyed {
  uint64_t key;
  int64_t index;
};
inline bool key_less(const Keyed& a, const Keyed& b) { return a.key < b.key; }
inline bool key_greater(const Keyed& a, const Keyed& b) { return a.key > b.key; }
// Equal keys in the order they came: a stable order for any sorting algorithm.
inline bool key_then_index_less(const Keyed& a, const Keyed& b) {
  return a.key != b.key ? a.key < b.key : a.index < b.index;
}

// The key of NaN: above all numbers.
constexpr uint64_t kNanKey = ~uint64_t{0};

// Keys of n elements, stride in bytes. -0 and +0 have the same key. Throws for dtypes without an order, naming `op`.
void load_keys(const void* data, int64_t stride, DType dtype, int64_t n, uint64_t* keys, const char* op);
void load_keyed(const void* data, int64_t stride, DType dtype, int64_t n, Keyed* out, const char* op);

// Calls body(source line, out line, index line) for every line of `self` along `dim`, with the byte strides along dim.
// out and indices have self's sizes but along dim. All are at least 1-D.
struct Line {
  char* data;
  int64_t stride;
};
void for_each_line(const Tensor& self, const Tensor& out, const Tensor& indices, int64_t dim,
                   const std::function<void(Line source, Line out, Line indices)>& body);

}  // namespace wick::ops
