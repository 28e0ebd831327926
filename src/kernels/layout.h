// Layout changes and channel-wise products of float images.
//
// Contract: source and result do not overlap except where said; all addresses are inside the caller's buffers.
#pragma once

#include <cstdint>

#include "kernels/workers.h"

namespace wick::kernels {

// dst[j * dst_row + i] = src[i * src_row + j] for i < rows, j < columns. Planes to channels last: rows are channels,
// columns pixels; back: the other way round.
void transpose(const float* src, int64_t src_row, int64_t rows, int64_t columns, float* dst, int64_t dst_row);
// [batch][channels][pixels] to [batch][pixels][channels], the pixels of the result `pixel` elements apart, and back.
void planes_to_channels_last(const float* src, int64_t batch, int64_t channels, int64_t pixels, float* dst,
                             int64_t pixel, const Workers& workers);
void channels_last_to_planes(const float* src, int64_t pixel, int64_t batch, int64_t channels, int64_t pixels,
                             float* dst, const Workers& workers);

// y[p][c] = x[p][c] * factor[c], pixels `x_pixel` and `y_pixel` apart; y may be x. The multiplication of a
// squeeze-and-excitation block.
void scale_channels(const float* x, int64_t x_pixel, const float* factor, int64_t pixels, int64_t channels, float* y,
                    int64_t y_pixel);

// y[r * width + c] = x[r * width + c] * factor[r]
void scale_rows(const float* x, int64_t width, const float* factor, int64_t rows, float* y);

}  // namespace wick::kernels
