// Special functions of one double: series, recurrences, asymptotic expansions.
#include "ops/pointwise/special_math.h"

#include <cmath>
#include <limits>
#include <utility>

#include "core/budget.h"

namespace wick::ops::special {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// B(2k) for k = 1..12.
constexpr double kBernoulli[] = {1.0 / 6,       -1.0 / 30,       1.0 / 42,       -1.0 / 30,
                                 5.0 / 66,      -691.0 / 2730,   7.0 / 6,        -3617.0 / 510,
                                 43867.0 / 798, -174611.0 / 330, 854513.0 / 138, -236364091.0 / 2730};

// The n-th polynomial of a family: the first is 1, the second `second`, and next(k, p[k - 1], p[k]) is p[k + 1].
template <class Next>
double recurrence(int64_t n, double second, Next next) {
  if (n == 0) return 1;
  double p = 1, q = second;
  for (int64_t k = 1; k < n && !std::isnan(q); ++k) {
    check_budget_at(k);
    p = std::exchange(q, next(static_cast<double>(k), p, q));
  }
  return q;
}

}  // namespace

double erfinv(double y) {
  if (!(y >= -1 && y <= 1)) return kNan;
  if (y == 1 || y == -1) return y * kInf;
  if (y == 0) return y;
  // Winitzki's estimate, then Halley steps on erf (near 1 on erfc, where erf has no digits left).
  const double a = std::fabs(y);
  const double l = std::log1p(-a * a);
  constexpr double kA = 0.147;
  const double t = 2 / (kPi * kA) + l / 2;
  double x = std::sqrt(std::sqrt(t * t - l / kA) - t);
  const double tail = 1 - a;
  for (int i = 0; i < 3; ++i) {
    const double error = a < 0.5 ? std::erf(x) - a : tail - std::erfc(x);
    const double u = error / (2 / std::sqrt(kPi) * std::exp(-x * x));
    x -= u / (1 + x * u);
  }
  return std::copysign(x, y);
}

double erfcx(double x) {
  if (x < 0) return x < -26.7 ? kInf : 2 * std::exp(x * x) - erfcx(-x);
  if (x < 20) {
    if (x < 2) return std::exp(x * x) * std::erfc(x);
    // The square split in two keeps the digits of exp(x * x).
    const double high = std::floor(x * 16) / 16, low = (x - high) * (x + high);
    return std::exp(high * high) * std::exp(low) * std::erfc(x);
  }
  double sum = 1, term = 1;
  for (int k = 1; k < 12; ++k) {
    term *= -(2.0 * k - 1) / (2 * x * x);
    sum += term;
  }
  return sum / (x * std::sqrt(kPi));
}

double ndtri(double p) {
  if (!(p >= 0 && p <= 1)) return kNan;
  if (p == 0) return -kInf;
  if (p == 1) return kInf;
  if (p > 0.1) return std::sqrt(2.0) * erfinv(2 * p - 1);
  // Newton steps on log(ndtr), which is nearly quadratic in the tail.
  const double target = std::log(p);
  double x = -std::sqrt(-2 * target);
  for (int i = 0; i < 12; ++i) {
    const double value = log_ndtr(x);
    const double slope = std::exp(-x * x / 2 - value) / std::sqrt(2 * kPi);
    const double step = (value - target) / slope;
    x -= step;
    if (std::fabs(step) <= 1e-16 * std::fabs(x)) break;
  }
  return x;
}

double log_ndtr(double x) {
  const double t = x * 0.70710678118654752440;
  if (x < -1) return std::log(erfcx(-t) / 2) - t * t;
  return std::log1p(-std::erfc(t) / 2);
}

double digamma(double x) {
  if (x == 0) return std::copysign(kInf, -x);
  if (x < 0) {
    if (x == std::trunc(x)) return kNan;
    double whole;
    const double part = std::modf(x, &whole);
    return digamma(1 - x) - kPi / std::tan(kPi * part);
  }
  if (x == kInf) return x;
  double shift = 0;
  while (x < 10) {
    shift += 1 / x;
    x += 1;
  }
  double sum = 0, power = 1 / (x * x);
  const double step = power;
  for (int k = 0; k < 8; ++k) {
    sum += kBernoulli[k] / (2 * (k + 1)) * power;
    power *= step;
  }
  return std::log(x) - 0.5 / x - sum - shift;
}

