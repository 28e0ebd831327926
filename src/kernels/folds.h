// Vectorized reductions of contiguous runs, and distances between two runs.
#pragma once

#include <cstdint>

namespace wick::kernels {

double sum_f64(const double* x, int64_t n);
// Wraps.
int64_t sum_i64(const int64_t* x, int64_t n);
// In double, without the elements that are NaN.
double nansum_f32(const float* x, int64_t n);
float product_f32(const float* x, int64_t n);
double product_f64(const double* x, int64_t n);
// NaN when any element is; x has n >= 1 elements.
double max_of_f64(const double* x, int64_t n);
double min_of_f64(const double* x, int64_t n);

// acc[i] += factor * x[i]; wraps.
void add_scaled_i64(int64_t* acc, const int64_t* x, int64_t factor, int64_t n);

// Sums of |x[i] - y[i]| and of its squares.
float sum_abs_diff_f32(const float* x, const float* y, int64_t n);
float sum_squared_diff_f32(const float* x, const float* y, int64_t n);

}  // namespace wick::kernels
