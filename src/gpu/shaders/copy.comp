// Copies elements between any strides: layouts, slices and parts of a concatenation.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

layout(binding = 0) readonly buffer X { S x[]; };
layout(binding = 3) writeonly buffer Y { S y[]; };

layout(constant_id = 1) const uint kDims = 6;

layout(push_constant) uniform Push {
  uint count;
  uint sizes[6], x_strides[6], y_strides[6];
  uint x_at, y_at;
};

void main() {
  uint i = workgroup() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= count) return;
  uint from = x_at, to = y_at;
  [[unroll]] for (uint k = 0u; k < kDims; ++k) {
    uint d = kDims - 1u - k, at = d == 0u ? i : i % sizes[d];
    if (d != 0u) i /= sizes[d];
    from += at * x_strides[d];
    to += at * y_strides[d];
  }
  y[to] = x[from];
}
