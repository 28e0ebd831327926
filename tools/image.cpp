// Reads PNG and JPEG, resizes and crops images, writes PNG.
#include "image.h"

#include <jpeglib.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "wick/error.h"

namespace wick::tools {

namespace {

constexpr int64_t kMaxPixels = int64_t{1} << 28;
constexpr std::array<float, 3> kMeans = {0.485f, 0.456f, 0.406f};
constexpr std::array<float, 3> kDeviations = {0.229f, 0.224f, 0.225f};

struct CloseFile {
  void operator()(FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<FILE, CloseFile>;

File open_file(const std::string& path) {
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) throw Error(ErrorCode::kNotFound, "cannot open image " + path + ": " + std::strerror(errno));
  return file;
}

void check_size(int64_t width, int64_t height, const std::string& path) {
  if (width <= 0 || height <= 0 || width * height > kMaxPixels) {
    throw Error(ErrorCode::kLimitExceeded, path + ": unsupported image size, " + std::to_string(width) + " x " +
                                               std::to_string(height) + " pixels");
  }
}

Image read_png(const std::string& path) {
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&png, path.c_str())) {
    throw Error(ErrorCode::kCorruptFile, path + ": " + png.message);
  }
  png.format = PNG_FORMAT_RGB;
  Image image;
  image.width = static_cast<int>(png.width);
  image.height = static_cast<int>(png.height);
  try {
    check_size(png.width, png.height, path);
    image.pixels.resize(PNG_IMAGE_SIZE(png));
  } catch (...) {
    png_image_free(&png);
    throw;
  }
  const png_color white{255, 255, 255};
  if (!png_image_finish_read(&png, &white, image.pixels.data(), 0, nullptr)) {
    throw Error(ErrorCode::kCorruptFile, path + ": " + png.message);
  }
  return image;
}

struct JpegErrors {
  jpeg_error_mgr manager;
  jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
};

void on_jpeg_error(j_common_ptr info) {
  auto* errors = reinterpret_cast<JpegErrors*>(info->err);
  info->err->format_message(info, errors->message);
  longjmp(errors->jump, 1);
}

void ignore_jpeg_message(j_common_ptr) {}

// Sets `size_ok` to false when the image is too large. No object with a destructor is made below setjmp.
bool decode_jpeg(FILE* file, Image& image, JpegErrors& errors, bool& size_ok) {
  jpeg_decompress_struct info;
  info.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = on_jpeg_error;
  errors.manager.output_message = ignore_jpeg_message;
  if (setjmp(errors.jump)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_stdio_src(&info, file);
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&info);
  size_ok = static_cast<int64_t>(info.output_width) * info.output_height <= kMaxPixels;
  if (size_ok) {
    image.width = static_cast<int>(info.output_width);
    image.height = static_cast<int>(info.output_height);
    image.pixels.resize(static_cast<size_t>(image.width) * image.height * 3);
    while (info.output_scanline < info.output_height) {
      JSAMPROW row = image.pixels.data() + static_cast<size_t>(info.output_scanline) * image.width * 3;
      jpeg_read_scanlines(&info, &row, 1);
    }
  }
  jpeg_abort_decompress(&info);
  jpeg_destroy_decompress(&info);
  return true;
}

Image read_jpeg(const std::string& path) {
  File file = open_file(path);
  Image image;
  JpegErrors errors;
  bool size_ok = true;
  if (!decode_jpeg(file.get(), image, errors, size_ok)) {
    throw Error(ErrorCode::kCorruptFile, path + ": " + errors.message);
  }
  if (!size_ok) throw Error(ErrorCode::kLimitExceeded, path + ": the image is too large");
  return image;
}

// For each new pixel of one axis: the old pixels it covers and how much of each.
struct Window {
  int first;
  std::vector<float> weights;
};

std::vector<Window> windows(int old_size, int new_size) {
  const double scale = static_cast<double>(old_size) / new_size;
  const double support = std::max(scale, 1.0);
  std::vector<Window> out(new_size);
  for (int i = 0; i < new_size; ++i) {
    const double center = (i + 0.5) * scale;
    const int first = std::max(0, static_cast<int>(std::floor(center - support + 0.5)));
    const int last = std::min(old_size, static_cast<int>(std::floor(center + support + 0.5)));
    Window& window = out[i];
    window.first = first;
    double sum = 0;
    for (int k = first; k < last; ++k) {
      const double weight = std::max(0.0, 1 - std::abs((k - center + 0.5) / support));
      window.weights.push_back(static_cast<float>(weight));
      sum += weight;
    }
    for (float& weight : window.weights) weight = static_cast<float>(weight / sum);
  }
  return out;
}

uint8_t to_byte(float v) { return static_cast<uint8_t>(std::clamp(std::lround(v), 0L, 255L)); }

Image crop(const Image& image, int left, int top, int width, int height) {
  Image out{width, height, std::vector<uint8_t>(static_cast<size_t>(width) * height * 3)};
  for (int y = 0; y < height; ++y) {
    const uint8_t* from = image.pixels.data() + (static_cast<size_t>(top + y) * image.width + left) * 3;
    std::copy_n(from, static_cast<size_t>(width) * 3, out.pixels.data() + static_cast<size_t>(y) * width * 3);
  }
  return out;
}

}  // namespace

