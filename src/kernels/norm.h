// Softmax and layer normalisation of rows of floats. Contract: rows are inside the caller's buffers; n >= 1; y may be
// x.
#pragma once

#include <cstdint>

namespace wick::kernels {

// y[i] = softmax(scale * x[i]) of each row.
void softmax_rows(const float* x, int64_t x_row, float scale, float* y, int64_t y_row, int64_t rows, int64_t n);

// A softmax in pieces: x[i] = exp(scale * x[i] + mask[i] - peak) with the peak raised to what is seen here (mask may be
// null). `sum` gets the exponentials added. Returns the factor by which what was summed under the old peak shrinks.
// Begin with peak -infinity and sum 0; a row that is -infinity throughout ends with sum 0.
float softmax_piece(float* x, const float* mask, float scale, int64_t n, float& peak, float& sum);
// x[i] *= factor
void scale_row(float* x, float factor, int64_t n);

// y = (x - mean) / sqrt(variance + epsilon) * weight + bias of each row; weight and bias (n values) may be null.
void layer_norm_rows(const float* x, int64_t x_row, const float* weight, const float* bias, float epsilon, float* y,
                     int64_t y_row, int64_t rows, int64_t n);

}  // namespace wick::kernels
