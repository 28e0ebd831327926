// Max and average pooling of images, windows given by numbers or adaptive, one result an invocation.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };

layout(constant_id = 1) const uint kKind = 0;  // 0 max, 1 average, 2 adaptive average, 3 adaptive max
layout(constant_id = 2) const bool kCountPad = true;
layout(constant_id = 3) const bool kChannelsFirst = true;  // neighbors in the result are channels

layout(push_constant) uniform Push {
  uint count, channels;
  uint in_y, in_x, out_y, out_x;
  uint taps, stride, pad, dilation;  // y in the upper half
  uint divisor;                      // 0: what the window holds
  uint x_at, x_image, x_channel, x_row, x_pixel;
  uint y_at, y_image, y_channel, y_row, y_pixel;
};

void window(uint o, uint extent, uint out_extent, int taps_, int stride_, int pad_, int dilation_, out int first,
            out int last, out int padded) {
  if (kKind >= 2u) {
    first = int(o * extent / out_extent);
    last = int(((o + 1u) * extent + out_extent - 1u) / out_extent);
    padded = last - first;
  } else {
    first = int(o) * stride_ - pad_;
    // The padding on the right counts, what ceil_mode reaches beyond it does not.
    last = first + (taps_ - 1) * dilation_ + 1;
    padded = min(last, int(extent) + pad_) - first;
  }
}

void main() {
  uint i = workgroup() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= count) return;
  uint c = 0u;
  if (kChannelsFirst) {
    c = i % channels;
    i /= channels;
  }
  const uint ox = i % out_x;
  i /= out_x;
  const uint oy = i % out_y;
  i /= out_y;
  if (!kChannelsFirst) {
    c = i % channels;
    i /= channels;
  }
  const uint n = i;
  int y0, y1, x0, x1, count_y, count_x;
  window(oy, in_y, out_y, int(taps >> 16), int(stride >> 16), int(pad >> 16), int(dilation >> 16), y0, y1, count_y);
  window(ox, in_x, out_x, int(taps & 65535u), int(stride & 65535u), int(pad & 65535u), int(dilation & 65535u), x0, x1,
         count_x);
  const int step_y = kKind >= 2u ? 1 : int(dilation >> 16), step_x = kKind >= 2u ? 1 : int(dilation & 65535u);
  const bool is_max = kKind == 0u || kKind == 3u;
  float v = is_max ? uintBitsToFloat(0xff800000u) : 0.0;
  uint held = 0u;
  for (int iy = y0; iy < y1; iy += step_y) {
    if (iy < 0 || iy >= int(in_y)) continue;
    for (int ix = x0; ix < x1; ix += step_x) {
      if (ix < 0 || ix >= int(in_x)) continue;
      float e = float(x[x_at + n * x_image + c * x_channel + uint(iy) * x_row + uint(ix) * x_pixel]);
      v = is_max ? max_of(v, e) : v + e;
      ++held;
    }
  }
  if (!is_max) {
    float by = divisor != 0u ? float(divisor) : kCountPad ? float(count_y * count_x) : float(held);
    v = v / by;
  }
  y[y_at + n * y_image + c * y_channel + oy * y_row + ox * y_pixel] = S(v);
}
