#include "kernels/conv2d.h"

#include "kernels/product.h"
#include "kernels/winograd.h"

namespace wick::kernels {

const char* method_name(ConvMethod method) {
  switch (method) {
    case ConvMethod::kDirect:
      return "direct";
    case ConvMethod::kDepthwise:
      return "depthwise";
    case ConvMethod::kWinograd2:
      return "winograd 2x2";
    case ConvMethod::kWinograd4:
      return "winograd 4x4";
  }
  return "";
}

size_t packed_conv_size(const ConvShape& s, ConvMethod method) {
  const size_t group = packed_b_size<float>(s.group_out(), s.group_in() * s.taps());
  switch (method) {
    case ConvMethod::kDepthwise:
      return static_cast<size_t>(s.in_channels * s.taps());
    case ConvMethod::kWinograd2:
    case ConvMethod::kWinograd4:
      return winograd_weights_size(s, method);
    case ConvMethod::kDirect:
      break;
  }
  return static_cast<size_t>(s.groups) * group;
}

void pack_conv(const ConvShape& s, ConvMethod method, const float* weight, float* dst) {
  const int64_t taps = s.taps(), in = s.group_in(), out = s.group_out(), k = taps * in;
  if (method == ConvMethod::kWinograd2 || method == ConvMethod::kWinograd4)
    return winograd_pack_weights(s, method, weight, dst);
  if (method == ConvMethod::kDepthwise) {
    for (int64_t c = 0; c < s.in_channels; ++c)
      for (int64_t t = 0; t < taps; ++t) dst[t * s.in_channels + c] = weight[c * taps + t];
    return;
  }
  const size_t group_size = packed_b_size<float>(out, k);
  // Rows of B are (tap, channel).
  const Scratch<float> turned(taps == 1 ? 0 : static_cast<size_t>(out * k));
  for (int64_t g = 0; g < s.groups; ++g, weight += out * k, dst += group_size) {
    if (taps == 1) {
      pack_b(weight, 1, k, out, k, dst);
      continue;
    }
    for (int64_t o = 0; o < out; ++o)
      for (int64_t c = 0; c < in; ++c)
        for (int64_t t = 0; t < taps; ++t) turned.data()[o * k + t * in + c] = weight[(o * in + c) * taps + t];
    pack_b(turned.data(), 1, k, out, k, dst);
  }
}

size_t conv_scratch_size(const ConvShape& s, ConvMethod method, int workers) {
  const bool winograd = method == ConvMethod::kWinograd2 || method == ConvMethod::kWinograd4;
  return winograd ? winograd_scratch_size(s, method, workers) : 0;
}

void run_conv(const Conv2d& conv, float* scratch, const Workers& workers) {
  switch (conv.method) {
    case ConvMethod::kDirect:
      return conv_direct(conv, workers);
    case ConvMethod::kDepthwise:
      return conv_depthwise(conv, workers);
    case ConvMethod::kWinograd2:
    case ConvMethod::kWinograd4:
      return conv_winograd(conv, scratch, workers);
  }
}

}  // namespace wick::kernels
