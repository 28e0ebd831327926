// Convolution operators.
#pragma once

#include <string_view>

#include "kernels/workers.h"
#include "ops/boxing.h"

namespace wick::ops {

// How a convolution runs over its input. Lists have one entry per spatial dimension.
struct ConvParams {
  IntVec stride, padding, dilation, output_padding;
  bool transposed = false;
  int64_t groups = 1;
};

// Repeats a single value for every spatial dimension; other lengths but `dims` are refused.
IntVec expand_param(IntSpan values, const char* name, int64_t dims);
// Refuses what PyTorch refuses, with its texts, and sizes that could overflow. input: batched.
void check_conv(const Tensor& input, const Tensor& weight, const OptTensor& bias, const ConvParams& params);
IntVec conv_output_sizes(IntSpan input, IntSpan weight, const ConvParams& params);

// Bounds on the result.
struct Clamp {
  bool on = false;
  double low = 0, high = 0;
};
// A float weight in the form the channels-last kernels take.
struct PackedConvWeight {
  kernels::Scratch<float> data;
};
PackedConvWeight pack_conv_weight(const Tensor& weight, const ConvParams& params);
// The computation after check_conv: any dtype, result in `format`. `packed` (of the same weight), when given, is used
// by float convolutions that are not transposed and have a channels-last result.
Tensor compute_conv(const Tensor& input, const Tensor& weight, const OptTensor& bias, const ConvParams& params,
                    MemoryFormat format, const Clamp& clamp = {}, const PackedConvWeight* packed = nullptr);

Tensor convolution(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                   IntSpan dilation, bool transposed, IntSpan output_padding, int64_t groups);
Tensor _convolution(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
                    IntSpan dilation, bool transposed, IntSpan output_padding, int64_t groups, bool benchmark,
                    bool deterministic, bool cudnn_enabled, bool allow_tf32);
Tensor _convolution_deprecated(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride,
                               IntSpan padding, IntSpan dilation, bool transposed, IntSpan output_padding,
                               int64_t groups, bool benchmark, bool deterministic, bool cudnn_enabled);
Tensor _convolution_mode(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride,
                         std::string_view padding, IntSpan dilation, int64_t groups);

Tensor conv1d(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
              IntSpan dilation, int64_t groups);
Tensor conv2d(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
              IntSpan dilation, int64_t groups);
Tensor conv3d(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride, IntSpan padding,
              IntSpan dilation, int64_t groups);
Tensor conv1d_padding(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride,
                      std::string_view padding, IntSpan dilation, int64_t groups);
Tensor conv2d_padding(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride,
                      std::string_view padding, IntSpan dilation, int64_t groups);
Tensor conv3d_padding(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride,
                      std::string_view padding, IntSpan dilation, int64_t groups);

Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride,
                        IntSpan padding, IntSpan output_padding, int64_t groups, IntSpan dilation);
Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride,
                        IntSpan padding, IntSpan output_padding, int64_t groups, IntSpan dilation);
Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, const OptTensor& bias, IntSpan stride,
                        IntSpan padding, IntSpan output_padding, int64_t groups, IntSpan dilation);

Tensor conv_tbc(const Tensor& self, const Tensor& weight, const Tensor& bias, int64_t pad);

// PyTorch's names of its CPU implementations.
Tensor thnn_conv2d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias, IntSpan stride,
                   IntSpan padding);
Tensor slow_conv3d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias, IntSpan stride,
                   IntSpan padding);
Tensor slow_conv_dilated2d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
                           IntSpan stride, IntSpan padding, IntSpan dilation);
Tensor slow_conv_dilated3d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
                           IntSpan stride, IntSpan padding, IntSpan dilation);
Tensor conv_depthwise2d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
                        IntSpan stride, IntSpan padding, IntSpan dilation);
Tensor conv_depthwise3d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
                        IntSpan stride, IntSpan padding, IntSpan dilation);
Tensor slow_conv_transpose2d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
                             IntSpan stride, IntSpan padding, IntSpan output_padding, IntSpan dilation);
Tensor slow_conv_transpose3d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
                             IntSpan stride, IntSpan padding, IntSpan output_padding, IntSpan dilation);
Tensor mkldnn_convolution(const Tensor& self, const Tensor& weight, const OptTensor& bias, IntSpan padding,
                          IntSpan stride, IntSpan dilation, int64_t groups);

}  // namespace wick::ops
