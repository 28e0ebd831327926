// Resampling of images and volumes.
#pragma once

#include <array>
#include <vector>

#include "ops/boxing.h"

namespace wick::ops {

using Scale = std::optional<double>;
using OptSizes = std::optional<IntVec>;
using OptScales = std::optional<std::vector<double>>;

Tensor upsample_nearest1d(const Tensor& self, IntSpan size, Scale scale);
Tensor upsample_nearest2d(const Tensor& self, IntSpan size, Scale scale_h, Scale scale_w);
Tensor upsample_nearest3d(const Tensor& self, IntSpan size, Scale scale_d, Scale scale_h, Scale scale_w);
Tensor upsample_nearest_exact1d(const Tensor& self, IntSpan size, Scale scale);
Tensor upsample_nearest_exact2d(const Tensor& self, IntSpan size, Scale scale_h, Scale scale_w);
Tensor upsample_nearest_exact3d(const Tensor& self, IntSpan size, Scale scale_d, Scale scale_h, Scale scale_w);
Tensor upsample_linear1d(const Tensor& self, IntSpan size, bool align_corners, Scale scale);
Tensor upsample_bilinear2d(const Tensor& self, IntSpan size, bool align_corners, Scale scale_h, Scale scale_w);
Tensor upsample_trilinear3d(const Tensor& self, IntSpan size, bool align_corners, Scale scale_d, Scale scale_h,
                            Scale scale_w);
Tensor upsample_bicubic2d(const Tensor& self, IntSpan size, bool align_corners, Scale scale_h, Scale scale_w);
// With a low-pass filter when shrinking.
Tensor upsample_bilinear2d_aa(const Tensor& self, IntSpan size, bool align_corners, Scale scale_h, Scale scale_w);
Tensor upsample_bicubic2d_aa(const Tensor& self, IntSpan size, bool align_corners, Scale scale_h, Scale scale_w);
Tensor upsample_lanczos2d_aa(const Tensor& self, IntSpan size, bool align_corners, Scale scale_h, Scale scale_w);

// The .vec overloads: the size, or the scales it follows from.
Tensor upsample_nearest1d_vec(const Tensor& input, const OptSizes& size, const OptScales& scales);
Tensor upsample_nearest2d_vec(const Tensor& input, const OptSizes& size, const OptScales& scales);
Tensor upsample_nearest3d_vec(const Tensor& input, const OptSizes& size, const OptScales& scales);
Tensor upsample_nearest_exact1d_vec(const Tensor& input, const OptSizes& size, const OptScales& scales);
Tensor upsample_nearest_exact2d_vec(const Tensor& input, const OptSizes& size, const OptScales& scales);
Tensor upsample_nearest_exact3d_vec(const Tensor& input, const OptSizes& size, const OptScales& scales);
Tensor upsample_linear1d_vec(const Tensor& input, const OptSizes& size, bool align_corners, const OptScales& scales);
Tensor upsample_bilinear2d_vec(const Tensor& input, const OptSizes& size, bool align_corners, const OptScales& scales);
Tensor upsample_trilinear3d_vec(const Tensor& input, const OptSizes& size, bool align_corners, const OptScales& scales);
Tensor upsample_bicubic2d_vec(const Tensor& input, const OptSizes& size, bool align_corners, const OptScales& scales);
Tensor upsample_bilinear2d_aa_vec(const Tensor& input, const OptSizes& size, bool align_corners,
                                  const OptScales& scales);
Tensor upsample_bicubic2d_aa_vec(const Tensor& input, const OptSizes& size, bool align_corners,
                                 const OptScales& scales);
Tensor upsample_lanczos2d_aa_vec(const Tensor& input, const OptSizes& size, bool align_corners,
                                 const OptScales& scales);

enum class Resampling {
  kNearest,
  kNearestExact,
  kLinear,
  kCubic,
  kLinearAntialias,
  kCubicAntialias,
  kLanczosAntialias
};
struct ResampleOptions {
  Resampling method;
  bool align_corners = false;
  std::array<Scale, 3> scales;  // of the last dims; the first `size.size()` are used
};
// Resamples the last size.size() dims of a tensor of size.size() + 2 dims.
Tensor resample(const Tensor& input, IntSpan size, const ResampleOptions& options);

// aten::__interpolate and its relatives: sizes and scales as torch.nn.functional.interpolate takes them
// (None, a number or a list).
Tensor interpolate(const Tensor& input, const IValue& size, const IValue& scale_factor, std::string_view mode,
                   std::optional<bool> align_corners, std::optional<bool> recompute_scale_factor, bool antialias);
Tensor upsample_builtin(const Tensor& input, const IValue& size, const IValue& scale_factor, std::string_view mode,
                        std::optional<bool> align_corners);
Tensor upsample_bilinear_builtin(const Tensor& input, const IValue& size, const IValue& scale_factor);
Tensor upsample_nearest_builtin(const Tensor& input, const IValue& size, const IValue& scale_factor);

}  // namespace wick::ops
