// How far a model's results in float16 are off its results in float32, over pseudo-random images.
//
//   wick_precision_error MODEL IMAGES DIMS
//
// Prints the images, those whose largest result is the same one, and the mean and the largest difference, both of the
// image's largest result.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "wick/wick.h"

namespace {

std::vector<int64_t> dims_of(const char* text) {
  std::vector<int64_t> dims;
  for (const char* at = text; *at != 0;) {
    char* end = nullptr;
    dims.push_back(std::strtoll(at, &end, 10));
    at = *end == ',' ? end + 1 : end;
  }
  return dims;
}

// Noise of a few grains, coarse and fine ones, so that images differ in more than their noise.
wick::Tensor image(const std::vector<int64_t>& dims, uint32_t seed) {
  wick::Tensor x = wick::Tensor::zeros(dims);
  float* p = x.data<float>();
  const int64_t width = dims.back(), height = dims[dims.size() - 2], planes = x.numel() / (width * height);
  const auto noise = [seed](int64_t plane, int64_t y, int64_t at) {
    uint32_t h = seed * 0x9e3779b9u + static_cast<uint32_t>(plane * 7919 + y * 104729 + at * 1299709);
    for (int i = 0; i < 3; ++i) h = (h ^ (h >> 15)) * 0x2c1b3c6du + 0x297a2d39u;
    return static_cast<float>(h >> 8) / static_cast<float>(1 << 23) - 1.0f;
  };
  for (int64_t plane = 0; plane < planes; ++plane) {
    for (int64_t y = 0; y < height; ++y) {
      for (int64_t at = 0; at < width; ++at) {
        float sum = 0;
        for (const int64_t grain : {56, 16, 4, 1}) sum += noise(plane + grain * planes, y / grain, at / grain);
        *p++ = sum / 2;
      }
    }
  }
  return x;
}

void run(const char* path, int64_t images, const std::vector<int64_t>& dims) {
  wick::Module exact = wick::load(path), half = wick::load(path);
  half.set_precision(wick::Precision::kFloat16);
  int64_t same = 0;
  double worst = 0, sum = 0;
  for (int64_t i = 0; i < images; ++i) {
    const std::vector<wick::IValue> inputs{image(dims, static_cast<uint32_t>(i + 1))};
    const wick::Tensor want = exact.forward(inputs).to_tensor().contiguous();
    const wick::Tensor got = half.forward(inputs).to_tensor().to(wick::DType::kFloat).contiguous();
    const float *a = want.data<float>(), *b = got.data<float>();
    double largest = 0, off = 0, all = 0;
    for (int64_t j = 0; j < want.numel(); ++j) {
      const double difference = std::fabs(static_cast<double>(a[j]) - static_cast<double>(b[j]));
      largest = std::max(largest, std::fabs(static_cast<double>(a[j])));
      off = difference <= off ? off : difference;  // keeps a NaN
      all += difference;
    }
    same += std::max_element(a, a + want.numel()) - a == std::max_element(b, b + got.numel()) - b ? 1 : 0;
    worst = off / largest <= worst ? worst : off / largest;
    sum += all / static_cast<double>(want.numel()) / largest;
  }
  std::printf("%lld %lld %.3g %.3g\n", static_cast<long long>(images), static_cast<long long>(same),
              sum / static_cast<double>(images), worst);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "precision_error MODEL IMAGES DIMS\n");
    return 2;
  }
  try {
    run(argv[1], std::max(1LL, std::atoll(argv[2])), dims_of(argv[3]));
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "precision_error: %s\n", e.what());
    return 1;
  }
}
