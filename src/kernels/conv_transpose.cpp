// Transposed convolution of NCHW images: a product and col2im.
#include <algorithm>

#include "kernels/bounds.h"
#include "kernels/conv.h"
#include "kernels/divide.h"

namespace wick::kernels {
namespace {

// Elements of the column buffer of one task: of several output channels, and of one that has more. One tap of a channel
// is always taken.
constexpr int64_t kColumnRoom = 1 << 18, kTapRoom = 1 << 22;

// Adds columns [in_pixels] of taps [from, to) of one output channel to its plane.
template <class T>
void add_columns(const ConvShape& s, const T* columns, int64_t from, int64_t to, T* plane) {
  for (int64_t tap = from; tap < to; ++tap) {
    check_bounds();
    const int64_t kw = tap % s.kernel[2], kh = tap / s.kernel[2] % s.kernel[1], kd = tap / s.kernel[2] / s.kernel[1];
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
  // All taps of the channels at once or, where one channel has too many, some of its taps at a time.
  const int64_t taps_at_once =
      chunk > 1 ? taps : std::clamp<int64_t>(kTapRoom / std::max<int64_t>(1, in_pixels), 1, std::max<int64_t>(1, taps));
  workers.each(s.batch * s.groups * chunks, [&](int64_t first, int64_t last) {
    const Scratch<T> columns(static_cast<size_t>(chunk * taps_at_once * in_pixels));
    for (int64_t t = first; t < last; ++t) {
      const int64_t c0 = t % chunks * chunk, channels = std::min(chunk, group_out - c0);
      const int64_t group = t / chunks % s.groups, image = t / chunks / s.groups;
      const auto plane_of = [&](int64_t c) {
        return conv.y + (image * s.out_channels + group * group_out + c0 + c) * out_pixels;
      };
      for (int64_t c = 0; c < channels; ++c)
        std::fill_n(plane_of(c), out_pixels, conv.bias ? conv.bias[group * group_out + c0 + c] : T(0));
      for (int64_t tap = 0; tap < taps; tap += taps_at_once) {
        const int64_t count = std::min(taps_at_once, taps - tap);
        Gemm<T> g;
        g.m = channels * count;
        g.n = in_pixels;
        g.k = group_in;
        g.a = transposed.data() + (group * rows + c0 * taps + tap) * group_in;
        g.a_row = group_in;
        g.b = conv.x + (image * s.in_channels + group * group_in) * in_pixels;
        g.b_row = in_pixels;
        g.c = columns.data();
        g.c_row = in_pixels;
        gemm(g, Workers{});
        for (int64_t c = 0; c < channels; ++c)
          add_columns(s, columns.data() + c * count * in_pixels, tap, tap + count, plane_of(c));
      }
      for (int64_t c = 0; conv.clamp && c < channels; ++c) {
        T* const plane = plane_of(c);
        for (int64_t i = 0; i < out_pixels; ++i) plane[i] = std::min(std::max(plane[i], conv.low), conv.high);
      }
    }
  });
}

template void conv_transpose_nchw<float>(const Conv<float>&, const Workers&);
template void conv_transpose_nchw<double>(const Conv<double>&, const Workers&);

}  // namespace wick::kernels
