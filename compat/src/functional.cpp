// torch::nn::functional: what is more than a call of an operator.
#include <torch/nn/functional.h>

#include <cmath>

namespace torch {
namespace nn {
namespace functional {
namespace {

std::vector<int64_t> output_size(const at::Tensor& input, const InterpolateFuncOptions& o) {
  if (o.size()) return *o.size();
  std::vector<int64_t> out;
  for (int64_t d = 2; d < input.dim(); ++d) {
    const size_t i = o.scale_factor()->size() == 1 ? 0 : static_cast<size_t>(d - 2);
    out.push_back(static_cast<int64_t>(std::floor(static_cast<double>(input.size(d)) * (*o.scale_factor())[i])));
  }
  return out;
}

// The scale of a dimension, which operators use instead of the ratio of sizes unless it is to be recomputed.
c10::optional<double> scale(const InterpolateFuncOptions& o, size_t d) {
  if (!o.scale_factor() || o.recompute_scale_factor().value_or(false)) return c10::nullopt;
  return (*o.scale_factor())[o.scale_factor()->size() == 1 ? 0 : d];
}

}  // namespace

at::Tensor interpolate(const at::Tensor& input, const InterpolateFuncOptions& o) {
  TORCH_CHECK(o.size() || o.scale_factor(), "either size or scale_factor should be defined");
  TORCH_CHECK(!o.size() || !o.scale_factor(), "only one of size or scale_factor should be defined");
  const std::string mode = o.mode().text;
  const bool nearest = mode == "nearest" || mode == "area" || mode == "nearest-exact";
  TORCH_CHECK(
      !nearest || !o.align_corners(),
      "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear");
  const bool align = o.align_corners().value_or(false);
  const std::vector<int64_t> size = output_size(input, o);
  const int64_t dims = input.dim() - 2;
  if (mode == "nearest" && dims == 1) return at::upsample_nearest1d(input, size, scale(o, 0));
  if (mode == "nearest" && dims == 2) return at::upsample_nearest2d(input, size, scale(o, 0), scale(o, 1));
  if (mode == "nearest" && dims == 3) return at::upsample_nearest3d(input, size, scale(o, 0), scale(o, 1), scale(o, 2));
  if (mode == "nearest-exact" && dims == 1) return at::_upsample_nearest_exact1d(input, size, scale(o, 0));
  if (mode == "nearest-exact" && dims == 2) return at::_upsample_nearest_exact2d(input, size, scale(o, 0), scale(o, 1));
  if (mode == "nearest-exact" && dims == 3)
    return at::_upsample_nearest_exact3d(input, size, scale(o, 0), scale(o, 1), scale(o, 2));
  if (mode == "area" && dims == 1) return at::adaptive_avg_pool1d(input, size);
  if (mode == "area" && dims == 2) return at::adaptive_avg_pool2d(input, size);
  if (mode == "area" && dims == 3) return at::adaptive_avg_pool3d(input, size);
  if (mode == "linear" && dims == 1) return at::upsample_linear1d(input, size, align, scale(o, 0));
  if (mode == "bilinear" && dims == 2) {
    return o.antialias() ? at::_upsample_bilinear2d_aa(input, size, align, scale(o, 0), scale(o, 1))
                         : at::upsample_bilinear2d(input, size, align, scale(o, 0), scale(o, 1));
  }
  if (mode == "bicubic" && dims == 2) {
    return o.antialias() ? at::_upsample_bicubic2d_aa(input, size, align, scale(o, 0), scale(o, 1))
                         : at::upsample_bicubic2d(input, size, align, scale(o, 0), scale(o, 1));
  }
  if (mode == "trilinear" && dims == 3) {
    return at::upsample_trilinear3d(input, size, align, scale(o, 0), scale(o, 1), scale(o, 2));
  }
  TORCH_CHECK(false, "Input Error: Only 3D, 4D and 5D input Tensors supported (got ", input.dim(),
              "D) for the modes: nearest | linear | bilinear | bicubic | trilinear (got ", mode, ")");
}

at::Tensor normalize(const at::Tensor& input, NormalizeFuncOptions o) {
  const at::Tensor norm = input.norm(o.p(), {o.dim()}, true).clamp_min(o.eps()).expand_as(input);
  if (!o.out()) return input / norm;
  return at::div_out(*o.out(), input, norm);
}

at::Tensor local_response_norm(const at::Tensor& input, const LocalResponseNormFuncOptions& o) {
  TORCH_CHECK(input.dim() >= 3, "Expected 3D or higher dimensionality input (got ", input.dim(), " dimensions)");
  at::Tensor sum = input.mul(input).unsqueeze(1);
  const int64_t before = o.size() / 2, after = (o.size() - 1) / 2;
  if (input.dim() == 3) {
    sum = at::avg_pool2d(at::constant_pad_nd(sum, {0, 0, before, after}), {o.size(), 1}, 1).squeeze(1);
  } else {
    sum = sum.view({input.size(0), 1, input.size(1), input.size(2), -1});
    sum = at::avg_pool3d(at::constant_pad_nd(sum, {0, 0, 0, 0, before, after}), {o.size(), 1, 1}, 1).squeeze(1);
    sum = sum.view(input.sizes());
  }
  return input / sum.mul(o.alpha()).add(o.k()).pow(o.beta());
}

at::Tensor gumbel_softmax(const at::Tensor& logits, const GumbelSoftmaxFuncOptions& o) {
  const at::Tensor gumbels = -at::empty_like(logits).exponential_().log();
  const at::Tensor soft = ((logits + gumbels) / o.tau()).softmax(o.dim());
  if (!o.hard()) return soft;
  const at::Tensor index = std::get<1>(soft.max(o.dim(), /*keepdim=*/true));
  return at::zeros_like(logits).scatter_(o.dim(), index, 1.0);
}

at::Tensor embedding_bag(const at::Tensor& input, const at::Tensor& weight, const EmbeddingBagFuncOptions& o) {
  TORCH_CHECK(input.dim() == 1 || input.dim() == 2, "input has to be 1D or 2D Tensor, but got Tensor of dimension ",
              input.dim());
  at::Tensor indices = input, offsets = o.offsets(), weights = o.per_sample_weights();
  if (input.dim() == 2) {
    TORCH_CHECK(!offsets.defined(),
                "If input is 2D, then offsets has to be null, as input is treated is a mini-batch of fixed length "
                "sequences. However, found offsets of type Tensor");
    offsets = at::arange(0, input.numel(), input.size(1), input.options());
    indices = input.reshape(-1);
    if (weights.defined()) weights = weights.reshape(-1);
  } else {
    TORCH_CHECK(offsets.defined(), "offsets has to be a 1D Tensor but got null");
  }
  if (o.max_norm()) at::embedding_renorm_(weight, indices, *o.max_norm(), o.norm_type());
  const int64_t mode = o.mode() == kSum ? 0 : o.mode() == kMean ? 1 : 2;
  return std::get<0>(at::embedding_bag(weight, indices, offsets, o.scale_grad_by_freq(), mode, o.sparse(),
                                       nn::detail::given(weights), o.include_last_offset(), o.padding_idx()));
}

at::Tensor multilabel_soft_margin_loss(const at::Tensor& input, const at::Tensor& target,
                                       const MultilabelSoftMarginLossFuncOptions& o) {
  at::Tensor loss = -(target * at::log_sigmoid(input) + (1 - target) * at::log_sigmoid(-input));
  if (o.weight().defined()) loss = loss * o.weight();
  loss = loss.sum(input.dim() - 1) / input.size(input.dim() - 1);
  return o.reduction() == kNone ? loss : o.reduction() == kSum ? loss.sum() : loss.mean();
}

}  // namespace functional
}  // namespace nn
}  // namespace torch
