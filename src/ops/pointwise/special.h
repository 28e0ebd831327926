// aten::special_* functions that have no plain name.
#pragma once

#include "ops/boxing.h"
#include "wick/tensor.h"

namespace wick::ops {

// clang-format off
#define WICK_BESSEL_FUNCTIONS(X)                                                                              \
  X(bessel_j0) X(bessel_j1) X(bessel_y0) X(bessel_y1) X(bessel_k0) X(bessel_k1) X(bessel_k0e) X(bessel_k1e)   \
  X(bessel_i0) X(bessel_i1) X(spherical_bessel_j0) X(airy_ai)
// clang-format on
// clang-format off
#define WICK_POLYNOMIALS(X)                                                                            \
  X(chebyshev_t) X(chebyshev_u) X(chebyshev_v) X(chebyshev_w) X(hermite_h) X(hermite_he) X(laguerre_l) \
  X(legendre_p) X(shifted_chebyshev_t) X(shifted_chebyshev_u) X(shifted_chebyshev_v) X(shifted_chebyshev_w)
// clang-format on

#define X(name) Tensor special_##name(const Tensor& self, Out out = {});
WICK_BESSEL_FUNCTIONS(X)
#undef X
#define X(name)                                                                     \
  Tensor special_##name(const Tensor& x, const Tensor& n, Out out = {});            \
  Tensor special_##name##_x_scalar(const Scalar& x, const Tensor& n, Out out = {}); \
  Tensor special_##name##_n_scalar(const Tensor& x, const Scalar& n, Out out = {});
WICK_POLYNOMIALS(X)
#undef X

}  // namespace wick::ops
