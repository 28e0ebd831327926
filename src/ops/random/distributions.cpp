// Single draws from PyTorch's CPU distributions.
#include "ops/random/distributions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wick::ops {

// A drawn number has 53 bits after the point, so that 1 - u is exact.
double draw_normal(GeneratorImpl& g, double mean, double std) {
  std::optional<double>& spare = g.spare_normal();
  if (spare) {
    const double v = *spare;
    spare.reset();
    return v * std + mean;
  }
  const double u1 = draw_uniform<double>(g), u2 = draw_uniform<double>(g);
  const double radius = std::sqrt(-2.0 * std::log(1.0 - u2)), theta = 2.0 * std::numbers::pi * u1;
  spare = radius * std::sin(theta);
  return radius * std::cos(theta) * std + mean;
}

double draw_exponential(GeneratorImpl& g, double lambda) {
  return -1.0 / lambda * std::log(1.0 - draw_uniform<double>(g));
}

double draw_geometric(GeneratorImpl& g, double p) {
  return std::ceil(std::log(draw_uniform<double>(g)) / std::log1p(-p));
}

double draw_cauchy(GeneratorImpl& g, double median, double sigma) {
  return median + sigma * std::tan(std::numbers::pi * (draw_uniform<double>(g) - 0.5));
}

double draw_poisson(GeneratorImpl& g, double rate) {
  if (!std::isfinite(rate)) return rate;
  if (rate >= 10) {
    // Hoermann's transformed rejection.
    const double root = std::sqrt(rate), log_rate = std::log(rate);
    const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), vr = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
      const double u = draw_uniform<double>(g) - 0.5, v = draw_uniform<double>(g);
      const double us = 0.5 - std::fabs(u);
      const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
      if (us >= 0.07 && v <= vr) return k;
      if (k < 0 || (us < 0.013 && v > us)) continue;
      if (std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b) <=
          -rate + k * log_rate - std::lgamma(k + 1)) {
        return k;
      }
    }
  }
  if (rate == 0) return 0;
  const double limit = std::exp(-rate);
  double count = 0, product = 1;
  for (;;) {
    product *= draw_uniform<double>(g);
    if (!(product > limit)) return count;
    count += 1;
  }
}

namespace {

// log(k!) minus Stirling's approximation of it.
double stirling_tail(double k) {
  static constexpr double kTail[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
                                     0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                                     0.00925546218271273, 0.00833056343336287};
  if (k <= 9) return kTail[static_cast<int>(std::max(k, 0.0))];
  const double next = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / next) / next) / (k + 1);
}

// Counts how many geometric waits fit into `count` trials.
double binomial_by_waits(GeneratorImpl& g, double count, double prob) {
  const double log_fail = std::log1p(-prob);
  double trials = 0, successes = 0;
  for (;;) {
    trials += std::ceil(std::log(draw_uniform<double>(g)) / log_fail);
    if (!(trials <= count)) return successes;
    successes += 1;
  }
}

// Hoermann's transformed rejection with squeeze.
double binomial_by_rejection(GeneratorImpl& g, double count, double prob) {
  const double deviation = std::sqrt(count * prob * (1 - prob));
  const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * prob;
  const double c = count * prob + 0.5, vr = 0.92 - 4.2 / b, r = prob / (1 - prob);
  const double alpha = (2.83 + 5.1 / b) * deviation, m = std::floor((count + 1) * prob);
  for (;;) {
    const double u = draw_uniform<double>(g) - 0.5;
    double v = draw_uniform<double>(g);
    const double us = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / us + b) * u + c);
    if (us >= 0.07 && v <= vr) return k;
    if (k < 0 || k > count) continue;
    v = std::log(v * alpha / (a / (us * us) + b));
    const double bound = (m + 0.5) * std::log((m + 1) / (r * (count - m + 1))) +
                         (count + 1) * std::log((count - m + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(r * (count - k + 1) / (k + 1)) + stirling_tail(m) +
                         stirling_tail(count - m) - stirling_tail(k) - stirling_tail(count - k);
    if (v <= bound) return k;
  }
}

}  // namespace

double draw_binomial(GeneratorImpl& g, double count, double prob) {
  if (std::isnan(count) || std::isnan(prob) || std::isinf(count)) return NAN;
  if (count <= 0 || prob <= 0) return 0;
  if (prob >= 1) return count;
  const double p = prob <= 0.5 ? prob : 1 - prob;
  const double k = count * p >= 10 ? binomial_by_rejection(g, count, p) : binomial_by_waits(g, count, p);
  return prob <= 0.5 ? k : count - k;
}

double draw_gamma(GeneratorImpl& g, double alpha) {
  if (!(alpha > 0) || std::isinf(alpha)) return alpha > 0 ? alpha : 0;
  double scale = 1;
  if (alpha < 1) {
    scale *= std::pow(1 - draw_uniform<double>(g), 1 / alpha);
    alpha += 1;
  }
  const double d = alpha - 1.0f / 3.0f, c = 1 / std::sqrt(9 * d);
  for (;;) {
    double x, y;
    do {
      x = draw_normal(g, 0, 1);
      y = 1 + c * x;
    } while (y <= 0);
    const double v = y * y * y, u = 1 - draw_uniform<double>(g), xx = x * x;
    if (u < 1 - 0.0331 * xx * xx || std::log(u) < 0.5 * xx + d * (1 - v + std::log(v))) return scale * d * v;
  }
}

}  // namespace wick::ops
