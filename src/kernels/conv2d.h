// Convolution of float images with channels last, by the method that suits the shape. For a planner: the method is
// chosen and the weights are packed once; a run takes all its memory from the caller.
//
// Contract: extents are positive and in_channels, out_channels are multiples of groups; every address the views and
// the shape name is inside the caller's buffers and no product of extents overflows; the result overlaps the input
// nowhere, and the residual either nowhere or everywhere alike (then the residual does not come last, and the method
// is neither the depthwise nor the grouped one).
#pragma once

#include <type_traits>

#include "kernels/conv.h"
#include "kernels/epilogue.h"
#include "kernels/half.h"

namespace wick::kernels {

// An image with channels last; strides in elements.
template <class T>
struct ImageView {
  T* data = nullptr;
  int64_t image = 0, row = 0, pixel = 0;
};
template <class T>
ImageView<T> dense_view(T* data, int64_t height, int64_t width, int64_t channels) {
  return {data, height * width * channels, width * channels, channels};
}

enum class ConvMethod : uint8_t {
  kDirect,      // any shape: patches are read in place, taps on the padding are skipped
  kDirectNchw,  // the same of an NCHW image: some rows at a time are transposed to NHWC
  kPlanes,      // such an image is read as it is; takes_planes
  kDepthwise,   // one channel in, one out per group; kernels up to kMaxDepthwiseTaps; no residual
  kGrouped,     // is_grouped_conv; no residual
  kWinograd2,   // 3x3, stride 1: F(2x2, 3x3)
  kWinograd4,   // 3x3, stride 1: F(4x4, 3x3), within 1e-4 of the layer's largest value
};
const char* method_name(ConvMethod method);

// 2-d (the first spatial dimension unused) with a kernel that the methods' tables hold.
bool is_conv2d(const ConvShape& shape);
// For NCHW images: one group, few channels (a network's input); kernels of three columns with
// a stride of 1 or 2, and a vector of channels out.
bool supports_nchw_input(const ConvShape& shape);
bool takes_planes(const ConvShape& shape);
inline bool reads_planes(ConvMethod method) {
  return method == ConvMethod::kDirectNchw || method == ConvMethod::kPlanes;
}
// Groups that share a vector: 3x3 with stride 1 or 2, as many channels out as in, a power of two of them a group.
bool is_grouped_conv(const ConvShape& shape);
// The method with the least expected time on this machine. `exact`: sums of products only, no Winograd.
ConvMethod choose_conv(const ConvShape& shape, bool exact, int workers);

// Weights [out_channels][in_channels / groups][kernel_h][kernel_w], those of each output channel multiplied by its
// scale (null: none), in the method's form, which depends on the machine and the shape's channels, kernel, groups but
// not on the image's size. dst is 64-byte aligned. `done` is told of large pieces of the weights that won't be read
// again; it may be null.
template <class T = float>
size_t packed_conv_size(const ConvShape& shape, ConvMethod method);  // in elements
void pack_conv(const ConvShape& shape, ConvMethod method, const float* weight, const float* scale, float* dst,
               void (*done)(const void* begin, size_t bytes) = nullptr);
// The same in float16; values beyond its range become infinities.
void pack_conv_half(const ConvShape& shape, ConvMethod method, const float* weight, const float* scale, Half* dst);

// T: float, or Half where it is in the build, by any method but kDirectNchw and kGrouped.
template <class T>
struct Conv2dOf {
  ConvShape shape;
  ConvMethod method = ConvMethod::kDirect;
  const T* weights = nullptr;  // as packed
  const T* bias = nullptr;     // out_channels values, or null
  ImageView<const T> x;
  int64_t x_plane = 0;  // reads_planes: from channel to channel; a pixel is then one element from the next
  ImageView<T> y;
  ImageView<const T> residual;  // data null: none
  Epilogue epilogue;
  // kDepthwise of floats: the results are added up here by channel, [thread][image][out_channels] of conv_sums_size;
  // null: they are not.
  float* sums = nullptr;

  // Sets x to a whole batch, dense in the order that the method reads.
  void read_dense(const T* data) {
    const int64_t channels = reads_planes(method) ? 1 : shape.in_channels;
    x = dense_view(data, shape.in[1], shape.in[2], channels);
    x.image = shape.in[1] * shape.in[2] * shape.in_channels;
    x_plane = shape.in[1] * shape.in[2];
  }
};
using Conv2d = Conv2dOf<float>;
// Elements of scratch a run needs, 64-byte aligned; grows with the number of threads.
template <class T = float>
size_t conv_scratch_size(const ConvShape& shape, ConvMethod method, int workers);
template <class T>
void run_conv(const Conv2dOf<T>& conv, std::type_identity_t<T>* scratch, const Workers& workers);
// Elements of Conv2d::sums, zero before the run, and the means that they make afterwards, [image][out_channels].
size_t conv_sums_size(const ConvShape& shape, int workers);
void means_of_sums(const ConvShape& shape, const float* sums, int workers, float* means);

// The methods, by themselves.
template <class T>
void conv_direct(const Conv2dOf<T>& conv, const Workers& workers);
template <class T>
void conv_depthwise(const Conv2dOf<T>& conv, const Workers& workers);
void conv_direct_nchw(const Conv2d& conv, float* scratch, const Workers& workers);
template <class T = float>
size_t winograd_scratch_size(const ConvShape& shape, ConvMethod method, int workers);
template <class T>
void conv_winograd(const Conv2dOf<T>& conv, T* scratch, const Workers& workers);

}  // namespace wick::kernels
