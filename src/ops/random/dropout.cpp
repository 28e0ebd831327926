// Dropout and its variants.
#include <cmath>

#include "core/copy.h"
#include "core/shape.h"
#include "ops/pointwise/pointwise.h"
#include "ops/random/random.h"
#include "ops/shape/copy_ops.h"

namespace wick::ops {

namespace {

// feature: whole channels are dropped. alpha: dropped elements take the value that keeps mean and variance.
Tensor drop(const Tensor& input, double p, bool train, bool feature, bool alpha, bool in_place) {
  WICK_CHECK(p >= 0 && p <= 1, kInvalidArgument, "dropout probability has to be between 0 and 1, but got ", p);
  if (p == 0 || !train || input.numel() == 0) return input;
  const Out out = in_place ? Out{&input} : Out{};
  if (p == 1) return mul(input, Tensor::zeros({}, input.dtype()), out);
  Tensor noise;
  if (feature) {
    WICK_CHECK(input.dim() >= 2, kShapeMismatch, "Feature dropout requires at least 2 dimensions in the input");
    IntVec sizes{input.sizes()[0], input.sizes()[1]};
    for (int64_t d = 2; d < input.dim(); ++d) sizes.push_back(1);
    noise = Tensor::empty(sizes, input.dtype());
  } else {
    noise = Tensor::empty(input.sizes(), input.dtype());
  }
  noise = bernoulli_inplace(noise, 1 - p, {});
  if (!alpha) return mul(input, div_scalar(noise, 1 - p), out);
  constexpr double kAlpha = 1.7580993408473766;
  const double a = 1 / std::sqrt((kAlpha * kAlpha * p + 1) * (1 - p));
  const Tensor shift = add_scalar(mul_scalar(add_scalar(noise, -1), kAlpha * a), kAlpha * a * p);
  return add(mul(input, mul_scalar(noise, a), out), shift, 1, out);
}

}  // namespace

Tensor dropout(const Tensor& input, double p, bool train) { return drop(input, p, train, false, false, false); }
Tensor dropout_inplace(const Tensor& input, double p, bool train) {
  drop(input, p, train, false, false, true);
  return input;
}
Tensor feature_dropout(const Tensor& input, double p, bool train) { return drop(input, p, train, true, false, false); }
Tensor feature_dropout_inplace(const Tensor& input, double p, bool train) {
  drop(input, p, train, true, false, true);
  return input;
}
Tensor alpha_dropout(const Tensor& input, double p, bool train) { return drop(input, p, train, false, true, false); }
Tensor alpha_dropout_inplace(const Tensor& input, double p, bool train) {
  drop(input, p, train, false, true, true);
  return input;
}
Tensor feature_alpha_dropout(const Tensor& input, double p, bool train) {
  return drop(input, p, train, true, true, false);
}
Tensor feature_alpha_dropout_inplace(const Tensor& input, double p, bool train) {
  drop(input, p, train, true, true, true);
  return input;
}

std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train) {
  if (input.numel() == 0) return {input, wick::empty_like(input)};
  if (train && !*train) {
    Tensor mask = Tensor::empty(input.sizes(), DType::kBool);
    fill(mask, true);
    return {wick::clone(input), mask};
  }
  const double keep = 1 - p;
  const Tensor mask = bernoulli_inplace(Tensor::empty(input.sizes(), DType::kBool), keep, {});
  return {mul_scalar(mul(input, mask), keep == 0 ? 0.0 : 1 / keep), mask};
}

}  // namespace wick::ops
