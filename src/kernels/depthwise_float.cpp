// Depthwise convolution of float NCHW images.
#include "kernels/conv.h"

#include "kernels/targets.h"

#define WICK_DEPTHWISE_TYPE float
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/depthwise_float.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/depthwise-inl.h"

#if HWY_ONCE
namespace wick::kernels {

HWY_EXPORT(planes);

template <>
void depthwise_nchw<float>(const Conv<float>& conv, const Workers& workers) {
  if (conv.shape.out_pixels() == 0) return;
  workers.each(conv.shape.batch * conv.shape.in_channels, [&](int64_t first, int64_t last) {
    HWY_DYNAMIC_DISPATCH(planes)(conv, first, last);
  });
}

}  // namespace wick::kernels
#endif
