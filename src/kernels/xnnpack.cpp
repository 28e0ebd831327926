#include "kernels/xnnpack.h"

#include <xnnpack.h>

#include <vector>

namespace wick::kernels {

static_assert(kXnnpackExtraBytes >= XNN_EXTRA_BYTES);

struct XnnpackConv::Handle {
  xnn_operator_t op = nullptr;
  ConvShape shape;

  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { xnn_delete_operator(op); }
};

namespace {

// Rows of (tap, channel) for each output channel; of a depthwise layer, rows of channels for each tap.
std::vector<float> turned(const ConvShape& s, bool depthwise, const float* weight, const float* scale) {
  const int64_t in = s.group_in(), taps = s.taps();
  std::vector<float> out(static_cast<size_t>(s.out_channels * in * taps));
  for (int64_t o = 0; o < s.out_channels; ++o)
    for (int64_t c = 0; c < in; ++c)
      for (int64_t t = 0; t < taps; ++t) {
        const int64_t at = depthwise ? t * s.out_channels + o : (o * taps + t) * in + c;
        out[static_cast<size_t>(at)] = weight[(o * in + c) * taps + t] * (scale ? scale[o] : 1.0F);
      }
  return out;
}

}  // namespace

XnnpackConv::XnnpackConv(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
XnnpackConv::~XnnpackConv() = default;

std::unique_ptr<XnnpackConv> XnnpackConv::make(const ConvShape& s, const float* weight, const float* scale,
                                               const float* bias, float low, float high) {
  if (xnn_initialize(nullptr) != xnn_status_success || !is_conv2d(s)) return nullptr;
  const bool depthwise = s.groups > 1 && s.groups == s.in_channels && s.groups == s.out_channels;
  const auto u = [](int64_t v) { return static_cast<uint32_t>(v); };
  auto handle = std::make_unique<Handle>();
  handle->shape = s;
  const xnn_status created = xnn_create_convolution2d_nhwc_f32(
      u(s.pad[1]), u(s.pad[2]), u(s.pad[1]), u(s.pad[2]), u(s.kernel[1]), u(s.kernel[2]), u(s.stride[1]),
      u(s.stride[2]), u(s.dilation[1]), u(s.dilation[2]), u(s.groups), static_cast<size_t>(s.group_in()),
      static_cast<size_t>(s.group_out()), static_cast<size_t>(s.in_channels), static_cast<size_t>(s.out_channels),
      turned(s, depthwise, weight, scale).data(), bias, low, high, depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0,
      &handle->op);
  if (created != xnn_status_success) return nullptr;
  return std::unique_ptr<XnnpackConv>(new XnnpackConv(std::move(handle)));
}

void XnnpackConv::run(const float* x, float* y) {
  const ConvShape& s = handle_->shape;
  // The set-up keeps its tables while the sizes stay the same.
  if (xnn_setup_convolution2d_nhwc_f32(handle_->op, static_cast<size_t>(s.batch), static_cast<size_t>(s.in[1]),
                                       static_cast<size_t>(s.in[2]), x, y, nullptr) != xnn_status_success ||
      xnn_run_operator(handle_->op, nullptr) != xnn_status_success) {
    throw std::bad_alloc();
  }
}

}  // namespace wick::kernels
