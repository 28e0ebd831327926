// Filtered resampling of images of bytes, in the fixed point PyTorch 2 uses: along a row first, then along columns,
// each result rounded to a byte.
#include "ops/nn/common.h"
#include "ops/nn/resample_taps.h"
#include "ops/nn/upsample.h"

namespace wick::ops {

namespace {

struct FixedTaps {
  AxisTaps<double> at;
  std::vector<int32_t> weight;
  int shift = 0;
};

FixedTaps fixed_taps(const ResampleOptions& options, int64_t in_size, int64_t out_size, Scale scale) {
  FixedTaps taps{axis_taps<double>(options.method, in_size, out_size, options.align_corners, scale), {}, 0};
  std::vector<double>& weight = taps.at.weight;
  double largest = 0;
  for (size_t i = 0; i < weight.size(); ++i) {
    // Taps held at the border are one tap of their joint weight.
    const bool first = i % static_cast<size_t>(taps.at.count) == 0;
    if (!first && taps.at.index[i] == taps.at.index[i - 1]) {
      weight[i] += weight[i - 1];
      weight[i - 1] = 0;
    }
    largest = std::max(largest, weight[i]);
  }
  // As many bits as the largest weight leaves in 16.
  while (taps.shift < 22 && 0.5 + largest * static_cast<double>(int64_t{2} << taps.shift) < 32768.0) ++taps.shift;
  const double one = static_cast<double>(int64_t{1} << taps.shift);
  for (double w : weight) {
    const double scaled = std::isfinite(w) ? std::clamp(w * one + (w < 0 ? -0.5 : 0.5), -65536.0, 65536.0) : 0;
    taps.weight.push_back(static_cast<int32_t>(scaled));
  }
  return taps;
}

uint8_t rounded_byte(int64_t sum, int shift) { return static_cast<uint8_t>(std::clamp<int64_t>(sum >> shift, 0, 255)); }

// lines x in_size x run -> lines x out_size x run.
void filter_bytes(const uint8_t* in, uint8_t* out, int64_t lines, int64_t run, const FixedTaps& taps) {
  const int64_t half = taps.shift > 0 ? int64_t{1} << (taps.shift - 1) : 0;
  const AxisTaps<double>& at = taps.at;
  parallel_for(0, lines, grain_for(at.out_size * run * at.count), [&](int64_t begin, int64_t end) {
    std::vector<int64_t> sums(static_cast<size_t>(run));
    for (int64_t i = begin * at.out_size; i < end * at.out_size; ++i) {
      const uint8_t* line = in + i / at.out_size * at.in_size * run;
      const int64_t first = i % at.out_size * at.count;
      std::fill(sums.begin(), sums.end(), half);
      for (int64_t k = first; k < first + at.count; ++k) {
        const int64_t w = taps.weight[static_cast<size_t>(k)];
        const uint8_t* from = line + at.index[static_cast<size_t>(k)] * run;
        for (int64_t r = 0; r < run; ++r) sums[static_cast<size_t>(r)] += w * from[r];
      }
      for (int64_t r = 0; r < run; ++r) out[i * run + r] = rounded_byte(sums[static_cast<size_t>(r)], taps.shift);
    }
  });
}

}  // namespace

Tensor resample_bytes(const Tensor& input, IntSpan size, const ResampleOptions& options) {
  const int64_t planes = input.size(0) * input.size(1);
  const int64_t height = input.size(2), width = input.size(3);
  Tensor x = contiguous(input);
  if (size[1] != width) {
    const Tensor y = Tensor::empty({input.size(0), input.size(1), height, size[1]}, DType::kByte);
    filter_bytes(x.data_ptr<uint8_t>(), y.data_ptr<uint8_t>(), planes * height, 1,
                 fixed_taps(options, width, size[1], options.scales[1]));
    x = y;
  }
  if (size[0] != height) {
    const Tensor y = Tensor::empty({input.size(0), input.size(1), size[0], size[1]}, DType::kByte);
    filter_bytes(x.data_ptr<uint8_t>(), y.data_ptr<uint8_t>(), planes, size[1],
                 fixed_taps(options, height, size[0], options.scales[0]));
    x = y;
  }
  return x.is_same(input) ? clone(input) : x;
}

}  // namespace wick::ops
