// Convolution of float and double images with one to three spatial dimensions (unused ones have extent 1).
//
// The patches of the image are one operand of a matrix product and are packed panel by panel, so scratch memory does
// not grow with the image.
#pragma once

#include "kernels/gemm.h"

namespace wick::kernels {

struct ConvShape {
  int64_t batch = 1;
  int64_t in_channels = 1;
  int64_t out_channels = 1;
  int64_t groups = 1;
  int64_t in[3] = {1, 1, 1};
  int64_t out[3] = {1, 1, 1};
  int64_t kernel[3] = {1, 1, 1};
  int64_t stride[3] = {1, 1, 1};
  int64_t pad[3] = {0, 0, 0};
  int64_t dilation[3] = {1, 1, 1};

  int64_t in_pixels() const { return in[0] * in[1] * in[2]; }
  int64_t out_pixels() const { return out[0] * out[1] * out[2]; }
  int64_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }
  int64_t group_in() const { return in_channels / groups; }
  int64_t group_out() const { return out_channels / groups; }
};

template <class T>
struct Conv {
  ConvShape shape;
  const T* x = nullptr;
  const T* weight = nullptr;
  const T* bias = nullptr;  // out_channels values, or null
  T* y = nullptr;
  bool clamp = false;
  T low = -std::numeric_limits<T>::infinity();
  T high = std::numeric_limits<T>::infinity();
};

// x [batch][in_channels][in], weight [out_channels][in_channels / groups][kernel], y [batch][out_channels][out].
template <class T>
void conv_nchw(const Conv<T>& conv, const Workers& workers);

// x [batch][in][in_channels], weight [out_channels][kernel][in_channels / groups], y [batch][out][out_channels].
// `packed`, when given, is what pack_nhwc_weight wrote and `weight` is not read.
template <class T>
void conv_nhwc(const Conv<T>& conv, const T* packed, const Workers& workers);
template <class T>
size_t packed_nhwc_weight_size(const ConvShape& shape);
template <class T>
void pack_nhwc_weight(const ConvShape& shape, const T* weight, T* dst);

// Transposed convolution: here `in` is the image that is spread out and `out` the result.
// x [batch][in_channels][in], weight [in_channels][out_channels / groups][kernel], y [batch][out_channels][out].
template <class T>
void conv_transpose_nchw(const Conv<T>& conv, const Workers& workers);

// Depthwise: in_channels == groups, in[0] == kernel[0] == 1. Any number of output channels per group.
// x [batch][channels][h][w], weight [out_channels][kh][kw], y [batch][out_channels][oh][ow].
template <class T>
void depthwise_nchw(const Conv<T>& conv, const Workers& workers);
// As above with out_channels == in_channels. x [batch][h][w][channels], weight [kh][kw][channels].
template <class T>
void depthwise_nhwc(const Conv<T>& conv, const Workers& workers);

}  // namespace wick::kernels
