// Bessel and Airy functions.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/pointwise/special_math.h"

namespace wick::ops::special {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kEuler = 0.57721566490153286061;

// exp(-x) I_order(x) for x >= 0: the power series has positive terms only; far out the asymptotic one is exact.
double scaled_bessel_i(int order, double x) {
  if (x == kInf) return 0;
  if (x <= 22) {
    const double t = x * x / 4;
    double term = order == 0 ? 1 : x / 2, sum = term;
    for (int k = 1; k < 200 && term > 1e-17 * sum; ++k) {
      term *= t / (static_cast<double>(k) * (k + order));
      sum += term;
    }
    return sum * std::exp(-x);
  }
  const double mu = 4.0 * order * order;
  double term = 1, sum = 1;
  for (int k = 1; k < 30; ++k) {
    const double odd = 2.0 * k - 1;
    const double next = -term * (mu - odd * odd) / (8 * k * x);
    if (std::fabs(next) > std::fabs(term) || std::fabs(next) < 1e-17 * std::fabs(sum)) break;
    term = next;
    sum += term;
  }
  return sum / std::sqrt(2 * kPi * x);
}

// What Miller's backward recurrence gives at once: J0, J1 and the sums that make Y0 and Y1.
struct Oscillating {
  double j0, j1, y0, y1;
};

Oscillating small_argument(double x) {
  int top = 2 * static_cast<int>(std::ceil((x + 30) / 2));
  double after = 0, here = 1e-300, norm = 0, sum0 = 0, sum1 = 0, j1 = 0;
  for (int n = top; n >= 0; --n) {
    // here = J_n up to a common factor
    if (n > 0 && n % 2 == 0) {
      const int k = n / 2;
      norm += 2 * here;
      sum0 += (k % 2 == 0 ? here : -here) / k;
    } else if (n % 2 == 1) {
      const int k = n / 2;
      if (k > 0) sum1 += (k % 2 == 0 ? here : -here) * (2.0 * k + 1) / (static_cast<double>(k) * (k + 1));
      if (n == 1) j1 = here;
    }
    if (n == 0) break;
    const double before = 2.0 * n / x * here - after;
    after = here;
    here = before;
    if (std::fabs(here) > 1e250) {
      constexpr double kScale = 1e-250;
      here *= kScale;
      after *= kScale;
      norm *= kScale;
      sum0 *= kScale;
      sum1 *= kScale;
      j1 *= kScale;
    }
  }
  norm += here;
  Oscillating r;
  r.j0 = here / norm;
  r.j1 = j1 / norm;
  const double l = std::log(x / 2) + kEuler;
  r.y0 = 2 / kPi * l * r.j0 - 4 / kPi * (sum0 / norm);
  r.y1 = -2 / (kPi * x) * r.j0 + 2 / kPi * ((l - 1) * r.j1 - sum1 / norm);
  return r;
}

// The amplitude parts P and Q of an asymptotic expansion: its terms go to 1, q, -p, -q, p, q, ... in turn.
struct Amplitude {
  double p = 1, q = 0;
  void add(int k, double term) {
    double& part = k % 2 == 1 ? q : p;
    part += k % 4 == 1 || k % 4 == 0 ? term : -term;
  }
};

// Hankel's expansion of J and Y.
void hankel(int order, double x, double& j, double& y) {
  const double mu = 4.0 * order * order;
  Amplitude parts;
  double term = 1;
  for (int k = 1; k < 60; ++k) {
    const double odd = 2.0 * k - 1;
    const double next = term * (mu - odd * odd) / (k * 8 * x);
    if (std::fabs(next) > std::fabs(term) || std::fabs(next) < 1e-18) break;
    term = next;
    parts.add(k, term);
  }
  // sin and cos of x - order * pi / 2 - pi / 4 from those of x, to keep the digits of large x.
  const double s = std::sin(x), c = std::cos(x), r = std::sqrt(0.5);
  const double cos_phase = order == 0 ? r * (c + s) : r * (s - c);
  const double sin_phase = order == 0 ? r * (s - c) : -r * (s + c);
  const double amplitude = std::sqrt(2 / (kPi * x));
  j = amplitude * (parts.p * cos_phase - parts.q * sin_phase);
  y = amplitude * (parts.p * sin_phase + parts.q * cos_phase);
}

double oscillating(int order, bool second, double x) {
  if (x == kInf) return 0;
  if (x > 25) {
    double j, y;
    hankel(order, x, j, y);
    return second ? y : j;
  }
  const Oscillating r = small_argument(x);
  if (second) return order == 0 ? r.y0 : r.y1;
  return order == 0 ? r.j0 : r.j1;
}

// exp(x) K_order(x) by the trapezoid rule on its integral, which converges exponentially; the larger x, the narrower
// the peak that the steps have to meet.
double scaled_bessel_k(double order, double x) {
  if (x == kInf) return 0;
  const double step = std::min(1.0 / 16, 0.7 / std::sqrt(x));
  double sum = 0.5;
  for (int i = 1; i < 2000; ++i) {
    const double t = i * step;
    const double term = std::exp(-x * 2 * std::sinh(t / 2) * std::sinh(t / 2)) * std::cosh(order * t);
    sum += term;
    if (term < 1e-18 * sum) break;
  }
  return sum * step;
}

double bessel_k(int order, double x, bool scaled) {
  if (std::isnan(x)) return x;
  if (x == 0) return kInf;
  if (x < 0) return kNan;
  const double v = scaled_bessel_k(order, x);
  return scaled ? v : v * std::exp(-x);
}

}  // namespace

