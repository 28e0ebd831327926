// Depthwise convolutions and first layers in float16, on 64-bit ARM with FEAT_FP16.
#include "kernels/half.h"

#ifdef WICK_HALF_KERNELS
#include "kernels/float_mode.h"
#include "kernels/targets.h"

#define WICK_HALF_TYPE
#define WICK_CONV_TYPE Half
#include "hwy/highway.h"
#include "kernels/depthwise_rows-inl.h"
#include "kernels/half-inl.h"

namespace wick::kernels {

template <>
void conv_depthwise<Half>(const Conv2dOf<Half>& conv, const Workers& workers) {
  const int64_t rows = conv.shape.batch * conv.shape.out[1], parts = std::min<int64_t>(rows, workers.count);
  workers.each(parts, [&](int64_t first, int64_t last) {
    const FlushDenormals flush;
    HWY_NAMESPACE::depthwise_rows(conv, rows * first / parts, rows * last / parts);
  });
}

}  // namespace wick::kernels
#endif
