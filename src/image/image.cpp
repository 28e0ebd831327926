// Reads PNG and JPEG pictures from files and memory, writes PNG.
#include "wick/image.h"

#include <jpeglib.h>
#include <png.h>

#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "wick/error.h"

namespace wick::image {
namespace {

// Pixels of a picture that is read.
constexpr int64_t kMaxPixels = int64_t{1} << 28;

[[noreturn]] void fail(ErrorCode code, const std::string& message) { throw Error(code, message); }

void check_size(int64_t width, int64_t height) {
  if (width <= 0 || height <= 0 || width * height > kMaxPixels) {
    fail(ErrorCode::kLimitExceeded,
         "unsupported image size, " + std::to_string(width) + " x " + std::to_string(height) + " pixels");
  }
}

Image decode_png(std::span<const uint8_t> bytes) {
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size())) fail(ErrorCode::kCorruptFile, png.message);
  png.format = PNG_FORMAT_RGB;
  Image image;
  try {
    check_size(png.width, png.height);
    image.width = static_cast<int>(png.width);
    image.height = static_cast<int>(png.height);
    image.pixels.resize(PNG_IMAGE_SIZE(png));
  } catch (...) {
    png_image_free(&png);
    throw;
  }
  const png_color white{255, 255, 255};
  if (!png_image_finish_read(&png, &white, image.pixels.data(), 0, nullptr)) {
    fail(ErrorCode::kCorruptFile, png.message);
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
bool decode_jpeg(std::span<const uint8_t> bytes, Image& image, JpegErrors& errors, bool& size_ok) {
  jpeg_decompress_struct info;
  info.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = on_jpeg_error;
  errors.manager.output_message = ignore_jpeg_message;
  if (setjmp(errors.jump)) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, bytes.data(), bytes.size());
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  size_ok = static_cast<int64_t>(info.image_width) * info.image_height <= kMaxPixels;
  if (size_ok) {
    jpeg_start_decompress(&info);  // takes memory for the whole image
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

Image decode_jpeg(std::span<const uint8_t> bytes) {
  Image image;
  JpegErrors errors;
  bool size_ok = true;
  if (!decode_jpeg(bytes, image, errors, size_ok)) fail(ErrorCode::kCorruptFile, errors.message);
  if (!size_ok) fail(ErrorCode::kLimitExceeded, "the image is too large");
  return image;
}

}  // namespace

Image decode(std::span<const uint8_t> bytes) {
  if (bytes.size() >= 8 && png_sig_cmp(bytes.data(), 0, 8) == 0) return decode_png(bytes);
  if (bytes.size() >= 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff) return decode_jpeg(bytes);
  fail(ErrorCode::kUnsupported, "neither a PNG nor a JPEG image");
}

Image read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(ErrorCode::kNotFound, "cannot open image " + path + ": " + std::strerror(errno));
  std::vector<uint8_t> bytes;
  char piece[1 << 14];
  while (file.read(piece, sizeof piece) || file.gcount() > 0) bytes.insert(bytes.end(), piece, piece + file.gcount());
  if (file.bad()) fail(ErrorCode::kIo, "cannot read image " + path);
  try {
    return decode(bytes);
  } catch (const Error& e) {
    throw Error(e.code(), path + ": " + e.message());
  }
}

namespace {

// The whole file or none: what was there before stays until the new one is complete. A device or pipe is written to.
void replace_file(const std::string& path, std::span<const uint8_t> bytes) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  const bool is_replaced = kind == std::filesystem::file_type::regular || kind == std::filesystem::file_type::not_found;
  const std::string temporary = is_replaced ? path + ".part" : path;
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  bool is_written = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  int error = errno;
  if (file != nullptr && std::fclose(file) != 0 && is_written) {
    is_written = false;
    error = errno;
  }
  if (is_written && (!is_replaced || std::rename(temporary.c_str(), path.c_str()) == 0)) return;
  if (is_written) error = errno;
  if (file != nullptr && is_replaced) std::remove(temporary.c_str());
  fail(ErrorCode::kIo, "cannot write " + path + ": " + std::strerror(error));
}

}  // namespace

void write_png(const Image& image, const std::string& path) {
  check_size(image.width, image.height);
  if (image.pixels.size() != static_cast<size_t>(image.width) * static_cast<size_t>(image.height) * 3) {
    fail(ErrorCode::kInvalidArgument,
         "cannot write " + path + ": the picture does not have three bytes for each pixel");
  }
  const std::filesystem::path target(path);
  std::error_code ignored;
  if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path(), ignored);
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::vector<uint8_t> bytes(size);
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.pixels.data(), 0, nullptr)) {
    fail(ErrorCode::kIo, "cannot write " + path + ": " + png.message);
  }
  replace_file(path, {bytes.data(), size});
}

}  // namespace wick::image
