// Elementary functions of contiguous floats and doubles, vectorized and dispatched at run time: within about 4 units
// in the last place, the C library's results for unusual arguments. p[0] is the output, p[1] and p[2] the
// inputs.
#pragma once

#include <cstdint>

namespace wick::kernels {

// clang-format off
#define WICK_F32_FUNCTIONS(X) \
  X(exp2) X(expm1) X(log1p) X(log2) X(log10) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(atan2) X(round) X(frac)
#define WICK_F64_FUNCTIONS(X) \
  X(exp) X(expm1) X(log) X(log1p) X(log2) X(log10) X(sin) X(cos) X(asin) X(acos) X(atan) X(sinh) X(tanh) X(sigmoid) X(round)
// clang-format on

#define X(name) void name##_f32(void* const* p, int64_t n, const void*);
WICK_F32_FUNCTIONS(X)
#undef X
#define X(name) void name##_f64(void* const* p, int64_t n, const void*);
WICK_F64_FUNCTIONS(X)
#undef X

// Of complex numbers: p[1] holds pairs of floats.
void abs_c64(void* const* p, int64_t n, const void*);
void angle_c64(void* const* p, int64_t n, const void*);

}  // namespace wick::kernels
