// Images of float16 with channels last, pixel by pixel: pooling and the factors of squeeze-and-excitation blocks; on
// 64-bit ARM with FEAT_FP16.
#pragma once

#include "kernels/half.h"
#include "kernels/rows.h"

namespace wick::kernels {

// dst[i] = the mean of src[i] over the pixels of a window: the sum, in floats, divided by `divisor`. To: float or Half.
template <class To>
void mean_of_window(To* dst, const Half* src, const WindowWalk& walk, float divisor, int64_t n);

// y[p][c] = x[p][c] * factor[c], pixels of `channels`; y may be x.
void scale_channels(const Half* x, const Half* factor, int64_t pixels, int64_t channels, Half* y);

// Multiply-adds of float16 of one core, as kernels/peak.h measures those of floats.
double half_fma_peak();

}  // namespace wick::kernels
