// wick::image: PNG and JPEG pictures as inputs of models. A library of its own (wick::image), which needs libpng and
// libjpeg.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wick/tensor.h"

namespace wick::image {

// 8-bit RGB, rows from the top.
//
//   using namespace wick::image;
//   const Image picture = center_crop(resize_shorter(read("cat.jpg"), 256), 224);
//   const wick::Tensor input = normalize(to_tensor(picture));
//
// Threads: a value; functions may be called from several threads.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> pixels;  // height * width * 3
};

// PNG or JPEG, told by the first bytes; transparent parts become white, the orientation that a camera notes (EXIF) is
// not applied. Throws kNotFound, kIo, kUnsupported for another format, kCorruptFile, and kLimitExceeded for more than
// 2^28 pixels.
Image read(const std::string& path);
Image decode(std::span<const uint8_t> bytes);
// Creates the folder when needed; the file appears whole or not at all. Throws kIo.
void write_png(const Image& image, const std::string& path);

// How pixels are mixed when the size changes.
enum class Filter {
  // All that a new pixel covers, as Pillow's BILINEAR, bit for bit: torchvision's Resize of pictures, and of tensors
  // with antialias=True but for rounding.
  kAntialiased,
  // The four nearest, as torch.nn.functional.interpolate(mode="bilinear") does, rounded to the nearest level; what lies
  // halfway between two may fall to either.
  kBilinear,
};
// Sizes must be positive; throws kInvalidArgument.
Image resize(const Image& image, int width, int height, Filter filter = Filter::kAntialiased);
// Scales so that the shorter side has `size` pixels, as torchvision's Resize(size).
Image resize_shorter(const Image& image, int size, Filter filter = Filter::kAntialiased);
// Scales into width x height with the sides' ratio kept, in the middle of a picture that is `fill` elsewhere.
Image letterbox(const Image& image, int width, int height, std::array<uint8_t, 3> fill = {114, 114, 114});
// Must lie inside of the image; throws kInvalidArgument.
Image crop(const Image& image, int left, int top, int width, int height);
// The middle, as torchvision's CenterCrop; what lies outside of a smaller image is black.
Image center_crop(const Image& image, int width, int height);
inline Image center_crop(const Image& image, int size) { return center_crop(image, size, size); }

// [1, 3, height, width] floats from 0 to 1, as torchvision's ToTensor with a batch of one.
Tensor to_tensor(const Image& image);
// The three bands of a tensor of floats [N, 3, H, W] or [3, H, W], less mean, over deviation; ImageNet's by default. A
// new tensor.
inline constexpr std::array<float, 3> kImageNetMean = {0.485f, 0.456f, 0.406f};
inline constexpr std::array<float, 3> kImageNetDeviation = {0.229f, 0.224f, 0.225f};
Tensor normalize(const Tensor& tensor, const std::array<float, 3>& mean = kImageNetMean,
                 const std::array<float, 3>& deviation = kImageNetDeviation);
// Back to 8 bits: floats from 0 to 1, [3, H, W] or [1, 3, H, W]; others are cut off.
Image from_tensor(const Tensor& tensor);

}  // namespace wick::image
