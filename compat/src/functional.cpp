// torch::nn::functional: what is more than a call of an operator.
#include <torch/nn/functional.h>

#include <cmath>

namespace torch {
namespace nn {
namespace functional {
namespace {

std::vector<int64_t> output_size(const at::Tensor& input, const InterpolateFuncOptions& o) {
  if (o.size_) return *o.size_;
  std::vector<int64_t> out;
  for (int64_t d = 2; d < input.dim(); ++d) {
    const size_t i = o.scale_factor_->size() == 1 ? 0 : static_cast<size_t>(d - 2);
    out.push_back(static_cast<int64_t>(std::floor(static_cast<double>(input.size(d)) * (*o.scale_factor_)[i])));
  }
  return out;
}

// The scale of a dimension, which operators use instead of the ratio of sizes unless it is to be recomputed.
c10::optional<double> scale(const InterpolateFuncOptions& o, size_t d) {
  if (!o.scale_factor_ || o.recompute_.value_or(false)) return c10::nullopt;
  return (*o.scale_factor_)[o.scale_factor_->size() == 1 ? 0 : d];
}

}  // namespace

at::Tensor interpolate(const at::Tensor& input, const InterpolateFuncOptions& o) {
  TORCH_CHECK(o.size_.has_value() != o.scale_factor_.has_value(), "only one of size or scale_factor should be defined");
  const bool nearest = o.mode_ == "nearest" || o.mode_ == "area" || o.mode_ == "nearest-exact";
  TORCH_CHECK(
      !nearest || !o.align_corners_,
      "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear");
  const bool align = o.align_corners_.value_or(false);
  const std::vector<int64_t> size = output_size(input, o);
  const int64_t dims = input.dim() - 2;
  if (o.mode_ == "nearest" && dims == 1) return at::upsample_nearest1d(input, size, scale(o, 0));
  if (o.mode_ == "nearest" && dims == 2) return at::upsample_nearest2d(input, size, scale(o, 0), scale(o, 1));
  if (o.mode_ == "nearest" && dims == 3)
    return at::upsample_nearest3d(input, size, scale(o, 0), scale(o, 1), scale(o, 2));
  if (o.mode_ == "area" && dims == 1) return at::adaptive_avg_pool1d(input, size);
  if (o.mode_ == "area" && dims == 2) return at::adaptive_avg_pool2d(input, size);
  if (o.mode_ == "area" && dims == 3) return at::adaptive_avg_pool3d(input, size);
  if (o.mode_ == "linear" && dims == 1) return at::upsample_linear1d(input, size, align, scale(o, 0));
  if (o.mode_ == "bilinear" && dims == 2) {
    return o.antialias_ ? at::_upsample_bilinear2d_aa(input, size, align, scale(o, 0), scale(o, 1))
                        : at::upsample_bilinear2d(input, size, align, scale(o, 0), scale(o, 1));
  }
  if (o.mode_ == "bicubic" && dims == 2) {
    return o.antialias_ ? at::_upsample_bicubic2d_aa(input, size, align, scale(o, 0), scale(o, 1))
                        : at::upsample_bicubic2d(input, size, align, scale(o, 0), scale(o, 1));
  }
  if (o.mode_ == "trilinear" && dims == 3) {
    return at::upsample_trilinear3d(input, size, align, scale(o, 0), scale(o, 1), scale(o, 2));
  }
  TORCH_CHECK(false, "Input Error: Only 3D, 4D and 5D input Tensors supported (got ", input.dim(),
              "D) for the modes: nearest | linear | bilinear | bicubic | trilinear (got ", o.mode_, ")");
}

at::Tensor normalize(const at::Tensor& input, const NormalizeFuncOptions& o) {
  const at::Tensor norm = input.norm(o.p_, {o.dim_}, true).clamp_min(o.eps_).expand_as(input);
  return input / norm;
}

}  // namespace functional
}  // namespace nn
}  // namespace torch
