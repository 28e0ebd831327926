// Sizes of pictures: Pillow's filter in its integer arithmetic, plain bilinear, crops; and conversion to tensors.
#include <algorithm>
#include <cmath>
#include <string>

#include "wick/error.h"
#include "wick/image.h"

namespace wick::image {
namespace {

constexpr int kMaxSide = 1 << 24;
// Weights are integers of so many bits behind the point.
constexpr int kBits = 32 - 8 - 2;

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorCode::kInvalidArgument, message); }

void check_sides(int width, int height) {
  if (width <= 0 || height <= 0 || width > kMaxSide || height > kMaxSide) {
    refuse("a picture cannot have " + std::to_string(width) + " x " + std::to_string(height) + " pixels");
  }
}

Image blank(int width, int height) {
  check_sides(width, height);
  return {width, height, std::vector<uint8_t>(static_cast<size_t>(width) * static_cast<size_t>(height) * 3)};
}

// For each new pixel of one axis: the old pixels it covers and how much of each.
struct Window {
  int first;
  std::vector<int32_t> weights;
};

std::vector<Window> windows(int old_size, int new_size) {
  const double scale = static_cast<double>(old_size) / new_size;
  const double support = std::max(scale, 1.0);
  std::vector<Window> out(static_cast<size_t>(new_size));
  std::vector<double> shares;
  for (int i = 0; i < new_size; ++i) {
    const double center = (i + 0.5) * scale;
    const int first = std::max(0, static_cast<int>(center - support + 0.5));
    const int last = std::min(old_size, static_cast<int>(center + support + 0.5));
    double sum = 0;
    shares.clear();
    for (int k = first; k < last; ++k) {
      shares.push_back(std::max(0.0, 1 - std::abs((k - center + 0.5) * (1 / support))));
      sum += shares.back();
    }
    Window& window = out[static_cast<size_t>(i)];
    window.first = first;
    for (const double share : shares) {
      window.weights.push_back(static_cast<int32_t>(0.5 + (sum == 0 ? share : share / sum) * (1 << kBits)));
    }
  }
  return out;
}

uint8_t mix(const Window& window, const uint8_t* from, size_t step) {
  int32_t sum = 1 << (kBits - 1);
  for (const int32_t weight : window.weights) {
    sum += weight * *from;
    from += step;
  }
  return static_cast<uint8_t>(std::clamp(sum >> kBits, 0, 255));
}

Image resize_antialiased(const Image& image, int width, int height) {
  const std::vector<Window> across = windows(image.width, width);
  const auto old_row = static_cast<size_t>(image.width) * 3, row = static_cast<size_t>(width) * 3;
  std::vector<uint8_t> rows(static_cast<size_t>(image.height) * row);
  for (size_t y = 0; y < static_cast<size_t>(image.height); ++y) {
    for (size_t x = 0; x < static_cast<size_t>(width); ++x) {
      const uint8_t* from = image.pixels.data() + y * old_row + static_cast<size_t>(across[x].first) * 3;
      for (size_t c = 0; c < 3; ++c) rows[y * row + x * 3 + c] = mix(across[x], from + c, 3);
    }
  }
  const std::vector<Window> down = windows(image.height, height);
  Image out = blank(width, height);
  for (size_t y = 0; y < static_cast<size_t>(height); ++y) {
    const uint8_t* from = rows.data() + static_cast<size_t>(down[y].first) * row;
    for (size_t i = 0; i < row; ++i) out.pixels[y * row + i] = mix(down[y], from + i, row);
  }
  return out;
}

// Where a new pixel lies between two old ones.
struct Place {
  size_t low, high;
  float share;  // of the high one
};

std::vector<Place> places(int old_size, int new_size) {
  const float scale = static_cast<float>(old_size) / static_cast<float>(new_size);
  std::vector<Place> out;
  for (int i = 0; i < new_size; ++i) {
    const float at = std::max(0.0f, scale * (static_cast<float>(i) + 0.5f) - 0.5f);
    const int low = std::min(static_cast<int>(at), old_size - 1);
    out.push_back({static_cast<size_t>(low), static_cast<size_t>(std::min(low + 1, old_size - 1)),
                   std::min(at - static_cast<float>(low), 1.0f)});
  }
  return out;
}

Image resize_bilinear(const Image& image, int width, int height) {
  const std::vector<Place> across = places(image.width, width), down = places(image.height, height);
  const auto old_row = static_cast<size_t>(image.width) * 3;
  Image out = blank(width, height);
  size_t at = 0;
  for (const Place& y : down) {
    for (const Place& x : across) {
      for (size_t c = 0; c < 3; ++c) {
        const auto pixel = [&](size_t row, size_t column) {
          return static_cast<float>(image.pixels[row * old_row + column * 3 + c]);
        };
        const float top = pixel(y.low, x.low) * (1 - x.share) + pixel(y.low, x.high) * x.share;
        const float bottom = pixel(y.high, x.low) * (1 - x.share) + pixel(y.high, x.high) * x.share;
        out.pixels[at++] = static_cast<uint8_t>(std::nearbyint(top * (1 - y.share) + bottom * y.share));
      }
    }
  }
  return out;
}

void check_picture(const Image& image) {
  check_sides(image.width, image.height);
  if (image.pixels.size() != static_cast<size_t>(image.width) * static_cast<size_t>(image.height) * 3) {
    refuse("a picture of " + std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels has " +
           std::to_string(image.pixels.size()) + " bytes instead of three for each");
  }
}

