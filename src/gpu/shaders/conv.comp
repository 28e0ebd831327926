// Convolutions of any kind, one result an invocation: groups, transposed, any strides.
//
// Weights are [tap][input channel of the group][output channel]; of a transposed one [tap][input channel][output channel
// of the group]. The bias follows them.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "math.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 1) readonly buffer W { S w[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };

layout(constant_id = 1) const bool kTransposed = false;
layout(constant_id = 2) const uint kActivation = 0;
layout(constant_id = 3) const bool kBias = false;

layout(push_constant) uniform Push {
  uint count, outputs, inputs, groups;
  uint in_y, in_x, out_y, out_x;
  uint taps;  // y in the upper half
  uint stride, pad, dilation;
  uint x_at, x_image, x_channel, x_row, x_pixel;
  uint w_at, bias_at;
  uint y_at, y_image, y_channel, y_row, y_pixel;
  float low, high;
};

void main() {
  uint i = workgroup() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= count) return;
  const uint o = i % outputs;
  i /= outputs;
  const uint ox = i % out_x;
  i /= out_x;
  const uint oy = i % out_y, n = i / out_y;
  const uint group_in = inputs / groups, group_out = outputs / groups, group = o / group_out;
  const int taps_y = int(taps >> 16), taps_x = int(taps & 65535u);
  const int stride_y = int(stride >> 16), stride_x = int(stride & 65535u);
  const int pad_y = int(pad >> 16), pad_x = int(pad & 65535u);
  const int dilation_y = int(dilation >> 16), dilation_x = int(dilation & 65535u);
  const uint from = x_at + n * x_image + group * group_in * x_channel;
  float sum = 0.0;
  for (int ky = 0; ky < taps_y; ++ky) {
    int iy = kTransposed ? int(oy) + pad_y - ky * dilation_y : int(oy) * stride_y - pad_y + ky * dilation_y;
    if (kTransposed) {
      if (iy < 0 || iy % stride_y != 0) continue;
      iy /= stride_y;
    }
    if (iy < 0 || iy >= int(in_y)) continue;
    for (int kx = 0; kx < taps_x; ++kx) {
      int ix = kTransposed ? int(ox) + pad_x - kx * dilation_x : int(ox) * stride_x - pad_x + kx * dilation_x;
      if (kTransposed) {
        if (ix < 0 || ix % stride_x != 0) continue;
        ix /= stride_x;
      }
      if (ix < 0 || ix >= int(in_x)) continue;
      uint tap = uint(ky * taps_x + kx), at = from + uint(iy) * x_row + uint(ix) * x_pixel;
      uint at_w = kTransposed ? w_at + (tap * inputs + group * group_in) * group_out + o % group_out
                              : w_at + tap * group_in * outputs + o;
      uint step = kTransposed ? group_out : outputs;
      for (uint c = 0u; c < group_in; ++c) sum += float(x[at + c * x_channel]) * float(w[at_w + c * step]);
    }
  }
  if (kBias) sum += float(w[bias_at + o]);
  sum = clamp_of(activate(kActivation, sum), low, high);
  y[y_at + n * y_image + oy * y_row + ox * y_pixel + o * y_channel] = S(sum);
}
