#include "kernels/xnnpack.h"

#ifdef WICK_BENCH_XNNPACK
#include <xnnpack.h>

#include <vector>
#endif

namespace wick::bench {

#ifdef WICK_BENCH_XNNPACK

XnnConv::XnnConv(const kernels::ConvShape& s, const float* weight, const float* bias, float low, float high,
                 const float* x, float* y) {
  if (xnn_initialize(nullptr) != xnn_status_success) return;
  const bool depthwise = s.groups > 1 && s.groups == s.in_channels && s.groups == s.out_channels;
  const int64_t in = s.group_in(), taps = s.taps();
  std::vector<float> turned(static_cast<size_t>(s.out_channels * in * taps));
  for (int64_t o = 0; o < s.out_channels; ++o)
    for (int64_t c = 0; c < in; ++c)
      for (int64_t t = 0; t < taps; ++t) {
        const int64_t at = depthwise ? t * s.out_channels + o : (o * taps + t) * in + c;
        turned[static_cast<size_t>(at)] = weight[(o * in + c) * taps + t];
      }
  const auto u = [](int64_t v) { return static_cast<uint32_t>(v); };
  xnn_operator_t op = nullptr;
  const xnn_status created = xnn_create_convolution2d_nhwc_f32(
      u(s.pad[1]), u(s.pad[2]), u(s.pad[1]), u(s.pad[2]), u(s.kernel[1]), u(s.kernel[2]), u(s.stride[1]),
      u(s.stride[2]), u(s.dilation[1]), u(s.dilation[2]), u(s.groups), static_cast<size_t>(in),
      static_cast<size_t>(s.group_out()), static_cast<size_t>(s.in_channels), static_cast<size_t>(s.out_channels),
      turned.data(), bias, low, high, depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, &op);
  if (created != xnn_status_success) return;
  if (xnn_setup_convolution2d_nhwc_f32(op, static_cast<size_t>(s.batch), static_cast<size_t>(s.in[1]),
                                       static_cast<size_t>(s.in[2]), x, y, nullptr) != xnn_status_success) {
    xnn_delete_operator(op);
    return;
  }
  operator_ = op;
}
XnnConv::~XnnConv() {
  if (operator_ != nullptr) xnn_delete_operator(static_cast<xnn_operator_t>(operator_));
}
void XnnConv::run() { xnn_run_operator(static_cast<xnn_operator_t>(operator_), nullptr); }

#else

XnnConv::XnnConv(const kernels::ConvShape&, const float*, const float*, float, float, const float*, float*) {}
XnnConv::~XnnConv() = default;
void XnnConv::run() {}

#endif

}  // namespace wick::bench
