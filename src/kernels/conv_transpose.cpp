// Transposed convolution of NCHW images: a product and col2im.
#include <algorithm>

#include "kernels/conv.h"
#include "kernels/divide.h"

namespace wick::kernels {
namespace {

// Elements of the column buffer of one task; at least one output channel is always taken.
constexpr int64_t kColumnRoom = 1 << 18;

// Adds columns [taps][in_pixels] of one output channel to its plane.
template <class T>
void add_columns(const ConvShape& s, const T* columns, T* plane) {
  for (int64_t kd = 0; kd < s.kernel[0]; ++kd)
    for (int64_t kh = 0; kh < s.kernel[1]; ++kh)
      for (int64_t kw = 0; kw < s.kernel[2]; ++kw)
        for (int64_t id = 0; id < s.in[0]; ++id)
          for (int64_t ih = 0; ih < s.in[1]; ++ih, columns += s.in[2]) {
            const int64_t od = id * s.stride[0] - s.pad[0] + kd * s.dilation[0];
            const int64_t oh = ih * s.stride[1] - s.pad[1] + kh * s.dilation[1];
            if (od < 0 || od >= s.out[0] || oh < 0 || oh >= s.out[1]) continue;
            T* row = plane + (od * s.out[1] + oh) * s.out[2];
            const int64_t shift = kw * s.dilation[2] - s.pad[2], stride = s.stride[2];
            int64_t first = shift >= 0 ? 0 : ceil_div(-shift, stride);
            const int64_t space = s.out[2] - shift;
            const int64_t last = space <= 0 ? 0 : std::min(s.in[2], (space - 1) / stride + 1);
            if (stride == 1) {
              for (; first < last; ++first) row[first + shift] += columns[first];
            } else {
              for (; first < last; ++first) row[first * stride + shift] += columns[first];
            }
          }
}

}  // namespace

template <class T>
void conv_transpose_nchw(const Conv<T>& conv, const Workers& workers) {
  const ConvShape& s = conv.shape;
  const int64_t taps = s.taps(), in_pixels = s.in_pixels(), out_pixels = s.out_pixels();
  const int64_t group_in = s.group_in(), group_out = s.group_out();
  if (s.batch == 0 || s.out_channels == 0 || out_pixels == 0) return;

  // Weights of each group as [out channel and tap][in channel], the left operand of the product.
  const int64_t rows = group_out * taps;
  const Scratch<T> transposed(static_cast<size_t>(s.groups * rows * group_in));
  for (int64_t c = 0; c < s.in_channels; ++c) {
    const T* from = conv.weight + c * rows;
    T* to = transposed.data() + c / group_in * rows * group_in + c % group_in;
    for (int64_t r = 0; r < rows; ++r) to[r * group_in] = from[r];
  }

  const int64_t fitting = std::max<int64_t>(1, kColumnRoom / std::max<int64_t>(1, taps * in_pixels));
  const int64_t wanted = std::max<int64_t>(1, group_out / (2 * workers.count));
  const int64_t chunk = std::min({fitting, wanted, group_out});
  const int64_t chunks = ceil_div(group_out, chunk);
  workers.each(s.batch * s.groups * chunks, [&](int64_t first, int64_t last) {
    const Scratch<T> columns(static_cast<size_t>(chunk * taps * in_pixels));
    for (int64_t t = first; t < last; ++t) {
      const int64_t c0 = t % chunks * chunk, channels = std::min(chunk, group_out - c0);
      const int64_t group = t / chunks % s.groups, image = t / chunks / s.groups;
      Gemm<T> g;
      g.m = channels * taps;
      g.n = in_pixels;
      g.k = group_in;
      g.a = transposed.data() + (group * rows + c0 * taps) * group_in;
      g.a_row = group_in;
      g.b = conv.x + (image * s.in_channels + group * group_in) * in_pixels;
      g.b_row = in_pixels;
      g.c = columns.data();
      g.c_row = in_pixels;
      gemm(g, Workers{});
      for (int64_t c = 0; c < channels; ++c) {
        const int64_t channel = group * group_out + c0 + c;
        T* plane = conv.y + (image * s.out_channels + channel) * out_pixels;
        std::fill(plane, plane + out_pixels, conv.bias ? conv.bias[channel] : T(0));
        add_columns(s, columns.data() + c * taps * in_pixels, plane);
        if (conv.clamp)
          for (int64_t i = 0; i < out_pixels; ++i) plane[i] = std::min(std::max(plane[i], conv.low), conv.high);
      }
    }
  });
}

template void conv_transpose_nchw<float>(const Conv<float>&, const Workers&);
template void conv_transpose_nchw<double>(const Conv<double>&, const Workers&);

}  // namespace wick::kernels
