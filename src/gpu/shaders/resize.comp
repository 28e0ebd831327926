// Resampling of images, one result an invocation: nearest, bilinear and bicubic.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };

layout(constant_id = 1) const uint kKind = 0;  // 0 nearest, 1 nearest with half pixels, 2 bilinear, 3 with aligned corners, 4 bicubic, 5 with aligned corners
layout(constant_id = 2) const bool kChannelsFirst = true;

layout(push_constant) uniform Push {
  uint count, channels;
  uint in_y, in_x, out_y, out_x;
  float scale_y, scale_x;  // from results to the source
  uint x_at, x_image, x_channel, x_row, x_pixel;
  uint y_at, y_image, y_channel, y_row, y_pixel;
};

void sources(uint o, float scale, uint extent, out uint i0, out uint i1, out float part) {
  part = 0.0;
  if (kKind == 0u) {
    i0 = i1 = min(uint(floor(float(o) * scale)), extent - 1u);
  } else if (kKind == 1u) {
    i0 = i1 = min(uint(floor((float(o) + 0.5) * scale)), extent - 1u);
  } else {
    float at = kKind == 3u ? float(o) * scale : max((float(o) + 0.5) * scale - 0.5, 0.0);
    i0 = min(uint(at), extent - 1u);
    i1 = min(i0 + 1u, extent - 1u);
    part = at - float(i0);
  }
}

// Keys' cubic with -0.75.
vec4 cubic(float t) {
  const float k = -0.75;
  float s = 1.0 - t;
  return vec4(((k * (t + 1.0) - 5.0 * k) * (t + 1.0) + 8.0 * k) * (t + 1.0) - 4.0 * k,
              ((k + 2.0) * t - (k + 3.0)) * t * t + 1.0, ((k + 2.0) * s - (k + 3.0)) * s * s + 1.0,
              ((k * (s + 1.0) - 5.0 * k) * (s + 1.0) + 8.0 * k) * (s + 1.0) - 4.0 * k);
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
  uint y0, y1, x0, x1;
  float py, px;
  sources(oy, scale_y, in_y, y0, y1, py);
  sources(ox, scale_x, in_x, x0, x1, px);
  const uint from = x_at + i * x_image + c * x_channel;
  float v;
  if (kKind >= 4u) {
    float at_y = kKind == 5u ? float(oy) * scale_y : (float(oy) + 0.5) * scale_y - 0.5;
    float at_x = kKind == 5u ? float(ox) * scale_x : (float(ox) + 0.5) * scale_x - 0.5;
    int iy = int(floor(at_y)), ix = int(floor(at_x));
    vec4 wy = cubic(at_y - float(iy)), wx = cubic(at_x - float(ix));
    v = 0.0;
    for (int j = 0; j < 4; ++j) {
      uint row = from + uint(clamp(iy + j - 1, 0, int(in_y) - 1)) * x_row;
      float line = 0.0;
      for (int k = 0; k < 4; ++k) line += wx[k] * float(x[row + uint(clamp(ix + k - 1, 0, int(in_x) - 1)) * x_pixel]);
      v += wy[j] * line;
    }
  } else if (kKind < 2u) {
    v = float(x[from + y0 * x_row + x0 * x_pixel]);
  } else {
    float a = float(x[from + y0 * x_row + x0 * x_pixel]), b = float(x[from + y0 * x_row + x1 * x_pixel]);
    float d = float(x[from + y1 * x_row + x0 * x_pixel]), e = float(x[from + y1 * x_row + x1 * x_pixel]);
    v = (1.0 - py) * ((1.0 - px) * a + px * b) + py * ((1.0 - px) * d + px * e);
  }
  y[y_at + i * y_image + c * y_channel + oy * y_row + ox * y_pixel] = S(v);
}
