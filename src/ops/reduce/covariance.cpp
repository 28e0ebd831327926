// Covariance, correlation, and sums down to a shape.
#include "core/copy.h"
#include "core/shape.h"
#include "ops/matmul/matmul.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/creation.h"
#include "ops/shape/view.h"

namespace wick::ops {

Tensor sum_to_size(const Tensor& self, IntSpan size) {
  const size_t rank = self.sizes().size(), lead = rank - std::min(rank, size.size());
  bool fits = size.size() <= rank;
  for (size_t i = 0; fits && i < size.size(); ++i) fits = size[i] == 1 || size[i] == self.sizes()[lead + i];
  WICK_CHECK(fits, kShapeMismatch, "size {", size, "} is not expandable to size {", self.sizes(), "}.");
  if (size.empty()) return sum(self);
  IntVec dims;
  for (size_t d = 0; d < rank; ++d) {
    if (d < lead || (size[d - lead] == 1 && self.sizes()[d] != 1)) dims.push_back(static_cast<int64_t>(d));
  }
  const Tensor total = dims.empty() ? self : sum_dims(self, dims, true);
  return lead > 0 ? view(total, size) : total;
}

namespace {

void check_weights(const Tensor& w, const char* name, bool integral, int64_t observations) {
  WICK_CHECK(w.dim() <= 1, kShapeMismatch, "cov(): expected ", name, " to have one or fewer dimensions but got ", name,
             " with ", w.dim(), " dimensions");
  WICK_CHECK(integral ? is_integral(w.dtype(), false) : is_floating(w.dtype()), kTypeMismatch, "cov(): expected ", name,
             " to have ", integral ? "integral" : "floating point", " dtype but got ", name, " with ",
             name_of(w.dtype()), " dtype");
  WICK_CHECK(w.numel() == observations, kShapeMismatch, "cov(): expected ", name,
             " to have the same numel as there are observations in the input but got ", w.numel(),
             " != ", observations);
  WICK_CHECK(observations == 0 || min(w).item().to_double() >= 0, kInvalidArgument, "cov(): ", name,
             " cannot be negative");
}

}  // namespace

Tensor cov(const Tensor& self, int64_t correction, const OptTensor& fweights, const OptTensor& aweights) {
  WICK_CHECK(self.dim() <= 2, kShapeMismatch,
             "cov(): expected input to have two or fewer dimensions but got an input with ", self.dim(), " dimensions");
  WICK_CHECK(self.dtype() != DType::kBool, kTypeMismatch, "cov(): bool dtype is not supported for input");
  const Tensor in = self.dim() < 2 ? reshape(self, {1, -1}) : self;
  const int64_t observations = in.size(1);
  if (fweights) check_weights(*fweights, "fweights", true, observations);
  if (aweights) check_weights(*aweights, "aweights", false, observations);
  OptTensor w = fweights ? fweights : aweights;
  if (fweights && aweights) w = mul(*fweights, *aweights);
  const Tensor total = w ? sum(*w) : Tensor::scalar(observations, DType::kLong);
  WICK_CHECK(!w || observations == 0 || total.item().to_double() != 0, kInvalidArgument,
             "cov(): weights sum to zero, can't be normalized");
  Tensor factor;
  if (aweights && correction != 0) {
    factor = sub(total, div(mul_scalar(sum(mul(*w, *aweights)), correction), total));
  } else {
    factor = sub_scalar(total, correction);
  }
  if (factor.item().to_double() <= 0) factor = Tensor::scalar(0, factor.dtype());
  const auto weigh = [&](const Tensor& t) { return w ? mul(t, *w) : t; };
  const Tensor mean = div(sum_dims(weigh(in), IntVec{1}), total);
  const Tensor centered = sub(in, unsqueeze(mean, 1));
  const Tensor products = mm(centered, conj_physical(transpose(weigh(centered), 0, 1)));
  return squeeze(div(products, factor));
}

Tensor corrcoef(const Tensor& self) {
  WICK_CHECK(self.dim() <= 2, kShapeMismatch,
             "corrcoef(): expected input to have two or fewer dimensions but got an input with ", self.dim(),
             " dimensions");
  const Tensor c = cov(self, 1, std::nullopt, std::nullopt);
  if (c.dim() == 0) return div(c, c);
  const Tensor variance = diagonal(c, 0, 0, 1);
  const bool is_plain = !is_complex(c.dtype());
  const Tensor deviation = sqrt(is_plain ? variance : real(variance));
  const Tensor scaled = div(div(c, unsqueeze(deviation, 1)), unsqueeze(deviation, 0));
  if (is_plain) return clamp(scaled, Scalar(-1), Scalar(1));
  return complex(clamp(real(scaled), Scalar(-1), Scalar(1)), clamp(imag(scaled), Scalar(-1), Scalar(1)));
}

}  // namespace wick::ops
