// Products of one row with a matrix of floats in 28 bits each, without loss: such a product takes as long as reading
// the matrix from where it lies, if that is further away than the second-level cache. Of the exponents among 64 columns
// the fifteen largest have a number of four bits; what is smaller and not zero, one in thousands of a layer's weights,
// is in a list. Needs AVX-512 with VBMI.
#pragma once

#include <cstddef>

#include "kernels/epilogue.h"
#include "kernels/workers.h"

namespace wick::kernels {

// Whether this machine has the instructions.
bool has_compact_products();

// B[k][n] with strides of rows and columns. Whether few of its numbers would have to be in the list, by a sample.
bool suits_compact(const float* b, int64_t b_row, int64_t b_col, int64_t n, int64_t k);
size_t compact_size(int64_t n, int64_t k);  // bytes
// dst: 64-byte aligned. False when the list is full; then dst is of no use. `done` (may be null) is told of columns
// that won't be read again.
bool pack_compact(const float* b, int64_t b_row, int64_t b_col, int64_t n, int64_t k, void* dst,
                  void (*done)(const void* begin, size_t bytes));

struct CompactRow {
  int64_t n = 0, k = 0;
  const void* weights = nullptr;  // as packed
  const float* a = nullptr;
  float* c = nullptr;
  const float* bias = nullptr;  // n values, or null
  Epilogue epilogue;
};
void compact_row(const CompactRow& row, const Workers& workers);

}  // namespace wick::kernels
