// Operators that name one of PyTorch's own convolution implementations, and the time-batch-channel convolution.
#include "core/check.h"
#include "core/copy.h"
#include "core/shape.h"
#include "ops/conv/conv.h"

namespace wick::ops {
namespace {

void check_kernel_size(const Tensor& weight, IntSpan kernel_size, int64_t dims) {
  const IntVec kernel = expand_param(kernel_size, "kernel_size", dims);
  WICK_CHECK(weight.dim() == dims + 2 && weight.sizes().subspan(2) == kernel.span(), kShapeMismatch, "kernel_size ",
             kernel.span(), " does not match weight of size ", weight.sizes());
}

Tensor check_batched(const Tensor& self, int64_t dims) {
  WICK_CHECK(self.dim() == dims + 2, kShapeMismatch, "Expected ", dims + 2, "D input tensor, but got: ", self.sizes());
  return self;
}

// A weight given as [out][in * taps] gets its full shape.
Tensor full_weight(const Tensor& weight, IntSpan kernel_size, int64_t dims) {
  if (weight.dim() != 2) return weight;
  const IntVec kernel = expand_param(kernel_size, "kernel_size", dims);
  int64_t taps = 1;
  for (const int64_t k : kernel) {
    WICK_CHECK(k > 0 && k <= INT32_MAX && taps <= INT32_MAX, kInvalidArgument,
               "kernel size should be greater than zero, but got ", kernel.span());
    taps *= k;
  }
  WICK_CHECK(weight.size(1) % taps == 0, kShapeMismatch, "weight of size ", weight.sizes(),
             " does not hold kernels of size ", kernel.span());
  IntVec sizes{weight.size(0), weight.size(1) / taps};
  for (const int64_t k : kernel) sizes.push_back(k);
  const Tensor w = contiguous(weight);
  return w.as_strided(sizes, contiguous_strides(sizes), w.storage_offset());
}

Tensor forward(int64_t dims, const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
               IntSpan stride, IntSpan padding, IntSpan dilation, int64_t groups) {
  const Tensor w = full_weight(weight, kernel_size, dims);
  check_kernel_size(w, kernel_size, dims);
  return convolution(check_batched(self, dims), w, bias, stride, padding, dilation, false, {0}, groups);
}

Tensor transposed(int64_t dims, const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
                  IntSpan stride, IntSpan padding, IntSpan output_padding, IntSpan dilation) {
  check_kernel_size(weight, kernel_size, dims);
  return dims == 2 ? conv_transpose2d(self, weight, bias, stride, padding, output_padding, 1, dilation)
                   : conv_transpose3d(self, weight, bias, stride, padding, output_padding, 1, dilation);
}

}  // namespace

Tensor thnn_conv2d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias, IntSpan stride,
                   IntSpan padding) {
  return forward(2, self, weight, kernel_size, bias, stride, padding, {1}, 1);
}
Tensor slow_conv3d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias, IntSpan stride,
                   IntSpan padding) {
  return forward(3, self, weight, kernel_size, bias, stride, padding, {1}, 1);
}
Tensor slow_conv_dilated2d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
                           IntSpan stride, IntSpan padding, IntSpan dilation) {
  check_kernel_size(weight, kernel_size, 2);
  return conv2d(self, weight, bias, stride, padding, dilation, 1);
}
Tensor slow_conv_dilated3d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
                           IntSpan stride, IntSpan padding, IntSpan dilation) {
  check_kernel_size(weight, kernel_size, 3);
  return conv3d(self, weight, bias, stride, padding, dilation, 1);
}
Tensor conv_depthwise2d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
                        IntSpan stride, IntSpan padding, IntSpan dilation) {
  check_batched(self, 2);
  return forward(2, self, weight, kernel_size, bias, stride, padding, dilation, self.size(1));
}
Tensor conv_depthwise3d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
                        IntSpan stride, IntSpan padding, IntSpan dilation) {
  check_batched(self, 3);
  return forward(3, self, weight, kernel_size, bias, stride, padding, dilation, self.size(1));
}
Tensor slow_conv_transpose2d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
                             IntSpan stride, IntSpan padding, IntSpan output_padding, IntSpan dilation) {
  return transposed(2, self, weight, kernel_size, bias, stride, padding, output_padding, dilation);
}
Tensor slow_conv_transpose3d(const Tensor& self, const Tensor& weight, IntSpan kernel_size, const OptTensor& bias,
                             IntSpan stride, IntSpan padding, IntSpan output_padding, IntSpan dilation) {
  return transposed(3, self, weight, kernel_size, bias, stride, padding, output_padding, dilation);
}
Tensor mkldnn_convolution(const Tensor& self, const Tensor& weight, const OptTensor& bias, IntSpan padding,
                          IntSpan stride, IntSpan dilation, int64_t groups) {
  return convolution(self, weight, bias, stride, padding, dilation, false, {0}, groups);
}

// self [time][batch][in], weight [tap][in][out], result [time][batch][out].
Tensor conv_tbc(const Tensor& self, const Tensor& weight, const Tensor& bias, int64_t pad) {
  WICK_CHECK(self.dim() == 3, kShapeMismatch, "Input must have 3 dims: time, batch, in_channel");
  WICK_CHECK(weight.dim() == 3, kShapeMismatch,
             "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.");
  WICK_CHECK(bias.dim() == 1, kShapeMismatch, "Bias must be 1-D");
  WICK_CHECK(self.size(2) == weight.size(1), kShapeMismatch,
             "Input dim 2 (input channels) is not == dim 1 in the weight tensor");
  WICK_CHECK(weight.size(2) == bias.size(0), kShapeMismatch,
             "Bias size must equal dim 2 in the weight tensor (output channels).");
  const int64_t steps = self.size(0), batch = self.size(1), channels = bias.size(0);
  WICK_CHECK(pad >= -INT32_MAX && pad <= INT32_MAX && steps <= INT32_MAX, kLimitExceeded, "conv_tbc: pad ", pad,
             " or input of size ", self.sizes(), " is too large");
  const IntVec sizes{steps + 2 * pad - weight.size(0) + 1, batch, channels};
  WICK_CHECK(sizes[0] >= 0, kShapeMismatch, "Trying to create tensor with negative dimension ", sizes[0], ": ",
             sizes.span());
  const auto turn = [](const Tensor& t, IntSpan order) {
    IntVec s, st;
    for (const int64_t d : order) {
      s.push_back(t.size(d));
      st.push_back(t.stride(d));
    }
    return t.as_strided(s, st, t.storage_offset());
  };
  if (sizes[0] == 0 || batch == 0 || channels == 0 || self.numel() == 0 || weight.numel() == 0) {
    const Tensor out = Tensor::empty(sizes, self.dtype());
    copy_into(out, bias);
    return out;
  }
  Tensor x = turn(self, {1, 2, 0});
  int64_t padding = pad;
  if (pad < 0) {
    // A negative pad drops steps at both ends.
    x = x.as_strided({x.size(0), x.size(1), steps + 2 * pad}, x.strides(), x.storage_offset() - pad * x.stride(2));
    padding = 0;
  }
  const Tensor y = conv1d(x, turn(weight, {2, 1, 0}), bias, {1}, {padding}, {1}, 1);
  return contiguous(turn(y, {2, 0, 1}));
}

}  // namespace wick::ops
