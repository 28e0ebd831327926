// segment MODEL PICTURE OUT.png: finds the shapes in a picture and paints them over it.
#include <wick/image.h>
#include <wick/wick.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using wick::image::Image;

constexpr std::array<std::array<int, 3>, 6> kColors = {
    {{0, 0, 0}, {230, 60, 60}, {60, 120, 240}, {250, 200, 40}, {50, 200, 110}, {200, 80, 220}}};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

double milliseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

// For every pixel the class with the best score; for every class how many pixels and how sure.
struct Mask {
  std::vector<int> classes;
  std::vector<int64_t> pixels;
  std::vector<double> confidence;
};

Mask best_classes(const wick::Tensor& scores) {
  const int64_t count = scores.size(1), plane = scores.size(2) * scores.size(3);
  const float* data = scores.data<float>();
  Mask mask{std::vector<int>(plane), std::vector<int64_t>(count), std::vector<double>(count)};
  for (int64_t i = 0; i < plane; ++i) {
    int best = 0;
    for (int c = 1; c < count; ++c) {
      if (data[c * plane + i] > data[best * plane + i]) best = c;
    }
    double sum = 0;
    for (int c = 0; c < count; ++c) sum += std::exp(data[c * plane + i] - data[best * plane + i]);
    mask.classes[i] = best;
    ++mask.pixels[best];
    mask.confidence[best] += 1 / sum;
  }
  for (int64_t c = 0; c < count; ++c) mask.confidence[c] /= std::max<int64_t>(mask.pixels[c], 1);
  return mask;
}

// The picture beside itself with the classes painted over it, outlines stronger.
Image paint(const Image& picture, const Mask& mask) {
  const int width = picture.width, height = picture.height;
  Image out{2 * width, height, std::vector<uint8_t>(size_t{6} * width * height)};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int at = y * width + x, kind = mask.classes[at];
      const bool edge =
          (x + 1 < width && mask.classes[at + 1] != kind) || (y + 1 < height && mask.classes[at + width] != kind);
      const double cover = edge ? 1.0 : kind == 0 ? 0.35 : 0.6;
      const auto& color = kColors[static_cast<size_t>(kind) % kColors.size()];
      for (int c = 0; c < 3; ++c) {
        const double pixel = picture.pixels[size_t{3} * at + c];
        const size_t row = size_t{2} * width * y;
        out.pixels[(row + x) * 3 + c] = static_cast<uint8_t>(pixel);
        out.pixels[(row + width + x) * 3 + c] =
            static_cast<uint8_t>(pixel * (1 - cover) + (edge ? 255 : color[c]) * cover);
      }
    }
  }
  return out;
}

void run(const std::string& model_path, const std::string& picture_path, const std::string& out_path) {
  const Image picture = wick::image::read(picture_path);
  const auto start = Clock::now();
  const wick::Module module = wick::load(model_path);
  const auto loaded = Clock::now();
  const wick::Tensor input = wick::image::normalize(wick::image::to_tensor(picture));
  const auto ready = Clock::now();
  const wick::Tensor scores = module.forward({input}).to_tensor();
  const auto done = Clock::now();
  module.forward({input});
  const auto again = Clock::now();

  const std::vector<std::string> names = lines_of(module.extra_files().at("labels.txt"));
  const Mask mask = best_classes(scores);
  std::printf("%s, %d x %d pixels\n", picture_path.c_str(), picture.width, picture.height);
  for (size_t c = 0; c < mask.pixels.size(); ++c) {
    std::printf("  %-12s %5.1f %% of the image, score %.3f\n", c < names.size() ? names[c].c_str() : "?",
                100.0 * static_cast<double>(mask.pixels[c]) / static_cast<double>(mask.classes.size()),
                mask.confidence[c]);
  }
  std::printf("loaded in %.1f ms, first run %.1f ms, second run %.1f ms\n", milliseconds(start, loaded),
              milliseconds(ready, done), milliseconds(done, again));
  wick::image::write_png(paint(picture, mask), out_path);
  std::printf("wrote %s\n", out_path.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: segment MODEL PICTURE OUT.png\n");
    return 2;
  }
  try {
    run(argv[1], argv[2], argv[3]);
    return 0;
  } catch (const wick::Error& e) {
    std::fprintf(stderr, "segment: %s\n", e.what());
    return 1;
  }
}
