// Float kernels over contiguous runs, vectorized and dispatched at run time.
//
// p[0] is the output, p[1] and p[2] the inputs; an input may be the output. Parameters, where a kernel has any, are
// the floats `params` points to, in the order given beside it.
#pragma once

#include <cstdint>

#include "kernels/activations.h"

namespace wick::kernels {

// clang-format off
// Of one operand; each is the operator of its name.
#define WICK_UNARY_KERNELS(X)                                                                                       \
  X(neg) X(abs) X(square) X(sqrt) X(rsqrt) X(reciprocal) X(floor) X(ceil) X(trunc)                                  \
  X(exp) X(log) X(sin) X(cos) X(tanh) X(sigmoid) X(erf)                                                             \
  WICK_ACTIVATIONS(X)
#define WICK_FLOAT_KERNELS(X)                                                                                       \
  X(add) X(sub) X(mul) X(div) X(maximum) X(minimum) /* p[1] op p[2] */                                              \
  X(add_scaled) X(sub_scaled)                       /* alpha: p[1] +- alpha p[2] */                                 \
  WICK_UNARY_KERNELS(X)                                                                                             \
  X(gelu) X(gelu_tanh)                                                                                              \
  X(clamp) /* low, high */ X(clamp_min) /* low */ X(clamp_max) /* unused, high */ X(leaky_relu) /* slope */         \
  X(elu) /* alpha * scale, scale, input scale */ X(softplus) /* beta, threshold */
// clang-format on

#define X(name) void name##_f32(void* const* p, int64_t n, const void* params);
WICK_FLOAT_KERNELS(X)
#undef X

// Sums in double.
double sum_f32(const float* x, int64_t n);
void add_into_f64(double* acc, const float* x, int64_t n);
double sum_squares_f32(const float* x, int64_t n);
// NaN when any element is; x has n >= 1 elements.
float max_of_f32(const float* x, int64_t n);
float min_of_f32(const float* x, int64_t n);

}  // namespace wick::kernels
