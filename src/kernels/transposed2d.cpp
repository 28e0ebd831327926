// Transposed convolution of NHWC float images.
#include "kernels/transposed2d.h"

#include <algorithm>
#include <cstring>

#include "kernels/divide.h"
#include "kernels/product.h"

namespace wick::kernels {
namespace {

int64_t tap_size(const ConvShape& s) {
  return round_up(static_cast<int64_t>(packed_b_size<float>(s.out_channels, s.in_channels)), 16);
}

// Input positions [first, last) that a tap carries into the result, and the first one's place there.
struct Reach {
  int64_t first, last, out;
};
Reach reach_of(const ConvShape& s, int d, int64_t tap) {
  const int64_t shift = tap * s.dilation[d] - s.pad[d], stride = s.stride[d];
  const int64_t first = shift >= 0 ? 0 : ceil_div(-shift, stride);
  const int64_t buffer = s.out[d] - 1 - shift;
  const int64_t last = buffer < 0 ? 0 : std::min(s.in[d], buffer / stride + 1);
  return {first, last, first * stride + shift};
}

// Whether every pixel of the result gets exactly one tap.
bool is_partition(const ConvShape& s) {
  for (int d = 1; d <= 2; ++d) {
    if (s.kernel[d] != s.stride[d] || s.dilation[d] != 1 || s.pad[d] != 0 || s.out[d] != s.in[d] * s.stride[d]) {
      return false;
    }
  }
  return true;
}

bool is_plain(const Epilogue& e) {
  const Epilogue none;
  return e.activation == Activation::kNone && e.low == none.low && e.high == none.high;
}

}  // namespace

size_t packed_transposed_size(const ConvShape& shape) { return static_cast<size_t>(tap_size(shape) * shape.taps()); }

void pack_transposed(const ConvShape& s, const float* weight, float* dst) {
  for (int64_t tap = 0; tap < s.taps(); ++tap) {
    pack_b(weight + tap, s.out_channels * s.taps(), s.taps(), s.out_channels, s.in_channels, dst + tap * tap_size(s));
  }
}

void run_transposed(const Transposed2d& t, const Workers& workers) {
  const ConvShape& s = t.shape;
  const bool partition = is_partition(s);
  const int64_t channels = s.out_channels, pixels = s.out[1] * s.out[2];
  Segment segments[kRowSegments];
  Product p;
  p.segments = segments;
  p.segment_count = row_segments(s.in_channels, segments);
  p.n = channels;
  p.k = s.in_channels;
  if (partition) {
    p.bias = t.bias;
    p.epilogue = t.epilogue;
  } else {
    p.continues = true;
  }
  for (int64_t image = 0; image < s.batch; ++image) {
    float* const y = t.y.data + image * t.y.image;
    if (!partition) {
      workers.each(pixels, [&](int64_t first, int64_t last) {
        const auto bytes = static_cast<size_t>(channels) * sizeof(float);
        for (int64_t i = first; i < last; ++i) {
          if (t.bias != nullptr) {
            std::memcpy(y + i * channels, t.bias, bytes);
          } else {
            std::memset(y + i * channels, 0, bytes);
          }
        }
      });
    }
    for (int64_t tap = 0; tap < s.taps(); ++tap) {
      const Reach rows = reach_of(s, 1, tap / s.kernel[2]), columns = reach_of(s, 2, tap % s.kernel[2]);
      if (rows.first >= rows.last || columns.first >= columns.last) continue;
      p.width = columns.last - columns.first;
      p.pixels = (rows.last - rows.first) * p.width;
      p.a = {t.x.data + image * t.x.image + rows.first * t.x.row + columns.first * t.x.pixel, t.x.row, t.x.pixel};
      p.c = {y + rows.out * t.y.row + columns.out * t.y.pixel, s.stride[1] * t.y.row, s.stride[2] * t.y.pixel};
      p.b = t.weights + tap * tap_size(s);
      product(p, workers);
    }
    if (!partition && !is_plain(t.epilogue)) {
      workers.each(s.out[1], [&](int64_t first, int64_t last) {
        const int64_t row = s.out[2] * channels;
        apply_epilogue(t.epilogue, y + first * row, y + first * row, (last - first) * row);
      });
    }
  }
}

}  // namespace wick::kernels
