// torch.nn.functional.interpolate and its deprecated relatives as TorchScript builtins.
#include <cmath>

#include "ops/conv/pool.h"
#include "ops/nn/common.h"
#include "ops/nn/upsample.h"

namespace wick::ops {

namespace {

// None, one number for all dims, or a list with one for each.
template <class T, class Get>
std::optional<std::vector<T>> per_dim(const IValue& v, size_t spatial, const char* name, Get get) {
  if (v.is_none()) return {};
  if (!v.is_list()) return std::vector<T>(spatial, get(v));
  const std::vector<IValue>& items = v.to_list().items;
  WICK_CHECK(items.size() == spatial, kInvalidArgument, name, " shape must match input shape. Input is ", spatial,
             "D, ", name, " is ", items.size());
  std::vector<T> out;
  for (const IValue& item : items) out.push_back(get(item));
  return out;
}

int64_t scaled_extent(int64_t size, double scale) {
  // The product is rounded to float, as the Python function of that time did.
  const double extent = std::floor(static_cast<double>(static_cast<float>(static_cast<double>(size) * scale)));
  WICK_CHECK(extent < 9e18 && extent > -9e18, kInvalidArgument, "scale factor ", scale, " is out of range");
  return static_cast<int64_t>(extent);
}

using Scales = std::optional<std::vector<double>>;

Tensor resize_nearest(const Tensor& input, bool exact, const OptSizes& sizes, const Scales& scales) {
  const int64_t spatial = input.dim() - 2;
  if (exact) {
    return (spatial == 1   ? upsample_nearest_exact1d_vec
            : spatial == 2 ? upsample_nearest_exact2d_vec
                           : upsample_nearest_exact3d_vec)(input, sizes, scales);
  }
  return (spatial == 1   ? upsample_nearest1d_vec
          : spatial == 2 ? upsample_nearest2d_vec
                         : upsample_nearest3d_vec)(input, sizes, scales);
}

// The interpolating modes.
Tensor resize_linear(const Tensor& input, std::string_view mode, const OptSizes& sizes, bool align,
                     const Scales& scales, bool antialias) {
  const int64_t rank = input.dim(), spatial = rank - 2;
  if (mode == "linear" && spatial == 1) return upsample_linear1d_vec(input, sizes, align, scales);
  if (mode == "bilinear" && spatial == 2) {
    return (antialias ? upsample_bilinear2d_aa_vec : upsample_bilinear2d_vec)(input, sizes, align, scales);
  }
  if (mode == "trilinear" && spatial == 3) return upsample_trilinear3d_vec(input, sizes, align, scales);
  if (mode == "bicubic" && spatial == 2) {
    return (antialias ? upsample_bicubic2d_aa_vec : upsample_bicubic2d_vec)(input, sizes, align, scales);
  }
  const size_t wanted = mode == "linear"                          ? 3
                        : mode == "bilinear" || mode == "bicubic" ? 4
                        : mode == "trilinear"                     ? 5
                                                                  : 0;
  WICK_CHECK(wanted == 0, kShapeMismatch, "Got ", rank, "D input, but ", mode, " mode needs ", wanted, "D input");
  fail_with<ErrorCode::kUnsupported>(
      "Input Error: Only 3D, 4D and 5D input Tensors supported (got ", rank,
      "D) for the modes: nearest | linear | bilinear | bicubic | trilinear | area | nearest-exact (got ", mode, ")");
}

}  // namespace

Tensor interpolate(const Tensor& input, const IValue& size_arg, const IValue& scale_arg, std::string_view mode,
                   std::optional<bool> align_corners, std::optional<bool> recompute_scale_factor, bool antialias) {
  const bool plain = mode == "nearest" || mode == "area" || mode == "nearest-exact";
  if (plain) {
    WICK_CHECK(!align_corners.has_value(), kInvalidArgument,
               "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | "
               "trilinear");
  }
  const int64_t rank = input.dim();
  WICK_CHECK(rank >= 3 && rank <= 5, kShapeMismatch, "Input Error: Only 3D, 4D and 5D input Tensors supported (got ",
             rank, "D) for the modes: nearest | linear | bilinear | trilinear (got ", mode, ")");
  const size_t spatial = static_cast<size_t>(rank - 2);
  auto size = per_dim<int64_t>(size_arg, spatial, "size", [](const IValue& v) { return v.to_int(); });
  auto scales = per_dim<double>(scale_arg, spatial, "scale_factor", [](const IValue& v) { return v.to_double(); });
  WICK_CHECK(size || scales, kInvalidArgument, "either size or scale_factor should be defined");
  if (size) scales.reset();
  // The builtin computes the size itself, and keeps the scales only when told not to recompute them.
  if (scales && (recompute_scale_factor.value_or(true) || mode == "area")) {
    size.emplace();
    for (size_t i = 0; i < spatial; ++i) size->push_back(scaled_extent(input.sizes()[i + 2], (*scales)[i]));
    scales.reset();
  }
  WICK_CHECK(!antialias || ((mode == "bilinear" || mode == "bicubic") && rank == 4), kInvalidArgument,
             "Anti-alias option is only supported for bilinear and bicubic modes");
  if (mode == "area") {
    return spatial == 1   ? adaptive_avg_pool1d(input, *size)
           : spatial == 2 ? adaptive_avg_pool2d(input, *size)
                          : adaptive_avg_pool3d(input, *size);
  }
  OptSizes sizes;
  if (size) sizes.emplace(*size);
  if (plain) return resize_nearest(input, mode == "nearest-exact", sizes, scales);
  return resize_linear(input, mode, sizes, align_corners.value_or(false), scales, antialias);
}

Tensor upsample_builtin(const Tensor& input, const IValue& size, const IValue& scale_factor, std::string_view mode,
                        std::optional<bool> align_corners) {
  return interpolate(input, size, scale_factor, mode, align_corners, {}, false);
}
Tensor upsample_bilinear_builtin(const Tensor& input, const IValue& size, const IValue& scale_factor) {
  return interpolate(input, size, scale_factor, "bilinear", true, {}, false);
}
Tensor upsample_nearest_builtin(const Tensor& input, const IValue& size, const IValue& scale_factor) {
  return interpolate(input, size, scale_factor, "nearest", {}, {}, false);
}

}  // namespace wick::ops
