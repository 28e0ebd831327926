// Products of float rows with weights of eight and four bits that have scales, as transformers hold them: weights are
// widened in registers where they meet the rows, so that no float form of them is ever in memory.
//
// Contract: rows, scales and results are contiguous; scales are finite or not, as the sums follow from them.
#pragma once

#include <cstdint>

namespace wick::kernels {

// y [rows, n] = x [rows, k] times the weights' transpose: row j of them is bytes [j * k, (j + 1) * k) times scales[j].
struct Int8WeightProduct {
  const float* x = nullptr;
  int64_t rows = 0, n = 0, k = 0;
  const int8_t* weights = nullptr;
  const float* scales = nullptr;
  float* y = nullptr;
};
// Columns [first, last) of the result.
void int8_weight_product(const Int8WeightProduct& p, int64_t first, int64_t last);

// Weights of four bits lie in blocks of 64 rows, by columns. A byte has row d of its block in the low bits and row
// d + 32 in the high ones; in the last block, when it is not full, rows 2 d and 2 d + 1.
inline constexpr int64_t kInt4Block = 64;
// Blocks of n rows.
inline int64_t int4_blocks(int64_t n) { return (n + kInt4Block - 1) / kInt4Block; }

// The same with weight (bits - 8) * scale + zero, a scale and a zero for each `group` columns of a row:
// [k / group, n, 2]. n is a multiple of 16, group one of 4, k one of group.
struct Int4WeightProduct {
  const float* x = nullptr;
  int64_t rows = 0, n = 0, k = 0, group = 0;
  const uint8_t* weights = nullptr;
  const float* scales_and_zeros = nullptr;
  float* y = nullptr;
};
// The columns of the result that blocks [first, last) of the weights are.
void int4_weight_product(const Int4WeightProduct& p, int64_t first, int64_t last);

}  // namespace wick::kernels
