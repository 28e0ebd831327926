// Convolution of float and double images, NCHW and NHWC, with one to three spatial dimensions.
#include "kernels/conv.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "kernels/conv2d.h"
#include "kernels/divide.h"
#include "kernels/layout.h"

namespace wick::kernels {
namespace {

bool is_pointwise(const ConvShape& s) {
  for (int d = 0; d < 3; ++d)
    if (s.kernel[d] != 1 || s.stride[d] != 1 || s.pad[d] != 0) return false;
  return true;
}

// Columns [first, last) of an output row whose input column lies inside the image, for one tap.
struct Valid {
  int64_t first, last;
};
Valid valid_columns(const ConvShape& s, int64_t tap) {
  const int64_t shift = s.pad[2] - tap * s.dilation[2];
  const int64_t first = std::clamp<int64_t>(ceil_div(shift, s.stride[2]), 0, s.out[2]);
  const int64_t last = std::clamp<int64_t>(ceil_div(s.in[2] + shift, s.stride[2]), first, s.out[2]);
  return {first, last};
}

// B of the NCHW product: row (channel, tap), column output pixel.
template <class T>
struct Patches final : PanelSource<T> {
  const ConvShape& s;
  const T* x;  // first channel of the group

  Patches(const ConvShape& shape, const T* image) : s(shape), x(image) {}

  // A run of output pixels in one row.
  struct Run {
    int64_t od, oh, ow, length;
  };

  void pack(int64_t k0, int64_t kc, int64_t n0, int64_t nc, int64_t width, T* dst) const override {
    std::vector<Run> runs;
    for (int64_t n = n0; n < n0 + nc;) {
      const int64_t ow = n % s.out[2], row = n / s.out[2];
      const int64_t length = std::min(s.out[2] - ow, n0 + nc - n);
      runs.push_back({row / s.out[1], row % s.out[1], ow, length});
      n += length;
    }
    const int64_t taps = s.taps();
    for (int64_t k = k0; k < k0 + kc; ++k, dst += width) {
      const int64_t channel = k / taps, tap = k % taps;
      const int64_t kw = tap % s.kernel[2], kh = tap / s.kernel[2] % s.kernel[1], kd = tap / s.kernel[2] / s.kernel[1];
      const Valid valid = valid_columns(s, kw);
      const T* image = x + channel * s.in_pixels();
      const int64_t shift = kw * s.dilation[2] - s.pad[2];
      T* to = dst;
      for (const Run& run : runs) {
        const int64_t id = run.od * s.stride[0] - s.pad[0] + kd * s.dilation[0];
        const int64_t ih = run.oh * s.stride[1] - s.pad[1] + kh * s.dilation[1];
        const bool inside = id >= 0 && id < s.in[0] && ih >= 0 && ih < s.in[1];
        const int64_t end = run.ow + run.length;
        const int64_t first = inside ? std::clamp(valid.first, run.ow, end) : end;
        const int64_t last = inside ? std::clamp(valid.last, first, end) : end;
        std::fill(to, to + (first - run.ow), T(0));
        if (first < last) copy_row(image + (id * s.in[1] + ih) * s.in[2], first, last, shift, to + (first - run.ow));
        std::fill(to + (last - run.ow), to + run.length, T(0));
        to += run.length;
      }
      std::fill(to, dst + width, T(0));
    }
  }

 private:
  void copy_row(const T* row, int64_t first, int64_t last, int64_t shift, T* to) const {
    const int64_t stride = s.stride[2], n = last - first;
    const T* from = row + first * stride + shift;
    if (stride == 1) {
      std::memcpy(to, from, static_cast<size_t>(n) * sizeof(T));
    } else {
      for (int64_t i = 0; i < n; ++i) to[i] = from[i * stride];
    }
  }
};

// A of the NHWC product: row output pixel (of all images), column (tap, channel).
template <class T>
struct PatchRows final : RowSource<T> {
  const ConvShape& s;
  const T* x;  // first channel of the group

  PatchRows(const ConvShape& shape, const T* image) : s(shape), x(image) {}

