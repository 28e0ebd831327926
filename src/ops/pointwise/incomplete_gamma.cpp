// The regularized incomplete gamma functions.
#include <cmath>
#include <limits>

#include "ops/pointwise/special_math.h"

namespace wick::ops::special {
namespace {

constexpr double kTiny = 1e-300;
constexpr double kPrecision = 1e-16;
constexpr int kMaxTerms = 20000;
constexpr double kLargeShape = 1e5;

// x^a exp(-x) / gamma(a)
double front_factor(double a, double x) { return std::exp(a * std::log(x) - x - std::lgamma(a)); }

// Power series of the lower function; good for x < a + 1.
double lower_series(double a, double x) {
  double term = 1 / a, sum = term;
  for (int n = 1; n < kMaxTerms && std::fabs(term) > std::fabs(sum) * kPrecision; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * front_factor(a, x);
}

// Continued fraction of the upper function (modified Lentz); good for x >= a + 1.
double upper_fraction(double a, double x) {
  double b = x + 1 - a, c = 1 / kTiny, d = 1 / (b == 0 ? kTiny : b), h = d;
  for (int n = 1; n < kMaxTerms; ++n) {
    const double an = -n * (n - a);
    b += 2;
    d = an * d + b;
    c = b + an / c;
    if (std::fabs(d) < kTiny) d = kTiny;
    if (std::fabs(c) < kTiny) c = kTiny;
    d = 1 / d;
    const double step = d * c;
    h *= step;
    if (std::fabs(step - 1) < kPrecision) break;
  }
  return h * front_factor(a, x);
}

// Both functions near the diagonal of a large shape parameter, where the series need too many terms: the normal
// distribution with Temme's first correction.
double temme(double a, double x, bool upper) {
  const double offset = (x - a) / a;
  const double half_square = offset - std::log1p(offset);
  const double eta = std::copysign(std::sqrt(2 * std::fmax(half_square, 0)), offset);
  const double c0 = std::fabs(offset) < 1e-3 ? -1.0 / 3 + eta / 12 : 1 / offset - 1 / eta;
  const double rest = std::exp(-a * half_square) / std::sqrt(2 * M_PI * a) * c0;
  const double sign = upper ? 1 : -1;
  return 0.5 * std::erfc(sign * eta * std::sqrt(a / 2)) + sign * rest;
}

double incomplete(double a, double x, bool upper) {
  const double none = upper ? 1 : 0, all = 1 - none;
  // In PyTorch's order: some limits hold even where the other argument is NaN.
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (a < 0 || x < 0) return kNan;
  if (a == 0) return x > 0 ? all : kNan;
  if (x == 0) return none;
  if (std::isinf(a)) return std::isinf(x) ? kNan : none;
  if (std::isinf(x)) return all;
  if (std::isnan(a) || std::isnan(x)) return kNan;
  if (a > kLargeShape && std::fabs(x - a) < 0.3 * a) return temme(a, x, upper);
  if (x < a + 1) {
    const double lower = lower_series(a, x);
    return upper ? 1 - lower : lower;
  }
  const double rest = upper_fraction(a, x);
  return upper ? rest : 1 - rest;
}

}  // namespace

double gamma_p(double a, double x) { return incomplete(a, x, false); }
double gamma_q(double a, double x) { return incomplete(a, x, true); }

}  // namespace wick::ops::special
