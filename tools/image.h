// Images: reading PNG and JPEG, resizing, conversion to a model's input, writing PNG.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "wick/tensor.h"

namespace wick::tools {

// 8-bit RGB, rows from the top.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> pixels;  // height * width * 3
};

// PNG or JPEG, told by its first bytes. Throws Error.
Image read_image(const std::string& path);
// Creates the folder when needed; the file appears whole or not at all. Throws Error.
void write_png(const Image& image, const std::string& path);

// Averages over the area that a new pixel covers (Pillow's bilinear filter).
Image resize(const Image& image, int width, int height);
// Scales the short side to `size` and keeps the center square, as torchvision's Resize and CenterCrop.
Image resize_and_crop(const Image& image, int size);

// [1, 3, height, width] floats: pixels / 255, less torchvision's ImageNet means, over its deviations.
Tensor to_normalized_tensor(const Image& image);
Tensor to_normalized_tensor(const Image& image, const std::array<float, 3>& mean,
                            const std::array<float, 3>& deviation);

}  // namespace wick::tools