Image read_image(const std::string& path) {
  uint8_t head[8] = {};
  File file = open_file(path);
  const size_t count = std::fread(head, 1, sizeof head, file.get());
  file.reset();
  if (count == 8 && png_sig_cmp(head, 0, 8) == 0) return read_png(path);
  if (count >= 3 && head[0] == 0xff && head[1] == 0xd8 && head[2] == 0xff) return read_jpeg(path);
  throw Error(ErrorCode::kUnsupported, path + " is neither a PNG nor a JPEG image");
}

void write_png(const Image& image, const std::string& path) {
  const std::filesystem::path target(path);
  std::error_code ignored;
  if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path(), ignored);
  const std::string temporary = path + ".part";
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  if (!png_image_write_to_file(&png, temporary.c_str(), 0, image.pixels.data(), 0, nullptr)) {
    std::filesystem::remove(temporary, ignored);
    throw Error(ErrorCode::kIo, "cannot write " + path + ": " + png.message);
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    throw Error(ErrorCode::kIo, "cannot write " + path + ": " + std::strerror(errno));
  }
}

Image resize(const Image& image, int width, int height) {
  if (width == image.width && height == image.height) return image;
  const std::vector<Window> across = windows(image.width, width);
  std::vector<float> rows(static_cast<size_t>(image.height) * width * 3);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c) {
        float sum = 0;
        const uint8_t* from = image.pixels.data() + (static_cast<size_t>(y) * image.width + across[x].first) * 3 + c;
        for (size_t k = 0; k < across[x].weights.size(); ++k) sum += across[x].weights[k] * from[k * 3];
        rows[(static_cast<size_t>(y) * width + x) * 3 + c] = to_byte(sum);
      }
    }
  }
  const std::vector<Window> down = windows(image.height, height);
  Image out{width, height, std::vector<uint8_t>(static_cast<size_t>(width) * height * 3)};
  const size_t row_size = static_cast<size_t>(width) * 3;
  for (int y = 0; y < height; ++y) {
    for (size_t i = 0; i < row_size; ++i) {
      float sum = 0;
      for (size_t k = 0; k < down[y].weights.size(); ++k) {
        sum += down[y].weights[k] * rows[(down[y].first + k) * row_size + i];
      }
      out.pixels[y * row_size + i] = to_byte(sum);
    }
  }
  return out;
}

Image resize_and_crop(const Image& image, int size) {
  const int shorter = std::min(image.width, image.height);
  const auto scaled = [&](int side) { return static_cast<int>(static_cast<int64_t>(side) * size / shorter); };
  const Image small = resize(image, std::max(size, scaled(image.width)), std::max(size, scaled(image.height)));
  return crop(small, (small.width - size) / 2, (small.height - size) / 2, size, size);
}

Tensor to_normalized_tensor(const Image& image) { return to_normalized_tensor(image, kMeans, kDeviations); }

Tensor to_normalized_tensor(const Image& image, const std::array<float, 3>& mean,
                            const std::array<float, 3>& deviation) {
  const int64_t plane = static_cast<int64_t>(image.width) * image.height;
  Tensor tensor = Tensor::empty({1, 3, image.height, image.width});
  auto* out = tensor.data<float>();
  for (int64_t i = 0; i < plane; ++i) {
    for (int c = 0; c < 3; ++c) {
      out[c * plane + i] = (static_cast<float>(image.pixels[i * 3 + c]) / 255.0f - mean[c]) / deviation[c];
    }
  }
  return tensor;
}

}  // namespace wick::tools
