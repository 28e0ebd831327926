// Padding of up to five dims by a number, by reflection or by repeating the edge; negative padding crops.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };

layout(constant_id = 1) const uint kMode = 0;  // 0 a number, 1 reflect, 2 replicate

layout(push_constant) uniform Push {
  uint count;
  uint sizes[5], in_sizes[5];
  int before[5];
  uint x_strides[5], y_strides[5];
  uint x_at, y_at;
  float number;
};

void main() {
  uint i = workgroup() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= count) return;
  uint from = x_at, to = y_at;
  bool inside = true;
  for (uint k = 0u; k < 5u; ++k) {
    uint d = 4u - k, o = i % sizes[d];
    i /= sizes[d];
    int at = int(o) - before[d], extent = int(in_sizes[d]);
    if (kMode == 1u) {
      at = abs(at);
      if (at >= extent) at = 2 * (extent - 1) - at;
    } else if (kMode == 2u) {
      at = clamp(at, 0, extent - 1);
    } else if (at < 0 || at >= extent) {
      inside = false;
    }
    from += uint(at) * x_strides[d];
    to += o * y_strides[d];
  }
  float v = number;
  if (inside) v = float(x[from]);
  y[to] = S(v);
}
