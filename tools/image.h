// Pictures as the command and the examples use them; they are read, resized and written by wick::image.
#pragma once

#include "wick/image.h"

namespace wick::tools {

using image::Image;
using image::resize;
using image::write_png;

inline Image read_image(const std::string& path) { return image::read(path); }
// Scales the short side to `size` and keeps the center square, as torchvision's Resize and CenterCrop.
inline Image resize_and_crop(const Image& picture, int size) {
  return image::center_crop(image::resize_shorter(picture, size), size);
}
// [1, 3, height, width] floats: pixels / 255, less the means, over the deviations.
inline Tensor to_normalized_tensor(const Image& picture, const std::array<float, 3>& mean = image::kImageNetMean,
                                   const std::array<float, 3>& deviation = image::kImageNetDeviation) {
  return image::normalize(image::to_tensor(picture), mean, deviation);
}

}  // namespace wick::tools
