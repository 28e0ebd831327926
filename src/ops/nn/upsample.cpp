// The upsample operators, in terms of resample().
#include "ops/nn/upsample.h"
#include "ops/nn/common.h"

namespace wick::ops {

namespace {

void check_rank(IntSpan size, size_t spatial) {
  WICK_CHECK(size.size() == spatial, kInvalidArgument, "It is expected output_size equals to ", spatial,
             ", but got size ", size.size());
}

Tensor nearest(const Tensor& t, IntSpan size, bool exact, const std::array<Scale, 3>& scales, size_t spatial) {
  check_rank(size, spatial);
  return resample(t, size, {exact ? Resampling::kNearestExact : Resampling::kNearest, false, scales});
}

Tensor filtered(const Tensor& t, IntSpan size, Resampling method, bool align_corners,
                const std::array<Scale, 3>& scales, size_t spatial) {
  check_rank(size, spatial);
  return resample(t, size, {method, align_corners, scales});
}

struct SizeAndScales {
  IntVec size;
  std::array<Scale, 3> scales;
};

SizeAndScales resolve(const Tensor& input, const OptSizes& size, const OptScales& scales, size_t spatial) {
  WICK_CHECK(size.has_value() != scales.has_value(), kInvalidArgument,
             "Must specify exactly one of output_size and scale_factors");
  WICK_CHECK((size ? size->size() : scales->size()) == spatial, kInvalidArgument, "expected ", spatial,
             size ? " output sizes" : " scale factors");
  SizeAndScales r;
  if (size) {
    r.size = *size;
    return r;
  }
  WICK_CHECK(input.dim() == static_cast<int64_t>(spatial) + 2, kShapeMismatch, "It is expected input_size equals to ",
             spatial + 2, ", but got size ", input.dim());
  for (size_t i = 0; i < spatial; ++i) {
    const double extent = static_cast<double>(input.sizes()[i + 2]) * (*scales)[i];
    WICK_CHECK(extent < 9e18 && extent > -9e18, kInvalidArgument, "scale factor ", (*scales)[i], " is out of range");
    r.size.push_back(static_cast<int64_t>(extent));
    r.scales[i] = (*scales)[i];
  }
  return r;
}

Tensor nearest_vec(const Tensor& t, const OptSizes& size, const OptScales& scales, bool exact, size_t spatial) {
  const SizeAndScales r = resolve(t, size, scales, spatial);
  return nearest(t, r.size, exact, r.scales, spatial);
}

Tensor filtered_vec(const Tensor& t, const OptSizes& size, const OptScales& scales, Resampling method,
                    bool align_corners, size_t spatial) {
  const SizeAndScales r = resolve(t, size, scales, spatial);
  return filtered(t, r.size, method, align_corners, r.scales, spatial);
}

}  // namespace

Tensor upsample_nearest1d(const Tensor& self, IntSpan size, Scale scale) {
  return nearest(self, size, false, {scale}, 1);
}
Tensor upsample_nearest2d(const Tensor& self, IntSpan size, Scale scale_h, Scale scale_w) {
  return nearest(self, size, false, {scale_h, scale_w}, 2);
}
Tensor upsample_nearest3d(const Tensor& self, IntSpan size, Scale scale_d, Scale scale_h, Scale scale_w) {
  return nearest(self, size, false, {scale_d, scale_h, scale_w}, 3);
}
Tensor upsample_nearest_exact1d(const Tensor& self, IntSpan size, Scale scale) {
  return nearest(self, size, true, {scale}, 1);
}
Tensor upsample_nearest_exact2d(const Tensor& self, IntSpan size, Scale scale_h, Scale scale_w) {
  return nearest(self, size, true, {scale_h, scale_w}, 2);
}
Tensor upsample_nearest_exact3d(const Tensor& self, IntSpan size, Scale scale_d, Scale scale_h, Scale scale_w) {
  return nearest(self, size, true, {scale_d, scale_h, scale_w}, 3);
}
Tensor upsample_linear1d(const Tensor& self, IntSpan size, bool align_corners, Scale scale) {
  return filtered(self, size, Resampling::kLinear, align_corners, {scale}, 1);
}
Tensor upsample_bilinear2d(const Tensor& self, IntSpan size, bool align_corners, Scale scale_h, Scale scale_w) {
  return filtered(self, size, Resampling::kLinear, align_corners, {scale_h, scale_w}, 2);
}
Tensor upsample_trilinear3d(const Tensor& self, IntSpan size, bool align_corners, Scale scale_d, Scale scale_h,
                            Scale scale_w) {
  return filtered(self, size, Resampling::kLinear, align_corners, {scale_d, scale_h, scale_w}, 3);
}
Tensor upsample_bicubic2d(const Tensor& self, IntSpan size, bool align_corners, Scale scale_h, Scale scale_w) {
  return filtered(self, size, Resampling::kCubic, align_corners, {scale_h, scale_w}, 2);
}
Tensor upsample_bilinear2d_aa(const Tensor& self, IntSpan size, bool align_corners, Scale scale_h, Scale scale_w) {
  return filtered(self, size, Resampling::kLinearAntialias, align_corners, {scale_h, scale_w}, 2);
}
Tensor upsample_bicubic2d_aa(const Tensor& self, IntSpan size, bool align_corners, Scale scale_h, Scale scale_w) {
  return filtered(self, size, Resampling::kCubicAntialias, align_corners, {scale_h, scale_w}, 2);
}
Tensor upsample_lanczos2d_aa(const Tensor& self, IntSpan size, bool align_corners, Scale scale_h, Scale scale_w) {
  return filtered(self, size, Resampling::kLanczosAntialias, align_corners, {scale_h, scale_w}, 2);
}

Tensor upsample_nearest1d_vec(const Tensor& input, const OptSizes& size, const OptScales& scales) {
  return nearest_vec(input, size, scales, false, 1);
}
Tensor upsample_nearest2d_vec(const Tensor& input, const OptSizes& size, const OptScales& scales) {
  return nearest_vec(input, size, scales, false, 2);
}
Tensor upsample_nearest3d_vec(const Tensor& input, const OptSizes& size, const OptScales& scales) {
  return nearest_vec(input, size, scales, false, 3);
}
Tensor upsample_nearest_exact1d_vec(const Tensor& input, const OptSizes& size, const OptScales& scales) {
  return nearest_vec(input, size, scales, true, 1);
}
Tensor upsample_nearest_exact2d_vec(const Tensor& input, const OptSizes& size, const OptScales& scales) {
  return nearest_vec(input, size, scales, true, 2);
}
Tensor upsample_nearest_exact3d_vec(const Tensor& input, const OptSizes& size, const OptScales& scales) {
  return nearest_vec(input, size, scales, true, 3);
}
Tensor upsample_linear1d_vec(const Tensor& input, const OptSizes& size, bool align_corners, const OptScales& scales) {
  return filtered_vec(input, size, scales, Resampling::kLinear, align_corners, 1);
}
Tensor upsample_bilinear2d_vec(const Tensor& input, const OptSizes& size, bool align_corners, const OptScales& scales) {
  return filtered_vec(input, size, scales, Resampling::kLinear, align_corners, 2);
}
Tensor upsample_trilinear3d_vec(const Tensor& input, const OptSizes& size, bool align_corners,
                                const OptScales& scales) {
  return filtered_vec(input, size, scales, Resampling::kLinear, align_corners, 3);
}
Tensor upsample_bicubic2d_vec(const Tensor& input, const OptSizes& size, bool align_corners, const OptScales& scales) {
  return filtered_vec(input, size, scales, Resampling::kCubic, align_corners, 2);
}
Tensor upsample_bilinear2d_aa_vec(const Tensor& input, const OptSizes& size, bool align_corners,
                                  const OptScales& scales) {
  return filtered_vec(input, size, scales, Resampling::kLinearAntialias, align_corners, 2);
}
Tensor upsample_bicubic2d_aa_vec(const Tensor& input, const OptSizes& size, bool align_corners,
                                 const OptScales& scales) {
  return filtered_vec(input, size, scales, Resampling::kCubicAntialias, align_corners, 2);
}
Tensor upsample_lanczos2d_aa_vec(const Tensor& input, const OptSizes& size, bool align_corners,
                                 const OptScales& scales) {
  return filtered_vec(input, size, scales, Resampling::kLanczosAntialias, align_corners, 2);
}

}  // namespace wick::ops
