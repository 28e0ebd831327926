// Transposed convolution of float images with channels last: a product for each tap, added to the pixels it falls on.
//
// Contract: as conv2d.h; groups is 1. `in` of the shape is the image that is spread out, `out` the result.
#pragma once

#include "kernels/conv2d.h"

namespace wick::kernels {

struct Transposed2d {
  ConvShape shape;
  const float* weights = nullptr;  // as packed
  const float* bias = nullptr;     // out_channels values, or null
  ImageView<const float> x;
  ImageView<float> y;
  Epilogue epilogue;  // without a residual
};

// Weights [in_channels][out_channels][kernel_h][kernel_w], a packed matrix for each tap. dst is 64-byte aligned.
size_t packed_transposed_size(const ConvShape& shape);  // in elements
void pack_transposed(const ConvShape& shape, const float* weight, float* dst);
// Pixels of y are contiguous (y.pixel is out_channels, y.row out_channels times the width).
void run_transposed(const Transposed2d& t, const Workers& workers);

}  // namespace wick::kernels
