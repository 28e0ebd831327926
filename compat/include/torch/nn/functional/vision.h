// torch::nn::functional: resizing, padding, sampling.
#pragma once

#include <torch/expanding_array.h>

namespace torch {
namespace nn {

struct UpsampleOptions {
  TORCH_ARG(c10::optional<std::vector<int64_t>>, size) = c10::nullopt;
  TORCH_ARG(c10::optional<std::vector<double>>, scale_factor) = c10::nullopt;
  TORCH_ARG(enumtype::Name, mode) = torch::kNearest;
  TORCH_ARG(c10::optional<bool>, align_corners) = c10::nullopt;
};
struct PixelShuffleOptions {
  PixelShuffleOptions(int64_t upscale_factor) : upscale_factor_(upscale_factor) {}
  TORCH_ARG(int64_t, upscale_factor);
};
struct PixelUnshuffleOptions {
  PixelUnshuffleOptions(int64_t downscale_factor) : downscale_factor_(downscale_factor) {}
  TORCH_ARG(int64_t, downscale_factor);
};

namespace functional {

struct PadFuncOptions {
  PadFuncOptions(std::vector<int64_t> pad) : pad_(std::move(pad)) {}
  TORCH_ARG(std::vector<int64_t>, pad);
  TORCH_ARG(enumtype::Name, mode) = torch::kConstant;
  TORCH_ARG(double, value) = 0;
};
inline at::Tensor pad(const at::Tensor& input, const PadFuncOptions& o) {
  return at::pad(input, o.pad(), c10::string_view(o.mode().text),
                 o.mode() == kConstant ? c10::optional<double>(o.value()) : c10::nullopt);
}

struct InterpolateFuncOptions {
  TORCH_ARG(c10::optional<std::vector<int64_t>>, size) = c10::nullopt;
  TORCH_ARG(c10::optional<std::vector<double>>, scale_factor) = c10::nullopt;
  TORCH_ARG(enumtype::Name, mode) = torch::kNearest;
  TORCH_ARG(c10::optional<bool>, align_corners) = c10::nullopt;
  TORCH_ARG(c10::optional<bool>, recompute_scale_factor) = c10::nullopt;
  TORCH_ARG(bool, antialias) = false;
};
at::Tensor interpolate(const at::Tensor& input, const InterpolateFuncOptions& options = {});
using UpsampleFuncOptions = UpsampleOptions;
inline at::Tensor upsample(const at::Tensor& input, const UpsampleFuncOptions& o = {}) {
  return interpolate(input, InterpolateFuncOptions()
                                .size(o.size())
                                .scale_factor(o.scale_factor())
                                .mode(o.mode())
                                .align_corners(o.align_corners()));
}

struct GridSampleFuncOptions {
  TORCH_ARG(enumtype::Name, mode) = torch::kBilinear;
  TORCH_ARG(enumtype::Name, padding_mode) = torch::kZeros;
  TORCH_ARG(c10::optional<bool>, align_corners) = c10::nullopt;
};
inline at::Tensor grid_sample(const at::Tensor& input, const at::Tensor& grid, const GridSampleFuncOptions& o = {}) {
  return at::grid_sampler(input, grid,
                          o.mode() == kNearest   ? 1
                          : o.mode() == kBicubic ? 2
                                                 : 0,
                          o.padding_mode() == kBorder       ? 1
                          : o.padding_mode() == kReflection ? 2
                                                            : 0,
                          o.align_corners().value_or(false));
}
inline at::Tensor affine_grid(const at::Tensor& theta, at::IntArrayRef size, bool align_corners = false) {
  return at::affine_grid_generator(theta, size, align_corners);
}

using PixelShuffleFuncOptions = PixelShuffleOptions;
using PixelUnshuffleFuncOptions = PixelUnshuffleOptions;
inline at::Tensor pixel_shuffle(const at::Tensor& input, const PixelShuffleFuncOptions& o) {
  return at::pixel_shuffle(input, o.upscale_factor());
}
inline at::Tensor pixel_unshuffle(const at::Tensor& input, const PixelUnshuffleFuncOptions& o) {
  return at::pixel_unshuffle(input, o.downscale_factor());
}

}  // namespace functional
}  // namespace nn
}  // namespace torch