double bessel_i0e(double x) { return std::isnan(x) ? x : scaled_bessel_i(0, std::fabs(x)); }
double bessel_i1e(double x) { return std::isnan(x) ? x : std::copysign(scaled_bessel_i(1, std::fabs(x)), x); }
double bessel_i0(double x) { return bessel_i0e(x) * std::exp(std::fabs(x)); }
double bessel_i1(double x) { return bessel_i1e(x) * std::exp(std::fabs(x)); }

double bessel_j0(double x) {
  if (std::isnan(x)) return x;
  return x == 0 ? 1 : oscillating(0, false, std::fabs(x));
}
double bessel_j1(double x) {
  if (std::isnan(x) || x == 0) return x;
  const double v = oscillating(1, false, std::fabs(x));
  return x < 0 ? -v : v;
}
double bessel_y0(double x) {
  if (std::isnan(x)) return x;
  return x == 0 ? -kInf : x < 0 ? kNan : oscillating(0, true, x);
}
double bessel_y1(double x) {
  if (std::isnan(x)) return x;
  return x == 0 ? -kInf : x < 0 ? kNan : oscillating(1, true, x);
}
double bessel_k0(double x) { return bessel_k(0, x, false); }
double bessel_k1(double x) { return bessel_k(1, x, false); }
double bessel_k0e(double x) { return bessel_k(0, x, true); }
double bessel_k1e(double x) { return bessel_k(1, x, true); }

double spherical_bessel_j0(double x) {
  if (std::isinf(x)) return 0;
  if (std::fabs(x) < 0.01) {
    const double t = x * x;
    return 1 - t / 6 * (1 - t / 20 * (1 - t / 42));
  }
  return std::sin(x) / x;
}

double airy_ai(double x) {
  if (std::isnan(x)) return x;
  if (x > 103) return 0;
  const double a = std::fabs(x), zeta = 2.0 / 3 * a * std::sqrt(a);
  if (x > 1.5) return std::sqrt(x / 3) / kPi * scaled_bessel_k(1.0 / 3, zeta) * std::exp(-zeta);
  if (x > -9) {
    // Maclaurin series; extended precision covers the cancellation on the negative side.
    const long double z = x, z3 = z * z * z;
    long double f = 1, g = z, ft = 1, gt = z;
    for (int k = 1; k < 120; ++k) {
      ft *= z3 / ((3.0L * k - 1) * (3.0L * k));
      gt *= z3 / ((3.0L * k) * (3.0L * k + 1));
      f += ft;
      g += gt;
    }
    return static_cast<double>(0.35502805388781723926006318600418L * f - 0.25881940379280679840518356018920L * g);
  }
  if (x == -kInf) return kNan;
  Amplitude parts;
  double term = 1;
  for (int k = 1; k < 40; ++k) {
    const double next = term * (6.0 * k - 5) * (6.0 * k - 3) * (6.0 * k - 1) / (216.0 * k * (2.0 * k - 1)) / zeta;
    if (next > term || next < 1e-18) break;
    term = next;
    parts.add(k, term);
  }
  const double phase = zeta - kPi / 4;
  return (parts.p * std::cos(phase) + parts.q * std::sin(phase)) / (std::sqrt(kPi) * std::sqrt(std::sqrt(a)));
}

}  // namespace wick::ops::special
