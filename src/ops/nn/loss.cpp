// Losses that are a function of each element.
#include "ops/nn/loss.h"

#include <cmath>

#include "kernels/math.h"
#include "ops/nn/distance.h"
#include "ops/nn/fused_map.h"
#include "ops/pointwise/activation.h"
#include "ops/pointwise/pointwise.h"
#include "ops/reduce/reduce.h"
#include "ops/shape/copy_ops.h"

namespace wick::ops {

Tensor reduce_loss(const Tensor& losses, int64_t reduction) {
  if (reduction != kReduceMean && reduction != kReduceSum) return losses;
  const Tensor x = contiguous(widened(losses));
  double sum = 0;
  for_float(x.dtype(), "sum", losses.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* p = x.data_ptr<T>();
    if constexpr (std::is_same_v<T, float>) {
      sum = kernels::sum_f32(p, x.numel());
    } else {
      for (int64_t i = 0, count = x.numel(); i < count; ++i) sum += p[i];
    }
  });
  if (reduction == kReduceMean) sum /= static_cast<double>(x.numel());
  return Tensor::scalar(sum, losses.dtype());
}

Tensor mse_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  return reduce_loss(fused_map<2>("mse_cpu", {self, target}, [](auto x, auto t) { return (x - t) * (x - t); }),
                     reduction);
}

Tensor l1_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  WICK_CHECK(self.dtype() != DType::kBool && target.dtype() != DType::kBool, kTypeMismatch,
             "Subtraction, the `-` "
             "operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
             "`logical_not()` operator instead.");
  const DType dtype = ResultType().add(self).add(target).get();
  if (is_complex(dtype)) return reduce_loss(abs(sub(self, target)), reduction);
  if (!is_integral(dtype, false)) {
    return reduce_loss(fused_map<2>("l1_loss", {self, target}, [](auto x, auto t) { return std::abs(x - t); }),
                       reduction);
  }
  WICK_CHECK(
      reduction != kReduceMean, kTypeMismatch,
      "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: ",
      name_of(dtype));
  const Tensor distance = l1_loss(to_dtype(self, DType::kDouble), to_dtype(target, DType::kDouble), reduction);
  return to_dtype(distance, reduction == kReduceSum ? DType::kLong : dtype);
}

Tensor smooth_l1_loss(const Tensor& self, const Tensor& target, int64_t reduction, double beta) {
  WICK_CHECK(beta >= 0, kInvalidArgument, "smooth_l1_loss does not support negative values for beta.");
  if (beta == 0) return l1_loss(self, target, reduction);
  return reduce_loss(fused_map<2>("smooth_l1_cpu", {self, target},
                                  [beta](auto x, auto t) {
                                    using T = decltype(x);
                                    const T b = static_cast<T>(beta);
                                    const T z = std::abs(x - t);
                                    return z < b ? T(0.5) * z * z / b : z - T(0.5) * b;
                                  }),
                     reduction);
}

Tensor huber_loss(const Tensor& self, const Tensor& target, int64_t reduction, double delta) {
  WICK_CHECK(delta > 0, kInvalidArgument, "huber_loss does not support non-positive values for delta.");
  return reduce_loss(fused_map<2>("huber_cpu", {self, target},
                                  [delta](auto x, auto t) {
                                    using T = decltype(x);
                                    const T d = static_cast<T>(delta);
                                    const T z = std::abs(x - t);
                                    return z <= d ? T(0.5) * z * z : d * (z - T(0.5) * d);
                                  }),
                     reduction);
}

Tensor soft_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  return reduce_loss(
      fused_map<2>("soft_margin_loss", {self, target}, [](auto x, auto t) { return std::log1p(std::exp(-x * t)); }),
      reduction);
}

namespace {

bool is_wide_float(DType dtype) { return dtype == DType::kFloat || dtype == DType::kDouble; }

Tensor weighted(const Tensor& losses, const OptTensor& weight) {
  if (!has(weight)) return losses;
  return fused_map<2>("mul", {losses, *weight}, [](auto x, auto w) { return x * w; });
}

}  // namespace