  void pack(int64_t m0, int64_t mr, int64_t k0, int64_t kc, T* dst) const override {
    const int64_t channels = s.group_in();
    for (int64_t m = m0; m < m0 + mr; ++m) {
      const int64_t ow = m % s.out[2], oh = m / s.out[2] % s.out[1];
      const int64_t od = m / (s.out[2] * s.out[1]) % s.out[0], image = m / s.out_pixels();
      const T* base = x + image * s.in_pixels() * s.in_channels;
      for (int64_t k = k0; k < k0 + kc;) {
        const int64_t tap = k / channels, c = k % channels;
        const int64_t n = std::min(channels - c, k0 + kc - k);
        const int64_t kw = tap % s.kernel[2], kh = tap / s.kernel[2] % s.kernel[1];
        const int64_t kd = tap / s.kernel[2] / s.kernel[1];
        const int64_t id = od * s.stride[0] - s.pad[0] + kd * s.dilation[0];
        const int64_t ih = oh * s.stride[1] - s.pad[1] + kh * s.dilation[1];
        const int64_t iw = ow * s.stride[2] - s.pad[2] + kw * s.dilation[2];
        if (id >= 0 && id < s.in[0] && ih >= 0 && ih < s.in[1] && iw >= 0 && iw < s.in[2]) {
          std::memcpy(dst, base + ((id * s.in[1] + ih) * s.in[2] + iw) * s.in_channels + c,
                      static_cast<size_t>(n) * sizeof(T));
        } else {
          std::fill(dst, dst + n, T(0));
        }
        dst += n;
        k += n;
      }
    }
  }
};

// A convolution with channels last as conv2d.h takes it; the forms of the packed weights are the same.
Conv2d as_conv2d(const Conv<float>& conv, ConvMethod method, const float* weights) {
  const ConvShape& s = conv.shape;
  Conv2d c;
  c.shape = s;
  c.method = method;
  c.weights = weights;
  c.bias = conv.bias;
  c.x = dense_view(conv.x, s.in[1], s.in[2], s.in_channels);
  c.y = dense_view(conv.y, s.out[1], s.out[2], s.out_channels);
  if (conv.clamp) {
    c.epilogue.low = conv.low;
    c.epilogue.high = conv.high;
  }
  return c;
}

// Whether turning the image to channels last and back costs less than packing its patches.
bool turns(const ConvShape& s) {
  constexpr int64_t kFewPixels = 128;
  return is_conv2d(s) && s.taps() > 1 && s.out_pixels() >= kFewPixels && s.group_out() >= 4;
}
void conv_via_nhwc(const Conv<float>& conv, const Workers& workers) {
  const ConvShape& s = conv.shape;
  const Scratch<float> x(static_cast<size_t>(s.batch * s.in_pixels() * s.in_channels));
  const Scratch<float> y(static_cast<size_t>(s.batch * s.out_pixels() * s.out_channels));
  const Scratch<float> weights(packed_conv_size(s, ConvMethod::kDirect));
  pack_conv(s, ConvMethod::kDirect, conv.weight, nullptr, weights.data());
  planes_to_channels_last(conv.x, s.batch, s.in_channels, s.in_pixels(), x.data(), s.in_channels, workers);
  Conv<float> nhwc = conv;
  nhwc.x = x.data();
  nhwc.y = y.data();
  conv_direct(as_conv2d(nhwc, ConvMethod::kDirect, weights.data()), workers);
  channels_last_to_planes(y.data(), s.out_channels, s.batch, s.out_channels, s.out_pixels(), conv.y, workers);
}

template <class T>
void set_output(Gemm<T>& g, const Conv<T>& conv) {
  g.clamp = conv.clamp;
  g.low = conv.low;
  g.high = conv.high;
}

}  // namespace

template <class T>
void conv_nchw(const Conv<T>& conv, const Workers& workers) {
  const ConvShape& s = conv.shape;
  if (s.batch * s.out_pixels() * s.out_channels == 0) return;
  if constexpr (std::is_same_v<T, float>) {
    if (s.in_channels > 0 && s.in_pixels() > 0 && turns(s)) return conv_via_nhwc(conv, workers);
  }
  const int64_t k = s.group_in() * s.taps(), pixels = s.out_pixels();
  const bool pointwise = is_pointwise(s);
  // The product of image `i` and group `g`; `patches` must live as long as it.
  const auto product = [&](int64_t i, int64_t group, const Patches<T>& patches) {
    Gemm<T> g;
    g.m = s.group_out();
    g.n = pixels;
    g.k = k;
    g.a = conv.weight + group * g.m * k;
    g.a_row = k;
    if (pointwise) {
      g.b = patches.x;
      g.b_row = s.in_pixels();
    } else {
      g.b_source = &patches;
    }
    g.c = conv.y + (i * s.out_channels + group * g.m) * pixels;
    g.c_row = pixels;
    g.row_bias = conv.bias ? conv.bias + group * g.m : nullptr;
    set_output(g, conv);
    return g;
  };
  const int64_t products = s.batch * s.groups;
  if (products == 0) return;
  const int64_t each =
      gemm_tasks(product(0, 0, Patches<T>(s, conv.x)), products >= 2 * workers.count ? 1 : workers.count);
  workers.each(products * each, [&](int64_t first, int64_t last) {
    for (int64_t t = first; t < last;) {
      const int64_t p = t / each, begin = t % each, end = std::min(each, begin + last - t);
      const int64_t i = p / s.groups, group = p % s.groups;
      const Patches<T> patches(s, conv.x + (i * s.in_channels + group * s.group_in()) * s.in_pixels());
      gemm_run(product(i, group, patches), each, begin, end);
      t += end - begin;
    }
  });
}

template <class T>
void conv_nhwc(const Conv<T>& conv, const T* packed, const Workers& workers) {
  const ConvShape& s = conv.shape;
  if (s.batch * s.out_pixels() * s.out_channels == 0) return;
  if constexpr (std::is_same_v<T, float>) {
    if (s.in_channels > 0 && s.in_pixels() > 0 && is_conv2d(s)) {
      const Scratch<float> buffer(packed ? 0 : packed_nhwc_weight_size<float>(s));
      if (packed == nullptr) pack_nhwc_weight(s, conv.weight, buffer.data());
      return conv_direct(as_conv2d(conv, ConvMethod::kDirect, packed ? packed : buffer.data()), workers);
    }
  }
  const int64_t k = s.group_in() * s.taps();
  const bool pointwise = is_pointwise(s);
  const auto product = [&](int64_t group, const PatchRows<T>& patches) {
    Gemm<T> g;
    g.m = s.batch * s.out_pixels();
    g.n = s.group_out();
    g.k = k;
    if (pointwise) {
      g.a = patches.x;
      g.a_row = s.in_channels;
    } else {
      g.a_source = &patches;
    }
    if (packed != nullptr) {
      g.b_packed = packed + static_cast<size_t>(group) * packed_b_size<T>(g.n, k);
    } else {
      g.b = conv.weight + group * g.n * k;
      g.b_row = 1;
      g.b_col = k;
    }
    g.c = conv.y + group * g.n;
    g.c_row = s.out_channels;
    g.column_bias = conv.bias ? conv.bias + group * g.n : nullptr;
    set_output(g, conv);
    return g;
  };
  if (s.groups == 0) return;
  const int64_t each =
      gemm_tasks(product(0, PatchRows<T>(s, conv.x)), s.groups >= 2 * workers.count ? 1 : workers.count);
  workers.each(s.groups * each, [&](int64_t first, int64_t last) {
    for (int64_t t = first; t < last;) {
      const int64_t group = t / each, begin = t % each, end = std::min(each, begin + last - t);
      const PatchRows<T> patches(s, conv.x + group * s.group_in());
      gemm_run(product(group, patches), each, begin, end);
      t += end - begin;
    }
  });
}

template <class T>
size_t packed_nhwc_weight_size(const ConvShape& s) {
  return static_cast<size_t>(s.groups) * packed_b_size<T>(s.group_out(), s.group_in() * s.taps());
}

template <class T>
void pack_nhwc_weight(const ConvShape& s, const T* weight, T* dst) {
  const int64_t n = s.group_out(), k = s.group_in() * s.taps();
  for (int64_t group = 0; group < s.groups; ++group) {
    pack_b(weight + group * n * k, 1, k, n, k, dst);
    dst += packed_b_size<T>(n, k);
  }
}

template <>
void depthwise_nhwc<float>(const Conv<float>& conv, const Workers& workers) {
  if (conv.shape.batch * conv.shape.out_pixels() * conv.shape.out_channels == 0) return;
  conv_depthwise(as_conv2d(conv, ConvMethod::kDepthwise, conv.weight), workers);
}

#define WICK_INSTANTIATE(T)                                             \
  template void conv_nchw<T>(const Conv<T>&, const Workers&);           \
  template void conv_nhwc<T>(const Conv<T>&, const T*, const Workers&); \
  template size_t packed_nhwc_weight_size<T>(const ConvShape&);         \
  template void pack_nhwc_weight<T>(const ConvShape&, const T*, T*);
WICK_INSTANTIATE(float)
WICK_INSTANTIATE(double)
#undef WICK_INSTANTIATE

}  // namespace wick::kernels