// Copies what of `from`, moved by (left, top), lies inside of `to`.
void paste(const Image& from, Image& to, int left, int top) {
  const int begin = std::max(0, left), end = std::min(to.width, left + from.width);
  if (begin >= end) return;
  for (int y = std::max(0, top); y < std::min(to.height, top + from.height); ++y) {
    const uint8_t* source = from.pixels.data() + (static_cast<size_t>(y - top) * from.width + (begin - left)) * 3;
    std::copy_n(source, static_cast<size_t>(end - begin) * 3,
                to.pixels.data() + (static_cast<size_t>(y) * to.width + begin) * 3);
  }
}

// Where a side of a picture begins in one of its center: what is missing is added after it, what is too much is cut off
// with the half rounded to even, as torchvision does.
int centered(int side, int wanted) {
  return wanted > side ? (wanted - side) / 2 : -static_cast<int>(std::nearbyint((side - wanted) / 2.0));
}

// Bands and pixels of each, of a tensor [N, 3, H, W] or [3, H, W].
int64_t plane_of(const Tensor& t) {
  const int64_t dims = t.dim();
  if (dims < 3 || dims > 4 || t.size(-3) != 3) refuse("expected a tensor of three bands, [N, 3, H, W] or [3, H, W]");
  return t.size(-1) * t.size(-2);
}

}  // namespace

Image resize(const Image& image, int width, int height, Filter filter) {
  check_picture(image);
  check_sides(width, height);
  if (width == image.width && height == image.height) return image;
  return filter == Filter::kAntialiased ? resize_antialiased(image, width, height)
                                        : resize_bilinear(image, width, height);
}

Image resize_shorter(const Image& image, int size, Filter filter) {
  check_picture(image);
  const int shorter = std::min(image.width, image.height);
  const auto scaled = [&](int side) {
    const int64_t out = static_cast<int64_t>(side) * size / shorter;
    return static_cast<int>(std::min<int64_t>(out, kMaxSide + 1));
  };
  return resize(image, image.width == shorter ? size : scaled(image.width),
                image.width == shorter ? scaled(image.height) : size, filter);
}

Image letterbox(const Image& image, int width, int height, std::array<uint8_t, 3> fill) {
  check_picture(image);
  Image out = blank(width, height);
  const double scale = std::min(static_cast<double>(width) / image.width, static_cast<double>(height) / image.height);
  const int inner_width = std::clamp(static_cast<int>(std::lround(image.width * scale)), 1, width);
  const int inner_height = std::clamp(static_cast<int>(std::lround(image.height * scale)), 1, height);
  for (size_t i = 0; i < out.pixels.size(); ++i) out.pixels[i] = fill[i % 3];
  paste(resize(image, inner_width, inner_height), out, (width - inner_width) / 2, (height - inner_height) / 2);
  return out;
}

Image crop(const Image& image, int left, int top, int width, int height) {
  check_picture(image);
  check_sides(width, height);
  if (left < 0 || top < 0 || left > image.width - width || top > image.height - height) {
    refuse("the part of a picture reaches beyond it");
  }
  Image out = blank(width, height);
  paste(image, out, -left, -top);
  return out;
}

Image center_crop(const Image& image, int width, int height) {
  check_picture(image);
  Image out = blank(width, height);
  paste(image, out, centered(image.width, width), centered(image.height, height));
  return out;
}

Tensor to_tensor(const Image& image) {
  check_picture(image);
  const int64_t plane = static_cast<int64_t>(image.width) * image.height;
  Tensor tensor = Tensor::empty({1, 3, image.height, image.width});
  auto* out = tensor.data<float>();
  for (int64_t i = 0; i < plane; ++i) {
    for (int64_t c = 0; c < 3; ++c) out[c * plane + i] = static_cast<float>(image.pixels[i * 3 + c]) / 255.0f;
  }
  return tensor;
}

Tensor normalize(const Tensor& tensor, const std::array<float, 3>& mean, const std::array<float, 3>& deviation) {
  const int64_t plane = plane_of(tensor);
  for (const float d : deviation) {
    if (d == 0) refuse("a deviation of zero");
  }
  const Tensor from = tensor.contiguous();
  Tensor out = Tensor::empty(tensor.sizes());
  const auto* source = from.data<const float>();
  auto* result = out.data<float>();
  for (int64_t i = 0; i < out.numel(); ++i) {
    const size_t c = static_cast<size_t>(i / plane % 3);
    result[i] = (source[i] - mean[c]) / deviation[c];
  }
  return out;
}

Image from_tensor(const Tensor& tensor) {
  const int64_t plane = plane_of(tensor);
  if (tensor.numel() != plane * 3) refuse("expected one picture, not a batch of several");
  Image image = blank(static_cast<int>(std::min<int64_t>(tensor.size(-1), kMaxSide + 1)),
                      static_cast<int>(std::min<int64_t>(tensor.size(-2), kMaxSide + 1)));
  const Tensor whole = tensor.contiguous();
  const auto* from = whole.data<const float>();
  for (int64_t i = 0; i < plane; ++i) {
    for (int64_t c = 0; c < 3; ++c) {
      const float v = from[c * plane + i] * 255.0f;
      image.pixels[static_cast<size_t>(i * 3 + c)] = v >= 255 ? 255
                                                     : v > 0  ? static_cast<uint8_t>(std::nearbyint(v))
                                                              : 0;
    }
  }
  return image;
}

}  // namespace wick::image
