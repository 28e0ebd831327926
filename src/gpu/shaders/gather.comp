// Elements at indices along one dim: y[o] = x[place of o + index of o * step]. Indices are whole floats.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 1) readonly buffer Index { float index[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };

layout(constant_id = 1) const uint kDims = 5;

layout(push_constant) uniform Push {
  uint count;
  uint sizes[5], x_strides[5], index_strides[5];  // of the dense result, outermost first
  uint x_at, index_at, extent, step;
};

void main() {
  uint i = workgroup() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= count) return;
  uint rest = i, from = x_at, which = index_at;
  [[unroll]] for (uint k = 0u; k < kDims; ++k) {
    uint d = kDims - 1u - k, at = d == 0u ? rest : rest % sizes[d];
    if (d != 0u) rest /= sizes[d];
    from += at * x_strides[d];
    which += at * index_strides[d];
  }
  int n = int(index[which]);
  if (n < 0) n += int(extent);
  // The host has checked them; what is wrong all the same stays within the memory.
  n = clamp(n, 0, int(extent) - 1);
  y[i] = x[from + uint(n) * step];
}
