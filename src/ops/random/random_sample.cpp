// Samples whose distribution is given by a tensor: multinomial, poisson, binomial, gamma, Dirichlet.
#include <cmath>

#include "core/budget.h"
#include "core/copy.h"
#include "core/shape.h"
#include "ops/index/sort.h"
#include "ops/pointwise/pointwise.h"
#include "ops/random/distributions.h"
#include "ops/random/fill.h"
#include "ops/random/random.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/view.h"

namespace wick::ops {

Tensor poisson(const Tensor& self, GeneratorArg generator) {
  check_dtype(is_floating(self.dtype()), "poisson_cpu", self.dtype());
  GeneratorImpl& g = chosen(generator);
  return map_drawn(self, g, [&](double rate) {
    WICK_CHECK(rate >= 0, kInvalidArgument, "invalid Poisson rate, expected rate to be non-negative");
    return draw_poisson(g, rate);
  });
}

Tensor binomial(const Tensor& count, const Tensor& prob, GeneratorArg generator) {
  check_dtype(is_floating(count.dtype()), "binomial_cpu", count.dtype());
  WICK_CHECK(count.dtype() == prob.dtype(), kTypeMismatch, "Found dtype ", name_of(prob.dtype()), " but expected ",
             name_of(count.dtype()));
  const IntVec shape = broadcast_shapes(count.sizes(), prob.sizes());
  const Tensor counts = wick::contiguous(to_dtype(wick::expand(count, shape), DType::kDouble));
  const Tensor probs = wick::contiguous(to_dtype(wick::expand(prob, shape), DType::kDouble));
  const Tensor out = Tensor::empty(shape, DType::kDouble);
  GeneratorImpl& g = chosen(generator);
  std::lock_guard lock(g.mutex);
  for (int64_t i = 0, numel = out.numel(); i < numel; ++i) {
    out.data_ptr<double>()[i] = draw_binomial(g, counts.data_ptr<double>()[i], probs.data_ptr<double>()[i]);
  }
  return to_dtype(out, count.dtype());
}

Tensor standard_gamma(const Tensor& self, GeneratorArg generator) {
  check_dtype(is_floating(self.dtype()), "gamma_cpu", self.dtype());
  GeneratorImpl& g = chosen(generator);
  const double least = self.dtype() == DType::kDouble ? 2.2250738585072014e-308 : 1.1754943508222875e-38;
  return map_drawn(self, g, [&](double alpha) { return std::max(least, draw_gamma(g, alpha)); });
}

Tensor sample_dirichlet(const Tensor& self, GeneratorArg generator) {
  WICK_CHECK(self.dim() > 0, kShapeMismatch, "dirichlet: expected a tensor of at least one dimension");
  const Tensor gamma = standard_gamma(self, generator);
  const Tensor wide = wick::contiguous(to_dtype(gamma, DType::kDouble));
  const int64_t n = self.size(-1);
  double* p = wide.numel() ? wide.data_ptr<double>() : nullptr;
  for (int64_t row = 0; n > 0 && row < wide.numel() / n; ++row, p += n) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += p[i];
    for (int64_t i = 0; i < n; ++i) p[i] /= sum;
  }
  return to_dtype(wide, self.dtype());
}

namespace {

void check_weights(const Tensor& self) {
  const Tensor values = wick::contiguous(to_dtype(self, DType::kDouble));
  const double* p = values.numel() ? values.data_ptr<double>() : nullptr;
  const int64_t n = self.size(-1);
  for (int64_t i = 0, numel = values.numel(); i < numel; ++i) {
    WICK_CHECK(p[i] >= 0 && std::isfinite(p[i]), kInvalidArgument,
               "probability tensor contains either `inf`, `nan` or element < 0");
  }
  for (int64_t row = 0, rows = values.numel() / n; row < rows; ++row) {
    bool any = false;
    for (int64_t i = 0; i < n; ++i) any = any || p[row * n + i] != 0;
    WICK_CHECK(any, kInvalidArgument, "invalid multinomial distribution (sum of probabilities <= 0)");
  }
}

// Draws with replacement, by searching the running sums of the row's probabilities.
template <class T>
void draw_row(const double* weights, int64_t n, int64_t* out, int64_t samples, GeneratorImpl& g) {
  std::vector<T> sums(n);
  T sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    const T w = static_cast<T>(weights[i]);
    WICK_CHECK(w >= 0, kInvalidArgument, "invalid multinomial distribution (encountering probability entry < 0)");
    WICK_CHECK(std::isfinite(w), kInvalidArgument,
               "invalid multinomial distribution (encountering probability entry = infinity or NaN)");
    sum += w;
    sums[i] = sum;
  }
  WICK_CHECK(sum > 0, kInvalidArgument, "invalid multinomial distribution (sum of probabilities <= 0)");
  for (T& s : sums) s /= sum;
  for (int64_t k = 0; k < samples; ++k) {
    check_budget_at(k);
    const double u = draw_uniform<double>(g);
    const auto at = std::lower_bound(sums.begin(), sums.end(), u, [](T s, double v) { return s < v; });
    out[k] = std::min<int64_t>(at - sums.begin(), n - 1);
  }
}

}  // namespace

Tensor multinomial(const Tensor& self, int64_t num_samples, bool replacement, GeneratorArg generator) {
  WICK_CHECK(self.dim() > 0 && self.dim() <= 2, kShapeMismatch, "prob_dist must be 1 or 2 dim");
  WICK_CHECK(is_floating(self.dtype()), kTypeMismatch,
             "multinomial only supports floating-point dtypes for input, got: ", name_of(self.dtype()));
  WICK_CHECK(num_samples > 0, kInvalidArgument, "cannot sample n_sample <= 0 samples");
  const int64_t n = self.size(-1);
  WICK_CHECK(replacement || num_samples <= n, kInvalidArgument,
             "cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  WICK_CHECK(n <= int64_t{1} << 24, kInvalidArgument, "number of categories cannot exceed 2^24");
  IntVec shape(self.sizes());
  shape.back() = num_samples;
  if (self.numel() == 0) {
    WICK_CHECK(n > 0 || self.dim() == 2, kInvalidArgument, "prob_dist must not be empty");
    const Tensor out = Tensor::empty(shape, DType::kLong);
    fill(out, 0);
    return out;
  }
  if (!replacement) {
    check_weights(self);
    // The largest of weight / exponential draws falls on an element with its probability.
    const Tensor keys = div(self, exponential_functional(self, 1, generator));
    return num_samples == 1 ? argmax(keys, -1, true) : std::get<1>(topk(keys, num_samples, -1, true, true));
  }
  const Tensor out = Tensor::empty(shape, DType::kLong);
  const Tensor weights = wick::contiguous(to_dtype(self, DType::kDouble));
  GeneratorImpl& g = chosen(generator);
  std::lock_guard lock(g.mutex);
  for (int64_t row = 0, rows = self.numel() / n; row < rows; ++row) {
    const double* from = weights.data_ptr<double>() + row * n;
    int64_t* to = out.data_ptr<int64_t>() + row * num_samples;
    if (self.dtype() == DType::kDouble) {
      draw_row<double>(from, n, to, num_samples, g);
    } else {
      draw_row<float>(from, n, to, num_samples, g);
    }
  }
  return out;
}

}  // namespace wick::ops