double zeta(double x, double q) {
  if (x == 1) return kInf;
  if (!(x > 1)) return kNan;
  if (q <= 0) {
    if (q == std::floor(q)) return kInf;
    if (x != std::floor(x)) return kNan;
  }
  // Euler-Maclaurin: terms up to a, then the integral and Bernoulli corrections.
  double sum = 0, a = q;
  for (int i = 0; i < 9 || (a <= 9 && i < 1000000); ++i) {
    const double term = std::pow(a, -x);
    sum += term;
    a += 1;
    if (std::fabs(term) < 1e-17 * std::fabs(sum) && a > 0) return sum;
  }
  const double last = std::pow(a, -x);
  sum += last * a / (x - 1) + 0.5 * last;
  double factor = x, power = last / a, factorial = 2;
  for (int k = 0; k < 12; ++k) {
    const double term = kBernoulli[k] * factor * power / factorial;
    sum += term;
    if (std::fabs(term) < 1e-17 * std::fabs(sum)) break;
    factor *= (x + 2 * k + 1) * (x + 2 * k + 2);
    power /= a * a;
    factorial *= (2 * k + 3) * (2 * k + 4);
  }
  return sum;
}

double polygamma(int64_t n, double x) {
  if (n == 0) return digamma(x);
  if (n == 1 && x == kInf) return 0;
  int sign = 0;
  const auto order = static_cast<double>(n);
  const double magnitude = std::exp(::lgamma_r(order + 1, &sign)) * zeta(order + 1, x);
  return n % 2 == 0 ? -magnitude : magnitude;
}

double chebyshev_t(double x, int64_t n) {
  if (n < 0) return 0;
  if (std::fabs(x) == 1) return x > 0 || n % 2 == 0 ? 1 : -1;
  if (n > 6 && std::fabs(x) < 1) return std::cos(static_cast<double>(n) * std::acos(x));
  return recurrence(n, x, [x](double, double p, double q) { return 2 * x * q - p; });
}

double chebyshev_u(double x, int64_t n) {
  if (n < 0) return 0;
  if (std::fabs(x) == 1) return (x > 0 || n % 2 == 0 ? 1.0 : -1.0) * static_cast<double>(n + 1);
  if (n > 8 && std::fabs(x) < 1) {
    const double t = std::acos(x);
    return std::sin(t) != 0 ? std::sin(static_cast<double>(n + 1) * t) / std::sin(t)
                            : static_cast<double>(n + 1) * std::cos(static_cast<double>(n + 1) * t) / x;
  }
  return recurrence(n, 2 * x, [x](double, double p, double q) { return 2 * x * q - p; });
}

double chebyshev_v(double x, int64_t n) {
  if (n < 0) return 0;
  if (std::fabs(x) == 1) {
    if (x > 0) return 1;
    return (n % 2 == 0 ? 1.0 : -1.0) * static_cast<double>(2 * n + 1);
  }
  if (n > 8 && std::fabs(x) < 1) {
    const double t = std::acos(x);
    if (std::sin(t / 2) != 1) return std::cos((static_cast<double>(n) + 0.5) * t) / std::cos(t / 2);
    return (n % 2 == 0 ? 1.0 : -1.0) * static_cast<double>(2 * n + 1);
  }
  return recurrence(n, 2 * x - 1, [x](double, double p, double q) { return 2 * x * q - p; });
}

double chebyshev_w(double x, int64_t n) {
  if (n < 0) return 0;
  if (std::fabs(x) == 1) {
    if (x > 0) return static_cast<double>(2 * n + 1);
    return n % 2 == 0 ? 1 : -1;
  }
  if (n > 8 && std::fabs(x) < 1) {
    const double t = std::acos(x);
    if (std::cos(t / 2) != 1) return std::sin((static_cast<double>(n) + 0.5) * t) / std::sin(t / 2);
    return x > 0 ? static_cast<double>(2 * n + 1) : n % 2 == 0 ? 1 : -1;
  }
  return recurrence(n, 2 * x + 1, [x](double, double p, double q) { return 2 * x * q - p; });
}

double hermite_h(double x, int64_t n) {
  if (n < 0) return 0;
  return recurrence(n, 2 * x, [x](double k, double p, double q) { return 2 * x * q - 2 * k * p; });
}

double hermite_he(double x, int64_t n) {
  if (n < 0) return 0;
  return recurrence(n, x, [x](double k, double p, double q) { return x * q - k * p; });
}

double laguerre_l(double x, int64_t n) {
  if (n < 0) return 0;
  if (x == 0) return 1;
  return recurrence(n, 1 - x, [x](double k, double p, double q) { return ((2 * k + 1 - x) * q - k * p) / (k + 1); });
}

double legendre_p(double x, int64_t n) {
  if (n < 0) return 0;
  if (std::fabs(x) == 1) return x > 0 || n % 2 == 0 ? 1 : -1;
  return recurrence(n, x, [x](double k, double p, double q) { return ((2 * k + 1) * x * q - k * p) / (k + 1); });
}

}  // namespace wick::ops::special
