// Softmax and layer normalization of rows of floats. Contract: rows are inside the caller's buffers; n >= 1; y may be
// x.
#pragma once

#include <cstdint>

namespace wick::kernels {

// y[i] = softmax(scale * x[i]) of each row.
void softmax_rows(const float* x, int64_t x_row, float scale, float* y, int64_t y_row, int64_t rows, int64_t n);

// A softmax in pieces, of several rows: x[i] = exp(scale * x[i] + mask[i] - peak) with a row's peak raised to what is
// seen here. `sum` gets the exponentials added. Begin with peaks of -infinity and sums of 0; a row that is -infinity
// throughout ends with sum 0.
struct SoftmaxPiece {
  float* x = nullptr;
  int64_t row = 0, rows = 0, n = 0;
  const int64_t* seen = nullptr;  // elements of each row, in place of n; may be null
  const float* mask = nullptr;    // may be null
  int64_t mask_row = 0;
  float scale = 1.0f;
  float* peak = nullptr;  // of each row
  float* sum = nullptr;
};
// shrink[r]: the factor by which what was summed under a row's old peak shrinks.
void softmax_pieces(const SoftmaxPiece& p, float* shrink);
// x[i] *= factor
void scale_row(float* x, float factor, int64_t n);

// y = (x - mean) / sqrt(variance + epsilon) * weight + bias of each row; weight and bias (n values) may be null.
void layer_norm_rows(const float* x, int64_t x_row, const float* weight, const float* bias, float epsilon, float* y,
                     int64_t y_row, int64_t rows, int64_t n);

}  // namespace wick::kernels
