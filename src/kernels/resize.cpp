// Resampling of NHWC float images.
#include "kernels/resize.h"

#include <cstring>

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/resize.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace wick::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE void blend(D d, const float* x, int64_t row, const int64_t* rows, const float* weights, int64_t count,
                      float* y) {
  auto sum = hn::Mul(hn::Set(d, weights[0]), hn::LoadU(d, x + rows[0] * row));
  for (int64_t k = 1; k < count; ++k) sum = hn::MulAdd(hn::Set(d, weights[k]), hn::LoadU(d, x + rows[k] * row), sum);
  hn::StoreU(sum, d, y);
}

void blend_all(const float* x, int64_t row, const int64_t* rows, const float* weights, int64_t count, int64_t n,
               float* y) {
  if (count == 1 && weights[0] == 1) {
    std::memcpy(y, x + rows[0] * row, static_cast<size_t>(n) * sizeof(float));
    return;
  }
  const hn::ScalableTag<float> d;
  const hn::FixedTag<float, 4> quarter;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) blend(d, x + i, row, rows, weights, count, y + i);
  for (; i + 4 <= n; i += 4) blend(quarter, x + i, row, rows, weights, count, y + i);
  for (; i < n; ++i) {
    float sum = weights[0] * x[rows[0] * row + i];
    for (int64_t k = 1; k < count; ++k) sum += weights[k] * x[rows[k] * row + i];
    y[i] = sum;
  }
}

void blend_pixels(const float* x, const ResizeTaps& taps, int64_t width, int64_t channels, float* y) {
  for (int64_t i = 0; i < width; ++i, y += channels) {
    blend_all(x, channels, taps.index + i * taps.count, taps.weight + i * taps.count, taps.count, channels, y);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace wick::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(blend_all);
HWY_EXPORT(blend_pixels);

void blend_rows(const float* x, int64_t row, const int64_t* rows, const float* weights, int64_t count, int64_t n,
                float* y) {
  HWY_DYNAMIC_DISPATCH(blend_all)(x, row, rows, weights, count, n, y);
}
void resize_row(const float* x, const ResizeTaps& taps, int64_t width, int64_t channels, float* y) {
  HWY_DYNAMIC_DISPATCH(blend_pixels)(x, taps, width, channels, y);
}

}  // namespace wick::kernels
#endif
