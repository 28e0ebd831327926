// Depthwise convolutions of images with channels last, four channels of one pixel an invocation.
//
// Weights are [tap][channel], the bias follows them; channels are a multiple of four.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "math.glsl"

layout(binding = 0) readonly buffer X { S4 x4[]; };
layout(binding = 1) readonly buffer W { S4 w4[]; };
layout(binding = 3) writeonly buffer Y { S4 y4[]; };

layout(constant_id = 1) const uint kTapsY = 3;
layout(constant_id = 2) const uint kTapsX = 3;
layout(constant_id = 3) const uint kActivation = 0;
layout(constant_id = 4) const bool kBias = false;

// Everything that counts elements counts fours.
layout(push_constant) uniform Push {
  uint count, channels;
  uint in_y, in_x, out_y, out_x;
  uint stride_y, stride_x, pad_y, pad_x, dilation_y, dilation_x;
  uint x_at, x_image, x_row, x_pixel;
  uint w_at, bias_at, y_at, y_pixel;
  float low, high;
};

void main() {
  const uint i = workgroup() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= count) return;
  const uint c = i % channels, m = i / channels;
  const uint ox = m % out_x, oy = m / out_x % out_y, n = m / out_x / out_y;
  const int y0 = int(oy * stride_y) - int(pad_y), x0 = int(ox * stride_x) - int(pad_x);
  vec4 sum = vec4(0.0);
  [[unroll]] for (uint ky = 0u; ky < kTapsY; ++ky) {
    const int iy = y0 + int(ky * dilation_y);
    const bool in_row = iy >= 0 && iy < int(in_y);
    [[unroll]] for (uint kx = 0u; kx < kTapsX; ++kx) {
      const int ix = x0 + int(kx * dilation_x);
      if (in_row && ix >= 0 && ix < int(in_x)) {
        sum += vec4(x4[x_at + n * x_image + uint(iy) * x_row + uint(ix) * x_pixel + c]) *
               vec4(w4[w_at + (ky * kTapsX + kx) * channels + c]);
      }
    }
  }
  if (kBias) sum += vec4(w4[bias_at + c]);
  y4[y_at + m * y_pixel + c] = S4(clamp4(activate4(kActivation, sum), low, high));
}
