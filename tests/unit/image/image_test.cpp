// Pictures: sizes as Pillow and PyTorch give them, crops, tensors, files that are none.
#include "wick/image.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "wick/error.h"

namespace wick::image {
namespace {

Image pattern() {
  Image out{37, 23, {}};
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        out.pixels.push_back(static_cast<uint8_t>((x * 7 + y * 13 + c * 50 + (x * y) % 31) % 256));
      }
    }
  }
  return out;
}

// FNV-1a of the pixels.
uint32_t mark(const Image& image) {
  uint32_t out = 2166136261u;
  for (const uint8_t byte : image.pixels) out = (out ^ byte) * 16777619u;
  return out;
}

// Marks of Image.resize((width, height), BILINEAR) of Pillow 9.4 of the same picture.
TEST(Image, ResizesAsPillow) {
  EXPECT_EQ(mark(resize(pattern(), 10, 7)), 133042951u);
  EXPECT_EQ(mark(resize(pattern(), 20, 40)), 119987926u);
  EXPECT_EQ(mark(resize(pattern(), 74, 46)), 2690321235u);
  EXPECT_EQ(mark(resize(pattern(), 36, 22)), 1891399597u);
  EXPECT_EQ(mark(resize(pattern(), 37, 5)), 2094612142u);
  EXPECT_EQ(mark(resize(pattern(), 1, 1)), 2726147248u);
}

// Marks, and the first pixels, of torch.nn.functional.interpolate(size, mode="bilinear"), rounded, of PyTorch 1.13.
// Other sizes of this picture have values halfway between two levels, which fall to either.
TEST(Image, ResizesAsPyTorch) {
  std::vector<uint8_t> first = resize(pattern(), 10, 7, Filter::kBilinear).pixels;
  first.resize(12);
  EXPECT_EQ(first, (std::vector<uint8_t>{26, 76, 126, 56, 106, 156, 86, 136, 186, 116, 166, 216}));
  EXPECT_EQ(mark(resize(pattern(), 74, 46, Filter::kBilinear)), 3393044349u);
  EXPECT_EQ(mark(resize(pattern(), 36, 22, Filter::kBilinear)), 477650756u);
}

TEST(Image, ShorterSideAndCrops) {
  const Image small = resize_shorter(pattern(), 10);
  EXPECT_EQ(small.width, 16);  // 37 * 10 / 23
  EXPECT_EQ(small.height, 10);
  const Image part = crop(pattern(), 2, 3, 4, 5);
  EXPECT_EQ(part.pixels[0], pattern().pixels[(3 * 37 + 2) * 3]);
  const Image middle = center_crop(pattern(), 21, 23);
  EXPECT_EQ(middle.pixels[0], pattern().pixels[8 * 3]);
  const Image padded = center_crop(pattern(), 39, 23);  // a black column on each side
  EXPECT_EQ(padded.pixels[1], 0);
  EXPECT_EQ(padded.pixels[3 + 1], pattern().pixels[1]);
  const Image odd = center_crop(pattern(), 40, 23);  // torchvision puts the odd column behind
  EXPECT_EQ(odd.pixels[3 + 1], pattern().pixels[1]);
  const Image box = letterbox(pattern(), 40, 40);
  EXPECT_EQ(box.pixels[0], 114);
  EXPECT_EQ(box.width, 40);
  EXPECT_THROW(crop(pattern(), 30, 0, 8, 8), Error);
  EXPECT_THROW(crop(pattern(), -1, 0, 8, 8), Error);
  EXPECT_THROW(resize(pattern(), 0, 5), Error);
  EXPECT_THROW(resize({3, 3, {1, 2}}, 2, 2), Error);
  EXPECT_THROW(write_png({3, 3, {1, 2}}, ::testing::TempDir() + "wick_no_picture.png"), Error);
}

TEST(Image, Tensors) {
  const Tensor t = to_tensor(pattern());
  EXPECT_EQ(t.sizes(), (IntVec{1, 3, 23, 37}));
  EXPECT_EQ(t.data<float>()[37 * 23], 50 / 255.0f);
  const Tensor n = normalize(t);
  EXPECT_FLOAT_EQ(n.data<float>()[37 * 23], (50 / 255.0f - 0.456f) / 0.224f);
  EXPECT_EQ(mark(from_tensor(t)), mark(pattern()));
  EXPECT_THROW(normalize(Tensor::zeros({2, 2})), Error);
  EXPECT_THROW(normalize(t, {0, 0, 0}, {1, 0, 1}), Error);
}

TEST(Image, FilesAndMemory) {
  const std::string path = ::testing::TempDir() + "wick_image_test.png";
  write_png(pattern(), path);
  EXPECT_EQ(mark(read(path)), mark(pattern()));
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::span<const uint8_t> view(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  EXPECT_EQ(mark(decode(view)), mark(pattern()));
  EXPECT_THROW(decode(view.first(100)), Error);
  EXPECT_THROW(decode({}), Error);
  std::remove(path.c_str());
  EXPECT_THROW(read(path), Error);
}

}  // namespace
}  // namespace wick::image
