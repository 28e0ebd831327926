// Single draws from PyTorch's CPU distributions. The generator's mutex must be held.
#pragma once

#include "ops/random/generator.h"
#include "wick/dtype.h"

namespace wick::ops {

// Bits of a floating type's significand: what a uniform number of the type is made of.
template <class T>
constexpr int kDigits = std::is_same_v<T, double>     ? 53
                        : std::is_same_v<T, float>    ? 24
                        : std::is_same_v<T, Half>     ? 11
                        : std::is_same_v<T, BFloat16> ? 8
                                                      : 0;
// What it is computed in.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;

// In [0, 1).
template <class T>
Wide<T> draw_uniform(GeneratorImpl& g) {
  constexpr uint64_t mask = (uint64_t{1} << kDigits<T>)-1;
  constexpr Wide<T> scale = Wide<T>(1) / Wide<T>(uint64_t{1} << kDigits<T>);
  const uint64_t bits = std::is_same_v<T, double> ? g.random64() : g.random();
  return static_cast<Wide<T>>(bits & mask) * scale;
}
template <class T>
Wide<T> draw_uniform(GeneratorImpl& g, Wide<T> from, Wide<T> to) {
  return draw_uniform<T>(g) * (to - from) + from;
}

double draw_normal(GeneratorImpl& g, double mean, double std);
double draw_exponential(GeneratorImpl& g, double lambda);
double draw_geometric(GeneratorImpl& g, double p);
double draw_cauchy(GeneratorImpl& g, double median, double sigma);
double draw_poisson(GeneratorImpl& g, double rate);
double draw_binomial(GeneratorImpl& g, double count, double prob);
// Gamma with scale 1, by Marsaglia and Tsang's method.
double draw_gamma(GeneratorImpl& g, double alpha);

}  // namespace wick::ops