Tensor binary_cross_entropy(const Tensor& self, const Tensor& target, const OptTensor& weight, int64_t reduction) {
  WICK_CHECK(self.dtype() == target.dtype(), kTypeMismatch, "Found dtype ", name_of(target.dtype()), " but expected ",
             name_of(self.dtype()));
  const auto loss_of = [](auto x, auto t, auto of_zero, auto of_one) {
    using T = decltype(x);
    WICK_CHECK(x >= T(0) && x <= T(1), kInvalidArgument, "all elements of input should be between 0 and 1");
    return (t - T(1)) * std::max(of_zero, T(-100)) - t * std::max(of_one, T(-100));
  };
  Tensor losses;
  if (is_wide_float(self.dtype())) {  // the logarithms by vectors
    losses = fused_map<4>("binary_cross_entropy", {self, target, log1p(neg(self)), log(self)}, loss_of);
  } else {
    losses = fused_map<2>("binary_cross_entropy", {self, target},
                          [&](auto x, auto t) { return loss_of(x, t, std::log1p(-x), std::log(x)); });
  }
  return reduce_loss(weighted(losses, weight), reduction);
}

Tensor binary_cross_entropy_with_logits(const Tensor& self, const Tensor& target, const OptTensor& weight,
                                        const OptTensor& pos_weight, int64_t reduction) {
  Tensor losses;
  const DType dtype = ResultType().add(self).add(target).get();
  // log(1 / (1 + exp(-x))) by vectors; 16-bit floats keep the precision of the pass
  if (is_wide_float(dtype) && self.dtype() == dtype) {
    const Tensor logs = log_sigmoid(self);
    const auto loss_of = [](auto x, auto t, auto log, auto weight) { return (decltype(x)(1) - t) * x - weight * log; };
    if (has(pos_weight)) {
      losses = fused_map<4>("binary_cross_entropy_with_logits", {self, target, logs, *pos_weight},
                            [&](auto x, auto t, auto log, auto w) {
                              using T = decltype(x);
                              return loss_of(x, t, log, (w - T(1)) * t + T(1));
                            });
    } else {
      losses = fused_map<3>("binary_cross_entropy_with_logits", {self, target, logs},
                            [&](auto x, auto t, auto log) { return loss_of(x, t, log, decltype(x)(1)); });
    }
  } else {
    // log(1 + exp(-x)) without overflow
    auto softplus_of_negative = [](auto x) {
      using T = decltype(x);
      const T top = std::max(-x, T(0));
      return std::log(std::exp(-top) + std::exp(-x - top)) + top;
    };
    if (has(pos_weight)) {
      losses =
          fused_map<3>("binary_cross_entropy_with_logits", {self, target, *pos_weight}, [&](auto x, auto t, auto w) {
            using T = decltype(x);
            return (T(1) - t) * x + ((w - T(1)) * t + T(1)) * softplus_of_negative(x);
          });
    } else {
      losses = fused_map<2>("binary_cross_entropy_with_logits", {self, target},
                            [&](auto x, auto t) { return (decltype(x)(1) - t) * x + softplus_of_negative(x); });
    }
  }
  // PyTorch changes (1 - target) in place, whose dtype the losses keep.
  WICK_CHECK(can_cast(losses.dtype(), target.dtype()), kTypeMismatch, "result type ", name_of(losses.dtype()),
             " can't be cast to the desired output type ", name_of(target.dtype()));
  return reduce_loss(weighted(to_dtype(losses, target.dtype()), weight), reduction);
}

