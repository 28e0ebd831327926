// Special functions of one double, from their series, recurrences and asymptotic expansions.
#pragma once

#include <cstdint>

namespace wick::ops::special {

double erfinv(double y);
double erfcx(double x);
double ndtri(double p);
double log_ndtr(double x);
double digamma(double x);
// n-th derivative of digamma, n >= 0; for n == 1 the sum over negative x converges slowly.
double polygamma(int64_t n, double x);
// Regularized incomplete gamma functions, lower and upper.
double gamma_p(double a, double x);
double gamma_q(double a, double x);
// Hurwitz zeta.
double zeta(double x, double q);

double bessel_i0(double x);
double bessel_i1(double x);
double bessel_i0e(double x);
double bessel_i1e(double x);
double bessel_j0(double x);
double bessel_j1(double x);
double bessel_y0(double x);
double bessel_y1(double x);
double bessel_k0(double x);
double bessel_k1(double x);
// exp(x) times the above.
double bessel_k0e(double x);
double bessel_k1e(double x);
double spherical_bessel_j0(double x);
double airy_ai(double x);

double chebyshev_t(double x, int64_t n);
double chebyshev_u(double x, int64_t n);
double chebyshev_v(double x, int64_t n);
double chebyshev_w(double x, int64_t n);
double hermite_h(double x, int64_t n);
double hermite_he(double x, int64_t n);
double laguerre_l(double x, int64_t n);
double legendre_p(double x, int64_t n);

}  // namespace wick::ops::special
