// Depthwise convolution of floats with channels last, and what is computed by the same tiles: groups of a few channels,
// and a network's first layer.
#include <algorithm>

#include "kernels/conv2d.h"
#include "kernels/float_mode.h"
#include "kernels/targets.h"

#define WICK_CONV_TYPE float
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv_depthwise.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/depthwise_rows-inl.h"

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(depthwise_rows);

template <>
void conv_depthwise<float>(const Conv2d& conv, const Workers& workers) {
  const int64_t rows = conv.shape.batch * conv.shape.out[1], parts = std::min<int64_t>(rows, workers.count);
  workers.each(parts, [&](int64_t first, int64_t last) {
    const FlushDenormals flush;
    Conv2d part = conv;
    if (part.sums != nullptr) part.sums += first * static_cast<int64_t>(conv_sums_size(conv.shape, 1));
    HWY_DYNAMIC_DISPATCH(depthwise_rows)(part, rows * first / parts, rows * last / parts);
  });
}

size_t conv_sums_size(const ConvShape& shape, int workers) {
  return static_cast<size_t>(std::max(1, workers) * shape.batch * shape.out_channels);
}

void means_of_sums(const ConvShape& shape, const float* sums, int workers, float* means) {
  const size_t size = conv_sums_size(shape, 1);
  const auto pixels = static_cast<float>(shape.out_pixels());
  for (size_t i = 0; i < size; ++i) {
    float sum = 0;
    for (int k = 0; k < std::max(1, workers); ++k) sum += sums[static_cast<size_t>(k) * size + i];
    means[i] = sum / pixels;
  }
}

}  // namespace wick::kernels
#endif