Tensor kl_div(const Tensor& self, const Tensor& target, int64_t reduction, bool log_target) {
  WICK_CHECK(!is_integral(self.dtype(), true) && !is_integral(target.dtype(), true), kUnsupported,
             "kl_div: Integral inputs not supported.");
  Tensor losses;
  if (log_target) {
    losses = fused_map<2>("kl_div", {self, target}, [](auto x, auto t) { return std::exp(t) * (t - x); });
  } else {
    losses = fused_map<2>("kl_div", {self, target}, [](auto x, auto t) {
      using T = decltype(x);
      const T entropy = std::isnan(t) ? t : t == T(0) ? T(0) : t * std::log(t);
      return entropy - t * x;
    });
  }
  return reduce_loss(losses, reduction);
}

Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool full, double eps,
                        int64_t reduction) {
  Tensor loss = log_input ? sub(exp(input), mul(target, input)) : sub(input, mul(target, log(add_scalar(input, eps))));
  if (full) {
    const Tensor stirling = add(sub(mul(target, log(target)), target), log(mul_scalar(target, 2 * M_PI)), 0.5);
    loss = add(loss, masked_fill(stirling, le_scalar(target, 1), 0));
  }
  return reduce_loss(loss, reduction);
}

Tensor hinge_embedding_loss(const Tensor& self, const Tensor& target, double margin, int64_t reduction) {
  return reduce_loss(fused_map<2>("hinge_embedding_loss", {self, target},
                                  [margin](auto x, auto t) {
                                    using T = decltype(x);
                                    const T far = t != T(1) ? std::max(static_cast<T>(margin) - x, T(0)) : T(0);
                                    const T near = t != T(-1) ? x : T(0);
                                    return far + near;
                                  }),
                     reduction);
}

Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                           int64_t reduction) {
  const Tensor gap = mul(neg(target), sub(input1, input2));
  return reduce_loss(clamp_min(add_scalar(gap, margin), 0), reduction);
}

Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin,
                             int64_t reduction) {
  const int64_t dims = target.dim();
  WICK_CHECK(dims == 0 || dims == 1, kShapeMismatch, "0D or 1D target tensor expected, multi-target not supported");
  WICK_CHECK(dims == 0 ? input1.dim() == 1 && input2.dim() == 1 : input1.dim() == 2 && input2.dim() == 2,
             kShapeMismatch,
             dims == 0 ? "0D target tensor expects 1D input tensors, but found inputs with sizes "
                       : "1D target tensor expects 2D input tensors, but found inputs with sizes ",
             input1.sizes(), " and ", input2.sizes(), ".");
  constexpr double kEpsilon = 1e-12;
  const auto sum_of = [&](const Tensor& a, const Tensor& b) { return sum_dims(mul(a, b), IntVec{dims}); };
  const Tensor square1 = add_scalar(sum_of(input1, input1), kEpsilon);
  const Tensor square2 = add_scalar(sum_of(input2, input2), kEpsilon);
  const Tensor cosine = div(sum_of(input1, input2), sqrt(mul(square1, square2)));
  const Tensor zeros = Tensor::zeros(cosine.sizes(), cosine.dtype());
  const Tensor near = where(eq_scalar(target, 1), rsub_scalar(cosine, 1), zeros);
  const Tensor far = where(eq_scalar(target, -1), clamp_min(sub_scalar(cosine, margin), 0), zeros);
  return reduce_loss(add(near, far), reduction);
}

Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin,
                           double p, double eps, bool swap, int64_t reduction) {
  WICK_CHECK(anchor.dim() == positive.dim() && positive.dim() == negative.dim(), kShapeMismatch,
             "All inputs should have same dimension but got ", anchor.dim(), "D, ", positive.dim(), "D and ",
             negative.dim(), "D inputs.");
  const Tensor near = pairwise_distance(anchor, positive, p, eps, false);
  Tensor far = pairwise_distance(anchor, negative, p, eps, false);
  if (swap) {
    far = fused_map<2>("minimum", {far, pairwise_distance(positive, negative, p, eps, false)},
                       [](auto a, auto b) { return b < a || std::isnan(b) ? b : a; });
  }
  return reduce_loss(fused_map<2>("triplet_margin_loss", {near, far},
                                  [margin](auto a, auto b) {
                                    using T = decltype(a);
                                    const T z = static_cast<T>(margin) + a - b;
                                    return z < T(0) ? T(0) : z;
                                  }),
                     reduction);
}

}  // namespace wick::ops
