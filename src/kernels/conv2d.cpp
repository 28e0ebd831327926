// Convolutions by method: sizes of packed weights and scratch, packing, running.
#include "kernels/conv2d.h"

#include <algorithm>

#include "kernels/conv_rows.h"
#include "kernels/layout.h"
#include "kernels/product.h"
#include "kernels/selected.h"
#include "kernels/winograd.h"

namespace wick::kernels {

namespace {

constexpr size_t kToldAtOnce = size_t{1} << 20;

}  // namespace

const char* method_name(ConvMethod method) {
  switch (method) {
    case ConvMethod::kDirect:
    case ConvMethod::kDirectNchw:
      return "direct";
    case ConvMethod::kPlanes:
      return "planes";
    case ConvMethod::kDepthwise:
      return "depthwise";
    case ConvMethod::kGrouped:
      return "grouped";
    case ConvMethod::kWinograd2:
      return "winograd 2x2";
    case ConvMethod::kWinograd4:
      return "winograd 4x4";
  }
  return "";
}

template <class T>
size_t packed_conv_size(const ConvShape& s, ConvMethod method) {
  const size_t group = packed_b_size<T>(s.group_out(), s.group_in() * s.taps());
  switch (method) {
    case ConvMethod::kDepthwise:
    case ConvMethod::kGrouped:
    case ConvMethod::kPlanes:
      return static_cast<size_t>(s.out_channels * s.group_in() * s.taps());
    case ConvMethod::kWinograd2:
    case ConvMethod::kWinograd4:
      if constexpr (kHasWinograd) return winograd_weights_size<T>(s, method);
      break;
    case ConvMethod::kDirect:
    case ConvMethod::kDirectNchw:
      break;
  }
  return static_cast<size_t>(s.groups) * group;
}

namespace {

void pack_depthwise(const ConvShape& s, const float* weight, const float* scale, float* dst) {
  const int64_t taps = s.taps();
  transpose(weight, taps, s.in_channels, taps, dst, s.in_channels);
  if (scale == nullptr) return;
  for (int64_t t = 0; t < taps; ++t)
    for (int64_t c = 0; c < s.in_channels; ++c) dst[t * s.in_channels + c] *= scale[c];
}

void pack_grouped(const ConvShape& s, const float* weight, const float* scale, float* dst) {
  const int64_t taps = s.taps(), in = s.group_in();
  for (int64_t o = 0; o < s.out_channels; ++o)
    for (int64_t c = 0; c < in; ++c)
      for (int64_t t = 0; t < taps; ++t) {
        const int64_t row = (t / s.kernel[2] * in + c) * s.kernel[2] + t % s.kernel[2];
        dst[row * s.out_channels + o] = weight[(o * in + c) * taps + t] * (scale ? scale[o] : 1.0f);
      }
}

// Panels of a product; done() is told of the weights that were read.
void pack_panels(const ConvShape& s, const float* weight, const float* scale, float* dst,
                 void (*done)(const void* begin, size_t bytes)) {
  const int64_t taps = s.taps(), in = s.group_in(), out = s.group_out(), k = taps * in;
  const size_t group_size = packed_b_size<float>(out, k);
  const int64_t panels = product_panels(out);
  // The filters of a panel, their rows (tap, channel).
  Scratch<float> rows;
  const float* told = weight;
  for (int64_t g = 0; g < s.groups; ++g, weight += out * k, dst += group_size, scale += scale ? out : 0) {
    for (int64_t p = 0; p < panels; ++p) {
      const PanelColumns panel = product_panel(out, p);
      const float* from = weight + panel.first * k;
      if (taps > 1) {
        rows.reserve(static_cast<size_t>(panel.count * k));
        for (int64_t o = 0; o < panel.count; ++o) transpose(from + o * k, taps, in, taps, rows.data() + o * k, in);
        from = rows.data();
      }
      float* const to = dst + panel.first * k;
      pack_b(from, 1, k, panel.count, k, to);
      if (scale != nullptr) scale_channels(to, panel.width, scale + panel.first, k, panel.count, to, panel.width);
      const float* const end = weight + (panel.first + panel.count) * k;
      const size_t bytes = static_cast<size_t>(end - told) * sizeof(float);
      if (done == nullptr || bytes < kToldAtOnce) continue;
      done(told, bytes);
      told = end;
    }
  }
}

}  // namespace

void pack_conv(const ConvShape& s, ConvMethod method, const float* weight, const float* scale, float* dst,
               void (*done)(const void* begin, size_t bytes)) {
  if (kHasWinograd && (method == ConvMethod::kWinograd2 || method == ConvMethod::kWinograd4))
    return winograd_pack_weights(s, method, weight, scale, dst);
  if (build::kDepthwise && method == ConvMethod::kDepthwise) return pack_depthwise(s, weight, scale, dst);
  if (build::kGroupedConv && method == ConvMethod::kGrouped) return pack_grouped(s, weight, scale, dst);
  if (build::kPlanes && method == ConvMethod::kPlanes) {
    const int64_t out = s.group_out(), k = s.taps() * s.group_in();
    transpose(weight, k, out, k, dst, out);
    if (scale != nullptr) scale_channels(dst, out, scale, k, out, dst, out);
    return;
  }
  pack_panels(s, weight, scale, dst, done);
}

template <class T>
size_t conv_scratch_size(const ConvShape& s, ConvMethod method, int workers) {
  if (kHasDirectNchw && method == ConvMethod::kDirectNchw)
    return conv_rows_scratch_size(s, method) * static_cast<size_t>(std::max(1, workers));
  if constexpr (!kHasWinograd) return 0;
  const bool winograd = method == ConvMethod::kWinograd2 || method == ConvMethod::kWinograd4;
  return winograd ? winograd_scratch_size<T>(s, method, workers) : 0;
}

template <class T>
void run_conv(const Conv2dOf<T>& conv, std::type_identity_t<T>* scratch, const Workers& workers) {
  switch (conv.method) {
    case ConvMethod::kDirect:
      return conv_direct(conv, workers);
    case ConvMethod::kDirectNchw:
      if constexpr (kHasDirectNchw && sizeof(T) == sizeof(float)) return conv_direct_nchw(conv, scratch, workers);
      return;  // none of float16
    case ConvMethod::kDepthwise:
    case ConvMethod::kGrouped:
    case ConvMethod::kPlanes:
      if constexpr (build::kDepthwise || build::kGroupedConv || build::kPlanes) return conv_depthwise(conv, workers);
      return conv_direct(conv, workers);
    case ConvMethod::kWinograd2:
    case ConvMethod::kWinograd4:
      if constexpr (kHasWinograd) return conv_winograd(conv, scratch, workers);
      return conv_direct(conv, workers);
  }
}

template size_t packed_conv_size<float>(const ConvShape& s, ConvMethod method);
template size_t conv_scratch_size<float>(const ConvShape& s, ConvMethod method, int workers);
template void run_conv<float>(const Conv2d& conv, float* scratch, const Workers& workers);

#ifdef WICK_HALF_KERNELS
template size_t packed_conv_size<Half>(const ConvShape& s, ConvMethod method);
template size_t conv_scratch_size<Half>(const ConvShape& s, ConvMethod method, int workers);
template void run_conv<Half>(const Conv2dOf<Half>& conv, Half* scratch, const Workers& workers);

void pack_conv_half(const ConvShape& s, ConvMethod method, const float* weight, const float* scale, Half* dst) {
  if (kHasWinograd && (method == ConvMethod::kWinograd2 || method == ConvMethod::kWinograd4))
    return winograd_pack_half(s, method, weight, scale, dst);
  const int64_t taps = s.taps(), in = s.group_in(), out = s.group_out(), k = taps * in;
  if (method == ConvMethod::kDepthwise || method == ConvMethod::kPlanes) {
    // Their layouts do not depend on the machine's vectors.
    Scratch<float> packed(packed_conv_size<float>(s, method));
    pack_conv(s, method, weight, scale, packed.data());
    std::transform(packed.data(), packed.data() + packed_conv_size<float>(s, method), dst,
                   [](float v) { return static_cast<Half>(v); });
    return;
  }
  // Filters as [out][tap][channel] in float16, then as panels.
  Scratch<Half> rows(static_cast<size_t>(out * k));
  for (int64_t g = 0; g < s.groups; ++g, weight += out * k, dst += packed_b_size<Half>(out, k)) {
    for (int64_t o = 0; o < out; ++o) {
      const float factor = scale ? scale[g * out + o] : 1.0f;
      for (int64_t c = 0; c < in; ++c)
        for (int64_t t = 0; t < taps; ++t)
          rows.data()[(o * taps + t) * in + c] = static_cast<Half>(weight[(o * in + c) * taps + t] * factor);
    }
    pack_b<Half>(rows.data(), 1, k, out, k, dst);
  }
}
#endif

}  // namespace wick::kernels
