// XNNPACK's convolutions and dense layers as an alternative to the own kernels.
#include "kernels/xnnpack.h"

#include <xnnpack.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

namespace wick::kernels {

static_assert(kXnnpackExtraBytes >= XNN_EXTRA_BYTES);

struct XnnpackLayer::Handle {
  enum class Kind : uint8_t { kFloatConv, kFloatDense, kByteConv, kSignedConv };
  Kind kind = Kind::kFloatConv;
  xnn_operator_t op = nullptr;
  ConvShape shape;  // of a dense layer: 1x1, rows as the pixels of a line

  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { xnn_delete_operator(op); }
};

namespace {

uint32_t u(int64_t v) { return static_cast<uint32_t>(v); }

// Rows of (tap, channel) for each output channel.
std::vector<float> transposed(const ConvShape& s, const float* weight, const float* scale) {
  const int64_t in = s.group_in(), taps = s.taps();
  std::vector<float> out(static_cast<size_t>(s.out_channels * in * taps));
  for (int64_t o = 0; o < s.out_channels; ++o)
    for (int64_t c = 0; c < in; ++c)
      for (int64_t t = 0; t < taps; ++t)
        out[static_cast<size_t>((o * taps + t) * in + c)] = weight[(o * in + c) * taps + t] * (scale ? scale[o] : 1.0F);
  return out;
}

ConvShape dense_shape(int64_t rows, int64_t inputs, int64_t outputs) {
  ConvShape s;
  s.in_channels = inputs;
  s.out_channels = outputs;
  s.in[2] = s.out[2] = rows;
  return s;
}

// XNNPACK's own threads: they sleep between layers, so that they take nothing from ours. Null for one thread.
pthreadpool_t pool_of(int threads) {
  if (threads <= 1) return nullptr;
  struct Pools {
    std::mutex mutex;
    std::map<int, pthreadpool_t> by_count;
    ~Pools() {
      for (auto& [count, pool] : by_count) pthreadpool_destroy(pool);
    }
  };
  static Pools pools;
  const std::lock_guard lock(pools.mutex);
  pthreadpool_t& pool = pools.by_count[threads];
  if (pool == nullptr) pool = pthreadpool_create(static_cast<size_t>(threads));
  return pool;
}

constexpr uint8_t kSign = 0x80;  // between bytes with and without sign

void flip_sign(const uint8_t* from, int64_t count, uint8_t* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = from[i] ^ kSign;
}

bool all_equal(const auto* values, int64_t count) {
  return std::all_of(values, values + count, [&](auto v) { return v == values[0]; });
}

}  // namespace

XnnpackLayer::XnnpackLayer(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
XnnpackLayer::~XnnpackLayer() = default;

std::unique_ptr<XnnpackLayer> XnnpackLayer::holding(std::unique_ptr<Handle> handle, int status) {
  if (status != xnn_status_success) return nullptr;
  return std::unique_ptr<XnnpackLayer>(new XnnpackLayer(std::move(handle)));
}

std::unique_ptr<XnnpackLayer::Handle> XnnpackLayer::for_shape(const ConvShape& shape) {
  if (xnn_initialize(nullptr) != xnn_status_success || !is_conv2d(shape)) return nullptr;
  auto handle = std::make_unique<Handle>();
  handle->shape = shape;
  return handle;
}

std::unique_ptr<XnnpackLayer> XnnpackLayer::conv(const ConvShape& s, const float* weight, const float* scale,
                                                 const float* bias, float low, float high) {
  std::unique_ptr<Handle> handle = for_shape(s);
  if (!handle) return nullptr;
  const xnn_status status = xnn_create_convolution2d_nhwc_f32(
      u(s.pad[1]), u(s.pad[2]), u(s.pad[1]), u(s.pad[2]), u(s.kernel[1]), u(s.kernel[2]), u(s.stride[1]),
      u(s.stride[2]), u(s.dilation[1]), u(s.dilation[2]), u(s.groups), static_cast<size_t>(s.group_in()),
      static_cast<size_t>(s.group_out()), static_cast<size_t>(s.in_channels), static_cast<size_t>(s.out_channels),
      transposed(s, weight, scale).data(), bias, low, high, XNN_FLAG_YIELD_WORKERS, &handle->op);
  return holding(std::move(handle), status);
}

std::unique_ptr<XnnpackLayer> XnnpackLayer::dense(int64_t rows, int64_t inputs, int64_t outputs, int64_t in_step,
                                                  int64_t out_step, const float* weight, const float* bias, float low,
                                                  float high) {
  std::unique_ptr<Handle> handle = for_shape(dense_shape(rows, inputs, outputs));
  if (!handle) return nullptr;
  handle->kind = Handle::Kind::kFloatDense;
  const xnn_status status = xnn_create_fully_connected_nc_f32(
      static_cast<size_t>(inputs), static_cast<size_t>(outputs), static_cast<size_t>(in_step),
      static_cast<size_t>(out_step), weight, bias, low, high, XNN_FLAG_YIELD_WORKERS, &handle->op);
  return holding(std::move(handle), status);
}

std::unique_ptr<XnnpackLayer> XnnpackLayer::byte_conv(const ConvShape& s, const XnnpackBytes& b) {
  std::unique_ptr<Handle> handle = for_shape(s);
  if (!handle) return nullptr;
  const auto in = static_cast<size_t>(s.group_in()), out = static_cast<size_t>(s.group_out());
  const auto in_step = static_cast<size_t>(s.in_channels), out_step = static_cast<size_t>(s.out_channels);
  if (all_equal(b.multipliers, s.out_channels) && all_equal(b.weight_zeros, s.out_channels)) {
    handle->kind = Handle::Kind::kByteConv;
    std::vector<uint8_t> weight(static_cast<size_t>(s.out_channels * s.taps()) * in);
    for (size_t i = 0; i < weight.size(); ++i) weight[i] = static_cast<uint8_t>(b.weight[i]) ^ kSign;
    const xnn_status status = xnn_create_convolution2d_nhwc_qu8(
        u(s.pad[1]), u(s.pad[2]), u(s.pad[1]), u(s.pad[2]), u(s.kernel[1]), u(s.kernel[2]), u(s.stride[1]),
        u(s.stride[2]), u(s.dilation[1]), u(s.dilation[2]), u(s.groups), in, out, in_step, out_step, b.in_zero,
        b.multipliers[0], static_cast<uint8_t>(b.weight_zeros[0] + kSign), 1.0F, weight.data(), b.bias, b.out_zero,
        1.0F, b.low, b.high, XNN_FLAG_YIELD_WORKERS, &handle->op);
    return holding(std::move(handle), status);
  }
  if (b.weight_zeros[0] != 0 || !all_equal(b.weight_zeros, s.out_channels)) return nullptr;
  handle->kind = Handle::Kind::kSignedConv;
  const auto with_sign = [](uint8_t v) { return static_cast<int8_t>(v ^ kSign); };
  const xnn_status status = xnn_create_convolution2d_nhwc_qc8(
      u(s.pad[1]), u(s.pad[2]), u(s.pad[1]), u(s.pad[2]), u(s.kernel[1]), u(s.kernel[2]), u(s.stride[1]),
      u(s.stride[2]), u(s.dilation[1]), u(s.dilation[2]), u(s.groups), in, out, in_step, out_step, with_sign(b.in_zero),
      1.0F, b.multipliers, b.weight, b.bias, with_sign(b.out_zero), 1.0F, with_sign(b.low), with_sign(b.high),
      XNN_FLAG_YIELD_WORKERS, &handle->op);
  return holding(std::move(handle), status);
}

std::unique_ptr<XnnpackLayer> XnnpackLayer::byte_dense(int64_t rows, int64_t inputs, int64_t outputs,
                                                       const XnnpackBytes& bytes) {
  return byte_conv(dense_shape(rows, inputs, outputs), bytes);
}

size_t XnnpackLayer::scratch_size() const {
  if (handle_->kind != Handle::Kind::kSignedConv) return 0;
  const ConvShape& s = handle_->shape;
  return static_cast<size_t>(s.batch * s.in_pixels() * s.in_channels) + kXnnpackExtraBytes;
}

void XnnpackLayer::run(const void* x, void* y, void* scratch, int threads) {
  const ConvShape& s = handle_->shape;
  const auto batch = static_cast<size_t>(s.batch), height = static_cast<size_t>(s.in[1]),
             width = static_cast<size_t>(s.in[2]);
  pthreadpool_t pool = pool_of(threads);
  const xnn_operator_t op = handle_->op;
  // The set-up keeps its tables while the sizes stay the same.
  xnn_status status = xnn_status_success;
  switch (handle_->kind) {
    case Handle::Kind::kFloatConv:
      status = xnn_setup_convolution2d_nhwc_f32(op, batch, height, width, static_cast<const float*>(x),
                                                static_cast<float*>(y), pool);
      break;
    case Handle::Kind::kFloatDense:
      status = xnn_setup_fully_connected_nc_f32(op, width, static_cast<const float*>(x), static_cast<float*>(y), pool);
      break;
    case Handle::Kind::kByteConv:
      status = xnn_setup_convolution2d_nhwc_qu8(op, batch, height, width, static_cast<const uint8_t*>(x),
                                                static_cast<uint8_t*>(y), pool);
      break;
    case Handle::Kind::kSignedConv:
      flip_sign(static_cast<const uint8_t*>(x), s.batch * s.in_pixels() * s.in_channels,
                static_cast<uint8_t*>(scratch));
      status = xnn_setup_convolution2d_nhwc_qc8(op, batch, height, width, static_cast<const int8_t*>(scratch),
                                                static_cast<int8_t*>(y), pool);
      break;
  }
  if (status != xnn_status_success || xnn_run_operator(op, pool) != xnn_status_success) throw std::bad_alloc();
  if (handle_->kind == Handle::Kind::kSignedConv) {
    auto* out = static_cast<uint8_t*>(y);
    flip_sign(out, s.batch * s.out_pixels() * s.out_channels, out);
  }
}

}  // namespace wick::kernels
